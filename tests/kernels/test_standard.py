"""ir_measures' own measures: our kernels against the definitions and ir_measures' providers."""

import math
import random
import shutil

import ir_measures
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from ir_measures import (
    AP,
    ERR,
    RBP,
    RR,
    Bpref,
    IPrec,
    Judged,
    NumQ,
    NumRel,
    NumRelRet,
    NumRet,
    P,
    R,
    Rprec,
    SetAP,
    SetF,
    SetP,
    SetR,
    Success,
    infAP,
    nDCG,
)

from irx_measures import evaluate
from irx_measures.io.table import nested
from irx_measures.io.trec import read_qrels, read_run
from irx_measures.judgments.judged_run import JudgedRun
from irx_measures.judgments.judgments import Judgments
from irx_measures.measures.standard import kernel_of
from tests import campaigns
from tests.examples import examples
from tests.oracles import standard as oracle
from tests.oracles.ranking import ranking

RELS = (1, 2, 3)
CUTOFFS = (1, 3, 10, 1000)
GAINS = ({}, {1: 3, 2: 1}, {0: 2, 1: 0, 3: 7}, {-1: 4, 1: -1})
RECALLS = (0.0, 0.1, 0.25, 0.333, 0.5, 1.0)
BETAS = (0.0, 0.5, 1.0, 3.3)


def _without_judged_only():
    for rel in RELS:
        yield from (Bpref(rel=rel), infAP(rel=rel), SetR(rel=rel), NumRet(rel=rel))
        yield from (RR(rel=rel) @ cutoff for cutoff in CUTOFFS)
    yield from (NumRet, NumRel, NumQ, NumRelRet, Judged)
    yield from (Judged @ cutoff for cutoff in CUTOFFS)


def _with_judged_only(only):
    for rel in RELS:
        both = {"rel": rel, **only}
        for kind in (P, AP, R, Success):
            yield from (kind(**both) @ cutoff for cutoff in CUTOFFS)
        yield from (kind(**both) for kind in (RR, AP, Rprec, SetAP, SetP))
        yield SetP(relative=True, **both)
        yield from (SetF(beta=beta, **both) for beta in BETAS)
        yield from (IPrec(**both) @ recall for recall in RECALLS)
    for more in ({}, *({"gains": gains} for gains in GAINS)):
        yield nDCG(**more, **only)
        yield from (nDCG(**more, **only) @ cutoff for cutoff in CUTOFFS)


VARIANTS = [
    *_without_judged_only(),
    *_with_judged_only({}),
    *_with_judged_only({"judged_only": True}),
]


# By gdeval, which takes query ids that are numbers.
EXPONENTIAL = [measure @ cutoff for cutoff in CUTOFFS for measure in (ERR, nDCG(dcg="exp-log2"))]

ALIKE = [0.0, 1e-9, -1e-9]  # added to scores near 1, they are equal as float32


def kernel_scores(measures, qrels, run):
    """Scores by measure and query."""
    judgments, columns = Judgments(read_qrels(qrels)), read_run(run)
    judged = JudgedRun(judgments, columns)
    return {
        (measure, query_id): score
        for measure in measures
        for query_id, score in zip(
            judgments.query_ids, kernel_of(measure)(judged).tolist(), strict=True
        )
    }


def provider_scores(measures, qrels, run):
    """Scores by measure and query; measures that may change each other's scores are kept apart."""
    together = {}
    for measure in measures:
        kept = [measure.params.get(name) for name in ("rel", "judged_only", "gains")]
        together.setdefault(repr([*kept, "gains" in measure.params]), []).append(measure)
    return {
        (metric.measure, metric.query_id): metric.value
        for group in together.values()
        for metric in ir_measures.iter_calc(group, qrels, run)
        if metric.query_id in qrels
    }


def assert_same(ours, theirs):
    for key, expected in theirs.items():
        is_exception = math.isnan(expected) and type(key[0]) is type(IPrec)
        assert ours[key] == (0.0 if is_exception else expected), key
    assert ours.keys() == theirs.keys()


def safe(qrels):
    """Qrels with a grade of 0 in every query: trec_eval fails if all gains are negative."""
    return {query: {**grades, "safe": 0, "also-safe": 4} for query, grades in qrels.items()}


def test_every_variant_has_a_kernel_and_another_repr():
    assert all(kernel_of(measure) for measure in VARIANTS)
    assert len(set(VARIANTS)) > 250


