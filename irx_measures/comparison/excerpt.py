"""The systems that a page or a picture shows where there are too many to show all."""

from __future__ import annotations

from dataclasses import dataclass

from .result import Comparison

# Systems, a choice: all runs of a TREC track fit (TREC-8 has 129), and more rows are not read.
MOST_SHOWN = 200


@dataclass(frozen=True)
class Excerpt:
    """The systems that are shown, and the sentence that says so.

    Attributes
    ----------
    systems : tuple of str
        In the order of the scores.
    sentence
        Empty if all systems are shown.
    """

    systems: tuple[str, ...]
    sentence: str


def excerpt_of(result: Comparison) -> Excerpt:
    """All systems, or the best ones by the first measure and every baseline.

    Without baselines, the others are compared with the best system of a measure: it is shown, too.
    """
    systems, boards = result.matrix.systems, result.boards
    if len(systems) <= MOST_SHOWN:
        return Excerpt(systems, "")
    references = {reference.name for board in boards for reference in board.references}
    shown = {*boards[0].systems[:MOST_SHOWN], *result.baselines, *references}
    also = " and every baseline" if result.baselines else ""
    if not also and len(boards) > 1:
        also = " and the best one by each other measure"
    return Excerpt(
        tuple(name for name in systems if name in shown),
        f"Shown: the best {MOST_SHOWN} of {len(systems):,} systems by {boards[0].head}{also}. "
        "Tests, ranks and counts are those of all systems; irx compare --show leaderboard -o csv "
        "lists all.",
    )
