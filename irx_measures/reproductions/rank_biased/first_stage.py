"""Figure 3 of the paper on RBR: sets of first-stage retrieval that recall cannot distinguish."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from ...common.numeric import BoolArray, FloatArray
from ...common.warn import untold
from ...io.table import Table
from ...judgments.ranking import Ranking
from ...measures.rank_biased import RBR
from ...runsets.runset import RunSet
from ...scoring.evaluate import evaluate
from ..charts import chart
from ..material import Material
from ..results import Claim, PaperFigure, PaperTable
from .examples import DECLARED

if TYPE_CHECKING:
    from matplotlib.axes import Axes

# As in Figure 3: the persistence, the top of the reference, and the size of an observed set.
PHI, WANTED, SEEN = 0.8, 10, 20

RECALLS = (0.8, 0.9)  # of the top and the bottom pane

CLAIMS = DECLARED.claims["Figure 3"]


@dataclass(frozen=True)
class Observations:
    """Sets of a first stage, a row per run and query of the reference.

    Attributes
    ----------
    material : Material
    second_stage : str
        The run that is the reference: the best by nDCG@10.
    recall, base, upper, full : (sets,) floats
        Recall of the reference's top 10; RBR given the top 10, with its upper bound; RBR given the
        whole reference.
    """

    material: Material
    second_stage: str
    recall: FloatArray
    base: FloatArray
    upper: FloatArray
    full: FloatArray

    def chosen(self, recall: float) -> BoolArray:
        """The sets with this recall."""
        return np.isclose(self.recall, recall, atol=1e-9)


def observe(material: Material, progress: bool | None = None) -> Observations | None:
    """Compare the top 20 of runs, as sets, with the ranking of the best run.

    Returns
    -------
    Observations
        None if there is only one run, or no query for which the best run returned 10 documents.
    """
    runs = material.runs
    if len(runs) < 2:
        return None
    ndcg = evaluate(runs, material.qrels, ["nDCG@10"], progress=progress).aggregates[0]
    best = int(np.argmax(ndcg))
    top = _top(runs, best)
    if not len(top.value):
        return None
    others = runs.subset(place for place in range(len(runs)) if place != best)
    measures = {
        "recall": f"R@{SEEN}",
        "base": RBR(phi=PHI) @ SEEN,
        "upper": RBR(phi=PHI, bound="upper") @ SEEN,
        "full": RBR(phi=PHI, reference=runs.subset([best])) @ SEEN,
    }
    with untold("judged document"):  # some runs have none of the top 10 of one run
        matrix = evaluate(others, top, list(measures.values()), progress=progress)
    scores = {name: matrix[measure].ravel() for name, measure in measures.items()}
    return Observations(material, runs.names[best], **scores)


def _top(runs: RunSet, place: int) -> Table:
    """The top 10 of a run as qrels, graded by rank; queries with fewer documents are left out."""
    run = runs.run(place)
    ranking = Ranking.of(run, run.query.names)
    top = ranking.top(WANTED)
    top = top[ranking.returned[ranking.query[top]] >= WANTED]
    kept = run.at(ranking.row[top])
    return replace(kept, value=WANTED + 1 - ranking.rank[top], label="qrels")


def figure_3(found: Observations) -> PaperTable:
    """The ranges of RBR over sets with the same recall."""
    here = {
        (f"recall {recall}", column): value
        for recall in RECALLS
        if found.chosen(recall).any()
        for column, value in _ranges(found, recall).items()
    }
    return DECLARED.table("Figure 3", here, found.material, second_stage=found.second_stage)


def _ranges(found: Observations, recall: float) -> dict[str, float]:
    chosen = found.chosen(recall)
    base, full = found.base[chosen], found.full[chosen]
    return {
        "sets": float(chosen.sum()),
        "different base scores": float(len(np.unique(base.round(9)))),
        "lowest base score": min(base.tolist()),
        "highest base score": max(base.tolist()),
        "lowest full score": min(full.tolist()),
        "highest full score": max(full.tolist()),
        "largest range of full scores at one base score": _spread_within(found, chosen),
        "residual": _residual(recall),
        "best attainable": best_attainable(recall),
    }


def best_attainable(recall: float) -> float:
    """The highest RBR of an observed set with this recall."""
    return _weight(1, round(WANTED * recall)) + _residual(recall)


def _residual(recall: float) -> float:
    """Equation 9 for the documents of a set that the reference's top 10 lacks."""
    return _weight(WANTED + 1, WANTED + SEEN - round(WANTED * recall))


