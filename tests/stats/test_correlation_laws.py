"""Coefficients of rank correlation by hand, with ties, and their laws."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from irx_measures.stats.correlation import COEFFICIENTS, coefficient_of

PHI = 0.5
SYMMETRIC = ["tau", "tau_b", "spearman", "RBO", "RBA"]


def of(coefficient, first, second):
    (value,) = coefficient_of(coefficient, np.array([first]), np.array([second]), PHI)
    return value


@pytest.mark.parametrize(
    ("coefficient", "first", "second", "expected"),
    [
        # One of six pairs is discordant.
        ("tau", [4.0, 3, 2, 1], [4.0, 2, 3, 1], 4 / 6),
        ("tau_b", [4.0, 3, 2, 1], [4.0, 2, 3, 1], 4 / 6),
        # Sum of squared rank differences of 2: 1 - 6 x 2 / (4 x 15).
        ("spearman", [4.0, 3, 2, 1], [4.0, 2, 3, 1], 0.8),
        # At ranks 2, 3 and 4, of the systems above 1, 1 and 3 stand right: 2/3 (1 + 1/2 + 1) - 1.
        ("tau_AP", [4.0, 3, 2, 1], [4.0, 2, 3, 1], 2 / 3),
        # Two of three pairs are concordant, the third is tied in the second ranking.
        ("tau", [3.0, 2, 1], [2.0, 2, 1], 2 / 3),
        ("tau_b", [3.0, 2, 1], [2.0, 2, 1], 2 / np.sqrt(3 * 2)),
        ("spearman", [3.0, 2, 1], [2.0, 2, 1], 1.5 / np.sqrt(2 * 1.5)),
        # The tie in one order is right throughout (1), in the other wrong at rank 2 (0).
        ("tau_AP", [3.0, 2, 1], [2.0, 2, 1], 1 / 2),
        # Tied in the first, the second system is half right at rank 2.
        ("tau_AP", [2.0, 2, 1], [3.0, 2, 1], 1 / 2),
        # No overlap at rank 1, all from rank 2 on.
        ("RBO", [2.0, 1], [1.0, 2], PHI),
        # Both documents have the mean rank 1.5, those from rank 3 on their own.
        ("RBA", [2.0, 1], [1.0, 2], 2 * (1 - PHI) * PHI**0.5 + PHI**2),
        # A tie shares the weights of ranks 1 and 2, or half of the overlap at rank 1.
        ("RBO", [2.0, 1], [1.0, 1], (1 - PHI) / 2 + PHI),
        (
            "RBA",
            [2.0, 1],
            [1.0, 1],
            np.sqrt((1 - PHI**2) / 2) * (np.sqrt(1 - PHI) + np.sqrt((1 - PHI) * PHI)) + PHI**2,
        ),
        # Of the two documents at rank 2 and above one is common; at all other ranks all are.
        ("RBO", [3.0, 2, 1], [3.0, 1, 2], 1 - (1 - PHI) * PHI / 2),
        # Rank 1 agrees, ranks 2 and 3 are exchanged, the rest agrees.
        ("RBA", [3.0, 2, 1], [3.0, 1, 2], (1 - PHI) * (1 + 2 * PHI**1.5) + PHI**3),
        ("tau_b", [2.0, 1], [1.0, 2], -1.0),
        ("spearman", [2.0, 1], [1.0, 2], -1.0),
    ],
)
def test_coefficients_by_hand(coefficient, first, second, expected):
    assert of(coefficient, first, second) == pytest.approx(expected, rel=1e-12, abs=1e-15)


@pytest.mark.parametrize("coefficient", COEFFICIENTS)
@pytest.mark.parametrize("other", [[3.0, 2, 1], [2.0, 2, 2]])
def test_a_ranking_with_all_systems_tied_correlates_with_none(coefficient, other):
    tied = [1.0, 1, 1]
    undefined = coefficient not in ("RBO", "RBA")  # ties share the weight of their ranks
    assert np.isnan(of(coefficient, tied, other)) == undefined
    assert np.isnan(of(coefficient, other, tied)) == undefined


def samples(number=7, systems=6):
    """Scores of few values, so that some tie."""
    return np.random.default_rng(4).integers(0, 5, (2, number, systems)).astype(float)


@pytest.mark.parametrize("coefficient", COEFFICIENTS)
def test_a_batch_equals_its_rows(coefficient):
    first, second = samples()
    together = coefficient_of(coefficient, first, second, PHI)
    alone = [of(coefficient, *pair) for pair in zip(first, second, strict=True)]
    assert together.shape == (7,)
    assert len(np.unique(together)) > 4
    assert_allclose(together, alone, rtol=1e-12, atol=1e-15)


@pytest.mark.parametrize("coefficient", ["tau", "tau_b", "tau_AP"])
def test_samples_too_many_for_a_chunk_have_the_values_they_have_alone(coefficient):
    first, second = samples(3000, 40)
    together = coefficient_of(coefficient, first, second, PHI)
    for place in (0, 1, 1500, 2998, 2999):
        alone = of(coefficient, first[place], second[place])
        assert together[place] == pytest.approx(alone, rel=1e-12)


@pytest.mark.parametrize("coefficient", COEFFICIENTS)
def test_which_coefficients_are_symmetric(coefficient):
    first, second = samples()
    there, back = (
        coefficient_of(coefficient, *pair, PHI) for pair in ((first, second), (second, first))
    )
    assert np.allclose(there, back, rtol=1e-12) == (coefficient in SYMMETRIC)


@pytest.mark.parametrize("coefficient", COEFFICIENTS)
def test_coefficients_keep_their_bounds(coefficient):
    first, second = samples(500)
    got = coefficient_of(coefficient, first, second, PHI)
    least = 0.0 if coefficient in ("RBO", "RBA") else -1.0
    tied = np.any([np.ptp(scores, axis=1) == 0 for scores in samples(500)], axis=0)
    assert tied.any()
    assert_array_equal(np.isnan(got), tied & (coefficient not in ("RBO", "RBA")))
    got = got[~np.isnan(got)]
    assert (got >= least - 1e-12).all()
    assert (got <= 1 + 1e-12).all()
    assert np.ptp(got) > 0.3
