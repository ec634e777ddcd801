"""Papers to cite for measures, and their BibTeX."""

from __future__ import annotations

import ir_measures

from ...common.short_paths import public
from ...common.version import VERSION
from ...common.warn import warn
from ...typing import MeasuresLike
from ..declaring.paper import Paper, known_papers, paper
from .strings import parse_measures

HOST = "macavaney2022"  # the key of the paper of ir_measures

# This package as an entry that BibTeX and biblatex know.
PACKAGE = rf"""@misc{{irx_measures,
  author = {{{{irx\_measures developers}}}},
  title = {{{{irx\_measures}}}},
  note = {{Version {VERSION}}}
}}"""


def papers_of(measure: ir_measures.Measure) -> tuple[Paper, ...]:
    """The papers of a measure of this package or of ir_measures; empty if none is known."""
    papers: tuple[Paper, ...] = getattr(measure, "PAPERS", ())
    name = str(measure.NAME)
    return papers or tuple(paper for paper in known_papers().values() if name in paper.measures)


@public
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
    host = paper(HOST)
    if not measures:
        return f"{PACKAGE}\n{host.bibtex}"
    parsed = [measure for given in measures for measure in parse_measures(given)]
    papers = {measure: papers_of(measure) for measure in parsed}
    without = dict.fromkeys(str(measure.NAME) for measure in parsed if not papers[measure])
    if without:
        names = ", ".join(without)
        warn(f"no paper is known for {names}; cited in its place: ir_measures", UserWarning)
    cited = [paper for known in papers.values() for paper in known or (host,)]
    return "\n".join(paper.bibtex for paper in dict.fromkeys(cited))
