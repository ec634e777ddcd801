"""
Several plots in one figure
===========================

Plots draw on the axes that they are given. ``save`` writes the figure as PNG, SVG or PDF.
"""

from pathlib import Path
from tempfile import TemporaryDirectory

from matplotlib.figure import Figure

from irx_measures import evaluate, plots, simulate_campaign

campaign = simulate_campaign(systems=6, queries=100, depth=100)
matrix = evaluate(campaign.qrels, campaign.runs, "nDCG@10")
figure = Figure(figsize=(7, 2.6), layout="constrained")
for panel, system in zip(figure.subplots(1, 2), ("lexical-a", "dense-a"), strict=True):
    ax = plots.score_histogram(matrix, "nDCG@10", system, panel)
with TemporaryDirectory() as folder:
    plots.save(ax, Path(folder) / "histograms.svg")
