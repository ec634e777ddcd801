"""evaluate() on Dask, for data that exceeds the memory of one machine.

Runs and qrels are split by query. The scorer of `irx_measures.evaluate` scores each part, and the
scores are joined. Dask schedules the work. This module needs the extra ``dask``.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import chain, pairwise
from typing import Any, NamedTuple, TypeAlias

import ir_measures
import numpy as np

from .common.numeric import FloatArray
from .common.validators import number_from
from .common.writing import one_line
from .doubts.facts import Facts, other_queries, tell
from .exceptions import InputError, importing
from .io.block import block_in_memory
from .io.columns import (
    BESIDE,
    DOC_NAMES,
    GRADE_NAMES,
    QUERY_NAMES,
    RANK,
    SCORE_NAMES,
    SWAPPED,
    SYSTEM_NAMES,
    pick,
)
from .io.gather import refuse_several_systems
from .io.groups import groups_of
from .io.rank_column import HeadRow, contradiction, rows_of_first_queries
from .io.table import run_label
from .io.trec import read_qrels
from .measures.declaring.base import Measure
from .measures.declaring.relative import RUNS
from .runsets.registry import OTHERS, consists_of
from .runsets.runset import RunSet
from .runsets.sources import are_paths, distinct, sources_of
from .scoring.evaluate import parse_all, score_all
from .scoring.score_matrix import ScoreMatrix, with_facts
from .typing import Client, DaskFrame, DaskTable, DataFrame, GroupsLike, MeasuresLike

__all__ = ["evaluate"]


SOME_ROWS = 1000  # of a part, a choice: a message names few queries


class Beside(NamedTuple):
    """What a part of a run has beside its scores."""

    systems: dict[str, list[str]]  # by the columns that name systems
    head: list[HeadRow]  # of its first queries; empty without a column of ranks
    queries: list[str]  # some of its queries, for a message


# Of a partition: the queries of its qrels, the scores (measures, systems, queries), facts about its
# runs and qrels, and what is beside the scores of its runs, by their names.
Part: TypeAlias = tuple[Sequence[str], FloatArray, Facts, dict[str, Beside]]


def evaluate(
    qrels: DaskTable,
    runs: Mapping[str, DaskTable],
    measures: MeasuresLike,
    groups: GroupsLike | None = None,
    *,
    client: Client | None = None,
    aligned: bool = False,
    timeout: float | None = 300.0,
    ignore_identical_ids: bool = False,
) -> ScoreMatrix:
    """Score every run on every measure as `irx_measures.evaluate` does, part by part, on Dask.

    Parameters
    ----------
    qrels
        The judgments: a Dask DataFrame, or paths of Parquet files (a file, a list of files, a
        folder, a glob, or any URL that Dask reads), with ir_measures' or PyTerrier's names of
        columns.
    runs
        A dict from names to runs: Dask DataFrames or paths of Parquet files, as for qrels. A column
        of systems or ranks is checked as in one table.
    measures, groups
        As for `irx_measures.evaluate`.
    client
        A ``distributed.Client``. If None, the current client, or threads of this process if there
        is no client.
    aligned
        Whether runs and qrels are already split in the same way: they have the same number of
        partitions (one per Parquet file, in the order of the file names), and the n-th partition
        holds the same queries in all of them. If true, no rows are moved, and a run has no results
        for a query that it holds in another partition than the qrels. If false, Dask shuffles all
        rows by query.
    timeout
        Seconds to wait for the first worker of a cluster. None waits without end.
    ignore_identical_ids
        As for `irx_measures.evaluate`.

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
        As for `irx_measures.evaluate`. Also when a measure needs all queries at once
        (``select='best-per-group'``) or runs that are only registered in this process; or when
        `aligned` is true, and the numbers of partitions differ or a query is in several of them.
    ImportError
        When Dask is not installed, or a library that a path needs.
    TimeoutError
        When a cluster has no worker after `timeout` seconds.

    Notes
    -----
    - A worker holds one part of all runs at a time and returns their scores.
    - Dask computes the parts of a lost worker again. It gives up with ``KilledWorker`` when a part
      has killed more workers than ``distributed.scheduler.allowed-failures`` allows (3).

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
    >>> evaluate(qrels, runs, ["P@1", "UniqueRel(prior=others)@1"]).scores.tolist()
    [[[1.0, 0.0], [0.0, 1.0]], [[1.0, 0.0], [0.0, 1.0]]]
    """
    parsed = parse_all(measures)
    if isinstance(qrels, Mapping):
        raise TypeError(
            "distributed.evaluate: `qrels` must be a Dask DataFrame or paths; got a dict: "
            f"{SWAPPED}"
        )
    if not isinstance(runs, Mapping) or not runs:
        raise TypeError(
            "distributed.evaluate: `runs` must be a dict from names to Dask DataFrames or paths; "
            f"got {runs!r}"
        )
    for measure in parsed:
        _check(measure, runs)
    if timeout is not None:
        number_from(0, closed=False).check("timeout", timeout)
    names = tuple(distinct(runs.items()))
    in_groups = None if groups is None else groups_of(names, groups)
    tables = {"qrels": _table(qrels, GRADE_NAMES, "qrels")}
    for name, run in runs.items():
        tables[run_label(name)] = _table(run, SCORE_NAMES, run_label(name))
    score = partial(_score_part, names, in_groups, parsed, ignore_identical_ids)
    parts = _scored(_partitions(tables, aligned), score, client, timeout)
    return _joined(parts, parsed, names, in_groups)


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
    """The three required columns, and those in `BESIDE` of a run, as a Dask DataFrame."""
    if isinstance(source, (str, os.PathLike)):
        source = _read(os.fspath(source), what)
    elif are_paths(source):
        source = _read([os.fspath(path) for path in source], what)
    elif not isinstance(source, _dask_dataframe().DataFrame):
        raise TypeError(
            f"distributed.evaluate: {what} must be a Dask DataFrame or paths of Parquet files; "
            f"got {type(source).__name__}"
        )
    columns = [str(name) for name in source.columns]
    wanted = QUERY_NAMES, DOC_NAMES, value_names
    read = [pick(names, columns, what, source.__getitem__) for names in wanted]
    kind = source.dtypes[read[-1]]
    if isinstance(kind, np.dtype):  # no partition is read: Dask cannot shuffle some types
        block_in_memory(what, {read[-1]: np.empty(0, kind)}).numbers((read[-1],))
    if value_names is SCORE_NAMES:
        read += [name for name in BESIDE if columns.count(name) == 1]
    return source[read]


def _read(path: str | list[str], what: str) -> DaskFrame:
    """The Parquet files of a path; the errors of Dask, with the name of the run."""
    message = f"distributed.evaluate: cannot read {what}, {path!r}: "
    dask_dataframe = _dask_dataframe()
    try:
        table = dask_dataframe.read_parquet(path)
    except Exception as error:  # whatever the library for the path raises
        why = error.__cause__ or error
        kinds = (FileNotFoundError, OSError, ImportError)
        kind = next((kind for kind in kinds if isinstance(why, kind)), InputError)
        raise kind(message + one_line(why)) from error
    if not len(table.columns):  # what Dask makes of a glob that matches nothing
        raise FileNotFoundError(f"{message}no such files")
    return table


def _dask_dataframe() -> Any:
    with importing("dask", "distributed.evaluate needs Dask"):
        import dask.dataframe
    return dask.dataframe


def _partitions(tables: Mapping[str, DaskFrame], aligned: bool) -> list[tuple[Any, ...]]:
    """The partitions of all tables with the same queries, one tuple for each part."""
    counts = {what: table.npartitions for what, table in tables.items()}
    parts = list(tables.values())
    if not aligned:
        most = max(counts.values())
        parts = [table.shuffle(on=str(table.columns[0]), npartitions=most) for table in parts]
    elif len(set(counts.values())) > 1:
        counted = ", ".join(f"{what} {count}" for what, count in counts.items())
        raise InputError(
            "distributed.evaluate: aligned inputs must have as many partitions each; got "
            f"{counted} (use aligned=False)"
        )
    return list(zip(*(table.to_delayed() for table in parts), strict=True))


def _scored(
    partitions: Sequence[tuple[Any, ...]],
    score_part: Callable[..., Part],
    client: Client | None,
    timeout: float | None,
) -> list[Part]:
    """Score all partitions with the scheduler that Dask would use."""
    import dask
    from dask.base import get_scheduler

    score = dask.delayed(score_part, pure=False)
    tasks = [score(*frames) for frames in partitions]
    scheduler = get_scheduler(scheduler=client)
    cluster = getattr(scheduler, "__self__", None)  # a client's scheduler is its method `get`
    if cluster is None:
        return list(dask.compute(*tasks, scheduler=scheduler))
    futures = cluster.compute(tasks)  # first: clusters that adapt start workers for tasks
    cluster.wait_for_workers(1, timeout=timeout)
    return list(cluster.gather(futures))


def _score_part(
    names: Sequence[str],
    groups: Sequence[str] | None,
    measures: Sequence[ir_measures.Measure],
    ignore_identical_ids: bool,
    qrels_frame: DataFrame,
    *run_frames: DataFrame,
) -> Part:
    """Score one partition of all tables, on a worker."""
    frames = dict(zip(names, run_frames, strict=True))
    # A part alone does not show whether its ranks contradict its scores.
    runs = {name: frame.drop(columns=RANK, errors="ignore") for name, frame in frames.items()}
    # A run may have no query here.
    sources = sources_of(runs, borrow=True).by_name
    parts = {name: replace(source, may_be_empty=True) for name, source in sources.items()}
    group_of = None if groups is None else dict(zip(names, groups, strict=True))
    runset = RunSet(parts, name=OTHERS, groups=group_of, ignore_identical_ids=ignore_identical_ids)
    qrels = replace(read_qrels(qrels_frame), is_part=True)
    # Runs without qrels have no scores, but facts about them.
    scored_here = measures if len(qrels) else ()
    scored = score_all(qrels, runset, scored_here, progress=False)
    scores = scored.matrix.scores if len(qrels) else np.empty((len(measures), len(names), 0))
    beside = {name: _beside(frame) for name, frame in frames.items()}
    return scored.matrix.query_ids, scores, scored.facts, beside


def _beside(frame: DataFrame) -> Beside:
    """What a part of a run, which was read before, has beside its scores."""
    systems = {
        name: list(map(str, frame[name].unique())) for name in SYSTEM_NAMES if name in frame.columns
    }
    query, doc, score = frame.columns[:3]
    queries = list(map(str, frame[query].iloc[:SOME_ROWS].unique()))
    if RANK not in frame.columns:
        return Beside(systems, [], queries)
    rows = frame[[query, doc, RANK, score]].itertuples(index=False, name=None)
    return Beside(systems, rows_of_first_queries(map(HeadRow._make, rows)), queries)


def _joined(
    parts: Sequence[Part],
    measures: Sequence[ir_measures.Measure],
    names: tuple[str, ...],
    groups: tuple[str, ...] | None,
) -> ScoreMatrix:
    ids_of_parts, scores, facts_of_parts, beside_of_parts = zip(*parts, strict=True)
    ranks = {name: _ranks([beside[name] for beside in beside_of_parts], name) for name in names}
    query_ids = list(chain.from_iterable(ids_of_parts))
    if not query_ids:
        raise InputError(f"qrels hold no judgments; needed by {', '.join(map(str, measures))}")
    order = sorted(range(len(query_ids)), key=query_ids.__getitem__)
    by_id = tuple(query_ids[place] for place in order)
    twice = next((one for one, other in pairwise(by_id) if one == other), None)
    if twice is not None:
        raise InputError(
            f"distributed.evaluate: query {twice!r} is in several partitions of the qrels "
            "(use aligned=False)"
        )
    facts = Facts(measures)
    for part in facts_of_parts:
        facts.join(part)
    for name, found in ranks.items():
        facts.add_ranks(found, name)
    if not facts.rankings:
        first = {query for beside in beside_of_parts for query in beside[names[0]].queries}
        raise InputError(other_queries(by_id, sorted(first)))
    joined = np.concatenate(scores, axis=2)[:, :, order]
    matrix = with_facts(ScoreMatrix(tuple(measures), names, by_id, joined, groups), facts)
    tell(matrix.warnings)
    return matrix


def _ranks(parts: Sequence[Beside], name: str) -> str:
    """How the ranks of a run contradict its scores; InputError if its parts are of two systems."""
    systems: dict[str, list[str]] = {}
    head: list[HeadRow] = []
    for part in parts:
        head += part.head
        for column, named in part.systems.items():
            systems.setdefault(column, []).extend(named)
    refuse_several_systems(systems, run_label(name))
    return contradiction(rows_of_first_queries(head))
