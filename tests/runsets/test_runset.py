"""Sets of runs: what a value of `runs` is, their identity, and how measures find them by name."""

import gc
import gzip
import os
import pickle
import re
import threading
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context
from copy import deepcopy
from pathlib import Path
from types import SimpleNamespace

import ir_measures
import numpy as np
import pandas as pd
import pytest
from ir_measures import ScoredDoc

from irx_measures import (
    NRG,
    P_Rareness,
    RunSet,
    UniqueRel,
    evaluate,
    explain,
    register_runs,
    scope,
)
from irx_measures.io import core
from irx_measures.io.trec import read_qrels, read_run
from irx_measures.judgments.judged_run import JudgedRun
from irx_measures.judgments.judgments import Judgments
from irx_measures.judgments.ranking import Ranking, run_digest
from irx_measures.measures.naming.labels import short_labels
from irx_measures.runsets import caches, registry
from irx_measures.runsets.registry import resolve
from irx_measures.runsets.sources import run_name
from tests.doubts import MISSED_QUERIES, NO_PRIOR, OWN_PRIOR

pytestmark = [MISSED_QUERIES, NO_PRIOR, OWN_PRIOR]

A = {"q1": {"d1": 2.0, "d2": 1.0}, "q2": {"d1": 1.0}}
B = {"q1": {"d3": 1.0}}
QRELS = {"q1": {"d1": 1, "d2": 0, "d3": 1}, "q2": {"d1": 1, "d4": 2}}


def rows_of(run):
    return [ScoredDoc(q, doc, score) for q, docs in run.items() for doc, score in docs.items()]


def frame_of(run, **columns):
    return pd.DataFrame(rows_of(run)).assign(**columns)


def objects_of(run):
    return frame_of(run).astype({"query_id": object, "doc_id": object})


FORMS = {"dict": deepcopy, "objects": objects_of, "str": frame_of}


def text_of(run):
    return "".join(f"{row.query_id} Q0 {row.doc_id} 0 {row.score} tag\n" for row in rows_of(run))


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """The working folder, with two runs, a run in two files, and a file that is no run."""
    monkeypatch.chdir(tmp_path)
    files = {
        "a.run": text_of(A),
        "notes.md": "none",
        "parts/1.run": "q1 Q0 d1 1 2.0 t\nq1 Q0 d2 2 1.0 t\n",
        "parts/2.run": "q2 Q0 d1 1 1.0 t\n",
        "parts/_SUCCESS": "",
        "parts/.hidden": "",
        "twice/1.run": text_of(A),
        "twice/2.run": text_of(A),
        "same/a.run": text_of(A),
        "groups.csv": "group,run\nY,b\nX,a\nZ,c\n",
        "dense.tsv": "q1\td1\t1\nq1\td2\t2\n",
    }
    for name, text in files.items():
        Path(name).parent.mkdir(exist_ok=True)
        Path(name).write_text(text)
    Path("b.v2.run.gz").write_bytes(gzip.compress(text_of(B).encode()))
    Path("empty").mkdir()
    return tmp_path


def content(runs):
    """Names and rows."""
    return {
        name: sorted(zip(run.query.all(), run.doc.all(), run.value.tolist(), strict=True))
        for name, run in zip(runs.names, runs.each(), strict=True)
    }


def of_ranx(run, name=None):
    """What is read of a ``ranx.Run``; its default name is None."""
    return SimpleNamespace(run=run, name=name, to_dict=lambda: run)


A_ROWS, B_ROWS = ([tuple(row) for row in sorted(rows_of(run))] for run in (A, B))
RANKED = {"q1": ["d1", "d2"], "q2": ["d1"]}
PARTS = ["parts/1.run", "parts/2.run"]


