"""What audits, estimates and campaigns refuse: the call, and what the error names."""

import numpy as np
import pandas as pd
import pytest

from irx_measures import InputError, JudgingPlan, RunSet, ScoreMatrix, parse_measure
from irx_measures import prediction_powered as estimate
from irx_measures.judging import audit_judges, simulate_judging
from irx_measures.judging.planning.log import JudgingLog
from irx_measures.judging.planning.questions import question_of, systems_of
from irx_measures.judging.planning.scorers import scorer_of

HUMAN = {"q1": {"a": 2, "b": 0, "c": 1}, "q2": {"a": 1, "d": 0}}
TWICE = pd.DataFrame({"query_id": ["q1"] * 2, "doc_id": ["a"] * 2, "relevance": [1, 2]})
RUN = {"q1": {"a": 1.0}}
RUNS = dict.fromkeys("abcd", RUN)
SET = RunSet(RUNS)


def audit(**options):
    return audit_judges(HUMAN, **{"machines": HUMAN, **options})


def plan(qrels=None, runs=RUNS, **options):
    return JudgingPlan(qrels, runs, **options)


def logged(*judgments, asked=()):
    log = JudgingLog()
    log.add_judgments(judgments)
    for grades in asked:
        JudgingPlan(None, {"a": RUN, "b": {"q1": {"b": 1.0}}}, grades=grades, log=log).next()
    return log


def scores(topics, systems=("a", "b"), measures=("nDCG@10", "AP"), value=0.5):
    parsed, ids = tuple(map(parse_measure, measures)), tuple(f"q{row}" for row in range(topics))
    return ScoreMatrix(parsed, systems, ids, np.full((len(parsed), len(systems), topics), value))


OFFERED = r"`measure` must be nDCG@k .* for two systems, DCG@k"
SCALE = "`grades` must be 0 and 1 to 100 higher grades; got"
TWO = "'ranking', 'best', or the names of two systems; got"

NO_SCORES = [None, "scores.csv", {}, pd.DataFrame({"AP": [0.5]}), scores(9).compare(), 3]


@pytest.mark.parametrize("given", NO_SCORES, ids=lambda given: type(given).__name__)
def test_an_estimate_of_other_things_than_scores_is_refused(given):
    for name, both in {"human": (given, scores(9)), "machine": (scores(5), given)}.items():
        with pytest.raises(TypeError, match=f"`{name}` must be a ScoreMatrix, which irx_measures"):
            estimate(*both)


REFUSED = [
    (lambda: audit(level=1.0), "`level` must be a confidence"),
    (lambda: audit(relevant=0), "`relevant` must be a whole number of at least 1"),
    (lambda: audit(machine_relevant=0), "`machine_relevant` must be a whole number of at least 1"),
    (lambda: audit(mapping={1: 0.5}), "`mapping` must be a whole number from -2147483647 to"),
    (lambda: audit(mapping={2**31: 1}), "`mapping` must be a whole number from -2147483647 to"),
    (lambda: audit(runs={"a": RUN}), "`runs` must hold at least 2 runs"),
    (lambda: audit(runs=RUNS, samples=0, groups=dict.fromkeys(RUNS, "g")), "samples"),
    (lambda: audit(machines={"umbrela": {"q9": {"a": 1}}}), "umbrela: no judged pair of query"),
    (lambda: audit(machines={"umbrela": TWICE}), "umbrela: query 'q1' judges document 'a' more"),
    (lambda: estimate(scores(3), scores(9)), "`human` must hold at least 4 topics; got 3"),
    (lambda: estimate(scores(5), scores(5)), "`machine` must have at least 2 topics that `human`"),
    (lambda: estimate(scores(5), scores(4)), r"topic 'q4' is missing \(1 of 5 are\)"),
    (lambda: estimate(scores(5), scores(9), baseline="d"), "`baseline` must name one of the 2"),
    (
        lambda: estimate(scores(5), scores(9, measures=["AP"])),
        "must have the same measures; only one has 'nDCG@10'",
    ),
    (
        lambda: estimate(scores(5), scores(9, systems=("a", "c"))),
        "must have the same systems; only one has 'b'",
    ),
    (lambda: estimate(scores(5, value=np.nan), scores(9)), "there is nothing to estimate"),
    (lambda: plan(grades=(1, 2)), SCALE),
    (lambda: plan(grades=(0,)), SCALE),
    (lambda: plan(grades=range(100_000)), SCALE),
    (lambda: plan(seed=-1), "`seed` must"),
    (lambda: plan(qrels={"q1": {"d": 2}}, grades=(0, 1)), "`grades` must hold every grade of"),
    (lambda: plan(log=logged(("q1", "d", 2)), grades=(0, 1)), "`grades` must hold every grade"),
    (lambda: plan(log=logged(asked=[(0, 1, 2)]), grades=(0, 1)), "`grades` must be those of the"),
    (lambda: systems_of("worst", SET), f"{TWO} 'worst'"),
    (lambda: systems_of(("a", "z"), SET), "must name two of the systems; got 'z'"),
    (lambda: systems_of(("a", "a"), SET), TWO),
    (lambda: systems_of(("a", "b", "c"), SET), TWO),
    (lambda: systems_of(None, SET), f"{TWO} None"),
    (lambda: systems_of("best", SET.subset([0])), "`runs` must hold at least 2 systems; got 1"),
    (lambda: question_of("ranking", "P@5", 3, 0.05), "`tolerance` goes with .*'best' about three"),
    (lambda: question_of("best", "P@5", 2, 0.05), "got 'best' about 2"),
    (lambda: question_of("best", "P@5", 3, -0.1), "`tolerance` must be .* at least 0; got -0.1"),
    (lambda: question_of("best", "RBP@5", 3, 0.01), "`tolerance` must be 0 on RBP, .* got 0.01"),
    *(
        (lambda name=name: scorer_of(name, (0, 1, 3), 3), OFFERED)
        for name in ("nDCG", "ERR@10", "AP@10", "RR@10", "P(judged_only=True)@10", "DCG@10",
                     "nDCG(gains={1:3})@10", "NRG(prior=others)@10", "nDCG(dcg='ln')@10")
    ),
    (lambda: scorer_of("nDCG@101", (0, 1), 3), "`cutoff` must .*100"),
    (lambda: scorer_of("P(rel=4)@10", (0, 1, 3), 3), "`rel` must .*3"),
    (lambda: scorer_of("P(rel='x')@10", (0, 1, 3), 3), "`rel` must"),
    (lambda: scorer_of("RBP(p=1.5)@10", (0, 1), 3), "`p` must"),
    (lambda: simulate_judging({"q1": {"nowhere": 1}}, RUNS), "must judge documents in the top 10"),
]  # fmt: skip


@pytest.mark.filterwarnings("ignore::irx_measures.EvaluationWarning")
@pytest.mark.parametrize(("call", "told"), REFUSED, ids=[told for _, told in REFUSED])
def test_the_error_names_what_is_wrong(call, told):
    with pytest.raises(InputError, match=told):
        call()
