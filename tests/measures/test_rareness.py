"""P_Rareness and AP_Rareness: worked examples, the oracle, peers, identity of runs, errors."""

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from ir_measures import AP, P
from numpy.testing import assert_allclose

from irx_measures import AP_Rareness, P_Rareness, evaluate, register_runs
from tests.campaigns import campaigns, random_campaign
from tests.doubts import MISSED_QUERIES, NO_SYSTEMS
from tests.oracles import rareness as oracle
from tests.oracles.ranking import first_alike, ranking

pytestmark = [MISSED_QUERIES, NO_SYSTEMS]


def run_of(order):
    """A run of one query from a ranking."""
    return {"q": {doc: float(-rank) for rank, doc in enumerate(order)}}


def per_query(measure, qrels, run):
    return {metric.query_id: metric.value for metric in measure.calc(qrels, run).per_query}


# By hand: three systems and three relevant documents. Three systems find A, two B, one C.


QRELS = {"q": {"A": 2, "B": 1, "C": 3, "Y": 0}}
RUNS = {"a": run_of("ABX"), "b": run_of("CBA"), "c": run_of("XYA")}


@pytest.mark.parametrize(
    ("measure", "expected"),
    [
        ("P_Rareness(systems=others, alpha=0)@3", [2 / 3, 1, 1 / 3]),
        ("P_Rareness(systems=others)@3", [7 / 9, 4 / 3, 1 / 3]),
        ("P_Rareness(systems=others, alpha=0.5)@3", [13 / 18, 7 / 6, 1 / 3]),
        ("P_Rareness(systems=others, alpha=importance)@3", [19 / 27, 30 / 27, 9 / 27]),
        ("P_Rareness(systems=others, form=mixture)@3", [1 / 6, 1 / 2, 0]),
        ("P_Rareness(systems=others, depth=2)@3", [1, 14 / 9, 5 / 9]),
        ("P_Rareness(systems=others, dcg=log2)@3", [10 / 27, 25 / 27, 2 / 9]),
        ("P_Rareness(systems=others, rel=2)@3", [1 / 3, 8 / 9, 1 / 3]),
        ("AP_Rareness(systems=others, alpha=0)@3", [2 / 3, 1, 1 / 9]),
        ("AP_Rareness(systems=others)@3", [13 / 18, 3 / 2, 1 / 9]),
        ("AP_Rareness(systems=others)@2", [19 / 18, 19 / 18, 0]),
        ("AP_Rareness(systems=others, dcg=log2)@3", [17 / 81, 427 / 486, 4 / 81]),
        ("AP_Rareness(systems=others)", [13 / 18, 3 / 2, 1 / 9]),
    ],
)
def test_worked_example(measure, expected):
    got = evaluate(RUNS, QRELS, [measure])
    assert got.systems == ("a", "b", "c")
    assert_allclose(got.scores[0, :, 0], expected, rtol=1e-12, atol=1e-15)


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


def expected_scores(campaign, run, systems, score, params):
    """Scores of a run that is one of the systems."""
    return [
        score(
            grades,
            ranking(run.get(query, {})),
            [ranking(system.get(query, {})) for system in systems],
            **params,
        )
        for query, grades in campaign.qrels.items()
    ]


@given(campaign=campaigns(), declared=measures)
def test_scores_of_named_systems_equal_the_oracle(campaign, declared):
    measure, score, params = declared
    register_runs("campaign", campaign.runs, replace=True)
    both = [measure(systems=among, **params) for among in ("others", "campaign")]
    got = evaluate(campaign.runs, campaign.qrels, both)
    assert got.systems == tuple(campaign.names)
    systems = list(campaign.runs.values())
    for position, run in enumerate(systems):
        expected = expected_scores(campaign, run, systems, score, params)
        for among in got.scores:
            assert_allclose(among[position], expected, rtol=1e-12, atol=1e-14)


