"""Runs whose document ids are not those of the qrels are named, at every door."""

import json
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
    InputError,
    RunSet,
    UniqueRel,
    compare,
    evaluate,
)
from tests import console
from tests.campaigns import frame, trec_files
from tests.doubts import UNEVEN, told

QUERIES = [f"q{number}" for number in range(6)]
DOCS = [f"d{number}" for number in range(12)]
QRELS = {query: dict.fromkeys(DOCS, 0) | {"d1": 1, "d5": 2} for query in QUERIES}
SPARSE = {query: {"d5": 1} for query in QUERIES}


def run_of(docs, first=0):
    """A run that starts with another document for each query."""
    return {
        query: {
            docs[(place + number * first) % len(docs)]: 100.0 - place for place in range(len(docs))
        }
        for number, query in enumerate(QUERIES)
    }


GOOD, BETTER = run_of(DOCS, 1), run_of(DOCS, 5)
OTHER = run_of([f"doc_{doc}" for doc in DOCS])  # the same documents by other ids
POOR = {**OTHER, "q0": {**OTHER["q0"], "d5": 0.5}}  # with a judged document below its top 10
ASK = "; do both have the same kind of document ids?"
NO_JUDGED = (
    f"run 'other' has no judged document: it returns 'doc_d0' where the qrels judge 'd5'{ASK}"
)
NONE_OF_ALL = (
    "no run has a judged document, such as run 'other': it returns 'doc_d0' where the qrels judge "
    f"'d5'{ASK} (`strict=False` scores such runs)"
)
HARDLY = (
    "run 'poor' has 0 judged documents among the 60 of its top 10, where another run has most "
    f"of them judged{ASK}"
)

# Runs


@pytest.mark.parametrize(
    ("runs", "qrels", "expected"),
    [
        ({"good": GOOD, "other": OTHER}, QRELS, [NO_JUDGED]),
        ({"good": GOOD, "other": OTHER, **{f"other{number}": OTHER for number in range(4)}}, QRELS,
         [f"{NO_JUDGED}; likewise run 'other0', run 'other1' and 2 more runs"]),
        ({"good": GOOD, "poor": POOR}, SPARSE, []),  # one is enough where judgments are sparse
        ({"good": GOOD, "poor": POOR}, QRELS, [HARDLY]),
        ({"poor": POOR}, QRELS, []),
    ],
)  # fmt: skip
def test_runs_without_judged_documents_are_named(runs, qrels, expected):
    matrix, messages = told(lambda: evaluate(qrels, runs, "nDCG@10"))
    kept = [text for text in matrix.warnings if not text.startswith(UNEVEN)]
    assert kept == messages == expected
    assert (matrix.means().iloc[:, 0] == 0).tolist() == [run is not GOOD for run in runs.values()]


@pytest.mark.filterwarnings("ignore:.*has no judged document:irx_measures.EvaluationWarning")
def test_no_judged_document_in_any_run_is_an_error():
    with pytest.raises(InputError) as refused:
        evaluate(QRELS, {"other": OTHER, "far": {"z": {"d1": 1.0}}}, "nDCG@10")
    assert str(refused.value) == NONE_OF_ALL
    lenient = RunSet({"other": OTHER}, strict=False)
    for runs, how in (({"other": OTHER}, {"strict": False}), (lenient, {})):
        matrix = evaluate(QRELS, runs, "nDCG@10", **how)
        assert matrix.warnings == (NO_JUDGED,)
        assert matrix.scores.max() == 0.0


# Priors, systems and references


@pytest.mark.parametrize("measure", [NRG @ 10, UniqueRel @ 10, AP_Rareness @ 10], ids=str)
@pytest.mark.parametrize("more", [{}, {"better": BETTER}], ids=["alone", "beside another"])
def test_priors_and_systems_without_a_judged_document_are_named(measure, more):
    asked = measure(**{measure.RUNS_PARAM: RunSet({"other": OTHER, **more})})
    _, (message,) = told(lambda: evaluate(QRELS, {"good": GOOD}, asked))
    assert message.startswith(measure.NAME)
    assert message.endswith(f": `{measure.RUNS_PARAM}`: {NO_JUDGED}")
    assert told(lambda: ir_measures.calc_aggregate([asked], QRELS, GOOD))[1] == [message]


