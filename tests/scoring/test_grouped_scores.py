"""Groups of queries: what a group is, and its means."""

import re
from collections import defaultdict
from statistics import fmean
from typing import NamedTuple

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

import irx_measures
from irx_measures import InputError, ScoreMatrix
from irx_measures.io import groups as groups_of
from tests.campaigns import campaigns, pyterrier_frames
from tests.comparison.results import score_matrix
from tests.doubts import MISSED_QUERIES, NO_PRIOR, OWN_PRIOR

MATRIX = score_matrix(systems=3, topics=6)
GROUPS = {"q0": "en", "q1": "de", "q2": "en", "q3": "de", "q4": "fr", "q5": "en"}
MEMBERS = {"en": ("q0", "q2", "q5"), "de": ("q1", "q3"), "fr": ("q4",)}


def test_renamed_systems_keep_their_scores_in_all_groups():
    names = {"system0": "system1", "system1": "BM25"}
    one = MATRIX.by(GROUPS).renamed(names)
    assert [part.systems for part in one.parts] == [("system1", "BM25", "system2")] * 3
    np.testing.assert_array_equal(one.matrix.scores, MATRIX.scores)
    assert one == MATRIX.renamed(names).by(GROUPS)


@pytest.mark.parametrize(
    ("names", "message"),
    [
        ({"System0": "a"}, "with scores; got 'System0'; did you mean 'system0'?"),
        ({"system0": "system1"}, "`names` must keep systems apart; got 'system1' for 2 of them"),
        ({"system0": 1}, "`names` must have non-empty strings as values; got 1 for 'system0'"),
        ([("system0", "a")], "`names` must map names to new ones; got list"),
    ],
)
def test_renamed_names_what_is_wrong(names, message):
    for scores in (MATRIX, MATRIX.by(GROUPS), MATRIX.compare()):
        with pytest.raises((InputError, TypeError), match=re.escape(message)):
            scores.renamed(names)


def test_queries_selects_and_orders():
    part = MATRIX.queries(["q4", "q1"])
    assert part.query_ids == ("q4", "q1")
    np.testing.assert_array_equal(part.scores, MATRIX.scores[:, :, [4, 1]])
    assert (part.measures, part.systems) == (MATRIX.measures, MATRIX.systems)


@pytest.mark.parametrize(
    ("ids", "message"),
    [
        (["q1", "Q5"], "`ids` must name queries with scores; got 'Q5'; did you mean 'q5'?"),
        (["q1", "q2", "q1"], "`ids` must name every query once; got 'q1' twice"),
        ([], "`ids` must name at least one query; got none"),
        ("q1", "`ids` must be a list of query ids; got 'q1'"),
    ],
)
def test_queries_names_a_wrong_id(ids, message):
    with pytest.raises((InputError, TypeError), match=re.escape(message)):
        MATRIX.queries(ids)


@pytest.mark.filterwarnings("ignore::irx_measures.EvaluationWarning")
@MISSED_QUERIES
@NO_PRIOR
@OWN_PRIOR
@given(campaigns(), st.data())
def test_means_are_those_of_a_slow_loop(campaign, data):
    measures = ["nDCG@3", "P@2", "AP"]
    matrix = irx_measures.evaluate(campaign.qrels, campaign.runs, measures)
    groups = {query: data.draw(st.sampled_from("abc")) for query in matrix.query_ids}
    means, values = matrix.by(groups).means(), defaultdict(list)
    for row in matrix.to_frame().itertuples():
        values[row.system, row.measure, groups[row.query_id]].append(row.value)
    assert means.size == len(values)
    for (system, *column), of_group in values.items():
        assert means.loc[system, tuple(column)] == pytest.approx(fmean(of_group), abs=1e-12)


def test_the_groups_have_the_order_of_the_source_and_the_queries_that_of_the_scores():
    backwards = dict(reversed(GROUPS.items())) | {"unscored": "es"}
    grouped = MATRIX.by(backwards)
    assert grouped.groups == ("en", "fr", "de")
    assert {group: grouped[group].query_ids for group in grouped.groups} == MEMBERS
    assert grouped.sizes == (3, 1, 2)
    assert grouped.matrix is MATRIX


def test_frame_has_every_score_with_its_group():
    frame = MATRIX.by(GROUPS).to_frame()
    pd.testing.assert_frame_equal(pd.DataFrame(MATRIX.by(GROUPS).to_columns()), frame)
    assert frame.columns.tolist() == ["group", "system", "query_id", "measure", "value"]
    assert (frame.group == frame.query_id.map(GROUPS)).all()
    keys = ["system", "query_id", "measure"]
    pd.testing.assert_frame_equal(
        frame.drop(columns="group").sort_values(keys, ignore_index=True),
        MATRIX.to_frame().sort_values(keys, ignore_index=True),
    )


