"""evaluate() on Dask: the numbers of irx_measures.evaluate, however the rows are split."""

import os
import signal
import sys
import warnings

import numpy as np
import pandas as pd
import pytest

import irx_measures
from irx_measures import EvaluationWarning, simulate_campaign
from irx_measures.measures.declaring.base import catalogue

dask = pytest.importorskip("dask")
dd = pytest.importorskip("dask.dataframe")
from dask.distributed import Client, LocalCluster  # noqa: E402

from irx_measures.distributed import evaluate  # noqa: E402
from tests import campaigns  # noqa: E402
from tests.doubts import ANY_DOUBT  # noqa: E402

pytestmark = [pytest.mark.slow, *ANY_DOUBT]

CAMPAIGN = simulate_campaign(systems=6, queries=23, depth=40, seed=3)
MEASURES = [
    "nDCG@10",
    "AP",
    "NRG(prior=others)@10",
    "NRG(prior=others,select=other-groups,base=RR)",
    "TaSC(prior=others,agg=mean)@5",
    "UniqueRel(prior=others,select=earlier)@10",
    "P_Rareness(systems=others)@10",
    "AP_Rareness(systems=others)",
    "RBR(phi=0.9)@10",
    "RBA(phi=0.9)",
    "RBO(bound=ext)",
    "RBPBound(bound=upper)@10",
    "nDCG_UE@10",
    "AP_UE(version=1)",
    "UE(base=ERR)@10",
    "Expected(base=RR)@10",
    "UpperBound(candidates=run)@10",
    "BootNDCG(stat=q95)@10",
    "Boot(base=AP)@10",
    "nDCGBound(bound=upper)@10",
]
NAMED = {text.split("(")[0].split("@")[0] for text in MEASURES}
MEASURES += [f"{name}@10" for name in catalogue if name not in NAMED]


@pytest.fixture(scope="module")
def client():
    """Two worker processes."""
    with (
        LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=":0") as cluster,
        Client(cluster) as connected,
    ):
        yield connected


def frame(nested, value="score"):
    return campaigns.frame(nested, value, "query_id", "doc_id")


def split(runs, parts):
    """Runs as Dask DataFrames."""
    return {name: dd.from_pandas(frame(run), npartitions=parts) for name, run in runs.items()}


def judged(qrels, parts=2):
    return dd.from_pandas(frame(qrels, "relevance"), npartitions=parts)


def write_split(table, folder, parts=3):
    """Split the queries into parts, and write a Parquet file for each part."""
    folder.mkdir(parents=True)
    number = table["query_id"].map({q: n for n, q in enumerate(sorted(CAMPAIGN.qrels))}) % parts
    for part in range(parts):
        table[number == part].to_parquet(folder / f"part-{part}.parquet", index=False)
    return folder


def assert_equal(got):
    alone = irx_measures.evaluate(CAMPAIGN.qrels, CAMPAIGN.runs, MEASURES, CAMPAIGN.groups)
    order = np.argsort(alone.query_ids)
    for name in ("measures", "systems", "groups"):
        assert getattr(got, name) == getattr(alone, name)
    assert list(got.query_ids) == sorted(alone.query_ids)
    np.testing.assert_allclose(got.scores, alone.scores[:, :, order], rtol=1e-12, atol=1e-12)
    assert alone.scores.any(axis=(1, 2)).all()


NAMES_OF = {
    "pyterrier": ("qid", "docno", "label"),
    "beir": ("query-id", "corpus-id", "score"),
}


@pytest.mark.parametrize(
    ("partitions", "of_host"),
    [
        (4, "pyterrier"),
        (2, "beir"),
        pytest.param(1, "ir_measures", marks=pytest.mark.whole),
        pytest.param(16, "ir_measures", marks=pytest.mark.whole),
    ],
)
def test_rows_in_any_order_score_as_on_one_machine(client, partitions, of_host):
    assert Client.current() is client
    tables = {"": frame(CAMPAIGN.qrels, "relevance")}
    tables |= {name: frame(run).assign(rank=0) for name, run in CAMPAIGN.runs.items()}
    if of_host in NAMES_OF:
        of_columns = dict(zip(("query_id", "doc_id", "relevance"), NAMES_OF[of_host], strict=True))
        tables = {name: table.rename(columns=of_columns) for name, table in tables.items()}
    runs = {
        name: dd.from_pandas(table.sample(frac=1, random_state=number), npartitions=partitions)
        for number, (name, table) in enumerate(tables.items())
    }
    qrels, given = runs.pop(""), client if of_host == "pyterrier" else None
    assert_equal(evaluate(qrels, runs, MEASURES, CAMPAIGN.groups, client=given))


