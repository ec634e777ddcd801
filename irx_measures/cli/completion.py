"""``irx completion``: a script with which a shell completes commands, options and measures."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from pathlib import Path

from ..exceptions import MissingExtraError
from ..measures.catalogue import catalogue
from .parser import Parser

SHELLS = ("bash", "zsh", "fish")


def add_arguments(parser: Parser) -> None:
    """Add the arguments of ``irx completion``."""
    parser.describe(
        description="Print a script with which a shell completes the commands and options of irx, "
        "files, and the names of\nthis package's measures. Write it where the shell looks for such "
        "scripts, and start a new shell.\nWrite it again after an update of this package. It needs "
        "shtab: pip install 'irx-measures[completion]'.",
        epilog="examples:\n"
        "  irx completion bash > ~/.local/share/bash-completion/completions/irx\n"
        "  irx completion fish > ~/.config/fish/completions/irx.fish\n"
        "In zsh, the folder must be in $fpath before compinit runs.\n"
        "  irx completion zsh > ~/.zfunc/_irx",
    )
    parser.add_argument("shell", metavar="SHELL", choices=SHELLS, help="bash, zsh or fish")
    parser.set_defaults(run=_completion)


def _completion(options: argparse.Namespace) -> str:
    from .main import _parser  # the script completes the arguments of every command

    return completion(options.shell, _parser())


def completion(shell: str, parser: argparse.ArgumentParser) -> str:
    """The script for a shell."""
    try:
        import shtab
    except ImportError:
        raise MissingExtraError(
            "completion needs shtab: pip install 'irx-measures[completion]'"
        ) from None
    names = " ".join(catalogue)
    measures = {"bash": "_irx_measures", "fish": names, "zsh": f"({names})"}
    for action in _actions(parser):
        if action.dest in ("measures", "name"):
            action.complete = measures  # type: ignore[attr-defined]
        elif action.nargs != 0 and action.choices is None and action.type in (None, Path):
            action.complete = shtab.FILE  # type: ignore[attr-defined]
    function = f'_irx_measures() {{\n  compgen -W "{names}" -- "$1"\n}}'
    preamble = function if shell == "bash" else ""
    return shtab.complete(parser, shell, preamble=preamble).rstrip() + "\n"


def _actions(parser: argparse.ArgumentParser) -> Iterator[argparse.Action]:
    """All arguments of a parser and of its commands."""
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            for command in action.choices.values():
                yield from _actions(command)
        else:
            yield action
