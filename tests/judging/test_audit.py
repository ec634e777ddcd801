"""audit_judges: agreement, calibration, rankings of systems, groups that a machine favours."""

import warnings

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy import stats

import irx_measures
from irx_measures import EvaluationWarning, InputError
from irx_measures.io.table import nested
from irx_measures.io.trec import read_qrels
from irx_measures.judging.audit import audit_judges, judged_by_both
from irx_measures.judgments.judgments import Judgments
from irx_measures.meta import rank_correlation

HUMAN = {"q1": {"a": 2, "b": 0, "c": 1, "z": 3}, "q2": {"a": 1, "d": 0, "e": 0}}
MACHINE = {"q1": {"a": 1, "b": 0, "c": 1, "new": 1}, "q2": {"a": 1, "d": 1, "e": 0}, "q3": {"a": 2}}


@pytest.fixture(scope="module")
def campaign():
    return irx_measures.simulate_campaign(systems=9, queries=25, depth=30, seed=2)


def noisy(qrels, seed=1, share=0.3):
    rng = np.random.default_rng(seed)
    return {
        query: {
            doc: int(rng.integers(0, 4)) if rng.random() < share else grade
            for doc, grade in judged.items()
        }
        for query, judged in qrels.items()
    }


def test_pairs_that_both_judged_are_those_of_the_machine_without_negative_grades():
    human = {"q1": {"a": 2, "b": -1, "c": 1}, "q2": {"a": 0, "d": 3}}
    machine = {"q2": {"d": 1, "x": 2, "c": 1}, "q9": {"a": 1, "x": 0}, "q1": {"b": -2, "a": 3}}
    both = judged_by_both(Judgments(read_qrels(human)), machine, "machine")
    assert list(map(nested, both)) == [
        {"q2": {"d": 3}, "q1": {"b": 0, "a": 2}}, {"q2": {"d": 1}, "q1": {"b": 0, "a": 3}},
    ]  # fmt: skip


def test_agreement_on_the_pairs_that_both_judged():
    (agreement,) = audit_judges(HUMAN, MACHINE).agreements
    assert agreement.judge == "machine"
    assert_array_equal(agreement.grades, [0, 1, 2])
    assert_array_equal(agreement.labels, [0, 1])
    assert_array_equal(agreement.counts, [[2, 1], [0, 2], [0, 1]])
    assert agreement.pairs == 6
    assert agreement.equal == pytest.approx(4 / 6)
    assert agreement.leniency == pytest.approx(0.0)
    assert_allclose(agreement.calibration, [[1, 1 / 4], [0, 2 / 4], [0, 1 / 4]])
    assert agreement.to_frame().to_dict("list") == {
        "grade": [0, 1, 2], "label 0": [2, 0, 0], "label 1": [1, 2, 1],
    }  # fmt: skip


@pytest.mark.parametrize(
    ("options", "precision", "recall"),
    [({}, 0.75, 1.0), ({"relevant": 2, "machine_relevant": 1}, 0.25, 1.0),
     ({"relevant": 2}, np.nan, 0.0)],
)  # fmt: skip
def test_thresholds_of_relevance(options, precision, recall):
    (one,) = audit_judges(HUMAN, MACHINE, **options).agreements
    assert_array_equal((one.precision, one.recall), (precision, recall))


def test_tables_of_labels():
    audit = audit_judges(HUMAN, {"one": MACHINE, "same": HUMAN})
    assert audit.to_frame()["judge"].tolist() == ["one", "same"]
    with pytest.raises(KeyError, match=r"'on' is not among 'one', 'same'; did you mean 'one'[?]"):
        audit["on"]
    assert audit.to_frame()["kappa"].tolist()[1] == 1.0
    names = ["judge", "grade", "pairs", "mean_label", "lower", "equal", "higher"]
    assert list(audit.grades) == names
    assert list(zip(*audit.grades.values(), strict=True))[:3] == [
        ("one", 0, 3, 1 / 3, 0, 2 / 3, 1 / 3), ("one", 1, 2, 1, 0, 1, 0), ("one", 2, 1, 1, 1, 0, 0)
    ]  # fmt: skip
    assert list(audit.calibration) == ["judge", "label", "grade", "pairs", "probability"]
    assert list(zip(*audit.calibration.values(), strict=True))[3:6] == [
        ("one", 1, 0, 1, 0.25), ("one", 1, 1, 2, 0.5), ("one", 1, 2, 1, 0.25)
    ]  # fmt: skip
    assert not audit.rankings["judge"]
    assert not audit.groups["judge"]
    assert "of 2 machines, the best is same: quadratic kappa 1.000 on 7 pairs" in audit.summary


