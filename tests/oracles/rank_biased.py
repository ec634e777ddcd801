"""Rank-biased recall, alignment, overlap and precision, straight from their definitions.

Rankings are lists of tie groups (lists of documents), best first. Functions that know no ties take
lists of documents. Infinite sums stop when their terms are negligible.
"""

from functools import lru_cache
from itertools import permutations, product
from math import ceil, log, sqrt


def enough(phi):
    """Depth beyond which geometric weights are below 1e-17, for rankings of up to 50 documents."""
    return ceil(40 / -log(phi)) + 50


def flat(groups):
    return [doc for group in groups for doc in group]


# Recall and alignment


def weights(groups, phi):
    """The weight of every document: that of its rank, shared within its tie group."""
    shared, rank = {}, 0
    for group in groups:
        total = sum((1 - phi) * phi ** (rank + place) for place in range(len(group)))
        shared |= dict.fromkeys(group, total / len(group))
        rank += len(group)
    return shared


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
    """Each list continues with what it lacks of the other's groups, tied; then both agree."""
    longer = observed + lacking(observed, reference)
    other = reference + lacking(reference, observed)
    return rba(longer, other, phi) + phi ** len(flat(longer))


def lacking(ranking, other):
    """The documents of the other list that a ranking lacks, in the other's tie groups."""
    rest = [[doc for doc in group if doc not in flat(ranking)] for group in other]
    return [group for group in rest if group]


# Overlap without ties: Webber, Moffat and Zobel (2010)


@lru_cache
def tail(phi, depth):
    """The sum of phi^(d-1) / d over the depths d beyond a depth."""
    return sum(phi ** (d - 1) / d for d in range(depth + 1, enough(phi)))


def overlap_at(one, other, depth):
    return len(set(one[:depth]) & set(other[:depth]))


def rbo_to(one, other, phi, depth):
    """The sum of Eq. 4 down to a depth."""
    overlaps = ((d, overlap_at(one, other, d)) for d in range(1, depth + 1))
    return (1 - phi) * sum(phi ** (d - 1) / d * overlap for d, overlap in overlaps)


def rbo(one, other, phi):
    depth = max(len(one), len(other))
    beyond = overlap_at(one, other, depth) * tail(phi, depth)
    return rbo_to(one, other, phi, depth) + (1 - phi) * beyond


def rbo_upper(one, other, phi):
    """Each list continues with the other's extra documents, then both with common new ones."""
    longer = one + [doc for doc in other if doc not in one]
    further = other + [doc for doc in one if doc not in other]
    return rbo_to(longer, further, phi, len(longer)) + phi ** len(longer)


def rbo_ext(one, other, phi):
    """Eq. 32 of the paper."""
    short, long = sorted((one, other), key=len)
    s, l = len(short), len(long)  # noqa: E741 - the paper's names
    if not l:
        return 0.0
    x = [overlap_at(short, long, depth) for depth in range(l + 1)]
    total = sum(x[d] / d * phi**d for d in range(1, l + 1))
    if s:
        total += sum(x[s] * (d - s) / (s * d) * phi**d for d in range(s + 1, l + 1))
    rate = x[s] / s if s else 0.0
    return (1 - phi) / phi * total + ((x[l] - x[s]) / l + rate) * phi**l


# Orders of tied documents


def orders(groups):
    """Every order of the documents within their tie groups."""
    for parts in product(*(list(permutations(group)) for group in groups)):
        yield [doc for part in parts for doc in part]


def over_orders(measure, one, other, phi):
    """The values of a measure that knows no ties, over all orders of both lists' ties."""
    return [measure(x, y, phi) for x in orders(one) for y in orders(other)]


def untied(docs):
    return [[doc] for doc in docs]


def untied_rba(observed, reference, phi):
    return rba(untied(observed), untied(reference), phi)


def untied_rba_upper(observed, reference, phi):
    return rba_upper(untied(observed), untied(reference), phi)


# Overlap with ties: Corsi and Urbano (2024)


