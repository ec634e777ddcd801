"""Qrels of relevant documents only, of which some measures know too little.

MS MARCO's and most of BEIR's have relevant documents only: nothing in them says how probable it is
that a document is not relevant.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from ...common.numeric import BoolArray
from ...exceptions import OnlyRelevantError
from ...judgments.judgments import Judgments
from .base import Measure
from .doubt import COUNT, Doubt

INSTEAD = "take nDCGBound, which draws no grades, or qrels with judged non-relevant documents"

DRAWN = f"so that the grades drawn for unjudged documents are too high; {INSTEAD}"


def least_relevant(measure: Measure) -> int:
    """The smallest grade of a relevant document."""
    return int(measure["rel"]) if measure.has_rel else 1


def _all_relevant(measure: Measure, judgments: Judgments) -> BoolArray:
    """Whether every judged document of a query is relevant: (queries,)."""
    non_relevant = judgments.is_judged & (judgments.grade < least_relevant(measure))
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
    text = f"every judged document of {COUNT} is relevant, {consequence}"
    yield doubt_of_queries(text, _all_relevant(measure, judgments), above=0.5)


def doubt_of_queries(text: str, chosen: BoolArray, above: float) -> Doubt:
    """A doubt about the chosen queries, whatever the run is."""
    count = int(np.count_nonzero(chosen))
    return Doubt(text, count, len(chosen), above=above, of_run=False)
