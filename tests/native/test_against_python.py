"""The native core answers what the readers in Python answer, or it declines.

After a change of the core, run these tests on many more runs with sanitizers, and build the core
again without them afterwards:

    python native/build.py -fsanitize=address,undefined -fno-sanitize-recover=all -g -O1
    LD_PRELOAD="$(gcc -print-file-name=libasan.so) $(gcc -print-file-name=libstdc++.so)" \
        ASAN_OPTIONS=detect_leaks=0 PYTHONMALLOC=malloc IRX_HYPOTHESIS=thorough \
        pytest tests/native
    python native/build.py
"""

import random
import sys

import numpy as np
import pandas as pd
import pytest

from irx_measures.io import core
from irx_measures.io.containers import qrels_table
from irx_measures.io.identifiers import Ids
from irx_measures.io.trec import read_qrels, read_run
from irx_measures.judgments.judgments import Judgments
from tests.examples import examples

from .hostile import (
    FORMS,
    IDS,
    as_short_lines,
    as_text,
    chance,
    check,
    check_lines,
    nested,
    outcome,
    random_judgments,
    written,
)

DEPTHS = (2, sys.maxsize)


def results(judgments):
    return np.zeros(judgments.grade.size, np.int32), np.zeros(len(judgments.query_ids), np.int64)


def hostility(rng):
    return rng.choice([0.0, 0.1, 0.5, 1.0])


def random_run(form, rng, folder, hostile):
    run = written(rng, hostile, folder) if form == "file" else FORMS[form](rng, hostile)
    return check(random_judgments(rng), run, chance(rng, 0.3))


def whole_lines(rng, folder):
    return check_lines(*random_lines(rng, hostility(rng)))


def random_lines(rng, hostile):
    """A text, and the number of its columns."""
    qrels, msmarco = as_short_lines(rng, hostile, ("0",)), as_short_lines(rng, hostile)
    return rng.choice([(as_text(rng, hostile), 6), (qrels, 4), (msmarco, 3)])


def mutilated_text(rng, folder):
    """The text of a file with random bytes; the core gets it unchecked."""
    content, width = random_lines(rng, 0.2)
    text = bytearray(content)
    for _ in range(rng.randint(0, 5)):
        at = rng.randrange(len(text) + 1)
        text[at : at + rng.randint(0, 3)] = rng.randbytes(rng.randint(0, 3))
    width = rng.choice([width, width, width, 3, 4, 6])
    return check_lines(bytes(text), width, random_judgments(rng))


def random_buffers(rng, folder):
    """Columns whose numbers, sizes and types are random."""
    judgments, rows = random_judgments(rng), rng.randint(0, 20)
    score = np.array([rng.random() for _ in range(rows)])
    columns = [column(rng, rows), column(rng, rows), score, *results(judgments)]
    if chance(rng, 0.2):
        place = rng.randrange(2, 5)
        columns[place] = rng.choice([columns[place][1:], columns[place].astype(">f8"), b"", None])
    for ids in columns[:2]:
        numbered = core.number(ids)
        if numbered is not None:
            assert_numbered(numbered, Ids(ids).all())
    index, asked = judgments.native_index, (*columns[3:], DEPTHS, True, False)
    return index is not None and core._native.rank_columns(index, *columns[:3], asked) is not None


def assert_numbered(numbered, ids):
    code, names = numbered
    assert names == [*dict.fromkeys(ids)]
    assert [names[number] for number in code.tolist()] == [*ids]


def column(rng, rows, may_be_coded=True):
    if may_be_coded and chance(rng, 0.3):
        kind = np.int32 if chance(rng, 0.9) else np.int64
        return numbers(rng, rows, 10, kind), *column(rng, 10, may_be_coded=False)
    if chance(rng, 0.5):
        ids = (IDS if chance(rng, 0.99) else [None, 1, b"a"] for _ in range(rows))
        return (np.array([*map(rng.choice, ids)], object),)
    text = "".join(rng.choices(IDS, k=10)).encode()
    text = rng.choice([text, text[: rng.randint(0, len(text))], b""])
    return np.frombuffer(text, np.uint8), *(numbers(rng, rows, len(text) + 1) for _ in range(2))


def numbers(rng, count, below, kind=np.int64):
    odd = [-1, below, np.iinfo(kind).max, np.iinfo(kind).min]
    hostile = rng.choice([0, 0, 0.1])
    made = (rng.choice(odd) if chance(rng, hostile) else rng.randrange(below) for _ in range(count))
    return np.array([*made], kind)


TEXTS = {"lines": whole_lines, "text": mutilated_text, "buffers": random_buffers}


@pytest.mark.slow
@pytest.mark.parametrize("form", [*FORMS, "file"])
def test_random_runs(form, tmp_path):
    rng = random.Random(form)
    answers = [random_run(form, rng, tmp_path, hostility(rng)) for _ in range(examples(200))]
    assert any(answers)
    assert form == "frame" or not all(answers)


@pytest.mark.slow
@pytest.mark.parametrize("kind", TEXTS)
def test_random_texts_and_buffers(kind, tmp_path):
    rng = random.Random(kind)
    answers = {TEXTS[kind](rng, tmp_path) for _ in range(examples(200))}
    assert answers == {True, False}


