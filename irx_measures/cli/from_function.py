"""Options that are parameters of a function: name, type, default, choices and help come from it."""

from __future__ import annotations

import argparse
import re
from collections.abc import Callable, Mapping, Sequence
from inspect import Parameter, cleandoc, signature, unwrap
from types import NoneType
from typing import Any, Literal, get_args, get_origin

from ..common.validators import LEVEL
from .docstrings import unmarked

ENTRY = re.compile(r"^(\w[\w, ]*)(?: : .*)?\n((?:    .*\n?|\n)+)", re.MULTILINE)


def level(text: str) -> float:
    """The argparse type of confidence levels: .95 or 95."""
    try:
        given: float = LEVEL.convert(float(text))
    except ValueError:
        raise argparse.ArgumentTypeError(f"must {LEVEL.text}; got {text}") from None
    return given


def add_options(
    parser: Any,
    function: Callable[..., Any],
    *names: str,
    short: Mapping[str, str] | None = None,
) -> None:
    """Add an option for each of these parameters of a function or a class.

    `short` has lines that take the place of the texts of some.
    Under ``python -OO``, which removes docstrings, their helps say the defaults only.
    """
    helps, kinds = described(function) | dict(short or {}), _kinds(function, names)
    for name in names:
        default = signature(function).parameters[name].default
        described_as = helps.get(name, "")
        option: dict[str, Any] = {"dest": name, "help": described_as, **_reads(name, kinds[name])}
        if default is not Parameter.empty:
            option["default"] = default
            if default is not None and default is not False:
                option["help"] = f"{described_as} (default: %(default)s)".lstrip()
        parser.add_argument(f"--{name.replace('_', '-')}", **option)


def asked(options: argparse.Namespace, *names: str) -> dict[str, Any]:
    """The values of these parameters."""
    return {name: getattr(options, name) for name in names}


def described(function: Callable[..., Any]) -> dict[str, str]:
    """The section Parameters of a function's docstring: a text for argparse by name."""
    _, _, section = cleandoc(function.__doc__ or "").partition("Parameters\n----------\n")
    section = re.split(r"\n\w[\w ]*\n---", section)[0] + "\n"
    entries = ENTRY.findall(section)
    return {name: _as_help(text) for names, text in entries for name in names.split(", ")}


def _as_help(text: str) -> str:
    """An entry like the other helps: without markup, a capital at its start and a full stop."""
    without_bullets = re.sub(r"^ *- ", "", text, flags=re.MULTILINE)
    words = unmarked(" ".join(without_bullets.split())).replace("%", "%%")
    words = re.sub("^Whether (to )?", "", words).removesuffix(".")
    return words[0].lower() + words[1:] if words[1:2].islower() else words


def _kinds(function: Callable[..., Any], names: Sequence[str]) -> dict[str, Any]:
    """The types of these parameters; those of the others may be known to type checkers only."""
    parameters = signature(function).parameters
    called: Any = unwrap(function)
    if isinstance(called, type):
        called = vars(called)["__init__"]
    return {name: _type_of(parameters[name].annotation, called.__globals__) for name in names}


def _type_of(annotation: Any, known: dict[str, Any]) -> Any:
    """The type of an annotation, which is its text where annotations are not evaluated."""
    return eval(annotation, known) if isinstance(annotation, str) else annotation


def _reads(name: str, kind: Any) -> dict[str, Any]:
    """How argparse reads a value of a type; None in it stands for a missing option."""
    if name == "level":
        return {"type": level, "metavar": "LEVEL"}
    if get_origin(kind) is not Literal and NoneType in get_args(kind):
        (kind,) = (each for each in get_args(kind) if each is not NoneType)
    if get_origin(kind) is Literal:
        return {"choices": get_args(kind)}
    if kind is bool:
        return {"action": "store_true"}
    metavar = name.replace("_", "-").upper() if kind is str else "N"
    if get_origin(kind) is Sequence:
        return {"type": get_args(kind)[0], "nargs": "+", "metavar": metavar}
    return {"type": kind, "metavar": metavar}
