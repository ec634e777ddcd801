"""Figure 1 of the NRG paper: the methods of a leaderboard in order of release."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from math import isnan, nan
from typing import TYPE_CHECKING

import numpy as np

from ...common.warn import untold
from ...scoring.evaluate import evaluate
from ...stats.correlation import coefficient_of
from ..charts import chart
from ..material import Material
from ..results import Claim, PaperFigure, PaperTable, in_rows
from .permuted import DECLARED

if TYPE_CHECKING:
    from matplotlib.axes import Axes

RR = "RR@10"

EARLIER = "NRG, earlier runs as priors"

ALL_OTHERS = "NRG, all other runs as priors"

MEASURES = {
    RR: "RR@10",
    EARLIER: "NRG(prior=others, base=RR, select=earlier)@10",
    ALL_OTHERS: "NRG(prior=others, base=RR)@10",
}


def figure_1(material: Material, progress: bool | None = None) -> PaperTable:
    """RR@10 and NRG of runs in order of release, with two sets of priors.

    Parameters
    ----------
    material
        Runs in order of release.
    progress
        Whether to show progress; None shows it on a terminal.
    """
    # The first run has no earlier run; the remark says so.
    with untold("no prior counts", "its own only prior"):
        matrix = evaluate(material.runs, material.qrels, list(MEASURES.values()), progress=progress)
    here = in_rows(MEASURES, zip(matrix.systems, matrix.aggregates.T, strict=True))
    return DECLARED.table("Figure 1", here, material)


def figures_of_history(table: PaperTable) -> Iterator[PaperFigure]:
    """Both parts of Figure 1."""
    for part, column in (("a", EARLIER), ("b", ALL_OTHERS)):
        yield PaperFigure(
            f"Figure 1 ({part})", f"RR@10 and {column}", partial(_draw, table, column)
        )


def history_claims(tables: Sequence[PaperTable]) -> Iterator[Claim]:
    """The claims about Figure 1; `tables` has the figure's numbers, or is empty.

    They have no verdict: the paper's runs are those of MS MARCO's leaderboard.
    """
    text = DECLARED.claims["Figure 1"]
    if not tables or len(tables[0].rows) < 3:
        yield from Claim.unknown("needs at least three runs in order of release", *text.values())
        return
    rr, earlier, all_others = tables[0].in_shape()[list(MEASURES)].to_numpy().T
    rises, falls = np.diff(rr) > 0, np.diff(earlier[1:]) < 0
    (tau,) = coefficient_of("tau_b", rr[np.newaxis], all_others[np.newaxis], nan)
    lower = f"{falls.sum()} of {len(falls)} releases after the second lower it"
    yield Claim.elsewhere(text["rises"], f"{rises.sum()} of {len(rises)} releases raise it")
    yield Claim.elsewhere(text["drops"], lower)
    shown = "a measure ties all runs" if isnan(tau) else f"tau_b {tau:.2f} over {len(rr)} runs"
    yield Claim.elsewhere(text["agrees"], shown)


def _draw(table: PaperTable, column: str, width: float | None = None) -> Axes:
    places, styles = range(len(table.rows)), {RR: "o-", column: "s--"}
    shape = table.in_shape()
    curves = [(places, shape[name], form, name) for name, form in styles.items()]
    ax = chart("", "mean over queries", curves, width=width)
    ax.set_xticks(places, table.rows, rotation=45, ha="right")
    return ax
