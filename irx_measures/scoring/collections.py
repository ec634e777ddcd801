"""Scores of the same systems on several collections, joined."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from ..common.warn import warn
from ..common.writing import shown, some
from ..exceptions import InputError
from ..measures.naming.named_score import is_rising
from .score_matrix import MOST_NAMED, ScoreMatrix

OF_RUNS = "#"  # in the name of a set of runs, before its digest

RUNS_DIFFER = "; runs given as a prior have a name of their own: name a run of every collection"

LEFT_OUT = "left out, without scores on a collection: "

MOST_LACKED = 3  # collections of a system in a message, a choice

WITHIN = "/"  # between a collection and the id of its query: scifact/1


def alike(collections: Mapping[str, ScoreMatrix], strict: bool) -> dict[str, ScoreMatrix]:
    """The scores of every collection, with the systems and measures of the first, in its order.

    A system that lacks a collection is an InputError, or is left out with a warning.
    """
    _check(collections)
    named = {name: matrix.systems for name, matrix in collections.items()}
    systems = shared_systems(named, strict)
    first = next(iter(collections))
    measures = [str(measure) for measure in collections[first].measures]
    found = {}
    for name, matrix in collections.items():
        known = [str(measure) for measure in matrix.measures]
        if sorted(known) != sorted(measures):
            raise _measures_differ(first, measures, name, known)
        places = [known.index(each) for each in measures]
        for measure, place in zip(collections[first].measures, places, strict=True):
            if is_rising(measure) != is_rising(matrix.measures[place]):
                raise InputError(
                    f"the measures of all collections must have the same direction; higher "
                    f"{measure} is better in one of {first!r} and {name!r} only"
                )
        found[name] = _chosen(matrix, places, systems)
    return found


def _measures_differ(
    first: str, measures: Sequence[str], name: str, known: Sequence[str]
) -> InputError:
    hint = RUNS_DIFFER if any(OF_RUNS in each for each in [*measures, *known]) else ""
    return InputError(
        f"the measures of all collections must be the same; {first!r} has "
        f"{some(measures, MOST_NAMED)}, {name!r} has {some(known, MOST_NAMED)}{hint}"
    )


def _check(collections: Mapping[str, ScoreMatrix]) -> None:
    """InputError or TypeError if these are no scores by the names of collections."""
    if not isinstance(collections, Mapping):
        got = type(collections).__name__
        raise TypeError(f"`collections` must map names to ScoreMatrix; got {got}")
    if not collections:
        raise InputError("`collections` must name at least one collection; got none")
    for name, matrix in collections.items():
        if not isinstance(name, str) or not name or not name.isprintable():
            raise InputError(f"`collections` must have printable names as keys; got {shown(name)}")
        if not isinstance(matrix, ScoreMatrix):
            raise TypeError(
                "`collections` must have ScoreMatrix as values, as `evaluate` returns them; got "
                f"{type(matrix).__name__} for {name!r}"
            )


def shared_systems(collections: Mapping[str, Sequence[str]], strict: bool) -> list[str]:
    """The systems of all collections, in the order of the first that names them.

    A system that lacks a collection is an InputError, or is left out with a warning.
    """
    lacks = _lacks(collections)
    told = _told(lacks)
    if told and strict:
        raise InputError(
            f"every system must have scores on all collections; without scores: {told} "
            "(`strict=False` leaves such systems out)"
        )
    if told:
        warn(f"{LEFT_OUT}{told}")
    shared = [system for system, names in lacks.items() if not names]
    if not shared:
        raise InputError("no system has scores on all collections")
    return shared


def _lacks(collections: Mapping[str, Sequence[str]]) -> dict[str, list[str]]:
    """The collections that each system lacks."""
    every = dict.fromkeys(system for systems in collections.values() for system in systems)
    return {
        system: [name for name, systems in collections.items() if system not in systems]
        for system in every
    }


def _told(lacks: Mapping[str, Sequence[str]]) -> str:
    """The systems that lack a collection, and which; empty if none does."""
    missing = [
        f"{system!r} on {some(list(map(repr, names)), MOST_LACKED)}"
        for system, names in lacks.items()
        if names
    ]
    return some(missing, MOST_NAMED)


def _chosen(matrix: ScoreMatrix, measures: list[int], systems: list[str]) -> ScoreMatrix:
    """The scores of some measures and systems, in this order."""
    places = [matrix.systems.index(system) for system in systems]
    groups = matrix.groups
    if groups is not None:
        groups = tuple(groups[place] for place in places)
    return replace(
        matrix,
        measures=tuple(matrix.measures[place] for place in measures),
        systems=tuple(systems),
        scores=matrix.scores[measures][:, places],
        groups=groups,
    )


def pooled(collections: Mapping[str, ScoreMatrix], given: Mapping[str, ScoreMatrix]) -> ScoreMatrix:
    """The scores of all queries, called as collection and query: scifact/1.

    Its warnings are those of the collections, and what was left out of those that were `given`.
    """
    ids = [
        f"{name}{WITHIN}{query}"
        for name, matrix in collections.items()
        for query in matrix.query_ids
    ]
    again, times = Counter(ids).most_common(1)[0]
    if times > 1:
        raise InputError(f"two queries of `collections` would both be called {shown(again)}")
    first, *_ = collections.values()
    groups = {matrix.groups for matrix in collections.values()}
    warnings = [
        f"{name}: {text}" for name, matrix in collections.items() for text in matrix.warnings
    ]
    told = _told(_lacks({name: matrix.systems for name, matrix in given.items()}))
    if told:
        warnings.append(f"{LEFT_OUT}{told}")
    return ScoreMatrix(
        first.measures,
        first.systems,
        tuple(ids),
        np.concatenate([matrix.scores for matrix in collections.values()], axis=2),
        first.groups if len(groups) == 1 else None,
        tuple(warnings),
    )
