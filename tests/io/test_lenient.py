"""Bad rows in runs and qrels are an error, or (lenient mode) are dropped with a warning."""

import gzip
import re
from collections import Counter

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st
from ir_measures import Qrel, ScoredDoc

from irx_measures import EvaluationWarning, RunSet, evaluate
from irx_measures.exceptions import InputError
from irx_measures.io.trec import read_qrels, read_run
from tests.doubts import MISSED_QUERIES, NO_PRIOR, OWN_PRIOR

pytestmark = [MISSED_QUERIES, NO_PRIOR, OWN_PRIOR]

ROWS = [("q1", "A", 1.0), ("q1", "B", 3.0), ("q2", "A", 1.0), ("q1", "A", 2.0), ("q1", "C", np.nan)]
MENDED = {"q1": {"B": 3.0, "A": 2.0}, "q2": {"A": 1.0}}
JUDGED = [("q1", "A", 1), ("q2", "A", 1), ("q1", "B", 0), ("q1", "B", 2), ("q1", "A", 1)]
QRELS = {"q1": {"A": 1, "B": 0}, "q2": {"A": 1}}
JUDGED_TWICE = [Qrel(*row) for row in JUDGED]
MEASURES = ["nDCG@10", "P@2", "NRG@10", "UniqueRel(prior=others)@10", "BootNDCG@10"]


def as_frame(dtype):
    def form(rows, names, path):
        return pd.DataFrame(rows, columns=names).astype({"query_id": dtype, "doc_id": dtype})

    return form


def as_file(rows, names, path):
    line = "{} Q0 {} 0 {!r} tag\n" if "score" in names else "{} 0 {} {}\n"
    path.write_text("".join(line.format(*row) for row in rows))
    return path


FORMS = {
    "strings": as_frame("str"),
    "objects": as_frame(object),
    "namedtuples": lambda rows, names, path: [
        (ScoredDoc if "score" in names else Qrel)(*row) for row in rows
    ],
    "files": as_file,
}
RUN_NAMES, QRELS_NAMES = (["query_id", "doc_id", name] for name in ("score", "relevance"))
each_form = pytest.mark.parametrize("form", FORMS.values(), ids=FORMS)


@each_form
@pytest.mark.parametrize(
    ("rows", "words"),
    [
        (ROWS[:4], "run 'a': query 'q1' returns document 'A' more than once"),
        ([*ROWS[:3], ROWS[4]], "run 'a': score is NaN for query 'q1', document 'C'"),
    ],
)
def test_bad_rows_of_a_run_are_errors(form, rows, words, tmp_path):
    with pytest.raises(ValueError, match=words):
        evaluate(QRELS, {"a": form(rows, RUN_NAMES, tmp_path / "a")}, "nDCG@10")


@each_form
def test_bad_rows_of_a_run_are_left_out_where_asked(form, tmp_path):
    runs = {"a": form(ROWS, RUN_NAMES, tmp_path / "a"), "b": {"q1": {"B": 1.0}}}
    told = r"run 'a': left out NaN scores \(1\), documents returned again \(1\)"
    with pytest.warns(EvaluationWarning, match=told) as caught:
        got = evaluate(QRELS, runs, MEASURES, strict=False)
    assert {warning.filename for warning in caught} == {__file__}
    expected = evaluate(QRELS, {**runs, "a": MENDED}, MEASURES)
    assert np.array_equal(got.scores, expected.scores)


@pytest.mark.parametrize("measure", ["AP", "BootNDCG@10", "NRG@10"])
def test_what_is_left_out_is_told_at_the_line_of_the_call(measure):
    with pytest.warns(EvaluationWarning, match="left out") as caught:
        evaluate(JUDGED_TWICE, {"a": as_frame("str")(ROWS, RUN_NAMES, "")}, measure, strict=False)
    assert {warning.filename for warning in caught} == {__file__}


@each_form
@pytest.mark.parametrize(
    ("scores", "kept"),
    [((3.0, 1.0), [0, 1]), ((1.0, 3.0), [1, 2]), ((3.0, 3.0), [0, 1]), ((np.nan, 3.0), [1, 2])],
)
def test_the_highest_row_of_a_document_stays(form, scores, kept, tmp_path):
    """Of rows with equal scores, the first one stays. B is between A's lower and higher score."""
    first, last = scores
    rows = [("q1", "A", first), ("q1", "B", 2.0), ("q1", "A", last)]
    run = form(rows, RUN_NAMES, tmp_path / "a")
    with pytest.warns(EvaluationWarning, match="left out"):
        assert read_run(run).valid_rows().tolist() == kept
    with pytest.warns(EvaluationWarning, match="left out"):
        assert evaluate({"q1": {"A": 1}}, {"a": run}, "P@1", strict=False).scores.item() == 1


@each_form
@pytest.mark.parametrize("grades", [(0, 1), (1, 0)])
def test_the_first_judgment_of_a_document_stays(form, grades, tmp_path):
    rows = [("q1", "A", grades[0]), ("q2", "A", 1), ("q1", "A", grades[1])]
    qrels = form(rows, QRELS_NAMES, tmp_path / "qrels")
    with pytest.warns(EvaluationWarning, match="left out"):
        assert read_qrels(qrels).valid_rows().tolist() == [0, 1]
    runs = {"a": {"q1": {"A": 1.0}, "q2": {"A": 1.0}}}
    with pytest.warns(EvaluationWarning, match="left out"):
        scores = evaluate(qrels, runs, "P@1", strict=False).scores
    assert scores.tolist() == [[[grades[0], 1]]]


