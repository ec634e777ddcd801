"""evaluate() on many runs gives the same scores as evaluating them one by one."""

import gzip
import re

import ir_measures
import numpy as np
import pandas as pd
import pytest

from irx_measures import (
    NRG,
    AP_Rareness,
    P_Rareness,
    RunSet,
    TaSC,
    UniqueRel,
    evaluate,
    scope,
)
from irx_measures.exceptions import EvaluationWarning, InputError
from irx_measures.runsets import registry
from tests.campaigns import random_campaign
from tests.doubts import MISSED_QUERIES, NO_PRIOR, NO_SYSTEMS, OWN_PRIOR

pytestmark = [MISSED_QUERIES, NO_PRIOR, NO_SYSTEMS, OWN_PRIOR]

CAMPAIGN = random_campaign(11, ties=True)
QRELS, RUNS, GROUPS = CAMPAIGN
EMPTY_FRAME = pd.DataFrame(columns=["query_id", "doc_id", "score"])

# test_catalogue has every measure of this package with every parameter.
RELATIVE = [
    NRG(prior="others") @ 10,
    NRG(prior="others", base="RR", exclude_self=False, select="earlier") @ 10,
    UniqueRel(prior="others", rel=2, select="other-groups") @ 10,
    TaSC(prior="others", agg="mean", select="best-per-group") @ 10,
    P_Rareness(systems="others", form="mixture", depth=20) @ 5,
    AP_Rareness(systems="others", alpha="importance", dcg="log2"),
]
ABSOLUTE = [NRG @ 10, TaSC(base="RR"), AP_Rareness]
STOCK = [ir_measures.nDCG @ 10, ir_measures.AP(rel=2), ir_measures.RR]
MIXED = [RELATIVE[0], STOCK[0], ABSOLUTE[1], RELATIVE[4], STOCK[1]]


def assert_equal_scores(matrix, expected):
    assert matrix.measures == expected.measures
    assert matrix.systems == expected.systems
    assert matrix.query_ids == expected.query_ids
    assert matrix.groups == expected.groups
    np.testing.assert_allclose(matrix.scores, expected.scores, rtol=1e-12, atol=1e-15)


# Providers


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
    matrix = evaluate({"q1": {"d": 1}, "q2": {"d": 1}}, runs, [Returned()])
    assert matrix.scores.tolist() == [[[2.0, 0.0]]]


# Order


def test_measures_and_systems_keep_their_order_and_no_order_changes_a_score():
    measures = [m for m in [*RELATIVE, *STOCK] if "earlier" not in str(m)]
    expected = evaluate(QRELS, RUNS, measures, GROUPS)
    names = ["run3", "run0", "run4", "run1", "run2"]
    matrix = evaluate(QRELS, {name: RUNS[name] for name in names}, measures[::-1], GROUPS)
    assert matrix.measures == tuple(measures[::-1])
    assert matrix.systems == tuple(names)
    assert matrix.query_ids == tuple(QRELS)
    rows = [names.index(name) for name in RUNS]
    scores = matrix.scores[::-1, rows]
    np.testing.assert_allclose(scores, expected.scores, rtol=1e-12, atol=1e-15)


# Forms of measures, runs and qrels


@pytest.mark.parametrize(
    "asked", [list, iter, lambda texts: [*texts, *texts, UniqueRel @ 5, "P_5"]]
)
def test_each_measure_is_scored_once_however_it_is_asked(asked):
    texts = ["UniqueRel@5", "P@5"]
    matrix = evaluate(QRELS, RUNS, asked(texts))
    assert [str(measure) for measure in matrix.measures] == texts
    assert_equal_scores(matrix.select(texts[1]), evaluate(QRELS, RUNS, texts[1]))


def write_runs(folder):
    paths = {name: folder / f"{name}.run.gz" for name in RUNS}
    for name, path in paths.items():
        rows = ((q, doc, score) for q, docs in RUNS[name].items() for doc, score in docs.items())
        text = "".join(f"{query} Q0 {doc} 0 {score!r} tag\n" for query, doc, score in rows)
        path.write_bytes(gzip.compress(text.encode()))
    return paths


