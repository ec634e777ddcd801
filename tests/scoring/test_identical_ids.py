"""Documents with the id of their query, which BEIR leaves out, at every door that scores runs."""

import ir_measures
import numpy as np
import pandas as pd
import pytest
import pytrec_eval
from hypothesis import given, settings
from hypothesis import strategies as st
from ir_measures import AP, P, ScoredDoc, nDCG
from numpy.testing import assert_array_equal

import irx_measures
from irx_measures import NRG, RBO, RunSet, UniqueRel, compare, evaluate, explain, register_runs
from irx_measures.io import core
from tests.doubts import ANY_DOUBT, told
from tests.examples import examples

pytestmark = ANY_DOUBT

IDS = ["1", "é", "a", "b", "c", "longer-than-16-bytes"]
MEASURES = ["nDCG@3", "AP", "RR", "P@2", "NumRet", "R@3", "Judged@3"]
SCORES = [3.0, 1.0 + 1e-9, 1.0, -2.0]

grades = st.dictionaries(st.sampled_from(IDS), st.integers(0, 2), min_size=1)
qrels_with_ids = st.dictionaries(st.sampled_from(IDS), grades, min_size=1)
documents = st.dictionaries(st.sampled_from(IDS), st.sampled_from(SCORES), min_size=2)
runs_with_ids = st.dictionaries(st.sampled_from(IDS), documents)


def rows(run):
    return [ScoredDoc(query, doc, score) for query, of in run.items() for doc, score in of.items()]


def frame(kind):
    return lambda run, path: pd.DataFrame(rows(run)).astype({"query_id": kind, "doc_id": kind})


def shuffled(run, path):
    return frame("str")(run, path).sample(frac=1, random_state=0)


def trec_file(run, path):
    lines = [f"{query} Q0 {doc} 0 {score!r} tag\n" for query, doc, score in rows(run)]
    path.write_text("".join(lines), encoding="utf-8")
    return path


FORMS = {
    "dict": lambda run, path: run,
    "rows": lambda run, path: rows(run),
    "object": frame(object),
    "str": frame("str"),
    "category": frame("category"),
    "shuffled": shuffled,
    "file": trec_file,
}


def popped(run):
    """A run as BEIR scores it with `ignore_identical_ids`: a slow loop."""
    kept = {}
    for query, of in run.items():
        kept[query] = {}
        for doc, score in of.items():
            if doc != query:
                kept[query][doc] = score
    return kept


def by_ir_measures(qrels, run):
    """The scores of ir_measures of what the loop keeps: (measures, queries)."""
    measures = [ir_measures.parse_measure(name) for name in MEASURES]
    scores = np.zeros((len(measures), len(qrels)))
    for metric in ir_measures.iter_calc(measures, qrels, popped(run)):
        scores[measures.index(metric.measure), [*qrels].index(metric.query_id)] = metric.value
    return scores


@pytest.mark.slow
@pytest.mark.parametrize("with_core", [True, False])
@pytest.mark.parametrize("form", FORMS)
@settings(max_examples=examples(30))
@given(qrels=qrels_with_ids, run=runs_with_ids, found=documents)
def test_scores_are_those_of_a_loop_that_pops_identical_ids(
    form, with_core, tmp_path_factory, qrels, run, found
):
    run = {**run, next(iter(qrels)): found}
    given_run = FORMS[form](run, tmp_path_factory.mktemp("runs") / "a.run")
    with pytest.MonkeyPatch.context() as patch:
        if not with_core:
            patch.setattr(core, "rank", lambda *of: None)
        judged = RunSet({"a": given_run})
        matrix, texts = told(
            lambda: evaluate(qrels, judged, MEASURES, ignore_identical_ids=True, strict=False)
        )
    expected = by_ir_measures(qrels, run)
    assert_array_equal(matrix.scores[:, 0, :], expected)
    assert not any("own id" in text for text in texts)


def by_beir(qrels, results):
    """Means over the queries, as BEIR's EvaluateRetrieval.evaluate has them."""
    results = {query: dict(of) for query, of in results.items()}
    for query, of in results.items():
        for doc in list(of):
            if doc == query:
                results[query].pop(doc)
    names = {"map_cut.10", "ndcg_cut.10", "recall.10", "P.10"}
    found = pytrec_eval.RelevanceEvaluator(qrels, names).evaluate(results)
    columns = ["ndcg_cut_10", "map_cut_10", "recall_10", "P_10"]
    return [round(sum(of[name] for of in found.values()) / len(found), 5) for name in columns]