@pytest.mark.parametrize(
    "measure",
    [
        nDCG(dcg="exp-log2"), ERR, nDCG(dcg="exp-log2", judged_only=True) @ 10,
        P(rel=0) @ 5, AP(rel=True), P, P @ 0, P @ (1 << 31),
        RR(judged_only=True) @ 5, NumRel(rel=2), SetF(beta=1e-7), SetF(beta=2), IPrec @ 1.5,
        RBP(p=1.0), RBP(rel=0),
        nDCG(gains={1: 0.5}), nDCG(gains={1: 1 << 25}), ir_measures.Accuracy, AP(unknown=1),
    ],
)  # fmt: skip
def test_what_stays_with_the_provider(measure):
    assert kernel_of(measure) is None


@given(campaigns.campaigns(max_runs=1), st.sets(st.sampled_from(range(len(VARIANTS))), max_size=40))
def test_kernels_equal_the_providers_to_the_last_bit(campaign, chosen):
    qrels, run = safe(campaign.qrels), campaign.runs["run0"]
    run = {query: documents for query, documents in run.items() if documents}
    measures = [VARIANTS[place] for place in sorted(chosen)]
    assert_same(kernel_scores(measures, qrels, run), provider_scores(measures, qrels, run))


@pytest.mark.skipif(shutil.which("perl") is None, reason="gdeval is a Perl script")
@pytest.mark.parametrize("seed", range(3))
def test_kernels_equal_gdeval_to_the_last_bit(seed):
    campaign, rng = campaigns.random_campaign(seed, ties=True), random.Random(seed)
    qrels = {query[1:]: docs for query, docs in campaign.qrels.items()}
    for returned in campaign.runs.values():
        run = {
            query[1:]: {doc: score + rng.choice(ALIKE) for doc, score in docs.items()}
            for query, docs in returned.items()
            if query[1:] in qrels
        }
        assert_same(
            kernel_scores(EXPONENTIAL, qrels, run), provider_scores(EXPONENTIAL, qrels, run)
        )


@pytest.mark.slow
@pytest.mark.parametrize("ties", [False, True])
def test_deep_rankings_equal_the_providers(ties):
    campaign = campaigns.random_campaign(
        3, ties=ties, queries=3, systems=1, documents=7000, depth=6000
    )
    args = VARIANTS, safe(campaign.qrels), campaign.runs["run0"]
    assert_same(kernel_scores(*args), provider_scores(*args))