def rows(**columns):
    return pd.DataFrame(columns)


class Topic(NamedTuple):
    """A topic of ir_datasets."""

    query_id: str
    text: str
    language: str


TOPICS = [Topic(query, "text", group) for query, group in GROUPS.items()]


def topics_file(folder):
    path = folder / "topics.csv"
    lines = [f"{topic.language}\tx\t{topic.query_id}\n" for topic in TOPICS]
    path.write_text("language\ttext\tqid\n" + "".join(lines), encoding="utf-8")
    return path


SOURCES = {
    "path": topics_file,
    "text": lambda folder: str(topics_file(folder)),
    "topics": lambda folder: "irds:some/topics",
    "frame": lambda folder: rows(qid=list(GROUPS), query="x", language=list(GROUPS.values())),
    "categories": lambda folder: rows(
        query_id=list(GROUPS), language=pd.Categorical(list(GROUPS.values()))
    ),
}


@pytest.mark.parametrize("source", SOURCES.values(), ids=SOURCES)
def test_groups_come_from_a_column(source, tmp_path, monkeypatch):
    monkeypatch.setattr(groups_of, "records", lambda name, kind: TOPICS)
    assert MATRIX.by(source(tmp_path), column="language") == MATRIX.by(GROUPS)


def test_a_field_that_topics_lack_is_named(monkeypatch):
    monkeypatch.setattr(groups_of, "records", lambda name, kind: TOPICS)
    with pytest.raises(InputError, match="a topic needs a column 'languages'; got "):
        MATRIX.by("irds:some/topics", column="languages")


@pytest.mark.parametrize(
    ("groups", "fact"),
    [
        ({"q0": "en", "q3": "de"}, "no group for 4 of 6 queries: 'q1', 'q2', 'q4', 'q5'"),
        (GROUPS | {"q1": None}, "query 'q1' must have a group; got None"),
        (GROUPS | {"q1": ""}, "query 'q1' must have a group; got ''"),
        (rows(qid=["q0", "q1"], group=["en", np.nan]), "query 'q1' must have a group; got nan"),
        (rows(qid=["q0", "q0"], group=["en", "de"]), "query 'q0' occurs twice"),
        (rows(qid=["q0"], lang=["en"]), r"a column 'group'; got \['qid', 'lang'\]"),
        (rows(topic=["q0"], group=["en"]), "a column 'query_id' or 'qid' or 'query-id'; got"),
    ],
)
def test_wrong_groups_are_named(groups, fact):
    with pytest.raises(InputError, match=fact):
        MATRIX.by(groups)


@pytest.mark.parametrize(
    ("groups", "column", "fact"),
    [
        (None, "group", "`groups` must be a dict, a D"),
        (GROUPS, ["group"], "`column` must be a str"),
    ],
)
def test_groups_of_another_type_are_refused(groups, column, fact):
    with pytest.raises(TypeError, match=fact):
        MATRIX.by(groups, column)


def test_an_unknown_group_names_the_known_ones():
    with pytest.raises(KeyError, match="'eng' is not among the groups 'en', 'de', 'fr'; did you"):
        MATRIX.by(GROUPS)["eng"]


def test_repr_shows_the_means_of_the_groups():
    grouped = MATRIX.by(GROUPS)
    means = grouped.means()
    shown = repr(grouped)
    about = "2 measures x 3 systems, 3 groups: en (3 queries), de (2 queries), fr (1 query)"
    assert about in " ".join(shown.split())
    assert repr(means).splitlines() == shown.splitlines()[1:]


def test_scores_of_an_experiment_are_grouped_by_a_column_of_its_topics():
    pt = pytest.importorskip("pyterrier")
    made = irx_measures.simulate_campaign(systems=3, queries=8, depth=20, seed=2)
    systems, topics, qrels = pyterrier_frames(made.runs.values(), made.qrels)
    topics["lang"] = ["en" if number % 3 else "de" for number in range(len(topics))]
    names = list(made.runs)
    table = pt.Experiment(systems, topics, qrels, ["nDCG@10"], names=names, perquery=True)
    means = ScoreMatrix.from_frame(table).by(topics, column="lang").means()
    direct = irx_measures.evaluate(made.qrels, made.runs, "nDCG@10").by(topics, column="lang")
    pd.testing.assert_frame_equal(means, direct.means())
