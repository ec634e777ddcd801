"""Experiment, and PyTerrier's own Experiment, with measures that compare systems."""

import os
import pickle
import subprocess
import sys
from pathlib import Path
from time import sleep

import ir_measures
import numpy as np
import pandas as pd
import pytest
from pandas.testing import assert_frame_equal

import irx_measures
from irx_measures import NRG, Experiment, P_Rareness, evaluate, others, scope
from irx_measures.integrations.ir_measures import SYSTEM
from tests.campaigns import random_campaign
from tests.doubts import MISSED_QUERIES, NO_PRIOR, NO_SYSTEMS, OWN_PRIOR

pytestmark = [MISSED_QUERIES, NO_PRIOR, OWN_PRIOR, NO_SYSTEMS]

pt = pytest.importorskip("pyterrier")

ROOT = Path(__file__).resolve().parents[2]

# In the source of cwl-eval, which ir_measures imports where it is installed.
IGNORED = ["-W", "ignore:invalid escape sequence"]

CAMPAIGN = random_campaign(5, ties=True, queries=6, systems=4)
GROUPS = {"run0": "X", "run1": "X", "run2": "Y", "run3": "Z"}
TOPICS = pd.DataFrame({"qid": list(CAMPAIGN.qrels), "query": "words"})
QRELS = pd.DataFrame(
    [
        (query, doc, grade)
        for query, grades in CAMPAIGN.qrels.items()
        for doc, grade in grades.items()
    ],
    columns=["qid", "docno", "label"],
)

# Measures as users give them, by the name of their column.
MEASURES = {
    "NRG(prior=others, base=RR)@5": "NRG(prior=others, base=RR)@5",
    "NRG(prior=others)@10": NRG(prior=others) @ 10,
    "P_Rareness(systems=others)@5": P_Rareness(systems="others") @ 5,
    "P(rel=2)@5": ir_measures.P(rel=2) @ 5,
    "nDCG@10": "nDCG@10",
    "map": "map",
    "num_rel": "num_rel",
}
IN_EVALUATE = {"map": "AP", "num_rel": "NumRel"}
STOCK = ["map", "ndcg_cut_10", ir_measures.P @ 5]


def frame(run):
    rows = [
        (query, doc, score, rank)
        for query, scored in run.items()
        for rank, (doc, score) in enumerate(sorted(scored.items(), key=lambda item: -item[1]))
    ]
    return pd.DataFrame(rows, columns=["qid", "docno", "score", "rank"])


RESULTS = {name: frame(run) for name, run in CAMPAIGN.runs.items()}


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


class Opaque(Search):
    """A system that PyTerrier cannot inspect."""

    def transform(self, topics):
        if not len(topics):
            raise RuntimeError("no topics")
        return super().transform(topics)


@pytest.fixture
def systems():
    return {name: Search(results, name) for name, results in RESULTS.items()}


def means(measures=MEASURES, qrels=CAMPAIGN.qrels, groups=None):
    """Means by evaluate(), systems x measures, with the column names of Experiment."""
    matrix = evaluate(CAMPAIGN.runs, qrels, [IN_EVALUATE.get(m, m) for m in measures], groups)
    return matrix.means().set_axis(list(measures), axis=1)


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
        assert result == expected


# The same scores, however the systems come


def test_stock_experiments_are_the_same_with_the_kernels():
    run = pd.DataFrame(
        [(q, d, s) for q, docs in CAMPAIGN.runs["run0"].items() for d, s in docs.items()],
        columns=["qid", "docno", "score"],
    )
    measures = [
        "map",
        "ndcg_cut_10",
        "recip_rank",
        ir_measures.P(rel=2) @ 5,
        ir_measures.Judged @ 5,
    ]

    def scores(**options):
        return pt.Experiment(
            [run, run.sample(frac=0.5, random_state=1)], TOPICS, QRELS, measures, **options
        )

    expected, by_query = scores(), scores(perquery=True)
    with irx_measures.accelerate():
        assert ir_measures.DefaultPipeline.providers[0].NAME == "irx_measures.accelerate"
        assert_frame_equal(scores(), expected, check_exact=True, check_like=True)
        order = ["name", "qid", "measure"]
        fast, slow = (
            frame.sort_values(order, ignore_index=True)
            for frame in (scores(perquery=True), by_query)
        )
        assert_frame_equal(fast, slow, check_exact=True)


def test_dataframes_score_as_in_evaluate():
    table = Experiment(list(RESULTS.values()), TOPICS, QRELS, list(MEASURES.values()), [*RESULTS])
    assert_same_means(table, means())


@pytest.mark.parametrize("ours", [[], ["NRG(prior=others)@10"]])
def test_measures_of_gdeval_score_as_in_evaluate_for_any_query_ids(ours):
    asked = ["map", "ERR@10", "nDCG(dcg='exp-log2')@10", *ours]
    table = Experiment(list(RESULTS.values()), TOPICS, QRELS, asked, [*RESULTS])
    assert_same_means(table, means(asked))


