"""Experiment(): compares PyTerrier systems; `others` means the systems."""

from __future__ import annotations

import os
import sys
import warnings
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from functools import partial
from inspect import signature
from pathlib import Path
from time import perf_counter
from typing import Any, get_args

import ir_measures
import numpy as np

from ..common.memory import memory_limit
from ..common.numeric import FloatArray
from ..common.short_paths import public
from ..doubts.facts import Facts, refuse_other_queries, tell
from ..exceptions import importing
from ..io.containers import form_of
from ..io.groups import groups_of
from ..io.table import IDENTICAL_ASIDE, run_label, tell_empty
from ..io.trec import read_qrels, read_run
from ..judgments.judged_run import JudgedRun
from ..measures.declaring.base import Measure, judgments_for
from ..measures.naming.strings import listed
from ..measures.standard import is_of_gdeval
from ..runsets.caches import index_qrels
from ..runsets.registry import OTHERS, scope
from ..runsets.runset import RunSet
from ..typing import ComparisonTest, DataFrame, GroupsLike, MeasureLike, SystemLike
from .accelerate import accelerate
from .ir_measures import SYSTEM
from .pyterrier_baselines import (
    ABOUT_BASELINE,
    Baselines,
    hosts_test,
    refuse_perquery,
    without_untested,
)
from .pyterrier_call import (
    ExperimentCall,
    are_several,
    listed_systems,
    names_of,
    positions,
    unique,
)
from .pyterrier_frames import (
    OTHER_NAMES,
    are_registered,
    check_qrels_ids,
    check_results,
    converted,
    named_mistakes,
    shallow_copy,
    with_terrier_names,
)
from .pyterrier_order import in_order
from .pyterrier_systems import found_by, found_in_batches, guarded, scorable

TESTS_OF_COMPARE_ONLY = frozenset(get_args(ComparisonTest)) - {"t", "wilcoxon"}


