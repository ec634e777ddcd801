"""Group letters: against maximal cliques by brute force, and the property that defines them."""

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from irx_measures.stats.letters import group_letters, letter_names
from tests.examples import examples
from tests.stats.scores import campaign


@st.composite
def differences(draw, most_systems=9):
    """Symmetric matrices of which systems differ."""
    systems = draw(st.integers(1, most_systems))
    size = systems * (systems - 1) // 2
    return symmetric(draw(st.lists(st.booleans(), min_size=size, max_size=size)), systems)


def symmetric(upper, systems):
    differs = np.zeros((systems, systems), bool)
    differs[np.triu_indices(systems, 1)] = upper
    return differs | differs.T


def maximal_cliques(differs):
    """Every set in which no two systems differ, and to which no system can be added."""
    systems = range(len(differs))
    cliques = [
        set(members)
        for size in range(1, len(differs) + 1)
        for members in combinations(systems, size)
        if not any(differs[pair] for pair in combinations(members, 2))
    ]
    return [clique for clique in cliques if not any(clique < other for other in cliques)]


def check(differs, columns):
    """Two systems share a letter exactly if they do not differ; every system has a letter."""
    systems = len(differs)
    for one in range(systems):
        for other in range(systems):
            shared = any(one in column and other in column for column in columns)
            assert shared == (not differs[one, other])


@given(differences())
@settings(max_examples=examples(40))
def test_two_systems_share_a_letter_exactly_if_they_do_not_differ(differs):
    columns = group_letters(differs)
    check(differs, columns)
    assert all(set(column) in maximal_cliques(differs) for column in columns)
    assert columns == sorted(columns, key=sorted)


@given(differences())
@settings(max_examples=examples(15))
def test_no_letter_is_redundant(differs):
    columns = group_letters(differs)
    for column in columns:
        others = [other for other in columns if other != column]
        with pytest.raises(AssertionError):
            check(differs, others)


@pytest.mark.parametrize("share", [0.05, 0.3, 0.7, 0.95])
def test_larger_random_differences(share):
    upper = np.random.default_rng(0).random(24 * 23 // 2) < share
    differs = symmetric(upper, 24)
    check(differs, group_letters(differs))


def test_a_redundant_clique_has_no_letter():
    # Each side of the triangle 1, 2, 3 is also a side of another triangle.
    edges = {(1, 2), (2, 3), (1, 3), (0, 1), (0, 2), (2, 4), (3, 4), (1, 5), (3, 5)}
    differs = symmetric([pair not in edges for pair in combinations(range(6), 2)], 6)
    assert {1, 2, 3} in maximal_cliques(differs)
    assert group_letters(differs) == [{0, 1, 2}, {1, 3, 5}, {2, 3, 4}]


def test_campaigns_ordered_by_their_means_have_one_interval_per_letter_at_most():
    """A difference that depends on the means alone gives as many letters as intervals."""
    means = np.sort(campaign(40, 30).mean(axis=1))[::-1]
    columns = group_letters(np.abs(np.subtract.outer(means, means)) > 0.02)
    assert all(len(column) == max(column) - min(column) + 1 for column in columns)


def test_names_of_letters():
    assert letter_names(0) == []
    assert letter_names(3) == ["a", "b", "c"]
    names = letter_names(26 + 26**2 + 1)
    assert names[25:28] == ["z", "aa", "ab"]
    assert names[-2:] == ["zz", "aaa"]
    assert len(set(names)) == len(names)
