"""The tables of the upper-expected paper, one function for each table of both case studies."""

from __future__ import annotations

from collections.abc import Callable
from math import nan

import numpy as np

from ...common.arrays import BoolArray, FloatArray, Int64Array
from ...exceptions import InputError
from ...io.letor import LetorData
from ...meta import (
    discriminative_power,
    percentage_absolute_difference,
    rank_correlation,
    split_swap_rate,
    swap_rate,
)
from ..results import Number, PaperTable
from .rankers import LetorSplit
from .scores import BASES, CUTOFFS, SETS, VERSIONS, Scores, broad_and_focused, left_and_right

NOT_COMPARABLE = (
    "The paper's numbers are of MQ2007 and MSLR-WEB30K, ranked by RankLib: they cannot be compared."
)

LEVEL = 0.95

SPLITS = 1000


def _table(
    number: int,
    title: str,
    scores: Scores,
    numbers: list[Number],
    remark: str = "",
    places: int = 3,
) -> PaperTable:
    return PaperTable(
        f"Table {number}",
        title,
        scores.material.description,
        tuple(numbers),
        " ".join(filter(None, [NOT_COMPARABLE, remark])),
        places,
    )


def _row(base: str, version: str) -> str:
    return BASES[base] if version == "original" else version


def data_statistics(scores: Scores, split: LetorSplit | None = None) -> PaperTable:
    """Table 1: documents, queries and features."""
    qrels = scores.material.qrels
    if split is None:
        rows = {"qrels": (len(qrels.grade), len(scores.matrix.query_ids), nan)}
    else:
        rows = {"training": _counts(split.train), "test": _counts(split.test)}
    columns = ("Documents", "Queries", "Features")
    numbers = [
        Number(row, column, value)
        for row, counts in rows.items()
        for column, value in zip(columns, counts, strict=True)
    ]
    return _table(1, "Statistics of the data", scores, numbers, places=0)


def _counts(data: LetorData) -> tuple[int, int, int]:
    return len(data.grade), len(data.group_sizes), data.features.shape[1]


def original_scores(scores: Scores, base: str) -> PaperTable:
    """Tables 4 and 16: mean scores by the original measure."""
    number = {"nDCG": 4, "AP": 16}[base]
    numbers = _means(scores, base, ("original",))
    return _table(number, f"{BASES[base]} of the rankers, by cutoff", scores, numbers)


def corrected_scores(scores: Scores, base: str) -> PaperTable:
    """Tables 6 and 18: mean scores by both versions of the corrected measure."""
    number = {"nDCG": 6, "AP": 18}[base]
    numbers = _means(scores, base, VERSIONS[1:])
    return _table(number, f"Versions 1 and 2 of corrected {BASES[base]}", scores, numbers)


def _means(scores: Scores, base: str, versions: tuple[str, ...]) -> list[Number]:
    means = {
        f"{_row(base, version)}@{k}": scores.at(base, version, k).mean(axis=1)
        for version in versions
        for k in CUTOFFS
    }
    return [
        Number(system, column, float(mean[place]))
        for place, system in enumerate(scores.matrix.systems)
        for column, mean in means.items()
    ]


def rank_correlations(scores: Scores, base: str) -> PaperTable:
    """Tables 7 and 19: Kendall's tau of the rankers between original and corrected measure."""
    numbers = [
        Number(f"{BASES[base]} vs {version}", name, _mean_tau(scores, base, version, queries))
        for version in VERSIONS[1:]
        for name, queries in scores.query_sets[base].items()
    ]
    return _table(
        {"nDCG": 7, "AP": 19}[base],
        "Kendall's tau with the original measure's order of the rankers, mean over cutoffs",
        scores,
        numbers,
    )


def _mean_tau(scores: Scores, base: str, version: str, queries: Int64Array) -> float:
    if len(queries) < 2:
        return nan
    taus = [
        rank_correlation(
            scores.at(base, "original", k)[:, queries],
            scores.at(base, version, k)[:, queries],
            samples=1,
        ).value
        for k in CUTOFFS
    ]
    return float(np.mean(taus))


def conflicts(scores: Scores, base: str) -> PaperTable:
    """Tables 8 and 20: pairs that only one of two measures finds significantly different."""
    numbers = []
    for version in VERSIONS[1:]:
        for name, queries in scores.query_sets[base].items():
            found = [_significant(scores, base, which, queries) for which in ("original", version)]
            count = nan if found[0] is None or found[1] is None else (found[0] != found[1]).sum()
            numbers.append(Number(f"{BASES[base]} vs {version}", name, float(count)))
    return _table(
        {"nDCG": 8, "AP": 20}[base],
        f"Pairs that only one of two measures finds different, of {_comparisons(scores)}",
        scores,
        numbers,
        "Student's paired t-test at .05, without correction for the number of pairs.",
        places=0,
    )


def significant_differences(scores: Scores, base: str) -> PaperTable:
    """Tables 9 and 21: how many pairs of rankers differ significantly."""
    numbers = []
    for version in VERSIONS:
        for name, queries in scores.query_sets[base].items():
            found = _significant(scores, base, version, queries)
            count = nan if found is None else float(found.sum())
            numbers.append(Number(_row(base, version), name, count))
    return _table(
        {"nDCG": 9, "AP": 21}[base],
        f"Pairs that differ significantly, of {_comparisons(scores)}",
        scores,
        numbers,
        "Student's paired t-test at .05, without correction for the number of pairs.",
        places=0,
    )