# What a value of `runs` is: the runs by name, and whether the caller gave the names.
@pytest.mark.parametrize(
    ("runs", "expected", "named"),
    [
        ({"a": A, "b": B}, {"a": A_ROWS, "b": B_ROWS}, True),
        (lambda: {"a": frame_of(A), "b": iter(rows_of(B))}, {"a": A_ROWS, "b": B_ROWS}, True),
        (A, {"run": A_ROWS}, False),
        (frame_of(A), {"run": A_ROWS}, False),
        (frame_of(A, system="one"), {"run": A_ROWS}, False),
        (rows_of(A), {"run": A_ROWS}, False),
        ([row._asdict() for row in rows_of(A)], {"run": A_ROWS}, False),
        (lambda: iter(rows_of(A)), {"run": A_ROWS}, False),
        ([A, frame_of(B)], {"run1": A_ROWS, "run2": B_ROWS}, False),
        ([rows_of(A), rows_of(B)], {"run1": A_ROWS, "run2": B_ROWS}, False),
        ([("x", A), ("y", "a.run")], {"x": A_ROWS, "y": A_ROWS}, True),
        ((["x", A], ["y", PARTS]), {"x": A_ROWS, "y": A_ROWS}, True),
        ("a.run", {"a": A_ROWS}, True),
        (Path("*.run*"), {"a": A_ROWS, "b.v2": B_ROWS}, True),
        (["b.v2.run.gz", Path("a.run")], {"b.v2": B_ROWS, "a": A_ROWS}, True),
        ({"x": "a.run", "y": B}, {"x": A_ROWS, "y": B_ROWS}, True),
        ({"x": "parts"}, {"x": A_ROWS}, True),
        ({"x": "parts/*.run"}, {"x": A_ROWS}, True),
        ({"x": PARTS}, {"x": A_ROWS}, True),
        ({"x": tuple(map(Path, PARTS))}, {"x": A_ROWS}, True),
        (["parts"], {"parts": A_ROWS}, True),
        (RANKED, {"run": [("q1", "d1", 2.0), ("q1", "d2", 1.0), ("q2", "d1", 1.0)]}, False),
        ({"q1": ["no.run"]}, {"run": [("q1", "no.run", 1.0)]}, False),
        ({"a": RANKED, "b": {"q1": ["d3"]}}, {"a": A_ROWS, "b": B_ROWS}, True),
        (of_ranx(A, "bm25"), {"bm25": A_ROWS}, True),
        (of_ranx(A), {"run": A_ROWS}, False),
        ([of_ranx(A, "bm25"), of_ranx(B, "x y")], {"bm25": A_ROWS, "x y": B_ROWS}, True),
        ((of_ranx(A, ""), of_ranx(B, "b")), {"run1": A_ROWS, "b": B_ROWS}, False),
        ([A, of_ranx(B, "b")], {"run1": A_ROWS, "b": B_ROWS}, False),
        ({"a": of_ranx(A, "bm25")}, {"a": A_ROWS}, True),
        ([("x", of_ranx(A, "bm25"))], {"x": A_ROWS}, True),
    ],
)
def test_what_runs_are(folder, runs, expected, named):
    held = RunSet(runs() if callable(runs) else runs)
    assert (content(held), held.named) == (expected, named)


@pytest.mark.parametrize(
    ("runs", "error", "fact"),
    [
        ({}, ValueError, "at least one run"),
        ([], ValueError, "at least one run"),
        (None, TypeError, "got NoneType"),
        ({1: A}, TypeError, "named by non-empty strings; got 1"),
        ([("", A)], TypeError, "named by non-empty strings; got ''"),
        ([A, 3], TypeError, "run 'run2' .* got int"),
        ({"a": A, "b": frame_of(B).drop(columns="score")}, ValueError, "run 'b' needs"),
        ([tuple(row) for row in rows_of(A)], TypeError, r"ScoredDoc\(\*row\)"),
        ([("x", A), ("x", B)], ValueError, "two runs would both be called 'x'"),
        ([of_ranx(A, "x"), of_ranx(B, "x")], ValueError, "both be called 'x'; name them, as in"),
        ([A, of_ranx(B, "run1")], ValueError, "two runs would both be called 'run1'"),
        (["a.run", "same/a.run"], ValueError, r"a\.run and same/a\.run .* called 'a'"),
        ("**/?.run", ValueError, "both be called '1'"),
        (pd.concat([frame_of(A, tag="a"), frame_of(B, tag="b")]), ValueError, r"groupby\('tag'\)"),
        ({"a": "no.run"}, FileNotFoundError, r"no\.run: no such file"),
        ({"a": ["parts/1.run", "no.run"]}, FileNotFoundError, r"no\.run: no such file"),
        ("no/*.run", FileNotFoundError, r"no/\*\.run: no such file"),
        ({"a": "empty"}, FileNotFoundError, "the folder has no files"),
        ("parts", IsADirectoryError, r"parts/\*\.run names runs.* {'bm25': 'runs/bm25'}"),
        ({"a": "twice"}, ValueError, r"'q1' is in twice/1\.run and in twice/2\.run; .* a glob"),
        ({"a": ["a.run", "same/a.run"]}, ValueError, r"'q1' .*\(files without a name are runs"),
        ({"a": {"q1": {}}}, ValueError, "run 'a' is empty"),
    ],
)
def test_what_is_no_set_of_runs(folder, runs, error, fact):
    with pytest.raises(error, match=fact):
        list(RunSet(runs).each())


