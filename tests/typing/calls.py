"""Calls that type checkers accept: every documented form of every argument; then those they refuse.

mypy and pyright check the file as a user's; its functions are never called. Each refused line has
a comment, and a comment that nothing needs is an error.
"""
# pyright: reportUnnecessaryTypeIgnoreComment=true

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import ir_measures
import numpy as np
import pandas as pd
import pyarrow as pa
from ir_measures import AP, P, nDCG

import irx_measures
from irx_measures import (
    NRG,
    RBR,
    BootNDCG,
    P_Rareness,
    RunSet,
    ScoreMatrix,
    SubsetScorer,
    bootstrap_ndcg,
    compare,
    evaluate,
    explain,
    nDCGBound,
    others,
    parse_measure,
    pool,
    rba,
    rbo,
    rbr,
    read_letor,
    register_runs,
    run,
    scope,
    simulate_campaign,
)
from irx_measures.meta import (
    concordance,
    discriminative_power,
    leave_group_out,
    rank_correlation,
)
from irx_measures.typing import ComparisonTest, QrelsLike, RanxObject, RunLike, ScoreArray

if TYPE_CHECKING:
    import dask.dataframe as dd

GRADES = {"q": {"a": 1, "b": 0}}
SCORES = {"q": {"a": 2.5, "b": 1.0}}
WHOLE_SCORES = {"q": {"a": 2, "b": 1}}
NUMPY_SCORES = {"q": {"a": np.float32(2), "b": np.float32(1)}}


class PyTerrierRow(NamedTuple):
    """A row with PyTerrier's names."""

    qid: str
    docno: str
    score: float


def rows() -> Iterator[PyTerrierRow]:
    yield PyTerrierRow("q", "a", 1.0)


def runs_of_every_form(frame: pd.DataFrame, path: Path) -> None:
    evaluate(GRADES, SCORES, "AP")
    evaluate({"q1": {"d1", "d2"}}, SCORES, "AP")
    evaluate(GRADES, WHOLE_SCORES, "AP")
    evaluate(GRADES, NUMPY_SCORES, "AP")
    evaluate(GRADES, {"a": SCORES, "b": SCORES}, "AP")
    mixed: dict[str, RunLike] = {"a": SCORES, "b": frame, "c": path, "d": "d.run"}
    evaluate(GRADES, mixed, "AP")
    evaluate(GRADES, [SCORES, SCORES], "AP")
    evaluate(frame, frame, "AP")
    evaluate(frame, {"a": frame}, "AP")
    evaluate(frame, [frame, frame], "AP")
    evaluate(GRADES, rows(), "AP")
    evaluate([ir_measures.Qrel("q", "a", 1)], [ir_measures.ScoredDoc("q", "a", 1.0)], "AP")
    evaluate("qrels.txt", "runs/*.run", "AP")
    evaluate(path, path, "AP")
    evaluate(path, {"a": ["1.run", "2.run"], "b": ["b.run"]}, "AP")
    evaluate(path, {"a": [path, path]}, "AP")
    evaluate(path, [("a", [path, path])], "AP")
    evaluate("dataset/judged", "irds:dataset/judged", "AP")
    evaluate(GRADES, RunSet(SCORES), "AP")


def runs_of_other_libraries(table: pa.Table, batch: pa.RecordBatch, ranx: RanxObject) -> None:
    evaluate(table, table, "AP")
    evaluate(batch, {"a": batch, "b": table}, "AP")
    evaluate(ranx, ranx, "AP")
    evaluate(GRADES, [{"query_id": "q", "doc_id": "a", "score": 1.0}], "AP")
    evaluate([{"qid": "q", "docno": "a", "label": 1}], SCORES, "AP")
    evaluate(GRADES, {"q": ["a", "b"]}, "AP")
    evaluate(GRADES, {"bm25": {"q": ["a", "b"]}}, "AP")
    evaluate(GRADES, [("bm25", SCORES), ("dense", SCORES)], "AP")
    evaluate(GRADES, RunSet("dev.tsv", format="msmarco"), "AP")
    evaluate("qrels.json", ["a.run", "b.parquet"], "AP")


def measures_of_every_form() -> None:
    evaluate(GRADES, SCORES, NRG(prior="others") @ 10)
    evaluate(GRADES, SCORES, [nDCG @ 10, AP])
    evaluate(GRADES, SCORES, [AP, P(rel=2) @ 5, nDCG(dcg="exp-log2"), NRG @ 10, "RR"])
    evaluate(GRADES, SCORES, nDCG @ 10)
    evaluate(GRADES, SCORES, AP)
    compare(GRADES, SCORES, [nDCG @ 10, "AP"])
    explain(GRADES, SCORES, ir_measures.nDCG @ 10)
    str(parse_measure(nDCG @ 10))
    evaluate(GRADES, SCORES, ["AP", NRG @ 10, BootNDCG(prior=pool + run) @ 10])
    evaluate(GRADES, SCORES, (measure for measure in ["AP", "RR"]))