RUN, JUDGMENTS = "q1 Q0 A 1 2.0 t\n", "q1 0 A 1\n"
# The name of a file, its format and lines, and a query that is a comment or a row; none: a comment.
COMMENTS = {
    "run": ("a.run", None, f"{RUN}#c Q0 B 1 2.0 t\n", "#c"),
    "compressed": ("a.run.gz", None, f"{RUN}#c Q0 B 1 2.0 t\n", "#c"),
    "several": ("a.run", None, f"{RUN}#c Q0 B 1 2.0 t\n#d Q0 B 1 2.0 t\n", "#c"),
    "tag of two words": ("a.run", None, f"{RUN}# Q0 B 1 2.0 my tag\n", "#"),
    "MS MARCO": ("a.tsv", "msmarco", "q1\tA\t1\n#c\tB\t1\n", "#c"),
    "qrels": ("qrels.txt", None, f"{JUDGMENTS}#c 0 B 1\n", "#c"),
    "words": ("a.run", None, f"# of June\n#\n{RUN}#q1 Q0 B 1 high t\n", None),
    "words in qrels": ("qrels.txt", None, f"# of June\n{JUDGMENTS}#q1 0 B high\n", None),
    "a space before": ("a.run", None, f"{RUN} #c Q0 B 1 2.0 t\n", None),
}  # fmt: skip


@pytest.mark.parametrize("row", COMMENTS)
def test_a_comment_that_reads_as_a_row_is_an_error_or_a_warning(row, tmp_path):
    name, form, lines, query = COMMENTS[row]
    path = tmp_path / name
    path.write_bytes(gzip.compress(lines.encode()) if path.suffix == ".gz" else lines.encode())

    def score(strict):
        runs, qrels = {"a": {"q1": {"A": 1.0}}}, path
        if not name.startswith("qrels"):
            runs, qrels = RunSet({"a": path}, strict=strict, format=form), {"q1": {"A": 1}}
        return evaluate(qrels, runs, "P@1", strict=strict).scores.tolist()

    if query is None:
        assert score(True) == [[[1.0]]]
        return
    more = ", like 1 more line" if row == "several" else ""
    told = re.escape(f"{path}:2: a comment, or the query {query!r}? The line begins with # and ")
    with pytest.raises(InputError, match=rf"^{told}reads as a row{more} \(`strict=False` takes it"):
        score(True)
    with pytest.warns(EvaluationWarning, match=rf"^{told}reads as a row{more}; taken as a comm"):
        assert score(False) == [[[1.0]]]


def test_comments_in_the_parts_of_a_run_are_told(tmp_path):
    (tmp_path / "1.run").write_text(RUN)
    (tmp_path / "2.run").write_text(f"{RUN.replace('q1', 'q2')}#c Q0 A 1 2.0 t\n")
    with pytest.raises(InputError, match=r"2\.run:2: a comment, or the query '#c'"):
        evaluate(QRELS, {"a": tmp_path}, "P@1")
    with pytest.warns(EvaluationWarning, match=r"2\.run:2: a comment, or the query '#c'"):
        assert evaluate(QRELS, {"a": tmp_path}, "P@1", strict=False).scores.sum() == 2


def test_a_set_of_runs_keeps_its_own_strictness():
    rows = pd.DataFrame(ROWS, columns=RUN_NAMES)
    mended, strict = RunSet({"a": rows}, strict=False), RunSet({"a": rows})
    expected = evaluate(QRELS, {"a": MENDED}, MEASURES).scores
    for runs, asked in ((mended, True), (mended.subset([0]), True), (strict, False)):
        with pytest.warns(EvaluationWarning, match="left out"):
            got = evaluate(QRELS, runs, MEASURES, strict=asked)
        assert np.array_equal(got.scores, expected, equal_nan=True)
    with pytest.raises(ValueError, match="score is NaN"):
        evaluate(QRELS, strict, "P@2")


REPEATED_IN = {
    "objects": lambda frame: frame.astype(object),
    "arrow": pa.Table.from_pandas,
    "codes": lambda frame: frame.astype({"query_id": "category", "doc_id": "category"}),
}


@pytest.mark.parametrize("form", REPEATED_IN)
@given(
    pairs=st.lists(st.tuples(st.integers(0, 3), st.integers(0, 8)), max_size=20),
    is_sorted=st.booleans(),
    left_out=st.integers(0, 4),
)
def test_documents_that_a_query_has_twice_among_some_rows(form, pairs, is_sorted, left_out):
    pairs = sorted(pairs) if is_sorted else pairs
    rows = [(f"q{query}", f"d{doc}", 1.0) for query, doc in pairs]
    columns = ["query_id", "doc_id", "score"]
    frame = pd.DataFrame(rows, columns=columns).astype({"query_id": "str", "doc_id": "str"})
    table = read_run(REPEATED_IN[form](frame))
    kept = [row for row, (query, _) in enumerate(pairs) if query != left_out]
    counts = Counter(pairs[row] for row in kept)
    try:
        table.refuse_duplicates(np.array(kept, np.int64))
        told = ""
    except InputError as error:
        told = str(error)
    again = [pair for row, pair in enumerate(pairs) if row in kept and counts[pair] > 1]
    seen = [pair for place, pair in enumerate(again) if pair in again[:place]]
    expected = ""
    if seen:
        query, doc = seen[0]
        expected = f"run: query 'q{query}' returns document 'd{doc}' more than once"
    assert told == expected
