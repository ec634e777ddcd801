"""What documents add to a score: the parts sum to what the kernels of scores give."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose

from irx_measures.kernels import upper_expected
from irx_measures.kernels import user_models as kernel
from irx_measures.kernels.rank_overlap import Overlap
from irx_measures.kernels.tie_orders import tie_groups

stops = st.lists(st.sampled_from([0.0, 1 / 16, 7 / 16, 1.0]), max_size=9)
phis = st.floats(0.05, 0.99)


def ranks(values, missing):
    """Ranks 1, 2, ... of the values, and then documents of rank 0 with the highest value."""
    rank = np.array([*range(1, len(values) + 1), *[0] * missing], np.int64)
    return rank, np.array([*values, *[1.0] * missing])


@given(values=stops, missing=st.integers(0, 3))
def test_the_parts_of_a_cascade_sum_to_it(values, missing):
    rank, stop = ranks(values, missing)
    parts = stop * kernel.reaches(rank, stop) * kernel.inverse(rank)
    expected = upper_expected.cascade(rank[np.newaxis], stop[np.newaxis])
    assert_allclose(parts.sum(), expected.sum(), rtol=1e-12, atol=1e-15)
    assert not parts[len(values) :].any()


@given(relevant=st.lists(st.sampled_from([0.0, 1.0]), max_size=9), missing=st.integers(0, 3))
def test_precisions_at_relevant_documents_sum_to_the_sum_of_precision(relevant, missing):
    rank, value = ranks(relevant, missing)
    parts = value * kernel.precision_at(rank, value)
    expected = upper_expected.sum_of_precision(rank[np.newaxis], value[np.newaxis] > 0)
    assert_allclose(parts.sum(), expected.sum(), rtol=1e-12)


@pytest.mark.parametrize("ties", ["share", "a", "w", "b", "break", "least", "greatest"])
@given(data=st.data(), phi=phis, length=st.integers(1, 7), observed=st.integers(1, 7))
def test_the_parts_of_an_overlap_sum_to_its_lower_bound(ties, data, phi, length, observed):
    def groups(size):
        level = np.sort(data.draw(st.lists(st.integers(0, 3), min_size=size, max_size=size)))
        return tie_groups(-level[np.newaxis], np.array([size]), ties != "break")

    places = data.draw(st.permutations([*range(1, observed + 1), *[0] * length]))[:length]
    compared = Overlap(np.array([places]), groups(observed), groups(length), ties)
    parts = compared.parts(phi)
    assert not parts[np.array(places) == 0].any()
    assert_allclose(parts.sum(), compared.lower(phi)[0], rtol=1e-12, atol=1e-15)
