"""NRG, UniqueRel and TaSC: the paper's table, the oracle, peers, selections, and errors."""

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from ir_measures import RR, P, nDCG
from numpy.testing import assert_allclose

from irx_measures import NRG, TaSC, UniqueRel, evaluate, parse_measure, register_runs
from tests.campaigns import campaigns, random_campaign
from tests.doubts import MISSED_QUERIES, NO_PRIOR, NO_SYSTEMS, OWN_PRIOR
from tests.oracles import residual_gain as oracle
from tests.oracles.ranking import counted, first_alike, ranking

pytestmark = [MISSED_QUERIES, NO_PRIOR, NO_SYSTEMS, OWN_PRIOR]


def run_of(*orders):
    """A run of the queries q0, q1, ... from rankings."""
    return {
        f"q{number}": {doc: float(-rank) for rank, doc in enumerate(order)}
        for number, order in enumerate(orders)
    }


def per_query(measure, qrels, run):
    return {metric.query_id: metric.value for metric in measure.calc(qrels, run).per_query}


# The oracle


bases = st.fixed_dictionaries(
    {
        "base": st.sampled_from(["nDCG", "P", "RBP", "RR"]),
        "dcg": st.sampled_from(["log2", "exp-log2"]),
        "rel": st.integers(1, 3),
        "phi": st.floats(0.05, 0.95),
        "cutoff": st.none() | st.integers(1, 6),
    }
).filter(lambda params: params["base"] != "P" or params["cutoff"] is not None)
selections = st.fixed_dictionaries(
    {
        "select": st.sampled_from(["all", "other-groups", "best-per-group", "earlier"]),
        "exclude_self": st.booleans(),
    }
)
ideals = st.sampled_from(["cutoff", "all"])
aggs = st.sampled_from(["max", "mean"])


def nrg(base, ideal):
    return lambda *query: oracle.nrg(*query, ideal=ideal, **base)


def tasc(base, agg):
    return lambda *query: oracle.tasc(*query, agg=agg, **base)


def expected_scores(campaign, run, own, score, base, selection):
    """Scores of a run; `own` is its name in the set, or None for a run outside the set."""
    means = {
        name: np.mean(
            [
                oracle.nrg(grades, campaign.ranking(name, q), **base)
                for q, grades in judged(campaign)
            ]
        )
        for name in campaign.runs
    }
    if selection["select"] == "best-per-group":
        assume(decided(campaign, means, base["cutoff"]))
    priors = counted(own, campaign.names, campaign.groups, mean=means, **selection)
    return [
        score(grades, ranking(run.get(q, {})), [campaign.ranking(name, q) for name in priors])
        for q, grades in judged(campaign)
    ]


def judged(campaign):
    return campaign.qrels.items()


def decided(campaign, means, cutoff):
    """Whether the best run of each group is independent of rounding errors."""
    for name, mean in means.items():
        for other, other_mean in means.items():
            close = abs(mean - other_mean) < 1e-9 and (mean, other_mean) != (0, 0)
            alike = first_alike(
                campaign.runs[name], {other: campaign.runs[other]}, campaign.qrels, cutoff
            )
            if close and not alike:
                return False
    return True


def check_by_name(campaign, measure, score, base, selection):
    """Check a run of the systems under comparison, and of a registered set with the same names."""
    register_runs("campaign", campaign.runs, campaign.groups, replace=True)
    both = [measure(prior="others"), measure(prior="campaign")]
    got = evaluate(campaign.runs, campaign.qrels, both, campaign.groups)
    assert got.systems == tuple(campaign.names)
    for position, (name, run) in enumerate(campaign.runs.items()):
        expected = expected_scores(campaign, run, name, score, base, selection)
        if len(campaign.runs) == 1 and (selection["select"] != "all" or selection["exclude_self"]):
            expected = np.full(len(expected), np.nan)  # its own only prior
        for among in got.scores:
            assert_allclose(among[position], expected, rtol=1e-12, atol=1e-14)


def check_by_content(campaign, measure, score, base, selection, name):
    """Check a run without a name that is also in a registered set."""
    register_runs("campaign", campaign.runs, campaign.groups, replace=True)
    run = campaign.runs[name]
    own = first_alike(run, campaign.runs, campaign.qrels, measure["cutoff"])
    got = per_query(measure(prior="campaign"), campaign.qrels, run)
    expected = expected_scores(campaign, run, own, score, base, selection)
    assert list(got) == list(campaign.qrels)
    assert_allclose(list(got.values()), expected, rtol=1e-12, atol=1e-14)


@given(campaign=campaigns(), base=bases, ideal=ideals, selection=selections, draw=st.data())
def test_nrg_equals_the_oracle(campaign, base, ideal, selection, draw):
    measure, score = NRG(ideal=ideal, **base, **selection), nrg(base, ideal)
    check_by_name(campaign, measure, score, base, selection)
    name = draw.draw(st.sampled_from(campaign.names))
    check_by_content(campaign, measure, score, base, selection, name)


@given(campaign=campaigns(), base=bases, agg=aggs, selection=selections, draw=st.data())
def test_tasc_equals_the_oracle(campaign, base, agg, selection, draw):
    measure, score = TaSC(agg=agg, **base, **selection), tasc(base, agg)
    check_by_name(campaign, measure, score, base, selection)
    name = draw.draw(st.sampled_from(campaign.names))
    check_by_content(campaign, measure, score, base, selection, name)


