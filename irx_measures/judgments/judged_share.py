"""How much of a run is judged, which shows whether its ids are those of the qrels."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

import numpy as np

from ..common.writing import EXAMPLES, some, told_apart
from .judged_run import JudgedRun
from .ranking import TOP

# Shares of the top, a choice: runs that took part in the pooling are judged down to its depth, and
# runs that did not share many documents with them. Fewer than one of a hundred is another
# collection, or other ids.
FEW, MANY = 0.01, 0.5

SAME_IDS = "do both have the same kind of document ids?"


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
        ids = self.ids if any(self.ids) else other.ids
        return JudgedShare(
            self.returned + other.returned,
            self.judged + other.judged,
            self.top + other.top,
            self.judged_in_top + other.judged_in_top,
            ids,
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


def likewise(labels: Sequence[str]) -> str:
    """The runs about which the same is said as about another; empty without any."""
    return f"; likewise {some(labels, EXAMPLES - 1, 'run')}" if labels else ""


def hardly_judged(
    shares: Mapping[str, JudgedShare], beside: Sequence[JudgedShare] = ()
) -> dict[str, JudgedShare]:
    """The runs whose document ids may not be those of the qrels, by label.

    They are also compared with the runs `beside` them.
    """
    some_have_many = any(share.has_many for share in (*shares.values(), *beside))
    return {
        label: share
        for label, share in shares.items()
        if share.has_none or (some_have_many and share.has_few)
    }


def why_hardly(hardly: Mapping[str, JudgedShare]) -> Iterator[str]:
    """What to say of runs that are hardly judged: one sentence, or nothing without runs."""
    if not hardly:
        return
    first, *others = hardly
    share = hardly[first]
    if share.has_none:
        why = f"no judged document: {other_ids(share)}"
    else:
        why = (
            f"{share.judged_in_top} judged documents among the {share.top} of its top {TOP}, "
            f"where another run has most of them judged; {SAME_IDS}"
        )
    yield f"{first} has {why}{likewise(others)}"


def other_ids(share: JudgedShare) -> str:
    """The ids of which no document is judged, beside those of the qrels."""
    of_run, of_qrels = share.ids
    of_run, of_qrels = told_apart([of_run, of_qrels])
    return f"it returns {of_run} where the qrels judge {of_qrels}; {SAME_IDS}"
