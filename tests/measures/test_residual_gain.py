"""NRG, UniqueRel and TaSC: the paper's table, the oracle, peers, selections, and errors."""

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from ir_measures import RR, P, nDCG
from numpy.testing import assert_allclose

from irx_measures import NRG, TaSC, UniqueRel, evaluate, parse_measure, register_runs
from tests.campaigns import campaigns, per_query, random_campaign
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


# The oracle


cutoffs = st.none() | st.integers(1, 6)
bases = {
    "base": st.sampled_from(["nDCG", "P", "RBP", "RR"]),
    "dcg": st.sampled_from(["log2", "exp-log2"]),
    "rel": st.integers(1, 3),
    "phi": st.floats(0.05, 0.95),
    "cutoff": cutoffs,
}
selections = st.fixed_dictionaries(
    {
        "select": st.sampled_from(["all", "other-groups", "best-per-group", "earlier"]),
        "exclude_self": st.booleans(),
    }
)
EVERYONE = {"select": "all", "exclude_self": True}


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


# A measure, its definition, that of the scores which choose the best run of a group, and what the
# base measure and the measure take.
DECLARED = [
    (NRG, oracle.nrg, oracle.nrg, bases, {"ideal": st.sampled_from(["cutoff", "all"])}),
    (TaSC, oracle.tasc, oracle.nrg, bases, {"agg": st.sampled_from(["max", "mean"])}),
    (UniqueRel, *[oracle.unique_relevant] * 2, {"rel": bases["rel"], "cutoff": cutoffs}, {}),
]


@pytest.mark.parametrize(("measure", "score", "base_score", "bases", "more"), DECLARED)
@given(campaign=campaigns(), selection=selections, data=st.data())
def test_scores_equal_the_oracle(
    measure, score, base_score, bases, more, campaign, selection, data
):
    base, more = (data.draw(st.fixed_dictionaries(params)) for params in (bases, more))
    assume(base.get("base") != "P" or base["cutoff"] is not None)
    means = {
        name: np.mean(
            [
                base_score(grades, campaign.ranking(name, query), **base)
                for query, grades in campaign.qrels.items()
            ]
        )
        for name in campaign.runs
    }
    assume(selection["select"] != "best-per-group" or decided(campaign, means, base["cutoff"]))

    def check(got, run, own, selection):
        """Check scores of a run; `own` is its name in the set, None outside of the set."""
        priors = counted(own, campaign.names, campaign.groups, mean=means, **selection)
        expected = [
            score(
                grades,
                ranking(run.get(query, {})),
                [campaign.ranking(name, query) for name in priors],
                **base,
                **more,
            )
            for query, grades in campaign.qrels.items()
        ]
        assert_allclose(list(got), expected, rtol=1e-12, atol=1e-14)

    register_runs("campaign", campaign.runs, campaign.groups, replace=True)
    asked = measure(**base, **more, **selection)
    both = [asked(prior="others"), asked(prior="campaign")]
    among = evaluate(campaign.qrels, campaign.runs, both, campaign.groups).scores
    if len(campaign.runs) == 1 and (selection["select"] != "all" or selection["exclude_self"]):
        assert np.isnan(among).all()  # its own only prior
    else:
        for position, (name, run) in enumerate(campaign.runs.items()):
            for scores in among:
                check(scores[position], run, name, selection)
    # A run without a name that is also in the set, and one outside of it.
    run = campaign.runs[data.draw(st.sampled_from(campaign.names))]
    own = first_alike(run, campaign.runs, campaign.qrels, base["cutoff"])
    check(per_query(both[1], campaign.qrels, run).values(), run, own, selection)
    new = {query: {**docs, "d0": 9.0} for query, docs in run.items()}
    if not first_alike(new, campaign.runs, campaign.qrels, base["cutoff"]):
        got = per_query(both[1](**EVERYONE), campaign.qrels, new)
        check(got.values(), new, None, EVERYONE)


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
    among = evaluate(QRELS, RUNS, f"UniqueRel(prior=others, select={select})@5", groups=TEAMS)
    measure = parse_measure(f"UniqueRel(prior=teams, select={select})@5")
    alone = [measure.calc_aggregate(QRELS, run) for run in RUNS.values()]
    assert among.scores[0, :, 0].tolist() == alone == UNIQUE[select]


def test_a_bare_run_is_known_by_content_and_a_system_by_name():
    register_runs("known", {"x": RUNS["a1"]})
    measure = UniqueRel(prior="known") @ 5
    assert measure.calc_aggregate(QRELS, RUNS["a1"]) == 2.0
    assert evaluate(QRELS, {"y": RUNS["a1"]}, measure).scores.item() == 0.0
    assert np.isnan(evaluate(QRELS, {"x": RUNS["a1"]}, measure).scores.item())
    improved = run_of("ABC")
    assert measure.calc_aggregate(QRELS, improved) == 1.0
    assert evaluate(QRELS, {"y": improved}, measure).scores.item() == 1.0
    assert np.isnan(evaluate(QRELS, {"x": improved}, measure).scores.item())


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
        assert evaluate(qrels, runs, measure).scores[0, 0, 0] == alone < 1
