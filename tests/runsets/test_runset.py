"""Sets of runs: their sources, their identity, and how measures find them by name."""

import gc
import gzip
import itertools
import os
import re
import threading
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context
from pathlib import Path

import ir_measures
import numpy as np
import pandas as pd
import pytest
from ir_measures import ScoredDoc

import irx_measures
from irx_measures import (
    NRG,
    InputError,
    P_Rareness,
    RunSet,
    UniqueRel,
    compare,
    evaluate,
    register_runs,
    scope,
)
from irx_measures.io.trec import read_qrels, read_run
from irx_measures.judgments.digests import run_digest
from irx_measures.judgments.judged_run import judge
from irx_measures.judgments.judgments import Judgments
from irx_measures.runsets import registry, sources
from irx_measures.runsets.registry import resolve
from irx_measures.runsets.sources import SEVERAL_FILES, run_name
from tests.doubts import MISSED_QUERIES, NO_PRIOR, OWN_PRIOR

pytestmark = [MISSED_QUERIES, NO_PRIOR, OWN_PRIOR]

A = {"q1": {"d1": 2.0, "d2": 1.0}, "q2": {"d1": 1.0}}
B = {"q1": {"d3": 1.0}}
QRELS = {"q1": {"d1": 1, "d2": 0, "d3": 1}, "q2": {"d1": 1, "d4": 2}}


def rows_of(run):
    return [ScoredDoc(q, doc, score) for q, docs in run.items() for doc, score in docs.items()]


def frame_of(run, dtype="str", query="query_id", doc="doc_id"):
    columns = {"query_id": query, "doc_id": doc}
    frame = pd.DataFrame(rows_of(run)).rename(columns=columns)
    return frame.astype({query: dtype, doc: dtype})


def text_of(run):
    return "".join(f"{row.query_id} Q0 {row.doc_id} 0 {row.score} tag\n" for row in rows_of(run))


@pytest.fixture
def files(tmp_path):
    """A folder with two runs and a file that is not a run."""
    folder = tmp_path / "runs"
    folder.mkdir()
    (folder / "a.run").write_text(text_of(A))
    (folder / "b.v2.run.gz").write_bytes(gzip.compress(text_of(B).encode()))
    (folder / "notes.md").write_text("none")
    return folder


def content(runs):
    """Names and rows."""
    return {
        name: sorted(zip(run.query.all(), run.doc.all(), run.score.tolist(), strict=True))
        for name, run in ((name, runs.columns(at)) for at, name in enumerate(runs.names))
    }


A_ROWS, B_ROWS = ([tuple(row) for row in sorted(rows_of(run))] for run in (A, B))


# Sources of a set


@pytest.mark.parametrize(
    "form",
    [
        lambda run: run,
        rows_of,
        lambda run: iter(rows_of(run)),
        frame_of,
        lambda run: frame_of(run, object),
        lambda run: frame_of(run, query="qid", doc="docno"),
        lambda run: frame_of(run).iloc[::-1],
    ],
)
def test_runs_in_memory_of_any_form(form):
    expected = RunSet({"a": A, "b": B})
    by_name = RunSet({"a": form(A), "b": form(B)})
    assert content(by_name) == {"a": A_ROWS, "b": B_ROWS}
    assert by_name.digest == expected.digest
    assert content(RunSet([form(A), form(B)])) == {"run1": A_ROWS, "run2": B_ROWS}
    assert content(RunSet(form(A))) == {"run": A_ROWS}


def test_forms_may_be_mixed(files):
    mixed = RunSet({"a": str(files / "a.run"), "b": files / "b.v2.run.gz", "c": A, "d": rows_of(B)})
    assert content(mixed) == {"a": A_ROWS, "b": B_ROWS, "c": A_ROWS, "d": B_ROWS}


def test_files_are_named_after_themselves(files):
    assert content(RunSet(files / "a.run")) == {"a": A_ROWS}
    assert content(RunSet(str(files / "*.run*"))) == {"a": A_ROWS, "b.v2": B_ROWS}
    assert content(RunSet(files / "*.run*")) == {"a": A_ROWS, "b.v2": B_ROWS}
    assert content(RunSet([files / "a.run", files / "b.v2.run.gz"])) == {
        "a": A_ROWS,
        "b.v2": B_ROWS,
    }
    assert RunSet([files / "a.run"]).named
    with pytest.raises(ValueError, match=r"a\.run and .*a\.run would both be called 'a'"):
        RunSet([files / "a.run", str(files / "a.run")])


def test_pairs_of_name_and_run_are_named(files):
    pairs = [("x", A), ("y", frame_of(B)), ("z", str(files / "a.run"))]
    for form in (pairs, tuple(pairs), [*map(list, pairs)]):
        runs = RunSet(form)
        assert content(runs) == {"x": A_ROWS, "y": B_ROWS, "z": A_ROWS}
        assert runs.named
    with pytest.raises(ValueError, match="two runs would both be called 'x'"):
        RunSet([("x", A), ("x", B)])
    with pytest.raises(TypeError, match="named by non-empty strings; got ''"):
        RunSet([("", A)])


