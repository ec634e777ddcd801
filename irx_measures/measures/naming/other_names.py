"""Names of measures as ranx, mteb, sentence-transformers, BEIR and trec_eval 10 write them."""

from __future__ import annotations

import re
from typing import Any, NamedTuple

import ir_measures
from ir_measures.util import parse_trec_measure

from ...common.warn import warn
from ...exceptions import InputError

NAME = re.compile(r"(?P<name>[A-Za-z][A-Za-z0-9_-]*?)(?:(?:@|_at_)(?P<cutoff>[0-9]+))?")

# ranx writes the least relevant grade at the end: precision@5-l2. Scales of grades are short.
LEAST_GRADE = re.compile(r"(?P<name>.+)-l(?P<grade>[1-9][0-9]?)")

# trec_eval writes a parameter after a point, an underscore or, in its output, both: unj.5, unj_5.
WITH_PARAMETERS = re.compile(r"(?P<name>\w+?)(?:[._@][-0-9.,=p]+|_at_[0-9]+|[0-9]+)?")

TREC_NUMBER = r"[0-9]+(?:\.[0-9]+)?"

TREC_NAME = re.compile(rf"(?P<name>[A-Za-z]\w*?)[._]?{TREC_NUMBER}(?:,{TREC_NUMBER})*")

# ranx writes the persistence as digits after the point, trec_eval 10 as rbp.p=.95 and rbp_p=.95.
PERSISTENCE = re.compile(r"rbp[._]?(?:p=)?0?\.(?P<digits>[0-9]+)", re.IGNORECASE)

GRADED, BINARY = "gains", "rel"  # the parameter that says which grades count


class Meaning(NamedTuple):
    """What a name means, with the same values in the other tools as here."""

    measure: ir_measures.Measure
    counts: str = BINARY  # the parameter for a least relevant grade; empty: no measure means that
    needs_cutoff: bool = False
    takes_cutoff: bool = True

    def at(self, cutoff: int | None, least: int) -> ir_measures.Measure:
        """The measure at a cutoff, for which grades from `least` are relevant.

        A graded measure keeps the gains of these grades; lower grades have none.
        """
        params: dict[str, Any] = {} if cutoff is None else {"cutoff": cutoff}
        if least > 1 and self.counts == GRADED:
            params[GRADED] = dict.fromkeys(range(1, least), 0)
        elif least > 1:
            params[BINARY] = least
        return self.measure(**params)


MEANT = {
    "hit_rate": Meaning(ir_measures.Success, needs_cutoff=True),
    "hr": Meaning(ir_measures.Success, needs_cutoff=True),
    "map": Meaning(ir_measures.AP),
    "mrr": Meaning(ir_measures.RR),
    "ndcg": Meaning(ir_measures.nDCG, GRADED),
    "ndcg_burges": Meaning(ir_measures.nDCG(dcg="exp-log2"), "", needs_cutoff=True),
    "precision": Meaning(ir_measures.P, needs_cutoff=True),
    "r-precision": Meaning(ir_measures.Rprec, takes_cutoff=False),
    "recall": Meaning(ir_measures.R, needs_cutoff=True),
    "success": Meaning(ir_measures.Success, needs_cutoff=True),
}
"""The meanings of names, by the names in lower case."""

# Names that no measure here means, by lower case, and why: a similar one gives another number.
WITHOUT_COUNTERPART = {
    "accuracy": "BEIR and sentence-transformers mean Success@k by it, mteb means R@1, and "
    "ir_measures' Accuracy is another measure",
    "dcg": "DCG that no ideal ranking divides; nDCG is divided",
    "f1": "F1 at a cutoff; SetF is over all returned documents",
    "gmap": "the geometric mean of AP over the queries; AP's mean is arithmetic",
    "hit": "write hit_rate@k or Success@k for whether a relevant document is in the top k; ranx's "
    "hits are their number",
    "hits": "ranx means the number of relevant documents in the top k, which is k times P@k; "
    "TensorFlow Ranking means whether there is one, which is Success@k",
    "hole": "the share of the top k that is judged for no query; Judged@k looks at its own query",
    "pmrr": "mteb's p-MRR compares two runs",
    "r_cap": "recall divided by k where more than k documents are relevant; R@k is not",
    "rbp": "write the persistence with a point, as in rbp.95 or RBP(p=0.95)",
    "rbp_resid": "the residual of RBP; write RBPBound(phi=0.9, bound=residual)",
    "unj": "the share of the top k that is unjudged; it is 1 - Judged@k",
}

