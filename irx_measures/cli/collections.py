"""Several collections, in place of QRELS and RUN: ``--collections``."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path

from ..common.about import about
from ..exceptions import InputError
from ..io.collection_files import CollectionFiles, collection_files
from ..scoring.grouped_scores import GroupedScores
from ..scoring.score_matrix import ScoreMatrix
from .reading import inputs_of, named_runs

# Options that need the queries of one collection, and those that name a run in each.
REFUSED = ("by", "texts", "topics", "unjudged", "interval")
REPLACED = ("qrels", "runs")
BY_NAME = ("baselines", "priors", "reference")


def scores_of_collections(options: argparse.Namespace) -> GroupedScores:
    """The scores of all systems on every collection, read and scored one after the other."""
    for name in REFUSED:
        if getattr(options, name, None) is not None:
            raise InputError(f"`{name}` is for one collection: omit --collections")
    for name in REPLACED:
        if getattr(options, name) != options.parser.get_default(name):
            raise InputError(f"`{name}` is of one collection; --collections names them all")
    files = collection_files([Path(each) for each in options.collections])
    scores = {}
    for number, each in enumerate(files, 1):
        named = each.name if len(files) == 1 else f"{each.name} ({number} of {len(files)})"
        with about(named):
            try:
                scores[each.name] = _scores(options, each)
            except InputError as error:
                raise InputError(f"{each.name}: {error}") from None
    return GroupedScores.of(scores, strict=options.strict)


def _scores(options: argparse.Namespace, files: CollectionFiles) -> ScoreMatrix:
    runs = named_runs(files.runs, files.systems)
    for name in BY_NAME:
        _check_names(name, getattr(options, name, None), [*runs])
    return inputs_of(options, runs, files.qrels).scores()


def _check_names(name: str, given: Sequence[str] | str | None, runs: Sequence[str]) -> None:
    """InputError if an option names no run of the collection, such as a file."""
    for each in [given] if isinstance(given, str) else given or ():
        if each not in runs:
            some = ", ".join(map(repr, runs[:5]))
            raise InputError(f"`{name}` must be the name of a run, such as {some}; got {each!r}")
