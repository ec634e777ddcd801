"""What a machine's labels mean: P(human grade | machine label)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ..judging.agreement import Agreement
from .canvas import LONGEST_LABEL, check_kind, cut, plain_name
from .style import hide_frame, styled_axes, subtitle

if TYPE_CHECKING:
    from matplotlib.axes import Axes

DARK = 0.6  # cells of higher probability have white text, for contrast


def judge_calibration(
    agreement: Agreement, ax: Axes | None = None, *, width: float | None = None
) -> Axes:
    """Plot P(human grade | machine label), with the number of pairs, as a grid.

    A column is a label of the machine; its probabilities sum to 1.

    Parameters
    ----------
    agreement
        The agreement of one machine: ``audit_judges(...)[name]``.
    ax
        Axes to draw on; if None, those of a new figure.
    width
        Width of a new figure, in inches, from 2 to 40; if None, 7. A column of a paper is 3.3 wide.

    Returns
    -------
    matplotlib.axes.Axes
    """
    check_kind("agreement", agreement, Agreement, "judging.audit_judges(...)[judge]")
    with styled_axes(ax, 4.0, width) as ax:
        probability, counts = agreement.calibration, agreement.counts
        rows, columns = (np.arange(size + 1) - 0.5 for size in counts.shape)
        ax.pcolormesh(
            columns,
            rows,
            probability,
            cmap="Blues",
            vmin=0,
            vmax=1,
            edgecolors="white",
            linewidth=1,
        )
        for (row, column), count in np.ndenumerate(counts):
            share = float(probability[row, column])
            ax.text(
                column, row, f"{share:.2f}\n{count}", ha="center", va="center", fontsize="small",
                color="white" if share > DARK else "black",
            )  # fmt: skip
        ax.set_xticks(range(len(agreement.labels)), list(map(str, agreement.labels.tolist())))
        ax.set_yticks(range(len(agreement.grades)), list(map(str, agreement.grades.tolist())))
        hide_frame(ax)
        ax.set_xlabel(f"label of {plain_name(agreement.judge)}")
        ax.set_ylabel("human grade")
        subtitle(
            ax,
            f"{cut(agreement.judge, LONGEST_LABEL)}: P(human grade | label), which adds up to 1 in "
            f"each column, and number of pairs; quadratic kappa {agreement.kappa_quadratic:.3f}.",
        )
    return ax
