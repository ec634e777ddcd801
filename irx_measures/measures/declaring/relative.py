"""Measures that compare a run with other runs, and the selection of those runs."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from ...common.numeric import FloatArray, IntArray
from ...common.validators import Allowed, choice, flag
from ...exceptions import InputError
from ...io.table import run_label
from ...judgments.judged_run import JudgedRun
from ...judgments.judged_share import JudgedShare, hardly_judged, why_hardly
from ...runsets import caches
from ...runsets.judged_set import JudgedSet
from ...runsets.registry import OTHERS, KnownName, keep_known, labelled, resolve
from ...runsets.runset import RunSet
from .base import Measure
from .doubt import Doubt
from .params import Param

BEST_PER_GROUP = "best-per-group"

SELECTIONS = ("all", "other-groups", BEST_PER_GROUP, "earlier")

OWN_PRIOR = "it is its own only prior"  # why a run has no score, where other runs have one


def _runs(value: Any) -> Any:
    if value is None:
        return None
    if isinstance(value, RunSet):
        return keep_known(value)
    if isinstance(value, str):
        if not value.strip():
            raise ValueError(value)
        name = value if isinstance(value, KnownName) else str(value)
        return labelled(value) or name
    try:
        return keep_known(RunSet(value))
    except (TypeError, OSError) as error:
        raise ValueError(error) from None


RUNS = Allowed(
    "be None, a set of runs or the name of one",
    _runs,
    "a set of runs or the name of one",
    "RunsLike",
    or_none=True,
)

PRIOR = Param(
    RUNS,
    None,
    "The prior runs: a `RunSet`, a run, a list or dict of runs, or a name: ``others`` (the systems "
    "under comparison), the name of one of them, a registered set, a file or glob, an ``irds:`` "
    "id; ``a+b`` joins sets.",
)

SELECT = Param(
    choice(*SELECTIONS),
    "all",
    "The prior runs that count. 'all': all prior runs. 'other-groups': the runs of other groups. "
    "'best-per-group': from each other group, the run with the highest mean base score. 'earlier': "
    "the runs before the evaluated run in the set's order. All options except 'all' need the "
    "evaluated run in the set. 'other-groups' and 'best-per-group' need groups.",
)

EXCLUDE_SELF = Param(
    flag(), True, "Whether to exclude the evaluated run if it is among the priors."
)


@dataclass(frozen=True)
class Selection:
    """The prior runs that count for each run of a set."""

    members: IntArray  # (members,): the runs that count for at least one run
    block: IntArray  # (members,): those of one block are excluded together
    blocks: int  # the number of blocks
    left_out: IntArray  # (runs,): the block that is excluded for a run; `blocks`: none is
    earlier: bool = False  # whether only members before a run count

    def against(self, position: int | None) -> IntArray:
        """The priors that count for a run. All members count for a run outside the set."""
        if position is None:
            return self.members
        if self.earlier:
            return self.members[self.members < position]
        return self.members[self.block != self.left_out[position]]


class RelativeMeasure(Measure):
    """A measure that compares a run with a set of runs."""

    ADDS = True
    RUNS_PARAM: ClassVar[str] = "prior"  # the parameter that names the set

    @property
    def runset(self) -> RunSet | None:
        """The set of runs that the measure refers to."""
        return resolved(self, self.RUNS_PARAM)

    @property
    def depths_of_set(self) -> tuple[int | None, ...]:
        return () if self.runset is None else (self["cutoff"],)

    def judged_set(self, runset: RunSet, judged: JudgedRun) -> JudgedSet:
        """The set of runs with the judgments of a run."""
        by_content = judged.name is None or not runset.named
        with errors_about(self, f"`{self.RUNS_PARAM}`"):
            if by_content:
                return caches.judged(runset, judged.judgments, self["cutoff"])
            return caches.judged(runset, judged.judgments)

    @property
    def of_others(self) -> bool:
        """Whether the set is the systems under comparison, so that all can be scored at once."""
        return bool(self[self.RUNS_PARAM] == OTHERS)

    @property
    def of_all_queries(self) -> bool:
        return self.params.get("select") == BEST_PER_GROUP

    def doubts(self, judged: JudgedRun) -> Iterator[Doubt]:
        # `others` are scored themselves. A part of the queries does not show how much is judged.
        runset = None if self.of_others or judged.judgments.is_part else self.runset
        if runset is not None:
            judged_set = self.judged_set(runset, judged)
            labels = [f"`{self.RUNS_PARAM}`: {run_label(name)}" for name in judged_set.names]
            shares = dict(zip(labels, judged_set.shares, strict=True))
            for text in why_hardly(hardly_judged(shares, [JudgedShare.of(judged)])):
                yield Doubt(text, of_run=False)

    def score_set(self, judged_set: JudgedSet) -> FloatArray:
        """Scores of all runs of the set under comparison at once: (runs, queries).

        They are NaN if the measure `is_undefined` for the only run of the set.
        """
        raise NotImplementedError

    def doubts_of_set(self, judged_set: JudgedSet) -> Iterator[tuple[int, Doubt]]:
        """Doubts about runs of the set under comparison, each with the position of its run."""
        yield from ()


class PriorMeasure(RelativeMeasure):
    """A relative measure whose set of runs are the priors of the evaluated run.

    A run that is its own only prior has no score, because no other run remains to compare it with.
    If a run has no prior for another reason, its scores are those of the base measure.
    """

    @property
    def without_prior(self) -> str:
        """The scores if no prior counts. This text completes "the scores are ..."."""
        return f"those of {self.base_name}"

    @property
    def base_name(self) -> str:
        """The base measure as tables write it: nDCG@10."""
        at = "" if self["cutoff"] is None else f"@{self['cutoff']}"
        return f"{self['base']}{at}"

    def is_undefined(self, judged: JudgedRun) -> bool:
        runset = self.runset
        return runset is not None and len(runset) == 1 and not self._has_prior(judged, runset)

    def doubts(self, judged: JudgedRun) -> Iterator[Doubt]:
        yield from super().doubts(judged)
        runset = self.runset
        if runset is None:
            text = (
                f"without a prior (`prior`) the scores are {self.without_prior}; for the other "
                f"runs as priors write prior={OTHERS}, as in NRG(prior={OTHERS})@10"
            )
            yield Doubt(text, of_run=False)
        elif not self._has_prior(judged, runset):
            yield self._doubt_without_prior(len(runset))

    def doubts_of_set(self, judged_set: JudgedSet) -> Iterator[tuple[int, Doubt]]:
        for position in self._runs_without_prior(judged_set):
            yield position, self._doubt_without_prior(len(judged_set))

    def _has_prior(self, judged: JudgedRun, runset: RunSet) -> bool:
        if len(runset) > 1 and self["select"] == "all":
            return True
        return len(self.counted(judged, runset, self.judged_set(runset, judged))) > 0

    def _runs_without_prior(self, judged_set: JudgedSet) -> list[int]:
        selection = self.select(judged_set)
        return [run for run in range(len(judged_set)) if not len(selection.against(run))]

    def _doubt_without_prior(self, runs: int) -> Doubt:
        if runs == 1:
            return Doubt(f"{OWN_PRIOR}, so it has no score")
        return Doubt(f"no prior counts, so the scores are {self.without_prior}")

    def select(self, judged_set: JudgedSet) -> Selection:
        """The priors that count for each run, by `select` and `exclude_self`."""
        runs = np.arange(len(judged_set))
        mode = self["select"]
        if mode == "all":
            left_out = runs if self["exclude_self"] else np.full(len(runs), len(runs))
            return Selection(runs, runs, len(runs), left_out)
        if mode == "earlier":
            return Selection(runs, runs, len(runs), runs, earlier=True)
        group = self._groups(judged_set)
        blocks = int(group.max()) + 1
        if mode == "other-groups":
            return Selection(runs, group, blocks, group)
        mean = self.base_scores(judged_set).mean(axis=1)
        best = np.array(
            [np.where(group == number, mean, -np.inf).argmax() for number in range(blocks)]
        )
        return Selection(best, group[best], blocks, group)

    def scores_given_each(self, judged_set: JudgedSet) -> Iterator[FloatArray]:
        """Yield, for each run as the only prior, the scores of all runs: (runs, queries)."""
        raise NotImplementedError

    def base_scores(self, judged_set: JudgedSet) -> FloatArray:
        """Scores without priors, which decide the best run of a group: (runs, queries)."""
        raise NotImplementedError

    def priors(self, judged: JudgedRun) -> tuple[JudgedSet, IntArray] | None:
        """The set of prior runs, and those that count; None if none counts."""
        runset = self.runset
        if runset is None:
            return None
        judged_set = self.judged_set(runset, judged)
        counted = self.counted(judged, runset, judged_set)
        return (judged_set, counted) if len(counted) else None

    def counted(self, judged: JudgedRun, runset: RunSet, judged_set: JudgedSet) -> IntArray:
        """The runs of the set that count as priors of a run."""
        position = position_in(runset, judged, self["cutoff"])
        if position is None and self["select"] != "all":
            raise InputError(
                f"{self.NAME}: select={self['select']!r} needs the evaluated run in the set "
                f"{judged_set.name!r}, and it is not there"
            )
        return self.select(judged_set).against(position)

    def _groups(self, judged_set: JudgedSet) -> NDArray[np.int64]:
        groups = judged_set.groups
        if groups is None:
            raise InputError(
                f"{self.NAME}: select={self['select']!r} needs groups, and the set "
                f"{judged_set.name!r} has none (`groups=` gives them)"
            )
        number = {group: number for number, group in enumerate(dict.fromkeys(groups))}
        return np.array([number[group] for group in groups])


def position_in(runset: RunSet, judged: JudgedRun, depth: int | None) -> int | None:
    """The position of a run in a set: by name if known, else by its ranking down to a depth."""
    if judged.name is not None and runset.named:
        return runset.names.index(judged.name) if judged.name in runset.names else None
    judged_set = caches.judged(runset, judged.judgments, depth)
    return judged_set.position_by_content(judged, runset, depth)


def resolved(measure: Measure, name: str) -> RunSet | None:
    """The set that a parameter refers to; an error names the parameter."""
    with errors_about(measure, f"`{name}`"):
        return None if measure[name] is None else resolve(measure[name])


@contextmanager
def errors_about(measure: Measure, part: str) -> Iterator[None]:
    """A context whose errors about input name the measure and a part of it."""
    try:
        yield
    except InputError as error:
        raise InputError(f"{measure.NAME}: {part}: {error}") from None