@pytest.mark.parametrize("measure", [RBR(phi=0.8), RBO(phi=0.8)], ids=str)
def test_a_reference_of_other_documents_is_named_and_needs_no_judged_document(measure):
    asked = measure(reference=RunSet({"reference": OTHER}))
    matrix, (message,) = told(lambda: evaluate(QRELS, {"good": GOOD}, asked))
    assert matrix.scores.max() == 0.0
    assert message.endswith(f" of run 'good': no document is in the reference (`reference`){ASK}")
    _, hosted = told(lambda: ir_measures.calc_aggregate([asked], QRELS, GOOD))
    assert hosted == [message.replace("run 'good'", "the run")]
    matrix, messages = told(lambda: evaluate(QRELS, {"other": OTHER}, asked))
    assert messages == []
    assert matrix.scores.min() > 0.8


# Other doors


TOPICS = pd.DataFrame({"qid": QUERIES, "query": "x"})


def test_a_comparison_and_its_report_keep_the_warning(tmp_path):
    pytest.importorskip("jinja2")
    runs = {"good": GOOD, "other": OTHER}
    result, messages = told(lambda: compare(QRELS, runs, "nDCG@10"))
    assert messages == [NO_JUDGED]
    assert result.warnings == result.matrix.compare(baseline="good").warnings == (NO_JUDGED,)
    irx_measures.report(result, tmp_path / "report.html", qrels=QRELS, runs=runs)
    page = unescape((tmp_path / "report.html").read_text(encoding="utf-8"))
    assert f"Warning: {NO_JUDGED}</p>" in page


def test_experiment_looks_at_all_systems():
    pytest.importorskip("pyterrier")

    def experiment(runs, **more):
        measures = ["nDCG@10", NRG(prior="others") @ 10]
        systems = {name: frame(run) for name, run in runs.items()}
        return irx_measures.Experiment(systems, TOPICS, frame(QRELS, "label"), measures, **more)

    table, messages = told(lambda: experiment({"good": GOOD, "better": BETTER, "other": OTHER}))
    assert messages == [NO_JUDGED]
    assert table["nDCG@10"].tolist()[2] == 0.0
    none = {"other": OTHER, "again": OTHER}
    with pytest.raises(InputError) as refused:
        experiment(none)
    assert str(refused.value) == NONE_OF_ALL
    _, messages = told(lambda: experiment(none, strict=False))
    assert messages == [f"{NO_JUDGED}; likewise run 'again'"]


def test_the_hosts_score_a_run_alone_and_warn():
    asked = NRG(prior=RunSet({"good": GOOD})) @ 10
    scores, messages = told(lambda: ir_measures.calc_aggregate([asked], QRELS, OTHER))
    assert scores == {asked: 0.0}
    assert messages == [NO_JUDGED.replace("run 'other'", "the run")]
    pt = pytest.importorskip("pyterrier")
    given = [frame(OTHER)], TOPICS, frame(QRELS, "label"), [asked]
    assert told(lambda: pt.Experiment(*given, names=["other"]))[1] == messages


def test_the_command_line_tells_or_refuses(tmp_path):
    qrels, good, other = trec_files(tmp_path, {"good": GOOD, "other": OTHER}, QRELS)
    for quiet, on_screen in ([], f"irx compare: warning: {NO_JUDGED}\n"), (["--quiet"], ""):
        done = console.irx("compare", qrels, good, other, "-m", "nDCG@10", "-o", "json", *quiet)
        assert json.loads(done.stdout)["warnings"] == [NO_JUDGED]
        assert done.stderr == on_screen
    refused = console.irx("evaluate", qrels, other, "-m", "nDCG@10")
    assert refused.returncode == 2
    assert refused.stderr.startswith("irx evaluate: error: no run has a judged document, such as")
    assert refused.stderr.count("\n") == 1