def test_means_are_those_of_beir_where_queries_are_documents():
    rng = np.random.default_rng(0)
    arguments = [f"test-{number}-pro01a" for number in range(60)]
    counters = [name.replace("pro", "con") for name in arguments]
    qrels = {one: {other: 1} for one, other in zip(arguments, counters, strict=True)}
    run = {}
    for query, right in zip(arguments, counters, strict=True):
        docs = rng.choice(arguments + counters, 40, replace=False).tolist()
        scores = np.sort(rng.random(40))[::-1].tolist()
        run[query] = {query: 2.0, right: 0.9, **dict(zip(docs, scores, strict=True))}
        run[query][query] = 2.0
    names = ["NDCG@10", "MAP@10", "Recall@10", "P@10"]
    means = evaluate(qrels, {"x": run}, names, ignore_identical_ids=True).means().loc["x"]
    assert [round(mean, 5) for mean in means] == by_beir(qrels, run)
    with pytest.warns(irx_measures.EvaluationWarning, match="own id in the top 10 of 60 of 60"):
        kept = evaluate(qrels, {"x": run}, names).means().loc["x"]
    assert (kept.iloc[:2] < means.iloc[:2]).all()


QRELS = {f"q{number}": {"A": 1, "B": 2, "C": 0} for number in range(5)}
BEST = {query: {"A": 3.0, "X": 2.0, "B": 1.0} for query in QRELS}
BM25 = {query: {"B": 3.0, "Y": 2.0, "X": 1.0} for query in QRELS}
WORSE = {query: {"X": 3.0, "C": 2.0, "B": 1.0} for query in QRELS}


def with_own(run, score=9.0):
    """Each query is found by itself, as where queries are documents of the collection."""
    return {query: {query: score, **of} for query, of in run.items()}


OWN = {"best": with_own(BEST), "worse": with_own(WORSE)}
CLEAN = {"best": BEST, "worse": WORSE}
ALL = ["nDCG@2", "NumRet", "NRG(prior=others)@3", "UniqueRel(prior=worse)@2", "TaSC(prior=prior)@2",
       "RBO(reference=reference)@3", "P_Rareness(systems=others)@1", "BootNDCG@2"]  # fmt: skip


@pytest.fixture(autouse=True)
def registered():
    register_runs("prior", {"bm25": with_own(BM25)}, replace=True)
    register_runs("reference", {"first": with_own(BM25)}, replace=True)
    yield
    irx_measures.runsets.registry.clear()


def clean(call):
    """The result of a call in which no registered run has an identical id."""
    register_runs("prior", {"bm25": BM25}, replace=True)
    register_runs("reference", {"first": BM25}, replace=True)
    return call()


def test_runs_of_measures_are_read_so_too():
    left_out = evaluate(QRELS, OWN, ALL, ignore_identical_ids=True)
    before = evaluate(QRELS, OWN, ALL)
    again = evaluate(QRELS, OWN, ALL, ignore_identical_ids=True)
    expected = clean(lambda: evaluate(QRELS, CLEAN, ALL))
    assert_array_equal(left_out.scores, expected.scores)
    assert_array_equal(again.scores, expected.scores)
    for place, measure in enumerate(ALL):
        assert not np.array_equal(before.scores[place], expected.scores[place]), measure


def test_registered_sets_stay_as_they_are():
    prior, measures = RunSet({"p": OWN["worse"]}), ["NRG(prior=prior)@3", "TaSC(prior=prior)@2"]
    measures.append(NRG(prior=prior) @ 3)
    before, digest = evaluate(QRELS, OWN, measures), prior.digest
    evaluate(QRELS, OWN, measures, ignore_identical_ids=True)
    assert_array_equal(evaluate(QRELS, OWN, measures).scores, before.scores)
    assert not prior.ignores_identical_ids
    assert prior.digest == digest != RunSet(prior, ignore_identical_ids=True).digest


@pytest.mark.parametrize("runs", [OWN, RunSet(OWN)], ids=["dict", "RunSet"])
def test_compare_leaves_them_out(runs):
    found = compare(QRELS, runs, ["nDCG@2", "NRG(prior=prior)@3"], ignore_identical_ids=True)
    expected = clean(lambda: compare(QRELS, CLEAN, ["nDCG@2", "NRG(prior=prior)@3"]))
    assert found.to_frame().equals(expected.to_frame())


