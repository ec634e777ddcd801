"""prediction_powered() over score matrices: its numbers are those of stats; names and errors."""

from dataclasses import replace

import numpy as np
import pytest
from numpy.testing import assert_allclose

import irx_measures
from irx_measures import EvaluationWarning, ScoreMatrix, parse_measure
from irx_measures.stats.intervals import mean_interval
from irx_measures.stats.prediction_powered import prediction_powered as of_arrays

N, M = 12, 40
SYSTEMS = ("a", "b", "c")
MEASURES = tuple(map(parse_measure, ("nDCG@10", "AP")))
TOPICS = tuple(f"q{number}" for number in range(N + M))


TRUTH = np.random.default_rng(1).beta(2, 2, (2, 1, N + M))
TRUTH = TRUTH + np.random.default_rng(2).normal(0, 0.1, (2, 3, N + M))


@pytest.fixture
def human():
    return ScoreMatrix(MEASURES, SYSTEMS, TOPICS[:N], TRUTH[..., :N])


@pytest.fixture
def machine():
    """A biased machine, with topics, systems and measures in another order."""
    noisy = TRUTH + 0.3 + np.random.default_rng(3).normal(0, 0.05, TRUTH.shape)
    back = slice(None, None, -1)
    return ScoreMatrix(MEASURES[back], SYSTEMS[back], TOPICS[back], noisy[back, back, back])


def arrays(human, machine):
    by_machine = machine.scores[::-1, ::-1, ::-1]
    return human.scores, by_machine[..., :N], by_machine[..., N:]


def test_means(human, machine):
    result = irx_measures.prediction_powered(human, machine, level=0.9)
    frame = result.to_frame()
    assert frame["measure"].tolist() == ["nDCG@10"] * 3 + ["AP"] * 3
    assert frame["system"].tolist() == [*SYSTEMS, *SYSTEMS]
    assert "baseline" not in frame
    expected = of_arrays(*arrays(human, machine), 0.9)
    for name in ("estimate", "lower", "upper", "lam"):
        assert_allclose(frame[name], getattr(expected, name).ravel(), rtol=1e-12)
    assert_allclose(frame["human"], human.scores.mean(axis=2).ravel(), rtol=1e-12)
    lower, upper = mean_interval(human.scores.reshape(6, N), 0.9)
    assert_allclose(frame[["human_lower", "human_upper"]], np.array([lower, upper]).T, rtol=1e-12)
    width = (expected.upper - expected.lower).ravel()
    assert_allclose(frame["width_ratio"], width / (upper - lower), rtol=1e-9)
    assert set(zip(frame["n"], frame["m"], strict=True)) == {(N, M)}


def test_differences_from_baselines(human, machine):
    result = irx_measures.prediction_powered(human, machine, baseline=["b", "a"])
    frame = result.to_frame()
    assert list(zip(frame["system"], frame["baseline"], strict=True))[:4] == [
        ("a", "b"), ("c", "b"), ("b", "a"), ("c", "a"),
    ]  # fmt: skip
    first, second = [0, 2, 1, 2], [1, 1, 0, 0]
    pairs = [scores[:, first] - scores[:, second] for scores in arrays(human, machine)]
    assert_allclose(frame["estimate"], of_arrays(*pairs).estimate.ravel(), rtol=1e-12)
    assert result.summary.startswith(
        "differences from 12 topics with human judgments and 40 with machine judgments only "
        "(ppi++, 95% intervals); nDCG@10: intervals have 0."
    )


def noisy(machine):
    scores = np.random.default_rng(5).uniform(size=machine.scores.shape)
    return replace(machine, scores=scores)


def test_a_machine_that_does_not_help_is_named(human, machine):
    with pytest.warns(EvaluationWarning) as caught:
        result = irx_measures.prediction_powered(human, noisy(machine))
    frame = result.to_frame()
    longer = frame[frame["width_ratio"] >= 1]
    assert len(longer)
    told = " ".join(str(warning.message) for warning in caught)
    first = longer.iloc[0]
    assert f"alone in {len(longer)} of 6 estimates: {first.system!r} on {first.measure}" in told


def test_systems_without_scores_are_left_out(human, machine):
    scores = human.scores.copy()
    scores[0, 1] = np.nan
    with pytest.warns(EvaluationWarning, match=r"left out 'b': no score on nDCG@10"):
        result = irx_measures.prediction_powered(replace(human, scores=scores), machine)
    assert result.estimates["system"] == ("a", "c", *SYSTEMS)
    with pytest.warns(EvaluationWarning, match="left out"):
        result = irx_measures.prediction_powered(
            replace(human, scores=scores), machine, baseline="b"
        )
    assert set(result.estimates["measure"]) == {"AP"}


def test_all_scores_equal(human, machine):
    flat = replace(human, scores=np.full(human.scores.shape, 0.5))
    result = irx_measures.prediction_powered(flat, noisy(machine))
    assert np.isnan(result.estimates["width_ratio"]).all()
    assert "all systems have the same human score on every topic" in result.summary
