"""Unjudged documents by rank."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from irx_measures import InputError, evaluate, simulate_campaign
from irx_measures.meta import UnjudgedByRank, unjudged_by_rank

QRELS = {"q": {"A": 1, "B": 0, "C": -1}, "r": {"A": 1}}
RUNS = {
    "one": {"q": {"X": 5.0, "A": 4.0, "C": 3.0, "Y": 2.0}, "r": {"Z": 1.0}},
    "none": {"q": {"A": 1.0}},
}


def test_counts_are_by_rank_and_end_where_a_ranking_ends():
    result = unjudged_by_rank(RUNS, QRELS, depth=5)
    assert result.returned.tolist() == [[2, 1, 1, 1, 0], [1, 0, 0, 0, 0]]
    assert result.unjudged.tolist() == [[2, 0, 0, 1, 0], [0, 0, 0, 0, 0]]
    assert_allclose(result.share_at(2), [2 / 3, 0])
    assert_array_equal(result.shares(5)[1], [0, np.nan, np.nan, np.nan, np.nan])
    assert_allclose(result.shares(2), [[2 / 3, 0.5], [0, np.nan]])
    assert "3 of the 6 documents that 2 systems return at ranks 1 to 5 of 2 queries" in (
        result.summary
    )


def test_the_share_agrees_with_the_measure_judged():
    campaign = simulate_campaign(systems=4, queries=8, depth=30)
    result = unjudged_by_rank(campaign.runs, campaign.qrels, depth=30)
    judged = evaluate(campaign.runs, campaign.qrels, "Judged@10").aggregates[0]
    assert_allclose(result.share_at(10), 1 - judged)
    assert 0 < result.share_at(30).min() < result.share_at(30).max() < 1


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (
            lambda: unjudged_by_rank(RUNS, QRELS, 0),
            "`depth` must be a whole number of at least 1; got 0",
        ),
        (lambda: unjudged_by_rank({}, QRELS), "at least one run"),
        (lambda: unjudged_by_rank(RUNS, QRELS, 5).shares(6), "`bins` must be .*; got 6"),
        (lambda: unjudged_by_rank(RUNS, QRELS, 5).share_at(6), "`cutoff` must be .*; got 6"),
    ],
)
def test_out_of_range_is_refused(call, words):
    with pytest.raises(InputError, match=words):
        call()


def counts(returned, unjudged):
    names = tuple("abcdefgh"[: len(returned)])
    return UnjudgedByRank(names, 9, np.array(returned), np.array(unjudged))


BELOW = "Over ranks 1 to 3, {} are unjudged and count as not relevant."


@pytest.mark.parametrize(
    ("returned", "unjudged", "said"),
    [
        ([[0, 0, 0]], [[0, 0, 0]], "No system returns a document."),
        ([[9, 9, 9]], [[0, 0, 0]], "Every document in every top 3 is judged."),
        ([[9, 9, 9]], [[0, 0, 3]], "Every document in every top 2 is judged. " + BELOW),
        ([[9, 9, 9]], [[0, 1, 2]], "1 of the 18 documents in the top 2s is unjudged (6% of its"),
        (
            [[9, 9, 9], [9, 9, 9]],
            [[0, 1, 1], [0, 3, 2]],
            "4 of the 36 documents in the top 2s are unjudged; the largest share is that of b "
            "(17% of its top 2s). " + BELOW,
        ),
        (
            [[9, 9, 9]] * 3,
            [[0, 1, 1], [0, 1, 2], [0, 0, 4]],
            "; the largest share is that of a and b (6% of their top 2s).",
        ),
        ([[9, 9, 9]] * 4, [[0, 1, 0]] * 3 + [[0, 0, 0]], "that of 3 systems (6% of their top 2s)."),
        ([[9, 9, 9]] * 2, [[0, 1, 0]] * 2, "; every system has the same share (6% of its top 2s)."),
        ([[9, 9, 9], [0, 0, 0]], [[0, 1, 0], [0, 0, 0]], "that of a (6% of its top 2s)."),
        ([[9000, 9000, 9]], [[0, 1, 0]], "1 of the 18,000 documents in the top 2s is unjudged (0."),
    ],
)  # fmt: skip
def test_the_sentence(returned, unjudged, said):
    result = counts(returned, unjudged)
    total, found = sum(map(sum, unjudged)), sum(map(sum, returned))
    share = f"{100 * total / found:.0f}%" if found else ""
    assert said.format(share) in result.sentence(2)


def test_a_sentence_of_all_ranks_says_it_once():
    said = counts([[9, 9, 9]], [[0, 1, 2]]).sentence(100)
    assert said == (
        "3 of the 27 documents in the top 3s are unjudged (11% of its top 3s). "
        "Unjudged documents count as not relevant."
    )


def test_classes_start_at_their_limits():
    result = counts([[10] * 8], [[0, 1, 2, 3, 5, 6, 7, 10]])
    assert result.bins == 8
    assert result.classes.tolist() == [[0, 1, 1, 2, 3, 3, 4, 4]]
    assert counts([[5, 0]], [[5, 0]]).classes.tolist() == [[4, -1]]
    assert counts([[1] * 100], [[0] * 100]).bins == 20
