"""How sphinx-gallery finds the pictures of our plots, which do not use pyplot."""

from __future__ import annotations

from typing import Any

from irx_measures import plots


def scrape(block: tuple[Any, ...], variables: dict[str, Any], settings: dict[str, Any]) -> str:
    """Save the Axes that an example calls ``ax`` as a picture, and return the picture's rst."""
    from sphinx_gallery.scrapers import figure_rst

    ax = variables["example_globals"].pop("ax", None)
    if ax is None:
        return ""
    path = next(variables["image_path_iterator"])
    plots.save(ax, path)
    return figure_rst([path], settings["src_dir"], ax.irx_caption)
