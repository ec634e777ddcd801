"""The commands of a page of the documentation, each with what it prints, and its Python code."""

from __future__ import annotations

import os
import re
import subprocess
import textwrap
from collections.abc import Iterator
from doctest import DocTestParser
from pathlib import Path
from typing import NamedTuple

PAGES = Path(__file__).resolve().parents[1] / "irx_measures" / "pt_docs"
BLOCK = re.compile(
    r"^\.\. code-block:: console\n(?P<options>(?:    :.*\n)*)\n(?P<lines>(?:(?:    .*)?\n)+)",
    re.MULTILINE,
)
PYTHON = re.compile(
    r"^\.\. code-block:: python\n(?P<options>(?:    :.*\n)*)\n(?P<lines>(?:(?:    .*)?\n)+)",
    re.MULTILINE,
)
NEXT = "--- the next command ---"


class Step(NamedTuple):
    """A command, and the lines that follow it on the page."""

    command: str
    printed: str


def steps(text: str) -> list[Step]:
    """The commands of the console blocks, in the order in which a reader runs them.

    Blocks of the class ``setup`` come first: they make the files of the example. Blocks of the
    class ``no-run`` are left out: they need a network, or files that the example does not have.
    """
    blocks = [block for block in BLOCK.finditer(text) if "no-run" not in block["options"]]
    blocks.sort(key=lambda block: "setup" not in block["options"])
    return [step for block in blocks for step in _steps_of(block)]


def shown_only(text: str) -> list[str]:
    """The commands of the console blocks of the class ``no-run``."""
    blocks = [block for block in BLOCK.finditer(text) if "no-run" in block["options"]]
    return [step.command for block in blocks for step in _steps_of(block)]


def _steps_of(block: re.Match[str]) -> Iterator[Step]:
    lines = "\n".join(line[4:] for line in block["lines"].splitlines())
    for part in re.split(r"^\$ ", lines, flags=re.MULTILINE)[1:]:
        command, *rest = re.split(r"(?<!\\)\n", part, maxsplit=1)
        yield Step(command, "".join(rest).strip("\n"))


def python_code(text: str) -> str:
    """The examples and the Python blocks in their order; empty without a block that can be run.

    Examples that show an error, and blocks of the class ``no-run``, are left out.
    """
    blocks = [block for block in PYTHON.finditer(text) if "no-run" not in block["options"]]
    if not blocks:
        return ""
    parts = {text[: block.start()].count("\n"): textwrap.dedent(block["lines"]) for block in blocks}
    for example in DocTestParser().get_examples(text):
        if example.exc_msg is None:
            parts[example.lineno] = example.source
    return "\n".join(parts[line] for line in sorted(parts))


def outputs(commands: list[str], folder: Path, python: Path) -> list[str]:
    """What commands print in one shell that starts in a folder, errors included.

    Parameters
    ----------
    commands
    folder
    python
        The program that runs ``-m irx_measures``.

    Raises
    ------
    RuntimeError
        When a command fails; the message has the output of all commands.
    """
    programs = folder / "programs"
    programs.mkdir()
    irx = programs / "irx"
    irx.write_text(f'#!/bin/sh\nexec {python} -m irx_measures "$@"\n')
    irx.chmod(0o755)
    script = f"\necho '{NEXT}'\n".join(commands)
    done = subprocess.run(
        ["bash", "-e", "-c", script],
        cwd=folder,
        env={**os.environ, "PATH": f"{programs}{os.pathsep}{os.environ['PATH']}"},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    if done.returncode:
        raise RuntimeError(f"status {done.returncode}:\n{done.stdout}")
    return [part.strip("\n") for part in done.stdout.split(f"{NEXT}\n")]