def ranks(groups):
    """The first and last rank of every document's tie group."""
    spans, rank = {}, 0
    for group in groups:
        spans |= dict.fromkeys(group, (rank + 1, rank + len(group)))
        rank += len(group)
    return spans


def membership(groups, depth, ties):
    """How much each document of a list belongs to its top `depth`, by document.

    For 'w' a group belongs to it as soon as its first rank does. Otherwise a document belongs to
    it by the share of its group's orders that place the document there.
    """
    belongs = {}
    for doc, (first, last) in ranks(groups).items():
        if first > depth:
            belongs[doc] = 0.0
        elif ties == "w" or last <= depth:
            belongs[doc] = 1.0
        else:
            belongs[doc] = (depth - first + 1) / (last - first + 1)
    return belongs


def size(belongs, depth, ties):
    """The size of a list's top `depth`, as the denominators of 'w' and 'b' count it.

    `belongs` is the membership in a list that reaches the depth.
    """
    if ties == "w":
        return sum(belongs.values())
    return sum(value**2 for value in belongs.values()) if ties == "b" else depth


def agreement(short, long, depth, ties):
    """Overlap and denominator of two lists' tops; a list counts fully beyond its end."""
    belongs = [membership(groups, depth, ties) for groups in (short, long)]
    overlap = sum(belongs[0][doc] * belongs[1][doc] for doc in belongs[0] if doc in belongs[1])
    sizes = [depth if depth > len(docs) else size(docs, depth, ties) for docs in belongs]
    return overlap, (sqrt(sizes[0] * sizes[1]) if ties == "b" else sum(sizes) / 2)


def rbo_with_ties(one, other, phi, ties, bound):
    """RBO^w, RBO^a and RBO^b of Corsi and Urbano, and 'share', whose 'ext' is the orders' mean."""
    if bound == "residual":
        upper, lower = (rbo_with_ties(one, other, phi, ties, end) for end in ("upper", "lower"))
        return upper - lower
    short, long = sorted((one, other), key=lambda groups: len(flat(groups)))
    s, l = len(flat(short)), len(flat(long))  # noqa: E741 - the paper's names
    common = len(set(flat(short)) & set(flat(long)))
    seen, depths = agreement(short, long, s, ties)
    rate = seen / depths if s else 0.0
    total = 0.0
    for depth in range(1, l + 1):
        overlap, divisor = agreement(short, long, depth, ties)
        if depth > s:
            overlap += continuation(short, long, depth, ties, bound, rate)
        total += phi ** (depth - 1) * overlap / divisor
    if bound == "lower":
        total += common * tail(phi, l)
    elif bound == "upper":
        # From the summed length of both lists on, all documents may be common.
        union = s + l - common
        total += sum((2 * d - union) / d * phi ** (d - 1) for d in range(l + 1, union + 1))
        return (1 - phi) * total + phi**union
    elif l:
        return (1 - phi) * total + (common + (l - s) * rate) / l * phi**l
    return (1 - phi) * total


def continuation(short, long, depth, ties, bound, rate):
    """What the shorter list may add to the overlap by its documents after its end.

    They are documents that the longer list has alone; 'upper' takes those that belong to its top
    most, and 'ext' assumes that a share `rate` of them is common.
    """
    added = depth - len(flat(short))
    belongs = membership(long, depth, ties)
    alone = sorted((belongs[doc] for doc in flat(long) if doc not in flat(short)), reverse=True)
    if bound == "lower":
        return 0.0
    if bound == "upper":
        return sum(alone[:added])
    appearing = [value for value in alone if value > 0]
    average = 1.0 if ties == "share" else sum(appearing) / len(appearing)
    return added * rate * average


# Precision


def rbp(ranking, relevant, phi):
    return sum((1 - phi) * phi**place for place, doc in enumerate(ranking) if doc in relevant)


def rbp_residual(ranking, judged, phi):
    unjudged = sum((1 - phi) * phi**p for p, doc in enumerate(ranking) if doc not in judged)
    return unjudged + phi ** len(ranking)
