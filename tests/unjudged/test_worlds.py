"""Worlds: complete grades, one per document, whatever the order."""

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from numpy.testing import assert_array_equal

from irx_measures import InputError
from irx_measures.io.trec import read_qrels
from irx_measures.judgments.judgments import Judgments
from irx_measures.runsets.runset import RunSet
from irx_measures.unjudged.examples import examples_of
from irx_measures.unjudged.model import JudgmentModel, fitted
from irx_measures.unjudged.pooled_runs import PooledRuns
from irx_measures.unjudged.tilt import Tilt
from irx_measures.unjudged.worlds import Worlds
from tests.campaigns import campaigns, random_campaign
from tests.examples import examples
from tests.oracles import worlds as oracle
from tests.oracles.ranking import ranking

COUNT = 12


def drawn(qrels, runs, cutoff, tilt=None, count=COUNT, seed=7):
    """The grades of unjudged documents in every world: {(query, document): grades}."""
    return grades_of(worlds_of(qrels, runs, cutoff, tilt, count, seed))


def grades_of(worlds):
    documents = [worlds.pooled.documents[doc] for doc in worlds.doc.tolist()]
    return dict(zip(documents, worlds.pooled.grades[worlds.level].tolist(), strict=True))


def worlds_of(qrels, runs, cutoff, tilt=None, count=COUNT, seed=7):
    pooled = PooledRuns.of(RunSet(runs), Judgments(read_qrels(qrels)))
    entries = pooled.unjudged_entries(cutoff)
    try:
        probability = fitted(examples_of(pooled, 10)).probabilities(pooled, entries)
    except InputError:
        assume(False)  # no judged document
    return Worlds.of(pooled, entries, probability, cutoff, count, seed, tilt)


@settings(max_examples=examples(10))
@given(campaign=campaigns(), cutoff=st.integers(1, 8))
def test_worlds_equal_the_oracle(campaign, cutoff):
    got = drawn(campaign.qrels, campaign.runs, cutoff)
    model = JudgmentModel.fit(campaign.qrels, campaign.runs)
    table = model.grade_probabilities(campaign.qrels, campaign.runs, cutoff)
    grades = sorted({0, *(max(g, 0) for of in campaign.qrels.values() for g in of.values())})
    expected = oracle.worlds(table, grades, COUNT, 7)
    for key, values in got.items():
        assert values == [world[key] for world in expected]
    assert set(got) == {
        (query, doc)
        for query, judged in campaign.qrels.items()
        for run in campaign.runs.values()
        for doc in ranking(run.get(query, {}), cutoff)
        if doc not in judged
    }


@pytest.mark.parametrize("tilt", [None, Tilt(1.0, 3)])
@given(seed=st.integers(0, 50))
@settings(max_examples=examples(5))
def test_the_order_of_runs_and_queries_does_not_matter(tilt, seed):
    campaign = random_campaign(6, ties=True)
    rng = np.random.default_rng(seed)

    def shuffled(content):
        return {key: content[key] for key in rng.permutation(list(content)).tolist()}

    expected = drawn(campaign.qrels, campaign.runs, 10, tilt)
    runs = {name: shuffled(run) for name, run in shuffled(campaign.runs).items()}
    assert drawn(shuffled(campaign.qrels), runs, 10, tilt) == expected


@pytest.mark.parametrize("tilt", [None, Tilt(1.0, 3)])
def test_small_blocks_change_nothing(tilt, monkeypatch):
    campaign = random_campaign(6, ties=False)
    expected = drawn(campaign.qrels, campaign.runs, 12, tilt)
    monkeypatch.setattr("irx_measures.common.numeric.BLOCK_ELEMENTS", 1)
    assert drawn(campaign.qrels, campaign.runs, 12, tilt) == expected


def test_more_worlds_start_with_the_same_ones_and_seeds_differ():
    campaign = random_campaign(6, ties=False)
    few, more, other = (
        drawn(campaign.qrels, campaign.runs, 12, count=count, seed=seed)
        for count, seed in ((5, 7), (9, 7), (5, 8))
    )
    assert {key: values[:5] for key, values in more.items()} == few != other


def test_ideal_counts_are_those_of_judged_own_and_shared_documents():
    campaign = random_campaign(6, ties=False)
    worlds = worlds_of(campaign.qrels, campaign.runs, 12)
    drawn_grades = grades_of(worlds)
    for position, name in enumerate(worlds.pooled.names):
        start, row = worlds.unjudged_of_run(position)
        for query, query_id in enumerate(worlds.pooled.query_ids):
            own = row[start[query] : start[query + 1]]
            counts = worlds.ideal_counts(np.array([query]), own[np.newaxis])[0]
            known = oracle.in_ideal(campaign.qrels, campaign.runs, name, query_id, 12)
            judged = campaign.qrels[query_id]
            for world in range(COUNT):
                grades = [
                    max(judged[doc], 0) if doc in judged else drawn_grades[query_id, doc][world]
                    for doc in known
                ]
                expected = [grades.count(grade) for grade in worlds.pooled.grades]
                assert_array_equal(counts[world], expected)


def test_runs_of_one_group_share_nothing():
    runs = {name: {"q": {"X": 2.0, "A": 1.0}} for name in "ab"}
    for groups, shared in (({"a": "g", "b": "g"}, False), ({"a": "g", "b": "h"}, True)):
        pooled = PooledRuns.of(RunSet(runs, groups=groups), Judgments(read_qrels({"q": {"A": 1}})))
        entries = pooled.unjudged_entries(10)
        probability = fitted(examples_of(pooled, 10)).probabilities(pooled, entries)
        assert Worlds.of(pooled, entries, probability, 10, 3, 1).shared.tolist() == [shared]


def test_the_public_worlds_are_the_qrels_and_the_grades_of_the_measure():
    campaign = random_campaign(6, ties=False)
    model = JudgmentModel.fit(campaign.qrels, campaign.runs)
    tables = list(model.worlds(campaign.qrels, campaign.runs, 12, count=3, seed=7))
    expected = drawn(campaign.qrels, campaign.runs, 12, count=3)
    judged = {(query, doc): g for query, of in campaign.qrels.items() for doc, g in of.items()}
    assert len(tables) == 3
    for world, table in enumerate(tables):
        got = table.set_index(["query_id", "doc_id"])["relevance"]
        assert not got.index.has_duplicates
        assert got.to_dict() == judged | {key: values[world] for key, values in expected.items()}
    with pytest.raises(InputError, match="`count` must be a whole number of at least 1; got 0"):
        next(model.worlds(campaign.qrels, campaign.runs, 12, count=0))
