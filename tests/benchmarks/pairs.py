"""Time RBR, RBA and RBO of pairs of rankings: python -m tests.benchmarks.pairs.

It compares them with loops over lists, written from the definitions, and with measured times of
rbstar, the public implementation (which is not on a package index).
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Sequence
from math import sqrt
from statistics import median
from time import perf_counter

import numpy as np

import irx_measures
from irx_measures.kernels import rank_biased as kernel

PHI = 0.9
# Microseconds per pair of the public package, measured on 2 cores.
RBSTAR = {"RBR": 25, "RBA": 190, "RBO": 480}
ALL = "all three"

Rankings = list[list[str]]


def rankings(pairs: int, depth: int, seed: int = 0) -> tuple[Rankings, Rankings]:
    """Pairs of rankings that share about three quarters of their documents."""
    rng = np.random.default_rng(seed)
    pool = depth * 4 // 3

    def some() -> Rankings:
        return [[f"D{doc}" for doc in rng.permutation(pool)[:depth]] for _ in range(pairs)]

    return some(), some()


def plain_rbr(observed: list[str], reference: list[str]) -> float:
    held = set(observed)
    return sum((1 - PHI) * PHI**rank for rank, doc in enumerate(reference) if doc in held)


def plain_rba(observed: list[str], reference: list[str]) -> float:
    place = {doc: rank for rank, doc in enumerate(reference)}
    weight = [(1 - PHI) * PHI**rank for rank in range(max(len(observed), len(reference)))]
    return sum(
        sqrt(weight[rank] * weight[place[doc]]) for rank, doc in enumerate(observed) if doc in place
    )


def plain_rbo(observed: list[str], reference: list[str]) -> float:
    """Eq. 5, summed beyond the ends (where the overlap is constant) until terms are negligible."""
    total, one, other = 0.0, set(), set()
    for depth in range(1, 400):
        one.update(observed[depth - 1 : depth])
        other.update(reference[depth - 1 : depth])
        total += PHI ** (depth - 1) / depth * len(one & other)
    return (1 - PHI) * total


PLAIN = {"RBR": plain_rbr, "RBA": plain_rba, "RBO": plain_rbo}


def as_run(ranked: Rankings) -> dict[str, dict[str, float]]:
    return {
        f"q{query}": {doc: -float(rank) for rank, doc in enumerate(docs)}
        for query, docs in enumerate(ranked)
    }


def as_ranks(observed: Rankings, reference: Rankings) -> np.ndarray:
    """Rank of each reference document in its observed ranking, 0 if it is not there."""
    places = [{doc: rank for rank, doc in enumerate(docs, 1)} for docs in observed]
    return np.array(
        [[place.get(doc, 0) for doc in docs] for place, docs in zip(places, reference, strict=True)]
    )


def contenders(pairs: int, depth: int) -> dict[tuple[str, str], Callable[[], object]]:
    """Functions that score all pairs, by measure and method."""
    observed, reference = rankings(pairs, depth)
    run = as_run(observed)
    irx_measures.register_runs("reference", {"reference": as_run(reference)}, replace=True)
    rank = as_ranks(observed, reference)
    lengths = np.full(pairs, depth)
    groups = kernel.tie_groups(np.zeros((pairs, depth)), lengths, share=False)
    kernels = {
        "RBR": lambda: kernel.recall(rank, groups, PHI),
        "RBA": lambda: kernel.alignment(rank, groups, groups, PHI),
        "RBO": lambda: kernel.overlap(
            kernel.mean_overlap(rank, groups, groups), lengths, lengths, PHI, "lower"
        ),
    }
    measures = {
        name: irx_measures.parse_measure(f"{name}(phi={PHI},reference=reference)") for name in PLAIN
    }
    made: dict[tuple[str, str], Callable[[], object]] = {}
    for name, plain in PLAIN.items():
        measure = measures[name]
        made[name, "loops over lists"] = lambda plain=plain: list(map(plain, observed, reference))
        made[name, "calc_aggregate, from dicts"] = lambda m=measure: m.calc_aggregate({}, run)
        made[name, "kernel, from ranks"] = kernels[name]
    loops = [made[name, "loops over lists"] for name in PLAIN]
    made[ALL, "loops over lists"] = lambda: [score() for score in loops]
    made[ALL, "evaluate, from dicts"] = lambda: irx_measures.evaluate(
        {"run": run}, {}, measures.values()
    )
    return made


def main(arguments: Sequence[str] | None = None) -> None:
    """Print microseconds per pair, and the speed-up over the loops."""
    parser = argparse.ArgumentParser(
        prog="python -m tests.benchmarks.pairs", description=__doc__.split("\n", 1)[0]
    )
    for name, default in {"pairs": 500, "depth": 100, "repeats": 5}.items():
        parser.add_argument(f"--{name}", type=int, default=default)
    options = parser.parse_args(arguments)
    made = contenders(options.pairs, options.depth)
    seconds: dict[tuple[str, str], list[float]] = {key: [] for key in made}
    for _ in range(options.repeats):
        for key, score in made.items():
            start = perf_counter()
            score()
            seconds[key].append(perf_counter() - start)
    micros = {key: median(times) / options.pairs * 1e6 for key, times in seconds.items()}
    rbstar = {**RBSTAR, ALL: sum(RBSTAR.values())}
    print(f"{'measure':<9} {'how':<28} {'us a pair':>10} {'x loops':>8} {'x rbstar':>9}")
    for (name, how), taken in micros.items():
        loops = micros[name, "loops over lists"] / taken
        print(f"{name:<9} {how:<28} {taken:>10.2f} {loops:>8.1f} {rbstar[name] / taken:>9.1f}")


if __name__ == "__main__":
    main()
