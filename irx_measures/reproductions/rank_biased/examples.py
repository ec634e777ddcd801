"""The worked examples of the paper on RBR and RBA: Tables 1 to 3 and the text's numbers."""

from __future__ import annotations

from collections.abc import Iterator
from math import nan

import numpy as np

from ...common.arrays import FloatArray
from ...measures.persistence import phi_for
from ...stats.correlation import coefficient_of
from ..results import Number, PaperTable
from .comparisons import Run, compare, run_of, tied_run

REFERENCE = ("D07", "D04", "D11", "D12", "D10", "D15", "D06", "D22", "D19", "D28")

TIED_REFERENCE = (REFERENCE[:3], REFERENCE[3:4], REFERENCE[4:6], REFERENCE[6:7], REFERENCE[7:])

OBSERVED = ("D06", "D23", "D10", "D07", "D04")

CONTRIBUTIONS = {"D06": 0.019, "D23": 0.0, "D10": 0.052, "D07": 0.400, "D04": 0.240}

TIED_CONTRIBUTIONS = {"D06": 0.019, "D23": 0.0, "D10": 0.041, "D07": 0.261, "D04": 0.261}

RECALL, HALF, THIRD = "Recall@3", "RBR, phi=0.794", "RBR, phi=0.669"

SETS = {
    "B1": (1, 2, 3),
    "B2": (2, 3, 4),
    "B3": (3, 4, 5),
    "B4": (4, 5, 6),
    "B5": (2, 4, 5, 6),
    "B6": (1, 2, 5, 7, 10),
}

TABLE_2 = {
    RECALL: (1.000, 0.666, 0.333, 0.000, 0.333, 0.666),
    HALF: (0.500, 0.397, 0.315, 0.250, 0.414, 0.529),
    THIRD: (0.700, 0.469, 0.314, 0.210, 0.431, 0.657),
}

IDENTITY = tuple(range(1, 11))

PERMUTATIONS = {
    IDENTITY: (1.00, 1.00, 0.99, 0.97, 0.99, 0.97, 0.89),
    (2, 1, 4, 3, 6, 5, 8, 7, 10, 9): (0.78, 0.54, 0.62, 0.70, 0.96, 0.96, 0.89),
    (5, 4, 3, 2, 1, 10, 9, 8, 7, 6): (0.11, 0.23, 0.33, 0.46, 0.78, 0.86, 0.85),
    (6, 7, 8, 9, 10, 1, 2, 3, 4, 5): (-0.11, 0.04, 0.10, 0.22, 0.51, 0.68, 0.77),
    (10, 9, 8, 7, 6, 5, 4, 3, 2, 1): (-1.00, 0.04, 0.10, 0.22, 0.40, 0.60, 0.73),
}

TABLE_3_PHIS = (0.6, 0.7, 0.8)


def table_1() -> PaperTable:
    """RBR of a set, its residual, and its score where the reference has ties."""
    plain, tied = run_of(REFERENCE), tied_run(TIED_REFERENCE)
    whole = {
        ("R", "RBR"): (compare("RBR", OBSERVED, plain, 0.6), 0.711),
        ("R", "residual"): (compare("RBR", OBSERVED, plain, 0.6, "residual"), 0.002),
        ("R", "RBR + residual"): (compare("RBR", OBSERVED, plain, 0.6, "upper"), 0.713),
        ("R with ties", "RBR"): (compare("RBR", OBSERVED, tied, 0.6), 0.583),
    }
    numbers = [
        *_contributions("R", plain, CONTRIBUTIONS),
        *_contributions("R with ties", tied, TIED_CONTRIBUTIONS),
        *(Number(row, column, here, printed) for (row, column), (here, printed) in whole.items()),
    ]
    return PaperTable(
        "Table 1",
        "RBR of a set of five documents, phi = 0.6: each document's contribution, and the score",
        "the set and the reference rankings of the table and of section 3",
        tuple(numbers),
    )


def _contributions(row: str, reference: Run, printed: dict[str, float]) -> Iterator[Number]:
    for doc in OBSERVED:
        yield Number(row, doc, compare("RBR", [doc], reference, 0.6), printed[doc])


def table_2() -> PaperTable:
    """Recall and RBR of six sets, at two values of phi."""
    reference = run_of(IDENTITY)
    phis = {HALF: phi_for(3, 0.5), THIRD: phi_for(3, 0.3)}
    numbers = []
    for place, (name, docs) in enumerate(SETS.items()):
        recall = len({1, 2, 3} & {*docs}) / 3
        numbers.append(Number(name, RECALL, recall, TABLE_2[RECALL][place]))
        for column, phi in phis.items():
            score = compare("RBR", docs, reference, phi)
            numbers.append(Number(name, column, score, TABLE_2[column][place]))
    return PaperTable(
        "Table 2",
        "Recall at 3 and RBR of six sets; phi is 0.5^(1/3) or 0.3^(1/3)",
        "the sets of the table",
        tuple(numbers),
        "the paper cuts .6667 off to .666",
    )


def choices_of_phi() -> PaperTable:
    """The values of phi for a discount that section 3 gives."""
    printed = {(3, 0.5): 0.794, (3, 0.3): 0.669, (10, 0.1): 0.794, (100, 0.05): 0.970}
    return PaperTable(
        "Section 3, phi",
        "phi for which ranks k+1 to 2k carry a fraction f of the weight of ranks 1 to k",
        "Equation 10",
        tuple(
            Number(f"k={k}, f={f}", "phi", phi_for(k, f), value)
            for (k, f), value in printed.items()
        ),
    )


def table_3() -> PaperTable:
    """Kendall's tau, RBO and RBA of five permutations."""
    reference = run_of(IDENTITY)
    numbers = []
    for docs, printed in PERMUTATIONS.items():
        scores = [_tau(docs)]
        for name in ("RBO", "RBA"):
            scores += [compare(name, docs, reference, phi) for phi in TABLE_3_PHIS]
        columns = (
            "tau",
            *(f"{name}, phi={phi}" for name in ("RBO", "RBA") for phi in TABLE_3_PHIS),
        )
        numbers += [
            Number(row_of(docs), column, score, value)
            for column, score, value in zip(columns, scores, printed, strict=True)
        ]
    return PaperTable(
        "Table 3",
        "Kendall's tau, RBO and RBA of five permutations of the numbers 1 to 10",
        "the permutations of the table",
        tuple(numbers),
        places=2,
    )


def row_of(docs: tuple[int, ...]) -> str:
    """The row of a permutation in Table 3."""
    return " ".join(map(str, docs))


def _tau(docs: tuple[int, ...]) -> float:
    ranks: FloatArray = np.array([docs, IDENTITY], float)
    return float(coefficient_of("tau", ranks[:1], ranks[1:], nan)[0])
