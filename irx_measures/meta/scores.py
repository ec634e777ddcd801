"""The scores of one measure that studies take: an array, or a `ScoreMatrix` of one measure."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

from numpy.typing import ArrayLike

from ..common.numeric import FloatArray
from ..common.validators import finite_array, names_of
from ..exceptions import InputError
from ..results.column import Column
from ..scoring.score_matrix import ScoreMatrix
from ..stats.pairs import Pairs

ScoresLike: TypeAlias = ArrayLike | ScoreMatrix


def system_scores(
    scores: ScoresLike,
    systems: Sequence[str] | None,
    name: str = "scores",
    queries: int = 2,
) -> tuple[FloatArray, tuple[str, ...]]:
    """Check the scores of at least two systems: (systems, queries), and the systems' names.

    Without names they are those of the matrix, or the positions. Errors call the scores `name`;
    there must be at least `queries` queries.
    """
    if isinstance(scores, ScoreMatrix):
        systems = systems or scores.systems
        scores = _only_measure(scores, name)
    array = finite_array(name, scores, 1, systems)
    if array.ndim != 2:
        raise InputError(f"`{name}` must have the shape (systems, queries); got {array.shape}")
    if array.shape[0] < 2:
        raise InputError(f"`{name}` must hold at least 2 systems; got {array.shape[0]}")
    if array.shape[1] < queries:
        raise InputError(f"`{name}` must hold at least {queries} queries; got {array.shape[1]}")
    return array, names_of("systems", systems, len(array), "system")


def two_system_scores(
    first: ScoresLike, second: ScoresLike, systems: Sequence[str] | None, queries: int = 2
) -> tuple[FloatArray, FloatArray, tuple[str, ...]]:
    """The scores of the same systems twice, each on at least `queries` queries."""
    one, names = system_scores(first, systems, "first", queries)
    other, others = system_scores(second, systems, "second", queries)
    are_named = isinstance(first, ScoreMatrix) and isinstance(second, ScoreMatrix)
    if len(names) != len(others) or (are_named and names != others):
        raise InputError(
            "`first` and `second` must have the same systems in the same order; got "
            f"{', '.join(names)} and {', '.join(others)}"
        )
    return one, other, names


def pair_columns(systems: Sequence[str]) -> list[Column]:
    """The names of both systems of every pair: (0, 1), (0, 2), ..., (1, 2), ..."""
    pairs = Pairs.of(len(systems))
    first = [systems[place] for place in pairs.first]
    second = [systems[place] for place in pairs.second]
    return [
        Column("first", first, meaning="first system of the pair", key=True),
        Column("second", second, meaning="second system of the pair", key=True),
    ]


def _only_measure(matrix: ScoreMatrix, name: str) -> FloatArray:
    if len(matrix.measures) != 1:
        measures = ", ".join(map(str, matrix.measures))
        raise InputError(
            f"`{name}` must have one measure, as matrix.select('{matrix.measures[0]}') has; got "
            f"{measures}"
        )
    return matrix.scores[0]
