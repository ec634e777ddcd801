"""Experiment(): compares PyTerrier systems; `others` means the systems."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import ExitStack, nullcontext
from functools import cache, partial
from inspect import signature
from pathlib import Path
from typing import TYPE_CHECKING, Any

import ir_measures

from ..common.memory import memory_limit
from ..exceptions import InputError, MissingExtraError
from ..io.groups import read_groups
from ..io.lenient import valid_qrels_rows, valid_run_rows
from ..io.trec import read_qrels, read_run
from ..judgments.judged_run import JudgedRun
from ..judgments.judged_share import JudgedShare
from ..judgments.judgments import Judgments
from ..measures.base import Measure
from ..measures.doubts import Doubts
from ..runsets.registry import scope
from ..scoring.evaluate import depend_on_qrels
from ..scoring.standard_kernels import is_of_gdeval
from ..typing import GroupsLike, MeasureLike
from .accelerate import accelerate
from .ir_measures import SYSTEM
from .pyterrier_baselines import (
    are_several,
    highlight_scores,
    is_test_of_compare,
    leave_out,
    of_defined,
    positions_of,
    with_baselines,
)
from .pyterrier_order import (
    in_order,
    put_files_in_order,
    put_saved_comparisons,
    put_saved_mrt,
)

if TYPE_CHECKING:
    from typing import TypeAlias

    from pandas import DataFrame
    from pyterrier import Transformer

    System: TypeAlias = Transformer | DataFrame


def Experiment(  # noqa: N802 - the name of PyTerrier's function
    retr_systems: Sequence[System] | Mapping[str, System],
    topics: DataFrame | str,
    qrels: DataFrame | str,
    eval_metrics: Iterable[MeasureLike],
    names: Sequence[str] | None = None,
    *args: Any,
    groups: GroupsLike | None = None,
    strict: bool = True,
    limits: int | str | None = None,
    **kwargs: Any,
) -> Any:  # a DataFrame or a dict, as `dataframe` and `perquery` ask
    """`pt.Experiment` in which `others` means the systems of the experiment.

    Parameters
    ----------
    retr_systems, topics, qrels, eval_metrics, names, *args, **kwargs
        As for ``pyterrier.Experiment``, in the same positions: ``perquery`` is the sixth. With a
        measure of this package, `retr_systems` may be any sequence or mapping, and ``baseline``
        may be a name. With all measures, ``baseline`` may be a list of positions and names; see
        the notes.
    groups
        The group of each system, by name, for ``select='other-groups'`` and ``'best-per-group'``.
    strict
        Whether NaN scores, documents returned or judged twice for a query, and systems of which no
        document is judged are errors, as in `evaluate`. If false, there is a warning. It has an
        effect only with a measure of this package.
    limits
        The memory that a measure may use, and the size of unpacked files, as in `evaluate`.

    Returns
    -------
    As ``pyterrier.Experiment``; the measures are in the requested order.

    Raises
    ------
    ImportError
        When PyTerrier is not installed.
    TypeError
        When a system is neither a transformer nor a DataFrame.
    ValueError
        When names, groups or the baseline do not match the systems; and as for `evaluate`.

    Notes
    -----
    - Without groups and without a measure of this package, the call is passed to ``pt.Experiment``
      unchanged: PyTerrier decides which arguments are valid and raises its own errors.
    - With a measure of this package, every transformer is run once over the topics before the first
      system is scored, in batches of ``batch_size`` if it is given. PyTerrier then receives the
      results. ``mrt`` is the time of that one run.
    - With ``save_mode='reuse'``, results saved in TREC format replace their systems, also in
      `others`. Systems saved in another format are run again.
    - Where ``baseline`` is a list, or ``test`` is one that PyTerrier lacks, the systems are
      compared by `compare`, and the columns name the baseline: ``AP p-value (bm25)``. For each
      measure, ``correction`` covers all pairs of a system and a baseline. With a list, ``test`` may
      not be a function.
    - The scores of a system that has none (of NRG, a run that is its own only prior) and its
      comparisons are NaN, with a warning.

    Examples
    --------
    >>> import irx_measures, pandas as pd
    >>> topics = pd.DataFrame({"qid": ["q"], "query": ["hello"]})
    >>> qrels = pd.DataFrame({"qid": ["q", "q"], "docno": ["A", "B"], "label": [1, 0]})
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
    metrics = list(eval_metrics)
    measures = _labelled(_parsed(metrics))
    call = signature(_stock(pt)).bind(retr_systems, topics, qrels, metrics, names, *args, **kwargs)
    given = dict(call.arguments)
    given |= given.pop("kwargs", {})
    baseline = given.get("baseline")
    if is_test_of_compare(given.get("test")) and baseline is not None:
        given["baseline"] = baseline if are_several(baseline) else [baseline]
    # gdeval reads a part of query ids that are no numbers, and the kernels read all of them.
    of_gdeval = any(map(is_of_gdeval, measures.values()))
    with accelerate() if of_gdeval else nullcontext():
        if groups is not None or any(isinstance(one, Measure) for one in measures.values()):
            with memory_limit(limits):
                table = _compare(pt, given, measures, groups, strict)
        elif are_several(given.get("baseline")):
            _, names = _named_systems(pt, retr_systems, names)
            table = _with_baselines(_stock(pt), given, names, measures)
        else:
            table = _stock(pt)(*call.args, **call.kwargs)
    if given.get("save_dir") is not None:
        put_files_in_order(given["save_dir"], list(measures))
    return in_order(table, list(measures))


