"""Table 1 of the NRG paper: three orders of the same documents."""

from __future__ import annotations

from itertools import combinations
from math import nan

import ir_measures

from ...measures.residual_gain import NRG
from ..results import Claim, Number, PaperTable

RELEVANT = {"q": dict.fromkeys("AEFJ", 4)}

ORDERS = {"R1": "ABCDEFGHIJ", "R2": "EDCBAFGHIJ", "R3": "JIHGFEDCBA"}

OTHER_TWO = "the other two"

COLUMNS = ("nDCG@10", *ORDERS, OTHER_TWO)

PRINTED = {
    "R1": (0.7933, nan, 0.7361, 0.8277, 0.8417),
    "R2": (0.7933, 0.7361, nan, 0.7988, 0.8316),
    "R3": (0.7933, 0.8277, 0.7988, nan, 0.8681),
}


def table_1() -> PaperTable:
    """nDCG@10 of three rankings, and NRG@10 given one or both of the others."""
    numbers = (
        Number(order, column, nan if column == order else _score(order, column), printed)
        for order, row in PRINTED.items()
        for column, printed in zip(COLUMNS, row, strict=True)
    )
    return PaperTable(
        "Table 1",
        "nDCG@10 of a ranking (row) and its NRG@10, given the rankings of the column as priors",
        "the three rankings of the table; A, E, F and J are relevant",
        tuple(numbers),
        places=4,
    )


def permutation_claim() -> Claim:
    """Whether NRG depends on the prior rankings where nDCG is equal."""
    table = table_1()
    ndcg = [table[order, COLUMNS[0]] for order in ORDERS]
    nrg = [table[order, OTHER_TWO] for order in ORDERS]
    different = all(abs(one - other) > 1e-6 for one, other in combinations(nrg, 2))
    return Claim.of(
        "Where nDCG@10 is the same for all rankings, NRG depends on the prior rankings",
        max(ndcg) - min(ndcg) < 1e-12 and different,
        f"nDCG@10 {ndcg[0]:.4f}; NRG given the other two: "
        + ", ".join(f"{order} {value:.4f}" for order, value in zip(ORDERS, nrg, strict=True)),
    )


def _score(order: str, column: str) -> float:
    """nDCG of a ranking, or its NRG given the rankings of a column."""
    others = [other for other in ORDERS if other != order]
    priors = {OTHER_TWO: others, COLUMNS[0]: []}.get(column, [column])
    measure = NRG(prior=[_run(prior) for prior in priors]) if priors else ir_measures.nDCG
    return float((measure @ 10).calc_aggregate(RELEVANT, _run(order)))


def _run(order: str) -> dict[str, dict[str, float]]:
    return {"q": {doc: -float(rank) for rank, doc in enumerate(ORDERS[order])}}
