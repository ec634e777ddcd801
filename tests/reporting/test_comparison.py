"""Comparisons as tables for terminals: width, signs, legends, marks."""

import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from ir_measures import AP, RR, P, nDCG

from irx_measures import ScoreMatrix
from irx_measures.common.names import cut_names, text_width
from irx_measures.common.screen import ASCII, UNICODE, Screen
from irx_measures.reporting.comparison import differences_text, scores_text, topics_text
from irx_measures.reporting.leaderboard import leaderboards_text
from irx_measures.reporting.report.axis import Axis
from tests.comparison.results import score_matrix

LONG = [f"team-{number}-dense-retriever-with-a-long-name-run{number}" for number in range(5)]
MANY = (nDCG @ 10, AP, RR, P @ 5, nDCG(dcg="exp-log2") @ 10, nDCG @ 20, P @ 10, AP(rel=2))


def comparison(baseline=None, names=None, measures=2, **shape):
    return score_matrix(names=names, measures=measures, **shape).compare(baseline=baseline)


def many_measures(systems=3, names=None):
    scores = np.random.default_rng(1).uniform(0, 1, (len(MANY), systems, 20))
    names = tuple(names or (f"system{number}" for number in range(systems)))
    return ScoreMatrix(MANY, names, tuple(map(str, range(20))), scores)


TABLES = [leaderboards_text, differences_text, scores_text, topics_text]


@pytest.mark.slow
@pytest.mark.parametrize("write", TABLES)
@pytest.mark.parametrize("width", [40, 59, 60, 80, 120, 200])
@pytest.mark.parametrize("names", [None, LONG])
@pytest.mark.parametrize("against", [0, 1, 3])
def test_every_line_fits_the_width(write, width, names, against):
    systems = score_matrix(names=names).systems
    result = comparison(list(systems[-against:]) if against else None, names)
    text = write(result, Screen(width, UNICODE), 3)
    for line in text.splitlines():
        assert text_width(line) <= width, line


@pytest.mark.parametrize("write", TABLES)
def test_in_ascii_every_sign_is_ascii(write):
    result = comparison(LONG[1], names=LONG)
    assert write(result, Screen(80, ASCII), 3).isascii()


def test_cut_names_are_whole_in_the_legend():
    lines = leaderboards_text(comparison(names=LONG, measures=1), Screen(60, ASCII), 3)
    short = re.findall(r"^ *\d[-\d]*  (\S+)", lines, re.MULTILINE)
    assert len(set(short)) == 5
    unwrapped = " ".join(lines.split())
    for text, name in zip(short, LONG, strict=True):
        assert f"{text} = {name}" in unwrapped
        front, back = text.split("..")
        assert name.startswith(front)
        assert name.endswith(back)


@given(st.lists(st.text("ab", min_size=1, max_size=12), min_size=1), st.integers(6, 12))
def test_cut_names_fit_and_stay_distinct(names, width):
    cut = cut_names(names, width, "..")
    assert list(cut) == list(dict.fromkeys(names))
    assert len(set(cut.values())) == len(cut)
    assert all(len(text) <= width for text in cut.values())
    assert all(cut[name] == name for name in names if len(name) <= width and "~" not in cut[name])


def test_characters_of_two_columns_are_counted_twice():
    names = ["検索システム一号", "検索システム二号", "c"]
    result = comparison(names=names, systems=3, measures=1)
    rows = leaderboards_text(result, Screen(80), 3).splitlines()[1:5]
    assert len({text_width(row[: row.index("0.")]) for row in rows[1:]}) == 1
    assert text_width(cut_names(names, 9, "…")[names[0]]) <= 9


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
    lines = leaderboards_text(result, Screen(100, explains=True), 3).splitlines()
    assert lines[0] == "nDCG@10, 5 systems, 30 topics"
    for place, line in enumerate(lines[2:7]):
        low, high = (ends[place] for ends in board.ranks)
        ranks = f"{low}-{high}" if low < high else str(low)
        name = board.systems[place]
        assert line.split()[:3] == [ranks, name, f"{board.mean[place]:.3f}"]
        interval = f"{board.lower[place]:.3f} to {board.upper[place]:.3f}"
        assert interval in line
        if place:
            difference, p = tests[name]
            shown = f"-{difference:.3f}"
            assert ((f"({shown})" in line), (f" {shown} " in line)) == (p > 0.05, p <= 0.05)
            assert line.endswith("<.001" if p < 0.0005 else f"{p:.3f}")
    assert 1 < sum(p > 0.05 for _, p in tests.values()) + 1 < 5
    assert f"- best: difference to {leader}." in lines


