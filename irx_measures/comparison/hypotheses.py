"""Hypotheses of no difference, what a family of tests says of them, and their columns."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import Field, dataclass, field, fields, replace
from itertools import compress
from typing import Any, NamedTuple, TypeVar

import ir_measures
import numpy as np

from ..common.memory import ALLOWS, require_memory
from ..common.numeric import AnyArray, BoolArray, FloatArray, Int64Array
from ..common.writing import counted, signed
from ..measures.naming.named_score import direction_of
from ..results.column import Column, Declared, columns_of
from ..results.read_only import ReadOnlyArrays, cached_array
from ..scoring.score_matrix import ScoreMatrix
from ..stats.decisions import rejects
from ..stats.family import Decided, Method, Part, decide
from ..stats.intervals import t_half_width
from ..stats.pairs import Pairs, noise_of, pairs_of, without_noise
from ..stats.planning import hedges_g, topics_needed
from ..stats.resampling import Progress
from ..stats.strata import FEWEST_OF_GROUPS
from ..stats.tests import moderated_variance, t_p_values
from . import cells
from .unjudged import P_BETTER, WITH_WORLDS, world_differences
from .words import around_0, intervals_text, w_t_l

# Bytes of a pair, measured: what its hypothesis on a measure keeps, and what the tests take beside.
KEPT, WORKING = 114, 110

FEWER_PAIRS = "`baseline` names one system with which the others are compared"

SMALL_P = (0.01, 0.001)  # the customary steps below the level of the tests

TOPIC = "topic"  # what each score of a system is of, but with a macro mean

OF_MACRO = "With ``macro='queries'`` also"  # comparisons with the second question

Kind = TypeVar("Kind", bound="Hypotheses")


def array(
    meaning: str = "",
    show: Callable[[Any], dict[str, Any] | None] | None = None,
    turned: Callable[[Any], AnyArray] | None = None,
    when: str = "",
) -> Any:
    """A field of `Hypotheses` with a number of each row, and its column, if it has a meaning.

    `show` gives what a terminal shows. `turned` gives the numbers from the other side, of the other
    system minus the system; without it, they are the same. `when` says which comparisons have the
    field, as the head of a list: in others it is None. Without it, all have it.
    """
    described = {"meaning": meaning, "show": show, "turned": turned, "when": when}
    return field(metadata=described, default=None) if when else field(metadata=described)


def _interval(rows: Hypotheses) -> dict[str, Any] | None:
    if not rows.method.has_intervals:
        return None
    note = " ".join([f"interval: {intervals_text(rows.method)}.", *around_0(rows)])
    return cells.interval(rows.lower, rows.upper, signed, note)


@dataclass(frozen=True, eq=False)
class Hypotheses(ReadOnlyArrays):
    """The tested hypotheses of one measure, and of one group: both systems have the same mean.

    A row is a hypothesis: a system, and another one that is subtracted. The pair of two baselines
    has two rows, one from each side; it is one hypothesis, with one p-value. Each array is (rows,).
    """

    measure: ir_measures.Measure
    group: str | None  # of queries, which the topics are; None if queries are not grouped
    systems: tuple[str, ...]  # those with a score on the measure
    scores: FloatArray  # (systems, topics)
    pairs: Pairs  # positions of the systems
    against: bool  # whether the other systems are baselines; False: all pairs are compared
    method: Method
    in_family: int  # number of hypotheses that the correction covers
    difference: FloatArray = array(
        "mean score of the system minus that of the baseline",
        lambda rows: cells.differences(rows.difference, rows.significant, "difference "),
        turned=lambda rows: -rows.difference,
    )
    lower: FloatArray = array(
        "lower end of the interval of the difference, which agrees with the correction; NaN with "
        "the correction ``bh``, which has no intervals",
        _interval,
        turned=lambda rows: -rows.upper,
    )
    upper: FloatArray = array("upper end of this interval", turned=lambda rows: -rows.lower)
    effect: FloatArray = array(
        "Hedges' g of the paired differences: their mean divided by their standard deviation, "
        "corrected for few topics",
        turned=lambda rows: -rows.effect,
    )
    p: FloatArray = array("two-sided p-value before the correction")
    p_adjusted: FloatArray = array(
        "two-sided p-value after the correction",
        lambda rows: cells.numbers(rows.p_adjusted, cells.p_value, "adj. p"),
    )
    wins: Int64Array = array(
        "number of topics on which the system scores better; of groups, of a macro mean",
        lambda rows: cells.counts((rows.wins, rows.ties, rows.losses), "w/t/l", w_t_l(rows.unit)),
        turned=lambda rows: rows.losses,
    )
    ties: Int64Array = array("number of topics on which both systems score the same")
    losses: Int64Array = array(
        "number of topics on which the system scores worse", turned=lambda rows: rows.wins
    )
    variance: FloatArray = array()  # of the differences, before it is moderated
    groups_lower: FloatArray | None = array(
        "lower end of the interval of the difference on other groups like these; NaN with fewer "
        "than 3 groups",
        turned=lambda rows: -rows.groups_upper,
        when=OF_MACRO,
    )
    groups_upper: FloatArray | None = array(
        "upper end of this interval", turned=lambda rows: -rows.groups_lower, when=OF_MACRO
    )
    groups_p: FloatArray | None = array(
        "two-sided p-value of the difference on other groups, before the correction", when=OF_MACRO
    )
    groups_p_adjusted: FloatArray | None = array(
        "the same after the correction",
        lambda rows: _p_of_other_groups(rows),
        when=OF_MACRO,
    )
    between: FloatArray | None = array(
        "standard deviation between groups of the true differences", when=OF_MACRO
    )
    new_lower: FloatArray | None = array(
        "lower end of the interval of the difference on one further group, which has no correction",
        turned=lambda rows: -rows.new_upper,
        when=OF_MACRO,
    )
    new_upper: FloatArray | None = array(
        "upper end of this interval", turned=lambda rows: -rows.new_lower, when=OF_MACRO
    )
    unit: str = TOPIC  # what each score of a system is of: with a macro mean, of a group
    macro: str | None = None  # the question on a macro mean: of its queries, or of its groups
    # Half the width of the interval of each system's macro mean, (systems,), if queries are drawn.
    mean_half_width: FloatArray | None = None
    # Means of the systems in worlds in which every document has a grade: (systems, samples).
    worlds: FloatArray | None = None

    @property
    def is_tested(self) -> bool:
        """False if no baseline has a score on the measure: then there are means only."""
        return len(self.pairs.first) > 0

    @property
    def topics(self) -> int:
        """Number of topics; of groups, of a macro mean."""
        return self.scores.shape[1]

    @property
    def has_other_groups(self) -> bool:
        """Whether it is known what holds for other groups: there are enough groups."""
        return self.groups_p is not None and self.topics >= FEWEST_OF_GROUPS

    @property
    def direction(self) -> float:
        """1 if higher scores are better, else -1."""
        return direction_of(self.measure)

    @cached_array
    def stated(self) -> Int64Array:
        """The row of each hypothesis; of two sides, the first."""
        return self.pairs.unordered()[0]

    @property
    def family_variance(self) -> FloatArray:
        """The variance of each hypothesis once, before it is moderated: (hypotheses,)."""
        return self.variance[self.stated]

    @property
    def system(self) -> list[str]:
        """The name of the system of each row."""
        return self._names(self.pairs.first)

    @property
    def baseline(self) -> list[str]:
        """The name of the other system of each row."""
        return self._names(self.pairs.second)

    @property
    def mean(self) -> FloatArray:
        """The mean of the system of each row."""
        return self._means[self.pairs.first]

    @property
    def baseline_mean(self) -> FloatArray:
        """The mean of the other system of each row."""
        return self._means[self.pairs.second]

    @cached_array
    def _means(self) -> FloatArray:
        """The mean of each system: (systems,)."""
        return np.asarray(self.scores.mean(axis=1))

    def _names(self, places: Int64Array) -> list[str]:
        found: list[str] = np.array(self.systems, object)[places].tolist()
        return found

    @cached_array
    def significant(self) -> BoolArray:
        """Which hypotheses are rejected."""
        return rejects(self.p_adjusted, self.method.level)

    @property
    def rejections(self) -> int:
        """Number of rejected hypotheses."""
        return int(np.count_nonzero(self.significant[self.stated]))

    @property
    def thresholds(self) -> list[float]:
        """The steps of adjusted p, descending; the first is the level of the tests."""
        alpha = self.method.alpha
        return [alpha, *(step for step in SMALL_P if step < alpha)]

    @cached_array
    def better(self) -> BoolArray:
        """Which system (row) is significantly better than which (column): (systems, systems)."""
        better = np.zeros((len(self.systems),) * 2, bool)
        first, second = self.pairs
        gain = self.direction * self.difference
        better[first, second] = self.significant & (gain > 0)
        better[second, first] = self.significant & (gain < 0)
        return better

    @cached_array
    def _by_worlds(self) -> dict[str, FloatArray]:
        if self.worlds is None:
            return {}
        return world_differences(self.worlds, self.pairs, self.method.level)

    @property
    def p_better(self) -> FloatArray | None:
        """The probability that the system's mean is higher; None without worlds."""
        return self._by_worlds.get("p_better")

    @property
    def lower_unjudged(self) -> FloatArray | None:
        """The lower end of the interval over worlds; None without worlds."""
        return self._by_worlds.get("lower_unjudged")

    @property
    def upper_unjudged(self) -> FloatArray | None:
        """The upper end of the interval over worlds; None without worlds."""
        return self._by_worlds.get("upper_unjudged")

    def rows(self: Kind, rows: Int64Array, turned: BoolArray | None = None) -> Kind:
        """Some of the rows, in this order; those `turned` from the other side: (rows,)."""
        pairs = Pairs(self.pairs.first[rows], self.pairs.second[rows])
        given = {name: getattr(self, name) for name in TURNED}
        arrays = {name: values[rows] for name, values in given.items() if values is not None}
        if turned is not None:
            first, second = pairs
            pairs = Pairs(np.where(turned, second, first), np.where(turned, first, second))
            for name, other_side in TURNED.items():
                if other_side is not None and name in arrays:
                    arrays[name] = np.where(turned, other_side(self)[rows], arrays[name])
        return replace(self, pairs=pairs, **arrays)

    def columns(self) -> list[Column]:
        """A row per hypothesis, as `irx_measures.Comparison.to_frame` and a terminal have it."""
        return columns_of(self, HYPOTHESES)