@pytest.mark.parametrize("groups", [None, GROUPS])
def test_groups_of_a_set_stay_and_every_file_is_read_once(tmp_path, opened, groups):
    files = write_runs(tmp_path)
    measures = [*RELATIVE, *ABSOLUTE, *STOCK]
    expected = evaluate(QRELS, RUNS, measures, GROUPS)
    assert expected.groups == tuple(GROUPS[name] for name in RUNS)
    own = {name: name for name in RUNS} if groups else GROUPS
    whole = RunSet(files, groups=own)
    opened.clear()
    assert_equal_scores(evaluate(QRELS, whole, measures, groups), expected)
    assert opened == list(files.values())


class Unknown(ir_measures.Measure):
    __name__ = NAME = "Unknown"


@pytest.mark.parametrize(
    ("measures", "error", "message"),
    [
        ([], ValueError, "a measure is missing"),
        (None, TypeError, "`measures` must be measures or measure strings; got NoneType"),
        (QRELS, TypeError, "got dict (measures come after qrels and runs)"),
        (5, TypeError, "got int (a cutoff belongs to a measure, as in 'nDCG@10')"),
        ("BPM", ValueError, "BPM: needs `cutoff`"),
        (ir_measures.P(rel="one") @ 5, ValueError, "P(rel='one')@5: invalid param rel='one'"),
        ([ir_measures.nDCG @ 0], ValueError, "nDCG: `cutoff` must be a whole number of at least 1"),
        ([Unknown()], ValueError, "Unsupported measures"),
    ],
)
def test_measures_that_cannot_be_used_are_refused(measures, error, message):
    with pytest.raises(error, match=re.escape(message)):
        evaluate(QRELS, RUNS, measures)


# Sets of runs


def test_others_are_the_innermost_runs():
    with scope({"elsewhere": RUNS["run0"]}) as outer:
        inside = evaluate(QRELS, RUNS, MIXED)
        assert registry.resolve("others") is outer
    assert_equal_scores(inside, evaluate(QRELS, RUNS, MIXED))


# Missing queries and documents


def test_a_run_that_misses_queries_scores_nothing_there():
    none = {"elsewhere": {"d": 1.0}}
    few = {"few": {"q1": RUNS["run0"]["q1"]}, "none": none, "run1": RUNS["run1"]}
    matrix = evaluate(QRELS, few, MIXED)
    missed = [query != "q1" for query in QRELS]
    assert not matrix.scores[:, 0][:, missed].any()
    assert not matrix.scores[:, 1].any()
    assert matrix.scores[:, 0].any(axis=1).all()


@pytest.mark.parametrize(
    ("qrels", "fact"),
    [({}, "qrels hold no judgments"), ({"q9": {"d": 1}}, "the qrels have 'q9', the first run 'q")],
)
def test_qrels_without_the_queries_are_refused(qrels, fact):
    with pytest.raises(ValueError, match=fact):
        evaluate(qrels, RUNS, MIXED)


@pytest.mark.parametrize("empty", [{}, {"q1": {}}, iter(()), EMPTY_FRAME])
def test_an_empty_run_is_refused_or_a_warning(empty):
    runs = {"good": RUNS["run0"], "empty": empty}
    with pytest.raises(InputError, match=r"^run 'empty' is empty: it has no rows \(`strict=False`"):
        evaluate(QRELS, runs, MIXED)
    runs["empty"] = [] if isinstance(empty, type(iter(()))) else empty
    with pytest.warns(EvaluationWarning, match=r"^run 'empty' is empty: it has no rows$"):
        matrix = evaluate(QRELS, runs, MIXED, strict=False)
    assert not matrix.scores[:, 1].any()
    assert matrix.scores[:, 0].any(axis=1).all()


@pytest.mark.parametrize(("progress", "shown"), [(False, ""), (None, ""), (True, "5/5")])
def test_progress_is_shown_on_stderr_if_asked(progress, shown, capfd):
    evaluate(QRELS, RUNS, MIXED, progress=progress)
    printed = capfd.readouterr()
    assert (printed.out, shown in printed.err, bool(printed.err)) == ("", True, bool(shown))


def test_a_set_as_qrels_is_recognised():
    with pytest.raises(InputError, match="are runs and qrels swapped"):
        evaluate(RunSet(RUNS), QRELS, MIXED)