def test_named_runs_of_ranked_lists_are_not_one_run():
    ranked = {"q1": ["d1", "d2"], "q2": ["d1"]}
    runs = RunSet({"a": ranked, "b": {"q1": ["d3"]}})
    assert runs.names == ("a", "b")
    assert [row[:2] for row in content(runs)["a"]] == [row[:2] for row in A_ROWS]
    assert RunSet(ranked).names == ("run",)


@pytest.mark.parametrize("column", ["system", "run_id", "tag"])
def test_a_table_of_several_systems_says_how_to_split_it(column):
    parts = [frame_of(A).assign(**{column: "a"}), frame_of(B).assign(**{column: "b"})]
    frame = pd.concat(parts)
    with pytest.raises(ValueError, match=f"column '{column}' names 2 systems in one table") as told:
        RunSet(frame)
    assert f"dict(tuple(frame.groupby('{column}')))" in str(told.value)
    assert content(RunSet(dict(tuple(frame.groupby(column))))) == {"a": A_ROWS, "b": B_ROWS}
    assert content(RunSet(parts[0])) == {"run": A_ROWS}


def test_an_open_file_is_no_run(files):
    path = files / "a.run"
    with path.open() as file, pytest.raises(TypeError, match=rf"the open file '{path}'"):
        RunSet(file)


def test_rows_without_names_say_how_to_name_them():
    rows = [tuple(row) for row in rows_of(A)]
    with pytest.raises(TypeError, match=r"got tuple \(use \[ir_measures.ScoredDoc\(\*row\)"):
        RunSet(rows)


def test_runs_of_ms_marco_are_read_where_the_format_is_named(tmp_path):
    path = tmp_path / "dense.tsv"
    path.write_text("q1\td1\t1\nq1\td2\t2\n")
    runs = RunSet(path, format="msmarco")
    assert content(runs) == {"dense": [("q1", "d1", -1.0), ("q1", "d2", -2.0)]}
    assert content(runs.subset([0])) == content(runs)
    assert runs.digest != RunSet(path).digest
    assert evaluate(runs, QRELS, "P@1").scores.tolist() == [[[1.0, 0.0]]]
    with pytest.raises(ValueError, match=r"`format` must be one of 'trec', .*; got 'xml'"):
        RunSet(path, format="xml")


def test_a_file_rewritten_with_the_same_size_and_time_is_noticed(files):
    path = files / "a.run"
    times = os.stat(path)
    runs = RunSet(path)
    assert content(runs) == {"a": A_ROWS}
    path.write_text(text_of(A).replace("d1", "d9"))
    os.utime(path, ns=(times.st_atime_ns, times.st_mtime_ns))
    assert (os.stat(path).st_size, os.stat(path).st_mtime_ns) == (times.st_size, times.st_mtime_ns)
    with pytest.raises(ValueError, match=r"a\.run: the file has changed since"):
        content(runs)
    runs = RunSet(path)
    other = files / "other"
    other.write_text(text_of(A).replace("d1", "d8"))
    os.utime(other, ns=(times.st_atime_ns, times.st_mtime_ns))
    other.replace(path)
    with pytest.raises(ValueError, match=r"a\.run: the file has changed since"):
        content(runs)
    assert RunSet(path).digest != runs.digest


@pytest.mark.parametrize(
    ("file", "name"),
    [
        ("bm25.run", "bm25"),
        ("runs/bm25.run.gz", "bm25"),
        ("bm25.k1.res.gz", "bm25.k1"),
        ("input.BM25", "input.BM25"),
        ("bm25", "bm25"),
        (".run", ".run"),
        (Path("x/y.trec"), "y"),
    ],
)
def test_endings_of_run_files_are_left_out_of_names(file, name):
    assert run_name(file) == name


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no named pipes here")
def test_a_pipe_is_read_once(tmp_path):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    writer = threading.Thread(target=pipe.write_text, args=(text_of(A),), daemon=True)
    writer.start()
    runs = RunSet({"a": pipe})
    pipe.unlink()
    assert content(runs) == {"a": A_ROWS}


def test_a_set_may_be_handed_to_evaluate():
    runs = RunSet({"a": A, "b": B}, groups={"a": "X", "b": "Y"})
    assert evaluate(runs, QRELS, "P@1").systems == ("a", "b")


@pytest.mark.parametrize("nothing", [{}, [], ()])
def test_there_must_be_a_run(nothing):
    with pytest.raises(ValueError, match="`runs` must hold at least one run"):
        RunSet(nothing)


@pytest.mark.parametrize(
    ("runs", "error", "message"),
    [
        (None, TypeError, "`runs` must be a dict of runs, a list of runs, .* got NoneType"),
        (7, TypeError, "got int"),
        ({1: A}, TypeError, "runs must be named by non-empty strings; got 1"),
        ({"": A, "b": B}, TypeError, "runs must be named by non-empty strings; got ''"),
        ([A, 3], TypeError, "run 'run2' must be a DataFrame, .* got int"),
        ({"a": A, "b": frame_of(B).drop(columns="score")}, ValueError, "run 'b' DataFrame needs"),
        ({"a": "no such.run"}, FileNotFoundError, "no such.run: no such file"),
        ("no such/*.run", FileNotFoundError, r"no such/\*\.run: no such file"),
        (Path("no such.run"), FileNotFoundError, "no such.run: no such file"),
        (os.curdir, IsADirectoryError, r"a directory, not a file; a glob such as \./\*\.run names"),
    ],
)
def test_what_is_not_a_set_of_runs_is_refused(runs, error, message):
    with pytest.raises(error, match=message):
        RunSet(runs)


