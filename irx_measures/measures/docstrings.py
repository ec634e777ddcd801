"""The docstring sections of measures that are generated from parameters and papers."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from inspect import cleandoc
from textwrap import fill
from typing import TYPE_CHECKING

from .params import Param

if TYPE_CHECKING:
    from .citations import Paper

WIDTH = 96  # characters: the 100 of the code, less an indentation of 4

AFTER_PARAMETERS = ("Returns", "Raises", "Warns", "See Also", "Notes", "References", "Examples")

AFTER_REFERENCES = ("Examples",)


def complete_docstring(
    doc: str, params: Mapping[str, Param], papers: Iterable[Paper], required: str | None
) -> str:
    """Add the sections `Parameters` and `References` to a docstring.

    The docstring shows the parameters in their order; `required` names the one that must be given.
    """
    described = "\n".join(
        f"{name} : {kind(param, name == required)}\n{_paragraph(param.desc, '    ')}"
        for name, param in params.items()
    )
    cited = "\n\n".join(_paragraph(f"{paper.text} {paper.link}".rstrip(), "") for paper in papers)
    doc = _with_section(cleandoc(doc), "Parameters", described, AFTER_PARAMETERS)
    return _with_section(doc, "References", cited, AFTER_REFERENCES)


def kind(param: Param, required: bool) -> str:
    """The allowed values of a parameter, in the words of the error message, and its default."""
    text = re.sub(r"(^| or )be ", r"\1", param.allowed.text).replace("lie in", "a number in")
    text = re.sub(r"one of ('[^']*'(?:, '[^']*')*)", r"{\1}", text)
    if required:
        return f"{text}, required"
    if param.default is None:
        return re.sub(r"^None(, | or )", "", text) + ", optional"
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


def _with_section(doc: str, title: str, content: str, before: Iterable[str]) -> str:
    following = re.search(rf"^(?:{'|'.join(before)})\n-+$", doc, re.MULTILINE)
    end = following.start() if following else len(doc)
    section = f"{title}\n{'-' * len(title)}\n{content}"
    return f"{doc[:end].rstrip()}\n\n{section}\n\n{doc[end:]}".rstrip()