@public
def Experiment(  # noqa: N802 - the name of PyTerrier's function
    retr_systems: Sequence[SystemLike] | Mapping[str, SystemLike],
    topics: DataFrame | str,
    qrels: DataFrame | str,
    eval_metrics: Iterable[MeasureLike],
    names: Sequence[str] | None = None,
    *args: Any,
    groups: GroupsLike | None = None,
    strict: bool = True,
    limits: int | None = None,
    ignore_identical_ids: bool = False,
    **kwargs: Any,
) -> Any:  # a DataFrame or a dict, as `dataframe` and `perquery` ask
    """`pt.Experiment` in which `others` means the systems of the experiment.

    Parameters
    ----------
    retr_systems, topics, qrels, eval_metrics, names, *args, **kwargs
        As for ``pyterrier.Experiment``, in the same positions: ``perquery`` is the sixth.
        `retr_systems` may be any sequence or mapping. `eval_metrics` has any names of measures that
        `evaluate` reads; a measure that has two has a column by each. ``baseline`` may be a name,
        or a list of positions and names; see the notes. Names must differ. Without names,
        DataFrames are called ``DataFrame #0`` and so on, by their positions, and systems are
        numbered if two print the same.
    groups
        The group of each system, by name, for ``select='other-groups'`` and ``'best-per-group'``:
        a dict, or a table (csv, tsv, JSON lines) with the columns run and group.
    strict
        Whether NaN scores, documents returned or judged twice for a query, and systems that are
        empty or of which no document is judged are errors, as in `evaluate`. If false, there is a
        warning; without a measure of this package, PyTerrier scores the results as they are. Of
        results of transformers that ``pt.Experiment`` runs itself, only whether they are empty is
        checked; see the notes.
    limits
        The memory that a measure may use, and the size of unpacked files, as in `evaluate`.
    ignore_identical_ids
        Whether to leave out documents whose id is that of their query, as in `evaluate`.

    Returns
    -------
    As ``pyterrier.Experiment``; the measures are in the requested order.

    Raises
    ------
    ImportError
        When PyTerrier is not installed.
    TypeError
        When a system is neither a transformer nor a DataFrame, or ids of qrels or topics are not
        strings.
    ValueError
        When names, groups or the baseline do not match the systems; when a transformer does not
        return a DataFrame; and as for `evaluate`. A wrong argument is refused before any system
        runs. Whatever the measures, so are DataFrames of results without rows, with booleans,
        complex numbers or dates as scores, or with several systems in a column system, run, run_id,
        runid or tag. An error in a transformer has a note of the system's name (Python 3.11).

    Notes
    -----
    - ``pt.Experiment`` runs and scores the systems unless there is a measure of this package,
      groups, a list as ``baseline``, a test that PyTerrier lacks, or ``ignore_identical_ids``. What
      it refuses is told in the words of `evaluate`, with the name of the system.
    - Otherwise every transformer is run once over the topics, in batches of ``batch_size`` if it is
      given, before the first system is scored. PyTerrier receives the results, in a `scope` in
      which `others` are the systems. ``mrt`` is the time of that one run. ``save_dir``,
      ``plan='tree'``, ``precompute_prefix`` and ``highlight`` are refused.
    - p is 1 where two systems have the same scores; it is NaN in ``pt.Experiment``, whose
      corrections may then reject. Nothing is rejected where p is NaN.
    - Where the systems run here, comparisons with a baseline are those of `compare`. ``test`` may
      not be a function. ``correction`` is None,
      ``'none'``, ``'holm'`` (``'h'``), ``'bonferroni'`` (``'b'``) or ``'bh'`` (``'fdr_bh'``). For
      each measure, it covers all pairs of a system and a baseline. ``correction_alpha`` is 1 minus
      the level. Where ``baseline`` is a list, or PyTerrier lacks the test, the columns name the
      baseline: ``AP p-value (bm25)``.
    - The scores of a system that has none (of NRG, a run that is its own only prior) and its
      comparisons are NaN, with a warning.

    See Also
    --------
    irx_measures.evaluate : The same scores of runs, without PyTerrier.
    irx_measures.compare : The same tests.
    irx_measures.scope : What `others` means in `pt.Experiment` itself.
    """
    with importing("pyterrier", "Experiment needs PyTerrier"):
        import pyterrier as pt
    metrics = listed(eval_metrics)
    _check_table("topics", topics)
    _check_table("qrels", qrels)
    # PyTerrier's own, which a user may have replaced by this one in `pt`.
    stock = getattr(sys.modules.get("pyterrier._evaluation"), "Experiment", pt.Experiment)
    measures = _labelled(metrics)
    call = signature(stock).bind(retr_systems, topics, qrels, metrics, names, *args, **kwargs)
    given = dict(call.arguments)
    given |= given.pop("kwargs", {})
    given["topics"] = shallow_copy(given["topics"])
    given["qrels"] = shallow_copy(with_terrier_names(given["qrels"], "qrels", graded=True))
    ours = any(isinstance(measure, Measure) for measure in measures.values())
    named = _name_baselines(given)
    # gdeval reads a part of query ids that are no numbers, and the kernels read all of them.
    of_gdeval = any(map(is_of_gdeval, measures.values()))
    scored = accelerate() if of_gdeval else nullcontext()
    with scored, memory_limit(limits):
        if ours or named or groups is not None or ignore_identical_ids:
            experiment = ExperimentCall.of(pt, given)
            how = {"strict": strict, "ignore_identical_ids": ignore_identical_ids}
            table = _experiment(pt, stock, experiment, measures, named, groups, how)
        else:
            table = _of_hosts(pt, stock, given, measures, strict)
    return in_order(table, _labels_by_name(metrics, measures))


def _name_baselines(given: Mapping[str, Any]) -> bool:
    """Whether columns of comparisons name the baseline: for several, or a test of ours only."""
    baseline, test = given.get("baseline"), given.get("test")
    if baseline is None:
        return False
    return are_several(baseline) or (isinstance(test, str) and test in TESTS_OF_COMPARE_ONLY)


def _check_table(name: str, table: object) -> None:
    """TypeError if topics or qrels are neither a DataFrame nor, as PyTerrier reads it, a path."""
    if not isinstance(table, str) and form_of(table) != "DataFrame":
        raise TypeError(
            f"Experiment: `{name}` must be a DataFrame, or the path of a file as a string; got "
            f"{type(table).__name__}"
        )


def _labelled(metrics: Iterable[Any]) -> dict[str, Any]:
    """The measures by the names that PyTerrier gives to them, in the requested order."""
    label_of: dict[Any, str] = {}
    for given in metrics:
        if isinstance(given, str) and given != "mrt":
            found = ir_measures.parse_trec_measure(given)
            for measure in found:
                label_of.setdefault(measure, str(measure))
            if len(found) == 1:
                label_of[found[0]] = given
        elif isinstance(given, ir_measures.Measure):
            label_of.setdefault(given, str(given))
    return {label: measure for measure, label in label_of.items()}


