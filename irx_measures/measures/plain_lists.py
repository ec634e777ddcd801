"""Rank-biased comparison of two plain lists, without runs, queries and qrels."""

from __future__ import annotations

import reprlib
from collections.abc import Hashable, Iterable, Mapping
from typing import Any, TypeAlias

import numpy as np

from ..common.short_paths import public
from ..exceptions import InputError
from ..kernels.tie_orders import Groups, tie_groups
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

RankedList: TypeAlias = Iterable[Any]
"""Documents from the best to the worst. A list, tuple, set or frozenset in it is a tie group.

A more exact type would refuse variables: type checkers join the types of documents and groups.
"""

GROUP = (list, tuple, set, frozenset)

ALLOWED = (
    "must be a list of documents, best first: strings, integers or other hashable values, each "
    "once and none missing; a group of tied ones, not empty, is a list, tuple or set in it (with "
    "ties='break', of strings)"
)


@public
def rbo(
    x: RankedList,
    y: RankedList,
    phi: float = 0.95,
    ties: OverlapTies = "share",
    bound: OverlapBound = "ext",
) -> float:
    """Rank-biased overlap of two lists.

    Which number to report? ``"ext"``, the default, compares the lists as they are: it assumes that
    they continue to agree as they do at their ends. ``"lower"`` and ``"upper"`` say what is
    certain: however the lists continue, their RBO lies between these two numbers. ``"lower"`` is
    therefore less than 1 even for equal lists.

    Parameters
    ----------
    x, y
        Two lists of documents, from the best to the worst. A document is a string, an integer or
        any other hashable value. A list, tuple, set or frozenset inside a list is a group of tied
        documents.
    phi
        The persistence, in (0, 1). `irx_measures.persistence.rank_weight` is the weight of the top
        of the lists, and `irx_measures.persistence.phi_for_weight` the persistence for a weight.
    ties
        The treatment of ties. ``"share"``: the mean over all orders of tied documents. The measure
        `RBO` describes the other treatments.
    bound
        ``"ext"``, ``"lower"``, ``"upper"`` or, for the difference of the bounds, ``"residual"``.

    Returns
    -------
    float
        In [0, 1]. It is that of the measure `RBO` for the same lists as runs.

    Raises
    ------
    TypeError, ValueError
        If a list is not a list, holds a document twice or what is no document, or an option is out
        of range.

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
    return _score(RBO, {"x": x, "y": y}, phi, ties, bound)


@public
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
    x, y
        Two lists of documents, from the best to the worst, as for `rbo`.
    phi
        The persistence, in (0, 1).
    ties
        The treatment of ties. ``"share"``: tied documents share the weights of their ranks. The
        measure `RBA` describes the other treatments.
    bound
        ``"lower"``: the alignment of the lists as they are. ``"upper"``: the highest if they
        continue. ``"residual"``: the difference of the two.

    Returns
    -------
    float
        In [0, 1]. It is that of the measure `RBA` for the same lists as runs.

    Raises
    ------
    TypeError, ValueError
        As for `rbo`.

    Examples
    --------
    >>> from irx_measures import rba
    >>> round(rba(range(1, 11), range(10, 0, -1), phi=0.7), 2)
    0.6
    """
    return _score(RBA, {"x": x, "y": y}, phi, ties, bound)


@public
def rbr(
    observed: RankedList,
    reference: RankedList,
    phi: float = 0.95,
    ties: Ties = "share",
    bound: Bound = "lower",
) -> float:
    """Rank-biased recall: the share of the reference's weight that an observed set contains.

    Parameters
    ----------
    observed
        A list or a set of documents. Their order does not matter.
    reference
        A list of documents, from the best to the worst, as for `rbo`.
    phi
        The persistence, in (0, 1).
    ties
        The treatment of ties in the reference. ``"share"``: tied documents share the weights of
        their ranks. The measure `RBR` describes the other treatments.
    bound
        ``"lower"``: the recall by the reference as it is. ``"upper"``: the highest if it continues.
        ``"residual"``: the difference of the two.

    Returns
    -------
    float
        In [0, 1]. It is that of the measure `RBR` for the same lists as runs.

    Raises
    ------
    TypeError, ValueError
        As for `rbo`; but `observed` may be a set.

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
    return _score(RBR, {"observed": observed, "reference": reference}, phi, ties, bound)


def _score(
    measure: RankBiasedRecall | RankBiasedAlignment | RankBiasedOverlap,
    lists: Mapping[str, RankedList],
    phi: float,
    ties: str,
    bound: str,
) -> float:
    """The measure's score of two lists, by their names in errors."""
    options = {
        name: measure.PARAMS[name].allowed.check(name, value)
        for name, value in (("phi", phi), ("ties", ties), ("bound", bound))
    }
    break_ties = options["ties"] == "break"
    (name_observed, given_observed), (name_reference, given_reference) = lists.items()
    observed, groups_observed = _read(name_observed, given_observed, break_ties)
    reference, groups_reference = _read(name_reference, given_reference, break_ties)
    rank_of = {document: rank for rank, document in enumerate(observed, 1)}
    rank = np.array([[rank_of.get(document, 0) for document in reference]], np.int64)
    compared = RankedPair(rank, groups_observed, groups_reference)
    return float(measure(**options).bounded(compared)[0])


def _read(name: str, given: RankedList, break_ties: bool) -> tuple[list[Hashable], Groups]:
    """The documents of a list, which is read once, and their tie groups."""
    is_list = isinstance(given, Iterable) and getattr(given, "ndim", 1) == 1
    if not is_list or isinstance(given, (str, bytes, Mapping, set, frozenset)):
        raise TypeError(_told(name, given))
    documents: list[Hashable] = []
    sizes = []
    for item in given:
        group = _group(name, item, break_ties)
        documents += group
        sizes.append(len(group))
    _refuse_twice(name, documents)
    level = np.repeat(np.arange(len(sizes)), sizes)
    ties = tie_groups(level[np.newaxis], np.array([len(level)]), not break_ties)
    return documents, ties


def _group(name: str, item: Any, break_ties: bool) -> list[Any]:
    """The documents at a place of a list: one, or several that tie."""
    group = list(item) if isinstance(item, GROUP) else [item]
    if not group:
        raise InputError(_told(name, group))
    for document in group:
        if not _is_document(document):
            raise InputError(_told(name, document))
    if break_ties and len(group) > 1:  # by name, as trec_eval does
        for document in group:
            if not isinstance(document, str):
                raise InputError(_told(name, document))
        group.sort(reverse=True)
    return group


def _refuse_twice(name: str, documents: list[Hashable]) -> None:
    known: set[Hashable] = set()
    for document in documents:
        if document in known:
            raise InputError(f"{_told(name, document)} twice")
        known.add(document)


def _told(name: str, wrong: Any) -> str:
    return f"`{name}` {ALLOWED}; got {reprlib.repr(wrong)}"


def _is_document(document: Any) -> bool:
    """Whether a document is hashable, and no group, None, NaN, or missing value of pandas."""
    if document is None or isinstance(document, GROUP) or not isinstance(document, Hashable):
        return False
    try:
        return bool(document == document)
    except TypeError:  # pandas.NA is neither equal to itself nor different
        return False
