"""prediction_powered(): scores by human judgments, sharpened by a machine's judgments."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..common.numeric import FloatArray, ratio_or_nan
from ..common.validators import LEVEL, check_kind, finite_array
from ..common.warn import warn
from ..common.writing import some
from ..comparison.compare import baseline_names
from ..exceptions import InputError
from ..measures.declaring.ranges import range_of
from ..measures.naming.labels import short_labels
from ..results.base import Columns, StudyResult
from ..scoring.score_matrix import ScoreMatrix
from ..stats import prediction_powered as powered
from ..stats.intervals import UNBOUNDED, cut_at, mean_interval
from ..stats.pairs import ROUNDING, Pairs

SHOWN_NAMES = 5  # names in a message: enough to recognise the file or column


@dataclass(frozen=True, eq=False, repr=False)
class PredictionPowered(StudyResult):
    """Mean scores, or differences of systems, estimated from human and machine judgments.

    Attributes
    ----------
    estimates : dict of columns
        One row per estimate: the measure, the system and, with baselines, the baseline, which is
        subtracted from it; the mean by human judgments alone with Student's t interval (human,
        human_lower, human_upper); the prediction-powered estimate with its interval (estimate,
        lower, upper), the width of this interval over that of the human one (width_ratio; NaN if
        that has no width). Intervals of means are cut at the measure's range, after their widths
        are compared. The number of topics with human judgments (n) and with machine
        judgments only (m). The weight of the machine's scores, in [0, 1] (lam).
    level : float
        Confidence level of the intervals.

    See Also
    --------
    irx_measures.prediction_powered : Makes it.
    """

    estimates: Columns
    level: float

    def to_columns(self) -> Columns:
        """The columns of `estimates`."""
        return self.estimates

    @property
    def summary(self) -> str:
        table: dict[str, Any] = {**self.estimates}
        names = tuple(dict.fromkeys(table["measure"]))
        found = []
        for name, label in zip(names, short_labels(names), strict=True):
            ratio = table["width_ratio"][np.array(table["measure"]) == name]
            width = "all systems have the same human score on every topic"
            if not np.isnan(ratio).all():
                width = (
                    f"intervals have {np.nanmedian(ratio):.2f} of the width of the human ones "
                    f"(median; {np.nanmin(ratio):.2f} to {np.nanmax(ratio):.2f})"
                )
            found.append(f"{label}: {width}")
        return (
            f"{'differences' if 'baseline' in table else 'means'} from {table['n'][0]} topics with "
            f"human judgments and {table['m'][0]} with machine judgments only (ppi++, "
            f"{self.level:.0%} intervals); {'; '.join(found)}"
        )


def prediction_powered(
    human: ScoreMatrix,
    machine: ScoreMatrix,
    *,
    baseline: str | Sequence[str] | None = None,
    level: float = 0.95,
) -> PredictionPowered:
    """Estimate mean scores from topics with human judgments and more topics that a machine judged.

    The mean of a machine's scores is biased. This function measures the bias on the topics that
    have both kinds of judgments, and corrects for it. If the machine's scores follow the human
    ones from topic to topic, the interval is shorter than that of the human scores alone. The
    weight of the machine's scores is estimated from the n topics alone; a bad machine gets little.

    Parameters
    ----------
    human
        Scores by human judgments, of n topics.
    machine
        Scores by the machine's judgments, of the same n topics and m others, with the same systems
        and measures. The m topics must be drawn like the n: topics that were left to the machine
        because they are special make the estimate wrong.
    baseline
        The name of a system, or several: the differences from each of them are estimated, over
        paired topics. By default, the means of the systems are estimated.
    level
        Confidence level, in (0, 1).

    Returns
    -------
    PredictionPowered
        The estimates with their intervals, in the unit of the measure.

    Warns
    -----
    EvaluationWarning
        When the machine's judgments do not make an interval shorter than that of the human scores
        alone, or systems are left out because they have no score on a measure.

    Raises
    ------
    ValueError
        When `human` and `machine` differ in systems or measures, `machine` lacks a topic of
        `human`, there are too few topics of either kind, no system has a score to estimate from, a
        baseline is unknown, or `level` is out of range.

    See Also
    --------
    irx_measures.judging.audit_judges : How well a machine's judgments agree with human ones.

    Examples
    --------
    A machine that judges all topics as the human judged the first 30:

    >>> import irx_measures
    >>> campaign = irx_measures.simulate_campaign(systems=4, queries=120, depth=50, seed=1)
    >>> machine = irx_measures.evaluate(campaign.qrels, campaign.runs, "nDCG@10")
    >>> some = {query: campaign.qrels[query] for query in list(campaign.qrels)[:30]}
    >>> human = irx_measures.evaluate(some, campaign.runs, "nDCG@10")
    >>> result = irx_measures.prediction_powered(human, machine)
    >>> result.to_frame()[["system", "human", "estimate", "width_ratio"]].round(2)
          system  human  estimate  width_ratio
    0  lexical-a   0.55      0.54         0.56
    1  lexical-b   0.51      0.54         0.55
    2  lexical-c   0.52      0.53         0.50
    3    dense-a   0.40      0.40         0.52
    """
    check_kind("human", human, ScoreMatrix, "irx_measures.evaluate")
    check_kind("machine", machine, ScoreMatrix, "irx_measures.evaluate")
    level, systems = LEVEL.check("level", level), human.systems
    _refuse_differing("systems", systems, machine.systems)
    _refuse_differing("measures", human.measures, machine.measures)
    order = [machine.systems.index(system) for system in systems]
    both, only = _topics(human, machine)
    places = [systems.index(name) for name in baseline_names(baseline, systems)]
    pairs = Pairs.against(len(systems), places) if places else None
    first, second = pairs or [np.arange(len(systems))] * 2
    names: list[tuple[str, str, str]] = []
    numbers: list[FloatArray] = []
    for measure, by_human in zip(human.measures, human.scores, strict=True):
        by_machine = machine.scores[machine.measures.index(measure)][order]
        scores = np.hstack((by_human, by_machine[:, both], by_machine[:, only]))
        undefined = np.isnan(scores).any(axis=1)
        if undefined.any():
            left_out = ", ".join(repr(systems[row]) for row in np.flatnonzero(undefined).tolist())
            warn(f"left out {left_out}: no score on {measure}")
        kept = np.flatnonzero(~undefined[first] & ~undefined[second])
        names += [(str(measure), systems[first[row]], systems[second[row]]) for row in kept]
        finite_array("scores", scores[~undefined], 2)  # none is too large to be squared
        estimated = (scores if pairs is None else pairs.differences(scores))[kept]
        numbers.append(_numbers(estimated, len(both), level, _possible(measure, pairs)))
    if not names:
        raise InputError("there is nothing to estimate: no system has a score to estimate from")
    columns = dict(zip(("measure", "system", "baseline"), zip(*names, strict=True), strict=True))
    if pairs is None:
        del columns["baseline"]
    human_mean, human_lower, human_upper, estimate, lower, upper, lam, ratio = np.hstack(numbers)
    estimates: Columns = {
        **columns, "human": human_mean, "human_lower": human_lower, "human_upper": human_upper,
        "estimate": estimate, "lower": lower, "upper": upper, "width_ratio": ratio,
        "n": np.full(len(names), len(both)), "m": np.full(len(names), len(only)), "lam": lam,
    }  # fmt: skip
    longer = np.flatnonzero(ratio >= 1.0 - ROUNDING).tolist()
    if longer:
        told = [
            f"{system!r}{'' if pairs is None else f' - {other!r}'} on {measure}"
            for measure, system, other in map(names.__getitem__, longer)
        ]
        warn(
            "the machine's judgments make the interval no shorter than the human judgments alone "
            f"in {len(longer)} of {len(names)} estimates: {some(told, SHOWN_NAMES)}"
        )
    return PredictionPowered(estimates, level)


def _possible(measure: Any, pairs: Pairs | None) -> tuple[float, float]:
    """The lowest and the highest mean score; differences, of pairs, have no bounds."""
    return range_of(measure) if pairs is None else UNBOUNDED


def _numbers(
    scores: FloatArray, both: int, level: float, possible: tuple[float, float]
) -> FloatArray:
    """The numbers of each row: human, its ends, estimate, its ends, lam, width_ratio: (8, rows).

    `scores` are, one after the other, by the human and by the machine on so many topics, and by the
    machine on the others. Intervals are cut at the lowest and the highest possible score.
    """
    of_human, of_both, of_only = np.split(scores, [both, 2 * both], axis=1)
    got = powered.prediction_powered(of_human, of_both, of_only, level)
    lower, upper = mean_interval(of_human, level)
    ratio = ratio_or_nan(got.upper - got.lower, upper - lower)
    lower, upper = cut_at(possible, scores, (lower, upper))
    powered_lower, powered_upper = cut_at(possible, scores, (got.lower, got.upper))
    human_mean = of_human.mean(axis=1)
    return np.array(
        [human_mean, lower, upper, got.estimate, powered_lower, powered_upper, got.lam, ratio]
    )


def _topics(human: ScoreMatrix, machine: ScoreMatrix) -> tuple[list[int], list[int]]:
    """Positions of the machine's topics: the human ones, in their order, and the others."""
    place = {query_id: position for position, query_id in enumerate(machine.query_ids)}
    missing = [query_id for query_id in human.query_ids if query_id not in place]
    if missing:
        raise InputError(
            f"`machine` must have scores of every topic of `human`; topic {missing[0]!r} is "
            f"missing ({len(missing)} of {len(human.query_ids)} are)"
        )
    both = [place.pop(query_id) for query_id in human.query_ids]
    if len(both) < powered.FEWEST_TOPICS:
        raise InputError(
            f"`human` must hold at least {powered.FEWEST_TOPICS} topics; got {len(both)}"
        )
    if len(place) < powered.FEWEST_MACHINE_ONLY:
        raise InputError(
            f"`machine` must have at least {powered.FEWEST_MACHINE_ONLY} topics that `human` has "
            f"not; got {len(place)}"
        )
    return both, list(place.values())


def _refuse_differing(what: str, human: Sequence[object], machine: Sequence[object]) -> None:
    differing = sorted(map(str, {*human} ^ {*machine}))
    if differing:
        raise InputError(
            f"`human` and `machine` must have the same {what}; only one has {differing[0]!r}"
        )
