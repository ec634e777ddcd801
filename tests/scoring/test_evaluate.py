"""evaluate() on many runs gives the same scores as evaluating them one by one."""

import gzip
import re
from pathlib import Path

import ir_measures
import numpy as np
import pandas as pd
import pytest
from ir_measures import Qrel, ScoredDoc

from irx_measures import (
    NRG,
    AP_Rareness,
    P_Rareness,
    RunSet,
    TaSC,
    UniqueRel,
    evaluate,
    register_runs,
    scope,
)
from irx_measures.cli.main import main
from irx_measures.exceptions import EvaluationWarning, InputError
from irx_measures.runsets import registry
from tests.campaigns import random_campaign
from tests.doubts import MISSED_QUERIES, NO_PRIOR, NO_SYSTEMS, OWN_PRIOR

pytestmark = [MISSED_QUERIES, NO_PRIOR, NO_SYSTEMS, OWN_PRIOR]

CAMPAIGN = random_campaign(11, ties=True)
QRELS, RUNS, GROUPS = CAMPAIGN
EMPTY_FRAME = pd.DataFrame(columns=["query_id", "doc_id", "score"])
OLD = random_campaign(12, ties=False, systems=2).runs

RELATIVE = [
    NRG(prior="others") @ 10,
    NRG(prior="others", base="P") @ 5,
    NRG(prior="others", base="RBP"),
    NRG(prior="others", base="RR", exclude_self=False) @ 10,
    NRG(prior="others", ideal="all", dcg="exp-log2") @ 10,
    UniqueRel(prior="others", rel=2) @ 10,
    TaSC(prior="others", agg="mean") @ 10,
    P_Rareness(systems="others") @ 10,
    P_Rareness(systems="others", form="mixture", depth=20) @ 5,
    AP_Rareness(systems="others", alpha="importance", dcg="log2"),
]
SELECTED = [
    measure(select=select)
    for measure in (NRG(prior="others") @ 10, UniqueRel(prior="others") @ 5, TaSC(prior="others"))
    for select in ("other-groups", "best-per-group", "earlier")
]
ABSOLUTE = [NRG @ 10, TaSC(base="RR"), AP_Rareness]
STOCK = [ir_measures.nDCG @ 10, ir_measures.AP(rel=2), ir_measures.RR]
MIXED = [RELATIVE[0], STOCK[0], ABSOLUTE[1], RELATIVE[7], STOCK[1]]


def run_by_run(measure, runs=RUNS, qrels=QRELS, groups=None):
    with scope(runs, groups):
        return [ir_measures.calc_aggregate([measure], qrels, run)[measure] for run in runs.values()]


def assert_equal_scores(matrix, expected):
    assert matrix.measures == expected.measures
    assert matrix.systems == expected.systems
    assert matrix.query_ids == expected.query_ids
    assert matrix.groups == expected.groups
    np.testing.assert_allclose(matrix.scores, expected.scores, rtol=1e-12, atol=1e-15)


# Same scores as run by run


@pytest.mark.parametrize("measure", [*RELATIVE, *SELECTED, *ABSOLUTE, *STOCK], ids=str)
def test_scores_are_those_of_each_run_in_scope(measure):
    matrix = evaluate(RUNS, QRELS, [measure], GROUPS)
    expected = run_by_run(measure, groups=GROUPS)
    np.testing.assert_allclose(matrix.aggregates[0], expected, rtol=1e-12)
    assert np.unique(matrix.scores).size > 1


def test_scores_of_every_query_are_those_of_ir_measures():
    matrix = evaluate(RUNS, QRELS, MIXED)
    found = {
        (measure, system, query): value
        for measure, of_measure in zip(matrix.measures, matrix.scores, strict=True)
        for system, of_system in zip(matrix.systems, of_measure, strict=True)
        for query, value in zip(matrix.query_ids, of_system, strict=True)
    }
    with scope(RUNS):
        expected = {
            (metric.measure, system, metric.query_id): metric.value
            for system, run in RUNS.items()
            for metric in ir_measures.iter_calc(MIXED, QRELS, run)
            if metric.query_id in QRELS
        }
    assert found == pytest.approx(expected, rel=1e-12, abs=1e-15)


