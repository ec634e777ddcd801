"""The commands of a page, each with what it prints, its Python code, and how both are run."""

from __future__ import annotations

import io
import os
import re
import subprocess
import sys
import textwrap
import warnings
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from doctest import DocTestParser
from pathlib import Path
from typing import Any, NamedTuple

from irx_measures.cli.main import main
from irx_measures.runsets import registry

Ended = subprocess.CompletedProcess
PAGES = Path(__file__).resolve().parents[1] / "irx_measures" / "pt_docs"
BLOCK = r"^\.\. code-block:: {}\n(?P<options>(?:    :.*\n)*)\n(?P<lines>(?:(?:    .*)?\n)+)"
FUNCTION = re.compile(r"\w+\(\) ")


class Step(NamedTuple):
    """A command, and the lines that follow it on the page."""

    command: str
    printed: str


def blocks(text: str, language: str, run: bool = True) -> list[re.Match[str]]:
    """The blocks of a language that are run, or the others; those of the setup come first."""
    found = re.finditer(BLOCK.format(language), text, re.MULTILINE)
    chosen = [block for block in found if ("no-run" not in block["options"]) == run]
    return sorted(chosen, key=lambda block: "setup" not in block["options"])


def steps(text: str) -> list[Step]:
    """The commands of the console blocks, in the order in which a reader runs them.

    Blocks of the class ``setup`` come first: they make the files of the example. Blocks of the
    class ``no-run`` are left out: they need a network, or files that the example does not have.
    """
    return [step for block in blocks(text, "console") for step in _steps_of(block)]


def shown_only(text: str) -> list[str]:
    """The commands of the console blocks of the class ``no-run``."""
    found = blocks(text, "console", run=False)
    return [step.command for block in found for step in _steps_of(block)]


def _steps_of(block: re.Match[str]) -> Iterator[Step]:
    lines = "\n".join(line[4:] for line in block["lines"].splitlines())
    for part in re.split(r"^\$ ", lines, flags=re.MULTILINE)[1:]:
        command, *rest = re.split(r"(?<!\\)\n", part, maxsplit=1)
        yield Step(command, "".join(rest).strip("\n"))


def python_code(text: str) -> str:
    """The examples and the Python blocks in their order; empty without a block that can be run.

    Examples that show an error, and blocks of the class ``no-run``, are left out.
    """
    found = blocks(text, "python")
    if not found:
        return ""
    parts = {text[: block.start()].count("\n"): textwrap.dedent(block["lines"]) for block in found}
    for example in DocTestParser().get_examples(text):
        if example.exc_msg is None:
            parts[example.lineno] = example.source
    return "\n".join(parts[line] for line in sorted(parts))


@contextmanager
def inside(folder: Path | None) -> Iterator[None]:
    """A context in which a folder is the current one, and warnings are as Python shows them."""
    before = Path.cwd()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        warnings.simplefilter("default", UserWarning)
        os.chdir(folder or before)
        try:
            yield
        finally:
            os.chdir(before)


def irx(*arguments: object, cwd: Path | None = None, together: bool = False) -> Ended:
    """Run the command in this process, as a new process in the folder would run it.

    If `together`, errors and warnings go to stdout.
    """
    out = io.StringIO()
    err = out if together else io.StringIO()
    registry.clear()
    with inside(cwd), redirect_stdout(out), redirect_stderr(err):
        try:
            status = main([str(argument) for argument in arguments])
        except SystemExit as end:  # of the parser
            status = end.code if isinstance(end.code, int) else 1
    return Ended([], status, out.getvalue(), err.getvalue())


def python(*arguments: object, **options: Any) -> Ended:
    """Run Python in a process of its own, and return what it left."""
    command = [sys.executable, *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, check=False, **options)


def outputs(commands: list[str], folder: Path) -> list[str]:
    """What commands print in one shell that starts in a folder, errors included.

    Commands that begin with ``irx`` run in this process; a shell runs the others.

    Raises
    ------
    RuntimeError
        When a command fails; the message has its output.
    """
    printed, functions = [], []
    for command in commands:
        status, out = 0, ""
        if command.startswith("cd "):
            folder = folder / command.removeprefix("cd ")
        elif FUNCTION.match(command):
            functions.append(command)
        elif command.startswith("irx "):
            words, _, file = command.removeprefix("irx ").partition(" > ")
            given = _shell(f"printf '%s\\0' {words}", folder).stdout
            done = irx(*given.split("\0")[:-1], cwd=folder, together=not file)
            status, out = done.returncode, done.stderr if file else done.stdout
            if file:
                folder.joinpath(file).write_text(done.stdout, encoding="utf-8")
        else:
            done = _shell("\n".join([*functions, command]), folder)
            status, out = done.returncode, done.stdout
        if status:
            raise RuntimeError(f"{command}: status {status}:\n{out}")
        printed.append(out.strip("\n"))
    return printed


def _shell(script: str, folder: Path) -> Ended:
    """Run a script of bash, with ``irx`` among its programs; errors go to stdout."""
    programs = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    return subprocess.run(
        ["bash", "-e", "-c", script], cwd=folder, env={**os.environ, "PATH": programs}, text=True,
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False,
    )  # fmt: skip
