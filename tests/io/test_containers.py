"""Runs and qrels of every accepted form in memory."""

import io
import re
from decimal import Decimal

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st
from ir_measures import Qrel, ScoredDoc
from numpy.testing import assert_array_equal

from irx_measures import NRG, RBO, JudgingPlan, RunSet, evaluate, explain
from irx_measures.exceptions import InputError, MissingExtraError
from irx_measures.io.arrow import array_of, ids_of
from irx_measures.io.columns import LONGEST_ID
from irx_measures.io.containers import form_of, qrels_table, run_table
from irx_measures.io.identifiers import Ids, Names
from irx_measures.io.trec import read_qrels, read_run
from irx_measures.judging import audit_judges

RUN = {"q2": {"d1": 2.5, "é": 1.0}, "q1": {"d1": -1.0}}
QRELS = {"q2": {"d1": 2, "é": 0}, "q1": {"d1": -1}}
RUN_ROWS = [ScoredDoc("q2", "d1", 2.5), ScoredDoc("q2", "é", 1.0), ScoredDoc("q1", "d1", -1.0)]
QRELS_ROWS = [Qrel("q2", "d1", 2), Qrel("q2", "é", 0), Qrel("q1", "d1", -1)]

STRING_TYPES = [
    object,
    "str",
    "category",
    pd.StringDtype("python"),
    pd.StringDtype("pyarrow"),
    pd.ArrowDtype(pa.string()),
    pd.ArrowDtype(pa.large_string()),
    pd.ArrowDtype(pa.dictionary(pa.int32(), pa.string())),
]


def rows(columns):
    return list(zip(columns.query.all(), columns.doc.all(), columns.value.tolist(), strict=True))


def run_frame(dtype="str"):
    return frame(RUN_ROWS, dtype)


# Accepted forms


class Ranx:
    """The attributes of ``ranx.Run`` or ``ranx.Qrels`` that its documentation names."""

    def __init__(self, held, name):
        setattr(self, name, held)
        self._held = held

    def to_dict(self):
        return {query: dict(docs) for query, docs in self._held.items()}


def mapping(rows):
    found = {}
    for query_id, doc_id, value, *_ in rows:
        found.setdefault(query_id, {})[doc_id] = value
    return found


def frame(rows, dtype="str"):
    return pd.DataFrame(rows).astype({"query_id": dtype, "doc_id": dtype})


def of_terrier(rows):
    names = {"query_id": "qid", "doc_id": "docno", "relevance": "label"}
    return frame(rows).rename(columns=names)


SAME = {
    **{str(dtype): lambda rows, dtype=dtype: frame(rows, dtype) for dtype in STRING_TYPES},
    "any index": lambda rows: frame(rows).set_axis([5] * len(rows)),
    "reversed": lambda rows: frame(rows[::-1]).iloc[::-1],
    "a slice": lambda rows: frame([rows[0], *rows], pd.ArrowDtype(pa.string())).iloc[1:],
    "more columns": lambda rows: frame(rows).assign(rank=0, query="x"),
    "names of PyTerrier": of_terrier,
    "dict": mapping,
    "queries without documents": lambda rows: {"a": {}, **mapping(rows), "z": {}},
    "list": list,
    "tuple": tuple,
    "generator": iter,
    "PyTerrier's namedtuples": lambda rows: list(of_terrier(rows).itertuples(index=False)),
    "dicts": lambda rows: [row._asdict() for row in rows],
    "PyTerrier's dicts": lambda rows: of_terrier(rows).to_dict("records"),
    "ranx": lambda rows: Ranx(mapping(rows), "run" if "score" in rows[0]._fields else "qrels"),
    "Arrow": lambda rows: pa.table(frame(rows)),
}


@pytest.mark.parametrize("form", SAME)
def test_every_form_has_the_same_rows(form):
    assert rows(run_table(SAME[form](RUN_ROWS))) == RUN_ROWS
    assert rows(qrels_table(SAME[form](QRELS_ROWS))) == [row[:3] for row in QRELS_ROWS]


