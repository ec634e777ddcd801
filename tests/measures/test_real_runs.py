"""The runs of TREC-DL 2019 and TREC-8: scores of ir_measures and of cwl-eval."""

import gzip

import ir_measures
import numpy as np
import pytest
from ir_measures import AP, RR, P, nDCG
from numpy.testing import assert_allclose

from irx_measures import NRG, AP_Rareness, P_Rareness, evaluate
from irx_measures.io.groups import read_groups
from tests.doubts import MISSED_QUERIES, NO_PRIOR
from tests.oracles.ranking import ranking

pytestmark = [pytest.mark.slow, MISSED_QUERIES, NO_PRIOR]

TREC8_RUNS = ["1", "CL99XT", "READWARE2", "acsys8amn", "pir9Attd"]


@pytest.fixture(scope="module")
def dl19(data):
    return data / "trec-dl-2019-passage"


@pytest.fixture(scope="module")
def groups(dl19):
    return read_groups(dl19 / "groups.csv")


def runs_of(folder, names):
    """Runs as ir_measures reads them: scores by name, query and document."""
    read = {}
    for name in names:
        run = read.setdefault(name, {})
        with gzip.open(folder / f"{name}.run.gz", "rt") as file:
            for row in ir_measures.read_trec_run(file):
                run.setdefault(row.query_id, {})[row.doc_id] = row.score
    return read


def assert_equal_per_query(folder, names, ours, peer, depth=None):
    """Scores equal those of an ir_measures measure on runs truncated in trec_eval's order."""
    with gzip.open(folder / "qrels.txt.gz", "rt") as file:
        evaluator = ir_measures.evaluator([peer], list(ir_measures.read_trec_qrels(file)))
    paths = {name: folder / "runs" / f"{name}.run.gz" for name in names}
    matrix = evaluate(paths, folder / "qrels.txt.gz", ours)
    assert set(matrix.query_ids) == evaluator.qrel_qids
    for got, (name, run) in zip(
        matrix.scores[0], runs_of(folder / "runs", names).items(), strict=True
    ):
        cut = {q: {doc: docs[doc] for doc in ranking(docs, depth)} for q, docs in run.items()}
        peers = {metric.query_id: metric.value for metric in evaluator.iter_calc(cut)}
        expected = [peers[query] for query in matrix.query_ids]
        assert max(expected) > 0
        assert_allclose(got, expected, rtol=1e-12, atol=1e-15, err_msg=name)


# ir_measures computes RR@10 by MS MARCO's script, which breaks ties by ascending document id. So
# RR@10 is compared with trec_eval's RR on runs truncated at rank 10 in trec_eval's order.
@pytest.mark.parametrize(
    ("ours", "peer", "depth"),
    [
        (NRG @ 10, nDCG @ 10, None),
        (NRG(base="P") @ 10, P @ 10, None),
        (NRG(base="RR") @ 10, RR, 10),
        (P_Rareness(alpha=0) @ 10, P @ 10, None),
        (AP_Rareness(alpha=0) @ 100, AP @ 100, None),
    ],
    ids=str,
)
def test_dl19_scores_per_query_equal_those_of_ir_measures(dl19, groups, ours, peer, depth):
    assert len(groups) == 37
    assert_equal_per_query(dl19, groups, ours, peer, depth)


@pytest.mark.parametrize(
    ("ours", "peer"),
    [(P_Rareness(alpha=0) @ 10, P @ 10), (AP_Rareness(alpha=0) @ 100, AP @ 100)],
    ids=str,
)
def test_trec8_scores_per_query_equal_those_of_ir_measures(data, ours, peer):
    assert_equal_per_query(data / "trec8-adhoc", TREC8_RUNS, ours, peer)


def untied(docs, cutoff=None):
    """A query's ranking with ties broken as in trec_eval; cwl-eval does not break ties."""
    order = sorted(docs, key=lambda doc: (np.float32(docs[doc]), doc), reverse=True)
    return {doc: -float(rank) for rank, doc in enumerate(order[:cutoff])}


def test_rbp_equals_cwl_eval_on_real_runs(data):
    pytest.importorskip("cwl")
    folder = data / "trec-dl-2019-passage"
    qrels = list(ir_measures.read_trec_qrels(str(folder / "qrels.txt.gz")))
    paths = sorted((folder / "runs").iterdir())
    assert len(paths) == 37
    cwl_eval = ir_measures.providers.registry["cwl_eval"]
    ours = ir_measures.providers.registry["irx_measures"]
    for path in paths:
        docs = {}
        for row in ir_measures.read_trec_run(str(path)):
            docs.setdefault(row.query_id, {})[row.doc_id] = row.score
        every = {query: untied(scores) for query, scores in docs.items()}
        top = {query: untied(scores, 10) for query, scores in docs.items()}
        for asked, known, seen in (
            (ir_measures.RBP(p=0.8), ir_measures.RBP(p=0.8, rel=1), every),
            (ir_measures.RBP(p=0.8, rel=2) @ 10, ir_measures.RBP(p=0.8, rel=2), top),
        ):
            got = {m.query_id: m.value for m in ours.iter_calc([asked], qrels, docs)}
            peer = {m.query_id: m.value for m in cwl_eval.iter_calc([known], qrels, seen)}
            assert got == pytest.approx(peer, rel=1e-12)
