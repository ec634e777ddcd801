"""Experiment with baselines: without a score, several, and where it replaces PyTerrier's own."""

import numpy as np
import pytest
from pandas.testing import assert_frame_equal
from scipy.stats import ttest_rel
from statsmodels.stats.multitest import multipletests

import irx_measures
from irx_measures import EvaluationWarning, Experiment, evaluate, scope
from tests.doubts import MISSED_QUERIES, OWN_PRIOR

pytestmark = [MISSED_QUERIES, pytest.mark.slow]

pt = pytest.importorskip("pyterrier")

from tests.integrations.test_pyterrier import (  # noqa: E402 - it needs PyTerrier
    CAMPAIGN,
    QRELS,
    RESULTS,
    STOCK,
    TOPICS,
    Search,
)

NAMES = list(RESULTS)
OF_BM25 = "NRG(prior=run1)@10"
COMPARED = ("+", "-", "p-value", "p-value corrected")


def searched(measures, **options):
    return Experiment(RESULTS, TOPICS, QRELS, measures, **options)


def per_query(measure, name):
    scores = evaluate(CAMPAIGN.runs, CAMPAIGN.qrels, measure)
    return scores.scores[0, scores.systems.index(name)]


# A system without a score of the measure


@pytest.mark.parametrize("baseline", ["run1", [1, "run1"]])
def test_comparisons_with_a_baseline_without_a_score_are_nan(baseline):
    with pytest.warns(EvaluationWarning, match="its own only prior") as warned:
        table = searched([OF_BM25, "map"], baseline=baseline, correction="holm")
    lines = [str(warning.message) for warning in warned if "misses" not in str(warning.message)]
    assert lines == [f"{OF_BM25} of run 'run1': it is its own only prior, so it has no score"]
    suffix = " (run1)" if isinstance(baseline, list) else ""
    for what in COMPARED:
        assert table[f"{OF_BM25} {what}{suffix}"].isna().all()
        assert table[f"map {what}{suffix}"].notna().tolist() == [True, False, True, True]
    assert not table[f"{OF_BM25} reject{suffix}"].any()
    assert table[OF_BM25].notna().tolist() == [True, False, True, True]


@OWN_PRIOR
def test_scores_by_query_are_undefined_too_and_a_copy_of_the_system_has_some():
    twice = {**RESULTS, "copy": RESULTS["run1"]}
    rows = Experiment(twice, TOPICS, QRELS, [OF_BM25], perquery=True)
    assert rows["value"].isna().tolist() == (rows["name"] == "run1").tolist()


@OWN_PRIOR
@pytest.mark.parametrize("baseline", [0, [0]])
@pytest.mark.parametrize("correction", ["holm", "fdr_bh"])
def test_a_system_without_a_score_is_not_compared_and_not_counted(baseline, correction):
    table = searched([OF_BM25], baseline=baseline, correction=correction)
    suffix = " (run0)" if isinstance(baseline, list) else ""
    p = table[f"{OF_BM25} p-value{suffix}"]
    base = per_query(OF_BM25, "run0")
    expected = [ttest_rel(per_query(OF_BM25, name), base)[1] for name in ("run2", "run3")]
    np.testing.assert_allclose(p, [np.nan, np.nan, *expected], rtol=1e-9)
    corrected = multipletests(expected, method=correction)[1]
    got = table[f"{OF_BM25} p-value corrected{suffix}"]
    np.testing.assert_allclose(got, [np.nan, np.nan, *corrected], rtol=1e-9)
    for what in ("+", "-"):
        assert table[f"{OF_BM25} {what}{suffix}"].notna().tolist() == [False, False, True, True]


@OWN_PRIOR
@pytest.mark.parametrize("first", ["map", "nDCG@10", OF_BM25])
def test_of_several_baselines_each_is_compared_by_its_own_measure(first):
    measures = list(dict.fromkeys([first, "nDCG@10", OF_BM25, "NRG(prior=run2)@10", "map"]))
    baselines = ["run1", "run2", "run3"]
    table = searched(measures, baseline=baselines).set_index("name")
    for measure in measures:
        scores = {name: per_query(measure, name) for name in NAMES}
        for baseline in baselines:
            base = scores[baseline]
            got = table[[f"{measure} {what} ({baseline})" for what in ("+", "-", "p-value")]]
            undefined = np.isnan(base).any()
            assert undefined == (measure == f"NRG(prior={baseline})@10")
            assert got.loc[baseline].isna().all()
            for name in set(NAMES) - {baseline}:
                of_system = scores[name]
                if undefined or np.isnan(of_system).any():
                    assert got.loc[name].isna().all()
                else:
                    p = ttest_rel(of_system, base)[1]
                    expected = [(of_system > base).sum(), (of_system < base).sum(), p]
                    np.testing.assert_allclose(got.loc[name].astype(float), expected, rtol=1e-9)


