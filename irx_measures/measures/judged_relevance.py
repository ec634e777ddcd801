"""Qrels in which all judged documents are relevant, or none is.

MS MARCO's and most of BEIR's have relevant documents only: nothing in them says how probable it is
that a document is not relevant.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import ir_measures
import numpy as np

from ..common.numeric import BoolArray
from ..exceptions import OnlyRelevantError
from ..judgments.judgments import Judgments
from .base import Measure
from .doubts import COUNT, Doubt

INSTEAD = "take nDCGBound, which draws no grades, or qrels with judged non-relevant documents"

DRAWN = f"so that the grades drawn for unjudged documents are too high; {INSTEAD}"


def _least(measure: Measure) -> int:
    return int(measure["rel"]) if measure.has_rel else 1


def _all_relevant(measure: Measure, judgments: Judgments) -> BoolArray:
    """Whether every judged document of a query is relevant: (queries,)."""
    non_relevant = judgments.is_judged & (judgments.grade < _least(measure))
    return np.asarray(~non_relevant.any(axis=1))


def require_non_relevant(measure: Measure, judgments: Judgments) -> None:
    """OnlyRelevantError if documents are judged, and all of them are relevant.

    One part of the queries cannot tell: `doubt_only_relevant` counts those of all parts.
    """
    judged = not judgments.is_part and judgments.judged.any()
    if judged and _all_relevant(measure, judgments).all():
        raise OnlyRelevantError(
            f"{measure} draws the grades of unjudged documents from those of judged ones, and the "
            f"qrels judge no document as non-relevant; {INSTEAD}"
        )


def doubt_only_relevant(
    measure: Measure, judgments: Judgments, consequence: str = DRAWN
) -> Iterator[Doubt]:
    """The doubt about queries of which only relevant documents are judged, and what follows."""
    without = _all_relevant(measure, judgments)
    yield Doubt(
        f"every judged document of {COUNT} is relevant, {consequence}",
        int(np.count_nonzero(without)),
        len(without),
        above=0.5,
        of_run=False,
    )


class Relevance(NamedTuple):
    """Which documents are relevant for a measure.

    Attributes
    ----------
    least
        The smallest relevant grade.
    by_rel
        Whether the parameter `rel` sets it. If not, all grades above 0 are gains.
    """

    least: int
    by_rel: bool


def relevance_of(measure: ir_measures.Measure) -> Relevance | None:
    """Which documents are relevant; None if the scores do not depend on relevance."""
    if isinstance(measure, Measure):
        return Relevance(_least(measure), measure.has_rel) if measure.of_qrels else None
    if isinstance(measure, (type(ir_measures.nDCG), type(ir_measures.ERR))):
        return Relevance(1, False) if measure.params.get("gains") is None else None
    rel = measure["rel"] if "rel" in measure.SUPPORTED_PARAMS else None
    return Relevance(rel, True) if isinstance(rel, int) else None


def doubt_none_relevant(measure: ir_measures.Measure, judgments: Judgments) -> Iterator[Doubt]:
    """The doubt about qrels in which a measure has no relevant document."""
    relevance = relevance_of(measure)
    if relevance is None or not judgments.judged.any():
        return
    without = np.asarray(~(judgments.grade >= relevance.least).any(axis=1))
    yield Doubt(
        f"no document is relevant: all grades of the qrels are below {relevance.least}",
        int(np.count_nonzero(without)),
        len(without),
        above=1.0,
        of_run=False,
    )
