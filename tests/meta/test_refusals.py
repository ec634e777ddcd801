"""What studies refuse: the call, and what the error names."""

import numpy as np
import pytest

from irx_measures import InputError, RunSet, ScoreMatrix, meta
from tests.comparison.results import score_matrix

EYE = np.eye(2)
SCORES = [[1.0, 2.0], [2.0, 2.5]]
QRELS = {"q": {"A": 1, "B": 0}}
RUNS = {"one": {"q": {"X": 5.0, "A": 4.0}}, "none": {"q": {"A": 1.0}}}
QUERIES = np.array([[0.9, 0.5, 0.2, 0.6], [0.7, 0.7, 0.0, 0.6]])


def power(scores=SCORES, systems=None, **how):
    return meta.discriminative_power(scores, systems, **how)


def impact(scorer=lambda chosen: np.arange(len(chosen)), systems="abcdef", **how):
    return meta.system_impact(scorer, list(systems), **how)


def gain(measure):
    return meta.residual_gain_matrix(QRELS, RUNS, measure)


def leave_out(depth, groups=(("one", "X"), ("none", "Y"))):
    return meta.leave_group_out(QRELS, RunSet(RUNS, groups=groups and dict(groups)), depth)


REFUSED = [
    (lambda: power([1, 2]), r"`scores` must have the shape \(systems, queries\); got \(2,\)"),
    (lambda: power([[1, 2]]), "`scores` must hold at least 2 systems; got 1"),
    (lambda: power([[1], [2]]), "`scores` must hold at least 2 queries; got 1"),
    (lambda: power([[1, 2], [3, np.nan]], "ab"), "`scores` must hold finite .*; got nan of 'b'"),
    (lambda: power(systems=["a"]), r"`systems` must have one name per system \(2\); got 1"),
    (lambda: power(correction="holm"), "`correction` must be 'none' for `test='tukey-blocks'`"),
    (lambda: meta.concordance(power(), power(systems=["a", "b"])), "same systems; .*'a', 'b'"),
    (lambda: meta.concordance(power(), power(test="t")), "of the same method; got .*test='t'"),
    (lambda: meta.rank_correlation(EYE, [[1, 2]]), "`second` must hold at least 2 systems; got 1"),
    (lambda: meta.rank_correlation(EYE, np.ones((2, 3))), r"shapes \(2, 2\) and \(2, 3\)"),
    (lambda: meta.rank_correlation(EYE, EYE, coefficient="gamma"), "`coefficient` .* got 'gamma'"),
    (lambda: meta.rank_correlation(EYE * np.nan, EYE), r"`first` .* got nan in row 0"),
    (lambda: meta.rank_correlation(EYE, EYE, phi=1.0), r"`phi` must lie in \(0, 1\); got 1.0"),
    (lambda: meta.rank_correlation(EYE, EYE, level=9), "`level` must be a confidence level"),
    (lambda: meta.rank_correlation(EYE, EYE, samples=0), "`samples` must be a whole .* got 0"),
    (lambda: meta.stability(np.eye(3), topics=4), "`topics` .* from 1 to 3; got 4"),
    (lambda: meta.stability(np.eye(3), trials=0), "`trials` .* at least 1; got 0"),
    (lambda: meta.stability(np.eye(3), fuzziness=-0.1), "`fuzziness` must be finite and at least"),
    (lambda: meta.split_swap_rate(np.eye(5), topics=3), "`topics` .* from 1 to 2; got 3"),
    (lambda: meta.split_swap_rate(np.eye(5), width=0), r"`width` must lie in \(0, .*; got 0"),
    (lambda: meta.split_swap_rate(np.eye(4), width=1e308), r"`width` must .*; got 1e\+308"),
    (lambda: meta.split_swap_rate(np.eye(5), bins=0), "`bins` .* at least 1; got 0"),
    (lambda: meta.split_swap_rate(np.eye(5)).required_difference(5), "`rate` must lie in"),
    (lambda: meta.swap_rate(EYE, np.eye(3)), "same systems in .*; got 0, 1 and 0, 1, 2"),
    (lambda: impact(systems="a"), "`systems` must hold at least 2 systems; got 1"),
    (lambda: impact(sizes=[1]), "`sizes` must be a whole number from 2 to 6; got 1"),
    (lambda: impact(sizes=[]), "`sizes` must hold at least one number of systems; got none"),
    (lambda: impact(trials=0), "`trials` must be a whole number of at least 1; got 0"),
    (lambda: impact(coefficient="r"), "`coefficient` must be one of .*; got 'r'"),
    (lambda: impact(lambda chosen: [1.0]), r"scores of the 6 systems asked for, .* got \(1,\)"),
    (lambda: impact(lambda chosen: [np.nan] * len(chosen)), "`scorer` .* finite numbers; got nan"),
    *(
        (
            lambda study=study: study(np.zeros((100_000, 2))),
            "all pairs of 100000 systems would take",
        )
        for study in (meta.discriminative_power, meta.stability)
    ),
    (lambda: meta.pareto_front([1, 2], [1]), r"equal length; got shapes \(2,\) and \(1,\)"),
    (lambda: meta.pareto_front([[1]], [[1]]), "of one dimension"),
    (lambda: meta.pareto_front([1, np.nan], [1, 2]), "`cost` must hold finite numbers; got nan"),
    (lambda: meta.pareto_front([1, 2], [np.inf, 2], "ab"), "`score` .* numbers; got inf of 'a'"),
    (lambda: meta.pareto_front([1, 2], [1, 2], ["a"]), r"`names` .* per point \(2\); got 1"),
    (lambda: meta.prediction_error([1], [1, 2]), r"one shape .*; got \(1,\), \(2,\)"),
    (lambda: meta.prediction_error([], []), "not be empty"),
    (lambda: meta.reconstructed_preferences(EYE, EYE, [[1, 2]]), r"one shape .*\(1, 2\)"),
    (lambda: meta.reconstructed_preferences(EYE, 0 * EYE, EYE), "`lower` must not exceed"),
    (lambda: meta.reconstructed_preferences(np.nan * EYE, EYE, EYE), "`lower` .* got nan"),
    (lambda: meta.reconstructed_preferences(EYE, EYE, EYE, ["a"]), r"`groups` .* \(2\); got 1"),
    (lambda: meta.partition_queries(QUERIES, QUERIES[0, :3], 1), "same queries; got 4 and 3"),
    (lambda: meta.partition_queries(QUERIES, QUERIES[0], 5), "`size` .* from 1 to 4; got 5"),
    (lambda: meta.partition_queries(QUERIES[0], QUERIES[0], 1), "`scores` .* 2 dimensions"),
    (lambda: meta.informativeness(np.ones((0, 2)), [1, 1]), "`scores` must not be empty"),
    (lambda: meta.informativeness([[0.5]], [1e308]), r"`expected` .* got 1e\+308"),
    (lambda: meta.percentage_absolute_difference([[1, np.inf], [1, 2]]), "numbers; got inf"),
    (lambda: meta.percentage_absolute_difference([[-0.1], [-0.2]]), r"above 0; got -0\.1"),
    (lambda: meta.unjudged_by_rank(QRELS, RUNS, 0), "`depth` must be a whole .* 1; got 0"),
    (lambda: meta.unjudged_by_rank(QRELS, {}), "at least one run"),
    (lambda: meta.unjudged_by_rank(QRELS, RUNS, 5).share_at(6), "`cutoff` must be .*; got 6"),
    *((lambda depth=depth: leave_out(depth), "`depth` must be") for depth in (0, 1.5, True, "10")),
    (lambda: leave_out(10, None), "`runset` must have groups"),
    (lambda: meta.left_out_scores(QRELS, RunSet(RUNS), {}), "`runs` must have groups; got none"),
    (lambda: gain("nDCG@10"), "`measure` must have prior=others .* got nDCG@10"),
    (lambda: gain("P_Rareness(systems=others)@5"), "`measure` must have prior=others"),
    (lambda: gain("NRG(prior=others,select=earlier)@5"), "prior=others and select='all'"),
    (lambda: meta.residual_gain_matrix(QRELS, {"a": RUNS["one"]}), "at least two runs"),
]


