"""The table of papers: order, marks, captions, Markdown and HTML."""

import re
from html.parser import HTMLParser

import numpy as np
import pytest

from irx_measures.exceptions import EvaluationWarning
from tests.comparison.results import score_matrix, without


def cells(markdown):
    """The rows of a table in Markdown."""
    lines = [line for line in markdown.splitlines() if line.startswith("|")]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]


def test_systems_are_best_first_by_the_first_measure_and_marked_where_they_beat_a_baseline():
    result = score_matrix().compare(baseline=["system3", "system4"])
    head, _, *rows = cells(result.to_markdown())
    assert head == ["System", "nDCG@10", "AP"]
    means = result.matrix.means()
    order = means["nDCG@10"].sort_values(ascending=False).index.tolist()
    assert [row[0] for row in rows] == order
    frame = result.to_frame()
    for name, *shown in rows:
        for measure, cell in zip(means.columns, shown, strict=True):
            tests = frame[(frame["measure"] == measure) & (frame["system"] == name)]
            higher = tests[(tests["p_adjusted"] <= 0.05) & (tests["difference"] > 0)]
            letters = "".join("ab"[["system3", "system4"].index(b)] for b in higher["baseline"])
            number = f"{means.loc[name, measure]:.3f}"
            number = f"**{number}**" if means[measure].idxmax() == name else number
            assert cell == number + (f"<sup>{letters}</sup>" if letters else "")
    assert "<sup>ab</sup>" in result.to_markdown()


def test_letters_follow_the_order_of_the_baselines():
    matrix = score_matrix(systems=3, spread=0.05)
    first = matrix.compare(baseline=["system1", "system2"]).to_markdown()
    second = matrix.compare(baseline=["system2", "system1"]).to_markdown()
    row = "| system1 | "
    (of_first,) = (line for line in first.splitlines() if line.startswith(row))
    (of_second,) = (line for line in second.splitlines() if line.startswith(row))
    assert "<sup>b</sup>" in of_first
    assert "<sup>a</sup>" in of_second


def test_a_lower_system_has_no_mark_however_significant():
    result = score_matrix(systems=2, spread=0.01).compare(baseline="system0")
    assert (result.to_frame()["p_adjusted"] < 0.001).all()
    assert "<sup>" not in "".join(map(str, cells(result.to_markdown())))


def test_bold_is_the_best_of_the_rows_shown():
    result = score_matrix(systems=4, spread=0.01).compare()
    rows = cells(result.to_markdown(systems=["system3", "system1"]))[2:]
    assert [row[0] for row in rows] == ["system1", "system3"]
    assert rows[0][1].startswith("**")
    assert not rows[1][1].startswith("**")


def test_undefined_scores_are_dashes_and_come_last():
    with pytest.warns(EvaluationWarning, match="no score on nDCG@10"):
        result = without(score_matrix(), 0, 0).compare(baseline="system4")
    rows = cells(result.to_markdown())[2:]
    assert rows[-1][:2] == ["system0", "-"]
    assert rows[-1][2].startswith("**")
    assert "<td>&ndash;</td>" in result.to_html()


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (
            {"baseline": "system4"},
            "a: significantly better than system4 (two-sided paired t test, Holm over 4 "
            "comparisons per measure, confidence level 95%)",
        ),
        (
            {"baseline": ["system4", "system3"], "level": 0.99},
            "a, b: significantly better than system4, system3 (two-sided paired t test, Holm over "
            "7 comparisons per measure, confidence level 99%)",
        ),
        ({"correction": "bh"}, "Benjamini-Hochberg over 10 comparisons per measure"),
        ({"correction": "none"}, "no correction for 10 comparisons per measure"),
        (
            {"test": "randomisation", "resamples": 5000},
            "(two-sided paired randomisation test with 5000 samples, Holm over 10 comparisons",
        ),
    ],
)
def test_the_caption_says_test_correction_family_level_and_topics(options, words):
    result = score_matrix().compare(**options)
    assert result.caption.startswith("Mean over 30 topics. Bold: best. ")
    assert words in result.caption


def test_without_baselines_the_caption_counts_pairs_and_systems_have_letters():
    result = score_matrix().compare()
    counts = [int(np.count_nonzero(part.rejected)) for part in result.tested]
    assert sum(counts) == result.significant > 0
    assert (
        f"{counts[0]} of 10 pairs of systems differ significantly in nDCG@10, {counts[1]} of 10 "
        "pairs of systems differ significantly in AP ("
    ) in result.caption
    assert "Two systems share a letter if they do not differ significantly; " in result.caption
    board = result.leaderboard("AP").set_index("system").letters
    for name, *shown in cells(result.to_markdown())[2:]:
        assert shown[1].endswith(f"<sup>{board[name]}</sup>")
    many = score_matrix(systems=16).compare()
    assert "<sup>" not in many.to_html()
    assert "share a letter" not in many.caption


class Cells(HTMLParser):
    """Counts the cells of rows, and collects the text; refuses tags that no table has."""

    allowed = {"table", "caption", "thead", "tbody", "tr", "th", "td", "strong", "sup"}

    def __init__(self):
        super().__init__()
        self.open, self.rows, self.text = [], [], []

    def handle_starttag(self, tag, attrs):
        assert tag in self.allowed
        assert [name for name, _ in attrs] in ([], ["scope"])
        self.open.append(tag)
        if tag == "tr":
            self.rows.append(0)
        self.rows[-1:] = [self.rows[-1] + (tag in ("th", "td"))] if self.rows else []

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        self.text.append(data)


HOSTILE = ["<script>alert(1)</script>", 'a"><img onerror=x>', "R&D_50%|*a*", "`x` [y](z) $m$"]


def test_names_of_strangers_are_text_in_html():
    result = score_matrix(systems=4, names=HOSTILE).compare(baseline=HOSTILE[0])
    page = Cells()
    page.feed(result.to_html())
    page.close()
    assert page.open == []
    assert page.rows == [3] * 5
    assert set(HOSTILE) <= set(page.text)


def test_names_of_strangers_are_text_in_markdown():
    result = score_matrix(systems=4, names=HOSTILE).compare(baseline=HOSTILE[3])
    lines = result.to_markdown().splitlines()
    for line in lines[:6]:
        assert len(re.findall(r"(?<!\\)\|", line)) == 4
    table = "\n".join(lines)
    assert "<script>" not in re.sub(r"\\.", "", table)
    assert r"\`x\` \[y\](z) \$m\$" in table


def test_more_than_26_baselines_have_separated_letters():
    result = score_matrix(systems=30, topics=60, spread=0.02, measures=1).compare(
        baseline=[f"system{number}" for number in range(2, 30)]
    )
    first = result.to_markdown().splitlines()[2]
    letters = re.search(r"<sup>(.*)</sup>", first)[1].split(",")
    assert letters[0] == "a"
    assert letters[-1] == "ab"
    assert len(letters) == 28


@pytest.mark.parametrize("write", ["to_latex", "to_markdown", "to_html"])
def test_unknown_systems_and_places_are_refused(write):
    result = score_matrix().compare()
    for systems, error in [
        (["nobody"], "must name some of the 5 systems; got 'nobody'"),
        ([], "got an empty list"),
    ]:
        with pytest.raises(ValueError, match=error):
            getattr(result, write)(systems=systems)
    with pytest.raises(TypeError, match="must be a list of names; got 'system0'"):
        getattr(result, write)(systems="system0")
    with pytest.raises(ValueError, match="places"):
        getattr(result, write)(places=-2)
    exact = str(float(result.board("nDCG@10").mean[0]))
    assert exact in getattr(result, write)(places=-1)
