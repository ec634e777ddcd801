"""Comparisons of macro means: means over groups of queries, each group with the same weight."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

import numpy as np
from ir_measures import Measure

from ..common.numeric import FloatArray
from ..common.validators import choice, optional
from ..common.writing import some
from ..exceptions import InputError
from ..results.column import Declared
from ..scoring.aggregates import is_summed
from ..scoring.grouped_scores import GroupedScores
from ..scoring.score_matrix import MOST_NAMED
from ..stats.decisions import corrected
from ..stats.family import Method
from ..stats.intervals import t_half_width
from ..stats.strata import (
    FEWEST_GROUPS,
    FEWEST_OF_GROUPS,
    FEWEST_OF_QUERIES,
    between_groups,
    freedom_of_tests,
    moments_of_differences,
    new_group,
    noise_of_groups,
    stratified_effect,
    stratified_half_width,
    stratified_p,
)
from ..stats.tests import t_p_values

if TYPE_CHECKING:
    from .hypotheses import Asked

QUERIES, GROUPS = "queries", "groups"

WITHIN = "none"  # no macro mean: within each group

MACRO = optional(choice(QUERIES, GROUPS, WITHIN))

FEWEST = {QUERIES: FEWEST_GROUPS, GROUPS: FEWEST_OF_GROUPS}

OF_MACRO = "With ``macro='queries'`` also"  # comparisons with the second question

OF_QUERIES = (
    Declared(
        "groups_lower",
        "lower end of the interval of the difference on other groups like these; NaN with fewer "
        "than 3 groups",
        OF_MACRO,
        signed=True,
        opposite="groups_upper",
    ),
    Declared(
        "groups_upper", "upper end of this interval", OF_MACRO, signed=True, opposite="groups_lower"
    ),
    Declared(
        "groups_p",
        "two-sided p-value of the difference on other groups, before the correction",
        OF_MACRO,
    ),
    Declared("groups_p_adjusted", "the same after the correction", OF_MACRO),
    Declared("between", "standard deviation between groups of the true differences", OF_MACRO),
    Declared(
        "new_lower",
        "lower end of the interval of the difference on one further group, which has no correction",
        OF_MACRO,
        signed=True,
        opposite="new_upper",
    ),
    Declared(
        "new_upper", "upper end of this interval", OF_MACRO, signed=True, opposite="new_lower"
    ),
)
"""The columns of comparisons that draw the queries of the groups."""


def check_macro(scores: GroupedScores, method: Method, macro: str) -> None:
    """InputError if the scores or the method do not allow a comparison of macro means.

    ``queries``: the groups are as they are, and their queries are drawn. ``groups``: the groups are
    drawn, and each has one score, its mean.
    """
    check_no_sums(scores.matrix.measures)
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


def check_no_sums(measures: Iterable[Measure]) -> None:
    """InputError if a measure has no macro mean."""
    sums = [str(measure) for measure in measures if is_summed(measure)]
    if sums:
        raise InputError(
            f"sums over queries have no macro mean: leave out {some(sums, MOST_NAMED)}"
        )


def stratified(asked: Asked, method: Method) -> dict[str, FloatArray]:
    """What both questions say of each pair if the queries are drawn; see `stats.strata`."""
    found = moments_of_differences(asked.strata, asked.pairs)
    mean, variance = found.mean, found.means.var(axis=0, ddof=1)
    freedom = freedom_of_tests(found, asked.stated)
    p = stratified_p(found, noise_of_groups(asked.strata), freedom)
    undefined = np.full(len(p), np.nan)
    half_width, half_of_groups, p_of_groups, adjusted_of_groups = [undefined] * 4

    def adjusted(p: FloatArray) -> FloatArray:
        return corrected(p[asked.stated], method.correction)[asked.hypothesis]

    alpha = method.alpha / method.factor(max(len(asked.stated), 1))
    if method.has_intervals:
        half_width = stratified_half_width(found, alpha, freedom)
    if len(asked.strata) >= FEWEST_OF_GROUPS:
        p_of_groups = t_p_values(mean, variance, len(asked.strata))
        adjusted_of_groups = adjusted(p_of_groups)
        if method.has_intervals:
            half_of_groups = t_half_width(np.sqrt(variance), len(asked.strata), alpha)
    new_lower, new_upper = new_group(found, method.level)
    return {
        "difference": mean,  # of the queries' differences, as its interval
        "effect": stratified_effect(found),
        "p": p,
        "p_adjusted": adjusted(p),
        "lower": mean - half_width,
        "upper": mean + half_width,
        "groups_lower": mean - half_of_groups,
        "groups_upper": mean + half_of_groups,
        "groups_p": p_of_groups,
        "groups_p_adjusted": adjusted_of_groups,
        "between": between_groups(found),
        "new_lower": new_lower,
        "new_upper": new_upper,
    }
