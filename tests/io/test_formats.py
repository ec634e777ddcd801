"""Parquet, JSON and JSON lines hold the same runs and qrels as TREC files."""

import gzip
import json
import re
from pathlib import Path

import pandas as pd
import pyarrow as pa
import pytest
from pyarrow import parquet

from irx_measures import RunSet, evaluate
from irx_measures.cli.main import main
from irx_measures.exceptions import InputError, MissingExtraError
from irx_measures.io import arrow, formats
from irx_measures.io import rows as rows_reader
from irx_measures.io.trec import read_qrels, read_run

RUN = [("q1", "d1", 2.5), ("q1", "é", 1.0), ("q2", "d1", 3.0)]
QRELS = [("q1", "d1", 2), ("q1", "é", 0), ("q2", "d1", -1)]
NAMES = {"run": ["query_id", "doc_id", "score"], "qrels": ["qid", "docno", "label"]}
ROWS = {"run": RUN, "qrels": QRELS}
READ = {"run": read_run, "qrels": read_qrels}


def frame_of(kind):
    return pd.DataFrame(ROWS[kind], columns=NAMES[kind])


def as_parquet(path, kind):
    parquet.write_table(pa.table(frame_of(kind).assign(more=1)), path)


def as_json(path, kind):
    nested = {}
    for query_id, doc_id, value in ROWS[kind]:
        nested.setdefault(query_id, {})[doc_id] = value
    path.write_text(json.dumps(nested))


def as_json_rows(path, kind):
    path.write_text(frame_of(kind).to_json(orient="records", indent=2))


def as_csv(path, kind):
    frame_of(kind).to_csv(path)


WRITERS = [
    ("it.csv", as_csv),
    ("it.parquet", as_parquet),
    ("it.json", as_json),
    ("it.json", as_json_rows),
    ("it.JSON", as_json),
]


def rows(columns):
    return list(zip(columns.query.all(), columns.doc.all(), columns.value.tolist(), strict=True))


@pytest.mark.parametrize(("name", "write"), WRITERS)
@pytest.mark.parametrize("kind", ["run", "qrels"])
def test_files_are_read_by_their_ending_or_by_a_format_that_is_named(tmp_path, name, write, kind):
    path, plain = tmp_path / name, tmp_path / "bm25.run"
    write(path, kind)
    content = path.read_bytes()
    assert rows(READ[kind](str(path))) == ROWS[kind]
    plain.write_bytes(content)
    if kind == "run":
        assert rows(RunSet(plain, format=formats.format_of(path)).run(0)) == RUN
    if not name.endswith(".parquet"):
        packed = tmp_path / f"{name}.gz"
        packed.write_bytes(gzip.compress(b"\xef\xbb\xbf" + content))
        assert rows(READ[kind](packed)) == ROWS[kind]


def test_the_command_line_reads_runs_of_ms_marco(tmp_path, capsys):
    (tmp_path / "qrels").write_text("q1 0 d1 1\nq2 0 d1 1\n")
    (tmp_path / "dense.tsv").write_text("q1\td2\t1\nq1\td1\t2\nq2\td1\t1\n")
    files = [str(tmp_path / name) for name in ("qrels", "dense.tsv")]
    assert main(["evaluate", *files, "-m", "RR", "-o", "csv", "--format", "msmarco"]) == 0
    assert capsys.readouterr().out.splitlines()[-1] == "dense,0.75"


@pytest.mark.parametrize(
    ("name", "content", "reason"),
    [
        ("a.json", b"", ": not JSON (Expecting value"),
        ("a.json", b"{", ": not JSON ("),
        ("a.json", b"\xff", ": not JSON ("),
        ("a.json", b"[" * 100_000, ": not JSON (nested too deeply)"),
        ("a.json", b'{"q": {"d": ' + b"9" * 5000 + b"}}", ": not JSON (Exceeds the limit"),
        (
            "a.json",
            b'{"q": {"d\\ud800": 1}}',
            ": not text in Unicode (a lone surrogate, '\\ud800')",
        ),
        ("a.json", b'{"q": {"\xed\xa0\x80": 1}}', ": not JSON ('utf-8' codec can't decode"),
        (
            "a.jsonl",
            b'{"qid": "q\\uDfff"}',
            ":1: not text in Unicode (a lone surrogate, '\\udfff')",
        ),
        ("a.json", b"\0" * 10, ": a null byte; not JSON"),
        ("a.json", b'{"q": {"d": 1, "d": 2}}', ": not JSON (an object has the key 'd' twice)"),
        (
            "a.json",
            b'{"q": {"d": "high"}}',
            ": query 'q', document 'd': column 'score' must hold numbers; got 'high'",
        ),
        ("a.json", b'{"q": 3}', ": a dict must map query ids to dicts of documents; got int"),
        ("a.json", b"3", " must be a DataFrame"),
        (
            "a.json",
            b'[{"qid": 1, "docno": "d", "score": 1}]',
            ", row 0 (from 0): column 'qid'",
        ),
        ("a.parquet", b"", ": not a Parquet file, or a damaged one ("),
        ("a.parquet", b"PAR1" * 10, ": not a Parquet file, or a damaged one ("),
        ("a.json.gz", b"{", ": damaged gzip file"),
    ],
)
def test_what_is_wrong_in_a_file_is_an_error_of_input_that_names_it(
    tmp_path, name, content, reason
):
    path = tmp_path / name
    path.write_bytes(content)
    with pytest.raises(InputError) as told:
        read_run(path)
    assert str(told.value).startswith(f"{path}{reason}")
    assert len(str(told.value)) < 400 + len(str(path))


