"""Untrusted files and strings, concurrent and repeated evaluations, large queries."""

import gzip
import resource
import time
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from functools import partial
from multiprocessing import get_context

import numpy as np
import pandas as pd
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from numpy.testing import assert_array_equal

from irx_measures import RunSet, evaluate, parse_measure, read_letor, simulate_campaign
from irx_measures.io.groups import read_groups
from irx_measures.io.trec import read_qrels, read_run
from irx_measures.measures.catalogue import catalogue
from tests.doubts import ANY_DOUBT

pytestmark = ANY_DOUBT

# Files

READERS = {
    "run": read_run,
    "qrels": read_qrels,
    "letor": read_letor,
    "groups": read_groups,
    "csv": partial(read_run, form="csv"),
    "jsonl": partial(read_run, form="jsonl"),
}
LINES = {
    "run": b"q1 Q0 d1 1 2.5 tag\n",
    "qrels": b"q1 0 d1 1\n",
    "letor": b"1 qid:1 1:0.5 #docid = d1\n",
    "groups": b"run,group\na,A\n",
    "csv": b"qid,docno,score\nq1,d1,2.5\n",
    "jsonl": b'{"qid": "q1", "docno": "d1", "score": 2.5}\n',
}
TOKENS = [b"q1", b" ", b"\t", b"\n", b"\r\n", b"0", b"1e999", b"nan", b"-1", b"qid:1", b"1:", b",",
          b"#", b'"', b"\xef\xbb\xbf", b"\xff", b"\0", b"\xe2\x80\xa8", b"run,group"]  # fmt: skip
hostile = st.binary(max_size=80) | st.lists(st.sampled_from(TOKENS), max_size=30).map(b"".join)


@pytest.mark.parametrize("kind", READERS)
@given(content=hostile, after=st.booleans(), packed=st.sampled_from(["", "whole", "cut"]))
def test_no_file_crashes_a_reader(kind, content, after, packed, tmp_path_factory):
    """Reading any file returns values, or raises one error that names the file."""
    folder = tmp_path_factory.getbasetemp()
    written = LINES[kind] + content if after else content
    path = folder / f"hostile-{kind}{'.gz' if packed else ''}"
    if packed:
        written = gzip.compress(written, mtime=0)
    path.write_bytes(written[:-9] if packed == "cut" else written)
    try:
        told = "" if READERS[kind](path) is not None else "nothing"
    except ValueError as error:
        told = str(error)
    assert not told or str(path) in told
    assert len(told) < 500 + len(str(path))


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["run", "qrels"])
def test_a_line_of_many_megabytes_is_told_briefly(kind, tmp_path):
    path = tmp_path / "long"
    path.write_bytes(LINES[kind] + b"x" * 100_000_000 + b"\n")
    with pytest.raises(ValueError, match=r"long:2: a line must have at most 1048576 ") as told:
        READERS[kind](path)
    assert len(str(told.value)) < 500


# Strings

SIGNS = list("()[]{}@=,+-*.;'\"#\\\n\0 \u00e9")
WORDS = ["NRG", "nDCG", "BootNDCG", "UE", "10", "prior", "others", "pool", "lambda", "if", ":=",
         "__import__('os')", "1e9", "9" * 30, "None", *SIGNS]  # fmt: skip
strings = st.text(max_size=60) | st.lists(st.sampled_from(WORDS), max_size=25).map("".join)


@given(strings)
@example("NRG(prior=" + "(" * 3000)
@example("NRG(prior=" + "-" * 4000 + "1)")
@example("NRG(prior=" + "a+" * 1500 + "a)@10")
@example("NRG(prior=[" * 300)
@example("9" * 4090)
@example("NRG@" + "9" * 4000)
def test_no_string_crashes_the_parser(text):
    """Any string gives a measure or one short error. No code is executed and no file read."""
    try:
        measure = parse_measure(text, allow_files=False)
    except (ValueError, NameError) as error:
        measure = None
        assert str(error)  # noqa: PT017
    assert measure is None or parse_measure(str(measure)) == measure