OF_WRONG_TYPE = [
    *((lambda runs=runs: meta.left_out_scores(QRELS, runs, {"x": "P@1"}), "`runs` must be a RunSet")
      for runs in (None, "a.run", RUNS, [RUNS["one"]], 3)),
    *((lambda runs=runs: meta.leave_group_out(QRELS, runs, 3), "`runset` must be a RunSet; got")
      for runs in (None, RUNS)),
    (
        lambda: meta.left_out_scores(QRELS, RunSet(RUNS, groups=dict.fromkeys(RUNS, "g")), ["P@1"]),
        "`methods` must be a dict of measures; got list",
    ),
]  # fmt: skip


@pytest.mark.parametrize(("call", "told"), OF_WRONG_TYPE)
def test_the_error_names_what_has_a_wrong_type(call, told):
    with pytest.raises(TypeError, match=told):
        call()


@pytest.mark.parametrize(("call", "told"), REFUSED, ids=[told for _, told in REFUSED])
def test_the_error_names_what_is_wrong(call, told):
    with pytest.raises(InputError, match=told):
        call()


def test_two_matrices_have_the_same_systems():
    one = score_matrix(measures=1)
    other = ScoreMatrix(one.measures, one.systems[::-1], one.query_ids, one.scores)
    with pytest.raises(InputError, match="the same systems in the same order"):
        meta.rank_correlation(one, other)


def test_scores_are_no_result_of_tests():
    with pytest.raises(TypeError, match="`second` must be a result of discriminative_power; got "):
        meta.concordance(power(), SCORES)
