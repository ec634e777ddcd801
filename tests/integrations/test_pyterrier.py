"""Experiment, and PyTerrier's own Experiment, with measures that compare systems."""

import contextlib
import os
import sys
import weakref
from pathlib import Path
from time import sleep

import ir_measures
import numpy as np
import pandas as pd
import pytest
from ir_measures import parse_measure
from pandas.testing import assert_frame_equal
from scipy.stats import ttest_rel
from statsmodels.stats.multitest import multipletests

import irx_measures
from irx_measures import (
    NRG,
    EvaluationWarning,
    Experiment,
    InputError,
    P_Rareness,
    evaluate,
    scope,
)
from tests import campaigns
from tests.console import python
from tests.doubts import MISSED_QUERIES, NO_PRIOR, NO_SYSTEMS, OWN_PRIOR, UNEVEN, told

pytestmark = [MISSED_QUERIES, NO_PRIOR, OWN_PRIOR, NO_SYSTEMS, pytest.mark.slow]

pt = pytest.importorskip("pyterrier")

ROOT = Path(__file__).resolve().parents[2]

# In the source of cwl-eval, which ir_measures imports where it is installed.
IGNORED = ["-W", "ignore:invalid escape sequence"]

CAMPAIGN = campaigns.random_campaign(5, ties=True, queries=6, systems=4)
GROUPS = {"run0": "X", "run1": "X", "run2": "Y", "run3": "Z"}
TOPICS = pd.DataFrame({"qid": list(CAMPAIGN.qrels), "query": "words"})
QRELS = campaigns.frame(CAMPAIGN.qrels, "label")

# Measures as users give them, by the name of their column.
MEASURES = {
    "NRG(prior=others, base=RR)@5": "NRG(prior=others, base=RR)@5",
    "NRG(prior=others)@10": NRG(prior="others") @ 10,
    "P_Rareness(systems=others)@5": P_Rareness(systems="others") @ 5,
    "P(rel=2)@5": ir_measures.P(rel=2) @ 5,
    "nDCG@10": "nDCG@10",
    "map": "map",
    "num_rel": "num_rel",
}
IN_EVALUATE = {"map": "AP", "num_rel": "NumRel"}
STOCK = ["map", "ndcg_cut_10", ir_measures.P @ 5, "RBP(p=0.8)", "RBP(p=0.8, rel=2)@5"]


RESULTS = {name: pt.model.add_ranks(campaigns.frame(run)) for name, run in CAMPAIGN.runs.items()}
NAMES = list(RESULTS)


class Search(pt.Transformer):
    """A system that records the topics it gets."""

    def __init__(self, results, title="search", seconds=0.0):
        self.results = results
        self.title = title
        self.seconds = seconds
        self.asked = []

    def transform(self, topics):
        if len(topics):  # PyTerrier inspects transformers with empty topics
            self.asked.append(topics["qid"].tolist())
            sleep(self.seconds)
        return self.results[self.results["qid"].isin(topics["qid"])]

    def __repr__(self):
        return self.title


@pytest.fixture
def systems():
    return {name: Search(results, name) for name, results in RESULTS.items()}


def means(measures=MEASURES, qrels=CAMPAIGN.qrels, groups=None):
    """Means by evaluate(), systems x measures, with the column names of Experiment."""
    matrix = evaluate(qrels, CAMPAIGN.runs, [IN_EVALUATE.get(m, m) for m in measures], groups)
    return matrix.means().set_axis(list(measures), axis=1)


def experiment(measures, systems=RESULTS, topics=TOPICS, qrels=QRELS, **options):
    return Experiment(systems, topics, qrels, measures, **options)


def assert_same_means(table, expected):
    assert table["name"].tolist() == expected.index.tolist()
    assert set(table.columns) == {"name", *expected.columns}
    for column in expected.columns:
        np.testing.assert_allclose(table[column], expected[column], rtol=1e-12, err_msg=column)


def assert_same_result(result, expected):
    """Results are equal, in any order of columns: PyTerrier's order is not fixed."""
    assert type(result) is type(expected)
    if isinstance(expected, pd.DataFrame):
        order = [c for c in ("name", "qid", "measure") if c in expected.columns]
        assert_frame_equal(
            result.sort_values(order, ignore_index=True),
            expected.sort_values(order, ignore_index=True),
            check_like=True,
        )
    elif isinstance(expected, tuple):
        assert len(result) == len(expected) == 2
        for part, expected_part in zip(result, expected, strict=True):
            assert_same_result(part, expected_part)
    else:
        assert_same_scores(result, expected)


def assert_same_scores(result, expected):
    """Dicts of scores are equal: scores of all systems at once differ in the last digit."""
    if isinstance(expected, dict):
        assert result.keys() == expected.keys()
        for key, scores in expected.items():
            assert_same_scores(result[key], scores)
    else:
        assert result == pytest.approx(expected, rel=1e-14)


# The same scores, however the systems come


FORMS = {
    "DataFrames": lambda: list(RESULTS.values()),
    "dict of transformers": lambda: {name: Search(results) for name, results in RESULTS.items()},
    "transformers that print as the names": lambda: [Search(RESULTS[name], name) for name in NAMES],
    "mixed": lambda: (
        RESULTS["run0"],
        pt.Transformer.from_df(RESULTS["run1"]),
        Search(RESULTS["run2"]),
        Search(RESULTS["run3"]) >> pt.Transformer.identity(),
    ),
}


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("batch_size", [None, 4])
def test_every_form_of_systems_scores_as_in_evaluate(form, batch_size):
    best = "NRG(prior=others, select=best-per-group)@10"
    measures = {**MEASURES, best: best}
    how = {"groups": GROUPS, "batch_size": batch_size}
    names = None if "print" in form else NAMES
    table = Experiment(FORMS[form](), TOPICS, QRELS, list(measures.values()), names, **how)
    assert_same_means(table, means(measures, groups=GROUPS))


def test_measures_of_gdeval_score_as_in_evaluate_for_any_query_ids():
    asked = ["map", "ERR@10", "nDCG(dcg='exp-log2')@10"]
    table = Experiment(list(RESULTS.values()), TOPICS, QRELS, asked, [*RESULTS])
    assert_same_means(table, means(asked))


def numbered(table):
    """A table with integers as ids of documents."""
    return table.assign(docno=table["docno"].str.removeprefix("doc").astype(int))


def test_ids_of_results_may_be_integers_as_in_pyterrier():
    measure = "UniqueRel@5"
    qrels = QRELS.assign(docno=QRELS["docno"].str.removeprefix("doc"))
    expected = Experiment(RESULTS, TOPICS, QRELS, [measure])
    numbers = {name: numbered(results) for name, results in RESULTS.items()}
    systems = {**numbers, "run1": Search(numbers["run1"])}
    for of_either in (Experiment, pt.Experiment):
        assert_frame_equal(of_either(systems, TOPICS, qrels, [measure]), expected)


