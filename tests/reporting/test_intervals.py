"""Intervals of mean scores: from bootstrap quantiles, and over topics."""

from functools import partial

import numpy as np
import pytest
from ir_measures import P, nDCG
from numpy.testing import assert_allclose

from irx_measures import Boot, BootNDCG, RunSet, evaluate, simulate_campaign
from irx_measures.io.trec import read_qrels
from irx_measures.measures.mean_intervals import mean_intervals
from irx_measures.reporting.intervals import (
    interval_columns,
    learned_intervals,
    with_quantiles,
)
from irx_measures.reporting.tables import score_output
from irx_measures.results.tables import MARKUPS
from tests.campaigns import random_campaign
from tests.doubts import MISSED_QUERIES, NEW_SYSTEMS, UNCALIBRATED

pytestmark = [NEW_SYSTEMS, MISSED_QUERIES]

MEASURES = [BootNDCG @ 10, nDCG @ 10, Boot(base="P", prior="run") @ 5]


@pytest.fixture(scope="module")
def campaign():
    return simulate_campaign(systems=4, queries=12, depth=30)


def columns(campaign, level):
    matrix = evaluate(campaign.qrels, campaign.runs, with_quantiles(MEASURES, level))
    return matrix, {column.name: column for column in interval_columns(matrix, MEASURES, level)}


def test_bootstrapped_measures_are_bounded_by_their_quantiles(campaign):
    matrix, named = columns(campaign, 0.9)
    assert list(named)[:6] == [
        "BootNDCG@10",
        "BootNDCG@10 90% interval over missing judgments: lower",
        "BootNDCG@10 90% interval over missing judgments: upper",
        "BootNDCG@10 90% t interval over topics: lower",
        "BootNDCG@10 90% t interval over topics: upper",
        "nDCG@10",
    ]
    assert len(named) == 5 + 3 + 5
    for name, stat in (("lower", "q5"), ("upper", "q95")):
        expected = matrix[BootNDCG(stat=stat) @ 10]
        got = named[f"BootNDCG@10 90% interval over missing judgments: {name}"]
        assert_allclose(got.by_query, expected)
        assert_allclose(got.overall, expected.mean(axis=1))
    assert named["nDCG@10 90% t interval over topics: lower"].by_query is None


@pytest.mark.parametrize("form", ["table", *MARKUPS])
@pytest.mark.parametrize(
    ("measures", "ends", "meaning"),
    [
        (MEASURES, ["judgments lower", "judgments upper", "topics lower", "topics upper"],
         "judgments lower, judgments upper: mean of the 90% intervals of all queries, with "
         "drawn grades of unjudged documents. topics lower, topics upper: 90% t interval over "
         "topics."),
        ([nDCG @ 10], ["lower", "upper"], "lower, upper: 90% t interval over topics."),
    ],
)  # fmt: skip
def test_people_are_told_which_interval_an_end_is_of(campaign, form, measures, ends, meaning):
    matrix = evaluate(campaign.qrels, campaign.runs, with_quantiles(measures, 0.9))
    of = partial(interval_columns, measures=measures, level=0.9)
    text = " ".join(score_output(matrix, form, 3, columns_of=of).text.split())
    for end in ends:
        assert f"{measures[0]} {end}" in text
    assert meaning.replace("%", r"\%" if form == "latex" else "%") in text


def test_an_interval_of_a_learned_mean_is_called_so(campaign):
    measure = BootNDCG(prior="learned", stat="mean") @ 10
    matrix = evaluate(campaign.qrels, campaign.runs, with_quantiles([measure], 0.9))
    ends = np.zeros((2, len(matrix.systems)))
    column = interval_columns(matrix, [measure], 0.9, {measure: ends})[1]
    assert column.meaning == (
        "judgments lower, judgments upper: 90% interval of the mean with drawn grades of "
        "unjudged documents."
    )


def test_quantiles_are_spelled_without_exponents():
    spelled = {
        0.9: ["q5", "q95"],
        0.999: ["q0.05", "q99.95"],
        0.999999: ["q0.00005", "q99.99995"],
    }
    for level, stats in spelled.items():
        _, *quantiles = with_quantiles([BootNDCG @ 10], level)
        assert quantiles == [BootNDCG(stat=stat) @ 10 for stat in stats]


def test_one_topic_has_no_interval():
    matrix = evaluate({"q": {"A": 1}}, {"a": {"q": {"A": 1.0}}}, P @ 5)
    with pytest.raises(ValueError, match="needs at least 2 queries; got 1"):
        interval_columns(matrix, [P @ 5], 0.9)


@UNCALIBRATED
def test_intervals_of_a_learned_prior_are_those_of_the_mean():
    campaign = random_campaign(6, ties=False, queries=30)
    measure = BootNDCG(prior="learned", stat="mean", b=400) @ 10
    qrels, runset = read_qrels(campaign.qrels), RunSet(campaign.runs)
    matrix = evaluate(qrels, runset, with_quantiles([measure], 0.9))
    ends = learned_intervals([measure, nDCG @ 10], 0.9, qrels, runset)
    assert list(ends) == [measure]
    assert_allclose(ends[measure], mean_intervals(measure, qrels, runset, 0.9))
    columns = {
        column.name.removeprefix(str(measure)): column
        for column in interval_columns(matrix, [measure], 0.9, ends)
    }
    for place, (end, share) in enumerate((("lower", 5), ("upper", 95))):
        column = columns[f" 90% interval over missing judgments: {end}"]
        assert_allclose(column.by_query, matrix[measure(stat=f"q{share}")])
        assert_allclose(column.overall, ends[measure][place])
