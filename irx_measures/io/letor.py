"""Learning-to-rank data: reads LETOR files as features, qrels and runs for pt.Experiment."""

from __future__ import annotations

import re
from array import array
from collections import Counter
from dataclasses import dataclass
from itertools import groupby
from os import PathLike
from pathlib import Path

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..common.short_paths import public
from ..common.validators import finite_array
from ..common.writing import cell
from ..exceptions import InputError
from ..results.frames import DataFrame, frame
from .lines import grade_of, read_number
from .reading import text_lines
from .trec_order import trec_order

MOST_FEATURES = 100_000  # a choice: MSLR-WEB30K has 136, Yahoo 700

MOST_EMPTY = 1 << 24  # empty cells that every feature matrix may have: 128 MB

EMPTY_PER_FEATURE = 100  # more empty cells per feature; Yahoo and Istella have fewer than 10

FORM = (
    "must have a whole grade of at most 31 bits, 'qid:...', and features 'number:value', with "
    f"finite values, and different numbers from 1 to {MOST_FEATURES}"
)

LEAST_FIELDS = 2  # the grade and the query

DOC_ID = re.compile(r"(?:^|\s)docid\s*=\s*(\S+)", re.ASCII)


@public
@dataclass(frozen=True)
class LetorData:
    """Documents with their queries, grades and features; one row per line of the file, in order.

    Attributes
    ----------
    query_ids, doc_ids : (documents,) tuples of str
    grade : (documents,) ints
    features : (documents, features) floats
        Feature 1 of the file is column 0. Features that a line omits are 0.

    See Also
    --------
    irx_measures.read_letor : Reads it.
    """

    query_ids: tuple[str, ...]
    doc_ids: tuple[str, ...]
    grade: NDArray[np.int64]
    features: NDArray[np.float64]

    @property
    def group_sizes(self) -> NDArray[np.int64]:
        """Number of documents of each query, in order: the parameter `group` of LightGBM.

        Raises
        ------
        ValueError
            When the rows of a query are not contiguous.
        """
        runs = [(query_id, len(list(rows))) for query_id, rows in groupby(self.query_ids)]
        if len(runs) != len(set(self.query_ids)):
            raise InputError("the documents of a query must stand together, as in LETOR files")
        return np.array([size for _, size in runs], np.int64)

    def topics(self) -> DataFrame:
        """The queries as topics for pt.Experiment: the columns qid and query; query is empty."""
        qids = list(dict.fromkeys(self.query_ids))
        return frame({"qid": qids, "query": [""] * len(qids)})

    def qrels(self) -> DataFrame:
        """The grades as qrels for pt.Experiment: qid, docno, label."""
        return frame({"qid": self.query_ids, "docno": self.doc_ids, "label": self.grade})

    def run(self, scores: ArrayLike) -> DataFrame:
        """A model's scores of the documents as a run for pt.Experiment: qid, docno, score, rank.

        Documents are ranked as trec_eval ranks them.

        Parameters
        ----------
        scores : (documents,)
            One score per row of `features`, in the same order.

        Raises
        ------
        ValueError
            When the number of scores is wrong, or a score is not finite.
        """
        scored = finite_array("scores", scores, 1)
        if scored.shape != (len(self.doc_ids),):
            raise InputError(
                f"`scores` must hold one score for each of {len(self.doc_ids)} documents; "
                f"got shape {scored.shape}"
            )
        run = frame({"qid": self.query_ids, "docno": self.doc_ids, "score": scored})
        query = np.unique(np.array(self.query_ids, object), return_inverse=True)[1]
        order = trec_order(query, scored, lambda rows: run["docno"].iloc[rows].tolist())
        run = run.take(order).reset_index(drop=True)
        run["rank"] = run.groupby("qid", sort=False).cumcount()
        return run


@public
def read_letor(path: str | PathLike[str]) -> LetorData:
    """Read a LETOR file: SVMlight with `qid`, and the document in a comment.

    Parameters
    ----------
    path
        A file (``.gz`` is unpacked) of lines such as
        ``2 qid:10032 1:0.056537 2:0.000000 #docid = GX029-35-5894638 inc = 0.02``. Documents
        without a ``#docid`` comment, as in MSLR, get an id from query and position: ``10032-1``.

    Returns
    -------
    LetorData

    Raises
    ------
    ValueError
        When a line is malformed, or a query has a document twice; the message names file and
        line. Also when almost all cells of the feature matrix would be empty.
    FileNotFoundError, OSError
        When the file cannot be read.

    Examples
    --------
    >>> import irx_measures
    >>> from pathlib import Path
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     file = Path(folder, "train.txt")
    ...     _ = file.write_text("2 qid:7 1:0.5 2:0.1 #docid = A\\n0 qid:7 2:0.9 #docid = B\\n")
    ...     data = irx_measures.read_letor(file)
    >>> data.features.tolist(), data.doc_ids
    ([[0.5, 0.1], [0.0, 0.9]], ('A', 'B'))
    """
    grade_of_row: dict[tuple[str, str], int] = {}
    numbers, values, lengths = array("q"), array("d"), array("q")
    documents_of: Counter[str] = Counter()
    for number, line in enumerate(text_lines(Path(path)), 1):
        where = f"{path}:{number}"
        body, sign, comment = line.partition("#")
        fields = body.encode().split()
        if not fields:
            continue
        grade, query_id, features = _row(where, fields)
        if sign and len(fields) == LEAST_FIELDS and not body[-1].isspace():
            raise InputError(
                f"{where}: a comment, or a part of the query? # follows {cell(body)!r} without "
                "a space"
            )
        documents_of[query_id] += 1
        doc_comment = DOC_ID.search(comment)
        doc_id = doc_comment[1] if doc_comment else f"{query_id}-{documents_of[query_id]}"
        if (query_id, doc_id) in grade_of_row:
            raise InputError(f"{where}: query {query_id!r} has document {cell(doc_id)!r} twice")
        grade_of_row[query_id, doc_id] = grade
        numbers.extend(features)
        values.extend(features.values())
        lengths.append(len(features))
    rows, column = len(lengths), np.array(numbers, np.int64) - 1
    width = int(column.max(initial=-1)) + 1
    if rows * width - len(column) > MOST_EMPTY + EMPTY_PER_FEATURE * len(column):
        raise InputError(
            f"{path}: the file gives {len(column)} features of {rows} documents; "
            f"a matrix of {rows} x {width} cells would be almost empty"
        )
    matrix = np.zeros((rows, width))
    matrix[np.repeat(np.arange(rows), lengths), column] = values
    query_ids, doc_ids = zip(*grade_of_row, strict=True) if rows else ((), ())
    return LetorData(query_ids, doc_ids, np.array([*grade_of_row.values()], np.int64), matrix)


def _row(where: str, fields: list[bytes]) -> tuple[int, str, dict[int, float]]:
    """The grade, the query and the features of a line; InputError if it is malformed."""
    features: dict[int, float] = {}
    field = fields[0]
    try:
        grade = grade_of(field)
        field = b" ".join(fields[1:2])
        key, query_id = field.split(b":", 1)
        if key != b"qid" or not query_id:
            raise ValueError
        for field in fields[2:]:
            name, text = field.split(b":", 1)
            number, value = read_number(name, int), read_number(text, float)
            if not 1 <= number <= MOST_FEATURES or number in features or value - value != 0:
                raise ValueError
            features[number] = value
    except ValueError:
        raise InputError(f"{where}: a line {FORM}; got {cell(field)!r}") from None
    return grade, query_id.decode(), features
