"""Tables and files of any scores, with a row per score or a column per measure or system."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from math import prod
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

import numpy as np
from ir_measures import Measure
from numpy.typing import NDArray

from ..common.memory import require_memory
from ..common.numeric import BoolArray, FloatArray, Int64Array
from ..common.warn import warn
from ..common.writing import counted, shown, some
from ..exceptions import InputError
from ..io.arrow import read_frame
from ..io.columns import MEANS, MOST_NAMED, pick
from ..io.formats import TABLES, extension_of
from ..io.identifiers import Ids, Names, Numbering
from ..io.reading import mistakes_in
from ..io.row_blocks import Block, block_of_records, blocks
from ..io.rows import read_json
from ..measures.naming.named_score import NamedScore, find_measures, measures_called
from ..runsets.sources import run_name
from ..typing import ScoreArray
from .aggregates import is_summed
from .score_columns import (
    COLLECTION,
    COLUMNS,
    GROUP,
    UNITS,
    BlockColumns,
    Columns,
    FrameColumns,
    Place,
    check_unicode,
)

if TYPE_CHECKING:
    import pandas

SUMMARY = ("all", "mean")  # in the place of a query, as trec_eval and `irx evaluate -q` write means
MEAN_TOLERANCE = 1e-3  # a choice: means that are printed with three decimal places are recognised

UNNAMED = ("", "Unnamed: 0", "__index_level_0__")  # the index of a table that pandas wrote

PARQUET, JSON = ".parquet", ".json"

ENDINGS = (*TABLES, JSON, PARQUET)

# How messages begin that name a row of a file; in others, the number is that of a line.
BEFORE_ROWS = {PARQUET: "{}, row ", JSON: "{}, result "}

MOST_LISTED = 3  # queries in a warning, a choice

FORM = (
    "must have the columns name (or system), qid (or query_id), measure and value, or name, qid "
    "and a column per measure, or qid and a column per system"
)


FLOAT_BYTES = 8  # a score


Asked: TypeAlias = str | Sequence[str] | None  # measures; None: all

Fields: TypeAlias = tuple[
    tuple[Measure, ...], tuple[str, ...], tuple[str, ...], ScoreArray, None, tuple[str, ...]
]
"""The fields of a `ScoreMatrix`. A system without any score on a measure has NaN there."""


class LongScores(NamedTuple):
    """A score per row: what it is of, where it stands, and what it is."""

    measure: Ids
    system: Ids
    query: Ids
    unit: str  # what a group is, of `UNITS`; empty if the table has no column of one
    group: Ids  # of the query; empty if it has none
    value: FloatArray  # (rows,); NaN for an empty cell
    place: Int64Array  # (rows,), the place of the table in `places`
    row: NDArray[Any]  # (rows,), what the row is called in the table
    places: list[Place]

    def at(self, rows: NDArray[np.integer]) -> LongScores:
        """Some of the rows."""
        return LongScores(
            self.measure.at(rows),
            self.system.at(rows),
            self.query.at(rows),
            self.unit,
            self.group.at(rows),
            self.value[rows],
            self.place[rows],
            self.row[rows],
            self.places,
        )

    def place_of(self, row: int) -> Place:
        """The table of a row."""
        return self.places[int(self.place[row])]

    def told(self, row: int) -> str:
        """A score, with where it stands."""
        only = np.array([row])
        return (
            f"{self.place_of(row).row(self.row[row])}: {self.measure.take(only)[0]} of "
            f"{shown(self.system.take(only)[0])} for query {shown(self.query.take(only)[0])}"
        )


def scores_of_frame(frame: Any, asked: Asked) -> LongScores:
    """The scores of a table, a row per score; see `ScoreMatrix.from_frame`."""
    measures = _listed(asked)
    place = Place("`frame`", "`frame`.iloc[{}]".format)
    if not (hasattr(frame, "columns") and hasattr(frame, "index")):
        raise InputError(f"{place.table} {FORM}; got {type(frame).__name__}")
    return _joined([_long(FrameColumns(_numbered(frame), place), measures, place)])


def scores_of_files(paths: Sequence[Path], asked: Asked) -> LongScores:
    """The scores in some files, a row per score; see `ScoreMatrix.from_files`."""
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
    return _joined(tables)


def groups_of_queries(long: LongScores) -> dict[str, str]:
    """The group of each query; InputError without a column of groups, or if a query has two."""
    rows = np.flatnonzero(~_are_means(long))
    query, group = long.query.at(rows), long.group.at(rows)
    if not long.unit:
        units = " or ".join(map(repr, UNITS))
        raise InputError(f"{long.place_of(0).table} must have a column {units}")
    _refuse_missing(long, rows, GROUP)
    pair = query.code.astype(np.int64) * len(group.names) + group.code
    first = np.sort(np.unique(pair, return_index=True)[1])
    of_query = query.code[first]
    if len(of_query) > len(query.names):
        is_again = np.ones(len(first), bool)
        is_again[np.unique(of_query, return_index=True)[1]] = False
        again = first[is_again][:1]
        raise InputError(f"query {shown(query.take(again)[0])} must be in one group; got two")
    return dict(zip(query.take(first), group.take(first), strict=True))


def scores_of_collections(long: LongScores) -> dict[str, LongScores]:
    """The scores of each collection, without those of means.

    InputError if a row has no collection.
    """
    found, sentences = _drop_means(long)
    for sentence in sentences:
        warn(sentence)
    rows = np.arange(len(found.value))
    _refuse_missing(found, rows, COLLECTION)
    if not len(rows):
        table = long.place_of(0).table
        raise InputError(f"{table} must have scores of single queries; got means only")
    names = found.group.names.ids
    return {
        name: found.at(np.flatnonzero(found.group.code == place))
        for place, name in enumerate(names)
    }


def _refuse_missing(long: LongScores, rows: NDArray[np.integer], unit: str) -> None:
    """InputError if one of these rows has no group."""
    group = long.group.at(rows)
    if long.unit == unit and "" not in group.names.ids:
        return
    row = rows[group.code == group.names.number[""]][0] if "" in group.names.ids else rows[0]
    table = long.place_of(int(row)).table
    raise InputError(f"{table} must have a column {unit!r}, without empty cells")


def _of_file(path: Path, measures: Sequence[str] | None, place: Place) -> LongScores:
    """The scores in a file, a row per score."""
    if extension_of(path) not in ENDINGS:
        raise InputError(
            f"{path}: scores must be in a file that ends in {', '.join(ENDINGS)} (or .gz)"
        )
    table: Columns
    if extension_of(path) == PARQUET:
        table = FrameColumns(_numbered(read_frame(path), first=1), place)
    else:
        found = _results(path) if extension_of(path) == JSON else blocks(path)
        table = BlockColumns(found, place)
    return _long(table, measures, place, system=run_name(path))


def _results(path: Path) -> Iterator[Block]:
    """The scores of single queries in what `-o json` of `irx evaluate` wrote, or in its results."""
    content = read_json(path)
    if isinstance(content, dict):
        content = content.get("results")
    if not isinstance(content, list) or not all(isinstance(each, dict) for each in content):
        raise InputError(f"{path}: must be results of irx evaluate: an array of objects")
    numbers = [number for number, cells in enumerate(content, 1) if _of_query(cells)]
    if content and not numbers:
        raise InputError(f"{path}: the table must have scores of single queries; got means only")
    yield block_of_records(path, numbers, [content[number - 1] for number in numbers])


def _of_query(cells: dict[str, Any]) -> bool:
    """Whether a result is no mean over queries, of which the query is null."""
    heads = {*COLUMNS["query"]} & {*cells}
    return not heads or any(cells[head] is not None for head in heads)


def _numbered(frame: pandas.DataFrame, first: int = 0) -> pandas.DataFrame:
    """A frame with numbered rows, and its index as a column if the index names queries."""
    of_queries = bool({*frame.index.names} & {*COLUMNS["query"]})
    frame = frame.reset_index(drop=not of_queries)
    return frame.set_axis(range(first, first + len(frame)))


def _long(
    table: Columns, measures: Sequence[str] | None, place: Place, system: str = "system"
) -> LongScores:
    """A row per score.

    In a table with a row per score and without a column for it, the system has the given name.
    """
    size = len(table.rows)
    if not size:
        raise InputError(f"{place.table} must have at least one row; got none")
    for head in table.heads:
        check_unicode(head, place.table)
    heads, scores, wide = _form(table.heads, place.table, measures)
    names = {what: table.names(head) for what, head in heads.items()}
    unit, group = _units(table, wide, place)
    only = _only(measures)
    if not only:
        only = "score" if wide else scores[0]
    names = {"measure": _same(only, size), "system": _same(system, size)} | names
    parts = []
    for head in scores:
        of_head = names
        if wide:
            of_head = names | {wide: _same(head, size)}
        parts.append(
            LongScores(
                **of_head,
                unit=unit,
                group=group,
                value=table.numbers(head),
                place=np.zeros(size, np.int8),
                row=table.rows,
                places=[place],
            )
        )
    return _joined(parts)


def _units(table: Columns, wide: str, place: Place) -> tuple[str, Ids]:
    """What the queries are of, one of `UNITS` or nothing, and its column.

    In a table with a column per system, a column "group" is a system.
    """
    units = [head for head in UNITS if head in table.heads]
    if wide == "system":
        units = [head for head in units if head != GROUP]
    if len(units) > 1:
        raise InputError(f"{place.table} must have a column 'collection' or 'group'; got both")
    if units:
        return units[0], table.units(units[0])
    return "", _same("", len(table.rows))


def _only(measures: Sequence[str] | None) -> str:
    """The one measure that is asked for; empty if it is not one."""
    return measures[0] if measures is not None and len(measures) == 1 else ""


def _same(name: str, size: int) -> Ids:
    """A column that has one name."""
    return Ids.of_codes(Names((name,)), np.zeros(size, np.int32))


def _joined(parts: Sequence[LongScores]) -> LongScores:
    """The scores of several tables."""
    if len(parts) == 1:
        return parts[0]
    units = {part.unit: part.places[0].table for part in parts}
    if COLLECTION in units and len(units) > 1:
        other = next(table for unit, table in units.items() if unit != COLLECTION)
        raise InputError(
            f"all tables must have a column 'collection', or none; {units[COLLECTION]} has one, "
            f"{other} has none"
        )
    starts = np.cumsum([0, *(len(part.places) for part in parts)])
    place = [part.place + start for part, start in zip(parts, starts, strict=False)]
    return LongScores(
        _joined_ids([part.measure for part in parts]),
        _joined_ids([part.system for part in parts]),
        _joined_ids([part.query for part in parts]),
        max(units),
        _joined_ids([part.group for part in parts]),
        np.concatenate([part.value for part in parts]),
        np.concatenate(place),
        np.concatenate([part.row for part in parts]),
        [place for part in parts for place in part.places],
    )


def _joined_ids(parts: Sequence[Ids]) -> Ids:
    numbering = Numbering()
    codes = [numbering.codes(part.names.ids)[part.code] for part in parts]
    return numbering.column(np.concatenate(codes))


def _form(
    heads: list[str], table: str, measures: Sequence[str] | None
) -> tuple[dict[str, str], list[str], str]:
    """The columns of names, by what they name; those of scores, and after what they are called:
    ``measure`` or ``system``, or nothing if a row is one score."""
    found = _heads_of_names(heads, table)
    value = found.pop("value", None)
    if value is not None and len(found) > 1:
        return found, [value], ""
    others = [head for head in heads if head not in (*found.values(), *UNNAMED)]
    if "system" not in found:
        return found, [head for head in others if head != COLLECTION], "system"
    scores = [head for head in others if head not in UNITS]
    return found, _asked(measures, scores), "measure"


def _heads_of_names(heads: list[str], table: str) -> dict[str, str]:
    """The columns that are known by name, by what they hold; InputError if some are missing."""
    for head in dict.fromkeys(heads):
        pick((head,), heads, table)  # a column occurs once
    found = {}
    for what, names in COLUMNS.items():
        present = [name for name in names if name in heads]
        if present:
            found[what] = present[0]
    if "query" not in found or ("measure" in found and "value" not in found):
        listed = some([*map(shown, heads)], MOST_NAMED) or "none"
        raise InputError(f"{table} {FORM}; got {listed}{_means_hint(heads, found)}")
    return found


def _means_hint(heads: Sequence[str], found: Mapping[str, str]) -> str:
    """What a table of systems or of measures is that has no queries, for the end of the message."""
    called = measures_called(heads, True)
    has_measure = any(not isinstance(measure, NamedScore) for measure in called)
    if "query" in found or "value" in found or not ("system" in found or has_measure):
        return ""
    return f" ({MEANS})"


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


def _are_means(long: LongScores) -> BoolArray:
    """Which rows are means over queries."""
    number = long.query.names.number
    named = np.isin(long.query.code, [number[name] for name in SUMMARY if name in number])
    names_means = np.array([place.names_means for place in long.places], bool)
    return named & names_means[long.place]


def _drop_means(long: LongScores) -> tuple[LongScores, list[str]]:
    """The scores of single queries, and the sentence on means over queries, if there are any.

    InputError if a row that is called so is no mean over the other queries, or over its group.
    """
    of_means = _are_means(long)
    if not of_means.any():
        return long, []
    _refuse_other_summaries(long, of_means)
    means = long.query.at(np.flatnonzero(of_means))
    called = " and ".join(map(repr, means.names.ids))
    sentence = f"left out the rows of query {called}: they are means over other queries"
    return long.at(np.flatnonzero(~of_means)), [sentence]


def _refuse_other_summaries(long: LongScores, of_means: BoolArray) -> None:
    """InputError if a row is called as a mean, and is none over the other queries, or its group."""
    import pandas as pd

    frame = pd.DataFrame(
        {
            "measure": long.measure.objects(),
            "system": long.system.objects(),
            GROUP: long.group.objects(),
            "value": long.value,
        }
    )
    of_queries, keys = frame[~of_means], ["measure", "system"]
    of_group = of_queries.groupby([*keys, GROUP])["value"].agg(["mean", "sum"])
    mean = of_queries.groupby(keys)["value"].agg(["mean", "sum"])
    if long.unit == COLLECTION:  # each has the same weight in the mean of all
        mean = of_group.groupby(keys).mean()
    found = frame[of_means & frame["value"].notna()].join(mean, on=keys)
    found = found.join(of_group.add_suffix(" of group"), on=[*keys, GROUP])
    summed = found["measure"].map({name: _is_sum(name) for name in found["measure"].unique()})
    for end in ("", " of group"):
        found[f"mean{end}"] = found[f"mean{end}"].where(~summed.astype(bool), found[f"sum{end}"])
    expected = found["mean of group"].fillna(found["mean"]).to_numpy()
    values = found["value"].to_numpy()
    near = np.isclose(values, expected, rtol=MEAN_TOLERANCE, atol=MEAN_TOLERANCE)
    wrong = np.flatnonzero(~near & ~np.isnan(expected))
    if len(wrong):
        first = int(wrong[0])
        raise InputError(
            f"{long.told(int(found.index[first]))} is {values[first]:g}, and the mean of its other "
            f"queries is {expected[first]:g}: rename the query, or leave the row out if it is "
            "another summary"
        )


def _is_sum(name: str) -> bool:
    """Whether a measure of this name is summed over queries, as NumRet is."""
    (measure,) = measures_called((name,), True)
    return is_summed(measure)


def _listed(asked: Asked) -> Sequence[str] | None:
    return [asked] if isinstance(asked, str) else asked


def fields_of(
    long: LongScores,
    chosen: Asked,
    higher_is_better: bool | Mapping[str, bool],
    strict: bool,
    about: str = "",
) -> Fields:
    """The scores of a table with a row per score; warnings begin with what they are about."""
    table, measures = long.place_of(0).table, _listed(chosen)
    long, left_out = _drop_means(long)
    if measures is not None:
        long = _of_measures(long, _asked(measures, long.measure.names.ids))
    if not len(long.value):
        raise InputError(f"{table} must have scores of single queries; got means only")
    names = long.measure.names.ids, long.system.names.ids, long.query.names.ids
    scores, cell = _pivot(long, table)
    # Some systems have a score there, or some queries of the system; others have none at all.
    partly = np.isnan(scores) & ~np.isnan(scores).all(axis=2, keepdims=True)
    lacks = np.asarray(partly.any(axis=(0, 1)))
    most = 1 if strict else None  # the first one is an error
    lacking = [
        (*map(int, np.argwhere(partly[:, :, query])[0]), int(query))
        for query in np.flatnonzero(lacks)[:most]
    ]
    if lacking and strict:
        has_it = cell == np.ravel_multi_index(lacking[0], scores.shape)
        raise _incomplete(long, names, lacking[0], has_it, table)
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
        warn(f"{about}{sentence}")
    named = measures_called(names[0], higher_is_better)
    return named, names[1], kept, scores[:, :, ~lacks], None, tuple(left_out)


def _of_measures(long: LongScores, asked: Sequence[str]) -> LongScores:
    """The scores of some measures, in their order."""
    number = long.measure.names.number
    rows = [np.flatnonzero(long.measure.code == number[name]) for name in asked]
    return long.at(np.concatenate([*rows, np.zeros(0, np.int64)]))


def _pivot(long: LongScores, table: str) -> tuple[ScoreArray, Int64Array]:
    """Measures x systems x queries, NaN where there is no score; and each row's place in them.

    InputError if a score occurs twice, or if so many would take more memory than is allowed.
    """
    columns = long.measure, long.system, long.query
    shape = tuple(len(column.names) for column in columns)
    require_memory(table, FLOAT_BYTES * prod(shape))
    cell = np.ravel_multi_index(tuple(column.code for column in columns), shape)
    scores = np.full(prod(shape), np.nan)
    scores[cell] = long.value
    first = np.empty(prod(shape), np.int64)
    first[cell[::-1]] = np.arange(len(cell))[::-1]
    again = np.flatnonzero(first[cell] != np.arange(len(cell)))
    if len(again):
        raise InputError(f"{long.told(int(again[0]))} occurs twice")
    return scores.reshape(shape), cell


def _incomplete(
    long: LongScores,
    names: Sequence[Sequence[str]],
    lacking: Sequence[int],
    has_it: BoolArray,
    table: str,
) -> InputError:
    """The error that a system has no score for a query; `has_it` says which rows have this one."""
    measure, system, query = lacking
    what = (
        f"{table} has no {names[0][measure]} of {shown(names[1][system])} for query "
        f"{shown(names[2][query])}"
    )
    rows = np.flatnonzero(has_it)
    if len(rows):
        what = f"{long.told(int(rows[0]))} is NaN"
    return InputError(
        f"{what}. Every system must have every score (`strict=False` leaves out queries "
        "without a score of every system)"
    )
