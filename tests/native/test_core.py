"""The native core by itself: wrong buffers, collisions, ties, threads, and reference counts."""

import gzip
import random
import sys
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

import irx_measures
from irx_measures.io import native
from irx_measures.io.containers import qrels_table
from irx_measures.io.trec import read_run
from irx_measures.judgments.judged_run import judge
from irx_measures.judgments.judgments import Judgments

from .hostile import check, outcome

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
    answers = native._native.rank_dict(index, run, rank, returned)
    assert answers in (True, None)
    return rank.tolist() if answers else None


def columns_of(run):
    docs = np.array(list(run), object)
    scores = np.array(list(run.values()), np.float64)
    return (np.full(len(docs), "q", object),), None, (docs,), scores


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
    columns = *columns_of(run), rank, returned, np.zeros(1, np.int64)
    assert native._native.rank_columns(index, *columns) is None
    assert ranks(index, {"q": run}, 4) == [0, 0, 2, 1]
    other = index_of(COLLIDING[:4])
    assert native._native.rank_columns(other, *columns) is True
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


def test_a_second_stretch_of_a_query_is_declined_and_a_split_stretch_is_one():
    index = index_of(["a", "b"])
    docs, scores = np.array(["a", "c", "b"], object), np.array([3.0, 2.0, 1.0])
    for names, expected in (("qqq", [1, 3]), ("qxq", None), ("xxx", [0, 0]), ("qqx", [1, 0])):
        query = (np.array([*names], object),)
        for lengths in (None, np.ones(3, np.int64)):
            rank, returned, first = (np.zeros(2, np.int32), *np.zeros((2, 1), np.int64))
            answers = native._native.rank_columns(
                index, query, lengths, (docs,), scores, rank, returned, first
            )
            assert (rank.tolist() if answers else None) == expected


@pytest.mark.parametrize("secrets", [b"", b"x", bytes(15), bytes(17)])
def test_secrets_of_another_length_are_declined(secrets):
    assert index_of(["a"], secrets) is None


def good_columns():
    text = np.frombuffer(b"qabc" + bytes(8), np.uint8)
    query = text, np.zeros(3, np.int64), np.ones(3, np.int64)
    docs = text, np.arange(1, 4), np.ones(3, np.int64)
    results = np.zeros(2, np.int32), np.zeros(1, np.int64), np.zeros(1, np.int64)
    return [query, None, docs, np.arange(3.0), *results]


def changed(column, place, value):
    return (*column[:place], value, *column[place + 1 :])


