"""Normalized Residual Gain, unique relevant documents and TaSC (Eq. 1 to 4 of the NRG paper)."""

from __future__ import annotations

import numpy as np

from ..common.arrays import FloatArray, IntArray
from ..common.division import safe_divide
from .user_models import RankEntries, browsing_weights, discount


def survival(prior: RankEntries, seen_at: FloatArray, shape: tuple[int, ...]) -> FloatArray:
    """Probability that no user of the prior rankings saw a document: the product in Eq. 3.

    Parameters
    ----------
    prior
        What the priors found.
    seen_at : (depth + 1,)
    shape
        (queries, documents)

    Returns
    -------
    (queries, documents); ones where there are no priors.
    """
    unseen = np.ones(shape)
    np.multiply.at(unseen.ravel(), prior.cell, (1.0 - seen_at)[prior.rank])
    return unseen


def survival_without_block(
    prior_rank: IntArray, seen_at: FloatArray, block: IntArray, blocks: int
) -> FloatArray:
    """`survival` for every block of priors left out in turn.

    Products before and after each block rather than one division: a document at rank 1 of a prior
    has the factor 0, which no division takes out again.

    Parameters
    ----------
    prior_rank : (priors, queries, documents)
    seen_at : (depth + 1,)
    block : (priors,)
        The block of each prior, 0 to ``blocks - 1``.
    blocks
        Number of blocks; one may be empty.

    Returns
    -------
    (blocks + 1, queries, documents): row b without block b, the last row without none.
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
    """`survival` of the priors before each one: (priors, queries, documents)."""
    before = np.ones(prior_rank.shape)
    np.cumprod((1.0 - seen_at)[prior_rank[:-1]], axis=0, out=before[1:])
    return before


def ideal_discounted_gain(gain: FloatArray, depth: int | None) -> FloatArray:
    """Discounted gain of the documents in descending order of gain, down to `depth`.

    Parameters
    ----------
    gain : (..., documents)
    depth
        None for every document.

    Returns
    -------
    (...)
    """
    width = gain.shape[-1]
    best = gain
    if depth is not None and depth < width:
        best = np.partition(gain, width - depth, axis=-1)[..., width - depth :]
    best = np.sort(best, axis=-1)[..., ::-1]
    return best @ discount(best.shape[-1])


def normalized_residual_gain(
    rank: IntArray,
    gain: FloatArray,
    unseen: FloatArray | float,
    *,
    base: str,
    cutoff: float,
    phi: float,
    ideal_depth: int | None,
) -> FloatArray:
    """Score a ranking by what it adds to priors (Eq. 4).

    Parameters
    ----------
    rank : (..., queries, documents)
        Ranks of the evaluated run, none deeper than the cutoff, 0 where not returned.
    gain : (queries, documents)
        Gain without priors.
    unseen : broadcastable to rank
        `survival` of each document.
    base, cutoff, phi
        The base measure; the cutoff divides ``P`` and is infinite where there is none.
    ideal_depth
        How deep the ideal ranking of ``nDCG`` goes; None for all documents.

    Returns
    -------
    (..., queries); 0 where nothing is left to gain.
    """
    depth = int(rank.max(initial=0))
    weight = browsing_weights(base, depth, phi)[rank]
    residual = gain * unseen
    if base == "RR":
        first = np.argmax(weight * (gain > 0), axis=-1)[..., np.newaxis]
        return np.take_along_axis(residual * weight, first, axis=-1)[..., 0]
    total = gain_found(weight, residual)
    if base == "nDCG":
        ideal = ideal_discounted_gain(residual, ideal_depth)
        return safe_divide(total, ideal)
    if base == "RBP":
        return total * (1.0 - phi)
    return total / cutoff


def gain_found(weight: FloatArray | IntArray, gain: FloatArray) -> FloatArray:
    """Sum of weighted gains over documents: (..., queries).

    Parameters
    ----------
    weight, gain : (..., queries, documents)
    """
    return np.einsum("...j,...j->...", weight, gain)


def subspace_coverage(base_score: FloatArray, prior_score: FloatArray, agg: str) -> FloatArray:
    """TaSC: the run's base score times what the priors leave uncovered.

    Parameters
    ----------
    base_score : (queries,)
    prior_score : (priors, queries)
    agg
        ``max`` or ``mean`` over priors.

    Returns
    -------
    (queries,); the base score itself where there are no priors.
    """
    if not len(prior_score):
        return base_score
    covered = prior_score.max(axis=0) if agg == "max" else prior_score.mean(axis=0)
    return (1.0 - covered) * base_score
