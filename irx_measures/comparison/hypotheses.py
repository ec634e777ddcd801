"""Hypotheses of no difference: what the tests say of each, in columns that are declared here."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import compress
from typing import Any, NamedTuple, TypeAlias

import ir_measures
import numpy as np

from ..common.memory import ALLOWS, require_memory
from ..common.numeric import BoolArray, FloatArray, Int64Array
from ..common.writing import counted
from ..measures.naming.named_score import direction_of
from ..results.column import Declared
from ..scoring.score_matrix import ScoreMatrix
from ..stats.family import Decided, Method, Part, decide
from ..stats.intervals import t_half_width
from ..stats.pairs import Pairs, noise_of, pairs_of, without_noise
from ..stats.planning import hedges_g
from ..stats.resampling import Progress
from ..stats.strata import noise_of_groups
from ..stats.tests import moderated_variance
from .macro import OF_QUERIES, stratified
from .unjudged import OF_WORLDS

# Bytes of a pair, measured: what is kept of it on a measure, and what the tests take beside.
KEPT, WORKING = 200, 110

TOPIC = "topic"  # what each score of a system is of, but with a macro mean

FEWER_PAIRS = "`baseline` names one system with which the others are compared"

Numbers: TypeAlias = dict[str, Any]
"""By name, an array of what is known of each pair: (pairs,)."""

OF_PAIRS = (
    Declared("difference", "mean score of the system minus that of the baseline", signed=True),
    Declared(
        "lower",
        "lower end of the interval of the difference, which agrees with the correction; NaN with "
        "the correction ``bh``, which has no intervals",
        signed=True,
        opposite="upper",
    ),
    Declared("upper", "upper end of this interval", signed=True, opposite="lower"),
    Declared(
        "effect",
        "Hedges' g of the paired differences: their mean divided by their standard deviation, "
        "corrected for few topics",
        signed=True,
    ),
    Declared("p", "two-sided p-value before the correction"),
    Declared("p_adjusted", "two-sided p-value after the correction"),
    Declared(
        "wins",
        "number of topics on which the system scores better; of groups, of a macro mean",
        opposite="losses",
    ),
    Declared("ties", "number of topics on which both systems score the same"),
    Declared("losses", "number of topics on which the system scores worse", opposite="wins"),
)

HYPOTHESES = (
    Declared("system", "the system"),
    Declared(
        "baseline",
        "the system that is subtracted: the other one of the pair if no baselines were given",
    ),
    *OF_PAIRS,
    Declared("mean", "mean score of the system over topics, or macro mean"),
    Declared("baseline_mean", "the same of the baseline"),
    Declared(
        "significant",
        "whether the hypothesis of no difference is rejected: p_adjusted is at most 1 - level",
    ),
    *OF_QUERIES,
    *OF_WORLDS,
)
"""The columns of hypotheses."""

SIGNED = {each.name for each in HYPOTHESES if each.signed}
OPPOSITE = {each.name: each.opposite for each in HYPOTHESES if each.opposite}


def turned(numbers: Numbers) -> Numbers:
    """Numbers of systems minus others as those of the others minus the systems."""
    found = {}
    for name in numbers:
        values = numbers[OPPOSITE.get(name, name)]
        found[name] = -values if name in SIGNED else values
    return found


def require_hypotheses(systems: int, baselines: int, measures: int, groups: int = 1) -> None:
    """InputError if a comparison of so many systems would take more memory than is allowed.

    It is called before anything is made for the pairs.
    """
    if baselines:
        what = f"comparing {systems} systems with {counted(baselines, 'baseline')}"
        pairs, remark = baselines * systems, ALLOWS
    else:
        what = f"comparing all pairs of {systems} systems"
        pairs, remark = pairs_of(systems), f"{ALLOWS}; {FEWER_PAIRS}"
    require_memory(what, pairs * groups * (KEPT * measures + WORKING), remark)


class Asked(NamedTuple):
    """What is to be tested on a measure in a group: systems in the order of the matrix."""

    measure: ir_measures.Measure
    group: str | None
    systems: tuple[str, ...]  # those with a score
    scores: FloatArray  # (systems, topics)
    # Of a macro mean of which the queries are drawn: scores (systems, queries) of each group, the
    # means of which are `scores`.
    strata: Sequence[FloatArray]
    baselines: Sequence[str]  # of the comparison, with or without a score
    pairs: Pairs  # positions of the systems, a pair each row; two baselines have both sides
    stated: Int64Array  # the row of each hypothesis; of two sides, the first
    hypothesis: Int64Array  # of each row
    unit: str  # what each score of a system is of

    @property
    def part(self) -> Part:
        """The scores, and each hypothesis once."""
        once = Pairs(self.pairs.first[self.stated], self.pairs.second[self.stated])
        return Part(self.scores, once, self.group, self.unit)


def asked_of(
    matrices: Mapping[str | None, ScoreMatrix],
    place: int,
    baselines: Sequence[str],
    strata: Sequence[ScoreMatrix] = (),
    unit: str = TOPIC,
) -> Iterator[Asked]:
    """What is to be tested on the measure at a place, by group.

    There are no pairs if no baseline has a score.
    """
    for group, matrix in matrices.items():
        scored: BoolArray = ~matrix.undefined[place]
        systems = tuple(compress(matrix.systems, scored.tolist()))
        against = [systems.index(name) for name in baselines if name in systems]
        pairs = Pairs.against(len(systems), against) if baselines else Pairs.of(len(systems))
        means_only = bool(baselines) and not against and len(systems) > 0
        if len(pairs.first) or means_only:
            yield Asked(
                matrix.measures[place],
                group,
                systems,
                matrix.scores[place][scored],
                [part.scores[place][scored] for part in strata],
                baselines,
                pairs,
                *pairs.unordered(),
                unit,
            )


def tested(
    family: Sequence[Asked], in_family: int, method: Method, progress: Progress | None
) -> Iterator[Numbers]:
    """The numbers of all pairs of a measure, by group.

    One correction covers all `in_family` hypotheses of the groups. `progress` is called with the
    number of random samples just drawn. If no hypothesis could be rejected, whatever the scores,
    that is an InputError.
    """
    parts = [each.part for each in family if len(each.stated) and not each.strata]
    decided = iter(decide(parts, method, progress) if parts else [])
    for asked in family:
        numbers = _described(asked)
        if asked.strata:
            numbers |= stratified(asked, method)
        else:
            found = Decided(np.empty(0), np.empty(0))
            if len(asked.stated):
                found = next(decided)
            numbers["p"] = found.p[asked.hypothesis]
            numbers["p_adjusted"] = found.p_adjusted[asked.hypothesis]
            half_width = _half_width(asked, numbers["variance"], method, in_family)
            numbers["lower"] = numbers["difference"] - half_width
            numbers["upper"] = numbers["difference"] + half_width
        yield numbers


def _described(asked: Asked) -> Numbers:
    """What is said of the differences of each pair, whatever their test is."""
    noise, topics = noise_of(asked.scores), asked.scores.shape[1]
    if asked.strata:
        noise = noise_of_groups(asked.strata)
    direction = direction_of(asked.measure)
    parts = []
    for _, in_block in [*asked.pairs.blocks(topics)] or [(slice(0), asked.pairs)]:
        difference = in_block.differences(asked.scores, noise)
        wins = np.count_nonzero(direction * difference > 0, axis=1)
        ties = np.count_nonzero(difference == 0, axis=1)
        effect = np.full(len(difference), np.nan)  # strata have their own
        if not asked.strata:
            effect = hedges_g(difference)
        parts.append(
            {
                "difference": without_noise(difference.mean(axis=1), noise),
                "effect": effect,
                "variance": difference.var(axis=1, ddof=1),
                "wins": wins,
                "ties": ties,
                "losses": topics - wins - ties,
            }
        )
    return {name: np.concatenate([part[name] for part in parts]) for name in parts[0]}


def _half_width(asked: Asked, variance: FloatArray, method: Method, in_family: int) -> FloatArray:
    """Half the width of t intervals that agree with the correction; NaN with ``bh``."""
    if not (method.has_intervals and len(variance)):
        return np.full(len(variance), np.nan)
    topics = asked.scores.shape[1]
    moderated = moderated_variance(variance, topics, method.prior_topics, variance[asked.stated])
    alpha = method.alpha / method.factor(in_family)
    return t_half_width(np.sqrt(moderated), topics, alpha)