def test_integers_in_a_parquet_file_are_told_with_their_column(tmp_path):
    path = tmp_path / "a.parquet"
    parquet.write_table(pa.table(frame_of("run").assign(doc_id=[1, 2, 3])), path)
    with pytest.raises(InputError, match=r"a.parquet, row 0 .*: column 'doc_id' must .*; got int"):
        read_run(path)


def test_a_huge_json_file_is_refused_before_it_fills_memory(tmp_path, monkeypatch):
    monkeypatch.setattr(rows_reader, "LARGEST_JSON", 1 << 23)
    path = tmp_path / "a.json.gz"
    path.write_bytes(gzip.compress(b" " * (1 << 25)))
    with pytest.raises(InputError, match=r"a.json.gz: a JSON file must have at most 8388608 bytes"):
        read_run(path)


@pytest.mark.parametrize(
    ("name", "content", "line"),
    [
        ("a.run", "# one\nq Q0 d 1 1 t\n\nq Q0 e 1 nan t\n", 4),
        ("a.jsonl", '\n\n{"qid": "q", "docno": "e", "score": NaN}\n', 3),
        ("a.csv", "qid,docno,score\nq,d,1\nq,e,NaN\n", 3),
    ],
)
def test_a_score_that_is_nan_is_told_with_its_line(tmp_path, name, content, line):
    path = tmp_path / name
    path.write_text(content)
    where = re.escape(f"score is NaN for query 'q', document 'e' ({path}, line {line})")
    with pytest.raises(InputError, match=where):
        evaluate({"q": {"e": 1}}, path, "P@1")


# Predictions of other tools

NESTED = {"q1": {"d1": 2.5, "é": 1.0}, "q2": {"d1": 3.0}}
MODEL = {"model_name": "sentence-transformers/all-MiniLM-L6-v2", "revision": "8b3219a"}
MTEB = {"mteb_model_meta": MODEL, "default": {"test": NESTED}}
PARTS = {"mteb_model_meta": MODEL, "en": {"dev": {}, "test": NESTED}, "de": {"test": NESTED}}
RANKINGS = [
    {
        "query_id": query_id,
        "query": "a text",
        "results": [{"corpus_id": doc_id, "score": score} for doc_id, score in scores.items()],
    }
    for query_id, scores in [*NESTED.items(), ("q3", {})]
]


def written(path, value):
    path.write_text(json.dumps(value))
    return path


def as_lines(folder):
    path = folder / "Information-Retrieval_evaluation_predictions_cosine.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in RANKINGS))
    return path


PREDICTIONS = {
    "mteb's file": lambda folder: written(folder / "SciFact_predictions.json", MTEB),
    "mteb's dict": lambda folder: MTEB,
    "lines of sentence-transformers": as_lines,
    "rows of sentence-transformers": lambda folder: RANKINGS,
    "a list of rows": lambda folder: written(folder / "rows.json", RANKINGS),
}


@pytest.mark.parametrize("form", PREDICTIONS)
def test_predictions_are_runs(form, tmp_path):
    predictions = PREDICTIONS[form](tmp_path)
    assert rows(read_run(predictions)) == RUN
    assert rows(RunSet({"a": predictions}).run(0)) == RUN
    assert evaluate({"q1": {"d1": 1}}, {"a": predictions}, "P@1").scores.tolist() == [[[1.0]]]
    with pytest.raises(InputError, match="are runs and qrels swapped"):
        read_qrels(predictions)


def test_predictions_of_several_parts_are_told_how_to_take_one(tmp_path):
    path = written(tmp_path / "it.json", PARTS)
    with pytest.raises(InputError, match=r"3 parts \(en/dev, en/test, de/test\), each of ") as told:
        read_run(path)
    line = str(told.value).partition("one of them: ")[2]
    names = {"json": json, "Path": Path, "FILE": path, "RUN": tmp_path / "a.json"}
    exec(line.replace("'dev'", "'test'"), names)
    assert rows(read_run(tmp_path / "a.json")) == RUN
    with pytest.raises(InputError, match="predictions of mteb without a subset and a split"):
        read_run(written(tmp_path / "it.json", {"mteb_model_meta": MODEL}))


def test_a_frame_of_rankings_is_told_how_to_give_its_rows(tmp_path):
    frame = pd.read_json(as_lines(tmp_path), lines=True)
    with pytest.raises(
        InputError, match="as sentence-transformers writes them: give the file, or its rows"
    ):
        read_run(frame)
    assert rows(read_run(frame.to_dict("records"))) == RUN


@pytest.mark.parametrize("result", [3, {}, {"corpus_id": 7, "score": 1.0}, {"corpus_id": "d"}])
def test_a_result_that_is_no_ranked_document_is_an_error(tmp_path, result):
    row = {"query_id": "q", "results": [{"corpus_id": "e", "score": 2.0}, result]}
    path = tmp_path / "it.jsonl"
    path.write_text(json.dumps(row))
    with pytest.raises(InputError, match=r"it\.jsonl:1: "):
        read_run(path)
    with pytest.raises((TypeError, InputError)):
        read_run([row])


def test_parquet_needs_pyarrow(tmp_path, monkeypatch):
    monkeypatch.setattr(arrow, "available", lambda: False)
    as_parquet(tmp_path / "a.parquet", "run")
    with pytest.raises(MissingExtraError, match=r"a.parquet: Parquet needs pyarrow: pip install"):
        read_run(tmp_path / "a.parquet")
