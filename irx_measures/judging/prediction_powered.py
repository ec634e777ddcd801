"""prediction_powered(): scores by human judgments, sharpened by a machine's judgments."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Any, NamedTuple

import numpy as np

from ..common.numeric import FloatArray, IntArray, ratio_or_nan
from ..common.short_paths import public
from ..common.validators import LEVEL, check_kind, finite_array
from ..common.warn import warn
from ..common.writing import level_text, some
from ..comparison.compare import baseline_names
from ..exceptions import InputError
from ..measures.declaring.ranges import range_of
from ..measures.naming.labels import short_labels
from ..results.base import Columns, StudyResult
from ..results.column import Column
from ..scoring.score_matrix import ScoreMatrix
from ..stats import prediction_powered as powered
from ..stats.intervals import UNBOUNDED, cut_at, mean_interval
from ..stats.pairs import ROUNDING, Pairs

SHOWN_NAMES = 5  # names in a message: enough to recognise the file or column

# What the numbers of an estimate mean, in the order of their columns.
MEANINGS = {
    "human": "by human judgments alone, with Student's t interval",
    "human_lower": "lower end of its {level} interval",
    "human_upper": "upper end of its {level} interval",
    "estimate": "by human and machine judgments together, corrected by the machine's error where "
    "both judged. Its interval holds as often as the human one",
    "lower": "lower end of its {level} interval",
    "upper": "upper end of its {level} interval",
    "width_ratio": "of its interval to the human one",
    "n": "topics with human judgments",
    "m": "topics with machine judgments only",
    "lam": "the weight of the machine's scores, from 0 to 1",
}


@public
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

    def columns(self) -> list[Column]:
        """The columns of `estimates`, with what each means."""
        table: dict[str, Any] = {**self.estimates}
        named = {"measure": "measure of the scores", "system": "name of the system"}
        if "baseline" in table:
            named["baseline"] = "name of the system that is subtracted"
        keys = [Column(name, table[name], meaning=text, key=True) for name, text in named.items()]
        numbers = [
            Column(name, table[name], meaning=text.format(level=level_text(self.level)))
            for name, text in MEANINGS.items()
        ]
        return [*keys, *numbers]

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
        estimated = "differences" if "baseline" in table else "means"
        return (
            f"{estimated} from {table['n'][0]} topics with human judgments and {table['m'][0]} "
            f"with machine judgments only (ppi++, {self.level:.0%} intervals); {'; '.join(found)}"
        )


@public
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
    topics = _topics(human, machine)
    rows = _Rows.of(systems, baseline_names(baseline, systems))
    parts = []
    for measure, by_human in zip(human.measures, human.scores, strict=True):
        by_machine = machine.scores[machine.measures.index(measure)][order]
        scores = np.hstack((by_human, by_machine[:, topics.both], by_machine[:, topics.only]))
        parts.append(_estimated(measure, scores, systems, rows, len(topics.both), level))
    joined = _joined(parts)
    if not joined.system:
        raise InputError("there is nothing to estimate: no system has a score to estimate from")
    _tell_longer(joined, is_difference=rows.pairs is not None)
    estimates: Columns = {
        **joined._asdict(),
        "n": np.full(len(joined.system), len(topics.both)),
        "m": np.full(len(joined.system), len(topics.only)),
    }
    if rows.pairs is None:
        del estimates["baseline"]
    names = [name for name in (*NAMES, *MEANINGS) if name in estimates]
    return PredictionPowered({name: estimates[name] for name in names}, level)


class _Rows(NamedTuple):
    """What is estimated, by positions of systems: means, or differences of pairs of systems."""

    pairs: Pairs | None
    first: IntArray  # (rows,), of the system
    second: IntArray  # of the baseline; of means, of the system once more

    @classmethod
    def of(cls, systems: Sequence[str], baselines: Sequence[str]) -> _Rows:
        """Differences from each of the baselines; means if there is none."""
        if not baselines:
            every = np.arange(len(systems))
            return cls(None, every, every)
        pairs = Pairs.against(len(systems), [systems.index(name) for name in baselines])
        return cls(pairs, pairs.first, pairs.second)


class _Estimates(NamedTuple):
    """Estimates: a name or a number of each row."""

    measure: tuple[str, ...]
    system: tuple[str, ...]
    baseline: tuple[str, ...]
    human: FloatArray
    human_lower: FloatArray
    human_upper: FloatArray
    estimate: FloatArray
    lower: FloatArray
    upper: FloatArray
    width_ratio: FloatArray
    lam: FloatArray


NAMES = ("measure", "system", "baseline")


def _estimated(
    measure: Any,
    scores: FloatArray,
    systems: Sequence[str],
    rows: _Rows,
    both: int,
    level: float,
) -> _Estimates:
    """The estimates on one measure, of the systems that have scores.

    `scores` are, one after the other, by the human and by the machine on as many topics as `both`
    says, and by the machine on the others. Intervals of means are cut at the measure's range.
    """
    undefined = np.asarray(np.isnan(scores).any(axis=1))
    if undefined.any():
        left_out = ", ".join(repr(systems[row]) for row in np.flatnonzero(undefined).tolist())
        warn(f"left out {left_out}: no score on {measure}")
    finite_array("scores", scores[~undefined], 2)  # none is too large to be squared
    kept = np.flatnonzero(~undefined[rows.first] & ~undefined[rows.second])
    if rows.pairs is None:
        values, possible = scores[kept], range_of(measure)
    else:
        values, possible = rows.pairs.differences(scores)[kept], UNBOUNDED
    of_human, of_both, of_only = np.split(values, [both, 2 * both], axis=1)
    lower, upper = mean_interval(of_human, level)
    got = powered.prediction_powered(of_human, of_both, of_only, level)
    cut_lower, cut_upper = cut_at(possible, values, (lower, upper))
    got_lower, got_upper = cut_at(possible, values, (got.lower, got.upper))
    return _Estimates(
        measure=(str(measure),) * len(kept),
        system=tuple(systems[place] for place in rows.first[kept]),
        baseline=tuple(systems[place] for place in rows.second[kept]),
        human=of_human.mean(axis=1),
        human_lower=cut_lower,
        human_upper=cut_upper,
        estimate=got.estimate,
        lower=got_lower,
        upper=got_upper,
        width_ratio=ratio_or_nan(got.upper - got.lower, upper - lower),
        lam=got.lam,
    )


def _joined(parts: Sequence[_Estimates]) -> _Estimates:
    """The estimates on all measures, one below the other."""
    columns: dict[str, Any] = {}
    for name in _Estimates._fields:
        values = [getattr(part, name) for part in parts]
        if name in NAMES:
            columns[name] = tuple(chain.from_iterable(values))
        else:
            columns[name] = np.concatenate(values)
    return _Estimates(**columns)


def _tell_longer(found: _Estimates, is_difference: bool) -> None:
    """Warn of estimates that the machine's judgments do not make more certain."""
    longer = np.flatnonzero(found.width_ratio >= 1.0 - ROUNDING).tolist()
    if not longer:
        return
    told = []
    for row in longer:
        what = repr(found.system[row])
        if is_difference:
            what += f" - {found.baseline[row]!r}"
        told.append(f"{what} on {found.measure[row]}")
    warn(
        "the machine's judgments make the interval no shorter than the human judgments alone "
        f"in {len(longer)} of {len(found.system)} estimates: {some(told, SHOWN_NAMES)}"
    )


class _Topics(NamedTuple):
    """Positions of the machine's topics."""

    both: list[int]  # those that `human` has, too, in its order
    only: list[int]  # the others


def _topics(human: ScoreMatrix, machine: ScoreMatrix) -> _Topics:
    """The topics of both kinds; InputError if there are too few."""
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
    return _Topics(both, list(place.values()))


def _refuse_differing(what: str, human: Sequence[object], machine: Sequence[object]) -> None:
    differing = sorted(map(str, {*human} ^ {*machine}))
    if differing:
        raise InputError(
            f"`human` and `machine` must have the same {what}; only one has {differing[0]!r}"
        )
