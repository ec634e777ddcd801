"""Damaged Parquet files: each gives a result, or one error in one line that names the file."""

import io
import random
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from irx_measures import evaluate
from irx_measures.exceptions import InputError
from tests.doubts import ANY_DOUBT
from tests.examples import examples

pytestmark = ANY_DOUBT

QUERIES, DEPTH = 5, 20
QRELS = {f"q{query}": {"é1": 1} for query in range(QUERIES)}
ROWS = [(f"q{query}", f"é{rank}", 9.5 - rank) for query in range(QUERIES) for rank in range(DEPTH)]
NOT_OF_A_FILE = ("qrels and runs share no query", "no run has a judged document")


def damaged(content: bytes, source: random.Random) -> bytes:
    """A file with some bytes changed, removed, inserted, repeated, or cut off."""
    damage = bytearray(content)
    for _ in range(source.choice([1, 1, 2, 8])):
        # Half of the damage is near the end, where Parquet has its metadata.
        start = max(0, len(damage) - 900) if source.random() < 0.5 else 0
        place = source.randint(start, len(damage))
        end = place + source.randint(1, 8)
        kind = source.randrange(5)
        if kind == 0 and place < len(damage):
            damage[place] ^= 1 << source.randrange(8)
        elif kind == 1 and place < len(damage):
            damage[place] = source.randrange(256)
        elif kind == 2:
            del damage[place:end]
        elif kind == 3:
            damage[place:place] = source.randbytes(source.randint(1, 8))
        elif source.random() < 0.2:
            del damage[place:]
    return bytes(damage)


def told(path: Path) -> str:
    """The error of a run, checked; empty if it can be evaluated."""
    try:
        evaluate(path, QRELS, "P@5", progress=False)
    except InputError as error:
        message = str(error)
        assert str(path) in message or message.startswith(NOT_OF_A_FILE)
        assert len(message.splitlines()) == 1
        assert len(message) < 600 + len(str(path))
        return message
    return ""


def parquet_files():
    """Parquet files of the encodings and compressions that are in use."""
    import pyarrow as pa
    from pyarrow import parquet

    query, doc, score = zip(*ROWS, strict=True)
    table = pa.table({"qid": query, "docno": doc, "score": score, "more": np.ones(len(ROWS))})
    delta = dict.fromkeys(["qid", "docno"], "DELTA_LENGTH_BYTE_ARRAY")
    for options in (
        {},
        {"compression": "zstd", "store_schema": False},
        {"compression": "none", "use_dictionary": False},
        {"use_dictionary": False, "column_encoding": delta},
        {"row_group_size": 30, "data_page_version": "2.0", "write_page_checksum": True},
    ):
        with io.BytesIO() as out:
            parquet.write_table(table, out, **options)
            yield out.getvalue()


def damage_parquet(path: Path, count: int) -> None:
    """Evaluate damaged Parquet files; some must be refused, and some be evaluated."""
    files = list(parquet_files())
    refused = 0
    for seed in range(count):
        path.write_bytes(damaged(files[seed % len(files)], random.Random(seed)))
        try:
            refused += bool(told(path))
        except BaseException:
            print(f"seed {seed}", file=sys.stderr)
            raise
    assert 0 < refused < count


@pytest.mark.slow
def test_a_damaged_parquet_file_is_read_or_named(tmp_path):
    """In a process of its own, which pyarrow could abort."""
    program = f"from {__name__} import *; damage_parquet(Path(sys.argv[1]), int(sys.argv[2]))"
    command = [sys.executable, "-W", "ignore", "-c", program]
    pytest.importorskip("pyarrow")
    done = subprocess.run(
        [*command, tmp_path / "a.parquet", str(examples(2500))],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-2000:]
