"""Many systems at once: evaluate() from runs, Experiment() from PyTerrier pipelines."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

import ir_measures
import numpy as np
from numpy.typing import NDArray
from tqdm import tqdm

from .columns import QrelsColumns, RunColumns, nested
from .judged_run import JudgedRun, Judgments
from .measures.base import Measure
from .measures.relative import RelativeMeasure
from .measures.residual_gain import UniqueRel
from .runset import OTHERS, RunSet, scope
from .score_matrix import ScoreMatrix
from .strings import parse_measure
from .trec_files import read_groups, read_qrels

FloatArray = NDArray[np.float64]


def evaluate(
    runs: Any,
    qrels: Any,
    measures: Iterable[str | ir_measures.Measure] | str | ir_measures.Measure,
    groups: Any = None,
    *,
    progress: bool | None = None,
) -> ScoreMatrix:
    """Score every run on every measure, `others` being the runs themselves.

    Parameters
    ----------
    runs
        A RunSet, or whatever one is made of: a dict from names to runs, a glob of files, ...
    qrels
        A DataFrame, dict of dicts, iterable of namedtuples, TREC file or ir_datasets id.
    measures
        Measures or measure strings, of this package and of ir_measures.
    groups
        The group of each run: a dict, or a CSV file with the columns run and group.
    progress
        Whether to show a progress bar on stderr; None shows one on a terminal for many runs.

    Returns
    -------
    ScoreMatrix
        Of every query of the qrels, in their order.

    Raises
    ------
    ValueError
        When qrels are empty or share no query with any run, and for measures that cannot be used.

    Notes
    -----
    Runs are read one at a time, and work that they share is done once: the qrels are indexed once,
    each run is ranked and joined once, and what a measure needs of the other runs is computed for
    all of them together.

    Examples
    --------
    >>> import irx_measures
    >>> runs = {"a": {"q": {"A": 2.0, "B": 1.0}}, "b": {"q": {"B": 2.0, "X": 1.0}}}
    >>> qrels = {"q": {"A": 1, "B": 1}}
    >>> matrix = irx_measures.evaluate(runs, qrels, ["P@2", "UniqueRel(prior=others)@2"])
    >>> matrix.means().loc["a"].tolist(), matrix.means().loc["b"].tolist()
    ([1.0, 1.0], [0.5, 0.0])
    """
    parsed = _parse_all(measures)
    if isinstance(runs, RunSet) and groups is None:
        runset = runs
    else:
        sources = _sources_of(runs) if isinstance(runs, RunSet) else runs
        runset = RunSet(sources, name=OTHERS, groups=groups)
    qrels_read = read_qrels(qrels)
    judgments = Judgments(qrels_read)
    if not judgments.query_ids:
        raise ValueError("qrels hold no judgments")
    scores = np.empty((len(parsed), len(runset), len(judgments.query_ids)))
    together = [m for m in parsed if isinstance(m, RelativeMeasure) and m.of_others]
    stock = _StockMeasures([m for m in parsed if not isinstance(m, Measure)], qrels_read)
    with scope(runset):
        judged_set = runset.remember(
            judgments,
            _score_one_by_one(runset, judgments, parsed, stock, scores, progress),
        )
        for measure in together:
            scores[parsed.index(measure)] = measure.score_set(judged_set)
    return ScoreMatrix(tuple(parsed), runset.names, judgments.query_ids, scores, runset.groups)


def _sources_of(runset: RunSet) -> dict[str, RunColumns]:
    return {name: runset.columns(position) for position, name in enumerate(runset.names)}


def _parse_all(measures: Any) -> list[ir_measures.Measure]:
    if isinstance(measures, (str, ir_measures.Measure)):
        measures = [measures]
    parsed = list(dict.fromkeys(parse_measure(measure) for measure in measures))
    if not parsed:
        raise ValueError("`measures` must name at least one measure; got none")
    for measure in parsed:
        measure.validate_params()
    return parsed


def _score_one_by_one(
    runset: RunSet,
    judgments: Judgments,
    measures: Sequence[ir_measures.Measure],
    stock: _StockMeasures,
    scores: FloatArray,
    progress: bool | None,
) -> Iterable[JudgedRun]:
    """Every run, judged; its scores on the measures that need no other run filled in."""
    seen_queries = 0
    row_of = judgments.query_index.number
    quiet = None if progress is None else not progress
    bar = tqdm(
        runset.judge_each(judgments), total=len(runset), unit="run", disable=quiet, delay=0.5
    )
    for position, judged in enumerate(bar):
        seen_queries += int(np.count_nonzero(judged.returned))
        for number, measure in enumerate(measures):
            if isinstance(measure, RelativeMeasure) and measure.of_others:
                continue
            if isinstance(measure, Measure):
                scores[number, position] = measure.score(judged)
        for measure, query_id, value in stock.score(runset, position):
            row = row_of.get(query_id)
            if row is not None:
                scores[measures.index(measure), position, row] = value
        yield judged
    if not seen_queries:
        raise ValueError(
            "qrels and runs share no query: the qrels have "
            f"{_some(judgments.query_ids)}, the first run {_some(_query_ids(runset))}"
        )


def _query_ids(runset: RunSet) -> Sequence[str]:
    return list(dict.fromkeys(runset.columns(0).query.all()))


def _some(ids: Sequence[str]) -> str:
    return ", ".join(map(repr, ids[:3])) + (", ..." if len(ids) > 3 else "") or "none"


class _StockMeasures:
    """ir_measures' own measures, through ir_measures."""

    def __init__(self, measures: Sequence[ir_measures.Measure], qrels: QrelsColumns) -> None:
        self._evaluator = None
        if measures:
            judged = nested(qrels.query, qrels.doc, qrels.grade)
            self._evaluator = ir_measures.evaluator(measures, judged)

    def score(
        self, runset: RunSet, position: int
    ) -> Iterator[tuple[ir_measures.Measure, str, float]]:
        """Measure, query and score, for every query of the qrels and perhaps more."""
        if self._evaluator is not None:
            run = runset.columns(position)
            for metric in self._evaluator.iter_calc(nested(run.query, run.doc, run.score)):
                yield metric.measure, metric.query_id, metric.value