@pytest.mark.whole
@pytest.mark.parametrize(
    ("aligned", "as_path"),
    [
        (True, lambda folder: folder),
        (False, lambda folder: f"{folder}/*.parquet"),
        (True, lambda folder: sorted(folder.glob("*.parquet"))),
    ],
    ids=["folder", "glob", "list"],
)
def test_parquet_files_score_as_on_one_machine(client, aligned, as_path, tmp_path):
    tables = {name: frame(run) for name, run in CAMPAIGN.runs.items()}
    paths = {name: as_path(write_split(run, tmp_path / name)) for name, run in tables.items()}
    qrels = as_path(write_split(frame(CAMPAIGN.qrels, "relevance"), tmp_path / "qrels"))
    assert_equal(evaluate(qrels, paths, MEASURES, CAMPAIGN.groups, client=client, aligned=aligned))


def test_queries_without_judgments_or_results_are_as_on_one_machine():
    qrels = {"q1": {"d": 1}, "q2": {"d": 1}, "q3": {"d": 0}}
    runs = {"a": {"q1": {"d": 1.0}, "q9": {"d": 1.0}}, "b": {"q3": {"d": 1.0}}}
    got = evaluate(judged(qrels, 3), split(runs, 1), ["nDCG@10", "NRG(prior=others)@10"])
    alone = irx_measures.evaluate(qrels, runs, ["nDCG@10", "NRG(prior=others)@10"])
    assert got.query_ids == alone.query_ids == ("q1", "q2", "q3")
    np.testing.assert_array_equal(got.scores, alone.scores)


# Warnings


RELEVANT = {f"q{number:02}": {"A": 1} for number in range(7)}
MIXED = {f"q{number:02}": {"A": 1, "B": 0} for number in range(7, 12)}
MOSTLY_RELEVANT = RELEVANT | MIXED
FOUND = {query: {"A": 2.0, "X": 1.0} for query in MOSTLY_RELEVANT}
NOT_JUDGED = {query: {"X": 1.0} for query in ("q00", "q03", "q08")}
FOREIGN = {f"z{number}": {"A": 1.0} for number in range(6)}
OTHER_IDS = {query: {"A1": 1.0} for query in MIXED}
DOUBTFUL = {
    "found": FOUND,
    "unjudged": FOUND | NOT_JUDGED,
    "missing": {query: FOUND[query] for query in ("q01", "q02", "q11")},
    "foreign": FOREIGN,
}


def told(call):
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always", EvaluationWarning)
        result = call()
    ours = [warning for warning in caught if warning.category is EvaluationWarning]
    assert {warning.filename for warning in ours} <= {__file__}
    return result, [str(warning.message) for warning in ours]


@pytest.mark.parametrize(
    ("runs", "qrels", "measures", "told_of"),
    [
        (DOUBTFUL, MOSTLY_RELEVANT, ["UniqueRel(prior=found)@5", "BootNDCG@3"], 3),
        ({"x": FOUND}, MOSTLY_RELEVANT, ["UE@5", "AP_UE"], 1),
        ({"x": FOUND, "ids": OTHER_IDS}, MIXED, ["RBO(reference=x)"], 1),
        ({"x": FOUND, "ids": FOUND | OTHER_IDS | NOT_JUDGED}, MIXED, ["RBO(reference=x)"], 0),
    ],
)
@pytest.mark.parametrize("partitions", [8, pytest.param(1, marks=pytest.mark.whole)])
def test_warnings_are_those_of_one_machine(runs, qrels, measures, told_of, partitions):
    got, messages = told(lambda: evaluate(judged(qrels), split(runs, partitions), measures))
    assert list(got.warnings) == messages
    assert messages == told(lambda: irx_measures.evaluate(qrels, runs, measures))[1]
    assert len(messages) >= told_of
    assert bool(messages) == bool(told_of)


RISING = {query: {"A": 1.0, "X": 2.0, "Y": 3.0} for query in MIXED}


@pytest.mark.parametrize("partitions", [3, pytest.param(1, marks=pytest.mark.whole)])
@pytest.mark.parametrize("runs", [{"x": RISING}, {"x": FOUND, "y": RISING, "z": RISING}])
def test_ranks_that_contradict_the_scores_are_told_as_on_one_machine(runs, partitions):
    tables = {name: frame(run).assign(rank=frame(RISING)["score"]) for name, run in runs.items()}
    parts = {name: dd.from_pandas(table, partitions) for name, table in tables.items()}
    messages = told(lambda: evaluate(judged(MIXED), parts, ["P@1"]))[1]
    assert messages == told(lambda: irx_measures.evaluate(MIXED, tables, ["P@1"]))[1]
    assert sum("has ranks that contradict its scores" in message for message in messages) == 1


# Errors


