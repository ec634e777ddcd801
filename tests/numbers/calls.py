"""The calls whose numbers must stay: what they read, what they ask, and the arrays they give."""

import contextlib
import io
import json
import os
import re
import tempfile
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pandas as pd

import irx_measures
from irx_measures import judging, meta, persistence
from irx_measures.cli.main import main
from irx_measures.stats.correlation import COEFFICIENTS

ROOT = Path(__file__).resolve().parents[2]
DATA = Path(os.environ.get("IRX_DATA") or ROOT.parent / "shared" / "data")

SAMPLED = """\
simulated: 9 systems, 12 queries; dl19: 37 runs; trec8: 22 of 129 runs; covid: 4 runs.
Tests, boards and studies: the measures of COMPARED. Explained: two queries of the first and the
middle run. Learned: dl19 and covid; judging: 8 systems and 12 topics of dl19, and the simulated
campaign. Reproductions: all five papers on the data that is here."""

Arrays = Iterator[tuple[str, object]]


class Collection(NamedTuple):
    name: str
    runs: dict
    qrels: object
    groups: dict | None


def _others(**params):
    return {"prior": "others", **params}


VARIANTS = {
    "NRG": [{"base": base} for base in ("nDCG", "P", "RBP", "RR")]
    + [_others(base=base) for base in ("nDCG", "P", "RBP", "RR")]
    + [_others(select=select) for select in ("best-per-group", "other-groups", "earlier")]
    + [_others(ideal="all"), _others(dcg="exp-log2"), _others(exclude_self=False)],
    "UniqueRel": [_others(), _others(select="earlier"), _others(rel=2)],
    "TaSC": [_others(), _others(agg="mean", base="RR"), _others(base="P")],
    "P_Rareness": [
        {"systems": "others", **more}
        for more in ({}, {"form": "mixture"}, {"alpha": 0.5}, {"alpha": "importance"}, {"depth": 5})
    ],
    "AP_Rareness": [
        {"systems": "others", **more} for more in ({}, {"dcg": "log2"}, {"form": "mixture"})
    ],
    "RBR": [{"bound": bound, "ties": ties} for bound in ("lower", "upper", "residual")
            for ties in ("share", "break", "least", "greatest")],
    "RBA": [{"bound": bound, "ties": ties} for bound in ("lower", "upper", "residual")
            for ties in ("share", "break", "least", "greatest")],
    "RBO": [{"bound": bound, "ties": ties} for bound in ("lower", "upper", "ext", "residual")
            for ties in ("share", "a", "w", "b", "break", "least", "greatest")],
    "RBPBound": [{"bound": bound, "phi": 0.8} for bound in ("lower", "upper", "residual")],
    "nDCG_UE": [{"version": version, "candidates": of}
                for version in (1, 2) for of in ("judged", "run", "union")],
    "AP_UE": [{"version": 1}, {"expectation": "exact"}, {"candidates": "union"}],
    "UE": [{"base": base, "version": version} for version in (1, 2)
           for base in ("nDCG", "AP", "P", "RBP", "ERR", "RR")],
    "Expected": [{"base": base} for base in ("nDCG", "AP", "P", "RBP", "ERR", "RR")],
    "UpperBound": [{"base": base} for base in ("nDCG", "AP", "P", "RBP", "ERR", "RR")],
    "BootNDCG": [{"stat": stat} for stat in ("mode", "mean", "median", "std", "q05", "q97.5")]
    + [{"prior": prior, "stat": "mean"} for prior in ("pool", "run", "pool+run")]
    + [{"pool": "all"}, {"dcg": "exp-log2"}],
    "Boot": [{"base": base, "stat": stat} for stat in ("median", "mean")
             for base in ("nDCG", "AP", "P", "RBP")],
    "nDCGBound": [{"kind": kind, "bound": bound}
                  for kind in ("naive", "rbp", "guaranteed") for bound in ("lower", "upper")],
}  # fmt: skip

STANDARD = [
    *("nDCG", "nDCG@10", "nDCG(judged_only=True)@10", "nDCG(gains={0:0,1:1,2:3,3:7})@10"),
    *("AP", "AP@100", "AP(rel=2)", "AP(judged_only=True)", "Rprec", "Bpref", "infAP"),
    *("P@5", "P@10", "P(rel=2)@10", "P(judged_only=True)@10", "R@10", "R@100"),
    *("RR", "RR@10", "RR(rel=2)", "IPrec@0.1", "IPrec@0.5", "Success@1", "Success@10"),
    *("SetP", "SetP(relative=True)", "SetR", "SetF", "SetAP"),
    *("NumRet", "NumRel", "NumQ", "NumRelRet", "Judged@10"),
]