def test_a_dict_of_transformers_scores_as_in_evaluate(systems):
    assert_same_means(Experiment(systems, TOPICS, QRELS, list(MEASURES.values())), means())


def test_transformers_and_dataframes_mix(systems):
    mixed = [
        RESULTS["run0"],
        pt.Transformer.from_df(RESULTS["run1"]),
        systems["run2"],
        systems["run3"] >> pt.Transformer.identity(),
    ]
    table = Experiment(mixed, TOPICS, QRELS, list(MEASURES.values()), names=list(RESULTS))
    assert_same_means(table, means())


def test_a_system_without_a_name_is_called_as_it_prints(systems):
    table = Experiment(list(systems.values()), TOPICS, QRELS, list(MEASURES.values()))
    assert_same_means(table, means())


def test_a_measure_as_object_scores_as_its_string():
    text, measure = (
        "NRG(prior=others, base=RBP, phi=0.5)@10",
        NRG(prior=others, base="RBP", phi=0.5),
    )
    as_text = Experiment(RESULTS, TOPICS, QRELS, [text])
    as_object = Experiment(RESULTS, TOPICS, QRELS, [measure @ 10])
    assert as_object.columns.tolist() == ["name", "NRG(prior=others,base=RBP,phi=0.5)@10"]
    assert as_text.columns.tolist() == ["name", text]
    assert as_text[text].tolist() == as_object.iloc[:, 1].tolist()
    assert as_text[text].nunique() == len(RESULTS)


def numbered(table):
    """A table with integers as ids of documents."""
    return table.assign(docno=table["docno"].str.removeprefix("doc").astype(int))


@pytest.mark.parametrize("measure", ["map", "UniqueRel@5"])
def test_ids_of_results_may_be_integers_as_in_pyterrier(measure):
    qrels = QRELS.assign(docno=QRELS["docno"].str.removeprefix("doc"))
    expected = Experiment(RESULTS, TOPICS, QRELS, [measure])
    for experiment in (Experiment, pt.Experiment):
        numbers = {name: numbered(results) for name, results in RESULTS.items()}
        systems = {**numbers, "run1": Search(numbers["run1"])}
        assert_frame_equal(experiment(systems, TOPICS, qrels, [measure]), expected)


def test_integer_ids_of_results_stay_with_the_user():
    numbers = {name: numbered(results) for name, results in RESULTS.items()}
    qrels = QRELS.assign(docno=QRELS["docno"].str.removeprefix("doc"))
    table = Experiment(numbers, TOPICS, qrels, ["UniqueRel(prior=others)@5"])
    assert_frame_equal(table, Experiment(RESULTS, TOPICS, QRELS, ["UniqueRel(prior=others)@5"]))
    assert numbers["run0"]["docno"].dtype == np.dtype(int)


@pytest.mark.parametrize(
    ("measure", "message"),
    [
        ("map", "Expected mapping of document id to query relevance"),  # by pytrec_eval
        ("UniqueRel@5", r"qrels: column '(docno|doc_id)' must hold strings; got int \(use .astype"),
    ],
)
@pytest.mark.parametrize("experiment", [Experiment, pt.Experiment])
def test_integer_ids_of_qrels_are_refused_as_by_pyterrier(experiment, measure, message):
    with pytest.raises(TypeError, match=message):
        experiment(RESULTS, TOPICS, numbered(QRELS), [measure])


@pytest.mark.parametrize("baseline", [None, 0, ["run0", "run1"]])
@pytest.mark.parametrize("measures", [["map"], ["map", "NRG(prior=others)@5"]])
def test_it_may_take_the_place_of_pt_experiment(monkeypatch, measures, baseline):
    asked = list(RESULTS.values()), TOPICS, QRELS, measures, list(RESULTS)
    expected = Experiment(*asked, baseline=baseline)
    monkeypatch.setattr(pt, "Experiment", Experiment)
    assert_frame_equal(pt.Experiment(*asked, baseline=baseline), expected)


def test_qrels_may_be_a_file(tmp_path, systems):
    rows = QRELS.assign(Q0=0)[["qid", "Q0", "docno", "label"]]
    rows.to_csv(tmp_path / "qrels", sep=" ", header=False, index=False)
    measures = ["NRG(prior=others)@10"]
    table = Experiment(systems, TOPICS, str(tmp_path / "qrels"), measures)
    assert_frame_equal(table, Experiment(RESULTS, TOPICS, QRELS, measures))


# Every system runs once


def test_every_transformer_runs_once_over_the_topics(systems):
    Experiment(systems, TOPICS, QRELS, list(MEASURES.values()))
    queries = TOPICS["qid"].tolist()
    assert [system.asked for system in systems.values()] == [[queries]] * len(systems)