@pytest.mark.parametrize(
    "dtype", ["float32", "int8", "Float64", "Int64", pd.ArrowDtype(pa.float64()), object], ids=str
)
def test_frames_with_any_kind_of_numbers(dtype):
    numbers = pd.Series([2, 0, -1]).astype(dtype)
    assert run_table(run_frame().assign(score=numbers)).value.tolist() == [2.0, 0.0, -1.0]
    qrels = qrels_table(pd.DataFrame(QRELS_ROWS).assign(relevance=numbers))
    assert (qrels.value.tolist(), qrels.value.dtype) == ([2, 0, -1], np.int64)


@pytest.mark.parametrize("empty", [{}, [], iter(()), run_frame().iloc[:0]], ids=type)
def test_empty_runs(empty):
    assert rows(run_table(empty)) == []


@pytest.mark.parametrize(
    "score", [1, 1.0, np.float32(1), np.int64(1), Decimal(1), np.array(1.0)], ids=type
)
def test_numbers_of_any_kind(score):
    assert run_table({"q": {"d": score}}).value.tolist() == [1.0]
    assert qrels_table({"q": {"d": score}}).value.tolist() == [1]


def test_columns_are_taken_as_they_are():
    run, qrels = run_table(RUN), qrels_table(QRELS)
    assert read_run(run).doc is run.doc
    assert read_qrels(qrels) is qrels


ONE_RUN = [RUN, {"q": {}}, {"q": {}, "p": {"d": 1}}, {"q": ["d", "e"]}, {"q": {}, "p": ("d",)}]
NOT_ONE_RUN = [
    *({"a": RUN, "b": RUN}, {"a": {}, "b": RUN}, {"a": "file.run"}, {"a": RUN_ROWS}, {"a": []}),
    *({"a": {"q": ["d"]}}, {"a": {"q": ("d",)}, "b": RUN}, {"a": RUN_ROWS[0]}, {}, RUN_ROWS, None),
]


def test_one_run_is_told_from_several():
    assert [source for source in ONE_RUN + NOT_ONE_RUN if form_of(source)] == ONE_RUN


class SpeaksArrow:
    """A table that is read through Arrow's stream only, as polars' is."""

    def __init__(self, table):
        self.table = table
        self.columns = table.column_names

    def __arrow_c_stream__(self, requested_schema=None):
        return self.table.__arrow_c_stream__(requested_schema)


class LazyFrame:
    """A query of polars that has not run."""

    def collect(self):
        raise AssertionError

    collect_schema = __arrow_c_stream__ = collect


ARROW_STRINGS = [pa.string(), pa.large_string(), pa.dictionary(pa.uint32(), pa.string())]
if int(pa.__version__.partition(".")[0]) >= 25:  # earlier ones crash when they export such columns
    ARROW_STRINGS += [pa.string_view(), pa.dictionary(pa.uint32(), pa.string_view())]


def tables(frame, kind=None):
    """A frame as a table of every library that speaks Arrow."""
    table = pa.table(frame)
    for name in ("query_id", "doc_id"):
        if kind is not None:
            at = table.column_names.index(name)
            table = table.set_column(at, name, table[name].cast(kind))
    yield table
    yield SpeaksArrow(table)
    yield from table.to_batches()
    yield pa.RecordBatchReader.from_batches(table.schema, table.to_batches())


@pytest.mark.parametrize("kind", ARROW_STRINGS, ids=str)
def test_arrow_tables(kind):
    for table in tables(run_frame(), kind):
        assert rows(run_table(table)) == RUN_ROWS
    for table in tables(pd.DataFrame(QRELS_ROWS), kind):
        assert rows(qrels_table(table)) == [row[:3] for row in QRELS_ROWS]


@pytest.mark.parametrize(
    "kind", [pa.float16(), pa.float32(), pa.int8(), pa.uint64(), pa.decimal128(25, 2), pa.bool_()]
)
@pytest.mark.parametrize("missing", [False, True])
def test_scores_of_arrow_of_any_kind(kind, missing):
    values = [True, False] if kind == pa.bool_() else [3, 0, 5]
    scores = [pa.array(values).cast(kind)[1:], pa.array([None] * missing, kind)]
    column = pa.chunked_array([*scores, pa.array([], kind)])
    assert_array_equal(array_of(column), column.to_numpy())
    assert_array_equal(array_of(column.slice(0, 0)), column.slice(0, 0).to_numpy())


