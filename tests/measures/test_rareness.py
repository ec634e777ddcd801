"""P_Rareness and AP_Rareness: worked examples, the oracle, peers, identity of runs, errors."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from ir_measures import AP, P
from numpy.testing import assert_allclose

from irx_measures import AP_Rareness, P_Rareness, evaluate, register_runs
from tests.campaigns import campaigns, per_query, random_campaign
from tests.doubts import MISSED_QUERIES, NO_SYSTEMS
from tests.oracles import rareness as oracle
from tests.oracles.ranking import first_alike, ranking

pytestmark = [MISSED_QUERIES, NO_SYSTEMS]


def run_of(order):
    """A run of one query from a ranking."""
    return {"q": {doc: float(-rank) for rank, doc in enumerate(order)}}


# Three systems find A, two B, one C.
QRELS = {"q": {"A": 2, "B": 1, "C": 3, "Y": 0}}
RUNS = {"a": run_of("ABX"), "b": run_of("CBA"), "c": run_of("XYA")}


# The oracle


shared = {
    "alpha": st.floats(0, 1) | st.just("importance"),
    "rel": st.integers(1, 3),
    "depth": st.none() | st.integers(1, 6),
    "form": st.sampled_from(["additive", "mixture"]),
    "dcg": st.sampled_from([None, "log2", "exp-log2"]),
}
p_params = st.fixed_dictionaries({**shared, "cutoff": st.integers(1, 6)})
ap_params = st.fixed_dictionaries({**shared, "cutoff": st.none() | st.integers(1, 6)})
measures = st.tuples(st.just(P_Rareness), st.just(oracle.p_rareness), p_params) | st.tuples(
    st.just(AP_Rareness), st.just(oracle.ap_rareness), ap_params
)


@given(campaign=campaigns(), declared=measures, draw=st.data())
def test_scores_equal_the_oracle(campaign, declared, draw):
    measure, score, params = declared
    systems = list(campaign.runs.values())

    def check(got, run, systems):
        """Check the scores of a run that is one of the systems."""
        expected = [
            score(
                grades,
                ranking(run.get(query, {})),
                [ranking(system.get(query, {})) for system in systems],
                **params,
            )
            for query, grades in campaign.qrels.items()
        ]
        assert_allclose(list(got), expected, rtol=1e-12, atol=1e-14)

    register_runs("campaign", campaign.runs, replace=True)
    named = measure(systems="campaign", **params)
    among = evaluate(campaign.qrels, campaign.runs, [named, measure(systems="others", **params)])
    for position, run in enumerate(systems):
        for scores in among.scores:
            check(scores[position], run, systems)
    name = draw.draw(st.sampled_from(campaign.names))
    run = campaign.runs[name]
    check(per_query(measure(**params), campaign.qrels, run).values(), run, [run])
    # A bare run that is in the set is not counted twice, and one outside of it is added.
    check(per_query(named, campaign.qrels, run).values(), run, systems)
    new = {query: {**docs, "d1": 0.5, "d0": 0.75} for query, docs in run.items()}
    if not first_alike(new, campaign.runs, campaign.qrels, params["cutoff"]):
        check(per_query(named, campaign.qrels, new).values(), new, [*systems, new])


# ir_measures' own measures


@pytest.mark.parametrize(
    ("ours", "peer"),
    [
        (P_Rareness(alpha=0) @ 10, P @ 10),
        (P_Rareness(alpha=0, rel=2) @ 30, P(rel=2) @ 30),
        (P_Rareness(alpha=0, form="mixture") @ 5, P @ 5),
        (P_Rareness @ 10, P @ 10),
        (AP_Rareness(alpha=0), AP),
        (AP_Rareness(alpha=0, rel=3), AP(rel=3)),
        (AP_Rareness(alpha=0, form="mixture") @ 100, AP @ 100),
        (AP_Rareness, AP),
    ],
    ids=str,
)
def test_without_rareness_it_is_the_measure_of_ir_measures(ours, peer):
    campaign = random_campaign(1, ties=True)
    register_runs("campaign", campaign.runs)
    among = [ours, ours(systems="campaign")] if ours["alpha"] == 0 else [ours]
    for run in campaign.runs.values():
        expected = per_query(peer, campaign.qrels, run)
        for measure in among:
            got = per_query(measure, campaign.qrels, run)
            assert sorted(got) == sorted(expected) == sorted(campaign.qrels)
            for query, value in expected.items():
                assert_allclose(got[query], value, rtol=1e-12, atol=1e-15)


# Which systems are counted


def test_a_system_is_known_by_name_and_else_by_content():
    measure = P_Rareness(systems=RUNS) @ 3
    bare = measure.calc_aggregate(QRELS, RUNS["b"])
    assert bare == pytest.approx(4 / 3)
    assert evaluate(QRELS, {"b": RUNS["b"]}, measure).scores.item() == bare
    assert evaluate(QRELS, {"other name": RUNS["b"]}, measure).scores.item() == bare


def test_content_is_the_ranking_down_to_the_cutoff_whatever_the_depth():
    member, other, run = run_of("AXB"), run_of("XYC"), run_of("AXC")
    measure = P_Rareness(systems=[member, other], depth=2) @ 3
    expected = ((1 + 1 / 3) + (1 + 1)) / 3
    assert measure.calc_aggregate(QRELS, run) == pytest.approx(expected)
    same_to_the_cutoff = P_Rareness(systems=[member, other], depth=3) @ 2
    assert same_to_the_cutoff.calc_aggregate(QRELS, run) == pytest.approx((1 + 1 / 2) / 2)