@given(st.floats(-10, 10), st.floats(1e-6, 20))
def test_axes_have_one_to_six_round_ticks_in_order(low, length):
    axis = Axis(low, low + length)
    assert 2 <= len(axis.ticks) <= 7
    assert axis.ticks == sorted(axis.ticks)
    assert all(axis.low <= tick <= axis.high for tick in axis.ticks)


def test_differences_are_sorted_and_marked():
    result = comparison(["system3", "system1"], measures=1, spread=0.4)
    text = differences_text(result, Screen(100), 3)
    tables = [table.splitlines() for table in text.split("\n\n")[:2]]
    assert [table[0] for table in tables] == [
        "nDCG@10, system minus system3",
        "nDCG@10, system minus system1",
    ]
    frame, means = result.to_frame(), result.matrix.means()["nDCG@10"]
    for name, table in zip(["system3", "system1"], tables, strict=True):
        rows = frame[frame["baseline"] == name].set_index("system")
        for line, system in zip(table[2:], means.sort_values(ascending=False).index, strict=True):
            shown, mean, difference = line.split()[:3]
            assert (shown, mean) == (system, f"{means[system]:.3f}")
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
    table = differences_text(result, Screen(100), 3).split("\n\n")[0].splitlines()
    assert table[1].split()[:2] == ["system", "other"]
    in_brackets = ["(" in line for line in table[2:]]
    assert len(in_brackets) == 10
    assert in_brackets == sorted(in_brackets)
    assert any(in_brackets)
    assert in_brackets.count(False) == result.significant


def test_a_plan_has_the_topics_of_every_pair():
    result = comparison("system2", spread=0.6)
    text = topics_text(result, Screen(100), 3)
    seen = 0
    for table in text.split("\n\n")[:2]:
        title, _, *rows = table.splitlines()
        for row in rows:
            system, *_, p, topics, safe = row.split()
            plan = result.topics_needed(system, "system2").set_index("measure")
            plan = plan.loc[title.split(",")[0]]
            assert p in ("<.001", f"{plan['p']:.3f}")
            for shown, number in [(topics, plan["topics"]), (safe, plan["topics_safe"])]:
                assert shown == ("-" if np.isinf(number) else f"{number:.0f}")
                seen += shown == "-"
    assert seen > 0
    assert "-: not foreseeable." in text


def test_scores_have_marks_of_baselines_and_the_best():
    result = comparison(["system3", "system4"], spread=0.05)
    lines = scores_text(result, Screen(80), 3).splitlines()
    assert lines[0].split() == ["system", "nDCG@10", "AP"]
    means = result.matrix.means()
    expected = [f"*{means.loc['system0', name]:.3f} ab" for name in means.columns]
    assert re.findall(r"\*0\.\d{3} ab", lines[1]) == expected
    assert lines[4].split()[2] == "b"
    assert any("*: best mean. a, b: significantly better than system3, system4" in s for s in lines)


def test_columns_that_do_not_fit_stand_in_a_table_below():
    text = scores_text(many_measures(systems=12).compare(), Screen(50), 3)
    tables = [table.splitlines() for table in text.split("\n\n") if table.startswith("system")]
    assert len(tables) > 1
    heads = [name for table in tables for name in re.split(r"  +", table[0])[1:]]
    assert len(heads) == len(MANY)
    assert {len(table) for table in tables} == {13}


EXPLAINED = {
    leaderboards_text: "rank: the ranks",
    differences_text: "w/t/l: topics",
    topics_text: "topics_safe: the same",
}


@pytest.mark.parametrize("text_of", EXPLAINED)
def test_two_lines_below_a_table_and_the_columns_on_request(text_of):
    baseline = None if text_of is leaderboards_text else "system3"
    result = comparison(baseline, measures=1, spread=0.4)
    brief = text_of(result, Screen(80), 3).rstrip().splitlines()
    full = text_of(result, Screen(80, explains=True), 3)
    after = [number for number, line in enumerate(brief) if re.search(r"system\d  +\S*\d", line)]
    note = [line for line in brief[after[-1] + 1 :] if line]
    assert 1 <= len(note) <= 2
    assert "t test" in " ".join(note)
    assert EXPLAINED[text_of] not in " ".join(brief)
    assert EXPLAINED[text_of] in " ".join(full.split())
    assert "--explain-columns" not in full
