"""The NRG paper's tables, figures and claims: on the TREC runs, simulated, and on small data."""

from math import isnan

import numpy as np
import pytest

from irx_measures import RunSet
from irx_measures.io.trec import read_qrels
from irx_measures.reproductions import residual_gain
from irx_measures.reproductions.material import Material, Request, simulated_material
from irx_measures.reproductions.residual_gain import claims_about_systems as of_claims
from irx_measures.reproductions.residual_gain.systems import ALL_BUT_BASELINE, FIGURES, TAU
from tests.doubts import ANY_DOUBT

pytestmark = ANY_DOUBT

QRELS = {"1": {"A": 1, "B": 0, "C": 1}, "2": {"A": 1}}
RUNS = {
    "old": {"1": {"A": 2.0, "B": 1.0}, "2": {"B": 2.0, "A": 1.0}},
    "new": {"1": {"C": 2.0, "A": 1.0}, "2": {"A": 1.0}},
    "newer": {"1": {"C": 2.0, "B": 1.0}, "2": {"A": 1.0}},
}


def material(runs=RUNS, qrels=QRELS, groups=None):
    return Material(read_qrels(qrels), RunSet(runs, groups=groups), "user", "small data")


def verdicts(found):
    return {claim.text: claim.verdict for claim in found.claims}


@pytest.fixture(scope="module")
def dl19(data):
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("IRX_DATA", str(data))
        found = residual_gain.reproduce()
    assert "37 runs" in found.data[0]
    return found


def test_table_1_matches_every_printed_number():
    table = residual_gain.table_1()
    assert sum(not isnan(number.printed) for number in table.numbers) == 12
    assert table.largest_difference < 5e-5
    assert list(table.in_shape().columns) == ["nDCG@10", "R1", "R2", "R3", "the other two"]
    assert isnan(table["R2", "R2"])
    assert residual_gain.permutation_claim().verdict == "holds"


@pytest.mark.slow
def test_the_scores_of_systems(dl19):
    table = dl19.table("Figures 2 to 5")
    assert len({number.row for number in table.numbers}) == 37
    for column, digits, expected in (
        ("NRG@10", 4, {"idst_bert_p1": 0.1338, "bm25base_ax_p": 0.1926, "ICT-CKNRM_B50": 0.2045}),
        ("UniqueRel@10", 3, {"idst_bert_p1": 0.512, "ICT-CKNRM_B50": 1.628}),
        ("TaSC@10", 4, {"idst_bert_p1": 0.1132, "bm25base_ax_p": 0.0730}),
        ("nDCG@10", 4, {"idst_bert_p1": 0.7645, "bm25tuned_prf_p": 0.5536}),
    ):
        for system, value in expected.items():
            assert table[system, column] == pytest.approx(value, abs=0.5 * 10**-digits)
    assert table.numbers[0].row == "idst_bert_p1"
    assert not table.printed


@pytest.mark.slow
def test_groups_and_correlations(dl19):
    groups, taus = dl19.table("Figures 2 to 5, groups"), dl19.table("Figures 2 to 5, correlation")
    for column, digits, expected in (
        ("nDCG@10", 3, (0.646, 0.529)),
        ("NRG@10", 3, (0.120, 0.149)),
        ("UniqueRel@10", 2, (0.69, 0.77)),
        (TAU, 2, (-0.23, 0.71)),
        ("runs", 0, (29, 8)),
    ):
        found = [groups[row, column] for row in (ALL_BUT_BASELINE, "BASELINE")]
        assert np.allclose(found, expected, atol=0.5 * 10**-digits)
    found = {label: taus[f"{label}: {column}", "tau"] for label, column in FIGURES.items()}
    assert found["Figure 2"] < 0
    assert found["Figure 3"] < 0
    assert [round(found[f"Figure {number}"], 2) for number in (4, 5)] == [0.85, 0.91]
    for row in {number.row for number in taus.numbers}:
        assert taus[row, "lower"] <= taus[row, "tau"] <= taus[row, "upper"]


@pytest.mark.slow
def test_the_claims_on_dl19(dl19):
    told = {claim.verdict for claim in dl19.claims[:-3]}  # those about Figure 1
    assert told == {"holds", "does not hold"}
    assert [text for text, verdict in verdicts(dl19).items() if verdict == "does not hold"] == [
        "NRG splits traditional and neural runs clearly (figure 2)",
        "Higher nDCG@10 correlates with higher NRG, except for BASELINE runs (figure 2)",
        "srchvrs_ps_run3 has a higher nDCG@10 than every BASELINE run, and a lower NRG",
        "Re-ranking drops idst_bert_pr1 below all BASELINE runs by NRG",
        "Some BASELINE runs have more unique relevant documents than all other runs (figure 3)",
    ]
    split = next(claim for claim in dl19.claims if claim.text.startswith("NRG splits"))
    assert split.evidence.endswith("5 of the best 8 runs by NRG are BASELINE")
    assert verdicts(dl19)[of_claims.ON_TRADITIONAL_RUNS[8]] == "holds"  # the authors' ideal


