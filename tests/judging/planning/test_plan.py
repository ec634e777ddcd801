"""JudgingPlan: documents, updates and states."""

import re

import numpy as np
import pytest
from numpy.testing import assert_allclose

from irx_measures import InputError, JudgingPlan, evaluate, simulate_campaign
from irx_measures.judging.planning.log import JudgingLog

CAMPAIGN = simulate_campaign(systems=6, queries=10, depth=30, seed=3)
GRADES = (0, 1, 2, 3)
FIRST, *_, OTHER, _ = CAMPAIGN.runs


def plan(qrels=None, **options):
    return JudgingPlan(qrels, CAMPAIGN.runs, grades=GRADES, **options)


def judged(table):
    """The true judgments of the documents that are asked for, as qrels."""
    return {
        query: {doc: CAMPAIGN.qrels[query].get(doc, 0) for doc in docs}
        for query, docs in table.groupby("query_id")["doc_id"]
    }


def judge(campaign, batches, size=25):
    """Judge some batches; all their judgments."""
    qrels = {}
    for _ in range(batches):
        answers = judged(campaign.next(size))
        campaign.update(answers)
        for query, docs in answers.items():
            qrels.setdefault(query, {}).update(docs)
    return qrels


def test_the_two_best_of_each_query_by_fusion_come_first():
    table = plan().next(100)
    assert sorted(table["query_id"].value_counts()) == [2] * 10
    for query, docs in table.groupby("query_id")["doc_id"]:
        score = {}
        for run in CAMPAIGN.runs.values():
            ranking = sorted(run[query], key=lambda doc: (-run[query][doc], doc))
            for rank, doc in enumerate(ranking, 1):
                score[doc] = score.get(doc, 0) + 1 / (10 + rank)
        best = sorted(score.values(), reverse=True)[:2]
        assert_allclose(sorted((score[doc] for doc in docs), reverse=True), best)


COMPLETE = {
    query: {doc: judgments.get(doc, 0) for run in CAMPAIGN.runs.values() for doc in run[query]}
    for query, judgments in CAMPAIGN.qrels.items()
}


@pytest.mark.parametrize("question", ["ranking", (FIRST, OTHER)])
@pytest.mark.parametrize("measure", ["nDCG@10", "P@10"])
def test_the_pool_is_fixed_and_when_all_is_judged_the_answer_is_that_of_the_scores(
    measure, question
):
    campaign = plan(measure=measure, question=question, level=1 - 1e-9)
    pools = set()
    while len(batch := campaign.next(100)):
        campaign.update(judged(batch))
        pools.add(campaign.state().pool)
    assert list(batch) == ["query_id", "doc_id", "priority", "reason"]
    state = campaign.state()
    assert pools == {state.judged} == {state.pool}
    assert state.settled
    assert not state.claimed
    matrix = evaluate(COMPLETE, CAMPAIGN.runs, measure)
    mean = dict(zip(matrix.systems, matrix.scores[0].mean(axis=1), strict=True))
    if question == "ranking":
        found = [mean[name] for name in re.split(" [>=] ", state.answer)]
        assert_allclose(found, sorted(mean.values(), reverse=True))
    else:
        assert mean[state.answer] == max(mean[name] for name in question)


def test_nothing_is_claimed_before_two_looks_after_the_first_round():
    campaign, claimed = plan(question="best", level=0.01), []
    while not campaign.state().settled:
        judge(campaign, 1, size=15)
        claimed.append((campaign.state().look, campaign.state().claimed))
    assert claimed == [(0, False), (0, False), (1, False), (2, True)]
    assert len(campaign.next(15)) == 0
    assert not plan(question="best", level=0.01, qrels=CAMPAIGN.qrels).state().claimed


@pytest.mark.parametrize("question", ["ranking", "best", ("a", "b")])
@pytest.mark.parametrize("measure", ["nDCG@10", "P@10"])
def test_systems_that_return_the_same_documents_cannot_differ(measure, question):
    same = dict.fromkeys("abc", CAMPAIGN.runs[FIRST])
    campaign = JudgingPlan(None, same, measure=measure, question=question, grades=GRADES)
    state = campaign.state()
    assert "cannot differ" in state.answer
    assert (state.pool, state.settled, state.claimed, state.probability) == (0, True, False, 1.0)
    assert len(campaign.next()) == 0


@pytest.mark.parametrize(
    ("qrels", "logged", "expected"),
    [
        (None, [], [0, 1]),
        ({"q01": {"d": 0}}, [], [0, 1]),
        ({"q01": {"d": 3, "e": -1}}, [], [0, 3]),
        ({"q01": {"d": 1}}, [("q02", "d", 2)], [0, 1, 2]),
    ],
)
def test_grades_are_those_of_qrels_and_log(qrels, logged, expected):
    log = JudgingLog()
    log.add_judgments(logged)
    campaign = JudgingPlan(qrels, CAMPAIGN.runs, log=log)
    campaign.next(1)
    assert list(log.batches()[0].grades) == expected
    assert JudgingPlan(None, CAMPAIGN.runs, log=log).state().pool


def test_documents_are_asked_for_once_and_by_priority():
    campaign = plan()
    assert sum(map(len, judge(campaign, 4).values())) == 95
    table = campaign.next(10)
    assert (np.diff(table["priority"]) <= 0).all()
    assert (table["priority"] > 0).all()
    assert "systems return it" in table["reason"][0]
    assert "P(" not in table["reason"][0]


