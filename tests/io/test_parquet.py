"""Parquet files: what they may unpack to, and how they are read."""

import os
import subprocess
import sys

import numpy as np
import pyarrow as pa
import pytest
from pyarrow import parquet

from irx_measures.common import memory
from irx_measures.exceptions import InputError
from irx_measures.io.trec import read_qrels, read_run
from tests.io.peak import measured, peak_of


def equal(value, rows):
    """A column of equal strings, in little memory."""
    return pa.DictionaryArray.from_arrays(np.zeros(rows, np.int32), [value])


def table(rows, doc="d", query="q"):
    return pa.table({"qid": equal(query, rows), "docno": equal(doc, rows), "score": np.zeros(rows)})


@pytest.fixture
def qrels(tmp_path):
    path = tmp_path / "qrels"
    path.write_text("q 0 d 1\n")
    return path


def write_rows(path):
    part = table(1_000_000)
    with parquet.ParquetWriter(path, part.schema) as file:
        for _ in range(100):
            file.write_table(part)


# Long strings take little memory as codes.
LONG = {"doc": "more than once", "query": "share no query"}


@measured
@pytest.mark.slow
@pytest.mark.parametrize("kind", ["rows", *LONG])
def test_a_bomb_takes_less_than_a_gigabyte(tmp_path, qrels, kind):
    path = tmp_path / "bomb.parquet"
    if kind == "rows":
        write_rows(path)
    else:
        parquet.write_table(table(600_000, **{kind: "x" * 60_000}), path, store_schema=False)
    assert path.stat().st_size < 2_000_000
    status, told, peak = peak_of("evaluate", qrels, path, "-m", "P@5")
    assert status == 2
    assert LONG.get(kind, "a compressed file may unpack to at most ") in told
    assert peak < 1000


@pytest.mark.parametrize(
    ("column", "options", "fact"),
    [
        ({"score": [[1.0]]}, {}, "'score' must hold strings or numbers; got list<"),
        (
            {"docno": ["d"]},
            {"use_dictionary": False, "column_encoding": {"docno": "DELTA_BYTE_ARRAY"}},
            "'docno' has the encoding DELTA_BYTE_ARRAY",
        ),
    ],
)
def test_columns_without_a_size_are_refused(tmp_path, column, options, fact):
    path = tmp_path / "a.parquet"
    of = {"qid": ["q"], "docno": ["d"], "score": [1.0]} | column
    parquet.write_table(pa.table(of), path, **options)
    with pytest.raises(InputError, match=f"a.parquet: column {fact}"):
        read_run(path)


def test_more_rows_than_a_file_may_have_are_refused(tmp_path, monkeypatch):
    monkeypatch.setattr(memory, "ANY_FILE", 1 << 20)
    path = tmp_path / "bomb.parquet"
    parquet.write_table(table(200_000), path)
    with pytest.raises(InputError, match=r"bomb.parquet: a compressed file may unpack to"):
        read_run(path)
    with memory.memory_limit(10**8):
        assert len(read_run(path)) == 200_000


@pytest.mark.parametrize("column", ["qid", "docno"])
@pytest.mark.parametrize("as_codes", [True, False])
def test_bytes_that_are_not_utf8_are_refused(tmp_path, column, as_codes):
    strings = pa.array([b"d\xff"] * 2, pa.binary()).view(pa.string())
    of = {"qid": pa.array(["q"] * 2), "docno": pa.array(["d", "e"])} | {column: strings}
    run = {name: values.dictionary_encode() if as_codes else values for name, values in of.items()}
    path = tmp_path / "a.parquet"
    parquet.write_table(pa.table({**run, "score": [1.0, 2.0]}), path)
    with pytest.raises(InputError, match=f"a.parquet: column '{column}' must hold .* UTF-8"):
        read_run(path)
    with pytest.raises(InputError, match=f"column '{column}' must hold valid text in UTF-8"):
        read_run(parquet.read_table(path))


def columns(run):
    return run.query.all(), run.doc.all(), run.value.tolist()


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"row_group_size": 300},
        {"use_dictionary": False},
        {"use_dictionary": False, "column_encoding": {"qid": "DELTA_LENGTH_BYTE_ARRAY"}},
        {"dictionary_pagesize_limit": 100, "data_page_size": 200, "compression": "gzip"},
        {"version": "1.0", "data_page_version": "2.0", "compression": "none"},
    ],
)
@pytest.mark.parametrize("docs", [10, 3000])
def test_every_encoding_is_read_alike(tmp_path, options, docs):
    rows = 3000
    query = [f"q{row // docs}" for row in range(rows)]
    doc = [f"é{row * 7 % docs}" for row in range(rows)]
    score = np.random.default_rng(docs).random(rows)
    path = tmp_path / "a.parquet"
    parquet.write_table(
        pa.table({"qid": query, "docno": doc, "score": score}), path, store_schema=False, **options
    )
    run = read_run(path)
    assert columns(run) == (query, doc, score.tolist())


def test_codes_of_several_dictionaries_are_one_column():
    parts = [["a", "b", "a"], ["c", "a"], [], ["b"]]
    chunks = [pa.array(part, pa.string()).dictionary_encode() for part in parts]
    strange = pa.DictionaryArray.from_arrays(pa.array([1, 0]), pa.array(["a", "a"]))
    docs = pa.chunked_array([*chunks, strange.cast(chunks[0].type)])
    rows = len(docs)
    of = {"qid": [f"q{row}" for row in range(rows)], "docno": docs, "score": np.zeros(rows)}
    run = read_run(pa.table(of))
    assert run.doc.all() == ["a", "b", "a", "c", "a", "b", "a", "a"]
    assert run.doc.names.ids == ("a", "b", "c")


@pytest.mark.parametrize("column", ["qid", "docno"])
def test_missing_identifiers_are_refused(tmp_path, column):
    missing = pa.array(["a", None]).dictionary_encode()
    path = tmp_path / "a.parquet"
    of = {"qid": ["q", "q"], "docno": ["d", "e"], "label": [1, 0]} | {column: missing}
    parquet.write_table(pa.table(of), path)
    with pytest.raises(InputError, match=f"a.parquet, row 1 .* '{column}' must not be empty"):
        read_qrels(path)


READING = """
import os, sys
import pyarrow.parquet
from irx_measures.io.trec import read_run

def threads():
    return len(os.listdir("/proc/self/task"))

before = threads()
read_run(sys.argv[1])
assert threads() == before
assert "pandas" not in sys.modules
"""


@pytest.mark.skipif(not os.path.isdir("/proc/self/task"), reason="threads are counted in /proc")
def test_parquet_is_read_without_threads_and_without_pandas(tmp_path):
    # A thread that outlives Python aborted one process in fifteen on a busy machine.
    table(1).to_pandas().to_parquet(tmp_path / "a.parquet")
    subprocess.run([sys.executable, "-c", READING, tmp_path / "a.parquet"], check=True)