def test_a_simulated_campaign_is_called_so_and_leaves_claims_about_bm25_open():
    campaign = simulated_material(residual_gain.DL19, systems=8, queries=10)
    systems = residual_gain.score_systems(campaign)
    assert "SIMULATED" in residual_gain.figures_2_to_5(systems).data
    found = {claim.text: claim.verdict for claim in residual_gain.claims(systems)}
    assert {found[text] for text in of_claims.ON_TRADITIONAL_RUNS} == {"cannot be told"}
    assert found[of_claims.NOT_CORRELATED] == "other data"


def test_figure_1_of_the_users_runs_in_their_order():
    table = residual_gain.reproduce(Request(material=material())).table("Figure 1")
    assert list(table.in_shape().index) == ["old", "new", "newer"]
    assert [table[name, "RR@10"] for name in RUNS] == [0.75, 1.0, 1.0]
    earlier = [table[name, "NRG, earlier runs as priors"] for name in RUNS]
    assert earlier == [0.75, 0.75, 0.0]  # of the new run: C is new, A was seen at rank 2
    assert table["newer", "NRG, all other runs as priors"] == 0.0


def test_the_claims_of_figure_1():
    falling = material({"old": RUNS["old"], "new": RUNS["new"], "last": RUNS["newer"]})
    table = residual_gain.figure_1(falling)
    rises, drops, _ = residual_gain.history_claims([table])
    assert rises.verdict == drops.verdict == "other data"
    assert rises.evidence == "1 of 2 releases raise it"
    two = residual_gain.figure_1(material({name: RUNS[name] for name in ("old", "new")}))
    assert {claim.verdict for claim in residual_gain.history_claims([two])} == {"cannot be told"}


@pytest.mark.parametrize("groups", [None, {"old": "a", "new": "b"}, {"old": "a", "new": "a"}])
def test_two_systems_with_binary_grades_and_without_groups(groups):
    two = material({name: RUNS[name] for name in ("old", "new")}, groups=groups)
    found = residual_gain.reproduce(Request(material=two))
    assert not any(table.printed for table in found.tables[1:])
    assert found.table("Figures 2 to 5")["new", "nDCG@10"] == 1.0
    assert {claim.verdict for claim in found.claims[1:]} <= {"other data", "cannot be told"}


def test_a_single_system_has_no_score_given_others():
    found = residual_gain.reproduce(Request(material=material({"old": RUNS["old"]})))
    assert isnan(found.table("Figures 2 to 5")["old", "NRG@10"])
    taus = found.table("Figures 2 to 5, correlation")
    assert all(isnan(number.here) for number in taus.numbers)
    labels = [figure.label for figure in found.figures]
    assert labels == ["Figure 1 (a)", "Figure 1 (b)", "Figure 4"]


def test_a_single_query_has_no_interval_and_leaves_claims_about_correlation_open():
    one = {name: {"1": run["1"]} for name, run in RUNS.items()}
    found = residual_gain.reproduce(Request(material=material(one, {"1": QRELS["1"]})))
    row = "Figure 2: NRG@10"
    # By nDCG new > old = newer; by NRG old > new = newer: one of three pairs counts, discordant.
    assert found.table("Figures 2 to 5, correlation")[row, "tau"] == pytest.approx(-1 / 2)
    assert isnan(found.table("Figures 2 to 5, correlation")[row, "lower"])
    assert verdicts(found)[of_claims.NOT_CORRELATED] == "cannot be told"


def test_no_relevant_document_gives_no_correlation():
    none = {query: dict.fromkeys(docs, 0) for query, docs in QRELS.items()}
    found = residual_gain.reproduce(Request(material=material(qrels=none)))
    assert found.table("Figures 2 to 5")["new", "NRG@10"] == 0
    assert isnan(found.table("Figures 2 to 5, correlation")["Figure 2: NRG@10", "tau"])


@pytest.mark.slow
def test_the_figures_are_drawn():
    pytest.importorskip("matplotlib")
    found = residual_gain.reproduce(Request(material=material()))
    assert [figure.label for figure in found.figures] == [
        "Figure 1 (a)",
        "Figure 1 (b)",
        "Figure 2",
        "Figure 3",
        "Figure 4",
        "Figure 5",
    ]
    drawn = [figure.draw() for figure in found.figures]
    assert len(drawn[0].get_lines()) == 2
    assert drawn[2].get_xlabel() == "nDCG@10"
