"""The rareness kernel against the oracle, and its laws."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose

from irx_measures.kernels import rareness as kernel
from irx_measures.kernels.user_models import binary_gain, truncate_ranks
from tests.campaigns import grade_array, judged_rankings, rank_array
from tests.oracles import rareness as oracle

forms = st.sampled_from(["additive", "mixture"])
alphas = st.floats(0, 1)
cutoffs = st.integers(1, 9)


def finders(rank, depth):
    return np.count_nonzero(truncate_ranks(rank, depth), axis=0)


@given(
    judged=judged_rankings(),
    alpha=alphas,
    form=forms,
    rel=st.integers(1, 3),
    depth=cutoffs,
    cutoff=cutoffs,
)
def test_scores_equal_the_oracle(judged, alpha, form, rel, depth, cutoff):
    grades, runs = judged
    rank = rank_array(runs)
    relevance = binary_gain(grade_array(grades), rel)
    value = relevance * kernel.worth(finders(rank, depth), len(runs), np.float64(alpha), form)
    top = truncate_ranks(rank[0], cutoff)
    relevant = np.count_nonzero(relevance, axis=1)
    params = {"alpha": alpha, "rel": rel, "depth": depth, "form": form, "cutoff": cutoff}
    systems = [[run[query] for run in runs] for query in range(len(grades))]
    queries = list(zip(grades, runs[0], systems, strict=True))
    assert_allclose(
        kernel.precision(top, value, cutoff),
        [oracle.p_rareness(*query, **params) for query in queries],
        rtol=1e-12,
    )
    assert_allclose(
        kernel.average_precision(top, relevance, value, relevant),
        [oracle.ap_rareness(*query, **params) for query in queries],
        rtol=1e-12,
    )


@pytest.mark.parametrize(
    ("form", "systems", "found", "expected"),
    [
        ("additive", 4, 1, 1 + 0.5 * 3 / 4),
        ("additive", 4, 4, 1.0),
        ("additive", 1, 1, 1.0),
        ("mixture", 4, 1, 1.0),
        # The evaluated run found it, below the depth to which the systems are searched.
        ("mixture", 4, 0, 1.0),
        ("mixture", 4, 3, 0.5 + 0.5 * 1 / 3),
        ("mixture", 4, 4, 0.5),
        ("mixture", 1, 1, 0.5),
    ],
)
def test_worth_by_hand(form, systems, found, expected):
    assert_allclose(kernel.worth(np.array([found]), systems, np.float64(0.5), form), [expected])


@pytest.mark.parametrize("form", ["additive", "mixture"])
def test_the_fewer_find_a_document_the_more_it_is_worth(form):
    worth = kernel.worth(np.arange(1, 11), 10, np.float64(0.7), form)
    assert (np.diff(worth) < 0).all()


@given(found=st.integers(1, 20), more=st.integers(0, 20), alpha=alphas)
def test_worth_of_a_found_document_has_the_bounds_of_the_paper(found, more, alpha):
    systems = found + more
    additive = kernel.worth(np.array([found]), systems, np.float64(alpha), "additive")[0]
    mixture = kernel.worth(np.array([found]), systems, np.float64(alpha), "mixture")[0]
    assert 1.0 <= additive < 2.0
    assert -1e-15 <= mixture <= 1.0 + 1e-15


@given(judged=judged_rankings(min_runs=2), cutoff=cutoffs)
def test_a_batch_of_runs_and_queries_equals_its_rows(judged, cutoff):
    grades, runs = judged
    rank = rank_array(runs)
    relevance = binary_gain(grade_array(grades), 1)
    value = relevance * kernel.worth(finders(rank, None), len(runs), np.float64(1), "additive")
    relevant = np.count_nonzero(relevance, axis=1)
    top = truncate_ranks(rank, cutoff)
    precision = kernel.precision(top, value, cutoff)
    average = kernel.average_precision(top, relevance, value, relevant)
    assert precision.shape == average.shape == rank.shape[:2]
    for run, query in np.ndindex(precision.shape):
        row = slice(query, query + 1)
        alone = kernel.average_precision(top[run, row], relevance[row], value[row], relevant[row])
        assert_allclose(alone, average[run, row], rtol=1e-12)
        alone = kernel.precision(top[run, row], value[row], cutoff)
        assert_allclose(alone, precision[run, row], rtol=1e-12)