def test_every_transformer_runs_once_per_batch(systems):
    Experiment(systems, TOPICS, QRELS, list(MEASURES.values()), batch_size=4)
    queries = TOPICS["qid"].tolist()
    batches = [queries[:4], queries[4:]]
    assert [system.asked for system in systems.values()] == [batches] * len(systems)


@pytest.mark.slow
@pytest.mark.parametrize("batch_size", [2, 4, 100])
@pytest.mark.parametrize("plan", ["linear", "tree"])
def test_batches_and_plan_leave_scores_alone(systems, batch_size, plan):
    best = "NRG(prior=others, select=best-per-group)@10"
    measures = {**MEASURES, best: best}
    table = Experiment(
        systems,
        TOPICS,
        QRELS,
        list(measures.values()),
        groups=GROUPS,
        batch_size=batch_size,
        plan=plan,
        verbose=False,
    )
    assert_same_means(table, means(measures, groups=GROUPS))


def test_plan_tree_runs_a_shared_prefix_once(systems):
    first = systems["run0"]
    top = pt.apply.generic(lambda results: results[results["rank"] < 3])
    measure = "UniqueRel(prior=others)@10"
    shared = {"all": first, "top": first >> top, "again": first >> pt.Transformer.identity()}
    table = Experiment(shared, TOPICS, QRELS, [measure], plan="tree", verbose=False)
    assert first.asked == [TOPICS["qid"].tolist()]
    assert table[measure].tolist() == [0.0, 0.0, 0.0]


def test_a_wrong_argument_is_refused_before_any_system_runs(systems, tmp_path):
    wrong = [
        (["NRG(prior=others)@10"], {"unheard_of": 1}, TypeError, "unheard_of"),
        (["NRG(prior=others)@10"], {"save_dir": str(tmp_path / "none")}, ValueError, "not exist"),
        (["NRG(prior=others)@10"], {"correction": "holm"}, ValueError, "no baseline"),
        (["NRX(prior=others)@10"], {}, NameError, "did you mean NRG"),
        (["NRG(prior=others, base=P)"], {}, ValueError, "needs a cutoff"),
    ]
    for measures, arguments, error, message in wrong:
        with pytest.raises(error, match=message):
            Experiment(systems, TOPICS, QRELS, measures, **arguments)
    assert [system.asked for system in systems.values()] == [[]] * len(systems)


# Names and groups


@pytest.mark.parametrize(
    "names", [["same", "same", "1: same", "same"], ["", "", "2", "3"], [1, 2, 3, 4]]
)
def test_names_may_repeat_and_be_anything_that_prints(names):
    measures = list(MEASURES.values())
    table = Experiment(list(RESULTS.values()), TOPICS, QRELS, measures, names=names)
    assert_same_means(table, means().set_axis(names))


def test_a_duplicate_system_is_an_other():
    twice = {**RESULTS, "copy": RESULTS["run0"]}
    measure = "UniqueRel(prior=others)@5"
    table = Experiment(twice, TOPICS, QRELS, [measure]).set_index("name")[measure]
    expected = evaluate({**CAMPAIGN.runs, "copy": CAMPAIGN.runs["run0"]}, CAMPAIGN.qrels, measure)
    assert table.to_dict() == expected.means()[str(expected.measures[0])].to_dict()
    assert table["run0"] == table["copy"] == 0.0 < table["run1"]


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


def test_groups_must_name_every_system():
    with pytest.raises(ValueError, match="must name every system; missing \\['run3'\\]"):
        Experiment(RESULTS, TOPICS, QRELS, ["map"], groups=dict(list(GROUPS.items())[:3]))


@pytest.mark.parametrize(
    ("wrong", "error", "message"),
    [
        ({"retr_systems": RESULTS["run0"]}, TypeError, "list or dict of transformers"),
        ({"retr_systems": [RESULTS["run0"], len]}, TypeError, "got builtin_function_or_method"),
        ({"names": ["one"]}, ValueError, "one name per system \\(4\\); got 1"),
        ({"baseline": "run9"}, ValueError, "`baseline` must be one of .*; got 'run9'"),
    ],
)
def test_systems_that_do_not_fit_are_refused(wrong, error, message):
    arguments = {"retr_systems": list(RESULTS.values()), "names": list(RESULTS), **wrong}
    with pytest.raises(error, match=message):
        Experiment(topics=TOPICS, qrels=QRELS, eval_metrics=["map", "NRG@10"], **arguments)


# The result is PyTerrier's


