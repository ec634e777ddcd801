"""Tables with a row per score, as arrays."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from ..exceptions import InputError
from ..typing import ScoreArray

if TYPE_CHECKING:
    import pandas

SYSTEM = ("name", "system")

QUERY = ("qid", "query_id")


class ScoreNames(NamedTuple):
    """The names of a score array: measures x systems x queries, in the order of the table."""

    measures: tuple[str, ...]
    systems: tuple[str, ...]
    query_ids: tuple[str, ...]


def read_scores(frame: pandas.DataFrame) -> tuple[ScoreNames, ScoreArray]:
    """Scores of a table with a row per score; see `ScoreMatrix.from_frame`.

    A system without any score on a measure has NaN there.
    """
    columns = list(getattr(frame, "columns", ()))
    system = next((name for name in SYSTEM if name in columns), None)
    query = next((name for name in QUERY if name in columns), None)
    if query is None or not {"measure", "value"} <= set(columns):
        raise InputError(
            "`frame` must have the columns name (or system), qid (or query_id), measure and "
            f"value; got {', '.join(map(repr, columns)) or type(frame).__name__}"
        )
    if not len(frame):
        raise InputError("`frame` must have at least one row; got none")
    keys = [
        frame["measure"],
        frame[system] if system is not None else frame["measure"].map(lambda _: "system"),
        frame[query],
    ]
    codes, names = [], []
    for key in keys:
        code, distinct = _factorize(key)
        codes.append(code)
        names.append(distinct)
    scores = np.full([len(distinct) for distinct in names], np.nan)
    given = np.zeros(scores.shape, np.int64)
    np.add.at(given, tuple(codes), 1)
    labels = ScoreNames(*names)
    _check(given, labels)
    scores[tuple(codes)] = frame["value"].to_numpy(np.float64)
    return labels, scores


def _factorize(key: pandas.Series) -> tuple[np.ndarray, tuple[str, ...]]:
    codes, names = key.astype(str).factorize()
    return np.asarray(codes), tuple(map(str, names))


def _check(given: np.ndarray, names: ScoreNames) -> None:
    """Refuse scores that occur twice, and systems with only some of a measure's scores."""
    partly = (given == 0) & (given > 0).any(axis=2, keepdims=True)
    for wrong, what in ((given > 1, "twice"), (partly, "not at all")):
        for measure, system, query in np.argwhere(wrong)[:1]:
            raise InputError(
                f"`frame` must have every score of a system once; {names.measures[measure]} of "
                f"{names.systems[system]!r} for query {names.query_ids[query]!r} occurs {what}"
            )
