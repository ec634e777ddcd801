"""Paragraphs that the docstrings of all plots share, written once."""

from __future__ import annotations

from collections.abc import Callable
from inspect import cleandoc
from typing import Any, TypeVar

Plot = TypeVar("Plot", bound=Callable[..., Any])

SHARED = {  # one that has the name of another stands before it
    "%(curves)s": """
        results
            Results, by their labels in the key.
        %(drawn)s

        Raises
        ------
        ValueError
            If there is no result, or all of them are undefined.

        Warns
        -----
        EvaluationWarning
            If undefined results are left out.""",
    "%(comparison)s": """
        result
            The result of `irx_measures.compare`.
        %(measure)s""",
    "%(measure)s": """
        measure
            One of the compared measures; it may be omitted if there is only one.""",
    "%(pair)s": """
        system
            The system from which the other is subtracted.
        baseline
            The system that is subtracted; it may be omitted if the comparison has one baseline.""",
    "%(top)s": """
        top
            Show this number of systems, at least 2: the best ones, and every baseline. If None, at
            most 200; in a matrix of pairs that is narrower than 5 inches, at most 20. Tests and
            counts are those of all systems.
        %(drawn)s""",
    "%(drawn)s": """
        ax
            Axes to draw on; if None, those of a new figure. A key stands below axes that are alone
            in their figure or subfigure, and inside other ones.
        width
            Width of a new figure, in inches, from 2 to 40; if None, 7. A column of a paper is 3.3
            wide. Below 5, the caption is not written, but kept as ``ax.irx_caption`` for the
            paper's own. Where names have no room, only every second, third, ... one is written.

        Returns
        -------
        matplotlib.axes.Axes""",
    "%(refused)s": """
        Raises
        ------
        TypeError
            If the result is not of the kind that is drawn.
        ValueError
            If there is nothing to draw, or an option is out of range.""",
}


def documented(plot: Plot) -> Plot:
    """Put the shared paragraphs into a plot's docstring in place of their names."""
    if plot.__doc__:  # not with python -OO
        plot.__doc__ = cleandoc(plot.__doc__)
        for name, paragraph in SHARED.items():
            plot.__doc__ = plot.__doc__.replace(name, cleandoc(paragraph))
    return plot
