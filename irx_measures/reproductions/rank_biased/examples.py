"""What needs no data: Tables 1 to 3, Figures 4 and 6, and the claims that they support."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from math import nan

import numpy as np

from ...common.numeric import FloatArray
from ...common.warn import untold
from ...measures.base import Measure
from ...measures.rank_biased import RBA, RBO, RBR
from ...measures.rbp_bound import RBPBound
from ...persistence import phi_for, rba_range
from ...stats.correlation import coefficient_of
from ..charts import chart
from ..inventory import declared
from ..results import Claim, PaperFigure, PaperTable, in_rows

DECLARED = declared(__package__)

JUDGE = DECLARED.judge()  # of claims about the paper's own examples

Run = dict[str, dict[str, float]]

BY_NAME: dict[str, Measure] = {"RBR": RBR, "RBA": RBA, "RBO": RBO(bound="lower")}

REFERENCE = ("D07", "D04", "D11", "D12", "D10", "D15", "D06", "D22", "D19", "D28")

TIED_REFERENCE = (REFERENCE[:3], REFERENCE[3:4], REFERENCE[4:6], REFERENCE[6:7], REFERENCE[7:])

OBSERVED = ("D06", "D23", "D10", "D07", "D04")

RECALL, HALF, THIRD = "Recall@3", "RBR, phi=0.794", "RBR, phi=0.669"

# Table 2: the ranks, in the reference, of the documents of each set.
SETS = {
    "B1": (1, 2, 3),
    "B2": (2, 3, 4),
    "B3": (3, 4, 5),
    "B4": (4, 5, 6),
    "B5": (2, 4, 5, 6),
    "B6": (1, 2, 5, 7, 10),
}

# The rows of Table 3, which are permutations of the first.
ROWS_3 = list(dict.fromkeys(row for row, _ in DECLARED.tables["Table 3"].printed))

IDENTITY = tuple(range(1, 11))  # the reference of Table 3

TABLE_3_PHIS = (0.6, 0.7, 0.8)  # of the columns of RBO, and of RBA

CLAIMS = DECLARED.claims["Definitions"]

LENGTHS = (10, 30, 100)  # chosen here: the paper's text does not name its three lengths

SHOWN_PHIS = (0.5, 0.7, 0.9, 0.99)  # chosen here: the figure has a continuous axis

SWAPPED, REVERSED = ROWS_3[-2:]


def run_of(docs: Iterable[object]) -> Run:
    """A run of one query that ranks the documents in this order."""
    return tied_run([doc] for doc in docs)


def tied_run(groups: Iterable[Iterable[object]]) -> Run:
    """A run of one query that ranks groups of tied documents in this order."""
    return {"q": {str(doc): -float(level) for level, docs in enumerate(groups) for doc in docs}}


def compare(
    name: str, observed: Sequence[object], reference: Run, phi: float, bound: str = "lower"
) -> float:
    """A rank-biased measure of one set or ranking, given the reference."""
    measure = BY_NAME[name](phi=phi, reference=[reference], bound=bound)
    with untold("no document is in the reference"):  # the set may be one document
        return float(measure.calc_aggregate({}, run_of(observed)))


def table_1() -> PaperTable:
    """RBR of a set, its residual, and its score where the reference has ties."""
    plain, tied = run_of(REFERENCE), tied_run(TIED_REFERENCE)
    contributions = {
        (row, doc): compare("RBR", [doc], reference, 0.6)
        for row, reference in (("R", plain), ("R with ties", tied))
        for doc in OBSERVED
    }
    whole = {
        ("R", "RBR"): compare("RBR", OBSERVED, plain, 0.6),
        ("R", "residual"): compare("RBR", OBSERVED, plain, 0.6, "residual"),
        ("R", "RBR + residual"): compare("RBR", OBSERVED, plain, 0.6, "upper"),
        ("R with ties", "RBR"): compare("RBR", OBSERVED, tied, 0.6),
    }
    return DECLARED.table("Table 1", contributions | whole)


def table_2() -> PaperTable:
    """Recall and RBR of six sets, at two values of phi."""
    reference = run_of(IDENTITY)
    half, third = phi_for(3, 0.5), phi_for(3, 0.3)
    rows = {
        name: (
            len({1, 2, 3} & {*docs}) / 3,
            compare("RBR", docs, reference, half),
            compare("RBR", docs, reference, third),
        )
        for name, docs in SETS.items()
    }
    return DECLARED.table("Table 2", in_rows((RECALL, HALF, THIRD), rows))


def choices_of_phi() -> PaperTable:
    """The values of phi for a discount that section 3 gives."""
    choices = ((3, 0.5), (3, 0.3), (10, 0.1), (100, 0.05))
    here = {(f"k={k}, f={f}", "phi"): phi_for(k, f) for k, f in choices}
    return DECLARED.table("Section 3, phi", here)


def table_3() -> PaperTable:
    """Kendall's tau, RBO and RBA of five permutations."""
    reference = run_of(IDENTITY)
    here = {}
    for row in ROWS_3:
        docs = permutation_of(row)
        here[row, "tau"] = _tau(docs)
        for name in ("RBO", "RBA"):
            for phi in TABLE_3_PHIS:
                here[row, f"{name}, phi={phi}"] = compare(name, docs, reference, phi)
    return DECLARED.table("Table 3", here)


