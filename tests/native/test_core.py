"""The native core by itself: wrong arguments, collisions, ties, csv, threads, and references."""

import csv
import gc
import random
import sys
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from itertools import chain
from pathlib import Path
from threading import Event

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from irx_measures.io import core
from irx_measures.io.containers import qrels_table
from irx_measures.io.identifiers import objects
from irx_measures.io.rows import _csv_rows
from irx_measures.judgments.judgments import Judgments
from tests.console import python

from .hostile import IDS, NASTY_IDS, Text, check, outcome

try:
    import _testcapi
except ImportError:
    _testcapi = None

native = getattr(core, "_native", None)  # None where these tests are skipped
NUMBERS = core.NUMBERS

QUERIES = objects(["q"])
SECRETS = bytes(range(100, 116))
NO_SECRETS = bytes(16)
LINE = b"q Q0 a 0 1 t\n"
# With secrets of zeros, all identifiers of 16 bytes that end in eight zeros have the same hash.
COLLIDING = [f"{number:08d}" + "\0" * 8 for number in range(6)]


def index_of(docs, secrets=SECRETS):
    numbers = np.arange(len(docs))
    docs = objects(docs)
    zeros = np.zeros(len(docs), np.int64)
    return native.make_index(secrets, (QUERIES,), (docs,), zeros, numbers, len(docs))


def asked_of(cells, depths=(), with_scores=False):
    return np.zeros(cells, np.int32), np.zeros(1, np.int64), depths, with_scores, False


def ranks(index, run, cells):
    asked = asked_of(cells)
    answer = native.rank_dict(index, run, (), asked)
    return None if answer is None else asked[0].tolist()


def lines_of(run):
    return "".join(f"{q} Q0 {doc} 0 {score} t\n" for q in run for doc, score in run[q].items())


def columns_of(run):
    docs = objects(list(run))
    scores = np.array(list(run.values()), np.float64)
    return (np.full(len(docs), "q", object),), (docs,), scores


def test_judged_documents_whose_hashes_collide_are_told_apart_by_their_bytes():
    index = index_of(COLLIDING[:4], NO_SECRETS)
    assert ranks(index, {"q": dict(zip(COLLIDING[1:], (3.0, 2.0, 1.0, 0.5), strict=False))}, 4) == [
        0,
        1,
        2,
        3,
    ]


def test_a_run_whose_hashes_collide_is_declined_unless_it_is_a_dict():
    index = index_of(COLLIDING[:4], NO_SECRETS)
    run = dict.fromkeys(COLLIDING[2:4], 1.0)
    columns = *columns_of(run), asked_of(4)
    assert native.rank_columns(index, *columns) is None
    assert ranks(index, {"q": run}, 4) == [0, 0, 2, 1]
    other = index_of(COLLIDING[:4])
    assert native.rank_columns(other, *columns)[0] == 1  # the tied query
    assert columns[3][0].tolist() == [0, 0, 2, 1]


def test_each_index_has_secrets_of_its_own(monkeypatch):
    secrets = []
    real = native.make_index

    class Recorded:
        @staticmethod
        def make_index(secret, *rest):
            secrets.append(secret)
            return real(secret, *rest)

        number = staticmethod(native.number)

    monkeypatch.setattr(core, "_native", Recorded)
    for _ in range(2):
        assert Judgments(qrels_table({"q": {"a": 1}})).native_index is not None
    assert {*map(len, secrets)} == {16}
    assert len({half for secret in secrets for half in (secret[:8], secret[8:])}) == 4


