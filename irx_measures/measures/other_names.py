"""Names of measures as ranx, mteb, sentence-transformers, BEIR and trec_eval 10 write them."""

from __future__ import annotations

import re

import ir_measures

from ..exceptions import InputError

NAME = re.compile(r"(?P<name>[A-Za-z][A-Za-z0-9_]*?)(?:(?:@|_at_)(?P<cutoff>[0-9]+))?")

# ranx writes the persistence as digits after the point, trec_eval 10 as rbp.p=.95 and rbp_p=.95.
PERSISTENCE = re.compile(r"rbp[._]?(?:p=)?0?\.(?P<digits>[0-9]+)", re.IGNORECASE)

# Other numbers after RBP would be read as a cutoff.
NO_PERSISTENCE = re.compile(r"rbp(?:_p|_?[0-9]+)?", re.IGNORECASE)

# sentence-transformers has a run for each similarity, and names it before the measure.
OF_SIMILARITY = re.compile(
    r"(?:cos_sim|cosine|dot|dot_score|euclidean|manhattan)[-_].+", re.IGNORECASE
)

# By lower case; each has the same values in these tools as here.
MEANT = {
    "hit_rate": ir_measures.Success,
    "hr": ir_measures.Success,
    "map": ir_measures.AP,
    "mrr": ir_measures.RR,
    "ndcg": ir_measures.nDCG,
    "ndcg_burges": ir_measures.nDCG(dcg="exp-log2"),
    "precision": ir_measures.P,
    "recall": ir_measures.R,
}

CAPPED = "recall divided by k where more than k documents are relevant; R@k is not"
NOT_NORMALISED = "DCG that no ideal ranking divides; nDCG is divided"

# Names that no measure here means: a similar name would give another number.
WITHOUT_COUNTERPART = {
    "accuracy": "BEIR and sentence-transformers mean Success@k by it, mteb means R@1, and "
    "ir_measures' Accuracy is another measure",
    "dcg": NOT_NORMALISED,
    "dcg_burges": NOT_NORMALISED,
    "f1": "F1 at a cutoff; SetF is over all returned documents",
    "hits": "the number of relevant documents in the top k; it is k times P@k",
    "hole": "the share of the top k that is judged for no query; Judged@k looks at its own query",
    "pmrr": "mteb's p-MRR compares two runs",
    "r_cap": CAPPED,
    "recall_cap": CAPPED,
}


def measure_of_other_tools(text: str) -> ir_measures.Measure | None:
    """The measure that another tool's name stands for; None if it is no such name.

    Raises
    ------
    InputError
        When no measure means what the name means.
    """
    of_rbp = PERSISTENCE.fullmatch(text)
    if of_rbp is not None:
        return ir_measures.RBP(p=float(f"0.{of_rbp['digits']}"))
    match = NAME.fullmatch(text)
    name = match["name"] if match is not None else ""
    if name in ir_measures.measures.registry:
        return None
    why = WITHOUT_COUNTERPART.get(name.lower())
    if OF_SIMILARITY.fullmatch(text):
        why = "a similarity in front stands for a run; write the measure alone, as in NDCG@10"
    elif NO_PERSISTENCE.fullmatch(name):
        why = "write the persistence with a point, as in rbp.95 or RBP(p=0.95)"
    if why is not None:
        raise InputError(f"no measure means {text}: {why}")
    if match is None or match["cutoff"] is None or name.lower() not in MEANT:
        return None
    measure: ir_measures.Measure = MEANT[name.lower()]
    return measure @ int(match["cutoff"])