def integers(table):
    """A table with integers as ids of queries."""
    return table.assign(qid=table["qid"].str.removeprefix("q").astype(int))


def strings(table):
    """The same ids as strings."""
    return table.assign(qid=table["qid"].str.removeprefix("q"))


@pytest.mark.parametrize("whole", ["none", "topics", "qrels", "results", "all"])
def test_the_frames_of_the_caller_stay_as_they_are(whole):
    tables = {"topics": TOPICS, "qrels": QRELS, "results": RESULTS["run0"], "run1": RESULTS["run1"]}
    given = {
        name: integers(table) if whole in (name, "all") else strings(table)
        for name, table in tables.items()
    }
    before = {name: table.copy(deep=True) for name, table in given.items()}
    systems = {"a": given["results"], "b": given["results"], "c": given["run1"]}
    with contextlib.suppress(TypeError):  # integers in topics or qrels
        Experiment(systems, given["topics"], given["qrels"], ["map", "UniqueRel@5"])
    for name, table in given.items():
        assert_frame_equal(table, before[name])


def test_qrels_may_be_a_file(tmp_path, systems):
    (file,) = campaigns.trec_files(tmp_path, {}, CAMPAIGN.qrels)
    assert_frame_equal(experiment([OURS], systems, qrels=file), experiment([OURS]))


def test_a_path_of_any_signs_is_the_file(tmp_path):
    name = "rm3, k=10 #1's (2019).run"
    *_, file = campaigns.trec_files(tmp_path, {name: CAMPAIGN.runs["run0"]}, CAMPAIGN.qrels)
    path = Path(file).rename(tmp_path / name)
    measure = f'NRG(prior="{path}")@10'
    expected = experiment([NRG(prior=irx_measures.RunSet(path)) @ 10]).iloc[:, 1]
    assert experiment([measure])[measure].tolist() == expected.tolist()
    of_run1 = ir_measures.calc_aggregate([parse_measure(measure)], QRELS, RESULTS["run1"])
    assert [*of_run1.values()] == pytest.approx([expected[1]])


# Every system runs once


@pytest.mark.parametrize("baseline", [None, 0, [0, 1]])
@pytest.mark.parametrize("batch_size", [None, 4])
def test_every_transformer_runs_once_over_the_topics(systems, batch_size, baseline):
    measures = [*MEASURES.values(), "mrt"]
    Experiment(systems, TOPICS, QRELS, measures, batch_size=batch_size, baseline=baseline)
    queries = TOPICS["qid"].tolist()
    batches = [queries] if batch_size is None else [queries[:4], queries[4:]]
    assert [system.asked for system in systems.values()] == [batches] * len(systems)


OURS = "NRG(prior=others)@10"
WRONG = [
    ({"unheard_of": 1}, TypeError, "unheard_of"),
    ({"correction": "holm"}, ValueError, "`correction` needs a `base"),
    ({"round": "two"}, ValueError, "round"),
    ({"names": ["one"]}, ValueError, r"one name per system \(4\); got 1"),
    ({"retr_systems": RESULTS["run0"]}, TypeError, "list or dict of transformers"),
    ({"retr_systems": [RESULTS["run0"], len]}, TypeError, "got builtin_function_or_method"),
    ({"eval_metrics": ["NRX(prior=others)@10"]}, NameError, "did you mean NRG"),
    ({"eval_metrics": [OURS, "unheard"]}, ValueError, "unheard"),
    ({"eval_metrics": QRELS}, TypeError, r"got DataFrame \(measures come after qrels and runs\)"),
    ({"topics": ["q1"]}, TypeError, "`topics` must be a DataFrame, or the .* got list"),
    ({"eval_metrics": ["NRG(prior=others, base=P)"]}, ValueError, "needs a cutoff"),
    ({"eval_metrics": [NRG(prior="others", base="P")]}, ValueError, "needs a cutoff"),
    ({"topics": TOPICS.assign(qid="unknown")}, ValueError, "no overlap"),
    ({"qrels": QRELS.assign(docno=[1.5, *QRELS["docno"][1:]])}, TypeError, "'docno'.*got float"),
    ({"groups": dict(list(GROUPS.items())[:3])}, ValueError, "no group for 1 of 4 runs: 'run3'"),
    *(
        (wrong, ValueError, f"only PyTerrier knows `{name}`, so leave it out .*{instead}")
        for name, wrong, instead in [
            ("save_dir", {"save_dir": "any"}, r"\(run the systems first: pt.io.write_results\("),
            ("plan", {"plan": "tree"}, r"\(run the shared stages first: found = shared\(topics"),
            ("precompute_prefix", {"precompute_prefix": True}, "run the shared stages first"),
            ("highlight", {"highlight": "bold"}, r"\(the table is a DataFrame: table.style"),
            ("validate", {"validate": "error"}, "tells the columns"),
            ("test", {"baseline": 0, "test": max}, "or name one of compare: t, moderated-t"),
            ("correction", {"baseline": 0, "correction": "hs"}, "or name .* compare: holm, bonf"),
            ("StRecall@5", {"eval_metrics": [OURS, "StRecall@5"]}, "in an experiment of its own"),
            ("save_dir", {"save_dir": "any", "eval_metrics": ["map"], "groups": GROUPS}, "groups"),
            ("save_dir", {"save_dir": "any", "eval_metrics": ["map"], "baseline": [0]}, "several"),
        ]
    ),
    ({"baseline": [0, 4], "eval_metrics": ["map"]}, ValueError, "the positions 0 to 3; got"),
    ({"baseline": 4}, ValueError, "the positions 0 to 3; got 4"),
    ({"baseline": -1}, ValueError, "the positions 0 to 3; got -1"),
    ({"baseline": "run9"}, ValueError, "one or several of .'run0', .*; got 'run9'"),
    ({"baseline": [None]}, ValueError, "`baseline` must be one or several of"),
    ({"baseline": []}, ValueError, "`baseline` must be one or several of"),
    ({"baseline": 0, "perquery": True}, ValueError, "`perquery` must be False with baselines"),
    ({"baseline": 0, "topics": TOPICS[:1]}, ValueError, "`baseline` needs 2 topics; got 1"),
    ({"baseline": 0, "test": "u"}, ValueError, "`test` must be one of 't', .*; got 'u'"),
    ({"baseline": 0, "test": "wilcoxon", "topics": TOPICS[:3]}, ValueError, "able to reject"),
    ({"baseline": 0, "correction_alpha": 1.0}, ValueError, "`correction_alpha` must lie in"),
]