def _labels_by_name(metrics: Iterable[Any], measures: Mapping[str, Any]) -> dict[str, str]:
    """What PyTerrier calls each measure, by every name that the measure is asked for by.

    PyTerrier shows a measure that has two names once, by the last one.
    """
    label_of = {measure: label for label, measure in measures.items()}
    by_name: dict[str, str] = {}
    for given in metrics:
        if isinstance(given, ir_measures.Measure):
            by_name[str(given)] = label_of[given]
        elif isinstance(given, str) and given != "mrt":
            labels = [label_of[one] for one in ir_measures.parse_trec_measure(given)]
            names = [given] if len(labels) == 1 else labels
            by_name |= dict(zip(names, labels, strict=True))
    return by_name


def _of_hosts(
    pt: Any,
    stock: Callable[..., Any],
    given: dict[str, Any],
    measures: Mapping[str, Any],
    strict: bool,
) -> Any:
    """The result of pt.Experiment, if it accepts the call, with the errors of `evaluate`.

    If `strict`, DataFrames are checked, with the doubts about them, as for measures of ours.
    """
    systems, names = listed_systems(given["retr_systems"], given.get("names"))
    names = names_of(systems, names)
    systems = list(map(shallow_copy, systems))
    run_names = unique(names)
    results = _checked_results(dict(zip(run_names, systems, strict=True)), strict)
    passed = {**given, "names": names}
    if given.get("baseline") is not None:
        refuse_perquery(given)
        (passed["baseline"],) = positions(given["baseline"], names)
        passed["test"] = hosts_test(given.get("test", "t"))
    passed["retr_systems"] = [
        guarded(pt, system, name, strict) for name, system in zip(run_names, systems, strict=True)
    ]
    if not are_registered(measures):
        return without_untested(stock(**passed))
    check_qrels_ids(given["qrels"])
    with named_mistakes(pt, given["topics"], given["qrels"], results):
        if strict and results:
            _check_frames(pt, given, results, measures, len(results) == len(systems))
        return without_untested(stock(**passed))


def _check_frames(
    pt: Any,
    given: Mapping[str, Any],
    results: Mapping[str, DataFrame],
    measures: Mapping[str, Any],
    are_all: bool,
) -> None:
    """Errors and doubts about results, of which `are_all` says whether they are all systems.

    What PyTerrier refuses in topics and qrels is left to it.
    """
    topics, qrels = _read(pt, given["topics"], given["qrels"], strict=True)
    if "qid" not in getattr(topics, "columns", ()):
        return
    if given.get("filter_by_topics", True):
        qrels = qrels[qrels["qid"].isin(topics["qid"])]
    if len(qrels):
        runs = {
            name: converted(pt, found, name).drop(columns=OTHER_NAMES, errors="ignore")
            for name, found in results.items()
        }
        path = _file_of(given["qrels"])
        facts = _facts(runs, qrels, path, list(measures.values()), are_all)
        if are_all:
            facts.refuse_other_ids()
        tell(facts.warnings())


def _experiment(
    pt: Any,
    stock: Callable[..., Any],
    call: ExperimentCall,
    measures: Mapping[str, Any],
    named: bool,
    groups: GroupsLike | None,
    how: Mapping[str, bool],
) -> Any:
    """Run all systems, let PyTerrier score their results, and add times and comparisons.

    `measures` are by the names of their columns. If `named`, columns of comparisons name the
    baseline. `how` says how results are read, as the parameters of `RunSet` with these names.
    """
    strict = how["strict"]
    systems = dict(zip(call.run_names, call.systems, strict=True))
    _checked_results(systems, strict)
    group_of = _groups_of_runs(call, groups)
    ours = _checked_own(measures.values())
    baselines = Baselines.of(call, named)
    if baselines is not None:  # without a baseline, PyTerrier checks the arguments about one
        call = call.without(ABOUT_BASELINE)
    topics, qrels = _data(pt, stock, call, strict)
    if baselines is not None:
        baselines.rehearse(call.run_names, qrels["qid"].nunique())
    results, times = _run(pt, systems, topics, call.batch_size, call.verbose)
    results = _scored_results(results, bool(ours), how)
    known = results if ours else {}  # in scope: the hosts' measures know no others
    scored = partial(
        stock, list(results.values()), qrels=qrels, filter_by_topics=False, **call.passed
    )
    with _scope(known, group_of, how):
        _tell_doubts(results, qrels, _file_of(call.qrels), measures, strict)
        table = scored(topics=topics, names=call.names)
        if call.has_times:
            times_per_query = times / qrels["qid"].nunique()
            _put_mrt(table, call.names, times_per_query, call.passed.get("round"))
        if baselines is not None and not isinstance(table, dict):
            rows = _by_query(scored, topics, qrels, call.run_names)
            table = table.assign(**baselines.comparisons(rows, measures, call.run_names))
    return table


