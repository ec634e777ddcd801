"""Normalized Residual Gain, unique relevant documents and TaSC (Eq. 1 to 4 of the NRG paper).

Arguments beside those of the package:

    shape         tuple of ints                       (queries, documents)
    prior         RankEntries                         ranks of the documents that priors return
    prior_rank    (priors, queries, documents) ints   ranks in the priors; 0 if not returned
    seen_at       (depth + 1,) floats                 probability, in [0, 1], that a user sees
                                                      rank 0 (0), 1, ..., depth
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ..common.numeric import FloatArray, IntArray, safe_divide
from .user_models import RankEntries, browsing_weights, discount


def survival(prior: RankEntries, seen_at: FloatArray, shape: tuple[int, ...]) -> FloatArray:
    """Probability that no user of the priors saw a document (Eq. 3): (queries, documents)."""
    unseen = np.ones(shape)
    np.multiply.at(unseen.ravel(), prior.cell, (1.0 - seen_at)[prior.rank])
    return unseen


def survival_without_block(
    prior_rank: IntArray, seen_at: FloatArray, block: IntArray, blocks: int
) -> FloatArray:
    """`survival` with each block of priors left out in turn: (blocks + 1, queries, documents).

    Row b leaves out block b; the last row includes all blocks. `block` is that of each prior,
    (priors,) ints from 0 to ``blocks - 1``. A block may be empty.

    It multiplies the products before and after each block. Dividing the full product by a block
    would fail: a document at rank 1 of a prior has the factor 0.
    """
    unseen = np.ones((blocks, *prior_rank.shape[1:]))
    miss = 1.0 - seen_at
    for prior, home in enumerate(block):
        unseen[home] *= miss[prior_rank[prior]]
    product = np.ones((blocks + 1, *prior_rank.shape[1:]))
    np.cumprod(unseen, axis=0, out=product[1:])
    after = np.ones(prior_rank.shape[1:])
    for home in range(blocks - 1, -1, -1):
        product[home] *= after
        after *= unseen[home]
    return product


def survival_before(prior_rank: IntArray, seen_at: FloatArray) -> FloatArray:
    """`survival` for each prior, given the priors before it: (priors, queries, documents)."""
    before = np.ones(prior_rank.shape)
    np.cumprod((1.0 - seen_at)[prior_rank[:-1]], axis=0, out=before[1:])
    return before


def ideal_discounted_gain(gain: FloatArray, depth: int | None) -> FloatArray:
    """Discounted gain of the ideal ranking, by descending gain, down to `depth`: (...).

    Gains are (..., documents). `depth` is at least 1; None includes every document.
    """
    width = gain.shape[-1]
    best = gain
    if depth is not None and depth < width:
        best = np.partition(gain, width - depth, axis=-1)[..., width - depth :]
    best = np.sort(best, axis=-1)[..., ::-1]
    return best @ discount(best.shape[-1])


class Parts(NamedTuple):
    """What documents add to a score: ``weight * residual / divisor``."""

    weight: FloatArray  # (..., documents), of their ranks
    residual: FloatArray  # (..., documents): their residual gains
    divisor: FloatArray | float  # (...)

    @property
    def score(self) -> FloatArray:
        """The sum over documents; 0 if the divisor is 0: (...)."""
        total = np.einsum("...j,...j->...", self.weight, self.residual)
        return safe_divide(total, self.divisor)


def residual_parts(
    rank: IntArray,
    gain: FloatArray,
    unseen: FloatArray | float,
    *,
    base: str,
    cutoff: float,
    phi: float,
    ideal_depth: int | None,
) -> Parts:
    """What documents add to the score of a ranking by their residual gains (Eq. 4).

    Ranks are those of the evaluated run: (..., queries, documents). Gains are without priors.

    Parameters
    ----------
    unseen : broadcastable to rank
        `survival` of each document, in [0, 1].
    cutoff
        Divisor of ``P``; infinite if there is no cutoff.
    ideal_depth
        Depth of the ideal ranking of ``nDCG``; None includes all documents.
    """
    weight = browsing_weights(base, int(rank.max(initial=0)), phi)[rank]
    residual = gain * unseen
    if base == "nDCG":
        return Parts(weight, residual, ideal_discounted_gain(residual, ideal_depth))
    if base == "RBP":
        return Parts(weight, residual, 1.0 / (1.0 - phi))
    if base == "P":
        return Parts(weight, residual, cutoff)
    first = np.argmax(weight * (gain > 0), axis=-1)[..., np.newaxis]
    return Parts(weight * (np.arange(weight.shape[-1]) == first), residual, 1.0)


def subspace_coverage(base_score: FloatArray, prior_score: FloatArray, agg: str) -> FloatArray:
    """TaSC: base score x (1 - the priors' score), by query: (queries,); the base score without any.

    Parameters
    ----------
    base_score, prior_score : (queries,) and (priors, queries) floats
        Base scores of the run and of the priors, in [0, 1].
    agg
        ``max`` or ``mean`` over priors.
    """
    if not len(prior_score):
        return base_score
    covered = prior_score.max(axis=0) if agg == "max" else prior_score.mean(axis=0)
    return (1.0 - covered) * base_score