def test_providers_of_ir_measures_may_score_queries_without_qrels(monkeypatch):
    class Returned(ir_measures.Measure):
        __name__ = NAME = "Returned"

    class Counting(ir_measures.providers.Provider):
        NAME = "counting"
        SUPPORTED_MEASURES = [Returned()]

        def _evaluator(self, measures, qrels):
            evaluator = ir_measures.providers.Evaluator(list(measures), qrels.keys())
            evaluator._iter_calc = lambda run: (
                ir_measures.Metric(query, Returned(), len(docs)) for query, docs in run.items()
            )
            return evaluator

    pipeline = ir_measures.DefaultPipeline
    monkeypatch.setattr(pipeline, "providers", [*pipeline.providers, Counting()])
    runs = {"a": {"q9": {"d": 1.0}, "q1": {"d": 1.0, "e": 0.5}, "q0": {"d": 1.0}}}
    matrix = evaluate(runs, {"q1": {"d": 1}, "q2": {"d": 1}}, [Returned()])
    assert matrix.scores.tolist() == [[[2.0, 0.0]]]


# Order


def test_measures_and_systems_keep_their_order():
    names = ["run3", "run0", "run4", "run1"]
    matrix = evaluate({name: RUNS[name] for name in names}, QRELS, MIXED)
    assert matrix.measures == tuple(MIXED)
    assert matrix.systems == tuple(names)
    assert matrix.query_ids == tuple(QRELS)
    assert matrix.scores.shape == (len(MIXED), len(names), len(QRELS))
    for measure in MIXED:
        alone = evaluate({name: RUNS[name] for name in names}, QRELS, measure)
        np.testing.assert_array_equal(matrix[measure], alone[measure])


def test_order_of_runs_changes_no_score():
    measures = [m for m in [*RELATIVE, *SELECTED, *STOCK] if "earlier" not in str(m)]
    names = list(RUNS)
    expected = evaluate(RUNS, QRELS, measures, GROUPS)
    for order in (names[::-1], names[2:] + names[:2]):
        matrix = evaluate({name: RUNS[name] for name in order}, QRELS, measures, GROUPS)
        rows = [order.index(name) for name in names]
        np.testing.assert_allclose(matrix.scores[:, rows], expected.scores, rtol=1e-12, atol=1e-15)


def test_order_of_runs_is_what_earlier_means():
    first = evaluate(RUNS, QRELS, ["NRG@10", "NRG(prior=others, select=earlier)@10"])
    np.testing.assert_array_equal(first.scores[0, 0], first.scores[1, 0])
    assert (first.scores[1, 1:] != first.scores[0, 1:]).any(axis=1).all()


# Forms of measures


def test_measures_may_be_one_string():
    text = "NRG(prior=others, base=RR)@10"
    assert_equal_scores(evaluate(RUNS, QRELS, text), evaluate(RUNS, QRELS, [text]))
    measure = ir_measures.parse_measure(text)
    assert_equal_scores(evaluate(RUNS, QRELS, measure), evaluate(RUNS, QRELS, [text]))


def test_measures_may_be_an_iterator():
    assert evaluate(RUNS, QRELS, iter(["P@5", "NRG@10"])).measures == (ir_measures.P @ 5, NRG @ 10)


def test_a_measure_asked_twice_is_scored_once():
    same = ["NRG(prior=others,base=RR)@10", "P@5", "NRG(base=RR, prior=others)@10", RELATIVE[0]]
    matrix = evaluate(RUNS, QRELS, [*same, "P@5", RELATIVE[0]])
    assert [str(m) for m in matrix.measures] == [same[0], "P@5", "NRG(prior=others)@10"]
    assert_equal_scores(matrix, evaluate(RUNS, QRELS, [same[0], "P@5", RELATIVE[0]]))


