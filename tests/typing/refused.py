"""Calls that a type checker refuses: each is an error of the words after ``# E:``.

The functions are checked by mypy and pyright, and never called. The words are those of mypy.
"""

from ir_measures import AP, P, nDCG

import irx_measures
from irx_measures import (
    RunSet,
    ScoreMatrix,
    SubsetScorer,
    bootstrap_ndcg,
    compare,
    evaluate,
    parse_measure,
    rba,
    rbo,
    rbr,
    read_letor,
    register_runs,
    scope,
    simulate_campaign,
)
from irx_measures.meta import (
    concordance,
    discriminative_power,
    leave_group_out,
    rank_correlation,
)

GRADES = {"q": {"a": 1, "b": 0}}
SCORES = {"q": {"a": 2.5, "b": 1.0}}


def runs() -> None:
    evaluate(3, GRADES, "AP")  # E: Argument 1 to "evaluate" has incompatible type "int"
    evaluate({"a": 3}, GRADES, "AP")  # E: incompatible type "dict[str, int]"
    evaluate({1: SCORES}, GRADES, "AP")  # E: incompatible type "dict[int,
    evaluate([("q", "a", 1.0)], GRADES, "AP")  # E: incompatible type "list[tuple[str, str, float]]"
    evaluate({"q": {"a": "high"}}, GRADES, "AP")  # E: incompatible type "dict[str, dict[str, str]]"
    RunSet(None)  # E: Argument 1 to "RunSet" has incompatible type "None"
    scope(0.5)  # E: Argument 1 to "scope" has incompatible type "float"
    register_runs(SCORES, "mine")  # E: Argument 1 to "register_runs"


def qrels() -> None:
    evaluate(SCORES, {"q": {"a": 0.5}}, "AP")  # E: Argument 2 to "evaluate" has incompatible type
    evaluate(SCORES, {"q": ["a"]}, "AP")  # E: Argument 2 to "evaluate" has incompatible type
    bootstrap_ndcg(SCORES, SCORES, 10)  # E: Argument 1 to "bootstrap_ndcg"
    leave_group_out(SCORES, GRADES, 10)  # E: Argument 1 to "leave_group_out"


def measures() -> None:
    evaluate(SCORES, GRADES, 3)  # E: Argument 3 to "evaluate" has incompatible type "int"
    evaluate(SCORES, GRADES, [10])  # E: List item 0 has incompatible type "int"
    SubsetScorer(SCORES, GRADES, ["AP"])  # E: Argument 3 to "SubsetScorer"
    evaluate(SCORES, GRADES, [nDCG @ 10, 3])  # E: List item 1 has incompatible type "int"
    parse_measure(None)  # E: Argument 1 to "parse_measure" has incompatible type "None"


def groups() -> None:
    evaluate(SCORES, GRADES, "AP", {"a": None})  # E: Dict entry 0 has incompatible type
    evaluate(SCORES, GRADES, "AP", ["a"])  # E: Argument 4 to "evaluate"


def results() -> None:
    evaluate(SCORES, GRADES, "AP").nothing()  # E: "ScoreMatrix" has no attribute "nothing"
    evaluate(SCORES, GRADES, "AP")[3]  # E: Invalid index type "int"


def words(matrix: ScoreMatrix) -> None:
    compare(SCORES, GRADES, [nDCG @ 10, AP], test="student")  # E: Argument "test" to "compare"
    compare(SCORES, GRADES, "AP", correction="fdr")  # E: Argument "correction" to "compare"
    compare(SCORES, GRADES, "AP", unjudged="pool")  # E: Argument "unjudged" to "compare"
    matrix.compare(test="tukey")  # E: Argument "test" to "compare" of "ScoreMatrix"
    discriminative_power(matrix["AP"], test="student")  # E: Argument "test" to
    discriminative_power(matrix["AP"], correction="maxt")  # E: Argument "correction" to
    concordance(discriminative_power(matrix["AP"]), "AP")  # E: Argument 2 to "concordance"
    rank_correlation(matrix["AP"], matrix[P @ 10], coefficient="tau_c")  # E: "coefficient" to
    rank_correlation(matrix["AP"], matrix[P @ 10], phi="0.9")  # E: Argument "phi" to


def others() -> None:
    irx_measures.nothing()  # E: Module has no attribute "nothing"
    irx_measures.meta.nothing()  # E: Module has no attribute "nothing"
    read_letor(3)  # E: Argument 1 to "read_letor" has incompatible type "int"
    simulate_campaign(systems="12")  # E: Argument "systems" to "simulate_campaign"
    irx_measures.distributed.evaluate([SCORES], "q.parquet", "AP")  # E: Argument 1 to "evaluate"


def plain_lists() -> None:
    rbo(["a"], 3)  # E: Argument 2 to "rbo" has incompatible type "int"
    rbo(["a"], ["a"], ties="random")  # E: Argument "ties" to "rbo" has incompatible type
    rba(["a"], ["a"], bound="ext")  # E: Argument "bound" to "rba" has incompatible type
    rbr({"a"}, ["a"], ties="w")  # E: Argument "ties" to "rbr" has incompatible type
    rbo(["a"], ["a"], phi="0.9")  # E: Argument "phi" to "rbo" has incompatible type "str"
