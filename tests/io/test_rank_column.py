"""Ranks that contradict the scores of a TREC run are seen by every reader, and named."""

import gzip
from importlib.util import find_spec

import pytest

from irx_measures import EvaluationWarning, RunSet, evaluate
from irx_measures.io import arrow, native
from irx_measures.io.rank_column import HEAD_BYTES

QUERIES = [f"q{number}" for number in range(30)]
QRELS = {query: {"d3": 1, "d7": 2} for query in QUERIES}


def lines(score_of, rank_of=lambda place: place + 1, depth=12, queries=QUERIES):
    return "".join(
        f"{query} Q0 d{place} {rank_of(place)} {score_of(place)} tag\n"
        for query in queries
        for place in range(depth)
    )


RISING = lines(lambda place: place + 1)


def without_core(monkeypatch):
    monkeypatch.setattr(native, "BUILT", False)


def without_arrow(monkeypatch):
    without_core(monkeypatch)
    monkeypatch.setattr(arrow, "available", lambda: False)


def with_arrow(monkeypatch):
    without_core(monkeypatch)
    monkeypatch.setattr(arrow, "pays_off", lambda file: True)


READERS = {"native": lambda monkeypatch: None, "python": without_arrow, "arrow": with_arrow}


@pytest.fixture(params=READERS)
def reader(request, monkeypatch):
    if request.param == "native" and not native.BUILT:
        pytest.skip("the native core is not built")
    if request.param == "arrow" and find_spec("pyarrow") is None:
        pytest.skip("pyarrow is not installed")
    READERS[request.param](monkeypatch)


def written(folder, text, name="mine.run"):
    path = folder / name
    path.write_bytes(gzip.compress(text.encode()) if name.endswith(".gz") else text.encode())
    return str(path)


def warnings_of(path):
    with pytest.warns(EvaluationWarning) as told:
        matrix = evaluate(RunSet([path]), QRELS, "nDCG@10")
    assert tuple(str(each.message) for each in told) == matrix.warnings
    return matrix.warnings


@pytest.mark.parametrize("name", ["mine.run", "mine.run.gz"])
def test_scores_that_rise_with_the_ranks_are_named(reader, tmp_path, name):
    assert warnings_of(written(tmp_path, RISING, name)) == (
        "run 'mine' has ranks that contradict its scores: "
        "the score column rises with the rank column in 10 of the 10 queries "
        "looked at ('q0': score 1 at rank 1, 12 at rank 12); documents are ordered by score, and "
        "the rank column is not read",
    )


def test_only_the_beginning_of_a_large_file_is_looked_at(tmp_path):
    first = lines(lambda place: -place, depth=20_000, queries=QUERIES[:1])
    assert len(first) > HEAD_BYTES
    path = written(tmp_path, first + lines(lambda place: place, queries=QUERIES[1:]))
    assert evaluate(RunSet([path]), QRELS, "nDCG@10").warnings == ()


def test_a_run_without_its_duplicates_keeps_its_ranks(tmp_path):
    path = written(tmp_path, RISING + "q0 Q0 d0 1 1 tag\n")
    with pytest.warns(EvaluationWarning) as told:
        evaluate(RunSet([path], strict=False), QRELS, "nDCG@10")
    assert [str(each.message).partition(" in ")[0] for each in told] == [
        "run 'mine': left out documents returned again (1)",
        "run 'mine' has ranks that contradict its scores: the score column rises with the rank "
        "column",
    ]
