"""Tables and files of any scores, with a row per score or a column per measure or system."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from decimal import Decimal
from functools import partial
from itertools import chain
from numbers import Real
from pathlib import Path
from sys import intern
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

import numpy as np
from ir_measures import Measure

from ..common.numeric import FloatArray
from ..common.warn import warn
from ..common.writing import counted, shown, some
from ..exceptions import InputError
from ..io.arrow import read_frame
from ..io.columns import MOST_NAMED, pick
from ..io.formats import TABLES, extension_of
from ..io.reading import mistakes_in
from ..io.rows import Row, number_in_json, read_json, rows
from ..measures.naming.named_score import NamedScore, find_measures, measures_called
from ..runsets.sources import run_name
from ..typing import ScoreArray

if TYPE_CHECKING:
    import pandas

COLUMNS = {
    "measure": ("measure", "metric"),
    "system": ("name", "system", "run", "model", "model_name"),
    "query": ("qid", "query_id", "topic", "task_name", "user_input", "question"),
    "value": ("value", "score"),
}
"""The accepted names of the columns, by what they hold."""

GROUP = "group"  # the column of the groups of queries

NAMES = ("measure", "system", "query")

HEADS_OF_NAMES = frozenset([GROUP, *chain.from_iterable(COLUMNS[what] for what in NAMES)])

SUMMARY = ("all", "mean")  # in the place of a query, as trec_eval and `irx evaluate -q` write means
MEAN_TOLERANCE = 1e-3  # a choice: means that are printed with three decimal places are recognised

UNNAMED = ("", "Unnamed: 0", "__index_level_0__")  # the index of a table that pandas wrote

NO_SCORE = ("", "nan", "na", "n/a", "null", "none")  # as tables write it

PARQUET, JSON = ".parquet", ".json"

ENDINGS = (*TABLES, JSON, PARQUET)

# How messages begin that name a row of a file; in others, the number is that of a line.
BEFORE_ROWS = {PARQUET: "{}, row ", JSON: "{}, result "}

MOST_LISTED = 3  # queries in a warning, a choice

FORM = (
    "must have the columns name (or system), qid (or query_id), measure and value, or name, qid "
    "and a column per measure, or qid and a column per system"
)


Asked: TypeAlias = str | Sequence[str] | None  # measures; None: all

Fields: TypeAlias = tuple[
    tuple[Measure, ...], tuple[str, ...], tuple[str, ...], ScoreArray, None, tuple[str, ...]
]
"""The fields of a `ScoreMatrix`. A system without any score on a measure has NaN there."""


class Place(NamedTuple):
    """What messages call a table, and a row of it by its label in the index."""

    table: str
    row: Callable[[object], str]
    names_means: bool = True  # whether a query in `SUMMARY` stands for a mean


def scores_of_frame(frame: Any, asked: Asked) -> pandas.DataFrame:
    """The scores of a table, a row per score; see `ScoreMatrix.from_frame`."""
    measures = _listed(asked)
    place = Place("`frame`", "`frame`.iloc[{}]".format)
    if not (hasattr(frame, "columns") and hasattr(frame, "index")):
        raise InputError(f"{place.table} {FORM}; got {type(frame).__name__}")
    return _long(_numbered(frame), measures, place)


def scores_of_files(paths: Sequence[Path], asked: Asked) -> pandas.DataFrame:
    """The scores in some files, a row per score; see `ScoreMatrix.from_files`."""
    import pandas as pd

    measures = _listed(asked)
    if not paths:
        raise InputError("`paths` must name at least one file; got none")
    tables = []
    for path in paths:
        before = BEFORE_ROWS.get(extension_of(path), "{}:").format(path)
        of_json = extension_of(path) == JSON
        place = Place(f"{path}: the table", partial("{}{}".format, before), not of_json)
        with mistakes_in(path):
            tables.append(_of_file(path, measures, place))
    return pd.concat(tables, ignore_index=True)


def groups_of_queries(long: pandas.DataFrame) -> dict[str, str]:
    """The group of each query; InputError without a column of groups, or if a query has two."""
    of_queries = long[~_are_means(long)]
    pairs = of_queries[["query", GROUP]].drop_duplicates()
    for _, row in of_queries[of_queries[GROUP] == ""][:1].iterrows():
        raise InputError(f"{row['place'].table} must have a column {GROUP!r}, without empty cells")
    for _, row in pairs[pairs["query"].duplicated()][:1].iterrows():
        raise InputError(f"query {shown(row['query'])} must be in one group; got two")
    return dict(zip(pairs["query"].tolist(), pairs[GROUP].tolist(), strict=True))


def _of_file(path: Path, measures: Sequence[str] | None, place: Place) -> pandas.DataFrame:
    """The scores in a file, a row per score."""
    import pandas as pd

    if extension_of(path) not in ENDINGS:
        raise InputError(
            f"{path}: scores must be in a file that ends in {', '.join(ENDINGS)} (or .gz)"
        )
    if extension_of(path) == PARQUET:
        table = _numbered(read_frame(path), first=1)
    else:
        found = _results(path) if extension_of(path) == JSON else list(rows(path))
        cells = [{head: _cell(row, head) for head in row.cells} for row in found]
        # As objects: pandas 2 fails on integers that are too large for a float.
        table = pd.DataFrame(cells, [row.line for row in found], dtype=object)
    return _long(table, measures, place, system=run_name(path))


def _results(path: Path) -> list[Row]:
    """The scores of single queries in what `-o json` of `irx evaluate` wrote, or in its results."""
    content = read_json(path)
    if isinstance(content, dict):
        content = content.get("results")
    if not isinstance(content, list) or not all(isinstance(each, dict) for each in content):
        raise InputError(f"{path}: must be results of irx evaluate: an array of objects")
    found = [Row(path, place, cells, number_in_json, {}) for place, cells in enumerate(content, 1)]
    queries = [row for row in found if _of_query(row)]
    if found and not queries:
        raise InputError(f"{path}: the table must have scores of single queries; got means only")
    return queries


def _of_query(row: Row) -> bool:
    """Whether a result is no mean over queries, of which the query is null."""
    heads = {*COLUMNS["query"]} & {*row.cells}
    return not heads or any(row.cells[head] is not None for head in heads)


def _cell(row: Row, head: str) -> Any:
    """A name, a score, None if there is no score, or a text that is neither."""
    if head == GROUP and not row.cells[head]:
        return ""
    if head in HEADS_OF_NAMES:
        return intern(row.text((head,)))
    value = row.cells[head]
    if isinstance(value, str) and value.lower() in NO_SCORE:
        return None
    number = row.number_of(value)
    return value if number is None else number


def _numbered(frame: pandas.DataFrame, first: int = 0) -> pandas.DataFrame:
    """A frame with numbered rows, and its index as a column if the index names queries."""
    of_queries = bool({*frame.index.names} & {*COLUMNS["query"]})
    frame = frame.reset_index(drop=not of_queries)
    return frame.set_axis(range(first, first + len(frame)))


def _long(
    frame: pandas.DataFrame, measures: Sequence[str] | None, place: Place, system: str = "system"
) -> pandas.DataFrame:
    """A row per score: measure, system, query, value, and where it stands in the table.

    In a table with a row per score and without a column for it, the system has the given name.
    """
    import pandas as pd

    if not len(frame):
        raise InputError(f"{place.table} must have at least one row; got none")
    for head in map(str, frame.columns):
        _check_unicode(head, place.table)
    frame = frame.set_axis(list(map(str, frame.columns)), axis=1)
    heads, scores, wide = _form(list(frame.columns), place.table, measures)
    names = {what: _names(frame[head], place) for what, head in heads.items()}
    groups = frame[GROUP].fillna("").astype(str) if GROUP in frame and wide != "system" else ""
    only = measures[0] if measures is not None and len(measures) == 1 else None
    defaults = {"measure": only or ("score" if wide else scores[0]), "system": system}
    table = pd.DataFrame(
        defaults
        | names
        | {GROUP: groups, "place": [place] * len(frame), "row": np.asarray(frame.index)}
    )
    parts = [
        table.assign(value=_numbers(frame[head], place), **({wide: head} if wide else {}))
        for head in scores
    ]
    return pd.concat(parts, ignore_index=True)


def _form(
    heads: list[str], table: str, measures: Sequence[str] | None
) -> tuple[dict[str, str], list[str], str]:
    """The columns of names, by what they name; those of scores, and after what they are called:
    ``measure`` or ``system``, or nothing if a row is one score."""
    for head in dict.fromkeys(heads):
        pick((head,), heads, table)  # a column occurs once
    found = {
        what: next(name for name in names if name in heads)
        for what, names in COLUMNS.items()
        if {*names} & {*heads}
    }
    if "query" not in found or ("measure" in found and "value" not in found):
        raise InputError(f"{table} {FORM}; got {some([*map(shown, heads)], MOST_NAMED) or 'none'}")
    value = found.pop("value", None)
    if value is not None and len(found) > 1:
        return found, [value], ""
    others = [head for head in heads if head not in (*found.values(), *UNNAMED)]
    if "system" not in found:
        return found, others, "system"
    scores = [head for head in others if head != GROUP]
    return found, _asked(measures, scores), "measure"


def _asked(measures: Sequence[str] | None, known: Sequence[str]) -> list[str]:
    """The measures that are asked for, else all; InputError if there is no such measure."""
    if measures is None:
        return list(known)
    scores = [NamedScore(name) for name in known]
    asked: dict[str, None] = {}
    for name in measures:
        found = find_measures(name, scores)
        if not found:
            raise InputError(
                f"the scores have no measure {shown(name)}; they have {some(list(known), 10)}"
            )
        asked |= dict.fromkeys(map(str, found))
    return list(asked)


def _names(column: pandas.Series, place: Place) -> np.ndarray:
    """A column of names; InputError if one is missing, TypeError if one is neither a string nor a
    measure."""
    found, distinct = column.factorize()
    code = np.asarray(found)
    names = [str(name) if isinstance(name, Measure) else name for name in distinct]
    for number, name in [(-1, ""), *enumerate(names)]:  # pandas numbers missing values -1
        if isinstance(name, str) and name:
            _check_unicode(name, place.table)
            continue
        for row in np.flatnonzero(code == number)[:1].tolist():
            where = f"{place.row(column.index[row])}: column {column.name!r}"
            if name == "":
                raise InputError(f"{where} must not be empty")
            got = type(name).__name__
            raise TypeError(f"{where} must hold strings; got {got} (use .astype(str))")
    return np.array(names, dtype=object)[code]


def _check_unicode(name: str, table: str) -> None:
    """InputError if a name has a lone surrogate, which no file and no terminal takes."""
    try:
        name.encode()
    except UnicodeEncodeError:
        raise InputError(f"{table} has a name that is not text in Unicode: {shown(name)}") from None


def _numbers(column: pandas.Series, place: Place) -> FloatArray:
    """A column of scores; NaN for empty cells."""
    if column.dtype.kind in "iuf":
        numbers = column.to_numpy(np.float64, na_value=np.nan)
    else:
        cells = zip(column.tolist(), column.isna().tolist(), strict=True)
        numbers = np.array([np.nan if is_empty else _number(cell) for cell, is_empty in cells])
    for row in np.flatnonzero(np.isinf(numbers))[:1].tolist():
        raise InputError(
            f"{place.row(column.index[row])}: column {column.name!r} must hold finite numbers; got "
            f"{shown(column.tolist()[row])}"
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


def _are_means(long: pandas.DataFrame) -> pandas.Series:
    """Which rows are means over queries."""
    named = long["query"].isin(SUMMARY)
    return named & np.array([place.names_means for place in long["place"]], bool)


def _told(row: Any) -> str:
    """A score, with where it stands."""
    return (
        f"{row['place'].row(row['row'])}: {row['measure']} of {shown(row['system'])} "
        f"for query {shown(row['query'])}"
    )


def _without_means(long: pandas.DataFrame) -> tuple[pandas.DataFrame, list[str]]:
    """The scores of single queries, and the sentence on means over queries, if there are any.

    InputError if a row that is called so is no mean over the other queries, or over its group.
    """
    of_means = _are_means(long)
    if not of_means.any():
        return long, []
    of_queries, keys = long[~of_means], ["measure", "system"]
    mean = of_queries.groupby(keys)["value"].agg(["mean", "sum"])
    of_group = of_queries.groupby([*keys, GROUP])["value"].agg(["mean", "sum"])
    found = long[of_means & long["value"].notna()].join(mean, on=keys)
    found = found.join(of_group.add_suffix(" of group"), on=[*keys, GROUP])
    summed = found["measure"].map({name: _is_summed(name) for name in found["measure"].unique()})
    for end in ("", " of group"):
        found[f"mean{end}"] = found[f"mean{end}"].where(~summed.astype(bool), found[f"sum{end}"])
    expected = found["mean of group"].fillna(found["mean"])
    near = np.isclose(found["value"], expected, rtol=MEAN_TOLERANCE, atol=MEAN_TOLERANCE)
    for _, row in found.assign(expected=expected)[~near & expected.notna()][:1].iterrows():
        raise InputError(
            f"{_told(row)} is {row['value']:g}, and the mean of its other queries is "
            f"{row['expected']:g}: rename the query, or leave the row out if it is another summary"
        )
    called = " and ".join(map(repr, long["query"][of_means].unique()))
    return of_queries, [f"left out the rows of query {called}: they are means over other queries"]


def _is_summed(name: str) -> bool:
    """Whether a measure of this name is summed over queries, as NumRet is."""
    (measure,) = measures_called((name,), True)
    aggregator = measure.aggregator()
    aggregator.add(1.0)
    aggregator.add(1.0)
    return bool(aggregator.result() == 2.0)


def _listed(asked: Asked) -> Sequence[str] | None:
    return [asked] if isinstance(asked, str) else asked


def fields_of(
    long: pandas.DataFrame,
    chosen: Asked,
    higher_is_better: bool | Mapping[str, bool],
    strict: bool,
) -> Fields:
    """The scores of a table with a row per score."""
    import pandas as pd

    table = long["place"].iloc[0].table
    measures = _listed(chosen)
    long, left_out = _without_means(long)
    if measures is not None:
        asked = _asked(measures, long["measure"].unique().tolist())
        long = pd.concat([long[long["measure"] == name] for name in asked])
    if not len(long):
        raise InputError(f"{table} must have scores of single queries; got means only")
    coded = [long[key].factorize() for key in NAMES]
    codes, names = tuple(np.asarray(code) for code, _ in coded), [tuple(of) for _, of in coded]
    scores = np.full(tuple(map(len, names)), np.nan)
    cell = np.ravel_multi_index(codes, scores.shape)
    for _, row in long[pd.Series(cell).duplicated().to_numpy()][:1].iterrows():
        raise InputError(f"{_told(row)} occurs twice")
    scores[codes] = long["value"]
    # Some systems have a score there, or some queries of the system; others have none at all.
    partly = np.isnan(scores) & ~np.isnan(scores).all(axis=2, keepdims=True)
    lacks = np.asarray(partly.any(axis=(0, 1)))
    lacking = [(*np.argwhere(partly[:, :, query])[0], query) for query in np.flatnonzero(lacks)]
    for place in lacking[: int(strict)]:
        measure, system, query = (of[number] for of, number in zip(names, place, strict=True))
        what = f"{table} has no {measure} of {shown(system)} for query {shown(query)}"
        for _, row in long[cell == np.ravel_multi_index(place, scores.shape)].iterrows():
            what = f"{_told(row)} is NaN"
        raise InputError(
            f"{what}. Every system must have every score (`strict=False` leaves out queries "
            "without a score of every system)"
        )
    if lacks.all():
        raise InputError(f"{table} has no query for which every system has a score")
    if lacking:
        without = [
            f"{names[2][query]} ({names[1][system]}, {names[0][measure]})"
            for measure, system, query in lacking
        ]
        left_out.append(
            f"left out {counted(len(lacking), 'query', 'queries')} of {len(lacks)} for which "
            f"a system has no score: {some(without, MOST_LISTED)}"
        )
    kept = tuple(np.array(names[2], object)[~lacks])
    for sentence in left_out:
        warn(sentence)
    named = measures_called(names[0], higher_is_better)
    return named, names[1], kept, scores[:, :, ~lacks], None, tuple(left_out)