@pytest.mark.parametrize(("wrong", "error", "message"), WRONG)
def test_a_wrong_argument_is_refused_before_any_system_runs(systems, wrong, error, message):
    arguments = {"retr_systems": list(systems.values()), "names": NAMES, "topics": TOPICS}
    with pytest.raises(error, match=message):
        Experiment(**{**arguments, "qrels": QRELS, "eval_metrics": [OURS, "map"], **wrong})
    assert [system.asked for system in systems.values()] == [[]] * len(systems)


# Names and groups


@pytest.mark.parametrize(
    "names", [["same", "1: same", "2: same", "same "], ["", "1", "2", "3"], [1, 2, 3, 4]]
)
def test_names_may_be_anything_that_prints(names):
    measures = list(MEASURES.values())
    table = Experiment(list(RESULTS.values()), TOPICS, QRELS, measures, names=names)
    assert_same_means(table, means().set_axis(names))


@pytest.mark.parametrize("select", ["other-groups", "best-per-group", "earlier"])
def test_groups_decide_which_systems_count(select, tmp_path):
    measure = f"NRG(prior=others, select={select})@10"
    lines = ["run,group", *(f"{run},{group}" for run, group in GROUPS.items())]
    (tmp_path / "groups.csv").write_text("\n".join(lines))
    expected = means({measure: measure}, groups=GROUPS)
    for groups in (GROUPS, tmp_path / "groups.csv"):
        table = Experiment(RESULTS, TOPICS, QRELS, [measure], groups=groups)
        assert_same_means(table, expected)
    assert not np.allclose(expected[measure], means()["NRG(prior=others)@10"])


@pytest.mark.slow
@pytest.mark.parametrize(
    "arguments",
    [
        {},
        {"baseline": 1},
        {"baseline": 2, "correction": "holm"},
        {"baseline": 2, "correction": "b", "correction_alpha": 0.3},
        {"perquery": True},
        {"perquery": "both"},
        {"round": 2},
        {"round": {"map": 1, "NRG(prior=others)@10": 2}},
        {"round": 1, "perquery": True},
        {"dataframe": False},
        {"dataframe": False, "perquery": True},
        {"dataframe": False, "perquery": "both"},
        {"dataframe": False, "baseline": 0},
        {"batch_size": 4, "perquery": "both"},
    ],
    ids=str,
)
def test_the_result_is_that_of_pyterrier_in_scope(arguments):
    # PyTerrier has no p where all differences are zero, as of the number of relevant documents.
    measures = [given for given in MEASURES.values() if given != "num_rel"]
    asked = (list(RESULTS.values()), TOPICS, QRELS, measures, list(RESULTS))
    with scope(RESULTS):
        expected = pt.Experiment(*asked, **arguments)
    assert_same_result(Experiment(*asked, **arguments), expected)


@pytest.mark.parametrize("arguments", [{}, {"baseline": 0}, {"perquery": True}], ids=str)
def test_the_result_for_stock_measures_is_pyterriers(systems, arguments):
    counts = ["num_rel_ret", ir_measures.NumRet(rel=2)]  # a sum and, by this name, a mean
    asked = (list(systems.values()), TOPICS, QRELS, [*STOCK, *counts])
    expected = pt.Experiment(*asked, **arguments)
    assert_same_result(Experiment(*asked, **arguments), expected)


def test_pyterrier_highlights_its_own_measures():
    styled = Experiment(RESULTS, TOPICS, QRELS, STOCK, highlight="bold")
    assert_frame_equal(styled.data, Experiment(RESULTS, TOPICS, QRELS, STOCK), check_like=True)
    assert "bold" in styled.to_html()


@pytest.mark.parametrize("test", ["t", "wilcoxon", "randomisation"])
def test_systems_with_the_same_scores_do_not_differ(test):
    systems = {"a": RESULTS["run0"], "same": RESULTS["run0"], "b": RESULTS["run1"]}
    how = {"baseline": "a", "test": test, "correction": "holm", "correction_alpha": 0.2}
    table = experiment(["map"], systems, **how)
    for column in table.filter(like="p-value"):
        assert table[column][:2].tolist() == [pytest.approx(np.nan, nan_ok=True), 1.0]
    assert table.filter(like="reject").iloc[:2, 0].tolist() == [False, False]


@pytest.mark.parametrize("topics", [2, 6])
@pytest.mark.parametrize("baseline", ["run2", 2, np.int64(2)])
@pytest.mark.parametrize("how", [{}, {"correction": "holm"}, {"correction": "fdr_bh"}], ids=str)
def test_comparisons_with_a_baseline_are_pyterriers(topics, baseline, how):
    metrics = ["map", "ndcg_cut_10"]  # scipy warns where systems score the same on both topics
    asked = (TOPICS[:topics], QRELS, metrics, NAMES)
    expected = pt.Experiment(list(RESULTS.values()), *asked, baseline=2, **how)
    table = Experiment(tuple(RESULTS.values()), *asked, baseline=baseline, **how)
    assert_same_result(table, expected)


def test_one_system_alone_has_no_comparisons():
    table = experiment(["map"], {"a": RESULTS["run0"]}, baseline=0, correction="holm")
    assert table.iloc[0, 2:].fillna(-1).tolist() == [-1, -1, -1, False, -1]


def test_a_measure_on_which_the_baseline_has_no_score_has_means_and_is_not_tested():
    metrics = ["NRG(prior='run0')@10", "map"]
    for asked in (metrics, metrics[:1]):
        table, messages = told(lambda asked=asked: experiment(asked, RESULTS, baseline="run0"))
        own = "NRG(prior='run0')@10"
        assert table[own].notna().tolist() == [False, True, True, True]
        assert table[f"{own} p-value"].isna().all()
        assert "not tested: 'run0' has no score on NRG(prior=run0)@10" in messages
        assert not [message for message in messages if "left out" in message]


def test_results_without_names_are_called_by_their_position():
    table = Experiment(list(RESULTS.values()), TOPICS, QRELS, ["map"], baseline="DataFrame #1")
    assert table["name"].tolist() == [f"DataFrame #{place}" for place in range(len(RESULTS))]
    named = Experiment(RESULTS, TOPICS, QRELS, ["map"], baseline="run1")
    pd.testing.assert_frame_equal(table.drop(columns="name"), named.drop(columns="name"))


def test_a_baseline_may_be_named():
    asked = (RESULTS, TOPICS, QRELS, ["NRG(prior=others)@10", "map", "num_rel"])
    by_place = Experiment(*asked, baseline=2, correction="holm")
    assert_frame_equal(Experiment(*asked, baseline="run2", correction="holm"), by_place)
    p = by_place[["NRG(prior=others)@10 p-value", "num_rel p-value"]]
    assert p.isna().to_numpy().tolist() == [[False] * 2, [False] * 2, [True] * 2, [False] * 2]
    assert (by_place["num_rel"] == by_place["num_rel"][2]).tolist() == (
        p["num_rel p-value"].fillna(1.0) == 1.0
    ).tolist()


