"""Tables 1 and 2 of the bootstrap paper, which need no collection."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from ...scoring.evaluate import evaluate
from ..results import Claim, Number, PaperTable

MAX_GRADE = 3
BOUND = "nDCGBound(kind={}, bound={}, dcg='exp-log2', max_grade=3)@2"

# The bound, the judged documents of the ranking and of the truth, and lower, actual and upper as
# printed. A and B are the documents at ranks 1 and 2.
EXAMPLES = (
    ("RBP-inspired", "[1, ?]", "rbp", {"A": 1}, {"A": 1, "B": 2}, (1.00, 0.80, 0.71)),
    ("Naive", "[?, 1]", "naive", {"B": 1}, {"A": 2, "B": 1}, (0.63, 1.00, 0.63)),
    ("Guaranteed", "[1, ?]", "guaranteed", {"A": 1}, {"A": 1, "B": 2}, (0.09, 0.80, 1.00)),
)

APPROACHES = {
    "Condensed lists": "nDCG(judged_only=True)@10",
    "Naive lower bound": "nDCG@10",
    "Naive upper bound": "nDCGBound(bound=upper)@10",
    "Pool-based bootstr.": "BootNDCG(prior=pool, stat=mean)@10",
    "Run-based bootstr.": "BootNDCG(prior=run, stat=mean)@10",
    "Pool+run-based bs.": "BootNDCG(stat=mean)@10",
}
# Deterministic, prior of the run, prior of the pool; 1 is yes.
PRINTED_2 = {
    "Condensed lists": (1, 1, 0),
    "Naive lower bound": (1, 0, 0),
    "Naive upper bound": (1, 0, 1),
    "Pool-based bootstr.": (0, 0, 1),
    "Run-based bootstr.": (0, 1, 0),
    "Pool+run-based bs.": (0, 1, 1),
}

RUN = {"q": {**{f"r{place}": 10.0 - place for place in range(6)}, "x": 8.5, "y": 7.5}}
JUDGED_IN_RUN = {"r0": 1, "r1": 0, "r2": 0, "r3": 0, "r4": 1, "r5": 0}
JUDGED_ELSEWHERE = {f"p{place}": place % 3 for place in range(60)}


def _score(
    measure: str, grades: Mapping[str, int], run: Mapping[str, Mapping[str, float]]
) -> float:
    matrix = evaluate({"run": run}, {"q": dict(grades)}, measure)
    return float(matrix.scores[0, 0, 0])


def table_1() -> PaperTable:
    """Table 1: bounds of nDCG@2 that are incorrect, and guaranteed bounds that are wide."""
    ranking = {"q": {"A": 2.0, "B": 1.0}}
    numbers = []
    for name, example, kind, judged, truth, printed in EXAMPLES:
        here = (
            _score(BOUND.format(kind, "lower"), judged, ranking),
            _score(BOUND.format("naive", "lower"), truth, ranking),
            _score(BOUND.format(kind, "upper"), judged, ranking),
        )
        columns = ("Lower Bound", "Actual", "Upper Bound")
        for column, value, of_paper in zip(columns, here, printed, strict=True):
            numbers.append(Number(f"{name}, {example}", column, value, of_paper))
    return PaperTable(
        "Table 1",
        "bounds of nDCG@2 for rankings with an unjudged document",
        "the paper's examples; grades 0 to 3, '?' is unjudged and has grade 2",
        tuple(numbers),
        places=2,
    )


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
    columns = ("deterministic", "prior: run", "prior: pool")
    numbers = []
    for name, measure in APPROACHES.items():
        same = _earned(measure, {**JUDGED_IN_RUN, **JUDGED_ELSEWHERE})
        here = (
            _earned(_reseeded(measure), {**JUDGED_IN_RUN, **JUDGED_ELSEWHERE}) == same,
            _earned(measure, {**JUDGED_IN_RUN, "r4": 0, **JUDGED_ELSEWHERE, "p0": 1}) != same,
            _earned(measure, {**JUDGED_IN_RUN, **_no_grade_2(JUDGED_ELSEWHERE)}) != same,
        )
        for column, value, printed in zip(columns, here, PRINTED_2[name], strict=True):
            numbers.append(Number(name, column, float(value), float(printed)))
    return PaperTable(
        "Table 2",
        "characteristics of methods for unjudged documents; 1 is yes, 0 is no",
        "an example with two unjudged documents in the top 10",
        tuple(numbers),
        "the column Comp. is left out: every method divides by the ideal DCG of the qrels, so all "
        "are comparable by definition",
        places=0,
    )


def _reseeded(measure: str) -> str:
    return measure.replace("stat=mean", "stat=mean, seed=7")


def _no_grade_2(grades: Mapping[str, int]) -> dict[str, int]:
    return {document: min(grade, 1) for document, grade in grades.items()}


def _earned(measure: str, grades: Mapping[str, int]) -> float:
    """The DCG that a method grants to the unjudged documents, up to rounding."""
    gains = np.sort(list(grades.values()))[::-1][:10]
    ideal = float((gains / np.log2(np.arange(len(gains)) + 2.0)).sum())
    without = _score("nDCG@10", grades, RUN)
    return round((_score(measure, grades, RUN) - without) * ideal, 9)


def claim_of_table_1(table: PaperTable) -> Claim:
    """Whether the guaranteed bounds alone hold, and are wide."""
    inside = {}
    for row in dict.fromkeys(number.row for number in table.numbers):
        low, actual, high = (table[row, name] for name in ("Lower Bound", "Actual", "Upper Bound"))
        inside[row] = low <= actual <= high
    guaranteed = "Guaranteed, [1, ?]"
    width = table[guaranteed, "Upper Bound"] - table[guaranteed, "Lower Bound"]
    return Claim.of(
        "RBP-inspired and naive bounds of nDCG can be incorrect; guaranteed bounds are very wide",
        inside[guaranteed] and sum(inside.values()) == 1 and width > 0.5,
        f"the actual score lies in the bounds in {sum(inside.values())} of {len(inside)} examples; "
        f"the guaranteed bounds are {width:.2f} apart",
    )