def test_an_open_file_is_no_run(folder):
    with Path("a.run").open() as file, pytest.raises(TypeError, match=r"the open file 'a\.run'"):
        RunSet(file)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no named pipes here")
def test_a_pipe_is_read_once(folder):
    os.mkfifo("pipe")
    threading.Thread(target=Path("pipe").write_text, args=[text_of(A)], daemon=True).start()
    runs = RunSet({"a": "pipe"})
    Path("pipe").unlink()
    assert content(runs) == content(runs) == {"a": A_ROWS}


def test_the_format_is_handed_to_the_reader(folder):
    runs = RunSet("dense.tsv", format="msmarco")
    assert content(runs.subset([0])) == {"dense": [("q1", "d1", -1.0), ("q1", "d2", -2.0)]}
    assert runs.digest != RunSet("dense.tsv").digest
    with pytest.raises(ValueError, match=r"`format` must be one of .* got 'xml'"):
        RunSet("dense.tsv", format="xml")


def test_endings_of_run_files_are_left_out_of_names():
    files = "runs/bm25.run.gz", "input.BM25", ".run", Path("x/y.trec")
    assert [*map(run_name, files)] == ["bm25", "input.BM25", ".run", "y"]


def test_groups_follow_the_runs(folder):
    runs = {"a": A, "b": B}
    assert RunSet(runs).groups is None
    assert RunSet(runs, groups="groups.csv").groups == ("X", "Y")
    assert RunSet(runs, groups={"b": 2, "a": 1}).groups == ("1", "2")
    with pytest.raises(ValueError, match="no group for 1 of 2 runs: 'b'"):
        RunSet(runs, groups={"a": "X"})


def test_a_set_may_be_made_from_a_set():
    first = RunSet({"a": A, "b": B}, name="first", groups={"a": "x", "b": "y"}, strict=False)
    same, other = RunSet(first), RunSet(first, name="other", groups={"a": "z", "b": "z"})
    assert (same.name, same.names, same.groups) == ("first", ("a", "b"), ("x", "y"))
    assert (same.digest, same.named, same.strict) == (first.digest, True, False)
    assert (other.name, other.groups) == ("other", ("z", "z"))
    assert not RunSet(RunSet([A, B]), strict=False).named
    assert content(first.subset([1])) == {"b": B_ROWS}


# A set is a snapshot, and looking at it changes nothing.


@pytest.mark.parametrize("form", FORMS)
def test_a_set_stays_what_it_was_when_its_runs_are_changed(form):
    run = FORMS[form](A)
    runs = RunSet({"a": run})
    if form == "dict":
        run["q1"].clear()
    else:
        run.loc[0, ["doc_id", "score"]] = ["Z", -1.0]
    assert content(runs) == {"a": A_ROWS}


@pytest.mark.parametrize("change", ["rewritten", "replaced"])
def test_a_file_that_changes_under_its_set_is_told(folder, change):
    path, times = Path("a.run"), os.stat("a.run")
    runs = RunSet({"a": path, "parts": "parts"})
    other = path if change == "rewritten" else Path("other")
    other.write_text(text_of(A).replace("d1", "d9"))
    os.utime(other, ns=(times.st_atime_ns, times.st_mtime_ns))
    other.replace(path)
    assert (path.stat().st_size, path.stat().st_mtime_ns) == (times.st_size, times.st_mtime_ns)
    for changed in (runs, runs.subset([0])):
        with pytest.raises(ValueError, match=r"a\.run: the file has changed since the RunSet"):
            content(changed)
    assert RunSet(path).digest != runs.subset([0]).digest
    parts = RunSet({"a": "parts"}).digest
    assert parts == RunSet({"a": PARTS}).digest
    Path("parts/3.run").write_text("q3 Q0 d1 1 2.0 t\n")
    assert parts == RunSet({"a": PARTS}).digest != RunSet({"a": "parts"}).digest


