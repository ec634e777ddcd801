"""The rareness paper's Table 1 on the runs of TREC-8; other tables are in tests/reproductions."""

import numpy as np
import pytest

from irx_measures import RunSet, evaluate
from irx_measures.meta import TESTS, discriminative_power
from tests.doubts import MISSED_QUERIES, NO_PRIOR

pytestmark = [pytest.mark.slow, MISSED_QUERIES, NO_PRIOR]

PRECISION = "P_Rareness(systems=others,alpha={})@100"
AVERAGE_PRECISION = "AP_Rareness(systems=others,alpha={})"

# Measure, pairs at 95% and 99% as published, and pairs at 95% with topics as blocks: P_Rareness
# discriminates fewer pairs as alpha grows, and AP_Rareness hardly changes.
TABLE_1 = [
    (PRECISION.format(0), 3666, 2973, 3035),
    (PRECISION.format(0.5), 3778, 3050, 2962),
    (PRECISION.format(1), 3825, 3079, 2873),
    (AVERAGE_PRECISION.format(0), 3731, 2976, 3090),
    (AVERAGE_PRECISION.format(0.5), 3915, 3209, 3121),
    (AVERAGE_PRECISION.format(1), 4048, 3363, 3110),
]


@pytest.fixture(scope="module")
def scores(data):
    runs = RunSet(str(data / "trec8-adhoc" / "runs" / "*.gz"), name="trec8")
    matrix = evaluate(runs, data / "trec8-adhoc" / "qrels.txt.gz", [row[0] for row in TABLE_1])
    assert matrix.scores.shape == (6, 129, 50)
    return matrix


@pytest.mark.parametrize(("measure", "at_95", "at_99", "in_blocks"), TABLE_1)
def test_rareness_table_1_is_pairwise_hsd(scores, measure, at_95, at_99, in_blocks):
    power = discriminative_power(scores[measure], scores.systems, test="hsd-pairwise")
    assert power.pairs == 8256
    assert abs(power.significant(0.95) - at_95) <= 2
    assert abs(power.significant(0.99) - at_99) <= 2
    assert discriminative_power(scores[measure], test="tukey-blocks").significant() == in_blocks


@pytest.mark.parametrize("test", TESTS)
def test_every_test_runs_on_all_pairs_and_agrees_on_the_surest(scores, test):
    power = discriminative_power(scores[AVERAGE_PRECISION.format(1)], test=test, resamples=300)
    assert len(power.p_value) == 8256
    assert power.p_value[np.abs(power.difference).argmax()] < 0.01
    assert (power.p_value > 0).all() or not TESTS[test].resamples
