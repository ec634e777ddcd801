"""Scores on a terminal: which of them are bold."""

import numpy as np
import pytest
from ir_measures import AP, P

from irx_measures import ScoreMatrix
from irx_measures.reporting.intervals import interval_columns
from irx_measures.reporting.tables import score_output
from irx_measures.results import screen
from tests.comparison.results import changed

BOLD = "\x1b[1m"


@pytest.fixture(autouse=True)
def terminal(monkeypatch):
    monkeypatch.setattr(screen, "terminal_width", lambda: 200)
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.delenv("NO_COLOR", raising=False)


def bold_in(text):
    """The cells of each row that are bold."""
    _, *rows = text.partition("\n\n")[0].rstrip("\n").split("\n")
    parts = [row.split(BOLD)[1:] for row in rows]
    return [[part.partition("\x1b[0m")[0].strip() for part in row] for row in parts]


def matrix_of(*scores):
    """The scores of systems, the same on four queries, by P@5 and ten times that by AP."""
    values = np.repeat(np.array(scores)[:, np.newaxis], 4, axis=1)
    names = tuple("abcdef"[: len(scores)])
    return ScoreMatrix((P @ 5, AP), names, ("q0", "q1", "q2", "q3"), np.array([values, -values]))


@pytest.mark.parametrize(
    ("scores", "bold"),
    [
        ((0.5, 0.7, 0.2), [[], ["0.700"], ["-0.200"]]),
        ((0.5, 0.5 + 1e-15), [["0.500", "-0.500"], ["0.500", "-0.500"]]),
        ((0.5,), [[]]),
        ((0.5, np.nan), [["0.500", "-0.500"], []]),
    ],
)
def test_the_highest_means_of_several_systems_are_bold(scores, bold):
    assert bold_in(score_output(matrix_of(*scores), "table", 3).text) == bold


def test_each_group_has_its_highest_means_and_ends_of_intervals_have_none():
    matrix = matrix_of(0.3, 0.4)
    matrix = changed(matrix, np.s_[0, 0, 2:], 0.5)
    by = matrix.by({query: "one" if query < "q2" else "two" for query in matrix.query_ids})
    assert bold_in(score_output(matrix, "table", 2, by).text) == [
        ["-0.30"], ["0.40"],  # one
        ["0.50", "-0.30"], [],  # two
        ["0.40", "-0.30"], ["0.40"],  # all
    ]  # fmt: skip

    def columns_of(part):
        return interval_columns(part, [P @ 5], 0.9)

    assert bold_in(score_output(matrix, "table", 2, None, columns_of).text) == [["0.40"], ["0.40"]]
