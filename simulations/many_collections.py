"""Macro means over collections, by simulation: python -m simulations.many_collections.

Every collection draws its queries, with replacement, from the scores of real runs or of a simulated
campaign, in which all systems have the same mean. Then each system gets a difference of its own in
each collection, with a standard deviation of tau. There are two truths: the mean over *these*
collections, and the mean over all collections *like these*, which is 0. Printed are, over the
settings, the lowest and the highest

- coverage: how often the 95% interval of a pair contains its truth,
- error: how often any of all pairs of systems is found where all truths are equal (Holm's
  correction, level .05). For *these*, the differences of the collections are shifted to mean 0.

A share near .95 of n simulations has a standard error of ``sqrt(.95 .05 / n)``: .005 for 2000.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np
from scipy import stats

import irx_measures
from irx_measures.stats.decisions import corrected
from irx_measures.stats.pairs import Pairs
from irx_measures.stats.strata import (
    Moments,
    freedom_of_tests,
    moments_of_differences,
    stratified_half_width,
    stratified_p,
)

from .material import ALPHA, COLLECTIONS, centred, options, print_table, real_scores

SIMULATED = "simulated"  # in place of a collection's name

TASKS_DRAWN = 1000  # samples of the bootstrap over collections

USUAL = [
    (50, 50, 50),
    (50, 200, 323),
    (10, 10, 10, 10, 10),
    (20, 50, 300, 1000, 6000),
    (50,) * 18,
    (10, 20, 50, 50, 100, 300, 300, 400, 500, 650, 1000, 1400, 3000),
]
"""Numbers of queries of the collections: three to eighteen, of 10 to 6000 queries."""

FEWEST = [(5,) * 3, (5,) * 10, (100, 100, 100, 100, 5)]
"""Settings with collections of 5 queries, the least that are tested."""

SMALL = [(100, 100, 100, 100, 5), (100, 100, 100, 100, 10), (50, 50, 50)]
"""Settings for degrees of freedom, beside `IN_ONE_GROUP`."""

IN_ONE_GROUP = [(20,) * 10, (50,) * 10]
"""Settings in which a variant differs from the baseline in one group only, each in its own."""

SHIFT = 0.05  # standard deviation of true differences, to count how many are found

TOO_FEW = [(100, 100, 100, 100, 2), (100, 100, 100, 100, 3)]
"""Settings that the package refuses, since their error is too high."""

SPREADS = (0.0, 0.02, 0.08)  # tau, standard deviations between collections


class Found(NamedTuple):
    """What a method says of each pair: (pairs,) each."""

    mean: np.ndarray
    half: np.ndarray  # of the 95% interval; both halves are equal
    p: np.ndarray


def _of_error(mean: np.ndarray, error: np.ndarray, freedom: float) -> Found:
    half = stats.t.isf(ALPHA / 2, freedom) * error
    return Found(mean, half, 2 * stats.t.sf(np.abs(mean) / error, freedom))


def stratified(found: Moments, rng: np.random.Generator) -> Found:
    return _stratified(found, freedom_of_tests(found, np.arange(len(found.mean))))


def _stratified(found: Moments, freedom: np.ndarray) -> Found:
    half = stratified_half_width(found, ALPHA, freedom)
    return Found(found.mean, half, stratified_p(found, 0.0, freedom))


def of_collections(found: Moments, rng: np.random.Generator) -> Found:
    count = len(found.queries)
    error = found.means.std(axis=0, ddof=1) / np.sqrt(count)
    return _of_error(found.mean, error, count - 1)


def bootstrap_over_tasks(found: Moments, rng: np.random.Generator) -> Found:
    """Collections drawn with replacement; p doubles the smaller share beyond 0."""
    count = len(found.queries)
    drawn = rng.integers(0, count, (TASKS_DRAWN, count))
    means = found.means[drawn].mean(axis=1)
    lower, upper = np.quantile(means, (ALPHA / 2, 1 - ALPHA / 2), axis=0)
    beyond = np.minimum((means <= 0).mean(axis=0), (means >= 0).mean(axis=0))
    return Found((lower + upper) / 2, (upper - lower) / 2, np.minimum(2 * beyond, 1.0))


def _random_effects(found: Moments) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Weights of DerSimonian and Laird (1986), and the weighted mean: rows are collections."""
    fixed = 1 / np.maximum(found.of_means, 1e-12)
    total, count = fixed.sum(axis=0), len(found.queries)
    mean = (fixed * found.means).sum(axis=0) / total
    excess = (fixed * (found.means - mean) ** 2).sum(axis=0) - (count - 1)
    spread = np.maximum(excess / (total - (fixed**2).sum(axis=0) / total), 0.0)
    weights = 1 / (found.of_means + spread + 1e-12)
    whole = weights.sum(axis=0)
    return weights, whole, (weights * found.means).sum(axis=0) / whole


