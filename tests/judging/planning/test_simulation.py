"""Judged collections that are judged once more."""

import numpy as np
import pytest

from irx_measures import InputError, JudgingPlan, simulate_campaign
from irx_measures.cli.main import main
from irx_measures.io.trec import read_qrels
from irx_measures.judging import simulate_judging

CAMPAIGN = simulate_campaign(systems=8, queries=10, depth=30, seed=3)


@pytest.fixture(scope="module")
def complete():
    """Qrels in which every returned document is judged."""
    return {
        query: {doc: grades.get(doc, 0) for run in CAMPAIGN.runs.values() for doc in run[query]}
        for query, grades in CAMPAIGN.qrels.items()
    }


@pytest.mark.parametrize("question", ["ranking", "best", ("lexical-a", "hybrid-a")])
def test_a_campaign_stops_where_a_plan_does(question, complete):
    runs = CAMPAIGN.runs
    found = simulate_judging(runs, complete, question=question, seeds=1, systems=8, topics=10)
    plan = JudgingPlan(runs, question=question, grades=(0, 1, 2, 3), seed=0)
    size = max(5, plan.state().pool // 20)
    while plan.state().judged == 0 or plan.state().probability < 0.95:
        table = plan.next(size)
        if not len(table):
            break
        judged = {}
        for query, doc in zip(table["query_id"], table["doc_id"], strict=True):
            judged.setdefault(query, {})[doc] = complete[query][doc]
        plan.update(judged)
    assert found.judged.tolist() == [plan.state().judged]
    assert found.pool.tolist() == [plan.state().pool]


def test_campaigns_draw_systems_and_topics(complete):
    found = simulate_judging(CAMPAIGN.runs, complete, "P@5", "best", seeds=3, systems=4, topics=6)
    assert (found.systems, found.topics, found.seeds) == (4, 6, (0, 1, 2))
    assert len({*found.pool.tolist()}) > 1
    assert (found.judged <= found.pool).all()
    assert found.summary.startswith("P@5, best: 0.")
    assert list(found.to_frame()) == ["seed", "judged", "pool", "share", "wrong"]
    again = simulate_judging(CAMPAIGN.runs, complete, "P@5", "best", seeds=2, systems=4, topics=6)
    assert again.judged.tolist() == found.judged.tolist()[:2]


def test_nothing_judged_is_refused():
    with pytest.raises(InputError, match="must judge documents in the top 10 of the runs"):
        simulate_judging(CAMPAIGN.runs, {"q1": {"nowhere": 1}})


@pytest.mark.slow
def test_claims_are_seldom_wrong_on_real_runs(data):
    """A small version of tests.simulations.judging."""
    folder = data / "trec-dl-2019-passage"
    runs, qrels = sorted(folder.glob("runs/*")), read_qrels(folder / "qrels.txt.gz")
    found = simulate_judging(runs, qrels, question="ranking", seeds=2)
    assert not found.wrong.any()
    assert 0.35 < found.share < 0.75


def test_the_command_prints_a_row_for_each_measure(tmp_path, capsys, complete):
    rows = [f"{q} 0 {doc} {grade}" for q, docs in complete.items() for doc, grade in docs.items()]
    (tmp_path / "qrels.txt").write_text("\n".join(rows))
    for name in list(CAMPAIGN.runs)[:3]:
        lines = [
            f"{query} Q0 {doc} 0 {score} {name}"
            for query, docs in CAMPAIGN.runs[name].items()
            for doc, score in docs.items()
        ]
        (tmp_path / f"{name}.run").write_text("\n".join(lines))
    files = [str(tmp_path / "qrels.txt"), *map(str, sorted(tmp_path.glob("*.run")))]
    asked = ["--question", "best", "--seeds", "2", "-m", "nDCG@10", "P@5", "-o", "csv"]
    assert main(["judge", "simulate", *files, *asked]) == 0
    header, *rows = capsys.readouterr().out.splitlines()
    assert header == "measure,question,campaigns,judged,wrong"
    assert [row.split(",")[:3] for row in rows] == [
        ["nDCG@10", "best", "2"],
        ["P@5", "best", "2"],
    ]
    share = np.array([float(row.split(",")[3]) for row in rows])
    assert ((share > 0) & (share <= 1)).all()
    assert main(["judge", "simulate", *files, "--question", "worst"]) == 2
    assert "the names of two systems; got 'worst'" in capsys.readouterr().err
