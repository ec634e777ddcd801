"""Parameters of measures: allowed values, defaults, descriptions, and the gains that they set."""

from __future__ import annotations

import os
import re
from inspect import cleandoc
from math import isfinite
from textwrap import fill
from typing import TYPE_CHECKING, Any

import ir_measures
from ir_measures.measures import ParamInfo

from ...common.numeric import FloatArray, IntArray
from ...common.validators import Allowed, choice, integer, number_in
from ...exceptions import InputError
from ...kernels.user_models import DCGS, binary_gain, browsing_weights, graded_gain

if TYPE_CHECKING:
    from .base import Measure


class Param(ParamInfo):
    """A parameter of a measure: its allowed values, default and description."""

    def __init__(self, allowed: Allowed, default: Any, desc: str) -> None:
        super().__init__(default=default, desc=desc)
        self.allowed = allowed

    def validate(self, value: Any) -> bool:
        """Accept every value, because values are checked when the measure is created."""
        return True


# The persistence is `p` in ir_measures' RBP and in other packages, and `phi` in this one.
CALLED = {"p": "phi", "phi": "p"}


def unknown_parameter(measure: ir_measures.Measure, name: str) -> InputError:
    """The error for a parameter that a measure does not have."""
    params = measure.SUPPORTED_PARAMS
    known = ", ".join(f"`{known}`" for known in params) or "none"
    meant = CALLED.get(name)
    hint = f"; {name} is called `{meant}` here" if meant in params else ""
    return InputError(f"{measure.NAME} has no parameter `{name}`; it has {known}{hint}")


def _file(value: Any) -> str:
    if isinstance(value, (str, os.PathLike)) and str(value):
        return str(value)
    raise ValueError(value)


FILE = Allowed("be the path of a file", _file, "the path of a file", "PathOrName")


HIGHEST = 2**31 - 1  # outside 1 to HIGHEST, ir_measures' providers fail or return 0

# trec_eval allocates a counter for every gain or grade up to the highest: here 128 MB.
HIGHEST_GAIN = 1 << 24

DEEPEST = 1_000_000  # a measure string may come from a stranger: its work is bounded

CUTOFF = Param(integer(1, DEEPEST), None, "``@k``: only the first k documents of a ranking count.")

REL = Param(
    integer(1), 1, "The smallest relevant grade. nDCG and ERR are graded and do not use it."
)

# 0.8 is the default of ir_measures' own RBP.
RBP_PHI = Param(number_in(0, 1, closed=False), 0.8, "The persistence of RBP.")

HIGHEST_EXPONENT = 1000  # a float holds up to 2^1024; sums of gains need room too

DCG = Param(
    choice(*DCGS), "log2", "The gain of a grade g in nDCG: g ('log2') or ``2^g - 1`` ('exp-log2')."
)


def gain_of(measure: Measure, grade: IntArray, base: str = "nDCG") -> FloatArray:
    """The gain of each grade: by `dcg` for nDCG, by `rel` for other base measures.

    InputError if a grade g is so high that 2^g overflows a float.
    """
    if base != "nDCG":
        return binary_gain(grade, measure["rel"])
    highest = int(grade.max(initial=0))
    if measure["dcg"] == "exp-log2" and highest > HIGHEST_EXPONENT:
        raise InputError(
            f"{measure.NAME}: dcg='exp-log2' takes grades to {HIGHEST_EXPONENT}; got {highest}"
        )
    return graded_gain(grade, measure["dcg"])


def rank_weights(measure: Measure, base: str, depth: int) -> FloatArray:
    """The weights of ranks 0 (not returned) to `depth` in DCG, P or RBP: (depth + 1,)."""
    if base == "RBP":
        return (1.0 - measure["phi"]) * browsing_weights(base, depth, measure["phi"])
    scale = measure["cutoff"] if base == "P" else 1.0
    return browsing_weights(base, depth, 0.0) / scale


WIDTH = 96  # characters: the 100 of the code, less an indentation of 4

SECTIONS = ("Parameters", "Returns", "Notes", "References", "Examples")


def complete_docstring(measure: type[Measure]) -> str:
    """The docstring of a measure with the sections `Parameters`, `Returns` and `References`.

    A measure whose scores are more than numbers in its range has its own section `Returns`.
    """
    params, papers = measure.SUPPORTED_PARAMS, measure.PAPERS
    required = measure.AT_PARAM if measure.NEEDS_CUTOFF else None
    described = "\n".join(
        f"{name} : {kind(param, name == required)}\n{_paragraph(param.desc, '    ')}"
        for name, param in params.items()
    )
    cited = "\n\n".join(_paragraph(f"{paper.text} {paper.link}".rstrip(), "") for paper in papers)
    lowest, highest = measure.RANGE
    doc = _with_section(cleandoc(measure.__doc__ or ""), "References", cited)
    if "\nReturns\n" not in doc:
        limits = f"In [{lowest:g}, {highest:g}]" if isfinite(highest) else f"At least {lowest:g}"
        returns = f"float\n    {limits} for each query{measure.RANGE_NOTE}."
        doc = _with_section(doc, "Returns", returns)
    return _with_section(doc, "Parameters", described)


def kind(param: Param, required: bool) -> str:
    """The kind of values that a parameter has, and its default."""
    text = param.allowed.kind
    if required:
        return f"{text}, required"
    if param.default is None:
        return f"{text}, optional"
    if param.allowed.or_none:
        text = f"{text}, or None"
    return f"{text}, default {param.default!r}"


def _paragraph(text: str, indent: str) -> str:
    return fill(
        text,
        WIDTH,
        initial_indent=indent,
        subsequent_indent=indent,
        break_long_words=False,
        break_on_hyphens=False,
    )


def _with_section(doc: str, title: str, content: str) -> str:
    later = "|".join(SECTIONS[SECTIONS.index(title) + 1 :])
    following = re.search(rf"^(?:{later})\n-+$", doc, re.MULTILINE)
    end = following.start() if following else len(doc)
    section = f"{title}\n{'-' * len(title)}\n{content}"
    return f"{doc[:end].rstrip()}\n\n{section}\n\n{doc[end:]}".rstrip()
