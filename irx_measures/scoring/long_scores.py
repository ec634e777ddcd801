"""Scores with a row per score, and the score array that is made of them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..common.arrays import FloatArray, Int64Array
from ..common.writing import counted, shown, some
from ..exceptions import InputError
from ..typing import ScoreArray

SUMMARY = ("all", "mean")  # in the place of a query, as trec_eval and `irx evaluate -q` write means

MEAN_TOLERANCE = 1e-3  # a choice: means that are printed with three decimal places are recognised

MOST_LISTED = 3  # queries in a warning, a choice


class Names(NamedTuple):
    """A column of names: the distinct names, and the number of each row's name."""

    distinct: tuple[str, ...]
    code: Int64Array

    def take(self, rows: NDArray[np.integer]) -> Names:
        """The names of some rows, in the order of first appearance."""
        from pandas import factorize

        code, used = factorize(self.code[rows])
        return Names(tuple(self.distinct[name] for name in used.tolist()), code)

    def in_order(self, names: Sequence[str]) -> Names:
        """The same rows; the distinct names in another order."""
        number = np.array([names.index(name) for name in self.distinct])
        return Names(tuple(names), number[self.code])


class Place(NamedTuple):
    """Where a table stands, and where its rows do by their positions, for messages."""

    table: str = "`frame`"
    row: Callable[[int], str] = "`frame`.iloc[{}]".format


class LongScores(NamedTuple):
    """Scores with a row per score.

    Attributes
    ----------
    measure, system, query
    value : (scores,) floats
        NaN where a cell is empty.
    row : (scores,) ints
        The row of the table in which each score stands.
    place
    """

    measure: Names
    system: Names
    query: Names
    value: FloatArray
    row: Int64Array
    place: Place

    @property
    def names(self) -> ScoreNames:
        return ScoreNames(self.measure.distinct, self.system.distinct, self.query.distinct)

    def score(self, number: int) -> str:
        """A score in messages, with where it stands."""
        cell = [int(names.code[number]) for names in (self.measure, self.system, self.query)]
        return f"{self.place.row(int(self.row[number]))}: {self.names.score(cell)}"


class ScoreNames(NamedTuple):
    """The names of a score array: measures x systems x queries, in the order of the table."""

    measures: tuple[str, ...]
    systems: tuple[str, ...]
    query_ids: tuple[str, ...]

    def score(self, cell: Sequence[int]) -> str:
        """A score in messages."""
        measure, system, query = cell
        return (
            f"{self.measures[measure]} of {shown(self.systems[system])} for query "
            f"{shown(self.query_ids[query])}"
        )


class FrameScores(NamedTuple):
    """The scores of a table; a system without any score on a measure has NaN there.

    Attributes
    ----------
    names
    scores : (measures, systems, queries) floats
    left_out
        What was left out, and why: sentences.
    """

    names: ScoreNames
    scores: ScoreArray
    left_out: tuple[str, ...] = ()


def without_means(scores: LongScores) -> tuple[LongScores, tuple[str, ...]]:
    """The scores without the rows that are means over queries, and what to say of them.

    Raises
    ------
    InputError
        When the query of a row is called as a mean is, and the row is none.
    """
    names = scores.query.distinct
    summary = [name in SUMMARY for name in names]
    if not any(summary):
        return scores, ()
    of_mean = np.array(summary)[scores.query.code]
    group = scores.measure.code * len(scores.system.distinct) + scores.system.code
    counts = ~of_mean & ~np.isnan(scores.value)
    queries = np.bincount(group[counts], minlength=group.max() + 1)
    total = np.bincount(group[counts], scores.value[counts], len(queries))
    mean = np.divide(total, queries, out=np.full(len(queries), np.nan), where=queries > 0)[group]
    is_mean = np.isclose(scores.value, mean, rtol=MEAN_TOLERANCE, atol=MEAN_TOLERANCE)
    for wrong in np.flatnonzero(of_mean & ~np.isnan(scores.value) & ~is_mean)[:1].tolist():
        raise InputError(
            f"{scores.score(wrong)} is {scores.value[wrong]:g}, and the mean of its other queries "
            f"is {mean[wrong]:g}: rename the query, or leave the row out if it is another summary"
        )
    kept = np.flatnonzero(~of_mean)
    rest = LongScores(
        scores.measure.take(kept),
        scores.system.take(kept),
        scores.query.take(kept),
        scores.value[kept],
        scores.row[kept],
        scores.place,
    )
    called = " and ".join(repr(name) for name in SUMMARY if name in names)
    return rest, (f"left out the rows of query {called}: they are means over the other queries",)


def score_array(scores: LongScores, told: tuple[str, ...], strict: bool) -> FrameScores:
    """The array of scores; `told` has the sentences about what was left out before.

    Raises
    ------
    InputError
        When a score occurs twice, or, if strict, when a system lacks a score.
    """
    names = scores.names
    shape = tuple(map(len, names))
    codes = scores.measure.code, scores.system.code, scores.query.code
    cell = np.ravel_multi_index(codes, shape)
    given = np.bincount(cell)
    for twice in np.flatnonzero(given[cell] > 1)[:1].tolist():
        second = np.flatnonzero(cell == cell[twice])[1]
        raise InputError(f"{scores.score(int(second))} occurs twice")
    array = np.full(shape, np.nan)
    array[codes] = scores.value
    partly = np.isnan(array) & ~np.isnan(array).all(axis=2, keepdims=True)
    if not partly.any():
        return FrameScores(names, array, told)
    if strict:
        lacking = np.argwhere(partly)[0]
        without = np.flatnonzero(cell == np.ravel_multi_index(lacking, shape)).tolist()
        what = (
            f"{scores.score(without[0])} is NaN"
            if without
            else (f"{scores.place.table} has no {names.score(lacking.tolist())}")
        )
        raise InputError(
            f"{what}. Every system must have every score; queries without a score of every system "
            "are left out with strict=False, or --no-strict on the command line"
        )
    return _without_partly(names, array, partly, scores.place, told)


def _without_partly(
    names: ScoreNames,
    scores: ScoreArray,
    partly: NDArray[np.bool_],
    place: Place,
    told: tuple[str, ...],
) -> FrameScores:
    """The scores without the queries for which only some systems have a score."""
    queries = np.flatnonzero(partly.any(axis=(0, 1))).tolist()
    kept = np.setdiff1d(np.arange(len(names.query_ids)), queries)
    if not len(kept):
        raise InputError(f"{place.table} has no query for which every system has a score")
    lacking = []
    for query in queries:
        measure, system = np.argwhere(partly[:, :, query])[0]
        lacking.append(
            f"{names.query_ids[query]} ({names.systems[system]}, {names.measures[measure]})"
        )
    left_out = (
        f"left out {counted(len(queries), 'query', 'queries')} of {len(names.query_ids)} for which "
        f"a system has no score: {some(lacking, MOST_LISTED)}"
    )
    remaining = tuple(names.query_ids[place] for place in kept.tolist())
    return FrameScores(names._replace(query_ids=remaining), scores[:, :, kept], (*told, left_out))
