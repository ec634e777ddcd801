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
from ir_measures import ScoredDoc

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
    pa,
    random_judgments,
    written,
)

DEPTHS = (2, sys.maxsize)


def results(judgments):
    return np.zeros(judgments.grade.size, np.int32), np.zeros(len(judgments.query_ids), np.int64)


def in_memory(form):
    return lambda rng, folder: check(
        random_judgments(rng), FORMS[form](rng, hostility(rng)), chance(rng, 0.3)
    )


def hostility(rng):
    return rng.choice([0.0, 0.1, 0.5, 1.0])


def in_file(rng, folder):
    return check(random_judgments(rng), written(rng, hostility(rng), folder), chance(rng, 0.3))


def in_lines(rng, folder):
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


KINDS = {
    **{form: in_memory(form) for form in FORMS},
    "file": in_file,
    "lines": in_lines,
    "text": mutilated_text,
    "buffers": random_buffers,
}


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS)
def test_random_runs(kind, tmp_path):
    rng = random.Random(kind)
    answers = [KINDS[kind](rng, tmp_path) for _ in range(examples(200))]
    assert any(answers)
    assert kind == "frame" or not all(answers)


@pytest.mark.parametrize("form", [*FORMS, "file"])
def test_regular_runs_are_answered(form, tmp_path):
    rng = random.Random(1)
    regular = 0
    for _ in range(40):
        judgments = random_judgments(rng)
        run = written(rng, 0, tmp_path) if form == "file" else FORMS[form](rng, 0)
        regular += check(judgments, run, chance(rng, 0.3))
    assert regular > 20


LINES = [
    (b"#q Q0 a 0 1 t", False),
    (b"# Q0 a 0 1 t", False),
    (b"# Q0 a 0 1 a long tag", False),
    (b" #q Q0 a 0 1 t", True),  # a row
    (b"#", True),
    (b"# Q0 a 0 one t", True),
    (b"# Q0 a 0 1", True),
    (b"# \xff", True),
    (b"p Q0 a 0 1 t\xff", True),
    (b"p Q0 \xff 0 1 t", False),
    (b"p\x0bQ0\x0ca\r0 1\tt\r", True),
    (b"p Q0 a 0 1 a\rlong tag", False),
    (b"p Q0 a x 0 1 t", False),
    (b"p Q0 a 0 1 2.5 a long tag", False),
    (b"p Q0 a 0 1 2-5 a long tag", False),
    (b"p Q0 a 0 1 +e5 a long tag", True),
    (b"p Q0 a\x1c 0 1 t", True),
    (b"x Q0 a 0 nan t", True),  # of a query that is not judged
    (b"p Q0 a 0 nan t", False),
    (b"p Q0 a 0 -Infinity t", True),
    (b"p Q0 a 0 1e-400 t", True),
    (b"p Q0 a 0 -1e400 t", True),
    (b"p Q0 a 0 " + b"0." + b"0" * 400 + b"1e300 t", True),
    (b"p Q0 a 0 " + b"1" + b"0" * 400 + b"e-300 t", True),
    (b"q Q0 b 0 1 t", True),  # a second stretch
    (b"q Q0 a 0 2 t", False),
    (b"\0", False),
    (b"p Q0 %s 0 1 t" % (b"a" * (1 << 16)), True),
    (b"p Q0 %s 0 1 t" % (b"a" * ((1 << 16) + 1)), False),
    (b"p Q0 a 0 1 t" + b" " * (1 << 20), False),  # a line that is too long
]

# Ranked by nobody, but read.
ONLY_READ = [b"p Q0 a 0 nan t", b"q Q0 a 0 2 t", LINES[-1][0]]


@pytest.mark.parametrize(("line", "is_legal"), LINES)
def test_only_wrong_lines_are_declined(line, is_legal, tmp_path):
    judged = {name: {"a": 1, "b": 0, "a\x1c": 1} for name in ("q", "#q", "#", "p")}
    path = tmp_path / "run.txt"
    text = b"q Q0 a 0 1 t\nx Q0 a 0 1 t\n" + line + b"\nz Q0 a 0 1 t\n"
    path.write_bytes(text)
    assert check(Judgments(qrels_table(judged)), path) == is_legal
    reads = line in ONLY_READ or is_legal
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


def as_lines(rows, end="\n", tag="tag"):
    lines = (f"{query} Q0 {doc} 0 {score!r} {tag}" for query, doc, score in rows)
    return end.join(lines).encode()


def in_forms(rows, folder):
    """A run in many forms."""
    frame = pd.DataFrame(rows, columns=["query_id", "doc_id", "score"])
    made = {kind: frame.astype(dict.fromkeys(frame.columns[:2], kind)) for kind in KINDS_OF_IDS}
    made["dict"] = nested(rows)
    made["np.str_"] = nested([(np.str_(q), np.str_(d), np.float64(s)) for q, d, s in rows])
    made["namedtuples"] = [ScoredDoc(*row) for row in rows]
    # Each query in two stretches, whose rows stay in their order.
    made["in parts"] = frame.iloc[sorted(range(len(rows)), key=lambda at: at // 333 % 2)]
    texts = {
        "plain": as_lines(rows),
        "CRLF": as_lines(rows, "\r\n"),
        "comment": b"# made by us\n" + as_lines(rows),
        "long tag": as_lines(rows, tag="a long tag"),
    }
    for name, text in texts.items():
        made[name] = folder / f"{name}.run"
        made[name].write_bytes(text)
    if pa is not None:
        made["Parquet"] = folder / "run.parquet"
        frame.to_parquet(made["Parquet"], index=False)
    return made


KINDS_OF_IDS = ("object", "str", "category")


@pytest.mark.slow
@pytest.mark.parametrize(("collection", "qrels"), COLLECTIONS.items())
def test_runs_of_trec_rank_alike_in_every_form(data, tmp_path, collection, qrels):
    judgments = Judgments(read_qrels(data / collection / qrels))
    paths = sorted(path for path in (data / collection / "runs").iterdir() if path.is_file())
    rng = random.Random(collection)
    for path in rng.sample(paths, examples(2)):
        table = read_run(path)
        rows = list(zip(table.query.all(), table.doc.all(), table.value.tolist(), strict=True))
        expected = outcome(judgments, path)
        for name, form in in_forms(rows, tmp_path).items():
            assert check(judgments, form), name
            assert outcome(judgments, form) == expected, name
