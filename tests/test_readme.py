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


PYTHON = re.findall(r"```python\n(.*?)```\n+```\n(.*?)```", README, re.DOTALL)


@pytest.mark.slow
@pytest.mark.parametrize(("block", "printed"), PYTHON)
def test_each_python_example_prints_what_stands_under_it(block, printed):
    out = io.StringIO()
    with redirect_stdout(out):
        exec(block, {"__name__": "__main__"})
    assert [line.rstrip() for line in out.getvalue().splitlines()] == printed.splitlines()


def test_every_python_example_has_its_output_under_it():
    assert len(PYTHON) == len(blocks("python"))


LINKED = re.findall(r"\]\((\S+)\)", README)


def test_two_commands_do_all_the_set_up():
    commands = [line for block in blocks("sh") for line in block.splitlines()]
    assert "pip install '.[plots,report]' && irx demo" in commands
    assert "scripts/install && scripts/lint && scripts/test" in commands


def test_it_is_short():
    words = [word for word in README.split() if re.search(r"\w", word)]  # no bars of tables
    assert len(words) <= 700


def test_what_it_links_is_there():
    files = [target for target in LINKED if not target.startswith("https://")]
    assert len(files) > 10
    assert [target for target in files if not ROOT.joinpath(target).is_file()] == []


@pytest.mark.parametrize("page", [target for target in LINKED if target.endswith(".rst")])
def test_a_page_that_it_links_is_read_where_code_is_hosted(page):
    """A host renders it by docutils alone: it has no role and no directive of Sphinx, and no file.

    Links between pages are Sphinx's, so the pages name their role; a host shows the page's name.
    """
    docutils = pytest.importorskip("docutils.core")
    told = io.StringIO()
    settings = {"report_level": 2, "warning_stream": told, "file_insertion_enabled": False}
    docutils.publish_string(
        ROOT.joinpath(page).read_text(encoding="utf-8"), writer="html5", settings_overrides=settings
    )
    assert told.getvalue() == ""


def test_the_command_line_examples_parse():
    lines = [line for block in blocks("sh") for line in block.replace("\\\n", "").splitlines()]
    commands = [shlex.split(line, comments=True) for line in lines if line.startswith("irx ")]
    assert len(commands) == 3, "simulate, evaluate, compare"
    for command in commands:
        assert _parser().parse_args(command[1:]).command == command[1]


@pytest.mark.slow
def test_the_first_table_is_what_its_command_prints(tmp_path):
    pytest.importorskip("matplotlib")  # its last command draws
    first = next(block for block in blocks("sh") if block.startswith("irx simulate"))
    printed = re.search(r"```\n(system .*?)```", README, re.DOTALL)
    assert printed is not None
    lines = first.replace("\\\n", "").splitlines()
    *_, of_evaluate, _ = outputs(lines, tmp_path)
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
