"""NRG, UniqueRel and TaSC of one query, from Eq. 1 to 4 and Appendices B and C of the NRG paper.

`qrels` maps documents to grades, `ranking` lists documents, `priors` lists rankings.
"""

import math


def gain(grade, base, dcg="log2", rel=1):
    """G(d): the gain of a document that no prior returns."""
    if base != "nDCG":
        return 1.0 if grade >= rel else 0.0
    if grade <= 0:
        return 0.0
    return float(grade) if dcg == "log2" else 2.0**grade - 1.0


def seen(rank, base, phi=0.8):
    """Probability that the searcher sees the document at a rank."""
    if base == "nDCG":
        return 1.0 / math.log2(rank + 1)
    if base == "RBP":
        return phi ** (rank - 1)
    if base == "RR":
        return 1.0 / rank
    return 1.0


def residual_gains(qrels, priors, base, dcg="log2", rel=1, phi=0.8, cutoff=None):
    """G(d | priors) of every judged document (Eq. 3)."""
    residual = {}
    for doc, grade in qrels.items():
        left = gain(grade, base, dcg, rel)
        for prior in priors:
            if doc in prior[:cutoff]:
                left *= 1.0 - seen(prior.index(doc) + 1, base, phi)
        residual[doc] = left
    return residual


def nrg(
    qrels,
    ranking,
    priors=(),
    base="nDCG",
    dcg="log2",
    rel=1,
    phi=0.8,
    ideal="cutoff",
    cutoff=None,
):
    """S(R | priors) (Eq. 4)."""
    residual = residual_gains(qrels, priors, base, dcg, rel, phi, cutoff)
    total = 0.0
    for rank, doc in enumerate(ranking[:cutoff], 1):
        total += residual.get(doc, 0.0) * seen(rank, base, phi)
        if base == "RR" and doc in qrels and gain(qrels[doc], base, rel=rel) > 0:
            break
    if base == "RR":
        return total
    if base == "P":
        return total / cutoff
    if base == "RBP":
        return total / (1.0 / (1.0 - phi))
    depth = cutoff if ideal == "cutoff" or not priors else None
    best = sorted(residual.values(), reverse=True)[:depth]
    norm = sum(left * seen(rank, base) for rank, left in enumerate(best, 1))
    return total / norm if norm > 0 else 0.0


def unique_relevant(qrels, ranking, priors=(), rel=1, cutoff=None):
    """Number of relevant documents in the top k that no prior has in its top k (Appendix B)."""
    return float(
        sum(
            doc in qrels
            and qrels[doc] >= rel
            and not any(doc in prior[:cutoff] for prior in priors)
            for doc in ranking[:cutoff]
        )
    )


def tasc(qrels, ranking, priors=(), agg="max", **base):
    """Base score x (1 - aggregated score of the priors on the query)."""
    own = nrg(qrels, ranking, **base)
    covered = [nrg(qrels, prior, **base) for prior in priors]
    if not covered:
        return own
    return (1.0 - (max(covered) if agg == "max" else sum(covered) / len(covered))) * own
