"""evaluate() on Dask: the numbers of irx_measures.evaluate, however the rows are split."""

import logging
import os
import re
import sys
import warnings
from time import monotonic

import numpy as np
import pandas as pd
import pytest

import irx_measures
from irx_measures import EvaluationWarning, simulate_campaign
from irx_measures.measures.catalogue import catalogue

dask = pytest.importorskip("dask", reason="Dask is not installed")
dd = pytest.importorskip("dask.dataframe", reason="Dask is not installed")
from dask.distributed import Client, LocalCluster  # noqa: E402

from irx_measures.distributed import WorkersLostError, evaluate  # noqa: E402
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


def frame(nested, value, query="query_id", doc="doc_id"):
    rows = [(q, d, number) for q, docs in nested.items() for d, number in docs.items()]
    return pd.DataFrame(rows, columns=[query, doc, value])


def tables(scattered=False):
    """Qrels and runs as DataFrames; if scattered, each table has its rows in a random order."""
    made = {"qrels": frame(CAMPAIGN.qrels, "relevance")}
    made |= {name: frame(run, "score") for name, run in CAMPAIGN.runs.items()}
    if scattered:
        made = {
            name: table.sample(frac=1, random_state=number)
            for number, (name, table) in enumerate(made.items())
        }
    return made.pop("qrels"), made


def write_split(table, folder, parts=3):
    """Split the queries into parts, and write a Parquet file for each part."""
    folder.mkdir(parents=True)
    number = table["query_id"].map({q: n for n, q in enumerate(sorted(CAMPAIGN.qrels))}) % parts
    for part in range(parts):
        table[number == part].to_parquet(folder / f"part-{part}.parquet", index=False)
    return folder


def expected(measures):
    matrix = irx_measures.evaluate(CAMPAIGN.runs, CAMPAIGN.qrels, measures, CAMPAIGN.groups)
    order = sorted(range(len(matrix.query_ids)), key=matrix.query_ids.__getitem__)
    return matrix, tuple(matrix.query_ids[place] for place in order), matrix.scores[:, :, order]


def assert_equal(got, measures=MEASURES):
    matrix, query_ids, scores = expected(measures)
    assert (got.measures, got.systems, got.groups) == (
        matrix.measures,
        matrix.systems,
        matrix.groups,
    )
    assert got.query_ids == query_ids
    np.testing.assert_allclose(got.scores, scores, rtol=1e-12, atol=1e-12)
    assert scores.any(axis=(1, 2)).all()


@pytest.mark.parametrize("partitions", [1, 4, 16])
def test_rows_in_any_order_score_as_on_one_machine(client, partitions):
    qrels, runs = tables(scattered=True)
    split = {name: dd.from_pandas(run, npartitions=partitions) for name, run in runs.items()}
    got = evaluate(
        split,
        dd.from_pandas(qrels, npartitions=2),
        MEASURES,
        CAMPAIGN.groups,
        client=client,
    )
    assert_equal(got)


@pytest.mark.parametrize("aligned", [True, False])
@pytest.mark.parametrize(
    "as_path",
    [
        lambda folder: folder,
        lambda folder: f"{folder}/*.parquet",
        lambda folder: sorted(folder.glob("*.parquet")),
    ],
    ids=["folder", "glob", "list"],
)
def test_parquet_files_score_as_on_one_machine(client, aligned, as_path, tmp_path):
    qrels, runs = tables()
    folders = {name: write_split(run, tmp_path / name) for name, run in runs.items()}
    got = evaluate(
        {name: as_path(folder) for name, folder in folders.items()},
        as_path(write_split(qrels, tmp_path / "qrels")),
        MEASURES,
        CAMPAIGN.groups,
        client=client,
        aligned=aligned,
    )
    assert_equal(got)


def test_the_current_client_is_used_where_none_is_given(client):
    assert Client.current() is client
    qrels, runs = tables()
    split = {name: dd.from_pandas(run, npartitions=2) for name, run in runs.items()}
    assert_equal(evaluate(split, dd.from_pandas(qrels, npartitions=2), MEASURES, CAMPAIGN.groups))