def test_a_run_set_that_leaves_them_out_stays_so():
    runs = RunSet(OWN, ignore_identical_ids=True)
    for made in (runs, RunSet(runs), runs.subset([0, 1]), RunSet(runs, strict=False)):
        assert made.ignores_identical_ids
        assert evaluate(QRELS, made, "NumRet").scores.tolist() == [[[3.0] * 5] * 2]


@pytest.mark.parametrize("runs", [None, OWN], ids=["without runs", "with runs"])
@pytest.mark.parametrize("measure", ["nDCG@2", "NRG(prior=prior)@3", "RBO(reference=reference)@3"])
def test_explain_leaves_them_out(runs, measure):
    run = OWN["best"] if runs is None else "best"
    asked = QRELS, run, measure, runs, "q1"
    found = explain(*asked, ignore_identical_ids=True)
    run, runs = (BEST if runs is None else run), (runs and CLEAN)
    expected = clean(lambda: explain(QRELS, run, measure, runs, "q1"))
    assert found.to_frame().equals(expected.to_frame())
    assert found.score == expected.score != explain(*asked).score


def test_subset_scorers_leave_them_out():
    measure = "NRG(prior=others)@3"
    found = irx_measures.SubsetScorer(QRELS, OWN, measure, ignore_identical_ids=True)
    expected = irx_measures.SubsetScorer(QRELS, CLEAN, measure)
    for chosen in ([0, 1], [1]):
        assert_array_equal(found(chosen), expected(chosen))


@pytest.mark.slow
@pytest.mark.parametrize("measures", [[AP, P @ 2], [NRG(prior="prior") @ 3, nDCG @ 2]], ids=str)
def test_experiments_leave_them_out(measures):
    pytest.importorskip("pyterrier")

    def frames(runs):
        return [
            pd.DataFrame(rows(run), columns=["qid", "docno", "score"]).assign(rank=0)
            for run in runs.values()
        ]

    topics = pd.DataFrame({"qid": [*QRELS], "query": "x"})
    qrels = pd.DataFrame(rows(QRELS), columns=["qid", "docno", "label"])

    def table(runs, **more):
        return irx_measures.Experiment(
            frames(runs), topics, qrels, measures, [*runs], perquery=True, **more
        )

    found = table(OWN, ignore_identical_ids=True)
    assert not found.equals(table(OWN))
    assert found.equals(clean(lambda: table(CLEAN)))


@pytest.mark.slow
def test_distributed_runs_leave_them_out():
    dask = pytest.importorskip("dask.dataframe")
    from irx_measures.distributed import evaluate as on_dask

    def split(table, value):
        made = pd.DataFrame(rows(table), columns=["query_id", "doc_id", value])
        return dask.from_pandas(made, npartitions=2)

    qrels, measures = split(QRELS, "relevance"), ["nDCG@2", "NRG(prior=others)@3"]
    runs = {name: split(run, "score") for name, run in OWN.items()}
    found, texts = told(lambda: on_dask(qrels, runs, measures, ignore_identical_ids=True))
    assert_array_equal(found.scores, evaluate(QRELS, CLEAN, measures).scores)
    assert not any("own id" in text for text in texts)
    _, texts = told(lambda: on_dask(qrels, runs, measures))
    assert sum("own id in the top 10 of 5 of 5 queries" in text for text in texts) == 1


def test_a_run_of_nothing_else_is_an_error_of_one_line():
    only = {query: {query: 1.0} for query in QRELS}
    expected = "run 'a' is empty: it has no rows, documents with the id of their query aside"
    with pytest.raises(ValueError, match=expected):
        evaluate(QRELS, {"a": only, "b": BEST}, "AP", ignore_identical_ids=True)


def test_identical_ids_that_are_repeated_or_have_no_score_are_no_errors():
    own = [ScoredDoc(query, query, float("nan")) for query in QRELS] * 2
    run = own + rows(BEST)
    scores = evaluate(QRELS, {"a": run}, ["AP", "NumRet"], ignore_identical_ids=True).scores
    assert_array_equal(scores, evaluate(QRELS, {"a": BEST}, ["AP", "NumRet"]).scores)


def test_parts_of_a_joined_set_may_be_read_otherwise():
    joined = RBO(reference=RunSet({"r": OWN["best"]}, ignore_identical_ids=True)) @ 3
    plain = UniqueRel(prior=RunSet({"r": OWN["best"]})) @ 2
    scores = evaluate(QRELS, CLEAN, [joined, plain]).scores
    assert_array_equal(scores[0], evaluate(QRELS, CLEAN, RBO(reference=[BEST]) @ 3).scores[0])
