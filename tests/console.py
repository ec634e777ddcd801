"""The commands of a page of the documentation, each with what it prints."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

PAGES = Path(__file__).resolve().parents[1] / "irx_measures" / "pt_docs"
BLOCK = re.compile(
    r"^\.\. code-block:: console\n(?P<options>(?:    :.*\n)*)\n(?P<lines>(?:(?:    .*)?\n)+)",
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


def outputs(commands: list[str], folder: Path) -> list[str]:
    """What commands print in one shell that starts in a folder, errors included.

    Raises
    ------
    RuntimeError
        When a command fails; the message has the output of all commands.
    """
    programs = folder / "programs"
    programs.mkdir()
    irx = programs / "irx"
    irx.write_text(f'#!/bin/sh\nexec {sys.executable} -m irx_measures "$@"\n')
    irx.chmod(0o755)
    script = f"\necho '{NEXT}'\n".join(commands)
    done = subprocess.run(
        ["bash", "-e", "-c", script],
        cwd=folder,
        env={**os.environ, "PATH": f"{programs}{os.pathsep}{os.environ['PATH']}"},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=300,
        check=False,
    )
    if done.returncode:
        raise RuntimeError(f"status {done.returncode}:\n{done.stdout}")
    return [part.strip("\n") for part in done.stdout.split(f"{NEXT}\n")]
