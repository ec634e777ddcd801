"""Plots of another result than theirs: an error that says what to give."""

import pytest

from irx_measures import evaluate, plots, simulate_campaign

CAMPAIGN = simulate_campaign(systems=3, queries=4, depth=10, seed=1)

EXPECTED = {
    "leaderboard": "a Comparison, which irx_measures.compare gives",
    "significance_pairs": "a Comparison, which irx_measures.compare gives",
    "group_means": "a Comparison, which ScoreMatrix.by(groups).compare() gives",
    "significance_heatmap": "a DiscriminativePower, which meta.discriminative_power gives",
    "residual_gain_matrix": "a ResidualGainMatrix, which meta.residual_gain_matrix gives",
    "unjudged_by_rank": "an UnjudgedByRank, which meta.unjudged_by_rank gives",
    "judge_calibration": "an Agreement, which judging.audit_judges(...)[judge] gives",
    "pareto_front": "a ParetoFront, which meta.pareto_front gives",
    "asl_curves": "must hold the results to draw",
    "judging_progress": "must hold the results to draw",
}


@pytest.mark.parametrize("name", EXPECTED)
def test_scores_in_place_of_a_result_are_refused(name):
    scores = evaluate(CAMPAIGN.runs, CAMPAIGN.qrels, "nDCG@10")
    with pytest.raises(TypeError, match="; got ScoreMatrix") as error:
        getattr(plots, name)(scores)
    assert EXPECTED[name] in str(error.value)
