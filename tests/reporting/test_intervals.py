"""Intervals of mean scores: from bootstrap quantiles, and over topics."""

import numpy as np
import pytest
from ir_measures import P, nDCG
from numpy.testing import assert_allclose

from irx_measures import Boot, BootNDCG, evaluate, simulate_campaign
from irx_measures.reporting.intervals import interval_columns, with_quantiles
from irx_measures.stats.intervals import topic_interval

MEASURES = [BootNDCG @ 10, nDCG @ 10, Boot(base="P", prior="run") @ 5]


@pytest.fixture(scope="module")
def campaign():
    return simulate_campaign(systems=4, queries=12, depth=30)


def columns(campaign, level):
    matrix = evaluate(campaign.runs, campaign.qrels, with_quantiles(MEASURES, level))
    return matrix, {column.name: column for column in interval_columns(matrix, MEASURES, level)}


def test_bootstrapped_measures_are_bounded_by_their_quantiles(campaign):
    matrix, named = columns(campaign, 90)
    assert list(named)[:6] == [
        "BootNDCG@10",
        "BootNDCG@10 90% lower",
        "BootNDCG@10 90% upper",
        "BootNDCG@10 90% lower over topics",
        "BootNDCG@10 90% upper over topics",
        "nDCG@10",
    ]
    assert len(named) == 5 + 3 + 5
    for name, stat in (("lower", "q5"), ("upper", "q95")):
        expected = matrix[BootNDCG(stat=stat) @ 10]
        got = named[f"BootNDCG@10 90% {name}"]
        assert_allclose(got.by_query, expected)
        assert_allclose(got.overall, expected.mean(axis=1))
    assert named["nDCG@10 90% lower over topics"].by_query is None


def test_a_wider_level_is_a_wider_interval(campaign):
    spans = []
    for level in (50, 90, 97.5):
        _, named = columns(campaign, level)
        spans.append(
            [
                named[f"{measure} {level:g}% upper{over}"].overall
                - named[f"{measure} {level:g}% lower{over}"].overall
                for measure in (MEASURES[0], MEASURES[2])
                for over in ("", " over topics")
            ]
        )
    assert (np.diff(spans, axis=0) >= 0).all()
    assert np.max(spans[2]) > np.max(spans[0]) > 0


def test_quantiles_are_spelled_without_exponents():
    spelled = {
        90: ["q5", "q95"],
        99.9: ["q0.05", "q99.95"],
        99.9999: ["q0.00005", "q99.99995"],
    }
    for level, stats in spelled.items():
        _, *quantiles = with_quantiles([BootNDCG @ 10], level)
        assert quantiles == [BootNDCG(stat=stat) @ 10 for stat in stats]


def test_the_interval_over_topics_covers_the_mean_as_often_as_it_says():
    # 500 draws have a standard error of 1.3 points; 0.07 is 4 of them, and 1.5 for the method.
    scores = np.random.default_rng(5).beta(2, 3, (500, 50))
    low, high = topic_interval(scores, 90)
    covered = ((low <= 0.4) & (high >= 0.4)).mean()
    assert covered == pytest.approx(0.9, abs=0.07)
    again = topic_interval(scores, 90)
    assert_allclose(again, (low, high))


def test_one_topic_has_no_interval():
    matrix = evaluate({"a": {"q": {"A": 1.0}}}, {"q": {"A": 1}}, P @ 5)
    with pytest.raises(ValueError, match="needs at least 2 queries; got 1"):
        interval_columns(matrix, [P @ 5], 90)