def _mean(rows: Hypotheses) -> dict[str, Any] | None:
    """The means of systems that are compared with a baseline."""
    if not rows.against:
        return None
    return cells.numbers(rows.mean)


def _p_of_other_groups(rows: Hypotheses) -> dict[str, Any] | None:
    p = rows.groups_p_adjusted
    if p is None or not rows.has_other_groups:
        return None
    note = f"p others: adjusted p of the difference on other {rows.unit}s like these."
    return cells.numbers(p, cells.p_value, "p others", note=note)


def _p_better(rows: Hypotheses) -> dict[str, Any] | None:
    if rows.p_better is None:
        return None
    return cells.numbers(rows.p_better, cells.probability, "P(A>B)", note=P_BETTER)


TURNED: dict[str, Callable[[Any], AnyArray] | None] = {
    each.name: each.metadata["turned"] for each in fields(Hypotheses) if each.metadata
}
"""The arrays of hypotheses, and what they are from the other side."""


def _declared(each: Field[Any]) -> Declared:
    """The column of an array of hypotheses."""
    how = each.metadata
    return Declared(each.name, how["meaning"], how["when"], how["show"])


ARRAYS = [_declared(each) for each in fields(Hypotheses) if each.metadata.get("meaning")]

HYPOTHESES = (
    Declared("system", "the system", show=lambda rows: cells.names()),
    Declared("mean", show=_mean),  # a terminal has it beside the system, the frame at the end
    Declared(
        "baseline",
        "the system that is subtracted: the other one of the pair if no baselines were given",
        show=lambda rows: None if rows.against else cells.names("other"),
    ),
    *(each for each in ARRAYS if not each.when),
    Declared("mean", "mean score of the system over topics, or macro mean"),
    Declared("baseline_mean", "the same of the baseline"),
    Declared(
        "significant",
        "whether the hypothesis of no difference is rejected: p_adjusted is at most 1 - level",
    ),
    *(each for each in ARRAYS if each.when),
    Declared(
        "p_better",
        "P(A > B), the probability that the system's mean is higher, over the choice of topics and "
        "the grades of unjudged documents",
        WITH_WORLDS,
        _p_better,
    ),
    Declared(
        "lower_unjudged",
        "lower end of the interval of the difference, which counts both; it has no correction",
        WITH_WORLDS,
    ),
    Declared("upper_unjudged", "upper end of this interval", WITH_WORLDS),
)
"""The columns of hypotheses, each declared once: here, or with the array that it is."""


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


