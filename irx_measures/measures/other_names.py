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


# trec_eval writes a parameter after a point, an underscore or, in its output, both: unj.5, unj_5.
WITH_PARAMETERS = re.compile(r"(?P<name>\w+?)(?:[._@][-0-9.,=p]+)?")

PREFERENCES = "it needs preferences between documents, which qrels do not have"
OF_ASSESSORS = "the mean over several assessors' qrels; evaluate the qrels of each assessor"
GAINS = "an experimental measure of trec_eval; nDCG gives other numbers"

# The measures of trec_eval 10 that neither ir_measures nor this package has.
OF_TREC_EVAL_ONLY = {
    "runid": "the name of the run, which every table shows",
    "gm_map": "the geometric mean of AP over the queries; take it from AP of each query",
    "gm_bpref": "the geometric mean of Bpref over the queries; take it from Bpref of each query",
    "relstring": "the grades of the top documents, which irx explain lists",
    "Rprec_mult": "precision at multiples of R; only Rprec, at R itself, is here",
    "utility": "a weighted sum of document counts; take it from NumRelRet, NumRet and NumRel",
    "11pt_avg": "the mean of IPrec@0.0, IPrec@0.1, ... IPrec@1.0; ask for iprec_at_recall",
    "binG": GAINS,
    "G": GAINS,
    "ideal_dcg": "the DCG of the ideal ranking, which irx explain shows for nDCG",
    "ndcg_rel": GAINS,
    "Rndcg": GAINS,
    "relative_P": "P@k divided by the highest P@k that the query allows; set_relative_P is that of "
    "all returned documents",
    "num_nonrel_judged_ret": "the number of judged non-relevant documents, which no measure counts",
    "map_avgjg": OF_ASSESSORS,
    "P_avgjg": OF_ASSESSORS,
    "Rprec_mult_avgjg": OF_ASSESSORS,
    "yaap": "a transformed AP; AP itself gives other numbers",
    "rbp_resid": "the residual of RBP; write RBPBound(phi=0.9, bound=residual)",
    "unj": "the share of the top k that is unjudged; it is 1 - Judged@k",
    **dict.fromkeys(
        (
            *("prefs_num_prefs_poss", "prefs_num_prefs_ful", "prefs_num_prefs_ful_ret"),
            *("prefs_simp", "prefs_simp_ret", "prefs_simp_imp"),
            *("prefs_pair", "prefs_pair_ret", "prefs_pair_imp"),
            *("prefs_avgjg", "prefs_avgjg_ret", "prefs_avgjg_imp"),
            *("prefs_avgjg_Rnonrel", "prefs_avgjg_Rnonrel_ret"),
        ),
        PREFERENCES,
    ),
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
    with_parameters = WITH_PARAMETERS.fullmatch(text)
    plain = with_parameters["name"] if with_parameters is not None else name
    why = OF_TREC_EVAL_ONLY.get(plain) or WITHOUT_COUNTERPART.get(plain.lower())
    why = why or WITHOUT_COUNTERPART.get(name.lower())
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
