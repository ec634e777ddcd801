"""How the sentences of results write names, numbers and counts."""

import pytest

from irx_measures.common.writing import PLAIN, counted, joined, shown
from irx_measures.reporting.report.content import REPORT


@pytest.mark.parametrize(
    ("value", "plain", "report"),
    [
        (0.2591, "+0.259", "+.259"),
        (-0.0551, "-0.055", "−.055"),
        (0.0004, "0.000", ".000"),
        (-0.0004, "0.000", ".000"),
        (float("nan"), "-", "–"),
    ],
)
def test_differences_have_a_sign_unless_they_are_rounded_to_0(value, plain, report):
    assert PLAIN.difference(value) == plain
    assert REPORT.difference(value) == report


def test_counts_and_lists():
    assert [counted(1, "topic"), counted(2000, "topic")] == ["1 topic", "2,000 topics"]
    assert counted(2, "query", "queries") == "2 queries"
    assert list(map(joined, ["", "a", "ab", "abc"])) == ["", "a", "a and b", "a, b and c"]
    assert PLAIN.names(["x", "y"]) == "x and y"


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (1.5, "1.5"),
        ("a\x1b", r"'a\x1b'"),
        ("x" * 60, repr("x" * 60)),
        ("x" * 61, repr("x" * 57 + "...")),
        (10**60, "1" + "0" * 56 + "..."),
        pytest.param(1 << 20_000, "a number that is too long to show", id="Python writes no such"),
    ],
)
def test_a_value_in_an_error_message_is_short(value, text):
    assert shown(value) == text
