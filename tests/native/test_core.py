"""The native core by itself: wrong buffers, collisions, ties, threads, and reference counts."""

import random
import sys
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from irx_measures.io import native
from irx_measures.io.containers import qrels_table
from irx_measures.judgments.judgments import Judgments
from tests.console import python

from .hostile import check, outcome

NUMBERS = native.NUMBERS

QUERIES = np.array(["q"], object)
SECRETS = bytes(range(100, 116))
NO_SECRETS = bytes(16)
# With secrets of zeros, all identifiers of 16 bytes that end in eight zeros have the same hash.
COLLIDING = [f"{number:08d}" + "\0" * 8 for number in range(6)]


def index_of(docs, secrets=SECRETS):
    numbers = np.arange(len(docs))
    docs = np.array(docs, object)
    zeros = np.zeros(len(docs), np.int64)
    return native._native.make_index(secrets, (QUERIES,), (docs,), zeros, numbers, len(docs))


def ranks(index, run, cells):
    rank, returned = np.zeros(cells, np.int32), np.zeros(1, np.int64)
    answers = native._native.rank_dict(index, run, (), rank, returned, (), False)
    return None if answers is None else rank.tolist()


def columns_of(run):
    docs = np.array(list(run), object)
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
    rank, returned = np.zeros(4, np.int32), np.zeros(1, np.int64)
    columns = *columns_of(run), rank, returned, (), False
    assert native._native.rank_columns(index, *columns) is None
    assert ranks(index, {"q": run}, 4) == [0, 0, 2, 1]
    other = index_of(COLLIDING[:4])
    assert native._native.rank_columns(other, *columns)[0] == 1  # the tied query
    assert rank.tolist() == [0, 0, 2, 1]


def test_each_index_has_secrets_of_its_own(monkeypatch):
    secrets = []
    real = native._native.make_index

    class Recorded:
        @staticmethod
        def make_index(secret, *rest):
            secrets.append(secret)
            return real(secret, *rest)

    monkeypatch.setattr(native, "_native", Recorded)
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
    text = "".join(f"{q} Q0 {doc} 0 {score} t\n" for q in run for doc, score in run[q].items())
    (tmp_path / "run.txt").write_text(text)
    assert check(judgments, tmp_path / "run.txt")
    places = [np.array([-score for score in of.values()]) for of in run.values()]
    tops = [[np.sum(of == place) > 1 for place in of[:10]] for of in places]
    assert outcome(judgments, run)[2][0] == sum(2 * sum(top) > len(top) for top in tops)


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
    docs, scores = np.array(["a", "c", "b"], object), np.array([3.0, 2.0, 1.0])
    for names, expected in (("qqq", [1, 3]), ("qxq", [1, 2]), ("xxx", [0, 0]), ("qqx", [1, 0])):
        query = (np.array([*names], object),)
        rank, returned = np.zeros(2, np.int32), np.zeros(1, np.int64)
        answers = native._native.rank_columns(
            index, query, (docs,), scores, rank, returned, (), False
        )
        assert (None if answers is None else rank.tolist()) == expected


@pytest.mark.parametrize("secrets", [b"", b"x", bytes(15), bytes(17)])
def test_secrets_of_another_length_are_declined(secrets):
    assert index_of(["a"], secrets) is None


def good_columns():
    text = np.frombuffer(b"qabc" + bytes(8), np.uint8)
    query = text, np.zeros(3, np.int64), np.ones(3, np.int64)
    docs = text, np.arange(1, 4), np.ones(3, np.int64)
    results = np.zeros(2, np.int32), np.zeros(1, np.int64)
    return [query, docs, np.arange(3.0), *results, (1, 5), True]


def changed(column, place, value):
    return (*column[:place], value, *column[place + 1 :])


