"""Intervals of mean scores: from bootstrap quantiles, and over topics."""

import numpy as np
import pytest
from ir_measures import P, nDCG
from numpy.testing import assert_allclose

from irx_measures import Boot, BootNDCG, RunSet, evaluate, scope, simulate_campaign
from irx_measures.io.trec import read_qrels
from irx_measures.measures.bootstrap import samples_of, tilted_scores
from irx_measures.measures.mean_intervals import mean_intervals
from irx_measures.reporting.intervals import (
    interval_columns,
    learned_intervals,
    with_quantiles,
)
from irx_measures.stats.intervals import METHODS, topic_interval
from tests.campaigns import random_campaign
from tests.doubts import MISSED_QUERIES, NEW_SYSTEMS, UNCALIBRATED

pytestmark = [NEW_SYSTEMS, MISSED_QUERIES]

MEASURES = [BootNDCG @ 10, nDCG @ 10, Boot(base="P", prior="run") @ 5]


@pytest.fixture(scope="module")
def campaign():
    return simulate_campaign(systems=4, queries=12, depth=30)


def columns(campaign, level):
    matrix = evaluate(campaign.runs, campaign.qrels, with_quantiles(MEASURES, level))
    return matrix, {column.name: column for column in interval_columns(matrix, MEASURES, level)}


def test_bootstrapped_measures_are_bounded_by_their_quantiles(campaign):
    matrix, named = columns(campaign, 0.9)
    assert list(named)[:6] == [
        "BootNDCG@10",
        "BootNDCG@10 90% lower",
        "BootNDCG@10 90% upper",
        "BootNDCG@10 90% t interval over topics: lower",
        "BootNDCG@10 90% t interval over topics: upper",
        "nDCG@10",
    ]
    assert len(named) == 5 + 3 + 5
    for name, stat in (("lower", "q5"), ("upper", "q95")):
        expected = matrix[BootNDCG(stat=stat) @ 10]
        got = named[f"BootNDCG@10 90% {name}"]
        assert_allclose(got.by_query, expected)
        assert_allclose(got.overall, expected.mean(axis=1))
    assert named["nDCG@10 90% t interval over topics: lower"].by_query is None


def test_a_wider_level_is_a_wider_interval(campaign):
    spans = []
    for level in (0.5, 0.9, 0.975):
        _, named = columns(campaign, level)
        spans.append(
            [
                named[f"{measure} {100 * level:g}% {over}upper"].overall
                - named[f"{measure} {100 * level:g}% {over}lower"].overall
                for measure in (MEASURES[0], MEASURES[2])
                for over in ("", "t interval over topics: ")
            ]
        )
    assert (np.diff(spans, axis=0) >= 0).all()
    assert np.max(spans[2]) > np.max(spans[0]) > 0


def test_quantiles_are_spelled_without_exponents():
    spelled = {
        0.9: ["q5", "q95"],
        0.999: ["q0.05", "q99.95"],
        0.999999: ["q0.00005", "q99.99995"],
    }
    for level, stats in spelled.items():
        _, *quantiles = with_quantiles([BootNDCG @ 10], level)
        assert quantiles == [BootNDCG(stat=stat) @ 10 for stat in stats]


@pytest.mark.parametrize("method", METHODS)
def test_the_interval_over_topics_covers_the_mean_as_often_as_it_says(method):
    # 500 draws have a standard error of 1.3 points; 0.07 is 4 of them, and 1.5 for the method.
    scores = np.random.default_rng(5).beta(2, 3, (500, 50))
    low, high = topic_interval(scores, 0.9, method)
    covered = ((low <= 0.4) & (high >= 0.4)).mean()
    assert covered == pytest.approx(0.9, abs=0.07)
    again = topic_interval(scores, 0.9, method)
    assert_allclose(again, (low, high))


def test_one_topic_has_no_interval():
    matrix = evaluate({"a": {"q": {"A": 1.0}}}, {"q": {"A": 1}}, P @ 5)
    with pytest.raises(ValueError, match="needs at least 2 queries; got 1"):
        interval_columns(matrix, [P @ 5], 0.9)


@UNCALIBRATED
def test_intervals_of_a_learned_prior_are_those_of_the_mean():
    campaign = random_campaign(6, ties=False, queries=30)
    measure = BootNDCG(prior="learned", stat="mean", b=400) @ 10
    qrels, runset = read_qrels(campaign.qrels), RunSet(campaign.runs)
    matrix = evaluate(runset, qrels, with_quantiles([measure], 0.9))
    ends = learned_intervals([measure, nDCG @ 10], 0.9, runset, qrels)
    assert list(ends) == [measure]
    assert_allclose(ends[measure], mean_intervals(measure, runset, qrels, 0.9))
    columns = {
        column.name.removeprefix(str(measure)): column
        for column in interval_columns(matrix, [measure], 0.9, ends)
    }
    for place, (end, share) in enumerate((("lower", 5), ("upper", 95))):
        column = columns[f" 90% {end}"]
        assert_allclose(column.by_query, matrix[measure(stat=f"q{share}")])
        assert_allclose(column.overall, ends[measure][place])


def test_a_common_direction_of_errors_widens_the_interval_of_a_mean():
    campaign = random_campaign(6, ties=False, queries=30)
    measure = BootNDCG(prior="learned", b=400) @ 10
    qrels, runset = read_qrels(campaign.qrels), RunSet(campaign.runs)
    tilted = [scores.mean(axis=0).std() for scores in tilted_scores(measure, runset, qrels)]
    with scope(runset):
        independent = [
            np.mean(list(samples_of(measure, qrels, run).values()), axis=0).std()
            for run in runset.each()
        ]
    assert (np.array(tilted) > 1.1 * np.array(independent)).all()
