"""The benchmark runs and prints its table."""

import numpy as np
import pytest

from irx_measures import evaluate
from tests.doubts import NO_PRIOR

from . import compare
from .contenders import BULK, CONTENDERS, NDCG
from .generate import WORKLOADS, generate

pytestmark = NO_PRIOR  # NRG@10 without a prior is timed

SIZE = ["--runs", "3", "--queries", "4", "--depth", "30", "--judged", "8", "--repeats", "2"]
FORMS = ["DataFrame, str", "DataFrame, object", "dict", "TREC files"]


def rows(printed):
    """Lines by workload, form and contender."""
    found, workload = {}, None
    for line in printed.splitlines():
        if line in WORKLOADS:
            workload = line
        elif line.split() != ["input", "what", "median", "s", "share", "MB"]:
            found[workload, line[:18].strip(), line[19:71].strip()] = line[71:].split()
    return found


@pytest.mark.slow
@pytest.mark.parametrize("workload", WORKLOADS)
def test_every_contender_has_a_row_for_every_form_it_takes(workload, capsys):
    compare.main([*SIZE, "--workloads", workload])
    found = rows(capsys.readouterr().out)
    contenders = CONTENDERS[workload]
    assert list(found) == [
        (workload, form, contender.name)
        for form in FORMS
        for contender in contenders
        if form in contender.forms
    ]
    for (_, _, name), (seconds, share, memory) in found.items():
        assert float(seconds) > 0
        assert float(memory) >= 0
        against = next(contender.against for contender in contenders if contender.name == name)
        assert float(share) > 0
        assert against is not None or float(share) == 1.0


@pytest.mark.slow
def test_real_runs_are_compared_as_dataframes(data, capsys, monkeypatch):
    if not (data / "trec-dl-2019-passage").is_dir():
        pytest.skip(f"no TREC DL 2019 at {data}")
    monkeypatch.setenv("IRX_DATA", str(data))
    few = [contender for contender in CONTENDERS["W1"] if contender.name in (NDCG, BULK)]
    monkeypatch.setitem(CONTENDERS, "W1", few)
    qrels, runs = compare.dl19_frames("str")
    assert (len(runs), qrels["query_id"].nunique()) == (37, 43)
    compare.main(["--dl19", "--repeats", "1", "--no-memory"])
    assert len(rows(capsys.readouterr().out)) == 4


def test_missing_real_runs_are_told(tmp_path, monkeypatch):
    monkeypatch.setenv("IRX_DATA", str(tmp_path))
    with pytest.raises(SystemExit, match=r"no runs at .*IRX_DATA names another"):
        compare.main(["--dl19"])


def test_a_collection_has_the_shape_asked_for():
    made = generate(runs=3, queries=5, depth=40, judged=10, relevant=0.3, unjudged=0.9, seed=1)
    qrels, runs = made.dicts()
    assert len(runs) == 3
    assert [len(grades) for grades in qrels.values()] == [10] * 5
    for run in runs.values():
        assert list(run) == list(qrels)
        for query, scored in run.items():
            assert len(scored) == 40
            assert len(scored.keys() & qrels[query].keys()) == 4
            assert list(scored.values()) == sorted(scored.values(), reverse=True)
    grades = generate(runs=1, judged=400, relevant=0.3).qrels.value
    assert np.isin(grades, range(4)).all()
    assert np.mean(grades > 0) == pytest.approx(0.3, abs=0.02)


def test_the_share_of_unjudged_documents_in_the_top_can_be_asked_for():
    made = generate(runs=6, queries=200, depth=40, judged=30, unjudged=0.5, unjudged_top=(0.2, 0.4))
    qrels, runs = made.dicts()
    shares = [
        np.mean([doc not in qrels[query] for query, docs in run.items() for doc in list(docs)[:10]])
        for run in runs.values()
    ]
    assert all(0.15 < share < 0.45 for share in shares)
    assert max(shares) - min(shares) > 0.05
    assert all(
        list(d.values()) == sorted(d.values())[::-1] for r in runs.values() for d in r.values()
    )


def test_a_collection_follows_from_its_seed():
    sizes = {"runs": 2, "queries": 3, "depth": 10, "judged": 5}
    first, second, other = (generate(**sizes, seed=seed).dicts() for seed in (1, 1, 2))
    assert first == second != other


def test_a_collection_scores_alike_in_every_form(tmp_path):
    made = generate(runs=3, queries=4, depth=30, judged=12, unjudged=0.5)
    measures = ["NRG(prior=others)@10", "AP_Rareness(systems=others)", "nDCG@10"]
    expected = evaluate(*made.dicts()[::-1], measures)
    assert expected.scores.any(axis=2).all()
    for qrels, runs in (made.frames("str"), made.frames("object"), made.write(tmp_path)):
        np.testing.assert_array_equal(evaluate(runs, qrels, measures).scores, expected.scores)
