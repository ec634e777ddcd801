"""Names of measures as ranx, mteb, sentence-transformers, BEIR and trec_eval 10 write them."""

from __future__ import annotations

import re

import ir_measures
from ir_measures.util import parse_trec_measure

from ..common.warn import warn
from ..exceptions import InputError

NAME = re.compile(r"(?P<name>[A-Za-z][A-Za-z0-9_]*?)(?:(?:@|_at_)(?P<cutoff>[0-9]+))?")

# trec_eval writes a parameter after a point, an underscore or, in its output, both: unj.5, unj_5.
WITH_PARAMETERS = re.compile(r"(?P<name>\w+?)(?:[._@][-0-9.,=p]+|_at_[0-9]+|[0-9]+)?")

TREC_NUMBER = r"[0-9]+(?:\.[0-9]+)?"

TREC_NAME = re.compile(rf"(?P<name>[A-Za-z]\w*?)[._]?{TREC_NUMBER}(?:,{TREC_NUMBER})*")

# ranx writes the persistence as digits after the point, trec_eval 10 as rbp.p=.95 and rbp_p=.95.
PERSISTENCE = re.compile(r"rbp[._]?(?:p=)?0?\.(?P<digits>[0-9]+)", re.IGNORECASE)

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

# Names that no measure here means, by lower case, and why: a similar one gives another number.
WITHOUT_COUNTERPART = {
    "accuracy": "BEIR and sentence-transformers mean Success@k by it, mteb means R@1, and "
    "ir_measures' Accuracy is another measure",
    "dcg": "DCG that no ideal ranking divides; nDCG is divided",
    "f1": "F1 at a cutoff; SetF is over all returned documents",
    "gmap": "the geometric mean of AP over the queries; AP's mean is arithmetic",
    "hits": "the number of relevant documents in the top k; it is k times P@k",
    "hole": "the share of the top k that is judged for no query; Judged@k looks at its own query",
    "pmrr": "mteb's p-MRR compares two runs",
    "r_cap": "recall divided by k where more than k documents are relevant; R@k is not",
    "rbp": "write the persistence with a point, as in rbp.95 or RBP(p=0.95)",
    "rbp_resid": "the residual of RBP; write RBPBound(phi=0.9, bound=residual)",
    "unj": "the share of the top k that is unjudged; it is 1 - Judged@k",
}

# Other names of the same.
SAME = {"dcg_burges": "dcg", "recall_cap": "r_cap", "rbp_p": "rbp"}

NOT_THERE = "ir_measures has no such measure of trec_eval"


def measures_of_other_tools(text: str) -> list[ir_measures.Measure]:
    """The measures that another tool's name stands for; empty if it is no such name.

    InputError if no measure means what the name means.
    """
    match = NAME.fullmatch(text)
    name = match["name"] if match is not None else ""
    if name in ir_measures.measures.registry:
        return []
    of_trec = [] if {"@", "("}.intersection(text) else _of_trec_eval(text)
    if of_trec:
        return of_trec
    of_rbp = PERSISTENCE.fullmatch(text)
    if of_rbp is not None:
        return [ir_measures.RBP(p=float(f"0.{of_rbp['digits']}"))]
    why = _without_counterpart(text)
    if why:
        raise InputError(f"no measure means {text}: {why}")
    if match is None or match["cutoff"] is None or name.lower() not in MEANT:
        return []
    return [MEANT[name.lower()] @ int(match["cutoff"])]


def _of_trec_eval(text: str) -> list[ir_measures.Measure]:
    """The measures of a trec_eval name, or of its name for several measures."""
    import pytrec_eval

    names = sorted(pytrec_eval.supported_nicknames.get(text, [text]))
    by_name = {name: _parsed(name) for name in names}
    missing = [name for name, measures in by_name.items() if not measures and name != "runid"]
    if missing and text not in missing:
        warn(f"{text} is without {', '.join(missing)}, which ir_measures does not have")
    return [measure for measures in by_name.values() for measure in measures]


def _is_of_trec_eval(name: str) -> bool:
    import pytrec_eval

    return name in pytrec_eval.supported_measures


def _parsed(name: str) -> list[ir_measures.Measure]:
    """Parse a name with ir_measures. The check rejects ``P_5x``, which it reads as ``P_5``."""
    match = TREC_NAME.fullmatch(name)
    if not _is_of_trec_eval(name) and (match is None or not _is_of_trec_eval(match["name"])):
        return []
    try:
        return parse_trec_measure(name)
    except ValueError:  # ir_measures does not have this measure or argument
        return []


def _without_counterpart(text: str) -> str:
    """Why no measure means what a name means; empty if it is no such name."""
    match = WITH_PARAMETERS.fullmatch(text)
    plain = text if match is None else match["name"]
    for name in (text.lower(), plain.lower()):
        why = WITHOUT_COUNTERPART.get(SAME.get(name, name))
        if why:
            return why
    is_missing = "@" not in text and _is_of_trec_eval(plain) and not _parsed(plain)
    return NOT_THERE if is_missing else ""
