"""Ranking and judging runs: in trec_eval's order, for every container and order of rows."""

from unittest import mock

import ir_measures
import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from ir_measures import RR, Qrel, ScoredDoc
from numpy.testing import assert_array_equal

from irx_measures.io import core
from irx_measures.io.containers import qrels_table, run_table
from irx_measures.judgments.judged_run import JudgedRun
from irx_measures.judgments.judgments import Judgments
from irx_measures.judgments.ranking import TieOrder, digest, run_digest
from irx_measures.runsets.caches import index_qrels
from tests.campaigns import qrels, runs
from tests.doubts import MISSED_QUERIES, NO_PRIOR
from tests.examples import examples
from tests.oracles.ranking import ranking

pytestmark = [MISSED_QUERIES, NO_PRIOR]

QRELS = {"q1": {"A": 0, "B": 2, "C": 1, "D": -1}, "q2": {"A": 1}}

# Pairs that are equal as float32, the limits of float32, and numbers beyond them.
SCORES = [1.0, 1 + 1e-9, 1 - 1e-9, 1 + 2e-7, 0.0, -0.0, 1e-46, -1e30, 1e38, 1e39, 2e39, -1e40]
SCORES += [np.inf, -np.inf]
scores = st.one_of(st.sampled_from(SCORES), st.floats(width=64, allow_nan=False))
doc_ids = st.text(st.sampled_from("0129aZé_-文𝒳\uffff"), min_size=1, max_size=3)
scored = st.dictionaries(doc_ids, scores, min_size=1, max_size=12)


def run_rows(run):
    return [ScoredDoc(q, doc, score) for q, docs in run.items() for doc, score in docs.items()]


def frame(rows, dtype):
    made = pd.DataFrame(rows, columns=["query_id", "doc_id", "score"])
    return made.astype({"query_id": dtype, "doc_id": dtype, "score": float})


FORMS = {
    "namedtuples": list,
    "object": lambda rows: frame(rows, object),
    "str": lambda rows: frame(rows, "str"),
    "arrow": lambda rows: frame(rows, pd.ArrowDtype(pa.large_string())),
    "category": lambda rows: frame(rows, "category"),
}


def judged(run, judged_docs=QRELS):
    """A judged run, without the native core, after a look at what the core finds."""
    judgments, table = Judgments(qrels_table(judged_docs)), run_table(run)
    found = JudgedRun(judgments, table)
    with mock.patch.object(core, "rank", return_value=None):
        plain = JudgedRun(judgments, table)
    assert_array_equal(found.rank, plain.rank)
    assert_array_equal(found.returned, plain.returned)
    assert found.tied_tops == plain.tied_tops
    for order in TieOrder:
        assert_array_equal(found.rank_in(order), plain.rank_in(order))
    return plain


def ranks(run, judged_docs=QRELS):
    """Rank of each returned judged document, by query and document, as `judge` computes it."""
    found = judged(run, judged_docs)
    assert_array_equal(found.rank[~found.judgments.is_judged], 0)
    by_query = {}
    for (query, docs), row in zip(judged_docs.items(), found.rank.tolist(), strict=True):
        columns = sorted(docs, key=docs.get, reverse=True)
        by_query[query] = {doc: row[at] for at, doc in enumerate(columns) if row[at]}
    return by_query


def expected_ranks(run, judged_docs=QRELS):
    """The ranks that the oracle computes."""
    by_query = {}
    for query, docs in judged_docs.items():
        ranked = enumerate(order(run.get(query, {})), 1)
        by_query[query] = {doc: rank for rank, doc in ranked if doc in docs}
    return by_query


def order(scored):
    with np.errstate(over="ignore"):
        return ranking(scored)


# The order of a ranking


@given(scored)
def test_the_order_is_that_of_trec_eval(scored):
    """With one relevant document, pytrec_eval's RR is 1 / its rank."""
    judged_docs = {f"q{number}": {doc: 1} for number, doc in enumerate(scored)}
    run = dict.fromkeys(judged_docs, scored)
    reciprocal = {m.query_id: m.value for m in ir_measures.iter_calc([RR], judged_docs, run)}
    expected = {q: {doc: round(1 / reciprocal[q]) for doc in judged_docs[q]} for q in judged_docs}
    assert ranks(run, judged_docs) == expected


@pytest.mark.parametrize("form", FORMS)
@settings(max_examples=examples(8))
@given(run=st.dictionaries(st.sampled_from(["q1", "q2", "q3"]), scored), data=st.data())
def test_neither_rows_nor_containers_change_ranks(form, run, data):
    """Rows are unsorted and queries interleaved, in every kind of container."""
    judged_docs = {
        "q2": {"a": 1, **{doc: len(doc) for doc in list(run.get("q2", ()))[::2]}},
        "q1": dict.fromkeys(run.get("q1", "a"), 0),
    }
    rows = data.draw(st.permutations(run_rows(run)))
    assert ranks(FORMS[form](rows), judged_docs) == expected_ranks(run, judged_docs)
    assert run_digest(run_table(FORMS[form](rows))) == run_digest(run_table(run))