def parameters_of_every_form(path: Path, prior: RunLike) -> None:
    evaluate(GRADES, SCORES, [NRG(prior=others, select="earlier") @ 10, NRG(prior=None)])
    evaluate(GRADES, SCORES, NRG(prior=prior)(base="RBP", phi=0.5, exclude_self=False) @ 10)
    evaluate(GRADES, SCORES, NRG(prior=[SCORES, SCORES], ideal="all", cutoff=10))
    evaluate(GRADES, SCORES, RBR(phi=0.5, reference=RunSet({"ideal": SCORES})))
    evaluate(GRADES, SCORES, BootNDCG(prior="pool", b="exact", stat="q97.5") @ 10)
    evaluate(GRADES, SCORES, BootNDCG(prior=pool, b=100, stat="mean")(prior=run + pool) @ 10)
    evaluate(GRADES, SCORES, BootNDCG(prior="learned", machine=path, depth=20) @ 10)
    evaluate(GRADES, SCORES, P_Rareness(systems="others", alpha="importance", dcg=None) @ 10)
    evaluate(GRADES, SCORES, nDCGBound(max_grade=3, bound="upper") @ 10)


def groups_of_every_form(path: Path) -> None:
    evaluate(GRADES, SCORES, "AP", {"run": "team"})
    evaluate(GRADES, SCORES, "AP", groups=path)
    evaluate(GRADES, SCORES, "AP", groups="groups.csv", strict=False, progress=True)


def sets() -> RunSet:
    with scope({"a": SCORES}) as inner:
        names: tuple[str, ...] = inner.names
    return register_runs("mine", dict.fromkeys(names, SCORES), {"a": "team"}, replace=True)


def results(matrix: ScoreMatrix) -> ScoreArray:
    frame: pd.DataFrame = matrix.to_frame()
    means: pd.DataFrame = matrix.select(["AP", NRG @ 10]).means()
    evaluate(frame, means, "AP")
    scorer = SubsetScorer(GRADES, {"a": SCORES}, "P_Rareness(systems=others)@10")
    chosen: ScoreArray = scorer([0])
    return chosen + matrix["AP"] + matrix[NRG @ 10] + matrix[nDCG @ 10]


def samples(qrels: QrelsLike, one_run: RunLike) -> float:
    return float(bootstrap_ndcg(qrels, one_run, 10, b=100)["q"].mean())


def left_out(runset: RunSet) -> list[pd.DataFrame]:
    return [qrels for _, qrels in leave_group_out(GRADES, runset, depth=10)]


def modules_that_load_on_first_use(matrix: ScoreMatrix, table: dd.DataFrame) -> None:
    power = irx_measures.meta.discriminative_power(matrix["AP"], matrix.systems)
    irx_measures.plots.asl_curves({"AP": power})
    irx_measures.distributed.evaluate(table, {"a": table, "b": "b.parquet"}, "AP", aligned=True)


def experiments(frame: pd.DataFrame) -> None:
    irx_measures.Experiment([frame, frame], frame, frame, ["AP", NRG @ 10], names=["a", "b"])
    irx_measures.Experiment({"a": frame}, frame, frame, ["AP"], groups={"a": "team"}, round=3)


def groups_of_queries(matrix: ScoreMatrix, topics: pd.DataFrame) -> pd.DataFrame:
    """The groups of queries: a dict, a file, a table of topics."""
    matrix.by({"q": "long"}).means()
    matrix.by("groups.csv").means()
    matrix.by(Path("groups.csv")).means()
    matrix.queries(["q"]).by({"q": "long"})["long"].means()
    return matrix.by(topics, column="language").compare(baseline="a").to_frame()


def comparisons(matrix: ScoreMatrix) -> pd.DataFrame:
    test: ComparisonTest = "wilcoxon"
    matrix.compare(baseline=["a", "b"], test=test, correction="holm")
    result = compare(GRADES, SCORES, "AP", test="t", correction="bh", unjudged="learned")
    power = irx_measures.meta.discriminative_power(matrix["AP"], test="tukey", correction="none")
    irx_measures.meta.concordance(power, power)
    irx_measures.meta.rank_correlation(matrix["AP"], matrix[P @ 10], coefficient="RBO", phi=0.8)
    return result.leaderboard(AP)