GOOD = good_columns()
DOCS = GOOD[1]
MANY = (np.array(["a", "b", "c", "d"], object),)  # more than there are rows
BAD_COLUMNS = {
    "text of signed bytes": (1, changed(DOCS, 0, DOCS[0].view(np.int8))),
    "text cut": (1, changed(DOCS, 0, DOCS[0][:3])),
    "text not contiguous": (1, changed(DOCS, 0, DOCS[0][::2])),
    "no text": (1, changed(DOCS, 0, DOCS[0][:0])),
    "first is negative": (1, changed(DOCS, 1, np.array([-1, 2, 3]))),
    "first is too high": (1, changed(DOCS, 1, np.array([1, 2, 13]))),
    "first overflows": (1, changed(DOCS, 1, np.array([1, 2, 2**63 - 1]))),
    "first is float": (1, changed(DOCS, 1, np.arange(1.0, 4))),
    "first is short": (1, changed(DOCS, 1, np.arange(1, 3))),
    "first is of another byte order": (1, changed(DOCS, 1, np.arange(1, 4).astype(">i8"))),
    "first is of two dimensions": (1, changed(DOCS, 1, np.ones((3, 1), np.int64))),
    "length is negative": (1, changed(DOCS, 2, np.array([1, 1, -1]))),
    "length is too high": (1, changed(DOCS, 2, np.array([1, 1, 10]))),
    "length overflows": (1, changed(DOCS, 2, np.array([1, 1, 2**63 - 1]))),
    "not UTF-8": (1, (np.frombuffer(b"qab\xff", np.uint8), *DOCS[1:])),
    "a surrogate": (
        1,
        (np.frombuffer(b"a\xed\xa0\x80", np.uint8), np.array([0, 1, 0]), np.array([1, 3, 0])),
    ),
    "overlong": (
        1,
        (np.frombuffer(b"ab\xc1\x80", np.uint8), np.array([0, 1, 2]), np.array([1, 1, 2])),
    ),
    "cut within a letter": (
        1,
        (np.frombuffer(b"ab\xc3\xa9", np.uint8), np.arange(3), np.ones(3, int)),
    ),
    "no tuple": (1, DOCS[0]),
    "an empty tuple": (1, ()),
    "objects that are bytes": (1, (np.array([b"a", b"b", b"c"], object),)),
    "objects that are None": (1, (np.array([None] * 3, object),)),
    "numbers as objects": (1, (np.arange(3),)),
    "codes of no column": (1, (np.arange(3), ())),
    "codes of codes": (1, (np.arange(3), (np.arange(3), DOCS))),
    "a code that is too high": (1, (np.array([0, 1, 3]), DOCS)),
    "a code that is negative": (1, (np.array([0, 1, -1]), DOCS)),
    "a code that is too high for many": (1, (np.array([0, 1, 4]), MANY)),
    "a code that is negative for many": (1, (np.array([0, 1, -1]), MANY)),
    "codes that are floats": (1, (np.arange(3.0), DOCS)),
    "too few codes": (1, (np.arange(2), DOCS)),
    "scores of 32 bits": (2, np.arange(3, dtype=np.float32)),
    "too few scores": (2, np.arange(2.0)),
    "scores not contiguous": (2, np.arange(6.0)[::2]),
    "scores are a list": (2, [1.0, 2.0, 3.0]),
    "a score of NaN": (2, np.array([1.0, np.nan, 2.0])),
    "ranks too few": (3, np.zeros(1, np.int32)),
    "ranks too many": (3, np.zeros(3, np.int32)),
    "ranks of 64 bits": (3, np.zeros(2, np.int64)),
    "ranks not writable": (3, np.frombuffer(bytes(8), np.int32)),
    "returned too few": (4, np.zeros(0, np.int64)),
    "returned not writable": (4, np.frombuffer(bytes(8), np.int64)),
    "depths are a list": (5, [1]),
    "a depth is negative": (5, (-1,)),
    "a depth is no number": (5, ("1",)),
    "a depth is too high": (5, (1 << 70,)),
}


def test_good_buffers_are_answered():
    columns = good_columns()
    answer = native._native.rank_columns(index_of(["a", "c"]), *columns)
    tied, own, rounded, ties, tops, scores = answer
    assert (tied, own, rounded, ties) == (0, 0, False, (b"", b"", b""))
    assert scores == np.array([2, 1, 0], np.float32).tobytes()
    assert tops == (np.array([1]).tobytes() + b"c", np.array([1, 1, 1]).tobytes() + b"cba")
    assert [*map(np.ndarray.tolist, columns[3:5])] == [[3, 1], [3]]
    coded = good_columns()
    coded[1] = np.array([2, 0, 1], np.int32), coded[1]
    assert native._native.rank_columns(index_of(["a", "c"]), *coded)[0] == 0
    assert coded[3].tolist() == [2, 3]


