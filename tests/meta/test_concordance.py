"""Concordance of significance: every outcome of a pair, and the tests underneath."""

import numpy as np
import pytest

from irx_measures.meta import concordance, discriminative_power

NOISE = np.array([0.01, -0.01, 0.02, -0.02, 0.0, 0.015])


def table(*means):
    """Scores of systems with these means; their differences vary slightly between topics."""
    return np.array([mean + np.roll(NOISE, number) for number, mean in enumerate(means)])


def test_every_outcome_of_a_pair():
    # Pairs in order: (a, b), (a, c), (a, d), (b, c), (b, d), (c, d).
    first = table(0.9, 0.5, 0.5, 0.1)
    second = table(0.5, 0.9, 0.5, 0.1)
    result = concordance(first, second, list("abcd"), test="t", correction="none")
    frame = result.to_frame()
    assert frame["outcome"].tolist() == [
        "conflict", "disagree", "agree", "disagree", "agree", "agree",
    ]  # fmt: skip
    assert frame["first_verdict"].tolist() == [1, 1, 1, 0, 1, 1]
    assert frame["second_verdict"].tolist() == [-1, 0, 1, 1, 1, 1]
    assert result.conflict == 1
    assert (result.only_first, result.only_second) == (1, 1)
    assert (result.agree, result.disagree) == (3, 2)
    assert result.summary == ("paired t test at 95%: of 6 pairs 3 agree, 2 disagree, 1 conflict")


@pytest.mark.parametrize("level", [0.8, 0.95, 0.999])
def test_verdicts_are_those_of_discriminative_power(level):
    rng = np.random.default_rng(0)
    first, second = np.linspace(0, 0.3, 6)[:, np.newaxis] + rng.normal(0, 0.2, (2, 6, 15))
    how = {"test": "bootstrap", "resamples": 1000, "seed": 4}
    result = concordance(first, second, level=level, **how)
    powers = [discriminative_power(scores, **how).significant(level) for scores in (first, second)]
    both = np.count_nonzero(result.first_verdict * result.second_verdict)
    assert powers == [both + result.only_first, both + result.only_second]
    assert result.agree + result.disagree + result.conflict == 15
