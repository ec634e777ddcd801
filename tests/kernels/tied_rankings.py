"""Rankings with ties for tests, and the arrays that the kernels take for them.

A ranking is a list of tie groups (lists of documents), best first.
"""

from math import factorial, prod

import numpy as np
from hypothesis import strategies as st

from irx_measures.kernels.tie_orders import tie_groups
from tests.oracles import rank_biased as oracle
from tests.oracles.rank_completions import count_completions, universe_of

DOCS = "abcdefgh"
phis = st.floats(0.05, 0.95)


@st.composite
def tied_rankings(draw, docs=DOCS, min_size=0, max_size=6, ties=True):
    ranked = draw(
        st.lists(st.sampled_from(docs), unique=True, min_size=min_size, max_size=max_size)
    )
    groups = []
    for doc in ranked:
        if ties and groups and draw(st.booleans()):
            groups[-1].append(doc)
        else:
            groups.append([doc])
    return groups


pairs = st.lists(st.tuples(tied_rankings(), tied_rankings()), min_size=1, max_size=4)


def small_pairs(count, suits, seed=20):
    """Pairs of random rankings of 0 to 6 documents of 8 that suit, by a fixed seed."""
    draw, found = np.random.default_rng(seed), []
    while len(found) < count:
        pair = tuple(_random_ranking(draw) for _ in range(2))
        if suits(*pair):
            found.append(pair)
    return found


def _random_ranking(draw):
    docs = draw.permutation(list(DOCS))[: draw.integers(0, 7)].tolist()
    tied, groups = draw.random(len(docs)) < draw.choice([0.2, 0.5, 0.8]), []
    for doc, with_last in zip(docs, tied, strict=True):
        if groups and with_last:
            groups[-1].append(doc)
        else:
            groups.append([doc])
    return groups


def has_few_orders(observed, reference):
    """Whether at most 1500 pairs of orders of the tied documents exist."""
    return prod(factorial(len(group)) for group in observed + reference) <= 1500


def has_few_completions(observed, reference, new=1, most=6000):
    """Whether few pairs of completions exist with the other's documents and new ones."""
    universe = universe_of(observed, reference, new)
    return prod(count_completions(side, universe) for side in (observed, reference)) <= most


def as_groups(rankings, share=True):
    """Rankings, one per row, as the kernels' tie groups."""
    flat = [oracle.flat(ranking) for ranking in rankings]
    width = max(map(len, flat), default=0)
    level = np.zeros((len(rankings), width))
    for row, ranking in enumerate(rankings):
        numbers = [number for number, group in enumerate(ranking) for _ in group]
        level[row, : len(numbers)] = numbers
    return tie_groups(level, np.array([len(docs) for docs in flat], int), share)


def ranks(observed, reference):
    """Rank at which each observation has each document of its reference."""
    width = max((len(oracle.flat(ranking)) for ranking in reference), default=0)
    rank = np.zeros((len(reference), width), int)
    for row, (seen, ideal) in enumerate(zip(observed, reference, strict=True)):
        order = oracle.flat(seen)
        for column, doc in enumerate(oracle.flat(ideal)):
            rank[row, column] = order.index(doc) + 1 if doc in order else 0
    return rank


def compare(observed, reference):
    """The rankings as the kernels take them: rank, tie groups of both sides."""
    return ranks(observed, reference), as_groups(observed), as_groups(reference)


def sides(drawn):
    """The observed rankings and the references of pairs."""
    return [list(side) for side in zip(*drawn, strict=True)]
