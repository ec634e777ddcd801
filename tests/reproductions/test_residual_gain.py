"""The NRG paper's experiments on simulated and on small data."""

from math import isnan

import pytest

from irx_measures.reproductions import load_data, reproduce
from irx_measures.reproductions.paper import in_shape
from irx_measures.reproductions.residual_gain import NRG, TAU, by_group, score_systems
from tests.doubts import ANY_DOUBT

pytestmark = ANY_DOUBT

QRELS = {"1": {"A": 1, "B": 0, "C": 1}, "2": {"A": 1}}
RUNS = {
    "old": {"1": {"A": 2.0, "B": 1.0}, "2": {"B": 2.0, "A": 1.0}},
    "new": {"1": {"C": 2.0, "A": 1.0}, "2": {"A": 1.0}},
    "newer": {"1": {"C": 2.0, "B": 1.0}, "2": {"A": 1.0}},
}
TAUS = "Figures 2 to 5, correlation"


def found_on(qrels=QRELS, runs=RUNS, groups=None):
    return reproduce("residual-gain", load_data(qrels, runs, groups))


def test_figure_1_of_the_users_runs_in_their_order():
    found = found_on()
    shape = in_shape(found.tables["Figure 1"])
    assert list(shape.index) == ["old", "new", "newer"]
    assert shape["RR@10"].tolist() == [0.75, 1.0, 1.0]
    # Of the new run: C is new, A was seen at rank 2.
    assert shape["NRG, earlier runs as priors"].tolist() == [0.75, 0.75, 0.0]
    assert shape.loc["newer", "NRG, all other runs as priors"] == 0.0
    rises = found.claims.iloc[-3]
    assert (rises["verdict"], rises["evidence"]) == ("other data", "1 of 2 releases raise it")


def test_two_releases_are_no_history():
    found = found_on(runs={name: RUNS[name] for name in ("old", "new")})
    assert set(found.claims["verdict"][-3:]) == {"cannot be told"}


@pytest.mark.parametrize("groups", [None, {"old": "a", "new": "b"}, {"old": "a", "new": "a"}])
def test_two_systems_with_binary_grades(groups):
    found = found_on(runs={name: RUNS[name] for name in ("old", "new")}, groups=groups)
    assert found.tables["Figures 2 to 5"].loc[("new", "nDCG@10"), "here"] == 1.0
    assert set(found.claims["verdict"][1:]) <= {"other data", "cannot be told"}


def test_a_group_has_the_means_and_the_tau_of_its_runs():
    groups = {"old": "x", "new": "y", "newer": "y"}
    systems = score_systems(load_data(QRELS, RUNS, groups))
    shape = in_shape(by_group(systems))
    assert shape.loc["y", NRG] == pytest.approx(systems.means[NRG].iloc[1:].mean())
    assert shape["runs"].tolist() == [1, 2]
    assert isnan(shape.loc["x", TAU])


def test_a_single_system_has_no_score_given_others():
    found = found_on(runs={"old": RUNS["old"]})
    assert isnan(found.tables["Figures 2 to 5"].loc[("old", "NRG@10"), "here"])
    assert found.tables[TAUS]["here"].isna().all()
    assert list(found.figures) == ["Figure 1 (a)", "Figure 1 (b)", "Figure 4"]


def test_a_single_query_has_no_interval():
    one = {name: {"1": run["1"]} for name, run in RUNS.items()}
    found = found_on({"1": QRELS["1"]}, one)
    taus = in_shape(found.tables[TAUS]).loc["Figure 2: NRG@10"]
    # By nDCG new > old = newer; by NRG old > new = newer: one of three pairs counts, discordant.
    assert taus["tau"] == pytest.approx(-1 / 2)
    assert isnan(taus["lower"])
