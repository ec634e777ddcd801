"""Scores of several collections as tables: systems x collections, the macro mean first."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

import ir_measures
import numpy as np

from ..common.escapes import Markup
from ..common.numeric import FloatArray
from ..common.writing import counted, leading_text
from ..measures.naming.labels import measure_heads, short_labels
from ..measures.naming.named_score import direction_of
from ..results.column import Column, cell_text
from ..results.output import Output
from ..results.tables import TextTable
from ..scoring.aggregates import is_summed
from ..scoring.grouped_scores import GroupedScores
from ..stats.pairs import highest

MACRO_MEAN = "macro mean"

MACRO_TEXT = "macro mean: mean of the collections' means; each has the same weight."


def collections_output(scores: GroupedScores, form: str, places: int) -> Output:
    """A table per measure, for people: systems x collections, with the best of each in bold.

    A sum over queries, such as NumRet, has no macro mean.
    """
    labels = short_labels(scores.matrix.measures)
    heads = measure_heads(labels)
    tables: list[TextTable] = []
    found: list[str] = []
    for place, label in enumerate(labels):
        table = TextTable(
            list(_columns(scores, place)),
            places,
            title=f"{heads[label]}, {counted(len(scores.groups), 'collection')}",
            legend=() if heads[label] == label else [f"{heads[label]} = {label}"],
            notes=[MACRO_TEXT],
            caption=partial(_caption, label),
        )
        tables.append(table)
        found += _leading(scores, place, label, places)
    return Output(form, tables, found=found)


def _caption(label: str, markup: Markup) -> str:
    return markup.text(f"{label}. {MACRO_TEXT}")


def _columns(scores: GroupedScores, place: int) -> Iterator[Column]:
    measure = scores.matrix.measures[place]
    yield Column("system", list(scores.matrix.systems), key=True, left=True)
    yield _means(MACRO_MEAN, measure, scores.macro.aggregates[place])
    for name, part in zip(scores.groups, scores.parts, strict=True):
        yield _means(name, measure, part.aggregates[place])


def _means(name: str, measure: ir_measures.Measure, means: FloatArray) -> Column:
    best: list[int] = []
    if len(means) > 1 and not np.isnan(means).all():
        best = np.flatnonzero(highest(direction_of(measure) * means)).tolist()
    return Column(name, means.tolist(), left=False, bold=best)


def _leading(scores: GroupedScores, place: int, label: str, places: int) -> Iterator[str]:
    """Which system has the best macro mean."""
    measure, means = scores.matrix.measures[place], scores.macro.aggregates[place]
    if len(means) == 1 or is_summed(measure) or np.isnan(means).all():
        return
    best = np.flatnonzero(highest(direction_of(measure) * means)).tolist()
    extreme = "highest" if direction_of(measure) > 0 else "lowest"
    names = [scores.matrix.systems[each] for each in best]
    value = cell_text(float(means[best[0]]), places)
    yield leading_text(names, f"{extreme} {MACRO_MEAN} of {label}", value)