# Other names of the same.
SAME = {
    "acc": "accuracy",
    "top_k_acc": "accuracy",
    "top_k_accuracy": "accuracy",
    "dcg_burges": "dcg",
    "hit_ratio": "hit",
    "hitrate": "hit",
    "recall_cap": "r_cap",
    "rbp_p": "rbp",
}

NOT_THERE = "ir_measures has no such measure of trec_eval"


def rows_of_names() -> list[tuple[str, str, str]]:
    """The names that are read, the measures here, and these where ranx's name ends with -l2."""
    rows = []
    for name, meaning in MEANT.items():
        ends = [""] * (not meaning.needs_cutoff) + ["@k"] * meaning.takes_cutoff
        names = ", ".join(f"{name}{end}" for end in ends)
        measures = ", ".join(f"{meaning.measure}{end}" for end in ends)
        from_two = f"{meaning.at(None, 2)}{ends[-1]}" if meaning.counts else ""
        rows.append((names, measures, from_two))
    return rows


def rows_of_refused_names() -> list[tuple[str, str]]:
    """The names that are refused, and why."""
    others: dict[str, str] = {}
    for other, name in SAME.items():
        others[name] = f"{others.get(name, '')}, {other}"
    return [(f"{name}{others.get(name, '')}", why) for name, why in WITHOUT_COUNTERPART.items()]


def measures_of_other_tools(text: str) -> list[ir_measures.Measure]:
    """The measures that another tool's name stands for; empty if it is no such name.

    InputError if no measure means what the name means.
    """
    ended = LEAST_GRADE.fullmatch(text)
    if ended is not None:
        return _from_least_grade(text, ended["name"], int(ended["grade"]))
    match = NAME.fullmatch(text)
    is_ours = match is not None and match["name"] in ir_measures.measures.registry
    if is_ours and "_at_" not in text:
        return []
    of_trec = [] if {"@", "("}.intersection(text) else _of_trec_eval(text)
    if of_trec:
        return of_trec
    of_rbp = PERSISTENCE.fullmatch(text)
    if of_rbp is not None:
        return [ir_measures.RBP(p=float(f"0.{of_rbp['digits']}"))]
    _refuse_without_counterpart(text, text)
    return _meant(text)


def _from_least_grade(text: str, name: str, least: int) -> list[ir_measures.Measure]:
    """The measure of a name of ranx, for which grades from `least` are relevant."""
    is_of_rbp = PERSISTENCE.fullmatch(name) is not None  # ranx's multiplies by the grade
    if not is_of_rbp:
        _refuse_without_counterpart(text, name)
    meant = _meant(name, least)
    if not meant and (is_of_rbp or NAME.fullmatch(name)):
        known = ", ".join(name for name, meaning in MEANT.items() if meaning.counts)
        raise InputError(
            f"no measure means {text}: -l{least} may follow {known}; for another measure write "
            f"rel={least}, as in P(rel={least})@10"
        )
    return meant


def _meant(text: str, least: int = 1) -> list[ir_measures.Measure]:
    """The measure that a name in `MEANT` stands for; empty if it is no such name."""
    match = NAME.fullmatch(text)
    meaning = None if match is None else MEANT.get(match["name"].lower())
    if match is None or meaning is None or (least > 1 and not meaning.counts):
        return []
    if match["cutoff"] is None:
        if meaning.needs_cutoff:
            raise InputError(f"{text} needs a cutoff, as in {text}@10")
        return [meaning.at(None, least)]
    if not meaning.takes_cutoff:
        raise InputError(f"{match['name']} has no cutoff; got {text}")
    return [meaning.at(int(match["cutoff"]), least)]


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


def _refuse_without_counterpart(text: str, name: str) -> None:
    """InputError if no measure means what a name in a text means."""
    why = _without_counterpart(name)
    if why:
        raise InputError(f"no measure means {text}: {why}")


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