def restricted(qrels, other):
    """The qrels' pairs that the other qrels have too."""
    return {
        query: {doc: grade for doc, grade in judged.items() if doc in other[query]}
        for query, judged in qrels.items()
        if query in other
    }


def test_rankings_are_of_scores_on_the_common_pairs(campaign):
    machine = noisy(campaign.qrels)
    first = next(iter(machine))
    machine[first] = {"unjudged": 3, **dict(list(machine[first].items())[5:])}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", EvaluationWarning)
        audit = audit_judges(
            campaign.qrels, machine, campaign.runs, ["nDCG@10", "P@5"], samples=200, level=0.9
        )
        scores = [
            irx_measures.evaluate(restricted(one, other), campaign.runs, ["nDCG@10", "P@5"]).scores
            for one, other in ((campaign.qrels, machine), (machine, campaign.qrels))
        ]
    frame = pd.DataFrame(audit.rankings)
    assert frame["measure"].tolist() == ["nDCG@10", "P@5"]
    assert frame["topics"].tolist() == [25, 25]
    for place, row in frame.iterrows():
        expected = rank_correlation(*(one[place] for one in scores), samples=200, level=0.9)
        assert (row["tau"], row["lower"], row["upper"]) == (expected.value, *expected.interval)
        kendall = stats.kendalltau(*(one[place].mean(axis=1).round(12) for one in scores))
        assert row["tau"] == pytest.approx(kendall.statistic)
    assert frame["judge"].tolist() == ["machine", "machine"]


def test_a_machine_that_favours_a_group_is_named(campaign):
    """It calls the first document of every run of a family relevant."""
    machine = {query: dict(judged) for query, judged in campaign.qrels.items()}
    for name, run in campaign.runs.items():
        if campaign.groups[name] == "lexical":
            for query, ranked in run.items():
                top = sorted(ranked, key=ranked.get, reverse=True)[:5]
                machine[query].update({doc: 3 for doc in top if doc in machine[query]})
    with pytest.warns(EvaluationWarning, match="machine favours the systems of 'lexical' on nDCG"):
        audit = audit_judges(campaign.qrels, machine, campaign.runs, groups=campaign.groups)
    frame = pd.DataFrame(audit.groups).set_index("group")
    assert frame["systems"].to_dict() == {"lexical": 3, "dense": 3, "hybrid": 3}
    scores = [
        irx_measures.evaluate(qrels, campaign.runs, "nDCG@10").scores[0]
        for qrels in (campaign.qrels, machine)
    ]
    gain = scores[1] - scores[0]
    inside, outside = gain[:3].mean(axis=0), gain[3:].mean(axis=0)
    test = stats.ttest_rel(inside, outside)
    row = frame.loc["lexical"]
    assert row["difference"] == pytest.approx((inside - outside).mean())
    assert row["p"] == pytest.approx(test.pvalue)
    assert (row["lower"], row["upper"]) == pytest.approx(tuple(test.confidence_interval(0.95)))
    p = frame["p"].sort_values().to_numpy()
    adjusted = np.maximum.accumulate(p * [3, 2, 1]).clip(max=1)
    assert frame["p_adjusted"].sort_values().to_numpy() == pytest.approx(adjusted)


def test_a_machine_equal_to_the_human(campaign):
    audit = audit_judges(campaign.qrels, campaign.qrels, campaign.runs, groups=campaign.groups)
    assert audit.to_frame()[["equal", "kappa", "recall"]].to_numpy().tolist() == [[1, 1, 1]]
    assert audit.rankings["tau"].tolist() == [1.0]
    assert audit.groups["p_adjusted"].tolist() == [1, 1, 1]


def test_a_machine_in_a_file_is_named_after_it(tmp_path):
    (tmp_path / "one.txt").write_text("q1 0 a 2\n")
    assert audit_judges(HUMAN, tmp_path / "one.txt")["one"].pairs == 1


GRADED = {"q1": {"a": 3, "b": 2, "c": 1, "d": 0, "e": 0}}
BINARY = {"q1": {"a": 1, "b": 1, "c": 0, "d": 0, "e": 1}}
WIDE = {"q1": {"a": 5, "b": 2, "c": 1, "d": 0, "e": 0}}