def test_polars_frames():
    polars = pytest.importorskip("polars")
    for strings in (polars.String, polars.Categorical):
        run = polars.DataFrame(RUN_ROWS, schema=["qid", "docno", "score"], orient="row")
        run = run.with_columns(polars.col("qid", "docno").cast(strings))
        assert rows(run_table(run)) == RUN_ROWS
        qrels = run.rename({"score": "label"}).with_columns(label=polars.Series([2, 0, -1]))
        assert rows(qrels_table(qrels)) == [row[:3] for row in QRELS_ROWS]
    with pytest.raises(TypeError, match=r"got a LazyFrame \(use .collect\(\)\)"):
        run_table(run.lazy())
    with pytest.raises(TypeError, match=r"column 'qid' must .*; got int"):
        run_table(run.with_columns(qid=7))


def test_tables_need_pyarrow(monkeypatch):
    monkeypatch.setattr("irx_measures.io.arrow.available", lambda: False)
    with pytest.raises(MissingExtraError, match=r"pip install 'irx-measures\[fast\]'"):
        run_table(pa.table(run_frame()))


def test_ranked_lists_are_scored_by_rank():
    run = run_table({"q2": ["d1", "é", "a"], "q1": ("d1",), "q3": []})
    assert rows(run) == [("q2", "d1", 3), ("q2", "é", 2), ("q2", "a", 1), ("q1", "d1", 1)]
    with pytest.raises(InputError, match="run 'a': query 'q' returns document 'd' more than once"):
        evaluate({"q": {"d": 1}}, {"a": {"q": ["d", "e", "d"]}}, "P@1")


SWAPPED = "are runs and qrels swapped"


@pytest.mark.parametrize("kind", [set, frozenset])
def test_sets_of_relevant_documents_are_qrels(kind):
    """As InformationRetrievalEvaluator of sentence-transformers has them."""
    relevant = {"q2": {"é", "d1"}, "q1": {"d1"}, "q3": set()}
    judged = {query: kind(docs) for query, docs in relevant.items()}
    table = qrels_table(judged)
    assert rows(table) == [("q2", "d1", 1), ("q2", "é", 1), ("q1", "d1", 1)]
    with pytest.raises(TypeError, match=f"a set has no order; sets of .* are qrels: {SWAPPED}"):
        run_table(judged)
    with pytest.raises(TypeError, match=f"sets of relevant documents are qrels: {SWAPPED}"):
        evaluate({"q2": {"d1": 1}}, judged, "P@1")
    lists = {query: list(docs) for query, docs in relevant.items()}
    message = rf"rankings \(.*; relevant .* sets: (.*)\): {SWAPPED}"
    with pytest.raises(InputError, match=message) as told:
        evaluate(lists, {"q2": {"d1": 1.0}}, "P@1")
    (line,) = re.findall(message, str(told.value))
    assert rows(qrels_table(eval(line, {"qrels": lists}))) == rows(table)


@pytest.mark.parametrize(
    "form",
    [
        pd.DataFrame,
        list,
        lambda rows: pa.table(pd.DataFrame(rows)),
        lambda rows: [row._asdict() for row in rows],
    ],
)
def test_runs_and_qrels_in_the_place_of_each_other_are_recognised(form):
    with pytest.raises(InputError, match=rf"'score'; got .* are the columns of qrels: {SWAPPED}"):
        run_table(form(QRELS_ROWS))
    with pytest.raises(InputError, match=rf"'label' .* are the columns of a run: {SWAPPED}"):
        qrels_table(form(RUN_ROWS))