@pytest.mark.slow
@pytest.mark.parametrize(
    "arguments",
    [
        {},
        {"baseline": 1},
        {"baseline": 2, "correction": "holm"},
        {"perquery": True},
        {"perquery": "both"},
        {"round": 2},
        {"round": {"map": 1, "NRG(prior=others)@10": 2}},
        {"round": 1, "perquery": True},
        {"dataframe": False},
        {"dataframe": False, "perquery": True},
        {"dataframe": False, "perquery": "both"},
    ],
    ids=str,
)
def test_the_result_is_that_of_pyterrier_in_scope(arguments):
    asked = (list(RESULTS.values()), TOPICS, QRELS, list(MEASURES.values()), list(RESULTS))
    with scope(RESULTS):
        expected = pt.Experiment(*asked, **arguments)
    assert_same_result(Experiment(*asked, **arguments), expected)


@pytest.mark.parametrize("arguments", [{}, {"baseline": 0}, {"perquery": True}], ids=str)
def test_the_result_for_stock_measures_is_pyterriers(systems, arguments):
    asked = (list(systems.values()), TOPICS, QRELS, STOCK)
    assert_same_result(Experiment(*asked, **arguments), pt.Experiment(*asked, **arguments))


@pytest.mark.slow
def test_a_baseline_may_be_named():
    arguments = {"names": list(RESULTS), "correction": "holm"}
    asked = (list(RESULTS.values()), TOPICS, QRELS, ["NRG(prior=others)@10", "map"])
    by_place = Experiment(*asked, baseline=2, **arguments)
    assert_frame_equal(Experiment(*asked, baseline="run2", **arguments), by_place)
    in_dict = Experiment(RESULTS, *asked[1:], baseline="run2", correction="holm")
    assert_frame_equal(in_dict, by_place)
    for column in ("+", "-", "p-value", "reject", "p-value corrected"):
        assert f"NRG(prior=others)@10 {column}" in by_place.columns
    assert by_place["NRG(prior=others)@10 p-value"].isna().tolist() == [False, False, True, False]


@pytest.mark.parametrize(
    ("highlight", "mark"), [("bold", "font-weight: bold"), ("color", "lightgreen")]
)
def test_the_best_score_is_highlighted(highlight, mark):
    measure = "NRG(prior=others)@10"
    styled = Experiment(RESULTS, TOPICS, QRELS, [measure, "mrt"], highlight=highlight)
    assert_same_means(styled.data.drop(columns="mrt"), means({measure: measure}))
    assert mark in styled.to_html()


# Time


@pytest.mark.slow
def test_mrt_is_the_time_of_retrieval():
    systems = {
        "slow": Search(RESULTS["run0"], seconds=1.0),
        "quick": Search(RESULTS["run1"]),
        "done": RESULTS["run2"],
    }
    measures = ["NRG(prior=others)@10", "mrt"]
    mrt = Experiment(systems, TOPICS, QRELS, measures).set_index("name")["mrt"]
    assert mrt["slow"] >= 1000 / len(TOPICS)
    assert mrt["slow"] > mrt["quick"] > mrt["done"] == 0.0


def test_mrt_adds_up_over_batches():
    slow = Search(RESULTS["run0"], seconds=0.05)
    mrt = Experiment([slow], TOPICS, QRELS, ["map", "mrt"], batch_size=2)["mrt"]
    assert len(slow.asked) == 3
    assert mrt.item() >= 150 / len(TOPICS)


@pytest.mark.slow
def test_mrt_takes_every_form_of_the_result():
    systems = {"slow": Search(RESULTS["run0"], seconds=0.05), "run1": RESULTS["run1"]}
    asked = (systems, TOPICS, QRELS, ["NRG(prior=others)@10", "mrt"])
    assert Experiment(*asked, dataframe=False)["slow"]["mrt"] >= 50 / len(TOPICS)
    rounded = Experiment(*asked, round={"mrt": 1})["mrt"]
    assert rounded.tolist() == [round(time, 1) for time in rounded]
    with_baseline = Experiment(*asked, baseline=0)
    assert with_baseline["mrt"][0] >= 50 / len(TOPICS)
    for perquery in (True, "both"):
        for dataframe in (True, False):
            result = Experiment(*asked, perquery=perquery, dataframe=dataframe)
            with scope(RESULTS):
                expected = pt.Experiment(*asked, perquery=perquery, dataframe=dataframe)
            assert type(result) is type(expected)
            assert "mrt" not in str(result)


@pytest.mark.parametrize("measures", [["map", "mrt"], ["NRG(prior=others)@10", "mrt", "map"]])
def test_the_saved_mrt_is_that_of_the_table(tmp_path, measures):
    systems = {"slow": Search(RESULTS["run0"], seconds=0.05), "run1": Search(RESULTS["run1"])}
    earlier = Search(RESULTS["run2"], "earlier")
    Experiment([earlier], TOPICS, QRELS, measures, save_dir=str(tmp_path))
    first = pd.read_csv(tmp_path / "aggregated.csv")
    table = Experiment(systems, TOPICS, QRELS, measures, save_dir=str(tmp_path), round={"mrt": 3})
    assert table["mrt"][0] >= 50 / len(TOPICS)
    saved = pd.read_csv(tmp_path / "aggregated.csv")
    np.testing.assert_allclose(saved["mrt"][:2], table["mrt"], rtol=1e-12)
    assert_frame_equal(saved.iloc[2:].reset_index(drop=True), first)
    assert saved["name"].tolist() == ["slow", "run1", "earlier"]


