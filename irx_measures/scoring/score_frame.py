"""Tables of scores, with a row per score or a column per measure or system, as arrays."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from ir_measures import Measure

from ..common.numeric import FloatArray
from ..common.writing import counted, shown, some
from ..exceptions import InputError
from ..io.columns import pick
from ..typing import ScoreArray

if TYPE_CHECKING:
    import pandas

SYSTEM = ("name", "system", "run", "model", "model_name")

QUERY = ("qid", "query_id", "topic", "task_name", "user_input", "question")

MEASURE = ("measure", "metric")

VALUE = ("value", "score")

SUMMARY = ("all", "mean")  # in the place of a query, as trec_eval and `irx evaluate -q` write means

MEAN_TOLERANCE = 1e-3  # a choice: means that are printed with three decimal places are recognised

UNNAMED = ("", "Unnamed: 0", "__index_level_0__")  # the index of a table that pandas wrote

MOST_LISTED = 3  # queries in a warning, a choice

FORM = (
    "must have the columns name (or system), qid (or query_id), measure and value, or name, qid "
    "and a column per measure, or qid and a column per system"
)


class ScoreNames(NamedTuple):
    """The names of a score array: measures x systems x queries, in the order of the table."""

    measures: tuple[str, ...]
    systems: tuple[str, ...]
    query_ids: tuple[str, ...]


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


class Place(NamedTuple):
    """Where a table stands, and where its rows do by their positions, for messages."""

    table: str = "`frame`"
    row: Callable[[int], str] = "`frame`.iloc[{}]".format


class ScoreForm(NamedTuple):
    """Which columns of a table are what.

    Attributes
    ----------
    names
        The columns of names, by what they name: ``system``, ``query``, ``measure``.
    scores
        The columns of scores.
    wide
        What the columns of scores are called after, ``measure`` or ``system``; empty if a row is
        one score.
    """

    names: dict[str, str]
    scores: list[str]
    wide: str = ""

    @classmethod
    def of(cls, heads: Sequence[str], table: str, measures: Sequence[str] | None) -> ScoreForm:
        """The form of a table with these columns; `measures` are those that are asked for."""
        for head in dict.fromkeys(heads):
            pick((head,), list(heads), table)  # a column occurs once
        accepted = {"system": SYSTEM, "query": QUERY, "measure": MEASURE, "value": VALUE}
        found = {
            what: name
            for what, names in accepted.items()
            if (name := next((name for name in names if name in heads), None)) is not None
        }
        if "query" not in found or ("measure" in found and "value" not in found):
            raise InputError(f"{table} {FORM}; got {some(list(map(repr, heads)), 10) or 'none'}")
        value = found.pop("value", None)
        if value is not None and len(found) > 1:
            return cls(found, [value])
        others = [head for head in heads if head not in (*found.values(), *UNNAMED)]
        if "system" not in found:
            return cls(found, others, "system")
        return cls(found, _asked(measures, others), "measure")


def read_scores(
    frame: Any, measures: Sequence[str] | None, strict: bool, place: Place | None = None
) -> FrameScores:
    """The scores of a table; see `ScoreMatrix.from_frame`.

    `place` says where the table and its rows stand; None: it is the caller's frame.
    """
    place = place or Place()
    rows, told = _without_means(_long(frame, measures, place), place)
    found = [rows[key].factorize() for key in ("measure", "system", "query")]
    codes = tuple(np.asarray(code) for code, _ in found)
    names = ScoreNames(*(tuple(distinct) for _, distinct in found))
    scores = np.full(tuple(map(len, names)), np.nan)
    cell = np.ravel_multi_index(codes, scores.shape)
    for _, row in rows[rows.set_axis(cell).index.duplicated()][:1].iterrows():
        raise InputError(f"{_score(row, place)} occurs twice")
    scores[codes] = rows["value"]
    partly = np.isnan(scores) & ~np.isnan(scores).all(axis=2, keepdims=True)
    if not partly.any():
        return FrameScores(names, scores, told)
    if strict:
        lacking = np.argwhere(partly)[0]
        given = rows[cell == np.ravel_multi_index(tuple(lacking), scores.shape)]
        raise InputError(
            f"{_lacking(names, lacking, given, place)}. Every system must have every score; "
            "queries without a score of every system are left out with strict=False, or "
            "--no-strict on the command line"
        )
    return _without_partly(FrameScores(names, scores, told), partly, place)


def with_query_column(frame: pandas.DataFrame) -> pandas.DataFrame:
    """A frame with its index as a column, if the index names queries."""
    return frame.reset_index() if {*frame.index.names} & {*QUERY} else frame


def _long(frame: Any, measures: Sequence[str] | None, place: Place) -> pandas.DataFrame:
    """A row per score: measure, system, query, value, and the row of the table."""
    import pandas as pd

    if not (hasattr(frame, "columns") and hasattr(frame, "index")):
        raise InputError(f"{place.table} {FORM}; got {type(frame).__name__}")
    frame = with_query_column(frame)
    heads = list(map(str, frame.columns))
    form = ScoreForm.of(heads, place.table, measures)
    if not len(frame):
        raise InputError(f"{place.table} must have at least one row; got none")
    frame = frame.set_axis(heads, axis=1)
    names = {what: _names(frame[head], place) for what, head in form.names.items()}
    only = measures[0] if measures is not None and len(measures) == 1 else None
    defaults = {"measure": only or ("score" if form.wide else form.scores[0]), "system": "system"}
    table = pd.DataFrame(defaults | names | {"row": np.arange(len(frame))})
    parts = [
        table.assign(value=_numbers(frame[head], place), **({form.wide: head} if form.wide else {}))
        for head in form.scores
    ]
    rows = pd.concat(parts, ignore_index=True)
    if "measure" not in names or measures is None:
        return rows
    asked = _asked(measures, rows["measure"].unique().tolist())
    return pd.concat([rows[rows["measure"] == name] for name in asked])


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


def _names(column: pandas.Series, place: Place) -> np.ndarray:
    """A column of names; InputError if one is missing, TypeError if one is neither a string nor a
    measure."""
    found, distinct = column.factorize()
    code = np.asarray(found)
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
    return np.array(names, dtype=object)[code]


def _numbers(column: pandas.Series, place: Place) -> FloatArray:
    """A column of scores; NaN for empty cells."""
    if column.dtype.kind in "iuf":
        numbers = column.to_numpy(np.float64, na_value=np.nan)
    else:
        empty = column.isna().tolist()
        cells = zip(column.tolist(), empty, strict=True)
        numbers = np.array([np.nan if is_empty else _number(cell) for cell, is_empty in cells])
    for number in np.flatnonzero(np.isinf(numbers))[:1].tolist():
        got = column.iloc[number : number + 1].tolist()[0]
        raise InputError(
            f"{place.row(number)}: column {column.name!r} must hold finite numbers; got "
            f"{shown(got)}"
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


def _without_means(
    rows: pandas.DataFrame, place: Place
) -> tuple[pandas.DataFrame, tuple[str, ...]]:
    """The rows without those that are means over queries, and what to say of these.

    Raises
    ------
    InputError
        When the query of a row is called as a mean is, and the row is none.
    """
    of_mean = rows["query"].isin(SUMMARY)
    if not of_mean.any():
        return rows, ()
    keys = ["measure", "system"]
    mean = rows[~of_mean].groupby(keys)["value"].mean().rename("mean")
    found = rows[of_mean & rows["value"].notna()].join(mean, on=keys)
    is_mean = np.isclose(found["value"], found["mean"], rtol=MEAN_TOLERANCE, atol=MEAN_TOLERANCE)
    for _, row in found[~is_mean][:1].iterrows():
        raise InputError(
            f"{_score(row, place)} is {row['value']:g}, and the mean of its other queries is "
            f"{row['mean']:g}: rename the query, or leave the row out if it is another summary"
        )
    called = " and ".join(map(repr, rows["query"][of_mean].unique()))
    told = f"left out the rows of query {called}: they are means over the other queries"
    return rows[~of_mean], (told,)


def _score(row: Any, place: Place) -> str:
    """A score in messages, with where it stands."""
    return (
        f"{place.row(row['row'])}: {row['measure']} of {shown(row['system'])} for query "
        f"{shown(row['query'])}"
    )


def _lacking(names: ScoreNames, cell: Any, given: pandas.DataFrame, place: Place) -> str:
    """The sentence about a score that is missing; `given` has its row, if there is one."""
    for _, row in given.iterrows():
        return f"{_score(row, place)} is NaN"
    measure, system, query = (of[number] for of, number in zip(names, cell, strict=True))
    return f"{place.table} has no {measure} of {shown(system)} for query {shown(query)}"


def _without_partly(found: FrameScores, partly: np.ndarray, place: Place) -> FrameScores:
    """The scores without the queries for which only some systems have a score."""
    names, scores, told = found
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
    remaining = tuple(names.query_ids[number] for number in kept.tolist())
    return FrameScores(names._replace(query_ids=remaining), scores[:, :, kept], (*told, left_out))
