"""What the persistence of rank-biased measures means, and how to choose it."""

from __future__ import annotations

from .params import integer, number_in


def phi_for(k: int, f: float) -> float:
    """Persistence that gives ranks k+1 to 2k a fraction f of the weight of ranks 1 to k (Eq. 10).

    Parameters
    ----------
    k
        Number of documents, at least 1.
    f
        The fraction, in (0, 1).

    Returns
    -------
    float
        ``f ** (1 / k)``

    Raises
    ------
    ValueError
        When a number is out of range.

    Examples
    --------
    >>> import irx_measures
    >>> round(irx_measures.phi_for(10, 0.1), 3), round(irx_measures.phi_for(100, 0.05), 3)
    (0.794, 0.97)
    """
    depth = integer(1).require("k", k)
    fraction = number_in(0, 1, closed=False).require("f", f)
    return float(fraction ** (1.0 / depth))


def rba_range(k: int, phi: float) -> tuple[float, float]:
    """The lowest (Eq. 12) and highest (``1 - phi^k``) RBA of two permutations of k documents.

    Parameters
    ----------
    k
        Number of documents, at least 1.
    phi
        Persistence, in (0, 1).

    Returns
    -------
    (least, greatest)

    Raises
    ------
    ValueError
        When a number is out of range.

    Examples
    --------
    >>> import irx_measures
    >>> [round(bound, 2) for bound in irx_measures.rba_range(10, 0.8)]
    [0.73, 0.89]
    """
    depth = integer(1).require("k", k)
    persistence = number_in(0, 1, closed=False).require("phi", phi)
    least = (1.0 - persistence) * depth * persistence ** ((depth - 1) / 2)
    return float(least), float(1.0 - persistence**depth)
