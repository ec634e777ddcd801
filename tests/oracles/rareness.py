"""P_Rareness and AP_Rareness of one query, from Eq. 1 to 4 of the rareness paper.

`qrels` maps documents to grades, `ranking` lists documents, `systems` lists the rankings of all
systems, including the evaluated one.
"""

from .bootstrap import gain


def relevance(doc, qrels, rel=1, dcg=None):
    """Rel(d): 0 or 1, or with `dcg` the gain over the largest gain of the query."""
    if qrels.get(doc, 0) < rel:
        return 0.0
    if dcg is None:
        return 1.0
    return gain(qrels[doc], dcg) / gain(max(qrels.values()), dcg)


def worth(doc, systems, depth, alpha, form):
    """What a relevant document is worth."""
    found = sum(doc in system[:depth] for system in systems)
    if form == "additive":
        return 1.0 + alpha * (1.0 - found / len(systems))
    if len(systems) == 1:
        return 1.0 - alpha
    # S_d is at least 1: the evaluated system found the document, perhaps beyond `depth`.
    rarity = 1.0 - (max(found, 1) - 1) / (len(systems) - 1)
    return (1.0 - alpha) + alpha * rarity


def rewards(
    qrels, ranking, systems, alpha=1.0, rel=1, depth=None, form="additive", dcg=None, cutoff=None
):
    """Rel(d) and Rel(d) times the worth of d, for each rank down to the cutoff."""
    if alpha == "importance":
        alpha = 1.0 / max(1, relevant(qrels, rel))
    depth = cutoff if depth is None else depth
    found = []
    for doc in ranking[:cutoff]:
        value = relevance(doc, qrels, rel, dcg)
        found.append((value, value * worth(doc, systems, depth, alpha, form)))
    return found


def relevant(qrels, rel=1):
    """Number of relevant documents."""
    return sum(grade >= rel for grade in qrels.values())


def p_rareness(qrels, ranking, systems, cutoff, **params):
    """P@k_Rareness (Eq. 1, or Eq. 4 with form='mixture')."""
    found = rewards(qrels, ranking, systems, cutoff=cutoff, **params)
    return sum(reward for _, reward in found) / cutoff


def ap_rareness(qrels, ranking, systems, rel=1, cutoff=None, **params):
    """AP_Rareness (Eq. 3)."""
    if relevant(qrels, rel) == 0:
        return 0.0
    found = rewards(qrels, ranking, systems, rel=rel, cutoff=cutoff, **params)
    total = 0.0
    for rank, (value, _) in enumerate(found, 1):
        total += value * sum(reward for _, reward in found[:rank]) / rank
    return total / relevant(qrels, rel)
