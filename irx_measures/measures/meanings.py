"""What the factors and terms mean that `irx explain` shows: one line each."""

from __future__ import annotations

from .explained import Reasons

MEANINGS = {
    # Graded relevance and ranks.
    "gain": "what the document's grade is worth",
    "discount": "1 / log2(rank + 1)",
    "relevant": "1 if the grade is at least rel, else 0",
    "weight": "the probability that a user of the run sees its rank",
    "DCG": "the sum of gain x discount over the top k",
    "ideal": "the DCG of the ideal ranking",
    "precision": "the share of relevant documents down to this rank",
    "stop": "the probability that the user stops here: (2^grade - 1) / 16",
    "reached": "the probability that the user reads this far",
    "ERR": "the sum of stop x reached / rank",
    "hits": "relevant documents that the run returns",
    "found": "the sum that the documents of the top k make",
    "first": "the rank of the first relevant document",
    "N": "relevant documents of the query",
    "k": "the cutoff",
    "phi": "the persistence",
    # The gain beyond other runs.
    "priors": "the priors with the document in their top k, each with its rank",
    "n_priors": "the number of priors that count",
    "unseen": "the probability that no user of a prior saw the document",
    "residual_gain": "gain x unseen",
    "in_base": "what the document adds to the base score",
    # Rareness.
    "relevance": "Rel(d), in [0, 1]",
    "finders": "how many of the systems found the document",
    "rareness": "R(d), or R'(d) with form='mixture': 0 if every system found the document",
    "worth": "how much a relevant document counts: more, the fewer systems found it",
    "systems": "the systems, with this run",
    "alpha": "the weight of rareness",
    # Comparison with a reference, and bounds.
    "reference_rank": "the document's rank in the reference; 0: not in it",
    "reference_weight": "the weight of that rank; tied documents share theirs",
    "run_weight": "the weight of the document's rank in the run",
    "in_lower": "what the document adds to the lower bound",
    "depth": "the rank from which both lists have the document",
    "lower": "the lower bound",
    "upper": "the upper bound",
    "residual": "what further ranks of both lists could add",
    "b": "documents of the run that count",
    "r": "documents of the reference",
    "seen": "the part of the ranks that at least one list has",
    "rate": "the agreement at the end of the shorter list",
    "common": "documents in both lists",
    "shorter": "the length of the shorter list",
    "longer": "the length of the longer list",
    "tail": "the weight of all ranks after the last document",
    # Normalisation by random orders.
    "in_A": "what the document adds to A",
    "A": "the raw score of the run",
    "IUB": "the raw score of the ideal order of the candidates",
    "REB": "the mean raw score of all orders of the candidates",
    "n": "the candidates: documents that a random order permutes",
    # Unjudged documents.
    "unjudged": "unjudged documents in the top k",
    "in_DCG": "what the document adds to DCG",
    "added": "the most that the unjudged documents can add by this bound",
    "greatest": "the largest nDCG over all grades of the unjudged documents",
    "mode": "the most frequent score",
    "mean": "the mean of the scores of all samples",
    "std": "their standard deviation",
    "median": "half of the scores are lower",
}
"""By name. Where a measure means something else by a name, its `Reasons` say so."""


def meanings_of(reasons: Reasons) -> dict[str, str]:
    """The meaning of each factor and term, in the order of their use."""
    known = {**MEANINGS, **reasons.meanings}
    used = dict.fromkeys([*reasons.factors, *reasons.terms])
    return {name: known[name] for name in used if name in known}