def plain_lists(documents: pd.Series[str], array: ScoreArray) -> float:
    tied = ["a", ["b", "c"], {"d"}]
    rbo(documents, array, bound="lower")
    rba(range(3), iter([1, 2]), phi=0.9, ties="break", bound="residual")
    return rbr({"a"}, tied) + rbo(tied, ["a", ("b", "c")])


# Mistakes


def mistakes_in_evaluate() -> None:
    evaluate(GRADES, 3, "AP")  # type: ignore[arg-type]
    evaluate(GRADES, {"a": 3}, "AP")  # type: ignore[arg-type]
    evaluate(GRADES, {1: SCORES}, "AP")  # type: ignore[arg-type]
    evaluate(GRADES, [("q", "a", 1.0)], "AP")  # type: ignore[arg-type]
    evaluate(GRADES, {"q": {"a": "high"}}, "AP")  # type: ignore[arg-type]
    RunSet(None)  # type: ignore[arg-type]
    scope(0.5)  # type: ignore[arg-type]
    register_runs(SCORES, "mine")  # type: ignore[arg-type]
    evaluate({"q": {"a": 0.5}}, SCORES, "AP")  # type: ignore[arg-type]
    evaluate({"q": ["a"]}, SCORES, "AP")  # type: ignore[arg-type]
    bootstrap_ndcg(SCORES, SCORES, 10)  # type: ignore[arg-type]
    leave_group_out(GRADES, SCORES, 10)  # type: ignore[arg-type]
    evaluate(GRADES, SCORES, 3)  # type: ignore[arg-type]
    evaluate(GRADES, SCORES, [10])  # type: ignore[list-item]
    SubsetScorer(GRADES, SCORES, ["AP"])  # type: ignore[arg-type]
    evaluate(GRADES, SCORES, [nDCG @ 10, 3])  # type: ignore[list-item]
    parse_measure(None)  # type: ignore[arg-type]
    evaluate(GRADES, SCORES, "AP", {"a": None})  # type: ignore[dict-item]
    evaluate(GRADES, SCORES, "AP", ["a"])  # type: ignore[arg-type]
    evaluate(GRADES, SCORES, "AP").nothing()  # type: ignore[attr-defined]
    evaluate(GRADES, SCORES, "AP")[3]  # type: ignore[index]


def mistakes_in_measures() -> None:
    NRG(priors="others")  # type: ignore[call-arg]
    NRG(prior=3)  # type: ignore[arg-type]
    NRG(base="ndcg")(select="best")  # type: ignore[arg-type]
    NRG(prior="others")(cutoff="10")  # type: ignore[arg-type]
    str(NRG(prior="others") @ "10")  # type: ignore[operator]
    RBR(phi="x")  # type: ignore[arg-type]
    RBR(p=0.8)  # type: ignore[call-arg]
    BootNDCG(stat=5)  # type: ignore[arg-type]
    BootNDCG(prior=run, seeds=1)  # type: ignore[call-arg]


def mistakes_in_comparisons(matrix: ScoreMatrix) -> None:
    compare(GRADES, SCORES, [nDCG @ 10, AP], test="student")  # type: ignore[arg-type]
    compare(GRADES, SCORES, "AP", correction="fdr")  # type: ignore[arg-type]
    compare(GRADES, SCORES, "AP", unjudged="pool")  # type: ignore[arg-type]
    matrix.compare(test="tukey")  # type: ignore[arg-type]
    discriminative_power(matrix["AP"], test="student")  # type: ignore[arg-type]
    discriminative_power(matrix["AP"], correction="maxt")  # type: ignore[arg-type]
    concordance(discriminative_power(matrix["AP"]), "AP")  # type: ignore[arg-type]
    rank_correlation(matrix["AP"], matrix[P @ 10], coefficient="tau_c")  # type: ignore[arg-type]
    rank_correlation(matrix["AP"], matrix[P @ 10], phi="0.9")  # type: ignore[arg-type]


def other_mistakes() -> None:
    irx_measures.nothing()  # type: ignore[attr-defined]
    irx_measures.meta.nothing()  # type: ignore[attr-defined]
    read_letor(3)  # type: ignore[arg-type]
    simulate_campaign(systems="12")  # type: ignore[arg-type]
    irx_measures.distributed.evaluate("q.parquet", [SCORES], "AP")  # type: ignore[arg-type]
    rbo(["a"], 3)  # type: ignore[arg-type]
    rbo(["a"], ["a"], ties="random")  # type: ignore[arg-type]
    rba(["a"], ["a"], bound="ext")  # type: ignore[arg-type]
    rbr({"a"}, ["a"], ties="w")  # type: ignore[arg-type]
    rbo(["a"], ["a"], phi="0.9")  # type: ignore[arg-type]