def test_mrt_is_the_time_of_retrieval():
    slow = Search(RESULTS["run0"], seconds=0.1)
    systems = {"slow": slow, "quick": Search(RESULTS["run1"]), "done": RESULTS["run2"]}
    asked = (systems, TOPICS, QRELS, ["NRG(prior=others)@10", "mrt", "map"])
    time = Experiment(*asked, baseline=0).set_index("name")["mrt"]
    assert time["slow"] >= 100 / len(TOPICS)
    assert time["slow"] > time["quick"] > time["done"] == 0.0
    assert Experiment(*asked, dataframe=False)["slow"]["mrt"] >= 100 / len(TOPICS)
    for places in (1, {"mrt": 1}):
        rounded = Experiment(*asked, round=places)["mrt"]
        assert rounded.tolist() == [round(time, 1) for time in rounded]
    assert "mrt" not in str(Experiment(*asked, perquery="both"))


def test_mrt_is_per_query_with_scores(monkeypatch):
    """PyTerrier divides by the number of queries that have qrels, after it has filtered these."""

    class Clock(Search):
        """A system that takes 3 seconds on a clock that nothing else moves."""

        now = 0.0

        def transform(self, topics):
            Clock.now += 3.0
            return super().transform(topics)

    clock = "irx_measures.integrations.pyterrier_systems.perf_counter"
    monkeypatch.setattr(clock, lambda: Clock.now)
    *asked, other = TOPICS["qid"]
    topics = pd.concat([TOPICS, TOPICS.assign(qid=[f"unjudged{query}" for query in TOPICS["qid"]])])
    topics = topics[topics["qid"] != other]
    system = Clock(RESULTS["run0"])
    table = experiment([OURS, "mrt"], {"run0": system}, topics)
    assert table["mrt"].tolist() == [3000 / len(asked)]


def test_arguments_by_position_are_pyterriers(systems):
    asked = (systems, TOPICS, QRELS, ["NRG(prior=others)@10", "map"])
    by_position = Experiment(*asked, None, True, False, 4)
    assert by_position == Experiment(*asked, perquery=True, dataframe=False, batch_size=4)
    with pytest.raises(TypeError, match="too many positional"):
        Experiment(*asked, *[None] * 30)


TWICE = pd.concat([RESULTS["run1"], RESULTS["run1"].head(2)])


@pytest.mark.parametrize(
    "refused", [TWICE, RESULTS["run1"].drop(columns="score"), TOPICS.assign(qanswer="a")]
)
def test_results_that_our_measures_refuse_name_their_system(refused):
    systems = {**RESULTS, "dense": Search(refused)}
    with pytest.raises(ValueError, match=r"^run 'dense'(:| needs a column)"):
        Experiment(systems, TOPICS, QRELS, ["map", "nDCG_UE@10"])


def of_run1(**columns):
    return {**RESULTS, "run1": RESULTS["run1"].assign(**columns)}


HALF = RESULTS["run1"]["score"] > RESULTS["run1"]["score"].median()
COMPLEX = RESULTS["run1"]["score"].astype(complex)
WITHOUT_SCORE = {**RESULTS, "run1": RESULTS["run1"].drop(columns="score")}
INT_DOCS = QRELS["docno"].str.removeprefix("doc").astype(int)
INT_QUERIES = QRELS["qid"].str.removeprefix("q").astype(int)
INT_TOPICS = TOPICS.assign(qid=TOPICS["qid"].str.removeprefix("q").astype(int))

# Input that is wrong; the errors are those of `evaluate`.
WRONG_INPUT = {
    "two columns": (
        {"retr_systems": {"a": pd.concat([QRELS.assign(score=1.0), QRELS["docno"]], axis=1)}},
        "^run 'a' has 2 columns 'docno'$",
    ),
    "two systems": ({"retr_systems": of_run1(system=HALF)}, "run 'run1': column 'system' names 2"),
    "tags": ({"retr_systems": of_run1(tag=HALF)}, "run 'run1': column 'tag' names 2 systems"),
    "booleans": ({"retr_systems": of_run1(score=HALF)}, "run 'run1', row 0 .* got np.(True|False)"),
    "complex": ({"retr_systems": of_run1(score=COMPLEX)}, "run 'run1': .* got complex128"),
    "complex objects": (
        {"retr_systems": of_run1(score=COMPLEX.astype(object))}, "run 'run1', row 0 .* got \\(.*j",
    ),
    "dates": ({"retr_systems": of_run1(score=pd.Timestamp(0))}, "run 'run1': .* got datetime"),
    "words": ({"retr_systems": of_run1(score="high")}, "run 'run1', row 0 .* got 'high'"),
    "missing ids": ({"retr_systems": of_run1(docno=None)}, "run 'run1', .* 'docno' must"),
    "no score": ({"retr_systems": WITHOUT_SCORE}, "run 'run1' needs a column 'score'"),
    "no rows": ({"retr_systems": {"a": RESULTS["run0"][:0]}}, "run 'a' is empty: it has no rows"),
    "qrels": ({"retr_systems": {"a": QRELS}}, "run 'a' .*columns of qrels: are runs and qrels"),
    "no name": ({"retr_systems": [QRELS]}, "^run 'DataFrame #0' needs"),
    "a frame": ({"retr_systems": RESULTS["run0"]}, "list or dict of .* of results; got DataFrame"),
    "a run as qrels": ({"qrels": RESULTS["run0"]}, "^qrels needs .*columns of a run: are runs"),
    "documents": ({"qrels": QRELS.assign(docno=INT_DOCS)}, "^qrels, row 0 .*'docno' .*; got int"),
    "queries": ({"qrels": QRELS.assign(qid=INT_QUERIES)}, "^qrels, row 0 .*'qid' .*; got int"),
    "topics": ({"topics": INT_TOPICS}, "^topics, row 0 .*'qid' must hold strings; got int"),
    "all ids": (
        {"topics": INT_TOPICS, "qrels": QRELS.assign(qid=INT_QUERIES)}, "^qrels, row .*'qid' must",
    ),
    "a name": ({"baseline": "run9"}, "`baseline` must be one or several of .'run0', .*'run9'"),
    "a place": ({"baseline": 4}, "`baseline` must be .* the positions 0 to 3; got 4"),
    "places of frames": (
        {"baseline": 4, "retr_systems": list(RESULTS.values())},
        "one or several of .'DataFrame #0', .*'DataFrame #3'., or",
    ),
    "a frame as baseline": ({"baseline": TOPICS}, "the positions 0 to 3; got DataFrame"),
    "a list in a list": ({"baseline": [[0]]}, "the positions 0 to 3; got ..0.."),
    "names": (
        {"retr_systems": list(RESULTS.values()), "names": ["a", "b", "a", "c"]},
        "^Experiment: 2 systems are called 'a'; names must differ$",
    ),
    "names that print the same": ({"retr_systems": {1: QRELS, "1": QRELS}}, "2 .* called '1'; nam"),
    "names of transformers": (
        {"retr_systems": [Search(found) for found in RESULTS.values()], "names": ["x"] * 4},
        "4 systems are called 'x'",
    ),
    "names of a dict": ({"names": ["a", *NAMES[1:]]}, "is a dict: its keys are the names; .* .'a'"),
    "a title of two": (
        {"retr_systems": [Search(RESULTS["run0"]), Search(RESULTS["run1"])], "baseline": "search"},
        "`baseline` must be one or several of .'1: search', '2: search'., .* got 'search'",
    ),
    "halves": ({"qrels": QRELS.assign(label=QRELS["label"] + 0.5)}, "^qrels, row .* whole"),
    "both": ({"baseline": 0, "perquery": True}, "`perquery` must be False with baselines"),
    "measure": ({"eval_metrics": ["NRGG"]}, "measure not found: NRGG; did you mean NRG?"),
}  # fmt: skip


