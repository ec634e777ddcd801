#!/usr/bin/env python3
"""Rewrite the pictures of the README and of the measures' pages.

Run ``python -m scripts.pictures`` in the root of the repository after a change to a plot. The
README's pictures in docs/pictures show the simulated campaign of ``irx demo``. Those of the pages
are in irx_measures/pt_docs/pictures.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from matplotlib.axes import Axes

from irx_measures import compare, meta, plots, simulate_campaign

from .measure_pictures import PICTURES

ROOT = Path(__file__).resolve().parent.parent

README = Path("docs/pictures")

PAGES = Path("irx_measures/pt_docs/pictures")


def main(root: Path = ROOT) -> None:
    """Write the pictures into their folders under `root`, and print their paths."""
    argparse.ArgumentParser(prog="python -m scripts.pictures", description=__doc__).parse_args()
    draw(root)


def draw(root: Path) -> None:
    """Write the pictures into their folders under `root`, and print their paths."""
    for path, ax in {**_of_readme(), **_of_pages()}.items():
        target = root / path
        target.parent.mkdir(parents=True, exist_ok=True)
        plots.save(ax, target)
        print(path)


def _of_readme() -> dict[Path, Axes]:
    campaign = simulate_campaign(systems=12, queries=50, depth=200)
    comparison = compare(campaign.runs, campaign.qrels, "nDCG@10", baseline="family1-a")
    added = meta.residual_gain_matrix(campaign.runs, campaign.qrels, "NRG(prior=others)@10")
    return {
        README / "leaderboard.svg": plots.leaderboard(comparison),
        README / "residual-gain.svg": plots.residual_gain_matrix(added),
    }


def _of_pages() -> dict[Path, Axes]:
    return {PAGES / f"{name}.svg": picture() for name, picture in PICTURES.items()}


if __name__ == "__main__":
    main()