@pytest.mark.parametrize(
    ("measures", "error", "message"),
    [
        ([], ValueError, "a measure is missing"),
        ("NGR@10", NameError, "did you mean NRG"),
        (["NRG@10", "unknown"], NameError, "unknown"),
        ("NRG(of=others)@10", ValueError, "NRG has no parameter `of`"),
        ("P_Rareness(systems=others)", ValueError, "P_Rareness needs a cutoff"),
        ("NRG(prior=nobody)@10", ValueError, "no set of runs is called 'nobody'"),
        ("NRG(prior=others, select=other-groups)@10", ValueError, "needs groups"),
        ("BPM", ValueError, "BPM: needs `cutoff`"),
        (ir_measures.P(rel="one") @ 5, ValueError, "P(rel='one')@5: invalid param rel='one'"),
        ([10], TypeError, "must be a string or a Measure; got int"),
    ],
)
def test_measures_that_cannot_be_used_are_refused(measures, error, message):
    with pytest.raises(error, match=re.escape(message)):
        evaluate(RUNS, QRELS, measures)


def test_a_measure_that_nobody_provides_is_refused():
    class Unknown(ir_measures.Measure):
        __name__ = NAME = "Unknown"

    with pytest.raises(ValueError, match="Unsupported measures"):
        evaluate(RUNS, QRELS, [Unknown()])


# Forms of runs and qrels


def run_frame(run, query="query_id", doc="doc_id", ids="str"):
    rows = [(q, d, score) for q, scored in run.items() for d, score in scored.items()]
    frame = pd.DataFrame(rows, columns=[query, doc, "score"])
    return frame.astype({query: ids, doc: ids})


def qrels_frame(query="query_id", doc="doc_id", grade="relevance"):
    rows = [(q, d, g) for q, grades in QRELS.items() for d, g in grades.items()]
    return pd.DataFrame(rows, columns=[query, doc, grade])


def scored_docs(run):
    return (ScoredDoc(q, d, score) for q, scored in run.items() for d, score in scored.items())


def trec_lines(run):
    rows = run_frame(run).itertuples()
    return "".join(f"{row.query_id} Q0 {row.doc_id} 0 {row.score!r} tag\n" for row in rows)


def write_runs(folder, runs=RUNS):
    folder.mkdir(exist_ok=True)
    for name, run in runs.items():
        (folder / f"{name}.run.gz").write_bytes(gzip.compress(trec_lines(run).encode()))
    return {name: folder / f"{name}.run.gz" for name in runs}


RUN_FORMS = {
    "DataFrame": run_frame,
    "DataFrame of objects": lambda run: run_frame(run, ids="object"),
    "DataFrame of PyTerrier": lambda run: run_frame(run, "qid", "docno"),
    "iterator of ScoredDoc": scored_docs,
    "list of ScoredDoc": lambda run: list(scored_docs(run)),
}


@pytest.mark.parametrize("form", RUN_FORMS)
def test_runs_may_come_in_any_form(form):
    runs = {name: RUN_FORMS[form](run) for name, run in RUNS.items()}
    assert_equal_scores(evaluate(runs, QRELS, MIXED), evaluate(RUNS, QRELS, MIXED))


@pytest.mark.parametrize("source", [str, Path])
def test_runs_may_be_files(source, tmp_path):
    files = {name: source(file) for name, file in write_runs(tmp_path).items()}
    expected = evaluate(RUNS, QRELS, MIXED)
    assert_equal_scores(evaluate(files, QRELS, MIXED), expected)
    assert_equal_scores(evaluate(source(tmp_path / "*.run.gz"), QRELS, MIXED), expected)


def test_runs_may_be_a_list():
    matrix = evaluate(list(RUNS.values()), QRELS, MIXED)
    assert matrix.systems == ("run1", "run2", "run3", "run4", "run5")
    np.testing.assert_array_equal(matrix.scores, evaluate(RUNS, QRELS, MIXED).scores)


@pytest.mark.parametrize("form", [lambda run: run, run_frame, scored_docs])
def test_a_single_run_needs_no_name(form):
    matrix = evaluate(form(RUNS["run1"]), QRELS, ["NRG@10", "nDCG@10"])
    assert matrix.systems == ("run",)
    np.testing.assert_allclose(matrix.scores[0], matrix.scores[1], rtol=1e-12)
    assert matrix.scores.any()


