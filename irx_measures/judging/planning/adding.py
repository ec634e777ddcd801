"""Judgments that people filled in: checked against the log, and added to qrels and log."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from os import PathLike
from pathlib import Path
from typing import NamedTuple

from ...common.escapes import spreadsheet_text
from ...common.writing import counted, shown
from ...exceptions import InputError, MistakesError
from ...io.formats import TREC, format_of, is_table
from ...io.irds import IRDS
from ...io.lines import read_number
from ...io.qrels_files import FilledRow, append_to_qrels, filled_rows, judging_log_of
from ...io.saving import check_writable
from ...io.table import by_pair
from ...io.trec import read_qrels
from .log import JudgingLog
from .records import Batch, Pair

MOST_MISTAKES = 5  # rows that an error names, a choice

Grades = Mapping[Pair, int]
"""Grades by query id and document id."""


@dataclass(frozen=True)
class AddedJudgments:
    """What `add_judgments` added.

    Attributes
    ----------
    qrels : Path
        The campaign's qrels.
    new : int
        Number of judgments that the qrels did not have before.
    total : int
        Number of judgments that they have now.
    waiting : int
        Number of rows without a grade: their documents are not judged yet.

    See Also
    --------
    irx_measures.judging.add_judgments : Makes it.
    """

    qrels: Path
    new: int
    total: int
    waiting: int

    @property
    def summary(self) -> str:
        """What was added, in one line."""
        said = f"added {counted(self.new, 'judgment')} to {self.qrels}, which has {self.total:,}"
        if self.waiting:
            said += f"; {counted(self.waiting, 'document')} without a grade"
        return said

    def __str__(self) -> str:
        return self.summary


def add_judgments(
    qrels: str | PathLike[str],
    files: str | PathLike[str] | Sequence[str | PathLike[str]],
    *,
    log: str | PathLike[str] | None = None,
) -> AddedJudgments:
    """Add judgments that people filled in to a campaign's qrels and to its log.

    All rows are checked before anything is written. If some are wrong, nothing is added. Several
    processes may add to the same qrels. Rows with an empty grade are documents that are not judged
    yet, and judgments that were added before may come again.

    Parameters
    ----------
    qrels
        The campaign's qrels, a TREC file in a folder that exists. The file need not exist.
    files
        The file that was filled in, or several: tables with the columns query_id, doc_id and grade
        (.tsv, .csv, .jsonl), or TREC qrels.
    log
        The `log` of the `JudgingPlan` that asked for the documents. By default, the file beside the
        qrels that ``irx judge`` writes: ``qrels.txt.log.jsonl`` for ``qrels.txt``.

    Returns
    -------
    AddedJudgments
        How many judgments were added, and how many documents have no grade.

    Raises
    ------
    ValueError
        When a document was not asked for, a grade is not one of the campaign's, or a judgment
        contradicts another one; the first five of these rows are named, with file and line. When
        `qrels` is no TREC file, or it or the log cannot be written.

    See Also
    --------
    irx_measures.JudgingPlan : Asks for the documents. Its `update` takes judgments in memory.

    Examples
    --------
    >>> import tempfile
    >>> from pathlib import Path
    >>> import irx_measures
    >>> from irx_measures.judging import add_judgments
    >>> folder = Path(tempfile.mkdtemp())
    >>> runs = {"a": {"q": {"A": 2.0, "B": 1.0}}, "b": {"q": {"B": 2.0, "C": 1.0}}}
    >>> log = folder / "qrels.txt.log.jsonl"
    >>> plan = irx_measures.JudgingPlan(None, runs, "nDCG@2", "best", log=log)
    >>> batch = plan.next(2)[["query_id", "doc_id"]].assign(grade=[0, 1])
    >>> batch.to_csv(folder / "batch.csv", index=False)
    >>> added = add_judgments(folder / "qrels.txt", folder / "batch.csv")
    >>> added.new, added.total, added.waiting
    (2, 2, 0)
    >>> print((folder / "qrels.txt").read_text(), end="")
    q 0 B 0
    q 0 A 1
    """
    path = campaign_qrels(qrels)
    require_writable(path)
    try:
        check_writable(path)
    except InputError as error:
        raise InputError(f"`qrels`: {error}") from None
    if log is None:
        log = judging_log_of(path)
    kept = JudgingLog(log)
    given = [files] if isinstance(files, (str, PathLike)) else files
    rows = (row for file in given for row in filled_rows(Path(file)))
    checked = added(rows, kept, _grades_in(path))  # before the lock makes a log
    with kept.locked():  # another process may have written since
        known = _grades_in(path)
        found = added(checked.rows, kept, known)
        if found.to_qrels or not path.exists():
            append_to_qrels(path, _rows_of(found.to_qrels))
        if found.to_log:
            kept.add_judgments(_rows_of(found.to_log))
    new = len(found.to_qrels)
    return AddedJudgments(path, new, len(known) + new, checked.waiting)


def campaign_qrels(given: str | PathLike[str]) -> Path:
    """The file of a campaign's qrels, to which judgments can be added; it need not exist."""
    path = Path(given)
    if os.fspath(given).startswith(IRDS) or not path.absolute().parent.is_dir():
        raise InputError(
            f"{given}: `qrels` must be a file in a folder that exists; it gets the judgments"
        )
    if format_of(path) != TREC:
        raise InputError(f"{path}: `qrels` must be a TREC file; got {format_of(path)}")
    if is_table(path):
        raise InputError(f"{path}: `qrels` must be a TREC file; got one with a header")
    return path