@pytest.mark.parametrize(
    "pattern", ["NRG(prior={})@10", "{}", "NRG@{}", "NRG(prior='{}')@10", "NRG({})"]
)
def test_long_strings_take_no_longer_than_their_length(pattern):
    for part in ("a+", "(", "[", "-", "'", "1", "@", "a=1,", "{'a':"):
        text = pattern.format(part * 100_000)
        start = time.perf_counter()
        with pytest.raises((ValueError, NameError)):
            parse_measure(text)
        # A generous limit: at most 4096 characters are read, which takes some milliseconds.
        assert time.perf_counter() - start < 5


# Concurrent and repeated evaluations

CAMPAIGN = simulate_campaign(systems=4, queries=6, depth=30, seed=5)
MEASURES = [
    *(measure @ 5 for measure in catalogue.values()),
    "NRG(prior=others, select=best-per-group)@10",
    "P_Rareness(systems=others)@10",
    "nDCG@10",
]


def scores(runset):
    return evaluate(runset, CAMPAIGN.qrels, MEASURES, progress=False).scores


def scores_of_runs(_):
    return evaluate(CAMPAIGN.runs, CAMPAIGN.qrels, MEASURES, CAMPAIGN.groups, progress=False).scores


@pytest.mark.slow
def test_threads_share_sets_of_runs_and_get_the_same_numbers():
    runset = RunSet(CAMPAIGN.runs, groups=CAMPAIGN.groups)
    expected = scores(RunSet(CAMPAIGN.runs, groups=CAMPAIGN.groups))
    with ThreadPoolExecutor(8) as pool:
        for got in pool.map(scores, [runset] * 40):
            assert_array_equal(got, expected)


@pytest.mark.slow
def test_processes_get_the_same_numbers():
    expected = scores_of_runs(None)
    with ProcessPoolExecutor(2, mp_context=get_context("spawn")) as pool:
        for got in pool.map(scores_of_runs, range(4)):
            assert_array_equal(got, expected)


@pytest.mark.slow
def test_hundreds_of_evaluations_leave_memory_flat():
    qrels = {"q1": {"A": 1, "B": 0}, "q2": {"C": 2, "E": 0}}
    measures = ["nDCG_UE@5", "BootNDCG(b=20)@5", "NRG(prior=others)@5"]

    def rounds(first, count):
        for number in range(first, first + count):
            runs = {"a": {"q1": {"A": 1.0, f"x{number}": 2.0}}, "b": {"q2": {"C": 1.0}}}
            evaluate(runs, {**qrels, f"q{number}": {"D": 1}}, measures, progress=False)
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024

    warm = rounds(0, 300)
    assert rounds(300, 600) - warm < 0.6  # MiB: a kilobyte for each is a leak


# Large queries


@pytest.mark.slow
def test_a_query_of_a_million_documents():
    count = 1_000_000
    docs = np.array([f"d{number}" for number in range(count)])
    run = pd.DataFrame({"query_id": "q", "doc_id": docs, "score": -np.arange(count, dtype=float)})
    qrels = {"q": {f"d{number}": int(number % 2000 == 0) for number in range(0, count, 1000)}}
    matrix = evaluate({"a": run}, qrels, ["P_Rareness@1000", "nDCG_UE(dcg=log2)", "BootNDCG@10"])
    assert matrix.scores[0, 0, 0] == pytest.approx(1 / 1000)
    assert np.isfinite(matrix.scores).all()


def test_ids_of_ten_thousand_characters_unicode_and_spaces(tmp_path):
    odd = ["d" * 10_000, "ü" * 9, "日本 語", "a b", "\U0001f600", "\u00e9", "e\u0301"]
    qrels = {"q with space": dict.fromkeys(odd, 1)}
    run = {"q with space": {doc: float(rank) for rank, doc in enumerate(odd)}}
    frame = pd.DataFrame(
        [("q with space", doc, score) for doc, score in run["q with space"].items()],
        columns=["query_id", "doc_id", "score"],
    )
    for form in (run, frame, frame.astype({"doc_id": object})):
        assert evaluate({"a": form}, qrels, "P_Rareness@7").scores.item() == 1.0