# Every call of pt.Experiment; the order of the measures


@pytest.mark.parametrize("plan", ["linear", "tree"])
def test_answers_without_documents_are_scored(plan):
    answers = pd.DataFrame({"qid": TOPICS["qid"], "qanswer": [*"abcabc"]})
    length = ir_measures.define_byquery(
        lambda qrels, run: float(run["qanswer"].iloc[0] == "a"), name="is_a", run_inputs=["qanswer"]
    )
    asked = ([answers, answers.head(5)], TOPICS, QRELS, [length], ["rag", "short"])
    arguments = {"plan": plan, "verbose": False}
    assert_same_result(Experiment(*asked, **arguments), pt.Experiment(*asked, **arguments))


@pytest.mark.parametrize(
    "results",
    [
        pd.concat([RESULTS["run0"], RESULTS["run0"].head(3).assign(score=-1.0)]),
        RESULTS["run0"].assign(score=[float("nan"), *RESULTS["run0"]["score"][1:]]),
        RESULTS["run0"].drop(columns="rank"),
    ],
    ids=["documents returned twice", "NaN scores", "no ranks"],
)
def test_results_that_pyterrier_accepts_are_scored_as_pyterrier_scores_them(results):
    custom = ir_measures.define(lambda qrels, run: [("q1", float(len(run)))], name="rows")
    for metrics in (STOCK, [custom, *STOCK], ["official"]):
        asked = ({"odd": results, "run1": RESULTS["run1"]}, TOPICS, QRELS, metrics)
        assert_same_result(Experiment(*asked), pt.Experiment(*asked))


@pytest.mark.parametrize("metrics", [STOCK, ["NRG(prior=others)@10", "map"]])
def test_arguments_by_position_are_pyterriers(systems, metrics):
    by_position = Experiment(systems, TOPICS, QRELS, metrics, None, True, False, 4)
    by_name = Experiment(
        systems, TOPICS, QRELS, metrics, perquery=True, dataframe=False, batch_size=4
    )
    assert by_position == by_name
    assert list(by_position) == [0, 1, 2, 3]
    with pytest.raises(TypeError, match="too many positional"):
        Experiment(systems, TOPICS, QRELS, metrics, *[None] * 30)


INVALID = {
    "twice": pd.concat([RESULTS["run1"], RESULTS["run1"].head(2)]),
    "NaN": RESULTS["run1"].assign(score=[float("nan"), *RESULTS["run1"]["score"][1:]]),
}


@pytest.mark.parametrize("metric", ["NRG(prior=others)@10", "nDCG_UE@10"])
@pytest.mark.parametrize("of", ["frames", "transformers"])
@pytest.mark.parametrize("invalid", INVALID)
def test_results_that_our_measures_refuse_name_their_system(metric, of, invalid):
    systems = {**RESULTS, "dense": INVALID[invalid]}
    if of == "transformers":
        systems = {name: Search(results, name) for name, results in systems.items()}
    with pytest.raises(ValueError, match=r"^run 'dense': "):
        Experiment(systems, TOPICS, QRELS, ["map", metric])


@pytest.mark.parametrize("arguments", [{}, {"plan": "tree", "verbose": False}], ids=str)
def test_doubts_about_scores_name_their_system(arguments):
    short = RESULTS["run1"][RESULTS["run1"]["qid"] == "q1"]
    systems = {"run0": RESULTS["run0"], "short": Search(short)}
    with pytest.warns(irx_measures.EvaluationWarning) as warned:
        Experiment(systems, TOPICS, QRELS, ["NRG(prior=others)@10"], **arguments)
    missing = [str(warning.message) for warning in warned if "misses 5" in str(warning.message)]
    assert missing == ["run 'short' misses 5 of 6 queries ('q0', 'q2', 'q3', ...)"]
    assert SYSTEM not in short.attrs
    assert SYSTEM not in systems["run0"].attrs


def test_documents_that_our_measures_miss_name_their_system():
    answers = pd.DataFrame({"qid": TOPICS["qid"], "qanswer": "a"})
    systems = {"rag": answers, "run0": RESULTS["run0"]}
    with pytest.raises(ValueError, match=r"^run 'rag' DataFrame needs a column .* or 'docno'; got"):
        Experiment(systems, TOPICS, QRELS, ["nDCG_UE@10"], validate="ignore")