def test_columns_may_have_the_names_of_pyterrier():
    qrels = dd.from_pandas(frame(CAMPAIGN.qrels, "label", "qid", "docno"), npartitions=2)
    runs = {
        name: dd.from_pandas(frame(run, "score", "qid", "docno").assign(rank=0), npartitions=3)
        for name, run in CAMPAIGN.runs.items()
    }
    assert_equal(evaluate(runs, qrels, MEASURES, CAMPAIGN.groups))


def test_queries_without_judgments_or_results_are_as_on_one_machine():
    qrels = {"q1": {"d": 1}, "q2": {"d": 1}, "q3": {"d": 0}}
    runs = {"a": {"q1": {"d": 1.0}, "q9": {"d": 1.0}}, "b": {"q3": {"d": 1.0}}}
    got = evaluate(
        {name: dd.from_pandas(frame(run, "score"), npartitions=1) for name, run in runs.items()},
        dd.from_pandas(frame(qrels, "relevance"), npartitions=3),
        ["nDCG@10", "NRG(prior=others)@10"],
    )
    alone = irx_measures.evaluate(runs, qrels, ["nDCG@10", "NRG(prior=others)@10"])
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
        call()
    ours = [warning for warning in caught if warning.category is EvaluationWarning]
    assert {warning.filename for warning in ours} <= {__file__}
    return [str(warning.message) for warning in ours]


@pytest.mark.parametrize(
    ("runs", "qrels", "measures", "expected"),
    [
        (
            DOUBTFUL,
            MOSTLY_RELEVANT,
            ["nDCG@10"],
            "shares no query with .*'q02', .*; it has 'z0', 'z1'",
        ),
        (
            DOUBTFUL,
            MOSTLY_RELEVANT,
            ["AP"],
            r"'missing' misses 9 of 12 queries \('q00', 'q03', 'q04',",
        ),
        (
            {"x": FOUND},
            MOSTLY_RELEVANT,
            ["UE@5", "AP_UE"],
            "UE@5, AP_UE: every .* of 7 of 12 queries",
        ),
        (DOUBTFUL, MOSTLY_RELEVANT, ["BootNDCG@3"], "of run 'unjudged': 3 of 12 queries have no"),
        (DOUBTFUL, MOSTLY_RELEVANT, ["NRG@10", "P_Rareness@5"], "NRG@10: without a prior"),
        ({"x": FOUND}, MIXED, ["NRG(prior=others)@5"], "of run 'x': it is its own only prior"),
        (
            DOUBTFUL,
            MOSTLY_RELEVANT,
            ["UniqueRel(prior=found)@5"],
            "'found': it is its own only prior",
        ),
        ({"x": FOUND}, MIXED, ["P_Rareness(systems=others)@5"], "without other systems"),
        (
            {"x": FOUND, "ids": OTHER_IDS},
            MIXED,
            ["AP"],
            "run 'ids' has no judged document: it .*'A1'",
        ),
        (
            {"x": FOUND, "ids": OTHER_IDS},
            MIXED,
            ["RBO(reference=x)"],
            "'ids' .*'A1', where the ref",
        ),
        ({"x": FOUND, "ids": FOUND | OTHER_IDS | NOT_JUDGED}, MIXED, ["RBO(reference=x)"], None),
    ],
)
@pytest.mark.parametrize("partitions", [1, 8])
def test_warnings_are_those_of_one_machine(runs, qrels, measures, expected, partitions):
    split = {
        name: dd.from_pandas(frame(run, "score"), npartitions=partitions)
        for name, run in runs.items()
    }
    judged = dd.from_pandas(frame(qrels, "relevance"), npartitions=2)
    got = []
    messages = told(lambda: got.append(evaluate(split, judged, measures)))
    assert list(got[0].warnings) == messages
    assert messages == told(lambda: irx_measures.evaluate(runs, qrels, measures))
    assert expected is None or any(re.search(expected, message) for message in messages)
    assert expected is not None or not messages