def all_tested(
    matrices: Mapping[str | None, ScoreMatrix],
    baselines: Sequence[str],
    method: Method,
    progress: Progress | None = None,
) -> list[Hypotheses]:
    """Test the systems on every measure; one correction covers a measure in all groups.

    `matrices` are the scores of every group of queries; of None, if queries are not grouped. If
    there are no baselines, all pairs are tested. A measure on which no baseline has a score has
    no hypotheses, but the scores of the other systems. `progress` is called with the number of
    random samples just drawn. If no hypothesis could be rejected, whatever the scores, that is an
    InputError.
    """
    (first, *_) = matrices.values()
    tested: list[Hypotheses] = []
    for place in range(len(first.measures)):
        tested += _tested(matrices, place, baselines, method, progress)
    return tested


def _tested(
    matrices: Mapping[str | None, ScoreMatrix],
    place: int,
    baselines: Sequence[str],
    method: Method,
    progress: Progress | None,
) -> Iterator[Hypotheses]:
    """The hypotheses on the measure at a place, of each group: one family."""
    asked = list(asked_of(matrices, place, baselines))
    family = [each.part for each in asked if len(each.hypothesis)]
    in_family = sum(len(part.pairs.first) for part in family)
    decided = iter(decide(family, method, progress) if family else [])
    for each in asked:
        found = next(decided) if len(each.hypothesis) else Decided(np.empty(0), np.empty(0))
        measure = matrices[each.part.group].measures[place]
        yield Hypotheses(
            measure=measure,
            group=each.part.group,
            systems=each.systems,
            scores=each.part.scores,
            pairs=each.pairs,
            against=bool(baselines),
            method=method,
            in_family=in_family,
            p=found.p[each.hypothesis],
            p_adjusted=found.p_adjusted[each.hypothesis],
            **_paired(each, direction_of(measure), method, in_family),
        )