def _are_checked(measures: Mapping[str, Any], strict: bool) -> bool:
    """Whether results are checked as in `evaluate`.

    Without measures of ours, lenient calls and functions of the user score what PyTerrier scores.
    """
    if any(isinstance(measure, Measure) for measure in measures.values()):
        return True
    return strict and are_registered(measures)


def _checked_own(measures: Iterable[Any]) -> list[Measure]:
    """The measures of this package; ValueError if their parameters are invalid."""
    ours = [measure for measure in measures if isinstance(measure, Measure)]
    for measure in ours:
        measure.validate_params()
    return ours


def _groups_of_runs(call: ExperimentCall, groups: GroupsLike | None) -> dict[str, str] | None:
    """The group of each run; None without groups."""
    if groups is None:
        return None
    of_systems = groups_of(list(map(str, call.names)), groups)
    return dict(zip(call.run_names, of_systems, strict=True))


def _data(
    pt: Any, stock: Callable[..., Any], call: ExperimentCall, strict: bool
) -> tuple[DataFrame, DataFrame]:
    """Topics and qrels, filtered, after PyTerrier has refused what is wrong in the call."""
    topics, qrels = _read(pt, call.topics, call.qrels, strict)
    with named_mistakes(pt, topics, qrels, {}):
        _rehearse(stock, call, topics, qrels)
    if call.filter_by_qrels:
        topics = topics[topics["qid"].isin(qrels["qid"])]
    if call.filter_by_topics:
        qrels = qrels[qrels["qid"].isin(topics["qid"])]
    return topics, qrels


def _by_query(
    scored: Callable[..., Any], topics: DataFrame, qrels: DataFrame, systems: Sequence[str]
) -> DataFrame:
    """The scores per query, of queries that the qrels have: the others have no scores."""
    judged = topics[topics["qid"].isin(qrels["qid"])]
    by_query = {"perquery": True, "round": None, "validate": "ignore"}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # the first call has warned
        rows: DataFrame = scored(topics=judged, names=systems, **by_query)
    return rows


def _rehearse(
    stock: Callable[..., Any], call: ExperimentCall, topics: DataFrame, qrels: DataFrame
) -> None:
    """Let PyTerrier refuse wrong arguments and data: systems, which may take hours, run later."""
    import pandas as pd

    one = pd.DataFrame({"qid": topics["qid"][:1], "docno": "none", "score": 0.0, "rank": 0})
    asked = {
        **call.passed,
        "names": call.names,
        "eval_metrics": [ir_measures.NumRet],
        "validate": "ignore",
        "filter_by_qrels": call.filter_by_qrels,
        "filter_by_topics": call.filter_by_topics,
    }
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        stock([one] * len(call.names), topics, qrels, **asked)


def _file_of(qrels: Any) -> Path | None:
    """The file of the qrels, if they are given as one."""
    return Path(qrels) if isinstance(qrels, str) and os.path.isfile(qrels) else None


def _read(pt: Any, topics: Any, qrels: Any, strict: bool) -> tuple[Any, Any]:
    """Topics and qrels as DataFrames; errors name the user's columns."""
    if isinstance(topics, str) and os.path.isfile(topics):
        topics = pt.io.read_topics(topics)
    if _file_of(qrels) is not None:
        qrels = pt.io.read_qrels(qrels)
    columns = read_qrels(qrels)
    valid = None if strict else columns.valid_rows()
    return topics, qrels if valid is None else qrels.iloc[valid]