def test_a_set_may_be_made_from_a_set():
    first = RunSet({"a": A, "b": B}, name="first", groups={"a": "x", "b": "y"}, strict=False)
    same = RunSet(first)
    assert (same.name, same.names, same.groups) == ("first", ("a", "b"), ("x", "y"))
    assert (same.digest, same.named, same.strict) == (first.digest, True, False)
    other = RunSet(first, name="other", groups={"a": "z", "b": "z"})
    assert (other.name, other.groups) == ("other", ("z", "z"))
    assert RunSet(RunSet({"a": A}), strict=False).strict is False
    assert RunSet(RunSet([A, B])).named is False


def test_a_set_may_be_registered_under_another_name():
    runs = RunSet({"a": A, "b": B})
    registered = register_runs("mine", runs)
    assert resolve("mine") is registered
    assert (registered.name, registered.digest) == ("mine", runs.digest)
    assert register_runs("mine", runs) is registered
    expected = evaluate(runs, QRELS, NRG(prior=runs) @ 5).scores
    assert evaluate(runs, QRELS, "NRG(prior=mine)@5").scores.tolist() == expected.tolist()


@pytest.fixture
def parts(tmp_path):
    """A folder with the two queries of a run in two files, one of them compressed."""
    folder = tmp_path / "parts"
    folder.mkdir()
    (folder / "1.run").write_text("q1 Q0 d1 1 2.0 t\nq1 Q0 d2 2 1.0 t\n")
    (folder / "2.run.gz").write_bytes(gzip.compress(b"q2 Q0 d3 1 1.0 t\n"))
    (folder / "_SUCCESS").write_text("")
    (folder / ".hidden").write_text("")
    return folder


def test_a_run_in_several_files_is_a_folder_or_a_list(parts):
    whole = RunSet({"a": {"q1": {"d1": 2.0, "d2": 1.0}, "q2": {"d3": 1.0}}})
    paths = sorted(parts.glob("*.r*"))
    lists = paths, list(map(str, paths)), tuple(map(str, paths)), paths[::-1]
    for several in (parts, str(parts), *lists):
        for given in ({"a": several}, [("a", several)]):
            held = RunSet(given)
            assert (held.names, held.named) == (("a",), True)
            assert run_digest(held.columns(0)) == run_digest(whole.columns(0))
    qrels = {"q1": {"d1": 1}, "q2": {"d3": 1, "d4": 1}}
    for several in (parts, paths):
        assert evaluate({"a": several}, qrels, "R@5").scores.tolist() == [[[1.0, 0.5]]]
        more = {**qrels, "q3": {"d1": 1}}
        compared = compare({"a": several, "b": {"q1": {"d1": 1.0}}}, more, "R@5")
        assert compared.matrix.scores[0, 0].tolist() == [1.0, 0.5, 0.0]
        register_runs("in_files", {"a": several})
        assert evaluate(A, qrels, "NRG(prior=in_files)@5").scores.shape == (1, 1, 2)
    assert RunSet([parts]).names == ("parts",)


def test_lists_of_documents_stay_one_run(parts, monkeypatch):
    monkeypatch.chdir(parts)
    for docs in (["1.run.md", "x"], ["no.run", "1.run"], ["d1", "1.run"]):
        held = RunSet({"q1": docs})
        assert (held.names, held.columns(0).doc.all()) == (("run",), docs)
    (parts / "1").write_text("")
    told = "share no query: .*; the files of a run are listed as pathlib.Path$"
    with pytest.raises(InputError, match=told):
        evaluate({"a": ["1"]}, QRELS, "P@1")


def test_the_digest_of_several_files_follows_them(parts):
    before = RunSet({"a": parts})
    listed = {"a": [parts / "1.run", parts / "2.run.gz"]}
    assert RunSet({"a": parts}).digest == RunSet(listed).digest == before.digest
    (parts / "3.run").write_text("q3 Q0 d1 1 2.0 t\n")
    assert RunSet({"a": parts}).digest != before.digest
    assert RunSet(listed).digest == before.digest
    (parts / "1.run").write_text("q1 Q0 d2 1 2.0 t\n")
    with pytest.raises(InputError, match=r"1\.run: the file has changed since the"):
        before.columns(0)


