"""Rankings as plain lists of documents and groups of tied documents."""

from __future__ import annotations

import reprlib
from collections.abc import Collection, Hashable, Iterable, Iterator, Mapping
from typing import Any, NamedTuple, TypeAlias

import numpy as np

from ..common.numeric import IntArray
from ..exceptions import InputError
from ..kernels.tie_orders import Groups, tie_groups

RankedList: TypeAlias = Iterable[Any]
"""Documents from the best to the worst. A list, tuple, set or frozenset in it is a tie group.

A more exact type would refuse variables: type checkers join the types of documents and groups.
"""

GROUP = (list, tuple, set, frozenset)


class TiedList(NamedTuple):
    """A ranking.

    Attributes
    ----------
    documents
        All documents, from the best to the worst.
    groups
        Their tie groups, as those of one query.
    """

    documents: list[Hashable]
    groups: Groups


def read_list(name: str, given: RankedList, break_ties: bool) -> TiedList:
    """Check a list and read it once.

    Parameters
    ----------
    name
        The name of the list in errors.
    given
        Documents and tie groups, from the best to the worst.
    break_ties
        Whether trec_eval's order breaks ties.

    Raises
    ------
    TypeError
        When it is not a list, or a document has no hash.
    ValueError
        When a document is missing or repeated, when a tie group is empty or holds another group, or
        when ties to be broken are not between strings.
    """
    documents: list[Hashable] = []
    known: set[Hashable] = set()
    sizes = []
    for group in _groups(name, given):
        for document in group:
            _check(name, document, known)
            known.add(document)
        documents += _in_trec_order(name, group) if break_ties and len(group) > 1 else group
        sizes.append(len(group))
    level = np.repeat(np.arange(len(sizes)), sizes)[np.newaxis]
    length = np.array([len(documents)])
    return TiedList(documents, tie_groups(level, length, not break_ties))


def observed_ranks(observed: TiedList, reference: TiedList) -> IntArray:
    """The observed rank of each document of the reference, 0 if absent: (1, reference depth)."""
    rank = {document: place for place, document in enumerate(observed.documents, 1)}
    return np.array([[rank.get(document, 0) for document in reference.documents]], np.int64)


def _groups(name: str, given: RankedList) -> Iterator[Collection[Any]]:
    """The tie groups of a list. A document without ties is a group of its own."""
    _check_list(name, given)
    for place, item in enumerate(given, 1):
        if not isinstance(item, GROUP):
            yield (item,)
        elif not item:
            raise InputError(
                f"`{name}` must have documents in every tie group; got {item!r} at position {place}"
            )
        else:
            yield item


def _in_trec_order(name: str, group: Collection[Any]) -> list[str]:
    for document in group:
        if not isinstance(document, str):
            raise InputError(
                f"`{name}` must hold strings where documents tie, because ties='break' sorts them "
                f"by name; got {document!r}"
            )
    return sorted(group, reverse=True)


def _check_list(name: str, given: Any) -> None:
    wrong = None
    if isinstance(given, (str, bytes)):
        wrong = "not one string (split it into documents first)"
    elif isinstance(given, Mapping):
        wrong = "not a dict (sort its documents by score; the measures compare runs with scores)"
    elif isinstance(given, (set, frozenset)):
        wrong = "not a set, which has no order (a set inside a list is a tie group)"
    elif getattr(given, "ndim", 1) != 1:
        wrong = "not an array or a table of another dimension (select one column)"
    elif not isinstance(given, Iterable):
        wrong = "best first"
    if wrong is not None:
        raise TypeError(f"`{name}` must be a list of documents, {wrong}; got {reprlib.repr(given)}")


def _check(name: str, document: Any, known: set[Hashable]) -> None:
    if isinstance(document, GROUP):
        raise InputError(f"`{name}` must hold no tie group inside a tie group; got {document!r}")
    try:
        is_known = document in known
    except TypeError:  # it has no hash
        raise TypeError(
            f"`{name}` must hold hashable documents, such as strings or integers; "
            f"got {reprlib.repr(document)}"
        ) from None
    if is_known:
        raise InputError(f"`{name}` must hold every document once; got {document!r} twice")
    if _is_missing(document):
        raise InputError(f"`{name}` must hold no missing values; got {document!r}")


def _is_missing(document: Hashable) -> bool:
    """Whether a document is None, NaN, or a missing value of pandas."""
    try:
        return document is None or bool(document != document)
    except TypeError:  # pandas.NA is neither equal to itself nor different
        return True
