"""JudgingPlan: documents, updates and states."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from irx_measures import InputError, JudgingPlan, evaluate, simulate_campaign
from irx_measures.judging.planning.log import JudgingLog

CAMPAIGN = simulate_campaign(systems=6, queries=10, depth=30, seed=3)
GRADES = (0, 1, 2, 3)


def plan(**options):
    return JudgingPlan(CAMPAIGN.runs, grades=GRADES, **options)


def judged(table):
    """The true judgments of the documents that are asked for."""
    rows = zip(table["query_id"], table["doc_id"], strict=True)
    return [(query, "0", doc, CAMPAIGN.qrels[query].get(doc, 0)) for query, doc in rows]


def as_qrels(rows):
    qrels = {}
    for query, _, doc, grade in rows:
        qrels.setdefault(query, {})[doc] = grade
    return qrels


def judge(campaign, batches, size=25):
    """The judgments of some batches, in order."""
    rows = []
    for _ in range(batches):
        answers = judged(campaign.next(size))
        campaign.update(as_qrels(answers))
        rows += answers
    return rows


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


def test_documents_are_asked_for_once_and_by_priority():
    campaign = plan()
    seen = judge(campaign, 4)
    assert len({(query, doc) for query, _, doc, _ in seen}) == len(seen) == 95
    table = campaign.next(10)
    assert (np.diff(table["priority"]) <= 0).all()
    assert (table["priority"] > 0).all()
    assert "systems return it" in table["reason"][0]
    assert "P(" not in table["reason"][0]


@pytest.mark.parametrize("question", ["ranking", "best", ("lexical-a", "dense-b")])
def test_when_all_is_judged_the_answer_is_that_of_the_scores(question):
    campaign = plan(question=question)
    while len(table := campaign.next(200)):
        campaign.update(as_qrels(judged(table)))
    state = campaign.state()
    complete = {
        query: {
            doc: CAMPAIGN.qrels[query].get(doc, 0)
            for run in CAMPAIGN.runs.values()
            for doc in run[query]
        }
        for query, grades in CAMPAIGN.qrels.items()
    }
    matrix = evaluate(CAMPAIGN.runs, complete, "nDCG@10")
    mean = dict(zip(matrix.systems, matrix.scores[0].mean(axis=1), strict=True))
    assert state.judged == state.pool
    assert state.settled
    assert state.probability == 1.0
    if question == "ranking":
        assert state.answer.split(" > ") == sorted(mean, key=mean.get, reverse=True)
    else:
        among = mean if question == "best" else question
        assert state.answer == max(among, key=mean.get)


def test_a_plan_of_the_same_judgments_and_log_is_the_same():
    campaign = plan(question="best")
    judge(campaign, 5)
    other = plan(question="best", log=campaign._log)
    assert other.state() == campaign.state()
    assert other.next(20).equals(campaign.next(20))


def test_without_the_log_a_plan_is_as_careful_as_at_first():
    campaign = plan(question="best")
    rows = judge(campaign, 5)
    other = plan(question="best", qrels=as_qrels(rows))
    assert other.state().judged == campaign.state().judged
    assert (campaign.state().look, other.state().look) == (4, 0)


def test_a_batch_that_is_asked_for_again_is_one_look():
    campaign = plan()
    judge(campaign, 2)
    campaign.next(30)
    campaign.next(10)
    judge(campaign, 1, size=30)
    assert campaign.state().look == 2


def test_a_log_of_other_grades_is_refused():
    log = JudgingLog()
    judge(plan(log=log), 2)
    with pytest.raises(InputError, match=r"`grades` must be those of the log; got \(0, 1\)"):
        JudgingPlan(CAMPAIGN.runs, log=log)
    log = JudgingLog()
    log.add_judgments([("q01", "d", 2)])
    with pytest.raises(InputError, match=r"got \(0, 1\), the log has 2"):
        JudgingPlan(CAMPAIGN.runs, log=log)


def test_history_has_a_state_for_each_batch():
    campaign = plan()
    judge(campaign, 3)
    assert [state.judged for state in campaign.history] == [0, 20, 45, 70]


def test_systems_that_are_added_need_judgments_of_their_own():
    rows = judge(plan(question="best"), 6)
    new = {"new": {query: {f"x{rank}": -rank for rank in range(10)} for query in CAMPAIGN.qrels}}
    together = JudgingPlan({**CAMPAIGN.runs, **new}, as_qrels(rows), grades=GRADES)
    assert together.unjudged()["new"] == 100


@pytest.mark.parametrize(
    ("judgments", "text"),
    [
        ({"q1": {"nowhere": 1}}, "must be of documents of the pool; got 'nowhere'"),
        ({"zzz": {"d1": 1}}, "must be of documents of the pool; got 'd1' for query 'zzz'"),
        ("grade 7", r"must have grades of \[0, 1, 2, 3\]; got 7"),
    ],
)
def test_bad_judgments_are_refused_and_none_is_taken(judgments, text):
    campaign = plan()
    table = campaign.next(2)
    first, second = zip(table["query_id"], table["doc_id"], strict=True)
    good = {first[0]: {first[1]: 1}}
    if judgments == "grade 7":
        judgments = {second[0]: {second[1]: 7}}
    with pytest.raises(InputError, match=text):
        campaign.update({**good, **judgments})
    assert campaign.state().judged == 0


def test_contradicting_judgments_are_refused():
    campaign = plan()
    row = judged(campaign.next(1))[0]
    campaign.update(as_qrels([row]))
    campaign.update(as_qrels([row]))  # once more the same
    query, zero, doc, grade = row
    with pytest.raises(InputError, match=f"must not contradict earlier ones; got {3 - grade}"):
        campaign.update(as_qrels([(query, zero, doc, 3 - grade)]))


@pytest.mark.parametrize(
    ("options", "text"),
    [
        ({"grades": (1, 2)}, "must be 0 and at least one higher grade"),
        ({"grades": (0,)}, "must be 0 and at least one higher grade"),
        ({"level": 95}, "`level` must"),
        ({"seed": -1}, "`seed` must"),
        ({"qrels": {"q1": {"d": 2}}}, "`grades` must hold every grade of the qrels"),
    ],
)
def test_options_are_checked(options, text):
    with pytest.raises(InputError, match=text):
        JudgingPlan(CAMPAIGN.runs, **options)


def test_no_document_is_left_at_the_end():
    campaign = JudgingPlan({"a": {"q": {"d": 1.0}}, "b": {"q": {"e": 1.0}}}, question=("a", "b"))
    campaign.update({"q": {"d": 1, "e": 0}})
    table = campaign.next()
    assert list(table) == ["query_id", "doc_id", "priority", "reason"]
    assert len(table) == 0
    assert campaign.state().answer == "a"


@pytest.mark.parametrize("measure", ["RBP@10", "AP@10"])
def test_on_some_measures_the_best_system_has_no_tolerance(measure):
    assert "by more than" not in plan(measure=measure, question="best").state().claim
    with pytest.raises(InputError, match=r"must be 0 for the best system .* claims were wrong"):
        plan(measure=measure, question="best", tolerance=0.01)
    assert plan(measure=measure).state().claim == "ranking settled"


def test_the_order_of_qrels_does_not_matter():
    rows = judge(plan(), 3)
    first, second = (plan(qrels=as_qrels(order)) for order in (rows, rows[::-1]))
    assert first.state() == second.state()
    assert first.next(40).equals(second.next(40))
