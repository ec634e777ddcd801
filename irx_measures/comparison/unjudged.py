"""Differences of systems if unjudged documents had grades: P(A > B), and intervals."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeAlias

import ir_measures
import numpy as np

from ..common.numeric import FloatArray
from ..common.validators import choice, generator, optional
from ..exceptions import InputError
from ..io.table import Table
from ..measures.bootstrap import Boot, BootNDCG, tilted_scores
from ..measures.declaring.base import Measure
from ..measures.learned import LEARNED
from ..results.column import Declared
from ..runsets.runset import RunSet
from ..stats.pairs import Pairs, noise_of
from ..stats.resampling import topic_counts

# Means of the systems in worlds in which every document has a grade: (systems, samples).
Worlds: TypeAlias = dict[ir_measures.Measure, FloatArray]

UNJUDGED = optional(choice(LEARNED))

WORLDS = 1000  # P(A > B) then has a standard error of at most .016

KNOWN = "nDCG@k, AP@k, P@k, RBP@k, and BootNDCG and Boot with prior='learned'"

WORLDS_TEXT = (
    "The tests and their intervals take unjudged documents as not relevant; the probabilities draw "
    "their grades from the learned prior, and resample the topics"
)

WITH_WORLDS = "With ``unjudged='learned'`` also"  # results with the probabilities

OF_WORLDS = (
    Declared(
        "p_better",
        "P(A > B), the probability that the system's mean is higher, over the choice of topics and "
        "the grades of unjudged documents",
        WITH_WORLDS,
    ),
    Declared(
        "lower_unjudged",
        "lower end of the interval of the difference, which counts both; it has no correction",
        WITH_WORLDS,
    ),
    Declared("upper_unjudged", "upper end of this interval", WITH_WORLDS),
)
"""The columns of `world_differences`."""

P_BETTER = (
    "P(A>B): probability that the system has the higher mean, over the choice of topics and the "
    "grades of unjudged documents (learned prior); not corrected."
)

BASES = {
    type(ir_measures.nDCG): "nDCG",
    type(ir_measures.AP): "AP",
    type(ir_measures.P): "P",
    type(ir_measures.RBP): "RBP",
}

IN_BOOT = {"cutoff": "cutoff", "dcg": "dcg", "rel": "rel", "p": "phi"}
"""The parameters of these measures, and what Boot calls them."""


def world_means(
    qrels: Table,
    runset: RunSet,
    measures: Sequence[ir_measures.Measure],
    seed: int,
    progress: bool | None = None,
) -> Worlds:
    """Means of the systems over resampled topics in worlds in which every document has a grade.

    A sample has its own topics and its own (tilted) world, which are the same for all systems. A
    measure that has no scores in worlds is an InputError.
    """
    filling = {measure: filling_measure(measure, seed) for measure in measures}
    means: Worlds = {}
    for measure, boot in filling.items():
        of_systems: list[FloatArray] = []
        for scores in tilted_scores(boot, qrels, runset, progress):
            if not of_systems:  # the same topics for all systems
                topics, samples = scores.shape
                weight = topic_counts(topics, samples, generator(seed)).T / topics
            of_systems.append(np.einsum("qw,qw->w", scores, weight))
        means[measure] = np.array(of_systems)
    return means


def world_differences(means: FloatArray, pairs: Pairs, level: float) -> dict[str, FloatArray]:
    """What every pair's systems differ by, from their means, (systems, samples).

    - p_better: the share of samples in which the first system's mean is higher; ties count half
    - lower_unjudged, upper_unjudged: interval of the difference of the means
    """
    p_better, ends = np.empty(len(pairs.first)), []
    noise = noise_of(means)  # equal grades may be added in another order
    tails = (1 - level) / 2, (1 + level) / 2
    for block, in_block in pairs.blocks(means.shape[1]):
        difference = in_block.differences(means, noise)
        p_better[block] = (1 + np.sign(difference).mean(axis=1)) / 2
        ends.append(np.quantile(difference, tails, axis=1))
    lower, upper = np.concatenate(ends, axis=1)
    return {"p_better": p_better, "lower_unjudged": lower, "upper_unjudged": upper}


def filling_measure(measure: ir_measures.Measure, seed: int) -> Any:
    """The measure whose scores in worlds are those of a measure; InputError if there is none."""
    if isinstance(measure, (type(BootNDCG), type(Boot))) and measure["prior"] == LEARNED:
        return measure
    params = _boot_params(measure)
    if params is None:
        raise InputError(
            f"`unjudged='learned'` compares {KNOWN}, without other options; got {measure}"
        )
    boot = Boot(prior=LEARNED, b=WORLDS, seed=seed, **params)
    boot.validate_params()
    return boot


def _boot_params(measure: ir_measures.Measure) -> dict[str, Any] | None:
    """The parameters by which Boot scores as a measure does; None if it cannot."""
    base = None if isinstance(measure, Measure) else BASES.get(type(measure))
    if base is None:
        return None
    given = dict(measure.params)
    if given.get("judged_only") is False:
        del given["judged_only"]
    params = {"base": base}
    for name, in_boot in IN_BOOT.items():
        if name in given:
            params[in_boot] = given.pop(name)
    if given or params.get("cutoff") is None:
        return None
    return params