@given(qrels, runs)
def test_every_returned_document_counts_for_the_ranks(judged_docs, run):
    assert ranks(run, judged_docs) == expected_ranks(run, judged_docs)
    returned = [len(run.get(query, {})) for query in judged_docs]
    assert judged(run, judged_docs).returned.tolist() == returned


def test_neighbours_of_float32_are_told_apart():
    for low in (-4.0, -1 - 2**-23, -1.0, 0.5, 1.0, 2.0, 4.0):
        high = float(np.nextafter(np.float32(low), np.float32(np.inf)))
        run = {"q1": {"A": low, "B": high, "D": low}}
        assert ranks(run)["q1"] == {"B": 1, "D": 2, "A": 3}


# The judgments


@pytest.mark.parametrize(
    ("qrels", "queries", "grade", "judged", "positives"),
    [
        (QRELS, None, [[2, 1, 0, -1], [1, 0, 0, 0]], [4, 1], 2),
        ({"q": {"d": 0}}, None, [[0]], [1], 1),
        ({}, ["q"], [[0]], [0], 1),
        ({}, None, [], [], 1),
        ({"q": {}}, None, [], [], 1),
    ],
)
def test_columns_are_judged_documents_by_descending_grade(qrels, queries, grade, judged, positives):
    judgments = Judgments(qrels_table(qrels), queries)
    assert (judgments.grade.tolist(), judgments.judged.tolist()) == (grade, judged)
    assert (judgments.is_judged.sum(axis=1).tolist(), judgments.positives) == (judged, positives)


def test_a_document_judged_twice_is_refused():
    rows = [Qrel("q1", "d", 1), Qrel("q2", "d", 1), Qrel("q2", "e", 1), Qrel("q2", "d", 0)]
    with pytest.raises(ValueError, match="qrels: query 'q2' judges document 'd' more than once"):
        Judgments(qrels_table(rows))
    assert Judgments(qrels_table(rows[:3])).query_ids == ("q1", "q2")


def test_equal_qrels_have_equal_digests():
    rows = [Qrel(q, doc, grade) for q, docs in QRELS.items() for doc, grade in docs.items()]
    arrow = pd.DataFrame(rows).astype({"query_id": pd.ArrowDtype(pa.string()), "relevance": "int8"})
    digests = {Judgments(qrels_table(source)).digest for source in (QRELS, rows, iter(rows), arrow)}
    assert len(digests) == 1


@pytest.mark.parametrize(
    "other",
    [
        {"q1": {"A": 0, "B": 2, "C": 1, "D": -2}, "q2": {"A": 1}},
        {"q1": {"A": 0, "B": 2, "C": 1}, "q2": {"D": -1, "A": 1}},
        {"q1": {"A": 0, "B": 2, "C": 1, "E": -1}, "q2": {"A": 1}},
        {"q3": QRELS["q1"], "q2": QRELS["q2"]},
    ],
)
def test_other_qrels_have_another_digest(other):
    assert Judgments(qrels_table(other)).digest != Judgments(qrels_table(QRELS)).digest


@pytest.mark.parametrize("dtype", [None, object, "str", "category"], ids=str)
def test_qrels_of_the_same_content_are_indexed_once(dtype):
    def read():
        if dtype is None:
            return qrels_table({query: dict(docs) for query, docs in QRELS.items()})
        rows = [(q, doc, grade) for q, docs in QRELS.items() for doc, grade in docs.items()]
        made = pd.DataFrame(rows, columns=["qid", "docno", "label"])
        return qrels_table(made.astype({"qid": dtype, "docno": dtype}))

    first = index_qrels(read())
    assert index_qrels(read()) is first
    other = index_qrels(qrels_table({"q1": {"A": 1}, "q2": QRELS["q2"]}))
    assert other.digest != first.digest
    assert index_qrels(read()) is first


def test_very_many_judgments_are_not_kept(monkeypatch):
    monkeypatch.setattr("irx_measures.runsets.caches.INDEXED_ROWS", 4)
    small, large = {"q": dict.fromkeys("ABCD", 1)}, {"q": dict.fromkeys("ABCDE", 1)}
    assert index_qrels(qrels_table(small)) is index_qrels(qrels_table(small))
    assert index_qrels(qrels_table(large)) is not index_qrels(qrels_table(large))


@given(runs, st.integers(1, 6) | st.none())
def test_digests_of_tops_tell_tops_apart(run, depth):
    shorter = {query: dict(list(docs.items())[:-1]) for query, docs in run.items()}
    judged_docs = {query: {"A": 1} for query in run}
    one, other = judged(run, judged_docs), judged(shorter, judged_docs)
    alike = one.top_documents(depth) == other.top_documents(depth)
    assert (one.top_digest(depth) == other.top_digest(depth)) == alike


