"""evaluate() on Dask, for data that exceeds the memory of one machine.

Runs and qrels are split by query. The scorer of `irx_measures.evaluate` scores each part, and the
scores are joined. Dask schedules the work. This module needs the extra ``dask``.
"""

from __future__ import annotations

import os
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from time import monotonic
from typing import TYPE_CHECKING, Any, NamedTuple

import ir_measures
import numpy as np
from numpy.typing import NDArray

from .common.validators import number_from
from .exceptions import InputError, MissingExtraError
from .io.columns import DOC_NAMES, GRADE_NAMES, QUERY_NAMES, SCORE_NAMES, pick
from .io.groups import groups_of
from .io.table import Table, run_label
from .io.trec import read_qrels
from .judgments.judged_run import JudgedRun
from .judgments.judgments import Judgments
from .measures.base import Measure
from .measures.doubts import Doubts
from .measures.relative import RUNS
from .runsets.registry import OTHERS, consists_of
from .runsets.runset import RunSet
from .runsets.sources import are_paths, distinct, sources_of
from .scoring.evaluate import parse_all, score_all
from .scoring.score_matrix import ScoreMatrix
from .typing import FilesLike, GroupsLike, MeasuresLike, PathOrName

if TYPE_CHECKING:
    from typing import TypeAlias

    from dask.dataframe import DataFrame as DaskFrame
    from distributed import Client
    from pandas import DataFrame

    DaskTable: TypeAlias = DaskFrame | PathOrName | FilesLike
    Paths: TypeAlias = str | list[str]

# A choice: a lost worker is seen soon, and the scheduler is asked rarely.
POLL_SECONDS = 0.5


class WorkersLostError(OSError):
    """The cluster's workers died, so that scores are missing."""


def evaluate(
    runs: Mapping[str, DaskTable],
    qrels: DaskTable,
    measures: MeasuresLike,
    groups: GroupsLike | None = None,
    *,
    client: Client | None = None,
    aligned: bool = False,
    timeout: float | None = 300.0,
) -> ScoreMatrix:
    """Score every run on every measure as `irx_measures.evaluate` does, part by part, on Dask.

    Parameters
    ----------
    runs
        A dict from names to runs: Dask DataFrames, or paths of Parquet files (a file, a list of
        files, a folder, a glob, or any URL that Dask reads), with ir_measures' or PyTerrier's
        column names.
    qrels
        The judgments: a Dask DataFrame or paths of Parquet files, as for runs.
    measures
        As for `irx_measures.evaluate`.
    groups
        The group of each run: a dict, or a CSV file with the columns run and group.
    client
        A ``distributed.Client``. If None, the current client, or threads of this process if there
        is no client.
    aligned
        Whether runs and qrels are already split in the same way: they have the same number of
        partitions (one per Parquet file, in the order of the file names), and the n-th partition
        holds the same queries in all of them. If true, no rows are moved. If false, Dask
        shuffles all rows by query.
    timeout
        Seconds to wait for the next finished part after a worker was lost, or while there is no
        worker. None waits without end. Give more where a large shuffle takes longer than this.

    Returns
    -------
    ScoreMatrix
        The scores of every query of the qrels, sorted by query id. They equal the scores of
        `irx_measures.evaluate`.

    Warns
    -----
    EvaluationWarning
        As `irx_measures.evaluate`, once for all parts. A run without a judged document is not named
        again as the prior of a measure. If no run has one, that is a warning and not an error.

    Raises
    ------
    ValueError
        When a measure needs all queries at once (``select='best-per-group'``) or needs runs that
        are only registered in this process. When the qrels are empty, or qrels and runs have no
        query in common. When `aligned` is true and the inputs are not aligned.
    ImportError
        When Dask is not installed, or a library that a path needs, here or on a worker.
    OSError
        When a path cannot be read, here or on a worker.
    WorkersLostError
        An OSError. When a part has killed more workers than Dask's setting
        ``distributed.scheduler.allowed-failures`` allows (3), and after `timeout`.

    Notes
    -----
    - `others` are the runs given, as in `irx_measures.evaluate`.
    - A worker holds one part of all runs at a time and returns their scores.

    Examples
    --------
    >>> import dask.dataframe as dd, pandas as pd
    >>> from irx_measures.distributed import evaluate
    >>> def frame(rows, value):
    ...     made = pd.DataFrame(rows, columns=["query_id", "doc_id", value])
    ...     return dd.from_pandas(made, npartitions=2)
    >>> runs = {
    ...     "a": frame([("q1", "A", 2.0), ("q2", "X", 1.0)], "score"),
    ...     "b": frame([("q1", "X", 2.0), ("q2", "B", 1.0)], "score"),
    ... }
    >>> qrels = frame([("q1", "A", 1), ("q2", "B", 1)], "relevance")
    >>> evaluate(runs, qrels, ["P@1", "UniqueRel(prior=others)@1"]).scores.tolist()
    [[[1.0, 0.0], [0.0, 1.0]], [[1.0, 0.0], [0.0, 1.0]]]
    """
    parsed = parse_all(measures)
    if not isinstance(runs, Mapping) or not runs:
        raise TypeError(
            "distributed.evaluate: `runs` must be a dict from names to Dask DataFrames or paths; "
            f"got {runs!r}"
        )
    for measure in parsed:
        _check(measure, runs)
    if timeout is not None:
        number_from(0, closed=False).check("timeout", timeout)
    systems = Systems.of(runs, groups)
    tables = {"qrels": _table(qrels, GRADE_NAMES, "qrels")}
    tables |= {
        run_label(name): _table(run, SCORE_NAMES, run_label(name)) for name, run in runs.items()
    }
    if aligned:
        _check_alike({what: table.npartitions for what, table in tables.items()})
    else:
        tables = _shuffled(tables)
    paths = {
        what: found
        for what, source in zip(tables, (qrels, *runs.values()), strict=True)
        if (found := _paths(source)) is not None
    }
    tasks = _tasks(list(tables.values()), systems, parsed)
    parts = _compute(tasks, paths, client, timeout)
    if aligned:
        _check_aligned(parts, list(tables))
    return _joined(parts, parsed, systems)


