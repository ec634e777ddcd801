"""The tables of an audit of machine judges: their columns, with what each means."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

import numpy as np

from ..common.writing import level_text
from ..results.base import Columns
from ..results.column import Column, listed, stacked
from .agreement import Agreement

MACHINE = "machine that gave the labels"

MEASURE = "measure of the scores"

TEXTS = ("judge", "measure", "group")


class RankingRow(NamedTuple):
    """How a machine's judgments and human ones rank the systems by a measure."""

    judge: str
    measure: str
    systems: int
    topics: int
    tau: float
    lower: float
    upper: float


class GroupRow(NamedTuple):
    """How much a machine favours a group of systems on a measure."""

    judge: str
    measure: str
    group: str
    systems: int
    difference: float
    lower: float
    upper: float
    p: float
    p_adjusted: float


def arrays_of_rows(kind: type[RankingRow] | type[GroupRow], rows: Sequence[Any]) -> Columns:
    """Rows as columns by name: texts as lists, numbers as arrays."""
    columns: Columns = {}
    for name in kind._fields:
        values = [getattr(row, name) for row in rows]
        columns[name] = values if name in TEXTS else np.array(values)
    return columns


def agreement_columns(agreements: Sequence[Agreement]) -> list[Column]:
    """One row per machine: the numbers of its `Agreement`."""

    def numbers(name: str, meaning: str) -> Column:
        return Column(name, np.array([getattr(one, name) for one in agreements]), meaning=meaning)

    relevant = "of the pairs that are relevant by {}, the share that are relevant by {}"
    return [
        _judge([one.judge for one in agreements]),
        numbers("pairs", "pairs of query and document that both judged"),
        numbers("equal", "share of them whose label is the human grade"),
        numbers("kappa", "Cohen's kappa; 1 is perfect, 0 is chance"),
        numbers("kappa_linear", "kappa with linear weights"),
        numbers("kappa_quadratic", "kappa with quadratic weights"),
        numbers("leniency", "mean label minus mean grade"),
        numbers("precision", relevant.format("label", "grade")),
        numbers("recall", relevant.format("grade", "label")),
    ]


def ranking_columns(rankings: Columns, level: float) -> list[Column]:
    """One row per machine and measure."""
    interval = f"ends of the {level_text(level)} bootstrap interval of tau over topics"
    return [
        _judge(rankings["judge"]),
        Column("measure", rankings["measure"], meaning=MEASURE, key=True),
        Column("systems", rankings["systems"], meaning="number of systems"),
        Column("topics", rankings["topics"], meaning="number of topics"),
        Column("tau", rankings["tau"], meaning="Kendall's tau_b of both rankings"),
        Column("lower", rankings["lower"], meaning=interval),
        Column("upper", rankings["upper"], meaning=interval),
    ]


def group_columns(groups: Columns, level: float) -> list[Column]:
    """One row per machine, measure and group."""
    difference = (
        "mean of the group's machine minus human score, minus that of the other systems; above 0, "
        "the machine favours the group"
    )
    interval = f"ends of the {level_text(level)} t interval of the difference, not corrected"
    p = "p of the paired t test over topics"
    adjusted = "p after Holm's correction over the groups of a measure"
    return [
        _judge(groups["judge"]),
        Column("measure", groups["measure"], meaning=MEASURE, key=True),
        Column("group", groups["group"], meaning="group of systems", key=True),
        Column("systems", groups["systems"], meaning="number of systems of the group"),
        Column("difference", groups["difference"], meaning=difference),
        Column("lower", groups["lower"], meaning=interval),
        Column("upper", groups["upper"], meaning=interval),
        Column("p", groups["p"], meaning=p),
        Column("p_adjusted", groups["p_adjusted"], meaning=adjusted),
    ]


def below(agreements: Iterable[Agreement], tables: Sequence[Sequence[Column]]) -> list[Column]:
    """A table of each machine, one below the other, with the machine's name in each row."""
    judges: list[str] = []
    for one, table in zip(agreements, tables, strict=True):
        judges += [one.judge] * len(table[0].listed)
    return [_judge(judges), *stacked(tables)]


def _judge(names: Iterable[Any]) -> Column:
    return Column("judge", listed(names), meaning=MACHINE, key=True)