@pytest.mark.parametrize("partitions", [1, 8])
def test_a_prior_without_a_judged_document_is_named_once_as_a_run(partitions):
    runs = {"x": FOUND, "ids": OTHER_IDS, "some": FOUND | NOT_JUDGED}
    split = {
        name: dd.from_pandas(frame(run, "score"), npartitions=partitions)
        for name, run in runs.items()
    }
    judged = dd.from_pandas(frame(MIXED, "relevance"), npartitions=2)
    measures = ["NRG(prior=ids)@5", "NRG(prior=some)@5"]
    messages = told(lambda: evaluate(split, judged, measures))
    assert sum("run 'ids' has no judged document" in message for message in messages) == 1
    assert not any("`prior`" in message for message in messages)
    assert not {*messages} - {*told(lambda: irx_measures.evaluate(runs, MIXED, measures))}


def test_no_judged_document_at_all_is_a_warning():
    split = {"ids": dd.from_pandas(frame(OTHER_IDS, "score"), npartitions=2)}
    judged = dd.from_pandas(frame(MIXED, "relevance"), npartitions=2)
    (message,) = told(lambda: evaluate(split, judged, "AP"))
    assert message.startswith("run 'ids' has no judged document: it returns 'A1' where the qrels")


def test_a_doubt_of_one_part_is_no_doubt_of_the_whole():
    relevant, mixed = {"A": 1, "B": 1}, {"A": 1, "B": 0}
    qrels = {"a1": relevant, "a2": relevant, "b1": mixed, "b2": mixed}
    run = {query: {"A": 1.0} for query in qrels}
    judged = dd.from_pandas(frame(qrels, "relevance"), npartitions=2, sort=False)
    split = {"x": dd.from_pandas(frame(run, "score"), npartitions=2, sort=False)}
    assert told(lambda: evaluate(split, judged, "UE@5", aligned=True)) == []
    first = {query: qrels[query] for query in ("a1", "a2")}
    assert told(lambda: irx_measures.evaluate({"x": run}, first, "UE@5")) != []


# Errors


def some(**changes):
    qrels = changes.pop("qrels", None)
    if qrels is None:
        qrels = dd.from_pandas(frame({"q1": {"d": 1}, "q2": {"d": 1}}, "relevance"), npartitions=2)
    run = dd.from_pandas(frame({"q1": {"d": 1.0}, "q2": {"d": 1.0}}, "score"), npartitions=2)
    runs = changes.pop("runs", {"a": run})
    return runs, qrels, changes.pop("measures", ["nDCG@10"])


@pytest.mark.parametrize(
    ("measure", "message"),
    [
        (
            "NRG(prior=others,select=best-per-group)@10",
            r"NRG\(prior=others,select=best-per-group\)@10 looks at all queries at once",
        ),
        ("NRG(prior=mine)@10", "NRG: `prior` must be None or 'others', the runs given.*'mine'"),
        ("P_Rareness(systems=mine)@10", "P_Rareness: `systems` must be None or 'others'"),
        ("RBO(reference=mine)", "RBO: `reference` must be None or 'others'"),
    ],
)
def test_measures_that_need_more_than_a_worker_has_are_refused(measure, message):
    with pytest.raises(ValueError, match=message):
        evaluate(*some(measures=measure))


@pytest.mark.parametrize(
    ("changes", "error", "message"),
    [
        ({"runs": {}}, TypeError, "`runs` must be a dict from names to Dask DataFrames or paths"),
        ({"runs": {"a": {"q1": {"d": 1.0}}}}, TypeError, "run 'a' must be a Dask .*; got dict"),
        ({"qrels": 3}, TypeError, "qrels must be a Dask DataFrame or paths .*; got int"),
        (
            {"qrels": dd.from_pandas(pd.DataFrame({"qid": ["q"], "label": [1]}), npartitions=1)},
            ValueError,
            "qrels needs a column 'doc_id' or 'docno'",
        ),
        (
            {"qrels": dd.from_pandas(frame({"p": {"d": 1}}, "relevance"), npartitions=1)},
            ValueError,
            "qrels and runs share no query",
        ),
        (
            {"qrels": dd.from_pandas(frame({"p": {"d": 1}}, "relevance").iloc[:0], npartitions=1)},
            ValueError,
            "qrels hold no judgments; needed by nDCG@10",
        ),
    ],
)
def test_what_cannot_be_evaluated_is_told(changes, error, message):
    with pytest.raises(error, match=message):
        evaluate(*some(**changes))


