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
    assert "warning: run 'other' has no judged document" in " ".join(repr(matrix).split())


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
        " of run 'good': no document is in the reference (`reference`): it returns 'd0', where the "
        "reference has 'doc d0'; "
        "do both have the same kind of document ids?"
    )
    _, (hosted,) = told(lambda: ir_measures.calc_aggregate([asked], QRELS, GOOD))
    assert hosted == message.replace("run 'good'", "the run")


def test_measures_of_a_reference_need_no_judged_document():
    asked = RBR(phi=0.8, reference=RunSet({"reference": OTHER}))
    matrix, messages = told(lambda: evaluate({"other": OTHER}, QRELS, asked))
    assert messages == []
    assert matrix.scores.min() > 0.8


# Other doors


def test_a_comparison_keeps_the_warning():
    result, messages = told(lambda: compare({"good": GOOD, "other": OTHER}, QRELS, "nDCG@10"))
    assert messages == [NO_JUDGED]
    assert result.warnings == (NO_JUDGED,)
    assert "warning: run 'other' has no judged document" in " ".join(repr(result).split())
    assert "warning: run &#x27;other&#x27; has no" in result._repr_html_().replace(
        "&#39;", "&#x27;"
    )
    assert result.matrix.compare(baseline="good").warnings == (NO_JUDGED,)
    with pytest.raises(InputError, match="no run has a judged document, such as run 'other': it"):
        compare({"other": OTHER, "again": OTHER}, QRELS, "nDCG@10")


def test_a_report_shows_the_warning(tmp_path):
    pytest.importorskip("jinja2")
    runs = {"good": GOOD, "other": OTHER}
    result, _ = told(lambda: compare(runs, QRELS, "nDCG@10"))
    irx_measures.report(result, tmp_path / "report.html", runs=runs, qrels=QRELS)
    page = unescape((tmp_path / "report.html").read_text(encoding="utf-8"))
    assert f"Warning: {NO_JUDGED}</p>" in page


def frame(run, value):
    rows = [(query, doc, number) for query, docs in run.items() for doc, number in docs.items()]
    return pd.DataFrame(rows, columns=["qid", "docno", value])


TOPICS = pd.DataFrame({"qid": QUERIES, "query": "x"})


def experiment(runs, **more):
    systems = [frame(run, "score") for run in runs.values()]
    return irx_measures.Experiment(
        systems, TOPICS, frame(QRELS, "label"), ["nDCG@10", NRG(prior="others") @ 10],
        names=list(runs), **more,
    )  # fmt: skip


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


def test_experiment_sees_runs_that_are_hardly_judged():
    pytest.importorskip("pyterrier")
    poor = {**OTHER, "q0": {**OTHER["q0"], "d5": 0.5}}
    _, (message,) = told(lambda: experiment({"good": GOOD, "poor": poor}))
    assert message.startswith("run 'poor' has 0 judged documents among the 60 of its top 10")


def test_ir_measures_scores_the_run_and_warns():
    asked = NRG(prior=RunSet({"good": GOOD})) @ 10
    scores, (message,) = told(lambda: ir_measures.calc_aggregate([asked], QRELS, OTHER))
    assert scores == {asked: 0.0}
    assert message == NO_JUDGED.replace("run 'other'", "the run")


def test_stock_experiment_scores_the_run_and_warns():
    pytest.importorskip("pyterrier")
    import pyterrier as pt

    asked = NRG(prior=RunSet({"good": GOOD})) @ 10
    systems = [frame(OTHER, "score")]
    _, (message,) = told(
        lambda: pt.Experiment(systems, TOPICS, frame(QRELS, "label"), [asked], names=["other"])
    )
    assert message == NO_JUDGED.replace("run 'other'", "the run")


# The command line


@pytest.fixture
def files(tmp_path):
    def written(name, rows):
        (tmp_path / name).write_text("".join(rows))
        return str(tmp_path / name)

    judged = (f"{query} 0 {doc} {g}\n" for query, docs in QRELS.items() for doc, g in docs.items())
    runs = {"good": GOOD, "other": {q: {d.replace(" ", "_"): s for d, s in docs.items()}
            for q, docs in OTHER.items()}}  # fmt: skip
    return [
        written("qrels.txt", judged),
        *(
            written(
                f"{name}.run",
                (f"{q} Q0 {d} 0 {s} t\n" for q, docs in run.items() for d, s in docs.items()),
            )
            for name, run in runs.items()
        ),
    ]


WRITTEN = NO_JUDGED.replace("doc d0", "doc_d0")


@pytest.mark.filterwarnings("default::irx_measures.EvaluationWarning")
@pytest.mark.parametrize("command", ["evaluate", "compare"])
@pytest.mark.parametrize("quiet", [[], ["--quiet"]], ids=["", "quiet"])
def test_the_warning_stands_in_json(files, capsys, command, quiet):
    assert main([command, *files, "-m", "nDCG@10", "-o", "json", *quiet]) == 0
    out, err = capsys.readouterr()
    assert json.loads(out)["warnings"] == [WRITTEN]
    assert err.splitlines() == ([] if quiet else [f"irx {command}: warning: {WRITTEN}"])


@pytest.mark.filterwarnings("default::irx_measures.EvaluationWarning")
def test_the_command_report_shows_the_warning(files, tmp_path, capsys):
    pytest.importorskip("jinja2")
    page = tmp_path / "report.html"
    assert main(["report", *files, "-m", "nDCG@10", "-o", str(page)]) == 0
    assert f"irx report: warning: {WRITTEN}" in capsys.readouterr().err
    assert f"Warning: {WRITTEN}</p>" in unescape(page.read_text(encoding="utf-8"))


@pytest.mark.filterwarnings("default::irx_measures.EvaluationWarning")
def test_the_command_line_refuses_runs_without_a_judged_document(files, capsys):
    command = ["evaluate", files[0], files[2], "-m", "nDCG@10"]
    assert main(command) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert line.startswith("irx evaluate: error: no run has a judged document, such as run 'other'")
    assert main([*command, "--no-strict"]) == 0
    assert capsys.readouterr().err == f"irx evaluate: warning: {WRITTEN}\n"
