"""Tables and files of any scores, with a row per score or a column per measure or system."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from decimal import Decimal
from itertools import chain
from numbers import Real
from pathlib import Path
from sys import intern
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from ir_measures import Measure

from ..common.numeric import BoolArray, FloatArray
from ..common.writing import counted, shown, some
from ..exceptions import InputError
from ..io.columns import pick
from ..io.formats import TABLES, extension_of, mistakes_in
from ..io.parquet import ParquetTable
from ..io.rows import Names, Row, rows
from ..runsets.sources import path_name
from ..typing import ScoreArray

if TYPE_CHECKING:
    import pandas

COLUMNS = {
    "system": ("name", "system", "run", "model", "model_name"),
    "query": ("qid", "query_id", "topic", "task_name", "user_input", "question"),
    "measure": ("measure", "metric"),
    "value": ("value", "score"),
}
"""The accepted names of the columns, by what they hold."""

SUMMARY = ("all", "mean")  # in the place of a query, as trec_eval and `irx evaluate -q` write means

MEAN_TOLERANCE = 1e-3  # a choice: means that are printed with three decimal places are recognised

UNNAMED = ("", "Unnamed: 0", "__index_level_0__")  # the index of a table that pandas wrote

NO_SCORE = frozenset({"", "nan", "na", "n/a", "null", "none"})  # as tables write it

PARQUET = ".parquet"

ENDINGS = (*TABLES, PARQUET)

MOST_LISTED = 3  # queries in a warning, a choice

FORM = (
    "must have the columns name (or system), qid (or query_id), measure and value, or name, qid "
    "and a column per measure, or qid and a column per system"
)


class Scores(NamedTuple):
    """The scores of a table.

    Attributes
    ----------
    measures, systems, query_ids
        Their names, in the order of the table.
    scores : (measures, systems, queries) floats
        A system without any score on a measure has NaN there.
    left_out
        What was left out, and why: sentences.
    """

    measures: tuple[str, ...]
    systems: tuple[str, ...]
    query_ids: tuple[str, ...]
    scores: ScoreArray
    left_out: tuple[str, ...]


class Place(NamedTuple):
    """Where a table stands, and where its rows do by their positions, for messages."""

    table: str
    row: Callable[[int], str]

    def of(self, row: Any) -> str:
        """A score, with where it stands."""
        return (
            f"{self.row(row['row'])}: {row['measure']} of {shown(row['system'])} for query "
            f"{shown(row['query'])}"
        )


IN_FRAME = Place("`frame`", "`frame`.iloc[{}]".format)


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
        found = {
            what: next(name for name in names if name in heads)
            for what, names in COLUMNS.items()
            if {*names} & {*heads}
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
    frame: Any, measures: Sequence[str] | None, strict: bool, place: Place = IN_FRAME
) -> Scores:
    """The scores of a table; see `ScoreMatrix.from_frame`."""
    long, told = _without_means(_long(frame, measures, place), place)
    found = [long[key].factorize() for key in ("measure", "system", "query")]
    codes = tuple(np.asarray(code) for code, _ in found)
    measure_names, systems, query_ids = names = [tuple(distinct) for _, distinct in found]
    scores = np.full(tuple(map(len, names)), np.nan)
    cell = np.ravel_multi_index(codes, scores.shape)
    for _, row in long[long.set_axis(cell).index.duplicated()][:1].iterrows():
        raise InputError(f"{place.of(row)} occurs twice")
    scores[codes] = long["value"]
    partly = np.isnan(scores) & ~np.isnan(scores).all(axis=2, keepdims=True)
    for lacking in np.argwhere(partly)[: int(strict)]:
        given = long[cell == np.ravel_multi_index(tuple(lacking), scores.shape)]
        called = [of[number] for of, number in zip(names, lacking.tolist(), strict=True)]
        _refuse_lacking(called, given, place)
    return _without_partly(Scores(measure_names, systems, query_ids, scores, told), partly, place)


def read_score_files(paths: Sequence[Path], measures: Sequence[str] | None, strict: bool) -> Scores:
    """The scores in some files; see `ScoreMatrix.from_files`."""
    import pandas as pd

    tables = [_table(path, measures) for path in paths]
    for path, table in zip(paths, tables, strict=True):
        if len(tables) > 1 and not (_has(table, "value") and _has(table, "system")):
            raise InputError(
                f"{path}: of several files of scores, each must have a row per score: "
                "query_id, measure, value and, unless the system is called as the file, system"
            )
    before = [f"{path}, row " if extension_of(path) == PARQUET else f"{path}:" for path in paths]
    frame = pd.concat(tables, keys=before)
    place = Place(_label(paths), lambda row: "{}{}".format(*frame.index[row]))
    with mistakes_in(paths[0]):
        return read_scores(frame, measures, strict, place)


def _label(paths: Sequence[Path]) -> str:
    """The table in messages."""
    return f"{', '.join(map(str, paths))}: the table"


def _has(table: pandas.DataFrame, what: str) -> bool:
    return any(name in table.columns for name in COLUMNS[what])


def _table(path: Path, measures: Sequence[str] | None) -> pandas.DataFrame:
    """The table in a file, indexed by the lines or the numbers of its rows."""
    if extension_of(path) not in ENDINGS:
        raise InputError(
            f"{path}: scores must be in a file that ends in {', '.join(ENDINGS)} (or .gz)"
        )
    with mistakes_in(path):
        if extension_of(path) == PARQUET:
            found: pandas.DataFrame = ParquetTable(path).read(tuple).to_pandas()
            table = _with_query_column(found).set_axis(range(1, len(found) + 1))
        else:
            table = _of_rows(path, measures)
    if _has(table, "measure") and _has(table, "query") and not _has(table, "system"):
        return table.assign(system=path_name(path))
    return table


def _of_rows(path: Path, measures: Sequence[str] | None) -> pandas.DataFrame:
    import pandas as pd

    table = rows(path)
    first = next(table, None)
    if first is None:
        raise InputError(f"{_label([path])} must have at least one row; got none")
    form = ScoreForm.of(list(first.cells), _label([path]), measures)
    heads = list(form.names.values())
    lines, names, scores = [], [], []
    for row in chain([first], table):
        if row.known is not first.known:  # another line of JSON has other columns
            for head in row.cells.keys() - first.cells.keys():
                raise InputError(f"{row.where}: column {head!r} must be in the first row, too")
        lines.append(row.line)
        names.append([intern(row.text((head,))) for head in heads])
        scores.append([_score(row, (head,)) for head in form.scores])
    found = pd.DataFrame(np.array(names, dtype=object), lines, heads)
    return found.join(pd.DataFrame(np.array(scores), lines, form.scores))


def _score(row: Row, column: Names) -> float:
    """A score; NaN if there is none."""
    value = row.cells.get(column[0])
    missing = value is None or value != value
    missing |= isinstance(value, str) and value.lower() in NO_SCORE
    return np.nan if missing else row.finite(column)


def _with_query_column(frame: pandas.DataFrame) -> pandas.DataFrame:
    """A frame with its index as a column, if the index names queries."""
    return frame.reset_index() if {*frame.index.names} & {*COLUMNS["query"]} else frame


def _long(frame: Any, measures: Sequence[str] | None, place: Place) -> pandas.DataFrame:
    """A row per score: measure, system, query, value, and the row of the table."""
    import pandas as pd

    if not (hasattr(frame, "columns") and hasattr(frame, "index")):
        raise InputError(f"{place.table} {FORM}; got {type(frame).__name__}")
    frame = _with_query_column(frame)
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
    long = pd.concat(parts, ignore_index=True)
    if "measure" not in names or measures is None:
        return long
    asked = _asked(measures, long["measure"].unique().tolist())
    return pd.concat([long[long["measure"] == name] for name in asked])


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
        cells = zip(column.tolist(), column.isna().tolist(), strict=True)
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
    if not isinstance(value, (Real, Decimal)) or isinstance(value, bool):
        return np.inf
    try:
        return float(value)
    except OverflowError:
        return np.inf


def _without_means(
    long: pandas.DataFrame, place: Place
) -> tuple[pandas.DataFrame, tuple[str, ...]]:
    """The rows without those that are means over queries, and what to say of these.

    Raises
    ------
    InputError
        When the query of a row is called as a mean is, and the row is none.
    """
    of_mean = long["query"].isin(SUMMARY)
    if not of_mean.any():
        return long, ()
    keys = ["measure", "system"]
    mean = long[~of_mean].groupby(keys)["value"].mean().rename("mean")
    found = long[of_mean & long["value"].notna()].join(mean, on=keys)
    is_mean = np.isclose(found["value"], found["mean"], rtol=MEAN_TOLERANCE, atol=MEAN_TOLERANCE)
    for _, row in found[~is_mean][:1].iterrows():
        raise InputError(
            f"{place.of(row)} is {row['value']:g}, and the mean of its other queries is "
            f"{row['mean']:g}: rename the query, or leave the row out if it is another summary"
        )
    called = " and ".join(map(repr, long["query"][of_mean].unique()))
    told = f"left out the rows of query {called}: they are means over the other queries"
    return long[~of_mean], (told,)


def _refuse_lacking(names: Sequence[str], given: pandas.DataFrame, place: Place) -> None:
    """InputError about a score that is missing; `given` has its row, if there is one."""
    measure, system, query = names
    what = f"{place.table} has no {measure} of {shown(system)} for query {shown(query)}"
    for _, row in given.iterrows():
        what = f"{place.of(row)} is NaN"
    raise InputError(
        f"{what}. Every system must have every score; queries without a score of every system are "
        "left out with strict=False, or --no-strict on the command line"
    )


def _without_partly(found: Scores, partly: BoolArray, place: Place) -> Scores:
    """The scores without the queries for which only some systems have a score."""
    lacks: BoolArray = np.asarray(partly.any(axis=(0, 1)))
    if not lacks.any():
        return found
    if lacks.all():
        raise InputError(f"{place.table} has no query for which every system has a score")
    lacking = []
    for query in np.flatnonzero(lacks).tolist():
        measure, system = np.argwhere(partly[:, :, query])[0]
        lacking.append(
            f"{found.query_ids[query]} ({found.systems[system]}, {found.measures[measure]})"
        )
    told = (
        f"left out {counted(len(lacking), 'query', 'queries')} of {len(lacks)} for which "
        f"a system has no score: {some(lacking, MOST_LISTED)}"
    )
    kept = tuple(np.array(found.query_ids, object)[~lacks])
    return found._replace(
        query_ids=kept, scores=found.scores[:, :, ~lacks], left_out=(*found.left_out, told)
    )