@pytest.mark.parametrize("case", WRONG_INPUT)
def test_wrong_input_has_the_errors_of_evaluate(case):
    wrong, message = WRONG_INPUT[case]
    given = {"retr_systems": RESULTS, "topics": TOPICS, "qrels": QRELS, "eval_metrics": ["map"]}
    with pytest.raises((ValueError, TypeError), match=message) as caught:
        Experiment(**{**given, **wrong})
    assert "\n" not in str(caught.value)


def fails(topics):
    """An error for topics, but not for the frame without rows that PyTerrier inspects with."""
    if len(topics):
        raise KeyError("docno")
    return TOPICS[:0].assign(docno="", score=0.0)


class Broken(pt.Transformer):
    """A system that returns what a function of the topics does."""

    def __init__(self, returned):
        self.returned = returned

    def transform(self, topics):
        return self.returned(topics)


@pytest.mark.parametrize("batch_size", [None, 4])
class TestASystemThatFails:
    """Whether it runs over all topics at once, or over batches of them."""

    @pytest.mark.parametrize(
        ("returned", "message"),
        [
            (lambda topics: None, "^Experiment: system 'dense' must return .*; got NoneType$"),
            (lambda topics: [topics], "^Experiment: system 'dense' must return .*; got list$"),
            (
                lambda topics: TOPICS[:0],
                "^run 'dense' is empty: it has no rows .`strict=False` sco",
            ),
        ],
        ids=["None", "a list", "no rows"],
    )
    def test_is_named_where_it_returns_no_results(self, batch_size, returned, message):
        for dense in (Broken(returned), Search(RESULTS["run1"]) >> Broken(returned)):
            systems = {"run0": RESULTS["run0"], "dense": dense}
            with pytest.raises(InputError, match=message):
                experiment(["map"], systems, batch_size=batch_size)

    def test_is_named_in_a_note_on_its_error(self, batch_size):
        systems = {"run0": RESULTS["run0"], "dense": Broken(fails)}
        with pytest.raises(KeyError, match="docno") as caught:
            experiment(["map"], systems, batch_size=batch_size)
        if sys.version_info >= (3, 11):
            assert caught.value.__notes__ == ["while running system 'dense'"]

    @pytest.mark.parametrize("form", [Search, pd.DataFrame])
    def test_scores_as_in_evaluate_if_it_is_empty_and_asked_so(self, batch_size, form):
        systems = {**RESULTS, "none": form(RESULTS["run0"][:0])}
        asked = {"batch_size": batch_size, "strict": False, "baseline": "run1"}
        table, messages = told(lambda: experiment([OURS], systems, **asked))
        assert messages.count("run 'none' is empty: it has no rows") == 1
        runs = {**CAMPAIGN.runs, "none": RESULTS["run0"][:0]}
        matrix, _ = told(lambda: evaluate(QRELS, runs, OURS, strict=False))
        np.testing.assert_allclose(table[OURS], matrix.means().iloc[:, 0], rtol=1e-12)
        assert table[OURS].iloc[-1] == 0.0

    def test_may_return_nothing_for_some_batches(self, batch_size):
        short = RESULTS["run1"][RESULTS["run1"]["qid"] == TOPICS["qid"].iloc[0]]
        (table, _), (expected, _) = [
            told(lambda form=form: experiment(["map"], {**RESULTS, "short": form(short)}))
            for form in (Search, pd.DataFrame)
        ]
        assert_frame_equal(table, expected)


def test_results_without_rows_may_lack_columns():
    systems = {**RESULTS, "none": Broken(lambda topics: pd.DataFrame())}
    table, messages = told(lambda: experiment(["map"], systems, strict=False))
    assert "run 'none' is empty: it has no rows" in messages
    assert table["map"].iloc[-1] == 0.0


def test_a_system_that_returns_only_documents_with_the_id_of_their_query_is_empty():
    same = RESULTS["run1"].assign(docno=RESULTS["run1"]["qid"])
    systems = {"run0": RESULTS["run0"], "same": same}
    empty = "run 'same' is empty: it has no rows, documents with the id of their query aside"
    with pytest.raises(InputError, match=f"^{empty} "):
        experiment(["map"], systems, ignore_identical_ids=True)
    _, messages = told(
        lambda: experiment(["map"], systems, ignore_identical_ids=True, strict=False)
    )
    assert empty in messages


def test_a_plan_of_pyterrier_is_its_own():
    first = Search(RESULTS["run0"])
    asked = ({"a": first >> Broken(lambda found: found), "b": first}, TOPICS, QRELS, ["map"])
    table = Experiment(*asked)
    first.asked.clear()
    assert_frame_equal(Experiment(*asked, plan="tree", verbose=False), table)
    assert len(first.asked) == 1


def test_a_frame_is_freed_when_its_rows_are_read():
    frames = []

    class Returned(Search):
        def transform(self, topics):
            found = self.results.copy()
            assert not any(frame() is not None for frame in frames)
            frames.append(weakref.ref(found))
            return found

    systems = {name: Returned(results) for name, results in RESULTS.items()}
    assert_frame_equal(experiment(["map"], systems), experiment(["map"]))


@pytest.mark.parametrize("label", ["float64", "Float64", "Int64", "uint8", object])
def test_grades_are_whole_numbers_of_any_type(label):
    grades = QRELS["label"].clip(lower=0)
    expected = experiment(["map"], qrels=QRELS.assign(label=grades))
    numbers = grades.astype(float) if label is object else grades
    given = QRELS.assign(label=numbers.astype(label))
    assert_frame_equal(experiment(["map"], qrels=given), expected)
    renamed = given.rename(columns={"label": "relevance"})
    assert_frame_equal(experiment(["map"], qrels=renamed), expected)