def _stock(pt: Any) -> Callable[..., Any]:
    """PyTerrier's own Experiment, which a user may have replaced by this one in `pt`."""
    return getattr(sys.modules.get("pyterrier._evaluation"), "Experiment", pt.Experiment)


def _parsed(metrics: Iterable[Any]) -> list[tuple[Any, Any]]:
    """Pairs of the user's input and a measure it stands for; a name may stand for several."""
    asked: list[tuple[Any, Any]] = []
    for given in metrics:
        if isinstance(given, str) and given != "mrt":
            measures = ir_measures.parse_trec_measure(given)
            asked += [(given if len(measures) == 1 else None, measure) for measure in measures]
        elif isinstance(given, ir_measures.Measure):
            asked.append((None, given))
    return asked


def _labelled(asked: Iterable[tuple[Any, Any]]) -> dict[str, Any]:
    """The measures by the names that PyTerrier gives to them, in the requested order."""
    given = {measure: text for text, measure in asked if text is not None}
    return {given.get(measure, str(measure)): measure for _, measure in asked}


def _with_baselines(
    experiment: Callable[..., Any],
    given: dict[str, Any],
    names: Sequence[Any],
    measures: Mapping[str, Any],
) -> Any:
    """Call pt.Experiment; comparisons with baselines are those of the systems that have scores.

    Parameters
    ----------
    experiment
        PyTerrier's function, or a part of it.
    given
        Its arguments by name.
    names
        The names of the systems.
    measures
        The measures by the names of their columns.
    """
    if given.get("baseline") is None:
        return experiment(**given)
    baselines = positions_of(given["baseline"], names)
    if are_several(given.pop("baseline")):
        result = with_baselines(experiment, baselines, _unique(names), measures, **given)
    else:
        if callable(given.get("test")):
            given["test"] = of_defined(given["test"])
        result = experiment(baseline=baselines[0], **given)
        if not leave_out(result, baselines[0], list(measures), **given):
            return result
    if given.get("save_dir") is not None:
        put_saved_comparisons(given["save_dir"], result, names, list(measures))
    return result


