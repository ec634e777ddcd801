"""Judged documents are found in a run's dict as they are found in the run's columns."""

from collections import OrderedDict
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from irx_measures.judgments.nested_look_up import look_up
from numpy.testing import assert_array_equal

from irx_measures.exceptions import InputError
from irx_measures.io.columns import LazyRunColumns
from irx_measures.io.containers import NestedRun, qrels_table, run_table
from irx_measures.io.trec import borrow_run
from irx_measures.judgments.digests import run_digest
from irx_measures.judgments.judged_run import judge
from irx_measures.judgments.judgments import Judgments
from tests.campaigns import qrels
from tests.oracles.ranking import ranking

# Scores that are equal as float32, the limits of float32, and numbers beyond them.
NUMBERS = [1.0, 1 + 1e-9, 1 + 2e-7, 0.0, -0.0, 1e-46, 1e-45, -1e30, 1e39, 2e39, -np.inf, np.inf]
OTHER_NUMBERS = [1, 0, -3, np.float32(0.1), np.int64(2), Fraction(1, 3), Decimal("0.1"), 2**70]
NO_NUMBERS = [True, np.False_, "1", None, 10**400, [1.0], np.nan, np.float32("nan")]
QUERIES = ["q1", "q2", "q10", "unjudged", np.str_("q2")]
DOCS = [*(f"d{number}" for number in range(1, 12)), "\ud800", "é", np.str_("d3")]

scores = st.sampled_from(NUMBERS) | st.sampled_from(OTHER_NUMBERS)
runs = st.dictionaries(
    st.sampled_from(QUERIES), st.dictionaries(st.sampled_from(DOCS), scores, max_size=12)
)
mistaken_runs = st.dictionaries(
    st.sampled_from([*QUERIES, 1]),
    st.dictionaries(
        st.sampled_from([*DOCS, 7]), scores | st.sampled_from(NO_NUMBERS), max_size=4
    ).map(lambda docs: docs if len(docs) else [*docs]),
)
depths = st.none() | st.integers(0, 9)


def outcome(judged_docs, read, run, other=None, depth=None):
    """All that a judged run tells, or the error."""
    judgments = Judgments(qrels_table(judged_docs))
    try:
        columns = read(run, "name")
        found = judge(judgments, columns, "name")
        digest = run_digest(columns)
    except (InputError, TypeError) as error:
        return type(error), str(error)
    if other is not None:
        found = found.against(Judgments(qrels_table(other)))
    return (
        (columns.query_ids, columns.is_empty, found.name),
        found.rank.tolist(),
        found.returned.tolist(),
        found.scores(depth).tolist(),
        found.top_documents(depth),
        found.top_digest(depth),
        digest,
    )


@given(qrels, runs, depths)
def test_a_dict_and_its_columns_are_judged_alike(judged_docs, run, depth):
    expected = outcome(judged_docs, run_table, run, depth=depth)
    assert outcome(judged_docs, borrow_run, run, depth=depth) == expected


def top(judged_docs, read, run, depth):
    """The top of a run, before anything else is asked, or the error."""
    judgments = Judgments(qrels_table(judged_docs))
    try:
        found = judge(judgments, read(run, "name"), "name")
        return found.top_documents(depth), found.top_digest(depth)
    except (InputError, TypeError) as error:
        return type(error), str(error)


@given(qrels, runs | mistaken_runs, depths)
def test_the_top_of_a_dict_is_that_of_its_columns(judged_docs, run, depth):
    assert top(judged_docs, borrow_run, run, depth) == top(judged_docs, run_table, run, depth)


@given(judged_docs=qrels, run=runs, data=st.data())
def test_a_dict_and_its_columns_are_judged_alike_by_other_judgments(judged_docs, run, data):
    docs = st.dictionaries(st.sampled_from(DOCS), st.integers(0, 2), max_size=5)
    other = {query: data.draw(docs) for query in judged_docs}
    other[min(other)]["d1"] = 1
    if not all(other.values()):
        other = {query: docs or {"x": 0} for query, docs in other.items()}
    expected = outcome(judged_docs, run_table, run, other)
    assert outcome(judged_docs, borrow_run, run, other) == expected


