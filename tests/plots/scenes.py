"""Every plot, drawn from one matrix of scores: names of systems are also those of all else."""

import ir_measures
import numpy as np

from irx_measures import GroupedScores, ScoreMatrix, meta, plots
from irx_measures.common.escapes import printable
from irx_measures.judging import audit_judges
from irx_measures.judging.planning.records import JudgingState
from irx_measures.meta.residual_gain import ResidualGainMatrix
from irx_measures.meta.unjudged import UnjudgedByRank


def matrix_of(names, topics=40, seed=0, name_of="t{}".format):
    """Scores by nDCG@10 and AP of systems that get better, on topics of different difficulty."""
    rng = np.random.default_rng(seed)
    quality = rng.permutation(np.linspace(0.3, 0.6, len(names)))[:, np.newaxis]
    noise = rng.normal(0, 0.1, topics) + rng.normal(0, 0.1, (2, len(names), topics))
    measures = (ir_measures.nDCG @ 10, ir_measures.AP)
    queries = tuple(map(name_of, range(topics)))
    return ScoreMatrix(measures, tuple(names), queries, np.clip(quality + noise, 0, 1))


def systems(count):
    return [f"s{number}" for number in range(count)]


def in_groups(matrix):
    halves = {query: matrix.systems[number % 2] for number, query in enumerate(matrix.query_ids)}
    return matrix.by(halves).compare()


def collections_of(matrix):
    """As many collections as systems, which have their names, of 5 to 40 queries."""
    rng = np.random.default_rng(4)
    found = {}
    for place, name in enumerate(matrix.systems):
        queries = matrix.query_ids[: 5 + place * 7 % 36]
        scores = matrix.queries(queries).scores + rng.normal(0, 0.03, (2, len(matrix.systems), 1))
        found[printable(name)] = ScoreMatrix(matrix.measures, matrix.systems, queries, scores)
    return GroupedScores.of(found)


def forest(matrix, macro="queries", **where):
    result = collections_of(matrix).compare(macro=macro)
    return plots.forest(result, *matrix.systems[:2], "AP", **where)


def groups_of(matrix):
    """At most nine groups, which have names of systems."""
    return [matrix.systems[number % 9] for number in range(len(matrix.systems))]


def residual_gain(names, seed=1):
    given = np.random.default_rng(seed).random((len(names),) * 2)
    np.fill_diagonal(given, np.nan)
    return ResidualGainMatrix(tuple(names), names[0], given, given[0].clip(0.1))


def unjudged(names):
    returned = np.full((len(names), 40), 9)
    holes = np.random.default_rng(2).integers(0, 10, returned.shape)
    return UnjudgedByRank(tuple(names), 9, returned, holes)


def front(matrix):
    cost = np.geomspace(1, 100, len(matrix.systems))
    return meta.pareto_front(cost, matrix.aggregates[0], matrix.systems)


def judge(name):
    labels = {"q": {f"d{number}": number % 4 for number in range(20)}}
    return audit_judges(labels, {name: labels})[name]


def looks(answer="a", question="best"):
    """A campaign of four looks, the last of which is enough."""
    chances = (0.1, 0.4, 0.8, 0.96)
    return [
        JudgingState(question, "may be the best", answer, chance, 0.95, 20 * place, 80, 1,
                     chance >= 0.95)
        for place, chance in enumerate(chances)
    ]  # fmt: skip


def power(matrix, **how):
    return meta.discriminative_power(matrix["AP"], matrix.systems, **{"test": "t"} | how)


def each(matrix, study):
    """The same result under three names."""
    return dict.fromkeys(matrix.systems[:3], study)


def impact(scores, **how):
    return meta.system_impact(
        lambda chosen: scores[chosen], list(map(str, range(len(scores)))), trials=5, **how
    )


def correlated(matrix, coefficient="tau_b"):
    return meta.rank_correlation(
        matrix["AP"], matrix["nDCG@10"], coefficient=coefficient, samples=20
    )


SCENES = {
    "leaderboard": lambda m, **k: plots.leaderboard(m.compare(), "AP", **k),
    "differences": lambda m, **k: plots.leaderboard(
        m.compare(baseline=m.systems[:2]), "AP", **k
    ),
    "groups": lambda m, **k: plots.leaderboard(in_groups(m), "AP", **k),
    "forest": forest,
    "forest of collections like these": lambda m, **k: forest(m, "groups", **k),
    "macro means": lambda m, **k: plots.leaderboard(
        collections_of(m).compare(macro="queries"), "AP", **k
    ),
    "pairs": lambda m, **k: plots.significance_pairs(m.compare(), "AP", **k),
    "topics": lambda m, **k: plots.topic_differences(m.compare(), *m.systems[:2], "AP", **k),
    "histogram": lambda m, **k: plots.score_histogram(m, "AP", **k),
    "distributions": lambda m, **k: plots.score_distributions(
        {query: [0.2, 0.6, 0.7] for query in m.query_ids}, m, measure=m.systems[-1], **k
    ),
    "scatter": lambda m, **k: plots.system_scatter(m, "AP", "nDCG@10", **k),
    "groups of systems": lambda m, **k: plots.system_scatter(
        ScoreMatrix(m.measures, m.systems, m.query_ids, m.scores, groups_of(m)), "AP", "nDCG@10",
        **k,
    ),
    "front": lambda m, **k: plots.pareto_front(
        front(m), measure=m.systems[-1], cost=m.systems[0], **k
    ),
    "residual gain": lambda m, **k: plots.residual_gain_matrix(residual_gain(m.systems), **k),
    "unjudged": lambda m, **k: plots.unjudged_by_rank(unjudged(m.systems), **k),
    "calibration": lambda m, **k: plots.judge_calibration(judge(m.systems[0]), **k),
    "progress": lambda m, **k: plots.judging_progress(looks(m.systems[0]), **k),
    "asl": lambda m, **k: plots.asl_curves(each(m, power(m)), **k),
    "stability": lambda m, **k: plots.stability_curves(
        each(m, meta.stability(m["AP"], trials=20)), **k
    ),
    "swap": lambda m, **k: plots.swap_curves(
        each(m, meta.split_swap_rate(m["AP"], trials=20)), **k
    ),
    "impact": lambda m, **k: plots.impact_curves(each(m, impact(m["AP"])), **k),
    "correlation": lambda m, **k: plots.correlation_curves(
        each(m, {0.5: correlated(m), 1.0: correlated(m, "RBO")}), m.systems[0], **k
    ),
}  # fmt: skip
