"""What a judged run shows besides ranks: scores by rank, its top, and other judgments."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_array_equal

from irx_measures.io.containers import qrels_table, run_table
from irx_measures.judgments.judged_run import JudgedRun
from irx_measures.judgments.judgments import Judgments
from tests.campaigns import qrels, runs
from tests.oracles.ranking import ranking

QRELS = {"q1": {"A": 1, "B": 0}, "q2": {"C": 2}, "q3": {"A": 1}}
RUN = {"q1": {"A": 0.5, "x": 2.0, "B": 0.5}, "q3": {"y": 3.0}, "unjudged": {"A": 9.0}}

depths = st.none() | st.integers(0, 9)


def judged(run, judgments):
    return JudgedRun(Judgments(qrels_table(judgments)), run_table(run))


def test_a_run_that_returns_nothing_has_no_scores():
    assert judged({}, QRELS).scores(None).shape == (3, 0)
    assert judged({}, QRELS).scores(5).shape == (3, 0)


@given(qrels, runs, depths)
def test_scores_and_top_are_those_of_the_ranking(judgments, run, depth):
    found = judged(run, judgments)
    tops = [ranking(run.get(query, {}), depth) for query in judgments]
    assert found.top_documents(depth) == tops
    scores = found.scores(depth)
    assert scores.dtype == np.float32
    assert scores.shape == (len(judgments), max(map(len, tops)))
    for row, (query, top) in enumerate(zip(judgments, tops, strict=True)):
        padding = [0.0] * (scores.shape[1] - len(top))
        assert_array_equal(scores[row], np.float32([*(run[query][doc] for doc in top), *padding]))


def test_the_digest_of_a_top_depends_on_nothing_below_it():
    found, other = (judged({**RUN, "q1": docs}, QRELS) for docs in (RUN["q1"], {"x": 9, "B": 1}))
    assert found.top_digest(2) == other.top_digest(2)
    assert found.top_digest(None) != other.top_digest(None)
    # The documents are the same, divided otherwise between the queries.
    moved = judged({"q1": {"x": 2.0}, "q2": {"B": 1.0}, "q3": {"y": 1.0}}, QRELS)
    assert moved.top_digest(2) != found.top_digest(2)


@given(judgments=qrels, run=runs, data=st.data())
def test_a_run_against_other_judgments_is_that_run_judged_by_them(judgments, run, data):
    docs = st.dictionaries(st.sampled_from(["d1", "d2", "d3", "x"]), st.integers(0, 2), min_size=1)
    others = {query: data.draw(docs) for query in judgments}
    first, other = Judgments(qrels_table(judgments)), Judgments(qrels_table(others))
    found = JudgedRun(first, run_table(run), "name")
    seen = found.against(other)
    direct = JudgedRun(other, run_table(run))
    assert_array_equal(seen.rank, direct.rank)
    assert_array_equal(seen.returned, direct.returned)
    assert (seen.judgments, seen.name) == (other, "name")
    assert found.against(other) is seen