class Systems(NamedTuple):
    """The names of the runs, and their groups if there are groups."""

    names: tuple[str, ...]
    groups: tuple[str, ...] | None

    @classmethod
    def of(cls, runs: Mapping[str, Any], groups: GroupsLike | None) -> Systems:
        names = tuple(distinct(runs.items()))
        return cls(names, None if groups is None else groups_of(names, groups))

    @property
    def group_of(self) -> dict[str, str] | None:
        """The group of each run, by name."""
        return None if self.groups is None else dict(zip(self.names, self.groups, strict=True))


def _check(measure: ir_measures.Measure, names: Collection[str]) -> None:
    if not isinstance(measure, Measure):
        return
    known = {OTHERS, *names}
    if measure.of_all_queries:
        raise InputError(
            f"distributed.evaluate: {measure} looks at all queries at once, which no worker sees; "
            "irx_measures.evaluate scores it"
        )
    for name, param in measure.PARAMS.items():
        value = measure[name] if param.allowed is RUNS else None
        if value is not None and not (
            isinstance(value, str) and consists_of(value, lambda part: part in known)
        ):
            raise InputError(
                f"distributed.evaluate: {measure.NAME}: `{name}` must be None or {OTHERS!r}, the "
                f"runs given, or names of them, since workers know no other; got {value!r}"
            )


def _table(source: DaskTable, value_names: tuple[str, ...], what: str) -> DaskFrame:
    """The three required columns, as a Dask DataFrame."""
    dd = _dask_dataframe()
    paths = _paths(source)
    if paths is not None:
        source = _read(paths, what)
    elif not isinstance(source, dd.DataFrame):
        raise TypeError(
            f"distributed.evaluate: {what} must be a Dask DataFrame or paths of Parquet files; "
            f"got {type(source).__name__}"
        )
    columns = [str(name) for name in source.columns]
    wanted = QUERY_NAMES, DOC_NAMES, value_names
    return source[[pick(names, columns, what, source.__getitem__) for names in wanted]]


def _paths(source: DaskTable) -> Paths | None:
    """The path or paths as Dask takes them; None for data."""
    if isinstance(source, (str, os.PathLike)):
        return os.fspath(source)
    return [os.fspath(path) for path in source] if are_paths(source) else None


def _read(path: Paths, what: str, where: str = "") -> DaskFrame:
    """The Parquet files of a path. What Dask raises becomes an error that names the run."""
    try:
        table = _dask_dataframe().read_parquet(path)
    except Exception as error:
        raise _read_error(path, what, where, error.__cause__ or error) from error
    if not len(table.columns):  # what Dask makes of a glob that matches nothing
        raise _read_error(path, what, where, FileNotFoundError("no such files"))
    return table


