"""The columns of comparisons: what a terminal shows are the numbers of the frames."""

import re
from pathlib import Path

import numpy as np
import pytest

import irx_measures
from irx_measures import compare
from irx_measures.comparison.hypotheses import HYPOTHESES
from irx_measures.comparison.result import NAMES
from irx_measures.reporting.comparison import comparison_output
from tests.comparison.results import score_matrix
from tests.doubts import NO_PRIOR
from tests.reporting.report.pages import campaign

PAGES = Path(irx_measures.__file__).parent / "pt_docs"

ENTRY = re.compile(r"^- ``(\w+)``: (.*(?:\n  .*)*)", re.MULTILINE)


def tables(result, what):
    """The title and the cells of every table of a comparison, and what stands below them."""
    _, *parts, below = comparison_output(result, what, "table", 3).text.split("\n\n")
    lines = [part.splitlines() for part in parts]
    cells = [[row.replace(" to ", "..").split() for row in rows] for _, _, _, *rows in lines]
    return [(title, rows) for (title, *_), rows in zip(lines, cells, strict=True)], below


def p_text(p):
    return "<.001" if p < 0.0005 else f"{p:.3f}"


def marked(row):
    number = f"{row['difference']:+.3f}"
    return number if row["p_adjusted"] <= 0.05 else f"({number})"


def test_a_leaderboard_has_ranks_means_and_the_tests_of_the_best():
    result = score_matrix(measures=1, spread=0.4).compare()
    frame, board = result.to_frame(), result.leaderboard()
    ((title, rows),), _ = tables(result, "leaderboard")
    assert title == "nDCG@10, 5 systems, 30 topics"
    assert [column.name for column in result.board().columns() if column.key] == [
        "rank", "system"
    ]  # fmt: skip
    best = board.system[0]
    for row, cells in zip(board.to_dict("records"), rows, strict=True):
        low, high = row["rank_low"], row["rank_high"]
        assert cells[:4] == [
            f"{low}-{high}" if low < high else str(low), row["system"], f"{row['mean']:.3f}",
            f"{row['lower']:.3f}..{row['upper']:.3f}",
        ]  # fmt: skip
        pair = frame[frame.system.isin([best, row["system"]])]
        pair = pair[pair.baseline.isin([best, row["system"]])].to_dict("records")
        for test in pair:
            sign = 1 if test["system"] == row["system"] else -1
            expected = marked(test | {"difference": sign * test["difference"]})
            assert cells[4:] == [expected, p_text(test["p_adjusted"])]
        assert len(pair) == (row["system"] != best)
    assert {"(" in cells[4] for cells in rows[1:]} == {True, False}


@pytest.mark.parametrize("baseline", [None, ["system3", "system1"]])
def test_differences_are_those_of_the_frame_and_sorted(baseline):
    result = score_matrix(measures=1, spread=0.4).compare(baseline=baseline)
    frame, means = result.to_frame(), result.matrix.means()["nDCG@10"]
    shown, below = tables(result, "differences")
    assert [title.removeprefix("nDCG@10 (30 topics), system minus ") for title, _ in shown] == [
        f"{name} (mean {means[name]:.3f})" for name in baseline or ()
    ] or ["other system"]
    found = 0
    for name, (_, rows) in zip(baseline or [None], shown, strict=True):
        for system, second, *cells in rows:
            (row,) = frame[(frame.system == system) & (frame.baseline == (name or second))].to_dict(
                "records"
            )
            assert name is None or second == f"{means[system]:.3f}"
            assert row["mean"] == pytest.approx(means[system], rel=1e-12)
            assert row["baseline_mean"] == pytest.approx(means[row["baseline"]], rel=1e-12)
            assert row["significant"] == ("(" not in cells[0])
            assert cells == [
                marked(row), f"{row['lower']:+.3f}..{row['upper']:+.3f}",
                p_text(row["p_adjusted"]), f"{row['wins']}/{row['ties']}/{row['losses']}",
            ]  # fmt: skip
            found += 1
        order = [means[row[0]] for row in rows]
        brackets = ["(" in row[2] for row in rows]
        assert order == sorted(order, reverse=True) if name else brackets == sorted(brackets)
    assert found == len(frame)
    assert f"Holm over {7 if baseline else 10} comparisons" in " ".join(below.split())


def test_the_page_of_json_says_what_the_columns_mean():
    page = (PAGES / "json.rst").read_text(encoding="utf-8")
    _, _, section = page.partition("Columns of a comparison\n")
    found = ENTRY.findall(section.partition("\nSchema\n")[0])
    described = [(name, " ".join(meaning.split())) for name, meaning in found]
    declared = [*NAMES, *HYPOTHESES]
    assert described == [(each.name, each.meaning) for each in declared if each.meaning]


def test_a_plan_has_the_topics_of_every_pair():
    result = score_matrix(spread=0.6).compare(baseline="system2")
    shown, below = tables(result, "topics")
    undefined = 0
    for title, rows in shown:
        for system, *_, p, topics, safe in rows:
            plan = result.topics_needed(system, "system2").set_index("measure")
            plan = plan.loc[title.split(",")[0]]
            assert p == p_text(plan["p"])
            for said, number in [(topics, plan["topics"]), (safe, plan["topics_safe"])]:
                assert said == ("-" if np.isinf(number) else f"{number:.0f}")
                undefined += said == "-"
    assert undefined > 0
    assert "-: not foreseeable." in " ".join(below.split())
    csv = comparison_output(result, "topics", "csv", -1).text
    assert "inf" not in csv
    assert csv.count("\n") == 1 + sum(len(rows) for _, rows in shown)


def test_scores_have_marks_of_baselines_and_the_best():
    result = score_matrix(spread=0.05).compare(baseline=["system3", "system4"])
    text = comparison_output(result, "scores", "table", 3).text
    for name, scores in result.matrix.means().items():
        assert f"*{scores['system0']:.3f} ab" in text, name
        assert f" {scores['system3']:.3f} b" in text
    below = " ".join(text.split("\n\n")[-1].split())
    assert (
        "*: best mean. a, b: significantly better than system3, system4; -a: significantly worse "
        "than system3 ("
    ) in below
    assert f" {scores['system4']:.3f} -a" in text


@NO_PRIOR
@pytest.mark.parametrize("baseline", [None, "lexical-b"])
def test_differences_have_the_probability_that_a_system_is_better(baseline):
    qrels, runs = campaign(systems=4)
    result = compare(qrels, runs, "nDCG@10", baseline=baseline, unjudged="learned")
    frame = result.to_frame().set_index(["system", "baseline"])["p_better"]
    ((_, rows),), _ = tables(result, "differences")
    shown = {(system, baseline or other): chance for system, other, *_, chance in rows}
    assert shown == {pair: f"{p:.3f}" for pair, p in frame.items()}
    assert 0 < frame.min() < frame.max()