RANX_QRELS, RANX_RUN = Ranx(QRELS, "qrels"), Ranx({"q": {"d": 1}}, "run")
GOOD_RUN, GOOD_QRELS = {"q1": {"d1": 1.0}}, {"q1": {"d1": 1}}
NO_SCORES = rf"must have scores; got a ranx\.Qrels: {SWAPPED}"
NO_GRADES = rf"must be judgments; got a ranx\.Run: {SWAPPED}"
SWAPPED_AT = {
    "one run": (lambda: evaluate(GOOD_QRELS, RANX_QRELS, "P@1"), NO_SCORES),
    "a list of runs": (lambda: RunSet([GOOD_RUN, RANX_QRELS]), NO_SCORES),
    "prior": (lambda: evaluate(GOOD_QRELS, GOOD_RUN, NRG(prior={"a": RANX_QRELS}) @ 1), NO_SCORES),
    "reference": (lambda: evaluate(GOOD_QRELS, GOOD_RUN, RBO(reference=RANX_QRELS)), NO_SCORES),
    "explain": (lambda: explain(GOOD_QRELS, RANX_QRELS, "P@1", query_id="q1"), NO_SCORES),
    "qrels": (lambda: evaluate(RANX_RUN, GOOD_RUN, "P@1"), NO_GRADES),
    "JudgingPlan": (lambda: JudgingPlan(RANX_RUN, {"a": GOOD_RUN, "b": GOOD_RUN}), NO_GRADES),
    "a judge": (lambda: audit_judges(GOOD_QRELS, {"judge": RANX_RUN}), NO_GRADES),
}


@pytest.mark.parametrize("door", SWAPPED_AT)
def test_runs_and_qrels_of_ranx_are_told_apart_at_every_door(door):
    call, message = SWAPPED_AT[door]
    with pytest.raises(InputError, match=message):
        call()


# Refused forms


NOT_NUMBERS = [
    *(("2.5", "'2.5'"), (None, "None"), (True, "True"), (np.True_, "True"), ([1.0], r"\[1.0\]")),
    *((pd.NA, "<NA>"), (10**400, "100000"), (1j, "1j")),
]


@pytest.mark.parametrize(("score", "shown"), NOT_NUMBERS)
def test_scores_must_be_numbers(score, shown):
    column = pd.Series([score], dtype=object)
    for source in (
        {"q": {"d": score}},
        [ScoredDoc("q", "d", score)],
        pd.DataFrame({"query_id": ["q"], "doc_id": ["d"], "score": column}),
    ):
        with pytest.raises(ValueError, match=f"run.* must hold numbers; .*{shown}"):
            run_table(source)


@pytest.mark.parametrize("grade", [2**31 - 1, 1 - 2**31])
def test_the_highest_grades_are_read(grade):
    frame = pd.DataFrame({"qid": ["q"], "docno": ["d"], "label": [grade]})
    for source in ({"q": {"d": grade}}, {"q": {"d": float(grade)}}, [Qrel("q", "d", grade)], frame):
        assert qrels_table(source).value.tolist() == [grade]


@pytest.mark.parametrize("grade", [1.5, np.nan, np.inf, 2**31, -(2**31), 1e300])
def test_grades_must_be_whole_and_small(grade):
    message = "^qrels.* (document 'd'|1 .from 0.): a grade must be a whole number of at most 31 "
    for source in (
        {"p": {"d": 1}, "q": {"e": 2, "d": grade}},
        [Qrel("p", "d", 1), Qrel("q", "d", grade)],
        pd.DataFrame({"qid": ["p", "q"], "docno": ["d", "d"], "label": [1.0, grade]}),
    ):
        with pytest.raises(ValueError, match=message):
            qrels_table(source)


def with_docs(*values, dtype=None):
    return run_frame(object).assign(doc_id=pd.Series(values, dtype=dtype))


def with_scores(dtype):
    return run_frame().assign(score=pd.Series([3, 2, 1]).astype(dtype))


