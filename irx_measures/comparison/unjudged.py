"""Differences of systems if unjudged documents had grades: P(A > B), and intervals."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import ir_measures
import numpy as np

from ..common.numeric import FloatArray
from ..common.validators import choice, generator, optional
from ..exceptions import InputError
from ..io.table import Table
from ..measures.base import Measure
from ..measures.bootstrap import Boot, BootNDCG, tilted_scores
from ..measures.learned import LEARNED
from ..runsets.runset import RunSet
from ..stats.resampling import topic_counts
from .hypotheses import Hypotheses

UNJUDGED = optional(choice(LEARNED))

WORLDS = 1000  # P(A > B) then has a standard error of at most .016

KNOWN = "nDCG@k, AP@k, P@k, RBP@k, and BootNDCG and Boot with prior='learned'"

WORLDS_TEXT = (
    "The tests and their intervals take unjudged documents as not relevant; the probabilities draw "
    "their grades from the learned prior, and resample the topics"
)


@dataclass(frozen=True, eq=False)
class WorldMeans:
    """Means of the systems over resampled topics in worlds in which every document has a grade.

    A sample has its own topics and its own world, which are the same for all systems.

    Attributes
    ----------
    systems : tuple of str
    means : dict from a measure to (systems, samples) floats
    """

    systems: tuple[str, ...]
    means: dict[ir_measures.Measure, FloatArray]

    @classmethod
    def of(
        cls,
        runset: RunSet,
        qrels: Table,
        measures: Sequence[ir_measures.Measure],
        seed: int,
        progress: bool | None = None,
    ) -> WorldMeans:
        """Score the runs in tilted worlds, and resample the topics; `progress` as in `compare`.

        Raises
        ------
        InputError
            When a measure has no scores in worlds.
        """
        filling = {measure: filling_measure(measure, seed) for measure in measures}
        return cls(
            runset.names,
            {
                measure: _means(tilted_scores(boot, runset, qrels, progress), seed)
                for measure, boot in filling.items()
            },
        )

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, WorldMeans):
            return NotImplemented
        same = self.systems == other.systems and self.means.keys() == other.means.keys()
        return same and all(np.array_equal(self.means[key], other.means[key]) for key in self.means)

    def p_best(self, hypotheses: Hypotheses) -> FloatArray:
        """The probability that each system's mean is the best: (systems,); ties share a sample."""
        place = [self.systems.index(name) for name in hypotheses.systems]
        # Equal grades may be added in another order.
        gain = hypotheses.direction * self.means[hypotheses.measure][place].round(12)
        is_best = gain == gain.max(axis=0)
        return np.asarray((is_best / is_best.sum(axis=0)).mean(axis=1))

    def differences(self, hypotheses: Hypotheses, level: float) -> dict[str, FloatArray]:
        """What every pair's systems differ by, by the columns of `Comparison.to_frame`.

        - p_better: the share of samples in which the first system's mean is higher; ties count half
        - lower_unjudged, upper_unjudged: interval of the difference of the means
        """
        position = [self.systems.index(name) for name in hypotheses.systems]
        means = self.means[hypotheses.measure][position]
        p_better, ends = np.empty(len(hypotheses.pairs.first)), []
        for block, pairs in hypotheses.pairs.blocks(means.shape[1]):
            difference = pairs.differences(means)
            # Equal grades may be added in another order.
            p_better[block] = (1 + np.sign(difference.round(12)).mean(axis=1)) / 2
            ends.append(np.quantile(difference, ((1 - level) / 2, (1 + level) / 2), axis=1))
        lower, upper = np.concatenate(ends, axis=1)
        return {"p_better": p_better, "lower_unjudged": lower, "upper_unjudged": upper}


def filling_measure(measure: ir_measures.Measure, seed: int) -> Any:
    """The measure whose scores in worlds are those of a measure; InputError if there is none."""
    if isinstance(measure, (type(BootNDCG), type(Boot))) and measure["prior"] == LEARNED:
        return measure
    base = None if isinstance(measure, Measure) else BASES.get(type(measure))
    given = {} if base is None else dict(measure.params)
    cutoff, params = given.pop("cutoff", None), {}
    if given.get("judged_only") is False:
        del given["judged_only"]
    for name in ("dcg", "rel", "p"):
        if name in given:
            params["phi" if name == "p" else name] = given.pop(name)
    if base is None or cutoff is None or given:
        raise InputError(
            f"unjudged='learned' compares {KNOWN}, without other options; got {measure}"
        )
    boot = Boot(base=base, prior=LEARNED, b=WORLDS, seed=seed, cutoff=cutoff, **params)
    boot.validate_params()
    return boot


BASES = {
    type(ir_measures.nDCG): "nDCG",
    type(ir_measures.AP): "AP",
    type(ir_measures.P): "P",
    type(ir_measures.RBP): "RBP",
}


def _means(of_runs: Iterable[FloatArray], seed: int) -> FloatArray:
    weight: FloatArray | None = None
    means = []
    for scores in of_runs:
        if weight is None:  # the same topics for all systems
            weight = _topic_weights(scores.shape[0], scores.shape[1], seed)
        means.append(np.einsum("qw,qw->w", scores, weight))
    return np.array(means)


def _topic_weights(topics: int, samples: int, seed: int) -> FloatArray:
    """The share of each topic in topics drawn with replacement: (topics, samples)."""
    return topic_counts(topics, samples, generator(seed)).T / topics
