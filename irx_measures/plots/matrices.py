"""Matrices of classes with their key: pairs of systems, what they add, unjudged documents."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from itertools import pairwise
from typing import Any

import numpy as np

from ..common.numeric import FloatArray
from ..common.validators import check_kind
from ..common.writing import PLAIN, p_text, percent
from ..comparison.board import steps_of
from ..comparison.result import Comparison
from ..comparison.shown import first_places, shown_systems
from ..comparison.words import method_text, pairs_differ
from ..exceptions import InputError
from ..judging.agreement import Agreement
from ..meta.residual_gain import ResidualGainMatrix
from ..meta.unjudged import UnjudgedByRank
from ..typing import Axes, MeasureLike
from . import style
from .docs import documented
from .shades import UNJUDGED_STARTS, score_starts

WITH_NUMBERS = 6  # systems: of not more, a matrix prints its numbers

MOST_NARROW = 20  # systems that a matrix in a column of a paper shows, with names that can be read

ROW, NARROW_ROW = 0.15, 0.06  # inches
MANY_SYSTEMS = 60  # more are drawn closer

HIGH_ROW = 0.3  # inches: of few systems, whose cells have numbers

GAPS = 60  # cells in a row, a choice: with more, a line between them is too much of a cell

KEY = 0.5  # inches: the lines of a key of colours with a title

TOPS = (10, 100)  # the cutoff of nDCG@10, and the deepest usual pool


@documented
def significance_pairs(
    result: Comparison,
    measure: MeasureLike | None = None,
    ax: Axes | None = None,
    *,
    width: float | None = None,
    top: int | None = None,
) -> Axes:
    """Plot which pairs of systems differ, as half a matrix with the best system first.

    The names stand on the diagonal. To look up a pair, go down from the better system and left from
    the other one.

    Parameters
    ----------
    %(comparison)s
    %(top)s

    Raises
    ------
    ValueError
        If the comparison has baselines: then not all pairs were tested.

    Notes
    -----
    - Cells of at most 6 systems have the adjusted p as a number.

    See Also
    --------
    irx_measures.compare : Makes the result.
    irx_measures.plots.leaderboard : Draws the means, or the differences to baselines.
    """
    check_kind("result", result, Comparison, "irx_measures.compare")
    if result.baselines:
        raise InputError(
            "`result` must be a comparison of all pairs, without a baseline; got one with "
            f"{', '.join(result.baselines)}: plots.leaderboard draws the differences to it"
        )
    every = result.board(measure)
    shown = shown_systems(result, _most(top, len(every), ax, width), measure)
    board = every.only(shown.systems)
    systems, thresholds = len(board), board.thresholds
    # With fewer thresholds than colours, the darker ones stay: a colour has one meaning.
    colours = [style.NOT_SIGNIFICANT, *style.P_RAMP[len(style.P_RAMP) - len(thresholds) :]]
    meanings = [f"above {thresholds[0]:g}", *(f"at most {step:g}" for step in thresholds)]
    with style.picture(ax, 0.6, width, rows=KEY + _height(systems, width)) as ax:
        names = style.names_of(ax, board.systems)
        style.caption(
            ax,
            f"{style.in_caption(board.label)}: {pairs_differ(board)} "
            f"({method_text([board])}). Best mean at the top left. A cell compares the "
            f"system above it, whose mean is better, with the system to its right. "
            f"{shown.sentence}",
        )
        below = np.tri(systems, k=-1, dtype=bool)
        steps = np.where(below, steps_of(board), np.nan)
        cells = _draw_cells(ax, steps, colours, np.arange(len(thresholds)) + 0.5)
        _explain(ax, colours, meanings, f"{style.plain(board.label)}: adjusted p")
        ax.set_xticks([])
        ax.set_yticks([])
        shown_here = _best_of(systems, len(every))
        across = f"{shown_here}; above a cell is the better system, right of it the other"
        style.name_axes(ax, across, "")
        named, size = style.with_room(systems, min(style.size_in_points(ax)))
        for row in named:
            ax.text(row - 0.4, row, names[board.systems[row]], va="center", fontsize=size)
        if systems <= WITH_NUMBERS:
            _write(ax, cells, lambda *place: p_text(board.p_adjusted[place]))
    return ax


@documented
def residual_gain_matrix(
    result: ResidualGainMatrix,
    ax: Axes | None = None,
    *,
    width: float | None = None,
    top: int | None = None,
) -> Axes:
    """Plot the mean score of each system (row), given each other system (column).

    Parameters
    ----------
    result
        The result of `irx_measures.meta.residual_gain_matrix`.
    %(top)s

    Raises
    ------
    ValueError
        If every score is undefined.

    Notes
    -----
    - The order of the systems puts those that add little to each other close together: a family
      is a pale square. Neighbours of different families may add much to each other.
    - Cells of at most 6 systems have their scores as numbers. A cell without a score is white.

    See Also
    --------
    irx_measures.meta.residual_gain_matrix : Computes the result.
    """
    check_kind("result", result, ResidualGainMatrix, "meta.residual_gain_matrix")
    style.check_results(result.given[np.isfinite(result.given)], "result")
    by_score = np.argsort(-result.given_all, kind="stable").tolist()  # undefined ones are last
    most = _most(top, len(by_score), ax, width)
    kept, shown = first_places(by_score, most, "the score given all others")
    order = result.order[np.isin(result.order, kept)].tolist()
    with style.picture(ax, 2.4, width, rows=KEY + _height(len(order), width)) as ax:
        names = style.names_of(ax, result.systems, 0.16)
        label = style.label_of(result.measure)
        style.caption(
            ax,
            f"{style.in_caption(label)} of the system in the row if the system in the column is "
            "the only prior. Right: given all others. "
            f"{result.sentence(style.names_in_caption(result.systems))} {shown}",
        )
        given = result.given[np.ix_(order, order)]
        starts = score_starts(result.given)
        cells = _draw_cells(ax, given, style.AMOUNT_RAMP, starts)
        low, high = np.nanmin(result.given), np.nanmax(result.given)
        scores = f"{style.plain(label)}, from {low:.2f} to {high:.2f}"
        _explain(ax, style.AMOUNT_RAMP, _classes(starts, "{:.2f}"), scores)
        up = f"score of this system\n({_best_of(len(order), len(result.systems))})"
        style.name_axes(ax, "given this system", up)
        here = [names[result.systems[place]] for place in order]
        style.name_columns(ax, here)  # they take height from the rows, which take width from them
        given_all = [PLAIN.number(of) for of in result.given_all[order]]
        style.name_rows(ax, here, {"given all": given_all})
        style.name_columns(ax, here)
        if len(order) <= WITH_NUMBERS:
            _write(ax, cells, lambda *place: PLAIN.number(given[place]))
    return ax


@documented
def unjudged_by_rank(
    result: UnjudgedByRank,
    ax: Axes | None = None,
    *,
    width: float | None = None,
    top: int | None = None,
) -> Axes:
    """Plot the share of unjudged documents over ranks, as a strip per system.

    The system with the smallest share stands at the top.

    Parameters
    ----------
    result
        The result of `irx_measures.meta.unjudged_by_rank`.
    %(top)s

    %(refused)s

    Notes
    -----
    - A strip has at most 20 cells of equal numbers of ranks. A cell is white if the system returns
      no document there.

    See Also
    --------
    irx_measures.meta.unjudged_by_rank : Computes the result.
    """
    check_kind("result", result, UnjudgedByRank, "meta.unjudged_by_rank")
    style.check_results(result.systems, "result")
    by_share = np.argsort(result.share_at(result.depth), kind="stable").tolist()
    order, shown = first_places(by_share, top, "their share in the ranks drawn")
    tops = sorted({min(top, result.depth) for top in TOPS})
    with style.picture(ax, 1.2, width, rows=KEY + _height(len(order), width)) as ax:
        names = style.names_of(ax, result.systems, 0.28)
        style.caption(
            ax,
            f"Share of documents that are unjudged ({result.queries} queries). "
            f"Right: share of the top {' and of the top '.join(map(str, tops))}. "
            f"{result.sentence(TOPS[0])} {shown}",
        )
        across = result.edges.astype(float) + 0.5
        _draw_cells(ax, result.shares[order], style.UNJUDGED_RAMP, UNJUDGED_STARTS, across)
        meanings = _classes(100 * np.array(UNJUDGED_STARTS), "{:g}", "%")
        _explain(
            ax, style.UNJUDGED_RAMP, meanings, "share of unjudged documents (white: none returned)"
        )
        cut = len(order) < len(result.systems)
        up = _best_of(len(order), len(result.systems)) if cut else ""
        style.name_axes(ax, "rank", up)
        beside = {f"top {top}": _shares(result, top, order) for top in tops}
        style.name_rows(ax, [names[result.systems[place]] for place in order], beside)
    return ax


@documented
def judge_calibration(
    agreement: Agreement, ax: Axes | None = None, *, width: float | None = None
) -> Axes:
    """Plot P(human grade | machine label), with the number of pairs, as a grid.

    A column is a label of the machine; its probabilities sum to 1.

    Parameters
    ----------
    agreement
        The agreement of one machine: ``audit_judges(...)[name]``.
    %(drawn)s

    %(refused)s

    See Also
    --------
    irx_measures.judging.audit_judges : Computes the agreement.
    """
    check_kind("agreement", agreement, Agreement, "judging.audit_judges(...)[judge]")
    labels, grades = agreement.labels.tolist(), agreement.grades.tolist()[::-1]
    share, counts = agreement.calibration[::-1], agreement.counts[::-1]
    with style.picture(ax, 4.0, width) as ax:
        style.caption(
            ax,
            f"{style.in_caption(agreement.judge)}: P(human grade | label), which adds up to 1 in "
            f"each column, and number of pairs; quadratic kappa {agreement.kappa_quadratic:.3f}.",
        )
        cells = _draw_cells(ax, share, style.AMOUNT_RAMP, np.arange(1, 7) / 7)
        ax.set_xticks(range(len(labels)), list(map(str, labels)))
        ax.set_yticks(range(len(grades)), list(map(str, grades)))
        judge = style.names_of(ax, [agreement.judge], 0.5)[agreement.judge]
        across = f"label of {judge}; cells: P(human grade | label), number of pairs"
        style.name_axes(ax, across, "human grade")
        _write(ax, cells, lambda *place: f"{PLAIN.number(share[place], 2)}\n{counts[place]}")
    return ax


def _shares(result: UnjudgedByRank, cutoff: int, order: Sequence[int]) -> list[str]:
    """Shares of the top `cutoff` that are unjudged, in percent, of the systems in this order."""
    unjudged, returned = result.counts_at(cutoff)
    return [percent(unjudged[place], returned[place]) for place in order]


def _most(top: int | None, systems: int, ax: Axes | None, width: float | None) -> int | None:
    """How many systems are shown if a user asked for no number."""
    wide = style.inches(ax) if ax is not None else width or style.PAGE
    narrow = top is None and systems > MOST_NARROW and wide < style.NARROW
    return MOST_NARROW if narrow else top


def _best_of(drawn: int, systems: int) -> str:
    """What an axis says of the systems on it."""
    return f"best {drawn} of {systems:,} systems" if drawn < systems else f"{systems:,} systems"


def _height(systems: int, width: float | None) -> float:
    """The height of the rows in inches: never much more than the picture's width."""
    row = ROW
    if systems <= WITH_NUMBERS:
        row = HIGH_ROW
    elif systems > MANY_SYSTEMS:
        row = NARROW_ROW
    across = style.PAGE if width is None else width
    return min(systems * row, 1.5 * across)


