"""JudgingPlan(guarantee=True): decisions, batches that resume, and what is refused."""

import pytest

from irx_measures import InputError, JudgingPlan, simulate_campaign

CAMPAIGN = simulate_campaign(systems=6, queries=10, depth=30, seed=3)
GRADES = (0, 1, 2, 3)
# The documents of a system in reverse order.
WEAK = {
    query: {doc: -score for doc, score in docs.items()}
    for query, docs in CAMPAIGN.runs["lexical-a"].items()
}
RUNS = {**CAMPAIGN.runs, "weak": WEAK}
PAIR = ("weak", "dense-b")


def plan(measure="P@10", question=PAIR, runs=RUNS, **options):
    return JudgingPlan(runs, None, measure, question, grades=GRADES, guarantee=True, **options)


def judge(campaign, n=15):
    for query, docs in campaign.next(n).groupby("query_id")["doc_id"]:
        grades = CAMPAIGN.qrels[query]
        campaign.update({query: {doc: grades.get(doc, 0) for doc in docs}})


@pytest.mark.parametrize("measure", ["P@10", "P(rel=2)@5", "RBP(p=0.8)@10", "DCG@10"])
def test_the_better_system_is_found_before_all_is_judged(measure):
    campaign = plan(measure)
    while not campaign.state().settled:
        judge(campaign)
    state = campaign.state()
    assert state.answer == plan_of_all(measure).answer == "dense-b"
    assert state.judged < state.pool
    assert state.claim == "no wrong decision"
    assert state.probability >= 0.95


def plan_of_all(measure):
    campaign = plan(measure)
    while len(campaign.next(1)):
        judge(campaign, 1000)
    return campaign.state()


def test_a_campaign_is_resumed_from_its_log(tmp_path):
    whole = plan(level=0.999)
    for _ in range(6):
        judge(whole)
        judge(plan(level=0.999, log=tmp_path / "log"))
        resumed = plan(level=0.999, log=tmp_path / "log")
        assert resumed.state() == whole.state()
    # The order of the documents does not depend on that of the runs.
    turned = plan(runs=dict(reversed(RUNS.items())), level=0.999, log=tmp_path / "log")
    assert turned.next(9)["doc_id"].tolist() == whole.next(9)["doc_id"].tolist()


def test_other_runs_do_not_resume_a_log(tmp_path):
    judge(plan(log=tmp_path / "log"))
    runs = {**RUNS, "weak": RUNS["lexical-b"]}
    with pytest.raises(InputError, match=r"`runs` must rank as in the log .* sum to"):
        plan(runs=runs, log=tmp_path / "log")


@pytest.mark.parametrize(
    ("measure", "question", "message"),
    [
        ("nDCG@10", PAIR, r"DCG@k with guarantee=True; got nDCG@10: its ideal is not linear"),
        ("AP@10", PAIR, r"`measure` must be P@k, RBP@k or DCG@k with guarantee=True; got AP@10"),
        (
            "P@10",
            "best",
            r"`question` must be the names of two systems with guarantee=True; got 'best'",
        ),
    ],
)
def test_what_has_no_guarantee_is_refused(measure, question, message):
    with pytest.raises(InputError, match=message):
        plan(measure, question)
