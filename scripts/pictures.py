#!/usr/bin/env python3
"""Rewrite the picture of the README and of the page for beginners.

It shows the campaign that ``irx simulate`` writes. Run ``python -m scripts.pictures`` in the root
of the repository after a change to a plot.
"""

from __future__ import annotations

from pathlib import Path

from irx_measures import compare, plots, simulate_campaign

FOLDER = Path(__file__).resolve().parent.parent / "irx_measures" / "pt_docs" / "pictures"


def main(folder: Path = FOLDER) -> None:
    """Write the pictures into a folder, and print their paths."""
    campaign = simulate_campaign()
    comparison = compare(campaign.runs, campaign.qrels, "nDCG@10")
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / "leaderboard.svg"
    plots.save(plots.leaderboard(comparison), path)
    print(path)


if __name__ == "__main__":
    main()
