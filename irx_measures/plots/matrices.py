"""Matrices of classes with their key: pairs of systems, what they add, unjudged documents."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from itertools import pairwise

import numpy as np

from ..common.numeric import FloatArray
from ..common.writing import PLAIN, p_text, percent
from ..comparison.result import Comparison
from ..comparison.shown import first_places, shown_systems
from ..comparison.words import method_text, pairs_differ
from ..exceptions import InputError
from ..judging.agreement import Agreement
from ..meta.residual_gain import ResidualGainMatrix
from ..meta.unjudged import LIMITS, UnjudgedByRank
from ..typing import Axes, MeasureLike
from . import style
from .docs import documented

WITH_NUMBERS = 6  # systems: of not more, a matrix prints its numbers

MOST_NARROW = 20  # systems that a matrix in a column of a paper shows, with names that can be read

ROW, NARROW_ROW, MANY_SYSTEMS = 0.15, 0.06, 60  # inches, inches; more systems are drawn closer

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
    %(measure)s
    %(ax)s
    %(width)s
    %(top)s

    %(returns)s

    Raises
    ------
    ValueError
        If the comparison has baselines: then not all pairs were tested.

    Notes
    -----
    - Cells of at most 6 systems have the adjusted p as a number.

    Examples
    --------
    >>> import irx_measures
    >>> from irx_measures.plots import significance_pairs
    >>> campaign = irx_measures.simulate_campaign(systems=4, seed=1)
    >>> result = irx_measures.compare(campaign.runs, campaign.qrels, "nDCG@10")
    >>> [text.get_text() for text in significance_pairs(result).texts[:4]]
    ['lexical-c', 'lexical-b', 'lexical-a', 'dense-a']
    """
    style.check_kind("result", result, Comparison, "irx_measures.compare")
    if result.baselines:
        raise InputError(
            "`result` must be a comparison of all pairs, without a baseline; got one with "
            f"{', '.join(result.baselines)}: plots.leaderboard draws the differences to it"
        )
    every = result.board(measure)
    shown = shown_systems(result, _most(top, len(every), ax, width), measure)
    board = every.only(shown.systems)
    systems, thresholds = len(board), board.tested.thresholds
    # With fewer thresholds than colours, the darker ones stay: a colour has one meaning.
    colours = [style.NOT_SIGNIFICANT, *style.P_RAMP[len(style.P_RAMP) - len(thresholds) :]]
    meanings = [f"above {thresholds[0]:g}", *(f"at most {step:g}" for step in thresholds)]
    with style.picture(ax, 0.6, width, rows=KEY + _height(systems, width)) as ax:
        names = style.names_of(ax, board.systems)
        style.caption(
            ax,
            f"{style.in_caption(board.label)}: {pairs_differ(board.tested)} "
            f"({method_text([board.tested])}). Best mean at the top left. A cell compares the "
            f"system above it, whose mean is better, with the system to its right. "
            f"{shown.sentence}",
        )
        below = np.tril(np.ones((systems, systems), bool), -1)
        steps = np.where(below, board.steps, np.nan)
        _draw_cells(ax, steps, colours, np.arange(len(thresholds)) + 0.5)
        _explain(ax, colours, meanings, f"{style.plain(board.label)}: adjusted p")
        ax.set_xticks([])
        ax.set_yticks([])
        ax.set_xlabel(
            f"{_best_of(systems, len(every))}; above a cell is the better system, right of it the "
            "other",
            wrap=True,
        )
        named, size = style.with_room(systems, min(style.size_in_points(ax)))
        for row in named:
            ax.text(row - 0.4, row, names[board.systems[row]], va="center", fontsize=size)
        if systems <= WITH_NUMBERS:
            _write_numbers(ax, np.where(below, board.p_adjusted, np.nan), p_text)
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
    %(ax)s
    %(width)s
    %(top)s

    %(returns)s

    Raises
    ------
    ValueError
        If every score is undefined.

    Notes
    -----
    - Systems that add little to each other are neighbours, so that families are pale squares.
    - Cells of at most 6 systems have their scores as numbers. A cell without a score is white.

    Examples
    --------
    >>> import irx_measures
    >>> from irx_measures.plots import residual_gain_matrix
    >>> campaign = irx_measures.simulate_campaign(systems=4, seed=1)
    >>> result = irx_measures.meta.residual_gain_matrix(campaign.runs, campaign.qrels)
    >>> residual_gain_matrix(result).get_xlabel()
    'given this system'
    """
    style.check_kind("result", result, ResidualGainMatrix, "meta.residual_gain_matrix")
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
            "the only prior. Neighbours add little to each other. Right: given all others. "
            f"{result.sentence(style.names_in_caption(result.systems))} {shown}",
        )
        given = result.given[np.ix_(order, order)]
        _draw_cells(ax, given, style.AMOUNT_RAMP, result.limits)
        _explain(ax, style.AMOUNT_RAMP, _classes(result.limits, "{:.2f}"), style.plain(label))
        ax.set_xlabel("given this system", wrap=True)
        ax.set_ylabel(f"score of this system\n({_best_of(len(order), len(result.systems))})")
        here = [names[result.systems[place]] for place in order]
        style.name_columns(ax, here)  # they take height from the rows, which take width from them
        style.name_rows(ax, here, [PLAIN.number(of) for of in result.given_all[order]], "given all")
        style.name_columns(ax, here)
        if len(order) <= WITH_NUMBERS:
            _write_numbers(ax, given, PLAIN.number)
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
    %(ax)s
    %(width)s
    %(top)s

    %(returns)s

    Notes
    -----
    - A strip has at most 20 cells of equal numbers of ranks. A cell is white if the system returns
      no document there.

    Examples
    --------
    >>> from irx_measures import meta
    >>> from irx_measures.plots import unjudged_by_rank
    >>> run = {"q": {"A": 3.0, "X": 2.0, "B": 1.0}}
    >>> result = meta.unjudged_by_rank({"a": run}, {"q": {"A": 1, "B": 0}}, depth=3)
    >>> unjudged_by_rank(result).get_xlabel()
    'rank'
    """
    style.check_kind("result", result, UnjudgedByRank, "meta.unjudged_by_rank")
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
        _draw_cells(ax, result.shares[order], style.UNJUDGED_RAMP, LIMITS, across)
        meanings = _classes(100 * np.array(LIMITS), "{:g}", "%")
        _explain(
            ax, style.UNJUDGED_RAMP, meanings, "share of unjudged documents (white: none returned)"
        )
        ax.set_xlabel("rank")
        if len(order) < len(result.systems):
            ax.set_ylabel(_best_of(len(order), len(result.systems)))
        counts = [result.counts_at(top) for top in tops]
        beside = [
            "   ".join(f"{percent(some[place], whole[place]):>5}" for some, whole in counts)
            for place in order
        ]
        here = [names[result.systems[place]] for place in order]
        style.name_rows(ax, here, beside, f"top {', '.join(map(str, tops))}")
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
    %(ax)s
    %(width)s

    %(returns)s
    """
    style.check_kind("agreement", agreement, Agreement, "judging.audit_judges(...)[judge]")
    probability, counts = agreement.calibration, agreement.counts
    with style.picture(ax, 4.0, width) as ax:
        style.caption(
            ax,
            f"{style.in_caption(agreement.judge)}: P(human grade | label), which adds up to 1 in "
            f"each column, and number of pairs; quadratic kappa {agreement.kappa_quadratic:.3f}.",
        )
        labels, grades = agreement.labels.tolist(), agreement.grades.tolist()
        _draw_cells(ax, probability[::-1], style.AMOUNT_RAMP, np.arange(1, 7) / 7)
        ax.set_xticks(range(len(labels)), list(map(str, labels)))
        ax.set_yticks(range(len(grades)), list(map(str, reversed(grades))))
        judge = style.names_of(ax, [agreement.judge], 0.5)[agreement.judge]
        ax.set_xlabel(
            f"label of {judge}; cells: P(human grade | label), number of pairs", wrap=True
        )
        ax.set_ylabel("human grade")
        for (row, column), count in np.ndenumerate(counts[::-1]):
            _write_cell(
                ax, row, column, f"{PLAIN.number(probability[-1 - row, column], 2)}\n{count}"
            )
    return ax


def _most(top: int | None, systems: int, ax: Axes | None, width: float | None) -> int | None:
    """How many systems are shown if a user asked for no number."""
    if top is None and systems > MOST_NARROW and style.is_narrow(ax, width):
        return MOST_NARROW
    return top


def _best_of(drawn: int, systems: int) -> str:
    """What an axis says of the systems on it."""
    return f"best {drawn} of {systems:,} systems" if drawn < systems else f"{systems:,} systems"


def _height(systems: int, width: float | None) -> float:
    """The height of the rows in inches: never much more than the picture's width."""
    row = HIGH_ROW if systems <= WITH_NUMBERS else ROW
    rows = systems * (row if systems <= MANY_SYSTEMS else NARROW_ROW)
    return min(rows, 1.5 * (style.PAGE if width is None else width))