GOOD = good_columns()
DOCS = GOOD[2]
BAD_COLUMNS = {
    "text of signed bytes": (2, changed(DOCS, 0, DOCS[0].view(np.int8))),
    "text cut": (2, changed(DOCS, 0, DOCS[0][:3])),
    "text not contiguous": (2, changed(DOCS, 0, DOCS[0][::2])),
    "no text": (2, changed(DOCS, 0, DOCS[0][:0])),
    "first is negative": (2, changed(DOCS, 1, np.array([-1, 2, 3]))),
    "first is too high": (2, changed(DOCS, 1, np.array([1, 2, 13]))),
    "first overflows": (2, changed(DOCS, 1, np.array([1, 2, 2**63 - 1]))),
    "first is float": (2, changed(DOCS, 1, np.arange(1.0, 4))),
    "first is short": (2, changed(DOCS, 1, np.arange(1, 3))),
    "first is of another byte order": (2, changed(DOCS, 1, np.arange(1, 4).astype(">i8"))),
    "first is of two dimensions": (2, changed(DOCS, 1, np.ones((3, 1), np.int64))),
    "length is negative": (2, changed(DOCS, 2, np.array([1, 1, -1]))),
    "length is too high": (2, changed(DOCS, 2, np.array([1, 1, 10]))),
    "length overflows": (2, changed(DOCS, 2, np.array([1, 1, 2**63 - 1]))),
    "not UTF-8": (2, (np.frombuffer(b"qab\xff", np.uint8), *DOCS[1:])),
    "a surrogate": (
        2,
        (np.frombuffer(b"a\xed\xa0\x80", np.uint8), np.array([0, 1, 0]), np.array([1, 3, 0])),
    ),
    "overlong": (
        2,
        (np.frombuffer(b"ab\xc1\x80", np.uint8), np.array([0, 1, 2]), np.array([1, 1, 2])),
    ),
    "cut within a letter": (
        2,
        (np.frombuffer(b"ab\xc3\xa9", np.uint8), np.arange(3), np.ones(3, int)),
    ),
    "no tuple": (2, DOCS[0]),
    "an empty tuple": (2, ()),
    "objects that are bytes": (2, (np.array([b"a", b"b", b"c"], object),)),
    "objects that are None": (2, (np.array([None] * 3, object),)),
    "numbers as objects": (2, (np.arange(3),)),
    "a code too high": (2, (np.array([0, 1, 2]), (np.array(["a", "b"], object),))),
    "a code below zero": (2, (np.array([0, 1, -1]), (np.array(["a", "b"], object),))),
    "categories of categories": (2, (np.arange(3), (np.arange(3), (np.array([*"abc"], object),)))),
    "lengths for another query column": (1, np.ones(2, np.int64)),
    "negative lengths": (1, np.array([1, -1, 3])),
    "lengths that overflow": (1, np.array([2**63 - 1, 2**63 - 1, 5])),
    "lengths of more rows": (1, np.array([1, 1, 2])),
    "scores of 32 bits": (3, np.arange(3, dtype=np.float32)),
    "too few scores": (3, np.arange(2.0)),
    "scores not contiguous": (3, np.arange(6.0)[::2]),
    "scores are a list": (3, [1.0, 2.0, 3.0]),
    "a score of NaN": (3, np.array([1.0, np.nan, 2.0])),
    "ranks too few": (4, np.zeros(1, np.int32)),
    "ranks too many": (4, np.zeros(3, np.int32)),
    "ranks of 64 bits": (4, np.zeros(2, np.int64)),
    "ranks not writable": (4, np.frombuffer(bytes(8), np.int32)),
    "returned too few": (5, np.zeros(0, np.int64)),
    "returned not writable": (5, np.frombuffer(bytes(8), np.int64)),
    "first rows too few": (6, np.zeros(0, np.int64)),
    "first rows not writable": (6, np.frombuffer(bytes(8), np.int64)),
}


def test_good_buffers_are_answered():
    columns = good_columns()
    assert native._native.rank_columns(index_of(["a", "c"]), *columns) is True
    assert columns[4].tolist() == [3, 1]
    assert columns[5].tolist() == [3]


def test_the_first_row_of_a_query_is_that_of_its_first_document():
    docs = (np.array([*"abc"], object),)
    columns = (np.array([*"xqq"], object),), None, docs, np.arange(3.0)
    first = np.full(1, 7)
    results = np.zeros(2, np.int32), np.zeros(1, np.int64), first
    assert native._native.rank_columns(index_of(["a", "c"]), *columns, *results)
    assert first.tolist() == [1]


@pytest.mark.parametrize("name", BAD_COLUMNS)
def test_bad_buffers_are_declined(name):
    place, bad = BAD_COLUMNS[name]
    columns = good_columns()
    columns[place] = bad
    assert native._native.rank_columns(index_of(["a", "c"]), *columns) is None


def top(of, starts, run=None, rows=None, first=0, returned=3):
    """The rows of the highest ranks of query q, or of a dict the documents."""
    empty = np.zeros(3, np.int64) if run is None else np.empty(3, object)
    rows = empty if rows is None else rows
    starts = np.array(starts, np.int64)
    if run is not None:
        answers = native._native.top_of_dict(of, run, rows, starts)
    else:
        docs, scores = good_columns()[2:4]
        places = np.array([[first], [returned]], np.int64)
        answers = native._native.top_of_columns(of, docs, scores, *places, rows, starts)
    assert answers in (True, None)
    return rows.tolist() if answers else None