BAD_COLUMNS = [
    (run_frame().drop(columns="query_id"), r"run needs .* 'query_id' or .*; got \["),
    (run_frame().rename(columns={"doc_id": "document"}), "needs .* 'doc_id' or .* 'docid'; got"),
    (run_frame().drop(columns="score"), "needs a column 'score'; got"),
    (pd.DataFrame([["q", "d", 1.0]]), r"got \['0', '1', '2'\]"),
    (pd.concat([run_frame(), run_frame()], axis=1), "run has 2 columns 'query_id'"),
    *((with_scores(dtype), f"column 'score' must hold numbers; got {dtype[:7]}")
      for dtype in ("complex128", "datetime64[ns]", "timedelta64[ns]")),
]  # fmt: skip
NO_DOC = r"^run, row 1 \(from 0\): column 'doc_id' must not be empty$"
MISSING_IDS = [
    ({"q": {"d": 1.0}, None: {"d": 1.0}}, "^run: query None, doc.*'query_id' must not be empty"),
    ({"q": {"d": 1.0, None: 1.0}}, "^run: query 'q', document None: .*'doc_id' must not be empty"),
    ([ScoredDoc("q", "d", 1.0), ScoredDoc("q", None, 1.0)], NO_DOC),
    ([{"query_id": "q", "doc_id": doc, "score": 1} for doc in ("d", None)], NO_DOC),
    *((with_docs("d", missing, "e", dtype=dtype), NO_DOC)
      for missing in (None, np.nan, pd.NA)
      for dtype in (None, object, "str", "category", pd.StringDtype("python"))),
    (with_docs("d", pd.NaT, "e", dtype=object), NO_DOC),
    (with_docs("d", None, "e", dtype=pd.ArrowDtype(pa.string())), NO_DOC),
    (with_docs(1.0, None, 2.0), NO_DOC),  # numbers, which .astype(str) would leave missing
    (pa.table(run_frame().assign(doc_id=["d", None, "e"])), NO_DOC),
    (pa.table(run_frame()[:1]).set_column(1, "doc_id", pa.nulls(1)), "doc_id' must not be empty"),
    ([*RUN_ROWS, {"qid": "q"}], r"^run, row 3 \(from 0\): a row needs a column 'doc_id' or"),
    ([RUN_ROWS[0]._asdict(), {"qid": "q"}], r"row 1 \(from 0\): a row needs a column 'doc_id'"),
]  # fmt: skip
REFUSED = [
    # Identifiers
    ({1: {"d": 1.0}}, "^run: query 1, document 'd': .*'query_id' must hold strings; got int"),
    ({"q": {7: 1.0}}, "'doc_id' must hold strings; got int"),
    ({"q": ["d", 1]}, "'doc_id' must hold strings; got int"),
    ([ScoredDoc("q", "d", 1.0), ScoredDoc(1, "d", 1.0)], "query_id.* must hold strings; got int"),
    ([ScoredDoc("q", b"d", 1.0)], "doc_id.* must hold strings; got bytes"),
    (run_frame().assign(query_id=7), "column 'query_id' must hold strings; got int"),
    (with_docs(1.5, 2, 3), "column 'doc_id' must hold strings; got float"),
    (with_docs("d", "e", 3), "column 'doc_id' must hold strings; got int"),
    (with_docs(1, 2, 3, dtype=pd.ArrowDtype(pa.int8())), "must hold strings; got int"),
    (with_docs(1, 2, 1, dtype="category"), "column 'doc_id' must hold strings; got int"),
    # Forms
    (None, "run must be a DataFrame, a dict of dicts, .* got NoneType"),
    (b"a.run", "got bytes"),
    ([("q", "d", 1.0)], "namedtuples such as .* got tuple"),
    (RUN_ROWS[0], "got str"),
    ({"q": 1.0}, "must map query ids to dicts of documents; got float for query 'q'"),
    ({"q": [1]}, "must map query ids to dicts of documents; got list for query 'q'"),
    ({"q": ["d"], "p": {"d": 1}}, "all queries to lists of .*, or all to dicts; got dict for"),
    (io.StringIO("q Q0 d 1 1.0 t"), "got the open file None"),
    (LazyFrame(), r"got a LazyFrame \(use .collect\(\)\)"),
    (pa.chunked_array([["a"]]), "got StringScalar"),
    (run_frame()["score"], "got float"),
    # Rows
    ([*RUN_ROWS, ("q", "d", 1.0)], "namedtuples such as .* got tuple"),
    ([*RUN_ROWS, None], "namedtuples such as .* got NoneType"),
    ([RUN_ROWS[0]._asdict(), 3], "namedtuples such as .* got int"),
]  # fmt: skip


@pytest.mark.parametrize(
    ("error", "source", "message"),
    [
        *((InputError, *row) for row in [*BAD_COLUMNS, *MISSING_IDS]),
        *((TypeError, *row) for row in REFUSED),
    ],
)
def test_other_data_is_refused(error, source, message):
    with pytest.raises(error, match=message):
        run_table(source)


