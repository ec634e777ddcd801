"""Saved sets of runs: they score as before, and refuse what was changed, damaged or made up."""

import gzip
import json
import math
import os
import stat
from hashlib import sha256

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

import irx_measures
from irx_measures import NRG, EvaluationWarning, InputError, RunSet, evaluate
from irx_measures.judgments.digests import run_digest
from irx_measures.runsets import saved
from irx_measures.runsets.manifest import SAFE_STEM, file_stems

MEASURES = ["nDCG@5", "NRG(prior=others, select=best-per-group)@5", "RBO(reference=a)", "AP"]

QRELS = {"q1": {"A": 2, "B": 1, "C": 0}, "q2": {"A": 1, "D": 1}, "none": {"A": 1}}

RUNS = {
    "a": {"q2": {"A": 0.1 + 0.2, "D": 0.3}, "q1": {"C": 1e-40, "A": -5.0, "B": math.inf}},
    "b": {"q1": {"B": 1 / 3, "A": np.float32(1 / 3).item(), "C": 0.0}, "none": {}},
    "c": {"q1": {"A": 16777217.0, "B": 16777216.0, "C": 2.0}, "q9": {"Z": 1.0}},
}

GROUPS = {"a": "one", "b": "two", "c": "one"}


@pytest.fixture
def path(tmp_path):
    return tmp_path / "set"


def save(runs, path, **settings):
    RunSet(runs, **settings).save(path)
    return path


def rankings(runset):
    """Queries, documents and scores of every run, in trec_eval's order."""
    found = {}
    for place, name in enumerate(runset.names):
        run = runset.columns(place)
        rows = zip(run.query.all(), run.doc.all(), run.score.tolist(), strict=True)
        found[name] = sorted(rows)
    return found


def columns(run):
    rows = [(query, doc, score) for query, scores in run.items() for doc, score in scores.items()]
    return pd.DataFrame(rows, columns=["qid", "docno", "score"])


@pytest.mark.filterwarnings("ignore::irx_measures.EvaluationWarning")
@pytest.mark.parametrize("form", ["dicts", "frames", "files"])
def test_a_loaded_set_scores_exactly_as_before(form, path, tmp_path):
    runs = RUNS
    if form == "frames":
        runs = {name: columns(run) for name, run in RUNS.items()}
    if form == "files":
        (tmp_path / "given").mkdir()
        for name, run in RUNS.items():
            lines = (
                f"{query} Q0 {doc} 0 {score!r} t\n"
                for query, scores in run.items()
                for doc, score in scores.items()
            )
            (tmp_path / "given" / f"{name}.run").write_text("".join(lines))
        runs = str(tmp_path / "given" / "*.run")
    before = RunSet(runs, "mine", GROUPS)
    before.save(path)
    after = RunSet.load(path)
    assert (after.name, after.names, after.groups) == ("mine", before.names, before.groups)
    assert rankings(after) == rankings(before)
    expected = evaluate(before, QRELS, MEASURES)
    found = evaluate(after, QRELS, MEASURES)
    assert found.systems == expected.systems
    assert np.array_equal(found.scores, expected.scores, equal_nan=True)


def test_the_digest_of_a_set_survives(path):
    before = RunSet(RUNS, "mine", GROUPS)
    before.save(path)
    assert RunSet.load(path).digest == before.digest
    assert RunSet.load(path).label == before.label
    assert json.loads((path / "manifest.json").read_text())["digest"] == before.digest


def test_the_order_of_runs_queries_and_documents_survives(path):
    run = RunSet.load(save(RUNS, path)).columns(0)
    assert run.query_ids == ("q2", "q1")
    lines = gzip.decompress((path / "runs" / "a.run.gz").read_bytes()).decode().splitlines()
    # Scores that are equal as float32 are tied: the rank is by document id, as in trec_eval.
    assert lines == [
        "q2 Q0 D 1 0.3 a", "q2 Q0 A 2 0.30000000000000004 a",
        "q1 Q0 B 1 inf a", "q1 Q0 C 2 1e-40 a", "q1 Q0 A 3 -5.0 a",
    ]  # fmt: skip


