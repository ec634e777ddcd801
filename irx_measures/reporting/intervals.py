"""Columns for intervals of scores: over missing judgments and over topics."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any

import ir_measures
import numpy as np

from ..exceptions import InputError
from ..measures.bootstrap import Boot, BootNDCG
from ..scoring.score_matrix import ScoreMatrix
from ..stats.intervals import topic_interval
from .tables import Column, score_columns

BOOTSTRAPPED = (type(BootNDCG), type(Boot))

ENDS = ("lower", "upper")


def with_quantiles(
    measures: Iterable[ir_measures.Measure], level: float
) -> list[ir_measures.Measure]:
    """The measures, plus the quantiles of bootstrapped measures that `interval_columns` needs.

    Parameters
    ----------
    level
        Coverage of the interval in percent.
    """
    asked = list(measures)
    quantiles = [quantile for measure in asked for quantile in _quantiles(measure, level)]
    return list(dict.fromkeys([*asked, *quantiles]))


def interval_columns(
    matrix: ScoreMatrix, measures: Sequence[ir_measures.Measure], level: float
) -> list[Column]:
    """Scores with their intervals.

    Parameters
    ----------
    matrix
        Scores of the measures as `with_quantiles` extends them.
    measures
        The requested measures.
    level
        Coverage of the intervals in percent.

    Raises
    ------
    InputError
        When there is only one query, so that topics cannot be resampled.

    Notes
    -----
    - The columns ``lower`` and ``upper`` follow each bootstrapped measure: the central `level`
      percent of its bootstrapped scores lie between them. For a system they are means over queries,
      as in Table 7 of the bootstrap paper.
    - The columns ``lower over topics`` and ``upper over topics`` follow every measure. They are the
      percentile bootstrap interval of its mean over queries (scipy.stats.bootstrap).
    """
    if len(matrix.query_ids) < 2:
        raise InputError("an interval over topics needs at least 2 queries; got 1")
    columns = []
    for measure in measures:
        columns += score_columns(matrix.select([measure]))
        columns += _judgment_interval(matrix, measure, level)
        columns += _topic_interval(matrix, measure, level)
    return columns


def _judgment_interval(
    matrix: ScoreMatrix, measure: ir_measures.Measure, level: float
) -> list[Column]:
    """Two columns for a bootstrapped measure; no column for any other."""
    columns = []
    for end, quantile in zip(ENDS, _quantiles(measure, level), strict=False):
        (column,) = score_columns(matrix.select(quantile))
        columns.append(replace(column, name=f"{measure} {level:g}% {end}"))
    return columns


def _topic_interval(
    matrix: ScoreMatrix, measure: ir_measures.Measure, level: float
) -> list[Column]:
    (undefined,) = matrix.select([measure]).undefined
    ends = np.full((len(ENDS), len(matrix.systems)), np.nan)
    if not undefined.all():
        ends[:, ~undefined] = topic_interval(matrix[measure][~undefined], level)
    return [
        Column(f"{measure} {level:g}% {end} over topics", None, overall)
        for end, overall in zip(ENDS, ends, strict=True)
    ]


def _quantiles(measure: Any, level: float) -> list[ir_measures.Measure]:
    """The lower and the upper end of a bootstrapped measure's interval, as measures."""
    if not isinstance(measure, BOOTSTRAPPED):
        return []
    tail = (100 - level) / 2
    # Ten decimal places, without an exponent: (100 - 99.9) / 2 is not exactly 0.05.
    percents = (f"{percent:.10f}".rstrip("0").rstrip(".") for percent in (tail, 100 - tail))
    return [measure(stat=f"q{percent}") for percent in percents]
