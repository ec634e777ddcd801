"""Damaged Parquet files: each gives a result, or one error in one line that names the file."""

import io
import random
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from irx_measures import ScoreMatrix, evaluate
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


def evaluated(path: Path) -> None:
    evaluate(QRELS, path, "P@5", progress=False)


def read_scores(path: Path) -> None:
    ScoreMatrix.from_files([path])


def told(path: Path, use: Callable[[Path], None]) -> str:
    """The error of a file, checked; empty if it can be used."""
    try:
        use(path)
    except InputError as error:
        message = str(error)
        assert str(path) in message or message.startswith(NOT_OF_A_FILE)
        assert len(message.splitlines()) == 1
        assert len(message) < 600 + len(str(path))
        return message
    return ""


def run_files():
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


def score_files():
    """Parquet files of scores as pandas writes them, with its own metadata."""
    import pandas as pd

    frame = pd.DataFrame(
        {"system": ["aé", "b"] * 50, "qid": [f"qé{row // 2}" for row in range(100)]}
    )
    for scores in ({"AP": np.arange(100)}, {"measure": "AP", "value": np.arange(100.0)}):
        for options in ({}, {"compression": None}, {"compression": "zstd"}):
            with io.BytesIO() as out:
                frame.assign(**scores).to_parquet(out, **options)
                yield out.getvalue()


MADE = {"runs": (run_files, evaluated), "scores": (score_files, read_scores)}


def damage_parquet(path: Path, count: int, kind: str) -> None:
    """Use damaged Parquet files; some must be refused, and some be read."""
    made, use = MADE[kind]
    files = list(made())
    refused = 0
    for seed in range(count):
        path.write_bytes(damaged(files[seed % len(files)], random.Random(seed)))
        try:
            refused += bool(told(path, use))
        except BaseException:
            print(f"seed {seed}", file=sys.stderr)
            raise
    assert 0 < refused < count


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["runs", pytest.param("scores", marks=pytest.mark.whole)])
def test_a_damaged_parquet_file_is_read_or_named(tmp_path, kind):
    """In a process of its own, which pyarrow could abort."""
    damage = "damage_parquet(Path(sys.argv[1]), int(sys.argv[2]), sys.argv[3])"
    program = f"from {__name__} import *; {damage}"
    command = [sys.executable, "-W", "ignore", "-c", program]
    pytest.importorskip("pyarrow")
    done = subprocess.run(
        [*command, tmp_path / "a.parquet", str(examples(2500)), kind],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-2000:]