def _draw_cells(
    ax: Axes,
    values: FloatArray,
    colours: Sequence[str],
    limits: Iterable[float],
    across: FloatArray | None = None,
) -> None:
    """Draw the class of each value as a cell's colour, the first row at the top; NaN is white.

    Parameters
    ----------
    ax
    values : (rows, columns) floats
    colours
        One for each class.
    limits : (classes - 1,) floats
        Where the next class begins.
    across : (columns + 1,) floats, optional
        The edges of the columns; by default, columns are 1 wide and the first is at 0.
    """
    from matplotlib.colors import BoundaryNorm, ListedColormap

    rows, columns = values.shape
    across = np.arange(columns + 1) - 0.5 if across is None else across
    norm = BoundaryNorm([-np.inf, *limits, np.inf], len(colours))
    ax.pcolormesh(
        across, np.arange(rows + 1) - 0.5, np.ma.masked_invalid(values), norm=norm,
        cmap=ListedColormap(list(colours)),
        edgecolors="white", linewidth=0.5 if max(rows, columns) <= GAPS else 0.0,
    )  # fmt: skip
    ax.set_xlim(across[0], across[-1])
    ax.set_ylim(rows - 0.5, -0.5)
    ax.grid(visible=False)
    ax.tick_params(length=0)
    ax.spines[:].set_visible(False)


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
    style.key(
        ax, handles, title=title, title_fontsize=style.SMALL, handlelength=1.2, columnspacing=1.2
    )


def _write_numbers(ax: Axes, values: FloatArray, write: Callable[[float], str]) -> None:
    """Write the numbers of few cells."""
    for (row, column), value in np.ndenumerate(values):
        if np.isfinite(value):
            _write_cell(ax, row, column, write(float(value)))


def _write_cell(ax: Axes, row: int, column: int, text: str) -> None:
    """Write a text in a cell, in white where the cell is dark."""
    (cells, *_) = ax.collections
    red, green, blue, _ = cells.to_rgba(cells.get_array())[row, column]  # type: ignore[arg-type]
    dark = 0.299 * red + 0.587 * green + 0.114 * blue < 0.5
    ax.text(
        column,
        row,
        text,
        ha="center",
        va="center",
        fontsize=style.SMALL,
        color="white" if dark else style.INK,
    )