def _draw_cells(
    ax: Axes,
    values: FloatArray,
    colours: Sequence[str],
    limits: Iterable[float],
    across: FloatArray | None = None,
) -> Any:
    """Draw the class of each value as a cell's colour, the first row at the top; NaN is white.

    A class begins at each of the limits. `across` are the edges of the columns: (columns + 1,) or,
    if None, 0 is the middle of the first column and columns are 1 wide. Returns the QuadMesh.
    """
    from matplotlib.colors import BoundaryNorm, ListedColormap

    rows, columns = values.shape
    across = np.arange(columns + 1) - 0.5 if across is None else across
    norm = BoundaryNorm([-np.inf, *limits, np.inf], len(colours))
    gap = 0.5 if max(rows, columns) <= GAPS else 0.0
    cells = ax.pcolormesh(
        across, np.arange(rows + 1) - 0.5, np.ma.masked_invalid(values), norm=norm,
        cmap=ListedColormap(list(colours)),
        edgecolors="white", linewidth=gap,
    )  # fmt: skip
    ax.set_xlim(across[0], across[-1])
    ax.set_ylim(rows - 0.5, -0.5)
    ax.grid(visible=False)
    ax.tick_params(length=0)
    ax.spines[:].set_visible(False)
    return cells


def _classes(limits: Collection[float], form: str, unit: str = "") -> list[str]:
    """What the colours of classes between limits mean."""
    ends = [form.format(limit) for limit in limits]
    between = [f"{low} to {high}{unit}" for low, high in pairwise(ends)]
    return [f"below {ends[0]}{unit}", *between, f"{ends[-1]}{unit} or more"]


def _explain(ax: Axes, colours: Sequence[str], meanings: Sequence[str], title: str) -> None:
    """Explain the colours of cells in the key."""
    from matplotlib.patches import Patch

    pairs = zip(colours, meanings, strict=True)
    handles = [Patch(facecolor=colour, label=meaning) for colour, meaning in pairs]
    style.key(ax, handles, title=title, handlelength=1.2, columnspacing=1.2)


def _write(ax: Axes, cells: Any, text: Callable[[int, int], str]) -> None:
    """Write the text of each row and column, except in white cells: in white where it is dark."""
    values = np.ma.asarray(cells.get_array())
    dark = cells.to_rgba(values)[..., :3] @ (0.299, 0.587, 0.114) < 0.5
    for row, column in np.argwhere(~np.ma.getmaskarray(values)).tolist():
        colour = "white" if dark[row, column] else style.INK
        ax.text(
            column, row, text(row, column), ha="center", va="center", fontsize=style.SMALL,
            color=colour,
        )  # fmt: skip
