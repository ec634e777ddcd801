"""Tables and files of any scores, with a row per score or a column per measure or system."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from decimal import Decimal
from functools import partial
from itertools import chain
from math import prod
from numbers import Real
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol, TypeAlias

import numpy as np
from ir_measures import Measure
from numpy.typing import NDArray

from ..common.memory import require_memory
from ..common.numeric import BoolArray, FloatArray, Int32Array, Int64Array
from ..common.warn import warn
from ..common.writing import counted, shown, some
from ..exceptions import InputError
from ..io.arrow import read_frame
from ..io.checked_columns import Kind, checked
from ..io.columns import MOST_NAMED, Names, pick
from ..io.formats import TABLES, extension_of
from ..io.identifiers import Ids, Numbering
from ..io.identifiers import Names as Numbered
from ..io.reading import mistakes_in
from ..io.row_blocks import ABSENT, Block, Cells, block_of_records, blocks
from ..io.rows import Row, read_json
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


FLOAT_BYTES = 8  # a score


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


class LongScores(NamedTuple):
    """A score per row: what it is of, where it stands, and what it is."""

    measure: Ids
    system: Ids
    query: Ids
    group: Ids  # of the query; empty if the table has none
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
    return _joined([_long(_FrameColumns(_numbered(frame), place), measures, place)])


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
    if "" in group.names.ids:
        row = rows[group.code == group.names.number[""]][0]
        table = long.place_of(row).table
        raise InputError(f"{table} must have a column {GROUP!r}, without empty cells")
    pair = query.code.astype(np.int64) * len(group.names) + group.code
    first = np.sort(np.unique(pair, return_index=True)[1])
    of_query = query.code[first]
    if len(of_query) > len(query.names):
        is_again = np.ones(len(first), bool)
        is_again[np.unique(of_query, return_index=True)[1]] = False
        again = first[is_again][:1]
        raise InputError(f"query {shown(query.take(again)[0])} must be in one group; got two")
    return dict(zip(query.take(first), group.take(first), strict=True))


def _of_file(path: Path, measures: Sequence[str] | None, place: Place) -> LongScores:
    """The scores in a file, a row per score."""
    if extension_of(path) not in ENDINGS:
        raise InputError(
            f"{path}: scores must be in a file that ends in {', '.join(ENDINGS)} (or .gz)"
        )
    table: _Columns
    if extension_of(path) == PARQUET:
        table = _FrameColumns(_numbered(read_frame(path), first=1), place)
    else:
        found = _results(path) if extension_of(path) == JSON else blocks(path)
        table = _BlockColumns(found, place)
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


# Columns of a table: names as `Ids`, and scores as numbers


class _Columns(Protocol):
    """The columns of a table of scores."""

    @property
    def heads(self) -> list[Any]:
        """What the columns are called."""

    @property
    def rows(self) -> NDArray[Any]:
        """What the rows are called."""

    def names(self, head: str) -> Ids:
        """A column of names; InputError if one is missing, TypeError if one is neither a string nor
        a measure."""

    def groups(self) -> Ids:
        """The column of groups; an empty text where a row has none."""

    def numbers(self, head: str) -> FloatArray:
        """A column of scores, NaN for empty cells; InputError if a cell has another value."""


class _BlockColumns:
    """The columns of a table in a file, which are kept as codes and numbers."""

    def __init__(self, found: Iterable[Block], place: Place) -> None:
        self._place = place
        self._numbering: dict[str, Numbering] = {}
        self._parts: dict[str, list[NDArray[Any]]] = {}  # by head: codes of names, or scores
        self._wrong: dict[str, Any] = {}  # the first cell of a column of scores that has none
        rows = [np.zeros(0, np.int32)]
        count = 0
        for block, columns in checked(iter(found), _kinds_in):
            size = len(block.line)
            cells = dict(zip(block.cells, columns, strict=True))
            for head in cells:
                if head not in self._parts:  # the rows before lack it
                    self._parts[head] = [self._kept(head, [None] * count)]
            for head, parts in self._parts.items():
                parts.append(self._kept(head, cells[head] if head in cells else [None] * size))
            rows.append(np.array(block.line, np.int32))
            count += size
        self.rows = np.concatenate(rows)

    @property
    def heads(self) -> list[str]:
        return list(self._parts)

    def _kept(self, head: str, cells: Sequence[Any]) -> NDArray[Any]:
        """Cells as codes, -1 where there is no name; or as numbers, infinite where one is wrong."""
        if head in HEADS_OF_NAMES:
            numbering = self._numbering.setdefault(head, Numbering())
            if None not in cells:
                return numbering.codes(cells)
            codes = [-1 if name is None else numbering.of(name) for name in cells]
            return np.array(codes, np.int32)
        numbers = _numbers_of_cells(cells)
        wrong = np.flatnonzero(np.isinf(numbers))
        if len(wrong):
            first = cells[int(wrong[0])]
            self._wrong.setdefault(head, float(first) if isinstance(first, float) else first)
        return numbers

    def names(self, head: str) -> Ids:
        code = np.concatenate(self._parts[head])
        missing = np.flatnonzero(code < 0)
        if len(missing):
            where = self._place.row(self.rows[missing[0]])
            raise InputError(f"{where}: column {head!r} must not be empty")
        return self._numbering[head].column(code)

    def groups(self) -> Ids:
        code = np.concatenate(self._parts[GROUP])
        numbering = self._numbering[GROUP]
        code[code < 0] = numbering.of("")
        return Ids.of_codes(numbering.column(code).names, code)

    def numbers(self, head: str) -> FloatArray:
        numbers = np.concatenate(self._parts[head])
        wrong = np.flatnonzero(np.isinf(numbers))
        if len(wrong):
            raise _not_finite(self._place, self.rows[wrong[0]], head, self._wrong[head])
        return numbers


class _FrameColumns:
    """The columns of a DataFrame."""

    def __init__(self, frame: pandas.DataFrame, place: Place) -> None:
        self._frame, self._place = frame, place
        self.heads = list(map(str, frame.columns))
        self.rows = np.asarray(frame.index)

    def _column(self, head: str) -> pandas.Series:
        return self._frame.iloc[:, self.heads.index(head)].rename(head)

    def names(self, head: str) -> Ids:
        found, distinct = self._column(head).factorize()
        code = np.asarray(found, np.int32)
        names = [str(name) if isinstance(name, Measure) else name for name in distinct]
        for number, name in [(-1, ""), *enumerate(names)]:  # pandas numbers missing values -1
            if isinstance(name, str) and name:
                _check_unicode(name, self._place.table)
                continue
            rows = np.flatnonzero(code == number)
            if not len(rows):
                continue
            where = f"{self._place.row(self.rows[rows[0]])}: column {head!r}"
            if name == "":
                raise InputError(f"{where} must not be empty")
            got = type(name).__name__
            raise TypeError(f"{where} must hold strings; got {got} (use .astype(str))")
        return _numbered_ids(names, code)

    def groups(self) -> Ids:
        found, distinct = self._column(GROUP).fillna("").astype(str).factorize()
        return _numbered_ids(list(distinct), np.asarray(found, np.int32))

    def numbers(self, head: str) -> FloatArray:
        column = self._column(head)
        if column.dtype.kind in "iuf":
            numbers = column.to_numpy(np.float64, na_value=np.nan)
        else:
            cells = zip(column.tolist(), column.isna().tolist(), strict=True)
            numbers = np.array([np.nan if is_empty else _number(cell) for cell, is_empty in cells])
        wrong = np.flatnonzero(np.isinf(numbers))
        if len(wrong):
            got = column.tolist()[wrong[0]]
            raise _not_finite(self._place, self.rows[wrong[0]], head, got)
        return numbers


def _numbered_ids(names: list[str], code: Int32Array) -> Ids:
    """A column of names that are numbered, of which several may be equal texts."""
    numbering = Numbering()
    return numbering.column(numbering.codes(names)[code])


def _not_finite(place: Place, row: object, head: str, got: object) -> InputError:
    return InputError(
        f"{place.row(row)}: column {head!r} must hold finite numbers; got {shown(got)}"
    )


# The kinds of cells of files


def _name_in_row(row: Row, names: Names) -> str | None:
    """A name, or a group, which may be empty; None if the row lacks the column."""
    (head,) = names
    if head not in row.cells:
        return None
    if head == GROUP and not row.cells[head]:
        return ""
    return row.text(names)


def _names_in_block(block: Block, names: Names) -> Cells | None:
    if names == (GROUP,) and block.of_csv:  # which may be empty
        return block.column(names)
    return block.texts(names)


def _score_in_row(row: Row, names: Names) -> Any:
    """A score, None if there is none, or what is neither."""
    return _score(row.cells.get(names[0]), row.number_of)


def _scores_in_block(block: Block, names: Names) -> Any:
    cells = block.cells[names[0]]
    numbers = block.numbers_of(cells)
    if numbers is not None:
        return numbers
    return [_score(None if cell is ABSENT else cell, block.number_of) for cell in cells]


def _score(value: Any, number_of: Callable[[Any], float | None]) -> Any:
    if isinstance(value, str) and value.lower() in NO_SCORE:
        return None
    number = number_of(value)
    return value if number is None else number


NAME = Kind(_name_in_row, _names_in_block)
SCORE = Kind(_score_in_row, _scores_in_block)


def _kinds_in(block: Block) -> dict[Names, Kind]:
    return {(head,): NAME if head in HEADS_OF_NAMES else SCORE for head in block.cells}


def _numbers_of_cells(cells: Any) -> FloatArray:
    """Scores; NaN where there is none, infinite where a cell has something else."""
    if isinstance(cells, np.ndarray):
        return cells
    return np.array([np.nan if cell is None else _number(cell) for cell in cells], np.float64)


def _numbered(frame: pandas.DataFrame, first: int = 0) -> pandas.DataFrame:
    """A frame with numbered rows, and its index as a column if the index names queries."""
    of_queries = bool({*frame.index.names} & {*COLUMNS["query"]})
    frame = frame.reset_index(drop=not of_queries)
    return frame.set_axis(range(first, first + len(frame)))


def _long(
    table: _Columns, measures: Sequence[str] | None, place: Place, system: str = "system"
) -> LongScores:
    """A row per score.

    In a table with a row per score and without a column for it, the system has the given name.
    """
    size = len(table.rows)
    if not size:
        raise InputError(f"{place.table} must have at least one row; got none")
    for head in table.heads:
        _check_unicode(head, place.table)
    heads, scores, wide = _form(table.heads, place.table, measures)
    names = {what: table.names(head) for what, head in heads.items()}
    group = _same("", size)
    if GROUP in table.heads and wide != "system":
        group = table.groups()
    only = _only(measures) or ("score" if wide else scores[0])
    names = {"measure": _same(only, size), "system": _same(system, size)} | names
    parts = []
    for head in scores:
        of_head = names | ({wide: _same(head, size)} if wide else {})
        parts.append(
            LongScores(
                **of_head,
                group=group,
                value=table.numbers(head),
                place=np.zeros(size, np.int8),
                row=table.rows,
                places=[place],
            )
        )
    return _joined(parts)


def _only(measures: Sequence[str] | None) -> str:
    """The one measure that is asked for; empty if it is not one."""
    return measures[0] if measures is not None and len(measures) == 1 else ""


def _same(name: str, size: int) -> Ids:
    """A column that has one name."""
    return Ids.of_codes(Numbered((name,)), np.zeros(size, np.int32))


def _joined(parts: Sequence[LongScores]) -> LongScores:
    """The scores of several tables."""
    if len(parts) == 1:
        return parts[0]
    starts = np.cumsum([0, *(len(part.places) for part in parts)])
    place = [part.place + start for part, start in zip(parts, starts, strict=False)]
    return LongScores(
        _joined_ids([part.measure for part in parts]),
        _joined_ids([part.system for part in parts]),
        _joined_ids([part.query for part in parts]),
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


def _check_unicode(name: str, table: str) -> None:
    """InputError if a name has a lone surrogate, which no file and no terminal takes."""
    try:
        name.encode()
    except UnicodeEncodeError:
        raise InputError(f"{table} has a name that is not text in Unicode: {shown(name)}") from None


def _number(value: Any) -> float:
    """A number; infinite if the value is none, or too large for a float."""
    if not isinstance(value, (Real, Decimal)) or isinstance(value, bool):
        return np.inf
    try:
        return float(value)
    except OverflowError:
        return np.inf


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
    mean = of_queries.groupby(keys)["value"].agg(["mean", "sum"])
    of_group = of_queries.groupby([*keys, GROUP])["value"].agg(["mean", "sum"])
    found = frame[of_means & frame["value"].notna()].join(mean, on=keys)
    found = found.join(of_group.add_suffix(" of group"), on=[*keys, GROUP])
    summed = found["measure"].map({name: _is_summed(name) for name in found["measure"].unique()})
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
    long: LongScores,
    chosen: Asked,
    higher_is_better: bool | Mapping[str, bool],
    strict: bool,
) -> Fields:
    """The scores of a table with a row per score."""
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
    lacking = [
        (*map(int, np.argwhere(partly[:, :, query])[0]), int(query))
        for query in np.flatnonzero(lacks)[: 1 if strict else None]
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
        warn(sentence)
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
