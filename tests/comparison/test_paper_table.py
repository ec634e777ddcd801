"""The table of papers: order, marks, bold, captions; LaTeX is compiled where there is a TeX."""

import re
import shutil
import subprocess
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from irx_measures import ScoreMatrix
from irx_measures.common.escapes import latex_text
from irx_measures.exceptions import EvaluationWarning
from irx_measures.measures.naming.strings import parse_measures
from irx_measures.reporting.comparison import comparison_output
from tests.comparison.results import score_matrix, without

SPECIALS = ["100%_&#$x", r"{a}~^\b", "[x]", "*star*", "a--b<c>|d", "R&D"]


def cells(result, **options):
    """The rows of a table in Markdown."""
    lines = result.paper_table("markdown", **options).splitlines()
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines[:-2]]


def caption(result):
    return result.paper_table("markdown").splitlines()[-1]


def test_systems_are_best_first_by_the_first_measure_and_marked_where_they_differ_from_a_baseline():
    baselines = ["system3", "system4"]
    result = score_matrix().compare(baseline=baselines)
    head, _, *rows = cells(result)
    assert head == ["System", "nDCG@10", "AP"]
    means = result.matrix.means()
    order = means["nDCG@10"].sort_values(ascending=False).index.tolist()
    assert [row[0] for row in rows] == order
    frame = result.to_frame()
    for name, *shown in rows:
        for measure, cell in zip(means.columns, shown, strict=True):
            tests = frame[(frame["measure"] == measure) & (frame["system"] == name)]
            found = tests[tests["p_adjusted"] <= 0.05]
            better, worse = found[found["difference"] > 0], found[found["difference"] < 0]
            marks = "".join("ab"[baselines.index(b)] for b in better["baseline"])
            if len(worse):
                marks += "↓" + "".join("ab"[baselines.index(b)] for b in worse["baseline"])
            number = f"{means.loc[name, measure]:.3f}"
            number = f"**{number}**" if means[measure].idxmax() == name else number
            assert cell == number + (f"<sup>{marks}</sup>" if marks else "")
    assert {"ab", "b", "↓a"} <= set(re.findall("<sup>(.*?)</sup>", str(rows)))


def levels(falling):
    """Scores of three systems that all differ."""
    matrix = score_matrix(systems=3, measures=1, spread=0.01, names=["high", "middle", "low"])
    if not falling:
        return matrix
    frame = matrix.to_frame()
    frame["value"] = 1 - frame["value"]
    return ScoreMatrix.from_frame(frame.assign(measure="seconds"), higher_is_better=False)


MARKS = {
    "high": "<sup>↓a</sup>: significantly worse than high (",
    "low": "<sup>a</sup>: significantly better than low (",
    "middle": (
        "<sup>a</sup>: significantly better than middle; "
        "<sup>↓a</sup>: significantly worse than middle ("
    ),
}
"""What the caption says of marks, by the baseline."""


@pytest.mark.parametrize("baseline", MARKS)
@pytest.mark.parametrize("falling", [False, True])
def test_marks_that_the_table_has_are_explained_and_no_others(baseline, falling):
    result = levels(falling).compare(baseline=baseline)
    said = MARKS[baseline]
    assert f"est. {'Lower is better: seconds. ' if falling else ''}{said}" in caption(result)
    latex = said.replace("<sup>a</sup>", "$^{a}$").replace("<sup>↓a</sup>", r"$^{\downarrow a}$")
    assert latex in result.paper_table("latex")
    screen = said.replace("<sup>a</sup>", "a").replace("<sup>↓a</sup>", "-a")
    assert screen in " ".join(comparison_output(result, "scores", "table", 3).text.split())


def test_a_table_without_marks_says_that_nothing_in_it_differs():
    result = score_matrix(systems=3, topics=4, measures=1, spread=0.5, seed=1).compare(
        baseline="system1"
    )
    assert result.significant == 0
    assert cells(result)[0][0] == "System"
    assert "best. No system in the table differs significantly from system1 (" in caption(result)
    two = score_matrix(systems=4, measures=1, seed=3).compare(baseline=["system0", "system1"])
    shown = two.paper_table("markdown", systems=["system1"])
    assert "</sup>: significantly worse than system0; no system in the table differs" in shown


def test_the_head_of_a_long_measure_is_short_and_the_caption_says_what_it_stands_for():
    scores = score_matrix(measures=2, names=SPECIALS[:5])
    measures = tuple(parse_measures(["NRG(prior=bm25base_p)@10", "nDCG@10"]))
    result = replace(scores, measures=measures).compare(baseline=SPECIALS[0])
    for form, short in {
        "latex": r"NRG@10 = NRG(prior=bm25base\_p)@10.}",
        "markdown": "NRG@10 = NRG(prior=bm25base_p)@10.",
        "html": "NRG@10 = NRG(prior=bm25base_p)@10.</caption>",
    }.items():
        text = result.paper_table(form)
        assert text.count("bm25base") == text.count(short) == 1