def test_a_query_in_two_files_names_both(parts):
    (parts / "3.run").write_text("q9 Q0 d1 1 2.0 t\nq2 Q0 d1 1 2.0 t\n")
    both = f"query 'q2' is in {parts}/2.run.gz and in {parts}/3.run; a folder is one run"
    with pytest.raises(InputError) as error:
        evaluate({"a": parts}, QRELS, "P@1")
    assert str(error.value) == f"run 'a' ({parts}): {both} (to score each file as a run: {parts}/*)"
    files = [f"{parts}/2.run.gz", f"{parts}/3.run"]
    with pytest.raises(InputError) as error:
        evaluate({"a": files}, QRELS, "P@1")
    first, second = files
    assert str(error.value) == (
        f"run 'a' ({first}, {second}): query 'q2' is in {first} and in {second}; a list of "
        "files with a name is one run (to score each file as a run: the list without a name)"
    )
    with pytest.raises(FileNotFoundError, match=r"/4\.run: no such file$"):
        RunSet({"a": [*files, f"{parts}/4.run"]})


def test_an_empty_folder_and_empty_files_are_named(parts):
    for file in parts.iterdir():
        file.write_bytes(gzip.compress(b"") if file.suffix == ".gz" else b"")
    with pytest.raises(InputError, match=r"run 'a' \(.*parts\) is empty: it has no rows"):
        evaluate({"a": parts}, QRELS, "P@1")
    (parts / "1.run").unlink()
    (parts / "2.run.gz").unlink()
    with pytest.raises(FileNotFoundError, match="parts: the folder has no files"):
        RunSet({"a": parts})


@pytest.mark.parametrize("runs", ["{}", {"a": "{}/*.r*"}], ids=["no name", "glob"])
def test_other_forms_of_several_files_are_told_the_forms(parts, runs):
    given = runs.format(parts) if isinstance(runs, str) else {"a": runs["a"].format(parts)}
    with pytest.raises((InputError, IsADirectoryError)) as error:
        evaluate(given, QRELS, "P@1")
    assert f"{SEVERAL_FILES}" in str(error.value)


def test_files_of_one_name_are_refused(files):
    (files / "a.run.gz").write_bytes(gzip.compress(b""))
    with pytest.raises(ValueError, match=r"a\.run and .*a\.run\.gz would both be called 'a'"):
        RunSet(f"{files}/*")


def test_errors_in_a_run_name_it():
    runs = RunSet({"good": A, "bad": {"q1": {"d1": float("nan")}}})
    for use in (
        lambda: runs.digest,
        lambda: evaluate(runs, QRELS, "P@1"),
        lambda: NRG(prior=runs)(cutoff=5).calc_aggregate(QRELS, A),
    ):
        with pytest.raises(ValueError, match="run 'bad': score is NaN for query 'q1', document"):
            use()


@pytest.mark.parametrize("name", ["a#b", 7])
def test_names_of_sets_are_checked(name):
    with pytest.raises(ValueError, match="`name` must be a string without '#'"):
        RunSet(A, name=name)


# Groups


def test_groups_follow_the_runs(tmp_path):
    file = tmp_path / "groups.csv"
    file.write_text("group,run\nY,b\nX,a\nZ,c\n")
    runs = {"a": A, "b": B}
    assert RunSet(runs).groups is None
    assert RunSet(runs, groups=file).groups == ("X", "Y")
    assert RunSet(runs, groups=str(file)).groups == ("X", "Y")
    assert RunSet(runs, groups={"b": 2, "a": 1}).groups == ("1", "2")


def test_groups_must_name_every_run():
    with pytest.raises(ValueError, match="no group for 1 of 2 runs: 'b'"):
        RunSet({"a": A, "b": B}, groups={"a": "X"})


# Identity


def test_the_digest_of_runs_in_memory_is_that_of_the_content():
    sets = {
        "dict": RunSet({"a": A, "b.v2": B}),
        "frames": RunSet({"a": frame_of(A), "b.v2": frame_of(B, object)}),
        "rows": RunSet({"a": rows_of(A)[::-1], "b.v2": iter(rows_of(B))}),
        "other name": RunSet({"a": A, "b.v2": B}, name="other"),
    }
    assert {name: runs.digest for name, runs in sets.items()} == dict.fromkeys(
        sets, sets["dict"].digest
    )


def test_the_digest_of_files_is_that_of_their_state(files):
    runs = RunSet(f"{files}/*.run*")
    assert runs.digest == RunSet({"a": files / "a.run", "b.v2": f"{files}/b.v2.run.gz"}).digest
    (files / "a.run").write_text(text_of(A))
    assert RunSet(f"{files}/*.run*").digest != runs.digest


def test_looking_at_a_set_reads_no_file(files, monkeypatch):
    monkeypatch.setattr(sources, "read_run", None)
    runs = RunSet(f"{files}/*.run*", name="mine")
    measure = NRG(prior=runs) @ 10
    assert repr(runs) == f"RunSet('mine', runs=2, digest={runs.digest!r})"
    assert str(measure) == f"NRG(prior={runs.label!r})@10"
    assert ir_measures.parse_measure(str(measure)) == measure


