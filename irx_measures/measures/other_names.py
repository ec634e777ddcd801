"""Names of measures as ranx, mteb, sentence-transformers and BEIR write them."""

from __future__ import annotations

import re

import ir_measures

from ..exceptions import InputError

WITH_CUTOFF = re.compile(r"(?P<name>[A-Za-z][A-Za-z0-9_]*?)(?:@|_at_)(?P<cutoff>[0-9]+)")

# ranx writes the persistence as digits after the point: rbp.95 is .95.
RANX_RBP = re.compile(r"rbp\.(?P<digits>[0-9]+)", re.IGNORECASE)

# By lower case; each has the same values in these tools as here.
MEANT = {
    "hit_rate": "Success",
    "map": "AP",
    "mrr": "RR",
    "ndcg": "nDCG",
    "precision": "P",
    "recall": "R",
}

# Names that no measure here means: a similar name would give another number.
WITHOUT_COUNTERPART = {
    "f1": "F1 at a cutoff; SetF is over all returned documents",
    "hits": "the number of relevant documents in the top k; it is k times P@k",
}


def measure_of_other_tools(text: str) -> ir_measures.Measure | None:
    """The measure that another tool's name stands for; None if it is no such name.

    Raises
    ------
    InputError
        When no measure means what the name means.
    """
    of_rbp = RANX_RBP.fullmatch(text)
    if of_rbp is not None:
        return ir_measures.RBP(p=float(f"0.{of_rbp['digits']}"))
    match = WITH_CUTOFF.fullmatch(text)
    if match is None or match["name"] in ir_measures.measures.registry:
        return None
    name = match["name"].lower()
    if name in WITHOUT_COUNTERPART:
        raise InputError(f"no measure means {text}: {WITHOUT_COUNTERPART[name]}")
    if name not in MEANT:
        return None
    measure: ir_measures.Measure = ir_measures.measures.registry[MEANT[name]]
    return measure @ int(match["cutoff"])
