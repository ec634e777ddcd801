"""The helpers on the persistence: against sums, against each other, at the ends of the range."""

from decimal import Decimal, localcontext
from math import fsum, nextafter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from irx_measures.persistence import expected_depth, phi_for, phi_for_weight, rank_weight, rba_range

NEXT_TO_ONE = nextafter(1.0, 0.0)


def weight_by_sums(phi, d):
    """RBO of two rankings that agree on ranks 1 to d only, and share ranks 1 to d at all depths.

    A depth i has the weight (1 - phi) phi^(i-1); ranks 1 to d are min(i, d) of its i documents.
    """
    depths = range(1, 6000)
    return (1 - phi) * fsum(phi ** (i - 1) * min(i, d) / i for i in depths)


@given(phi=st.floats(0.001, 0.99), d=st.integers(1, 300))
def test_the_weight_of_ranks_is_the_sum_over_depths(phi, d):
    assert rank_weight(phi, d) == pytest.approx(weight_by_sums(phi, d), rel=1e-12)


def test_the_weight_of_ranks_is_the_published_one():
    # Webber, Moffat and Zobel: the first 10 ranks have 86% of the weight for p = .9.
    assert rank_weight(0.9, 10) == pytest.approx(0.855585, abs=5e-7)


@pytest.mark.parametrize("d", [1, 2, 10, 400])
@pytest.mark.parametrize("phi", [1e-300, 1e-9, 0.5, 0.99999, 1 - 1e-9, 1 - 1e-14, NEXT_TO_ONE])
def test_the_weight_keeps_its_digits_for_every_persistence(phi, d):
    with localcontext() as context:
        context.prec = 400
        p = Decimal(phi)
        partial = sum((p**i / i for i in range(1, d)), Decimal(0))
        expected = 1 - p ** (d - 1) + (1 - p) / p * d * (-(1 - p).ln() - partial)
    assert rank_weight(phi, d) == pytest.approx(float(expected), rel=1e-13)


@given(phi=st.floats(0.01, 0.999), step=st.floats(1e-4, 0.9), d=st.integers(1, 200))
def test_the_weight_grows_with_ranks_and_falls_with_persistence(phi, step, d):
    weight = rank_weight(phi, d)
    assert 1 - phi**d <= weight <= 1
    at_least = weight * (1 - 1e-15)  # near 1, sums differ in the last digit
    assert rank_weight(phi, d + 1) >= at_least
    assert rank_weight(phi * (1 - step), d) >= at_least


@given(
    d=st.integers(1, 1000), weight=st.floats(0.01, 1 - 1e-9),
    phi=st.floats(0.5, 0.9999), few=st.integers(1, 20),
)  # fmt: skip
def test_weight_and_persistence_are_inverse(d, weight, phi, few):
    assert rank_weight(phi_for_weight(d, weight), d) == pytest.approx(weight, rel=1e-8)
    assert phi_for_weight(few, rank_weight(phi, few)) == pytest.approx(phi, rel=1e-6)


def test_weights_near_0_and_1_have_a_persistence_until_floats_end():
    assert phi_for_weight(1, NEXT_TO_ONE) == pytest.approx(2e-16, rel=0.6)
    assert phi_for_weight(10, 1e-12) == pytest.approx(1, abs=1e-13)
    least = rank_weight(NEXT_TO_ONE, 10)
    assert phi_for_weight(10, least) == NEXT_TO_ONE
    told = r"`weight` must be at least 3\.86e-14 for d = 10; got 1e-15"
    with pytest.raises(ValueError, match=told):
        phi_for_weight(10, 1e-15)


def test_ranks_too_many_to_sum_have_all_the_weight():
    assert rank_weight(0.9, 10**12) == 1.0


@given(k=st.integers(1, 500), f=st.floats(0.001, 0.999))
def test_the_next_ranks_carry_the_fraction_asked_for(k, f):
    phi = phi_for(k, f)
    first, second = 1 - phi**k, phi**k - phi ** (2 * k)
    assert second / first == pytest.approx(f, rel=1e-9)


def test_the_expected_depth_is_the_mean_of_a_geometric_distribution():
    for phi in (0.1, 0.5, 0.95):
        mean = fsum(i * (1 - phi) * phi ** (i - 1) for i in range(1, 3000))
        assert expected_depth(phi) == pytest.approx(mean, rel=1e-12)


@pytest.mark.parametrize(
    ("function", "bad", "named"),
    [
        (phi_for, (0, 0.5), "k"),
        (phi_for, (3, 1.0), "f"),
        (rba_range, (3, 1), "phi"),
        (rba_range, (0, 0.5), "k"),
        (rank_weight, (1.0, 3), "phi"),
        (rank_weight, ("0.9", 3), "phi"),
        (rank_weight, (0.9, 2.5), "d"),
        (phi_for_weight, (0, 0.5), "d"),
        (phi_for_weight, (10, 1.0), "weight"),
        (phi_for_weight, (10, 0), "weight"),
        (expected_depth, (1,), "phi"),
        (expected_depth, (float("nan"),), "phi"),
    ],
)
def test_numbers_out_of_range_are_refused(function, bad, named):
    with pytest.raises(ValueError, match=f"^`{named}` must "):
        function(*bad)