def test_errors_of_workers_reach_the_caller(client):
    twice = pd.DataFrame({"query_id": ["q1", "q1"], "doc_id": ["d", "d"], "score": [2.0, 1.0]})
    runs, qrels, measures = some(runs={"a": dd.from_pandas(twice, npartitions=1)})
    with pytest.raises(ValueError, match="run 'a': query 'q1' returns document 'd' more than once"):
        evaluate(runs, qrels, measures, client=client)


def test_missing_groups_are_told():
    with pytest.raises(ValueError, match="no group for 1 of 1 run: 'a'"):
        evaluate(*some(), groups={"b": "X"})


def test_inputs_that_are_not_aligned_are_refused():
    qrels, run = (
        frame({"q1": {"d": 1}, "q2": {"d": 1}}, "relevance"),
        frame({"q2": {"d": 1.0}, "q1": {"d": 1.0}}, "score"),
    )
    split = {"a": dd.from_pandas(run, npartitions=2, sort=False)}
    judged = dd.from_pandas(qrels, npartitions=2)
    with pytest.raises(ValueError, match=r"query 'q2' is in partition 1 .* and in partition 0 of"):
        evaluate(split, judged, ["nDCG@10"], aligned=True)
    with pytest.raises(ValueError, match="as many partitions each; got qrels 1, run 'a' 2"):
        evaluate(split, dd.from_pandas(qrels, npartitions=1), ["nDCG@10"], aligned=True)
    halves = dd.from_pandas(pd.concat([qrels.assign(doc_id="e"), qrels]), npartitions=2, sort=False)
    with pytest.raises(ValueError, match=r"query 'q1' is in partition 0 .* partition 1 of qrels"):
        evaluate(split, halves, ["nDCG@10"], aligned=True)
    assert evaluate(split, halves, ["nDCG@10"]).scores.shape == (1, 1, 2)


def test_dask_is_named_where_it_is_missing(monkeypatch):
    arguments = some()
    monkeypatch.setitem(sys.modules, "dask.dataframe", None)
    with pytest.raises(ImportError, match=r"needs Dask: pip install 'irx-measures\[dask\]'"):
        evaluate(*arguments)


# Paths


def parquet(folder, name="a", value="score"):
    file = folder / f"{name}.parquet"
    frame({"q1": {"d": 1}, "q2": {"d": 1}}, value).to_parquet(file, index=False)
    return str(file)


@pytest.mark.parametrize(
    ("path", "error", "message"),
    [
        ("none.parquet", FileNotFoundError, "none.parquet"),
        ("no*.parquet", FileNotFoundError, "no such files"),
        ("damaged.parquet", ValueError, "not a parquet file"),
        ("", ValueError, "No files satisfy"),
        ("unheard-of://bucket/run.parquet", ValueError, "Protocol not known: unheard-of"),
        ("s3://bucket/run.parquet", ImportError, "Install s3fs .* \\(a missing library\\)"),
    ],
)
def test_a_path_that_cannot_be_read_is_told_with_its_run(
    path, error, message, tmp_path, monkeypatch
):
    monkeypatch.setitem(sys.modules, "s3fs", None)
    folder = tmp_path / "runs"
    folder.mkdir()
    folder.joinpath("damaged.parquet").write_text("no Parquet file\n" * 9)
    if path == "":
        folder.joinpath("damaged.parquet").unlink()
    given = path if "://" in path else f"{folder}/{path}"
    with pytest.raises(
        error, match=f"^distributed.evaluate: cannot read run 'a', .*{message}"
    ) as e:
        evaluate({"a": given}, parquet(tmp_path, "qrels", "relevance"), ["nDCG@10"])
    assert "\n" not in str(e.value)
    assert repr(given) in str(e.value)


def test_qrels_that_cannot_be_read_are_told(tmp_path):
    with pytest.raises(FileNotFoundError, match=r"cannot read qrels, '.*none.parquet': "):
        evaluate({"a": parquet(tmp_path)}, tmp_path / "none.parquet", ["nDCG@10"])
    files = [parquet(tmp_path), tmp_path / "none.parquet"]
    with pytest.raises(FileNotFoundError, match=r"cannot read run 'a', \['.*none.parquet'\]: "):
        evaluate({"a": files}, parquet(tmp_path, "qrels", "relevance"), ["nDCG@10"])


