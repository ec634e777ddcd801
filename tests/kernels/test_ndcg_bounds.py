"""Ideal DCG and the greatest nDCG against sorting and enumeration."""

import numpy as np
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


@given(
    judged=counts,
    top=st.lists(st.none() | st.integers(0, 3), min_size=1, max_size=5),
    dcg=dcgs,
    assignable=st.integers(1, 4),
)
def test_the_greatest_ndcg_is_that_of_every_assignment(judged, top, dcg, assignable):
    """`top` has the grades of judged documents, None for unjudged ones."""
    cutoff = len(top)
    docs = [f"d{rank}" for rank in range(cutoff)]
    qrels = {doc: grade for doc, grade in zip(docs, top, strict=True) if grade is not None}
    qrels |= {f"{g}-{i}": g for g, count in enumerate(judged) for i in range(count)}
    pool = np.bincount(list(qrels.values()), minlength=4)[np.newaxis]
    discounts = np.concatenate(([0.0], discount(cutoff)))
    ranks = [rank for rank, grade in enumerate(top, 1) if grade is None]
    weight = np.concatenate(([0.0], np.cumsum(discounts[ranks])))[np.newaxis]
    gain = graded_gain(np.arange(4), dcg)
    returned = [0 if grade is None else grade for grade in top]
    got = kernel.greatest_ndcg(
        np.array([oracle.dcg_of(returned, dcg, cutoff)]),
        pool,
        np.array([len(ranks)]),
        weight,
        gain,
        assignable,
        depth(cutoff),
    )
    expected = oracle.guaranteed_upper(qrels, docs, dcg, cutoff, assignable - 1)
    assert_allclose(got, [expected], rtol=1e-12)


def test_the_greatest_ndcg_may_be_of_a_grade_between():
    # Grades 2, ?, 1: with grade 1 or 2 in the middle the order is ideal, with 3 it is not.
    discounts = np.concatenate(([0.0], discount(3)))
    got = kernel.greatest_ndcg(
        np.array([2 * discounts[1] + discounts[3]]),
        np.array([[0, 1, 1, 0]]),
        np.array([1]),
        np.array([[0.0, discounts[2]]]),
        np.arange(4.0),
        4,
        np.cumsum(discounts),
    )
    assert_allclose(got, [1.0], rtol=1e-12)


def test_the_best_grades_left_go_to_the_highest_unjudged_documents():
    # Two documents of grade 1 and one of grade 3 are left. The unjudged ranks weigh .5 and .25.
    weight = np.array([[0.0, 0.5, 0.75], [0.0, 0.5, 0.5]])
    left, unjudged = np.array([[4, 2, 0, 1], [4, 2, 0, 1]]), np.array([2, 1])
    got = kernel.best_left(left, unjudged, weight, np.array([0.0, 1.0, 2.0, 7.0]))
    assert_allclose(got, [7 * 0.5 + 1 * 0.25, 7 * 0.5])
