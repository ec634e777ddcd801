"""Names of the columns of runs and qrels."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from math import isfinite, isnan
from typing import Any, TypeAlias

from ..common.writing import shown, some
from ..exceptions import InputError

ColumnNames: TypeAlias = tuple[str, ...]
"""The accepted names of a column."""

QUERY_NAMES: ColumnNames = ("query_id", "qid", "query-id")

DOC_NAMES: ColumnNames = ("doc_id", "docno", "corpus-id", "corpus_id")

SCORE_NAMES: ColumnNames = ("score",)

GRADE_NAMES: ColumnNames = ("relevance", "label", "grade")

RESULTS = "results"  # the ranking of a query, in a row of sentence-transformers' predictions

RANK = "rank"  # a column that is compared with the scores

SYSTEM_NAMES: ColumnNames = ("system", "run", "run_id", "runid", "tag")  # columns that name runs

INSTEAD: dict[ColumnNames, dict[str, ColumnNames]] = {
    DOC_NAMES: {"docid": ()},  # PyTerrier's tables have a number of this name beside docno
    GRADE_NAMES: {"score": ("query-id", "corpus-id")},  # qrels of BEIR and of Hugging Face
}
"""Names that count if a table has no other accepted name, and has some other columns."""

COLUMNS: dict[str, ColumnNames] = {
    "query": QUERY_NAMES,
    "document": DOC_NAMES,
    "score of a run": SCORE_NAMES,
    "grade of qrels": GRADE_NAMES,
    "rank in a run": (RANK,),
    "name of a run": SYSTEM_NAMES,
}
"""The accepted names of every column, by what it holds; `INSTEAD` has some more."""

NAME = "name"  # of a run, as PyTerrier writes it, or of anything else

BESIDE = (*SYSTEM_NAMES, NAME, RANK)
"""The columns of a run that are read beside query, document and score."""

LONGEST_ID = 1 << 16
"""Bytes of an identifier in a file or an Arrow column; a choice, far above real identifiers."""

GRADE_LIMIT = 1 << 31  # a grade fits the 32-bit integers of the C programs that read qrels

MOST_NAMED = 10  # columns that an error names

SWAPPED = "are runs and qrels swapped?"

WHOLE = "a whole number of at most 31 bits"

WHOLE_GRADES = (
    "multiply all grades by one number: nDCG with linear gains does not change; name rel= for the "
    "binary measures, as in AP(rel=2)"
)
"""What to do where grades are fractions, which are not rounded: they might all become 0."""


def pick(
    names: ColumnNames,
    columns: list[str],
    what: str,
    cells: Callable[[str], Iterable[Any]] | None = None,
) -> str:
    """The first accepted name that is a column of a table, which errors call `what`.

    InputError if no column or two columns have the name, or if columns of two accepted names have
    other `cells`, which are None if they are not known yet.
    """
    present = names_in(names, columns)
    if not present:
        raise InputError(
            f"{what} needs a column {_wanted(names)}; got "
            f"[{some([*map(shown, columns)], MOST_NAMED)}]{_hint(names, columns)}"
        )
    first, *others = present
    for name in present:
        if columns.count(name) > 1:
            raise InputError(f"{what} has {columns.count(name)} columns {name!r}")
    if cells is None:
        return first
    for other in others:
        for one, another in zip(cells(first), cells(other), strict=True):
            if one != another and str(one) != str(another):
                raise InputError(
                    f"{what} has columns {first!r} and {other!r}, which must be equal; got {one!r} "
                    f"and {another!r} in a row (remove one of them)"
                )
    return first


def names_in(names: ColumnNames, columns: Collection[str]) -> list[str]:
    """The accepted names of a column that a table has."""
    present = [name for name in names if name in columns]
    if present:
        return present
    instead = INSTEAD.get(names, {}).items()
    return [name for name, others in instead if {name, *others} <= {*columns}]


def by_system(column: str) -> str:
    """How to give the systems that a column of a table names, each as a run of its own."""
    return (
        "give each system's rows as a run of its own; for a DataFrame: "
        f"dict(tuple(frame.groupby({column!r})))"
    )


def grade_hint(got: float) -> str:
    """What a number may be that is no grade, for the end of the message.

    Empty for NaN, which is a missing grade, and for a whole number.
    """
    if isnan(got) or (isfinite(got) and got == int(got)):
        return ""
    hint = f"runs have scores, qrels have grades: {SWAPPED}"
    if isfinite(got):
        hint += f" If not, {WHOLE_GRADES}"
    return f" ({hint})"


AS_ROWS = (
    f"{RESULTS!r} are rankings as sentence-transformers writes them: give the file, or its rows by "
    "frame.to_dict('records')"
)

AS_SCORES = (
    "the results of one query, as sentence-transformers has them: a run is "
    "{query: {hit['corpus_id']: hit['score'] for hit in hits} "
    "for query, hits in zip(query_ids, results)}"
)


MEANS = (
    "a table of means cannot be compared: Experiment(..., perquery=True) gives the scores of each "
    "query, which ScoreMatrix.from_frame takes"
)
"""What a table of scores is that has no column of queries."""


def _wanted(names: ColumnNames) -> str:
    """The accepted names of a column, for the message that it is missing."""
    wanted = [*map(repr, names)]
    for name, others in INSTEAD.get(names, {}).items():
        beside = ""
        if others:
            beside = f" beside {' and '.join(map(repr, others))}"
        wanted.append(f"{name!r}{beside}")
    return " or ".join(wanted)


def _hint(names: ColumnNames, columns: Collection[str]) -> str:
    """What the table may be in which a column is missing, for the end of the message."""
    if names is SCORE_NAMES and names_in(GRADE_NAMES, columns):
        return f" (these are the columns of qrels: {SWAPPED})"
    if names is GRADE_NAMES and names_in(SCORE_NAMES, columns):
        return f" (these are the columns of a run: {SWAPPED} If not, rename 'score' to 'grade')"
    if names is DOC_NAMES and RESULTS in columns:
        return f" ({AS_ROWS})"
    if names is QUERY_NAMES and {"corpus_id", "score"} <= {*columns}:
        return f" ({AS_SCORES})"
    return _hint_of_scores(names, columns)


def _hint_of_scores(names: ColumnNames, columns: Collection[str]) -> str:
    """What a table of scores of systems is, and what takes it."""
    if names is DOC_NAMES and {"measure", "value"} <= {*columns}:
        return " (a table of scores is compared by ScoreMatrix.from_frame(table).compare())"
    rows_of_run = names_in((*DOC_NAMES, *SCORE_NAMES), columns)
    if names is QUERY_NAMES and NAME in columns and not rows_of_run:
        return f" ({MEANS})"
    return ""