@pytest.mark.parametrize("invalid", INVALID)
def test_lenient_mode_drops_what_evaluate_drops(invalid):
    metrics = ["nDCG@10", "NRG(prior=others)@10", "nDCG_UE@10"]
    results = {**RESULTS, "dense": INVALID[invalid].assign(text="kept")}
    judged_twice = pd.concat([QRELS, QRELS.head(1).assign(label=0)])
    with pytest.warns(irx_measures.EvaluationWarning, match="left out") as warned:
        table = Experiment(results, TOPICS, judged_twice, metrics, strict=False)
    left_out = [str(warning.message) for warning in warned if "left out" in str(warning.message)]
    assert [message.partition(":")[0] for message in left_out] == ["qrels", "run 'dense'"]
    with pytest.warns(irx_measures.EvaluationWarning, match="left out"):
        expected = evaluate(results, judged_twice, metrics, strict=False).means()
    assert_same_means(table, expected.set_axis(metrics, axis=1))


def test_ids_of_qrels_are_told_by_the_users_columns():
    qrels = QRELS.assign(docno=[1.5, *QRELS["docno"][1:]])
    with pytest.raises(TypeError, match="qrels: column 'docno' must hold strings; got float"):
        Experiment(RESULTS, TOPICS, qrels, ["NRG(prior=others)@10"])


ORDER = """
import sys, warnings
import pandas as pd, pyterrier as pt, irx_measures
from irx_measures import NRG
results = pd.DataFrame({"qid": ["q"] * 2, "docno": ["A", "B"], "score": [2.0, 1.0]})
systems = [results, results.iloc[:1]]
topics = pd.DataFrame({"qid": ["q", "r"], "query": "words"})
qrels = pd.DataFrame({"qid": ["q", "q", "r"], "docno": ["A", "B", "A"], "label": [1, 1, 1]})
irx_measures.register_runs("known", {"b": results.iloc[1:]})
ours = ["NRG(prior=known)@5", "nDCG_UE@5", "AP_UE", "UniqueRel(prior=known)@5", "nDCGBound@3"]
asked = (systems, topics, qrels, ["P@1", ours[0], "ndcg_cut_5", *ours[1:], "map", "mrt"])
stock = ["ndcg_cut_5", "P@1", "recip_rank", "map", "recall_5"]
names = {"names": ["a", "b"]}
tables = [
    irx_measures.Experiment(*asked, **names),
    irx_measures.Experiment(*asked, baseline=0, test=lambda x, y: (0, 0.5), **names),
    irx_measures.Experiment(*asked[:3], stock, **names),
    irx_measures.Experiment(*asked, highlight="bold", **names).data,
    pt.Experiment(*asked[:3], ours),
]
print(*(",".join(table.columns) for table in tables), sep=chr(10))
for metrics in (asked[3], stock):
    rows = irx_measures.Experiment(*asked[:3], metrics, perquery=True, **names)
    print(",".join(rows["measure"]), rows.index.tolist())
    means = irx_measures.Experiment(*asked[:3], metrics, dataframe=False, **names)
    print({name: list(of_system) for name, of_system in means.items()})
    irx_measures.Experiment(*asked[:3], metrics, save_dir=sys.argv[1], save_format=(
        pd.read_csv, pd.DataFrame.to_csv), save_mode="overwrite", **names)
    for name in ("aggregated.csv", "perquery.csv"):
        saved = pd.read_csv(f"{sys.argv[1]}/{name}")
        print(list(saved.columns), list(saved.get("measure", [])))
"""


@pytest.mark.slow
def test_measures_come_in_the_order_asked_for(tmp_path):
    printed = []
    for seed in "34":
        done = subprocess.run(
            [sys.executable, "-W", "ignore", "-c", ORDER, str(tmp_path)],
            capture_output=True, text=True, check=False,
            env={**os.environ, "PYTHONHASHSEED": seed},
        )  # fmt: skip
        assert done.returncode == 0, done.stderr
        printed.append(done.stdout.splitlines())
    assert printed[0] == printed[1]
    ours = ["nDCG_UE@5", "AP_UE", "UniqueRel(prior=known)@5", "nDCGBound@3"]
    asked = ["P@1", "NRG(prior=known)@5", "ndcg_cut_5", *ours, "map"]
    assert printed[0][0] == ",".join(["name", *asked, "mrt"])
    tests = [f"{measure} {what}" for measure in asked for what in ("+", "-", "p-value")]
    assert printed[0][1] == ",".join(["name", *asked, "mrt", *tests])
    assert printed[0][2] == "name,ndcg_cut_5,P@1,recip_rank,map,recall_5"
    assert printed[0][3] == printed[0][0]


# Files


