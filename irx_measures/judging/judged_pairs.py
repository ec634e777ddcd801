"""Pairs of a query and a document that a machine judged, beside the human judgments."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from ..common.numeric import BoolArray, Int64Array
from ..exceptions import InputError
from ..io.identifiers import Ids
from ..io.table import Table
from ..io.trec import read_qrels
from ..judgments.judgments import Judgments
from ..typing import QrelsLike
from ..unjudged.pooled_runs import UNJUDGED


@dataclass(frozen=True, eq=False)
class JudgedPairs:
    """The pairs that a machine judged, in the order of its qrels.

    Attributes
    ----------
    query_ids, doc_ids : list of str
    label : (pairs,) ints
        The machine's labels; negative ones count as 0.
    grade : (pairs,) ints
        The human grades; negative ones count as 0. -1 if no human judged the pair.
    """

    query_ids: list[str]
    doc_ids: list[str]
    label: Int64Array
    grade: Int64Array

    @classmethod
    def of(cls, human: Judgments, machine: QrelsLike | Table, name: str) -> JudgedPairs:
        """Join the human judgments with those of a machine, which has this name in errors.

        Raises
        ------
        ValueError
            When no pair was judged by both, or the machine judges a document twice for a query.
        """
        columns = replace(read_qrels(machine), label=name)
        columns.refuse_duplicates(slice(None), "judges")
        query = columns.query.codes(human.query_index)
        doc = np.where(query >= 0, columns.doc.codes(human.doc_index), -1)
        row, slot = human.find(query, doc)
        if not len(row):
            raise InputError(f"{name}: no judged pair of query and document is also in the human "
                             "judgments")  # fmt: skip
        grade = np.full(len(query), UNJUDGED, np.int64)
        grade[row] = np.maximum(human.grade.ravel()[slot], 0)
        return cls(
            list(columns.query.all()), list(columns.doc.all()), np.maximum(columns.value, 0), grade
        )

    @property
    def both(self) -> BoolArray:
        """Which pairs a human judged too: (pairs,)."""
        return self.grade != UNJUDGED

    def qrels(self, grade: Int64Array) -> Table:
        """The pairs that both judged, with other grades (pairs,), as qrels."""
        rows = np.flatnonzero(self.both).tolist()
        return Table(
            Ids.of([self.query_ids[row] for row in rows]),
            Ids.of([self.doc_ids[row] for row in rows]),
            grade[rows],
        )