@given(campaign=campaigns(), base=bases, ideal=ideals, data=st.data())
def test_a_run_outside_the_set_is_held_against_all_of_it(campaign, base, ideal, data):
    name = data.draw(st.sampled_from(campaign.names))
    run = {query: {**docs, "d0": 9.0} for query, docs in campaign.runs[name].items()}
    assume(not first_alike(run, campaign.runs, campaign.qrels, base["cutoff"]))
    register_runs("campaign", campaign.runs, replace=True)
    got = per_query(NRG(prior="campaign", ideal=ideal, **base), campaign.qrels, run)
    everyone = {"select": "all", "exclude_self": True}
    expected = expected_scores(campaign, run, None, nrg(base, ideal), base, everyone)
    assert_allclose(list(got.values()), expected, rtol=1e-12, atol=1e-14)


# ir_measures' own measures


@pytest.mark.parametrize(
    ("ours", "peer"),
    [
        (NRG @ 10, nDCG @ 10),
        (NRG, nDCG),
        (NRG(dcg="exp-log2") @ 10, nDCG(gains={1: 1, 2: 3, 3: 7}) @ 10),
        (NRG(base="P") @ 10, P @ 10),
        (NRG(base="RR"), RR),
        (NRG(ideal="all") @ 10, nDCG @ 10),
        (TaSC @ 10, nDCG @ 10),
        (TaSC(base="RR", rel=2), RR(rel=2)),
    ],
    ids=str,
)
def test_without_priors_it_is_the_base_measure_of_ir_measures(ours, peer):
    campaign = random_campaign(1, ties=True)
    for run in campaign.runs.values():
        got, expected = (per_query(measure, campaign.qrels, run) for measure in (ours, peer))
        assert sorted(got) == sorted(expected) == sorted(campaign.qrels)
        for query, value in expected.items():
            assert_allclose(got[query], value, rtol=1e-12, atol=1e-15)


# Which runs count


QRELS = {"q0": dict.fromkeys("ABCDE", 1)}
RUNS = {
    "a1": run_of("AB"),
    "a2": run_of("XAC"),
    "b1": run_of("BD"),
    "b2": run_of("C"),
    "c1": run_of("E"),
}
TEAMS = {"a1": "a", "a2": "a", "b1": "b", "b2": "b", "c1": "c"}
UNIQUE = {
    "all": [0, 0, 1, 0, 1],
    "other-groups": [1, 1, 1, 0, 1],
    "best-per-group": [1, 2, 1, 1, 1],
    "earlier": [2, 1, 1, 0, 1],
}


@pytest.mark.parametrize("select", UNIQUE)
def test_selections_of_compared_systems_and_of_a_registered_set(select):
    register_runs("teams", RUNS, groups=TEAMS)
    among = evaluate(RUNS, QRELS, f"UniqueRel(prior=others, select={select})@5", groups=TEAMS)
    measure = parse_measure(f"UniqueRel(prior=teams, select={select})@5")
    alone = [measure.calc_aggregate(QRELS, run) for run in RUNS.values()]
    assert among.scores[0, :, 0].tolist() == alone == UNIQUE[select]


def test_a_bare_run_is_known_by_content_and_a_system_by_name():
    register_runs("known", {"x": RUNS["a1"]})
    measure = UniqueRel(prior="known") @ 5
    assert measure.calc_aggregate(QRELS, RUNS["a1"]) == 2.0
    assert evaluate({"y": RUNS["a1"]}, QRELS, measure).scores.item() == 0.0
    assert np.isnan(evaluate({"x": RUNS["a1"]}, QRELS, measure).scores.item())
    improved = run_of("ABC")
    assert measure.calc_aggregate(QRELS, improved) == 1.0
    assert evaluate({"y": improved}, QRELS, measure).scores.item() == 1.0
    assert np.isnan(evaluate({"x": improved}, QRELS, measure).scores.item())


def test_content_is_the_ranking_of_the_evaluated_queries_down_to_the_cutoff():
    member = {**run_of("ABC"), "elsewhere": {"A": 1.0}}
    same_to_2 = {"q0": {"A": 0.3, "B": 0.2, "D": 0.1}}
    other_order = run_of("BAC")
    unjudged_between = run_of("AXBC")
    score = {
        cutoff: [
            (UniqueRel(prior=[member]) @ cutoff).calc_aggregate(QRELS, run)
            for run in (same_to_2, other_order, unjudged_between)
        ]
        for cutoff in (2, 3)
    }
    assert score == {2: [2.0, 0.0, 0.0], 3: [1.0, 0.0, 0.0]}


def test_a_prior_without_a_name_of_its_own_is_not_taken_for_the_run_by_a_made_up_one():
    qrels = {"q": {"A": 1, "B": 1, "C": 1}}
    found, prior = {"q": {"A": 3.0, "B": 2.0}}, {"q": {"B": 2.0, "D": 1.0, "A": 0.5}}
    measure = NRG(prior=[prior]) @ 2
    alone = measure.calc_aggregate(qrels, found)
    for runs in ([found], {"run1": found}, found):
        assert evaluate(runs, qrels, measure).scores[0, 0, 0] == alone < 1
