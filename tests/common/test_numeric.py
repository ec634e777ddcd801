"""Work in blocks, division by 0, and trec_eval's order of documents."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_array_equal

from irx_measures.common.numeric import safe_divide, slices
from irx_measures.io.trec_order import trec_order
from tests.oracles.ranking import ranking


@pytest.mark.parametrize("elements", [0, 1, 1000, 1 << 19, 1 << 25])
@pytest.mark.parametrize("queries", [0, 1, 7, 2000])
def test_blocks_cover_the_queries_in_order(queries, elements):
    blocks = list(slices(queries, elements))
    covered = [query for block in blocks for query in range(block.start, block.stop)]
    assert covered == list(range(queries))
    assert all((block.stop - block.start - 1) * elements < 1 << 19 for block in blocks)


def test_a_limit_of_elements_replaces_the_usual_one():
    assert list(slices(7, 10, 30)) == [slice(0, 3), slice(3, 6), slice(6, 7)]


@pytest.mark.parametrize(
    ("part", "whole", "quotient"),
    [
        ([1.0, -3.0, 0.0], [2.0, 4.0, 5.0], [0.5, -0.75, 0.0]),
        ([1.0, 0.0], [0.0, 0.0], [0.0, 0.0]),
        ([1, 3], [2, 0], [0.5, 0.0]),
        (1.0, [4.0, 0.0], [0.25, 0.0]),
        ([2.0, 0.0], 4, [0.5, 0.0]),
        ([[1.0], [2.0]], [2.0, 0.0], [[0.5, 0.0], [1.0, 0.0]]),
        ([1.0], [-1.0], [0.0]),
        ([], [], []),
    ],
)
def test_the_quotient_is_0_where_the_whole_is_not_above_0(part, whole, quotient):
    got = safe_divide(np.asarray(part), np.asarray(whole))
    assert got.dtype == np.float64
    assert_array_equal(got, quotient)


# Neighbours that are one float32, signed zeros, and scores beyond float32's range.
SCORES = [1.0, 1 + 1e-9, 1 + 2e-7, 0.0, -0.0, -2.5, 1e39, 2e39, -1e40]
doc_ids = st.text(st.sampled_from("019aZé_-文𝒳\uffff"), min_size=1, max_size=3)
scored = st.dictionaries(doc_ids, st.sampled_from(SCORES), max_size=12)


@given(st.lists(scored, max_size=4), st.randoms(use_true_random=False))
def test_rows_are_ordered_by_query_and_as_the_oracle_orders_documents(queries, random):
    rows = [(n, doc, score) for n, docs in enumerate(queries) for doc, score in docs.items()]
    random.shuffle(rows)
    order = trec_order(
        np.array([query for query, _, _ in rows], np.int64),
        np.array([score for _, _, score in rows], np.float64),
        lambda tied: [rows[row][1] for row in tied],
    )
    with np.errstate(over="ignore"):
        expected = [(n, doc) for n, docs in enumerate(queries) for doc in ranking(docs)]
    assert [rows[row][:2] for row in order.tolist()] == expected


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_scores_are_left_as_they_are(dtype):
    score = np.array([1.0, 3.0, 1.0], dtype)
    order = trec_order(np.zeros(3, int), score, lambda rows: ["abc"[row] for row in rows])
    assert order.tolist() == [1, 2, 0]
    assert score.tolist() == [1.0, 3.0, 1.0]
