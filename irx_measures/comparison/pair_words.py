"""What is said of two systems: a form for each case, which Python and the page's script fill."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ..common.numeric import AnyArray, BoolArray, FloatArray, Int64Array
from ..common.writing import Writing
from ..measures.naming.named_score import is_rising
from .board import Leaderboard
from .words import AROUND_0, correction_text, interval_name, p_name

# The cases: positions in the lists of `PairForms`. Systems that are equal on all topics never
# differ significantly.
EQUAL, NOT_SIGNIFICANT, SIGNIFICANT, SIGNIFICANT_AROUND_0 = range(4)

FORM_OF_NUMBER = Writing(number=lambda _: "{number}")


class PairForms(NamedTuple):
    """The sentences on the pairs of a measure; names in braces stand for what differs by pair.

    `measure`, `difference`, `lower` and `upper` are texts; `topics` and `topics_won` are counts
    with their noun, `losses` and `ties` without. `p` is one of the forms of p, and `verdict` one
    of the verdicts, both filled.
    """

    small_p: str  # where a p-value is too small to be written
    p: str  # of `number`
    verdicts: list[str]  # by case
    sentences: list[str]  # by case
    equal: str  # of two systems that are equal on all topics, tested or not
    differs: str  # of two other systems that were not tested


def pair_forms(board: Leaderboard) -> PairForms:
    """The forms of one measure."""
    decided = f"significant{correction_text(board)} ({{p}})"
    equal = "equal {measure} on all {topics}; {verdict}."
    interval = ""
    if board.method.has_intervals:
        interval = f" ({interval_name(board)} {{lower}} to {{upper}})"
    differs = _differs(interval, is_rising(board.measure))
    return PairForms(
        small_p=FORM_OF_NUMBER.p_is(p_name(board), 0.0),
        p=FORM_OF_NUMBER.p_is(p_name(board), 1.0),
        verdicts=[f"not {decided}", f"not {decided}", decided, decided],
        sentences=[equal, differs, differs, f"{differs} {AROUND_0}"],
        equal=equal,
        differs=_differs("", is_rising(board.measure)),
    )


def _differs(interval: str, rising: bool) -> str:
    """The form of a difference; `rising` says whether higher scores are better."""
    won, lost = ("Higher", "lower") if rising else ("Lower", "higher")
    return (
        f"mean difference {{difference}} in {{measure}}{interval}; {{verdict}}. "
        f"{won} on {{topics_won}}, {lost} on {{losses}}, equal on {{ties}}."
    )


def pair_cases(
    significant: BoolArray | bool,
    lower: FloatArray | float,
    upper: FloatArray | float,
    wins: AnyArray | int,
    losses: AnyArray | int,
) -> Int64Array:
    """The case of each pair."""
    contains_0 = (np.asarray(lower) <= 0) & (np.asarray(upper) >= 0)
    decided = np.where(contains_0, SIGNIFICANT_AROUND_0, SIGNIFICANT)
    found = np.where(significant, decided, NOT_SIGNIFICANT)
    no_topic = (np.asarray(wins) == 0) & (np.asarray(losses) == 0)
    return np.where(no_topic, EQUAL, found)