def test_looking_at_a_set_reads_no_file_and_registers_nothing(folder, opened):
    runs = RunSet("*.run*", name="mine")
    assert repr(runs) == f"RunSet('mine', runs=2, digest={runs.digest!r})"
    assert (runs._cache, registry.is_known(runs.label)) == ({}, False)
    measure = NRG(prior=runs) @ 10
    assert str(measure) == f"NRG(prior='mine#{runs.digest}')@10"
    assert ir_measures.parse_measure(str(measure)) == measure
    assert (runs._cache, opened) == ({}, [])


def test_files_are_read_one_at_a_time(folder, opened):
    paths = [Path(f"{number}.run") for number in range(5)]
    for path in paths:
        path.write_text(text_of(A))
    for number, _ in enumerate(RunSet(paths).each(), 1):
        assert opened == paths[:number]


# Identity


def test_equal_content_has_one_digest_in_every_form(folder):
    forms = [
        RunSet({"a": A, "b": B}),
        RunSet({"a": frame_of(A), "b": frame_of(B).astype(object)}, name="other"),
        RunSet({"a": rows_of(A)[::-1], "b": iter(rows_of(B))}),
    ]
    assert len({runs.digest for runs in forms}) == 1
    assert re.fullmatch("[0-9a-f]{16}", forms[0].digest)
    assert run_digest(RunSet({"a": PARTS}).run(0)) == run_digest(forms[0].run(0))
    measures = {UniqueRel(prior=runs) @ 10 for runs in (forms[0], RunSet(forms[2]))}
    assert len(measures) == 1
    with pytest.raises(ValueError, match="run 'b': score is NaN for query 'q1', document 'd'"):
        str(NRG(prior={"a": A, "b": {"q1": {"d": float("nan")}}}))


def test_measures_of_different_runs_are_never_equal():
    """ir_measures merges equal measures."""
    sets = [
        *map(RunSet, [{"a": A, "b": B}, {"b": B, "a": A}, {"a": A, "c": B}, {"a": A}]),
        *map(RunSet, [{"a": A, "b": A}, {"a": A, "b": {"q1": {"d3": 1.5}}}]),
        *(RunSet({"a": A, "b": B}, groups={"a": "X", "b": group}) for group in "XY"),
    ]
    assert len({NRG(prior=runs) @ 10 for runs in sets}) == len(sets)
    measures = [UniqueRel(prior=run) @ 2 for run in (A, B)]
    run = {"q1": {"d1": 2.0, "d3": 1.0}, "q2": {"d1": 1.0}}
    assert ir_measures.calc_aggregate(measures, QRELS, run) == {measures[0]: 0.5, measures[1]: 1.0}


def test_measures_of_sets_read_back_from_their_strings_while_one_is_kept():
    names = ["a b", "a+b", "it's", 'a"b', "a\\b", "文", "others", "runs/*"]
    measures = [NRG(prior=RunSet({"a": A, "b": B}, name=name)) @ 10 for name in names]
    texts = list(map(str, measures))
    expected = [measure.calc_aggregate(QRELS, A) for measure in measures]
    read = list(map(ir_measures.parse_measure, texts))
    assert read == measures
    del measures
    gc.collect()
    assert [measure.calc_aggregate(QRELS, A) for measure in read] == expected
    del read
    gc.collect()
    for text in texts:
        with pytest.raises(
            ValueError, match=r"NRG: `prior`: no set of .* while it, or a measure of it"
        ):
            ir_measures.parse_measure(text).calc_aggregate(QRELS, A)


SETS = {  # what a set without a name of its own is called in measures
    "bm25": [{"bm25": A}, of_ranx(A, "bm25"), [of_ranx(A, "bm25")], RunSet({"bm25": A})],
    "runs": [A, [A], {"a": A, "b": B}, {"a#b": A}, of_ranx(A)],
    "a": ["a.run", Path("a.run"), ["a.run"], "*a.run"],
}


