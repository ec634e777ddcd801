"""Tables and files of any scores, with a row per score or a column per measure or system."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from itertools import compress, product
from math import prod
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

import numpy as np
from ir_measures import Measure

from ..common.memory import require_memory
from ..common.warn import warn
from ..common.writing import counted, shown, some
from ..exceptions import InputError
from ..io.arrow import read_frame, table_of
from ..io.block import Block, block_of_records, number_in_json
from ..io.columns import MEANS, MOST_NAMED, pick
from ..io.containers import form_of
from ..io.formats import TABLES, extension_of
from ..io.reading import mistakes_in
from ..io.rows import blocks, read_json
from ..measures.naming.named_score import NamedScore, find_measures, measures_called
from ..measures.naming.strings import MISSING
from ..runsets.sources import run_name
from ..typing import FilesLike, MeasureLike, MeasuresLike, PathOrName, ScoreArray
from .aggregates import is_summed
from .score_columns import (
    COLLECTION,
    COLUMNS,
    GROUP,
    KEYS,
    UNITS,
    Place,
    check_unicode,
    frame_of_blocks,
    numbers,
    texts,
    units,
)

if TYPE_CHECKING:
    import pandas

SUMMARY = ("all", "mean")  # in the place of a query, as trec_eval and `irx evaluate -q` write means
MEAN_TOLERANCE = 1e-3  # a choice: means that are printed with three decimal places are recognised

UNNAMED = ("", "Unnamed: 0", "__index_level_0__")  # the index of a table that pandas wrote

PARQUET, JSON = ".parquet", ".json"

ENDINGS = (*TABLES, JSON, PARQUET)

# What is between a file and the number of a row in messages; in other files, lines are counted.
BEFORE_ROW = {PARQUET: ", row ", JSON: ", result "}

MOST_LISTED = 3  # queries in a warning, a choice

FORM = (
    "must have the columns name (or system), qid (or query_id), measure and value, or name, qid "
    "and a column per measure, or qid and a column per system"
)

ONLY_MEANS = "must have scores of single queries; got means only"

MEANS_IN_FILE = (
    " (a table of means cannot be compared: irx evaluate -q writes the scores of each query)"
)

FLOAT_BYTES = 8  # a score


Asked: TypeAlias = Sequence[MeasureLike]  # measures; empty: all

Fields: TypeAlias = tuple[
    tuple[Measure, ...], tuple[str, ...], tuple[str, ...], ScoreArray, None, tuple[str, ...]
]
"""The fields of a `ScoreMatrix`. A system without any score on a measure has NaN there."""


class LongScores(NamedTuple):
    """A score per row: what it is of, what it is, and where it stands."""

    # The columns measure, system, query, group (empty if the query has none), is_mean (whether the
    # query stands for a mean over queries), value (NaN for an empty cell), table (its number in
    # `places`) and row (what the row is called there).
    frame: pandas.DataFrame
    unit: str  # what a group is, of `UNITS`; empty if the table has no column of one
    places: list[Place]
    asked: Asked

    @property
    def table(self) -> str:
        """What messages call the first table."""
        return self.places[self.frame["table"].iloc[0]].table

    def at(self, rows: pandas.Series) -> LongScores:
        """Some of the rows, by a mask."""
        return self._replace(frame=self.frame[rows])

    def told(self, row: int) -> str:
        """A score, with where it stands."""
        of = self.frame.iloc[row]
        named = f"{of['measure']} of {shown(of['system'])} for query {shown(of['query'])}"
        return f"{self.places[of['table']].row(of['row'])}: {named}"


def scores_of_frame(frame: Any, measures: MeasuresLike | None) -> LongScores:
    """The scores of a table, a row per score; see `ScoreMatrix.from_frame`."""
    import pandas as pd

    place = Place("`frame`", f" ({MEANS})", "`frame`.iloc[", "]")
    if form_of(frame) == "Arrow":
        frame = table_of(frame, tuple, place.table).to_pandas()
    if not isinstance(frame, pd.DataFrame):
        raise InputError(f"{place.table} {FORM}; got {type(frame).__name__}")
    return _long(_numbered(frame), _listed(measures), place)


def scores_of_files(paths: PathOrName | FilesLike, measures: MeasuresLike | None) -> LongScores:
    """The scores in some files, a row per score; see `ScoreMatrix.from_files`."""
    given: list[Any] = [paths]
    if isinstance(paths, Iterable) and not isinstance(paths, str):
        given = list(paths)
    asked = _listed(measures)
    tables = []
    for path in map(Path, given):
        with mistakes_in(path):
            tables.append(_of_file(path, asked))
    if not tables:
        raise InputError("`paths` must name at least one file; got none")
    return _joined(tables)


def _listed(measures: MeasuresLike | None) -> Asked:
    """The measures that are asked for; those of a set in the order of their names."""
    if measures is None:
        return []
    asked: list[Any] = [measures]
    if isinstance(measures, Iterable) and not isinstance(measures, (str, Mapping)):
        asked = list(measures)
    if isinstance(measures, Set):
        asked.sort(key=str)
    for each in asked:
        if not isinstance(each, (str, Measure)):
            raise TypeError(f"`measures` must be names of measures; got {type(each).__name__}")
    if not asked:
        raise InputError(MISSING)
    return asked


def groups_of_queries(long: LongScores) -> dict[str, str]:
    """The group of each query; InputError without a column of groups, or if a query has two."""
    if not long.unit:
        raise InputError(f"{long.table} must have a column {' or '.join(map(repr, UNITS))}")
    of_queries = long.at(~long.frame["is_mean"])
    _refuse_missing(of_queries, GROUP)
    pairs = of_queries.frame[["query", "group"]].drop_duplicates()
    for query in pairs["query"][pairs["query"].duplicated()][:1]:
        raise InputError(f"query {shown(query)} must be in one group; got two")
    return dict(zip(pairs["query"], pairs["group"], strict=True))


def scores_of_collections(long: LongScores) -> dict[str, LongScores]:
    """The scores of each collection, without those of means.

    InputError if a row has no collection.
    """
    found, left_out = _drop_means(long)
    for sentence in left_out:
        warn(sentence)
    _refuse_missing(found, COLLECTION)
    groups = found.frame.groupby("group", sort=False)
    return {str(name): found._replace(frame=part) for name, part in groups}


def _refuse_missing(long: LongScores, unit: str) -> None:
    """InputError if one of the rows has no group."""
    lacking = long.at((long.frame["group"] == "") | (long.unit != unit))
    if len(lacking.frame):
        raise InputError(f"{lacking.table} must have a column {unit!r}, without empty cells")


def _of_file(path: Path, asked: Asked) -> LongScores:
    """The scores in a file, a row per score."""
    form = extension_of(path)
    if form not in ENDINGS:
        raise InputError(
            f"{path}: scores must be in a file that ends in {', '.join(ENDINGS)} (or .gz)"
        )
    if form == PARQUET:
        frame = _numbered(read_frame(path), first=1)
    elif form == JSON:
        frame = frame_of_blocks(_results(path))
    else:
        frame = frame_of_blocks(blocks(path))
    before = f"{path}{BEFORE_ROW.get(form, ':')}"
    place = Place(f"{path}: the table", MEANS_IN_FILE, before, names_means=form != JSON)
    return _long(frame, asked, place, run_name(path))


def _results(path: Path) -> Iterator[Block]:
    """The scores of single queries in what `-o json` of `irx evaluate` wrote, or in its results."""
    content = read_json(path)
    if isinstance(content, dict):
        content = content.get("results")
    if not isinstance(content, list) or not all(isinstance(each, dict) for each in content):
        raise InputError(f"{path}: must be results of irx evaluate: an array of objects")
    numbers = [number for number, cells in enumerate(content, 1) if _of_query(cells)]
    if content and not numbers:
        raise InputError(f"{path}: the table {ONLY_MEANS}{MEANS_IN_FILE}")
    yield block_of_records(
        [content[number - 1] for number in numbers],
        f"{path}",
        lambda row: f"{path}, result {numbers[row]}",
        number_in_json,
        path,
        numbers,
    )


def _of_query(cells: dict[str, Any]) -> bool:
    """Whether a result is no mean over queries, of which the query is null."""
    return [cells[head] for head in COLUMNS["query"] if head in cells] != [None]


def _numbered(frame: pandas.DataFrame, first: int = 0) -> pandas.DataFrame:
    """A frame with numbered rows, and its index as a column if the index names queries."""
    numbered = range(first, first + len(frame))
    if {*frame.index.names}.isdisjoint(COLUMNS["query"]):
        return frame.set_axis(numbered)
    both = [name for name in frame.index.names if name in frame.columns]
    for name in both:
        if list(frame.index.get_level_values(str(name))) != list(frame[name]):
            raise InputError(f"the index and the column {name!r} of a table must be equal")
    return frame.drop(columns=both).reset_index(allow_duplicates=True).set_axis(numbered)


def _long(
    frame: pandas.DataFrame, asked: Asked, place: Place, system: str = "system"
) -> LongScores:
    """A row per score.

    In a table with a row per score and without a column for it, the system has the given name.
    """
    import pandas as pd

    if not len(frame):
        raise InputError(f"{place.table} must have at least one row; got none")
    known = list(map(str, frame.columns))
    heads, scores, wide = _form(known, place, asked)
    frame = frame.set_axis(known, axis=1)
    names = {what: texts(frame, head, place) for what, head in heads.items()}
    unit = _unit(known, wide, place.table)
    if unit:
        names["group"] = units(frame, unit, place)
    if wide:
        frame, scores = _without_booleans(frame, scores, wide == "measure" and bool(asked))
    only = "score" if wide else scores[0]
    if len(asked) == 1:
        only = str(asked[0])
    of_rows = {"measure": only, "system": system, "group": "", "table": 0, "row": frame.index}
    check_unicode(system, place.table)
    of_rows |= names
    of_rows["is_mean"] = names["query"].isin(SUMMARY) & place.names_means
    long = pd.concat([pd.DataFrame(of_rows)] * len(scores), ignore_index=True)
    if wide:
        long[wide] = np.repeat(np.array(scores, object), len(frame))
    long["value"] = np.concatenate([numbers(frame, head, place) for head in scores])
    return LongScores(long, unit, [place], asked)


def _without_booleans(
    frame: pandas.DataFrame, scores: list[str], are_named: bool
) -> tuple[pandas.DataFrame, list[str]]:
    """The columns of scores: booleans are 0 and 1 if named, else left out beside others."""
    from pandas.api.types import infer_dtype

    booleans = [head for head in scores if infer_dtype(frame[head].astype(object)) == "boolean"]
    if are_named:
        frame = frame.assign(
            **{head: frame[head].map({True: 1.0, False: 0.0}) for head in booleans}
        )
    elif len(booleans) < len(scores):
        for head in booleans:
            warn(f"left out the column {head!r}, which holds booleans")
        scores = [head for head in scores if head not in booleans]
    return frame, scores


def _unit(heads: Sequence[str], wide: str, table: str) -> str:
    """The column of what the queries are of, one of `UNITS`; empty if there is none.

    In a table with a column per system, a column "group" is a system.
    """
    units = [head for head in UNITS if head in heads and (wide, head) != ("system", GROUP)]
    if len(units) > 1:
        raise InputError(f"{table} must have a column 'collection' or 'group'; got both")
    return "".join(units)


def _joined(parts: Sequence[LongScores]) -> LongScores:
    """The scores of several tables."""
    import pandas as pd

    if len(parts) == 1:
        return parts[0]
    units = {part.unit: part.table for part in parts}
    if COLLECTION in units and len(units) > 1:
        other = next(table for unit, table in units.items() if unit != COLLECTION)
        raise InputError(
            f"all tables must have a column 'collection', or none; {units[COLLECTION]} has one, "
            f"{other} has none"
        )
    frames = [part.frame.assign(table=number) for number, part in enumerate(parts)]
    places = [place for part in parts for place in part.places]
    return LongScores(pd.concat(frames, ignore_index=True), max(units), places, parts[0].asked)


def _form(heads: list[str], place: Place, asked: Asked) -> tuple[dict[str, str], list[str], str]:
    """The columns of names, by what they name; those of scores, and after what they are called:
    ``measure`` or ``system``, or nothing if a row is one score."""
    found = _heads_of_names(heads, place)
    value = found.pop("value", None)
    if value is not None and len(found) > 1:
        return found, [value], ""
    others = [head for head in heads if head not in (*found.values(), *UNNAMED, COLLECTION)]
    if "system" in found:
        others = [head for head in others if head != GROUP]
    if not others:
        raise _other_form(heads, found, place)
    if "system" not in found:
        return found, others, "system"
    return found, _asked(asked, others), "measure"


def _heads_of_names(heads: list[str], place: Place) -> dict[str, str]:
    """The columns that are known by name, by what they hold; InputError if some are missing."""
    for head in heads:
        check_unicode(head, place.table)
        pick((head,), heads, place.table)
    found: dict[str, str] = {}
    for what, names in COLUMNS.items():
        for name in names:
            if name in heads:
                found.setdefault(what, name)
    if "query" not in found or ("measure" in found and "value" not in found):
        raise _other_form(heads, found, place)
    return found


def _other_form(heads: Sequence[str], found: Mapping[str, str], place: Place) -> InputError:
    """The error that a table has none of the forms of tables of scores."""
    listed = some([*map(shown, heads)], MOST_NAMED) or "none"
    called = measures_called(heads, True)
    has_measure = any(not isinstance(measure, NamedScore) for measure in called)
    hint = ""
    if "query" not in found and (has_measure or {"system", "measure"} & found.keys()):
        hint = place.means
    return InputError(f"{place.table} {FORM}; got {listed}{hint}")


def _asked(asked: Asked, known: list[str]) -> list[str]:
    """The measures that are asked for, else all; InputError if there is no such measure."""
    if not asked:
        return known
    found: dict[str, None] = {}
    for name in asked:
        meant = find_measures(name, list(map(NamedScore, known)))
        if not meant:
            raise InputError(
                f"the scores have no measure {shown(str(name))}; they have {some(known, 10)}"
            )
        found |= dict.fromkeys(map(str, meant))
    return list(found)


def _drop_means(long: LongScores) -> tuple[LongScores, list[str]]:
    """The scores of single queries, and the sentence on means over queries, if there are any.

    InputError if there are means only, or a row that is called so is no mean over the other
    queries, or over its group.
    """
    of_means = long.frame["is_mean"]
    if not of_means.any():
        return long, []
    if of_means.all():
        raise InputError(f"{long.table} {ONLY_MEANS}{long.places[0].means}")
    _refuse_other_summaries(long)
    called = " and ".join(map(repr, long.frame["query"][of_means].unique()))
    sentence = f"left out the rows of query {called}: they are means over other queries"
    return long.at(~of_means), [sentence]


def _refuse_other_summaries(long: LongScores) -> None:
    """InputError if a row is called as a mean, and is none over the other queries, or its group."""
    frame, keys = long.frame, ["measure", "system"]
    of_queries = frame[~frame["is_mean"]]
    of_group = _aggregates(of_queries, [*keys, GROUP])
    of_all = _aggregates(of_queries, keys)
    if long.unit == COLLECTION:  # each has the same weight in the mean of all
        of_all = of_group.groupby(keys).mean()
    means = long.at(frame["is_mean"] & frame["value"].notna())
    found = means.frame.join(of_group.rename("of group"), on=[*keys, GROUP])
    found = found.join(of_all.rename("of all"), on=keys)
    expected = found["of group"].fillna(found["of all"]).to_numpy()
    values = found["value"].to_numpy()
    near = np.isclose(values, expected, rtol=MEAN_TOLERANCE, atol=MEAN_TOLERANCE)
    for row in np.flatnonzero(~near & ~np.isnan(expected))[:1].tolist():
        raise InputError(
            f"{means.told(row)} is {values[row]:g}, and the mean of its other queries is "
            f"{expected[row]:g}: rename the query, or leave the row out if it is another summary"
        )


def _aggregates(frame: pandas.DataFrame, keys: list[str]) -> pandas.Series:
    """The means of scores over queries, or their sums for a measure such as NumRet."""
    found = frame.groupby(keys)["value"].agg(["mean", "sum"])
    measures = measures_called(frame["measure"].unique().tolist(), True)
    summed = [str(measure) for measure in measures if is_summed(measure)]
    return found["sum"].where(found.index.isin(summed, "measure"), found["mean"])


def fields_of(
    long: LongScores,
    higher_is_better: bool | Mapping[str, bool],
    strict: bool,
    about: str = "",
) -> Fields:
    """The scores of a table with a row per score; warnings begin with what they are about."""
    long, left_out = _drop_means(long)
    if long.asked:
        long = _of_measures(long, _asked(long.asked, long.frame["measure"].unique().tolist()))
    (measures, systems, queries), scores = _pivot(long)
    # Some systems have a score there, or some queries of the system; others have none at all.
    partly = np.isnan(scores) & ~np.isnan(scores).all(axis=2, keepdims=True)
    lacks = np.asarray(partly.any(axis=(0, 1)))
    pairs = list(product(measures, systems))
    first = partly.reshape(len(pairs), -1).argmax(axis=0)
    lacking = [(*pairs[first[query]], queries[query]) for query in np.flatnonzero(lacks)]
    if lacking and strict:
        raise _incomplete(long, lacking[0])
    if lacks.all():
        raise InputError(f"{long.table} has no query for which every system has a score")
    if lacking:
        without = [f"{query} ({system}, {measure})" for measure, system, query in lacking]
        left_out.append(
            f"left out {counted(len(lacking), 'query', 'queries')} of {len(lacks)} for which "
            f"a system has no score: {some(without, MOST_LISTED)}"
        )
    for sentence in left_out:
        warn(f"{about}{sentence}")
    named = measures_called(measures, higher_is_better)
    kept = tuple(compress(queries, ~lacks))
    return named, tuple(systems), kept, scores[:, :, ~lacks], None, tuple(left_out)


def _of_measures(long: LongScores, asked: Sequence[str]) -> LongScores:
    """The scores of some measures, in their order."""
    frame = long.frame[long.frame["measure"].isin(asked)]
    place = frame["measure"].map({name: place for place, name in enumerate(asked)})
    return long._replace(frame=frame.iloc[np.argsort(place, kind="stable")])


def _pivot(long: LongScores) -> tuple[list[list[str]], ScoreArray]:
    """The measures, systems and queries, and the scores: NaN where there is none.

    InputError if a score occurs twice, or if so many would take more memory than is allowed.
    """
    import pandas as pd

    found = [long.frame[key].factorize() for key in KEYS]
    names = [list(map(str, distinct)) for _, distinct in found]
    shape = tuple(map(len, names))
    require_memory(long.table, FLOAT_BYTES * prod(shape))
    cell = np.ravel_multi_index([code for code, _ in found], shape)
    for row in np.flatnonzero(pd.Series(cell).duplicated())[:1].tolist():
        raise InputError(f"{long.told(row)} occurs twice")
    scores = np.full(prod(shape), np.nan)
    scores[cell] = long.frame["value"]
    return names, scores.reshape(shape)


def _incomplete(long: LongScores, lacking: Sequence[str]) -> InputError:
    """The error that a system has no score for a query."""
    measure, system, query = lacking
    what = f"{long.table} has no {measure} of {shown(system)} for query {shown(query)}"
    of = (long.frame[KEYS] == list(lacking)).all(axis=1)
    for row in np.flatnonzero(of)[:1].tolist():
        what = f"{long.told(row)} is NaN"
    return InputError(
        f"{what}. Every system must have every score (`strict=False` leaves out queries "
        "without a score of every system)"
    )
