"""Every way in which two rankings can continue, tied documents included, and how each scores.

A completion ranks the documents that a ranking lacks of a universe of documents. Beyond the
completions, both rankings go on alike. A completion of both is scored by the definitions: the
documents of its depths and tie groups are counted, not the bounds' formulas evaluated.
"""

from itertools import combinations
from math import comb

import numpy as np

from . import rank_biased as oracle


def ordered_partitions(docs):
    """Every sequence of tie groups of some documents."""
    if not docs:
        yield []
    for count in range(1, len(docs) + 1):
        for group in combinations(docs, count):
            rest = [doc for doc in docs if doc not in group]
            for others in ordered_partitions(rest):
                yield [list(group), *others]


def completions(ranking, universe, ties=True):
    """Every continuation of a ranking by the other documents of a universe."""
    rest = [doc for doc in universe if doc not in oracle.flat(ranking)]
    for groups in ordered_partitions(rest):
        if ties or len(groups) == len(rest):
            yield ranking + groups


def universe_of(one, other, new):
    """The documents of both rankings and some new ones."""
    names = [("new", number) for number in range(new)]
    return [*dict.fromkeys(oracle.flat(one) + oracle.flat(other)), *names]


def completed_overlaps(one, other, phi, variant, new=1, ties=True):
    """RBO of every pair of completions: (completions of one, completions of the other) floats."""
    universe = universe_of(one, other, new)
    sides = [list(completions(ranking, universe, ties)) for ranking in (one, other)]
    total = phi ** len(universe) * np.ones((len(sides[0]), len(sides[1])))
    for depth in range(1, len(universe) + 1):
        tops = [[oracle.membership(side, depth, variant) for side in part] for part in sides]
        sizes = [[oracle.size(top, depth, variant) for top in part] for part in tops]
        one_top, other_top = (
            np.array([[top[doc] for doc in universe] for top in part]) for part in tops
        )
        product, mean = np.multiply.outer(*sizes), np.add.outer(*sizes) / 2
        divisor = np.sqrt(product) if variant == "b" else mean
        total += (1 - phi) * phi ** (depth - 1) * (one_top @ other_top.T) / divisor
    return total


def completed_alignments(one, other, phi, new=1):
    """RBA of every pair of completions: (completions of one, completions of the other) floats."""
    universe = universe_of(one, other, new)
    roots = []
    for ranking in (one, other):
        weights = [oracle.weights(side, phi) for side in completions(ranking, universe)]
        roots.append(np.sqrt([[side[doc] for doc in universe] for side in weights]))
    return roots[0] @ roots[1].T + phi ** len(universe)


def count_completions(ranking, universe):
    """The number of completions: the ordered Bell number of the documents that the ranking lacks.

    It is the sum over the size of the first tie group.
    """
    bell = [1]
    for docs in range(1, len(universe) + 1):
        bell.append(sum(comb(docs, first) * bell[docs - first] for first in range(1, docs + 1)))
    return bell[len(universe) - len(oracle.flat(ranking))]
