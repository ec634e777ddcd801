"""The measures in every function of ir_measures, alone and with its own measures."""

import importlib

import ir_measures
import numpy as np
import pandas as pd
import pytest
from ir_measures import AP, P, Qrel, ScoredDoc, nDCG
from ir_measures.util import QrelsConverter, RunConverter

import irx_measures
from irx_measures import NRG, P_Rareness, RunSet, UniqueRel
from irx_measures.integrations.ir_measures import IrxProvider, install, register_provider
from irx_measures.measures.declaring.base import Measure
from tests import campaigns
from tests.console import python
from tests.doubts import MISSED_QUERIES, NO_PRIOR
from tests.peers.plugins.accelerated import Kernels

pytestmark = [MISSED_QUERIES, NO_PRIOR]

QRELS, RUNS, GROUPS = campaigns.random_campaign(5, ties=True)
PRIOR = RunSet({"x": RUNS["run1"], "y": RUNS["run2"]})
OURS = [NRG @ 10, NRG(prior=PRIOR) @ 5, UniqueRel(prior=PRIOR) @ 10, P_Rareness(systems=PRIOR) @ 5]
STOCK = [nDCG @ 10, AP, P @ 5]


class Returned(Measure):
    """A measure of another provider: number of documents returned, minus 1."""

    NAME = "Returned"

    def score(self, judged):
        return judged.returned - 1.0


def rows(kind, nested):
    return (kind(*row) for row in campaigns.rows(nested))


def by_query(metrics):
    metrics = list(metrics)
    found = {(metric.measure, metric.query_id): metric.value for metric in metrics}
    assert len(found) == len(metrics)
    return found


@pytest.fixture(scope="module")
def expected():
    """Values of a run by measure and query."""
    return by_query(ir_measures.iter_calc(OURS + STOCK, QRELS, RUNS["run0"]))


# Functions of ir_measures


@pytest.mark.parametrize("measures", [OURS, STOCK, OURS + STOCK], ids=["ours", "stock", "both"])
def test_every_way_of_asking_gives_the_same_values(expected, measures):
    run = RUNS["run0"]
    of_these = {key: value for key, value in expected.items() if key[0] in measures}
    assert len(of_these) == len(measures) * len(QRELS)
    means = {m: np.mean([expected[m, query] for query in QRELS]) for m in measures}
    evaluator = ir_measures.evaluator(measures, QRELS)
    assert by_query(ir_measures.iter_calc(measures, QRELS, run)) == of_these
    assert by_query(evaluator.iter_calc(run)) == of_these
    assert by_query(ir_measures.calc(measures, QRELS, run).per_query) == of_these
    for aggregated in (
        ir_measures.calc_aggregate(measures, QRELS, run),
        evaluator.calc_aggregate(run),
        ir_measures.calc(measures, QRELS, run).aggregated,
        {measure: measure.calc_aggregate(QRELS, run) for measure in measures},
    ):
        assert aggregated == pytest.approx(means, rel=1e-12)


def test_the_provider_can_be_asked_by_name(expected):
    provider = ir_measures.providers.registry["irx_measures"]
    assert provider.is_available()
    of_ours = {key: value for key, value in expected.items() if key[0] in OURS}
    assert by_query(provider.iter_calc(OURS, QRELS, RUNS["run0"])) == of_ours
    assert all(map(provider.supports, OURS))
    assert not any(map(provider.supports, STOCK))
    converted = QrelsConverter(QRELS), RunConverter(RUNS["run0"])
    assert by_query(provider.iter_calc(OURS, *converted)) == of_ours
    with pytest.raises(ValueError, match="P_Rareness needs a cutoff"):
        provider.supports(P_Rareness)


def test_an_evaluator_scores_many_runs():
    evaluator = ir_measures.evaluator(OURS, rows(Qrel, QRELS))
    for run in (*RUNS.values(), RUNS["run0"]):
        alone = by_query(ir_measures.iter_calc(OURS, QRELS, run))
        assert by_query(evaluator.iter_calc(run)) == alone


@pytest.mark.parametrize("measures", [OURS, OURS + STOCK], ids=["ours", "both"])
@pytest.mark.parametrize("form", [iter, pd.DataFrame])
def test_iterables_are_read_once_and_so_are_frames(expected, measures, form):
    given = form(rows(Qrel, QRELS)), form(rows(ScoredDoc, RUNS["run0"]))
    found = by_query(ir_measures.iter_calc(measures, *given))
    assert found == {key: value for key, value in expected.items() if key[0] in measures}


# Queries


def test_queries_without_results_are_scored_by_the_formula():
    metrics = list(Returned().iter_calc(QRELS, {"q1": {"a": 1.0}, "q3": {}}))
    assert [metric.query_id for metric in metrics] == list(QRELS)
    assert [metric.value for metric in metrics] == [-1.0, 0.0, *[-1.0] * (len(QRELS) - 2)]
    assert Returned().calc_aggregate(QRELS, {}) == -1.0


def test_queries_without_qrels_are_left_out():
    run = {"unjudged": {"doc1": 1.0}, **RUNS["run0"]}
    measures = [Returned(), *OURS]
    assert by_query(ir_measures.iter_calc(measures, QRELS, run)) == by_query(
        ir_measures.iter_calc(measures, QRELS, RUNS["run0"])
    )
    assert {query for _, query in by_query(ir_measures.iter_calc(OURS, QRELS, run))} == set(QRELS)


def test_a_run_without_a_common_query_scores_nothing():
    assert ir_measures.calc_aggregate(OURS, QRELS, {"other": {"doc1": 1.0}}) == dict.fromkeys(
        OURS, 0.0
    )


def test_our_kernels_score_what_the_suite_of_ir_measures_asks_for():
    """The plugin that puts them in for that suite: all its measures, of which one was forgotten."""
    measures = [*STOCK, ir_measures.RBP(p=0.8), ir_measures.RBP(p=0.8, rel=2)]
    found = by_query(Kernels().iter_calc(measures, QRELS, RUNS["run0"]))
    assert found == pytest.approx(by_query(ir_measures.iter_calc(measures, QRELS, RUNS["run0"])))
    assert not any(map(Kernels().supports, OURS))


# Registration


def providers_called_ours():
    return [p for p in ir_measures.DefaultPipeline.providers if p.NAME == IrxProvider.NAME]


def test_registering_again_changes_nothing():
    before = dict(ir_measures.measures.registry), ir_measures.parse_measure
    (ours,) = providers_called_ours()
    importlib.reload(irx_measures)
    register_provider()
    install()
    assert providers_called_ours() == [ours]
    assert ir_measures.providers.registry[IrxProvider.NAME] is ours
    assert (dict(ir_measures.measures.registry), ir_measures.parse_measure) == before


@pytest.mark.slow
def test_the_command_of_ir_measures_is_its_own(tmp_path):
    """Installing this package changes nothing until it is imported."""
    files = campaigns.trec_files(tmp_path, {"run": RUNS["run0"]}, QRELS)
    stock, ours = (python("-m", "ir_measures", *files, measure) for measure in ("P@5", "NRG@10"))
    value = (P @ 5).calc_aggregate(QRELS, RUNS["run0"])
    assert (stock.returncode, stock.stdout) == (0, f"P@5\t{value:.4f}\n")
    assert (ours.returncode, ours.stdout) == (255, "")
    assert "unknown measure: NRG@10" in ours.stderr
