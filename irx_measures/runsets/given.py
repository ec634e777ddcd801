"""Qrels and runs as a caller gives them: the qrels first, and an error where they are swapped."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import chain
from numbers import Integral, Real
from typing import Any

from ..exceptions import InputError
from ..io.columns import SWAPPED
from ..io.table import Table
from ..io.trec import read_qrels
from ..typing import GroupsLike, QrelsLike, RunsLike
from .registry import OTHERS
from .runset import RunSet
from .sources import sources_of


def read_given(
    qrels: QrelsLike | Table,
    runs: RunsLike,
    groups: GroupsLike | None = None,
    strict: bool = True,
    borrow: bool = False,
    ignore_identical_ids: bool = False,
) -> tuple[Table, RunSet]:
    """The judgments and the runs of a call; InputError if they are known to be swapped.

    The runs are a `set_of`, and the judgments are as `judged_documents` reads them.
    """
    refuse_swapped(qrels, runs)
    columns = judged_documents(qrels, strict)
    return columns, set_of(runs, groups, strict, borrow, ignore_identical_ids)


def set_of(
    runs: RunsLike,
    groups: GroupsLike | None,
    strict: bool,
    borrow: bool = False,
    ignore_identical_ids: bool = False,
) -> RunSet:
    """The runs as a set; a RunSet is returned unchanged if its settings match.

    A set that borrows its runs does not copy them, and is valid for one call only.
    """
    if isinstance(runs, RunSet):
        is_so = groups is None and (strict or not runs.strict)
        is_read_so = runs.ignores_identical_ids or not ignore_identical_ids
        if is_so and is_read_so:
            return runs
    sources = runs if isinstance(runs, RunSet) else sources_of(runs, borrow=borrow)
    return RunSet(sources, OTHERS, groups, strict=strict, ignore_identical_ids=ignore_identical_ids)


def judged_documents(qrels: QrelsLike | Table, strict: bool = True) -> Table:
    """The qrels; if not strict, without duplicates."""
    table = read_qrels(qrels, strict)
    return table if strict else table.without_invalid()


def refuse_swapped(qrels: object, runs: object) -> None:
    """InputError if two dicts of numbers are swapped, or nothing tells which one is the run.

    Grades and scores may both be whole numbers. Then a run is known by its name, or by a float.
    Other forms are told apart by their readers.
    """
    of_qrels, of_run = _numbers(qrels), _numbers(runs)
    if of_qrels is None or of_run is None:
        return
    run_is_whole = all(isinstance(number, Integral) for number in of_run)
    if not run_is_whole:
        return
    if all(isinstance(number, Integral) for number in of_qrels):
        raise InputError(
            "qrels and runs are both a dict of whole numbers, and nothing tells which one is the "
            "run: write the run as {'name': run}"
        )
    raise InputError(
        f"`qrels` are floats and `runs` are whole numbers: {SWAPPED} Qrels come first; if they do, "
        "write the run as {'name': run}"
    )


def _numbers(source: object) -> Iterator[Any] | None:
    """The numbers of a dict of dicts of numbers; None if the source is nothing of the kind."""
    if not isinstance(source, Mapping) or not source:
        return None
    if not all(isinstance(inner, Mapping) for inner in source.values()):
        return None
    numbers = chain.from_iterable(inner.values() for inner in source.values())
    first = next(numbers, None)
    if not isinstance(first, Real):
        return None
    return chain([first], numbers)
