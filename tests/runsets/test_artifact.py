"""A folder of run files as an artifact, packed, downloaded and unpacked by PyTerrier itself."""

import gzip
import io
import re
import tarfile
import threading
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from importlib.metadata import EntryPoint
from pathlib import Path

import pytest

from irx_measures import RunSet
from irx_measures.common import memory

pt = pytest.importorskip("pyterrier")

PROJECT = Path(__file__).resolve().parents[2].joinpath("pyproject.toml").read_text()
OURS = re.search(r'"(run_set\.irx)" = "(.+)"', PROJECT).groups()
RUN = b"q1 Q0 d1 1 2.5 t\nq1 Q0 d2 2 1.5 t\n"
META = {"pt_meta.json": b'{"type": "run_set", "format": "irx"}'}
GOOD = {
    **META,
    "a.run": RUN,
    "b.run.gz": gzip.compress(RUN),
    "groups.csv": b"run,group\na,x\nb,y\n",
}


@pytest.fixture
def web(tmp_path, monkeypatch):
    """A folder and its address on a server of this machine; PyTerrier's own folder is a new one."""
    monkeypatch.setenv("PYTERRIER_HOME", str(tmp_path / "home"))
    monkeypatch.setattr(SimpleHTTPRequestHandler, "log_message", lambda *arguments: None)
    ours, installed = EntryPoint(*OURS, "pyterrier.artifact"), pt.utils.entry_points
    # An older version of the package may be installed.
    monkeypatch.setattr(
        pt.utils, "entry_points", lambda of: [*[ours] * (of == ours.group), *installed(of)]
    )
    folder = tmp_path / "web"
    folder.mkdir()
    handler = partial(SimpleHTTPRequestHandler, directory=folder)
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, args=[0.01], daemon=True).start()
        yield folder, f"http://127.0.0.1:{server.server_port}/artifact.tar"
        server.shutdown()


def load(web, members):
    """What PyTerrier loads from an archive of files and of other members."""
    with tarfile.open(web[0] / "artifact.tar", "w") as archive:
        for name, content in members.items():
            member = tarfile.TarInfo(name)
            if isinstance(content, bytes):
                member.size = len(content)
            else:
                member.type, member.linkname = content
            archive.addfile(member, io.BytesIO(content) if isinstance(content, bytes) else None)
    return pt.Artifact.from_url(web[1]).runset


def test_a_folder_of_runs_survives_pyterrier(web, tmp_path):
    from irx_measures.runsets.artifact import RunSetArtifact

    folder = tmp_path / "mine"
    folder.mkdir()
    for name in GOOD.keys() - META.keys():
        (folder / name).write_bytes(GOOD[name])
    (folder / "README.txt").write_text("no run")
    RunSetArtifact(folder).build_package(str(web[0] / "artifact.tar.lz4"))
    loaded = pt.Artifact.from_url(f"{web[1]}.lz4").runset
    local = RunSet(f"{folder}/*.run*", groups=folder / "groups.csv")
    assert (loaded.names, loaded.groups) == (local.names, local.groups) == (("a", "b"), ("x", "y"))
    assert loaded.columns(1).score.tolist() == local.columns(0).score.tolist() == [2.5, 1.5]


def test_nothing_leaves_the_folder(web, tmp_path):
    """PyTerrier leaves out links, pipes, devices, and names outside of the folder."""
    (tmp_path / "secret.run").write_bytes(RUN)
    outside = dict.fromkeys(["../out.run", "../../../out.run", f"{tmp_path}/out.run"], RUN)
    kinds = tarfile.SYMTYPE, tarfile.LNKTYPE, tarfile.FIFOTYPE, tarfile.CHRTYPE
    linked = {f"{n}.run": (kind, f"{tmp_path}/secret.run") for n, kind in enumerate(kinds)}
    through = {"l": (tarfile.SYMTYPE, f"{tmp_path}"), "l/out.run": RUN}
    assert load(web, {**GOOD, **outside, **linked, **through}).names == ("a", "b")
    assert sorted(file.name for file in tmp_path.iterdir()) == ["home", "secret.run", "web"]
    assert [file.parent.name for file in tmp_path.rglob("out.run")] == ["l"]  # a folder of its own


@pytest.mark.parametrize(
    ("members", "fact"),
    [
        ({"c.run": b"\0\xff" * 99}, r"c\.run"),
        ({"c.run": RUN, "groups.csv": b"run,group\na,x\nb,y\n"}, "no group for 1 of 3 runs: 'c'"),
        ({"c.run.gz": gzip.compress(b"\n" * (1 << 20))}, r"c\.run\.gz: a compressed file may"),
        ({"a.run.gz": RUN}, "would both be called 'a'"),
        ({"groups.csv": b"\xff\0"}, r"groups\.csv"),
        ({"pt_meta.json": b"{}"}, "No implementation found"),
        (dict.fromkeys(["a.run", "b.run.gz"], (tarfile.SYMTYPE, "/etc/passwd")), "no run files"),
    ],
)
def test_what_is_no_set_of_runs_is_one_error(web, monkeypatch, members, fact):
    monkeypatch.setattr(memory, "ANY_FILE", 1 << 10)
    groupless = {name: GOOD[name] for name in ("pt_meta.json", "a.run", "b.run.gz")}
    with pytest.raises(ValueError, match=fact):
        list(load(web, {**groupless, **members}).each())