@pytest.mark.parametrize("distinct", [DOCS, (np.array(["b", "x", "c", "y", "a"], object),)])
def test_codes_are_of_columns_that_may_have_more_distinct_ids_than_rows(distinct):
    code = np.array([4, 0, 2]) if len(distinct) == 1 else np.arange(3)
    columns = good_columns()
    columns[1] = code, distinct
    assert native._native.rank_columns(index_of(["a", "c"]), *columns)[0] == 0
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
@pytest.mark.parametrize("interface", [None, native.INTERFACE + 1])
def test_a_core_of_other_sources_is_told_and_python_ranks(interface):
    done = python("-c", STALE.format(interface=interface))
    assert done.stdout == "[[[0.5]]]\n"
    assert done.stderr.count("RuntimeWarning") == 1
    assert "the native core was built from other sources, and is not used (old.so)" in done.stderr
    assert "`python native/build.py` in the source folder builds it anew" in done.stderr


@pytest.mark.parametrize("name", BAD_COLUMNS)
def test_bad_buffers_are_declined(name):
    place, value = BAD_COLUMNS[name]
    columns = good_columns()
    columns[place] = value
    assert native._native.rank_columns(index_of(["a", "c"]), *columns) is None


def test_another_object_than_an_index_is_declined():
    assert native._native.rank_columns(object(), *good_columns()) is None


@pytest.mark.parametrize(
    "judgment",
    [
        (np.array([1]), np.array([0]), 1),  # a query that is not there
        (np.array([-1]), np.array([0]), 1),
        (np.array([0]), np.array([1]), 1),  # a cell that is not there
        (np.array([0]), np.array([-1]), 1),
        (np.array([0, 0]), np.array([0]), 1),
        (np.array([0]), np.array([0]), -1),
    ],
)
def test_bad_judgments_are_declined(judgment):
    docs = (np.array(["a"], object),)
    assert native._native.make_index(SECRETS, (QUERIES,), docs, *judgment) is None


@pytest.mark.slow
def test_threads_share_an_index(tmp_path):
    rng = random.Random(0)
    docs = [f"d{number}" for number in range(3000)]
    judgments = Judgments(qrels_table({q: dict.fromkeys(docs[::7], 1) for q in "abc"}))
    run = {q: {doc: rng.choice([rng.random(), 0.5]) for doc in docs} for q in "abc"}
    text = "".join(f"{q} Q0 {doc} 0 {score} t\n" for q in run for doc, score in run[q].items())
    (tmp_path / "run.txt").write_text(text)
    expected = outcome(judgments, run)
    with ThreadPoolExecutor(8) as pool:
        sources = [run, tmp_path / "run.txt"] * 20
        assert all(got == expected for got in pool.map(lambda of: outcome(judgments, of), sources))


def test_no_reference_is_kept_or_lost():
    docs = [f"d{number}" for number in range(10)]
    run = {"q": dict.fromkeys(docs, 1.0)}
    judgments = Judgments(qrels_table({"q": dict.fromkeys(docs[:5], 1)}))
    columns = (np.full(10, "q", object),), (np.array(docs, object),), np.arange(10.0)
    results = np.zeros(5, np.int32), np.zeros(1, np.int64)
    held = [*docs, run, run["q"], judgments.native_index, *results, columns[1][0]]
    held += [True, None] if sys.version_info < (3, 12) else []  # since then they have no count

    def call():
        core, index = native._native, judgments.native_index
        for _ in range(100):
            assert core.rank_dict(index, run, NUMBERS, *results, (3,), True)[0] == 1
            assert core.rank_dict(index, {"q": docs}, (), *results, (3,), True)[0] == 0
            assert core.rank_dict(index, {"q": {"a": np.float32(1)}}, NUMBERS, *results, (), False)
            assert core.rank_columns(index, *columns, *results, (3,), True)[0] == 0
            assert core.rank_columns(index, *columns[:2], None, *results, (), False) is None
            assert core.rank_dict(index, {"q": {5: 1.0}}, (), *results, (), False) is None

    call()
    before = [*map(sys.getrefcount, held)]
    call()
    after = [*map(sys.getrefcount, held)]
    assert max(abs(a - b) for a, b in zip(before, after, strict=True)) < 50