@pytest.mark.parametrize("form", [*FORMS, "file"])
def test_regular_runs_are_answered(form, tmp_path):
    rng = random.Random(1)
    assert sum(random_run(form, rng, tmp_path, 0) for _ in range(40)) > 20


# What the core does with a line: ranks and reads it, reads it only, or declines it.
RANKED = [
    b" #q Q0 a 0 1 t",  # a row
    b"#",
    b"# Q0 a 0 one t",
    b"# Q0 a 0 1",
    b"# \xff",
    b"p Q0 a 0 1 t\xff",
    b"p\x0bQ0\x0ca\r0 1\tt\r",
    b"p Q0 a 0 1 +e5 a long tag",
    b"p Q0 a\x1c 0 1 t",
    b"x Q0 a 0 nan t",  # of a query that is not judged
    b"p Q0 a 0 -Infinity t",
    b"p Q0 a 0 1e-400 t",
    b"p Q0 a 0 -1e400 t",
    b"p Q0 a 0 " + b"0." + b"0" * 400 + b"1e300 t",
    b"p Q0 a 0 " + b"1" + b"0" * 400 + b"e-300 t",
    b"q Q0 b 0 1 t",  # a second stretch
    b"p Q0 %s 0 1 t" % (b"a" * (1 << 16)),
]
ONLY_READ = [
    b"p Q0 a 0 nan t",
    b"q Q0 a 0 2 t",
    b"p Q0 a 0 1 t" + b" " * (1 << 20),  # a line that is too long
]
DECLINED = [
    b"#q Q0 a 0 1 t",
    b"# Q0 a 0 1 t",
    b"# Q0 a 0 1 a long tag",
    b"p Q0 \xff 0 1 t",
    b"p Q0 a 0 1 a\rlong tag",
    b"p Q0 a x 0 1 t",
    b"p Q0 a 0 1 2.5 a long tag",
    b"p Q0 a 0 1 2-5 a long tag",
    b"\0",
    b"p Q0 %s 0 1 t" % (b"a" * ((1 << 16) + 1)),
]


@pytest.mark.parametrize("line", RANKED + ONLY_READ + DECLINED)
def test_only_wrong_lines_are_declined(line, tmp_path):
    judged = {name: {"a": 1, "b": 0, "a\x1c": 1} for name in ("q", "#q", "#", "p")}
    path = tmp_path / "run.txt"
    text = b"q Q0 a 0 1 t\nx Q0 a 0 1 t\n" + line + b"\nz Q0 a 0 1 t\n"
    path.write_bytes(text)
    assert check(Judgments(qrels_table(judged)), path) == (line in RANKED)
    reads = line not in DECLINED
    assert check_lines(text, 6) == check_lines(text[:-1], 6) == reads  # without a last line end


@pytest.mark.parametrize(
    "sizes", [[1], [1300, 5], [1299, 5], [1400], [1] * 12, [3, 4, 5, 6, 7] * 3, [5, 1, 5, 6] * 3]
)
@pytest.mark.parametrize("queries", [3, 99])  # of three, there are several stretches
def test_the_head_has_the_top_and_the_last_row_of_the_first_queries(sizes, queries):
    """The scores rise with the ranks, which the readers tell."""
    text = "".join(
        f"q{place % queries} Q0 d{place}-{row} {row} {row} t\n"
        for place, size in enumerate(sizes)
        for row in range(size)
    )
    judgments = Judgments(qrels_table({"q1": {"d1-1": 1}}))
    assert check_lines(text.encode(), 6, judgments)


COLLECTIONS = {
    "trec-dl-2019-passage": "qrels.txt.gz",
    "trec8-adhoc": "qrels.txt.gz",
    "trec-covid": "qrels.original.txt.gz",
}


def in_forms(rows):
    """A run in memory; tests/io has more forms, each with the same rows."""
    frame = pd.DataFrame(rows, columns=["query_id", "doc_id", "score"])
    for kind in ("object", "str", "category"):
        yield kind, frame.astype({"query_id": kind, "doc_id": kind})
    yield "dict", nested(rows)
    # Each query in two stretches, whose rows stay in their order.
    yield "in parts", frame.iloc[sorted(range(len(rows)), key=lambda at: at // 333 % 2)]


@pytest.mark.slow
@pytest.mark.parametrize(("collection", "qrels"), COLLECTIONS.items())
def test_runs_of_trec_rank_alike_in_every_form(data, collection, qrels):
    judgments = Judgments(read_qrels(data / collection / qrels))
    paths = sorted(path for path in (data / collection / "runs").iterdir() if path.is_file())
    rng = random.Random(collection)
    for path in rng.sample(paths, examples(2)):
        table = read_run(path)
        rows = list(zip(table.query.all(), table.doc.all(), table.value.tolist(), strict=True))
        assert check(judgments, path)
        expected = outcome(judgments, path)
        for name, form in in_forms(rows):
            assert check(judgments, form), name
            assert outcome(judgments, form) == expected, name