# As gdeval has them, which takes query ids that are numbers only.
GDEVAL = ["ERR@10", "ERR@20", "nDCG(dcg='exp-log2')@10", "nDCG(dcg='exp-log2')@20"]

COMPARED = ["nDCG@10", "AP@100", "NRG(prior=others)@10", "RBR(phi=0.9)@20"]

EXPLAINED = [
    *("nDCG@10", "AP@100", "P@10", "R@100", "RR@10", "NRG(prior=others)@10"),
    *("NRG(prior=others, base=RBP)@10", "UniqueRel(prior=others)@10", "TaSC(prior=others)@10"),
    *("P_Rareness(systems=others)@10", "AP_Rareness(systems=others)@100", "RBR(phi=0.9)@20"),
    *("RBA(phi=0.9)@20", "RBO(phi=0.9, bound=lower)@20", "RBPBound(phi=0.8)@20", "nDCG_UE@10"),
    *("AP_UE@100", "UE(base=ERR)@10", "Expected(base=AP)@10", "BootNDCG@10", "nDCGBound@10"),
]

FITTED = ("learned", "judging")


@cache
def collections() -> dict[str, Collection]:
    campaign = irx_measures.simulate_campaign(systems=9, queries=12, depth=60, seed=5)
    # Names decide random draws of judging: those of a family may change.
    names = {name: f"s{number}" for number, name in enumerate(campaign.runs)}
    groups = {names[name]: group for name, group in campaign.groups.items()}
    families = {
        family: f"g{number}" for number, family in enumerate(dict.fromkeys(groups.values()))
    }
    found = {
        "simulated": Collection(
            "simulated",
            {names[name]: run for name, run in campaign.runs.items()},
            campaign.qrels,
            {name: families[group] for name, group in groups.items()},
        )
    }
    lines = (DATA / "trec-dl-2019-passage" / "groups.csv").read_text().split()[1:]
    dl19_groups = dict(line.split(",") for line in lines)
    for name, folder, qrels, step, of in (
        ("dl19", "trec-dl-2019-passage", "qrels.txt.gz", 1, dl19_groups),
        ("trec8", "trec8-adhoc", "qrels.txt.gz", 6, None),
        ("covid", "trec-covid", "qrels.original.txt.gz", 1, None),
    ):
        paths = sorted((DATA / folder / "runs").glob("*.run.gz"))[::step]
        runs = {path.name.removesuffix(".run.gz"): path for path in paths}
        found[name] = Collection(name, runs, DATA / folder / qrels, of or {n: n[:2] for n in runs})
    return found


def _measures() -> list[object]:
    asked: list[object] = list(STANDARD)
    for declared in irx_measures.all_measures():
        measure = declared @ 10
        asked += [measure, *(measure(**given) for given in VARIANTS.get(declared.NAME, []))]
    return asked


@cache
def _matrix(name: str):
    of = collections()[name]
    return irx_measures.evaluate(of.qrels, of.runs, COMPARED, of.groups, progress=False)


def _columns(frame, name: str) -> Arrays:
    """The columns of a DataFrame; texts as texts."""
    for column in frame.columns:
        values = frame[column]
        if values.dtype.kind in "biuf":
            yield f"{name}/{column}", values.to_numpy(dtype=float)
        else:
            yield f"{name}/{column}", values.fillna("").astype(str).to_numpy(dtype=str)


def scores() -> Arrays:
    for of in collections().values():
        asked = [*_measures(), *(GDEVAL if of.name != "simulated" else [])]
        matrix = irx_measures.evaluate(of.qrels, of.runs, asked, of.groups, progress=False)
        for measure, values in zip(matrix.measures, matrix.scores, strict=True):
            yield f"{of.name}/{measure}", values


TESTS = (
    *(("t", correction) for correction in ("holm", "bonferroni", "none")),
    *(("moderated-t", "holm"), ("wilcoxon", "holm"), ("wilcoxon", "none")),
    *(("randomisation", "none"), ("bootstrap", "none"), ("randomisation", "holm")),
)


def compare() -> Arrays:
    for name in ("simulated", "dl19", "trec8"):
        matrix = _matrix(name)
        baselines = list(matrix.systems[1:6:4])
        for test, correction in TESTS:
            if name != "simulated" and (test, correction) == ("randomisation", "holm"):
                continue  # so few samples cannot reject any of so many pairs
            how = {"test": test, "correction": correction, "resamples": 2000, "progress": False}
            for against in (None, baselines[0], baselines):
                result = matrix.compare(baseline=against, **how)
                key = f"{name}/{test}/{correction}/{against or 'all pairs'}"
                yield from _columns(result.to_frame(), key)
                if against is None:
                    for measure in matrix.measures:
                        board = result.leaderboard(measure)
                        yield from _columns(board, f"{key}/board/{measure}")
        groups = {query: f"g{number % 2}" for number, query in enumerate(matrix.query_ids)}
        for against in (None, baselines[0]):
            result = matrix.by(groups).compare(baseline=against)
            yield from _columns(result.to_frame(), f"{name}/groups/{against or 'all pairs'}")
        result = matrix.compare()
        yield from _columns(result.topics_needed(*matrix.systems[:2]), f"{name}/topics needed")
        yield from _columns(matrix.means().reset_index(), f"{name}/means")


