"""Comparisons of macro means: means over groups of queries, each group with the same weight."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import compress
from typing import Any

import numpy as np

from ..common.numeric import FloatArray
from ..common.validators import choice, optional
from ..common.writing import some
from ..exceptions import InputError
from ..measures.naming.named_score import direction_of
from ..scoring.aggregates import is_summed
from ..scoring.grouped_scores import GroupedScores
from ..scoring.score_matrix import MOST_NAMED
from ..stats.decisions import corrected
from ..stats.family import Method
from ..stats.intervals import t_half_width
from ..stats.resampling import Progress
from ..stats.strata import (
    FEWEST_GROUPS,
    FEWEST_OF_GROUPS,
    FEWEST_OF_QUERIES,
    Moments,
    between_groups,
    moments_of,
    moments_of_differences,
    new_group,
    noise_of_groups,
    stratified_effect,
    stratified_half_width,
    stratified_p,
)
from ..stats.tests import t_p_values
from .hypotheses import Asked, Hypotheses, all_tested, asked_of

QUERIES, GROUPS = "queries", "groups"

MACRO = optional(choice(QUERIES, GROUPS))

FEWEST = {QUERIES: FEWEST_GROUPS, GROUPS: FEWEST_OF_GROUPS}


def macro_hypotheses(
    scores: GroupedScores,
    baselines: Sequence[str],
    method: Method,
    macro: str,
    progress: Progress | None = None,
) -> list[Hypotheses]:
    """The hypotheses that two systems have the same macro mean, on every measure.

    ``queries``: the groups are as they are, and their queries are drawn. ``groups``: the groups are
    drawn, and each has one score, its mean. InputError if the scores or the method do not allow it.
    """
    _check(scores, method, macro)
    if macro == QUERIES:
        return list(_stratified(scores, baselines, method))
    tested = all_tested({None: scores.macro}, baselines, method, progress)
    return [replace(part, unit=scores.unit, macro=macro) for part in tested]


def _check(scores: GroupedScores, method: Method, macro: str) -> None:
    sums = [str(measure) for measure in scores.matrix.measures if is_summed(measure)]
    if sums:
        raise InputError(
            f"sums over queries have no macro mean: leave out {some(sums, MOST_NAMED)}"
        )
    fewest, unit = FEWEST[macro], scores.unit
    if len(scores.groups) < fewest:
        got = len(scores.groups)
        raise InputError(f"`macro={macro!r}` needs at least {fewest} {unit}s; got {got}")
    if macro != QUERIES:
        return
    if method.test != "t":
        raise InputError(f"`macro={QUERIES!r}` has `test='t'` only; got {method.test!r}")
    sized = zip(scores.groups, scores.sizes, strict=True)
    small = [f"{group!r} ({size})" for group, size in sized if size < FEWEST_OF_QUERIES]
    if small:
        raise InputError(
            f"`macro={QUERIES!r}` needs at least {FEWEST_OF_QUERIES} queries in every {unit}; "
            f"fewer has {some(small, MOST_NAMED)}"
        )


def _stratified(
    scores: GroupedScores, baselines: Sequence[str], method: Method
) -> Iterator[Hypotheses]:
    """The tests in which the queries of each group are drawn; see `stats.strata`."""
    matrix = scores.macro
    for place, measure in enumerate(matrix.measures):
        for asked in asked_of({None: matrix}, place, baselines):
            scored = ~matrix.undefined[place]
            groups = [part.scores[place][scored] for part in scores.parts]
            yield Hypotheses(
                measure=measure,
                group=None,
                systems=tuple(compress(matrix.systems, scored.tolist())),
                scores=asked.part.scores,
                pairs=asked.pairs,
                against=bool(baselines),
                method=method,
                in_family=len(asked.stated),
                unit=scores.unit,
                macro=QUERIES,
                mean_half_width=stratified_half_width(moments_of(groups), method.alpha),
                **_tests(groups, asked, direction_of(measure), method),
            )


def _tests(
    groups: Sequence[FloatArray], asked: Asked, direction: float, method: Method
) -> dict[str, Any]:
    """The arrays of both questions."""
    found = moments_of_differences(groups, asked.pairs)
    noise = noise_of_groups(groups)
    p, p_adjusted = _corrected(stratified_p(found, noise), asked, method)
    half_width = np.full(len(p), np.nan)
    alpha = method.alpha
    if method.has_intervals and len(asked.stated):
        alpha = method.alpha / method.factor(len(asked.stated))
        half_width = stratified_half_width(found, alpha)
    wins = np.count_nonzero(direction * found.means > 0, axis=0)
    ties = np.count_nonzero(found.means == 0, axis=0)
    new_lower, new_upper = new_group(found, method.level)
    return {
        "difference": found.mean,
        "lower": found.mean - half_width,
        "upper": found.mean + half_width,
        "effect": stratified_effect(found),
        "p": p,
        "p_adjusted": p_adjusted,
        "wins": wins,
        "ties": ties,
        "losses": len(groups) - wins - ties,
        "variance": found.means.var(axis=0, ddof=1),
        **_of_other_groups(found, asked, method, alpha),
        "between": between_groups(found),
        "new_lower": new_lower,
        "new_upper": new_upper,
    }


def _of_other_groups(
    found: Moments, asked: Asked, method: Method, alpha: float
) -> dict[str, FloatArray]:
    """The second question, of the same hypotheses: a t test of the groups' means."""
    count, size = found.means.shape
    if count < FEWEST_OF_GROUPS:
        undefined = np.full(size, np.nan)
        p, p_adjusted, half_width = undefined, undefined, undefined
    else:
        variance = found.means.var(axis=0, ddof=1)
        p, p_adjusted = _corrected(t_p_values(found.mean, variance, count), asked, method)
        half_width = np.full(size, np.nan)
        if method.has_intervals:
            half_width = t_half_width(np.sqrt(variance), count, alpha)
    return {
        "groups_lower": found.mean - half_width,
        "groups_upper": found.mean + half_width,
        "groups_p": p,
        "groups_p_adjusted": p_adjusted,
    }


def _corrected(p: FloatArray, asked: Asked, method: Method) -> tuple[FloatArray, FloatArray]:
    """p-values of all rows, and those that are corrected over the hypotheses."""
    return p, corrected(p[asked.stated], method.correction)[asked.hypothesis]