def test_results_and_scores_are_saved(tmp_path, systems):
    measure = "NRG(prior=others)@10"
    table = Experiment(systems, TOPICS, QRELS, [measure, "map"], save_dir=str(tmp_path))
    runs = {f"{name}.res.gz" for name in systems}
    assert {file.name for file in tmp_path.iterdir()} == {*runs, "aggregated.csv", "perquery.csv"}
    assert_frame_equal(pd.read_csv(tmp_path / "aggregated.csv"), table)
    saved = evaluate(str(tmp_path / "*.res.gz"), CAMPAIGN.qrels, measure)
    np.testing.assert_allclose(saved.means()[measure], table[measure], rtol=1e-12)


def test_saved_results_are_reused(tmp_path, systems):
    asked = (TOPICS, QRELS, ["NRG(prior=others)@10", "map"])
    saved = {name: systems[name] for name in ("run0", "run2")}
    Experiment(saved, *asked, save_dir=str(tmp_path))
    for system in saved.values():
        system.asked.clear()
    table = Experiment(systems, *asked, save_dir=str(tmp_path), save_mode="reuse")
    assert_frame_equal(table, Experiment(RESULTS, *asked))
    assert [len(system.asked) for system in systems.values()] == [0, 1, 0, 1]


def test_results_saved_in_another_format_are_found_again(tmp_path, systems):
    asked = (systems, TOPICS, QRELS, ["NRG(prior=others)@10"])
    saving = {"save_dir": str(tmp_path), "save_format": pickle}
    table = Experiment(*asked, **saving)
    assert {file.suffix for file in tmp_path.iterdir()} == {".mod", ".csv"}
    assert_frame_equal(Experiment(*asked, save_mode="reuse", **saving), table)


# Queries without qrels, and qrels without queries


def test_qrels_of_other_queries_are_left_out():
    topics = TOPICS.iloc[1:4]
    qrels = {query: CAMPAIGN.qrels[query] for query in topics["qid"]}
    table = Experiment(RESULTS, topics, QRELS, list(MEASURES.values()))
    assert_same_means(table, means(qrels=qrels))


def test_qrels_of_other_queries_count_on_demand(systems):
    asked = TOPICS["qid"].tolist()[1:4]
    table = Experiment(
        systems, TOPICS.iloc[1:4], QRELS, ["NRG(prior=others)@10"], filter_by_topics=False
    )
    runs = {
        name: {query: run[query] for query in asked if query in run}
        for name, run in CAMPAIGN.runs.items()
    }
    expected = evaluate(runs, CAMPAIGN.qrels, "NRG(prior=others)@10").means()
    assert_same_means(table, expected)


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
    asked = (RESULTS["run0"], RESULTS["run1"])
    systems = [Search(results) for results in asked]
    measure = "NRG(prior=others)@10"
    table = Experiment(systems, TOPICS, qrels, [measure], batch_size=batch_size)
    expected = Experiment(list(asked), TOPICS[TOPICS["qid"] != "q2"], QRELS, [measure])
    assert table[measure].tolist() == expected[measure].tolist()
    with pytest.warns(UserWarning, match=r"1 topic\(s\) not found in qrels") as warned:
        by_query = Experiment(systems, TOPICS, qrels, [measure], perquery=True)
    assert len(warned) == len(systems)
    assert by_query["value"].isna().tolist() == (by_query["qid"] == "q2").tolist()


# Warnings, and what others means


def test_a_system_that_cannot_be_inspected_is_told_as_pyterrier_tells_it():
    systems = [Opaque(RESULTS["run0"], "deep thought"), RESULTS["run1"]]
    asked = (TOPICS, QRELS, ["map"], ["one", "two"])
    with pytest.warns(UserWarning, match="could not be validated") as expected:
        pt.Experiment(systems, *asked)
    with pytest.warns(UserWarning, match="could not be validated") as warned:
        Experiment(systems, *asked)
    assert [str(w.message) for w in warned] == [str(w.message) for w in expected]
    assert len(warned) == 1
    Experiment(systems, *asked, validate="ignore")


def test_a_system_without_scores_is_refused_on_demand():
    scoreless = Search(RESULTS["run0"].drop(columns="score"), "scoreless")
    with pytest.raises(ValueError, match=r"do not produce the required outputs[^$]*scoreless"):
        Experiment([scoreless], TOPICS, QRELS, ["map"], validate="error")
    assert scoreless.asked == []


def test_results_without_scores_are_told_by_their_columns():
    scoreless = RESULTS["run0"].drop(columns="score")
    with pytest.raises(
        ValueError, match=r"one \(DataFrame\)\. Produces \['qid', 'docno', 'rank'\]"
    ):
        Experiment({"one": scoreless}, TOPICS, QRELS, ["map", "NRG@10"], validate="error")


def test_shared_components_are_pointed_out_once(systems):
    first = systems["run0"]
    pair = [first >> pt.Transformer.identity(), first >> pt.apply.generic(lambda r: r.head(5))]
    with pytest.warns(UserWarning, match="shared pipeline components") as warned:
        Experiment(pair, TOPICS, QRELS, ["map"], validate="ignore")
    assert len(warned) == 1