def random_effects(found: Moments, rng: np.random.Generator) -> Found:
    _, whole, mean = _random_effects(found)
    return _of_error(mean, 1 / np.sqrt(whole), np.inf)


def hartung_knapp(found: Moments, rng: np.random.Generator) -> Found:
    weights, whole, mean = _random_effects(found)
    count = len(found.queries)
    variance = (weights * (found.means - mean) ** 2).sum(axis=0) / ((count - 1) * whole)
    return _of_error(mean, np.sqrt(variance), count - 1)


def pooled(found: Moments, rng: np.random.Generator) -> Found:
    """All queries in one pool, as if they were of one collection."""
    queries = found.queries[:, np.newaxis]
    total = queries.sum()
    mean = (queries * found.means).sum(axis=0) / total
    squares = (found.variances * (queries - 1) + queries * (found.means - mean) ** 2).sum(axis=0)
    return _of_error(mean, np.sqrt(squares / (total - 1) / total), total - 1)


THESE, OTHERS = "these", "others"

Method = Callable[[Moments, np.random.Generator], Found]

METHODS: dict[str, tuple[str, Method]] = {
    "these collections: stratified t": (THESE, stratified),
    "other collections like these: t of C means": (OTHERS, of_collections),
    "bootstrap over tasks": (OTHERS, bootstrap_over_tasks),
    "random effects, DerSimonian and Laird": (OTHERS, random_effects),
    "the same with Hartung and Knapp's interval": (OTHERS, hartung_knapp),
    "all queries pooled": (THESE, pooled),
}
"""The methods, with the truth that each of them is about."""


class Setting(NamedTuple):
    systems: int
    sizes: tuple[int, ...]
    tau: float


class Share(NamedTuple):
    """Of a method in a setting."""

    coverage: float
    error: float


def simulate(
    source: np.ndarray, setting: Setting, simulations: int, rng: np.random.Generator
) -> dict[str, Share]:
    """The coverage and the error of every method; the source is (systems, queries)."""
    pairs = Pairs.of(setting.systems)
    covered = dict.fromkeys(METHODS, 0.0)
    wrong = dict.fromkeys(METHODS, 0)
    for _ in range(simulations):
        chosen = rng.choice(len(source), setting.systems, replace=False)
        effects = rng.normal(0, setting.tau, (len(setting.sizes), setting.systems))
        groups = drawn_collections(source[chosen], setting.sizes, rng)
        free = moments_of_differences(groups, pairs)
        gap = effects[:, pairs.first] - effects[:, pairs.second]
        for name, (about, method) in METHODS.items():
            truth, null = 0.0, gap
            if about == THESE:
                truth, null = gap.mean(axis=0), gap - gap.mean(axis=0)
            found = method(free._replace(means=free.means + gap), rng)
            covered[name] += float((np.abs(found.mean - truth) <= found.half).mean())
            p_values = method(free._replace(means=free.means + null), rng).p
            wrong[name] += bool((corrected(p_values, "holm") <= ALPHA).any())
    return {name: Share(covered[name] / simulations, wrong[name] / simulations) for name in METHODS}


