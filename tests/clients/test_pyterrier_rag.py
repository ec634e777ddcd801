"""pyterrier_rag: answer measures beside ours in one Experiment, and its scores compared."""

from importlib.util import module_from_spec, spec_from_file_location

import ir_measures
import pandas as pd
import pytest
from ir_measures import nDCG

import irx_measures
from irx_measures import ScoreMatrix

from .campaign import module_file

pt = pytest.importorskip("pyterrier")

TOPICS = pd.DataFrame(
    {"qid": ["1", "2", "3"], "query": ["capital of France", "first moon landing", "first coder"]}
)
QRELS = pd.DataFrame(
    [
        ("1", "d1", 1, "Paris"),
        ("1", "d2", 0, "Paris"),
        ("2", "d3", 2, "in July 1969"),
        ("2", "d4", 1, "1969"),
        ("3", "d5", 1, "Ada Lovelace"),
    ],
    columns=["qid", "docno", "label", "gold_answer"],
)

# Documents and answers of two pipelines by query
PIPELINES = {
    "sparse": {"1": ("d1 d2", "Paris"), "2": ("d4 d3", "July 1968"), "3": ("d9 d5", "Ada")},
    "dense": {"1": ("d2 d1", "the Paris!"), "2": ("d3 d4", "1969"), "3": ("d9 d8", "Grace")},
}
# Per query, pyterrier_rag 0.3.0
EM = {"sparse": [1.0, 0.0, 0.0], "dense": [1.0, 1.0, 0.0]}
F1 = {"sparse": [1.0, 0.4, 2 / 3], "dense": [1.0, 1.0, 0.0]}
RANKING = [nDCG @ 3, "NRG(prior=others)@3"]


def results(pipeline):
    rows = [
        (query, doc, -float(rank), rank, answer)
        for query, (docs, answer) in PIPELINES[pipeline].items()
        for rank, doc in enumerate(docs.split())
    ]
    return pd.DataFrame(rows, columns=["qid", "docno", "score", "rank", "qanswer"])


def recorded(name, values):
    """A measure defined as pyterrier_rag defines its own, which looks up the recorded scores."""
    by_answer = {
        answer: score
        for pipeline, answered in PIPELINES.items()
        for (_, answer), score in zip(answered.values(), values[pipeline], strict=True)
    }
    return ir_measures.define_byquery(
        lambda _, found: by_answer[found.iloc[0]["qanswer"]],
        name=name, support_cutoff=False, run_inputs=["qanswer"], qrel_inputs=["gold_answer"],
    )  # fmt: skip


def of_package():
    """The package's own measures. Only their module is loaded: the rest needs torch."""
    spec = spec_from_file_location(
        "pyterrier_rag_measures", module_file("pyterrier_rag", "pyterrier_rag/_measures.py")
    )
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return [module.EM, module.F1]


@pytest.fixture(params=["recorded", "package"])
def answers(request):
    if request.param == "package":
        return of_package()
    return [recorded("EM", EM), recorded("F1", F1)]


def per_query(experiment, measures):
    systems = [pt.Transformer.from_df(results(name)) for name in PIPELINES]
    return experiment(systems, TOPICS, QRELS, measures, names=list(PIPELINES), perquery=True)


def scores(frame, measure):
    return {
        name: part.sort_values("qid")["value"].tolist()
        for name, part in frame[frame["measure"] == measure].groupby("name", sort=False)
    }


def test_answers_and_rankings_in_one_experiment(answers):
    frame = per_query(irx_measures.Experiment, [*answers, *RANKING])
    assert scores(frame, "EM") == EM
    for pipeline, values in scores(frame, "F1").items():
        assert values == pytest.approx(F1[pipeline])
    assert scores(per_query(pt.Experiment, answers), "EM") == EM


def test_its_scores_are_compared(answers):
    frame = per_query(irx_measures.Experiment, [*answers, *RANKING])
    compared = ScoreMatrix.from_frame(frame).compare(baseline="sparse").to_frame()
    assert compared["measure"].tolist() == ["EM", "F1", *map(str, RANKING)]
    assert compared["losses"].tolist()[2:] == [2, 2]
    difference = sum(EM["dense"]) - sum(EM["sparse"])
    assert compared["difference"].tolist()[0] == pytest.approx(difference / len(EM["dense"]))
