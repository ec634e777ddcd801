"""Figures 4 and 6 of the paper on RBA, and the claims that follow from the definitions."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

import numpy as np

from ...measures.rbp_bound import RBPBound
from ...persistence import rba_range
from ..charts import chart
from ..results import Claim, PaperFigure, PaperTable
from .examples import (
    DECLARED,
    HALF,
    IDENTITY,
    OBSERVED,
    RECALL,
    REFERENCE,
    ROWS_3,
    TABLE_3_PHIS,
    THIRD,
    compare,
    permutation_of,
    run_of,
    table_2,
    table_3,
)

CLAIMS = DECLARED.claims["Definitions"]

LENGTHS = (10, 30, 100)  # chosen here: the paper's text does not name its three lengths

SHOWN_PHIS = (0.5, 0.7, 0.9, 0.99)  # chosen here: the figure has a continuous axis

SWAPPED, REVERSED = ROWS_3[-2:]


def figure_6() -> PaperTable:
    """The range of RBA over permutations of three lengths."""
    here = {
        (f"k={length}, {name}", f"phi={phi}"): rba_range(length, phi)[place]
        for length in LENGTHS
        for place, name in enumerate(("reversed", "aligned"))
        for phi in SHOWN_PHIS
    }
    return DECLARED.table("Figure 6", here)


def figures() -> Iterator[PaperFigure]:
    """Both panes of Figure 4, and Figure 6."""
    ranks = partial(chart, "rank in the reference", "rank in the observation")
    for pane, row, name in (("a", SWAPPED, "piecewise aligned"), ("b", REVERSED, "reversed")):
        curve = (permutation_of(row), IDENTITY, "o", "")
        yield PaperFigure(f"Figure 4 ({pane})", f"{name} permutation", partial(ranks, [curve]))
    grid = np.linspace(0.05, 0.99, 95)
    curves = [
        (
            grid,
            [rba_range(length, phi)[place] for phi in grid],
            f"C{number}{line}",
            f"k = {length}, {name}",
        )
        for number, length in enumerate(LENGTHS)
        for place, (line, name) in enumerate((("-", "reversed"), ("--", "aligned")))
    ]
    yield PaperFigure("Figure 6", "the range of RBA by phi", partial(chart, "phi", "RBA", curves))


def claims_of_definitions() -> Iterator[Claim]:
    """Claims about RBR and RBA that follow from the definitions, checked on the examples."""
    yield _dual()
    yield _symmetric()
    yield _nuanced()
    yield _steeper()
    yield from _halves()


def _dual() -> Claim:
    """Equation 7, with the set as qrels and the reference as the run."""
    rbr = compare("RBR", OBSERVED, run_of(REFERENCE), 0.6)
    relevant = {"q": dict.fromkeys(OBSERVED, 1)}
    rbp = float(RBPBound(phi=0.6).calc_aggregate(relevant, run_of(REFERENCE)))
    shown = f"table 1: RBR {rbr:.4f}, RBP {rbp:.4f}"
    return Claim.of(CLAIMS["dual"], abs(rbr - rbp) < 1e-12, shown)


def _symmetric() -> Claim:
    one = compare("RBA", OBSERVED, run_of(REFERENCE), 0.6)
    other = compare("RBA", REFERENCE, run_of(OBSERVED), 0.6)
    shown = f"the rankings of table 1 at phi 0.6: {one:.4f} and {other:.4f}"
    return Claim.of(CLAIMS["symmetric"], abs(one - other) < 1e-12, shown)


def _nuanced() -> Claim:
    table = table_2()
    pairs = (("B3", "B5"), ("B2", "B6"))
    equal = all(abs(table[one, RECALL] - table[other, RECALL]) < 1e-12 for one, other in pairs)
    apart = all(abs(table[one, HALF] - table[other, HALF]) > 0.05 for one, other in pairs)
    return Claim.of(
        CLAIMS["nuanced"],
        equal and apart,
        "; ".join(
            f"{one} and {other}: {RECALL} {table[one, RECALL]:.3f}, {HALF} {table[one, HALF]:.3f} "
            f"and {table[other, HALF]:.3f}"
            for one, other in pairs
        ),
    )


def _steeper() -> Claim:
    table = table_2()
    scores = {column: (table["B6", column], table["B1", column]) for column in (HALF, THIRD)}
    return Claim.of(
        CLAIMS["steeper"],
        scores[HALF][0] > scores[HALF][1] and scores[THIRD][0] < scores[THIRD][1],
        "; ".join(f"{name}: B6 {six:.3f}, B1 {one:.3f}" for name, (six, one) in scores.items()),
    )


def _halves() -> Iterator[Claim]:
    """RBO and RBA of the last two rows of Table 3."""
    table, rows = table_3(), (SWAPPED, REVERSED)
    scores = {
        name: [[table[row, f"{name}, phi={phi}"] for row in rows] for phi in TABLE_3_PHIS]
        for name in ("RBO", "RBA")
    }
    shown = {
        name: "; ".join(
            f"phi={phi} {swapped:.2f} and {back:.2f}"
            for phi, (swapped, back) in zip(TABLE_3_PHIS, of, strict=True)
        )
        for name, of in scores.items()
    }
    same = all(abs(swapped - back) < 1e-12 for swapped, back in scores["RBO"])
    higher = all(swapped > back for swapped, back in scores["RBA"])
    yield Claim.of(CLAIMS["RBO of halves"], same, shown["RBO"])
    yield Claim.of(CLAIMS["RBA of halves"], higher, shown["RBA"])