def permutation_of(row: str) -> tuple[int, ...]:
    """The permutation that a row of Table 3 names."""
    return tuple(map(int, row.split()))


def _tau(docs: tuple[int, ...]) -> float:
    ranks: FloatArray = np.array([docs, IDENTITY], float)
    return float(coefficient_of("tau", ranks[:1], ranks[1:], nan)[0])


def figure_6() -> PaperTable:
    """The range of RBA over permutations of three lengths."""
    rows = {
        f"k={length}, {name}": [rba_range(length, phi)[place] for phi in SHOWN_PHIS]
        for length in LENGTHS
        for place, name in enumerate(("reversed", "aligned"))
    }
    here = in_rows([f"phi={phi}" for phi in SHOWN_PHIS], rows)
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
    shown = f"table 1: RBR {rbr:.3f}, RBP {rbp:.3f}"
    return JUDGE.claim(CLAIMS["dual"], abs(rbr - rbp) < 1e-12, shown)


def _symmetric() -> Claim:
    one = compare("RBA", OBSERVED, run_of(REFERENCE), 0.6)
    other = compare("RBA", REFERENCE, run_of(OBSERVED), 0.6)
    shown = f"the rankings of table 1 at phi 0.6: {one:.3f} and {other:.3f}"
    return JUDGE.claim(CLAIMS["symmetric"], abs(one - other) < 1e-12, shown)


def _nuanced() -> Claim:
    table = table_2()
    pairs = (("B3", "B5"), ("B2", "B6"))
    equal = all(abs(table[one, RECALL] - table[other, RECALL]) < 1e-12 for one, other in pairs)
    apart = all(abs(table[one, HALF] - table[other, HALF]) > 0.05 for one, other in pairs)
    shown = "; ".join(
        f"{one} and {other}: {RECALL} {table[one, RECALL]:.3f}, {HALF} {table[one, HALF]:.3f} "
        f"and {table[other, HALF]:.3f}"
        for one, other in pairs
    )
    return JUDGE.claim(CLAIMS["nuanced"], equal and apart, shown)


def _steeper() -> Claim:
    table = table_2()
    scores = {column: (table["B6", column], table["B1", column]) for column in (HALF, THIRD)}
    holds = scores[HALF][0] > scores[HALF][1] and scores[THIRD][0] < scores[THIRD][1]
    shown = "; ".join(f"{name}: B6 {six:.3f}, B1 {one:.3f}" for name, (six, one) in scores.items())
    return JUDGE.claim(CLAIMS["steeper"], holds, shown)


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
    yield JUDGE.claim(CLAIMS["RBO of halves"], same, shown["RBO"])
    yield JUDGE.claim(CLAIMS["RBA of halves"], higher, shown["RBA"])