def Experiment(  # noqa: N802 - the name of PyTerrier's function
    retr_systems: Any,
    topics: Any,
    qrels: Any,
    eval_metrics: Sequence[str | ir_measures.Measure],
    names: Sequence[str] | None = None,
    groups: Any = None,
    **kwargs: Any,
) -> Any:
    """`pt.Experiment` in which `others` means the systems of the experiment.

    Parameters
    ----------
    retr_systems, topics, qrels, eval_metrics, names
        As for ``pyterrier.Experiment``.
    groups
        The group of each system, by name, for ``select='other-groups'`` and ``'best-per-group'``.
    **kwargs
        Passed on: ``batch_size``, ``baseline``, ``correction``, ``perquery``, ``save_dir``, ...

    Returns
    -------
    As ``pyterrier.Experiment``.

    Notes
    -----
    - Every transformer is run once over the topics, in slices of ``batch_size`` where it is given,
      before the first system is scored; PyTerrier is then handed the results. ``mrt`` is the time
      of that one run.
    - With ``save_mode='reuse'`` the systems are run all the same, as the set of others needs them.

    Examples
    --------
    >>> import irx_measures, pandas as pd
    >>> topics = pd.DataFrame({"qid": ["q"], "query": ["hello"]})
    >>> qrels = pd.DataFrame({"qid": ["q"], "docno": ["A"], "label": [1]})
    >>> results = pd.DataFrame({"qid": ["q"], "docno": ["A"], "score": [1.0], "rank": [0]})
    >>> irx_measures.Experiment(
    ...     [results, results.assign(docno="B")], topics, qrels,
    ...     ["NRG(prior=others)@10"], names=["a", "b"],
    ... )
      name  NRG(prior=others)@10
    0    a                   1.0
    1    b                   0.0
    """
    pt = _pyterrier()
    named = isinstance(retr_systems, Mapping)
    systems = list(retr_systems.values()) if named else list(retr_systems)
    if named or names is None:
        names = list(retr_systems) if named else [str(system) for system in systems]
    if len(names) != len(systems):
        raise ValueError(
            f"Experiment: `names` must have one name per system ({len(systems)}); got {len(names)}"
        )
    if kwargs.get("save_dir") is not None and "mrt" in eval_metrics:
        raise ValueError(
            "Experiment: 'mrt' cannot be saved: what PyTerrier would write to `save_dir` is the "
            "time of handing results over, not of retrieval"
        )
    if isinstance(kwargs.get("baseline"), str):
        kwargs["baseline"] = _position(kwargs["baseline"], names)
    running = {key: kwargs.pop(key) for key in RUNNING & kwargs.keys()}
    shared = {key: kwargs[key] for key in FILTERING & kwargs.keys()}
    results, mrt = _run_once(pt, systems, topics, qrels, {**running, **shared})
    unique = _unique(names)
    group_of = None if groups is None else dict(zip(unique, _groups(groups, names), strict=True))
    handed = [pt.Transformer.from_df(frame) for frame in results]
    with scope(dict(zip(unique, results, strict=True)), group_of):
        table = pt.Experiment(
            handed if "save_dir" in kwargs else results,
            topics,
            qrels,
            eval_metrics,
            names=names,
            validate="ignore",
            **kwargs,
        )
    if "mrt" in eval_metrics:
        _put_mrt(table, names, mrt, kwargs.get("round"))
    return table