@given(st.lists(st.floats(allow_nan=False), min_size=1, max_size=30))
def test_every_score_survives(tmp_path_factory, scores):
    path = tmp_path_factory.mktemp("set") / "set"
    run = {"q": {f"d{place}": score for place, score in enumerate(scores)}}
    save({"a": run}, path)
    assert rankings(RunSet.load(path)) == rankings(RunSet({"a": run}))


def test_the_same_set_has_the_same_bytes(tmp_path):
    first, second = (save(RUNS, tmp_path / name, groups=GROUPS) for name in ("one", "two"))
    files = sorted(file.relative_to(first) for file in first.rglob("*") if file.is_file())
    assert [str(file) for file in files] == [
        "manifest.json", "pt_meta.json", *(f"runs/{name}.run.gz" for name in "abc"),
    ]  # fmt: skip
    for file in files:
        assert (first / file).read_bytes() == (second / file).read_bytes()


def test_the_manifest_says_what_the_set_is(path):
    RunSet(RUNS, "mine", GROUPS).save(path, licence="CC BY 4.0")
    manifest = json.loads((path / "manifest.json").read_text())
    runs = manifest.pop("runs")
    assert manifest == {
        "format": "irx_measures.RunSet",
        "version": 1,
        "irx_measures": irx_measures.__version__,
        "name": "mine",
        "licence": "CC BY 4.0",
        "strict": True,
        "named": True,
        "digest": RunSet(RUNS, "mine", GROUPS).digest,
    }
    assert [(run["name"], run["group"]) for run in runs] == [*GROUPS.items()]
    assert [(run["queries"], run["documents"]) for run in runs] == [(2, 5), (1, 3), (2, 4)]
    for run in runs:
        assert run["sha256"] == sha256((path / run["file"]).read_bytes()).hexdigest()


def test_the_licence_goes_with_the_set(path, tmp_path):
    RunSet(RUNS).save(path, licence="CC BY 4.0")
    loaded = RunSet.load(path)
    assert loaded.licence == "CC BY 4.0"
    loaded.save(tmp_path / "again")
    assert RunSet.load(tmp_path / "again").licence == "CC BY 4.0"
    assert RunSet(RUNS).licence is None
    with pytest.raises(TypeError, match="`licence` must be a string; got int"):
        RunSet(RUNS).save(tmp_path / "new", licence=3)


def test_settings_survive(path, tmp_path):
    runs = [{"q1": {"A": 1.0}}, pd.DataFrame({"qid": [], "docno": [], "score": []})]
    with pytest.warns(EvaluationWarning, match="is empty"):
        RunSet(runs, strict=False).save(path)
    loaded = RunSet.load(path)
    assert (loaded.strict, loaded.named, loaded.names) == (False, False, ("run1", "run2"))
    with pytest.warns(EvaluationWarning, match=r"run 'run2' \(.*\) is empty"):
        assert rankings(loaded) == {"run1": [("q1", "A", 1.0)], "run2": []}
    with pytest.raises(InputError, match="is empty"):
        RunSet(runs[1:]).save(tmp_path / "strict")
    assert not (tmp_path / "strict").exists()


NAMES = ["../up", "/root", "a/b", "..", ".hidden", "a b", "Ä", "ä", "con", "x" * 300, "A", "a", "",
         "a\\b", "new\nline", "\ud800", "a-2", "-o", "a.run.gz", "🙂",
         "nul." + "x" * 96]  # fmt: skip


def test_hostile_names_make_safe_files(path, tmp_path):
    names = [name for name in NAMES if name]
    runs = {name: {"q1": {f"d{place}": 1.0}} for place, name in enumerate(names)}
    groups = {name: f"group of {name}" for name in names}
    loaded = RunSet.load(save(runs, path, groups=groups))
    assert loaded.names == tuple(names)
    assert loaded.groups == tuple(groups.values())
    found = [run[0][1] for run in rankings(loaded).values()]
    assert found == [f"d{place}" for place in range(len(names))]
    assert sorted(file.name for file in tmp_path.iterdir()) == ["set"]


