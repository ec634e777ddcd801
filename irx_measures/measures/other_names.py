"""Names of measures as ranx, mteb, sentence-transformers, BEIR and trec_eval 10 write them."""

from __future__ import annotations

import re
from collections.abc import Collection

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

# Names that no measure here means, by lower case, and why: a similar name would give another
# number. From `gm_map` on, they are measures of trec_eval 10 that neither ir_measures nor this
# package has.
REASONS = {
    "accuracy": "BEIR and sentence-transformers mean Success@k by it, mteb means R@1, and "
    "ir_measures' Accuracy is another measure",
    "dcg dcg_burges": "DCG that no ideal ranking divides; nDCG is divided",
    "f1": "F1 at a cutoff; SetF is over all returned documents",
    "hits": "the number of relevant documents in the top k; it is k times P@k",
    "hole": "the share of the top k that is judged for no query; Judged@k looks at its own query",
    "pmrr": "mteb's p-MRR compares two runs",
    "r_cap recall_cap": "recall divided by k where more than k documents are relevant; R@k is not",
    "rbp rbp_p": "write the persistence with a point, as in rbp.95 or RBP(p=0.95)",
    "runid": "the name of the run, which every table shows",
    "gm_map": "the geometric mean of AP over the queries; take it from AP of each query",
    "gm_bpref": "the geometric mean of Bpref over the queries; take it from Bpref of each query",
    "relstring": "the grades of the top documents, which irx explain lists",
    "rprec_mult": "precision at multiples of R; only Rprec, at R itself, is here",
    "utility": "a weighted sum of document counts; take it from NumRelRet, NumRet and NumRel",
    "11pt_avg": "the mean of IPrec@0.0, IPrec@0.1, ... IPrec@1.0; ask for iprec_at_recall",
    "bing g ndcg_rel rndcg": "an experimental measure of trec_eval; nDCG gives other numbers",
    "ideal_dcg": "the DCG of the ideal ranking, which irx explain shows for nDCG",
    "relative_p": "P@k divided by the highest P@k that the query allows; set_relative_P is that of "
    "all returned documents",
    "num_nonrel_judged_ret": "the number of judged non-relevant documents, which no measure counts",
    "map_avgjg p_avgjg rprec_mult_avgjg": "the mean over several assessors' qrels; evaluate the "
    "qrels of each assessor",
    "yaap": "a transformed AP; AP itself gives other numbers",
    "rbp_resid": "the residual of RBP; write RBPBound(phi=0.9, bound=residual)",
    "unj": "the share of the top k that is unjudged; it is 1 - Judged@k",
    "prefs_num_prefs_poss prefs_num_prefs_ful prefs_num_prefs_ful_ret prefs_simp prefs_simp_ret "
    "prefs_simp_imp prefs_pair prefs_pair_ret prefs_pair_imp prefs_avgjg prefs_avgjg_ret "
    "prefs_avgjg_imp prefs_avgjg_rnonrel prefs_avgjg_rnonrel_ret": "it needs preferences between "
    "documents, which qrels do not have",
}

WITHOUT_COUNTERPART = {name: why for names, why in REASONS.items() for name in names.split()}


def measures_of_other_tools(text: str) -> list[ir_measures.Measure]:
    """The measures that another tool's name stands for; empty if it is no such name.

    Raises
    ------
    InputError
        When no measure means what the name means.
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
    if why is not None:
        raise InputError(f"no measure means {text}: {why}")
    if match is None or match["cutoff"] is None or name.lower() not in MEANT:
        return []
    return [MEANT[name.lower()] @ int(match["cutoff"])]


def _of_trec_eval(text: str) -> list[ir_measures.Measure]:
    """The measures of a trec_eval name, or of its name for several measures."""
    import pytrec_eval

    names = pytrec_eval.supported_nicknames.get(text, [text])
    by_name = {name: _parsed(name, pytrec_eval.supported_measures) for name in sorted(names)}
    missing = [name for name, measures in by_name.items() if not measures and name != "runid"]
    if missing and text not in missing:
        warn(f"{text} is without {', '.join(missing)}, which ir_measures does not have")
    return [measure for measures in by_name.values() for measure in measures]


def _parsed(name: str, known: Collection[str]) -> list[ir_measures.Measure]:
    """Parse a name with ir_measures. The check rejects ``P_5x``, which it reads as ``P_5``."""
    match = TREC_NAME.fullmatch(name)
    if name not in known and (match is None or match["name"] not in known):
        return []
    try:
        return parse_trec_measure(name)
    except ValueError:  # ir_measures does not have this measure or argument
        return []


def _without_counterpart(text: str) -> str | None:
    """Why no measure means what a name means; None if it is no such name."""
    if OF_SIMILARITY.fullmatch(text):
        return "a similarity in front stands for a run; write the measure alone, as in NDCG@10"
    match = WITH_PARAMETERS.fullmatch(text)
    plain = match["name"] if match is not None else text
    return WITHOUT_COUNTERPART.get(text.lower()) or WITHOUT_COUNTERPART.get(plain.lower())
