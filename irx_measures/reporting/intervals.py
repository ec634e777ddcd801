"""Intervals around mean scores: for missing judgments, and for the choice of topics."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import ir_measures

from ..common.arrays import FloatArray
from ..exceptions import InputError
from ..measures.bootstrap import Boot, BootNDCG
from ..scoring.score_matrix import ScoreMatrix
from ..stats.intervals import topic_interval

BOOTSTRAPPED = (type(BootNDCG), type(Boot))


@dataclass(frozen=True)
class Column:
    """A column of a table of scores.

    Attributes
    ----------
    name
    by_query : (systems, queries) floats, optional
        None where there is nothing to say of single queries.
    overall : (systems,) floats
    """

    name: str
    by_query: FloatArray | None
    overall: FloatArray


def score_columns(matrix: ScoreMatrix) -> list[Column]:
    """A column for every measure."""
    return [
        Column(str(measure), scores, overall)
        for measure, scores, overall in zip(
            matrix.measures, matrix.scores, matrix.aggregates, strict=True
        )
    ]


def with_quantiles(
    measures: Iterable[ir_measures.Measure], level: float
) -> list[ir_measures.Measure]:
    """The measures, and the quantiles that bound an interval of those that are bootstrapped.

    Parameters
    ----------
    level
        How much of the distribution the interval holds, in percent.
    """
    asked = list(measures)
    quantiles = [quantile for measure in asked for quantile in _quantiles(measure, level)]
    return list(dict.fromkeys([*asked, *quantiles]))


def interval_columns(
    matrix: ScoreMatrix, measures: Sequence[ir_measures.Measure], level: float
) -> list[Column]:
    """Scores with their intervals.

    After each measure that is bootstrapped come ``lower`` and ``upper``, between which its score
    lies for the share `level` of the judgments that unjudged documents may have: the mean over
    queries of its quantiles (as in the bootstrap paper's Table 7). After every measure come
    ``lower over topics`` and ``upper over topics``, a percentile bootstrap interval of its mean
    over queries (scipy.stats.bootstrap).

    Parameters
    ----------
    matrix
        Scores of the measures as `with_quantiles` extends them.
    measures
        The measures asked for.
    level
        In percent.

    Raises
    ------
    ValueError
        When there are not two queries to draw topics from.
    """
    if len(matrix.query_ids) < 2:
        raise InputError("an interval over topics needs at least 2 queries; got 1")
    columns = []
    for measure in measures:
        bounds = zip(("lower", "upper"), _quantiles(measure, level), strict=False)
        columns += score_columns(matrix.select([measure]))
        columns += [
            Column(f"{measure} {level:g}% {name}", column.by_query, column.overall)
            for name, quantile in bounds
            for column in score_columns(matrix.select([quantile]))
        ]
        columns += [
            Column(f"{measure} {level:g}% {name} over topics", None, overall)
            for name, overall in zip(
                ("lower", "upper"), topic_interval(matrix[measure], level), strict=True
            )
        ]
    return columns


def _quantiles(measure: Any, level: float) -> list[ir_measures.Measure]:
    if not isinstance(measure, BOOTSTRAPPED):
        return []
    tail = (100 - level) / 2
    # Ten places, never with an exponent: (100 - 99.9) / 2 is not quite 0.05.
    shares = (f"{share:.10f}".rstrip("0").rstrip(".") for share in (tail, 100 - tail))
    return [measure(stat=f"q{share}") for share in shares]
