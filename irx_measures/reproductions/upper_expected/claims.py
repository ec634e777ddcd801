"""The claims of the upper-expected paper, judged by the tables."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from math import isnan

import numpy as np

from ..results import Claim, PaperTable
from .scores import (
    BASES,
    EXACT,
    FIGURE_CUTOFF,
    INDEPENDENT,
    SAID,
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
    """The claims of abstract and text, judged by the tables 4 to 26."""
    by_label = {table.label: table for table in tables}
    found = [_expected_is_high(scores), _expected_precisions(scores)]
    for base in BASES:
        of_base = {number: by_label[label_of(number, base)] for number in (4, *range(6, 15))}
        found += _of_case_study(base, comparisons(scores), of_base)
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


def _of_case_study(base: str, tests: int, tables: Mapping[int, PaperTable]) -> Iterator[Claim]:
    """The claims about one base, by its tables; what the paper says of its data is evidence."""
    name, said = BASES[base], SAID[base]
    rows, versions = (name, "V1", "V2"), f"{name}, V1 and V2"

    def judged(
        text: str, holds: Callable[..., object], here: list[float], shown: str, about: str
    ) -> Claim:
        return _judged(text, holds, here, f"{shown} (paper, {said[about]})")

    scored = [
        [number.here for number in tables[4].numbers],
        *(
            [n.here for n in tables[6].numbers if n.column.startswith(version)]
            for version in rows[1:]
        ),
    ]
    means = [float(np.mean(of_version)) for of_version in scored]
    yield judged(
        f"Both versions score lower than {name}",
        lambda original, one, two: max(one, two) < original,
        means,
        f"{versions}, means over rankers and cutoffs: {_shown(means)}",
        "scores",
    )
    taus = [tables[7][f"{name} vs {version}", ALL] for version in rows[1:]]
    yield judged(
        f"Version 1 orders the rankers more like {name} than version 2 does",
        lambda one, two: one > two,
        taus,
        f"Kendall's tau on all queries: V1 and V2 {_shown(taus)}",
        "tau",
    )
    of_sets = [tables[7][f"{name} vs V2", part] for part in (UNINFORMATIVE, IDEAL)]
    yield judged(
        f"Version 2 and {name} order the rankers differently, above all on uninformative queries",
        lambda uninformative, ideal: uninformative < min(ideal, 1),
        of_sets,
        f"Kendall's tau on uninformative and ideal queries: {_shown(of_sets)}",
        "tau of sets",
    )
    conflicts = [tables[8][f"{name} vs V2", part] for part in (UNINFORMATIVE, IDEAL)]
    yield judged(
        f"Tests by version 2 and {name} disagree, above all on uninformative queries",
        lambda uninformative, ideal: uninformative > ideal,
        conflicts,
        f"disagreements on uninformative and ideal queries: {_shown(conflicts, 0)} of {tests}",
        "conflicts",
    )
    counts = [tables[9][row, UNINFORMATIVE] for row in rows]
    yield judged(
        f"Both versions find more significant differences than {name} on uninformative queries",
        lambda original, one, two: min(one, two) > original,
        counts,
        f"{versions} on uninformative queries: {_shown(counts, 0)} of {tests}",
        "significant",
    )
    for part in SETS:
        found = [tables[10][row, part] for row in rows]
        yield judged(
            f"Both versions have a larger percentage absolute difference than {name} on "
            f"{part.lower()} queries",
            lambda original, one, two: min(one, two) > original,
            found,
            f"{versions}: {_shown(found, 2)}",
            part,
        )
    for number, compared in enumerate(COMPARED, 11):
        rates = [tables[number][row, tables[number].columns[0]] for row in rows]
        lowers = base == "AP" and "documents" not in compared  # for nDCG: not higher
        yield judged(
            f"Version 2 {'lowers' if lowers else 'does not raise'} the swap rate of {name} between "
            f"{compared}",
            partial(_swaps_less, lowers),
            rates,
            f"{versions}: {_shown(rates)}",
            compared,
        )


def _swaps_less(strictly: bool, original: float, one: float, two: float) -> bool:
    return two < original if strictly else two <= original


def _more_power(scores: Scores, tables: Mapping[str, PaperTable]) -> Claim:
    gains = [
        tables[label_of(9, base)][version, part] - tables[label_of(9, base)][name, part]
        for base, name in BASES.items()
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