SOME = {"q1": {"d": 1.0}, "q2": {"d": 1.0}}
GIVEN = {
    "runs": split({"a": SOME}, 2),
    "qrels": judged({"q1": {"d": 1}, "q2": {"d": 1}, "p": {"e": 0}}),
    "measures": ["nDCG@10"],
}
BY_SYSTEM = frame(SOME).assign(system=["bm25", "dense"])
TWO_SYSTEMS = "run 'a': column 'system' names 2 systems in one table"
TWICE = pd.DataFrame({"query_id": ["q1", "q1"], "doc_id": ["d", "d"], "score": [2.0, 1.0]})
OF_P = judged({"p": {"d": 1}}, 1)
WRONG = [
    ({"runs": {}}, TypeError, "`runs` must be a dict from names to Dask DataFrames or paths"),
    ({"runs": {"a": {"q1": {"d": 1.0}}}}, TypeError, "run 'a' must be a Dask .*; got dict"),
    ({"qrels": 3}, TypeError, "qrels must be a Dask DataFrame or paths .*; got int"),
    (
        {"qrels": dd.from_pandas(pd.DataFrame({"qid": ["q"], "label": [1]}), npartitions=1)},
        ValueError,
        "qrels needs a column 'doc_id' or 'docno'",
    ),
    (
        {"qrels": OF_P},
        ValueError,
        "qrels and runs share no query: the qrels have 'p', the first run ",
    ),
    ({"qrels": OF_P.partitions[:1].head(0, compute=False)}, ValueError, "qrels hold no judgments"),
    ({"runs": {"a": dd.from_pandas(TWICE, npartitions=1)}}, ValueError, "run 'a': .*'d' more than"),
    ({"runs": {"a": dd.from_pandas(BY_SYSTEM, npartitions=1)}}, ValueError, TWO_SYSTEMS),
    ({"runs": {"a": dd.from_pandas(BY_SYSTEM, npartitions=2)}}, ValueError, TWO_SYSTEMS),
    (
        {"runs": {"a": dd.from_pandas(BY_SYSTEM.assign(score=1j), npartitions=1)}},
        ValueError,
        "run 'a': column 'score' must hold numbers; got complex128",
    ),
    ({"groups": {"b": "X"}}, ValueError, "no group for 1 of 1 run: 'a'"),
    ({"measures": "NRG(prior=others,select=best-per-group)@10"}, ValueError, "all queries at once"),
    (
        {"measures": "NRG(prior=mine)@10"},
        ValueError,
        "NRG: `prior` must be None or 'others'.*'mine'",
    ),
    ({"timeout": 0}, ValueError, "`timeout` must be .*above 0"),
    ({"timeout": float("nan")}, ValueError, "`timeout` must be .*above 0"),
    ({"aligned": True, "qrels": OF_P}, ValueError, "partitions each; got qrels 1, run 'a' 2"),
    (
        {"aligned": True, "qrels": dd.concat([OF_P, OF_P.assign(doc_id="e")])},
        ValueError,
        "query 'p' is in several partitions of the qrels",
    ),
]


@pytest.mark.parametrize(("changes", "error", "message"), WRONG)
def test_what_cannot_be_evaluated_is_told(changes, error, message):
    with pytest.raises(error, match=message):
        evaluate(**{**GIVEN, **changes})


@pytest.mark.parametrize(
    ("path", "error", "fact"),
    [
        ("none.parquet", FileNotFoundError, "none.parquet"),
        ("no*.parquet", FileNotFoundError, "no such files"),
        ("damaged.parquet", ValueError, "not a parquet file"),
        ("", ValueError, "No files satisfy"),
        ("s3://bucket/run.parquet", ImportError, "Install s3fs"),
    ],
)
def test_a_path_that_cannot_be_read_is_told_with_its_run(path, error, fact, tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "s3fs", None)
    folder = tmp_path / "runs"
    folder.mkdir()
    if path == "damaged.parquet":
        folder.joinpath(path).write_text("no Parquet file\n" * 9)
    given = path if "://" in path else f"{folder}/{path}"
    frame({"q1": {"d": 1}}, "relevance").to_parquet(tmp_path / "qrels.parquet", index=False)
    with pytest.raises(error, match=f"cannot read run 'a', .*{fact}"):
        evaluate(str(tmp_path / "qrels.parquet"), {"a": given}, ["nDCG@10"])


def killed_once(part, folder):
    """A partition whose first worker is killed while others work."""
    if not folder.exists():
        folder.mkdir()
        os.kill(os.getpid(), signal.SIGKILL)
    return part


@pytest.mark.whole
def test_a_worker_that_is_killed_leaves_the_scores_alone(client, tmp_path):
    runs, before = split(CAMPAIGN.runs, 4), set(client.nthreads())
    runs["lexical-a"] = runs["lexical-a"].map_partitions(
        killed_once, tmp_path / "killed", meta=frame(CAMPAIGN.runs["lexical-a"])
    )
    got = evaluate(judged(CAMPAIGN.qrels, 4), runs, MEASURES, CAMPAIGN.groups)
    assert (tmp_path / "killed").exists()
    assert set(client.nthreads()) != before
    assert_equal(got)


@pytest.mark.whole
def test_a_cluster_without_workers_ends_in_an_error_in_time():
    with (
        LocalCluster(n_workers=0, dashboard_address=":0", processes=False) as cluster,
        Client(cluster) as empty,
        pytest.raises(TimeoutError, match=r"0/1 workers"),
    ):
        evaluate(**GIVEN, client=empty, timeout=1)
