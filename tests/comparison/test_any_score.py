"""Scores that ir_measures does not know, and scores of which lower ones are better."""

import json
import re

import ir_measures
import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import irx_measures
from irx_measures import InputError, ScoreMatrix
from irx_measures.measures.naming.named_score import NamedScore

from ..examples import examples

SYSTEMS = ("a", "b", "c", "d", "e")


def matrix_of(scores, higher_is_better=True, name="latency"):
    """One measure of five systems."""
    topics = tuple(f"q{number}" for number in range(scores.shape[1]))
    measure = NamedScore(name, higher_is_better)
    return ScoreMatrix((measure,), SYSTEMS[: len(scores)], topics, scores[np.newaxis])


SCORES = np.random.default_rng(5).normal(0, 1, (5, 12)).round(3) + np.arange(5)[:, np.newaxis] * 0.4


@given(st.integers(0, 2**32 - 1))
@settings(max_examples=examples(30))
def test_lower_is_better_is_higher_is_better_of_the_negated_scores(seed):
    """Ranks, letters, decisions and wins are the same; means and differences change their sign."""
    scores = np.random.default_rng(seed).integers(-3, 4, (5, 8)) / 2.0
    for baseline in (None, "b"):
        falling = matrix_of(scores, False).compare(baseline=baseline)
        rising = matrix_of(-scores).compare(baseline=baseline)
        one, other = falling.leaderboard(), rising.leaderboard()
        same = ["system", *([] if baseline else ["rank_low", "rank_high", "best", "letters"])]
        pd.testing.assert_frame_equal(one[same], other[same])
        np.testing.assert_allclose(one["mean"], -other["mean"], atol=1e-12)
        one, other = falling.to_frame(), rising.to_frame()
        same = ["system", "baseline", "p", "p_adjusted", "wins", "ties", "losses"]
        pd.testing.assert_frame_equal(one[same], other[same])
        np.testing.assert_allclose(one["difference"], -other["difference"], atol=1e-12)
        assert falling.summary == rising.summary


@pytest.mark.parametrize(
    ("rising", "won", "lost"), [(True, "Higher", "lower"), (False, "Lower", "higher")]
)
def test_the_sentence_of_a_difference_says_on_which_side_topics_are_won(rising, won, lost):
    scores = np.array([[1.0, 2, 3, 4], [0, 1, 2, 5]])
    found = matrix_of(scores if rising else -scores, rising).compare().difference("a", "b")
    assert f". {won} on 3 topics, {lost} on 1, equal on 0." in found.sentence("latency")


@pytest.mark.slow
@given(
    st.integers(0, 2**32 - 1),
    st.integers(1, 1000),
    st.sampled_from([1.0, 0.1, 1e-3, 1e-20, 100.0, 1e5, 1e20, 0.777]),
)
@settings(max_examples=examples(10))
def test_decisions_do_not_depend_on_the_unit_of_scores(seed, whole, unit):
    """Of shares k / n in any unit: the oracle is the differences of the whole numbers k."""
    counts = np.random.default_rng(seed).integers(0, 6, (5, 9))
    counts[4] = counts[3]
    boards, tables = [], []
    for scores in (counts.astype(float), unit * (counts / whole)):
        result = matrix_of(scores).compare(test="wilcoxon", correction="none")
        boards.append(result.leaderboard().drop(columns=["mean", "lower", "upper"]))
        tables.append(result.to_frame())
    pd.testing.assert_frame_equal(*boards)
    same = ["system", "baseline", "wins", "ties", "losses"]
    pd.testing.assert_frame_equal(tables[0][same], tables[1][same])
    np.testing.assert_allclose(tables[0]["p"], tables[1]["p"], rtol=1e-12)
    count_of = dict(zip(SYSTEMS, counts, strict=True))
    for row in tables[1].itertuples():
        exact = count_of[row.system] - count_of[row.baseline]
        counted = [(exact > 0).sum(), (exact == 0).sum(), (exact < 0).sum()]
        assert [row.wins, row.ties, row.losses] == counted
        assert (row.difference == 0) == (exact.sum() == 0)


def test_systems_that_differ_by_float_noise_only_are_equal():
    scores = np.array([[0.3] * 6, [0.1 + 0.2] * 6, [0.2] * 6])
    row = matrix_of(scores).compare(correction="none").to_frame().iloc[0]
    assert row[["difference", "effect", "p", "ties"]].tolist() == [0.0, 0.0, 1.0, 6]


