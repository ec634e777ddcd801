"""Intervals of the means of systems with a learned prior, calibrated on groups left out.

The errors on one system's unjudged documents do not average out, and its tilt has to be guessed.
How wrong means can be is shown by the groups that were pooled: each is left out once, and the means
of its systems are estimated as if it had not been pooled.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from ..common.numeric import FloatArray, Int64Array
from ..common.warn import warn
from ..io.table import Table
from ..judgments.judged_run import JudgedRun
from ..judgments.judgments import Judgments
from ..runsets.judged_set import judge_each
from ..runsets.registry import scope
from ..runsets.runset import RunSet
from .learned import Learned
from .ndcg_bound import nDCGBound

if TYPE_CHECKING:  # every import of the package would pay for models, which few use
    from ..unjudged.cross_validation import CrossValidation

# A choice: the 90% quantile of the errors of fewer groups would be their largest, and too often too
# small.
FEWEST_GROUPS = 6


@dataclass(frozen=True)
class LeftOutErrors:
    """The errors of the means of systems whose group was left out."""

    error: FloatArray  # (systems,), absolute
    spread: FloatArray  # (systems,): the deviation of each mean over tilted worlds, above 0
    group: Int64Array  # (systems,)

    @property
    def groups(self) -> int:
        """The number of groups."""
        return len(np.unique(self.group))

    def half_width(self, spread: float, level: float) -> float:
        """Half the width of the interval of a mean with a given spread over tilted worlds.

        Each group has the same weight in the quantile q of `mean_intervals`.
        """
        mean = self.spread.mean()
        score = self.error / np.sqrt(self.spread * mean)
        order = np.argsort(score)
        _, member, size = np.unique(self.group, return_inverse=True, return_counts=True)
        share = np.cumsum((1 / (len(size) * size[member]))[order])
        # Sums of shares are rounded: 1e-9 keeps the error at which `level` is just reached.
        last = min(int(np.searchsorted(share, level - 1e-9)), len(order) - 1)
        return float(score[order[last]] * np.sqrt(spread * mean))


def mean_intervals(
    measure: Any,
    qrels: Table,
    runset: RunSet,
    level: float,
    progress: bool | None = False,
) -> FloatArray:
    """Intervals of the systems' means over topics on BootNDCG or Boot with ``prior='learned'``.

    Leave out each group of the training runs, and score its systems. The score of an error is
    ``|error| / sqrt(spread x mean spread)``, in which the spread of a system is the standard
    deviation of its mean over tilted worlds. The interval is ``mean +- q sqrt(spread x mean
    spread)``, in which q is the quantile `level` of these scores (cross-conformal prediction).

    The result is (2, systems).

    - There is no guarantee for finite samples: 11 groups are few. Leaving out one group at a time,
      90% intervals held .86 of the means on TREC DL 2019 and .89 on TREC-8.
    - With fewer than 6 groups, the interval is the central share of the tilted worlds; a warning
      says so.
    - No group shows the errors of a run of which less is judged than of those that the prior
      learned from. Its interval goes from the score without unjudged documents to the upper bound.
    """
    with scope(runset):
        ends = [
            _interval(measure, judged, level)
            for judged in judge_each(runset, Judgments(qrels), progress)
        ]
    return np.transpose(ends)


def _interval(measure: Any, judged: JudgedRun, level: float) -> tuple[float, float]:
    prior = Learned(measure, judged)
    means = measure.scores_in(prior.worlds(tilted=True), prior.position).mean(axis=0)
    lowest, highest = _bounds(measure, judged)
    if prior.is_outside:
        return float(measure.as_judged(prior.pooled, prior.position).mean()), highest
    errors = prior.once(
        prior.training,
        ("left-out errors", str(measure(stat="mean"))),
        lambda: left_out_errors(measure, prior.validation),
    )
    if errors.groups < FEWEST_GROUPS:
        lower, upper = np.quantile(means, ((1 - level) / 2, (1 + level) / 2))
        return float(lower), float(upper)
    half = errors.half_width(float(means.std()), level)
    return max(lowest, float(means.mean()) - half), min(highest, float(means.mean()) + half)


def _bounds(measure: Any, judged: JudgedRun) -> tuple[float, float]:
    """The lowest and the highest mean over all grades of unjudged documents."""
    if measure.base != "nDCG":
        return 0.0, 1.0
    bound = nDCGBound(kind="guaranteed", dcg=measure["dcg"], cutoff=measure["cutoff"])
    lower, upper = bound(bound="lower"), bound(bound="upper")
    return float(lower.score(judged).mean()), float(upper.score(judged).mean())


def left_out_errors(measure: Any, validation: CrossValidation) -> LeftOutErrors:
    """Leave out each group once, and score its systems."""
    groups = validation.groups if len(validation.groups) >= FEWEST_GROUPS else []
    rows = [row for group in groups for row in _errors_of(measure, validation, group)]
    error, spread, group = np.array(rows).reshape(-1, 3).T
    found = LeftOutErrors(error, spread, group.astype(np.int64))
    if found.groups < FEWEST_GROUPS:
        warn(
            f"the intervals of {measure} over missing judgments are not calibrated: fewer than "
            f"{FEWEST_GROUPS} groups of runs show how wrong means are; they hold the true mean "
            "less often than their level says"
        )
    return found


def _errors_of(
    measure: Any, validation: CrossValidation, group: int
) -> Iterator[tuple[float, float, int]]:
    """The error and the spread of the mean of each run of a group that is left out."""
    from ..unjudged.worlds import Worlds

    full, cutoff = validation.pooled, measure["cutoff"]
    pooled, entries, probability = validation.without(group, cutoff)
    worlds = Worlds.of(
        pooled, entries, probability, cutoff, measure["b"], measure["seed"], validation.tilt
    )
    for run in np.flatnonzero(full.group_of_run == group).tolist():
        known = full.fully_judged(run, cutoff)
        means = measure.scores_in(worlds, run)[known].mean(axis=0) if known.any() else np.zeros(1)
        if means.std() > 0:
            truth = measure.as_judged(full, run)[known].mean()
            yield abs(float(means.mean() - truth)), float(means.std()), group
