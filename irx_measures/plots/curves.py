"""Curves of studies of measures and of judging, with their bands and a key."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import NamedTuple

import numpy as np

from ..common.numeric import AnyArray, FloatArray
from ..common.validators import check_kind
from ..common.writing import level_text, percent, shown, some
from ..judging.planning.questions import RANKING
from ..judging.planning.records import JudgingState
from ..meta.correlation import RankCorrelation, SystemImpact
from ..meta.power import DiscriminativePower
from ..meta.topic_sets import Stability, SwapCurve
from ..stats.correlation import coefficient_shown
from ..stats.tests import TESTS
from ..typing import Axes
from . import style
from .docs import documented

P_LINE = 0.05  # the customary one

SHOWN = 2 * P_LINE  # larger p-values decide nothing

ASIDE = 0.05  # of the curves, a choice: the space at their left and right

MOST_NAMED = 4  # measures in a sentence of the caption

FEWEST_PAIRS = 4  # of systems on the axis, a choice: a curve that drops at once can be seen

VISIBLE = 0.02  # of the axis: a lower floor would lie on the axis itself


class _Curve(NamedTuple):
    """A curve, with a band or without one."""

    label: str  # in the key
    x: AnyArray  # (points,)
    y: FloatArray  # (points,)
    band: FloatArray | None = None  # (2, points): its lower and its upper edge
    note: str = ""  # stands after the label, however long that is


@contextmanager
def _drawn(
    curves: Sequence[_Curve],
    across: str,
    up: str,
    said: str,
    ax: Axes | None,
    width: float | None,
    markers: bool = True,
) -> Iterator[Axes]:
    """Axes with the curves, their key and the caption; without markers, lines differ in style."""
    curves = _defined(curves)
    with style.picture(ax, 3.4, width, rows=style.KEY_LINE * len(curves)) as ax:
        names = style.names_of(ax, [curve.label for curve in curves], 0.5)
        style.caption(ax, said)
        for number, curve in enumerate(curves):
            shown = style.look(number, markers)
            label = f"{names[curve.label]}{curve.note}"
            ax.plot(curve.x, curve.y, markersize=4.5, label=label, clip_on=not markers, **shown)
            if curve.band is not None:
                low, high = curve.band
                ax.fill_between(curve.x, low, high, color=shown["color"], alpha=0.12, linewidth=0)
        style.key(ax)
        style.name_axes(ax, across, up)
        yield ax


def _defined(curves: Sequence[_Curve]) -> list[_Curve]:
    """The curves without their undefined points; a warning names these."""
    undefined, found = [], []
    for curve in curves:
        known = np.isfinite(curve.y)
        undefined += [f"{curve.label} at {place:g}" for place in curve.x[~known].tolist()]
        if known.any():
            band = None if curve.band is None else curve.band[:, known]
            found.append(curve._replace(x=curve.x[known], y=curve.y[known], band=band))
        elif not len(known):
            undefined.append(curve.label)
    style.say_undefined(undefined, len(found))
    return found


def _coefficients(results: Iterable[SystemImpact | RankCorrelation]) -> str:
    """What the coefficients of results are called."""
    return _each(coefficient_shown(result.coefficient) for result in results)


def _each(texts: Iterable[str]) -> str:
    """Different texts, such as how results were made, in their order."""
    return ", or ".join(dict.fromkeys(texts))


@documented
def asl_curves(
    results: Mapping[str, DiscriminativePower],
    ax: Axes | None = None,
    up_to: float = SHOWN,
    *,
    width: float | None = None,
) -> Axes:
    """Plot the achieved significance levels of all pairs, sorted (Sakai 2006, Figure 2).

    The further left a measure's curve drops, the more pairs of systems it distinguishes.

    Parameters
    ----------
    up_to
        The highest level shown.
    %(curves)s

    See Also
    --------
    irx_measures.meta.discriminative_power : Computes a result.
    """
    style.check_dict_of(DiscriminativePower, "meta.discriminative_power", "results", results)
    floor = max(result.least_p_value for result in results.values())
    top = max(up_to, min(1.0, 1.5 * floor))  # no level is below the floor
    left, right = _zoom(results.values(), top)
    how = _each(map(_how_tested, results.values()))
    said = (
        f"{how[:1].upper()}{how[1:]}. A curve that drops further left belongs to "
        "a measure that distinguishes more pairs."
    )
    if left:
        said += f" Left of the axis, every level is above {top:g}."
    outside = [label for label, result in results.items() if result.p_value.min() > top]
    if outside:
        lowest = min(float(results[label].p_value.min()) for label in outside)
        why = f"every level is above {top:g}; the lowest is {lowest:.2g}"
        whose = "" if len(outside) == len(results) else f" of {some(outside, MOST_NAMED)}"
        said += f" No curve{whose} is visible: {why}."
    curves = [_falling(label, result.p_value) for label, result in results.items()]
    across = "pairs of systems, by falling level (further left is better)"
    up = "achieved significance level"
    with _drawn(curves, across, up, said, ax, width, markers=False) as ax:
        if top >= P_LINE:  # a text far outside would take the whole figure
            style.draw_level(ax, P_LINE)
        ax.set_ylim(0, top)
        ax.set_xlim(left, right)
        ax.locator_params(axis="x", integer=True)
        if len(outside) == len(results):
            style.say_empty(ax, why)
    return ax


def _falling(label: str, values: FloatArray, note: str = "") -> _Curve:
    """The values of all pairs of systems, sorted to fall."""
    return _Curve(label, 1 + np.arange(len(values)), np.sort(values)[::-1], note=note)


def _how_tested(power: DiscriminativePower) -> str:
    """The test, its correction, and what it was used on."""
    method, details = power.method, [f"{power.pairs} pairs of {len(power.systems)} systems"]
    if method.correction != "none":
        details.insert(0, f"{method.correction.capitalize()} correction")
    if method.drawn is not None:
        details.append(f"{method.drawn} resamples (no level below {power.least_p_value:.2g})")
    return f"{TESTS[method.test].title}, {', '.join(details)}"


def _zoom(results: Collection[DiscriminativePower], top: float) -> tuple[float, float]:
    """The axis from where the curves enter the picture to where all have come down.

    It starts at 0 if a curve enters the picture there, or if no curve does.
    """
    curves = [result.p_value for result in results]
    first = min(int(np.count_nonzero(curve > top)) for curve in curves)
    last = max(int(np.count_nonzero(curve > VISIBLE * top)) for curve in curves)
    longest = max(map(len, curves))
    if first == longest:
        first, last = 0, longest
    last = max(last, first + FEWEST_PAIRS)
    margin = ASIDE * max(last - first, 1)
    return max(0.0, first - margin), min(longest, last + margin)


@documented
def stability_curves(
    results: Mapping[str, Stability], ax: Axes | None = None, *, width: float | None = None
) -> Axes:
    """Plot the stability of every pair of systems, sorted. The key shows the mean.

    Parameters
    ----------
    %(curves)s

    See Also
    --------
    irx_measures.meta.stability : Computes a result.
    """
    style.check_dict_of(Stability, "meta.stability", "results", results)
    said = (
        "Share of the random topic sets that agree on the better system of a pair; the key has "
        f"the mean ({_each(map(_how_compared, results.values()))})."
    )
    curves = [
        _falling(label, result.per_pair, f": {result.value:.3f}")
        for label, result in results.items()
    ]
    across, up = "pairs of systems, by falling stability", "share of topic sets that agree"
    with _drawn(curves, across, up, said, ax, width, markers=False) as ax:
        ax.set_ylim(0, 1.02)
        ax.set_xlim(left=0)
        ax.locator_params(axis="x", integer=True)
    return ax


def _how_compared(result: Stability) -> str:
    kind = "relative" if result.relative else "absolute"
    return (
        f"{result.trials} sets of {result.topics} topics; differences within {kind} fuzziness "
        f"{result.fuzziness:g} are ties, which no system wins"
    )


@documented
def swap_curves(
    results: Mapping[str, SwapCurve],
    ax: Axes | None = None,
    rate: float = 0.05,
    *,
    width: float | None = None,
) -> Axes:
    """Plot the swap rate against the score difference (Voorhees and Buckley 2002, Figure 1).

    Parameters
    ----------
    rate
        The highest swap rate that is accepted, in (0, 1); the picture has a line there.
    %(curves)s

    Notes
    -----
    Bins in which no two systems differ on both sets have no point. The last bin also contains
    all larger differences.

    See Also
    --------
    irx_measures.meta.split_swap_rate : Computes a result.
    """
    style.check_dict_of(SwapCurve, "meta.split_swap_rate", "results", results)
    how = _each(
        f"{one.trials} pairs of disjoint sets of {one.topics} topics" for one in results.values()
    )
    said = (
        "Share of pairs of systems that a second set of topics orders differently, by their "
        f"difference on the first set ({how}). Dotted: a swap rate of {rate:g}."
    )
    curves = [
        _Curve(label, one.difference[np.isfinite(one.rate)], one.rate[np.isfinite(one.rate)])
        for label, one in results.items()
    ]
    across, up = "difference of two systems (lower edge of its bin)", "swap rate (share of pairs)"
    with _drawn(curves, across, up, said, ax, width) as ax:
        style.draw_level(ax, rate)
        ax.set_ylim(bottom=0)
    return ax


@documented
def impact_curves(
    results: Mapping[str, SystemImpact], ax: Axes | None = None, *, width: float | None = None
) -> Axes:
    """Plot the mean correlation against the number of systems (rareness paper, Table 3).

    Parameters
    ----------
    %(curves)s

    Notes
    -----
    The band is two standard errors of the mean in each direction, up to 1.

    See Also
    --------
    irx_measures.meta.system_impact : Computes a result.
    """
    style.check_dict_of(SystemImpact, "meta.system_impact", "results", results)
    systems = _each(str(len(result.systems)) for result in results.values())
    trials = _each(str(result.correlation.shape[1]) for result in results.values())
    coefficients = _coefficients(results.values())
    said = (
        f"{coefficients} of the ranking of a few systems, evaluated together, with their ranking "
        f"among all {systems}: mean of {trials} trials, and two standard errors in each direction."
    )
    curves = []
    for label, result in results.items():
        band = result.mean + 2 * np.outer([-1, 1], result.error)
        curves.append(_Curve(label, result.sizes, result.mean, np.minimum(band, 1.0)))
    up = f"{coefficients}\nband: 2 standard errors"
    with _drawn(curves, "systems evaluated together", up, said, ax, width) as ax:
        ax.set_xscale("log", base=2)
        sizes: Sequence[int] = sorted({int(n) for result in results.values() for n in result.sizes})
        ax.set_xticks(sizes, [str(size) for size in sizes])
    return ax


@documented
def correlation_curves(
    results: Mapping[str, Mapping[float, RankCorrelation]],
    parameter: str = "alpha",
    ax: Axes | None = None,
    *,
    width: float | None = None,
) -> Axes:
    """Plot correlations, with intervals, against a measure's parameter (rareness paper, Figure 2).

    A result is a dictionary: the correlation at each value of the parameter.

    Parameters
    ----------
    parameter
        Label of the x axis.
    %(curves)s

    See Also
    --------
    irx_measures.meta.rank_correlation : Computes one correlation.
    """
    style.check_dict("results", results)
    for label, curve in results.items():
        name = f"results[{shown(label)}]"
        style.check_dict_of(RankCorrelation, "meta.rank_correlation", name, curve)
    every = [result for curve in results.values() for result in curve.values()]
    band = f"{level_text(every[0].level)} interval"
    said = (
        f"{_coefficients(every)} of two rankings of {len(every[0].systems)} systems. Band: {band} "
        f"over {len(every[0].bootstrap)} bootstrap samples."
    )
    curves = []
    for label, curve in results.items():
        found = [curve[across] for across in sorted(curve)]
        value, ends = np.array([one.value for one in found]), [one.interval for one in found]
        curves.append(_Curve(label, np.array(sorted(curve)), value, np.array(ends).T))
    up = f"{_coefficients(every)}\nband: {band}"
    with _drawn(curves, style.plain(parameter), up, said, ax, width) as ax:
        return ax


@documented
def judging_progress(
    history: Sequence[JudgingState], ax: Axes | None = None, *, width: float | None = None
) -> Axes:
    """Plot the probability of a claim against the number of judged documents.

    Parameters
    ----------
    history
        The states of one campaign, the latest last: `JudgingPlan.history`.
    %(drawn)s

    %(refused)s

    Notes
    -----
    - A dot is a look at the campaign. It is filled where the claim is probable enough to stop; the
      first of these looks has its number of judgments.
    - The horizontal axis ends at the size of the pool: all documents that could be judged.

    See Also
    --------
    irx_measures.JudgingPlan : Has the history.
    """
    style.check_results(history, "history")
    for place, state in enumerate(history):
        check_kind(f"history[{place}]", state, JudgingState, "JudgingPlan.history")
    judged = np.array([state.judged for state in history])
    probability = np.array([state.probability for state in history])
    enough = np.array([state.settled for state in history])
    last = history[-1]
    with style.picture(ax, 3.2, width) as ax:
        style.draw_level(ax, last.level)
        ax.plot(judged, probability, color=style.INTERVAL, marker="", linewidth=1.2)
        style.draw_dots(ax, judged, probability, enough)
        if enough.any():
            _name_stop(ax, history[int(enough.argmax())])
        ax.set_ylim(0, 1.02)
        ax.set_xlim(0, max(last.pool, 1))
        across = f"judged documents, of {last.pool} (filled: enough to stop)"
        whose, here = "", last.claim
        if last.question != RANKING:
            name = style.names_of(ax, [last.answer])[last.answer]
            whose, here = f"{style.in_caption(last.answer)}: ", f"{name}: {last.claim}"
        style.name_axes(ax, across, f"P({here})")
        style.caption(
            ax, f"{whose}{last.summary}. Filled: probable enough to stop (dotted: {last.level:g})."
        )
    return ax


def _name_stop(ax: Axes, state: JudgingState) -> None:
    """Drop a line from the first look that is enough, with its number of judgments."""
    ax.vlines(state.judged, 0, state.probability, color=style.ABOVE, linewidth=0.8)
    aligned, beside = "left", 4
    if state.judged > state.pool / 2:  # the text stays within the axes
        aligned, beside = "right", -4
    ax.annotate(
        f"{state.judged} judged ({percent(state.judged, state.pool)})", (state.judged, 0),
        (beside, 4), ha=aligned, textcoords="offset points", color=style.MUTED, fontsize=7,
    )  # fmt: skip
