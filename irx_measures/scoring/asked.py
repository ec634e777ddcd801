"""The scores that a call asks for in place of qrels and runs: given ones, or of collections."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any, TypeAlias

from ir_measures import Measure

from ..common.about import about
from ..exceptions import InputError
from ..io.collection_files import collection_files
from ..runsets.registry import OTHERS
from ..runsets.runset import RunSet
from ..runsets.sources import run_name
from ..typing import CollectionsLike, MeasuresLike
from .collections import shared_systems
from .evaluate import evaluate
from .grouped_scores import GroupedScores, scores_in_files
from .score_columns import COLLECTION, GROUP
from .score_matrix import ScoreMatrix

Scores: TypeAlias = ScoreMatrix | GroupedScores

Collections: TypeAlias = dict[str, tuple[Any, RunSet]]
"""The qrels and the runs of every collection."""


def given_scores(
    scores: Any,
    measures: MeasuresLike | None,
    lower_is_better: Iterable[str],
    strict: bool,
) -> Scores:
    """Scores as they are, or in a table or files; of groups if these have a column of them."""
    if lower_is_better and isinstance(scores, Scores):
        raise InputError("`lower_is_better` is for tables and files; these scores have directions")
    if isinstance(scores, ScoreMatrix):
        return scores if measures is None else scores.select(measures)
    if isinstance(scores, GroupedScores):
        if measures is None:
            return scores
        parts = tuple(part.select(measures) for part in scores.parts)
        return replace(scores, matrix=scores.matrix.select(measures), parts=parts)
    higher = dict.fromkeys(lower_is_better, False)
    columns = getattr(scores, "columns", None)
    if columns is None:
        return scores_in_files(scores, measures, higher, strict)
    if {GROUP, COLLECTION} & {*columns}:
        return GroupedScores.from_frame(scores, measures, higher_is_better=higher, strict=strict)
    return ScoreMatrix.from_frame(scores, measures, higher_is_better=higher, strict=strict)


def named_collections(collections: CollectionsLike) -> Collections:
    """The collections of a dict of pairs of qrels and runs, or in folders or one table.

    Runs are not read yet.
    """
    if isinstance(collections, Mapping):
        return {name: (qrels, RunSet(runs, OTHERS)) for name, (qrels, runs) in collections.items()}
    paths = [collections] if isinstance(collections, (str, os.PathLike)) else collections
    found = {}
    for each in collection_files([Path(path) for path in paths]):
        named = each.systems or {}
        with errors_of(each.name):
            runs = [(named.get(run) or run_name(run), run) for run in each.runs]
            found[each.name] = (each.qrels, RunSet(runs, OTHERS))
    return found


def scores_of_collections(
    collections: Collections, measures: Sequence[Measure], strict: bool, **how: Any
) -> GroupedScores:
    """The scores of all systems, collection by collection; `how` is of `evaluate`."""
    found = {}
    for number, (name, (qrels, runs)) in enumerate(collections.items(), 1):
        place = name if len(collections) == 1 else f"{name} ({number} of {len(collections)})"
        with about(place), errors_of(name):
            found[name] = evaluate(qrels, runs, measures, strict=strict, **how)
    return GroupedScores.of(found, strict=strict)


def systems_of_collections(collections: Collections, strict: bool) -> list[str]:
    """The systems, before anything is scored; if strict, all must be in every collection."""
    named = {name: runs.names for name, (_, runs) in collections.items()}
    if strict:
        return shared_systems(named, strict)
    return [*dict.fromkeys(name for names in named.values() for name in names)]


@contextmanager
def errors_of(collection: str) -> Iterator[None]:
    """A context in which errors name the collection."""
    try:
        yield
    except InputError as error:
        raise InputError(f"{collection}: {error}") from None
