"""prior='learned': the oracle, the same worlds at every door, doubts and errors."""

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose

import irx_measures
from irx_measures import (
    Boot,
    BootNDCG,
    InputError,
    RunSet,
    bootstrap_ndcg,
    evaluate,
    parse_measure,
    register_runs,
)
from irx_measures.exceptions import OnlyRelevantError
from irx_measures.measures.learned import Learned
from irx_measures.unjudged.model import JudgmentModel
from tests.campaigns import campaigns, pyterrier_frames, random_campaign
from tests.doubts import ALL_RELEVANT, DEEPER_THAN_POOL, MISSED_QUERIES, NEW_SYSTEMS
from tests.doubts.test_doubts import messages
from tests.examples import examples
from tests.oracles import worlds as oracle
from tests.oracles.ranking import ranking

pytestmark = [ALL_RELEVANT, MISSED_QUERIES, NEW_SYSTEMS, DEEPER_THAN_POOL]

BASES = ["nDCG", "AP", "P", "RBP"]

CAMPAIGN = random_campaign(6, ties=False)


def learned(base="nDCG", stat="mean", b=50, cutoff=10, **params):
    return Boot(base=base, prior="learned", stat=stat, b=b, **params) @ cutoff


def oracle_scores(qrels, runs, base, cutoff, b, **params):
    """Scores of every system and query in every world: (systems, queries, worlds)."""
    table = JudgmentModel.fit(qrels, runs).grade_probabilities(qrels, runs, cutoff)
    grades = sorted({0, *(max(g, 0) for of in qrels.values() for g in of.values())})
    worlds = oracle.worlds(table, grades, b, 42)
    return np.array(
        [
            np.transpose(
                [
                    list(oracle.scores(qrels, runs, name, world, base, cutoff, **params).values())
                    for world in worlds
                ]
            )
            for name in runs
        ]
    )


@pytest.mark.parametrize("base", BASES)
@settings(max_examples=examples(8))
@given(
    campaign=campaigns(),
    cutoff=st.integers(1, 8),
    dcg=st.sampled_from(["log2", "exp-log2"]),
    rel=st.integers(1, 2),
)
def test_scores_in_worlds_equal_the_oracle(base, campaign, cutoff, dcg, rel):
    params = {"dcg": dcg, "rel": rel, "phi": 0.7}
    measures = [learned(base, stat, 9, cutoff, **params) for stat in ("mean", "q25", "std")]
    try:
        got = evaluate(campaign.qrels, campaign.runs, measures).scores
    except InputError as error:
        assume(not isinstance(error, OnlyRelevantError))
        assume("needs judged documents" not in str(error))
        raise
    expected = oracle_scores(campaign.qrels, campaign.runs, base, cutoff, 9, **params)
    assert_allclose(got[0], expected.mean(axis=2), rtol=1e-12, atol=1e-15)
    assert_allclose(got[1], np.quantile(expected, 0.25, axis=2), rtol=1e-12, atol=1e-15)
    assert_allclose(got[2], expected.std(axis=2), rtol=1e-9, atol=1e-9)


def test_worlds_are_drawn_once_for_all_runs_and_statistics(monkeypatch):
    fits, draws = [], []
    fit, draw = Learned._fit, Learned._draw
    monkeypatch.setattr(Learned, "_fit", lambda *of: fits.append(of) or fit(*of))
    monkeypatch.setattr(Learned, "_draw", lambda *of: draws.append(of) or draw(*of))
    measures = [learned(stat=stat) for stat in ("mean", "q05")] + [learned("AP"), learned("P")]
    evaluate(CAMPAIGN.qrels, CAMPAIGN.runs, measures)
    assert len(fits) == len(draws) == 1


def test_a_set_of_runs_is_freed_with_its_worlds():
    import gc
    import weakref

    runset = RunSet(CAMPAIGN.runs)
    evaluate(CAMPAIGN.qrels, runset, learned())
    alive = weakref.ref(runset)
    del runset
    gc.collect()
    assert alive() is None


# Doors


