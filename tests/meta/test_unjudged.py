"""Unjudged documents by rank."""

from itertools import pairwise

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from irx_measures import evaluate, simulate_campaign
from irx_measures.meta import UnjudgedByRank, unjudged_by_rank

QRELS = {"q": {"A": 1, "B": 0, "C": -1}, "r": {"A": 1}}
RUNS = {
    "one": {"q": {"X": 5.0, "A": 4.0, "C": 3.0, "Y": 2.0}, "r": {"Z": 1.0}},
    "none": {"q": {"A": 1.0}},
}


def test_counts_are_by_rank_and_end_where_a_ranking_ends():
    result = unjudged_by_rank(QRELS, RUNS, depth=5)
    assert result.returned.tolist() == [[2, 1, 1, 1, 0], [1, 0, 0, 0, 0]]
    assert result.unjudged.tolist() == [[2, 0, 0, 1, 0], [0, 0, 0, 0, 0]]
    assert_allclose(result.share_at(2), [2 / 3, 0])
    assert_array_equal(result.shares[1], [0, np.nan, np.nan, np.nan, np.nan])
    assert_array_equal(result.shares[0], [1, 0, 0, 1, np.nan])
    assert result.summary.startswith("2 systems, 2 queries. 3 of the 6 documents in the top 5s")


def test_the_share_agrees_with_the_measure_judged():
    campaign = simulate_campaign(systems=4, queries=8, depth=30)
    result = unjudged_by_rank(campaign.qrels, campaign.runs, depth=30)
    judged = evaluate(campaign.qrels, campaign.runs, "Judged@10").aggregates[0]
    assert_allclose(result.share_at(10), 1 - judged)
    assert 0 < result.share_at(30).min() < result.share_at(30).max() < 1
    parts = [slice(start, end) for start, end in pairwise(result.edges)]
    assert [part.stop - part.start for part in parts] == [1, 2] * 10
    for part, share in zip(parts, result.shares.T, strict=True):
        assert_allclose(share, result.unjudged[:, part].sum(1) / result.returned[:, part].sum(1))


@pytest.mark.parametrize(
    ("returned", "unjudged", "start", "share"),
    [
        ([9, 9, 9], [0, 1, 2], "1 of the 18 documents in the top 2s is", "11%"),
        ([9000, 9000, 9], [0, 2, 0], "2 of the 18,000 documents in the top 2s are", "0.1%"),
        ([0, 0, 0], [0, 0, 0], "0 of the 0 documents in the top 2s are", "–"),
    ],
)
def test_the_sentence(returned, unjudged, start, share):
    found = UnjudgedByRank(("a",), 9, np.array([returned]), np.array([unjudged]))
    assert found.sentence(2) == (
        f"{start} unjudged; over ranks 1 to 3, {share}. Unjudged documents count as not relevant."
    )