def test_a_measure_of_files_reads_each_once(files, monkeypatch):
    reads = []
    read_run = sources.read_run
    monkeypatch.setattr(
        sources, "read_run", lambda path, *rest: reads.append(path) or read_run(path, *rest)
    )
    paths = [files / f"{number}.run" for number in range(6)]
    for path in paths:
        path.write_text(text_of(A))
    measure = NRG(prior=paths) @ 10
    assert measure == ir_measures.parse_measure(str(measure))
    for run in (A, B):
        ir_measures.calc_aggregate([measure], QRELS, run)
    assert reads == paths


def test_looking_at_a_label_registers_nothing():
    runs = RunSet({"a": A}, name="mine")
    assert not registry.is_known(runs.label)
    measure = NRG(prior=runs)
    assert registry.is_known(runs.label)
    del measure, runs


@pytest.mark.slow
def test_a_measure_read_from_a_string_keeps_its_set():
    measure = NRG(prior=RunSet({"only": B})) @ 10
    read = ir_measures.parse_measure(str(measure))
    expected = measure.calc_aggregate(QRELS, A)
    del measure
    gc.collect()
    assert read.calc_aggregate(QRELS, A) == expected
    assert ir_measures.parse_measure(str(read)) == read


OTHER_SETS = {
    "both": RunSet({"a": A, "b": B}),
    "other order": RunSet({"b": B, "a": A}),
    "other names": RunSet({"a": A, "c": B}),
    "other content": RunSet({"a": A, "b": A}),
    "other scores": RunSet({"a": A, "b": {"q1": {"d3": 1.5}}}),
    "fewer": RunSet({"a": A}),
    "grouped": RunSet({"a": A, "b": B}, groups={"a": "X", "b": "X"}),
    "other groups": RunSet({"a": A, "b": B}, groups={"a": "X", "b": "Y"}),
}


@pytest.mark.parametrize(("one", "other"), [*itertools.combinations(OTHER_SETS, 2)])
def test_measures_of_different_runs_are_never_equal(one, other):
    left, right = (NRG(prior=OTHER_SETS[name]) @ 10 for name in (one, other))
    assert left != right
    assert len({left, right}) == 2


def test_measures_of_equal_runs_are_equal():
    again = NRG(prior={"b": frame_of(B), "a": A}) @ 10
    assert again == NRG(prior=OTHER_SETS["other order"]) @ 10
    assert hash(again) == hash(NRG(prior=OTHER_SETS["other order"]) @ 10)
    assert again != NRG(prior=OTHER_SETS["other order"]) @ 9
    assert again != UniqueRel(prior=OTHER_SETS["other order"]) @ 10


def test_different_sets_of_one_name_keep_their_values():
    """ir_measures merges equal measures; these measures are not equal."""
    measures = [UniqueRel(prior=run) @ 2 for run in (A, B)]
    run = {"q1": {"d1": 2.0, "d3": 1.0}, "q2": {"d1": 1.0}}
    assert ir_measures.calc_aggregate(measures, QRELS, run) == {measures[0]: 0.5, measures[1]: 1.0}


def test_the_repr_has_name_and_digest():
    runs = RunSet({"a": A}, name="mine")
    assert re.fullmatch("[0-9a-f]{16}", runs.digest)
    assert repr(runs) == f"RunSet('mine', runs=1, digest={runs.digest!r})"
    assert str(NRG(prior=runs) @ 10) == f"NRG(prior='mine#{runs.digest}')@10"
    assert str(NRG(prior=A) @ 10) == f"NRG(prior='runs#{RunSet(A).digest}')@10"


@pytest.mark.parametrize(
    "name", ["mine", "a b", "a+b", "it's", 'a"b', "a\\b", "文", "others", "runs/*"]
)
def test_a_measure_of_a_set_reads_back_from_its_string(name):
    measure = NRG(prior=RunSet({"a": A, "b": B}, name=name)) @ 10
    read = ir_measures.parse_measure(str(measure))
    assert read == measure
    assert read.calc_aggregate(QRELS, A) == measure.calc_aggregate(QRELS, A)


def test_the_name_of_a_set_that_is_gone_is_unknown():
    measure = ir_measures.parse_measure(str(NRG(prior=RunSet({"only": B})) @ 10))
    with pytest.raises(ValueError, match="NRG: `prior`: no set of runs is called 'runs#"):
        measure.calc_aggregate(QRELS, A)


def test_runs_are_judged_once_per_content_of_the_qrels(monkeypatch):
    reads = []
    runs = RunSet({"a": A, "b": B})
    columns = RunSet.columns
    monkeypatch.setattr(RunSet, "columns", lambda self, at: reads.append(at) or columns(self, at))
    judged = registry.judged(runs, Judgments(read_qrels(QRELS)))
    assert (
        registry.judged(runs, Judgments(read_qrels({q: dict(docs) for q, docs in QRELS.items()})))
        is judged
    )
    assert reads == [0, 1]
    other = registry.judged(runs, Judgments(read_qrels({"q1": {"d3": 1}})))
    assert judged.rank.shape == (2, 2, 2)
    assert other.rank.tolist() == [[[0]], [[1]]]


