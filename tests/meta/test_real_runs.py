"""The rareness paper's Table 1 on the runs of TREC-8; other tables are in tests/reproductions."""

import numpy as np
import pytest

from irx_measures import RunSet, evaluate
from irx_measures.meta import (
    TESTS,
    discriminative_power,
)
from irx_measures.stats.pairs import Pairs
from tests.doubts import MISSED_QUERIES, NO_PRIOR

pytestmark = [pytest.mark.slow, MISSED_QUERIES, NO_PRIOR]

ALPHAS = [0, 0.5, 1]


def precision(alpha):
    return f"P_Rareness(systems=others,alpha={alpha})@100"


def average_precision(alpha):
    return f"AP_Rareness(systems=others,alpha={alpha})"


@pytest.fixture(scope="module")
def trec8(data):
    return RunSet(str(data / "trec8-adhoc" / "runs" / "*.gz"), name="trec8")


@pytest.fixture(scope="module")
def scores(data, trec8):
    measures = [form(alpha) for form in (precision, average_precision) for alpha in ALPHAS]
    matrix = evaluate(trec8, data / "trec8-adhoc" / "qrels.txt.gz", measures)
    assert matrix.scores.shape == (6, 129, 50)
    return matrix


# Measure, pairs at 95% and 99%.
PUBLISHED = [
    (precision(0), 3666, 2973),
    (precision(0.5), 3778, 3050),
    (precision(1), 3825, 3079),
    (average_precision(0), 3731, 2976),
    (average_precision(0.5), 3915, 3209),
    (average_precision(1), 4048, 3363),
]


@pytest.mark.parametrize(("measure", "at_95", "at_99"), PUBLISHED)
def test_rareness_table_1_is_pairwise_hsd(scores, measure, at_95, at_99):
    power = discriminative_power(scores[measure], scores.systems, test="hsd-pairwise")
    assert power.pairs == 8256
    assert abs(power.significant(0.95) - at_95) <= 2
    assert abs(power.significant(0.99) - at_99) <= 2


@pytest.mark.parametrize(
    ("form", "pairs"),
    [(precision, [3035, 2962, 2873]), (average_precision, [3090, 3121, 3110])],
)
def test_what_table_1_does_not_say_with_topics_as_blocks(scores, form, pairs):
    """P_Rareness discriminates fewer pairs as alpha grows, and AP_Rareness hardly changes."""
    got = [
        discriminative_power(scores[form(alpha)], test="tukey-blocks").significant(0.95)
        for alpha in (0, 0.5, 1)
    ]
    assert got == pairs


def test_all_tests_run_on_all_pairs_and_agree_on_the_surest(scores):
    measure = scores[average_precision(1)]
    power = {test: discriminative_power(measure, test=test, resamples=300) for test in TESTS}
    assert {result.pairs for result in power.values()} == {8256}
    means = measure.mean(axis=1)
    surest = Pairs.of(129).differences(means)
    for test, result in power.items():
        assert ((result.p_value > 0) | (not TESTS[test].resamples)).all()
        assert result.p_value[np.abs(surest).argmax()] < 0.01, test
