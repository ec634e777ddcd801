"""The runs of TREC-DL 2019 and TREC-8: scores of ir_measures and of cwl-eval."""

import ir_measures
import pytest
from ir_measures import AP, RR, P, nDCG
from numpy.testing import assert_allclose

from irx_measures import NRG, AP_Rareness, P_Rareness, evaluate
from tests.doubts import MISSED_QUERIES, NO_PRIOR
from tests.oracles.ranking import ranking

pytestmark = [pytest.mark.slow, MISSED_QUERIES, NO_PRIOR]

# ir_measures computes RR@10 by MS MARCO's script, which breaks ties by ascending document id. So
# RR@10 is compared with trec_eval's RR on runs truncated at rank 10 in trec_eval's order.
PEERS = {
    NRG @ 10: nDCG @ 10,
    NRG(base="P") @ 10: P @ 10,
    NRG(base="RR") @ 10: RR,
    P_Rareness(alpha=0) @ 10: P @ 10,
    AP_Rareness(alpha=0) @ 100: AP @ 100,
}


def run_of(path):
    """Scores as ir_measures reads them, by query and document."""
    run = {}
    for row in ir_measures.read_trec_run(str(path)):
        run.setdefault(row.query_id, {})[row.doc_id] = row.score
    return run


def untied(run, cutoff=None):
    """Rankings with ties broken as in trec_eval; cwl-eval does not break ties."""
    return {
        query: {doc: -float(rank) for rank, doc in enumerate(ranking(docs, cutoff))}
        for query, docs in run.items()
    }


@pytest.mark.parametrize(
    ("collection", "step", "runs"), [("trec-dl-2019-passage", 1, 37), ("trec8-adhoc", 26, 5)]
)
def test_scores_per_query_equal_those_of_ir_measures(data, collection, step, runs):
    qrels = data / collection / "qrels.txt.gz"
    judgments = list(ir_measures.read_trec_qrels(str(qrels)))
    paths = sorted((data / collection / "runs").glob("*.run.gz"))[::step]
    assert len(paths) == runs
    matrix = evaluate(qrels, paths, list(PEERS))
    for place, path in enumerate(paths):
        run = run_of(path)
        for ours, peer in PEERS.items():
            seen = untied(run, 10) if peer == RR else run
            found = {m.query_id: m.value for m in ir_measures.iter_calc([peer], judgments, seen)}
            expected = [found[query] for query in matrix.query_ids]
            assert max(expected) > 0
            told = f"{ours} of {path.name}"
            assert_allclose(matrix[ours][place], expected, rtol=1e-12, atol=1e-15, err_msg=told)


@pytest.mark.whole
def test_rbp_equals_cwl_eval_on_real_runs(data):
    pytest.importorskip("cwl")
    folder = data / "trec-dl-2019-passage"
    qrels = list(ir_measures.read_trec_qrels(str(folder / "qrels.txt.gz")))
    cwl_eval, ours = (ir_measures.providers.registry[name] for name in ("cwl_eval", "irx_measures"))
    for path in sorted((folder / "runs").iterdir()):
        run = run_of(path)
        for asked, known, cutoff in (
            (ir_measures.RBP(p=0.8), ir_measures.RBP(p=0.8, rel=1), None),
            (ir_measures.RBP(p=0.8, rel=2) @ 10, ir_measures.RBP(p=0.8, rel=2), 10),
        ):
            got = {m.query_id: m.value for m in ours.iter_calc([asked], qrels, run)}
            seen = untied(run, cutoff)
            peer = {m.query_id: m.value for m in cwl_eval.iter_calc([known], qrels, seen)}
            assert got == pytest.approx(peer, rel=1e-12)