TIED = {"x": {"c": 5.0}, "q": {"b": 1, "d": 2.0, "a": -0.0, "c": 2.0, "e": 0.0}}


def test_the_highest_ranks_are_those_of_trec_eval():
    index = index_of(["a"])
    assert top(index, [0, 3]) == [2, 1, 0]
    assert top(index, [1, 2]) == [0, 2, 0]
    assert top(index, [0, 2], first=0, returned=2) == [1, 0, 0]
    assert top(index, [0, 1], first=1, returned=1) == [1, 0, 0]
    assert top(index, [0, 3], TIED) == ["d", "c", "b"]
    assert top(index, [0, 5], TIED, np.empty(5, object)) == ["d", "c", "b", "e", "a"]
    assert top(index, [0, 0], TIED) == [None] * 3


@pytest.mark.parametrize(
    "starts", [[0], [0, 1, 1], [], [-1, 1], [1, 0], [0, 4], [4, 4 + 2**40], [-(2**63), 2**63 - 1]]
)
@pytest.mark.parametrize("run", [None, TIED])
def test_bad_places_of_highest_ranks_are_declined(starts, run):
    assert top(index_of(["a"]), starts, run) is None


def test_more_highest_ranks_than_documents_are_declined():
    index = index_of(["a"])
    assert top(index, [0, 6], None, np.zeros(6, np.int64)) is None
    for run in (TIED, {"q": {}}):
        assert top(index, [0, 6], run, np.empty(6, object)) is None
    for docs in (np.zeros(3, np.int64), np.array([[], {}, ()], dtype=object), None):
        assert native._native.top_of_dict(index, TIED, docs, np.array([0, 3])) is None
    assert top(index, [0, 2], {"q": {"a": 1.0, "b": np.nan}}) is None
    assert top(index, [0, 2], {"q": {"a": 1.0, "b": None}}) is None
    assert top(index, [0, 2], {"q": {"a": 1.0, 5: 1.0}}) is None
    assert top(index, [0, 1], {"q": [1]}) is None
    assert top(object(), [0, 1]) is None


@pytest.mark.parametrize(
    ("first", "returned"),
    [(-1, 1), (3, 1), (0, 4), (1, 3), (0, -1), (2**62, 2**62)],
)
def test_rows_beyond_the_columns_are_declined(first, returned):
    assert top(index_of(["a"]), [0, 1], first=first, returned=returned) is None


def arrays(docs=2, values=2):
    return np.empty(docs, object), np.zeros(values)


def test_a_dict_becomes_columns():
    docs, values = arrays(3, 3)
    nested = {"q": {"b": 1, "a": 0.5}, "x": {}, "y": {"\ud800": -0.0}}
    assert native._native.read_dict(nested, docs, values)
    assert docs.tolist() == ["b", "a", "\ud800"]
    assert values.tolist() == [1, 0.5, 0]


@pytest.mark.parametrize(
    "nested",
    [
        {"q": {"a": 1.0}},
        {"q": {"a": 1.0, "b": 2.0, "c": 3.0}},
        {"q": {"a": 1.0, "b": True}},
        {"q": {"a": 1.0, "b": np.float64(2)}},
        {"q": {"a": 1.0, "b": 2**2000}},
        {"q": {"a": 1.0, "b": "2"}},
        {"q": {"a": 1.0, 5: 2.0}},
        {"q": {"a": 1.0, np.str_("b"): 2.0}},
        {"q": ["a", "b"]},
        [("a", "b")],
    ],
)
def test_irregular_dicts_are_declined(nested):
    assert native._native.read_dict(nested, *arrays()) is None