@given(campaign=campaigns(), declared=measures, draw=st.data())
def test_a_run_of_a_registered_set_is_not_counted_twice(campaign, declared, draw):
    measure, score, params = declared
    run = campaign.runs[draw.draw(st.sampled_from(campaign.names))]
    register_runs("campaign", campaign.runs, replace=True)
    got = per_query(measure(systems="campaign", **params), campaign.qrels, run)
    expected = expected_scores(campaign, run, list(campaign.runs.values()), score, params)
    assert list(got) == list(campaign.qrels)
    assert_allclose(list(got.values()), expected, rtol=1e-12, atol=1e-14)


@given(campaign=campaigns(), declared=measures, draw=st.data())
def test_a_run_outside_the_set_is_added(campaign, declared, draw):
    measure, score, params = declared
    name = draw.draw(st.sampled_from(campaign.names))
    run = {query: {**docs, "d1": 0.5, "d0": 0.75} for query, docs in campaign.runs[name].items()}
    assume(not first_alike(run, campaign.runs, campaign.qrels, params["cutoff"]))
    register_runs("campaign", campaign.runs, replace=True)
    got = per_query(measure(systems="campaign", **params), campaign.qrels, run)
    expected = expected_scores(campaign, run, [*campaign.runs.values(), run], score, params)
    assert_allclose(list(got.values()), expected, rtol=1e-12, atol=1e-14)


@given(campaign=campaigns(), declared=measures)
def test_without_systems_the_run_is_alone(campaign, declared):
    measure, score, params = declared
    run = campaign.runs[campaign.names[0]]
    got = per_query(measure(**params), campaign.qrels, run)
    expected = expected_scores(campaign, run, [run], score, params)
    assert_allclose(list(got.values()), expected, rtol=1e-12, atol=1e-14)


# ir_measures' own measures


@pytest.mark.parametrize("seed", range(2))
@pytest.mark.parametrize(
    ("ours", "peer"),
    [
        (P_Rareness(alpha=0) @ 10, P @ 10),
        (P_Rareness(alpha=0, rel=2) @ 30, P(rel=2) @ 30),
        (P_Rareness(alpha=0, form="mixture") @ 5, P @ 5),
        (P_Rareness @ 10, P @ 10),
        (AP_Rareness(alpha=0) @ 10, AP @ 10),
        (AP_Rareness(alpha=0), AP),
        (AP_Rareness(alpha=0, rel=3), AP(rel=3)),
        (AP_Rareness(alpha=0, form="mixture") @ 100, AP @ 100),
        (AP_Rareness, AP),
    ],
    ids=str,
)
def test_without_rareness_it_is_the_measure_of_ir_measures(ours, peer, seed):
    campaign = random_campaign(seed, ties=True)
    register_runs(f"campaign{seed}", campaign.runs)
    among = [ours, ours(systems=f"campaign{seed}")] if ours["alpha"] == 0 else [ours]
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
    assert evaluate({"b": RUNS["b"]}, QRELS, measure).scores.item() == bare
    assert evaluate({"other name": RUNS["b"]}, QRELS, measure).scores.item() == bare


def test_duplicates_of_the_run_are_systems_too():
    twins = {"a": RUNS["a"], "twin": RUNS["a"], "c": RUNS["c"]}
    measure = P_Rareness(systems=twins) @ 3
    expected = pytest.approx((1 + 4 / 3) / 3)
    assert measure.calc_aggregate(QRELS, RUNS["a"]) == expected
    assert evaluate(twins, QRELS, P_Rareness(systems="others") @ 3).scores[0, 0, 0] == expected


def test_content_is_the_ranking_down_to_the_cutoff_whatever_the_depth():
    member, other, run = run_of("AXB"), run_of("XYC"), run_of("AXC")
    measure = P_Rareness(systems=[member, other], depth=2) @ 3
    expected = ((1 + 1 / 3) + (1 + 1)) / 3
    assert measure.calc_aggregate(QRELS, run) == pytest.approx(expected)
    same_to_the_cutoff = P_Rareness(systems=[member, other], depth=3) @ 2
    assert same_to_the_cutoff.calc_aggregate(QRELS, run) == pytest.approx((1 + 1 / 2) / 2)
