"""Doubts about qrels: every judged document is relevant, none is, or a grade means not relevant.

MS MARCO's and most of BEIR's have relevant documents only: nothing in them says how probable it is
that a document is not relevant.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import takewhile
from textwrap import shorten

import ir_measures
import numpy as np

from ..common.numeric import BoolArray
from ..exceptions import OnlyRelevantError
from ..io.irds import grade_meanings
from ..judgments.judgments import Judgments
from .base import Measure
from .doubts import COUNT, Doubt

INSTEAD = "take nDCGBound, which draws no grades, or qrels with judged non-relevant documents"

DRAWN = f"so that the grades drawn for unjudged documents are too high; {INSTEAD}"

# As in "Not Valuable", "Excluded", "It does not answer the question", "completely out of context".
NOT_RELEVANT = re.compile(
    r"(not|non-?relevant|irrelevant|excluded)\b|.*(does not answer|out of context)", re.IGNORECASE
)

LONGEST_MEANING = 70  # characters of a definition in a warning, which is one line


def _relevance(measure: ir_measures.Measure) -> tuple[int, bool] | None:
    """The smallest relevant grade, and whether `rel` sets it: else all grades above 0 are gains.

    None if the scores do not depend on relevance.
    """
    if isinstance(measure, Measure):
        return (_least(measure), measure.has_rel) if measure.of_qrels else None
    if isinstance(measure, (type(ir_measures.nDCG), type(ir_measures.ERR))):
        return (1, False) if measure.params.get("gains") is None else None
    rel = measure["rel"] if "rel" in measure.SUPPORTED_PARAMS else None
    return (rel, True) if isinstance(rel, int) else None


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
    text = f"every judged document of {COUNT} is relevant, {consequence}"
    yield _of_queries(text, _all_relevant(measure, judgments), above=0.5)


def _of_queries(text: str, chosen: BoolArray, above: float) -> Doubt:
    count = int(np.count_nonzero(chosen))
    return Doubt(text, count, len(chosen), above=above, of_run=False)


def doubt_relevance(
    measure: ir_measures.Measure, judgments: Judgments, dataset: str = ""
) -> Iterator[Doubt]:
    """The doubts about qrels without relevant documents, or with grades that mean not relevant.

    The dataset, if the qrels have an ir_datasets id, may define a grade that the measure counts as
    not relevant. Graded measures are doubted only if it defines no grade 0: else its grades are
    gains.
    """
    relevance = _relevance(measure)
    if relevance is None:
        return
    least, by_rel = relevance
    if judgments.judged.any():
        none = np.asarray(~(judgments.grade >= least).any(axis=1))
        text = f"no document is relevant: all grades of the qrels are below {least}"
        yield _of_queries(text, none, above=1.0)
    meanings = grade_meanings(dataset) if dataset else {}
    counted = sorted(grade for grade in meanings if grade >= least)
    wrong = list(takewhile(lambda grade: NOT_RELEVANT.match(meanings[grade]), counted))
    if wrong and (by_rel or 0 not in meanings):
        instead = f"write rel={wrong[-1] + 1}" if by_rel else "give them the grade 0 first"
        meaning = shorten(meanings[wrong[0]], LONGEST_MEANING, placeholder=" ...")
        yield Doubt(
            f"counts documents of grade{'s' * (len(wrong) > 1)} {' and '.join(map(str, wrong))}, "
            f"which {dataset} defines as not relevant ({meaning}); {instead}",
            of_run=False,
        )
