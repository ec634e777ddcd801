"""The tables of the upper-expected paper, one function for each table of both case studies."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from math import nan
from typing import Any

import numpy as np

from ...common.numeric import BoolArray, FloatArray, Int64Array
from ...exceptions import InputError
from ...io.letor import LetorData
from ...meta import (
    discriminative_power,
    percentage_absolute_difference,
    rank_correlation,
    split_swap_rate,
    swap_rate,
)
from ..results import Cell, PaperTable, in_rows
from .rankers import LetorSplit
from .scores import BASES, CUTOFFS, DECLARED, VERSIONS, Scores, broad_and_focused, left_and_right

LEVEL = 0.95  # the paper's threshold of 0.05

SPLITS = 1000  # a choice: a swap rate then has an error of at most .02

Cells = dict[tuple[str, str], float]


def label_of(number: int, base: str) -> str:
    """The label of a table of the first case study, or of its counterpart in the second."""
    return f"Table {number + 12 * (base == 'AP')}"


def _table(
    number: int, base: str, scores: Scores, here: Cells | Iterable[Cell], **fields: Any
) -> PaperTable:
    found = DECLARED.table(
        f"Table {number}",
        here,
        scores.material,
        name=BASES[base],
        tests=comparisons(scores),
        **fields,
    )
    return replace(found, label=label_of(number, base))


def _row(base: str, version: str) -> str:
    return BASES[base] if version == "original" else version


def _by_query_set(
    scores: Scores,
    base: str,
    statistic: Callable[[str, Int64Array], float],
    *,
    beside_original: bool = False,
    least: int = 2,
) -> Cells:
    """A statistic of each version on each query set.

    Parameters
    ----------
    scores, base
    statistic
        A number, given a version and positions of queries.
    beside_original
        Whether the statistic compares each corrected version with the original measure.
    least
        The statistic of fewer queries is NaN.
    """
    rows = {version: _row(base, version) for version in VERSIONS}
    if beside_original:
        rows = {version: f"{BASES[base]} vs {version}" for version in VERSIONS[1:]}
    return {
        (row, name): statistic(version, queries) if len(queries) >= least else nan
        for version, row in rows.items()
        for name, queries in scores.query_sets[base].items()
    }


def data_statistics(scores: Scores, split: LetorSplit | None = None) -> PaperTable:
    """Table 1: documents, queries and features."""
    qrels = scores.material.qrels
    if split is None:
        rows = {"qrels": (len(qrels.value), len(scores.matrix.query_ids), nan)}
    else:
        rows = {"training": _counts(split.train), "test": _counts(split.test)}
    here = in_rows(("Documents", "Queries", "Features"), rows)
    return _table(1, "nDCG", scores, here)


def _counts(data: LetorData) -> tuple[int, int, int]:
    return len(data.grade), len(data.group_sizes), data.features.shape[1]


def original_scores(scores: Scores, base: str) -> PaperTable:
    """Tables 4 and 16: mean scores by the original measure."""
    return _table(4, base, scores, _means(scores, base, ("original",)))


def corrected_scores(scores: Scores, base: str) -> PaperTable:
    """Tables 6 and 18: mean scores by both versions of the corrected measure."""
    return _table(6, base, scores, _means(scores, base, VERSIONS[1:]))


def _means(scores: Scores, base: str, versions: Iterable[str]) -> Iterable[Cell]:
    means = {
        f"{_row(base, version)}@{k}": scores.at(base, version, k).mean(axis=1)
        for version in versions
        for k in CUTOFFS
    }
    return in_rows(
        means, zip(scores.matrix.systems, zip(*means.values(), strict=True), strict=True)
    )


def rank_correlations(scores: Scores, base: str) -> PaperTable:
    """Tables 7 and 19: Kendall's tau of the rankers between original and corrected measure."""

    def mean_tau(version: str, queries: Int64Array) -> float:
        taus = []
        for k in CUTOFFS:
            one, other = (scores.at(base, of, k)[:, queries] for of in ("original", version))
            taus.append(rank_correlation(one, other, samples=1).value)
        return float(np.mean(taus))

    here = _by_query_set(scores, base, mean_tau, beside_original=True)
    return _table(7, base, scores, here)