def explain() -> Arrays:
    for name in ("simulated", "dl19"):
        of = collections()[name]
        runs = irx_measures.RunSet(of.runs, groups=of.groups)
        asked = _matrix(name).query_ids[1::7][:2]
        for system in (runs.names[0], runs.names[len(runs) // 2]):
            for measure in EXPLAINED:
                for query in asked:
                    found = irx_measures.explain(
                        of.qrels, system, measure, runs, query_id=query, missing=True
                    )
                    key = f"{name}/{system}/{measure}/{query}"
                    for part, values in _columns(found.to_frame(), key):
                        if np.asarray(values).dtype.kind == "f":
                            yield part, values
                    yield f"{key}/terms", np.array([float(v) for v in found.terms.values()])


def learned() -> Arrays:
    asked = ["BootNDCG(prior=learned, stat=mean)@10", "BootNDCG(prior=learned, stat=q05)@10"]
    asked += [f"Boot(base={base}, prior=learned, stat=mean)@10" for base in ("AP", "P", "RBP")]
    for name in ("dl19", "covid"):
        of = collections()[name]
        matrix = irx_measures.evaluate(of.qrels, of.runs, asked, of.groups, progress=False)
        for measure, values in zip(matrix.measures, matrix.scores, strict=True):
            yield f"{name}/{measure}", values
        paths = [str(path) for path in of.runs.values()]
        text = _irx(
            *("evaluate", str(of.qrels), *paths, "-m", asked[0], "--interval", "90"),
            *("-o", "csv", "-p", "-1"),
        )
        yield from _cells(text, f"{name}/interval")
        result = irx_measures.compare(
            of.qrels, of.runs, ["nDCG@10", "P@10"], groups=of.groups, unjudged="learned",
            progress=False,
        )  # fmt: skip
        yield from _columns(result.to_frame(), f"{name}/compared")
        model = irx_measures.JudgmentModel.fit(
            of.qrels, irx_measures.RunSet(of.runs, groups=of.groups)
        )
        yield from _columns(
            model.grade_probabilities(of.qrels, of.runs, 10).iloc[::17], f"{name}/probabilities"
        )


def judge() -> Arrays:
    dl19 = collections()["dl19"]
    few = dict(list(dl19.runs.items())[::5])
    pair = list(few)[1:3]
    for measure in ("nDCG@10", "P@10", "RBP(p=0.8)@10"):
        for question in ("ranking", "best", pair):
            table = judging.simulate_judging(
                dl19.qrels, few, measure, question, seeds=3, systems=8, topics=12, progress=False
            )
            yield from _columns(table, f"dl19/{measure}/{question}")
    simulated = collections()["simulated"]
    plan = irx_measures.JudgingPlan(None, simulated.runs, grades=(0, 1, 2, 3))
    for look in range(6):
        batch = plan.next(25)
        yield from _columns(batch[["query_id", "doc_id", "priority"]], f"plan/{look}")
        plan.update(
            {
                query: {doc: simulated.qrels[query].get(doc, 0) for doc in of_query["doc_id"]}
                for query, of_query in batch.groupby("query_id")
            }
        )
        yield f"plan/{look}/probability", np.array([plan.state().probability])
    machines = DATA / "trec-dl-2019-passage" / "machine-judgments"
    audit = judging.audit_judges(
        dl19.qrels, {"umbrela": machines / "umbrela_gpt4.txt.gz"}, dl19.runs, ["nDCG@10", "P@10"],
        groups=dl19.groups,
    )  # fmt: skip
    yield from _columns(audit.to_frame(), "audit")
    yield from _columns(pd.DataFrame(audit.rankings), "audit/rankings")
    yield from _columns(pd.DataFrame(audit.groups), "audit/groups")
    yield from _columns(pd.DataFrame(audit.grades), "audit/grades")
    human, machine = (
        irx_measures.evaluate(qrels, few, "nDCG@10", progress=False)
        for qrels in (dl19.qrels, machines / "umbrela_gpt4.txt.gz")
    )
    powered = irx_measures.prediction_powered(human.queries(human.query_ids[:20]), machine)
    yield from _columns(powered.to_frame(), "prediction powered")


def study() -> Arrays:
    for name in ("simulated", "dl19"):
        of, matrix = collections()[name], _matrix(name)
        first, second = matrix.scores[:2]
        for test in ("tukey-blocks", "t", "wilcoxon", "tukey-randomised"):
            power = meta.discriminative_power(first, test=test, resamples=500, progress=False)
            yield from _columns(power.to_frame(), f"{name}/power/{test}")
        powers = [meta.discriminative_power(each, test="t") for each in (first, second)]
        found = meta.concordance(*powers)
        yield from _columns(found.to_frame(), f"{name}/concordance")
        for relative in (False, True):
            found = meta.stability(first, trials=300, relative=relative, progress=False)
            yield from _columns(found.to_frame(), f"{name}/stability/{relative}")
        half = matrix.scores.shape[2] // 2
        found = meta.swap_rate(first[:, :half], first[:, half:])
        systems, count = np.arange(len(first)).astype(str), len(first)
        pairs = np.triu_indices(count, 1)
        yield f"{name}/swap/first", systems[pairs[0]]
        yield f"{name}/swap/second", systems[pairs[1]]
        for part, scores in (("first", first[:, :half]), ("second", first[:, half:])):
            means = scores.mean(axis=1).round(12)
            yield f"{name}/swap/{part}_difference", means[pairs[0]] - means[pairs[1]]
        yield f"{name}/swap/swapped", found.swapped
        found = meta.split_swap_rate(first, trials=200, progress=False)
        yield from _columns(found.to_frame(), f"{name}/swap curve")
        for coefficient in COEFFICIENTS:
            found = meta.rank_correlation(first, second, coefficient=coefficient, samples=200)
            yield f"{name}/correlation/{coefficient}", np.append(found.bootstrap, found.value)
        scorer = irx_measures.SubsetScorer(
            of.qrels, irx_measures.RunSet(of.runs), "NRG(prior=others)@10"
        )
        sizes = [3, len(of.runs) - 1]
        found = meta.system_impact(scorer, list(matrix.systems), sizes=sizes, trials=20)
        yield from _columns(found.to_frame(), f"{name}/system impact")
        found = meta.pareto_front(first.mean(axis=1), second.mean(axis=1))
        yield from _columns(found.to_frame(), f"{name}/pareto")
        found = meta.residual_gain_matrix(of.qrels, of.runs, progress=False)
        yield f"{name}/residual gain", found.given
        yield f"{name}/residual gain of all", found.given_all
        found = meta.unjudged_by_rank(of.qrels, of.runs)
        yield from _columns(found.to_frame(), f"{name}/unjudged")
        found = meta.prediction_error(first.mean(axis=1), second.mean(axis=1))
        for part, value in found._asdict().items():
            yield f"{name}/prediction error/{part}", np.array([value])
        yield f"{name}/informativeness", meta.informativeness(first, second)
    for name in ("rank_weight", "phi_for_weight"):
        arguments = (0.9, 10) if name == "rank_weight" else (10, 0.8)
        yield f"persistence/{name}", np.array([getattr(persistence, name)(*arguments)])
    lists = [["a", ["b", "c"], "d"], ["c", "a", ["e", "b"]]]
    for function in ("rbo", "rba", "rbr"):
        for ties in ("share", "least", "greatest"):
            found = getattr(irx_measures, function)(*lists, phi=0.8, ties=ties)
            yield f"lists/{function}/{ties}", np.array([found])


PAPERS = ("residual-gain", "rareness", "rank-biased", "upper-expected", "bootstrap")


def reproduce() -> Arrays:
    os.environ["IRX_DATA"] = str(DATA)
    os.environ.setdefault("IR_DATASETS_HOME", tempfile.mkdtemp())
    for paper in PAPERS:
        found = json.loads(_irx("reproduce", paper, "-o", "json"))
        for number in found["results"]:
            place = "/".join(number[part] for part in ("table", "data", "row", "column"))
            for part in ("here", "printed"):
                value = number[part]
                yield f"{paper}/{place}/{part}", np.array([np.nan if value is None else value])


def _irx(*arguments: str) -> str:
    """What a command prints."""
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed), contextlib.redirect_stderr(io.StringIO()) as told:
        status = main([*arguments, "--quiet"])
    if status:
        raise RuntimeError(f"irx {' '.join(arguments)}: {told.getvalue()}")
    return printed.getvalue()


def _cells(text: str, name: str) -> Arrays:
    """The numbers of a CSV text, a row each."""
    for line in text.splitlines()[1:]:
        system, *numbers = re.split(r",(?![^(]*\))", line)
        yield f"{name}/{system}", np.array([float(number or "nan") for number in numbers])


PARTS = {
    "scores": scores,
    "compare": compare,
    "explain": explain,
    "learned": learned,
    "judging": judge,
    "meta": study,
    "reproductions": reproduce,
}