def test_tables_show_the_lowest_mean_as_the_best_and_say_so():
    result = matrix_of(SCORES, False).compare(baseline="e")
    means = dict(zip(SYSTEMS, SCORES.mean(axis=1), strict=True))
    first = min(means, key=means.get)
    rows = result.paper_table("markdown").splitlines()
    assert rows[2].split()[1:4] == [first, "|", f"**{means[first]:.3f}**<sup>a</sup>"]
    assert "Lower is better: latency." in rows[-1]
    assert "Lower is better: latency" in repr(result)
    better = {row.split("|")[1].strip() for row in rows[2:-2] if "<sup>a</sup>" in row}
    assert better
    assert max(means[name] for name in better) < means["e"]


def frame_of(scores, measure="faithfulness"):
    rows = [
        (system, f"q{topic}", measure, value)
        for system, values in zip(SYSTEMS, scores, strict=False)
        for topic, value in enumerate(values.tolist())
    ]
    return pd.DataFrame(rows, columns=["system", "query_id", "measure", "value"])


@pytest.mark.parametrize("name", ["faithfulness", "f1@5", "hits@5", "nDCG@10 (reranked)", "a,b|c"])
def test_a_name_is_only_a_name(name):
    matrix = ScoreMatrix.from_frame(frame_of(SCORES, name))
    assert [str(measure) for measure in matrix.measures] == [name]
    result = matrix.compare()
    assert set(result.to_frame()["measure"]) == {name}
    assert len(result.leaderboard(name)) == 5
    np.testing.assert_array_equal(matrix[name], SCORES)
    assert matrix.select(name).measures == matrix.measures


def test_a_string_of_ir_measures_is_its_measure():
    matrix = ScoreMatrix.from_frame(frame_of(SCORES, "nDCG@10"))
    assert matrix.measures == (ir_measures.nDCG @ 10,)
    np.testing.assert_array_equal(matrix["ndcg_cut_10"], SCORES)


def test_names_that_mean_one_measure_stay_two_measures():
    both = pd.concat([frame_of(SCORES, "nDCG@10"), frame_of(SCORES + 1, "ndcg@10")])
    matrix = ScoreMatrix.from_frame(both)
    np.testing.assert_array_equal(matrix["ndcg@10"], SCORES + 1)
    np.testing.assert_array_equal(matrix["nDCG@10"], SCORES)


def test_higher_is_better_names_measures():
    both = pd.concat([frame_of(SCORES, "accuracy"), frame_of(SCORES, "seconds")])
    matrix = ScoreMatrix.from_frame(both, higher_is_better={"seconds": False})
    boards = [
        matrix.compare().leaderboard(name)["system"].tolist() for name in ("accuracy", "seconds")
    ]
    assert boards[0] == boards[1][::-1]
    with pytest.raises(InputError, match=r"no measure 'second' .* they have accuracy, seconds"):
        ScoreMatrix.from_frame(both, higher_is_better={"second": False})


@pytest.mark.slow
def test_reports_and_plots_take_any_score(tmp_path):
    pytest.importorskip("jinja2")
    pytest.importorskip("matplotlib")
    from irx_measures import plots

    both = pd.concat([frame_of(SCORES, "accuracy"), frame_of(SCORES * 900, "milliseconds")])
    matrix = ScoreMatrix.from_frame(both, higher_is_better={"milliseconds": False})
    result = matrix.compare()
    path = tmp_path / "report.html"
    irx_measures.report(result, path)
    page = path.read_text(encoding="utf-8")
    assert "has the lowest milliseconds" in page
    assert "has the highest accuracy" in page
    assert "Lower is better: milliseconds." in page
    data = json.loads(re.search(r'id="data">(.*?)</script>', page, re.S)[1])
    assert [measure["rising"] for measure in data["measures"]] == [True, False]
    ax = plots.leaderboard(result, "milliseconds")
    assert "Lower is better: milliseconds." in ax.irx_caption
    ticks = plots.topic_differences(result, "a", "e", "milliseconds").get_yticklabels()
    assert 3 <= len(ticks) <= 6
    assert plots.significance_pairs(result, "accuracy") is not None
    assert plots.system_scatter(matrix, "accuracy", "milliseconds").get_xlabel() == "accuracy"
