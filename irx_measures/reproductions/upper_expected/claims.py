"""The claims of the upper-expected paper beside the numbers of the tables, without verdicts.

The paper's data and rankers are not to be had.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from math import isnan

import numpy as np

from ..results import Claim, PaperTable
from .scores import (
    BASES,
    DECLARED,
    EXACT,
    FIGURE_CUTOFF,
    INDEPENDENT,
    SETS,
    Scores,
    expected_measure,
)
from .tables import comparisons, label_of

HIGH_EXPECTED, MANY_QUERIES = 0.5, 0.1  # our reading of "a large portion with high values"

ALL, UNINFORMATIVE, IDEAL = SETS

# What the tables 11 to 14 compare.
COMPARED = (
    "data sets (here: halves of the queries)",
    "uninformative and ideal queries",
    "broad and focused queries",
    "halves of the documents",
)


def claims(scores: Scores, tables: Iterable[PaperTable]) -> tuple[Claim, ...]:
    """The claims of abstract and text, beside the numbers of the tables 4 to 26."""
    by_label = {table.label: table for table in tables}
    found = [_expected_is_high(scores), _expected_precisions(scores)]
    for base in BASES:
        of_base = {number: by_label[label_of(number, base)] for number in (4, *range(6, 15))}
        found += _of_case_study(base, comparisons(scores), of_base)
    return (*found, _more_power(scores, by_label))


def _shown(numbers: Iterable[float], places: int = 3) -> str:
    *first, last = ("undefined" if isnan(number) else f"{number:.{places}f}" for number in numbers)
    return f"{', '.join(first)} and {last}"


def _expected_is_high(scores: Scores) -> Claim:
    text = DECLARED.claims["Expected values"]["expected is high"]
    measure = expected_measure("nDCG", FIGURE_CUTOFF)
    share = float((scores.matrix[measure][0] >= HIGH_EXPECTED).mean())
    return Claim.elsewhere(
        text.format(share=MANY_QUERIES, cutoff=FIGURE_CUTOFF, value=HIGH_EXPECTED),
        f"{share:.1%} of the queries",
    )


def _expected_precisions(scores: Scores) -> Claim:
    formula, exact = (scores.matrix[measure][0] for measure in (INDEPENDENT, EXACT))
    return Claim.elsewhere(
        DECLARED.claims["Expected values"]["expected precision"],
        f"mean over queries at k = {FIGURE_CUTOFF}: {formula.mean():.3f} by the formula, "
        f"{exact.mean():.3f} exactly; precision and relevance at a rank are not independent",
    )


def _of_case_study(base: str, tests: int, tables: Mapping[int, PaperTable]) -> Iterator[Claim]:
    """The claims about one base, by its tables; what the paper says of its data is evidence."""
    name, texts, said = BASES[base], DECLARED.claims["Case study"], DECLARED.said[base]
    rows, versions = (name, "V1", "V2"), f"{name}, V1 and V2"

    def beside(claim: str, shown: str, about: str = "", **fields: str) -> Claim:
        text = texts[claim].format(name=name, **fields)
        return Claim.elsewhere(text, f"{shown} (paper, {said[about or claim]})")

    means = [_mean(tables[number], row) for number, row in zip((4, 6, 6), rows, strict=True)]
    yield beside("scores", f"{versions}, means over rankers and cutoffs: {_shown(means)}")
    taus = [tables[7][f"{name} vs {version}", ALL] for version in rows[1:]]
    yield beside("tau", f"Kendall's tau on all queries: V1 and V2 {_shown(taus)}")
    of_sets = [tables[7][f"{name} vs V2", part] for part in (UNINFORMATIVE, IDEAL)]
    shown = f"Kendall's tau on uninformative and ideal queries: {_shown(of_sets)}"
    yield beside("tau of sets", shown)
    conflicts = [tables[8][f"{name} vs V2", part] for part in (UNINFORMATIVE, IDEAL)]
    shown = f"disagreements on uninformative and ideal queries: {_shown(conflicts, 0)} of {tests}"
    yield beside("conflicts", shown)
    counts = [tables[9][row, UNINFORMATIVE] for row in rows]
    shown = f"{versions} on uninformative queries: {_shown(counts, 0)} of {tests}"
    yield beside("significant", shown)
    for part in SETS:
        found = [tables[10][row, part] for row in rows]
        shown = f"{versions}: {_shown(found, 2)}"
        yield beside("difference", shown, about=part, queries=part.lower())
    for number, compared in enumerate(COMPARED, 11):
        rates = [tables[number][row, tables[number].columns[0]] for row in rows]
        lowers = base == "AP" and "documents" not in compared
        change = "lowers" if lowers else "does not raise"
        shown = f"{versions}: {_shown(rates)}"
        yield beside("swaps", shown, about=compared, change=change, compared=compared)


def _mean(table: PaperTable, row: str) -> float:
    """The mean score of all rankers by a version at all cutoffs."""
    return float(np.mean([n.here for n in table.numbers if n.column.startswith(row)]))


def _more_power(scores: Scores, tables: Mapping[str, PaperTable]) -> Claim:
    gains = [
        tables[label_of(9, base)][version, part] - tables[label_of(9, base)][name, part]
        for base, name in BASES.items()
        for version in ("V1", "V2")
        for part in SETS
    ]
    tests, mean = comparisons(scores), float(np.mean(gains))
    gain = "undefined" if isnan(mean) else f"{mean / tests:+.1%}"
    return Claim.elsewhere(
        DECLARED.claims["Both case studies"]["power"],
        f"{gain} of the {tests} tests, mean over both measures, both versions and all query sets "
        "(paper: 23% more on MSLR-WEB30K and 19% more on MQ2007)",
    )