TWICE = r"^run: query 'q1' returns document '{}' more than once$"


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize(
    ("rows", "message"),
    [
        ([("q2", "A", 1.0), ("q1", "X", 2.0), ("q1", "Y", np.nan)], "NaN for query 'q1', .* 'Y'$"),
        *(
            ([("q1", "A", 2.0), ("q2", "A", 2.0), ("q1", "B", 1.5), ("q1", "A", again)],
             TWICE.format("A"))
            for again in (1.0, 2.0, 9.0)
        ),
        ([("q1", "X", 3.0), ("q2", "X", 1.0), ("q1", "A", 2.0), ("q1", "X", 1.0)],
         TWICE.format("X")),
        ([("q1", "X", 3.0), ("q1", "A", 2.0), ("q1", "X", 1.0), ("q2", "X", 1.0)],
         TWICE.format("X")),
    ],
)  # fmt: skip
def test_runs_that_have_no_ranking_are_refused(form, rows, message):
    run = run_table(FORMS[form]([ScoredDoc(*row) for row in rows]))
    for call in (lambda: JudgedRun(Judgments(qrels_table(QRELS)), run), lambda: run_digest(run)):
        with pytest.raises(ValueError, match=message):
            call()


# Digests and blocks


def test_digests_tell_parts_apart():
    assert digest(b"ab", b"c") != digest(b"a", b"bc") != digest(b"abc")
    assert digest(b"ab", b"c") == digest(b"ab", b"c")


@pytest.mark.parametrize(
    ("run", "other"),
    [
        ({"q": {"d": 1.0}}, {"q": {"d": 1.5}}),
        ({"q": {"d": 1e-10}}, {"q": {"d": 2e-10}}),
        ({"q": {"d": 1.0}}, {"q": {"e": 1.0}}),
        ({"q": {"d": 1.0}}, {"p": {"d": 1.0}}),
        ({"q": {"d": 1.0}}, {}),
        ({"q": {"a\nb": 2.0, "c": 1.0}}, {"q": {"a": 2.0, "b\nc": 1.0}}),
        ({"q": {"a": 1.0, "b": 1.0}, "p": {}}, {"q": {"a": 1.0}, "p": {"b": 1.0}}),
    ],
)
def test_runs_of_other_content_have_another_digest(run, other):
    assert run_digest(run_table(run)) != run_digest(run_table(other))


@pytest.mark.parametrize("form", [dict, *FORMS.values()])
@pytest.mark.parametrize(
    ("scores", "expected"),
    [
        ([1 + 1e-9, 1.0, 0.5], True),
        ([1 + 1e-9, 1.0, 0.5, 0.4], False),  # not more than half
        ([1.0, 1.0, 1.0], False),
        ([1.0, 1.0, 1.0, 1 - 1e-9, 0.5], True),
        ([2e39, 1e39, 1.0], True),  # infinite
        ([0.0, -0.0, 1.0], False),
    ],
)
def test_runs_most_of_which_tie_only_as_float32_are_noticed(form, scores, expected):
    run = {"q1": {f"d{place}": score for place, score in enumerate(scores)}, "q3": {"A": 1.0}}
    found = judged(run if form is dict else form(run_rows(run)))
    assert found.tie_by_rounding is expected


@pytest.mark.parametrize("form", [dict, *FORMS.values()])
@pytest.mark.parametrize(
    ("scores", "expected"),
    [
        ([1.0], 0),
        ([1.0, 1.0], 1),
        ([2.0, 2.0, 1.0], 1),
        ([2.0, 2.0, 1.0, 0.0], 0),  # not more than half
        ([0.0, -0.0, -1.0], 1),
        ([1 + 1e-9, 1.0, 0.5, 0.5, 0.4], 1),  # equal as float32
        ([*range(20, 10, -1), *[1.0] * 40], 0),  # below the top
        ([*range(20, 15, -1), *[1.0] * 40], 0),
        ([*range(20, 16, -1), *[1.0] * 40], 1),  # 6 of 10
        ([9, 9, 8, 8, 7, 6, 5, 4, 3, 2, 2], 0),  # 5 of 10, one with the document at rank 11
        ([9, 9, 8, 8, 7, 7, 5, 4, 3, 2, 1], 1),
        ([9, 9, 8, 8, 7, 6, 5, 4, 2, 2, 2], 1),
    ],
)
def test_queries_most_of_whose_top_ties_are_counted(form, scores, expected):
    run = {"q1": {f"d{place}": score for place, score in enumerate(scores)}, "q3": {"A": 1.0}}
    found = judged(run if form is dict else form(run_rows(run)))
    assert found.tied_tops == expected