# What pt.Experiment's arguments are about: running the systems, or which queries there are.
RUNNING = frozenset({"batch_size", "verbose", "validate", "precompute_prefix", "plan"})
FILTERING = frozenset({"filter_by_qrels", "filter_by_topics"})


def _run_once(
    pt: Any, systems: Sequence[Any], topics: Any, qrels: Any, kwargs: Mapping[str, Any]
) -> tuple[list[Any], list[float]]:
    """Every system's results, and its mean response time: run by pt.Experiment itself."""
    import pandas as pd

    class Recorder(pt.Transformer):
        def __init__(self) -> None:
            self.results: list[Any] = []

        def transform(self, results: Any) -> Any:
            if len(results):
                self.results.append(results.copy())
            return results

        def transform_outputs(self, columns: list[str]) -> list[str]:
            return columns

    recorders = {
        position: Recorder()
        for position, system in enumerate(systems)
        if not isinstance(system, pd.DataFrame)
    }
    recorded = [
        system >> recorders[position] if position in recorders else system
        for position, system in enumerate(systems)
    ]
    keys = [str(position) for position in range(len(systems))]
    timed = pt.Experiment(
        recorded, topics, qrels, [UniqueRel @ 1, "mrt"], names=keys, dataframe=False, **kwargs
    )
    results = [
        pd.concat(recorders[position].results, ignore_index=True)
        if position in recorders
        else system
        for position, system in enumerate(systems)
    ]
    return results, [float(timed[key]["mrt"]) for key in keys]


def _unique(names: Sequence[str]) -> list[str]:
    counts: dict[str, int] = {}
    unique = []
    for name in names:
        counts[name] = counts.get(name, 0) + 1
        unique.append(name if counts[name] == 1 else f"{name} ({counts[name]})")
    return unique


def _groups(groups: Any, names: Sequence[str]) -> list[str]:
    group_of = read_groups(groups)
    missing = [name for name in names if name not in group_of]
    if missing:
        raise ValueError(f"Experiment: `groups` must name every system; missing {missing}")
    return [group_of[name] for name in names]


def _position(name: str, names: Sequence[str]) -> int:
    if name not in names:
        raise ValueError(f"Experiment: `baseline` must be one of {list(names)}; got {name!r}")
    return list(names).index(name)


def _put_mrt(table: Any, names: Sequence[str], mrt: Sequence[float], places: Any) -> None:
    """Replace the time of handing results over by that of retrieval."""
    places = places.get("mrt") if isinstance(places, Mapping) else places
    rounded = [time if places is None else round(time, places) for time in mrt]
    if isinstance(table, dict):
        for name, time in zip(names, mrt, strict=True):
            table[name]["mrt"] = time
        return
    frame = getattr(table, "data", table)
    if "mrt" in getattr(frame, "columns", ()):
        frame["mrt"] = rounded


def _pyterrier() -> Any:
    try:
        import pyterrier
    except ImportError:
        raise ImportError(
            "Experiment needs PyTerrier: pip install 'irx-measures[pyterrier]'"
        ) from None
    return pyterrier
