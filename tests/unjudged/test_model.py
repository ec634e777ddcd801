"""JudgmentModel: features and examples against an oracle, and the choice of the prior."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal
from scipy.optimize import minimize
from scipy.special import expit

import irx_measures
from irx_measures.exceptions import EvaluationWarning
from irx_measures.unjudged.examples import examples_of
from irx_measures.unjudged.model import JudgmentModel, fitted, pool, prior_for
from irx_measures.unjudged.thresholds import Thresholds
from tests.campaigns import campaigns, random_campaign
from tests.oracles import unjudged as oracle


def thresholds_for(prior, examples):
    return fitted(examples, prior).thresholds


def key(pooled, entry):
    return (
        pooled.names[pooled.run[entry]],
        pooled.query_ids[pooled.query[entry]],
        pooled.doc_ids[pooled.doc[entry]],
    )


@pytest.fixture(scope="module")
def simulated():
    """Twelve groups of three systems; the last four groups were not pooled."""
    return irx_measures.simulate_campaign(systems=36, queries=12, depth=60, seed=3)


@pytest.fixture(scope="module")
def examples(simulated):
    return examples_of(pool(simulated.qrels, simulated.runs, simulated.groups), 10)


@given(campaign=campaigns(), depth=st.integers(1, 4))
def test_examples_and_their_features_equal_the_oracle(campaign, depth):
    pooled = pool(campaign.qrels, campaign.runs, campaign.groups)
    examples = examples_of(pooled, depth)
    expected = {
        key: values
        for key, *values in oracle.examples(campaign.runs, campaign.groups, campaign.qrels, depth)
    }
    assert {key(pooled, entry) for entry in examples.entry} == set(expected)
    assert len(examples.entry) == len(expected)
    for row, entry in enumerate(examples.entry):
        features, transferred, level = expected[key(pooled, entry)]
        assert_allclose(examples.features[row], features, rtol=1e-9, atol=1e-12)
        assert_allclose(examples.transferred[row], transferred, rtol=1e-9, atol=1e-12)
        assert examples.level[row] == level


@given(campaign=campaigns(), cutoff=st.integers(1, 6))
def test_the_transferred_prior_equals_its_formula(campaign, cutoff):
    pooled = pool(campaign.qrels, campaign.runs)
    model = JudgmentModel("transferred", 4, 0, 0, tuple(pooled.grades.tolist()))
    grades = pooled.grades.tolist()
    world = oracle.World(campaign.runs, campaign.qrels, grades, 4)
    if not any(world.all_own(name) for name in campaign.names):
        with pytest.raises(ValueError, match="needs judged documents in the top 4"):
            model.probabilities(pooled, pooled.unjudged_entries(cutoff))
        return
    entries = pooled.unjudged_entries(cutoff)
    probability = model.probabilities(pooled, entries)
    unjudged = [
        (name, query, doc)
        for name in campaign.names
        for query, judged in campaign.qrels.items()
        for doc in world.ranking(name, query)[:cutoff]
        if doc not in judged
    ]
    assert sorted(unjudged) == sorted(key(pooled, entry) for entry in entries)
    for entry, row in zip(entries, probability, strict=True):
        assert_allclose(row, world.transferred(*key(pooled, entry)), rtol=1e-9, atol=1e-12)


def test_an_example_does_not_see_its_own_judgment(simulated):
    pooled = pool(simulated.qrels, simulated.runs, simulated.groups)
    before = examples_of(pooled, 10)
    chosen = 7
    query, doc = key(pooled, before.entry[chosen])[1:]
    changed = {name: dict(judged) for name, judged in simulated.qrels.items()}
    changed[query][doc] = 0 if changed[query][doc] else 3
    pooled = pool(changed, simulated.runs, simulated.groups)
    after = examples_of(pooled, 10)
    assert_array_equal(before.entry, after.entry)
    assert before.level[chosen] != after.level[chosen]
    assert_array_equal(before.features[chosen], after.features[chosen])
    assert_array_equal(before.transferred[chosen], after.transferred[chosen])
    assert (before.features != after.features).any()


def test_the_shrunk_prior_is_the_penalised_optimum(examples):
    fitted = thresholds_for("shrunk", examples)
    clipped = np.clip(examples.features, *np.quantile(examples.features, [0.01, 0.99], axis=0))
    spread = clipped.std(axis=0)
    standard = (clipped - clipped.mean(axis=0)) / np.where(spread > 0, spread, 1)
    design = np.column_stack([np.ones(len(standard)), standard])
    for threshold in (1, 2, 3):
        prior = examples.transferred[:, threshold:].sum(axis=1).clip(1e-4, 1 - 1e-4)
        offset, reached = np.log(prior / (1 - prior)), examples.level >= threshold

        def loss(beta, offset=offset, reached=reached):
            logit = offset + design @ beta
            return np.logaddexp(0, np.where(reached, -logit, logit)).sum() + 15 * beta @ beta

        best = minimize(loss, np.zeros(design.shape[1]), tol=1e-10).x
        assert_allclose(fitted.coefficients[threshold - 1], best, atol=1e-5)


@pytest.mark.parametrize("shrunk", [True, False])
def test_probabilities_follow_the_data(shrunk):
    rng = np.random.default_rng(5)
    features = rng.normal(size=(20_000, 2))
    reached = expit(np.array([[-1.0], [-2.5]]) + 1.5 * features[:, 0])
    level = (rng.random(len(features)) < reached).sum(axis=0)
    transferred = np.tile([0.5, 0.3, 0.2], (len(level), 1))
    fitted = Thresholds.fit(features, transferred, level, shrunk)
    at = np.array([[-1.0, 0.3], [0.0, 0.0], [1.0, -2.0], [900.0, 0.0]])
    probability = fitted.probabilities(at, transferred[:4])
    clipped = np.clip(at[:, 0], fitted.low[0], fitted.high[0])
    one, two = expit(-1 + 1.5 * clipped), expit(-2.5 + 1.5 * clipped)
    expected = np.column_stack([1 - one, one - two, two])
    assert_allclose(probability, expected, atol=0.04)
    assert_allclose(probability.sum(axis=1), 1)
    assert (probability >= 0).all()


def test_a_level_without_examples_is_improbable():
    features = np.random.default_rng(1).normal(size=(200, 3))
    level = np.arange(200) % 2
    transferred = np.tile([0.5, 0.3, 0.2], (200, 1))
    local = Thresholds.fit(features, transferred, level, shrunk=False)
    probability = local.probabilities(features, transferred)
    assert_allclose(probability[:, 2], 0.5 / 201)


def test_the_local_prior_is_scikit_learns(examples):
    linear_model = pytest.importorskip("sklearn.linear_model")
    fitted = thresholds_for("local", examples)
    clipped = np.clip(examples.features, *np.quantile(examples.features, [0.01, 0.99], axis=0))
    standard = (clipped - clipped.mean(axis=0)) / clipped.std(axis=0)
    peer = linear_model.LogisticRegression(
        C=0.3, solver="newton-cholesky", tol=1e-12, max_iter=1000
    ).fit(standard, examples.level >= 1)
    expected = np.append(peer.intercept_, peer.coef_)
    assert_allclose(fitted.coefficients[0], expected, rtol=0, atol=1e-8)


@pytest.mark.parametrize(
    ("groups", "number", "prior"),
    [
        (7, 5000, "transferred"),
        (8, 40, "shrunk"),
        (15, 5000, "shrunk"),
        (16, 999, "shrunk"),
        (16, 1000, "local"),
    ],
)
def test_the_prior_depends_on_the_groups_and_examples(groups, number, prior, examples):
    repeated = examples.where(np.resize(np.arange(len(examples.level)), number))
    assert prior_for(repeated._replace(group=np.arange(number) % groups)) == prior


def test_a_model_learns_what_unjudged_documents_of_unpooled_groups_are_like(simulated):
    model = JudgmentModel.fit(simulated.qrels, simulated.runs, groups=simulated.groups)
    assert (model.prior, model.groups) == ("shrunk", 8)
    table = model.grade_probabilities(simulated.qrels, simulated.runs, cutoff=10)
    pooled = {name for name in simulated.runs if simulated.groups[name] in simulated.pooled}
    assert set(table["system"]).isdisjoint(pooled)
    columns = ["P(0)", "P(1)", "P(2)", "P(3)"]
    assert list(table) == ["system", "query_id", "doc_id", "rank", *columns]
    assert_allclose(table[columns].sum(axis=1), 1)
    # The simulation draws 3.5% relevant documents; pools have a much greater share.
    assert 0 < (1 - table["P(0)"]).mean() < 0.3


def test_runs_that_were_never_pooled_give_no_examples(simulated):
    runs, groups = simulated.runs, simulated.groups
    new = {f"new{number}": {} for number in range(9)}
    for name, run in new.items():
        run |= {
            query: {f"{name}-{rank}": -float(rank) for rank in range(10)}
            for query in runs["lexical-a"]
        }
    alone = JudgmentModel.fit(simulated.qrels, runs, groups=groups)
    joined = {**groups, **{name: name for name in new}}
    together = JudgmentModel.fit(simulated.qrels, {**runs, **new}, groups=joined)
    assert (together.documents, together.groups) == (alone.documents, alone.groups)
    assert together.prior == alone.prior
    assert alone.groups == 8  # the last four groups of the campaign have none either


def test_a_machine_that_is_right_decides(simulated):
    model = JudgmentModel.fit(
        simulated.qrels, simulated.runs, groups=simulated.groups, machine=simulated.qrels
    )
    pooled = pool(simulated.qrels, simulated.runs)
    entries = pooled.unjudged_entries(10)

    def probable_relevance(label):
        labels = {query: dict(judged) for query, judged in simulated.qrels.items()}
        for entry in entries:
            _, query, doc = key(pooled, entry)
            labels[query][doc] = label
        return 1 - model.probabilities(pooled, entries, labels)[:, 0]

    assert (probable_relevance(2) > 5 * probable_relevance(0)).all()
    with pytest.raises(ValueError, match=r"`machine` must have the labels .*; got \[\]"):
        model.probabilities(pooled, entries)
    with pytest.raises(ValueError, match=r"`machine` must have .*; got \[0, 1, 2, 3, 9\]"):
        probable_relevance(9)


def test_too_few_groups_cannot_use_a_machine():
    campaign = random_campaign(1, ties=False)
    with pytest.warns(EvaluationWarning, match="labels of the machine are not used"):
        model = JudgmentModel.fit(campaign.qrels, campaign.runs, machine=campaign.qrels)
    assert model.prior == "transferred"
    assert model.labels == ()


def test_a_model_of_other_grades_is_refused(simulated):
    model = JudgmentModel.fit(simulated.qrels, simulated.runs, groups=simulated.groups)
    binary = {
        query: {doc: min(grade, 1) for doc, grade in judged.items()}
        for query, judged in simulated.qrels.items()
    }
    with pytest.raises(ValueError, match=r"grades \[0, 1, 2, 3\].*grade 2 is missing"):
        model.grade_probabilities(binary, simulated.runs, 10)


def test_a_run_of_which_little_is_judged_is_outside(simulated):
    model = JudgmentModel.fit(simulated.qrels, simulated.runs, groups=simulated.groups)
    other = {query: {f"new{n}": -float(n) for n in range(10)} for query in simulated.qrels}
    pooled = pool(simulated.qrels, {"other": other, "lexical-a": simulated.runs["lexical-a"]})
    assert model.outside(pooled) == ("other",)


@pytest.mark.parametrize("depth", [0, 101])
def test_depth_is_checked(depth, simulated):
    with pytest.raises(ValueError, match="`depth` must be"):
        JudgmentModel.fit(simulated.qrels, simulated.runs, depth=depth)
