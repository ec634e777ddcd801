"""Tie groups, and the orders of tied documents with the greatest and the least overlap."""

import numpy as np
import pytest
from hypothesis import given
from numpy.testing import assert_array_equal

from irx_measures.kernels.tie_orders import Groups, extreme_order, extreme_ranks, tie_groups
from tests.examples import examples
from tests.oracles import rank_biased as oracle

from .tied_rankings import compare, has_few_orders, pairs, sides, small_pairs


@pytest.mark.parametrize(
    ("share", "last"), [(True, [[2, 2, 3], [2, 2, 0]]), (False, [[1, 2, 3], [1, 2, 0]])]
)
def test_nothing_stands_beyond_the_end_of_a_ranking(share, last):
    groups = tie_groups(np.array([[3, 3, 1], [2, 2, 2]]), np.array([3, 2]), share)
    assert_array_equal(groups.last, last)
    assert_array_equal(groups.first, [[1, 1, 3], [1, 1, 0]] if share else last)
    assert_array_equal(groups.length, [3, 2])


def overlaps(rank, depth):
    """The number of common documents at each depth, of untied rankings: (queries, depth)."""
    deeper = np.where(rank > 0, np.maximum(rank, np.arange(1, rank.shape[1] + 1)), depth + 1)
    return np.count_nonzero(deeper[:, np.newaxis] <= np.arange(1, depth + 1)[:, np.newaxis], axis=2)


def overlaps_of_all_orders(observed, reference, depth):
    values = [
        [oracle.overlap_at(x, y, d) for d in range(1, depth + 1)]
        for x in oracle.orders(observed)
        for y in oracle.orders(reference)
    ]
    return np.array(values)


def test_the_order_has_the_greatest_or_least_overlap_at_every_depth():
    drawn = small_pairs(examples(400), has_few_orders, seed=1)
    for greatest, best in ((True, np.max), (False, np.min)):
        rank, seen, ideal = extreme_order(*compare(*sides(drawn)), greatest)
        depth = max(seen.first.shape[1], ideal.first.shape[1])
        expected = [best(overlaps_of_all_orders(*pair, depth), axis=0) for pair in drawn]
        assert_array_equal(overlaps(rank, depth), expected)


@pytest.mark.parametrize("greatest", [True, False])
@given(drawn=pairs)
def test_documents_move_within_their_groups_only(greatest, drawn):
    old_rank, *old = compare(*sides(drawn))
    rank, *new = extreme_order(old_rank, *old, greatest)
    for groups, before in zip(new, old, strict=True):
        assert_array_equal(
            groups.first, np.where(before.first, np.arange(1, groups.first.shape[1] + 1), 0)
        )
        assert_array_equal(groups.first, groups.last)
    # As many documents as before have each pair of groups.
    for row in range(len(drawn)):
        pairs_of_groups = [
            sorted(
                (old[0].first[row, at - 1], old[1].first[row, column])
                for column, at in enumerate(ranking)
                if at
            )
            for ranking in (old_rank[row], rank[row])
        ]
        assert pairs_of_groups[0] == pairs_of_groups[1]
        placed = rank[row][rank[row] > 0]
        assert len(set(placed)) == len(placed)


@pytest.mark.parametrize("greatest", [True, False])
@given(drawn=pairs)
def test_each_rank_is_given_once_and_none_beyond_the_end(greatest, drawn):
    rank, *groups = compare(*sides(drawn))
    for side, new_ranks in zip(groups, extreme_ranks(rank, *groups, greatest), strict=True):
        own_rank = np.where(side.first > 0, np.arange(1, side.first.shape[1] + 1), 0)
        for row, length in enumerate(side.length):
            assert_array_equal(np.sort(new_ranks[row, :length]), own_rank[row, :length])
            assert not new_ranks[row, length:].any()


@pytest.mark.parametrize("greatest", [True, False])
@given(drawn=pairs)
def test_untied_rankings_keep_their_order(greatest, drawn):
    untied = [[oracle.untied(oracle.flat(side)) for side in pair] for pair in drawn]
    compared = compare(*sides(untied))
    for before, after in zip(compared, extreme_order(*compared, greatest), strict=True):
        assert_array_equal(np.asarray(before), np.asarray(after))


@pytest.mark.parametrize("greatest", [True, False])
@given(drawn=pairs)
def test_a_batch_equals_its_rows(greatest, drawn):
    rank, *_ = extreme_order(*compare(*sides(drawn)), greatest)
    for row, pair in enumerate(drawn):
        alone, *_ = extreme_order(*compare(*sides([pair])), greatest)
        assert_array_equal(rank[row, : alone.shape[1]], alone[0])
        assert not rank[row, alone.shape[1] :].any()


def test_documents_with_the_same_two_groups():
    # Three documents share both groups. Their order is common, or reversed in one ranking.
    both = [["a", "b", "c"]], [["c", "a", "b"]]
    assert_array_equal(overlaps(extreme_order(*compare(*sides([both])), True)[0], 3), [[1, 2, 3]])
    assert_array_equal(overlaps(extreme_order(*compare(*sides([both])), False)[0], 3), [[0, 1, 3]])


@pytest.mark.parametrize("width", [0, 3])
def test_no_queries(width):
    rank = np.zeros((0, width), int)
    groups = Groups(rank, rank)
    reordered, *both = extreme_order(rank, groups, groups, True)
    assert reordered.shape == (0, width)
    assert all(side.first.shape == (0, width) for side in both)
