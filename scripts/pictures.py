#!/usr/bin/env python3
"""Rewrite the pictures of the README and of the documentation's pages.

Run ``python -m scripts.pictures`` in the root of the repository after a change to a plot. Those
of tasks are examples of the gallery. They show the campaign that ``irx simulate`` writes.
"""

from __future__ import annotations

import argparse
import runpy
from pathlib import Path

from matplotlib.axes import Axes

from irx_measures import plots

from .measure_pictures import PICTURES

ROOT = Path(__file__).resolve().parent.parent

FOLDER = ROOT / "irx_measures" / "pt_docs" / "pictures"

OF_GALLERY = (
    "leaderboard",
    "topic_differences",
    "unjudged_by_rank",
    "residual_gain_matrix",
    "pareto_front",
    "system_scatter",
    "judging_progress",
)


def main() -> None:
    """Write the pictures into their folder, and print their paths."""
    argparse.ArgumentParser(prog="python -m scripts.pictures", description=__doc__).parse_args()
    for name in (*OF_GALLERY, *PICTURES):
        target = FOLDER / f"{name}.svg"
        plots.save(picture(name), target)
        print(target.relative_to(ROOT))


def picture(name: str) -> Axes:
    """The picture with this name."""
    if name in PICTURES:
        return PICTURES[name]()
    (example,) = ROOT.joinpath("docs", "gallery").glob(f"*/{name}.py")
    return runpy.run_path(f"{example}")["ax"]


if __name__ == "__main__":
    main()
