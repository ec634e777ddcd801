"""Intervals of means with a learned prior: quantiles of the errors of groups left out."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from irx_measures import Boot, BootNDCG, EvaluationWarning, RunSet, evaluate, simulate_campaign
from irx_measures.io.table import nested
from irx_measures.io.trec import read_qrels
from irx_measures.measures.bootstrap import tilted_scores
from irx_measures.measures.mean_intervals import LeftOutErrors, mean_intervals
from irx_measures.meta import leave_group_out
from tests.campaigns import random_campaign
from tests.doubts import MISSED_QUERIES, NEW_SYSTEMS

pytestmark = [MISSED_QUERIES, NEW_SYSTEMS]


def learned(base="nDCG", b=60):
    return Boot(base=base, prior="learned", stat="mean", b=b) @ 10


def half_width(error, spread, group, mine, level):
    """The definition, one group at a time."""
    mean = np.mean(spread)
    scores = [e / (s * mean) ** 0.5 for e, s in zip(error, spread, strict=True)]
    for q in sorted(scores):
        shares = [
            np.mean([score <= q for score, of in zip(scores, group, strict=True) if of == one])
            for one in sorted(set(group))
        ]
        if np.mean(shares) >= level - 1e-9:
            return q * (mine * mean) ** 0.5
    raise AssertionError("the largest score holds all errors")


@pytest.mark.parametrize("level", [0.5, 0.75, 0.9, 0.999])
def test_half_widths_equal_the_definition(level):
    rng = np.random.default_rng(1)
    group = np.array([0, 0, 0, 1, 2, 2, 3, 4, 5, 5, 5, 5])
    error, spread = rng.exponential(0.02, 12), rng.uniform(0.01, 0.05, 12)
    got = LeftOutErrors(error, spread, group).half_width(0.02, level)
    assert_allclose(got, half_width(error, spread, group, 0.02, level), rtol=1e-12)


@pytest.mark.parametrize("base", ["nDCG", "AP", "P", "RBP"])
def test_few_groups_have_the_quantiles_of_tilted_worlds_and_a_warning(base):
    campaign = random_campaign(6, ties=False, queries=12)
    qrels, runset = read_qrels(campaign.qrels), RunSet(campaign.runs)
    samples = [of.mean(axis=0) for of in tilted_scores(learned(base), qrels, runset)]
    with pytest.warns(EvaluationWarning, match="not calibrated: fewer than 6 groups"):
        got = mean_intervals(learned(base), qrels, runset, 0.9)
    assert_allclose(got, np.quantile(samples, [0.05, 0.95], axis=1))


@pytest.fixture(scope="module")
def pooled_campaign():
    """Twelve runs, each a group; the first is left out of the pool."""
    campaign = simulate_campaign(systems=18, queries=12, depth=30, seed=4)
    names = [name for name, group in campaign.groups.items() if group in campaign.pooled]
    runs = {name: campaign.runs[name] for name in names}
    runset = RunSet(runs, groups={name: name for name in names})
    left = dict(leave_group_out(campaign.qrels, runset, 10))[names[0]]
    return runset, read_qrels(left)


@pytest.mark.parametrize("base", ["nDCG", "AP"])
def test_calibrated_intervals_are_around_the_mean_over_worlds(base, pooled_campaign):
    runset, qrels = pooled_campaign
    lower, upper = mean_intervals(learned(base), qrels, runset, 0.9)
    means = [of.mean() for of in tilted_scores(learned(base), qrels, runset)]
    assert_allclose((lower + upper) / 2, means, atol=0.02)
    assert upper[0] > lower[0]
    narrow = mean_intervals(learned(base), qrels, runset, 0.5)
    assert (narrow[1] - narrow[0] <= upper - lower).all()
    assert ((lower >= 0) & (upper <= 1)).all()


def test_a_run_outside_the_training_range_has_its_bounds(pooled_campaign):
    """Its lower end is the score without unjudged documents, and its upper end a bound."""
    runset, qrels = pooled_campaign
    runs = {name: runset.run(place) for place, name in enumerate(runset.names)}
    stranger = {
        query: dict.fromkeys(list(docs)[:1], 2.0) | {f"new{place}": 1.0 for place in range(9)}
        for query, docs in nested(qrels).items()
    }
    together = RunSet({**runs, "stranger": stranger})
    measures = ["nDCG@10", "nDCGBound(bound=upper, kind=guaranteed)@10"]
    with pytest.warns(EvaluationWarning, match="less of its top 10 is judged"):
        evaluate(qrels, together, BootNDCG(prior="learned", b=60) @ 10)
    expected = evaluate(qrels, together, measures).scores[:, -1].mean(axis=1)
    assert_allclose(mean_intervals(learned(), qrels, together, 0.9)[:, -1], expected, rtol=1e-9)
