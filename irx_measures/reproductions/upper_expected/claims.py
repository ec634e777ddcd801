"""The claims of the upper-expected paper, judged by the tables."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from math import isnan
from typing import NamedTuple

import numpy as np

from ..results import Claim, PaperTable
from .scores import BASES, EXACT, FIGURE_CUTOFF, INDEPENDENT, SETS, Scores, expected_measure
from .tables import comparisons

HIGH_EXPECTED, MANY_QUERIES = 0.5, 0.1  # our reading of "a large portion with high values"

ALL, UNINFORMATIVE, IDEAL = SETS

DATA_SETS = "data sets (here: halves of the queries)"


class CaseStudy(NamedTuple):
    """The tables of a case study, and what the paper says of MQ2007, for the evidence.

    Attributes
    ----------
    base
        A key of `BASES`.
    scores, corrected, tau, conflicts, significant, percentage
        Labels of tables.
    swaps
        The labels of the tables of swap rates, by what they compare.
    paper
        What the paper says, by claim.
    """

    base: str
    scores: str
    corrected: str
    tau: str
    conflicts: str
    significant: str
    percentage: str
    swaps: Mapping[str, str]
    paper: Mapping[str, str]


CASE_STUDIES = (
    CaseStudy(
        "nDCG",
        "Table 4",
        "Table 6",
        "Table 7",
        "Table 8",
        "Table 9",
        "Table 10",
        {
            DATA_SETS: "Table 11",
            "uninformative and ideal queries": "Table 12",
            "broad and focused queries": "Table 13",
            "halves of the documents": "Table 14",
        },
        {
            "scores": "MQ2007, random forest, k = 10: .428, .309 and .235",
            "tau": "MQ2007: V1 1 and V2 .785",
            "tau of sets": "MQ2007: .928 and 1",
            "conflicts": "MQ2007: 24 and 8 of 140",
            "significant": "MQ2007: 9, 29 and 33 of 140",
            ALL: "MQ2007: 1.74, 3.60 and 6.42",
            UNINFORMATIVE: "MQ2007: 5.85, 7.83 and 44.81",
            IDEAL: "MQ2007: 1.61, 1.98 and 2.98",
            DATA_SETS: "MSLR-WEB30K and MQ2007: .107 for each",
            "uninformative and ideal queries": "MQ2007: .500 for each",
            "broad and focused queries": "MSLR-WEB30K: .250 for each",
            "halves of the documents": "MSLR-WEB30K: 0 for each",
        },
    ),
    CaseStudy(
        "AP",
        "Table 16",
        "Table 18",
        "Table 19",
        "Table 20",
        "Table 21",
        "Table 22",
        {
            DATA_SETS: "Table 23",
            "uninformative and ideal queries": "Table 24",
            "broad and focused queries": "Table 25",
            "halves of the documents": "Table 26",
        },
        {
            "scores": "MQ2007, random forest, k = 10: .352, .273 and .190",
            "tau": "MQ2007: V1 1 and V2 .785",
            "tau of sets": "MQ2007: .624 and 1",
            "conflicts": "MQ2007: 21 and 17 of 140",
            "significant": "MQ2007: 0, 2 and 21 of 140",
            ALL: "MQ2007: 5.91, 6.86 and 20.01",
            UNINFORMATIVE: "MQ2007: 5.89, 7.19 and 28.27",
            IDEAL: "MQ2007: 6.77, 8.04 and 13.49",
            DATA_SETS: "MSLR-WEB30K and MQ2007: .250, .250 and .178, 28% less",
            "uninformative and ideal queries": "MQ2007: .392, .392 and .285; 26% less on average",
            "broad and focused queries": "MSLR-WEB30K: .03, .03 and 0",
            "halves of the documents": "MSLR-WEB30K: 0 for each",
        },
    ),
)


def claims(scores: Scores, tables: Iterable[PaperTable]) -> tuple[Claim, ...]:
    """The claims of abstract and text, judged by the tables 4 to 26."""
    by_label = {table.label: table for table in tables}
    found = [_expected_is_high(scores), _expected_precisions(scores)]
    for study in CASE_STUDIES:
        found += _of_case_study(study, scores, by_label)
    return (*found, _more_power(scores, by_label))


def _judged(text: str, holds: Callable[..., object], here: Iterable[float], evidence: str) -> Claim:
    """A claim about some numbers; it cannot be told if one of them is undefined."""
    numbers = list(here)
    if any(map(isnan, numbers)):
        return Claim(text, "cannot be told", f"a number is undefined on this data: {evidence}")
    return Claim.of(text, bool(holds(*numbers)), evidence)


def _shown(numbers: Iterable[float], places: int = 3) -> str:
    *first, last = ("undefined" if isnan(number) else f"{number:.{places}f}" for number in numbers)
    return f"{', '.join(first)} and {last}"


def _expected_is_high(scores: Scores) -> Claim:
    measure = expected_measure("nDCG", FIGURE_CUTOFF)
    share = float((scores.matrix[measure][0] >= HIGH_EXPECTED).mean())
    return Claim.of(
        f"Many queries ({MANY_QUERIES:.0%} or more) have a high expected value: "
        f"a random order has nDCG@{FIGURE_CUTOFF} of {HIGH_EXPECTED} or more",
        share >= MANY_QUERIES,
        f"{share:.1%} of the queries",
    )


def _expected_precisions(scores: Scores) -> Claim:
    formula, exact = (scores.matrix[measure][0] for measure in (INDEPENDENT, EXACT))
    return Claim.of(
        "The expected sum of precision is k (N_p / n)^2 (section 6.4.1)",
        np.allclose(formula, exact),
        f"mean over queries at k = {FIGURE_CUTOFF}: {formula.mean():.3f} by the formula, "
        f"{exact.mean():.3f} exactly; precision and relevance at a rank are not independent",
    )


def _of_case_study(
    study: CaseStudy, scores: Scores, tables: Mapping[str, PaperTable]
) -> list[Claim]:
    return [
        _lower_scores(study, tables),
        *_rankings(study, tables),
        *_significance(study, scores, tables),
        *(_percentages(study, part, tables[study.percentage]) for part in SETS),
        *(_swaps(study, compared, tables[label]) for compared, label in study.swaps.items()),
    ]


def _lower_scores(study: CaseStudy, tables: Mapping[str, PaperTable]) -> Claim:
    original = np.mean([number.here for number in tables[study.scores].numbers])
    corrected = [
        np.mean([n.here for n in tables[study.corrected].numbers if n.column.startswith(version)])
        for version in ("V1", "V2")
    ]
    means = list(map(float, [original, *corrected]))
    return _judged(
        f"Both versions score lower than {BASES[study.base]}",
        lambda original, one, two: max(one, two) < original,
        means,
        f"{BASES[study.base]}, V1 and V2, means over rankers and cutoffs: {_shown(means)} "
        f"(paper, {study.paper['scores']})",
    )


def _rankings(study: CaseStudy, tables: Mapping[str, PaperTable]) -> list[Claim]:
    table, name = tables[study.tau], BASES[study.base]
    versions = [table[f"{name} vs {version}", ALL] for version in ("V1", "V2")]
    sets = [table[f"{name} vs V2", part] for part in (UNINFORMATIVE, IDEAL)]
    return [
        _judged(
            f"Version 1 orders the rankers more like {name} than version 2 does",
            lambda one, two: one > two,
            versions,
            f"Kendall's tau on all queries: V1 and V2 {_shown(versions)} "
            f"(paper, {study.paper['tau']})",
        ),
        _judged(
            f"Version 2 and {name} order the rankers differently, above all on uninformative "
            "queries",
            lambda uninformative, ideal: uninformative < min(ideal, 1),
            sets,
            f"Kendall's tau on uninformative and ideal queries: {_shown(sets)} "
            f"(paper, {study.paper['tau of sets']})",
        ),
    ]


def _significance(
    study: CaseStudy, scores: Scores, tables: Mapping[str, PaperTable]
) -> list[Claim]:
    name, tests = BASES[study.base], comparisons(scores)
    conflicts = [tables[study.conflicts][f"{name} vs V2", part] for part in SETS[1:]]
    counts = [tables[study.significant][row, UNINFORMATIVE] for row in (name, "V1", "V2")]
    return [
        _judged(
            f"Tests by version 2 and {name} disagree, above all on uninformative queries",
            lambda uninformative, ideal: uninformative > ideal,
            conflicts,
            f"disagreements on uninformative and ideal queries: {_shown(conflicts, 0)} of {tests} "
            f"(paper, {study.paper['conflicts']})",
        ),
        _judged(
            f"Both versions find more significant differences than {name} on uninformative queries",
            lambda original, one, two: min(one, two) > original,
            counts,
            f"{name}, V1 and V2 on uninformative queries: {_shown(counts, 0)} of {tests} "
            f"(paper, {study.paper['significant']})",
        ),
    ]


def _percentages(study: CaseStudy, part: str, table: PaperTable) -> Claim:
    name = BASES[study.base]
    found = [table[row, part] for row in (name, "V1", "V2")]
    return _judged(
        f"Both versions have a larger percentage absolute difference than {name} on "
        f"{part.lower()} queries",
        lambda original, one, two: min(one, two) > original,
        found,
        f"{name}, V1 and V2: {_shown(found, 2)} (paper, {study.paper[part]})",
    )


def _swaps(study: CaseStudy, compared: str, table: PaperTable) -> Claim:
    """The swap rate of version 2: lower for MAP, not higher for nDCG."""
    name = BASES[study.base]
    column = table.numbers[0].column
    rates = [table[row, column] for row in (name, "V1", "V2")]
    lowers = study.base == "AP" and "documents" not in compared
    verb = "lowers" if lowers else "does not raise"
    return _judged(
        f"Version 2 {verb} the swap rate of {name} between {compared}",
        lambda original, one, two: two < original if lowers else two <= original,
        rates,
        f"{name}, V1 and V2: {_shown(rates)} (paper, {study.paper[compared]})",
    )


def _more_power(scores: Scores, tables: Mapping[str, PaperTable]) -> Claim:
    gains = [
        tables[study.significant][version, part]
        - tables[study.significant][BASES[study.base], part]
        for study in CASE_STUDIES
        for version in ("V1", "V2")
        for part in SETS
    ]
    tests = comparisons(scores)
    mean = float(np.mean(gains))
    return _judged(
        "On average, the corrected measures find more significant differences",
        lambda gain: gain > 0,
        [mean],
        f"{mean / tests:+.1%} of the {tests} tests, mean over both measures, both versions and all "
        "query sets (paper: 23% more on MSLR-WEB30K and 19% more on MQ2007)",
    )