def conflicts(scores: Scores, base: str) -> PaperTable:
    """Tables 8 and 20: pairs that only one of two measures finds significantly different."""

    def disagreements(version: str, queries: Int64Array) -> float:
        one, other = (_significant(scores, base, of, queries) for of in ("original", version))
        return float((one != other).sum())

    here = _by_query_set(scores, base, disagreements, beside_original=True)
    return _table(8, base, scores, here)


def significant_differences(scores: Scores, base: str) -> PaperTable:
    """Tables 9 and 21: how many pairs of rankers differ significantly."""

    def count(version: str, queries: Int64Array) -> float:
        return float(_significant(scores, base, version, queries).sum())

    return _table(9, base, scores, _by_query_set(scores, base, count))


def comparisons(scores: Scores) -> int:
    """How many tests there are: pairs of systems times cutoffs."""
    systems = len(scores.matrix.systems)
    return systems * (systems - 1) // 2 * len(CUTOFFS)


def _significant(scores: Scores, base: str, version: str, queries: Int64Array) -> BoolArray:
    """Whether each pair differs at each cutoff."""
    of_cutoffs = (scores.at(base, version, k)[:, queries] for k in CUTOFFS)
    tested = (discriminative_power(each, test="t", correction="none") for each in of_cutoffs)
    return np.concatenate([power.significant_pairs(LEVEL) for power in tested])


def absolute_differences(scores: Scores, base: str) -> PaperTable:
    """Tables 10 and 22: percentage absolute difference (Eq. 8), mean over the pairs."""

    def percentage(version: str, queries: Int64Array) -> float:
        try:
            means = scores.over_cutoffs(base, version)[:, queries]
            return float(percentage_absolute_difference(means).mean())
        except InputError:  # a mean of version 2 may be below 0
            return nan

    return _table(10, base, scores, _by_query_set(scores, base, percentage, least=0))


def swaps_between_data_sets(scores: Scores, base: str) -> PaperTable:
    """Tables 11 and 23: swap rates between data sets; disjoint halves of the queries are these."""

    def swaps(version: str, queries: Int64Array) -> float:
        return split_swap_rate(scores.over_cutoffs(base, version)[:, queries], trials=SPLITS).value

    return _table(11, base, scores, _by_query_set(scores, base, swaps), splits=SPLITS)


def swaps_between_query_sets(scores: Scores, base: str) -> PaperTable:
    """Tables 12 and 24: swap rates between the uninformative and the ideal queries."""
    _, uninformative, ideal = scores.query_sets[base].values()
    parts = [_on(scores, base, part) for part in (uninformative, ideal)]
    return _table(12, base, scores, _swaps(base, parts))


def swaps_between_difficulties(scores: Scores, base: str) -> PaperTable:
    """Tables 13 and 25: swap rates between broad and focused queries."""
    both = broad_and_focused(scores)
    size = len(both[0])
    queries = f"{size} queries of each kind" if size else "all queries are of one kind"
    here = _swaps(base, [_on(scores, base, part) for part in both])
    return _table(13, base, scores, here, queries=queries)


def swaps_between_document_sets(scores: Scores) -> tuple[PaperTable, PaperTable]:
    """Tables 14 and 26: swap rates between the halves of a random split of the documents.

    Both tables in one call, because they share the evaluation of the halves.
    """
    halves = left_and_right(scores) or ()
    why = "" if halves else " A half of the documents has no judgment of a query with results."
    first, second = (
        _table(
            14,
            base,
            scores,
            _swaps(base, [_on(half, base, slice(None)) for half in halves]),
            missing=why,
        )
        for base in BASES
    )
    return first, second


Means = dict[str, FloatArray]  # (systems, queries) means over the cutoffs, by version


def _on(scores: Scores, base: str, queries: Int64Array | slice) -> Means:
    return {version: scores.over_cutoffs(base, version)[:, queries] for version in VERSIONS}


def _swaps(base: str, parts: Sequence[Means]) -> Cells:
    """The swap rate of each version between two parts; NaN without parts, or if one is empty."""
    here = {}
    for version in VERSIONS:
        pair = [part[version] for part in parts if part[version].size]
        value = swap_rate(pair[0], pair[1]).value if len(pair) == 2 else nan
        here[_row(base, version), "Swap rate"] = value
    return here
