#!/usr/bin/env python3
"""Write what type checkers know of the measures' parameters, from the measures' declarations.

Run ``python -m scripts.measure_types`` in the root of the repository after a change to a measure's
parameters. The stub belongs to ``irx_measures/measures/by_name.py``.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from irx_measures.measures.declaring.base import Measure, catalogue
from irx_measures.measures.declaring.params import Param
from irx_measures.measures.naming.strings import others, pool, run

STUB = Path(__file__).resolve().parent.parent / "irx_measures" / "measures" / "by_name.pyi"

HEAD = '''\
"""The parameters of each measure as type checkers see them: python -m scripts.measure_types."""
# ruff: noqa: E501, N816 - summaries and names are those of the measures

from typing import Literal

from typing_extensions import Self

from ..typing import PathOrName, RunsLike'''


BARE_WORD = "from .naming.strings import BareWord"


def main() -> None:
    """Write the stub, and print its path."""
    argparse.ArgumentParser(
        prog="python -m scripts.measure_types", description=__doc__
    ).parse_args()
    STUB.write_text(stub(), encoding="utf-8")
    print(STUB.relative_to(Path.cwd()))


def stub() -> str:
    """The stub: a class for each measure, whose call has the measure's parameters."""
    measures = list(catalogue.values())
    modules = sorted({_module_of(measure) for measure in measures})
    lines = [HEAD, f"from . import {', '.join(modules)}", BARE_WORD, ""]
    for measure in measures:
        lines.extend(_class_of(measure))
    return "\n".join(lines)


def _class_of(measure: Measure) -> list[str]:
    params = [
        f"        {name}: {hint_of(param)} = ...,"
        for name, param in measure.SUPPORTED_PARAMS.items()
    ]
    name = type(measure).__name__
    return [
        f"class _{name}({_module_of(measure)}.{name}):",
        f'    """{measure.summary}."""',
        "",
        "    def __call__(  # type: ignore[override]",
        "        self,",
        "        *,",
        *params,
        "    ) -> Self: ...",
        "    def __matmul__(self, at_param: int) -> Self: ...",
        "",
        f"{measure.NAME}: _{name}",
        "",
    ]


def _module_of(measure: Measure) -> str:
    return type(measure).__module__.rpartition(".")[2]


def hint_of(param: Param) -> str:
    """The type of a parameter's values; names such as ``pool + run`` are written without quotes."""
    allowed = param.allowed
    hint = allowed.hint.replace("'", '"')
    if any(f'"{word}"' in hint for word in (others, pool, run)):
        hint = f"{hint} | BareWord"
    return f"{hint} | None" if allowed.or_none or param.default is None else hint


if __name__ == "__main__":
    main()
