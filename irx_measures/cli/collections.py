"""Several collections, in place of QRELS and RUN: ``--collections``."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path

from ir_measures import Measure

from ..common.about import about
from ..common.writing import nearest_of
from ..exceptions import InputError
from ..io.collection_files import collection_files
from ..scoring.asked import errors_of
from ..scoring.collections import shared_systems
from ..scoring.grouped_scores import GroupedScores
from ..scoring.renaming import separated
from .options import names_of
from .reading import inputs_of, named_measures, named_runs

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
    runs = {}
    for each in files:
        with errors_of(each.name):
            runs[each.name] = named_runs(each.runs, each.systems)
    if options.strict:  # before any file is read
        shared_systems({name: [*found] for name, found in runs.items()}, strict=True)
    measures: list[Measure] = []
    for each in files:
        with errors_of(each.name):
            _check_named(options, [*runs[each.name]])
            measures = named_measures(options, runs[each.name], each.qrels)
    systems = dict.fromkeys(name for found in runs.values() for name in found)
    separated([*systems], measures, names_of(options))
    scores = {}
    for number, each in enumerate(files, 1):
        named = each.name if len(files) == 1 else f"{each.name} ({number} of {len(files)})"
        with about(named), errors_of(each.name):
            scores[each.name] = inputs_of(options, runs[each.name], each.qrels).scores()
    return GroupedScores.of(scores, strict=options.strict)


def _check_named(options: argparse.Namespace, runs: Sequence[str]) -> None:
    """InputError if an option names no run of a collection."""
    for name in BY_NAME:
        _check_names(name, getattr(options, name, None), runs)


def _check_names(name: str, given: Sequence[str] | str | None, runs: Sequence[str]) -> None:
    """InputError if an option names no run of the collection, such as a file."""
    for each in [given] if isinstance(given, str) else given or ():
        if each not in runs:
            some = ", ".join(map(repr, runs[:5]))
            hint = nearest_of(each, runs)
            raise InputError(
                f"`{name}` must be the name of a run, such as {some}; got {each!r}{hint}"
            )
