"""The RBR paper's tables, figures and claims: its examples, the TREC runs, and small data."""

from math import isnan

import numpy as np
import pytest
from scipy.stats import kendalltau

from irx_measures import RunSet
from irx_measures.io.trec import read_qrels
from irx_measures.persistence import rba_range
from irx_measures.reproductions import rank_biased
from irx_measures.reproductions.material import Material, Request
from irx_measures.reproductions.rank_biased import first_stage
from tests.doubts import ANY_DOUBT

pytestmark = ANY_DOUBT


def material(runs, qrels):
    return Material(read_qrels(qrels), RunSet(runs), "user", "small data")


def run_of(docs):
    return {"q": {doc: -float(rank) for rank, doc in enumerate(docs)}}


def verdicts(claims):
    return {claim.text: claim.verdict for claim in claims}


@pytest.fixture(scope="module")
def permutations():
    return rank_biased.permute()


@pytest.fixture(scope="module")
def observed(data):
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("IRX_DATA", str(data))
        return {found.label: rank_biased.observe(found) for found in rank_biased.materials()}


@pytest.mark.parametrize(
    ("table", "numbers", "tolerance"),
    [
        (rank_biased.table_1, 14, 5e-4),
        (rank_biased.table_2, 18, 6.7e-4),  # the paper cuts .6667 off to .666
        (rank_biased.choices_of_phi, 4, 5e-4),
        (rank_biased.table_3, 35, 5e-3),
        (rank_biased.figure_5, 3, 5e-4),
    ],
)
def test_the_papers_examples_match_every_printed_number(table, numbers, tolerance):
    found = table()
    assert sum(not isnan(number.printed) for number in found.numbers) == numbers
    assert found.largest_difference < tolerance


def test_table_1_adds_up():
    table = rank_biased.table_1()
    for row in ("R", "R with ties"):
        parts = [table[row, doc] for doc in ("D06", "D23", "D10", "D07", "D04")]
        assert table[row, "RBR"] == pytest.approx(sum(parts))


def test_the_pairs_of_rankings_that_fit_figure_5():
    pairs = list(rank_biased.fitting_pairs())
    assert len(pairs) == len(set(pairs)) == 12
    for observed, reference in pairs:
        assert len(observed) == len(reference) == 9
        assert len({*observed, *reference}) == 11
        assert len({*observed} & {*reference}) == 7


def test_figure_6_is_the_range_of_rba():
    table = rank_biased.figure_6()
    assert table["k=30, reversed", "phi=0.9"] == rba_range(30, 0.9)[0]
    assert table["k=30, aligned", "phi=0.9"] == rba_range(30, 0.9)[1]
    assert not table.printed


def test_the_claims_about_the_definitions_hold():
    assert {claim.verdict for claim in rank_biased.claims_of_definitions()} == {"holds"}


def test_tau_of_permutations_is_that_of_scipy():
    few = rank_biased.permute(repeats=3, seed=5)
    identity = np.arange(25)
    expected = [kendalltau(order, identity).statistic for order in few.orders]
    np.testing.assert_allclose(few.tau, expected, atol=1e-12)
    assert (np.sort(few.orders, axis=1) == identity).all()


@pytest.mark.slow
def test_table_4(permutations):
    table = rank_biased.table_4(permutations)
    assert len(permutations.orders) == 25_000
    assert sum(not isnan(number.printed) for number in table.numbers) == 9
    assert table.largest_difference < 0.02
    claims = list(rank_biased.permutation_claims(permutations, table))
    assert len(claims) == 5
    assert {claim.verdict for claim in claims} == {"holds"}


@pytest.mark.slow
def test_figure_3_on_both_collections(observed):
    assert list(observed) == [rank_biased.DL19.title, rank_biased.TREC8.title]
    assert observed[rank_biased.DL19.title].second_stage == "idst_bert_p1"
    for found in observed.values():
        chosen = found.chosen(0.8)
        assert chosen.sum() > 100
        assert (found.base[chosen] <= found.full[chosen] + 1e-12).all()
        assert (found.full[chosen] <= found.upper[chosen] + 1e-12).all()
        assert np.ptp(found.base[chosen]) > 0.25
        table = rank_biased.figure_3(found)
        for recall, missed in ((0.8, 2), (0.9, 1)):
            row = f"recall {recall}"
            assert table[row, "sets"] == found.chosen(recall).sum()
            assert table[row, "residual"] == pytest.approx(
                (found.upper - found.base)[found.chosen(recall)][0]
            )
            assert table[row, "highest full score"] <= table[row, "best attainable"]
            assert table[row, "different base scores"] <= {2: 45, 1: 10}[missed]


@pytest.mark.slow
def test_the_claims_about_figure_3(observed):
    found = verdicts(rank_biased.first_stage_claims(observed[rank_biased.DL19.title]))
    assert list(found.values()) == ["other data"] * 3 + ["cannot be told"]


def small_observations(missing):
    """The set of a first stage that lacks documents of the second stage's top 10."""
    docs = [f"d{number:02}" for number in range(30)]
    others = [doc for place, doc in enumerate(docs, 1) if place not in missing]
    runs = {"best": run_of(docs), "other": run_of(others)}
    return rank_biased.observe(material(runs, {"q": {doc: 30 - n for n, doc in enumerate(docs)}}))


def test_a_set_without_two_documents():
    found = small_observations(missing=(1, 2))
    assert found.second_stage == "best"
    assert found.recall.tolist() == [0.8]
    assert found.base[0] == pytest.approx(0.8**2 - 0.8**10)
    assert found.full[0] == pytest.approx(0.8**2 - 0.8**22)
    assert found.upper[0] == pytest.approx(found.base[0] + 0.8**10 - 0.8**22)
    last = small_observations(missing=(9, 10))
    assert last.full[0] == pytest.approx(first_stage.best_attainable(0.8))
    assert last.full[0] > found.full[0]


@pytest.mark.slow
@pytest.mark.parametrize("systems", [1, 2])
def test_few_systems_and_short_rankings_leave_figure_3_out_or_empty(systems):
    runs = dict(list({"a": run_of("AB"), "b": run_of("BA")}.items())[:systems])
    found = rank_biased.reproduce(Request(material=material(runs, {"q": {"A": 1}})))
    assert not any(table.label.startswith("Figure 3") for table in found.tables)
    assert not any(figure.label.startswith("Figure 3") for figure in found.figures)
    assert verdicts(found.claims)[first_stage.CLAIMS["equal recall"]] == "cannot be told"
    assert found.table("Table 3").largest_difference < 5e-3


def test_the_figures_are_drawn():
    pytest.importorskip("matplotlib")
    found = small_observations(missing=(1, 2))
    panes = list(rank_biased.panes_of_figure_3(found))
    assert [pane.label for pane in panes] == ["Figure 3, your data, recall 0.8"]
    assert len(panes[0].draw().get_lines()) == 4
    drawn = {figure.label: figure.draw() for figure in rank_biased.figures()}
    assert list(drawn) == ["Figure 4 (a)", "Figure 4 (b)", "Figure 6"]
    assert len(drawn["Figure 6"].get_lines()) == 6
    few = rank_biased.permute(repeats=2)
    assert [len(figure.draw().get_lines()) for figure in rank_biased.figure_7(few)] == [1, 3]