def test_arrays_that_do_not_fit_a_dict_are_declined():
    nested = {"q": {"a": 1.0, "b": 2.0}}
    full = np.array([[], {}], object)
    frozen = np.empty(2, object)
    frozen.flags.writeable = False
    short = np.zeros(2, np.float32)
    for docs, values in (
        *(arrays(2, 3), arrays(3, 2), arrays(3, 3), arrays(0, 0)),
        *((full, np.zeros(2)), (frozen, np.zeros(2)), (np.zeros(2), np.zeros(2))),
        *((np.empty(2, object), short), (np.empty(4, object)[::2], np.zeros(2)), (None, None)),
    ):
        assert native._native.read_dict(nested, docs, values) is None
    assert full.tolist() == [[], {}]


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
    columns = (np.full(10, "q", object),), None, (np.array(docs, object),), np.arange(10.0)
    results = np.zeros(5, np.int32), np.zeros(1, np.int64)
    first = np.zeros(1, np.int64)
    tops = np.zeros(10, np.int64), np.array([0, 10])
    held = [*docs, run, run["q"], True, None, judgments.native_index, *results, columns[2][0]]

    def call():
        for _ in range(100):
            assert native._native.rank_dict(judgments.native_index, run, *results)
            assert native._native.read_dict(run, np.empty(10, object), np.zeros(10))
            assert native._native.read_dict({"q": {**run["q"], 5: 1.0}}, *arrays(11, 11)) is None
            docs_at_top = np.empty(10, object)
            assert native._native.top_of_dict(judgments.native_index, run, docs_at_top, tops[1])
            found = *columns[2:], first, results[1]
            assert native._native.top_of_columns(judgments.native_index, *found, *tops)
            ranked = native._native.rank_columns
            assert ranked(judgments.native_index, *columns, *results, first)
            assert ranked(judgments.native_index, *columns[:3], None, *results, first) is None
            assert (
                native._native.rank_dict(judgments.native_index, {"q": {5: 1.0}}, *results) is None
            )

    call()
    before = [*map(sys.getrefcount, held)]
    call()
    after = [*map(sys.getrefcount, held)]
    assert max(abs(a - b) for a, b in zip(before, after, strict=True)) < 50


def test_a_packed_file_is_answered_and_columns_are_made_where_a_measure_needs_them(tmp_path):
    path = tmp_path / "run.gz"
    path.write_bytes(gzip.compress(b"q Q0 b 1 2 t\nq Q0 a 1 3 t\nq Q0 c 1 1 t\n"))
    judgments = Judgments(qrels_table({"q": {"b": 1}}))
    judged = judge(judgments, read_run(path, lazy=True))
    assert "in_python" not in vars(judged._ranked)
    assert judged.rank.tolist() == [[2]]
    assert judged.top_documents(2) == [["a", "b"]]
    assert judged.scores(None).tolist() == [[3, 2, 1]]


@pytest.mark.slow
@pytest.mark.parametrize("files", [False, True])
def test_measures_score_the_same_without_the_core(files, tmp_path, monkeypatch):
    campaign = irx_measures.simulate_campaign(queries=5, seed=1)
    campaign.write(tmp_path)
    runs = str(tmp_path / "runs" / "*.run.gz") if files else campaign.runs
    measures = ["NRG(prior=others)@10", "AP_Rareness(systems=others)@10", "BootNDCG@10", "RBPBound"]
    with_core = irx_measures.evaluate(runs, campaign.qrels, measures)
    monkeypatch.setattr(native, "find_ranks", lambda *of: False)
    assert np.array_equal(
        irx_measures.evaluate(runs, campaign.qrels, measures).scores, with_core.scores
    )


@pytest.mark.parametrize(
    ("measure", "lazy"), [("nDCG@10", [True] * 4), ("RR@10", [True, False, False, False])]
)
def test_files_are_read_as_rows_once_a_measure_needed_them(measure, lazy, tmp_path, monkeypatch):
    for name in "abcd":
        (tmp_path / f"{name}.run").write_text("q Q0 A 0 2.0 t\nq Q0 B 0 1.0 t\n")
    runs = irx_measures.RunSet(str(tmp_path / "*.run"))
    asked, columns = [], irx_measures.RunSet.columns

    def watched(self, position, lazy):
        asked.append(lazy)
        return columns(self, position, lazy)

    monkeypatch.setattr(irx_measures.RunSet, "columns", watched)
    irx_measures.evaluate(runs, {"q": {"A": 1, "C": 0}}, measure)
    assert asked == lazy