@pytest.mark.parametrize(("name", "runs"), [(name, runs) for name in SETS for runs in SETS[name]])
def test_a_set_of_one_run_has_the_name_of_the_run(folder, name, runs):
    measure = NRG(prior=RunSet(runs)) @ 10
    if not isinstance(runs, str):
        assert NRG(prior=runs) @ 10 == measure
    assert str(measure) == f"NRG(prior='{measure['prior'].label}')@10"
    assert measure["prior"].label.startswith(f"{name}#")
    assert short_labels([measure]) == [f"NRG(prior={name})@10"]
    assert ir_measures.parse_measure(str(measure)) == measure


def test_a_run_of_ranx_has_its_name_at_every_door():
    runs = [of_ranx(A, "bm25"), of_ranx(B, "dense")]
    scores = evaluate(QRELS, runs, "UniqueRel(prior=dense)@10")
    assert scores.systems == ("bm25", "dense")
    with scope(runs) as compared:
        assert compared.names == ("bm25", "dense")
        assert resolve("dense").names == ("dense",)
    assert register_runs("mine", runs).names == ("bm25", "dense")
    assert RunSet(runs, groups={"bm25": "X", "dense": "Y"}).groups == ("X", "Y")
    explained = explain(QRELS, runs[0], "P@1", query_id="q1")
    assert explained.system == "bm25"


# What is made once for a set


def test_runs_are_judged_once_per_content_of_the_qrels():
    runs, first = RunSet({"a": A, "b": B}), Judgments(read_qrels(QRELS))
    judged = caches.judged(runs, first)
    again = read_qrels({query: dict(docs) for query, docs in QRELS.items()})
    assert caches.judged(runs, Judgments(again)) is judged
    assert judged.rank.shape == (2, 2, 2)
    for grade in range(1, 1 + caches.CACHED):
        other = caches.judged(runs, Judgments(read_qrels({"q1": {"d3": grade}})))
    assert other.rank.tolist() == [[[0]], [[1]]]
    assert caches.judged(runs, first) is not judged
    assert RunSet(runs)._cache == {}


def test_what_is_made_for_a_set_ends_with_it():
    gone = []

    class Made:
        def __del__(self):
            gone.append(1)

    runs = RunSet({"a": A})
    assert caches.result_of(runs, "key", Made) is caches.result_of(runs, "key", Made)
    del runs
    assert gone == [1]


def test_copies_of_a_measure_have_the_runs_and_nothing_that_was_made():
    measure = NRG(prior=RunSet({"a": A, "b": B})) @ 10
    expected = measure.calc_aggregate(QRELS, A)
    for copy in (pickle.loads(pickle.dumps(measure)), deepcopy(measure)):
        assert (copy == measure, copy["prior"]._cache) == (True, {})
        assert copy.calc_aggregate(QRELS, A) == expected


def test_ranks_beyond_two_bytes_are_kept():
    deep = {"q1": {f"x{number}": -float(number) for number in range(70_000)}}
    judgments = Judgments(read_qrels({"q1": {"x69999": 2, "x65535": 1, "d1": 1}}))
    judged = caches.judged(RunSet({"a": A, "deep": deep, "b": B}), judgments)
    ids = judged.judgments.doc_index.ids
    a, found, b = (dict(zip(ids, row[0], strict=True)) for row in judged.rank.tolist())
    assert (found["x69999"], found["x65535"], found["d1"]) == (70_000, 65_536, 0)
    assert (a["d1"], any(b.values())) == (1, False)


