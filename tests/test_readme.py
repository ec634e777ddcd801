"""What greets a reader is true: README, ARCHITECTURE, the metadata."""

import io
import re
import shlex
from contextlib import redirect_stdout
from importlib import import_module
from pathlib import Path

import ir_measures
import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from irx_measures import all_measures
from irx_measures.cli.main import _parser
from scripts.versions import locked
from tests.console import outputs

ROOT = Path(__file__).parent.parent
README = ROOT.joinpath("README.md").read_text(encoding="utf-8")


def blocks(language, text=README):
    found = re.findall(rf"```{language}\n(.*?)```", text, re.DOTALL)
    assert found
    return found


def test_the_table_has_every_measure_once():
    table = README.split("## Measures")[1].split("## ")[0]
    rows = [line.split("|")[-2] for line in table.splitlines() if line.startswith("|")]
    names = [name for row in rows for name in re.findall(r"`(\w+)`", row)]
    assert sorted(names) == sorted(measure.NAME for measure in all_measures())
    assert len(rows) == 2 + 5, "a row for each paper"


@pytest.mark.slow
@pytest.mark.parametrize("block", blocks("python"))
def test_each_python_example_runs_alone(block):
    out = io.StringIO()
    with redirect_stdout(out):
        exec(block, {"__name__": "__main__"})
    assert "NRG(prior=others)@10" in out.getvalue()


def test_the_command_line_examples_parse():
    lines = [line for block in blocks("sh") for line in block.replace("\\\n", "").splitlines()]
    commands = [shlex.split(line, comments=True) for line in lines if line.startswith("irx ")]
    assert len(commands) == 3
    for command in commands:
        assert _parser().parse_args(command[1:]).command == command[1]


@pytest.mark.slow
def test_the_first_table_is_what_its_command_prints(tmp_path):
    pytest.importorskip("matplotlib")  # its last command draws
    first = next(block for block in blocks("sh") if block.startswith("irx simulate"))
    printed = re.search(r"```\n(system .*?)```", README, re.DOTALL)
    assert printed is not None
    *_, of_evaluate, _ = outputs(first.splitlines(), tmp_path)
    assert of_evaluate == printed.group(1).strip()


def test_the_architecture_names_every_folder_and_top_level_file():
    package = ROOT / "irx_measures"
    text = ROOT.joinpath("ARCHITECTURE.md").read_text(encoding="utf-8")
    folders = {f"{path.parent.name}/" for path in package.glob("*/__init__.py")} - {"pt_docs/"}
    modules = {path.name for path in package.glob("*.py")} - {"__init__.py", "__main__.py"}
    assert len(folders) > 10
    assert len(modules) <= 8
    for name in folders | modules:
        assert f"`{name}`" in text, name


# The metadata

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


@pytest.mark.parametrize("system", ["linux", "darwin", "win32"])
@pytest.mark.parametrize("version", ["3.10", "3.11", "3.12", "3.13"])
def test_the_lock_has_a_version_for_every_requirement(pyproject, version, system):
    """If this fails, run scripts/lock."""
    project = pyproject["project"]
    needed = {*project["dependencies"], *pyproject["build-system"]["requires"]}
    for name in project["optional-dependencies"]:
        needed |= packages(project["optional-dependencies"], name)
    environment = {
        "python_version": version,
        "python_full_version": f"{version}.9",
        "sys_platform": system,
    }
    versions = locked(environment)
    for requirement in map(Requirement, needed):
        if requirement.marker is None or requirement.marker.evaluate(environment):
            name = canonicalize_name(requirement.name)
            assert name in versions
            assert requirement.specifier.contains(versions[name]), requirement


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
