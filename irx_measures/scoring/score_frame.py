"""Tables of scores, with a row per score or a column per measure or system, as arrays."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from ..common.writing import counted, shown, some
from ..exceptions import InputError
from ..typing import ScoreArray

if TYPE_CHECKING:
    import pandas

SYSTEM = ("name", "system", "run", "model", "model_name")

QUERY = ("qid", "query_id", "topic", "task_name")

MEASURE = ("measure", "metric")

VALUE = ("value", "score")

NO_SCORE = frozenset({"", "nan", "na", "n/a", "null", "none"})  # as text files write it

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
        What was left out because a system has no score there, as a sentence; empty if nothing was.
    """

    names: ScoreNames
    scores: ScoreArray
    left_out: str


def read_scores(
    frame: pandas.DataFrame, measures: Sequence[str] | None, strict: bool
) -> FrameScores:
    """The scores of a table; see `ScoreMatrix.from_frame`."""
    rows = _rows_of(frame, measures)
    if not len(rows):
        raise InputError("`frame` must have at least one row; got none")
    codes, names = [], []
    for key in ("measure", "system", "query"):
        code, distinct = _factorize(rows[key])
        codes.append(code)
        names.append(distinct)
    labels = ScoreNames(*names)
    given = np.zeros([len(distinct) for distinct in names], np.int64)
    np.add.at(given, tuple(codes), 1)
    _refuse_twice(given, labels)
    scores = np.full(given.shape, np.nan)
    scores[tuple(codes)] = _numbers(rows)
    partly = np.isnan(scores) & ~np.isnan(scores).all(axis=2, keepdims=True)
    if not partly.any():
        return FrameScores(labels, scores, "")
    if strict:
        measure, system, query = np.argwhere(partly)[0]
        raise InputError(
            f"`frame` must have every score of a system; {labels.measures[measure]} of "
            f"{shown(labels.systems[system])} for query {shown(labels.query_ids[query])} "
            f"{'is NaN' if given[measure, system, query] else 'occurs not at all'}. Queries "
            "without a score of every system are left out with strict=False"
        )
    return _without_partly(labels, scores, partly)


def _rows_of(frame: pandas.DataFrame, measures: Sequence[str] | None) -> pandas.DataFrame:
    """A row per score, with the columns measure, system, query and value."""
    if set(getattr(getattr(frame, "index", None), "names", ())) & {*QUERY}:
        frame = frame.reset_index()
    columns = list(map(str, getattr(frame, "columns", ())))
    system, query, measure, value = (
        next((name for name in names if name in columns), None)
        for names in (SYSTEM, QUERY, MEASURE, VALUE)
    )
    if query is None or (measure is not None and value is None):
        got = some(list(map(repr, columns)), 10) or type(frame).__name__
        raise InputError(f"`frame` {FORM}; got {got}")
    frame = frame.set_axis(columns, axis=1)
    if value is not None and (system is not None or measure is not None):
        rows = frame[[query, value]].set_axis(["query", "value"], axis=1)
        rows = rows.assign(
            system="system" if system is None else frame[system],
            measure=_name_of(value, measures) if measure is None else frame[measure],
        )
    else:
        rows = _melted(frame, query, system, _name_of("score", measures))
    return rows if measures is None else _only(rows, measures)


def _melted(
    frame: pandas.DataFrame, query: str, system: str | None, measure: str
) -> pandas.DataFrame:
    """A row per score of a table with a column per measure or, without `system`, per system."""
    known = {query: "query"} if system is None else {query: "query", system: "system"}
    others = [name for name in frame.columns if name not in known and name not in UNNAMED]
    columns = "system" if system is None else "measure"
    table = frame[[*known, *others]].rename(columns=known)
    rows = table.melt(list(known.values()), var_name=columns, value_name="value")
    return rows.assign(measure=measure) if system is None else rows


def _name_of(default: str, measures: Sequence[str] | None) -> str:
    """The name of the only measure of a table."""
    return measures[0] if measures is not None and len(measures) == 1 else default


def _only(rows: pandas.DataFrame, measures: Sequence[str]) -> pandas.DataFrame:
    """The rows of some measures, in the order of these."""
    import pandas as pd

    of_measure = dict(list(rows.groupby(rows["measure"].astype(str), sort=False)))
    for name in measures:
        if name not in of_measure:
            raise InputError(
                f"the scores have no measure {shown(name)}; they have {some(list(of_measure), 10)}"
            )
    return pd.concat([of_measure[name] for name in dict.fromkeys(measures)])


def _factorize(key: pandas.Series) -> tuple[np.ndarray, tuple[str, ...]]:
    codes, names = key.astype(str).factorize()
    return np.asarray(codes), tuple(map(str, names))


def _numbers(rows: pandas.DataFrame) -> ScoreArray:
    """The values as floats; NaN for empty cells."""
    import pandas as pd

    values = rows["value"]
    if values.dtype == object or pd.api.types.is_string_dtype(values.dtype):
        empty = values.astype(str).str.strip().str.lower().isin(NO_SCORE)
        values = values.mask(empty | values.isna(), np.nan)
    numbers = pd.to_numeric(values, errors="coerce").to_numpy(np.float64, na_value=np.nan)
    wrong = np.flatnonzero(np.isinf(numbers) | (np.isnan(numbers) & values.notna().to_numpy()))
    if len(wrong):
        row = rows.iloc[int(wrong[0])]
        raise InputError(
            f"`frame`: scores must be finite numbers; {row['measure']} of {shown(row['system'])} "
            f"for query {shown(row['query'])} is {shown(row['value'])}"
        )
    return numbers


def _refuse_twice(given: np.ndarray, names: ScoreNames) -> None:
    for measure, system, query in np.argwhere(given > 1)[:1]:
        raise InputError(
            f"`frame` must have every score of a system once; {names.measures[measure]} of "
            f"{shown(names.systems[system])} for query {shown(names.query_ids[query])} occurs twice"
        )


def _without_partly(names: ScoreNames, scores: ScoreArray, partly: np.ndarray) -> FrameScores:
    """The scores without the queries for which only some systems have a score."""
    queries = np.flatnonzero(partly.any(axis=(0, 1))).tolist()
    kept = np.setdiff1d(np.arange(len(names.query_ids)), queries)
    if not len(kept):
        raise InputError("`frame`: for no query does every system have a score")
    lacking = []
    for query in queries:
        measure, system = np.argwhere(partly[:, :, query])[0]
        lacking.append(
            f"{names.query_ids[query]} ({names.systems[system]}, {names.measures[measure]})"
        )
    return FrameScores(
        names._replace(query_ids=tuple(names.query_ids[place] for place in kept.tolist())),
        scores[:, :, kept],
        f"left out {counted(len(queries), 'query', 'queries')} of {len(names.query_ids)} for which "
        f"a system has no score: {some(lacking, MOST_LISTED)}",
    )