def test_bold_is_the_best_of_the_rows_shown():
    result = score_matrix(systems=4, spread=0.01).compare()
    rows = cells(result, systems=["system3", "system1"])[2:]
    assert [(row[0], row[1].startswith("**")) for row in rows] == [
        ("system1", True), ("system3", False)
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("form", "dash"), [("markdown", "-"), ("html", "&ndash;"), ("latex", "--")]
)
def test_undefined_scores_are_dashes_and_come_last(form, dash):
    with pytest.warns(EvaluationWarning, match="not compared: 'system0' has no score"):
        result = without(score_matrix(), 0, 0).compare(baseline="system4")
    (row,) = (line for line in result.paper_table(form).splitlines() if "system0" in line)
    assert re.search(rf"system0(?:</th><td[^>]*>|[ &|]+){re.escape(dash)}[ <]", row)
    assert cells(result)[-1][0] == "system0"


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (
            {"baseline": ["system4", "system3"], "level": 0.99},
            "<sup>a</sup>, <sup>b</sup>: significantly better than system4, system3; "
            "<sup>↓b</sup>: significantly worse than system3 (two-sided paired t test, Holm over 7 "
            "comparisons per measure, confidence level 99%)",
        ),
        ({"correction": "bh"}, "Benjamini-Hochberg over 10 comparisons per measure"),
        ({"correction": "none"}, "no correction for 10 comparisons per measure"),
        ({"test": "randomisation", "resamples": 5000}, "randomisation test with 5000 samples, "),
    ],
)
def test_the_caption_says_test_correction_family_level_and_topics(options, words):
    said = caption(score_matrix().compare(**options))
    assert said.startswith("Mean over 30 topics. **Bold**: best. ")
    assert words in said


def test_without_baselines_the_caption_counts_pairs_and_systems_have_letters():
    result = score_matrix().compare()
    first, second = (part.rejections for part in result.tested)
    assert (
        f"Two systems share a letter if they do not differ significantly; {first} of 10 pairs of "
        f"systems differ significantly in nDCG@10, {second} of 10 pairs of systems differ "
        "significantly in AP ("
    ) in caption(result)
    board = result.leaderboard("AP").set_index("system").letters
    for name, *shown in cells(result)[2:]:
        assert shown[1].endswith(f"<sup>{board[name]}</sup>")
    many = score_matrix(systems=16).compare().paper_table("html")
    assert "<sup>" not in many
    assert "share a letter" not in many


def test_more_than_26_baselines_have_separated_letters():
    result = score_matrix(systems=30, topics=60, spread=0.02, measures=1).compare(
        baseline=[f"system{number}" for number in range(2, 30)]
    )
    letters = re.search(r"<sup>(.*)</sup>", str(cells(result)[2]))[1].split(",")
    assert (letters[0], letters[-1], len(letters)) == ("a", "ab", 28)


def test_all_places_are_those_of_the_number():
    result = score_matrix().compare()
    assert str(float(result.board("nDCG@10").mean[0])) in result.paper_table(places=-1)


@given(st.text(st.characters(codec="utf-8", exclude_categories=["C"])))
def test_escaped_text_has_no_bare_special_sign(text):
    escaped = latex_text(text)
    depth = 0
    for sign in re.sub(r"\\[{}\\%]", "", escaped):
        depth += (sign == "{") - (sign == "}")
        assert depth >= 0
    assert depth == 0
    commands = (
        r"\\(?:textbackslash|textasciitilde|textasciicircum|textless|textgreater|textbar)\{\}"
    )
    rest = re.sub(commands + r"|\\[_&%#${}]|\{[\[\]*]\}|-\{\}(?=-)", "", escaped)
    assert not re.search(r"[_&%#${}~^\\<>|*\[\]]|--", rest)


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("pdflatex") is None, reason="no pdflatex on PATH")
@pytest.mark.parametrize("baseline", [None, SPECIALS[1:4]])
def test_tables_compile(tmp_path, baseline):
    with pytest.warns(EvaluationWarning, match="no score"):
        result = without(score_matrix(systems=6, names=SPECIALS), 1, 5).compare(baseline=baseline)
    table = result.paper_table()
    packages = table.splitlines()[0].removeprefix("% ")
    document = rf"\documentclass{{article}}{packages}\begin{{document}}{{}}%"
    (tmp_path / "table.tex").write_text(
        "\n".join([document, table, r"\end{document}"]), encoding="utf-8"
    )
    done = subprocess.run(
        ["pdflatex", "-interaction=nonstopmode", "-halt-on-error", "table.tex"],
        cwd=tmp_path, capture_output=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout[-2000:]
    assert (tmp_path / "table.pdf").stat().st_size > 1000