def test_others_are_unknown_outside_of_a_scope():
    asked = (list(RESULTS.values()), TOPICS, QRELS, ["NRG(prior=others)@10"])
    with pytest.raises(ValueError, match="NRG: `prior`: no set of runs is called 'others'"):
        pt.Experiment(*asked)


def test_others_are_forgotten_when_the_experiment_ends(systems):
    measure = "NRG(prior=others)@10"
    Experiment(systems, TOPICS, QRELS, [measure])
    with pytest.raises(ValueError, match="baseline"):
        Experiment(systems, TOPICS, QRELS, [measure], correction="holm")
    with pytest.raises(ValueError, match="'others'"):
        ir_measures.calc_aggregate([NRG(prior=others)], CAMPAIGN.qrels, CAMPAIGN.runs["run0"])


def test_pyterrier_is_asked_for_where_it_is_missing(monkeypatch):
    monkeypatch.setitem(sys.modules, "pyterrier", None)
    with pytest.raises(ImportError, match=r"pip install 'irx-measures\[pyterrier\]'"):
        Experiment(RESULTS, TOPICS, QRELS, ["map"])


# PyTerrier's own Experiment


@pytest.mark.parametrize("arguments", [{}, {"batch_size": 4}, {"plan": "tree", "verbose": False}])
def test_pyterriers_experiment_scores_against_registered_runs(systems, arguments):
    first = {name: CAMPAIGN.runs[name] for name in ("run0", "run1")}
    irx_measures.register_runs("first", first)
    measures = ["NRG(prior=first)@10", NRG(prior="first", base="RR") @ 5, "AP_Rareness@10", "map"]
    names = ["run1", "run2"]
    table = pt.Experiment(
        [systems[name] for name in names], TOPICS, QRELS, measures, names=names, **arguments
    ).set_index("name")
    for given in measures:
        measure = "AP" if given == "map" else given
        expected = evaluate(CAMPAIGN.runs, CAMPAIGN.qrels, measure).means()
        column = table[str(given)]
        np.testing.assert_allclose(column, expected.loc[names].squeeze(axis=1), rtol=1e-12)


# PyTerrier finds the package by itself

FOUND = """
import pyterrier as pt, sys
assert {"irx_measures", "pyterrier.measures"} <= set(sys.modules)
import pandas as pd
qrels = pd.DataFrame({"qid": ["q", "q"], "docno": ["A", "B"], "label": [1, 0]})
results = pd.DataFrame({"qid": ["q", "q"], "docno": ["A", "B"], "score": [2.0, 1.0]})
topics = pd.DataFrame({"qid": ["q"], "query": ["words"]})
from pyterrier.measures import NRG, UniqueRel, nDCG
print(*pt.Experiment([results], topics, qrels, ["nDCG_UE@10"]).iloc[0, 1:])
asked = ({"a": results, "b": results.tail(1)}, topics, qrels)
print(*pt.irx.Experiment(*asked, [UniqueRel(prior="others") @ 5])["UniqueRel(prior=others)@5"])
print(pt.measures.NRG is pt.irx.NRG is NRG, "irx" in pt.__all__)
"""


def installed(folder):
    """A folder that holds what installing the package tells Python about its entry points."""
    toml = pytest.importorskip("tomllib" if sys.version_info >= (3, 11) else "tomli")
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


def run_python(code, path):
    done = subprocess.run(
        [sys.executable, "-W", "error", *IGNORED, "-c", code],
        capture_output=True, text=True, check=False,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(map(str, path))},
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return done.stdout.split()


@pytest.mark.slow
def test_importing_pyterrier_brings_the_measures(tmp_path):
    printed = run_python(FOUND, [installed(tmp_path), ROOT])
    assert printed == ["1.0", *["1.0", "0.0"], *["True", "True"]]


@pytest.mark.slow
@pytest.mark.parametrize("modules", ["pyterrier, irx_measures", "irx_measures, pyterrier"])
def test_measures_are_pyterriers_in_whichever_order_both_are_imported(modules):
    code = f"import {modules}; print(pyterrier.measures.NRG is irx_measures.NRG)"
    assert run_python(code, [ROOT]) == ["True"]


@pytest.mark.slow
def test_importing_pyterrier_loads_nothing_heavy_because_of_us(tmp_path):
    code = "import sys, pyterrier; print(*sys.modules)"
    before = set(run_python(f"import sys; sys.modules['irx_measures'] = sys; {code}", [ROOT]))
    added = set(run_python(code, [installed(tmp_path), ROOT])) - before
    assert "irx_measures.integrations.ir_measures" in added
    heavy = {"scipy", "matplotlib", "statsmodels", "ir_datasets", "sklearn", "dask", "tabulate"}
    assert not heavy & {name.partition(".")[0] for name in added}