def test_wrong_results_are_refused_before_any_system_runs():
    first = Search(RESULTS["run0"])
    with pytest.raises(ValueError, match="column 'system' names 2 systems"):
        Experiment([first, of_run1(system=HALF)["run1"]], TOPICS, QRELS, ["map"])
    assert first.asked == []


NO_NUMBER = [np.nan, *RESULTS["run1"]["score"][1:]]

# Results that PyTerrier takes and `evaluate` refuses, and the error.
TAKEN_LENIENTLY = {
    "duplicates": (TWICE, "^run 'a': query 'q.' returns document 'doc.*' more than once"),
    "NaN": (RESULTS["run1"].assign(score=NO_NUMBER), "^run 'a': score is NaN for query 'q0', doc"),
    "missing scores": (
        RESULTS["run1"].assign(score=pd.Series([None, *NO_NUMBER[1:]], dtype=object)),
        "^run 'a'(: score is NaN for query 'q0', doc|, .* must hold numbers; got None)",
    ),
    "other documents": (
        RESULTS["run1"].assign(docno="http://" + RESULTS["run1"]["docno"]),
        "^no run has a judged document, such as run 'a': it returns 'http:.* where the qrels judge",
    ),
    "other queries": (
        RESULTS["run1"].assign(qid="topic" + RESULTS["run1"]["qid"]),
        "^qrels and runs share no query: the qrels have 'q.*, the first run 'topic",
    ),
}


@pytest.mark.parametrize("case", TAKEN_LENIENTLY)
def test_results_are_checked_as_in_evaluate(case):
    found, message = TAKEN_LENIENTLY[case]
    for system in (found, Broken(lambda topics: found)):
        with pytest.raises(ValueError, match=message):
            experiment(["map"], {"a": system})
    with pytest.raises(ValueError, match=message):
        evaluate(QRELS, {"a": found}, "map")


def test_judgments_are_checked_as_in_evaluate():
    with pytest.raises(ValueError, match=r"^qrels: query 'q0' judges document"):
        experiment(["map"], qrels=pd.concat([QRELS, QRELS.head(1)]))


def test_results_of_transformers_of_other_queries_are_told_of():
    other_ids = TAKEN_LENIENTLY["other queries"][0]
    with pytest.warns(EvaluationWarning, match="^run 'b' misses 6 of 6 queries"):
        Experiment([Search(RESULTS["run0"]), other_ids], TOPICS, QRELS, ["map"], ["a", "b"])


# Results that PyTerrier takes and `evaluate` refuses in part; the scores are PyTerrier's.
TAKEN = {
    "one system": RESULTS["run1"].assign(system="bm25", name=np.arange(len(RESULTS["run1"]))),
    "integers": numbered(RESULTS["run1"]).assign(score=np.arange(len(RESULTS["run1"]))),
}


@pytest.mark.parametrize("case", TAKEN)
def test_results_that_pyterrier_takes_have_its_scores(case):
    asked = ([TAKEN[case].copy(), RESULTS["run0"]], TOPICS, QRELS, STOCK, ["a", "b"])
    assert_same_result(Experiment(*asked), pt.Experiment(*asked))


OF_TOOLS = {
    "ir_measures": {"qid": "query_id", "docno": "doc_id", "label": "relevance"},
    "BEIR": {"qid": "query-id", "docno": "corpus-id", "label": "score"},
}


@pytest.mark.parametrize("tool", OF_TOOLS)
def test_columns_have_the_names_of_other_tools(tool):
    names = OF_TOOLS[tool]
    results = {
        name: found.rename(columns=names).assign(docid=range(len(found)))
        for name, found in RESULTS.items()
    }
    table = experiment([OURS], results, qrels=QRELS[[*names]].rename(columns=names))
    assert_same_result(table, experiment([OURS]))


SAME_NAMES = {"AP": "map", "RR": "recip_rank", "nDCG": "ndcg", "precision@5": "P_5"}


TWICE_NAMED = ["nDCG@10", "P_5", "ndcg_cut_10", ir_measures.P @ 5, "map"]


def test_a_measure_has_a_column_by_each_of_its_names():
    columns = ["nDCG@10", "P_5", "ndcg_cut_10", "P@5", "map"]
    same = {"nDCG@10": "ndcg_cut_10", "P_5": "P@5"}
    table = experiment(TWICE_NAMED, baseline=0)
    assert table.columns[1 : len(columns) + 1].tolist() == columns
    for one, another in same.items():
        for what in ("", " +", " -", " p-value"):
            assert table[one + what].equals(table[another + what])
    rows = experiment(TWICE_NAMED, perquery=True)
    assert rows["measure"].tolist() == columns * (len(RESULTS) * len(TOPICS))
    assert rows.index.is_unique
    means = rows.groupby(["name", "measure"])["value"].mean().unstack()
    scores = experiment(TWICE_NAMED, dataframe=False)
    for name, of_system in scores.items():
        assert list(of_system) == columns
        assert means.loc[name][columns].tolist() == pytest.approx([*of_system.values()])
    alone = experiment(["official", "map"]).columns.tolist()
    assert (alone.count("map"), alone.count("AP")) == (1, 0)


def test_names_of_measures_are_those_of_evaluate():
    table = experiment([*SAME_NAMES])
    expected = experiment([*SAME_NAMES.values()])
    assert table.columns.tolist() == ["name", *SAME_NAMES]
    for name, same in SAME_NAMES.items():
        assert table[name].equals(expected[same])
    alone = pt.Experiment(list(RESULTS.values()), TOPICS, QRELS, ["AP"])
    assert alone["AP"].tolist() == table["AP"].tolist()
    for one in ("AP", ir_measures.AP):
        assert experiment(one)["AP"].tolist() == table["AP"].tolist()


def test_lenient_mode_drops_what_evaluate_drops():
    metrics = ["nDCG@10", "NRG(prior=others)@10", "nDCG_UE@10"]
    results = {**RESULTS, "dense": TWICE.assign(text="kept")}
    judged_twice = pd.concat([QRELS, QRELS.head(1).assign(label=0)])
    table, messages = told(lambda: experiment(metrics, results, qrels=judged_twice, strict=False))
    left_out = [message.partition(":")[0] for message in messages if "left out" in message]
    assert left_out == ["qrels", "run 'dense'"]
    matrix, _ = told(lambda: evaluate(judged_twice, results, metrics, strict=False))
    assert_same_means(table, matrix.means().set_axis(metrics, axis=1))