def _read_error(path: Paths, what: str, where: str, reason: BaseException) -> Exception:
    """The reason why a path cannot be read, in one line that names the run."""
    shown = " ".join(str(reason).split())
    message = f"distributed.evaluate: cannot read {what}, {path!r}{where}: {shown}"
    if isinstance(reason, ImportError):
        return MissingExtraError(f"{message} (a missing library)")
    if isinstance(reason, FileNotFoundError):
        return FileNotFoundError(message)
    return OSError(message) if isinstance(reason, OSError) else InputError(message)


def _dask_dataframe() -> Any:
    try:
        import dask.dataframe
    except ImportError:
        raise MissingExtraError(
            "distributed.evaluate needs Dask: pip install 'irx-measures[dask]'"
        ) from None
    return dask.dataframe


def _check_alike(partitions: Mapping[str, int]) -> None:
    if len(set(partitions.values())) > 1:
        counted = ", ".join(f"{what} {count}" for what, count in partitions.items())
        raise InputError(
            "distributed.evaluate: aligned inputs must have as many partitions each; got "
            f"{counted} (use aligned=False)"
        )


def _shuffled(tables: Mapping[str, DaskFrame]) -> dict[str, DaskFrame]:
    """Shuffle the rows, so that a query is in the same partition number in every table."""
    partitions = max(table.npartitions for table in tables.values())
    return {
        what: table.shuffle(on=str(table.columns[0]), npartitions=partitions)
        for what, table in tables.items()
    }


class Part(NamedTuple):
    """The result of one partition.

    Attributes
    ----------
    query_ids
        The queries of the partition's qrels.
    scores : (measures, systems, queries)
    rankings
        The number of rankings of these queries.
    unmatched_queries
        For each run, its queries that are not in the partition's qrels.
    doubts
        Reasons for warnings about these queries.
    """

    query_ids: Sequence[str]
    scores: NDArray[np.float64]
    rankings: int
    unmatched_queries: list[set[str]]
    doubts: Doubts


def _tasks(
    tables: Sequence[DaskFrame], systems: Systems, measures: Sequence[ir_measures.Measure]
) -> list[Any]:
    """One task per partition: its `Part`."""
    import dask

    score = dask.delayed(_score_part, pure=False)
    columns = [table.to_delayed() for table in tables]
    return [score(systems, measures, *frames) for frames in zip(*columns, strict=True)]


def _compute(
    tasks: Sequence[Any], paths: Mapping[str, Paths], client: Client | None, timeout: float | None
) -> list[Part]:
    """Compute all tasks with the scheduler that Dask would use."""
    import dask.base

    scheduler = dask.base.get_scheduler(scheduler=client)
    cluster = getattr(scheduler, "__self__", None)  # a client's scheduler is its method `get`
    try:
        if cluster is None:
            return list(dask.compute(*tasks, scheduler=scheduler))
        return _on_cluster(tasks, cluster, timeout)
    except (InputError, WorkersLostError):
        raise
    except Exception:
        _check_readable(paths, cluster)
        raise


def _on_cluster(tasks: Sequence[Any], client: Client, timeout: float | None) -> list[Part]:
    from distributed import KilledWorker

    futures = client.compute(tasks)
    try:
        _wait(futures, client, timeout)
        return client.gather(futures)
    except KilledWorker as error:
        raise WorkersLostError(f"distributed.evaluate: workers died: {error}") from error
    finally:
        client.cancel(futures)


def _wait(futures: Sequence[Any], client: Client, timeout: float | None) -> None:
    """Return when all futures have finished or one has failed."""
    from distributed import TimeoutError as NotYetError
    from distributed import wait

    known: set[str] = set()
    finished = 0
    lost_at: float | None = None
    while True:
        try:
            wait(futures, timeout=POLL_SECONDS)
            return
        except NotYetError:
            states = [future.status for future in futures]
        if "error" in states:
            return
        if states.count("finished") > finished:
            finished, lost_at = states.count("finished"), None
        alive = set(client.nthreads())
        if lost_at is None and (known - alive or not alive):
            lost_at = monotonic()
        known = alive
        if lost_at is not None and timeout is not None and monotonic() - lost_at > timeout:
            raise WorkersLostError(
                f"distributed.evaluate: workers died or are missing, and no part was finished for "
                f"{timeout:g} s (`timeout`); {finished} of {len(futures)} parts are finished, "
                f"{len(alive)} workers are alive"
            )