@pytest.mark.parametrize(
    "qrels",
    [
        qrels_frame(),
        qrels_frame("qid", "docno", "label"),
        [Qrel(row.query_id, row.doc_id, row.relevance) for row in qrels_frame().itertuples()],
    ],
    ids=["DataFrame", "DataFrame of PyTerrier", "Qrel"],
)
def test_qrels_may_come_in_any_form(qrels):
    expected = evaluate(RUNS, QRELS, MIXED)
    assert_equal_scores(evaluate(RUNS, qrels, MIXED), expected)
    if isinstance(qrels, list):
        assert_equal_scores(evaluate(RUNS, iter(qrels), MIXED), expected)


def test_qrels_may_be_a_file(tmp_path):
    file = tmp_path / "qrels"
    rows = qrels_frame().itertuples()
    file.write_text("".join(f"{row.query_id} 0 {row.doc_id} {row.relevance}\n" for row in rows))
    for qrels in (file, str(file)):
        assert_equal_scores(evaluate(RUNS, qrels, MIXED), evaluate(RUNS, QRELS, MIXED))


def test_every_file_is_read_once(tmp_path, opened):
    files = write_runs(tmp_path)
    measures = [*RELATIVE, *SELECTED, *ABSOLUTE, *STOCK]
    for runs, groups in ((files, GROUPS), (RunSet(files, groups=GROUPS), None)):
        opened.clear()
        evaluate(runs, QRELS, measures, groups)
        assert opened == list(files.values())


# Sets of runs


def test_a_run_set_brings_its_groups():
    groups_of = [GROUPS[name] for name in RUNS]
    expected = evaluate(RUNS, QRELS, SELECTED, GROUPS)
    assert expected.groups == tuple(groups_of)
    whole = RunSet(RUNS, name="mine", groups=GROUPS)
    assert_equal_scores(evaluate(whole, QRELS, SELECTED), expected)


def test_groups_given_replace_those_of_a_run_set(tmp_path):
    expected = evaluate(RUNS, QRELS, SELECTED, GROUPS)
    alone = RunSet(RUNS, groups={name: name for name in RUNS})
    assert_equal_scores(evaluate(alone, QRELS, SELECTED, GROUPS), expected)
    assert not np.allclose(evaluate(alone, QRELS, SELECTED).scores, expected.scores)
    files = RunSet(write_runs(tmp_path))
    assert_equal_scores(evaluate(files, QRELS, SELECTED, GROUPS), expected)


def test_a_registered_set_stands_beside_the_others():
    register_runs("old", OLD)
    measures = ["NRG(prior=others)@10", "NRG(prior=old)@10", "P_Rareness(systems=old)@10"]
    renamed = {f"new-{name}": run for name, run in RUNS.items()}
    matrix = evaluate(renamed, QRELS, measures)
    for number, measure in enumerate(matrix.measures):
        np.testing.assert_allclose(
            matrix.aggregates[number], run_by_run(measure, renamed), rtol=1e-12
        )
    assert not np.allclose(matrix.scores[0], matrix.scores[1])


def test_others_may_be_joined_to_a_registered_set():
    register_runs("older", {f"older-{name}": run for name, run in OLD.items()})
    joined = {**RUNS, **{f"older-{name}": run for name, run in OLD.items()}}
    expected = evaluate(joined, QRELS, ["NRG(prior=others)@10", "AP_Rareness(systems=others)@10"])
    for names in ("others+older", "older+others"):
        measures = [f"NRG(prior={names})@10", f"AP_Rareness(systems={names})@10"]
        matrix = evaluate(RUNS, QRELS, measures)
        np.testing.assert_allclose(matrix.scores, expected.scores[:, : len(RUNS)], rtol=1e-12)