@pytest.mark.parametrize("form", ["files", "in memory"])
def test_runs_are_read_one_at_a_time_in_order(form, files, monkeypatch):
    sources = [A, B, A, B, B]
    if form == "files":
        for number, run in enumerate(sources):
            (files / f"{number}.run").write_text(text_of(run))
        sources = [files / f"{number}.run" for number in range(len(sources))]
    runs = RunSet(sources)
    started = []
    columns = RunSet.columns
    monkeypatch.setattr(
        RunSet, "columns", lambda self, at, *lazy: started.append(at) or columns(self, at, *lazy)
    )
    for position, run in enumerate(runs.each()):
        assert len(started) <= position + 2
        assert run.query_ids == (("q1", "q2") if position in (0, 2) else ("q1",))
    assert started == [0, 1, 2, 3, 4]


def test_a_bad_file_is_told_when_its_turn_comes(files):
    (files / "bad.run").write_text("q1 Q0 d1 0 x tag\n")
    runs = RunSet([files / "a.run", files / "bad.run", files / "b.v2.run.gz"]).each()
    assert next(runs).query_ids == ("q1", "q2")
    with pytest.raises(ValueError, match=r"bad\.run:1: score must be a number"):
        next(runs)


def test_ranks_beyond_two_bytes_are_kept():
    deep = {"q1": {f"x{number}": -float(number) for number in range(70_000)}}
    runs = RunSet({"a": A, "deep": deep, "b": B})
    judged = registry.judged(
        runs, Judgments(read_qrels({"q1": {"x69999": 2, "x65535": 1, "d1": 1}}))
    )
    by_run = [
        dict(zip(judged.judgments.doc_index.ids, row[0], strict=True))
        for row in judged.rank.tolist()
    ]
    assert by_run[0]["d1"] == 1
    assert (by_run[1]["x69999"], by_run[1]["x65535"], by_run[1]["d1"]) == (70_000, 65_536, 0)
    assert not any(by_run[2].values())


def test_only_some_qrels_are_remembered():
    runs = RunSet({"a": A})
    first = Judgments(read_qrels({"q1": {"d1": 1}}))
    judged = registry.judged(runs, first)
    for grade in range(2, 2 + registry.CACHED):
        registry.judged(runs, Judgments(read_qrels({"q1": {"d1": grade}})))
    assert registry.judged(runs, first) is not judged
    assert np.array_equal(registry.judged(runs, first).rank, judged.rank)


@pytest.mark.parametrize("depth", [1, 2, None])
def test_a_run_is_told_by_content_whether_its_top_was_noted_or_not(depth, monkeypatch):
    reads = []
    # x and y rank the relevant document alike; they differ only in unjudged documents.
    runs = {
        "x": {"q1": {"d1": 2.0, "x": 1.0}},
        "y": {"q1": {"d1": 2.0, "y": 1.0}},
        "z": {"q1": {"z": 2.0, "d1": 1.0}},
    }
    columns = RunSet.columns
    monkeypatch.setattr(RunSet, "columns", lambda self, at: reads.append(at) or columns(self, at))
    judgments = Judgments(read_qrels({"q1": {"d1": 1}}))
    evaluated = [judge(judgments, read_run(run)) for run in runs.values()]
    expected = [0, 0 if depth == 1 else 1, 2]
    for depths in ([], [depth], [3]):
        members = RunSet(runs)
        judged = registry.judged(members, judgments, *depths)
        assert [judged.position_by_content(run, members, depth) for run in evaluated] == expected
        reads.clear()
        assert [judged.position_by_content(run, members, depth) for run in evaluated] == expected
        assert reads == []
        stranger = judge(judgments, read_run({"q1": {"d1": 3.0, "z": 2.0, "y": 1.0}}))
        assert judged.position_by_content(stranger, members, depth) == (0 if depth == 1 else None)


def test_run_by_run_the_set_is_read_once_and_the_qrels_are_indexed_once(monkeypatch):
    reads, indexed = [], []
    columns, index = RunSet.columns, Judgments.__init__
    monkeypatch.setattr(RunSet, "columns", lambda self, at: reads.append(at) or columns(self, at))
    monkeypatch.setattr(
        Judgments, "__init__", lambda self, *args: indexed.append(self) or index(self, *args)
    )
    qrels = {"q1": {"d1": 1, "only here": 1}, "q2": {"d1": 1}}
    together = evaluate({"a": A, "b": B}, qrels, "NRG(prior=others)@10").aggregates[0].tolist()
    reads.clear()
    indexed.clear()
    register_runs("mine", {"a": A, "b": B})
    measure = ir_measures.parse_measure("NRG(prior=mine)@10")
    assert [measure.calc_aggregate({**qrels}, run) for run in (A, B)] == together
    assert reads == [0, 1]
    assert len(indexed) == 1


# Names


def test_a_registered_name_stands_for_its_runs():
    runs = register_runs("mine", {"b": B})
    measure = ir_measures.parse_measure("UniqueRel(prior=mine)@10")
    assert resolve("mine") is resolve(runs) is runs
    assert runs.name == "mine"
    run = {"q1": {"d1": 2.0, "d3": 1.0}}
    expected = (UniqueRel(prior=runs) @ 10).calc_aggregate(QRELS, run)
    assert measure.calc_aggregate(QRELS, run) == expected == 0.5