def test_scores_of_named_runs_are_the_same_at_every_door():
    pt = pytest.importorskip("pyterrier")
    register_runs("known", CAMPAIGN.runs)
    measure = "BootNDCG(prior=learned,b=200,stat=mean,runs=known)@10"
    learned_of, naive = evaluate(CAMPAIGN.qrels, CAMPAIGN.runs, [measure, "nDCG@10"]).aggregates
    assert (np.abs(learned_of - naive) > 0.001).all()
    calc = parse_measure(measure).calc_aggregate
    found = [calc(CAMPAIGN.qrels, run) for run in CAMPAIGN.runs.values()]
    assert_allclose(found, learned_of, rtol=1e-12)
    frames = pyterrier_frames(CAMPAIGN.runs.values(), CAMPAIGN.qrels)
    for experiment in (pt.Experiment, irx_measures.Experiment):
        found = experiment(*frames, [measure], names=list(CAMPAIGN.runs)).iloc[:, 1]
        assert_allclose(found, learned_of, rtol=1e-12)


def test_a_run_alone_is_scored_as_a_comparison_of_one():
    run = CAMPAIGN.runs["run0"]
    measure = learned()
    (alone,) = evaluate(CAMPAIGN.qrels, {"mine": run}, measure).means().iloc[:, 0]
    assert measure.calc_aggregate(CAMPAIGN.qrels, run) == pytest.approx(alone, rel=1e-12)
    samples = bootstrap_ndcg(CAMPAIGN.qrels, run, 10, prior="learned", b=50)
    assert np.mean(list(samples.values())) == pytest.approx(alone, rel=1e-12)
    assert all(len(values) == 50 for values in samples.values())


def test_a_run_outside_of_the_set_joins_it():
    runs = dict(CAMPAIGN.runs)
    new = runs.pop("run1")
    register_runs("known", runs)
    measure = learned(runs="known")
    alone = measure.calc_aggregate(CAMPAIGN.qrels, new)
    beside = evaluate(CAMPAIGN.qrels, {"new": new}, measure).means().iloc[0, 0]
    assert alone == pytest.approx(beside, rel=1e-12)
    assert alone != pytest.approx(learned().calc_aggregate(CAMPAIGN.qrels, new), abs=1e-4)
    with pytest.raises(
        InputError, match=r"`runs`: .* both have a run 'run0', of different content"
    ):
        evaluate(CAMPAIGN.qrels, {"run0": new}, measure)


# Doubts and errors


def test_labels_of_a_machine_are_a_file_that_must_exist(tmp_path):
    text = f"BootNDCG(prior=learned,machine='{tmp_path}/none.txt')@10"
    with pytest.raises(FileNotFoundError):
        evaluate(CAMPAIGN.qrels, CAMPAIGN.runs, text)
    with pytest.raises(InputError, match="`machine` must be None, since files are not allowed"):
        parse_measure(text, allow_files=False)
    parse_measure("BootNDCG(prior=learned)@10", allow_files=False)


def test_without_a_judged_document_it_is_refused():
    with pytest.raises(InputError, match=r"BootNDCG: prior='learned': .*needs judged documents"):
        evaluate({"q": {"A": 1, "B": 0}}, {"a": {"q": {"X": 1.0}}}, BootNDCG(prior="learned") @ 10)


def test_worlds_that_take_too_much_memory_are_refused():
    with pytest.raises(InputError, match=r"BootNDCG.* would take about .* of memory"):
        evaluate(CAMPAIGN.qrels, CAMPAIGN.runs, BootNDCG(prior="learned") @ 10, limits=10_000)


def pooled_campaign(depth):
    """A campaign in which all documents of the top `depth` are judged."""
    campaign = irx_measures.simulate_campaign(systems=6, queries=10, depth=60, seed=2)
    pool = {
        query: {doc for run in campaign.runs.values() for doc in ranking(run.get(query, {}), depth)}
        for query in campaign.qrels
    }
    return campaign.runs, {
        query: {doc: grades.get(doc, 0) for doc in sorted(pool[query])}
        for query, grades in campaign.qrels.items()
    }


@pytest.mark.filterwarnings("default")
def test_doubts_are_told_once_where_they_apply():
    runs, qrels = pooled_campaign(10)
    assert messages(lambda: evaluate(qrels, runs, learned(cutoff=10))) == []
    (deeper,) = messages(lambda: evaluate(qrels, runs, learned("AP", cutoff=50)))
    assert "the cutoff 50 is deeper than the pool" in deeper
    few = {query: dict(list(grades.items())[::3]) for query, grades in qrels.items()}
    (new,) = messages(lambda: evaluate(few, runs, learned(cutoff=10)))
    assert "no run took part in the pooling" in new
    assert "too low where the judged documents are a random part, too high where only the b" in new
    assert messages(lambda: evaluate(few, dict([*runs.items()][:1]), learned(cutoff=10))) == []