@given(st.lists(st.one_of(st.sampled_from(NAMES), st.text(max_size=5)), max_size=30))
def test_file_names_are_safe_and_differ(names):
    stems = file_stems(names)
    assert len({stem.casefold() for stem in stems}) == len(names)
    assert all(SAFE_STEM.fullmatch(stem) for stem in stems)
    assert not {"con", "nul"} & {stem.split(".")[0].lower() for stem in stems}


@pytest.mark.parametrize(
    ("run", "message"),
    [
        ({"q 1": {"A": 1.0}}, "run 'a': a TREC file cannot hold the query 'q 1'"),
        ({"#q": {"A": 1.0}}, "cannot hold the query '#q'"),
        ({"\ufeffq": {"A": 1.0}}, r"cannot hold the query '\\ufeffq'"),
        ({"q": {"A\tB": 1.0}}, r"cannot hold the document 'A\\tB'"),
        ({"q": {"": 1.0}}, "cannot hold the document ''"),
        ({"q": {"A\0": 1.0}}, "cannot hold the document"),
        ({"q": {"A": math.nan}}, "run 'a': score is NaN for query 'q'"),
        ({"q": {"A" * 70_000: 1.0}}, r"longer than|too long|at most"),
    ],
)
def test_what_a_trec_file_cannot_hold_is_refused_and_nothing_stays(run, message, tmp_path):
    with pytest.raises(InputError, match=message):
        RunSet({"a": run}).save(tmp_path / "set")
    assert not any(tmp_path.iterdir())


def test_unusual_identifiers_survive(path):
    run = {"ö\u00a0": {"A\u2003B": 1.0, "x\x1cy": 0.5, "#d": 0.1, "🙂": -1.0}, '"': {"'": 1.0}}
    assert rankings(RunSet.load(save({"a": run}, path))) == rankings(RunSet({"a": run}))


@pytest.mark.parametrize("there", ["file", "folder", "empty"])
def test_an_existing_path_is_never_replaced_unasked(there, path):
    if there == "file":
        path.write_text("mine")
    else:
        path.mkdir()
        if there == "folder":
            (path / "notes").write_text("mine")
    with pytest.raises(FileExistsError, match="exists already"):
        save(RUNS, path)
    with pytest.raises(InputError, match=r"(only|not) a saved RunSet"):
        RunSet(RUNS).save(path, replace=True)
    assert path.read_text() == "mine" if there == "file" else path.is_dir()
    assert [*path.parent.iterdir()] == [path]


@pytest.mark.parametrize("target", ["nothing", "itself"])
def test_a_link_without_a_target_exists_already(target, path):
    try:
        path.symlink_to(path if target == "itself" else path.with_name("nothing"))
    except OSError:
        pytest.skip("no symbolic links")
    with pytest.raises(FileExistsError, match="exists already"):
        save(RUNS, path)
    with pytest.raises(InputError, match="only a saved RunSet is replaced"):
        RunSet(RUNS).save(path, replace=True)
    assert [*path.parent.iterdir()] == [path]


def test_a_saved_set_is_replaced_where_asked(path):
    save(RUNS, path)
    other = {"z": RUNS["a"]}
    RunSet(other).save(path, replace=True)
    assert RunSet.load(path).names == ("z",)
    assert [*path.parent.iterdir()] == [path]
    assert [file.name for file in (path / "runs").iterdir()] == ["z.run.gz"]


def test_a_set_may_replace_the_folder_that_it_was_loaded_from(path):
    loaded = RunSet.load(save(RUNS, path))
    before = rankings(loaded)
    loaded.subset([0, 2]).save(path, replace=True)
    assert rankings(RunSet.load(path)) == {name: before[name] for name in ("a", "c")}
    with pytest.raises((InputError, OSError)):
        loaded.columns(1)


def test_files_of_others_are_not_deleted(path):
    save(RUNS, path)
    notes = path / "runs" / "notes.txt"
    notes.write_text("mine")
    with pytest.raises(InputError, match=r"not replaced, because runs/notes.txt is no part"):
        RunSet(RUNS).save(path, replace=True)
    assert notes.read_text() == "mine"