def test_registering_the_same_content_again_changes_nothing():
    first = register_runs("mine", {"b": B})
    assert register_runs("mine", {"b": frame_of(B)}) is first


def test_registering_other_content_needs_replace():
    first = register_runs("mine", {"b": B})
    with pytest.raises(ValueError, match="'mine' names a set of other content; use replace=True"):
        register_runs("mine", {"b": A})
    with pytest.raises(ValueError, match="use replace=True"):
        register_runs("mine", {"b": B}, groups={"b": "X"})
    assert resolve("mine") is first
    second = register_runs("mine", {"b": A}, replace=True)
    assert resolve("mine") is second is not first


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("others", "'others' means the systems under comparison; use scope"),
        ("", "`name` must not be empty"),
        ("a#b", "`name` must be a string without '#'"),
        (None, "`name` must not be empty"),
        (3, "`name` must be a string"),
    ],
)
def test_names_that_cannot_be_registered(name, message):
    with pytest.raises(ValueError, match=message):
        register_runs(name, {"b": B})


def test_others_are_the_runs_in_scope():
    measure = ir_measures.parse_measure("UniqueRel(prior=others, exclude_self=False)@10")
    with scope({"b": B}) as outer:
        assert resolve("others") is outer
        assert measure.calc_aggregate(QRELS, A) == 1.0
        with scope(RunSet({"a": A}, name="inner")) as inner:
            assert resolve("others") is inner
            assert inner.name == "inner"
            assert measure.calc_aggregate(QRELS, A) == 0.0
        assert resolve("others") is outer
    with pytest.raises(ValueError, match="UniqueRel: `prior`: no set of runs is called 'others'"):
        measure.calc_aggregate(QRELS, A)


def test_a_scope_ends_with_an_error():
    with pytest.raises(KeyError), scope({"a": A}):
        raise KeyError
    with pytest.raises(ValueError, match="no set of runs is called 'others'"):
        resolve("others")


def test_a_scope_may_have_groups():
    with scope({"a": A, "b": B}, groups={"a": "X", "b": "Y"}) as runs:
        assert (runs.name, runs.groups) == ("others", ("X", "Y"))


def test_names_are_looked_up_in_order(files, monkeypatch):
    monkeypatch.chdir(files)
    (files / "others").write_text(text_of(B))
    (files / "mine").write_text(text_of(B))
    assert content(resolve("mine")) == {"mine": B_ROWS}
    mine = register_runs("mine", {"a": A})
    assert resolve("mine") is mine
    with pytest.raises(ValueError, match="no set of runs is called 'others'"):
        resolve("others")
    with scope({"a": A}) as runs:
        assert resolve("others") is runs


def test_files_and_globs_are_names(files, monkeypatch):
    monkeypatch.chdir(files)
    assert content(resolve("a.run")) == {"a": A_ROWS}
    assert content(resolve("*.run*")) == {"a": A_ROWS, "b.v2": B_ROWS}
    measure = ir_measures.parse_measure("UniqueRel(prior='*.run*')@10")
    assert measure.calc_aggregate(QRELS, {"q1": {"d1": 1.0}}) == 0.0


def test_a_file_is_read_again_when_it_changed(files):
    path = files / "a.run"
    first = resolve(str(path))
    assert resolve(str(path)) is first
    path.write_text(text_of(A) + text_of(B))
    assert resolve(str(path)) is not first
    assert len(content(resolve(str(path)))["a"]) == len(A_ROWS) + len(B_ROWS)


def test_plus_joins_sets(files):
    one = register_runs("one", {"a": A}, groups={"a": "X"})
    two = register_runs("two", {"b": B}, groups={"b": "Y"})
    joined = resolve("one+two")
    assert (joined.name, joined.names, joined.groups) == ("one+two", ("a", "b"), ("X", "Y"))
    assert joined.digest == RunSet({"a": A, "b": B}, groups={"a": "X", "b": "Y"}).digest
    assert resolve("one+two") is joined
    assert resolve("two+one").names == ("b", "a")
    with scope({"c": B}):
        mixed = resolve(f"others+one+{files}/b.v2.run.gz")
        assert (mixed.names, mixed.groups) == (("c", "a", "b.v2"), None)
    assert (one.names, two.names) == (("a",), ("b",))


def test_a_run_in_both_sets_is_joined_once():
    register_runs("one", {"a": A, "b": B})
    register_runs("two", {"b": frame_of(B), "a": rows_of(A)})
    assert resolve("one+two").names == ("a", "b")
    assert resolve("one+one").digest == resolve("one").digest
    register_runs("three", {"a": B})
    with pytest.raises(ValueError, match="'one' and 'three' both have a run 'a', of different"):
        resolve("one+three")


def test_made_up_names_of_runs_are_not_confused():
    register_runs("one", [A, B])
    register_runs("two", [B])
    assert resolve("one+two").names == ("one/run1", "one/run2", "two/run1")


def test_a_set_whose_name_has_a_plus_is_itself():
    register_runs("one", {"a": A})
    register_runs("two", {"b": B})
    own = register_runs("one+two", {"c": A})
    assert resolve("one+two") is own


