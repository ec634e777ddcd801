"""Comparisons as tables for terminals: width, signs, legends, marks."""

import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from irx_measures import compare
from irx_measures.reporting.comparison import comparison_text
from irx_measures.reporting.report.svg import Axis
from tests.comparison.results import score_matrix
from tests.doubts import NO_PRIOR
from tests.reporting.report.pages import campaign


def comparison(baseline=None, names=None, measures=2, **shape):
    return score_matrix(names=names, measures=measures, **shape).compare(baseline=baseline)


def shown(result, what):
    """The tables of a comparison, without what stands above and below them all."""
    return comparison_text(result, what, "table", 3).split("\n\n", 1)[1]


def test_a_leaderboard_says_what_the_arrays_say():
    result = comparison(measures=1, spread=0.4)
    board, frame = result.board(), result.to_frame()
    leader = board.systems[0]
    tests = {
        next(name for name in pair if name != leader): (abs(difference), p)
        for *pair, difference, p in zip(
            frame["system"], frame["baseline"], frame["difference"], frame["p_adjusted"],
            strict=True,
        )
        if leader in pair
    }  # fmt: skip
    lines = shown(result, "leaderboard").splitlines()
    assert lines[0] == "nDCG@10, 5 systems, 30 topics"
    for place, line in enumerate(lines[3:8]):
        low, high = (ends[place] for ends in board.ranks)
        ranks = f"{low}-{high}" if low < high else str(low)
        name = board.systems[place]
        assert line.split()[:3] == [ranks, name, f"{board.mean[place]:.3f}"]
        interval = f"{board.lower[place]:.3f} to {board.upper[place]:.3f}"
        assert interval in line
        if place:
            difference, p = tests[name]
            told = f"-{difference:.3f}"
            assert ((f"({told})" in line), (f" {told} " in line)) == (p > 0.05, p <= 0.05)
            assert line.endswith("<.001" if p < 0.0005 else f"{p:.3f}")
    assert 1 < sum(p > 0.05 for _, p in tests.values()) + 1 < 5


@given(st.floats(-10, 10), st.floats(1e-6, 20))
def test_axes_have_one_to_six_round_ticks_in_order(low, length):
    axis = Axis(low, low + length)
    assert 2 <= len(axis.ticks) <= 7
    assert axis.ticks == sorted(axis.ticks)
    assert all(axis.low <= tick <= axis.high for tick in axis.ticks)


def test_differences_are_sorted_and_marked():
    result = comparison(["system3", "system1"], measures=1, spread=0.4)
    text = shown(result, "differences")
    tables = [table.splitlines() for table in text.split("\n\n")[:2]]
    assert [table[0] for table in tables] == [
        "nDCG@10 (30 topics), system minus system3",
        "nDCG@10 (30 topics), system minus system1",
    ]
    frame, means = result.to_frame(), result.matrix.means()["nDCG@10"]
    for name, table in zip(["system3", "system1"], tables, strict=True):
        rows = frame[frame["baseline"] == name].set_index("system")
        for line, system in zip(table[3:], means.sort_values(ascending=False).index, strict=True):
            name_shown, mean, difference = line.split()[:3]
            assert (name_shown, mean) == (system, f"{means[system]:.3f}")
            if system == name:
                assert difference == "baseline"
                continue
            row = rows.loc[system]
            number = f"{row['difference']:+.3f}"
            assert difference == (number if row["p_adjusted"] <= 0.05 else f"({number})")
            assert f"{row['lower']:+.3f} to {row['upper']:+.3f}" in line
            assert line.endswith(f"{row['wins']}/{row['ties']}/{row['losses']}")
    assert len(frame) == 8
    assert "Holm over 7 comparisons" in " ".join(text.split())


def test_all_pairs_have_the_significant_ones_first():
    result = comparison(measures=1, spread=0.4)
    table = shown(result, "differences").split("\n\n")[0].splitlines()
    assert table[1].split()[:2] == ["system", "other"]
    in_brackets = ["(" in line for line in table[3:]]
    assert len(in_brackets) == 10
    assert in_brackets == sorted(in_brackets)
    assert any(in_brackets)
    assert in_brackets.count(False) == result.significant


def test_a_plan_has_the_topics_of_every_pair():
    result = comparison("system2", spread=0.6)
    text = shown(result, "topics")
    seen = 0
    for table in text.split("\n\n")[:2]:
        title, _, _, *rows = table.splitlines()
        for row in rows:
            system, *_, p, topics, safe = row.split()
            plan = result.topics_needed(system, "system2").set_index("measure")
            plan = plan.loc[title.split(",")[0]]
            assert p in ("<.001", f"{plan['p']:.3f}")
            for said, number in [(topics, plan["topics"]), (safe, plan["topics_safe"])]:
                assert said == ("-" if np.isinf(number) else f"{number:.0f}")
                seen += said == "-"
    assert seen > 0
    assert "-: not foreseeable." in " ".join(text.split())


def test_scores_have_marks_of_baselines_and_the_best():
    result = comparison(["system3", "system4"], spread=0.05)
    lines = shown(result, "scores").splitlines()
    assert lines[0].split() == ["system", "nDCG@10", "AP"]
    means = result.matrix.means()
    expected = [f"*{means.loc['system0', name]:.3f} ab" for name in means.columns]
    assert re.findall(r"\*0\.\d{3} ab", lines[2]) == expected
    assert lines[5].split()[2] == "b"
    assert any("*: best mean. a, b: significantly better than system3, system4" in s for s in lines)


@NO_PRIOR
@pytest.mark.parametrize("baseline", [None, "lexical-b"])
def test_differences_have_the_probability_that_a_system_is_better(baseline):
    runs, qrels = campaign(systems=4)
    result = compare(runs, qrels, "nDCG@10", baseline=baseline, unjudged="learned")
    frame = result.to_frame().set_index(["system", "baseline"])["p_better"]
    _, _, _, *lines = shown(result, "differences").split("\n\n")[0].splitlines()
    seen = 0
    for line in lines:
        system, other, *_, chance = line.split()
        pair = (system, baseline or other)
        if system != baseline:
            assert chance == f"{frame[pair]:.3f}"
            seen += 1
    assert seen == len(frame)
    assert 0 < frame.min() < frame.max()
