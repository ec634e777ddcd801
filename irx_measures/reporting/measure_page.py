"""A measure's page: its signature, its docstring, and its papers as BibTeX."""

from __future__ import annotations

from inspect import cleandoc

from ..measures.base import Measure


def measure_page(measure: Measure) -> str:
    """The page of a measure."""
    defaults = ", ".join(f"{name}={param.default!r}" for name, param in measure.PARAMS.items())
    doc = cleandoc(type(measure).__doc__ or "")
    papers = (paper.bibtex for paper in measure.PAPERS)
    return "\n\n".join([f"{measure.NAME}({defaults})@k", doc, *papers]) + "\n"