def test_a_query_with_20_000_ties():
    rng = random.Random(0)
    docs = [f"doc{number}" for number in rng.sample(range(10**6), 20_000)]
    judgments = Judgments(qrels_table({"q": dict.fromkeys(docs[::3], 1)}))
    assert check(judgments, {"q": dict.fromkeys(docs, 1.0)})
    assert check(judgments, {"q": {doc: float(at // 5000) for at, doc in enumerate(docs)}})


@pytest.mark.parametrize("count", [2, 9, 10, 11, 50])
@pytest.mark.parametrize("distinct", [1, 3, 5, 6])
def test_tied_tops_are_counted_as_in_python(count, distinct, tmp_path):
    """Of the queries, each ties at other ranks."""
    queries, docs = [f"q{number}" for number in range(distinct)], [f"d{at}" for at in range(count)]
    judgments = Judgments(qrels_table({query: {"d1": 1} for query in queries}))
    run = {
        query: {doc: max(float(-at), -shift - distinct // 2) for at, doc in enumerate(docs)}
        for shift, query in enumerate(queries)
    }
    assert check(judgments, run)
    (tmp_path / "run.txt").write_text(lines_of(run))
    assert check(judgments, tmp_path / "run.txt")


@pytest.mark.parametrize("count", [1, 9, 10, 11, 30])
@pytest.mark.parametrize("steps", [1, 2, 5, 11, 100])
def test_tops_with_the_document_of_their_query_are_counted_as_in_python(count, steps):
    """Of as many queries as documents, each is at another rank; a step of scores ties."""
    docs = [f"d{at:02}" for at in range(count)]
    judgments = Judgments(qrels_table({query: {"d01": 1} for query in docs}))
    scores = {doc: float(-(at * steps // count)) for at, doc in enumerate(docs)}
    run = dict.fromkeys(docs, scores)
    assert check(judgments, run)
    assert outcome(judgments, run)[2][1] == min(count, 10)
    check(judgments, run, without_identical=True)
    if count > 1:
        assert outcome(judgments, run, without_identical=True)[2][1] == 0


def test_stretches_of_a_query_are_one_ranking():
    index = index_of(["a", "b"])
    docs, scores = objects(["a", "c", "b"]), np.array([3.0, 2.0, 1.0])
    for names, expected in (("qqq", [1, 3]), ("qxq", [1, 2]), ("xxx", [0, 0]), ("qqx", [1, 0])):
        query = (objects([*names]),)
        asked = asked_of(2)
        assert native.rank_columns(index, query, (docs,), scores, asked) is not None
        assert asked[0].tolist() == expected


@pytest.mark.parametrize("secrets", [b"", b"x", bytes(15), bytes(17)])
def test_secrets_of_another_length_are_declined(secrets):
    assert index_of(["a"], secrets) is None
    assert native.number(secrets, (QUERIES,)) is None
    assert native.read_lines(secrets, LINE, 6) is None


def raw(text):
    return np.frombuffer(text, np.uint8)


def whole(*numbers):
    return np.array(numbers, np.int64)


def codes(*numbers):
    return np.array(numbers, np.int32)


TEXT, FIRST, ONES = raw(b"qabc" + bytes(8)), whole(1, 2, 3), whole(1, 1, 1)


def good_columns():
    query = TEXT, whole(0, 0, 0), ONES
    return [query, (TEXT, FIRST, ONES), np.arange(3.0), *asked_of(2, (1, 5), True)]


def ranked(columns):
    asked = tuple(columns[3:])
    return native.rank_columns(index_of(["a", "c"]), *columns[:3], asked)


def ranked_with(place, value):
    columns = good_columns()
    columns[place] = value
    return ranked(columns)


NAMES = objects(["a", "b", "c"])
MANY = objects(["a", "b", "c", "d"])  # more than there are rows
CODES = codes(0, 1, 2)

BAD_IDS = {
    "text of signed bytes": (TEXT.view(np.int8), FIRST, ONES),
    "text cut": (TEXT[:3], FIRST, ONES),
    "text not contiguous": (TEXT[::2], FIRST, ONES),
    "no text": (TEXT[:0], FIRST, ONES),
    "first is negative": (TEXT, whole(-1, 2, 3), ONES),
    "first is too high": (TEXT, whole(1, 2, 13), ONES),
    "first overflows": (TEXT, whole(1, 2, 2**63 - 1), ONES),
    "first is float": (TEXT, FIRST.astype(float), ONES),
    "first is short": (TEXT, FIRST[:2], ONES),
    "first is of another byte order": (TEXT, FIRST.astype(">i8"), ONES),
    "first is of two dimensions": (TEXT, ONES.reshape(3, 1), ONES),
    "first is misaligned": (TEXT, np.frombuffer(bytes(25), np.int64, 3, 1), ONES),
    "length is negative": (TEXT, FIRST, whole(1, 1, -1)),
    "length is too high": (TEXT, FIRST, whole(1, 1, 10)),
    "length overflows": (TEXT, FIRST, whole(1, 1, 2**63 - 1)),
    "not UTF-8": (raw(b"qab\xff"), FIRST, ONES),
    "a surrogate": (raw(b"a\xed\xa0\x80"), whole(0, 1, 0), whole(1, 3, 0)),
    "overlong": (raw(b"ab\xc1\x80"), whole(0, 1, 2), whole(1, 1, 2)),
    "cut within a letter": (raw(b"ab\xc3\xa9"), whole(0, 1, 2), ONES),
    "no tuple": TEXT,
    "an empty tuple": (),
    "four parts": (TEXT, FIRST, ONES, ONES),
    "a list": [NAMES],
    "objects that are bytes": (objects([b"a", b"b", b"c"]),),
    "objects that are None": (objects([None] * 3),),
    "objects that are nothing": (np.empty(3, object),),
    "a lone surrogate": (objects(["a", "b", "\ud800"]),),
    "numbers as objects": (np.arange(3),),
    "strings of numpy": (np.array(["a", "b", "c"]),),
    "codes of no column": (CODES, ()),
    "codes of codes": (CODES, CODES),
    "codes of a column": (CODES, (NAMES,)),
    "codes of bytes": (CODES, objects([b"a", b"b", b"c"])),
    "a code that is too high": (codes(0, 1, 3), NAMES),
    "a code that is negative": (codes(0, 1, -1), NAMES),
    "a code that is too high for many": (codes(0, 1, 4), MANY),
    "a code that is negative for many": (codes(0, 1, -1), MANY),
    "codes that are floats": (CODES.astype(np.float32), NAMES),
    "codes of 64 bits": (CODES.astype(np.int64), NAMES),
    "codes without a sign": (CODES.astype(np.uint32), NAMES),
    "too few codes": (CODES[:2], NAMES),
}
BAD_COLUMNS = {
    "scores of 32 bits": (2, np.arange(3, dtype=np.float32)),
    "too few scores": (2, np.arange(2.0)),
    "scores not contiguous": (2, np.arange(6.0)[::2]),
    "scores are a list": (2, [1.0, 2.0, 3.0]),
    "a score of NaN": (2, np.array([1.0, np.nan, 2.0])),
    "ranks too few": (3, codes(0)),
    "ranks too many": (3, codes(0, 0, 0)),
    "ranks of 64 bits": (3, whole(0, 0)),
    "ranks not writable": (3, np.frombuffer(bytes(8), np.int32)),
    "returned too few": (4, whole()),
    "returned not writable": (4, np.frombuffer(bytes(8), np.int64)),
    "depths are a list": (5, [1]),
    "a depth is negative": (5, (-1,)),
    "a depth is no number": (5, ("1",)),
    "a depth is too high": (5, (1 << 70,)),
}


def test_good_buffers_are_answered():
    columns = good_columns()
    tied, own, rounded, ties, tops, scores = ranked(columns)
    assert (tied, own, rounded, ties) == (0, 0, False, (b"", b"", b""))
    assert scores == np.array([2, 1, 0], np.float32).tobytes()
    assert tops == (np.array([1]).tobytes() + b"c", np.array([1, 1, 1]).tobytes() + b"cba")
    assert [*map(np.ndarray.tolist, columns[3:5])] == [[3, 1], [3]]


@pytest.mark.parametrize("names", [NAMES, objects(["b", "x", "c", "y", "a"])])
def test_codes_are_of_columns_that_may_have_more_distinct_ids_than_rows(names):
    columns = good_columns()
    columns[1] = codes(*map([*names].index, "abc")), names
    assert ranked(columns)[0] == 0
    assert columns[3].tolist() == [3, 1]


@pytest.mark.parametrize("rows", [255, 256, 5000])  # few are compared, many are counted
@pytest.mark.parametrize("digits", [0, 6])  # of the scores: many ties, and few
def test_scores_in_any_order_are_ranked_as_python_ranks_them(rows, digits):
    source = np.random.default_rng(rows + digits)
    score = source.normal(0, 3, rows).round(digits)
    score[:4] = np.inf, -np.inf, 1e-42, -0.0
    run = {"q": dict(zip(map(str, range(rows)), score.tolist(), strict=True))}
    check(Judgments(qrels_table({"q": dict.fromkeys(run["q"], 1)})), run)


STALE = """
import sys, types
core = sys.modules["irx_measures.io._native"] = types.ModuleType("_native")
core.__file__, core.INTERFACE = "old.so", {interface}
import irx_measures
run = {{"q": {{"b": 2.0, "a": 1.0}}}}
print(irx_measures.evaluate({{"q": {{"a": 1}}}}, {{"a": run}}, "RR").scores)
"""


@pytest.mark.slow
@pytest.mark.parametrize("interface", [None, core.INTERFACE + 1])
def test_a_core_of_other_sources_is_told_and_python_ranks(interface):
    done = python("-c", STALE.format(interface=interface))
    assert done.stdout == "[[[0.5]]]\n"
    assert done.stderr.count("RuntimeWarning") == 1
    assert "the native core was built from other sources, and is not used (old.so)" in done.stderr
    assert "`python native/build.py` in the source folder builds it anew" in done.stderr


@pytest.mark.parametrize("name", BAD_COLUMNS)
def test_bad_buffers_are_declined(name):
    assert ranked_with(*BAD_COLUMNS[name]) is None


@pytest.mark.parametrize("name", BAD_IDS)
def test_bad_identifiers_are_declined(name):
    ids = BAD_IDS[name]
    assert ranked_with(1, ids) is None
    assert native.make_index(SECRETS, (QUERIES,), ids, whole(0, 0, 0), whole(0, 1, 2), 3) is None
    if name != "too few codes":
        assert native.number(SECRETS, ids) is None


def test_another_object_than_an_index_is_declined():
    columns = good_columns()
    assert native.rank_columns(object(), *columns[:3], tuple(columns[3:])) is None


@pytest.mark.parametrize("change", [list, lambda asked: asked[1:], lambda asked: (*asked, 1), bool])
def test_what_is_asked_for_is_a_tuple_of_five(change):
    index, columns = index_of(["a", "c"]), good_columns()
    asked = change(tuple(columns[3:]))
    assert native.rank_columns(index, *columns[:3], asked) is None
    assert native.rank_dict(index, {}, (), asked) is None
    assert native.rank_lines(index, LINE, 6, asked) is None


@pytest.mark.parametrize(
    ("query", "cell", "cells"),
    [
        ([1], [0], 1),  # a query that is not there
        ([-1], [0], 1),
        ([0], [1], 1),  # a cell that is not there
        ([0], [-1], 1),
        ([0, 0], [0], 1),
        ([0], [0], -1),
    ],
)
def test_bad_judgments_are_declined(query, cell, cells):
    docs = (NAMES[:1],)
    judgments = whole(*query), whole(*cell), cells
    assert native.make_index(SECRETS, (QUERIES,), docs, *judgments) is None


@pytest.mark.slow
def test_threads_share_an_index(tmp_path):
    rng = random.Random(0)
    docs = [f"d{number}" for number in range(3000)]
    judgments = Judgments(qrels_table({q: dict.fromkeys(docs[::7], 1) for q in "abc"}))
    run = {q: {doc: rng.choice([rng.random(), 0.5]) for doc in docs} for q in "abc"}
    text = lines_of(run)
    (tmp_path / "run.txt").write_text(text)
    expected = outcome(judgments, run)
    with ThreadPoolExecutor(8) as pool:
        sources = [run, tmp_path / "run.txt"] * 20
        assert all(got == expected for got in pool.map(lambda of: outcome(judgments, of), sources))
        contents = [core.Text(bytearray(text.encode()), 6)] * 20
        read = [*pool.map(core.read_lines, contents)]
        assert all(rows.docs == docs and rows.queries == [*"abc"] for rows in read)


class Held:
    """Arguments of every function of the core."""

    def __init__(self):
        self.docs = [f"d{number}" for number in range(10)]
        self.run = {"q": dict.fromkeys(self.docs, 1.0)}
        self.index = index_of(self.docs[:5])
        self.objects = objects(self.docs)
        self.results = np.zeros(5, np.int32), np.zeros(1, np.int64)

    def all(self):
        return [*self.docs, self.run, self.run["q"], self.index, self.objects, *self.results]

    def calls(self):
        """Calls of every function that the core answers, and that it declines."""
        index, asked = self.index, (*self.results, (3,), True, False)
        query, doc, score = (np.full(10, "q", object),), (self.objects,), np.arange(10.0)
        coded = np.arange(10, dtype=np.int32), self.objects
        odd = objects([*self.docs, "\ud800"])
        judged = SECRETS, (QUERIES,), coded, np.zeros(10, np.int64), np.arange(10)
        comma = ord(",")
        answered = [
            (native.make_index, *judged, 10),
            (native.rank_dict, index, self.run, NUMBERS, asked),
            (native.rank_dict, index, {"q": self.docs}, (), asked),
            (native.rank_dict, index, {"q": {"a": np.int8(1)}}, NUMBERS, asked),
            (native.rank_columns, index, query, doc, score, asked),
            (native.rank_columns, index, query, coded, score, asked),
            (native.rank_lines, index, LINE, 6, asked),
            (native.number, SECRETS, doc),
            (native.number, SECRETS, coded),
            (native.read_lines, SECRETS, LINE, 6),
            (native.split_csv, LINE, comma, 1),
        ]
        declined = [
            (native.make_index, *judged, 9),
            (native.rank_dict, index, {"q": {5: 1.0}}, (), asked),
            (native.rank_columns, index, query, doc, None, asked),
            (native.rank_lines, index, LINE + b"?", 6, asked),
            (native.number, SECRETS, (odd,)),
            (native.read_lines, SECRETS, LINE + b"?", 6),
            (native.split_csv, LINE + b'"', comma, 1),
        ]
        return answered, declined


def drift(call, counted):
    """By how many references and blocks of memory a call differs from the same call before."""

    def count():
        call()
        gc.collect()
        return [sys.getallocatedblocks(), *map(sys.getrefcount, counted)]

    count()
    return max(abs(a - b) for a, b in zip(count(), count(), strict=True))


def test_no_reference_is_kept_or_lost():
    held = Held()
    counted = [*held.all(), *([True, None] if sys.version_info < (3, 12) else [])]  # no count since

    def call():
        answered, declined = held.calls()
        for _ in range(100):
            assert all(function(*arguments) is not None for function, *arguments in answered)
            assert all(function(*arguments) is None for function, *arguments in declined)

    assert drift(call, counted) < 50


@pytest.mark.skipif(_testcapi is None, reason="this Python cannot fail to allocate memory")
def test_no_reference_is_kept_or_lost_where_memory_ends():
    held = Held()

    def fail():
        for function, *arguments in chain(*held.calls()):
            for allocation in range(60):
                with suppress(MemoryError):
                    _testcapi.set_nomemory(allocation, allocation + 1)
                    try:
                        function(*arguments)
                    finally:
                        _testcapi.remove_mem_hooks()

    assert drift(fail, held.all()) < 20


def text_column(ids):
    encoded = [name.encode() for name in ids]
    length = np.array([*map(len, encoded)], np.int64)
    return raw(b"".join(encoded)), np.cumsum(length) - length, length


def coded_column(ids):
    names = sorted({*ids, "not used"})
    return codes(*map(names.index, ids)), objects(names)


RAW = {
    "objects": lambda ids: (objects(ids),),
    "subclasses of str": lambda ids: (objects([*map(Text, ids)]),),
    "text": text_column,
    "codes": coded_column,
}


@pytest.mark.parametrize("form", RAW)
@given(st.lists(st.one_of(st.sampled_from([*IDS, *NASTY_IDS[:-2]]), st.text(max_size=20))))
def test_identifiers_are_numbered_as_by_a_dict(form, ids):
    code, names = core.number(RAW[form](ids))
    assert names == [*dict.fromkeys(ids)]
    assert {*map(type, names)} <= {str}
    assert [names[number] for number in code] == ids


def test_identifiers_whose_hashes_collide_have_numbers_of_their_own():
    code, names = native.number(NO_SECRETS, (objects(COLLIDING * 2),))
    assert names == COLLIDING
    assert np.frombuffer(code, np.int32).tolist() == [*range(6)] * 2


NO_TEXTS = [
    *(None, 5, "q Q0 a 0 1 t", [LINE], np.frombuffer(LINE, np.int8), np.zeros(8)),
    *(raw(LINE * 2)[::2], raw(LINE).reshape(1, -1)),
]


@pytest.mark.parametrize("text", NO_TEXTS, ids=repr)
def test_what_is_no_text_is_declined(text):
    assert native.read_lines(SECRETS, text, 6) is None
    assert native.rank_lines(index_of(["a"]), text, 6, asked_of(1)) is None
    assert native.split_csv(text, ord(","), 1) is None


@pytest.mark.parametrize("width", [0, -1, 1, 2, 5, 7, 300, 2**31 - 1, -(2**31)])
def test_other_numbers_of_columns_are_declined(width):
    assert native.read_lines(SECRETS, LINE, width) is None
    assert native.rank_lines(index_of(["a"]), LINE, width, asked_of(1)) is None
    assert native.split_csv(b"1,2,3,4\n", ord(","), width) is None


@pytest.mark.parametrize("delimiter", [0, -1, 300, ord('"'), ord(";"), 2**31 - 1])
def test_cells_with_another_delimiter_are_declined(delimiter):
    assert native.split_csv(b"1,2\n", delimiter, 2) is None


def check_csv(text, delimiter, width):
    """Whether the core splits csv; what it splits must be what Python's csv splits."""
    columns = core.split_csv(text, delimiter, width)
    if columns is not None:
        rows = _csv_rows(Path("table"), [text], delimiter, width, 0)
        assert [*enumerate(map(list, zip(*columns, strict=True)), 1)] == [*rows]
    return columns is not None


PLAIN_CELLS = ["a", " a ", '"a"', '" a, b;"', "1.5", "'", "\x7f", "", " ", '""', "x" * 100]
ODD_CELLS = ["é", '"a""b"', '"a"b', '"a" ', 'a"', ' "a"', '"', "\t", "a\r", '"a\nb"', "\0", "\x1c"]


@given(st.data())
def test_csv_is_split_as_python_splits_it_or_declined(data):
    cells = PLAIN_CELLS + data.draw(st.sampled_from([[], [], ODD_CELLS]))
    delimiter, width = data.draw(st.sampled_from(",;\t")), data.draw(st.integers(1, 4))
    row = st.lists(st.sampled_from(cells), min_size=width, max_size=width)
    rows = data.draw(st.lists(row, min_size=1))
    text = "\n".join(map(delimiter.join, rows)) + data.draw(st.sampled_from(["", "\n"]))
    is_plain = cells == PLAIN_CELLS and all(row[0].strip(' "') for row in rows)
    assert check_csv(text, delimiter, width) or not is_plain


def test_a_cell_of_csv_is_as_long_as_python_allows():
    longest = "x" * csv.field_size_limit()
    assert check_csv(f'a,{longest}\n"{longest}",b\n', ",", 2)
    assert not check_csv(f"a,{longest}x\n", ",", 2)


@pytest.mark.slow
def test_a_million_rows_are_numbered_read_and_split():
    docs = [f"d{number % 400_000}" for number in range(10**6)]
    code, names = core.number((objects(docs),))
    assert names == docs[:400_000]
    assert np.array_equal(code, np.arange(10**6) % 400_000)
    rows = core.read_lines(
        core.Text(bytearray("".join(f"q 0 {doc} 1\n" for doc in docs).encode()), 4)
    )
    assert (rows.queries, rows.docs) == (["q"], names)
    assert np.array_equal(rows.doc, code)
    assert np.array_equal(rows.line, np.arange(10**6) + 1)
    assert core.split_csv("".join(f"q,{doc}\n" for doc in docs), ",", 2) == (["q"] * 10**6, docs)


@pytest.mark.slow
def test_a_text_that_changes_meanwhile_does_no_harm():
    good = b"".join(b"q%d Q0 d\xc3\xa9%d 0 1.25 t\n" % (row // 99, row) for row in range(9999))
    text, rng, done = bytearray(good), random.Random(0), Event()
    index = index_of([f"dé{row}" for row in range(99)])

    def change():
        while not done.is_set():
            text[:] = good
            for _ in range(9):
                at = rng.randrange(len(text) - 8)
                text[at : at + 8] = rng.randbytes(8)

    with ThreadPoolExecutor(1) as pool:
        changing = pool.submit(change)
        for _ in range(200):
            core.rank(index, core.Text(text, 6), (1, 99), (10,), True)
            rows = core.read_lines(core.Text(text, 6))
            if rows is not None:
                assert rows.doc.max() == len(rows.docs) - 1
        done.set()
        changing.result()