def test_an_unknown_name_lists_the_known_ones():
    with pytest.raises(ValueError, match="'nobody'; registered are none"):
        resolve("nobody")
    register_runs("two", {"b": B})
    register_runs("one", {"a": A})
    with pytest.raises(ValueError, match="called 'nobody'; registered are 'one', 'two'"):
        resolve("nobody")
    with pytest.raises(ValueError, match="called 'nobody', ''; registered are"):
        resolve("one+nobody+")
    with pytest.raises(ValueError, match="NRG: `prior`: no set of runs is called 'nobody'"):
        ir_measures.parse_measure("NRG(prior=nobody)@10").calc_aggregate(QRELS, A)
    with pytest.raises(ValueError, match="P_Rareness: `systems`: no set of runs is called"):
        (P_Rareness(systems="nobody") @ 10).calc_aggregate(QRELS, A)


def test_many_known_names_are_counted():
    for number in range(12):
        register_runs(f"set{number:02}", {"a": A})
    with pytest.raises(ValueError, match=r"'set08', 'set09' and 2 more; did you mean set03\?"):
        resolve("sett03")


def test_a_digest_that_no_set_has_is_explained():
    with pytest.raises(ValueError, match="name#digest stands for a RunSet while it, or a measure"):
        resolve("runs#0123")
    with pytest.raises(ValueError, match=r"quotes\.$"):
        resolve("runs")


@pytest.mark.parametrize("name", [".", "..", "/", "a\0b", "x" * 5000, "[", "+", "\ud800"])
def test_odd_names_are_unknown(name):
    with pytest.raises(ValueError, match="no set of runs is called"):
        resolve(name)


def test_names_are_part_of_the_public_api():
    assert irx_measures.register_runs is register_runs
    assert irx_measures.scope is scope


@pytest.mark.parametrize("form", ["dict", "frame", "objects"])
def test_a_set_stays_what_it_was_when_its_runs_are_changed(form):
    run = {"q1": {"A": 2.0, "B": 1.0}}
    if form != "dict":
        rows = [("q1", doc, score) for doc, score in run["q1"].items()]
        run = pd.DataFrame(rows, columns=["query_id", "doc_id", "score"])
    if form == "objects":
        run = run.astype({"query_id": object, "doc_id": object})
    measure = NRG(prior=RunSet({"a": run})) @ 10
    found = {"q1": {"A": 1.0}}
    first = measure.calc_aggregate({"q1": {"A": 1, "C": 0}}, found)
    if form == "dict":
        run["q1"].clear()
    else:
        run.loc[0, "score"] = -1.0
        run.loc[0, "doc_id"] = "Z"
    again = measure.calc_aggregate({"q1": {"A": 1, "D": 0}}, found)
    assert (first, again) == (0.0, 0.0)


def test_a_file_that_changes_under_its_set_is_told(tmp_path):
    path = tmp_path / "a.run"
    path.write_text("q1 Q0 A 1 1.0 tag\n")
    runset = RunSet({"a": path})
    qrels = {"q1": {"A": 1, "ZZ": 0}}
    assert evaluate(runset, qrels, "P@1").scores.item() == 1.0
    path.write_text("q1 Q0 ZZ 1 1.0 tag\n")
    for changed in (runset, runset.subset([0])):
        with pytest.raises(ValueError, match=r"a\.run: the file has changed since the RunSet"):
            evaluate(changed, qrels, "P@1")
    assert evaluate({"a": path}, qrels, "P@1").scores.item() == 0.0


# Scopes closed out of order, and threads


def others():
    return registry.resolve("others").names


def test_scopes_may_be_closed_in_any_order():
    first, second, third = (scope({name: {"q": {"A": 1.0}}}) for name in "abc")
    for opened in (first, second, third):
        opened.__enter__()
    first.__exit__(None, None, None)
    assert others() == ("c",)
    third.__exit__(None, None, None)
    assert others() == ("b",)
    second.__exit__(None, None, None)
    with pytest.raises(ValueError, match="no set of runs is called 'others'"):
        others()


def test_a_set_may_be_in_scope_twice():
    runset = RunSet({"a": {"q": {"A": 1.0}}})
    with scope(runset), scope({"b": {"q": {"A": 1.0}}}):
        with scope(runset):
            assert others() == ("a",)
        assert others() == ("b",)


def test_a_new_thread_does_not_inherit_the_scope():
    with scope({"a": {"q": {"A": 1.0}}}), ThreadPoolExecutor(1) as pool:
        with pytest.raises(ValueError, match="no set of runs is called 'others'"):
            pool.submit(others).result()
        assert pool.submit(copy_context().run, others).result() == ("a",)
        assert others() == ("a",)


def test_a_scope_is_closed_in_its_own_thread():
    opened = scope({"a": {"q": {"A": 1.0}}})
    opened.__enter__()
    with ThreadPoolExecutor(1) as pool:
        closing = pool.submit(opened.__exit__, None, None, None)
        with pytest.raises(ValueError, match="must be closed in the thread in which it was opened"):
            closing.result()
