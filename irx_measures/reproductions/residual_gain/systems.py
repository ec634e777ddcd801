"""Figures 2 to 5 of the NRG paper: systems by nDCG and by what they add to other systems."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from math import nan
from typing import TYPE_CHECKING

import numpy as np

from ...common.numeric import FloatArray
from ...meta.correlation import rank_correlation
from ...plots import system_scatter
from ...scoring.evaluate import evaluate
from ...scoring.score_matrix import ScoreMatrix
from ...stats.correlation import coefficient_of
from ...stats.ranks import rounded
from ..material import Material
from ..results import Judge, PaperFigure, PaperTable, in_rows
from .permuted import DECLARED

if TYPE_CHECKING:
    from matplotlib.axes import Axes

NDCG, NRG, NRG_ALL = "nDCG@10", "NRG@10", "NRG@10, ideal=all"

UNIQUE, RARENESS, TASC = "UniqueRel@10", "P_Rareness@10", "TaSC@10"

FIGURES = {"Figure 2": NRG, "Figure 3": UNIQUE, "Figure 4": RARENESS, "Figure 5": TASC}

BASELINE = "BASELINE"  # the group of the traditional runs of TREC 2019 Deep Learning

ALL_BUT_BASELINE = f"all but {BASELINE}"

TAU = f"tau({NDCG}, {NRG})"

TOPIC_SAMPLES = 500  # a choice: 12 samples lie beyond each end of a 95% interval


@dataclass(frozen=True)
class Systems:
    """Systems with their scores by the measures of Figures 2 to 5.

    Attributes
    ----------
    material : Material
    strings : dict
        The measure string of each column.
    matrix : ScoreMatrix
        A row per column, in the order of `strings`.
    """

    material: Material
    strings: dict[str, str]
    matrix: ScoreMatrix

    @property
    def judge(self) -> Judge:
        """The judge of claims about these systems."""
        return DECLARED.judge(self.material)

    @property
    def names(self) -> tuple[str, ...]:
        return self.matrix.systems

    def scores(self, column: str) -> FloatArray:
        """Scores by one measure: (systems, queries)."""
        return self.matrix[self.strings[column]]

    def means(self, column: str) -> FloatArray:
        """Mean scores by one measure: (systems,)."""
        return self.scores(column).mean(axis=1)

    def members(self, group: str) -> list[int]:
        """The positions of a group's systems."""
        groups = self.matrix.groups or ()
        return [place for place, other in enumerate(groups) if other == group]

    def tau(self, column: str, places: Sequence[int]) -> float:
        """Kendall's tau of some systems' means by nDCG and by a measure; NaN if undefined."""
        first, second = (rounded(self.means(name)[list(places)]) for name in (NDCG, column))
        defined = ~np.isnan(second)
        if np.count_nonzero(defined) < 2:
            return nan
        one, other = first[np.newaxis, defined], second[np.newaxis, defined]
        return float(coefficient_of("tau_b", one, other, nan)[0])


def measure_strings(material: Material) -> dict[str, str]:
    """The measures of Figures 2 to 5, by column.

    The priors are the best run of every other group, as in the paper; without groups, all runs.
    """
    grouped = len(set(material.runs.groups or ())) > 1
    priors = "prior=others, select=best-per-group" if grouped else "prior=others"
    return {
        NDCG: "nDCG@10",
        NRG: f"NRG({priors})@10",
        NRG_ALL: f"NRG({priors}, ideal=all)@10",
        UNIQUE: f"UniqueRel({priors})@10",
        RARENESS: "P_Rareness(systems=others)@10",
        TASC: f"TaSC({priors})@10",
    }


def score_systems(material: Material, progress: bool | None = None) -> Systems:
    """Score all systems by nDCG@10 and by the measures of Figures 2 to 5."""
    strings = measure_strings(material)
    matrix = evaluate(material.runs, material.qrels, list(strings.values()), progress=progress)
    return Systems(material, strings, matrix)


def figures_2_to_5(systems: Systems) -> PaperTable:
    """The means of Figures 2 to 5, a row per system, by descending nDCG@10."""
    means = np.transpose([systems.means(column) for column in systems.strings])
    order = np.argsort(-systems.means(NDCG), kind="stable").tolist()
    here = in_rows(systems.strings, ((systems.names[place], means[place]) for place in order))
    return DECLARED.table("Figures 2 to 5", here, systems.material, priors=_priors(systems))


def correlations(systems: Systems) -> PaperTable:
    """Kendall's tau of the rankings by nDCG@10 and by each measure, with a bootstrap interval."""
    taus = {f"{label}: {name}": correlation_of(systems, name) for label, name in FIGURES.items()}
    here = in_rows(("tau", "lower", "upper"), taus)
    return DECLARED.table("Figures 2 to 5, correlation", here, systems.material)


def correlation_of(systems: Systems, column: str) -> tuple[float, float, float]:
    """Tau of nDCG and a measure over all systems, with its interval; NaN if undefined.

    A single query has no interval.
    """
    defined = np.flatnonzero(~np.isnan(systems.means(column)))
    if len(defined) < 2 or len(systems.matrix.query_ids) < 2:
        return systems.tau(column, defined.tolist()), nan, nan
    first, second = (systems.scores(name)[defined] for name in (NDCG, column))
    found = rank_correlation(first, second, samples=TOPIC_SAMPLES)
    return found.value, *found.interval


def by_group(systems: Systems) -> PaperTable:
    """Mean scores of each group's runs, and the tau of nDCG@10 and NRG@10 within the group."""
    rows = {
        name: (
            len(places),
            *(systems.means(column)[places].mean() for column in systems.strings),
            systems.tau(NRG, places),
        )
        for name, places in _groups(systems).items()
    }
    here = in_rows(("runs", *systems.strings, TAU), rows)
    return DECLARED.table("Figures 2 to 5, groups", here, systems.material)


def figures(systems: Systems) -> Iterator[PaperFigure]:
    """Figures 2 to 5, drawn; without those in which no system has a score."""
    for label, column in FIGURES.items():
        if np.isfinite(systems.means(column)).any():
            yield PaperFigure(label, f"{NDCG} and {column}", partial(_draw, systems, column))


def _draw(systems: Systems, column: str, width: float | None = None) -> Axes:
    labelled = systems.names if column == NRG else ()
    measures = NDCG, systems.strings[column]
    return system_scatter(systems.matrix, *measures, labelled=labelled, width=width)


def _groups(systems: Systems) -> dict[str, list[int]]:
    """Groups and the positions of their systems."""
    found = {name: systems.members(name) for name in systems.matrix.groups or ()}
    if BASELINE in found:
        found[ALL_BUT_BASELINE] = others_than_baseline(systems)
    return found or {"all runs": list(range(len(systems.names)))}


def others_than_baseline(systems: Systems) -> list[int]:
    """The positions of the systems outside the group BASELINE."""
    inside = set(systems.members(BASELINE))
    return [place for place in range(len(systems.names)) if place not in inside]


def _priors(systems: Systems) -> str:
    if "best-per-group" in systems.strings[NRG]:
        return f"the priors of a run are the best run by {NDCG} of every other group"
    return "there are no groups, so the priors of a run are all other runs"
