"""Table 1 of the NRG paper: three orders of the same documents."""

from __future__ import annotations

from itertools import combinations
from math import nan

import ir_measures

from ...measures.residual_gain import NRG
from ..inventory import declared
from ..results import Claim, PaperTable

DECLARED = declared(__package__)

RELEVANT = {"q": dict.fromkeys("AEFJ", 4)}  # any grade does: all four documents have the same

ORDERS = {"R1": "ABCDEFGHIJ", "R2": "EDCBAFGHIJ", "R3": "JIHGFEDCBA"}

NDCG, OTHER_TWO = "nDCG@10", "the other two"


def table_1() -> PaperTable:
    """nDCG@10 of three rankings, and NRG@10 given one or both of the others."""
    places = DECLARED.tables["Table 1"].printed
    here = {place: nan if place[0] == place[1] else _score(*place) for place in places}
    return DECLARED.table("Table 1", here)


def permutation_claim() -> Claim:
    """Whether NRG depends on the prior rankings where nDCG is equal."""
    table = table_1()
    ndcg = [table[order, NDCG] for order in ORDERS]
    nrg = [table[order, OTHER_TWO] for order in ORDERS]
    different = all(abs(one - other) > 1e-6 for one, other in combinations(nrg, 2))
    return DECLARED.judge().claim(
        DECLARED.claims["Table 1"]["permutations"],
        max(ndcg) - min(ndcg) < 1e-12 and different,
        f"nDCG@10 {ndcg[0]:.4f}; NRG given the other two: "
        + ", ".join(f"{order} {value:.4f}" for order, value in zip(ORDERS, nrg, strict=True)),
    )


def _score(order: str, column: str) -> float:
    """nDCG of a ranking, or its NRG given the rankings of a column."""
    others = [other for other in ORDERS if other != order]
    priors = {OTHER_TWO: others, NDCG: []}.get(column, [column])
    measure = NRG(prior=[_run(prior) for prior in priors]) if priors else ir_measures.nDCG
    return float((measure @ 10).calc_aggregate(RELEVANT, _run(order)))


def _run(order: str) -> dict[str, dict[str, float]]:
    return {"q": {doc: -float(rank) for rank, doc in enumerate(ORDERS[order])}}
