"""Pictures of results: a result in, Axes out; nothing is computed here (extra: plots)."""

from __future__ import annotations

import io
from pathlib import Path
from typing import TYPE_CHECKING

import ir_measures

from .files import write_whole
from .score_matrix import ScoreMatrix

if TYPE_CHECKING:
    from matplotlib.axes import Axes

MARKERS = "osD^v<>PX*hd"


def system_scatter(
    matrix: ScoreMatrix,
    x: ir_measures.Measure | str,
    y: ir_measures.Measure | str,
    ax: Axes | None = None,
) -> Axes:
    """Systems by two measures, a marker for each group (as Figure 2 of the NRG paper).

    Parameters
    ----------
    matrix
        Scores that hold both measures.
    x, y
        The measures on the axes.
    ax
        Where to draw; a new figure where None.

    Returns
    -------
    matplotlib.axes.Axes

    Examples
    --------
    >>> import irx_measures
    >>> from irx_measures.plots import system_scatter
    >>> runs = {"a": {"q": {"A": 1.0}}, "b": {"q": {"X": 1.0}}}
    >>> measures = ["P@1", "UniqueRel(prior=others)@1"]
    >>> matrix = irx_measures.evaluate(runs, {"q": {"A": 1}}, measures)
    >>> system_scatter(matrix, *measures).get_xlabel()
    'P@1'
    """
    if ax is None:
        from matplotlib.figure import Figure

        ax = Figure(figsize=(7, 5), layout="constrained").add_subplot()
    across, up = matrix.select([x, y]).aggregates
    groups = matrix.groups or ("systems",) * len(matrix.systems)
    for number, group in enumerate(dict.fromkeys(groups)):
        members = [position for position, other in enumerate(groups) if other == group]
        marker = MARKERS[number % len(MARKERS)]
        ax.scatter(across[members], up[members], marker=marker, label=group)
    ax.set_xlabel(str(x))
    ax.set_ylabel(str(y))
    if matrix.groups is not None:
        ax.legend(title="group", fontsize="small")
    ax.grid(alpha=0.3)
    return ax


def save(ax: Axes, path: Path) -> None:
    """Write a picture's figure; the ending (.png, .svg, .pdf) says in which format."""
    out = io.BytesIO()
    figure = ax.get_figure(root=True)
    if figure is None:
        raise ValueError("`ax` must belong to a figure")
    figure.savefig(out, format=path.suffix.removeprefix("."), dpi=150)
    write_whole(path, out.getvalue())
