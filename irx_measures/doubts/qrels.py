"""Doubts about qrels, which concern all runs: what was judged, and what its grades mean."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import takewhile
from pathlib import Path
from textwrap import shorten

import ir_measures
import numpy as np

from ..common.warn import untold
from ..common.writing import one_line, plural
from ..exceptions import InputError
from ..io.irds import grade_meanings
from ..io.qrels_files import planned_judgments
from ..judgments.judgments import Judgments
from ..measures.declaring.base import Measure
from ..measures.declaring.doubt import Doubt
from ..measures.declaring.judged_relevance import doubt_of_queries, least_relevant

# As in "Not Valuable", "Excluded", "It does not answer the question", "completely out of context".
NOT_RELEVANT = re.compile(
    r"(not|non-?relevant|irrelevant|excluded)\b|.*(does not answer|out of context)", re.IGNORECASE
)

LONGEST_MEANING = 70  # characters of a definition in a warning, which is one line


OF_LOG = "judgments are of the judging log beside it"

PLANNED = (
    f"{{path}}: {{chosen}} of {{total}} {OF_LOG}: their documents were "
    "chosen to compare systems, so absolute scores are biased{how_far}; take the answer from 'irx "
    "judge status', which draws the grades of unjudged documents"
)

UNREADABLE = (
    "{path} has a judging log beside it that cannot be read, so its documents may have been chosen "
    "to compare systems, which biases absolute scores ({why})"
)

# The shares of the pool at which the coverage of intervals was measured, where the campaign chose
# all judgments: with others, nothing is known.
STUDIED = 0.2, 0.3

HOW_FAR = " (with 20 to 30% of the pool judged so, 95% intervals of means cover 16% to 46%)"


def doubt_judging_log(path: Path, judgments: Judgments) -> Iterator[str]:
    """What to say of a file of qrels of which a judging campaign chose some documents."""
    try:
        with untold("the last line is not whole"):
            judged, pool = planned_judgments(path)
    except (InputError, OSError) as error:
        yield UNREADABLE.format(path=path, why=one_line(error))
        return
    rows = judgments.query_index.number
    chosen = sum(
        len(docs.intersection(judgments.ids_of(rows[query])))
        for query, docs in judged.items()
        if query in rows
    )
    if chosen:
        least, most = STUDIED
        how_far = HOW_FAR if pool and least <= chosen / pool <= most else ""
        total = f"{int(judgments.judged.sum()):,}"
        yield PLANNED.format(path=path, chosen=f"{chosen:,}", total=total, how_far=how_far)


def _relevance(measure: ir_measures.Measure) -> tuple[int, bool] | None:
    """The smallest relevant grade, and whether `rel` sets it: else all grades above 0 are gains.

    None if the scores do not depend on relevance.
    """
    if isinstance(measure, Measure):
        return (least_relevant(measure), measure.has_rel) if measure.of_qrels else None
    if isinstance(measure, (type(ir_measures.nDCG), type(ir_measures.ERR))):
        return (1, False) if measure.params.get("gains") is None else None
    rel = measure["rel"] if "rel" in measure.SUPPORTED_PARAMS else None
    return (rel, True) if isinstance(rel, int) else None


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
        yield doubt_of_queries(text, none, above=1.0)
    meanings = grade_meanings(dataset) if dataset else {}
    counted = sorted(grade for grade in meanings if grade >= least)
    wrong = list(takewhile(lambda grade: NOT_RELEVANT.match(meanings[grade]), counted))
    if wrong and (by_rel or 0 not in meanings):
        instead = f"write rel={wrong[-1] + 1}" if by_rel else "give them the grade 0 first"
        meaning = shorten(meanings[wrong[0]], LONGEST_MEANING, placeholder=" ...")
        grades = f"{plural('grade', len(wrong))} {' and '.join(map(str, wrong))}"
        yield Doubt(
            f"counts documents of {grades}, which {dataset} defines as not "
            f"relevant ({meaning}); {instead}",
            of_run=False,
        )
