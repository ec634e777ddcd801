"""Ranks that contradict the scores of a TREC run are seen by every reader, and named."""

import gzip
from importlib.util import find_spec

import pytest

import irx_measures
from irx_measures import EvaluationWarning, RunSet, evaluate
from irx_measures.cli.main import main
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
CONSTANT = lines(lambda place: 1)
FALLING = lines(lambda place: 100 - place)


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
        "run 'mine': the score column rises with the rank column in 10 of the 10 queries "
        "looked at ('q0': score 1 at rank 1, 12 at rank 12); documents are ordered by score, and "
        "the rank column is not read",
    )


def test_equal_scores_beside_ranks_are_named(reader, tmp_path):
    (told,) = warnings_of(written(tmp_path, CONSTANT))
    assert told.startswith(
        "run 'mine': the score column is constant and the rank column is not in 10 of the 10"
    )
    assert told.endswith("equal scores are ordered by document id")


SILENT = {
    "falling scores": FALLING,
    "constant ranks": lines(lambda place: place, rank_of=lambda place: 0),
    "no ranks": lines(lambda place: place, rank_of=lambda place: "-"),
    "stale ranks": lines(lambda place: 100 - place, rank_of=lambda place: place * 7 % 12),
    "one document per query": lines(lambda place: 1, depth=1),
    "many documents of score 0": lines(lambda place: max(3 - place, 0)),
    "two queries of six": lines(lambda place: place, queries=QUERIES[:2])
    + lines(lambda place: -place, queries=QUERIES[2:6]),
    "comments": "# a comment\n" + FALLING,
}


@pytest.mark.parametrize("text", SILENT.values(), ids=SILENT)
def test_other_ranks_are_scored_without_a_word(reader, tmp_path, text):
    judged = {query: QRELS[query] | {"d0": 1} for query in QUERIES if f"{query} " in text}
    assert evaluate(RunSet([written(tmp_path, text)]), judged, "nDCG@10").warnings == ()


def test_only_the_beginning_of_a_large_file_is_looked_at(tmp_path):
    first = lines(lambda place: -place, depth=20_000, queries=QUERIES[:1])
    assert len(first) > HEAD_BYTES
    path = written(tmp_path, first + lines(lambda place: place, queries=QUERIES[1:]))
    assert evaluate(RunSet([path]), QRELS, "nDCG@10").warnings == ()


def test_runs_with_such_ranks_share_a_line(tmp_path):
    paths = [written(tmp_path, RISING, f"{name}.run") for name in "abcde"]
    with pytest.warns(EvaluationWarning) as told:
        evaluate(RunSet(paths), QRELS, "nDCG@10")
    (message,) = (str(each.message) for each in told)
    assert message.startswith("run 'a': the score column rises")
    assert message.endswith("; and 2 more runs have such ranks")


def test_a_run_without_its_duplicates_keeps_its_ranks(tmp_path):
    path = written(tmp_path, RISING + "q0 Q0 d0 1 1 tag\n")
    with pytest.warns(EvaluationWarning) as told:
        evaluate(RunSet([path], strict=False), QRELS, "nDCG@10")
    assert [str(each.message).partition(" in ")[0] for each in told] == [
        "run 'mine': left out documents returned again (1)",
        "run 'mine': the score column rises with the rank column",
    ]


@pytest.mark.filterwarnings("default::irx_measures.EvaluationWarning")
def test_the_command_line_names_them(tmp_path, capsys):
    qrels = tmp_path / "qrels.txt"
    qrels.write_text("".join(f"{query} 0 d3 1\n" for query in QUERIES))
    assert main(["evaluate", str(qrels), written(tmp_path, RISING), "-m", "nDCG@10"]) == 0
    (line,) = capsys.readouterr().err.splitlines()
    assert line.startswith("irx evaluate: warning: run 'mine': the score column rises")


def test_data_in_memory_have_no_rank_column():
    run = {query: {f"d{place}": float(place) for place in range(12)} for query in QUERIES}
    assert irx_measures.evaluate({"mine": run}, QRELS, "nDCG@10").warnings == ()
