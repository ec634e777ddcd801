"""What the persistence of rank-biased measures means, and how to choose it.

In all functions, a persistence (`phi`), a fraction or a weight lies in (0, 1), and a number of
documents or ranks (`k`, `d`) is at least 1; otherwise there is a ValueError that names it.
"""

from __future__ import annotations

from math import expm1, log, nextafter

from .common.validators import integer, number_in
from .exceptions import InputError
from .kernels.rank_overlap import logarithmic_tails

__all__ = ["expected_depth", "phi_for", "phi_for_weight", "rank_weight", "rba_range"]

# 1 minus a smaller number rounds to 1.
NEGLIGIBLE = 1e-17

GREATEST_PHI = nextafter(1.0, 0.0)  # phi must be less than 1

COUNT, SHARE = integer(1), number_in(0, 1, closed=False)


def phi_for(k: int, f: float) -> float:
    """Persistence that gives ranks k+1 to 2k a fraction f of the weight of ranks 1 to k.

    It is ``f ** (1 / k)`` (Eq. 10).

    Parameters
    ----------
    k
        A number of ranks, at least 1.
    f
        The fraction, in (0, 1).

    Returns
    -------
    float
        The persistence, in (0, 1).

    Raises
    ------
    ValueError
        When `k` or `f` is out of range.

    Examples
    --------
    >>> from irx_measures import persistence
    >>> round(persistence.phi_for(10, 0.1), 3)
    0.794
    """
    depth = COUNT.check("k", k)
    return float(SHARE.check("f", f) ** (1.0 / depth))


def rba_range(k: int, phi: float) -> tuple[float, float]:
    """The lowest (Eq. 12) and highest (``1 - phi^k``) RBA of two permutations of k documents.

    Parameters
    ----------
    k
        The number of documents, at least 1.
    phi
        The persistence, in (0, 1).

    Returns
    -------
    pair of floats
        The lowest and the highest RBA, in (0, 1).

    Raises
    ------
    ValueError
        When `k` or `phi` is out of range.

    Examples
    --------
    >>> from irx_measures import persistence
    >>> [round(bound, 2) for bound in persistence.rba_range(10, 0.8)]
    [0.73, 0.89]
    """
    depth, persistence = COUNT.check("k", k), float(SHARE.check("phi", phi))
    least = (1.0 - persistence) * depth * persistence ** ((depth - 1) / 2)
    return float(least), float(1.0 - persistence**depth)


def expected_depth(phi: float) -> float:
    """The mean depth to which a user with this persistence reads: ``1 / (1 - phi)``.

    Parameters
    ----------
    phi
        The persistence, in (0, 1).

    Returns
    -------
    float
        A number of ranks, more than 1.

    Raises
    ------
    ValueError
        When `phi` is out of range.

    Examples
    --------
    >>> from irx_measures import persistence
    >>> round(persistence.expected_depth(0.9), 6)
    10.0
    """
    return 1.0 / (1.0 - float(SHARE.check("phi", phi)))


def rank_weight(phi: float, d: int) -> float:
    r"""The weight of ranks 1 to d in rank-biased overlap (Eq. 21 of Webber et al., TOIS 2010).

    Documents at these ranks also count at every greater depth. Their weight is therefore larger
    than the weight ``1 - phi^d`` of the same ranks in rank-biased precision.

    Parameters
    ----------
    phi
        The persistence, in (0, 1).
    d
        A number of ranks, at least 1.

    Returns
    -------
    float
        In (0, 1], ``1 - phi^(d-1) + (1 - phi) d sum_{i >= d} phi^(i-1) / i``.

    Raises
    ------
    ValueError
        When `phi` or `d` is out of range.

    See Also
    --------
    irx_measures.persistence.phi_for_weight : The persistence for a weight.

    Examples
    --------
    >>> from irx_measures import persistence
    >>> round(persistence.rank_weight(0.9, 10), 6)
    0.855585
    """
    return _weight(float(SHARE.check("phi", phi)), COUNT.check("d", d))


def phi_for_weight(d: int, weight: float) -> float:
    """Persistence phi with ``rank_weight(phi, d) == weight``.

    Parameters
    ----------
    d
        A number of ranks, at least 1.
    weight
        The weight of ranks 1 to d, in (0, 1).

    Returns
    -------
    float
        The persistence, in (0, 1).

    Raises
    ------
    ValueError
        When `d` or `weight` is out of range, or the persistence is too close to 1 for a float.

    See Also
    --------
    irx_measures.persistence.rank_weight : The weight for a persistence.

    Examples
    --------
    >>> from irx_measures import persistence
    >>> round(persistence.phi_for_weight(10, 0.9), 4)
    0.8764
    """
    depth, aim = COUNT.check("d", d), SHARE.check("weight", weight)
    least = _weight(GREATEST_PHI, depth)
    if aim < least:
        raise InputError(f"`weight` must be at least {least:.3g} for d = {depth}; got {aim!r}")
    from scipy.optimize import brentq  # importing the package loads no scipy

    # Between these two numbers, the weight falls from 1 to `least`.
    return float(
        brentq(lambda phi: _weight(phi, depth) - aim, NEGLIGIBLE, GREATEST_PHI, xtol=NEGLIGIBLE)
    )


def _weight(phi: float, depth: int) -> float:
    # The ranks below have less weight than this power.
    if phi ** (depth - 1) < NEGLIGIBLE:
        return 1.0
    tail = logarithmic_tails(phi, depth)[-1]
    return float(-expm1((depth - 1) * log(phi)) + (1.0 - phi) * depth * tail)
