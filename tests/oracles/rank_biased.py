"""Rank-biased recall, alignment, overlap and precision, straight from their definitions.

Rankings are lists of tie groups (lists of documents), best first. Infinite sums stop when their
terms are negligible.
"""

from itertools import permutations, product
from math import ceil, log, sqrt


def enough(phi):
    """Depth beyond which geometric weights are below 1e-17, for rankings of up to 50 documents."""
    return ceil(40 / -log(phi)) + 50


def weights(groups, phi):
    """The weight of every document: that of its rank, shared within its tie group."""
    shared, rank = {}, 0
    for group in groups:
        total = sum((1 - phi) * phi ** (rank + place) for place in range(len(group)))
        shared |= dict.fromkeys(group, total / len(group))
        rank += len(group)
    return shared


def flat(groups):
    return [doc for group in groups for doc in group]


def rbr(observed, reference, phi):
    return sum(weight for doc, weight in weights(reference, phi).items() if doc in flat(observed))


def rbr_residual(observed, reference, phi):
    known = flat(reference)
    unknown = [doc for doc in flat(observed) if doc not in known]
    return sum((1 - phi) * phi ** (len(known) + place) for place in range(len(unknown)))


def rba(observed, reference, phi):
    there = weights(reference, phi)
    return sum(sqrt(w * there[doc]) for doc, w in weights(observed, phi).items() if doc in there)


def rba_upper(observed, reference, phi):
    """Algorithm 1: each list continues with the other's extra documents, then both agree."""
    only_observed = [doc for doc in flat(observed) if doc not in flat(reference)]
    only_reference = [doc for doc in flat(reference) if doc not in flat(observed)]
    longer = observed + [[doc] for doc in only_reference]
    other = reference + [[doc] for doc in only_observed]
    return rba(longer, other, phi) + phi ** len(flat(longer))


def overlap_at(observed, reference, depth):
    return len(set(observed[:depth]) & set(reference[:depth]))


def rbo(observed, reference, phi):
    common = [doc for doc in observed if doc in reference]
    depths = sorted(max(observed.index(doc), reference.index(doc)) + 1 for doc in common)
    total, overlap = 0.0, 0
    for depth in range(1, enough(phi)):
        while overlap < len(depths) and depths[overlap] <= depth:
            overlap += 1
        total += phi ** (depth - 1) / depth * overlap
    return (1 - phi) * total


def rbo_upper(observed, reference, phi):
    """Each list continues with the other's extra documents, then both with common new ones."""
    only_observed = [doc for doc in observed if doc not in reference]
    only_reference = [doc for doc in reference if doc not in observed]
    longer, other = observed + only_reference, reference + only_observed
    known = rbo_to(longer, other, phi, len(longer))
    alike = sum(phi ** (depth - 1) for depth in range(len(longer) + 1, enough(phi)))
    return (1 - phi) * (known + alike)


def rbo_to(observed, reference, phi, depth):
    """The sum of Eq. 5 down to a depth."""
    return sum(phi ** (d - 1) / d * overlap_at(observed, reference, d) for d in range(1, depth + 1))


def rbo_ext(observed, reference, phi):
    """Eq. 32 of Webber, Moffat and Zobel (2010)."""
    short, long = sorted((observed, reference), key=len)
    s, l = len(short), len(long)  # noqa: E741 - the paper's names
    if not l:
        return 0.0
    x = [overlap_at(short, long, depth) for depth in range(l + 1)]
    total = sum(x[d] / d * phi**d for d in range(1, l + 1))
    if s:
        total += sum(x[s] * (d - s) / (s * d) * phi**d for d in range(s + 1, l + 1))
    rate = x[s] / s if s else 0.0
    return (1 - phi) / phi * total + ((x[l] - x[s]) / l + rate) * phi**l


def orders(groups):
    """Every order of the documents within their tie groups."""
    for parts in product(*(list(permutations(group)) for group in groups)):
        yield [doc for part in parts for doc in part]


def mean_over_orders(measure, observed, reference, phi):
    values = [measure(b, r, phi) for b in orders(observed) for r in orders(reference)]
    return sum(values) / len(values)


def rbp(ranking, relevant, phi):
    return sum((1 - phi) * phi**place for place, doc in enumerate(ranking) if doc in relevant)


def rbp_residual(ranking, judged, phi):
    unjudged = sum((1 - phi) * phi**p for p, doc in enumerate(ranking) if doc not in judged)
    return unjudged + phi ** len(ranking)
