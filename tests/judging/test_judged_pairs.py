"""The join of a machine's judgments with human ones."""

import numpy as np
import pytest
from numpy.testing import assert_array_equal

from irx_measures import InputError
from irx_measures.io.table import nested
from irx_measures.io.trec import read_qrels
from irx_measures.judging.judged_pairs import JudgedPairs
from irx_measures.judgments.judgments import Judgments

HUMAN = {"q1": {"a": 2, "b": -1, "c": 1}, "q2": {"a": 0, "d": 3}}
MACHINE = {"q2": {"d": 1, "x": 2, "c": 1}, "q9": {"a": 1, "x": 0}, "q1": {"b": -2, "a": 3}}


def judged():
    return Judgments(read_qrels(HUMAN))


def test_pairs():
    pairs = JudgedPairs.of(judged(), MACHINE, "machine")
    assert pairs.query_ids == ["q2", "q2", "q2", "q9", "q9", "q1", "q1"]
    assert pairs.doc_ids == ["d", "x", "c", "a", "x", "b", "a"]
    assert_array_equal(pairs.label, [1, 2, 1, 1, 0, 0, 3])
    assert_array_equal(pairs.grade, [3, -1, -1, -1, -1, 0, 2])
    assert_array_equal(pairs.both, [True, False, False, False, False, True, True])
    columns = pairs.qrels(pairs.label)
    expected = {"q2": {"d": 1}, "q1": {"b": 0, "a": 3}}
    assert nested(columns) == expected


@pytest.mark.slow
def test_pairs_of_many_documents_that_several_queries_judge():
    """Large qrels are searched, small ones are looked up in a table."""
    docs = [f"d{number}" for number in range(70_000)]
    human = {f"q{query}": dict.fromkeys(docs[query::2], query % 3) for query in range(70)}
    subset = {"q3": dict.fromkeys(docs[:10], 1), "unknown": {"d1": 1}}
    pairs = JudgedPairs.of(Judgments(read_qrels(human)), subset, "machine")
    assert_array_equal(pairs.grade, [*[-1, -1, -1, 0, -1, 0, -1, 0, -1, 0], -1])


@pytest.mark.parametrize(
    ("machine", "message"),
    [
        ({"q9": {"a": 1}}, "umbrela: no judged pair of query and document is also in the human"),
        ([("q1", "a", 1), ("q1", "a", 2)], "umbrela"),
    ],
)
def test_errors(machine, message):
    if isinstance(machine, list):
        pandas = pytest.importorskip("pandas")
        machine = pandas.DataFrame(machine, columns=["query_id", "doc_id", "relevance"])
    with pytest.raises(InputError, match=message):
        JudgedPairs.of(judged(), machine, "umbrela")


def test_labels_are_integers():
    assert JudgedPairs.of(judged(), MACHINE, "machine").label.dtype == np.int64
