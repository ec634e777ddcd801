"""Whether the ids of a run are those of the qrels: how much is judged, and how ids are spelled."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

import numpy as np

from ..io.identifiers import Names, plain
from .judged_run import JudgedRun

TOP = 10  # ranks: pools are at least as deep

# Shares of the top, a choice: runs that took part in the pooling are judged down to its depth, and
# runs that did not share many documents with them. Fewer than one of a hundred is another
# collection, or other ids.
FEW, MANY = 0.01, 0.5


class JudgedShare(NamedTuple):
    """How much of a run is judged, over the queries that have judged documents."""

    returned: int  # number of documents
    judged: int  # how many of them are judged
    top: int  # number of documents down to rank 10
    judged_in_top: int  # how many of those are judged
    # A document of the run and one of the qrels for the same query, if no document is judged.
    ids: tuple[str, str] = ("", "")

    @classmethod
    def of(cls, run: JudgedRun) -> JudgedShare:
        """The share of a run; computed only once."""
        return run.derived("judged share", lambda: _share(run))

    def plus(self, other: JudgedShare) -> JudgedShare:
        """The share of a run over two parts of the queries."""
        return JudgedShare(
            self.returned + other.returned,
            self.judged + other.judged,
            self.top + other.top,
            self.judged_in_top + other.judged_in_top,
            self.ids if any(self.ids) else other.ids,
        )

    @property
    def has_none(self) -> bool:
        """Whether no document is judged, although documents were returned."""
        return self.returned > 0 and not self.judged

    @property
    def has_few(self) -> bool:
        """Whether hardly any document of the top is judged."""
        return self.judged_in_top < FEW * self.top

    @property
    def has_many(self) -> bool:
        """Whether most documents of the top are judged."""
        return self.judged_in_top > MANY * self.top


def _share(run: JudgedRun) -> JudgedShare:
    returned = np.where(run.judgments.judged > 0, run.returned, 0)
    share = JudgedShare(
        int(returned.sum()),
        int(np.count_nonzero(run.rank)),
        int(np.minimum(returned, TOP).sum()),
        int(np.count_nonzero((run.rank > 0) & (run.rank <= TOP))),
    )
    if not share.has_none:
        return share
    row = int(np.argmax(returned > 0))
    return share._replace(ids=(run.top_documents(1)[row][0], run.judgments.ids_of(row)[0]))


def spelled_otherwise(judged: JudgedRun) -> str:
    """What to say of a run of which some ids match the qrels' in another spelling only.

    A spreadsheet reads 007 as 7, and some file systems and editors write é as e and an accent.
    Where all ids differ so, nothing matches, which is an error already; where some do, scores are
    too low.
    """
    judgments, first = judged.judgments, judged.head.rows
    missed = [judgments.query_ids[row] for row in np.flatnonzero(judged.returned == 0).tolist()]
    if 0 < len(missed) < len(judgments.query_ids):
        lacking = Names(missed)
        # To know all queries, the run is read; most need not be.
        queries = judged.query_ids if lacking.spellings else [query for query, _ in first]
        found = _first(queries, lacking, judgments.query_index)
        if found:
            return f"has query {found}"
    docs, index = [doc for _, doc in first], judgments.doc_index
    found = _first(docs, index, index) if judged.rank.any() else ""
    return found and f"has document {found}"


def _first(names: Iterable[str], wanted: Names, known: Names) -> str:
    """The first name that is not known, and is wanted in another spelling."""
    if not wanted.spellings:  # then a name must be written otherwise to be meant
        names = [name for name in names if name[:1] == "0" or not name.isascii()]
    for name in names:
        short = plain(name)
        other = wanted.spellings.get(short)
        if other is None and short != name and short in wanted.number:
            other = short
        if other is not None and name not in known.number:
            return (
                f"{name!a} where the qrels have {other!a}: ids must be equal, with leading zeros "
                "and in one form of Unicode"
            )
    return ""
