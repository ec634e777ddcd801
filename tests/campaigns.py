"""Small evaluation campaigns, drawn by hypothesis or from a seed."""

from typing import NamedTuple

import numpy as np
from hypothesis import strategies as st

from tests.oracles.ranking import ranking

DOCS = [f"d{number}" for number in range(1, 12)]
QUERIES = ["q1", "q2", "q10"]
# The second and third score are equal as float32, so trec_eval ties them.
SCORES = [2.5, 1.0 + 1e-9, 1.0, 0.25, 0.0, -3.0]
GROUPS = "XYZ"

grades = st.dictionaries(st.sampled_from(DOCS), st.integers(-1, 3), min_size=1, max_size=9)
scored_docs = st.dictionaries(st.sampled_from(DOCS), st.sampled_from(SCORES), max_size=8)
qrels = st.dictionaries(st.sampled_from(QUERIES), grades, min_size=1)
runs = st.dictionaries(st.sampled_from([*QUERIES, "unjudged"]), scored_docs).map(
    lambda run: run if any(run.values()) else {"unjudged": {"d1": 1.0}}  # no run is empty
)
rankings = st.lists(st.sampled_from(DOCS), unique=True, max_size=8)


class Campaign(NamedTuple):
    """Qrels, runs by name, and the group of each."""

    qrels: dict
    runs: dict
    groups: dict

    @property
    def names(self):
        return list(self.runs)

    def ranking(self, name, query):
        return ranking(self.runs[name].get(query, {}))


@st.composite
def campaigns(draw, max_runs=4):
    """Ties, unjudged documents, negative grades, missing queries, empty and duplicate runs."""
    judged = draw(qrels)
    made = draw(st.lists(runs, min_size=1, max_size=max_runs))
    shared = draw(st.sampled_from(sorted(judged)))
    # One document of one run is judged: `evaluate` refuses runs without any.
    made[0][shared] = {
        draw(st.sampled_from(sorted(judged[shared]))): 1.0,
        **made[0].get(shared, {}),
    }
    copies = draw(st.lists(st.sampled_from(range(len(made))), max_size=2))
    made += [made[copy] for copy in copies]
    groups = draw(st.lists(st.sampled_from(GROUPS), min_size=len(made), max_size=len(made)))
    names = [f"run{number}" for number in range(len(made))]
    return Campaign(
        judged, dict(zip(names, made, strict=True)), dict(zip(names, groups, strict=True))
    )


def random_campaign(seed, *, ties, queries=8, systems=5, documents=40, depth=12):
    """Graded qrels of half the documents; runs that find relevant documents early, but not all.

    The last run lacks a query of the qrels, and has a query that is not in the qrels.
    """
    rng = np.random.default_rng(seed)
    names = [f"doc{number}" for number in range(documents)]
    judged, found = {}, {f"run{number}": {} for number in range(systems)}
    for query in (f"q{number}" for number in range(queries)):
        docs = rng.choice(names, documents // 2, replace=False).tolist()
        judged[query] = dict(zip(docs, rng.integers(-1, 4, len(docs)).tolist(), strict=True))
        for run in found.values():
            strength = {doc: judged[query].get(doc, 0) + rng.normal(0, 3) for doc in names}
            best = sorted(names, key=strength.get, reverse=True)[:depth]
            scores = np.sort(rng.integers(0, 6, depth) if ties else np.arange(depth))[::-1] / 4
            scored = list(zip(best, scores.tolist(), strict=True))
            run[query] = dict(scored[place] for place in rng.permutation(depth))
    last = found[f"run{systems - 1}"]
    last["unjudged"] = last.pop("q0")
    groups = {name: GROUPS[number % len(GROUPS)] for number, name in enumerate(found)}
    return Campaign(judged, found, groups)


@st.composite
def judged_rankings(draw, min_runs=1, max_runs=4):
    """Grades of every document in each query, and each run's ranking of each query."""
    queries = draw(st.integers(1, 3))
    every = st.fixed_dictionaries({doc: st.integers(-1, 3) for doc in DOCS})
    run = st.lists(rankings, min_size=queries, max_size=queries)
    return (
        draw(st.lists(every, min_size=queries, max_size=queries)),
        draw(st.lists(run, min_size=min_runs, max_size=max_runs)),
    )


def grade_array(grades_by_query):
    """(queries, documents), for kernels."""
    return np.array([[grades[doc] for doc in DOCS] for grades in grades_by_query])


def rank_array(rankings_by_run):
    """Rank of each document, 0 where it is not returned: (runs, queries, documents)."""
    return np.array(
        [
            [[found.index(doc) + 1 if doc in found else 0 for doc in DOCS] for found in run]
            for run in rankings_by_run
        ]
    )


def rows(nested):
    """(query, document, number) of nested dicts."""
    return [(query, doc, number) for query, of in nested.items() for doc, number in of.items()]


def frame(nested, value="score", query="qid", doc="docno"):
    """Nested dicts as a DataFrame, with PyTerrier's names of columns."""
    import pandas as pd

    return pd.DataFrame(rows(nested), columns=[query, doc, value])


def trec_files(folder, runs, qrels=None):
    """Write qrels.txt and a TREC file for each run; their paths as strings."""
    texts = {} if qrels is None else {"qrels.txt": "".join(_lines("{} 0 {} {}\n", qrels))}
    texts |= {
        f"{name}.run": "".join(_lines("{} Q0 {} 0 {!r} tag\n", r)) for name, r in runs.items()
    }
    for name, text in texts.items():
        (folder / name).write_text(text, encoding="utf-8")
    return [str(folder / name) for name in texts]


def _lines(form, nested):
    return (form.format(*row) for row in rows(nested))


def per_query(measure, qrels, run):
    """Scores of a run as ir_measures asks for them, by query."""
    return {metric.query_id: metric.value for metric in measure.calc(qrels, run).per_query}


def one(measure, qrels, run):
    """The score of one query: grades and scores by document."""
    return measure.calc_aggregate({"q": qrels}, {"q": run})


def pyterrier_frames(runs, qrels):
    """Runs, topics and qrels as PyTerrier has them."""
    import pandas as pd

    topics = pd.DataFrame({"qid": list(qrels), "query": "x"})
    return [frame(run) for run in runs], topics, frame(qrels, "label")
