"""The runs of a set, joined with judgments."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from typing import Any, TypeVar

import numpy as np

from ..common.numeric import Int64Array, IntArray
from ..common.progress import with_bar
from ..judgments.judged_run import JudgedRun
from ..judgments.judged_share import JudgedShare
from ..judgments.judgments import Judgments
from ..kernels.user_models import RankEntries, nonzero_ranks, truncate_ranks
from .runset import RunSet

# Results of a kind per set, such as the ranks down to a depth. A choice: measures of one call share
# a few, and each may take MBs.
CACHED = 8
SHORT = np.uint16  # for ranks: few runs are deeper

Value = TypeVar("Value")


def kept(
    cache: dict[Hashable, Any], key: Hashable, make: Callable[[], Value], most: int = CACHED
) -> Value:
    """The value of a key, not None; made if the cache does not have it. The newest ones stay."""
    value: Value | None = cache.get(key)
    if value is None:
        value = cache[key] = make()
        while len(cache) > most:
            cache.pop(next(iter(cache)), None)
    return value


def judge_each(
    runset: RunSet,
    judgments: Judgments,
    progress: bool | None = False,
    depths: Sequence[int | None] = (),
) -> Iterator[JudgedRun]:
    """Judge every run of a set, with a progress bar; see `JudgedRun`."""
    for name, source in with_bar(runset.named_sources, "run", progress):
        yield JudgedRun(judgments, source, name, depths)


class JudgedSet:
    """A set of runs joined with judgments; it does not hold the runs.

    Results derived from the ranks are cached: see `derived` and `position_by_content`. So all runs
    are added before the first result is asked for.

    The attributes `name`, `names`, `groups` and `named` are those of the RunSet, of which nothing
    else stays. `rank`, (runs, queries, documents) ints, is the rank of each document of positive
    grade in each run; 0 if the run did not return the document. These documents are the first
    columns of the judgments. `add` fills it if it is not given. `shares` says how much of each run
    is judged, in a set of which every run was added.
    """

    def __init__(self, runset: RunSet, judgments: Judgments, rank: IntArray | None = None) -> None:
        self.name, self.named = runset.name, runset.named
        self.names, self.groups = runset.names, runset.groups
        self.judgments = judgments
        shape = len(runset), len(judgments.query_ids), judgments.positives
        self.rank = np.zeros(shape, SHORT) if rank is None else rank
        self.shares: list[JudgedShare] = []
        # Digests of rankings, by position and depth.
        self._tops: dict[tuple[int, int | None], str] = {}
        self._derived: dict[Hashable, Any] = {}

    def add(self, position: int, judged: JudgedRun) -> None:
        """Keep the ranks and the share of one run; a run that is too deep widens the array."""
        if judged.returned.max(initial=0) > np.iinfo(self.rank.dtype).max:
            self.rank = self.rank.astype(np.int32)
        self.rank[position] = judged.rank[:, : self.judgments.positives]
        self.shares.append(JudgedShare.of(judged))

    @classmethod
    def of(cls, runset: RunSet, judgments: Judgments, depths: Iterable[int | None]) -> JudgedSet:
        """Read and judge all runs of a set.

        At `depths`, a run may later be recognised by its ranking: digests are computed now.
        """
        noted = tuple(depths)
        judged_set = cls(runset, judgments)
        for position, judged in enumerate(judge_each(runset, judgments, depths=noted)):
            judged_set.add(position, judged)
            for depth in noted:
                judged_set._tops[position, depth] = judged.top_digest(depth)
        return judged_set

    def __len__(self) -> int:
        return len(self.names)

    def derived(self, key: Hashable, make: Callable[[], Value]) -> Value:
        """A result that depends only on this set, such as its scores; recent results are cached."""
        return kept(self._derived, key, make)

    def rank_entries(self, depth: int | None) -> RankEntries:
        """The documents that the runs returned down to a rank."""
        return self.derived(
            ("rank entries", depth), lambda: nonzero_ranks(truncate_ranks(self.rank, depth))
        )

    def finders(self, depth: int | None) -> IntArray:
        """How many runs returned each document down to a rank: (queries, documents)."""
        return self.derived(
            ("finders", depth), lambda: np.count_nonzero(truncate_ranks(self.rank, depth), axis=0)
        )

    def subset(self, runset: RunSet, positions: Int64Array) -> JudgedSet:
        """Some of the runs of the set that was judged."""
        return JudgedSet(runset.subset(positions), self.judgments, self.rank[positions])

    def position_by_content(
        self, judged: JudgedRun, runset: RunSet, depth: int | None
    ) -> int | None:
        """The first run whose rankings equal a given run's down to `depth`, or None.

        A run of the set is read if the digest of its ranking was not computed yet.
        """
        key = "position", self, depth
        return judged.derived(key, lambda: self._position(judged, runset, depth))

    def _position(self, judged: JudgedRun, runset: RunSet, depth: int | None) -> int | None:
        rank = truncate_ranks(judged.rank[:, : self.judgments.positives], depth)
        alike = (truncate_ranks(self.rank, depth) == rank).all(axis=(1, 2))
        for position in np.flatnonzero(alike).tolist():
            if (position, depth) not in self._tops:
                member = JudgedRun(self.judgments, runset.source(position), depths=[depth])
                self._tops[position, depth] = member.top_digest(depth)
            if self._tops[position, depth] == judged.top_digest(depth):
                return position
        return None
