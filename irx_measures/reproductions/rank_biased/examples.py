"""The worked examples of the paper on RBR and RBA: Tables 1 to 3 and the text's numbers."""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Sequence
from math import nan

import numpy as np

from ...common.arrays import FloatArray
from ...exceptions import EvaluationWarning
from ...measures.base import Measure
from ...measures.rank_biased import RBA, RBO, RBR
from ...persistence import phi_for
from ...stats.correlation import coefficient_of
from ..inventory import declared
from ..results import PaperTable

ENTRIES, PRINTED, _ = declared(__package__)

Run = dict[str, dict[str, float]]

BY_NAME: dict[str, Measure] = {"RBR": RBR, "RBA": RBA, "RBO": RBO}

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
ROWS_3 = list(dict.fromkeys(row for row, _ in PRINTED["Table 3"]))

IDENTITY = tuple(range(1, 11))  # the reference of Table 3

TABLE_3_PHIS = (0.6, 0.7, 0.8)  # of the columns of RBO, and of RBA


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
    with warnings.catch_warnings():
        # A set may be one document, which is not in the reference.
        warnings.filterwarnings("ignore", ".*no document is in the reference", EvaluationWarning)
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
    return PaperTable.of(
        "Table 1",
        "RBR of a set of five documents, phi = 0.6: each document's contribution, and the score",
        "the set and the reference rankings of the table and of section 3",
        contributions | whole,
        printed=PRINTED["Table 1"],
    )


def table_2() -> PaperTable:
    """Recall and RBR of six sets, at two values of phi."""
    reference = run_of(IDENTITY)
    here = {}
    for name, docs in SETS.items():
        here[name, RECALL] = len({1, 2, 3} & {*docs}) / 3
        here[name, HALF] = compare("RBR", docs, reference, phi_for(3, 0.5))
        here[name, THIRD] = compare("RBR", docs, reference, phi_for(3, 0.3))
    return PaperTable.of(
        "Table 2",
        "Recall at 3 and RBR of six sets; phi is 0.5^(1/3) or 0.3^(1/3)",
        "the sets of the table",
        here,
        "the paper cuts .6667 off to .666",
        printed=PRINTED["Table 2"],
    )


def choices_of_phi() -> PaperTable:
    """The values of phi for a discount that section 3 gives."""
    choices = ((3, 0.5), (3, 0.3), (10, 0.1), (100, 0.05))
    return PaperTable.of(
        "Section 3, phi",
        "phi for which ranks k+1 to 2k carry a fraction f of the weight of ranks 1 to k",
        "Equation 10",
        {(f"k={k}, f={f}", "phi"): phi_for(k, f) for k, f in choices},
        printed=PRINTED["Section 3, phi"],
    )


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
    return PaperTable.of(
        "Table 3",
        "Kendall's tau, RBO and RBA of five permutations of the numbers 1 to 10",
        "the permutations of the table",
        here,
        places=2,
        printed=PRINTED["Table 3"],
    )


def permutation_of(row: str) -> tuple[int, ...]:
    """The permutation that a row of Table 3 names."""
    return tuple(map(int, row.split()))


def _tau(docs: tuple[int, ...]) -> float:
    ranks: FloatArray = np.array([docs, IDENTITY], float)
    return float(coefficient_of("tau", ranks[:1], ranks[1:], nan)[0])
