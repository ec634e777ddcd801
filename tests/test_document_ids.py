"""Runs whose document ids are not those of the qrels are named, at every door."""

import json
import warnings
from html import unescape

import ir_measures
import pandas as pd
import pytest

import irx_measures
from irx_measures import (
    NRG,
    RBO,
    RBR,
    AP_Rareness,
    EvaluationWarning,
    InputError,
    RunSet,
    UniqueRel,
    compare,
    evaluate,
)
from irx_measures.cli.main import main

QUERIES = [f"q{number}" for number in range(6)]
DOCS = [f"d{number}" for number in range(12)]
QRELS = {query: dict.fromkeys(DOCS, 0) | {"d1": 1, "d5": 2} for query in QUERIES}


def run_of(docs, first=0):
    """A run that starts with another document for each query."""
    return {
        query: {
            docs[(place + number * first) % len(docs)]: 100.0 - place for place in range(len(docs))
        }
        for number, query in enumerate(QUERIES)
    }


GOOD, BETTER = run_of(DOCS, 1), run_of(DOCS, 5)
OTHER = run_of([f"doc {doc}" for doc in DOCS])  # the same documents by other ids
NO_JUDGED = (
    "run 'other' has no judged document: it returns 'doc d0' where the qrels judge 'd5'; do both "
    "have the same kind of document ids?"
)
NONE_OF_ALL = (
    "no run has a judged document, such as run 'other': it returns 'doc d0' where the qrels judge "
    "'d5'; do both have the same kind of document ids? (strict=False, or --no-strict, scores such "
    "runs)"
)


