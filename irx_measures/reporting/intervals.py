"""Columns for intervals of scores: over missing judgments and over topics."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import ir_measures
import numpy as np

from ..common.numeric import FloatArray
from ..common.writing import level_text
from ..exceptions import InputError
from ..io.table import Table
from ..measures.bootstrap import Boot, BootNDCG
from ..measures.declaring.ranges import range_of
from ..measures.learned import LEARNED
from ..measures.mean_intervals import mean_intervals
from ..runsets.runset import RunSet
from ..scoring.score_matrix import ScoreMatrix
from ..stats.intervals import DEFAULT_METHOD, interval_name, topic_interval
from .tables import Scores, score_columns

BOOTSTRAPPED = (type(BootNDCG), type(Boot))

ENDS = ("lower", "upper")


def with_quantiles(
    measures: Iterable[ir_measures.Measure], level: float
) -> list[ir_measures.Measure]:
    """The measures, plus the quantiles of bootstrapped measures that `interval_columns` needs.

    `level` is the coverage of the interval, in (0, 1).
    """
    asked = list(measures)
    quantiles = [quantile for measure in asked for quantile in _quantiles(measure, level)]
    return list(dict.fromkeys([*asked, *quantiles]))


def learned_intervals(
    measures: Iterable[ir_measures.Measure],
    level: float,
    qrels: Table,
    runset: RunSet,
    progress: bool | None = False,
) -> dict[ir_measures.Measure, FloatArray]:
    """The intervals of the systems' means on each measure with a learned prior: (2, systems)."""
    return {
        measure: mean_intervals(measure, qrels, runset, level, progress)
        for measure in measures
        if isinstance(measure, BOOTSTRAPPED) and measure["prior"] == LEARNED
    }


def interval_columns(
    matrix: ScoreMatrix,
    measures: Sequence[ir_measures.Measure],
    level: float,
    learned: Mapping[ir_measures.Measure, FloatArray] | None = None,
    method: str = DEFAULT_METHOD,
) -> list[Scores]:
    """Scores with their intervals; InputError if there is only one query.

    The matrix has the scores of the measures as `with_quantiles` extends them, and `learned`, the
    result of `learned_intervals`, has all measures with a learned prior. `level` is the coverage of
    the intervals, in (0, 1), and `method` that over topics: a key of `stats.intervals.METHODS`.

    - The ends of the interval over missing judgments follow each bootstrapped measure: the central
      share `level` of its bootstrapped scores lies between them. For a system they are means over
      queries, as in Table 7 of the bootstrap paper, or those of `learned`.
    - Two columns with the ends of the interval of its mean over queries follow every measure. Their
      names begin with `stats.intervals.interval_name`, which names the method.
    """
    if len(matrix.query_ids) < 2:
        raise InputError("an interval over topics needs at least 2 queries; got 1")
    columns = []
    of_judgments, of_topics = "", ""
    if any(_quantiles(measure, level) for measure in measures):
        of_judgments, of_topics = " judgments", " topics"  # which of both intervals it is
    share = level_text(level)
    over = f"{share} interval over missing judgments"
    grades = "with drawn grades of unjudged documents"
    for measure in measures:
        drawn = _meaning(of_judgments, f"mean of the {share} intervals of all queries, {grades}")
        if learned and measure in learned:
            drawn = _meaning(of_judgments, f"{share} interval of the mean {grades}")
        columns += score_columns(matrix.select([measure]))
        for place, quantile in enumerate(_quantiles(measure, level)):
            (end,) = score_columns(matrix.select([quantile]))
            overall = (learned or {}).get(measure, [end.overall] * 2)[place]
            name, short = f" {over}: {ENDS[place]}", f"{of_judgments} {ENDS[place]}"
            columns.append(Scores(str(measure), end.by_query, overall, name, short, drawn))
        columns += _topic_interval(matrix, measure, level, method, of_topics)
    return columns


def _meaning(kind: str, interval: str) -> str:
    """What both ends of an interval are, for the line below the table."""
    ends = ", ".join(f"{kind} {end}".strip() for end in ENDS)
    return f"{ends}: {interval}."


def _topic_interval(
    matrix: ScoreMatrix, measure: ir_measures.Measure, level: float, method: str, kind: str
) -> list[Scores]:
    (undefined,) = matrix.select([measure]).undefined
    ends = np.full((len(ENDS), len(matrix.systems)), np.nan)
    if not undefined.all():
        ends[:, ~undefined] = topic_interval(
            matrix[measure][~undefined], level, method, range_of(measure)
        )
    name = interval_name(level, method)
    return [
        Scores(
            str(measure), None, overall, f" {name}: {end}", f"{kind} {end}", _meaning(kind, name)
        )
        for end, overall in zip(ENDS, ends, strict=True)
    ]


def _quantiles(measure: Any, level: float) -> list[ir_measures.Measure]:
    """The lower and the upper end of a bootstrapped measure's interval, as measures."""
    if not isinstance(measure, BOOTSTRAPPED):
        return []
    tail = 50 * (1 - level)
    # Ten decimal places, without an exponent: 50 * (1 - 0.999) is not exactly 0.05.
    percents = (f"{percent:.10f}".rstrip("0").rstrip(".") for percent in (tail, 100 - tail))
    return [measure(stat=f"q{percent}") for percent in percents]
