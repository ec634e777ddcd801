"""Qrels come before runs: the older order, and what nothing tells apart, is one line of error."""

import ir_measures
import pandas as pd
import pytest

import irx_measures
from irx_measures import InputError, JudgingPlan, RunSet, SubsetScorer, explain, judging, meta

QRELS = {"q1": {"a": 1, "b": 0}, "q2": {"c": 2}}
RUN = {"q1": {"a": 2.5, "b": 1.0}, "q2": {"c": 1.5}}
WHOLE = {"q1": {"a": 2.0, "b": 1.0}, "q2": {"c": 1.0}}
INTEGERS = {"q1": {"a": 2, "b": 1}, "q2": {"c": 1}}
RANKED = {"q1": ["a", "b"], "q2": ["c"]}
SWAPPED = "are runs and qrels swapped?"
GROUPED = RunSet({"a": RUN, "b": RUN}, groups={"a": "x", "b": "y"})


def frame(nested, value):
    rows = [(query, doc, number) for query, of in nested.items() for doc, number in of.items()]
    return pd.DataFrame(rows, columns=["query_id", "doc_id", value])


def rows(nested, kind):
    return [kind(query, doc, number) for query, of in nested.items() for doc, number in of.items()]


FORMS = {
    "fractions": (RUN, QRELS),
    "whole floats": (WHOLE, QRELS),
    "a named run": ({"a": RUN}, QRELS),
    "a list of runs": ([RUN, WHOLE], QRELS),
    "pairs": ([("a", RUN)], QRELS),
    "rankings": (RANKED, QRELS),
    "named rankings": ({"a": RANKED}, QRELS),
    "frames": (frame(RUN, "score"), frame(QRELS, "relevance")),
    "a named frame": ({"a": frame(RUN, "score")}, QRELS),
    "a frame and a dict": (RUN, frame(QRELS, "relevance")),
    "a whole dict and a frame": (WHOLE, frame(QRELS, "relevance")),
    "rows": (rows(RUN, ir_measures.ScoredDoc), rows(QRELS, ir_measures.Qrel)),
    "a RunSet": (RunSet({"a": RUN}), QRELS),
}


@pytest.mark.parametrize("call", [irx_measures.evaluate, irx_measures.compare])
@pytest.mark.parametrize("form", FORMS)
def test_runs_before_qrels_are_an_error_that_says_so(call, form):
    runs, qrels = FORMS[form]
    with pytest.raises(InputError) as caught:
        call(runs, qrels, "nDCG@5")
    assert SWAPPED in str(caught.value)
    assert "\n" not in str(caught.value)


FILES = {
    "a file": "a.run",
    "a glob": "*.run",
    "a list of files": ["a.run", "b.run"],
    "files by name": {"a": "a.run"},
}


@pytest.mark.parametrize("form", FILES)
def test_swapped_files_are_an_error_that_says_so(form, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name in ("a.run", "b.run"):
        (tmp_path / name).write_text("q1 Q0 a 1 2.5 tag\n")
    (tmp_path / "qrels.txt").write_text("q1 0 a 1\n")
    assert irx_measures.evaluate("qrels.txt", FILES[form], "P@1").scores.min() == 1
    with pytest.raises(InputError, match="are runs and qrels swapped"):
        irx_measures.evaluate(FILES[form], "qrels.txt", "P@1")


def test_two_dicts_of_whole_numbers_are_told_apart_by_the_name_of_the_run():
    for call in (irx_measures.evaluate, irx_measures.compare, explain):
        with pytest.raises(InputError, match=r"write the run as \{'name': run\}"):
            call(QRELS, INTEGERS, "nDCG@5")
    named = irx_measures.evaluate(QRELS, {"name": INTEGERS}, "nDCG@5")
    assert named.scores.tolist() == irx_measures.evaluate(QRELS, WHOLE, "nDCG@5").scores.tolist()


TWO = {"a": RUN, "b": WHOLE}

OTHER_CALLS = {
    "SubsetScorer": lambda: SubsetScorer(TWO, QRELS, "nDCG@5"),
    "JudgingPlan": lambda: JudgingPlan(TWO, QRELS),
    "simulate_judging": lambda: judging.simulate_judging(TWO, QRELS),
    "JudgmentModel.fit": lambda: irx_measures.JudgmentModel.fit(TWO, QRELS),
    "residual_gain_matrix": lambda: meta.residual_gain_matrix(TWO, QRELS),
    "unjudged_by_rank": lambda: meta.unjudged_by_rank(TWO, QRELS),
    "leave_group_out": lambda: meta.leave_group_out(GROUPED, QRELS, 3),
    "left_out_scores": lambda: meta.left_out_scores(GROUPED, QRELS, {"m": "nDCG@5"}),
    "bootstrap_ndcg": lambda: irx_measures.bootstrap_ndcg(RUN, QRELS, 5),
    "explain": lambda: explain(RUN, QRELS, "nDCG@5", None, "q1"),
}


@pytest.mark.parametrize("name", OTHER_CALLS)
def test_every_other_call_has_the_same_order(name):
    with pytest.raises(InputError, match="are runs and qrels swapped"):
        OTHER_CALLS[name]()


def test_the_name_of_a_run_before_the_qrels_is_a_swap():
    with pytest.raises(InputError, match=r"qrels. come first, then .run.; got the run 'a' first"):
        explain("a", QRELS, "nDCG@5", TWO, "q1")


@pytest.mark.parametrize("arguments", [(TWO,), (TWO, None)])
def test_a_plan_without_runs_says_that_qrels_come_first(arguments):
    with pytest.raises(TypeError, match=r"write JudgingPlan\(None, runs\)"):
        JudgingPlan(*arguments)