@pytest.mark.parametrize(
    ("human", "machine"),
    [
        (GRADED, {"q1": {"a": 2, "b": 2, "c": 1, "d": 0}}),  # never the highest grade
        (GRADED, {"q1": {"a": 3, "b": 0, "c": 1}}),  # never one between
        (GRADED, {"q1": {"a": 3, "b": -2}}),
        (GRADED, {"q1": {"a": 1, "b": 1}, "q9": {"a": 3}}),  # on pairs of its own only
        (BINARY, BINARY),
        ({"q1": {"a": 1}}, BINARY),
    ],
)
def test_labels_that_leave_grades_out_are_on_the_same_scale(human, machine):
    (one,) = audit_judges(human, machine).agreements
    assert one.scale == ""
    assert one.leniency == pytest.approx(
        np.mean([max(machine["q1"][doc], 0) - grade for doc, grade in human["q1"].items()
                 if doc in machine["q1"]])
    )  # fmt: skip


@pytest.mark.parametrize(
    ("human", "machine", "facts"),
    [
        (GRADED, BINARY, "machine has the labels 0, 1, and the human grades are 0, 1, 2, 3"),
        (GRADED, {"q1": {"a": 0}}, "machine has the labels 0, and the human grades are 0, 1, 2, 3"),
        (GRADED, WIDE, "machine has the labels 0, 1, 2, 5, and the human grades are 0, 1, 2, 3"),
        (BINARY, GRADED, "machine has the labels 0, 1, 2, 3, and the human grades are 0, 1"),
        (GRADED, {"fine": GRADED, "umbrela": BINARY}, "umbrela has the labels 0, 1, and"),
    ],
)
@pytest.mark.parametrize("runs", [None, {"a": {"q1": {"a": 2.0}}, "b": {"q1": {"b": 2.0}}}])
def test_labels_on_another_scale_are_refused(human, machine, facts, runs):
    told = "^`relevant` and `machine_relevant` .* or `mapping` .* must make labels and grades compa"
    with pytest.raises(InputError, match=f"{told}.*{facts}"):
        audit_judges(human, machine, runs)


def test_thresholds_make_labels_on_another_scale_comparable():
    human = {"q1": {"a": 1, "b": 1, "c": 0, "d": 0, "e": 0}}
    expected = audit_judges(human, BINARY).agreements[0]
    (one,) = audit_judges(GRADED, BINARY, relevant=2, machine_relevant=1).agreements
    assert one.scale == "1 stands for grades from 2 and labels from 1, 0 for others"
    assert one.summary == f"{expected.summary}; {one.scale}"
    assert_array_equal(one.counts, expected.counts)
    assert (one.kappa, one.leniency, one.precision, one.recall) == (
        expected.kappa, expected.leniency, expected.precision, expected.recall,
    )  # fmt: skip
    given = {"q1": GRADED["q1"], "q2": GRADED["q1"]}
    judged = {"q1": BINARY["q1"], "q2": BINARY["q1"]}
    runs = {name: {"q1": {doc: 1.0}, "q2": {"d": 1.0}} for name, doc in [("x", "a"), ("y", "c")]}
    options = {"relevant": 3, "machine_relevant": 1, "samples": 9}
    assert audit_judges(given, judged, runs, "P@1", **options).rankings["tau"].tolist() == [1.0]


def test_a_mapping_says_which_grade_a_label_means():
    expected = audit_judges(GRADED, GRADED).agreements[0]
    (one,) = audit_judges(GRADED, WIDE, mapping={5: 3}).agreements
    assert_array_equal(one.counts, expected.counts)
    assert (one.leniency, one.scale) == (0.0, "")
    labels = {"q1": {"a": 3, "b": 3, "c": 0, "d": 0, "e": 3}}
    (mapped,) = audit_judges(GRADED, BINARY, mapping={1: 3}).agreements
    assert_array_equal(mapped.counts, audit_judges(GRADED, labels).agreements[0].counts)
    assert audit_judges(GRADED, BINARY, mapping={1: 1})["machine"].pairs == 5
    with pytest.raises(TypeError, match="`mapping` must be a dict of grades by labels; got list"):
        audit_judges(GRADED, WIDE, mapping=[5, 3])
    with pytest.raises(InputError, match="has the labels 0, 1, 2, 5, and"):
        audit_judges(GRADED, WIDE, mapping={2: 3})
