"""The RBR paper's experiments: its examples, permutations, and small data."""

import numpy as np
import pytest
from scipy.stats import kendalltau

from irx_measures.reproductions import load_data, rank_biased, reproduce
from irx_measures.reproductions.paper import in_shape
from tests.doubts import ANY_DOUBT

pytestmark = ANY_DOUBT


def run_of(docs):
    return {"q": {doc: -float(rank) for rank, doc in enumerate(docs)}}


def test_the_rankings_of_figure_5_fit_the_text():
    observed, reference = (of.split() for of in rank_biased.DECLARED.said["Figure 5"].values())
    union = {*observed, *reference}
    assert (len(observed), len(reference), len(union)) == (9, 9, 11)
    means = []
    for one, other in ((observed, reference), (reference, observed)):
        missing = [doc for doc in one if doc not in other]
        # The other ranking would have them, at best, after its last document.
        means += [(one.index(doc) + 1 + len(other) + n) / 2 for n, doc in enumerate(missing, 1)]
    assert sorted(means) == [7.0, 7.5, 9.0, 9.5]


def test_tau_of_permutations_is_that_of_scipy():
    few = rank_biased.permute(repeats=3, seed=5)
    identity = np.arange(25)
    expected = [kendalltau(order, identity).statistic for order in few]
    np.testing.assert_allclose(rank_biased.score_permutations(few)["tau"], expected, atol=1e-12)
    assert (np.sort(few, axis=1) == identity).all()


def small_observations(missing):
    """The set of a first stage that lacks documents of the second stage's top 10."""
    docs = [f"d{number:02}" for number in range(30)]
    others = [doc for place, doc in enumerate(docs, 1) if place not in missing]
    runs = {"best": run_of(docs), "other": run_of(others)}
    return rank_biased.observe(load_data({"q": {doc: 30 - n for n, doc in enumerate(docs)}}, runs))


def test_a_set_without_two_documents():
    found = small_observations(missing=(1, 2))
    assert found.second_stage == "best"
    assert found.sets["recall"].tolist() == [0.8]
    assert found.sets["base"][0] == pytest.approx(0.8**2 - 0.8**10)
    assert found.sets["full"][0] == pytest.approx(0.8**2 - 0.8**22)
    assert found.sets["upper"][0] == pytest.approx(found.sets["base"][0] + 0.8**10 - 0.8**22)
    last = small_observations(missing=(9, 10))
    assert last.sets["full"][0] == pytest.approx(rank_biased.best_attainable(0.8))
    shape = in_shape(rank_biased.figure_3(last))
    assert shape.loc["recall 0.8", "residual"] == pytest.approx(
        last.sets["upper"][0] - last.sets["base"][0]
    )
    assert last.sets["full"][0] > found.sets["full"][0]


@pytest.mark.slow
@pytest.mark.parametrize("systems", [1, pytest.param(2, marks=pytest.mark.whole)])
def test_few_systems_and_short_rankings_leave_figure_3_out_or_empty(systems):
    runs = dict(list({"a": run_of("AB"), "b": run_of("BA")}.items())[:systems])
    found = reproduce("rank-biased", load_data({"q": {"A": 1}}, runs))
    assert not any(label.startswith("Figure 3") for label in {**found.tables, **found.figures})
    told = dict(zip(found.claims["claim"], found.claims["verdict"], strict=True))
    assert told[rank_biased.DECLARED.claims["Figure 3"]["equal recall"][0]] == "cannot be told"