@given(qrels, mistaken_runs)
def test_a_dict_and_its_columns_have_the_same_errors(judged_docs, run):
    assert outcome(judged_docs, borrow_run, run) == outcome(judged_docs, run_table, run)


@given(qrels, runs)
def test_the_ranks_are_those_of_the_oracle(judged_docs, run):
    judgments = Judgments(qrels_table(judged_docs))
    found = judge(judgments, borrow_run(run))
    for row, (query, docs) in enumerate(judged_docs.items()):
        plain = {str(doc): float(score) for doc, score in run.get(query, {}).items()}
        with np.errstate(over="ignore"):
            place = {doc: rank for rank, doc in enumerate(ranking(plain), 1)}
        columns = sorted(docs, key=docs.get, reverse=True)
        expected = [place.get(doc, 0) for doc in columns]
        assert found.rank[row].tolist() == expected + [0] * (found.rank.shape[1] - len(docs))


@pytest.mark.parametrize("falls", [True, False], ids=["sorted", "shuffled"])
def test_many_ties_are_in_the_order_of_ids(falls):
    docs = [f"d{number:04d}" for number in range(3000)]
    scored = {doc: float(-(at // 500)) for at, doc in enumerate(docs)}
    run = {"q": scored if falls else dict(sorted(scored.items(), key=lambda item: item[0][::-1]))}
    judged_docs = {"q": dict.fromkeys([*docs[::7], "missing"], 1)}
    place = {doc: rank for rank, doc in enumerate(ranking(scored), 1)}
    found = judge(Judgments(qrels_table(judged_docs)), borrow_run(run))
    assert_array_equal(found.rank[0], [place.get(doc, 0) for doc in judged_docs["q"]])


def test_regular_dicts_are_judged_without_columns(monkeypatch):
    """Columns are made only for results that need documents that are not judged."""
    run = {"q2": {"A": 1.0, "B": 2.0}, "other": {"A": 1.0}, "q1": {}}
    columns = borrow_run(run)
    assert isinstance(columns, LazyRunColumns)
    assert isinstance(columns.source, NestedRun)
    assert columns.source.nested is run
    made = []
    make = NestedRun.columns
    monkeypatch.setattr(NestedRun, "columns", lambda run: made.append(run) or make(run))
    judgments = Judgments(qrels_table({"q1": {"A": 1}, "q2": {"A": 1}}))
    found = judge(judgments, columns)
    assert found.rank.tolist() == [[0], [2]]
    assert found.returned.tolist() == [0, 2]
    assert found.scores(None).tolist() == [[0, 0], [2, 1]]
    assert found.against(judgments).rank.tolist() == [[0], [2]]
    assert (columns.query_ids, columns.is_empty) == (("q2", "other"), False)
    assert not made
    assert found.top_documents(1) == [[], ["B"]]
    assert found.ranking is found.ranking
    assert len(made) == 1


@pytest.mark.parametrize(
    "run",
    [
        OrderedDict(q={"d": 1.0}),
        {"q": OrderedDict(d=1.0)},
        {"q": ["d"]},
        {},
        [],
    ],
    ids=str,
)
def test_other_forms_are_converted_at_once(run):
    columns = borrow_run(run)
    assert columns.source is None
    assert columns.is_empty == (not run)


def test_nan_is_accepted_where_nothing_is_judged():
    columns = borrow_run({"unjudged": {"A": np.nan}, "q": {"A": 1.0}})
    judgments = Judgments(qrels_table({"q": {"A": 1}}))
    nested = look_up(columns.source, judgments)
    assert nested.returned.tolist() == [1]
    assert nested.ranks(judgments).tolist() == [[1]]