def _run(
    pt: Any, systems: Mapping[str, Any], topics: Any, batch_size: int | None, verbose: Any
) -> tuple[dict[str, Any], FloatArray]:
    """The results of every system, and the milliseconds that it took: (systems,)."""
    import pandas as pd

    results, times = {}, np.zeros(len(systems))
    bar = pt.tqdm(systems.items(), "pt.Experiment", disable=verbose is not True)
    for place, (name, system) in enumerate(bar):
        start = perf_counter()
        if isinstance(system, pd.DataFrame):
            found = system
        elif batch_size is None:
            found = found_by(system, name, topics)
        else:
            batches = found_in_batches(system, name, topics, batch_size)
            found = pd.concat([batch for batch, _ in batches])
        if found is not system:
            times[place] = 1000.0 * (perf_counter() - start)
        results[name] = converted(pt, found, name)
        results[name].attrs |= {SYSTEM: name}
    return results, times


def _scored_results(
    results: Mapping[str, Any], ours: bool, how: Mapping[str, bool]
) -> dict[str, Any]:
    """The results that PyTerrier scores, read as `how` says; see `_experiment`."""
    aside = ""
    if how["ignore_identical_ids"]:
        results = _without_identical_ids(results)
        aside = IDENTICAL_ASIDE
    strict = how["strict"]
    if ours and not strict:
        results = _valid(results)
    return {name: scorable(found, name, strict, aside) for name, found in results.items()}


def _valid(results: Mapping[str, Any]) -> dict[str, Any]:
    """The results without what `evaluate` drops with ``strict=False``."""
    kept = {}
    for name, found in results.items():
        valid = read_run(found, name).valid_rows() if len(found) else None
        kept[name] = found if valid is None else found.iloc[valid]
    return kept


def _scope(
    results: Mapping[str, Any], group_of: dict[str, str] | None, how: Mapping[str, bool]
) -> AbstractContextManager[object]:
    """A context in which `others` are the systems; without results, none."""
    if not results:
        return nullcontext()
    ignored = how["ignore_identical_ids"]
    return scope(RunSet(results, OTHERS, group_of, ignore_identical_ids=ignored))


def _without_identical_ids(results: Mapping[str, Any]) -> dict[str, Any]:
    """The results without documents whose id is that of their query."""
    return {name: found[found["docno"] != found["qid"]] for name, found in results.items()}


def _tell_doubts(
    results: Mapping[str, Any],
    qrels: Any,
    path: Path | None,
    measures: Mapping[str, Any],
    strict: bool,
) -> None:
    """Warn of reasons why the scores may not answer the question; errors name the system.

    If `strict`, InputError where ids of runs and qrels are of different kinds.
    """
    checked = results if _are_checked(measures, strict) else {}
    facts = _facts(checked, qrels, path, list(measures.values()), are_all=bool(checked))
    if strict:
        facts.refuse_other_ids()
    tell(facts.warnings())


def _facts(
    results: Mapping[str, Any],
    qrels: Any,
    path: Path | None,
    measures: Sequence[Any],
    are_all: bool,
) -> Facts:
    """The facts about results; InputError if no query of the qrels has any.

    `are_all` says whether these are the results of all systems.
    """
    facts = Facts(measures)
    ours = [measure for measure in measures if isinstance(measure, Measure)]
    judgments = judgments_for(ours, read_qrels(qrels), index_qrels)
    facts.add_qrels(judgments, path)
    runs = {name: read_run(found, name) for name, found in results.items()}
    for name, run in runs.items():
        facts.add(JudgedRun(judgments, run, name))
    if are_all and not facts.rankings:
        refuse_other_queries(judgments.query_ids, next(iter(runs.values())))
    return facts


def _checked_results(systems: Mapping[str, Any], strict: bool) -> dict[str, DataFrame]:
    """The systems that are DataFrames of results, by name; errors as `check_results`.

    If `strict`, InputError if one is empty.
    """
    import pandas as pd

    results = {name: found for name, found in systems.items() if isinstance(found, pd.DataFrame)}
    for name, found in results.items():
        check_results(found, name)
        if strict and not len(found):
            tell_empty(run_label(name), strict)
    return results


def _put_mrt(table: Any, names: Sequence[str], mrt: FloatArray, places: Any) -> None:
    """Add the times to the means, rounded where PyTerrier rounds the means."""
    if isinstance(table, dict):
        for name, time in zip(names, mrt.tolist(), strict=True):
            table[name]["mrt"] = time
    else:
        places = places.get("mrt") if isinstance(places, Mapping) else places
        table["mrt"] = mrt if places is None else mrt.round(places)
