"""The means of a ScoreMatrix as a short table."""

from __future__ import annotations

from collections.abc import Sequence
from math import isnan

import numpy as np

from ..common.highest import highest
from ..common.numeric import FloatArray
from ..common.short_table import ShortTable, shown_rows, warning_notes
from ..measures.labels import measure_heads, short_labels
from ..measures.named_score import direction_of
from .score_matrix import ScoreMatrix

MOST_MEASURES = 8  # eight columns of numbers and the names fit 80 characters


def means_table(matrix: ScoreMatrix) -> ShortTable:
    """Systems x measures, the best means bold.

    The systems are in the order of evaluation or, if some are left out, the best first.
    """
    labels = short_labels(matrix.measures)[:MOST_MEASURES]
    heads = measure_heads(labels)
    notes = [f"{head} = {label}" for label, head in heads.items() if label != head]
    if len(matrix.measures) > len(labels):
        notes.append(f"{len(matrix.measures) - len(labels)} more measures: .means(), .measures")
    return systems_table(
        "ScoreMatrix",
        _about(matrix),
        matrix.systems,
        list(heads.values()),
        matrix.aggregates[: len(labels)].T,
        list(map(direction_of, matrix.measures[: len(labels)])),
        [*notes, *warning_notes(matrix.warnings)],
    )


def systems_table(
    name: str,
    about: str,
    systems: Sequence[str],
    heads: Sequence[str],
    means: FloatArray,
    directions: Sequence[float],
    notes: Sequence[str],
) -> ShortTable:
    """A row per system; for the other arguments, see `ShortTable`.

    Parameters
    ----------
    means : (systems, heads) floats
    directions : (heads,) floats
        1 where higher means are better, else -1.
    """
    gains = means * list(directions)
    places, more = np.arange(len(systems)), ""
    rows = shown_rows(len(places))
    if len(rows) < len(places):
        places = np.argsort(-gains[:, 0].round(12), kind="stable")
        more = (
            f"{len(places) - len(rows)} more systems, ordered by {heads[0]}: .means(), .to_frame()"
        )
    shown = places[rows]
    best = highest(gains)[shown] & (len(means) > 1)
    return ShortTable(
        name,
        about,
        ["system", *heads],
        [[systems[place], *map(_mean, means[place].tolist())] for place in shown.tolist()],
        bold={(row, column + 1) for row, column in np.argwhere(best).tolist()},
        more=more,
        notes=notes,
    )


def _about(matrix: ScoreMatrix) -> str:
    counts = zip(matrix.scores.shape, ("measure", "system", "quer"), strict=True)
    sizes = " x ".join(f"{count} {_plural(word, count)}" for count, word in counts)
    if matrix.groups is None:
        return sizes
    groups = len(set(matrix.groups))
    return f"{sizes}, {groups} {_plural('group', groups)}"


def _plural(word: str, count: int) -> str:
    if word == "quer":
        return "query" if count == 1 else "queries"
    return word if count == 1 else f"{word}s"


def _mean(value: float) -> str:
    return "-" if isnan(value) else f"{value:.3f}"