def require_writable(path: Path) -> None:
    """InputError if a campaign's qrels and its log cannot be written."""
    folder = path.absolute().parent
    if not os.access(folder, os.W_OK):
        raise InputError(
            f"{path}: the judgments and the log of the campaign go into the folder of `qrels`, and "
            f"{folder} cannot be written to; copy `qrels` into a folder of yours"
        )


def _grades_in(path: Path) -> dict[Pair, int]:
    """The grade of each judged document."""
    return by_pair(read_qrels(path)) if path.exists() else {}


def _rows_of(grades: Grades) -> list[tuple[str, str, int]]:
    return [(query_id, doc_id, grade) for (query_id, doc_id), grade in grades.items()]


class Added(NamedTuple):
    """The judgments that the qrels and that the log do not have yet."""

    to_qrels: Grades
    to_log: Grades
    waiting: int  # number of rows without a grade
    rows: list[FilledRow]  # those that have one


def added(rows: Iterable[FilledRow], log: JudgingLog, qrels: Grades) -> Added:
    """Check filled rows, and find what they add.

    MistakesError has a message for each of the first rows whose grade is not one of the log's,
    whose document the log did not ask for, or that contradicts another judgment. Where the qrels
    differ from the log, they count.
    """
    logged = log.judgments()
    known = KnownJudgments(log.batches(), logged, qrels)
    given: dict[Pair, int] = {}
    right: dict[Pair, FilledRow] = {}
    mistakes: list[str] = []
    waiting, wrong = 0, 0
    for row in rows:
        if not row.grade:
            waiting += 1
            continue
        try:
            pair, grade = known.checked(row)
        except InputError as mistake:
            wrong += 1
            if len(mistakes) < MOST_MISTAKES:
                mistakes.append(f"{row.where}: {mistake}")
            continue
        known.add(pair, grade, f"at {row.where}")
        given[pair] = grade
        right[pair] = row
    if mistakes:
        raise MistakesError(mistakes, wrong - len(mistakes))
    return Added(_new(given, qrels), _new(given, logged), waiting, list(right.values()))


def _new(given: Grades, known: Grades) -> Grades:
    """The given judgments of pairs that are not known."""
    return {pair: grade for pair, grade in given.items() if pair not in known}


class Known(NamedTuple):
    """A grade that is known already, and where it stands, in words."""

    grade: int
    where: str


class KnownJudgments:
    """What filled rows must agree with: the documents that were asked for, and all judgments.

    InputError if no document was asked for.
    """

    def __init__(self, batches: Sequence[Batch], logged: Grades, qrels: Grades) -> None:
        if not batches:
            raise InputError("`irx judge next` has not asked for a document yet")
        asked = [pair for batch in batches for pair in batch.documents]
        # Ids as csv-safe spells them; ids themselves come first.
        self._asked = {
            (spreadsheet_text(query_id), spreadsheet_text(doc_id)): (query_id, doc_id)
            for query_id, doc_id in asked
        }
        self._asked |= {pair: pair for pair in asked}
        self._grades = batches[-1].grades
        self._known = {pair: Known(grade, "in the log") for pair, grade in logged.items()}
        self._known |= {pair: Known(grade, "in the qrels") for pair, grade in qrels.items()}
        self._may_come = {*asked, *qrels}

    def checked(self, row: FilledRow) -> tuple[Pair, int]:
        """The document that a row judges, and its grade.

        InputError if the grade is no grade of the campaign, if another judgment differs from it, or
        if the document was not asked for.
        """
        written = row.query_id, row.doc_id
        pair = self._asked.get(written, written)
        about = f"document {shown(pair[1])} of query {shown(pair[0])}"
        grade = _grade(row.grade, self._grades)
        if grade is None:
            allowed = ", ".join(map(str, self._grades))
            raise InputError(
                f"the grade of {about} must be one of {allowed}; got {shown(row.grade)}"
            )
        other = self._known.get(pair)
        if other is not None and other.grade != grade:
            raise InputError(
                f"{about} has grade {grade}, but {other.grade} {other.where} (judgments of two "
                "people go into two files of qrels, for `irx judge audit`)"
            )
        if pair not in self._may_come:
            raise InputError(f"`irx judge next` did not ask for {about}")
        return pair, grade

    def add(self, pair: Pair, grade: int, where: str) -> None:
        """Let later rows agree with a judgment, if it is the first one of its document."""
        self._known.setdefault(pair, Known(grade, where))


def _grade(text: str, grades: tuple[int, ...]) -> int | None:
    """A grade of these; None for others. Spreadsheets may write 1.0 for 1."""
    try:
        value = read_number(text.encode(), float)
    except ValueError:
        return None
    return int(value) if value in grades else None
