"""Rank-biased comparison of two plain lists, without runs, queries and qrels."""

from __future__ import annotations

from ..typing import Bound, OverlapBound, OverlapTies, Ties
from .rank_biased import (
    RBA,
    RBO,
    RBR,
    RankBiasedAlignment,
    RankBiasedOverlap,
    RankBiasedRecall,
    RankedPair,
)
from .tied_lists import RankedList, observed_ranks, read_list


def rbo(
    x: RankedList,
    y: RankedList,
    phi: float = 0.95,
    ties: OverlapTies = "share",
    bound: OverlapBound = "ext",
) -> float:
    """Rank-biased overlap of two lists. Report ``bound="ext"`` to compare the lists as they are.

    Which number? ``"ext"``, the default, compares the lists as they are: it assumes that they
    continue to agree as they do at their ends. ``"lower"`` and ``"upper"`` say what is certain:
    however the lists continue, their RBO lies between these two numbers. ``"lower"`` is therefore
    less than 1 even for equal lists.

    Parameters
    ----------
    x, y
        Two lists of documents, from the best to the worst. A document is a string, an integer or
        any other hashable value. A list, tuple, set or frozenset inside a list is a group of tied
        documents.
    phi
        The persistence, in (0, 1). `irx_measures.persistence.rank_weight` is the weight of the top
        of the lists.
    ties
        The treatment of ties. ``"share"``: the mean over all orders of tied documents. The measure
        `RBO` describes the other treatments.
    bound
        ``"ext"``, ``"lower"``, ``"upper"`` or, for the difference of the bounds, ``"residual"``.

    Returns
    -------
    float
        In [0, 1].

    Raises
    ------
    TypeError
        If a list is not a list, or a value has the wrong type.
    ValueError
        If a list holds a document twice or a missing value, or an option is out of range.

    See Also
    --------
    rba : Rank-biased alignment.
    rbr : Rank-biased recall.
    irx_measures.persistence.phi_for_weight : The persistence for a certain weight of the top.

    Notes
    -----
    - The score is that of the measure `RBO` for the same lists as runs.

    Examples
    --------
    >>> from irx_measures import rbo
    >>> round(rbo(["a", "b", "c"], ["a", "c", "d"], phi=0.9), 3)
    0.685
    >>> [round(rbo(["a", "b"], ["a", "b"], bound=bound), 3) for bound in ("ext", "lower", "upper")]
    [1.0, 0.265, 1.0]

    Two documents tie at the top of the first list.

    >>> round(rbo([["a", "b"], "c"], ["a", "c", "d"], phi=0.9), 3)
    0.635
    """
    return _score(RBO, ("x", x), ("y", y), phi, ties, bound)


def rba(
    x: RankedList,
    y: RankedList,
    phi: float = 0.95,
    ties: Ties = "share",
    bound: Bound = "lower",
) -> float:
    """Rank-biased alignment of two lists: overlap, weighted by a document's rank in both lists.

    Parameters
    ----------
    x, y, phi
        As for `rbo`.
    ties
        The treatment of ties. ``"share"``: tied documents share the weights of their ranks. The
        measure `RBA` describes the other treatments.
    bound
        ``"lower"``: the alignment of the lists as they are. ``"upper"``: the highest alignment if
        the lists continue. ``"residual"``: the difference between them.

    Returns
    -------
    float
        In [0, 1]. It is that of the measure `RBA` for the same lists as runs.

    Raises
    ------
    TypeError, ValueError
        As `rbo` does.

    Examples
    --------
    >>> from irx_measures import rba
    >>> round(rba(range(1, 11), range(10, 0, -1), phi=0.7), 2)
    0.6
    """
    return _score(RBA, ("x", x), ("y", y), phi, ties, bound)


def rbr(
    observed: RankedList,
    reference: RankedList,
    phi: float = 0.95,
    ties: Ties = "share",
    bound: Bound = "lower",
) -> float:
    """Rank-biased recall: the share of a list's weight that an observed set contains.

    Parameters
    ----------
    observed
        The observed documents. Their order does not matter, so a set is allowed.
    reference
        The reference list, as `x` of `rbo`.
    phi
        The persistence, in (0, 1). `irx_measures.persistence.phi_for` chooses it.
    ties
        The treatment of ties in the reference. ``"share"``: tied documents share the weights of
        their ranks. The measure `RBR` describes the other treatments.
    bound
        ``"lower"``: the recall of the lists as they are. ``"upper"``: the highest recall if the
        reference continues. ``"residual"``: the difference between them.

    Returns
    -------
    float
        In [0, 1]. It is that of the measure `RBR` for the same lists as runs.

    Raises
    ------
    TypeError, ValueError
        As `rbo` does.

    Examples
    --------
    The paper's Table 1.

    >>> from irx_measures import rbr
    >>> reference = ["D07", "D04", "D11", "D12", "D10", "D15", "D06", "D22", "D19", "D28"]
    >>> round(rbr({"D06", "D23", "D10", "D07", "D04"}, reference, phi=0.6), 3)
    0.711
    """
    if isinstance(observed, (set, frozenset)):
        observed = list(observed)
    return _score(RBR, ("observed", observed), ("reference", reference), phi, ties, bound)


def _score(
    measure: RankBiasedRecall | RankBiasedAlignment | RankBiasedOverlap,
    observed: tuple[str, RankedList],
    reference: tuple[str, RankedList],
    phi: float,
    ties: str,
    bound: str,
) -> float:
    """The measure's score of two lists; their names are for errors."""
    options = {
        name: measure.PARAMS[name].allowed.check(name, value)
        for name, value in (("phi", phi), ("ties", ties), ("bound", bound))
    }
    break_ties = options["ties"] == "break"
    one, other = (read_list(*named, break_ties) for named in (observed, reference))
    compared = RankedPair(observed_ranks(one, other), one.groups, other.groups)
    return float(measure(**options).bounded(compared)[0])
