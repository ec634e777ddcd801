"""Coefficients of rank correlation, for many pairs of rankings at once.

Scores (samples, systems) define the rankings; a higher score ranks first. Results are (samples,).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import get_args

import numpy as np

from ..common.numeric import BoolArray, FloatArray, IntArray, ratio_or_nan, slices
from ..common.validators import FRACTION, choice
from ..kernels import rank_biased, rank_overlap
from ..kernels.tie_orders import Groups, tie_groups
from ..typing import Coefficient
from .pairs import Pairs
from .ranks import mean_ranks


def _kendall(first: FloatArray, second: FloatArray, with_ties: bool) -> FloatArray:
    pairs = Pairs.of(first.shape[1])
    value = np.empty(len(first))
    for chunk in slices(len(first), len(pairs.first)):
        one, other = _signs(first[chunk], pairs), _signs(second[chunk], pairs)
        concordance = np.einsum("sp,sp->s", one, other)
        if with_ties:
            untied = np.sqrt(np.abs(one).sum(axis=1) * np.abs(other).sum(axis=1))
            value[chunk] = ratio_or_nan(concordance, untied)
        else:
            value[chunk] = concordance / len(pairs.first)
    return value


def _signs(scores: FloatArray, pairs: Pairs) -> FloatArray:
    """1 where the first system of a pair is better, -1 where the second is: (samples, pairs)."""
    return np.sign(scores[:, pairs.first] - scores[:, pairs.second])


def _has_order(first: FloatArray, second: FloatArray) -> BoolArray:
    """Samples in which neither ranking ties all systems: (samples,)."""
    return np.logical_and(np.ptp(first, axis=1) > 0, np.ptp(second, axis=1) > 0)


def tau(first: FloatArray, second: FloatArray) -> FloatArray:
    """Kendall's tau: (concordant - discordant pairs) / all pairs. A tied pair is neither.

    NaN if a ranking ties all systems.
    """
    value = _kendall(first, second, with_ties=False)
    return np.where(_has_order(first, second), value, np.nan)


def tau_b(first: FloatArray, second: FloatArray) -> FloatArray:
    """Kendall's tau_b, over the pairs that are not tied; NaN if a ranking ties all systems."""
    return _kendall(first, second, with_ties=True)


def tau_ap(first: FloatArray, second: FloatArray) -> FloatArray:
    """Tau AP (Yilmaz, Aslam and Robertson 2008); the first ranking is the reference.

    For systems tied in the second ranking, the value is the mean over all their orders (tau_AP,a
    of Urbano and Marrero 2017). A pair tied in the first ranking counts 0. The value is NaN if a
    ranking ties all systems.
    """
    systems = first.shape[1]
    # harmonic[n] = 1 + 1/2 + ... + 1/n
    harmonic = np.concatenate(([0.0], np.cumsum(1.0 / np.arange(1, systems + 1))))
    value = np.empty(len(first))
    for chunk in slices(len(first), systems * systems):
        one, other = first[chunk], second[chunk]
        above = other[:, np.newaxis, :] > other[:, :, np.newaxis]
        sign = np.sign(one[:, np.newaxis, :] - one[:, :, np.newaxis])
        higher = np.count_nonzero(above, axis=2)
        tied = systems - higher - np.count_nonzero(above, axis=1)
        # Mean of 1 / (rank - 1) over the ranks of the tie group.
        start = np.maximum(higher - 1, 0)
        weight = (harmonic[start + tied] - harmonic[start]) / tied
        value[chunk] = (weight * np.where(above, sign, 0.0).sum(axis=2)).sum(axis=1)
    return np.where(_has_order(first, second), value / (systems - 1), np.nan)


def spearman(first: FloatArray, second: FloatArray) -> FloatArray:
    """Spearman's rho. Tied systems share their mean rank; NaN if a ranking ties all systems."""
    mean_rank = (first.shape[1] + 1) / 2
    one, other = mean_ranks(first) - mean_rank, mean_ranks(second) - mean_rank
    spread = np.sqrt((one**2).sum(axis=1) * (other**2).sum(axis=1))
    return ratio_or_nan(np.einsum("sn,sn->s", one, other), spread)


def _tie_groups(first: FloatArray, second: FloatArray) -> tuple[IntArray, Groups, Groups]:
    """The kernels' arguments: the second ranking is observed, the first is the reference."""
    samples, systems = first.shape
    reference = np.argsort(-first, axis=1, kind="stable")
    observed = np.argsort(-second, axis=1, kind="stable")
    rank_of = np.empty((samples, systems), np.int64)
    ranks = np.broadcast_to(np.arange(1, systems + 1), (samples, systems))
    np.put_along_axis(rank_of, observed, ranks, axis=1)
    length = np.full(samples, systems)
    in_order = np.take_along_axis(second, observed, axis=1)
    of_observed = tie_groups(in_order, length, share=True)
    in_order = np.take_along_axis(first, reference, axis=1)
    of_reference = tie_groups(in_order, length, share=True)
    return np.take_along_axis(rank_of, reference, axis=1), of_observed, of_reference


def rbo(first: FloatArray, second: FloatArray, phi: float) -> FloatArray:
    """Rank-biased overlap of complete rankings, extrapolated; tied systems share their ranks."""
    rank, observed, reference = _tie_groups(first, second)
    return rank_overlap.overlap(rank, observed, reference, phi, "share", "ext")


def rba(first: FloatArray, second: FloatArray, phi: float) -> FloatArray:
    """Rank-biased alignment of complete rankings, which agree beyond their ends."""
    rank, observed, reference = _tie_groups(first, second)
    residual = rank_biased.alignment_residual(rank, observed, reference, phi)
    return rank_biased.alignment(rank, observed, reference, phi) + residual


WITHOUT_PHI: dict[str, Callable[[FloatArray, FloatArray], FloatArray]] = {
    "tau": tau,
    "tau_b": tau_b,
    "tau_AP": tau_ap,
    "spearman": spearman,
}

WITH_PHI: dict[str, Callable[[FloatArray, FloatArray, float], FloatArray]] = {
    "RBO": rbo,
    "RBA": rba,
}

COEFFICIENTS: tuple[str, ...] = get_args(Coefficient)


def coefficient_named(coefficient: str, phi: float) -> str:
    """The name of a coefficient with its persistence; both are checked."""
    choice(*COEFFICIENTS).check("coefficient", coefficient)
    FRACTION.check("phi", phi)
    return f"{coefficient}(phi={phi:g})" if coefficient in WITH_PHI else coefficient


TAU_B = "Kendall's τ_b"

SHOWN = {"tau": "Kendall's τ", "tau_b": TAU_B, "tau_AP": "τ_AP", "spearman": "Spearman's ρ"}


def coefficient_shown(named: str) -> str:
    """What pictures and pages call a coefficient, which `coefficient_named` has named."""
    return SHOWN.get(named, named)


def coefficient_of(
    coefficient: str, first: FloatArray, second: FloatArray, phi: float
) -> FloatArray:
    """The coefficient, one of `COEFFICIENTS`, of each pair of rankings: (samples,).

    The rankings are scores, (samples, systems). `phi` is the persistence of those in `WITH_PHI`.
    """
    if coefficient in WITHOUT_PHI:
        return WITHOUT_PHI[coefficient](first, second)
    value = np.empty(len(first))
    for chunk in slices(len(first), 16 * first.shape[1]):
        value[chunk] = WITH_PHI[coefficient](first[chunk], second[chunk], phi)
    return value
