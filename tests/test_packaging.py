"""The package's metadata, the workflows, and what is offered to ir_measures are true."""

import os
import re
import shutil
import subprocess
from importlib import import_module, metadata
from pathlib import Path

import ir_measures
import pytest
import yaml

from tests.console import python

ROOT = Path(__file__).parent.parent
GITHUB = ROOT / ".github"
UPSTREAM = ROOT / "docs" / "upstream"
DEVELOPERS = {"docs", "test"}


@pytest.fixture(scope="module")
def pyproject():
    tomllib = pytest.importorskip("tomllib", reason="Python 3.10 has no reader of TOML")
    return tomllib.loads(ROOT.joinpath("pyproject.toml").read_text(encoding="utf-8"))


def packages(extras, name):
    """The packages that an extra installs, through the extras it names."""
    found = set()
    for requirement in extras[name]:
        named = re.fullmatch(r"irx-measures\[(.*)\]", requirement)
        if named:
            found |= {each for other in named[1].split(",") for each in packages(extras, other)}
        else:
            found.add(requirement)
    return found


def test_the_extra_all_is_all_that_users_can_want(pyproject):
    extras = pyproject["project"]["optional-dependencies"]
    users = set(extras) - DEVELOPERS
    assert packages(extras, "all") == {each for name in users for each in packages(extras, name)}
    everything = {each for name in extras for each in packages(extras, name)}
    assert packages(extras, "test") == everything
    assert not [each for each in packages(extras, "all") if re.match("pytest|mypy|ruff", each)]


def test_entry_points_are_there(pyproject):
    project = pyproject["project"]
    plugins = project["entry-points"]
    assert {**plugins["pyterrier.modules"], **plugins["ir_measures.providers"]} == {
        "irx": "irx_measures"
    }
    import_module("irx_measures")
    assert "irx_measures" in ir_measures.providers.registry
    module, _, function = project["scripts"]["irx"].partition(":")
    assert callable(getattr(import_module(module), function))


def workflow(name):
    return yaml.safe_load(GITHUB.joinpath("workflows", name).read_text(encoding="utf-8"))


def test_every_supported_python_is_checked(pyproject):
    checked = workflow("check.yml")["jobs"]["gate"]["strategy"]["matrix"]["python"]
    classifiers = pyproject["project"]["classifiers"]
    named = [re.fullmatch(r"Programming Language :: Python :: (3\.\d+)", c) for c in classifiers]
    assert checked == [found[1] for found in named if found]
    assert pyproject["project"]["requires-python"] == f">={checked[0]}"


@pytest.mark.parametrize(
    "path", sorted(GITHUB.joinpath("workflows").iterdir()), ids=lambda p: p.name
)
def test_scripts_that_workflows_run_are_there(path):
    jobs = workflow(path.name)["jobs"].values()
    commands = [step["run"].split()[0] for job in jobs for step in job["steps"] if "run" in step]
    own = [command for command in commands if "/" in command]
    assert [command for command in own if not os.access(ROOT / command, os.X_OK)] == []


@pytest.mark.whole
@pytest.mark.parametrize(
    ("schema", "pattern"),
    [
        ("github-workflows", "workflows/*.yml"),
        ("github-issue-forms", "ISSUE_TEMPLATE/[!c]*.yml"),
        ("github-issue-config", "ISSUE_TEMPLATE/config.yml"),
        ("dependabot", "dependabot.yml"),
    ],
)
def test_files_for_github_follow_their_schemas(schema, pattern):
    pytest.importorskip("check_jsonschema")
    files = sorted(GITHUB.glob(pattern))
    assert files
    done = python("-m", "check_jsonschema", "--builtin-schema", f"vendor.{schema}", *files)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.whole
@pytest.mark.skipif(shutil.which("git") is None, reason="there is no git")
def test_with_the_patch_ir_measures_knows_our_measures_without_an_import(tmp_path):
    if metadata.version("ir-measures") != "0.4.3":
        pytest.skip("the patch is for ir_measures 0.4.3")
    shutil.copytree(Path(ir_measures.__file__).parent, tmp_path / "ir_measures")
    # The environment's metadata is that of the last installation, which may be older.
    plugin = tmp_path / "plugin-1.dist-info"
    plugin.mkdir()
    plugin.joinpath("METADATA").write_text("Metadata-Version: 2.1\nName: plugin\nVersion: 1\n")
    plugin.joinpath("entry_points.txt").write_text("[ir_measures.providers]\nirx = irx_measures\n")

    def status(*arguments):
        environment = {**os.environ, "PYTHONPATH": f"{tmp_path}{os.pathsep}{ROOT}"}
        return python(*arguments, cwd=tmp_path, env=environment).returncode

    parse = "import ir_measures; ir_measures.parse_measure('nDCGBound@2')"
    assert status("-c", parse) == 1
    included = ("--include=ir_measures/*", "--include=tests/*")
    apply = ["git", "apply", "--unidiff-zero", *included, UPSTREAM / "entry-points.patch"]
    subprocess.run(apply, cwd=tmp_path, check=True)
    assert status("-c", parse) == 0
    assert status("tests/test_plugins.py") == 0  # they see no plug-in but their own
