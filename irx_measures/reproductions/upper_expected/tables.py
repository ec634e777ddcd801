"""The tables of the upper-expected paper, one function for each table of both case studies."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
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
from ..results import PaperTable
from .rankers import LetorSplit
from .scores import BASES, CUTOFFS, VERSIONS, Scores, broad_and_focused, left_and_right

NOT_COMPARABLE = (
    "The paper's numbers are of MQ2007 and MSLR-WEB30K, ranked by RankLib: they cannot be compared."
)

LEVEL = 0.95  # the paper's threshold of 0.05

SPLITS = 1000  # a choice: a swap rate then has an error of at most .02


TESTS = "Student's paired t-test at .05, without correction for the number of pairs."


def label_of(number: int, base: str) -> str:
    """The label of a table of the first case study, or of its counterpart in the second."""
    return f"Table {number + 12 * (base == 'AP')}"


def _table(
    number: int,
    base: str,
    title: str,
    scores: Scores,
    here: Mapping[tuple[str, str], float],
    remark: str = "",
    places: int = 3,
) -> PaperTable:
    said = " ".join(filter(None, [NOT_COMPARABLE, remark]))
    description = scores.material.description
    return PaperTable.of(label_of(number, base), title, description, here, said, places=places)


def _row(base: str, version: str) -> str:
    return BASES[base] if version == "original" else version


def _by_query_set(
    scores: Scores, base: str, statistic: Callable[[str, Int64Array], float]
) -> dict[tuple[str, str], float]:
    """A statistic of each version on each query set."""
    return {
        (_row(base, version), name): statistic(version, queries)
        for version in VERSIONS
        for name, queries in scores.query_sets[base].items()
    }


def _beside_original(
    scores: Scores, base: str, statistic: Callable[[str, Int64Array], float]
) -> dict[tuple[str, str], float]:
    """A statistic of each corrected version and the original measure on each query set."""
    return {
        (f"{BASES[base]} vs {version}", name): statistic(version, queries)
        for version in VERSIONS[1:]
        for name, queries in scores.query_sets[base].items()
    }


def data_statistics(scores: Scores, split: LetorSplit | None = None) -> PaperTable:
    """Table 1: documents, queries and features."""
    qrels = scores.material.qrels
    if split is None:
        rows = {"qrels": (len(qrels.grade), len(scores.matrix.query_ids), nan)}
    else:
        rows = {"training": _counts(split.train), "test": _counts(split.test)}
    here = {
        (row, column): value
        for row, counts in rows.items()
        for column, value in zip(("Documents", "Queries", "Features"), counts, strict=True)
    }
    return _table(1, "nDCG", "Statistics of the data", scores, here, places=0)


def _counts(data: LetorData) -> tuple[int, int, int]:
    return len(data.grade), len(data.group_sizes), data.features.shape[1]


def original_scores(scores: Scores, base: str) -> PaperTable:
    """Tables 4 and 16: mean scores by the original measure."""
    here = _means(scores, base, ("original",))
    return _table(4, base, f"{BASES[base]} of the rankers, by cutoff", scores, here)


def corrected_scores(scores: Scores, base: str) -> PaperTable:
    """Tables 6 and 18: mean scores by both versions of the corrected measure."""
    here = _means(scores, base, VERSIONS[1:])
    return _table(6, base, f"Versions 1 and 2 of corrected {BASES[base]}", scores, here)


def _means(scores: Scores, base: str, versions: Iterable[str]) -> dict[tuple[str, str], float]:
    means = {
        f"{_row(base, version)}@{k}": scores.at(base, version, k).mean(axis=1)
        for version in versions
        for k in CUTOFFS
    }
    systems = enumerate(scores.matrix.systems)
    return {(name, of): mean[place] for place, name in systems for of, mean in means.items()}


def rank_correlations(scores: Scores, base: str) -> PaperTable:
    """Tables 7 and 19: Kendall's tau of the rankers between original and corrected measure."""

    def mean_tau(version: str, queries: Int64Array) -> float:
        if len(queries) < 2:
            return nan
        taus = []
        for k in CUTOFFS:
            one, other = (scores.at(base, of, k)[:, queries] for of in ("original", version))
            taus.append(rank_correlation(one, other, samples=1).value)
        return float(np.mean(taus))

    return _table(
        7,
        base,
        "Kendall's tau with the original measure's order of the rankers, mean over cutoffs",
        scores,
        _beside_original(scores, base, mean_tau),
    )


