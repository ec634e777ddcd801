"""Untrusted files, concurrent and repeated evaluations, large queries."""

import resource
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from multiprocessing import get_context

import numpy as np
import pandas as pd
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from numpy.testing import assert_array_equal

from irx_measures import RunSet, evaluate, read_letor, simulate_campaign
from irx_measures.io.groups import read_groups
from irx_measures.io.trec import read_qrels, read_run
from irx_measures.measures.declaring.base import catalogue
from tests.campaigns import frame
from tests.doubts import ANY_DOUBT

pytestmark = ANY_DOUBT

# Files

READERS = {
    "run": (read_run, b"q1 Q0 d1 1 2.5 tag\n"),
    "qrels": (read_qrels, b"q1 0 d1 1\n"),
    "letor": (read_letor, b"1 qid:1 1:0.5 #docid = d1\n"),
    "groups": (read_groups, b"run,group\na,A\n"),
}  # and tests/io/test_damaged.py
TOKENS = [b"q1", b" ", b"\t", b"\n", b"\r\n", b"0", b"1e999", b"nan", b"-1", b"qid:1", b"1:", b",",
          b"#", b'"', b"\xef\xbb\xbf", b"\xff", b"\0", b"\xe2\x80\xa8", b"run,group", b"0x10",
          b"1_0", b"9" * 400, b"{", b"}", b"[", b"]", b":", b"null", b"true"]  # fmt: skip
hostile = st.binary(max_size=80) | st.lists(st.sampled_from(TOKENS), max_size=30).map(b"".join)


@pytest.mark.parametrize("kind", READERS)
@given(content=hostile, after=st.booleans())
@example(content=b"9" * 900, after=False)
def test_no_file_crashes_a_reader(kind, content, after, tmp_path_factory):
    """Reading any file returns values, or raises one error that names the file."""
    read, line = READERS[kind]
    path = tmp_path_factory.getbasetemp() / f"hostile-{kind}"
    path.write_bytes(line + content if after else content)
    try:
        told = "" if read(path) is not None else "nothing"
    except ValueError as error:
        told = str(error)
    assert not told or str(path) in told
    assert len(told) < 500 + len(str(path))


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["run", "qrels"])
def test_a_line_of_many_megabytes_is_told_briefly(kind, tmp_path):
    path = tmp_path / "long"
    read, line = READERS[kind]
    path.write_bytes(line + b"x" * 100_000_000 + b"\n")
    with pytest.raises(ValueError, match=r"long:2: a line must have at most 1048576 ") as told:
        read(path)
    assert len(str(told.value)) < 500


# Concurrent and repeated evaluations

CAMPAIGN = simulate_campaign(systems=4, queries=6, depth=30, seed=5)
MEASURES = [
    *(measure @ 5 for measure in catalogue.values()),
    "NRG(prior=others, select=best-per-group)@10",
    "P_Rareness(systems=others)@10",
    "nDCG@10",
]


def scores(runs):
    groups = None if isinstance(runs, RunSet) else CAMPAIGN.groups
    return evaluate(CAMPAIGN.qrels, runs, MEASURES, groups, progress=False).scores


@pytest.mark.slow
def test_threads_share_sets_of_runs_and_get_the_same_numbers():
    runset, expected = RunSet(CAMPAIGN.runs, groups=CAMPAIGN.groups), scores(CAMPAIGN.runs)
    with ThreadPoolExecutor(8) as pool:
        for got in pool.map(scores, [runset] * 40):
            assert_array_equal(got, expected)


@pytest.mark.whole
def test_processes_get_the_same_numbers():
    expected = scores(CAMPAIGN.runs)
    with ProcessPoolExecutor(2, mp_context=get_context("spawn")) as pool:
        for got in pool.map(scores, [CAMPAIGN.runs] * 4):
            assert_array_equal(got, expected)


@pytest.mark.whole
def test_hundreds_of_evaluations_leave_memory_flat():
    qrels = {"q1": {"A": 1, "B": 0}, "q2": {"C": 2, "E": 0}}
    measures = ["nDCG_UE@5", "BootNDCG(b=20)@5", "NRG(prior=others)@5"]

    def rounds(first, count):
        for number in range(first, first + count):
            runs = {"a": {"q1": {"A": 1.0, f"x{number}": 2.0}}, "b": {"q2": {"C": 1.0}}}
            evaluate({**qrels, f"q{number}": {"D": 1}}, runs, measures, progress=False)
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024

    warm = rounds(0, 300)
    assert rounds(300, 600) - warm < 0.6  # MiB: a kilobyte for each is a leak


# Large queries


@pytest.mark.whole
def test_a_query_of_a_million_documents():
    count = 1_000_000
    docs = np.array([f"d{number}" for number in range(count)])
    run = pd.DataFrame({"query_id": "q", "doc_id": docs, "score": -np.arange(count, dtype=float)})
    qrels = {"q": {f"d{number}": int(number % 2000 == 0) for number in range(0, count, 1000)}}
    matrix = evaluate(qrels, {"a": run}, ["P_Rareness@1000", "nDCG_UE(dcg=log2)", "BootNDCG@10"])
    assert matrix.scores[0, 0, 0] == pytest.approx(1 / 1000)
    assert np.isfinite(matrix.scores).all()


def test_ids_of_ten_thousand_characters_unicode_and_spaces():
    odd = ["d" * 10_000, "ü" * 9, "日本 語", "a b", "\U0001f600", "\u00e9", "e\u0301"]
    qrels = {"q with space": dict.fromkeys(odd, 1)}
    run = {"q with space": {doc: float(rank) for rank, doc in enumerate(odd)}}
    for form in (run, frame(run), frame(run).astype({"docno": object})):
        assert evaluate(qrels, {"a": form}, "P_Rareness@7").scores.item() == 1.0