@pytest.mark.parametrize("depth", [1, 2, None])
@pytest.mark.parametrize("depths", [[], [1, 2, None], [3]])
def test_a_run_is_told_by_content_whether_its_top_was_noted_or_not(depth, depths):
    # x and y rank the relevant document alike; they differ only in unjudged documents.
    runs = {
        "x": {"q1": {"d1": 2.0, "x": 1.0}},
        "y": {"q1": {"d1": 2.0, "y": 1.0}},
        "z": {"q1": {"z": 2.0, "d1": 1.0}},
        "stranger": {"q1": {"d1": 3.0, "z": 2.0, "y": 1.0}},
    }
    judgments = Judgments(read_qrels({"q1": {"d1": 1}}))
    evaluated = [JudgedRun(judgments, read_run(run)) for run in runs.values()]
    members = RunSet({name: runs[name] for name in "xyz"})
    judged = caches.judged(members, judgments, *depths)
    expected = [0, 0, 2, 0] if depth == 1 else [0, 1, 2, None]
    for _ in range(2):
        found = [judged.position_by_content(run, members, depth) for run in evaluated]
        assert found == expected


def test_run_by_run_the_set_is_read_once_and_the_qrels_are_indexed_once(
    folder, opened, monkeypatch
):
    indexed, index = [], Judgments.__init__
    monkeypatch.setattr(
        Judgments, "__init__", lambda self, *args: indexed.append(self) or index(self, *args)
    )
    together = evaluate(QRELS, "*.run*", "NRG(prior=others)@10").aggregates[0].tolist()
    del opened[:], indexed[:]
    register_runs("mine", "*.run*")
    measure = ir_measures.parse_measure("NRG(prior=mine)@10")
    assert [measure.calc_aggregate({**QRELS}, run) for run in (A, B)] == together
    assert (len(opened), len(indexed)) == (2, 1)


@pytest.mark.parametrize("form", FORMS)
def test_a_run_of_a_registered_set_is_known_and_the_set_is_not_ranked_again(form, monkeypatch):
    ranked, rank = [], JudgedRun.__init__

    def noted(judged, *args, **options):
        ranked.append(judged)
        rank(judged, *args, **options)

    runs, same = ({"a": FORMS[form](A), "b": FORMS[form](B)} for _ in range(2))
    together = evaluate(QRELS, runs, "NRG(prior=others)@10").aggregates[0].tolist()
    register_runs("mine", same)
    measure = ir_measures.parse_measure("NRG(prior=mine)@10")
    measure.calc_aggregate(QRELS, B)  # judges the set
    monkeypatch.setattr(JudgedRun, "__init__", noted)
    if core.BUILT:  # which knows the top of each query without its rows
        monkeypatch.setattr(Ranking, "of", None)
    assert [measure.calc_aggregate(QRELS, run) for run in runs.values()] == together
    assert len(ranked) == 2


def test_a_bad_score_is_refused_though_the_rest_of_the_run_is_registered():
    register_runs("mine", {"a": A})
    bad = {**A, "q2": {"d1": np.array([1.0, 2.0])}}
    with pytest.raises(ValueError, match="must hold numbers"):
        ir_measures.parse_measure("NRG(prior=mine)@10").calc_aggregate(QRELS, bad)


# Names


def test_registering_the_same_content_again_changes_nothing():
    first = register_runs("mine", {"b": B})
    assert register_runs("mine", RunSet({"b": frame_of(B)})) is first is resolve("mine")
    for other in ({"runs": {"b": A}}, {"runs": {"b": B}, "groups": {"b": "X"}}):
        with pytest.raises(ValueError, match="'mine' names a set of other content; use replace"):
            register_runs("mine", **other)
    assert register_runs("mine", {"b": A}, replace=True) is resolve("mine") is not first


def test_names_that_cannot_be_registered():
    facts = {"others": "'others' means the", "": "not be empty", "a#b": "without", 3: "a string"}
    for name, fact in facts.items():
        with pytest.raises(ValueError, match=fact):
            register_runs(name, {"b": B})


def test_the_places_of_a_name(folder):
    """Others, runs in scope, registered sets, labels of measures' sets, files."""
    for file in ("others", "mine", "mine+b"):
        Path(file).write_text(text_of(B))
    assert content(resolve("mine")) == {"mine": B_ROWS}
    registered = register_runs("mine", {"a": A})
    assert resolve("mine") is registered
    assert content(resolve("*.run*")) == {"a": A_ROWS, "b.v2": B_ROWS}
    register_runs("b", {"b": B})
    assert resolve("mine+b").names == ("a", "b")
    measure = NRG(prior=RunSet({"c": B}))
    assert resolve(measure["prior"].label) is measure["prior"]
    with scope({"mine": B, "x#y": A}, groups={"mine": "X", "x#y": "Y"}) as runs:
        assert resolve("others") is runs
        assert resolve("mine") is resolve("mine") is not registered
        assert (resolve("mine").groups, resolve("mine").name) == (("X",), "mine")
        assert resolve("x#y").name == "others"
    with pytest.raises(ValueError, match="no set of runs is called 'others'"):
        resolve("others")


