"""A folder of run files as an artifact, packed, downloaded and unpacked by PyTerrier itself."""

import gzip
import io
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
artifact = pytest.importorskip("irx_measures.runsets.artifact")

RUN = b"q1 Q0 d1 1 2.5 t\nq1 Q0 d2 2 1.5 t\n"
TWO = {"a.run": RUN, "b.run.gz": gzip.compress(RUN)}
GROUPS = {"groups.csv": b"run,group\na,x\nb,y\n"}


@pytest.fixture
def web(tmp_path, monkeypatch):
    """A folder and its address on a server of this machine; PyTerrier's own folder is a new one."""
    monkeypatch.setenv("PYTERRIER_HOME", str(tmp_path / "home"))
    monkeypatch.setattr(SimpleHTTPRequestHandler, "log_message", lambda *arguments: None)
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
            member, file = tarfile.TarInfo(name), None
            if isinstance(content, bytes):
                member.size, file = len(content), io.BytesIO(content)
            else:
                member.type, member.linkname = content
            archive.addfile(member, file)
    return artifact.RunSetArtifact.from_url(web[1]).runset


def test_a_folder_of_runs_survives_pyterrier(web, tmp_path, monkeypatch):
    folder = tmp_path / "mine"
    folder.mkdir()
    for name, content in {**TWO, **GROUPS, "README.txt": b"no run"}.items():
        (folder / name).write_bytes(content)
    artifact.RunSetArtifact(folder).build_package(str(web[0] / "artifact.tar.lz4"))
    entry = '"run_set.irx" = "irx_measures.runsets.artifact:RunSetArtifact"'
    assert entry in Path(__file__).parents[2].joinpath("pyproject.toml").read_text()
    ours = EntryPoint(*entry.replace('"', "").split(" = "), "pyterrier.artifact")
    monkeypatch.setattr(pt.utils, "entry_points", lambda group: [ours] * (group == ours.group))
    loaded = pt.Artifact.from_url(f"{web[1]}.lz4").runset
    local = RunSet(f"{folder}/*.run*", groups=folder / "groups.csv")
    assert (loaded.names, loaded.groups) == (local.names, local.groups) == (("a", "b"), ("x", "y"))
    assert loaded.run(1).value.tolist() == local.run(0).value.tolist() == [2.5, 1.5]


def test_nothing_leaves_the_folder(web, tmp_path):
    """PyTerrier leaves out links, pipes, devices, and names outside of the folder."""
    (tmp_path / "secret.run").write_bytes(RUN)
    outside = dict.fromkeys(["../out.run", "../../../out.run", f"{tmp_path}/out.run"], RUN)
    kinds = tarfile.SYMTYPE, tarfile.LNKTYPE, tarfile.FIFOTYPE, tarfile.CHRTYPE
    linked = {f"{n}.run": (kind, f"{tmp_path}/secret.run") for n, kind in enumerate(kinds)}
    through = {"l": (tarfile.SYMTYPE, f"{tmp_path}"), "l/out.run": RUN}
    assert load(web, {**TWO, **outside, **linked, **through}).names == ("a", "b")
    assert sorted(file.name for file in tmp_path.iterdir()) == ["home", "secret.run", "web"]
    assert [file.parent.name for file in tmp_path.rglob("out.run")] == ["l"]  # a folder of its own


@pytest.mark.parametrize(
    ("members", "fact"),
    [
        ({"c.run": b"\0\xff" * 99}, r"c\.run"),
        ({"c.run": RUN, **GROUPS}, "no group for 1 of 3 runs: 'c'"),
        ({"c.run.gz": gzip.compress(b"\n" * (1 << 20))}, r"c\.run\.gz: a compressed file may"),
        ({"a.run.gz": RUN}, "would both be called 'a'"),
        ({"groups.csv": b"\xff\0"}, r"groups\.csv"),
        (dict.fromkeys(TWO, (tarfile.SYMTYPE, "/etc/passwd")), "no run files"),
    ],
)
def test_what_is_no_set_of_runs_is_one_error(web, monkeypatch, members, fact):
    monkeypatch.setattr(memory, "ANY_FILE", 1 << 10)
    with pytest.raises(ValueError, match=fact):
        list(load(web, {**TWO, **members}).each())