class Asked(NamedTuple):
    """What is to be tested on a measure in a group."""

    systems: tuple[str, ...]  # those with a score
    pairs: Pairs  # positions of the systems, a pair each row
    stated: Int64Array  # the row of each hypothesis; of two sides, the first
    hypothesis: Int64Array  # of each row
    part: Part  # each hypothesis once


def asked_of(
    matrices: Mapping[str | None, ScoreMatrix], place: int, baselines: Sequence[str]
) -> Iterator[Asked]:
    """What is to be tested on the measure at a place, by group.

    There are no pairs if no baseline has a score.
    """
    for group, matrix in matrices.items():
        scored = ~matrix.undefined[place]
        systems = tuple(compress(matrix.systems, scored.tolist()))
        against = [systems.index(name) for name in baselines if name in systems]
        pairs = Pairs.against(len(systems), against) if baselines else Pairs.of(len(systems))
        means_only = bool(baselines) and not against and len(systems) > 0
        if len(pairs.first) or means_only:
            stated, hypothesis = pairs.unordered()
            once = Pairs(pairs.first[stated], pairs.second[stated])
            part = Part(matrix.scores[place][scored], once, group)
            yield Asked(systems, pairs, stated, hypothesis, part)


def _paired(asked: Asked, direction: float, method: Method, in_family: int) -> dict[str, Any]:
    """The arrays of paired tests: what they say of the differences, and their intervals."""
    scores, pairs = asked.part.scores, asked.pairs
    size = len(pairs.first)
    mean, variance, effect = np.empty(size), np.empty(size), np.empty(size)
    wins, ties = np.empty(size, np.int64), np.empty(size, np.int64)
    noise = noise_of(scores)
    for block, in_block in pairs.blocks(scores.shape[1]):
        difference = in_block.differences(scores, noise)
        mean[block] = without_noise(difference.mean(axis=1), noise)
        variance[block] = difference.var(axis=1, ddof=1)
        effect[block] = hedges_g(difference)
        wins[block] = np.count_nonzero(direction * difference > 0, axis=1)
        ties[block] = np.count_nonzero(difference == 0, axis=1)
    of_family = variance[asked.stated]
    half_width = _half_width(variance, of_family, scores.shape[1], method, in_family)
    return {
        "difference": mean,
        "lower": mean - half_width,
        "upper": mean + half_width,
        "effect": effect,
        "wins": wins,
        "ties": ties,
        "losses": scores.shape[1] - wins - ties,
        "variance": variance,
    }


