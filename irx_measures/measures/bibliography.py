"""The papers to cite for measures, as BibTeX."""

from __future__ import annotations

from collections.abc import Iterable

import ir_measures

from ..common.version import VERSION
from ..common.warn import warn
from ..typing import MeasuresLike
from .base import Measure
from .citations import Paper, known_papers, paper
from .strings import parse_measures

IR_MEASURES = paper("macavaney2022")

HOST_PAPERS = {name: paper for paper in known_papers().values() for name in paper.measures}
"""The papers of ir_measures' measures, by their names."""

PACKAGE = rf"""@misc{{irx_measures,
  author = {{{{irx\_measures developers}}}},
  title = {{{{irx\_measures}}}},
  note = {{Version {VERSION}}}
}}"""
"""This package as an entry that BibTeX and biblatex know."""


def bibtex(*measures: MeasuresLike) -> str:
    """BibTeX of the papers of measures, or of this package and ir_measures without any measure.

    Parameters
    ----------
    *measures
        Measures or measure strings, of this package and of ir_measures. Parameters and cutoffs may
        be left out: ``NRG`` and ``NRG(prior=others)@10`` have the same papers.

    Returns
    -------
    str
        One entry per paper, in the order of the measures.

    Warns
    -----
    UserWarning
        When no paper is known for a measure of ir_measures. The paper of ir_measures is then cited
        in its place.

    Raises
    ------
    ValueError
        When a measure string cannot be parsed.

    Examples
    --------
    >>> import irx_measures
    >>> print(irx_measures.bibtex("AP_Rareness", "P_Rareness@10"))
    @inproceedings{turkmen2023,
      ...
    }
    """
    if not measures:
        return f"{PACKAGE}\n{IR_MEASURES.bibtex()}"
    parsed = [measure for given in measures for measure in parse_measures(given)]
    return "\n".join(paper.bibtex() for paper in cited(parsed))


def cited(measures: Iterable[ir_measures.Measure]) -> list[Paper]:
    """The papers of measures, each once; ir_measures' paper, with a warning, if none is known."""
    known = {measure: papers_of(measure) for measure in measures}
    without = dict.fromkeys(str(measure.NAME) for measure, papers in known.items() if not papers)
    if without:
        names = ", ".join(without)
        warn(f"no paper is known for {names}; cited in its place: ir_measures", UserWarning)
    return list(
        dict.fromkeys(paper for papers in known.values() for paper in papers or (IR_MEASURES,))
    )


def papers_of(measure: ir_measures.Measure) -> tuple[Paper, ...]:
    """The papers of a measure; empty if none is known."""
    if isinstance(measure, Measure):
        return measure.PAPERS
    known = HOST_PAPERS.get(str(measure.NAME))
    return () if known is None else (known,)
