"""Arrays that results hand out cannot be written to, since what follows from them is kept."""

import copy
import pickle
from dataclasses import fields
from functools import cached_property

import numpy as np
import pytest

import irx_measures
from irx_measures import GroupedScores, ScoreMatrix, judging, meta
from irx_measures.results.base import StudyResult
from tests.comparison.results import score_matrix

CAMPAIGN = irx_measures.simulate_campaign(systems=4, queries=8)
QRELS, RUNS = CAMPAIGN.qrels, CAMPAIGN.runs
SCORES = score_matrix(measures=2)
ONE = score_matrix(measures=1)
MANY = score_matrix(measures=1, topics=120)
GROUPS = GroupedScores.of({"news": SCORES, "law": SCORES})
TESTED = SCORES.compare()
AUDIT = judging.audit_judges(QRELS, {"machine": QRELS})

RESULTS = {
    "scores": SCORES,
    "scores of a query": SCORES.queries(["q3"]),
    "groups": GROUPS,
    "macro means": GROUPS.macro,
    "comparison": TESTED,
    "leaderboard": TESTED.board("AP"),
    "hypotheses": TESTED.board("AP").tested,
    "reference": TESTED.board("AP").reference,
    "difference": TESTED.difference("system0", "system1", "AP"),
    "explanation": irx_measures.explain(QRELS, RUNS["lexical-a"], "nDCG@5", query_id="q01"),
    "audit": AUDIT,
    "agreement": AUDIT["machine"],
    "estimates": irx_measures.prediction_powered(MANY.queries(MANY.query_ids[:30]), MANY),
    "power": meta.discriminative_power(ONE),
    "concordance": meta.concordance(
        meta.discriminative_power(ONE), meta.discriminative_power(score_matrix(measures=1, seed=2))
    ),
    "stability": meta.stability(ONE, trials=9),
    "swaps": meta.split_swap_rate(ONE, trials=9),
    "correlation": meta.rank_correlation(*SCORES.scores, samples=20),
    "impact": meta.system_impact(ONE.scores[0].__getitem__, list("abcde"), trials=9),
    "front": meta.pareto_front(*ONE.scores[0, :2]),
    "unjudged": meta.unjudged_by_rank(QRELS, RUNS),
    "given": meta.residual_gain_matrix(QRELS, RUNS),
}


def arrays_of(result):
    """The arrays of a result by name, also those that are computed when they are asked for."""
    kind = type(result)
    names = [field.name for field in fields(result)]
    names += [name for name in dir(kind) if isinstance(getattr(kind, name), cached_property)]
    for name in names:
        value = getattr(result, name)
        inner = value if isinstance(value, dict) else {"": value}
        for key, array in inner.items():
            if isinstance(array, np.ndarray):
                yield f"{name} {key}", array


def test_every_kind_of_result_is_here():
    kinds = {type(result) for result in RESULTS.values()}
    assert set(StudyResult.__subclasses__()) <= kinds


@pytest.mark.parametrize("name", RESULTS)
def test_arrays_of_results_are_read_only(name):
    result = RESULTS[name]
    for again in (result, copy.copy(result), copy.deepcopy(result)):
        for place, array in arrays_of(again):
            assert not array.flags.writeable, place


def test_scores_stay_what_their_means_are_of():
    given = np.zeros((1, 2, 3))
    matrix = ScoreMatrix(ONE.measures, ("a", "b"), ("q1", "q2", "q3"), given)
    for scores in (matrix.scores, matrix["nDCG@10"], pickle.loads(pickle.dumps(matrix)).scores):
        with pytest.raises(ValueError, match="destination is read-only"):
            scores[:] = 1.0
    assert given.flags.writeable  # the array of the caller stays as it was
    means = matrix.means()
    means.loc["a"] = 5.0
    frame = matrix.to_frame()
    frame.loc[:, "value"] = 5.0
    assert not matrix.aggregates.any()
    assert not matrix.means().to_numpy().any()
