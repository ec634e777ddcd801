"""What the grades of an ir_datasets id mean by its own definitions, beside what measures count."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import takewhile
from textwrap import shorten

import ir_measures

from ..io.irds import grade_meanings
from .doubts import Doubt
from .judged_relevance import relevance_of

# As in "Not Valuable", "Excluded", "It does not answer the question", "completely out of context".
NOT_RELEVANT = re.compile(
    r"(not|non-?relevant|irrelevant|excluded)\b|.*(does not answer|out of context)", re.IGNORECASE
)

LONGEST_MEANING = 70  # characters of a definition in a warning, which is one line


def doubt_meanings(measure: ir_measures.Measure, dataset: str) -> Iterator[Doubt]:
    """The doubt about grades that a measure counts and the dataset defines as not relevant.

    Graded measures are doubted only if the dataset defines no grade 0: else its grades are gains.
    """
    relevance = relevance_of(measure)
    if relevance is None or not dataset:
        return
    meanings = grade_meanings(dataset)
    counted = sorted(grade for grade in meanings if grade >= relevance.least)
    wrong = list(takewhile(lambda grade: NOT_RELEVANT.match(meanings[grade]), counted))
    if not wrong or not (relevance.by_rel or 0 not in meanings):
        return
    instead = f"write rel={wrong[-1] + 1}" if relevance.by_rel else "give them the grade 0 first"
    meaning = shorten(meanings[wrong[0]], LONGEST_MEANING, placeholder=" ...")
    yield Doubt(
        f"counts documents of grade{'s' * (len(wrong) > 1)} {' and '.join(map(str, wrong))}, which "
        f"{dataset} defines as not relevant ({meaning}); {instead}",
        of_run=False,
    )
