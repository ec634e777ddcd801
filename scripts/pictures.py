#!/usr/bin/env python3
"""Rewrite the README's pictures in docs/pictures, from the simulated campaign of ``irx demo``.

Run ``python -m scripts.pictures`` in the root of the repository after a change to a plot.
"""

from __future__ import annotations

from pathlib import Path

from irx_measures import compare, meta, plots, simulate_campaign

FOLDER = Path(__file__).resolve().parent.parent / "docs" / "pictures"


def main(folder: Path = FOLDER) -> None:
    """Write the pictures into a folder, and print their paths."""
    campaign = simulate_campaign(systems=12, queries=50, depth=200)
    comparison = compare(campaign.runs, campaign.qrels, "nDCG@10", baseline="family1-a")
    added = meta.residual_gain_matrix(campaign.runs, campaign.qrels, "NRG(prior=others)@10")
    pictures = {
        "leaderboard.svg": plots.leaderboard(comparison),
        "residual-gain.svg": plots.residual_gain_matrix(added),
    }
    folder.mkdir(parents=True, exist_ok=True)
    for name, ax in pictures.items():
        plots.save(ax, folder / name)
        print(folder / name)


if __name__ == "__main__":
    main()