def conflicts(scores: Scores, base: str) -> PaperTable:
    """Tables 8 and 20: pairs that only one of two measures finds significantly different."""

    def disagreements(version: str, queries: Int64Array) -> float:
        original, corrected = (
            _significant(scores, base, of, queries) for of in ("original", version)
        )
        return nan if original is None else float((original != corrected).sum())

    return _table(
        8,
        base,
        f"Pairs that only one of two measures finds different, of {_comparisons(scores)}",
        scores,
        _beside_original(scores, base, disagreements),
        TESTS,
        places=0,
    )


def significant_differences(scores: Scores, base: str) -> PaperTable:
    """Tables 9 and 21: how many pairs of rankers differ significantly."""

    def count(version: str, queries: Int64Array) -> float:
        found = _significant(scores, base, version, queries)
        return nan if found is None else float(found.sum())

    return _table(
        9,
        base,
        f"Pairs that differ significantly, of {_comparisons(scores)}",
        scores,
        _by_query_set(scores, base, count),
        TESTS,
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
    of_cutoffs = (scores.at(base, version, k)[:, queries] for k in CUTOFFS)
    tested = (discriminative_power(each, test="t", correction="none") for each in of_cutoffs)
    return np.concatenate([power.significant_pairs(LEVEL) for power in tested])


def absolute_differences(scores: Scores, base: str) -> PaperTable:
    """Tables 10 and 22: percentage absolute difference (Eq. 8), mean over the pairs."""

    def percentage(version: str, queries: Int64Array) -> float:
        try:
            means = scores.over_cutoffs(base, version)[:, queries]
            return percentage_absolute_difference(means).value
        except InputError:  # a mean of version 2 may be below 0
            return nan

    return _table(
        10,
        base,
        "Percentage absolute difference of the rankers' scores, mean over pairs",
        scores,
        _by_query_set(scores, base, percentage),
        "It is undefined if the larger of two means is not above 0.",
    )


def swaps_between_data_sets(scores: Scores, base: str) -> PaperTable:
    """Tables 11 and 23: swap rates between data sets; disjoint halves of the queries are these."""

    def swaps(version: str, queries: Int64Array) -> float:
        if len(queries) < 2:
            return nan
        return split_swap_rate(scores.over_cutoffs(base, version)[:, queries], trials=SPLITS).value

    return _table(
        11,
        base,
        "Swap rate of the rankers between two data sets",
        scores,
        _by_query_set(scores, base, swaps),
        "There is one data set: random disjoint halves of its queries take the place of two; "
        f"mean of {SPLITS} splits.",
    )


def swaps_between_query_sets(scores: Scores, base: str) -> PaperTable:
    """Tables 12 and 24: swap rates between the uninformative and the ideal queries."""
    _, uninformative, ideal = scores.query_sets[base].values()
    return _table(
        12,
        base,
        "Swap rate of the rankers between uninformative and ideal queries",
        scores,
        _swaps(base, [_on(scores, base, part) for part in (uninformative, ideal)]),
    )


def swaps_between_difficulties(scores: Scores, base: str) -> PaperTable:
    """Tables 13 and 25: swap rates between broad and focused queries."""
    broad, focused = broad_and_focused(scores)
    remark = "no query is broad" if not len(broad) else f"{len(broad)} queries of each kind"
    return _table(
        13,
        base,
        "Swap rate of the rankers between broad and focused queries",
        scores,
        _swaps(base, [_on(scores, base, part) for part in (broad, focused)]),
        "Broad: at least half of the documents have at least half of the highest grade "
        f"(grade 2 in the paper); {remark}.",
    )


def swaps_between_document_sets(scores: Scores) -> tuple[PaperTable, PaperTable]:
    """Tables 14 and 26: swap rates between the halves of a random split of the documents.

    Both tables in one call, because they share the evaluation of the halves.
    """
    halves = left_and_right(scores) or ()
    first, second = (
        _table(
            14,
            base,
            "Swap rate of the rankers between two random halves of the documents",
            scores,
            _swaps(base, [_on(half, base, slice(None)) for half in halves]),
            "" if halves else "A half of the documents has no judgment of a query with results.",
        )
        for base in BASES
    )
    return first, second


Means = dict[str, FloatArray]  # (systems, queries) means over the cutoffs, by version


def _on(scores: Scores, base: str, queries: Int64Array | slice) -> Means:
    return {version: scores.over_cutoffs(base, version)[:, queries] for version in VERSIONS}


def _swaps(base: str, parts: Sequence[Means]) -> dict[tuple[str, str], float]:
    """The swap rate of each version between two parts; NaN without parts, or if one is empty."""
    here = {}
    for version in VERSIONS:
        pair = [part[version] for part in parts if part[version].size]
        value = swap_rate(pair[0], pair[1]).value if len(pair) == 2 else nan
        here[_row(base, version), "Swap rate"] = value
    return here
