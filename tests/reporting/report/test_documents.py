"""What the report says of documents equals plain loops, and NRG equals `evaluate`."""

import numpy as np
import pytest

import irx_measures
from irx_measures.io.trec import read_qrels
from irx_measures.reporting.report.documents import NOTHING, documents_of
from tests.doubts import NO_PRIOR
from tests.reporting.report.pages import campaign

DEPTH = 5

pytestmark = NO_PRIOR


@pytest.fixture(scope="module")
def made():
    runs, qrels = campaign()
    first = next(iter(qrels))
    runs["lexical-a"][first] = {"tied1": 9.0, "tied2": 9.0, "only": 8.0}  # short, tied, unjudged
    matrix = irx_measures.evaluate(runs, qrels, "nDCG@10")
    runset = irx_measures.RunSet(runs, "others")
    return runs, qrels, documents_of(matrix, matrix.systems, runset, read_qrels(qrels), DEPTH)


def ranking(documents, depth):
    """trec_eval's order."""
    ordered = sorted(documents, key=lambda name: (np.float32(documents[name]), name), reverse=True)
    return ordered[:depth]


def test_rankings_and_grades(made):
    runs, qrels, found = made
    for system, run in enumerate(runs.values()):
        for topic, query in enumerate(qrels):
            expected = ranking(run[query], DEPTH)
            places = found.top[system, topic].tolist()
            pool = list(found.pools[topic].items())
            assert [pool[place] for place in places if place != NOTHING] == [
                (name, qrels[query].get(name)) for name in expected
            ]


def test_the_counts_are_those_of_meta_for_the_topics_of_the_scores(made):
    runs, qrels, found = made
    fewer = dict(list(qrels.items())[:4])
    matrix = irx_measures.evaluate(runs, fewer, "nDCG@10")
    runset = irx_measures.RunSet(runs, "others")
    some = documents_of(matrix, matrix.systems, runset, read_qrels(qrels), DEPTH)
    expected = irx_measures.meta.unjudged_by_rank(runs, fewer)
    assert some.unjudged == expected
    assert found.unjudged == irx_measures.meta.unjudged_by_rank(runs, qrels)
    every = irx_measures.meta.residual_gain_matrix(runs, qrels, f"NRG(prior=others)@{DEPTH}")
    assert found.adds.systems == every.systems
    np.testing.assert_allclose(found.adds.given, every.given, rtol=1e-12)
    np.testing.assert_allclose(found.adds.given_all, every.given_all, rtol=1e-12)


def test_rankings_are_those_of_the_shown_systems_and_counts_those_of_all(made):
    runs, qrels, found = made
    matrix = irx_measures.evaluate(runs, qrels, "nDCG@10")
    shown, runset = matrix.systems[2:4], irx_measures.RunSet(runs, "others")
    some = documents_of(matrix, shown, runset, read_qrels(qrels), DEPTH)
    for topic, (pool, own) in enumerate(
        zip(map(list, found.pools), map(list, some.pools), strict=True)
    ):
        every = [[pool[place] for place in row] for row in found.top[2:4, topic].tolist()]
        assert [[own[place] for place in row] for row in some.top[:, topic]] == every
        assert set(own) == set().union(*every)
    assert (some.unjudged, some.adds, some.digests) == (found.unjudged, found.adds, found.digests)


def test_a_system_without_a_run_is_named(made, tmp_path):
    runs, qrels, _ = made
    result = irx_measures.compare(runs, qrels, "nDCG@10")
    fewer = {name: run for name, run in runs.items() if name != "lexical-a"}
    with pytest.raises(irx_measures.InputError, match=r"missing \['lexical-a'\]"):
        irx_measures.report(result, tmp_path / "r.html", runs=fewer, qrels=qrels)
    first, *_ = qrels
    fewer = {query: row for query, row in qrels.items() if query != first}
    with pytest.raises(irx_measures.InputError, match=rf"every topic .* missing \['{first}'\]"):
        irx_measures.report(result, tmp_path / "r.html", runs=runs, qrels=fewer)