def told(call):
    """What a call returns, and what it warns of."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        result = call()
    assert all(issubclass(warning.category, EvaluationWarning) for warning in caught)
    return result, [str(warning.message) for warning in caught]


# Runs


def test_a_run_without_a_judged_document_is_named():
    matrix, messages = told(lambda: evaluate({"good": GOOD, "other": OTHER}, QRELS, "nDCG@10"))
    assert messages == [NO_JUDGED]
    assert matrix.warnings == (NO_JUDGED,)
    assert matrix.means().loc["other"].item() == 0.0


def test_runs_without_a_judged_document_share_a_line():
    runs = {"good": GOOD, **{f"other{number}": OTHER for number in range(5)}}
    _, (message,) = told(lambda: evaluate(runs, QRELS, "nDCG@10"))
    assert message.count("has no judged document") == 1
    assert message.endswith("; likewise run 'other1', run 'other2' and 2 more runs")


def test_no_judged_document_in_any_run_is_an_error():
    with pytest.raises(InputError) as refused:
        evaluate({"other": OTHER, "far": {"z": {"d1": 1.0}}}, QRELS, "nDCG@10")
    assert str(refused.value) == NONE_OF_ALL
    matrix, messages = told(lambda: evaluate({"other": OTHER}, QRELS, "nDCG@10", strict=False))
    assert messages == [NO_JUDGED]
    assert matrix.scores.max() == 0.0
    lenient = RunSet({"other": OTHER}, strict=False)
    assert told(lambda: evaluate(lenient, QRELS, "nDCG@10"))[1] == [NO_JUDGED]


def test_one_judged_document_is_enough_where_judgments_are_sparse():
    sparse = {query: {"d5": 1} for query in QUERIES}
    poor = {**OTHER, "q0": {**OTHER["q0"], "d5": 0.5}}
    runs = {"good": GOOD, "poor": poor}
    assert told(lambda: evaluate(runs, sparse, "nDCG@10"))[1] == []


def test_a_run_with_hardly_a_judged_document_is_named_where_another_is_judged():
    poor = {**OTHER, "q0": {**OTHER["q0"], "d5": 0.5}}  # below the top 10
    assert told(lambda: evaluate({"good": GOOD, "poor": poor}, QRELS, "nDCG@10"))[1] == [
        "run 'poor' has 0 judged documents among the 60 of its top 10, where another run has most "
        "of them judged; do both have the same kind of document ids?"
    ]
    assert told(lambda: evaluate({"poor": poor}, QRELS, "nDCG@10"))[1] == []


# Priors, systems and references


@pytest.mark.parametrize("measure", [NRG @ 10, UniqueRel @ 10, AP_Rareness @ 10], ids=str)
@pytest.mark.parametrize("more", [{}, {"better": BETTER}], ids=["alone", "beside another"])
def test_priors_and_systems_without_a_judged_document_are_named(measure, more):
    asked = measure(**{measure.RUNS_PARAM: RunSet({"other": OTHER, **more})})
    _, messages = told(lambda: evaluate({"good": GOOD}, QRELS, asked))
    (message,) = messages
    assert message.startswith(measure.NAME)
    assert message.endswith(f": `{measure.RUNS_PARAM}`: {NO_JUDGED}")
    assert told(lambda: ir_measures.calc_aggregate([asked], QRELS, GOOD))[1] == messages


@pytest.mark.parametrize("measure", [RBR(phi=0.8), RBO(phi=0.8)], ids=str)
def test_a_reference_of_other_documents_is_named(measure):
    asked = measure(reference=RunSet({"reference": OTHER}))
    matrix, (message,) = told(lambda: evaluate({"good": GOOD}, QRELS, asked))
    assert matrix.scores.max() == 0.0
    assert message.endswith(
        " of run 'good': no document is in the reference (`reference`); do both have the same kind "
        "of document ids?"
    )
    _, (hosted,) = told(lambda: ir_measures.calc_aggregate([asked], QRELS, GOOD))
    assert hosted == message.replace("run 'good'", "the run")


def test_measures_of_a_reference_need_no_judged_document():
    asked = RBR(phi=0.8, reference=RunSet({"reference": OTHER}))
    matrix, messages = told(lambda: evaluate({"other": OTHER}, QRELS, asked))
    assert messages == []
    assert matrix.scores.min() > 0.8


# Other doors


def frame(run, value):
    rows = [(query, doc, number) for query, docs in run.items() for doc, number in docs.items()]
    return pd.DataFrame(rows, columns=["qid", "docno", value])


TOPICS = pd.DataFrame({"qid": QUERIES, "query": "x"})
ASKED = NRG(prior=RunSet({"good": GOOD})) @ 10


def experiment(runs, **more):
    systems = [frame(run, "score") for run in runs.values()]
    return irx_measures.Experiment(
        systems, TOPICS, frame(QRELS, "label"), ["nDCG@10", NRG(prior="others") @ 10],
        names=list(runs), **more,
    )  # fmt: skip


def test_a_comparison_and_its_report_keep_the_warning(tmp_path):
    pytest.importorskip("jinja2")
    runs = {"good": GOOD, "other": OTHER}
    result, messages = told(lambda: compare(runs, QRELS, "nDCG@10"))
    assert messages == [NO_JUDGED]
    assert result.warnings == result.matrix.compare(baseline="good").warnings == (NO_JUDGED,)
    irx_measures.report(result, tmp_path / "report.html", runs=runs, qrels=QRELS)
    page = unescape((tmp_path / "report.html").read_text(encoding="utf-8"))
    assert f"Warning: {NO_JUDGED}</p>" in page


def test_experiment_looks_at_all_systems():
    pytest.importorskip("pyterrier")
    table, messages = told(lambda: experiment({"good": GOOD, "better": BETTER, "other": OTHER}))
    assert messages == [NO_JUDGED]
    assert table["nDCG@10"].tolist()[2] == 0.0
    none = {"other": OTHER, "again": OTHER}
    with pytest.raises(InputError) as refused:
        experiment(none)
    assert str(refused.value) == NONE_OF_ALL
    _, (message,) = told(lambda: experiment(none, strict=False))
    assert message == f"{NO_JUDGED}; likewise run 'again'"


def test_the_hosts_score_a_run_alone_and_warn():
    scores, (message,) = told(lambda: ir_measures.calc_aggregate([ASKED], QRELS, OTHER))
    assert scores == {ASKED: 0.0}
    assert message == NO_JUDGED.replace("run 'other'", "the run")
    pt = pytest.importorskip("pyterrier")
    systems = [frame(OTHER, "score")]
    _, (stock,) = told(
        lambda: pt.Experiment(systems, TOPICS, frame(QRELS, "label"), [ASKED], names=["other"])
    )
    assert stock == message


@pytest.mark.filterwarnings("default::irx_measures.EvaluationWarning")
def test_the_command_line_tells_or_refuses(tmp_path, capsys):
    judged = [
        f"{query} 0 {doc} {grade}" for query, docs in QRELS.items() for doc, grade in docs.items()
    ]
    lines = {"qrels.txt": judged} | {
        name: [
            f"{query} Q0 {doc.replace(' ', '_')} 0 {score} t"
            for query, docs in run.items()
            for doc, score in docs.items()
        ]
        for name, run in {"good.run": GOOD, "other.run": OTHER}.items()
    }
    for name, rows in lines.items():
        (tmp_path / name).write_text("\n".join(rows))
    qrels, good, other = (str(tmp_path / name) for name in lines)
    written = NO_JUDGED.replace("doc d0", "doc_d0")
    for quiet, told_on_screen in (([], [f"irx compare: warning: {written}"]), (["--quiet"], [])):
        command = ["compare", qrels, good, other, "-m", "nDCG@10", "-o", "json", *quiet]
        assert main(command) == 0
        out, err = capsys.readouterr()
        assert json.loads(out)["warnings"] == [written]
        assert err.splitlines() == told_on_screen
    assert main(["evaluate", qrels, other, "-m", "nDCG@10"]) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert line.startswith("irx evaluate: error: no run has a judged document, such as run 'other'")