def test_a_failed_write_changes_nothing(path, monkeypatch):
    save(RUNS, path)
    before = rankings(RunSet.load(path))

    def fail(*arguments):
        raise OSError("the disk is full")

    monkeypatch.setattr(saved, "_write_json", fail)
    with pytest.raises(OSError, match="disk is full"):
        RunSet({"z": RUNS["a"]}).save(path, replace=True)
    assert rankings(RunSet.load(path)) == before
    assert [*path.parent.iterdir()] == [path]


@pytest.mark.skipif(os.name != "posix", reason="no modes of files")
def test_the_folder_has_the_usual_mode(path):
    (path.parent / "usual").mkdir()
    save(RUNS, path)
    assert stat.S_IMODE(path.stat().st_mode) == stat.S_IMODE((path.parent / "usual").stat().st_mode)


def change(path, edit):
    """Change the manifest."""
    manifest = path / "manifest.json"
    content = json.loads(manifest.read_text())
    edit(content)
    manifest.write_text(json.dumps(content))


def test_a_changed_file_is_named(path):
    save(RUNS, path)
    file = path / "runs" / "b.run.gz"
    file.write_bytes(gzip.compress(b"q1 Q0 A 1 9.0 b\n"))
    with pytest.raises(InputError, match=r"b.run.gz: damaged or changed: its SHA-256 digest"):
        RunSet.load(path)


def test_a_changed_run_does_not_keep_the_digest_of_the_set(path):
    save(RUNS, path, name="mine")
    file = path / "runs" / "b.run.gz"
    file.write_bytes(gzip.compress(b"q1 Q0 A 1 9.0 b\n"))
    change(path, lambda c: c["runs"][1].update(sha256=sha256(file.read_bytes()).hexdigest()))
    loaded = RunSet.load(path)
    for used in (
        lambda: loaded.digest,
        lambda: loaded.label,
        lambda: str(NRG(prior=loaded) @ 10),
        lambda: evaluate(RUNS, QRELS, NRG(prior=RunSet.load(path)) @ 10),
    ):
        with pytest.raises(InputError, match=r"b.run.gz: changed: its queries, documents and"):
            used()
    assert loaded.subset([0, 2]).digest == RunSet(RUNS, "mine").subset([0, 2]).digest
    change(path, lambda c: c["runs"][1].update(digest=run_digest(loaded.columns(1))))
    with pytest.raises(InputError, match="names, groups or digests were changed"):
        RunSet.load(path)


def test_the_runs_of_a_saved_set_are_read_once_for_its_digest(path, monkeypatch):
    loaded = RunSet.load(save(RUNS, path))
    before = loaded.digest
    monkeypatch.setattr(saved, "run_digest", None)
    assert loaded.digest == before
    assert loaded.subset([0, 1]).digest == RunSet(RUNS).subset([0, 1]).digest


def test_a_file_that_changes_after_loading_is_an_error(path):
    loaded = RunSet.load(save(RUNS, path))
    file = path / "runs" / "b.run.gz"
    file.write_bytes(gzip.compress(b"q1 Q0 A 1 9.0 b\n"))
    with pytest.raises(InputError, match="the file has changed since the RunSet was created"):
        loaded.columns(1)


def test_a_missing_file_is_named(path):
    save(RUNS, path)
    (path / "runs" / "c.run.gz").unlink()
    with pytest.raises(InputError, match=r"c.run.gz: missing; manifest.json names it for run 'c'"):
        RunSet.load(path)


@pytest.mark.parametrize(
    "file",
    ["../x", "../x.run.gz", "runs/../../x.run.gz", "/etc/passwd", "runs/a/b.run.gz", "a.run.gz",
     "runs\\a.run.gz", "runs/.run.gz", "runs/..run.gz", "C:x.run.gz", "runs/a.run.gz\n"],
)  # fmt: skip
def test_a_file_outside_of_the_folder_is_refused(path, file):
    save(RUNS, path)
    (path.parent / "x.run.gz").write_bytes((path / "runs" / "a.run.gz").read_bytes())
    change(path, lambda content: content["runs"][0].update(file=file))
    with pytest.raises(InputError, match=r"files must be runs/NAME.run.gz"):
        RunSet.load(path)