def degrees_of_freedom(
    source: np.ndarray,
    setting: Setting,
    simulations: int,
    rng: np.random.Generator,
    in_one_group: bool,
) -> list[float]:
    """Errors, and shares of true differences found: each with the own, and with the tested freedom.

    If variants differ from a baseline in one group, there are no shares.
    """
    pairs = Pairs.of(setting.systems)
    if in_one_group:
        pairs = Pairs.against(setting.systems, [0])
    counts = np.zeros(4)
    for _ in range(simulations):
        chosen = rng.choice(len(source), setting.systems, replace=False)
        groups = drawn_collections(source[chosen], setting.sizes, rng)
        if in_one_group:
            for place, scores in enumerate(groups):
                same = np.arange(1, setting.systems) % len(groups) != place
                scores[1:][same] = scores[0]
        free = moments_of_differences(groups, pairs)
        shift = rng.normal(0, SHIFT, setting.systems)
        gap = shift[pairs.first] - shift[pairs.second]
        for place, means in enumerate((free.means, free.means + gap)):
            moved = free._replace(means=means)
            for which, freedom in enumerate(
                (moved.freedom, freedom_of_tests(moved, np.arange(len(gap))))
            ):
                found = corrected(_stratified(moved, freedom).p, "holm") <= ALPHA
                counts[2 * place + which] += found.mean() if place else found.any()
    shares = (counts / simulations).tolist()
    return shares[:2] if in_one_group else shares


def drawn_collections(
    scores: np.ndarray, sizes: Sequence[int], rng: np.random.Generator
) -> list[np.ndarray]:
    """Queries of each collection, drawn from systems of equal means."""
    equal = centred(scores)
    return [equal[:, rng.integers(0, equal.shape[1], size)] for size in sizes]


def source_of(name: str, measure: str) -> np.ndarray:
    """Scores (systems, queries) of a simulated campaign, or of a collection's official runs."""
    if name != SIMULATED:
        return real_scores(name, measure)
    campaign = irx_measures.simulate_campaign(systems=24, seed=42)
    return irx_measures.evaluate(campaign.qrels, campaign.runs, [measure]).scores[0]


def span(shares: Sequence[float]) -> str:
    """The lowest and the highest share."""
    return f"{min(shares):.3f} to {max(shares):.3f}"


def print_freedom(source: np.ndarray, simulations: int, seed: int) -> None:
    """The table on degrees of freedom."""
    rows = []
    for in_one_group, settings in ((False, SMALL), (True, IN_ONE_GROUP)):
        for sizes in settings:
            for systems in (3, 8, 20):
                rng = np.random.default_rng(seed)
                setting = Setting(systems, sizes, 0.0)
                found = degrees_of_freedom(source, setting, simulations, rng, in_one_group)
                shares = [f"{share:.3f}" for share in found]
                rows.append([str(sizes), str(in_one_group), str(systems), *shares, "", ""][:7])
    heads = ["queries", "in one group", "systems", "error, own", "error", "found, own", "found"]
    print_table(heads, rows)


def main() -> None:
    parser = options(__doc__, simulations=2000, collections=(SIMULATED, *COLLECTIONS))
    parser.add_argument(
        "--settings", choices=("usual", "five", "fewer", "freedom"), default="usual"
    )
    parser.add_argument("--each", action="store_true", help="print every setting too")
    asked = parser.parse_args()
    source = source_of(asked.collection, (asked.measure or ["nDCG@10"])[0])
    if asked.settings == "freedom":
        print_freedom(source, asked.simulations, asked.seed)
        return
    sizes = {"usual": USUAL, "five": FEWEST, "fewer": TOO_FEW}[asked.settings]
    found = []
    for systems in (3, 8):
        for queries in sizes:
            for tau in SPREADS:
                setting = Setting(systems, queries, tau)
                rng = np.random.default_rng(asked.seed)
                found.append((setting, simulate(source, setting, asked.simulations, rng)))
    rows = []
    for name, (about, _) in METHODS.items():
        shares = [of[name] for _, of in found]
        coverage = span([share.coverage for share in shares])
        rows.append([name, about, coverage, span([share.error for share in shares])])
    print_table(["method", "truth", "coverage", "error"], rows)
    if asked.each:
        each = []
        for setting, of in found:
            for name in list(METHODS)[:2]:
                each.append([*map(str, setting), name, *of[name]])
        print()
        print_table(["systems", "queries", "tau", "method", "coverage", "error"], each)


if __name__ == "__main__":
    main()
