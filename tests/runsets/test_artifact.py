"""A folder of run files as an artifact, packed, downloaded and unpacked by PyTerrier itself."""

import gzip
import os
import re
import threading
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from importlib.metadata import EntryPoint
from pathlib import Path

import pytest

from irx_measures import InputError, RunSet
from irx_measures.common import memory

pt = pytest.importorskip("pyterrier")
artifact = pytest.importorskip("irx_measures.runsets.artifact")

RUN = b"q1 Q0 d1 1 2.5 t\nq1 Q0 d2 2 1.5 t\n"
TWO = {"a.run": RUN, "b.run.gz": gzip.compress(RUN)}
GROUPS = {"groups.csv": b"run,group\na,x\nb,y\n"}


def written(folder, files):
    folder.mkdir()
    for name, content in files.items():
        (folder / name).write_bytes(content)
    return folder


# PyTerrier unpacks without a filter, of which Python 3.12 and 3.13 warn.
@pytest.mark.filterwarnings("ignore:Python 3.14 will, by default, filter:DeprecationWarning")
def test_a_folder_of_runs_survives_pyterrier(tmp_path, monkeypatch):
    monkeypatch.setenv("PYTERRIER_HOME", str(tmp_path / "home"))
    folder = written(tmp_path / "mine", {**TWO, **GROUPS, "README.txt": b"no run"})
    artifact.RunSetArtifact(folder).build_package(str(tmp_path / "artifact.tar.lz4"))
    entry = '"run_set.irx" = "irx_measures.runsets.artifact:RunSetArtifact"'
    assert entry in Path(__file__).parents[2].joinpath("pyproject.toml").read_text()
    ours = EntryPoint(*entry.replace('"', "").split(" = "), "pyterrier.artifact")
    monkeypatch.setattr(pt.utils, "entry_points", lambda group: [ours] * (group == ours.group))
    handler = partial(SimpleHTTPRequestHandler, directory=tmp_path)
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, args=[0.01], daemon=True).start()
        url = f"http://127.0.0.1:{server.server_port}/artifact.tar.lz4"
        loaded = pt.Artifact.from_url(url).runset
        server.shutdown()
    local = RunSet(f"{folder}/*.run*", groups=folder / "groups.csv")
    assert (loaded.names, loaded.groups) == (local.names, local.groups) == (("a", "b"), ("x", "y"))
    assert loaded.run(1).value.tolist() == local.run(0).value.tolist() == [2.5, 1.5]


@pytest.mark.parametrize(
    ("files", "fact"),
    [
        ({**TWO, "c.run": b"\0\xff" * 99}, r"c\.run"),
        ({**TWO, "c.run": RUN, **GROUPS}, "no group for 1 of 3 runs: 'c'"),
        ({"c.run.gz": gzip.compress(b"\n" * (1 << 20))}, r"c\.run\.gz: a compressed file may"),
        ({**TWO, "a.run.gz": RUN}, "would both be called 'a'"),
        ({**TWO, "groups.csv": b"\xff\0"}, r"groups\.csv"),
        ({"README.txt": RUN}, "no run files"),
    ],
)
def test_what_is_no_set_of_runs_is_one_error(tmp_path, monkeypatch, files, fact):
    monkeypatch.setattr(memory, "ANY_FILE", 1 << 10)
    with pytest.raises(ValueError, match=fact):
        list(artifact.RunSetArtifact(written(tmp_path / "mine", files)).runset.each())


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no named pipes here")
@pytest.mark.parametrize("name", ["b.run", "groups.csv"])
@pytest.mark.parametrize(
    ("made", "fact"),
    [
        (os.mkfifo, "no file, but a folder, a pipe, a device or a link to nothing"),
        (os.mkdir, "no file, but a folder"),
        (lambda path: os.symlink("nothing", path), "no file, but a folder"),
        (lambda path: os.symlink("/dev/zero", path), "no file, but a folder"),
        (lambda path: os.symlink(path.parents[1] / "secret", path), "a link to a file outside of"),
    ],
    ids=["pipe", "folder", "dangling", "device", "outside"],
)
def test_what_is_no_file_of_the_artifact_is_refused(tmp_path, name, made, fact):
    """A pipe waits for a writer, and a link could lead to any file."""
    folder = tmp_path / "artifact"
    folder.mkdir()
    (tmp_path / "secret").write_text("q Q0 d 1 1 t\n")
    (folder / "a.run").write_text("q Q0 d 1 1 t\n")
    made(folder / name)
    with pytest.raises(InputError, match=re.escape(f"{folder / name}: {fact}")):
        artifact.RunSetArtifact(folder)
    if name == "b.run" and "outside" not in fact:
        with pytest.raises(InputError, match=re.escape(f"{folder / name}: {fact}")):
            RunSet({"mine": folder})


def test_links_within_the_artifact_are_followed(tmp_path):
    (tmp_path / "a.run").write_text("q Q0 d 1 1 t\n")
    (tmp_path / "b.run").symlink_to("a.run")
    assert artifact.RunSetArtifact(tmp_path).runset.names == ("a", "b")
