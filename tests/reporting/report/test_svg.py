"""The axes of the report's charts."""

from hypothesis import given
from hypothesis import strategies as st

from irx_measures.reporting.report.svg import Axis


@given(st.floats(-10, 10), st.floats(1e-6, 20))
def test_axes_have_one_to_six_round_ticks_in_order(low, length):
    axis = Axis(low, low + length)
    assert 2 <= len(axis.ticks) <= 7
    assert axis.ticks == sorted(axis.ticks)
    assert all(axis.low <= tick <= axis.high for tick in axis.ticks)
