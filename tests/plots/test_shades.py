"""Where the shades of cells change."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose

from irx_measures.plots.shades import score_starts


def without_diagonal(side):
    """The scores of a matrix of systems: none is given itself."""
    given = np.array(side, float)
    np.fill_diagonal(given, np.nan)
    return given


@pytest.mark.parametrize(
    ("low", "high", "step"),
    [(0.1, 0.12, 0.01), (0.0, 1.0, 0.16), (0.3, 0.62, 0.05), (0.0, 9.0, 1.38)],
)
def test_shades_start_at_two_decimals_and_hold_the_central_scores(low, high, step):
    side = np.linspace(low, high, 20 * 20).reshape(20, 20)
    starts = score_starts(without_diagonal(side))
    assert_allclose(np.diff(starts), step)
    assert_allclose(starts, starts.round(2), atol=1e-12)
    assert np.mean((side >= starts[0]) & (side < starts[-1])) > 0.6


@given(st.floats(0, 2), st.floats(1e-3, 3), st.integers(0, 100))
def test_shades_start_around_the_central_92_percent_of_the_scores(low, length, seed):
    side = low + length * np.random.default_rng(seed).beta(2, 3, (20, 20))
    scores = without_diagonal(side)
    starts = score_starts(scores)
    step = starts[1] - starts[0]
    start, end = np.nanquantile(scores, [0.04, 0.96])
    assert end - start <= 6 * step + 1e-9
    assert step < 0.01 + 1e-9 or end - start > 6 * (step - 0.01) - 1e-9
    assert starts[0] > step - 1e-9  # so that the lightest shade begins at 0
    if starts[0] > step + 1e-9:
        assert starts.mean() == pytest.approx((start + end) / 2, abs=0.005 + 1e-9)
    else:
        assert starts.mean() > (start + end) / 2 - 0.005 - 1e-9
    extreme = np.where(scores == np.nanmax(scores), 1e3, scores)
    assert_allclose(score_starts(extreme), starts)


def test_undefined_scores_have_no_shades():
    starts = score_starts(np.full((3, 3), np.nan))
    assert starts.shape == (6,)
    assert np.isnan(starts).all()