def test_a_set_may_be_evaluated_against_itself_by_name():
    copied = {**RUNS, "copy": RUNS["run1"]}
    mine = register_runs("mine", copied)
    measures = ["NRG(prior=mine, select=earlier)@10", "P_Rareness(systems=mine)@10"]
    expected = evaluate(copied, QRELS, [text.replace("mine", "others") for text in measures])
    for runs in (copied, mine):
        matrix = evaluate(runs, QRELS, measures)
        np.testing.assert_allclose(matrix.scores, expected.scores, rtol=1e-12)


def test_others_are_the_innermost_runs():
    with scope({"elsewhere": OLD["run0"]}) as outer:
        inside = evaluate(RUNS, QRELS, RELATIVE)
        assert registry.resolve("others") is outer
    assert_equal_scores(inside, evaluate(RUNS, QRELS, RELATIVE))


def test_a_copy_of_a_run_is_an_other():
    copied = {**RUNS, "copy": RUNS["run1"]}
    matrix = evaluate(
        copied, QRELS, ["UniqueRel(prior=others)@10", "P_Rareness(systems=others)@10"]
    )
    np.testing.assert_array_equal(matrix.scores[:, 1], matrix.scores[:, -1])
    assert not matrix["UniqueRel(prior=others)@10"][[1, -1]].any()


# Missing queries and documents


def test_one_run_alone_has_no_others():
    measures = [
        "NRG(prior=others)@10",
        "UniqueRel(prior=others)@10",
        "P_Rareness(systems=others)@5",
    ]
    matrix = evaluate({"only": RUNS["run0"]}, QRELS, measures)
    alone = evaluate({"only": RUNS["run0"]}, QRELS, ["P@5"])
    np.testing.assert_allclose(matrix.scores[2], alone.scores[0], rtol=1e-12)
    assert np.isnan(matrix.scores[:2]).all()
    assert alone.scores.any()


def test_a_run_that_misses_queries_scores_nothing_there():
    none = {"elsewhere": {"d": 1.0}}
    few = {"few": {"q1": RUNS["run0"]["q1"]}, "none": none, "run1": RUNS["run1"]}
    matrix = evaluate(few, QRELS, MIXED)
    missed = [query != "q1" for query in QRELS]
    assert not matrix.scores[:, 0][:, missed].any()
    assert not matrix.scores[:, 1].any()
    assert matrix.scores[:, 0].any(axis=1).all()


def test_queries_without_qrels_are_left_out():
    assert set(RUNS["run4"]) - set(QRELS)
    known = {name: {q: run[q] for q in run if q in QRELS} for name, run in RUNS.items()}
    matrix = evaluate(RUNS, QRELS, MIXED)
    assert matrix.query_ids == tuple(QRELS)
    assert_equal_scores(matrix, evaluate(known, QRELS, MIXED))


@pytest.mark.parametrize("empty", [{}, pd.DataFrame(columns=["query_id", "doc_id", "relevance"])])
def test_empty_qrels_are_refused(empty):
    with pytest.raises(ValueError, match="qrels hold no judgments"):
        evaluate(RUNS, empty, MIXED)


@pytest.mark.parametrize(
    ("runs", "first"),
    [
        ({"a": {"101": {"d": 1.0}}, "b": {"102": {"d": 1.0}}}, "the first run '101'"),
        ({"a": {f"{n}": {"d": 1.0} for n in range(4)}}, "the first run '0', '1', '2', ..."),
    ],
)
def test_runs_and_qrels_without_a_common_query_are_refused(runs, first):
    with pytest.raises(ValueError, match="share no query: the qrels have 'q0', 'q1', 'q2'") as e:
        evaluate(runs, QRELS, "NRG(prior=others)@10")
    assert first in str(e.value)


