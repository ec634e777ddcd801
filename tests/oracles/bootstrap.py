"""Algorithm 1, its exact distribution, its mode and the bounds of nDCG, for one query.

`qrels` maps documents to grades, `top` lists the documents of the top k.
"""

import math
from collections import Counter
from itertools import product

import numpy as np


def gain(grade, dcg):
    return max(grade, 0) if dcg == "log2" else 2 ** max(grade, 0) - 1


def dcg_of(grades, dcg, k):
    return sum(gain(g, dcg) / math.log2(rank + 1) for rank, g in enumerate(grades[:k], 1))


def ideal(grades, dcg, k):
    return dcg_of(sorted(grades, reverse=True), dcg, k)


def base_score(grades, pool, base, k, dcg="log2", rel=1, phi=0.8):
    """Base measure of a ranking's grades; the ideal ranking has the pool's grades."""
    relevant = [g >= rel for g in grades]
    if base == "nDCG":
        best = ideal(pool, dcg, k)
        return dcg_of(grades, dcg, k) / best if best else 0.0
    if base == "P":
        return sum(relevant) / k
    if base == "RBP":
        return sum((1 - phi) * phi**i * r for i, r in enumerate(relevant))
    total = sum(g >= rel for g in pool)
    precision = sum(sum(relevant[: i + 1]) / (i + 1) for i, r in enumerate(relevant) if r)
    return precision / total if total else 0.0


def clipped(qrels):
    return {doc: max(grade, 0) for doc, grade in qrels.items()}


def share(grades):
    counts = Counter(grades)
    return {grade: count / len(grades) for grade, count in counts.items()} if grades else {0: 1.0}


def prior_of(qrels, top, prior, every=None):
    """Probability of each grade; `every` lists the grades of all queries for pool='all'."""
    of_run = share([qrels[doc] for doc in top if doc in qrels])
    of_pool = share(list(qrels.values()) if every is None else every)
    if prior == "run" or (prior == "pool+run" and not any(doc in qrels for doc in top)):
        return of_run
    if prior == "pool":
        return of_pool
    grades = {*of_run, *of_pool}
    return {grade: (of_pool.get(grade, 0) + of_run.get(grade, 0)) / 2 for grade in grades}


def given(target, left):
    """The grade that a document gets, given the grades left in the pool."""
    if left[target] > 0:
        return target
    lower = [grade for grade, count in left.items() if count > 0 and 0 <= grade < target]
    return max(lower, default=0)


def one_sample(qrels, top, prior, draws):
    """Grades of the top k; those of unjudged documents come from draws in [0, 1)."""
    left = Counter(grade for doc, grade in qrels.items() if doc not in top)
    waiting = iter(draws)
    grades = []
    for doc in top:
        if doc in qrels:
            grades.append(qrels[doc])
            continue
        draw, target, below = next(waiting), 0, 0.0
        for grade in sorted(prior):
            if draw >= below:
                target = grade
            below += prior[grade]
        grade = given(target, left)
        left[grade] -= 1
        grades.append(grade)
    return grades


def distribution(qrels, top, prior):
    """All possible grades of the top k, with their probabilities, built up draw by draw."""
    outcomes = [((), Counter(g for doc, g in qrels.items() if doc not in top), 1.0)]
    for doc in top:
        following = []
        for grades, left, probability in outcomes:
            if doc in qrels:
                following.append(((*grades, qrels[doc]), left, probability))
                continue
            for target, chance in prior.items():
                grade = given(target, left)
                rest = left.copy()
                rest[grade] -= 1
                following.append(((*grades, grade), rest, probability * chance))
        outcomes = following
    return [(grades, probability) for grades, _, probability in outcomes if probability > 0]


def mode(samples):
    """The authors' mode: keep the fullest of 20 bins, twice; then take the largest sample."""
    left = np.asarray(samples)
    for _ in range(2):
        low, high = left.min(), left.max()
        if high - low <= 1e-4:
            break
        place = np.minimum(((left - low) * (20 / (high - low))).astype(int), 19)
        counts = np.bincount(place, minlength=20)
        left = left[np.isin(place, np.flatnonzero(counts == counts.max()))]
    return left.max()


def naive_upper(qrels, top, dcg, k):
    left = sorted((grade for doc, grade in qrels.items() if doc not in top), reverse=True)
    grades = [qrels[doc] if doc in qrels else (left.pop(0) if left else 0) for doc in top]
    best = ideal(list(qrels.values()), dcg, k)
    return dcg_of(grades, dcg, k) / best if best else 0.0


def with_grades(qrels, top, given_grades, dcg, k):
    """nDCG if the unjudged documents had these grades, which the ideal ranking includes."""
    waiting = iter(given_grades)
    grades = [qrels[doc] if doc in qrels else next(waiting) for doc in top]
    best = ideal([*qrels.values(), *given_grades], dcg, k)
    return dcg_of(grades, dcg, k) / best if best else 0.0


def rbp_upper(qrels, top, dcg, k, max_grade):
    unjudged = sum(doc not in qrels for doc in top)
    return with_grades(qrels, top, [max_grade] * unjudged, dcg, k)


def guaranteed_lower(qrels, top, dcg, k, max_grade):
    best = dcg_of([max(max_grade, *qrels.values())] * k, dcg, k)
    return dcg_of([qrels.get(doc, 0) for doc in top], dcg, k) / best if best else 0.0


def guaranteed_upper(qrels, top, dcg, k, max_grade):
    """The highest nDCG over all assignments of grades."""
    unjudged = sum(doc not in qrels for doc in top)
    return max(
        with_grades(qrels, top, given_grades, dcg, k)
        for given_grades in product(range(max_grade + 1), repeat=unjudged)
    )
