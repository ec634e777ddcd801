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


def test_a_query_that_needs_further_steps_gets_them_beside_one_that_does_not():
    # The first scores 1 as it is, the second once its unjudged document has grade 1.
    queries = [([0, 0, 0, 0], [1]), ([0, 0, 0, 0], [None, 1])]
    assert_allclose(greatest(queries, "log2", 4, 2), [1.0, 1.0], rtol=1e-12)


def test_an_unjudged_document_alone_can_be_ideal_of_grade_1():
    assert_allclose(greatest([([0, 0, 0, 0], [None])], "log2", 2, 1), [1.0], rtol=1e-12)


def test_the_greatest_ndcg_may_leave_an_unjudged_document_not_relevant():
    # ?, 0, ?: any grade at rank 1 alone is ideal, a second one below the 0 is not.
    assert_allclose(greatest([([0, 0, 0, 0], [None, 0, None])], "log2", 4, 3), [1.0], rtol=1e-12)


def test_without_a_relevant_document_the_greatest_ndcg_is_0():
    nothing = [([2, 0, 0, 0], [0, 0]), ([0, 0, 0, 0], [None, None])]
    assert_allclose(greatest(nothing, "log2", 1, 2), [0.0, 0.0], rtol=0, atol=0)


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


def test_table_1_of_the_paper():
    # [1, ?]: the guaranteed upper bound, all grades to 3 being possible.
    got = greatest([([0, 0, 0, 0], [1, None])], "exp-log2", 4, 2)
    assert_allclose(got, [1.00], atol=0.005)
    # [?, 1]: no judged document is left for the naive upper bound, DCG([0, 1]) / DCG([1, 0]).
    gain, one_of_grade_1 = graded_gain(np.arange(4), "exp-log2"), np.array([[0, 1, 0, 0]])
    discounts = discount(2)
    weight = np.array([[0.0, discounts[0]]])
    taken = kernel.best_left(np.zeros((1, 4), int), np.array([1]), weight, gain)
    ideal = kernel.ideal_dcg(one_of_grade_1, gain, depth(2))
    assert_allclose((discounts[1] + taken) / ideal, [0.63], atol=0.005)
    # [1, ?], the unjudged document of grade 3: the RBP-inspired upper bound.
    ideal = kernel.ideal_dcg(np.array([[0, 1, 0, 1]]), gain, depth(2))
    assert_allclose((discounts[0] + 7 * discounts[1]) / ideal, [0.71], atol=0.005)


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