def _half_width(
    variance: FloatArray, of_family: FloatArray, topics: int, method: Method, in_family: int
) -> FloatArray:
    """Half the width of t intervals that agree with the correction; NaN with ``bh``."""
    if not (method.has_intervals and len(variance)):
        return np.full(len(variance), np.nan)
    moderated = moderated_variance(variance, topics, method.prior_topics, of_family)
    alpha = method.alpha / method.factor(in_family)
    return t_half_width(np.sqrt(moderated), topics, alpha)


@dataclass(frozen=True, eq=False)
class Plan(ReadOnlyArrays):
    """How many topics would settle each of some pairs of systems: each array is (pairs,)."""

    system: list[str]
    baseline: list[str]
    difference: FloatArray
    effect: FloatArray
    p: FloatArray
    topics: FloatArray
    topics_safe: FloatArray

    @classmethod
    def of(cls, tested: Hypotheses, pairs: Pairs) -> Plan:
        """The plan of the pairs, whose variances are moderated by those of the hypotheses."""
        differences = pairs.differences(tested.scores)
        own = differences.var(axis=1, ddof=1)
        topics, prior = differences.shape[1], tested.method.prior_topics
        variance = moderated_variance(own, topics, prior, tested.family_variance)
        mean, moderated = differences.mean(axis=1), hedges_g(differences, variance)
        needed, safe = topics_needed(moderated, topics, tested.method.level)
        first, second = pairs
        return cls(
            [tested.systems[place] for place in first.tolist()],
            [tested.systems[place] for place in second.tolist()],
            mean,
            hedges_g(differences),
            t_p_values(mean, variance, topics),
            needed,
            safe,
        )

    def columns(self) -> list[Column]:
        """A row per pair."""
        return columns_of(self, PLAN)


PLAN = (
    Declared("system", "the system", show=lambda plan: cells.names()),
    Declared("baseline", "the system that is subtracted"),
    Declared(
        "difference",
        "mean score of the system minus that of the other one",
        show=lambda plan: cells.numbers(plan.difference, signed),
    ),
    Declared(
        "effect",
        "Hedges' g of the paired differences",
        show=lambda plan: cells.numbers(plan.effect, cells.effect, "g"),
    ),
    Declared(
        "p",
        "p-value of this test on the topics at hand",
        show=lambda plan: cells.numbers(plan.p, cells.p_value),
    ),
    Declared(
        "topics",
        "number of topics in total if the effect is exactly the observed one",
        show=lambda plan: cells.numbers(plan.topics, cells.number_of_topics),
    ),
    Declared(
        "topics_safe",
        "number of topics in total if the effect is smaller than the observed one by .84 standard "
        "errors; infinite if the topics at hand do not show a direction well enough to plan",
        show=lambda plan: cells.numbers(plan.topics_safe, cells.number_of_topics),
    ),
)
"""The columns of a plan."""
