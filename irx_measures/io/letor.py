"""Learning-to-rank data: reads LETOR files as features, qrels and runs for pt.Experiment."""

from __future__ import annotations

import math
import re
from array import array
from collections import Counter
from dataclasses import dataclass
from itertools import groupby
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..common.trec_order import trec_order
from ..common.writing import cell
from ..exceptions import InputError
from .columns import GRADE_LIMIT
from .files import numbered_lines
from .identifiers import LONGEST_ID
from .lines import read_float, read_integer

if TYPE_CHECKING:
    import pandas

MOST_FEATURES = 100_000  # a choice: MSLR-WEB30K has 136, Yahoo 700

MOST_EMPTY = 1 << 24  # empty cells that every feature matrix may have: 128 MB

EMPTY_PER_FEATURE = 100  # more empty cells per feature; Yahoo and Istella have fewer than 10

DOC_ID = re.compile(r"(?:^|\s)docid\s*=\s*(\S+)", re.ASCII)


@dataclass(frozen=True)
class LetorData:
    """Documents with their queries, grades and features; one row per line of the file, in order.

    Attributes
    ----------
    query_ids, doc_ids : (documents,) tuples of str
    grade : (documents,) ints
    features : (documents, features) floats
        Feature 1 of the file is column 0. Features that a line omits are 0.
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

    def topics(self) -> pandas.DataFrame:
        """The queries as topics for pt.Experiment: the columns qid and query; query is empty."""
        import pandas as pd

        qids = list(dict.fromkeys(self.query_ids))
        return pd.DataFrame({"qid": qids, "query": [""] * len(qids)})

    def qrels(self) -> pandas.DataFrame:
        """The grades as qrels for pt.Experiment: qid, docno, label."""
        import pandas as pd

        return pd.DataFrame({"qid": self.query_ids, "docno": self.doc_ids, "label": self.grade})

    def run(self, scores: ArrayLike) -> pandas.DataFrame:
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
        import pandas as pd

        scored = np.asarray(scores, np.float64)
        if scored.shape != (len(self.doc_ids),):
            raise InputError(
                f"`scores` must hold one score for each of {len(self.doc_ids)} documents; "
                f"got shape {scored.shape}"
            )
        if not np.isfinite(scored).all():
            raise InputError(
                f"`scores` must be finite; got {scored[~np.isfinite(scored)][0]} for document "
                f"{self.doc_ids[int(np.argmin(np.isfinite(scored)))]!r}"
            )
        frame = pd.DataFrame({"qid": self.query_ids, "docno": self.doc_ids, "score": scored})
        query = np.unique(np.array(self.query_ids, object), return_inverse=True)[1]
        order = trec_order(query, scored, lambda rows: frame["docno"].iloc[rows].tolist())
        frame = frame.take(order).reset_index(drop=True)
        frame["rank"] = frame.groupby("qid", sort=False).cumcount()
        return frame


def read_letor(path: str | PathLike[str]) -> LetorData:
    r"""Read a LETOR file: SVMlight with `qid`, and the document in a comment.

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
        line. Also when the feature matrix would need far more memory than the file's size
        justifies; the message names the file.
    FileNotFoundError, OSError
        When the file cannot be read.

    Examples
    --------
    >>> import irx_measures, pathlib, tempfile
    >>> path = pathlib.Path(tempfile.mkdtemp()) / "letor.txt"
    >>> _ = path.write_text("2 qid:7 1:0.5 3:1.5 #docid = GX1\n0 qid:7 2:0.25 #docid = GX2\n")
    >>> data = irx_measures.read_letor(path)
    >>> data.features
    array([[0.5 , 0.  , 1.5 ],
           [0.  , 0.25, 0.  ]])
    >>> data.run([0.1, 0.9])
      qid docno  score  rank
    0   7   GX2    0.9     0
    1   7   GX1    0.1     1
    """
    known: set[tuple[str, str]] = set()
    rows: list[tuple[str, str, int]] = []
    numbers, values, lengths = array("q"), array("d"), array("q")
    documents_of: Counter[str] = Counter()
    for where, line in numbered_lines(Path(path)):
        body, _, comment = line.partition("#")
        fields = body.encode().split()
        if not fields:
            continue
        grade, query_id = _grade_and_query(where, fields)
        documents_of[query_id] += 1
        doc_comment = DOC_ID.search(comment)
        doc_id = doc_comment[1] if doc_comment else f"{query_id}-{documents_of[query_id]}"
        if max(len(query_id.encode()), len(doc_id.encode())) > LONGEST_ID:
            raise InputError(f"{where}: identifiers must have at most {LONGEST_ID} bytes")
        if (query_id, doc_id) in known:
            raise InputError(f"{where}: query {query_id!r} has document {doc_id!r} twice")
        known.add((query_id, doc_id))
        rows.append((query_id, doc_id, grade))
        features = _features(where, fields[2:])
        numbers.extend(features)
        values.extend(features.values())
        lengths.append(len(features))
    column = np.array(numbers, np.int64) - 1
    width = int(column.max(initial=-1)) + 1
    if len(rows) * width - len(column) > MOST_EMPTY + EMPTY_PER_FEATURE * len(column):
        # One line can make the matrix as wide as this.
        raise InputError(
            f"{path}: the file gives {len(column)} features of {len(rows)} documents, numbered up "
            f"to {width}; a matrix of {len(rows)} x {width} cells would be almost empty"
        )
    matrix = np.zeros((len(rows), width))
    matrix[np.repeat(np.arange(len(rows)), lengths), column] = values
    query_ids, doc_ids, grades = zip(*rows, strict=True) if rows else ((), (), ())
    return LetorData(query_ids, doc_ids, np.array(grades, np.int64), matrix)


def _grade_and_query(where: str, fields: list[bytes]) -> tuple[int, str]:
    try:
        grade, (key, query_id) = read_integer(fields[0]), fields[1].split(b":", 1)
        if key == b"qid" and query_id and abs(grade) < GRADE_LIMIT:
            return grade, query_id.decode()
    except (ValueError, IndexError):
        pass
    got = [cell(field) for field in fields[:2]]
    raise InputError(
        f"{where}: a line must start with a grade, a whole number of at most 31 bits, and "
        f"'qid:...'; got {got}"
    )


def _features(where: str, texts: list[bytes]) -> dict[int, float]:
    features: dict[int, float] = {}
    for text in texts:
        name, _, value = text.partition(b":")
        try:
            number, feature = read_integer(name), read_float(value)
        except ValueError:
            number, feature = 0, math.nan
        if not 1 <= number <= MOST_FEATURES or not math.isfinite(feature) or number in features:
            raise InputError(
                f"{where}: a feature must be a number from 1 to {MOST_FEATURES}, given once, a "
                f"colon and a finite value; got {cell(text)!r}"
            )
        features[number] = feature
    return features