def _weight(first: int, last: int) -> float:
    """The weight of a range of ranks."""
    return float(PHI ** (first - 1) - PHI**last)


def _spread_within(found: Observations, chosen: BoolArray) -> float:
    """The largest range of full scores among sets with the same base score."""
    base, full = found.base[chosen].round(9), found.full[chosen]
    return max(float(np.ptp(full[base == value])) for value in np.unique(base))


def first_stage_claims(found: Observations | None) -> Iterator[Claim]:
    """The claims about Figure 3, over the sets with recall .8.

    They have no verdict: the paper's first stages and its second stage are not to be had.
    """
    chosen = None if found is None else found.chosen(RECALLS[0])
    if found is None or chosen is None or not chosen.any():
        reason = f"no set of {SEEN} documents holds 8 of the second stage's top {WANTED}"
        yield from Claim.unknown(reason, *CLAIMS.values())
        return
    base, full, upper = found.base[chosen], found.full[chosen], found.upper[chosen]
    sets = f"{chosen.sum()} sets with recall {RECALLS[0]}"
    shown = f"{sets}: {base.min():.3f} to {base.max():.3f}"
    yield Claim.elsewhere(CLAIMS["equal recall"], shown)
    inside = (base <= full + 1e-12) & (full <= upper + 1e-12)
    yield Claim.elsewhere(CLAIMS["within"], f"{inside.sum()} of {sets}")
    shown = f"{sets}: the largest range at one base score {_spread_within(found, chosen):.3f}"
    yield Claim.elsewhere(CLAIMS["fine"], shown)
    yield _top_matters(base, full)


def _top_matters(base: FloatArray, full: FloatArray) -> Claim:
    without_first = full[np.isclose(base, _weight(3, WANTED))]
    without_last = full[np.isclose(base, _weight(1, WANTED - 2))]
    if not len(without_first) or not len(without_last):
        reason = "no set lacks exactly the first two, or exactly the last two documents"
        return Claim.unknown(reason, CLAIMS["top matters"])[0]
    return Claim.elsewhere(
        CLAIMS["top matters"],
        f"full scores up to {without_first.max():.3f} ({len(without_first)} sets) and from "
        f"{without_last.min():.3f} ({len(without_last)} sets)",
    )


def panes_of_figure_3(found: Observations) -> Iterator[PaperFigure]:
    """Both panes of Figure 3."""
    for recall in RECALLS:
        if found.chosen(recall).any():
            yield PaperFigure(
                f"Figure 3, {found.material.label}, recall {recall}",
                f"RBR of sets with recall {recall}, by base score",
                partial(_draw, found, recall),
            )


def _draw(found: Observations, recall: float, width: float | None = None) -> Axes:
    chosen = found.chosen(recall)
    order = np.lexsort((found.full[chosen], found.base[chosen]))
    curves = {"base + residual": found.upper, "full score": found.full, "base score": found.base}
    ax = chart(
        f"sets of {SEEN} documents, by base score",
        f"RBR, phi = {PHI}",
        [(range(len(order)), values[chosen][order], "", name) for name, values in curves.items()],
        width=width,
    )
    ax.axhline(best_attainable(recall), linestyle="--", label="best attainable")
    ax.legend(fontsize="small")
    return ax