def test_answers_are_scored_by_pyterrier_alone():
    """By measures that need more columns of results and qrels, such as those of pyterrier_rag."""
    answers = pd.DataFrame({"qid": TOPICS["qid"], "qanswer": [*"abcabc"]})
    is_gold = ir_measures.define_byquery(
        lambda qrels, run: float(run["qanswer"].iloc[0] == qrels["gold"].iloc[0]),
        name="is_gold", run_inputs=["qanswer"], qrel_inputs=["gold"],
    )  # fmt: skip
    qrels = QRELS.assign(gold="a")
    asked = ([answers, answers.head(5)], TOPICS, qrels, [is_gold], ["rag", "short"])
    one = Experiment(*asked, baseline=0)
    assert one["is_gold"][0] == 2 / 6
    assert_same_result(one, pt.Experiment(*asked, baseline=0))
    for more, baseline in (([OURS], None), ([], [0])):
        with pytest.raises(InputError, match="only PyTerrier knows `is_gold`"):
            Experiment(*asked[:3], [is_gold, *more], ["rag", "short"], baseline=baseline)


@pytest.mark.parametrize("form", [Search, pd.DataFrame])
def test_doubts_about_scores_name_their_system(form):
    short = RESULTS["run1"][RESULTS["run1"]["qid"] == "q1"]
    systems = {"run0": RESULTS["run0"], "short": form(short)}
    _, messages = told(lambda: experiment(["map"], systems, baseline=0))
    missing = [message for message in messages if "misses 5" in message]
    assert missing == ["run 'short' misses 5 of 6 queries ('q0', 'q2', 'q3', ...)"]


def test_ranks_that_contradict_scores_name_their_system():
    contradicted = "has ranks that contradict its scores"
    turned = RESULTS["run1"].assign(rank=-RESULTS["run1"]["rank"] + 100)
    systems = {"run0": RESULTS["run0"], "turned": Search(turned)}
    _, messages = told(lambda: experiment([OURS], systems))
    doubts = [message for message in messages if contradicted in message]
    assert [doubt.partition(contradicted)[0] for doubt in doubts] == ["run 'turned' "]
    run = turned.rename(columns={"qid": "query_id", "docno": "doc_id"})
    _, messages = told(lambda: ir_measures.calc_aggregate([NRG @ 10], CAMPAIGN.qrels, run))
    assert [contradicted in message for message in messages].count(True) == 1


ASKED = ["P@1", OURS, "ndcg_cut_5", "nDCG_UE@5", "AP_UE", "nDCGBound@3", "map"]


def test_measures_come_in_the_order_asked_for():
    columns = ["name", *ASKED, "mrt"]
    tests = [f"{measure} {what}" for measure in ASKED for what in ("+", "-", "p-value")]
    assert [*experiment(columns[1:])] == columns
    assert [*experiment(columns[1:], baseline=0)] == [*columns, *tests]
    assert [*experiment(columns[1:], dataframe=False)["run0"]] == columns[1:]
    rows = experiment(ASKED, perquery=True)
    assert rows["measure"].tolist() == ASKED * (len(RESULTS) * len(TOPICS))


# Files


def test_results_of_other_measures_are_saved_and_reused_by_pyterrier(tmp_path, systems):
    asked = (systems, TOPICS, QRELS, ["ndcg_cut_10", "map"])
    table = Experiment(*asked, save_dir=str(tmp_path))
    again = Experiment(*asked, save_dir=str(tmp_path), save_mode="reuse")
    assert_frame_equal(again, table)
    assert [len(system.asked) for system in systems.values()] == [1] * len(systems)


# Queries without qrels, and qrels without queries


def test_qrels_of_other_queries_are_left_out(systems):
    asked, topics = TOPICS["qid"].tolist()[1:4], TOPICS.iloc[1:4]
    table = experiment(list(MEASURES.values()), topics=topics)
    assert_same_means(table, means(qrels={query: CAMPAIGN.qrels[query] for query in asked}))
    table = experiment([OURS], systems, topics, filter_by_topics=False)  # they count on demand
    runs = {
        name: {query: run[query] for query in asked if query in run}
        for name, run in CAMPAIGN.runs.items()
    }
    assert_same_means(table, evaluate(CAMPAIGN.qrels, runs, OURS).means())


def test_topics_without_qrels_are_not_run_on_demand(systems):
    qrels = QRELS[QRELS["qid"] != "q2"]
    measures = list(MEASURES.values())
    table = Experiment(systems, TOPICS, qrels, measures, filter_by_qrels=True)
    asked = [query for query in TOPICS["qid"] if query != "q2"]
    assert [system.asked for system in systems.values()] == [[asked]] * len(systems)
    assert_same_means(table, means(qrels={query: CAMPAIGN.qrels[query] for query in asked}))


@pytest.mark.parametrize("batch_size", [None, 1])
def test_topics_without_qrels_have_no_score(batch_size):
    qrels = QRELS[QRELS["qid"] != "q2"]
    asked = [RESULTS["run0"], RESULTS["run1"]]
    systems = [Search(results) for results in asked]
    table = experiment([OURS], systems, qrels=qrels, batch_size=batch_size)
    expected = experiment([OURS], asked, TOPICS[TOPICS["qid"] != "q2"])
    assert table[OURS].tolist() == expected[OURS].tolist()
    with pytest.warns(UserWarning, match=r"1 topic\(s\) not found in qrels") as warned:
        by_query = experiment([OURS], systems, qrels=qrels, perquery=True)
    messages = [str(each.message) for each in warned]
    assert sum("not found in qrels" in each for each in messages) == 1
    assert sum("mostly equal scores" in each for each in messages) == 1
    assert sum(each.startswith(UNEVEN) for each in messages) == 1
    assert len(messages) == 3
    assert by_query["value"].isna().tolist() == (by_query["qid"] == "q2").tolist()
    with pytest.warns(UserWarning, match=r"1 topic\(s\) not found in qrels"):
        means, rows = experiment([OURS], systems, qrels=qrels, perquery="both")
    assert_frame_equal(rows, by_query)
    assert means[OURS].tolist() == table[OURS].tolist()


def test_others_are_forgotten_when_the_experiment_ends(systems):
    experiment([OURS], systems)
    with pytest.raises(ValueError, match="'others'"):
        ir_measures.calc_aggregate([NRG(prior="others")], CAMPAIGN.qrels, CAMPAIGN.runs["run0"])


OF_BM25 = "NRG(prior=run1)@10"
COMPARED = ("+", "-", "p-value", "p-value corrected")


def per_query(measure, name):
    scores = evaluate(CAMPAIGN.qrels, CAMPAIGN.runs, measure)
    return scores.scores[0, scores.systems.index(name)]


# A system without a score of the measure