def _check_readable(paths: Mapping[str, Paths], client: Client | None) -> None:
    """Raise the error of the first path that cannot be read, here or on a worker."""
    for what, path in paths.items():
        if client is None:
            _read(path, what)
            continue
        for error in client.run(_why_unreadable, path, what, on_error="ignore").values():
            if error is not None:
                raise error


def _why_unreadable(path: Paths, what: str, dask_worker: Any) -> Exception | None:
    """The error of reading a path on this worker, which `Client.run` passes."""
    try:
        _read(path, what, f" on worker {dask_worker.address}")
    except Exception as error:
        return type(error)(str(error))  # without its cause, which need not be picklable
    return None


def _score_part(
    systems: Systems,
    measures: Sequence[ir_measures.Measure],
    qrels_frame: DataFrame,
    *run_frames: DataFrame,
) -> Part:
    """Score one partition of all tables, on a worker."""
    runs = dict(zip(systems.names, run_frames, strict=True))
    # A run may have no query here.
    sources = sources_of(runs, borrow=True)._replace(may_be_empty=True)
    runset = RunSet(sources, name=OTHERS, groups=systems.group_of)
    qrels = replace(read_qrels(qrels_frame), is_part=True)
    if not len(qrels.value):
        nothing = np.empty((len(measures), len(runset), 0))
        return Part((), nothing, 0, _unmatched_queries(runset, ()), _doubts_without(qrels, runset))
    scored = score_all(runset, qrels, measures, progress=False)
    matrix, rankings = scored.matrix, scored.rankings
    unmatched = _unmatched_queries(runset, matrix.query_ids)
    return Part(matrix.query_ids, matrix.scores, rankings, unmatched, scored.doubts)


def _doubts_without(qrels: Table, runset: RunSet) -> Doubts:
    """The doubts of a partition without judgments: its runs may have queries."""
    doubts, judgments = Doubts(), Judgments(qrels)
    for position, name in enumerate(runset.names):
        judged = JudgedRun(judgments, runset.source(position), name)
        doubts.add_run(judged, name)
        doubts.add_ranks(judged.head.ranks, name)
    return doubts


def _unmatched_queries(runset: RunSet, query_ids: Sequence[str]) -> list[set[str]]:
    known = set(query_ids)
    return [set(run.query_ids) - known for run in runset.each()]


def _check_aligned(parts: Sequence[Part], tables: Sequence[str]) -> None:
    """ValueError if a query is in different partitions of the qrels and of a table."""
    home: dict[str, int] = {}
    for number, part in enumerate(parts):
        for query_id in part.query_ids:
            if home.setdefault(query_id, number) != number:
                _refuse(query_id, home[query_id], tables[0], number)
    for number, part in enumerate(parts):
        for what, unmatched_queries in zip(tables[1:], part.unmatched_queries, strict=True):
            for query_id in unmatched_queries & home.keys():
                _refuse(query_id, home[query_id], what, number)


def _refuse(query_id: str, home: int, what: str, number: int) -> None:
    raise InputError(
        f"distributed.evaluate: inputs are not aligned: query {query_id!r} is in partition {home} "
        f"of the qrels and in partition {number} of {what} (use aligned=False)"
    )


def _joined(
    parts: Sequence[Part], measures: Sequence[ir_measures.Measure], systems: Systems
) -> ScoreMatrix:
    query_ids = [query_id for part in parts for query_id in part.query_ids]
    if not query_ids:
        raise InputError(f"qrels hold no judgments; needed by {', '.join(map(str, measures))}")
    if not any(part.rankings for part in parts):
        raise InputError("qrels and runs share no query")
    told = Doubts.joined(part.doubts for part in parts).tell()
    order = sorted(range(len(query_ids)), key=query_ids.__getitem__)
    scores = np.concatenate([part.scores for part in parts], axis=2)[:, :, order]
    by_id = tuple(query_ids[place] for place in order)
    matrix = ScoreMatrix(tuple(measures), systems.names, by_id, scores, systems.groups)
    return replace(matrix, warnings=told)
