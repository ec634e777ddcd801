"""Time against input size: python -m benchmarks.scaling --plot scaling.png.

It times evaluate() on DataFrames and varies one size at a time. An exponent of 1 is linear growth.
"""

from __future__ import annotations

import argparse
import gc
from collections.abc import Callable, Sequence
from pathlib import Path
from statistics import median
from time import perf_counter
from typing import NamedTuple

import numpy as np

import irx_measures
from irx_measures.measures.declaring.base import catalogue

from .contenders import NRG_OF_OTHERS, RARENESS
from .generate import WORKLOADS, generate

BASE = {"runs": 16, "queries": 50, "depth": 500, "judged": 200}
SIZES = {
    "queries": (50, 100, 200, 400, 800),
    "runs": (8, 16, 32, 64, 128),
    "depth": (250, 500, 1000, 2000, 4000),
}
SAMPLES = (250, 500, 1000, 2000, 4000)


class Curve(NamedTuple):
    """Median seconds by size."""

    name: str
    sizes: Sequence[int]
    seconds: Sequence[float]

    @property
    def exponent(self) -> float:
        """Exponent of the power law fitted to the points."""
        return float(np.polyfit(np.log(self.sizes), np.log(self.seconds), 1)[0])


def curves(repeats: int, sizes: dict[str, Sequence[int]], samples: Sequence[int]) -> list[Curve]:
    """A curve for each size, and for the number of samples of BootNDCG, if it exists."""
    made = [
        Curve(name, some, [_evaluating({**BASE, name: size}, repeats) for size in some])
        for name, some in sizes.items()
    ]
    if "BootNDCG" in catalogue:
        qrels, runs = generate(**WORKLOADS["W4"] | {"runs": 4}).frames("str")
        seconds = [
            _seconds(lambda b=b: irx_measures.evaluate(qrels, runs, f"BootNDCG(b={b})@10"), repeats)
            for b in samples
        ]
        made.append(Curve("samples", samples, seconds))
    return made


def _evaluating(shape: dict[str, int], repeats: int) -> float:
    qrels, runs = generate(**shape).frames("str")
    measures = [NRG_OF_OTHERS, *RARENESS]
    return _seconds(lambda: irx_measures.evaluate(qrels, runs, measures), repeats)


def _seconds(task: Callable[[], object], repeats: int) -> float:
    taken = []
    for _ in range(repeats):
        gc.collect()
        start = perf_counter()
        task()
        taken.append(perf_counter() - start)
    return median(taken)


def draw(made: Sequence[Curve], file: Path) -> None:
    """Time against size, both logarithmic, beside linear growth."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(4 * len(made), 3.2), layout="constrained")
    for axes, curve in zip(figure.subplots(1, len(made), squeeze=False)[0], made, strict=True):
        sizes = np.array(curve.sizes)
        axes.loglog(sizes, curve.seconds, "o-", label=f"exponent {curve.exponent:.2f}")
        axes.loglog(sizes, curve.seconds[0] * sizes / sizes[0], ":", color="grey", label="linear")
        axes.set(xlabel=curve.name, ylabel="seconds")
        axes.legend()
    figure.savefig(file)


def main(arguments: Sequence[str] | None = None) -> None:
    """Print the curves, and draw them."""
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.scaling", description=__doc__.split("\n", 1)[0]
    )
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument(
        "--points", type=int, default=5, help="of each curve (default: %(default)s)"
    )
    parser.add_argument("--plot", type=Path, metavar="FILE", help="a picture of the curves")
    options = parser.parse_args(arguments)
    sizes = {name: some[: options.points] for name, some in SIZES.items()}
    made = curves(options.repeats, sizes, SAMPLES[: options.points])
    for curve in made:
        times = "  ".join(
            f"{size}: {taken:.4f}" for size, taken in zip(curve.sizes, curve.seconds, strict=True)
        )
        print(f"{curve.name:<8} exponent {curve.exponent:5.2f}   {times}")
    if options.plot is not None:
        draw(made, options.plot)


if __name__ == "__main__":
    main()
