"""Published scores, and scores of ir_measures, on the runs of TREC-DL 2019 and TREC-8."""

import gzip

import ir_measures
import pytest
from ir_measures import AP, RR, P, nDCG
from numpy.testing import assert_allclose

from irx_measures import NRG, AP_Rareness, P_Rareness, RunSet, TaSC, UniqueRel, evaluate
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


@pytest.fixture(scope="module")
def runset(dl19, groups):
    return RunSet(str(dl19 / "runs" / "*.run.gz"), name="dl19", groups=groups)


@pytest.fixture(scope="module")
def means(dl19, runset):
    """Mean scores by system; the prior is the best run by nDCG@10 of every other group."""
    best = {"prior": "others", "select": "best-per-group"}
    measures = {
        "nDCG": nDCG @ 10,
        "NRG": NRG(**best) @ 10,
        "NRG of all": NRG(ideal="all", **best) @ 10,
        "UniqueRel": UniqueRel(**best) @ 10,
        "TaSC": TaSC(**best) @ 10,
    }
    matrix = evaluate(runset, dl19 / "qrels.txt.gz", measures.values())
    assert matrix.scores.shape == (5, 37, 43)
    by_measure = matrix.scores.mean(axis=2)
    return {
        name: dict(zip(matrix.systems, row, strict=True))
        for name, row in zip(measures, by_measure, strict=True)
    }


@pytest.fixture(scope="module")
def baseline(groups):
    names = [name for name, group in groups.items() if group == "BASELINE"]
    assert len(names) == 8
    return names


def test_ndcg_of_the_best_run_and_of_the_best_baseline(means, baseline):
    assert_allclose(means["nDCG"]["idst_bert_p1"], 0.7645, atol=5e-5)
    assert_allclose(means["nDCG"]["bm25tuned_prf_p"], 0.5536, atol=5e-5)
    assert max(means["nDCG"], key=means["nDCG"].get) == "idst_bert_p1"
    assert max(baseline, key=means["nDCG"].get) == "bm25tuned_prf_p"


@pytest.mark.parametrize(
    ("measure", "digits", "expected"),
    [
        ("NRG", 4, {"idst_bert_p1": 0.1338, "bm25base_ax_p": 0.1926, "ICT-CKNRM_B50": 0.2045}),
        ("UniqueRel", 3, {"idst_bert_p1": 0.512, "bm25base_ax_p": 1.279, "ICT-CKNRM_B50": 1.628}),
        ("TaSC", 4, {"idst_bert_p1": 0.1132, "bm25base_ax_p": 0.0730, "ICT-CKNRM_B50": 0.0836}),
    ],
)
def test_scores_against_the_best_run_of_every_other_group(means, measure, digits, expected):
    got = [means[measure][name] for name in expected]
    assert_allclose(got, list(expected.values()), atol=0.5 * 10**-digits)


def test_nrg_is_highest_for_a_run_of_low_ndcg(means):
    assert max(means["NRG"], key=means["NRG"].get) == "ICT-CKNRM_B50"


def test_figure_2_with_the_ideal_of_the_authors_code(means, baseline):
    nrg = means["NRG of all"]
    assert nrg["idst_bert_pr1"] < min(nrg[name] for name in baseline)
    assert max(baseline, key=nrg.get) == "bm25tuned_ax_p"


def test_figure_2_does_not_hold_with_the_ideal_of_the_paper(means, baseline):
    nrg = means["NRG"]
    assert nrg["idst_bert_pr1"] > min(nrg[name] for name in baseline)


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