@pytest.mark.parametrize("baseline", ["run1", [1, "run1"]])
def test_comparisons_with_a_baseline_without_a_score_are_nan(baseline):
    table, messages = told(
        lambda: experiment([OF_BM25, "map"], baseline=baseline, correction="holm")
    )
    of_data = "misses", "mostly equal scores"
    assert [each for each in messages if not any(text in each for text in of_data)] == [
        f"{OF_BM25} of run 'run1': it is its own only prior, so it has no score",
        f"not tested: 'run1' has no score on {OF_BM25}",
    ]
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
    table = experiment([OF_BM25], baseline=baseline, correction=correction)
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
    table = experiment(measures, baseline=baselines).set_index("name")
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
    told = "mean nothing; irx_measures.Experiment and evaluate have NaN$"
    with scope(CAMPAIGN.runs), pytest.warns(EvaluationWarning, match=told) as caught:
        pt.Experiment(results, TOPICS, QRELS, [OF_BM25], baseline=1)
    with scope(CAMPAIGN.runs), pytest.warns(EvaluationWarning, match=told) as alone:
        ir_measures.calc_aggregate([parse_measure(OF_BM25)], QRELS, results[1])
    lines = {warning.filename for warning in [*caught, *alone]}
    assert lines == {__file__}  # and no line of the hosts, which call the package


# Systems and tables of scores at the doors of runs and scores


PIPELINE = pt.Transformer.from_df(RESULTS["run0"])
AT_DOORS = {
    "evaluate": lambda system: evaluate(QRELS, system, "AP"),
    "of runs": lambda system: irx_measures.compare(QRELS, {"a": system, "b": system}, "AP"),
    "compare": lambda system: irx_measures.compare(QRELS, [system, system], "AP"),
    "explain": lambda system: irx_measures.explain(QRELS, system, "AP"),
    "scope": lambda system: scope(system).__enter__(),
    "register_runs": lambda system: irx_measures.register_runs("bm25", {"a": system}),
    "prior": lambda system: NRG(prior=system),
    "of priors": lambda system: NRG(prior={"a": system}),
    "ir_measures": lambda system: ir_measures.calc_aggregate([NRG @ 5], QRELS, system),
}


@pytest.mark.parametrize("system", [PIPELINE, PIPELINE >> PIPELINE], ids=["alone", "pipeline"])
@pytest.mark.parametrize("door", AT_DOORS)
def test_where_runs_are_wanted_a_transformer_is_to_be_called(door, system):
    kind = type(system).__name__
    message = rf"got {kind} \(a transformer has .*: transformer\(topics\)\)$"
    with pytest.raises((TypeError, ValueError), match=message):
        AT_DOORS[door](system)


def test_a_transformer_is_no_qrels_when_it_is_called_either():
    with pytest.raises(TypeError, match=r"^qrels must be .* got SourceTransformer$"):
        evaluate(PIPELINE, RESULTS, "AP")


@pytest.mark.parametrize(
    ("perquery", "message"),
    [
        (False, r"a table of means cannot be compared: Experiment\(\.\.\., perquery=True\) gives"),
        (True, r"a table of scores is compared by ScoreMatrix\.from_frame\(table\)\.compare"),
    ],
)
def test_a_table_of_an_experiment_is_no_run(perquery, message):
    table = experiment(["map"], perquery=perquery)
    for given in ((QRELS, table), (table, RESULTS)):
        with pytest.raises(ValueError, match=message):
            irx_measures.compare(*given, ["AP"])
    if not perquery:
        with pytest.raises(ValueError, match=message):
            irx_measures.ScoreMatrix.from_frame(table)


# Several baselines


@pytest.mark.parametrize("baseline", [1, "run1", ["run1"]])
def test_a_test_that_pyterrier_lacks_is_that_of_compare(baseline):
    table = experiment(["map"], baseline=baseline, test="moderated-t", correction="holm")
    matrix = irx_measures.evaluate(CAMPAIGN.qrels, CAMPAIGN.runs, ["AP"])
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
    table = experiment(["map", *ours], baseline=["run3", "run1"], **how).set_index("name")
    expected = evaluate(CAMPAIGN.qrels, CAMPAIGN.runs, "AP").compare(
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
    assert named["map"].tolist() == [round(value, 2) for value in experiment(["map"])["map"]]


# In the place of PyTerrier's own


@pytest.mark.parametrize("arguments", [{}, {"highlight": "bold"}], ids=str)
def test_it_can_replace_pyterriers_experiment(monkeypatch, arguments):
    expected = pt.Experiment(RESULTS, TOPICS, QRELS, STOCK, **arguments)
    monkeypatch.setattr(pt, "Experiment", irx_measures.Experiment)
    table = pt.Experiment(RESULTS, TOPICS, QRELS, STOCK, **arguments)
    assert_same_result(getattr(table, "data", table), getattr(expected, "data", expected))


# PyTerrier finds the package by itself

FOUND = """
import pyterrier as pt, sys
assert {"irx_measures", "pyterrier.measures"} <= set(sys.modules)
assert not {"irx_measures.integrations.pyterrier", "irx_measures.scoring"} & set(sys.modules)
import irx_measures, pandas as pd
qrels = pd.DataFrame({"qid": ["q", "q"], "docno": ["A", "B"], "label": [1, 0]})
results = pd.DataFrame({"qid": ["q", "q"], "docno": ["A", "B"], "score": [2.0, 1.0]})
topics = pd.DataFrame({"qid": ["q"], "query": ["words"]})
asked = ({"a": results, "b": results.tail(1)}, topics, qrels)
pt.Experiment = irx_measures.Experiment  # before PyTerrier has loaded its own
for measure in ("P@1", "UniqueRel(prior=others)@5"):
    print(*pt.Experiment(*asked, [measure])[measure])
pt.Experiment = sys.modules["pyterrier._evaluation"].Experiment
from pyterrier.measures import NRG, UniqueRel, nDCG
print(*pt.Experiment([results], topics, qrels, ["nDCG_UE@10"]).iloc[0, 1:])
print(*pt.irx.Experiment(*asked, [UniqueRel(prior="others") @ 5])["UniqueRel(prior=others)@5"])
print(pt.measures.NRG is pt.irx.NRG is NRG, "irx" in pt.__all__)
"""


def installed(folder):
    """A folder that holds what installing the package tells Python about its entry points."""
    toml = pytest.importorskip("tomllib", reason="Python 3.10 has no reader of TOML")
    project = toml.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    information = folder / "irx_measures-0.dist-info"
    information.mkdir()
    (information / "METADATA").write_text("Metadata-Version: 2.1\nName: irx-measures\nVersion: 0")
    lines = [
        line
        for group, names in project["entry-points"].items()
        for line in [f"[{group}]", *(f"{name} = {module}" for name, module in names.items())]
    ]
    (information / "entry_points.txt").write_text("\n".join(lines))
    return folder


@pytest.mark.slow
def test_importing_pyterrier_brings_the_measures_and_its_experiment_can_be_replaced(tmp_path):
    path = os.pathsep.join(map(str, (installed(tmp_path), ROOT)))
    environment = {**os.environ, "PYTHONPATH": path}
    done = python("-W", "error", *IGNORED, "-c", FOUND, env=environment)
    assert done.returncode == 0, done.stderr
    assert done.stdout.split() == [*["1.0", "0.0"] * 2, "1.0", *["1.0", "0.0"], *["True", "True"]]