@OWN_PRIOR
def test_stock_experiments_are_told_that_such_p_values_mean_nothing():
    results = [RESULTS["run0"], RESULTS["run1"]]
    told = "so p-values that compare it with other runs mean nothing$"
    with scope(CAMPAIGN.runs), pytest.warns(EvaluationWarning, match=told):
        pt.Experiment(results, TOPICS, QRELS, [OF_BM25], baseline=1)


# Several baselines


@pytest.mark.parametrize("measures", [["map"], ["map", "NRG(prior=others)@10"]])
@pytest.mark.parametrize("baseline", [1, "run1", ["run1"]])
def test_a_test_that_pyterrier_lacks_is_that_of_compare(measures, baseline):
    table = searched(measures, baseline=baseline, test="moderated-t", correction="holm")
    matrix = irx_measures.evaluate(CAMPAIGN.runs, CAMPAIGN.qrels, ["AP"])
    expected = matrix.compare(test="moderated-t", baseline="run1").to_frame().set_index("system")
    for column, name in (("p-value", "p"), ("p-value corrected", "p_adjusted")):
        got = table.set_index("name")[f"map {column} (run1)"].drop("run1")
        np.testing.assert_allclose(got, expected[name][got.index])


@pytest.mark.parametrize(
    ("correction", "of_compare"),
    [("holm", "holm"), ("h", "holm"), ("bonferroni", "bonferroni"), ("b", "bonferroni"),
     ("bh", "bh"), ("fdr_bh", "bh"), ("none", "none")],
)  # fmt: skip
@OWN_PRIOR
def test_corrections_are_those_of_compare(correction, of_compare):
    ours = [OF_BM25] if correction in ("h", "fdr_bh") else []
    how = {"correction": correction, "correction_alpha": 0.3}
    table = searched(["map", *ours], baseline=["run3", "run1"], **how).set_index("name")
    expected = evaluate(CAMPAIGN.runs, CAMPAIGN.qrels, "AP").compare(
        baseline=["run3", "run1"], correction=of_compare, level=0.7
    )
    rows = expected.to_frame()
    assert len(rows) == 6
    for row in rows.itertuples():
        shown = table.loc[row.system]
        got = [shown[f"map {what} ({row.baseline})"] for what in COMPARED]
        np.testing.assert_allclose(got, [row.wins, row.losses, row.p, row.p_adjusted], rtol=1e-9)
        assert shown[f"map reject ({row.baseline})"] == (row.p_adjusted <= 0.3)
    assert rows["p_adjusted"].le(0.3).any() == (correction == "none")
    shown = [f"map {what} (run3)" for what in ("+", "-", "p-value", "reject", "p-value corrected")]
    assert table.columns.tolist()[1 + len(ours) :][:5] == shown


def test_transformers_lists_and_repeated_names_may_have_several_baselines():
    systems = [Search(results, "same") for results in RESULTS.values()]
    given = {"baseline": (0, 3, 0), "round": 2}
    table = Experiment(systems, TOPICS, QRELS, ["map", "mrt"], None, **given)
    assert [len(system.asked) for system in systems] == [1, 1, 1, 1]
    assert "map p-value (1: same)" in table.columns
    named = Experiment(systems, TOPICS, QRELS, ["map", "mrt"], NAMES, **given)
    assert [column[-6:] for column in named.columns[3:]] == ["(run0)"] * 3 + ["(run3)"] * 3
    assert named["map"].tolist() == [round(value, 2) for value in searched(["map"])["map"]]


# In the place of PyTerrier's own


@pytest.mark.parametrize("metrics", [STOCK, ["NRG(prior=others)@10", "map", "mrt"]])
@pytest.mark.parametrize("arguments", [{}, {"baseline": 0}, {"baseline": [0, 1]}], ids=str)
def test_it_can_replace_pyterriers_experiment(monkeypatch, metrics, arguments):
    expected = searched(metrics, **arguments)
    monkeypatch.setattr(pt, "Experiment", irx_measures.Experiment)
    table = pt.Experiment(RESULTS, TOPICS, QRELS, metrics, **arguments)
    kept = [column for column in expected.columns if column != "mrt"]
    assert_frame_equal(table[kept], expected[kept])