@pytest.mark.parametrize("seed", range(3))
def test_rbp_equals_the_providers_within_rounding(seed):
    """That of cwl-eval has a bound of 1000 ranks, and leaves tied documents as they came."""
    pytest.importorskip("cwl")
    campaign, rng = campaigns.random_campaign(seed, ties=True), random.Random(seed)
    campaign.qrels["deep"] = {f"d{place}": place % 3 for place in range(0, 1500, 50)}
    deep = {f"d{place}": 1.0 + rng.choice(ALIKE) - place // 400 for place in range(1200)}
    rbps = [RBP(p=p, rel=rel) for p in (0.5, 0.8, 0.999) for rel in RELS]
    rbps += [RBP(p=0.999), RBP(p=0.8) @ 10, RBP(p=0.8, rel=2) @ 10]
    for returned in campaign.runs.values():
        run = {
            query: {doc: score + rng.choice(ALIKE) for doc, score in docs.items()}
            for query, docs in [*returned.items(), ("deep", deep)]
        }
        ours = kernel_scores(rbps, campaign.qrels, run)
        assert ours == pytest.approx(provider_scores(rbps, campaign.qrels, run), abs=1e-12)


def by_definition(docs, qrels, rel, k):
    """Measures and their scores of one ranking."""
    yield nDCG, oracle.ndcg(docs, qrels)
    yield nDCG @ k, oracle.ndcg(docs, qrels, k)
    yield AP(rel=rel), oracle.average_precision(docs, qrels, rel)
    yield AP(rel=rel) @ k, oracle.average_precision(docs, qrels, rel, k)
    yield P(rel=rel) @ k, oracle.precision(docs, qrels, rel, k)
    yield R(rel=rel) @ k, oracle.recall(docs, qrels, rel, k)
    yield SetR(rel=rel), oracle.recall(docs, qrels, rel)
    yield RR(rel=rel), oracle.reciprocal_rank(docs, qrels, rel)
    yield Rprec(rel=rel), oracle.r_precision(docs, qrels, rel)
    yield Success(rel=rel) @ k, oracle.success(docs, qrels, rel, k)
    yield Bpref(rel=rel), oracle.bpref(docs, qrels, rel)
    yield infAP(rel=rel), oracle.inferred_ap(docs, qrels, rel)
    yield SetP(rel=rel), oracle.set_precision(docs, qrels, rel)
    yield SetP(rel=rel, relative=True), oracle.relative_set_precision(docs, qrels, rel)
    yield SetF(rel=rel, beta=0.5), oracle.set_f(docs, qrels, rel, 0.5)
    yield SetAP(rel=rel), oracle.set_ap(docs, qrels, rel)
    yield NumRet, len(docs)
    yield NumRet(rel=rel), oracle.hits(docs, qrels, rel)
    yield NumRel, len(oracle.relevant(qrels, 1)) if docs else 0
    yield NumQ, 1 if docs else 0
    yield from (
        (IPrec(rel=rel) @ recall, oracle.interpolated_precision(docs, qrels, rel, recall))
        for recall in (0.0, 0.25, 1.0)
    )
    kept = oracle.judged_only(docs, qrels)
    yield AP(rel=rel, judged_only=True), oracle.average_precision(kept, qrels, rel)
    yield nDCG(judged_only=True) @ k, oracle.ndcg(kept, qrels, k)
    yield SetP(rel=rel, judged_only=True), oracle.set_precision(kept, qrels, rel)


@given(campaigns.campaigns(max_runs=1), st.sampled_from(RELS), st.sampled_from(CUTOFFS))
def test_kernels_equal_the_definitions_to_the_last_bit(campaign, rel, k):
    qrels, run = campaign.qrels, campaign.runs["run0"]
    expected = {}
    for query, grades in qrels.items():
        documents = run.get(query, {})
        by_score, by_gdeval = oracle.score_order(documents), oracle.gdeval_order(documents)
        scores = [
            *by_definition(ranking(documents), grades, rel, k),
            (RR(rel=rel) @ k, oracle.reciprocal_rank(by_score, grades, rel, k)),
            (Judged @ k, oracle.judged_share(by_score, grades, k)),
            (Judged, oracle.judged_share(by_score, grades)),
            (ERR @ k, round(oracle.err(by_gdeval, grades, k), 5)),
            (nDCG(dcg="exp-log2") @ k, round(oracle.exponential_ndcg(by_gdeval, grades, k), 5)),
        ]
        expected |= {(measure, query): score for measure, score in scores}
    measures = list(dict.fromkeys(measure for measure, _ in expected))
    assert kernel_scores(measures, qrels, run) == expected


@pytest.mark.filterwarnings("ignore::irx_measures.EvaluationWarning")
@given(campaigns.campaigns(max_runs=2))
def test_evaluate_uses_the_kernels_beside_providers_and_our_measures(campaign):
    matrix = evaluate(campaign.qrels, campaign.runs, ["P@3", "Compat(p=0.8)", "NRG@3", "Judged@3"])
    for measure, scores in zip(matrix.measures[::3], matrix.scores[::3], strict=True):
        for name, row in zip(matrix.systems, scores.tolist(), strict=True):
            kernels = kernel_scores([measure], campaign.qrels, campaign.runs[name])
            assert kernels == {
                (measure, query): score for query, score in zip(matrix.query_ids, row, strict=True)
            }


def test_a_query_with_only_negative_grades_scores_0():
    scores = kernel_scores([AP, nDCG, infAP, Bpref, Judged], {"q": {"A": -1}}, {"q": {"A": 1.0}})
    assert list(scores.values()) == [0.0, 0.0, 0.0, 0.0, 1.0]


LARGE = ("trec8-adhoc", "trec-covid")  # half a minute each

COLLECTIONS = {
    "trec-dl-2019-passage": "qrels.txt.gz",
    "trec8-adhoc": "qrels.txt.gz",
    "trec-covid": "qrels.original.txt.gz",
}


@pytest.mark.slow
@pytest.mark.parametrize(
    ("collection", "qrels"),
    [
        pytest.param(*each, marks=pytest.mark.whole if each[0] in LARGE else ())
        for each in COLLECTIONS.items()
    ],
)
def test_all_variants_on_the_runs_of_trec(data, collection, qrels):
    """Every variant on a few random topics of a random run, and again on others."""
    folder = data / collection
    judged = {}
    for row in ir_measures.read_trec_qrels(str(folder / qrels)):
        judged.setdefault(row.query_id, {})[row.doc_id] = row.relevance
    judged = safe(judged)
    runs = sorted(path for path in (folder / "runs").iterdir() if path.is_file())
    assert len(runs) >= 3
    rng = np.random.default_rng(8)
    variants = VARIANTS + EXPONENTIAL * (shutil.which("perl") is not None)
    for _ in range(examples(5)):
        for part in np.array_split(rng.permutation(len(variants)), len(variants) // 60 + 1):
            run = nested(read_run(runs[rng.integers(len(runs))]))
            topics = {topic: judged[topic] for topic in rng.permutation(list(judged))[:10].tolist()}
            args = [variants[place] for place in part], topics, run
            assert_same(kernel_scores(*args), provider_scores(*args))