@pytest.mark.parametrize("empty", [{}, {"q1": {}}, [], iter(()), EMPTY_FRAME])
def test_an_empty_run_is_refused_or_a_warning(empty):
    runs = {"good": RUNS["run0"], "empty": empty}
    with pytest.raises(InputError, match=r"^run 'empty' is empty: it has no rows \(strict=False"):
        evaluate(runs, QRELS, MIXED)
    runs["empty"] = [] if isinstance(empty, type(iter(()))) else empty
    with pytest.warns(EvaluationWarning, match=r"^run 'empty' is empty: it has no rows$"):
        matrix = evaluate(runs, QRELS, MIXED, strict=False)
    assert not matrix.scores[:, 1].any()
    assert matrix.scores[:, 0].any(axis=1).all()


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("empty.run", b""),
        ("empty.run", b"\n \n"),
        ("empty.run", b"# nothing\n"),
        ("empty.run.gz", b""),
        ("empty.run.gz", gzip.compress(b"", mtime=0)),
    ],
)
def test_an_empty_file_is_refused_by_its_name(tmp_path, name, content):
    path = tmp_path / name
    path.write_bytes(content)
    with pytest.raises(InputError, match=r"^run 'empty' \(.*empty.run(.gz)?\) is empty"):
        evaluate({"good": RUNS["run0"], "empty": path}, QRELS, MIXED)
    for strict in (True, False):
        prior = RunSet(path, strict=strict)
        with pytest.raises(InputError) if strict else pytest.warns(EvaluationWarning):
            evaluate({"good": RUNS["run0"]}, QRELS, [NRG(prior=prior) @ 5])


def score_frame(run):
    return pd.DataFrame(
        [(q, d, s) for q, docs in run.items() for d, s in docs.items()],
        columns=["query_id", "doc_id", "score"],
    )


@pytest.mark.parametrize(
    "form",
    [
        lambda runs: runs,
        lambda runs: RunSet(runs),
        lambda runs: list(runs.values()),
        lambda runs: list(runs.items()),
        lambda runs: {name: score_frame(run) for name, run in runs.items()},
        lambda runs: [score_frame(run) for run in runs.values()],
        lambda runs: dict.fromkeys(runs, "some.run"),
        lambda runs: score_frame(runs["run0"]),
        lambda runs: {"q0": {"d": 0.5}},
    ],
)
@pytest.mark.parametrize("qrels", [QRELS, "frame"])
def test_swapped_arguments_are_recognised(form, qrels):
    if isinstance(qrels, str):
        qrels = score_frame(QRELS).rename(columns={"score": "relevance"})
    with pytest.raises(InputError, match="are runs and qrels swapped"):
        evaluate(qrels, form(RUNS), MIXED)


@pytest.mark.parametrize("by_glob", [True, False])
def test_swapped_files_are_recognised(tmp_path, capsys, by_glob):
    qrels, run = tmp_path / "qrels.txt", tmp_path / "a.run"
    qrels.write_text("q1 0 d 1\n")
    run.write_text("q1 Q0 d 1 1.0 t\n")
    runs = str(tmp_path / "*.run") if by_glob else run
    assert evaluate(runs, qrels, ["P@1"]).scores.tolist() == [[[1.0]]]
    with pytest.raises(InputError, match="are runs and qrels swapped"):
        evaluate(qrels, runs, ["P@1"])
    assert main(["evaluate", str(run), str(qrels), "-m", "P@1"]) == 2
    assert "are runs and qrels swapped?" in capsys.readouterr().err


@pytest.mark.parametrize("runs", [{}, []])
def test_no_runs_are_refused(runs):
    with pytest.raises(ValueError, match="at least one run"):
        evaluate(runs, QRELS, "NRG@10")


# Progress


@pytest.mark.parametrize("progress", [False, None])
def test_nothing_is_printed_unless_asked(progress, capfd):
    evaluate(RUNS, QRELS, MIXED, progress=progress)
    assert capfd.readouterr() == ("", "")


def test_progress_is_shown_on_stderr(capfd):
    evaluate(RUNS, QRELS, MIXED, progress=True)
    printed = capfd.readouterr()
    assert printed.out == ""
    assert "5/5" in printed.err


def test_a_stock_cutoff_of_0_is_refused_before_it_crashes_the_peer():
    with pytest.raises(ValueError, match=r"nDCG: `cutoff` must be a whole number of at least 1"):
        evaluate(RUNS, QRELS, [ir_measures.nDCG @ 0])
