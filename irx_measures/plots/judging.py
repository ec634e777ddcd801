"""How probable a claim became while documents were judged."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from ..common.names import cut_name
from ..common.writing import percent
from ..judging.planning.questions import RANKING
from ..judging.planning.state import JudgingState
from .docs import documented
from .style import (
    ABOVE,
    INTERVAL,
    LONGEST,
    MUTED,
    caption,
    check_results,
    draw_dots,
    draw_level,
    picture,
)

if TYPE_CHECKING:
    from matplotlib.axes import Axes


@documented
def judging_progress(
    history: Sequence[JudgingState], ax: Axes | None = None, *, width: float | None = None
) -> Axes:
    """Plot the probability of a claim against the number of judged documents.

    Parameters
    ----------
    history
        The states of one campaign, the latest last: `JudgingPlan.history`.
    %(ax)s
    %(width)s

    %(returns)s

    Raises
    ------
    ValueError
        If there is no state.

    Notes
    -----
    - A dot is a look at the campaign. It is filled where the claim is probable enough to stop; the
      first of these looks has its number of judgments.
    - The horizontal axis ends at the size of the pool: all documents that could be judged.

    Examples
    --------
    >>> import irx_measures
    >>> campaign = irx_measures.simulate_campaign(systems=6, queries=10, seed=1)
    >>> plan = irx_measures.JudgingPlan(campaign.runs, campaign.qrels, grades=(0, 1, 2, 3))
    >>> ax = irx_measures.plots.judging_progress(plan.history)
    >>> ax.get_xlabel()
    'judged documents, of 268 (filled: enough to stop)'
    """
    check_results(history, "history")
    judged = np.array([state.judged for state in history])
    probability = np.array([state.probability for state in history])
    enough = np.array([state.settled for state in history])
    last = history[-1]
    with picture(ax, 3.2, width) as ax:
        draw_level(ax, last.level)
        ax.plot(judged, probability, color=INTERVAL, marker="", linewidth=1.2)
        draw_dots(ax, judged, probability, enough, 22)
        if enough.any():
            _name_stop(ax, history[int(enough.argmax())])
        ax.set_ylim(0, 1.02)
        ax.set_xlim(0, max(last.pool, 1))
        ax.set_xlabel(f"judged documents, of {last.pool} (filled: enough to stop)", wrap=True)
        ax.set_ylabel("probability of the claim", wrap=True)
        whose = "" if last.question == RANKING else f"{cut_name(last.answer, LONGEST)}: "
        caption(
            ax, f"{whose}{last.summary}. Filled: probable enough to stop (dotted: {last.level:g})."
        )
    return ax


def _name_stop(ax: Axes, state: JudgingState) -> None:
    """Drop a line from the first look that is enough, with its number of judgments."""
    ax.vlines(state.judged, 0, state.probability, color=ABOVE, linewidth=0.8)
    left = state.judged > state.pool / 2  # the text stays within the axes
    ax.annotate(
        f"{state.judged} judged ({percent(state.judged, state.pool)})", (state.judged, 0),
        (-4 if left else 4, 4), ha="right" if left else "left", textcoords="offset points",
        color=MUTED, fontsize=7,
    )  # fmt: skip
