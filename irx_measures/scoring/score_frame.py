"""Tables of scores, with a row per score or a column per measure or system."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from ir_measures import Measure

from ..common.arrays import FloatArray
from ..common.writing import shown, some
from ..exceptions import InputError
from ..io.columns import pick
from .long_scores import FrameScores, LongScores, Names, Place, score_array, without_means

if TYPE_CHECKING:
    import pandas

SYSTEM = ("name", "system", "run", "model", "model_name")

QUERY = ("qid", "query_id", "topic", "task_name", "user_input", "question")

MEASURE = ("measure", "metric")

VALUE = ("value", "score")

UNNAMED = ("", "Unnamed: 0", "__index_level_0__")  # the index of a table that pandas wrote

FORM = (
    "must have the columns name (or system), qid (or query_id), measure and value, or name, qid "
    "and a column per measure, or qid and a column per system"
)


class ScoreForm(NamedTuple):
    """Which columns of a table are what.

    Attributes
    ----------
    system, query, measure
        The columns of names; None if there is none.
    scores
        The columns of scores.
    wide
        What the columns of scores are named after, ``measure`` or ``system``; empty if a row is
        one score.
    """

    system: str | None
    query: str
    measure: str | None
    scores: list[str]
    wide: str = ""

    @classmethod
    def of(cls, heads: Sequence[str], table: str, measures: Sequence[str] | None) -> ScoreForm:
        """The form of a table with these columns; `measures` are those that are asked for."""
        for head in dict.fromkeys(heads):
            pick((head,), list(heads), table)  # a column occurs once
        system, query, measure, value = (
            next((name for name in names if name in heads), None)
            for names in (SYSTEM, QUERY, MEASURE, VALUE)
        )
        if query is None or (measure is not None and value is None):
            raise InputError(f"{table} {FORM}; got {some(list(map(repr, heads)), 10) or 'none'}")
        if value is not None and (system is not None or measure is not None):
            return cls(system, query, measure, [value])
        others = [head for head in heads if head not in (system, query, *UNNAMED)]
        if system is None:
            return cls(system, query, measure, others, "system")
        return cls(system, query, measure, _asked(measures, others), "measure")

    @property
    def names(self) -> list[str]:
        """The columns of names."""
        return [name for name in (self.system, self.query, self.measure) if name is not None]


def read_scores(
    frame: Any, measures: Sequence[str] | None, strict: bool, place: Place | None = None
) -> FrameScores:
    """The scores of a table; see `ScoreMatrix.from_frame`.

    `place` says where the table and its rows stand; None: it is the caller's frame.
    """
    return score_array(*without_means(_long(frame, measures, place or Place())), strict)


def with_query_column(frame: pandas.DataFrame) -> pandas.DataFrame:
    """A frame with its index as a column, if the index names queries."""
    return frame.reset_index() if {*frame.index.names} & {*QUERY} else frame


def _long(frame: Any, measures: Sequence[str] | None, place: Place) -> LongScores:
    """A row per score of a table."""
    if not (hasattr(frame, "columns") and hasattr(frame, "index")):
        raise InputError(f"{place.table} {FORM}; got {type(frame).__name__}")
    frame = with_query_column(frame)
    heads = list(map(str, frame.columns))
    form = ScoreForm.of(heads, place.table, measures)
    if not len(frame):
        raise InputError(f"{place.table} must have at least one row; got none")
    frame, row = frame.set_axis(heads, axis=1), np.arange(len(frame))
    names = {name: _names(frame[name], place) for name in form.names}
    if form.measure is not None and measures is not None:
        known, code = names[form.measure]
        asked = [known.index(name) for name in _asked(measures, known)]
        row = np.flatnonzero(np.isin(code, asked))
    value = np.concatenate([_numbers(frame[name], place)[row] for name in form.scores])
    rows = np.tile(row, len(form.scores))

    def of_rows(column: str | None, otherwise: str) -> Names:
        if column is None:
            return Names((otherwise,), np.zeros(len(rows), np.int64))
        return names[column].take(rows)

    only = measures[0] if measures is not None and len(measures) == 1 else None
    of = {
        "measure": of_rows(form.measure, only or ("score" if form.wide else form.scores[0])),
        "system": of_rows(form.system, "system"),
        "query": of_rows(form.query, ""),
    }
    if form.wide:
        columns = np.repeat(np.arange(len(form.scores)), len(row))
        of[form.wide] = Names(tuple(form.scores), columns)
    elif form.measure is not None and measures is not None:
        of["measure"] = of["measure"].in_order(measures)
    return LongScores(**of, value=value, row=rows, place=place)


def _asked(measures: Sequence[str] | None, known: Sequence[str]) -> list[str]:
    """The measures that are asked for, else all; InputError if there is no such measure."""
    if measures is None:
        return list(known)
    for name in measures:
        if name not in known:
            raise InputError(
                f"the scores have no measure {shown(name)}; they have {some(list(known), 10)}"
            )
    return list(dict.fromkeys(measures))


def _names(column: pandas.Series, place: Place) -> Names:
    """A column of names; InputError if one is missing, TypeError if one is neither a string nor a
    measure."""
    found, distinct = column.factorize()
    code = np.asarray(found, np.int64)
    names = [str(name) if isinstance(name, Measure) else name for name in distinct]
    for number, name in [(-1, ""), *enumerate(names)]:  # pandas numbers missing values -1
        if isinstance(name, str) and name:
            continue
        for row in np.flatnonzero(code == number)[:1].tolist():
            where = f"{place.row(row)}: column {column.name!r}"
            if name == "":
                raise InputError(f"{where} must not be empty")
            got = type(name).__name__
            raise TypeError(f"{where} must hold strings; got {got} (use .astype(str))")
    return Names(tuple(names), code)


def _numbers(column: pandas.Series, place: Place) -> FloatArray:
    """A column of scores; NaN for empty cells."""
    if column.dtype.kind in "iuf":
        numbers = column.to_numpy(np.float64, na_value=np.nan)
    else:
        empty = column.isna().tolist()
        cells = zip(column.tolist(), empty, strict=True)
        numbers = np.array([np.nan if is_empty else _number(cell) for cell, is_empty in cells])
        numbers[np.isnan(numbers) & ~np.array(empty)] = np.inf
    for number in np.flatnonzero(np.isinf(numbers))[:1].tolist():
        raise InputError(
            f"{place.row(number)}: column {column.name!r} must hold finite numbers; got "
            f"{shown(column.iloc[number : number + 1].tolist()[0])}"
        )
    return numbers


def _number(value: Any) -> float:
    """A number; infinite if the value is none, or too large for a float."""
    if isinstance(value, (str, bytes, bool, np.bool_)) or not hasattr(value, "__float__"):
        return np.inf
    try:
        return float(value)
    except (TypeError, ValueError, OverflowError):
        return np.inf
