"""The package's metadata and the workflows are true."""

import os
import re
from importlib import import_module
from pathlib import Path

import ir_measures
import pytest
import yaml

ROOT = Path(__file__).parent.parent
GITHUB = ROOT / ".github"
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
