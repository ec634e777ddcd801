"""trec_eval's order, against the oracle, and where it is the only rule."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from irx_measures.common.trec_order import trec_order
from tests.oracles.ranking import ranking

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
