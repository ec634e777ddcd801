"""The systems that a page or a picture shows where there are too many to show all."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from ..common.validators import integer
from ..typing import MeasureLike
from .result import Comparison

# Systems, a choice: all runs of a TREC track fit (TREC-8 has 129), and more rows are not read.
MOST_SHOWN = 200


class ShownSystems(NamedTuple):
    """The systems that are shown, in the order of the scores, and the sentence that says so."""

    systems: tuple[str, ...]
    sentence: str  # empty if all systems are shown


def shown_systems(
    result: Comparison, top: int | None = None, measure: MeasureLike | None = None
) -> ShownSystems:
    """All systems, or the best ones by the first measure and every baseline.

    A user may ask for the `top` ones by `measure`; if not, at most 200 are shown. Without
    baselines, the others are compared with the best system of a measure: it is shown, too.
    """
    systems, boards = result.matrix.systems, result.boards
    most, asked = MOST_SHOWN, boards[0].measure
    if top is not None:
        most, asked = integer(2).check("top", top), result.measure(measure)
    if len(systems) <= most:
        return ShownSystems(systems, "")
    references = {name for board in boards for name in board.references}
    shown = {*result.ordered_systems(asked)[:most], *result.baselines, *references}
    also = " and every baseline" if result.baselines else ""
    if not also and len(boards) > 1:
        also = " and the best one by each other measure or group"
    (head, *_) = (board.head for board in boards if board.measure == asked)
    where = ", which the csv of irx compare lists" if top is None else ""
    return ShownSystems(
        tuple(name for name in systems if name in shown),
        f"{_the_best(most, len(systems))} by {head}{also}. "
        f"Tests, ranks and counts are those of all systems{where}.",
    )


def first_places(ranked: Sequence[int], top: int | None, which: str) -> tuple[list[int], str]:
    """The positions of the systems that are shown, of all in their order, and the sentence.

    A user may ask for the `top` ones; if not, at most 200 are shown. `which` says by what they are
    the first, for the sentence, which is empty if all are shown.
    """
    most = MOST_SHOWN if top is None else integer(2).check("top", top)
    if len(ranked) <= most:
        return list(ranked), ""
    return list(ranked[:most]), f"{_the_best(most, len(ranked))} by {which}."


def _the_best(most: int, systems: int) -> str:
    return f"Shown: the best {most} of {systems:,} systems"
