"""Concordance of significance: every outcome of a pair."""

import numpy as np
import pytest

from irx_measures.meta import concordance, discriminative_power

NOISE = np.array([0.01, -0.01, 0.02, -0.02, 0.0, 0.015])


def power(*means, level=0.95):
    """Tests of systems with these means; their differences vary slightly between topics."""
    scores = [mean + np.roll(NOISE, number) for number, mean in enumerate(means)]
    return discriminative_power(scores, list("abcd"), test="t", correction="none", level=level)


def test_every_outcome_of_a_pair():
    # Pairs in order: (a, b), (a, c), (a, d), (b, c), (b, d), (c, d).
    result = concordance(power(0.9, 0.5, 0.5, 0.1), power(0.5, 0.9, 0.5, 0.1))
    frame = result.to_frame()
    assert frame["outcome"].tolist() == [
        "conflict", "disagree", "agree", "disagree", "agree", "agree",
    ]  # fmt: skip
    assert frame["first_verdict"].tolist() == [1, 1, 1, 0, 1, 1]
    assert frame["second_verdict"].tolist() == [-1, 0, 1, 1, 1, 1]
    assert (result.agree, result.disagree, result.conflict) == (3, 2, 1)
    assert (result.only_first, result.only_second) == (1, 1)
    assert result.summary == "paired t test at 95%: of 6 pairs 3 agree, 2 disagree, 1 conflict"


@pytest.mark.parametrize("level", [0.8, 0.999])
def test_the_level_of_the_tests_decides(level):
    rng = np.random.default_rng(0)
    scores = np.linspace(0, 0.3, 6)[:, np.newaxis] + rng.normal(0, 0.2, (2, 6, 15))
    first, second = (discriminative_power(each, test="t", level=level) for each in scores)
    result = concordance(first, second)
    assert np.abs(result.first_verdict).tolist() == first.significant_pairs().tolist()
    assert np.abs(result.second_verdict).tolist() == second.significant_pairs(level).tolist()
    assert f" at {100 * level:g}%: " in result.summary