def test_an_arrow_column_of_no_rows_has_no_type_and_is_read():
    rows = pa.table(
        {"query_id": pa.nulls(0), "doc_id": pa.nulls(0), "score": pa.array([], "double")}
    )
    assert len(run_table(rows).query) == 0


@pytest.mark.parametrize("kind", ARROW_STRINGS, ids=str)
def test_arrow_identifiers_have_a_longest_length(kind):
    longest = "é" * (LONGEST_ID // 2)
    for table in tables(run_frame().assign(doc_id=["d", "e", longest]), kind):
        assert run_table(table).doc.all() == ["d", "e", longest]
    for table in tables(run_frame().assign(doc_id=["d", "e", longest + "x"]), kind):
        with pytest.raises(InputError, match=r"column 'doc_id' .* at most 65536 .* one of 65537"):
            run_table(table)


# Comparing runs

OTHER_ROWS = {
    "query": [ScoredDoc("q3", *row[1:]) if row.query_id == "q1" else row for row in RUN_ROWS],
    "document": [*RUN_ROWS[:2], ScoredDoc("q1", "d2", -1.0)],
    "score": [*RUN_ROWS[:2], ScoredDoc("q1", "d1", -2.0)],
    "length": [*RUN_ROWS, ScoredDoc("q1", "d2", -2.0)],
    "part": RUN_ROWS[:2],
    "border of queries": [*RUN_ROWS[:1], ScoredDoc("q1", "é", 1.0), RUN_ROWS[2]],
}


@pytest.mark.parametrize("form", SAME)
def test_tables_with_the_same_rows_are_equal(form):
    table = run_table(SAME[form](RUN_ROWS))
    for other in SAME:
        assert table.equals(run_table(SAME[other](RUN_ROWS))), other
    for difference, changed in OTHER_ROWS.items():
        different = run_table(SAME[form](changed))
        assert not table.equals(different), difference


# Columns of identifiers

names = st.text(st.sampled_from("abé\n𝒳\ud800"), max_size=3)


def columns(values):
    """The same identifiers in every kind of column."""
    coded = Ids.of(values)
    code = coded.code
    kinds = {
        "strings": Ids.of(values),
        "numbers": coded,
        "other numbers": Ids.of_codes(
            ["zzzz", *[*dict.fromkeys(values)][::-1]],
            len(set(values)) - code,
        ),
    }
    if "\ud800" not in "".join(values):
        text = pa.array(values, pa.string())
        kinds["Arrow"] = ids_of(text, "ids")
        kinds["chunks"] = ids_of(pa.chunked_array([text[:2], text[2:]]), "ids")
        kinds["dictionary"] = ids_of(text.dictionary_encode(), "ids")
    return kinds


@given(st.lists(names), st.lists(names, unique=True), st.data())
def test_columns_of_identifiers_are_alike(values, known, data):
    rows = data.draw(st.lists(st.integers(0, len(values) - 1))) if values else []
    rows = np.array(rows, np.int64)
    for kind, ids in columns(values).items():
        assert (len(ids), ids.all()) == (len(values), values), kind
        assert ids.take(rows) == ids.at(rows).all() == [values[row] for row in rows]
        assert ids.names.ids == tuple(dict.fromkeys(values))
        assert [ids.names.ids[code] for code in ids.code] == values
        expected = [known.index(name) if name in known else -1 for name in values]
        assert_array_equal(ids.codes(Names(known)), expected)


def test_a_table_is_independent_of_later_changes():
    frame, run, qrels = run_frame(object), {"q": {"d": 1.0}}, pd.DataFrame(QRELS_ROWS, dtype=object)
    read = RunSet(frame), RunSet({"a": run})
    judged = read_qrels(qrels)
    frame.loc[0] = ["x", "x", 9.0]
    run["q"]["x"] = 2.0
    qrels.loc[0] = ["x", "x", 9, "0"]
    assert [rows(runs.run(0)) for runs in read] == [RUN_ROWS, [("q", "d", 1.0)]]
    assert rows(judged) == [row[:3] for row in QRELS_ROWS]
