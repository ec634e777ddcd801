"""Compare the native core with the readers in Python on random runs, for some seconds.

Build the core with sanitizers first, and build it again without them afterwards:

    python native/build.py -fsanitize=address,undefined -fno-sanitize-recover=all -g -O1
    LD_PRELOAD="$(gcc -print-file-name=libasan.so) $(gcc -print-file-name=libstdc++.so)" \
        ASAN_OPTIONS=detect_leaks=0 PYTHONMALLOC=malloc python -m tests.native.fuzz 300
    python native/build.py
"""

from __future__ import annotations

import random
import sys
import tempfile
import time
import warnings
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np

from irx_measures.io import native
from irx_measures.judgments.judgments import Judgments

from .hostile import (
    FORMS,
    IDS,
    as_text,
    chance,
    check,
    random_judgments,
    written,
)


def fuzz(seconds: float, seed: int) -> Counter[str]:
    """How many runs of each form there were, and how many of them were answered."""
    counts: Counter[str] = Counter()
    rng = random.Random(seed)
    end = time.monotonic() + seconds
    kinds = [*FORMS, "file", "buffers", "text"]
    with tempfile.TemporaryDirectory() as folder:
        while time.monotonic() < end:
            kind = rng.choice(kinds)
            counts[kind] += 1
            counts[f"{kind} answered"] += _once(rng, kind, Path(folder))
    return counts


def _once(rng: random.Random, kind: str, folder: Path) -> bool:
    judgments = random_judgments(rng)
    hostile = rng.choice([0.0, 0.1, 0.5, 1.0])
    if kind == "buffers":
        return _buffers(rng, judgments)
    if kind == "text":
        return _mutilated(rng, judgments)
    return check(
        judgments, written(rng, hostile, folder) if kind == "file" else FORMS[kind](rng, hostile)
    )


def _results(judgments: Judgments) -> tuple[Any, Any]:
    return np.zeros(judgments.grade.size, np.int32), np.zeros(len(judgments.query_ids), np.int64)


def _mutilated(rng: random.Random, judgments: Judgments) -> bool:
    """The text of a file with random bytes; the core gets it unchecked."""
    text = bytearray(as_text(rng, 0.2))
    for _ in range(rng.randint(0, 5)):
        at = rng.randrange(len(text) + 1)
        text[at : at + rng.randint(0, 3)] = rng.randbytes(rng.randint(0, 3))
    if judgments.native_index is None:
        return False
    return (
        native._native.rank_lines(judgments.native_index, bytes(text), *_results(judgments)) is True
    )


def _buffers(rng: random.Random, judgments: Judgments) -> bool:
    """Columns whose numbers, sizes and types are random."""
    if judgments.native_index is None:
        return False
    rows = rng.randint(0, 20)
    score = np.array([rng.random() for _ in range(rows)])
    columns = [_column(rng, rows), _column(rng, rows), score, *_results(judgments)]
    if chance(rng, 0.2):
        place = rng.randrange(2, 5)
        columns[place] = rng.choice([columns[place][1:], columns[place].astype(">f8"), b"", None])
    return native._native.rank_columns(judgments.native_index, *columns) is True


def _column(rng: random.Random, rows: int) -> Any:
    if chance(rng, 0.5):
        objects = [
            rng.choice(IDS) if chance(rng, 0.99) else rng.choice([None, 1, b"a"])
            for _ in range(rows)
        ]
        return (np.array(objects, object),)
    text = "".join(rng.choices(IDS, k=10)).encode()
    text = rng.choice([text, text[: rng.randint(0, len(text))], b""])
    first, length = (_numbers(rng, rows, len(text) + 1) for _ in range(2))
    return np.frombuffer(text, np.uint8), first, length


def _numbers(rng: random.Random, count: int, below: int) -> Any:
    kind = rng.choice([np.int32, np.int64])
    odd = [-1, below, np.iinfo(kind).max, np.iinfo(kind).min]
    hostile = rng.choice([0, 0, 0.1])
    return np.array(
        [rng.choice(odd) if chance(rng, hostile) else rng.randrange(below) for _ in range(count)],
        kind,
    )


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    seconds, seed = [*map(int, sys.argv[1:]), *(60, 0)[len(sys.argv) - 1 :]][:2]
    print(f"{seconds} s, seed {seed}: {dict(sorted(fuzz(seconds, seed).items()))}")