def comparisons(scores: Scores) -> int:
    """How many tests there are: pairs of systems times cutoffs."""
    systems = len(scores.matrix.systems)
    return systems * (systems - 1) // 2 * len(CUTOFFS)


def _comparisons(scores: Scores) -> str:
    return f"{comparisons(scores)} (all pairs at {len(CUTOFFS)} cutoffs)"


def _significant(scores: Scores, base: str, version: str, queries: Int64Array) -> BoolArray | None:
    """Whether each pair differs at each cutoff; None if there are too few queries for a test."""
    if len(queries) < 2:
        return None
    return np.concatenate(
        [
            discriminative_power(
                scores.at(base, version, k)[:, queries], test="t", correction="none"
            ).significant_pairs(LEVEL)
            for k in CUTOFFS
        ]
    )


Statistic = Callable[[FloatArray], float]


def _by_query_set(scores: Scores, base: str, statistic: Statistic) -> list[Number]:
    """A statistic of the scores, averaged over cutoffs, for each version and query set."""
    return [
        Number(
            _row(base, version),
            name,
            statistic(scores.over_cutoffs(base, version)[:, queries]),
        )
        for version in VERSIONS
        for name, queries in scores.query_sets[base].items()
    ]


def absolute_differences(scores: Scores, base: str) -> PaperTable:
    """Tables 10 and 22: percentage absolute difference (Eq. 8), mean over the pairs."""
    return _table(
        {"nDCG": 10, "AP": 22}[base],
        "Percentage absolute difference of the rankers' scores, mean over pairs",
        scores,
        _by_query_set(scores, base, _percentage),
        "It is undefined if the larger of two means is not above 0.",
    )


def _percentage(scores: FloatArray) -> float:
    try:
        return percentage_absolute_difference(scores).value
    except InputError:  # a mean of version 2 may be below 0
        return nan


def swaps_between_data_sets(scores: Scores, base: str) -> PaperTable:
    """Tables 11 and 23: swap rates between data sets; disjoint halves of the queries are these."""
    return _table(
        {"nDCG": 11, "AP": 23}[base],
        "Swap rate of the rankers between two data sets",
        scores,
        _by_query_set(scores, base, _split_swaps),
        "There is one data set: random disjoint halves of its queries take the place of two; "
        f"mean of {SPLITS} splits.",
    )


def _split_swaps(scores: FloatArray) -> float:
    if scores.shape[1] < 2:
        return nan
    return split_swap_rate(scores, trials=SPLITS).value


def swaps_between_query_sets(scores: Scores, base: str) -> PaperTable:
    """Tables 12 and 24: swap rates between the uninformative and the ideal queries."""
    sets = scores.query_sets[base]
    numbers = _swaps(scores, base, "Swap rate", sets[SETS[1]], sets[SETS[2]])
    return _table(
        {"nDCG": 12, "AP": 24}[base],
        "Swap rate of the rankers between uninformative and ideal queries",
        scores,
        numbers,
    )


def swaps_between_difficulties(scores: Scores, base: str) -> PaperTable:
    """Tables 13 and 25: swap rates between broad and focused queries."""
    broad, focused = broad_and_focused(scores)
    remark = "no query is broad" if not len(broad) else f"{len(broad)} queries of each kind"
    return _table(
        {"nDCG": 13, "AP": 25}[base],
        "Swap rate of the rankers between broad and focused queries",
        scores,
        _swaps(scores, base, "Swap rate", broad, focused),
        "Broad: at least half of the documents have at least half of the highest grade "
        f"(grade 2 in the paper); {remark}.",
    )


def _swaps(
    scores: Scores, base: str, column: str, first: Int64Array, second: Int64Array
) -> list[Number]:
    numbers = []
    for version in VERSIONS:
        means = scores.over_cutoffs(base, version)
        value = swap_rate(means[:, first], means[:, second]).value if len(first) else nan
        numbers.append(Number(_row(base, version), column, value))
    return numbers


def swaps_between_document_sets(scores: Scores) -> tuple[PaperTable, PaperTable]:
    """Tables 14 and 26: swap rates between the halves of a random split of the documents.

    Both tables in one call, because they share the evaluation of the halves.
    """
    halves = left_and_right(scores)
    tables = [
        _table(
            number,
            "Swap rate of the rankers between two random halves of the documents",
            scores,
            [
                Number(_row(base, version), "Swap rate", _swap_of_halves(halves, base, version))
                for version in VERSIONS
            ],
            "" if halves else "A half of the documents has no judgment of a query with results.",
        )
        for base, number in {"nDCG": 14, "AP": 26}.items()
    ]
    return tables[0], tables[1]


def _swap_of_halves(halves: tuple[Scores, Scores] | None, base: str, version: str) -> float:
    if halves is None:
        return nan
    left, right = (half.over_cutoffs(base, version) for half in halves)
    return swap_rate(left, right).value


OF_BASE = (
    original_scores,
    corrected_scores,
    rank_correlations,
    conflicts,
    significant_differences,
    absolute_differences,
    swaps_between_data_sets,
    swaps_between_query_sets,
    swaps_between_difficulties,
)