def _compare(
    pt: Any,
    given: dict[str, Any],
    measures: Mapping[str, Any],
    groups: GroupsLike | None,
    strict: bool,
) -> Any:
    """Run all systems, then call pt.Experiment on their results.

    Parameters
    ----------
    pt
        PyTerrier.
    given
        The arguments of pt.Experiment by name.
    measures
        The measures by the names of their columns.
    groups, strict
        As for `Experiment`.
    """
    systems, names = _named_systems(pt, given.pop("retr_systems"), given.pop("names", None))
    topics, qrels = _read(pt, given.pop("topics"), given.pop("qrels"), strict)
    scored_qrels = qrels
    if given.get("filter_by_topics", True):
        scored_qrels = qrels[qrels["qid"].isin(topics["qid"])]
    metrics = given.pop("eval_metrics")
    run_names = _unique(names)
    group_of = None
    if groups is not None:
        group_of = dict(zip(run_names, _groups(groups, names), strict=True))
    running = {key: given.pop(key) for key in RUNNING & given.keys()}
    running |= {key: given[key] for key in FILTERING & given.keys()}
    save_dir = given.get("save_dir")
    reusing = save_dir is not None and given.get("save_mode") == "reuse"
    if reusing and given.get("save_format", "trec") == "trec":
        systems = _saved_or_given(pt, systems, names, given["save_dir"])
    with ExitStack() as stack:
        # Systems may take hours: they run when PyTerrier has checked its arguments and needs the
        # first results. From then on `others` is known.
        @cache
        def run_once() -> tuple[list[Any], list[float]]:
            results, mrt = _run(pt, systems, topics, qrels, running)
            if not strict:
                results = list(map(_drop_invalid_results, results, run_names))
            for name, of_system in zip(run_names, results, strict=True):
                of_system.attrs |= {SYSTEM: name}
            named = dict(zip(run_names, results, strict=True))
            if depend_on_qrels(measures.values()):
                _check_document_ids(named, scored_qrels, strict)
            stack.enter_context(scope(named, group_of))
            return results, mrt

        if reusing:  # PyTerrier then reads results from files and may never run a system
            run_once()
        stand_ins = _stand_ins(pt, systems, lambda position: run_once()[0][position])
        try:
            experiment = partial(
                _stock(pt), stand_ins, topics, qrels, eval_metrics=metrics, names=names
            )
            table = _with_baselines(experiment, given, names, measures)
            highlight_scores(table)
        except (InputError, TypeError):
            if run_once.cache_info().currsize:
                _refuse_by_name(dict(zip(run_names, run_once()[0], strict=True)), qrels)
            raise
        if "mrt" in metrics:
            mrt = _rounded(run_once()[1], given.get("round"))
            if save_dir is not None:
                put_saved_mrt(save_dir, dict(zip(names, mrt, strict=True)))
            if not given.get("perquery"):
                _put_mrt(table, names, mrt, run_once()[1])
    return table


def _read(pt: Any, topics: Any, qrels: Any, strict: bool) -> tuple[Any, Any]:
    """Topics and qrels as DataFrames; errors name the user's columns."""
    if isinstance(topics, str) and os.path.isfile(topics):
        topics = pt.io.read_topics(topics)
    if isinstance(qrels, str) and os.path.isfile(qrels):
        doubts = Doubts()
        doubts.add_qrels(Path(qrels))
        doubts.tell()
        qrels = pt.io.read_qrels(qrels)
    columns = read_qrels(qrels)
    valid = None if strict else valid_qrels_rows(columns)
    return topics, qrels if valid is None else qrels.iloc[valid]


def _drop_invalid_results(results: Any, name: str) -> Any:
    valid = valid_run_rows(read_run(results, name))
    return results if valid is None else results.iloc[valid]


def _check_document_ids(results: Mapping[str, Any], qrels: Any, strict: bool) -> None:
    """Compare the document ids of the systems with those of the qrels, as `evaluate` does."""
    judgments, doubts = Judgments(read_qrels(qrels)), Doubts()
    for name, of_system in results.items():
        run = read_run(of_system, name)
        doubts.add_ranks(run.ranks, name)
        doubts.add_share(JudgedShare.of(JudgedRun(judgments, run, name)), name)
    if strict:
        doubts.refuse_other_ids()
    doubts.tell()


def _refuse_by_name(results: Mapping[str, Any], qrels: Any) -> None:
    """Raise the error of the first invalid results, with the system's name.

    PyTerrier passes results to measures without the system's name.
    """
    judgments = Judgments(read_qrels(qrels))
    for name, of_system in results.items():
        try:
            JudgedRun(judgments, read_run(of_system, name), name)
        except (InputError, TypeError) as error:
            raise error from None


# Arguments of pt.Experiment by purpose: how systems run, or which queries there are.
RUNNING = frozenset({"batch_size", "verbose", "precompute_prefix", "plan"})

FILTERING = frozenset({"filter_by_qrels", "filter_by_topics"})


def _named_systems(
    pt: Any, retr_systems: Sequence[System] | Mapping[str, System], names: Sequence[str] | None
) -> tuple[list[System], list[str]]:
    import pandas as pd

    if isinstance(retr_systems, Mapping):
        systems, names = list(retr_systems.values()), list(retr_systems)
    else:
        systems = list(retr_systems)
    for system in systems:
        if not isinstance(system, (pd.DataFrame, pt.Transformer)):
            raise TypeError(
                "Experiment: systems must be a list or dict of transformers and DataFrames of "
                f"results; got {type(system).__name__} among them"
            )
    if names is None:
        names = [str(system) for system in systems]
    if len(names) != len(systems):
        raise InputError(
            f"Experiment: `names` must have one name per system ({len(systems)}); got {len(names)}"
        )
    return systems, list(names)


