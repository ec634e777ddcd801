"""Upper and expected value normalisation, straight from the paper's section 5 and 6."""

import math
from itertools import permutations
from typing import NamedTuple

from .bootstrap import gain
from .ranking import ranking


class Settings(NamedTuple):
    """Parameters of a raw measure."""

    base: str
    dcg: str = "exp-log2"
    rel: int = 1
    phi: float = 0.8
    cutoff: int | None = None


def raw(grades, settings):
    """A: the raw measure of grades in rank order."""
    base, cutoff = settings.base, settings.cutoff
    total, found, reads_on = 0.0, 0, 1.0
    for rank, grade in enumerate(grades[:cutoff], 1):
        relevant = grade >= settings.rel
        found += relevant
        if base == "nDCG":
            total += gain(grade, settings.dcg) / math.log2(rank + 1)
        elif base == "AP":
            total += found / rank * relevant
        elif base == "P":
            total += relevant / cutoff
        elif base == "RBP":
            total += (1 - settings.phi) * settings.phi ** (rank - 1) * relevant
        else:
            stop = float(relevant) if base == "RR" else (2 ** max(grade, 0) - 1) / 16
            total += reads_on * stop / rank
            reads_on *= 1 - stop
    return total


def candidates(qrels, run, kind):
    """Grades of the candidate documents of a query; unjudged ones have 0."""
    docs = {"judged": set(qrels), "run": set(run), "union": set(qrels) | set(run)}[kind]
    return [qrels.get(doc, 0) for doc in docs]


def actual(qrels, run, settings):
    return raw([qrels.get(doc, 0) for doc in ranking(run)], settings)


def upper(grades, settings):
    return raw(sorted(grades, reverse=True), settings)


def expected(grades, settings):
    """The mean raw score over all orders."""
    scores = [raw(order, settings) for order in permutations(grades)]
    return math.fsum(scores) / len(scores)


def independent(grades, settings):
    """The paper's expected sum of precision, rank by rank."""
    count = len(grades)
    share = sum(grade >= settings.rel for grade in grades) / max(count, 1)
    depth = count if settings.cutoff is None else min(count, settings.cutoff)
    return sum(share * share for _ in range(depth))


def version_1(a, iub, reb):
    if iub == 0 or a + reb == 0:
        return 0.0
    return (a / iub) * (a / (a + reb))


def version_2(a, iub, reb):
    if math.isclose(a, reb, rel_tol=0, abs_tol=1e-12 * iub):
        return 0.0
    return (a - reb) / (iub - reb) if a > reb else (a - reb) / reb