@pytest.mark.parametrize("linked", ["file", "folder"])
def test_a_link_out_of_the_folder_is_refused(path, linked):
    save(RUNS, path)
    target = path / "runs" / "a.run.gz" if linked == "file" else path / "runs"
    outside = path.parent / "outside"
    target.rename(outside)
    try:
        target.symlink_to(outside)
    except OSError:
        pytest.skip("no symbolic links")
    with pytest.raises(InputError, match="a link to a file outside of"):
        RunSet.load(path)


DAMAGE = {
    "another format": (lambda c: c.update(format="other"), "not the manifest of a saved RunSet"),
    "a later version": (lambda c: c.update(version=2), "must be of version 1; got 2"),
    "no runs": (lambda c: c.update(runs=[]), "a field is missing or wrong"),
    "no licence": (lambda c: c.pop("licence"), "a field is missing or wrong"),
    "a number as name": (lambda c: c.update(name=3), "a field is missing or wrong"),
    "a run without digest": (lambda c: c["runs"][1].pop("digest"), "a field of run 2"),
    "a run without a name": (lambda c: c["runs"][1].update(name=""), "a field of run 2"),
    "a run that is no object": (lambda c: c["runs"].append("x"), "a field of run 4"),
    "a name twice": (lambda c: c["runs"][1].update(name="a"), "two runs have the same name"),
    "a group too few": (lambda c: c["runs"][1].update(group=None), "some runs have a group"),
    "another group": (lambda c: c["runs"][1].update(group="x"), "names, groups or digests were"),
    "another order": (lambda c: c["runs"].reverse(), "names, groups or digests were changed"),
    "a name with a mark": (lambda c: c.update(name="a#b"), "without '#'"),
}


@pytest.mark.parametrize("damage", DAMAGE)
def test_a_damaged_manifest_is_refused(path, damage):
    edit, message = DAMAGE[damage]
    save(RUNS, path, groups=GROUPS)
    change(path, edit)
    with pytest.raises(InputError, match=message):
        RunSet.load(path)


@pytest.mark.parametrize("content", [b"", b"{", b"\xff", b"[" * 100_000, b"[]", b"null"])
def test_what_is_no_manifest_is_refused(path, content):
    save(RUNS, path)
    (path / "manifest.json").write_bytes(content)
    with pytest.raises(InputError, match=r"manifest.json: not (JSON|the manifest)"):
        RunSet.load(path)


def test_what_is_no_saved_set_is_refused(path):
    with pytest.raises(FileNotFoundError, match="no such folder"):
        RunSet.load(path)
    path.mkdir()
    with pytest.raises(InputError, match=r"not a saved RunSet: it has no manifest.json"):
        RunSet.load(path)


def test_the_folder_as_runs_names_the_function_to_use(path):
    save(RUNS, path)
    with pytest.raises(IsADirectoryError, match=r"use RunSet.load"):
        RunSet(str(path))


def test_the_run_files_are_those_of_any_tool(path):
    save(RUNS, path, groups=GROUPS)
    plain = RunSet(str(path / "runs" / "*.run.gz"))
    assert rankings(plain) == rankings(RunSet.load(path))


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::irx_measures.EvaluationWarning")
def test_runs_of_trec_score_exactly_as_before(path, data):
    folder = data / "trec-dl-2019-passage"
    before = RunSet(str(folder / "runs" / "*"), groups=folder / "groups.csv")
    before.save(path)
    after = RunSet.load(path)
    assert (after.names, after.groups) == (before.names, before.groups)
    measures = ["nDCG@10", "NRG(prior=others, select=best-per-group)@10", "RBP"]
    expected, found = (
        evaluate(runs, folder / "qrels.txt.gz", measures) for runs in (before, after)
    )
    assert np.array_equal(found.scores, expected.scores, equal_nan=True)