def _saved_or_given(
    pt: Any, systems: Sequence[Any], names: Sequence[str], save_dir: str
) -> list[Any]:
    """Each system, or its results if an earlier experiment saved them."""
    files = [os.path.join(save_dir, f"{name}.res.gz") for name in names]
    return [
        pt.io.read_results(file) if os.path.exists(file) else system
        for file, system in zip(files, systems, strict=True)
    ]


def _run(
    pt: Any, systems: Sequence[Any], topics: Any, qrels: Any, kwargs: Mapping[str, Any]
) -> tuple[list[Any], list[float]]:
    """Run every system with pt.Experiment: results and mean response times."""
    import pandas as pd

    class Recorder(pt.Transformer):
        def __init__(self) -> None:
            self.results: list[Any] = []

        def transform(self, results: Any) -> Any:
            self.results.append(pt.model.coerce_dataframe_types(results.copy()))
            return self.results[-1]

        def transform_outputs(self, columns: list[str]) -> list[str]:
            return columns

        def __repr__(self) -> str:
            return "results"

    recorders = [Recorder() for _ in systems]
    recorded = []
    for system, recorder in zip(systems, recorders, strict=True):
        if isinstance(system, pd.DataFrame):
            recorded.append(recorder.transform(system))
        else:
            recorded.append(system >> recorder)
    # A measure without scores, so that this call rejects no results and issues no warnings.
    nothing = ir_measures.define(lambda qrels, run: (), name="nothing")
    keys = [str(position) for position in range(len(systems))]
    timed = _stock(pt)(
        recorded,
        topics,
        qrels,
        [nothing, "mrt"],
        names=keys,
        dataframe=False,
        validate="ignore",
        **kwargs,
    )
    results = [pd.concat(recorder.results, ignore_index=True) for recorder in recorders]
    return results, [float(timed[key]["mrt"]) for key in keys]


def _stand_ins(pt: Any, systems: Sequence[Any], results_of: Callable[[int], Any]) -> list[Any]:
    """Transformers that PyTerrier inspects and names in the same way as the systems."""
    import pandas as pd

    class StandIn(pt.Transformer):
        def __init__(self, position: int) -> None:
            self.position = position

        def transform(self, topics: Any) -> Any:
            return results_of(self.position)

        def transform_outputs(self, columns: list[str]) -> list[str]:
            system = systems[self.position]
            if isinstance(system, pd.DataFrame):
                return list(system.columns)
            return pt.inspect.transformer_outputs(system, columns)

        def __repr__(self) -> str:
            system = systems[self.position]
            return "DataFrame" if isinstance(system, pd.DataFrame) else str(system)

    return [StandIn(position) for position in range(len(systems))]


def _unique(names: Sequence[Any]) -> list[str]:
    """The names; all are numbered if a name is empty or repeated."""
    given = [str(name) for name in names]
    if all(given) and len(set(given)) == len(given):
        return given
    return [f"{number}: {name}" for number, name in enumerate(given, 1)]


def _groups(groups: GroupsLike, names: Sequence[str]) -> list[str]:
    group_of = read_groups(groups)
    missing = [name for name in names if name not in group_of]
    if missing:
        raise InputError(f"Experiment: `groups` must name every system; missing {missing}")
    return [group_of[name] for name in names]


def _rounded(mrt: Sequence[float], places: Any) -> list[float]:
    places = places.get("mrt") if isinstance(places, Mapping) else places
    return [time if places is None else round(time, places) for time in mrt]


def _put_mrt(
    table: Any, names: Sequence[str], rounded: Sequence[float], mrt: Sequence[float]
) -> None:
    """Replace the time of passing results to PyTerrier by the time of retrieval."""
    if isinstance(table, dict):
        for name, time in zip(names, mrt, strict=True):
            table[name]["mrt"] = time
        return
    getattr(table, "data", table)["mrt"] = rounded


def _pyterrier() -> Any:
    try:
        import pyterrier
    except ImportError:
        raise MissingExtraError(
            "Experiment needs PyTerrier: pip install 'irx-measures[pyterrier]'"
        ) from None
    return pyterrier
