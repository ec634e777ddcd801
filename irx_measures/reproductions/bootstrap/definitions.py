"""Tables 1 and 2 of the bootstrap paper, which need no collection."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from ...scoring.evaluate import evaluate
from ..inventory import declared
from ..results import Claim, PaperTable, in_rows

DECLARED = declared(__package__)

BOUND = "nDCGBound(kind={}, bound={}, dcg='exp-log2', max_grade=3)@2"

# The kind of bound, and the judged documents of the ranking and of the truth. A and B are the
# documents at ranks 1 and 2.
EXAMPLES = {
    "RBP-inspired, [1, ?]": ("rbp", {"A": 1}, {"A": 1, "B": 2}),
    "Naive, [?, 1]": ("naive", {"B": 1}, {"A": 2, "B": 1}),
    "Guaranteed, [1, ?]": ("guaranteed", {"A": 1}, {"A": 1, "B": 2}),
}
COLUMNS_1 = ("Lower Bound", "Actual", "Upper Bound")
COLUMNS_2 = ("deterministic", "prior: run", "prior: pool")

APPROACHES = {
    "Condensed lists": "nDCG(judged_only=True)@10",
    "Naive lower bound": "nDCG@10",
    "Naive upper bound": "nDCGBound(bound=upper)@10",
    "Pool-based bootstr.": "BootNDCG(prior=pool, stat=mean)@10",
    "Run-based bootstr.": "BootNDCG(prior=run, stat=mean)@10",
    "Pool+run-based bs.": "BootNDCG(stat=mean)@10",
}

RUN = {"q": {**{f"r{place}": 10.0 - place for place in range(6)}, "x": 8.5, "y": 7.5}}
# Invented judgments: the priors of run and pool have different shares of each grade.
JUDGED_IN_RUN = {"r0": 1, "r1": 0, "r2": 0, "r3": 0, "r4": 1, "r5": 0}
JUDGED_ELSEWHERE = {f"p{place}": place % 3 for place in range(60)}  # no grade is ever used up


def _score(
    measure: str, grades: Mapping[str, int], run: Mapping[str, Mapping[str, float]]
) -> float:
    matrix = evaluate({"run": run}, {"q": dict(grades)}, measure)
    return float(matrix.scores[0, 0, 0])


def table_1() -> PaperTable:
    """Table 1: bounds of nDCG@2 that are incorrect, and guaranteed bounds that are wide."""
    ranking = {"q": {"A": 2.0, "B": 1.0}}
    here = {}
    for name, (kind, judged, truth) in EXAMPLES.items():
        scored = ((kind, "lower", judged), ("naive", "lower", truth), (kind, "upper", judged))
        here[name] = [
            _score(BOUND.format(of_kind, bound), grades, ranking)
            for of_kind, bound, grades in scored
        ]
    return DECLARED.table("Table 1", in_rows(COLUMNS_1, here))


def table_2() -> PaperTable:
    """Table 2: characteristics of the methods, each tried on an example.

    Notes
    -----
    The example has two unjudged documents in the top 10.

    - Deterministic: another seed gives the same score.
    - Prior of the run: the DCG that the unjudged documents earn changes if a judged document of the
      run swaps its grade 1 with a document of grade 0 outside the run. The pool as a whole stays.
    - Prior of the pool: this DCG changes if all documents of grade 2, which are outside the run,
      get grade 1. The judged documents of the run stay.

    The earned DCG is the score times the ideal DCG, without the DCG of the judged documents.
    """
    judged = {**JUDGED_IN_RUN, **JUDGED_ELSEWHERE}
    no_grade_2 = {document: min(grade, 1) for document, grade in JUDGED_ELSEWHERE.items()}
    here = {}
    for name, measure in APPROACHES.items():
        reseeded = measure.replace("stat=mean", "stat=mean, seed=7")
        same = _earned(measure, judged)
        here[name] = (
            _earned(reseeded, judged) == same,
            _earned(measure, {**judged, "r4": 0, "p0": 1}) != same,
            _earned(measure, {**JUDGED_IN_RUN, **no_grade_2}) != same,
        )
    return DECLARED.table("Table 2", in_rows(COLUMNS_2, here))


def _earned(measure: str, grades: Mapping[str, int]) -> float:
    """The DCG that a method grants to the unjudged documents, up to rounding."""
    gains = np.sort(list(grades.values()))[::-1][:10]
    ideal = float((gains / np.log2(np.arange(len(gains)) + 2.0)).sum())
    without = _score("nDCG@10", grades, RUN)
    return round((_score(measure, grades, RUN) - without) * ideal, 9)


def claim_of_table_1(table: PaperTable) -> Claim:
    """Whether the guaranteed bounds alone hold, and are wide."""
    inside = {}
    for row in table.rows:
        low, actual, high = (table[row, name] for name in COLUMNS_1)
        inside[row] = low <= actual <= high
    guaranteed = "Guaranteed, [1, ?]"
    width = table[guaranteed, "Upper Bound"] - table[guaranteed, "Lower Bound"]
    return DECLARED.judge().claim(
        DECLARED.claims["Table 1"]["bounds"],
        inside[guaranteed] and sum(inside.values()) == 1 and width > 0.5,
        f"the actual score lies in the bounds in {sum(inside.values())} of {len(inside)} examples; "
        f"the guaranteed bounds are {width:.2f} apart",
    )