def test_a_plan_of_the_same_judgments_and_log_is_the_same():
    campaign = plan(question="best")
    judge(campaign, 5)
    other = plan(question="best", log=campaign._log)
    assert other.state() == campaign.state()
    assert other.next(20).equals(campaign.next(20))


def test_without_the_log_a_plan_is_as_careful_as_at_first_whatever_the_order_of_the_qrels():
    campaign = plan()
    qrels = judge(campaign, 5)
    other = plan(qrels=qrels)
    assert other.state().judged == campaign.state().judged
    assert (campaign.state().look, other.state().look) == (4, 0)
    turned = plan(qrels=dict(reversed(qrels.items())))
    assert turned.state() == other.state()
    assert turned.next(40).equals(other.next(40))


def test_history_has_a_state_for_each_batch_and_one_that_is_asked_for_again_is_one_look():
    campaign = plan()
    judge(campaign, 3)
    assert [state.judged for state in campaign.history] == [0, 20, 45, 70]
    campaign.next(30)
    campaign.next(10)
    judge(campaign, 1, size=30)
    assert campaign.state().look == 3


def test_systems_that_are_added_need_judgments_and_looks_of_their_own():
    log = JudgingLog()
    qrels = judge(plan(log=log), 6)
    assert plan(log=log).state().look == 5
    new = {"new": {query: {f"x{rank}": -rank for rank in range(10)} for query in CAMPAIGN.qrels}}
    together = JudgingPlan(qrels, {**CAMPAIGN.runs, **new}, log=log)
    assert together.added_systems["new"] == 100
    assert together.state().look == 0
    assert len(together.next(5)) == 5


def test_no_system_is_added_before_a_batch_or_with_all_its_documents_judged():
    log = JudgingLog()
    campaign = plan(log=log)
    assert campaign.added_systems == {}
    campaign.next(5)
    more = {**CAMPAIGN.runs, "copy": CAMPAIGN.runs[FIRST]}
    assert set(JudgingPlan(None, more, grades=GRADES, log=log).added_systems) == {"copy"}
    assert JudgingPlan(COMPLETE, more, grades=GRADES, log=log).added_systems == {}


def test_a_log_serves_several_questions():
    log = JudgingLog()
    judge(plan(log=log), 2)
    other = plan(question="best", log=log)
    assert other.state().look == 1
    assert len(other.history) == 1
    pair = plan(question=(FIRST, OTHER), measure="P@10", log=log)
    judge(pair, 2, size=10)
    again = plan(question=(FIRST, OTHER), measure="P@5", log=log)
    assert again.state().judged > 0


@pytest.mark.parametrize(
    ("judgment", "text"),
    [
        (lambda first, _: (first[0], "nowhere", 1), "of documents of the pool; got 'nowhere'"),
        (lambda first, _: ("zzz", first[1], 1), "of documents of the pool; .* for query 'zzz'"),
        (lambda _, second: (*second, 7), r"must have grades of \[0, 1, 2, 3\]; got 7"),
        (lambda first, _: (*first, 1), "must not contradict earlier ones; got 1"),
    ],
)
def test_bad_judgments_are_refused_and_none_is_taken(judgment, text):
    campaign = plan()
    table = campaign.next(3)
    first, second, third = zip(table["query_id"], table["doc_id"], strict=True)
    for _ in range(2):  # the same once more is no contradiction
        campaign.update({first[0]: {first[1]: 0}})
    query, doc, grade = judgment(first, second)
    with pytest.raises(InputError, match=text):
        campaign.update({third[0]: {third[1]: 1}, query: {doc: grade}})
    assert campaign.state().judged == 1


# The documents of a system in reverse order.
WEAK = {
    query: {doc: -score for doc, score in docs.items()}
    for query, docs in CAMPAIGN.runs[FIRST].items()
}
RUNS = {**CAMPAIGN.runs, "weak": WEAK}


def of_two(measure="P@10", runs=RUNS, question=("weak", OTHER), **options):
    return JudgingPlan(None, runs, measure, question, grades=GRADES, **options)


@pytest.mark.parametrize("measure", ["P@10", "P(rel=2)@5", "RBP(p=0.8)@10", "DCG@10", "nDCG@10"])
def test_the_better_of_two_is_found_before_all_is_judged(measure):
    campaign = of_two(measure)
    while len(batch := campaign.next(15)):
        campaign.update(judged(batch))
    state = campaign.state()
    assert state.answer == OTHER
    assert state.claimed
    assert state.judged < state.pool
    assert state.claim == ("it is better" if measure == "nDCG@10" else "no wrong decision")
    assert state.probability >= 0.95


def test_the_bets_on_two_systems_are_resumed_from_the_log(tmp_path):
    whole = of_two(level=0.999)
    for _ in range(6):
        judge(whole, 1, 15)
        judge(of_two(level=0.999, log=tmp_path / "log"), 1, 15)
        resumed = of_two(level=0.999, log=tmp_path / "log")
        assert resumed.state() == whole.state()
    # The order of the documents depends neither on that of the runs nor on other runs.
    turned = of_two(runs=dict(reversed(RUNS.items())), level=0.999, log=tmp_path / "log")
    alone = {name: RUNS[name] for name in ("weak", OTHER)}
    for same in (turned, of_two(runs=alone, level=0.999, log=tmp_path / "log")):
        assert same.next(9)["doc_id"].tolist() == whole.next(9)["doc_id"].tolist()
