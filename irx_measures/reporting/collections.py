"""Scores of several collections as tables: systems x collections, the macro mean first."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial

import numpy as np

from ..common.escapes import Markup
from ..common.writing import counted, leading_text
from ..comparison.paper_table import MACRO_MEAN, macro_text
from ..comparison.tables import means
from ..measures.naming.named_score import direction_of
from ..results.column import Column, cell_text
from ..results.output import Output
from ..results.tables import TextTable
from ..scoring.aggregates import is_summed
from ..scoring.grouped_scores import GroupedScores
from ..scoring.renaming import labels_and_heads
from ..stats.pairs import highest


def collections_output(
    scores: GroupedScores, form: str, places: int, called: Mapping[str, str] | None = None
) -> Output:
    """A table per measure, for people: systems x collections, with the best of each in bold.

    A sum over queries, such as NumRet, has no macro mean. `called` has the other names of measures,
    by their strings.
    """
    labels, heads = labels_and_heads(scores.matrix.measures, called or {})
    tables: list[TextTable] = []
    found: list[str] = []
    for place, label in enumerate(labels):
        table = TextTable(
            list(_columns(scores, place)),
            places,
            title=f"{heads[label]}, {counted(len(scores.groups), 'collection')}",
            legend=() if heads[label] == label else [f"{heads[label]} = {label}"],
            notes=[macro_text(scores.unit)],
            caption=partial(_caption, label, scores.unit),
        )
        tables.append(table)
        found += _leading(scores, place, label, places)
    return Output(form, tables, found=found)


def _caption(label: str, unit: str, markup: Markup) -> str:
    return markup.text(f"{label}. {macro_text(unit)}")


def _columns(scores: GroupedScores, place: int) -> Iterator[Column]:
    yield Column("system", list(scores.matrix.systems), key=True, left=True)
    direction = direction_of(scores.matrix.measures[place])
    yield means(MACRO_MEAN, scores.macro.aggregates[place], direction)
    for name, part in zip(scores.groups, scores.parts, strict=True):
        yield means(name, part.aggregates[place], direction)


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
