"""Sets of runs as artifacts of PyTerrier, with a folder in place of Hugging Face Hub."""

import importlib.util
import json
import shutil
import sys
from contextlib import contextmanager
from hashlib import sha256
from importlib.metadata import EntryPoint
from pathlib import Path
from types import ModuleType, SimpleNamespace

import pytest

from irx_measures import InputError, RunSet
from irx_measures.exceptions import MissingExtraError

pt = pytest.importorskip("pyterrier")

ROOT = Path(__file__).resolve().parents[2]

RUNS = {"a": {"q1": {"A": 0.1 + 0.2, "B": 0.3}}, "b/c": {"q1": {"B": 1.0}}}

GROUPS = {"a": "one", "b/c": "two"}

HUB = "https://huggingface.co/datasets/"


@pytest.fixture(autouse=True)
def declared(monkeypatch):
    """The entry points of pyproject.toml, also where an older version is installed."""
    toml = pytest.importorskip("tomllib" if sys.version_info >= (3, 11) else "tomli")
    project = toml.loads(ROOT.joinpath("pyproject.toml").read_text(encoding="utf-8"))["project"]
    group = "pyterrier.artifact"
    ours = [EntryPoint(*item, group) for item in project["entry-points"][group].items()]
    installed = pt.utils.entry_points

    def entry_points(asked):
        return (*(ours if asked == group else ()), *installed(asked))

    monkeypatch.setattr(pt.utils, "entry_points", entry_points)


@pytest.fixture
def hub(monkeypatch, tmp_path):
    """A folder that takes the place of the hub; PyTerrier's own folder is a new one, too."""
    root = tmp_path / "hub"
    monkeypatch.setenv("PYTERRIER_HOME", str(tmp_path / "home"))
    calls = []

    def create_repo(repo, repo_type, private):
        calls.append(("create_repo", repo, repo_type, private))

    def update_repo_visibility(repo, repo_type, private):
        calls.append(("update_repo_visibility", repo, repo_type, private))

    def create_branch(repo, repo_type, branch):
        calls.append(("create_branch", repo, repo_type, branch))

    def upload_folder(repo_id, folder_path, repo_type, revision):
        shutil.copytree(folder_path, root / repo_id / "resolve" / revision)
        return f"{repo_id}@{revision}"

    module = ModuleType("huggingface_hub")
    module.utils = SimpleNamespace(HfHubHTTPError=OSError, get_token=lambda: None)
    for function in (create_repo, update_repo_visibility, create_branch, upload_folder):
        setattr(module, function.__name__, function)
    module.__spec__ = importlib.util.spec_from_loader("huggingface_hub", None)
    monkeypatch.setitem(sys.modules, "huggingface_hub", module)
    monkeypatch.setitem(sys.modules, "huggingface_hub.utils", module.utils)
    opened = pt.io.open_or_download_stream

    @contextmanager
    def open_local(url, **settings):
        assert url.startswith(HUB)
        with opened(str(root / url.removeprefix(HUB)), **settings, verbose=False) as stream:
            yield stream

    def without_bar(url, **settings):
        return open_local(url, **{k: v for k, v in settings.items() if k != "verbose"})

    monkeypatch.setattr(pt.io, "open_or_download_stream", without_bar)
    return SimpleNamespace(root=root, calls=calls)


@pytest.fixture
def saved(tmp_path):
    RunSet(RUNS, "mine", GROUPS).save(tmp_path / "set", licence="CC0")
    return tmp_path / "set"


def test_pyterrier_opens_a_saved_set(saved):
    artifact = pt.Artifact.load(str(saved))
    assert artifact.runset.names == ("a", "b/c")
    assert artifact.runset.digest == RunSet(RUNS, "mine", GROUPS).digest
    assert artifact.path == saved


def test_the_folder_says_what_pyterrier_would_say_of_it(saved):
    written = json.loads((saved / "pt_meta.json").read_text())
    artifact = pt.Artifact.load(str(saved))
    assert written == artifact._build_metadata()
    assert pt.inspect.artifact_type_format(artifact) == (written["type"], written["format"])


def test_a_damaged_set_is_refused_by_pyterrier_too(saved):
    (saved / "runs" / "a.run.gz").write_bytes(b"")
    with pytest.raises(InputError, match="damaged or changed"):
        pt.Artifact.load(str(saved))


@pytest.mark.parametrize("branch", [None, "v1"])
def test_a_set_survives_the_hub(hub, branch):
    runset = RunSet(RUNS, "mine", GROUPS)
    runset.to_hf("owner/runs", branch=branch, private=True, licence="CC BY 4.0")
    assert hub.calls == [
        ("create_repo", "owner/runs", "dataset", True),
        ("update_repo_visibility", "owner/runs", "dataset", True),
        ("create_branch", "owner/runs", "dataset", branch or "main"),
    ]
    loaded = RunSet.from_hf("owner/runs", branch=branch)
    assert (loaded.names, loaded.groups) == (runset.names, runset.groups)
    assert (loaded.licence, loaded.digest) == ("CC BY 4.0", runset.digest)
    assert loaded.columns(0).score.tolist() == runset.columns(0).score.tolist()[::-1]
    found = pt.Artifact.from_hf("owner/runs", branch=branch)
    assert found.runset.digest == runset.digest


def test_the_digest_of_a_download_is_checked(hub):
    RunSet(RUNS).to_hf("owner/runs")
    package = hub.root / "owner" / "runs" / "resolve" / "main" / "artifact.tar.lz4"
    right = sha256(package.read_bytes()).hexdigest()
    with pytest.raises((AssertionError, ValueError)):
        RunSet.from_hf("owner/runs", sha256="0" * 64)
    assert RunSet.from_hf("owner/runs", sha256=right).names == ("a", "b/c")


def test_another_artifact_is_refused(hub, tmp_path):
    class Other(pt.Artifact):
        ARTIFACT_TYPE, ARTIFACT_FORMAT = "other", "kind"

    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "file").write_text("x")
    Other(tmp_path / "other").to_hf("owner/other")
    with pytest.raises(InputError, match="not a saved RunSet"):
        RunSet.from_hf("owner/other")


def test_without_huggingface_hub_the_error_says_what_to_install(monkeypatch):
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    with pytest.raises(MissingExtraError, match="pip install huggingface_hub"):
        RunSet(RUNS).to_hf("owner/runs")


@pytest.mark.parametrize("call", [lambda: RunSet(RUNS).to_hf("o/r"), lambda: RunSet.from_hf("o/r")])
def test_without_pyterrier_the_extra_is_named(monkeypatch, call):
    import irx_measures.runsets

    monkeypatch.delitem(sys.modules, "irx_measures.runsets.artifact", raising=False)
    monkeypatch.delattr(irx_measures.runsets, "artifact", raising=False)
    monkeypatch.setitem(sys.modules, "pyterrier", None)
    with pytest.raises(MissingExtraError, match=r"pip install 'irx-measures\[pyterrier\]'"):
        call()
