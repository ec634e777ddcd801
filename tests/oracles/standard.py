"""ir_measures' own measures from their definitions, one query at a time.

`docs` is a ranking of document ids, `qrels` maps documents to grades. A document of negative grade
counts as unjudged.
"""

import math


def relevant(qrels, rel):
    return {doc for doc, grade in qrels.items() if grade >= rel}


def judged_only(docs, qrels):
    return [doc for doc in docs if qrels.get(doc, -1) >= 0]


def dcg(grades):
    total = 0.0
    for rank, grade in enumerate(grades, 1):
        if grade > 0:
            total += grade / math.log2(rank + 1)
    return total


def ndcg(docs, qrels, cutoff=None):
    ideal = dcg(sorted(qrels.values(), reverse=True)[:cutoff])
    return dcg([qrels.get(doc, 0) for doc in docs[:cutoff]]) / ideal if ideal else 0.0


def exponential_dcg(grades):
    return sum((2**grade - 1) / math.log(rank + 1) for rank, grade in enumerate(grades, 1))


def exponential_ndcg(docs, qrels, cutoff):
    positive = {doc: grade for doc, grade in qrels.items() if grade > 0}
    ideal = exponential_dcg(sorted(positive.values(), reverse=True)[:cutoff])
    found = exponential_dcg([positive.get(doc, 0) for doc in docs[:cutoff]])
    return found / ideal if ideal else 0.0


def err(docs, qrels, cutoff, highest=4):
    """Expected reciprocal rank: of a user who stops at a document by its grade."""
    total, reached = 0.0, 1.0
    for rank, doc in enumerate(docs[:cutoff], 1):
        stop = (2 ** max(qrels.get(doc, 0), 0) - 1) / 2**highest
        total += stop * reached / rank
        reached *= 1 - stop
    return total


def hits(docs, qrels, rel, cutoff=None):
    return len(relevant(qrels, rel).intersection(docs[:cutoff]))


def precision(docs, qrels, rel, cutoff):
    return hits(docs, qrels, rel, cutoff) / cutoff


def recall(docs, qrels, rel, cutoff=None):
    wanted = relevant(qrels, rel)
    return hits(docs, qrels, rel, cutoff) / len(wanted) if wanted else 0.0


def average_precision(docs, qrels, rel, cutoff=None):
    wanted, total, found = relevant(qrels, rel), 0.0, 0
    for rank, doc in enumerate(docs[:cutoff], 1):
        if doc in wanted:
            found += 1
            total += found / rank
    return total / len(wanted) if wanted else 0.0


def reciprocal_rank(docs, qrels, rel, cutoff=None):
    wanted = relevant(qrels, rel)
    return next((1 / rank for rank, doc in enumerate(docs[:cutoff], 1) if doc in wanted), 0.0)


def r_precision(docs, qrels, rel):
    size = len(relevant(qrels, rel))
    return precision(docs, qrels, rel, size) if size else 0.0


def success(docs, qrels, rel, cutoff):
    return 1.0 if hits(docs, qrels, rel, cutoff) else 0.0


def bpref(docs, qrels, rel):
    """Buckley and Voorhees, with trec_eval's bound: at most R nonrelevant documents count."""
    wanted = relevant(qrels, rel)
    unwanted = relevant(qrels, 0) - wanted
    total, above = 0.0, 0
    for doc in docs:
        if doc in unwanted:
            above += 1
        elif doc in wanted and above:
            bound = min(len(unwanted), len(wanted))
            total += 1.0 - min(above, len(wanted)) / bound
        elif doc in wanted:
            total += 1.0
    return total / len(wanted) if wanted else 0.0


def inferred_ap(docs, qrels, rel, epsilon=0.00001):
    """Yilmaz and Aslam: a document of negative grade is in the pool, but not judged."""
    wanted = relevant(qrels, rel)
    total = 0.0
    for place, doc in enumerate(docs):
        if doc not in wanted:
            continue
        if not place:
            total += 1.0
            continue
        above = [qrels[other] for other in docs[:place] if other in qrels]
        good = sum(grade >= rel for grade in above)
        bad = sum(0 <= grade < rel for grade in above)
        in_pool = len(above) / place
        expected = (good + epsilon) / (good + bad + 2 * epsilon)
        total += 1.0 / (place + 1.0) + (place / (place + 1.0)) * in_pool * expected
    return total / len(wanted) if wanted else 0.0


def interpolated_precision(docs, qrels, rel, recall):
    """The highest precision at any rank from which on the recall is reached."""
    wanted = relevant(qrels, rel)
    needed = math.floor(recall * len(wanted) + 0.9)
    reached = [
        hits(docs, qrels, rel, rank) / rank
        for rank in range(1, len(docs) + 1)
        if hits(docs, qrels, rel, rank) >= needed
    ]
    return max(reached, default=0.0)


def set_precision(docs, qrels, rel):
    return hits(docs, qrels, rel) / len(docs) if docs else 0.0


def relative_set_precision(docs, qrels, rel):
    most = min(len(docs), len(relevant(qrels, rel)))
    return hits(docs, qrels, rel) / most if most else 0.0


def set_f(docs, qrels, rel, beta):
    precise, complete = set_precision(docs, qrels, rel), recall(docs, qrels, rel)
    if not precise:
        return 0.0
    return (beta + 1.0) * precise * complete / (beta * precise + complete)


def set_ap(docs, qrels, rel):
    whole = len(docs) * len(relevant(qrels, rel))
    return hits(docs, qrels, rel) ** 2 / whole if whole else 0.0


def judged_share(docs, qrels, cutoff=None):
    top = docs[:cutoff]
    return sum(doc in qrels for doc in top) / len(top) if top else 0.0


def score_order(documents):
    """Documents by score, descending, then by id, ascending."""
    return sorted(documents, key=lambda doc: (-documents[doc], doc))


def gdeval_order(documents):
    """Documents by score, descending, then by id, descending."""
    return sorted(documents, key=lambda doc: (documents[doc], doc), reverse=True)