def test_a_file_is_read_again_when_it_changed(folder):
    first = resolve("a.run")
    assert resolve("a.run") is first
    Path("a.run").write_text(text_of(A) + text_of(B))
    assert resolve("a.run") is not first
    assert len(content(resolve("a.run"))["a"]) == len(A_ROWS) + len(B_ROWS)


def test_plus_joins_sets(folder):
    one = register_runs("one", {"a": A}, groups={"a": "X"})
    register_runs("two", {"b": B, "a": rows_of(A)}, groups={"b": "Y", "a": "X"})
    joined = resolve("one+two")
    assert (joined.name, joined.names, joined.groups) == ("one+two", ("a", "b"), ("X", "Y"))
    assert joined.digest == RunSet({"a": A, "b": B}, groups={"a": "X", "b": "Y"}).digest
    assert resolve("one+two") is joined
    assert resolve("one+one").digest == one.digest
    with scope({"c": B}):
        mixed = resolve("others+one+b.v2.run.gz")
        assert (mixed.names, mixed.groups) == (("c", "a", "b.v2"), None)
    register_runs("unnamed", [A, B])
    assert resolve("one+unnamed").names == ("a", "unnamed/run1", "unnamed/run2")
    register_runs("three", {"a": B})
    with pytest.raises(ValueError, match="'one' and 'three' both have a run 'a', of different"):
        resolve("one+three")
    own = register_runs("one+two", {"c": A})
    assert resolve("one+two") is own


def test_an_unknown_name_lists_the_known_ones():
    with pytest.raises(ValueError, match=r"'nobody'; known are none.* quotes\.$"):
        resolve("nobody")
    for number in range(12):
        register_runs(f"set{number:02}", {"a": A})
    with pytest.raises(ValueError, match=r"'set08', 'set09' and 2 more; did you mean set03\?"):
        resolve("sett03")
    with pytest.raises(ValueError, match="called 'nobody', ''; known are"):
        resolve("set01+nobody+")
    with pytest.raises(ValueError, match="NRG: `prior`: no set of runs is called 'nobody'"):
        ir_measures.parse_measure("NRG(prior=nobody)@10").calc_aggregate(QRELS, A)
    with pytest.raises(ValueError, match="P_Rareness: `systems`: no set of runs is called"):
        (P_Rareness(systems="nobody") @ 10).calc_aggregate(QRELS, A)


@pytest.mark.parametrize("name", [".", "..", "/", "a\0b", "x" * 5000, "[", "+", "\ud800", "a#01"])
def test_odd_names_are_unknown(name):
    with pytest.raises(ValueError, match="no set of runs is called"):
        resolve(name)


# Scopes


def others():
    return resolve("others").names


def test_scopes_may_be_closed_in_any_order_and_hold_a_set_twice():
    runset = RunSet({"a": A})
    first, second, third = scope(runset), scope({"b": B}), scope(runset)
    for opened in (first, second, third):
        opened.__enter__()
    assert others() == ("a",)
    first.__exit__(None, None, None)
    assert others() == ("a",)
    third.__exit__(None, None, None)
    assert others() == ("b",)
    second.__exit__(None, None, None)
    with pytest.raises(KeyError), scope({"a": A}):
        raise KeyError
    assert registry.compared_runs() is None


def test_a_scope_belongs_to_its_thread():
    inner = scope({"a": A})
    with scope({"b": B}), ThreadPoolExecutor(1) as pool:
        inner.__enter__()
        with pytest.raises(ValueError, match="no set of runs is called 'others'"):
            pool.submit(others).result()
        assert pool.submit(copy_context().run, others).result() == ("a",)
        with pytest.raises(ValueError, match="must be closed in the thread in which it was opened"):
            pool.submit(inner.__exit__, None, None, None).result()
        assert others() == ("a",)
