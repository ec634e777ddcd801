"""Ideal DCG and the greatest nDCG against sorting and enumeration."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose

from irx_measures.kernels import ndcg_bounds as kernel
from irx_measures.kernels.user_models import discount, graded_gain
from tests.oracles import bootstrap as oracle

dcgs = st.sampled_from(["log2", "exp-log2"])
counts = st.lists(st.integers(0, 3), min_size=4, max_size=4)


def depth(cutoff):
    return np.concatenate(([0.0], np.cumsum(discount(cutoff))))


@given(counted=st.lists(counts, min_size=1, max_size=3), dcg=dcgs, cutoff=st.integers(1, 9))
def test_ideal_dcg_needs_no_sorting(counted, dcg, cutoff):
    got = kernel.ideal_dcg(np.array(counted), graded_gain(np.arange(4), dcg), depth(cutoff))
    expected = [oracle.ideal(np.repeat(range(4), row).tolist(), dcg, cutoff) for row in counted]
    assert_allclose(got, expected, rtol=1e-12)


def greatest(queries, dcg, assignable, cutoff):
    """Greatest nDCG of queries, each the numbers of documents judged outside the top and the top.

    A top lists the grades of judged documents, None for unjudged ones.
    """
    discounts = np.concatenate(([0.0], discount(cutoff)))
    most = max(top.count(None) for _, top in queries)
    pool = np.array([outside for outside, _ in queries])
    dcg_of_judged, unjudged = np.zeros(len(queries)), np.zeros(len(queries), int)
    weight = np.zeros((len(queries), most + 1))
    for row, (_, top) in enumerate(queries):
        ranks = [rank for rank, grade in enumerate(top, 1) if grade is None]
        ranks += [0] * (most - len(ranks))
        unjudged[row], weight[row, 1:] = top.count(None), np.cumsum(discounts[ranks])
        dcg_of_judged[row] = oracle.dcg_of([grade or 0 for grade in top], dcg, cutoff)
        np.add.at(pool[row], [grade for grade in top if grade is not None], 1)
    gain = graded_gain(np.arange(4), dcg)
    return kernel.greatest_ndcg(
        dcg_of_judged, pool, unjudged, weight, gain, assignable, depth(cutoff)
    )


tops = st.lists(st.none() | st.integers(0, 3), min_size=1, max_size=5)
assignables = st.integers(1, 4)


@given(outside=counts, top=tops, dcg=dcgs, assignable=assignables)
def test_the_greatest_ndcg_is_that_of_every_assignment(outside, top, dcg, assignable):
    docs = [f"d{rank}" for rank in range(len(top))]
    qrels = {doc: grade for doc, grade in zip(docs, top, strict=True) if grade is not None}
    qrels |= {f"{g}-{i}": g for g, count in enumerate(outside) for i in range(count)}
    got = greatest([(outside, top)], dcg, assignable, len(top))
    expected = oracle.guaranteed_upper(qrels, docs, dcg, len(top), assignable - 1)
    assert_allclose(got, [expected], rtol=1e-12)


@given(
    queries=st.lists(st.tuples(counts, tops), min_size=2, max_size=4),
    dcg=dcgs,
    assignable=assignables,
    cutoff=st.integers(5, 7),
)
def test_a_batch_of_queries_equals_its_rows(queries, dcg, assignable, cutoff):
    alone = [greatest([query], dcg, assignable, cutoff)[0] for query in queries]
    assert_allclose(greatest(queries, dcg, assignable, cutoff), alone, rtol=1e-12)


@pytest.mark.parametrize(
    ("tops", "assignable", "expected"),
    [
        # The first scores 1 as it is, the second once its unjudged document has grade 1.
        ([[1], [None, 1]], 4, [1.0, 1.0]),
        ([[None]], 2, [1.0]),
        # Any grade at rank 1 alone is ideal, a second one below the 0 is not.
        ([[None, 0, None]], 4, [1.0]),
        ([[0, 0], [None, None]], 1, [0.0, 0.0]),
    ],
)
def test_the_greatest_ndcg_by_hand(tops, assignable, expected):
    queries = [([0, 0, 0, 0], top) for top in tops]
    got = greatest(queries, "log2", assignable, max(map(len, tops)))
    assert_allclose(got, expected, rtol=1e-12)


@given(outside=counts, top=tops, dcg=dcgs, assignable=assignables)
def test_the_greatest_ndcg_lies_between_ndcg_and_1_and_grows_with_the_grades(
    outside, top, dcg, assignable
):
    got = [greatest([(outside, top)], dcg, grades, len(top))[0] for grades in (1, assignable, 4)]
    judged = [grade for grade in top if grade is not None]
    best = oracle.ideal([*judged, *np.repeat(range(4), outside).tolist()], dcg, len(top))
    ndcg = oracle.dcg_of([grade or 0 for grade in top], dcg, len(top)) / best if best else 0.0
    assert_allclose(got[0], ndcg, rtol=1e-12)
    assert got[0] <= got[1] * (1 + 1e-12)
    assert got[1] <= got[2] * (1 + 1e-12)
    assert got[2] <= 1 + 1e-12


def test_the_best_grades_left_go_to_the_highest_unjudged_documents():
    # Two documents of grade 1 and one of grade 3 are left. The unjudged ranks weigh .5 and .25.
    weight = np.array([[0.0, 0.5, 0.75], [0.0, 0.5, 0.5]])
    left, unjudged = np.array([[4, 2, 0, 1], [4, 2, 0, 1]]), np.array([2, 1])
    got = kernel.best_left(left, unjudged, weight, np.array([0.0, 1.0, 2.0, 7.0]))
    assert_allclose(got, [7 * 0.5 + 1 * 0.25, 7 * 0.5])
