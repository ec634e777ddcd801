"""Calibrated judgments: shares by label, worlds, and what runs teach."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from irx_measures import InputError, RunSet, evaluate, simulate_campaign
from irx_measures.io.columns import QrelsColumns
from irx_measures.io.identifiers import ListIds
from irx_measures.io.trec import read_qrels
from irx_measures.judging import calibration
from irx_measures.judging.calibration import CalibratedPairs
from irx_measures.judging.judged_pairs import JudgedPairs
from irx_measures.judgments.judgments import Judgments
from irx_measures.meta import leave_group_out

HUMAN = {"q1": {"a": 0, "b": 2, "c": 2, "d": 3}, "q2": {"a": 0, "b": 0}}
MACHINE = {
    "q1": {"a": 1, "b": 1, "c": 2, "x": 1, "y": 2, "z": 9},
    "q2": {"a": 1, "b": 1, "v": 0},
    "q3": {"a": 1},
}


def by_label(machine=MACHINE):
    judgments = Judgments(read_qrels(HUMAN))
    return CalibratedPairs.by_label(judgments, JudgedPairs.of(judgments, machine, "machine"))


def test_shares_by_label():
    pairs = by_label()
    assert list(zip(pairs.query_ids, pairs.doc_ids, strict=True)) == [
        ("q1", "x"), ("q1", "y"), ("q3", "a"),
    ]  # fmt: skip
    assert_array_equal(pairs.grades, [0, 2, 3])
    assert_allclose(pairs.probability, [[0.75, 0.25, 0], [0, 1, 0], [0.75, 0.25, 0]])
    assert pairs.left_out == 2  # labels 9 and 0 have no human judgment
    assert not pairs.learned.any()


def test_expected_grades_are_rounded():
    pairs = by_label()
    assert_array_equal(pairs.expected(), [1, 2, 1])  # .5 is rounded up


def test_worlds_follow_the_probabilities():
    pairs = by_label()
    drawn = np.array(list(pairs.worlds(4000, seed=1)))
    assert drawn.shape == (4000, 3)
    assert (drawn[:, 1] == 2).all()
    assert set(np.unique(drawn[:, 0])) == {0, 2}
    assert drawn[:, 0].mean() == pytest.approx(0.5, abs=4 * 0.87 / np.sqrt(4000))
    assert (drawn[:, 0] != drawn[:, 2]).any()  # each pair has its own draws


def test_a_pairs_worlds_depend_on_its_ids_only():
    pairs = by_label()
    few = {"q3": {"a": 1}, "q1": {"b": 1, "a": 1, "c": 2}, "q2": {"b": 1, "a": 1}}
    alone = by_label(few)
    assert alone.query_ids == ["q3"]
    all_drawn, drawn = (np.array(list(one.worlds(50, seed=3))) for one in (pairs, alone))
    assert_array_equal(drawn[:, 0], all_drawn[:, 2])
    assert_array_equal(np.array(list(pairs.worlds(20, seed=3))), all_drawn[:20])
    assert (np.array(list(pairs.worlds(50, seed=4))) != all_drawn).any()


def test_errors(monkeypatch):
    with pytest.raises(InputError, match="`worlds` must be at least 1"):
        list(by_label().worlds(0, 1))
    with pytest.raises(InputError, match="`seed` must be at least 0"):
        list(by_label().worlds(1, -1))
    monkeypatch.setattr(calibration, "MOST_DRAWS", 8)
    with pytest.raises(InputError, match="`worlds` x pairs must be at most 8; got 3 x 3"):
        list(by_label().worlds(3, 1))


@pytest.mark.filterwarnings("ignore::irx_measures.EvaluationWarning")
def test_few_runs_teach_nothing_of_labels():
    runs = RunSet({"r": {"q1": {"a": 2.0, "x": 1.0}}})
    before = by_label()
    after, model = before.learned_from(runs, HUMAN, MACHINE, depth=10)
    assert model.prior == "transferred"
    assert after is before


def completed(qrels, pairs, grade):
    human = read_qrels(qrels)
    return QrelsColumns(
        ListIds([*human.query.all(), *pairs.query_ids]),
        ListIds([*human.doc.all(), *pairs.doc_ids]),
        np.concatenate((human.grade, grade)),
    )


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::irx_measures.EvaluationWarning")
def test_calibrated_labels_restore_the_scores_of_groups_that_were_not_pooled(data):
    """Each group of DL19 is left out of the pool, and its documents get UMBRELA's labels back."""
    folder = data / "trec-dl-2019-passage"
    runs = RunSet(sorted(folder.glob("runs/*")), groups=folder / "groups.csv")
    machine = folder / "machine-judgments" / "umbrela_gpt4.txt.gz"
    truth = evaluate(runs, folder / "qrels.txt.gz", "nDCG@10").scores[0]
    errors = {"nothing": [], "labels": [], "by label": [], "learned": []}
    for group, qrels in leave_group_out(runs, folder / "qrels.txt.gz", 10):
        positions = [place for place, of_run in enumerate(runs.groups) if of_run == group]
        pairs = JudgedPairs.of(Judgments(read_qrels(qrels)), machine, "machine")
        shares = CalibratedPairs.by_label(Judgments(read_qrels(qrels)), pairs)
        learned, model = shares.learned_from(runs, qrels, machine, depth=10)
        assert model.prior == "shrunk"
        assert learned.learned.all()
        for name, grade in (
            ("nothing", np.zeros(len(shares.query_ids), np.int64)),
            ("labels", pairs.label[~pairs.both]),
            ("by label", shares.expected()),
            ("learned", learned.expected()),
        ):
            filled = completed(qrels, shares, grade)
            scores = evaluate(runs.subset(positions), filled, "nDCG@10").scores[0]
            errors[name].append(scores - truth[positions])
    rmse, of_systems = {}, {}
    for name, parts in errors.items():
        error = np.concatenate(parts)
        rmse[name] = np.sqrt((error**2).mean())
        of_systems[name] = np.sqrt((error.mean(axis=1) ** 2).mean())
    assert rmse["labels"] == pytest.approx(0.049, abs=0.002)  # as others measured it
    assert rmse["learned"] < 0.031 < rmse["by label"] < 0.041 < rmse["labels"] < rmse["nothing"]
    assert of_systems["learned"] < of_systems["by label"] < 0.008 < of_systems["labels"]


@pytest.mark.filterwarnings("ignore::irx_measures.EvaluationWarning")
def test_worlds_are_those_of_the_model():
    campaign = simulate_campaign(systems=36, queries=12, depth=15, seed=1)
    runs = RunSet(campaign.runs, groups=campaign.groups)
    machine = {query: dict.fromkeys(judged, 1) for query, judged in campaign.qrels.items()}
    for run in campaign.runs.values():
        for query, ranked in run.items():
            machine[query].update(dict.fromkeys(ranked, 0))
    judgments = Judgments(read_qrels(campaign.qrels))
    pairs = CalibratedPairs.by_label(judgments, JudgedPairs.of(judgments, machine, "machine"))
    learned, model = pairs.learned_from(runs, campaign.qrels, machine, depth=10)
    assert model.prior != "transferred"
    assert learned.learned.all()
    given = {"cutoff": 100, "count": 3, "seed": 5, "machine": machine}
    worlds = model.worlds(runs, campaign.qrels, **given)
    for drawn, frame in zip(learned.worlds(3, 5), worlds, strict=True):
        expected = frame.set_index(["query_id", "doc_id"])["relevance"]
        keys = list(zip(learned.query_ids, learned.doc_ids, strict=True))
        assert expected.loc[keys].tolist() == drawn.tolist()
