"""The README is true: its table, its commands, its examples."""

import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from irx_measures.cli.main import _parser
from irx_measures.reporting.tables import measures_table

README = Path(__file__).parent.parent.joinpath("README.md").read_text(encoding="utf-8")


def blocks(language):
    found = re.findall(rf"```{language}\n(.*?)```", README, re.DOTALL)
    assert found
    return found


def test_the_table_of_measures_is_the_registry():
    between = re.search(r"<!-- measures:.*?-->\n(.*?)\n<!-- end", README, re.DOTALL)
    assert between is not None
    assert between.group(1) == measures_table("github")


def test_the_python_examples_of_a_section_run():
    sections = [
        s
        for s in README.split("\n## ")
        if "```python" in s and not re.match("With ir_datasets|Learning to rank", s)
    ]
    assert len(sections) == 5
    for section in sections:
        code = "\n".join(re.findall(r"```python\n(.*?)```", section, re.DOTALL))
        done = subprocess.run(
            [sys.executable, "-W", "ignore", "-c", code],
            capture_output=True, text=True, timeout=120, check=False,
        )  # fmt: skip
        assert done.returncode == 0, done.stderr
        assert "NRG(prior=" in done.stdout or "RBR(phi=" in done.stdout


def test_the_command_line_examples_parse():
    lines = [line for block in blocks("sh") for line in block.replace("\\\n", "").splitlines()]
    commands = [shlex.split(line, comments=True) for line in lines if line.startswith("irx ")]
    assert len(commands) == 12
    for command in commands:
        assert _parser().parse_args(command[1:]).command == command[1]


def test_the_first_table_is_what_its_commands_print(tmp_path):
    first = next(block for block in blocks("sh") if block.startswith("irx simulate"))
    simulate, evaluate = (line for line in first.replace("\\\n", "").splitlines())
    printed = re.search(r"```\n(system .*?)```", README, re.DOTALL)
    assert printed is not None
    irx = [sys.executable, "-m", "irx_measures"]
    subprocess.run(
        [*irx, *shlex.split(simulate, comments=True)[1:]], cwd=tmp_path, check=True, timeout=120
    )
    words = [
        word
        for given in shlex.split(evaluate, comments=True)[1:]
        for word in (sorted(map(str, tmp_path.glob(given))) if "*" in given else [given])
    ]
    done = subprocess.run(
        [*irx, *words], cwd=tmp_path, capture_output=True, text=True, check=True, timeout=120
    )
    assert done.stdout == printed.group(1)


def test_the_architecture_names_every_folder_and_top_level_file():
    package = Path(__file__).parent.parent / "irx_measures"
    text = package.parent.joinpath("ARCHITECTURE.md").read_text(encoding="utf-8")
    folders = {f"{path.parent.name}/" for path in package.glob("*/__init__.py")} - {"pt_docs/"}
    modules = {path.name for path in package.glob("*.py")} - {"__init__.py", "__main__.py"}
    assert len(folders) > 10
    assert len(modules) <= 8
    for name in folders | modules:
        assert f"`{name}`" in text, name


@pytest.mark.parametrize("name", ["CHANGELOG.md", "LICENSE", "irx_measures/py.typed", ".ci/run"])
def test_the_files_of_a_package_are_there(name):
    assert Path(__file__).parent.parent.joinpath(name).exists()