def removing(path, monkeypatch):
    """Let the file go once the caller has seen it, as if no worker could reach it."""
    from irx_measures import distributed

    tasks = distributed._tasks

    def then_gone(*arguments):
        made = tasks(*arguments)
        os.remove(path)
        return made

    monkeypatch.setattr(distributed, "_tasks", then_gone)


@pytest.mark.parametrize("where", ["cluster", "threads"])
def test_a_path_that_a_worker_cannot_read_is_told_with_its_run(
    where, client, tmp_path, monkeypatch
):
    runs = {name: parquet(tmp_path, name) for name in ("a", "b")}
    qrels = parquet(tmp_path, "qrels", "relevance")
    removing(runs["b"], monkeypatch)
    with (
        dask.config.set({} if where == "cluster" else {"scheduler": "threads"}),
        pytest.raises(FileNotFoundError, match=r"cannot read run 'b', '.*b.parquet'") as told,
    ):
        evaluate(runs, qrels, ["nDCG@10"])
    assert (" on worker tcp://" in str(told.value)) == (where == "cluster")
    assert "\n" not in str(told.value)


def test_a_library_that_a_worker_lacks_is_told_with_the_run(client, tmp_path, monkeypatch):
    runs = {"a": parquet(tmp_path)}
    qrels = parquet(tmp_path, "qrels", "relevance")
    removing(runs["a"], monkeypatch)
    client.run(_without_parquet)
    try:
        with pytest.raises(ImportError, match=r"cannot read qrels, .* on worker .*no-such-library"):
            evaluate(runs, qrels, ["nDCG@10"], client=client)
    finally:
        client.run(_with_parquet)


def _without_parquet():
    import dask.dataframe as at_worker

    def read_parquet(path):
        raise ImportError("Missing optional dependency\n'no-such-library'")

    at_worker.kept, at_worker.read_parquet = at_worker.read_parquet, read_parquet


def _with_parquet():
    import dask.dataframe as at_worker

    at_worker.read_parquet = at_worker.kept


# Workers that die


def die(part):
    os._exit(1)


def deadly(**options):
    run = frame({"q1": {"d": 1.0}, "q2": {"d": 1.0}}, "score")
    dying = dd.from_pandas(run, npartitions=2).map_partitions(die, meta=run)
    return evaluate(*some(runs={"a": dying}), aligned=True, **options)


@pytest.fixture
def mortal():
    """A worker that is started again when it dies."""
    with (
        dask.config.set({"distributed.scheduler.allowed-failures": 1}),
        LocalCluster(
            n_workers=1,
            threads_per_worker=1,
            dashboard_address=":0",
            silence_logs=logging.CRITICAL,
        ) as cluster,
        Client(cluster) as connected,
    ):
        yield connected


def test_a_part_that_kills_its_workers_ends_in_an_error(mortal):
    with pytest.raises(WorkersLostError, match=r"evaluate: workers died: .* 2 different"):
        deadly(client=mortal)


def test_workers_that_die_again_and_again_end_in_an_error_in_time(mortal):
    mortal.run_on_scheduler(_allow_all_failures)
    start = monotonic()
    with pytest.raises(WorkersLostError, match=r"for 3 s \(`timeout`\); 0 of 2 parts"):
        deadly(client=mortal, timeout=3)
    assert 3 < monotonic() - start < 600


def _allow_all_failures(dask_scheduler):
    dask_scheduler.allowed_failures = 10**6


def test_a_cluster_without_workers_ends_in_an_error_in_time():
    with (
        LocalCluster(n_workers=0, dashboard_address=":0", processes=False) as cluster,
        Client(cluster) as empty,
        pytest.raises(WorkersLostError, match=r"for 1 s .* 0 workers are alive"),
    ):
        evaluate(*some(), client=empty, timeout=1)


@pytest.mark.parametrize("timeout", [0, -1, float("nan")])
def test_the_timeout_is_checked(timeout):
    with pytest.raises(ValueError, match=r"`timeout` must be .*above 0"):
        evaluate(*some(), timeout=timeout)
