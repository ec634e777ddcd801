"""Many PyTerrier systems at once: Experiment(), in which `others` are the systems."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from functools import cache
from typing import TYPE_CHECKING, Any

import ir_measures

from ..exceptions import InputError, MissingExtraError
from ..io.trec import read_groups
from ..runsets.registry import scope
from ..typing import GroupsLike, MeasureLike

if TYPE_CHECKING:
    from typing import TypeAlias

    from pandas import DataFrame
    from pyterrier import Transformer

    System: TypeAlias = Transformer | DataFrame


def Experiment(  # noqa: N802 - the name of PyTerrier's function
    retr_systems: Sequence[System] | Mapping[str, System],
    topics: DataFrame,
    qrels: DataFrame,
    eval_metrics: Sequence[MeasureLike],
    names: Sequence[str] | None = None,
    groups: GroupsLike | None = None,
    **kwargs: Any,
) -> Any:  # a DataFrame or a dict, as `dataframe` and `perquery` ask
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

    Raises
    ------
    ImportError
        When PyTerrier is not installed.
    TypeError
        When a system is neither a transformer nor a DataFrame.
    ValueError
        When names, groups or the baseline do not fit the systems, and as for `evaluate`.

    Notes
    -----
    - Every transformer is run once over the topics, in slices of ``batch_size`` where it is given,
      before the first system is scored; PyTerrier is then handed the results. ``mrt`` is the time
      of that one run.
    - With ``save_mode='reuse'`` results saved in TREC format stand for their systems among the
      others too; systems saved in another format are run all the same.
    - PyTerrier hands measures results without their system's name, so of two systems of equal
      rankings both are taken to be the first. That matters to ``select='earlier'`` and to groups;
      `evaluate` tells them apart.

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
    systems, names = _named_systems(pt, retr_systems, names)
    if kwargs.get("save_dir") is not None and "mrt" in eval_metrics:
        raise InputError(
            "Experiment: 'mrt' cannot be saved: what PyTerrier would write to `save_dir` is the "
            "time of handing results over, not of retrieval"
        )
    if isinstance(kwargs.get("baseline"), str):
        kwargs["baseline"] = _position(kwargs["baseline"], names)
    run_names = _unique(names)
    group_of = None
    if groups is not None:
        group_of = dict(zip(run_names, _groups(groups, names), strict=True))
    running = {key: kwargs.pop(key) for key in RUNNING & kwargs.keys()}
    running |= {key: kwargs[key] for key in FILTERING & kwargs.keys()}
    reusing = kwargs.get("save_dir") is not None and kwargs.get("save_mode") == "reuse"
    if reusing and kwargs.get("save_format", "trec") == "trec":
        systems = _saved_or_given(pt, systems, names, kwargs["save_dir"])
    with ExitStack() as stack:
        # Systems may take hours: they run when PyTerrier, its arguments checked, asks for the first
        # results, and `others` is known from then on.
        @cache
        def run_once() -> tuple[list[Any], list[float]]:
            results, mrt = _run(pt, systems, topics, qrels, running)
            stack.enter_context(scope(dict(zip(run_names, results, strict=True)), group_of))
            return results, mrt

        if reusing:  # PyTerrier then takes results from files and may ask no system for them
            run_once()
        stand_ins = _stand_ins(pt, systems, lambda position: run_once()[0][position])
        table = pt.Experiment(stand_ins, topics, qrels, eval_metrics, names=names, **kwargs)
        if "mrt" in eval_metrics and not kwargs.get("perquery"):
            _put_mrt(table, names, run_once()[1], kwargs.get("round"))
    return table


# What pt.Experiment's arguments are about: running the systems, or which queries there are.
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
    """Each system, or its results where an earlier experiment saved them."""
    files = [os.path.join(save_dir, f"{name}.res.gz") for name in names]
    return [
        pt.io.read_results(file) if os.path.exists(file) else system
        for file, system in zip(files, systems, strict=True)
    ]


def _run(
    pt: Any, systems: Sequence[Any], topics: Any, qrels: Any, kwargs: Mapping[str, Any]
) -> tuple[list[Any], list[float]]:
    """Every system's results, and its mean response time: run by pt.Experiment itself."""
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
    # Scores nothing, so that no results are rejected and no measure warns before it is asked for.
    nothing = ir_measures.define(lambda qrels, run: (), name="nothing")
    keys = [str(position) for position in range(len(systems))]
    timed = pt.Experiment(
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
    """Transformers that PyTerrier inspects and names as it would the systems."""
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
    """The names, numbered where they do not tell the systems apart."""
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


def _position(name: str, names: Sequence[str]) -> int:
    if name not in names:
        raise InputError(f"Experiment: `baseline` must be one of {list(names)}; got {name!r}")
    return list(names).index(name)


def _put_mrt(table: Any, names: Sequence[str], mrt: Sequence[float], places: Any) -> None:
    """Replace the time of handing results over by that of retrieval."""
    if isinstance(table, dict):
        for name, time in zip(names, mrt, strict=True):
            table[name]["mrt"] = time
        return
    places = places.get("mrt") if isinstance(places, Mapping) else places
    rounded = [time if places is None else round(time, places) for time in mrt]
    getattr(table, "data", table)["mrt"] = rounded


def _pyterrier() -> Any:
    try:
        import pyterrier
    except ImportError:
        raise MissingExtraError(
            "Experiment needs PyTerrier: pip install 'irx-measures[pyterrier]'"
        ) from None
    return pyterrier
