"""Experiment(): compares PyTerrier systems; `others` means the systems."""

from __future__ import annotations

import os
import sys
import warnings
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from contextlib import nullcontext
from functools import partial
from inspect import signature
from itertools import product
from pathlib import Path
from time import perf_counter
from typing import Any, get_args

import ir_measures
import numpy as np

from ..common.memory import memory_limit
from ..common.numeric import FloatArray
from ..common.validators import choice, number_in
from ..common.warn import untold, warn
from ..common.writing import shown as cut
from ..doubts.facts import Facts, tell
from ..exceptions import InputError, importing
from ..io.containers import form_of
from ..io.groups import groups_of
from ..io.trec import read_qrels, read_run
from ..judgments.judged_run import JudgedRun
from ..measures.declaring.base import Measure, judgments_for
from ..measures.naming.strings import listed
from ..measures.standard import is_of_gdeval
from ..runsets.caches import index_qrels
from ..runsets.registry import scope
from ..scoring.score_matrix import ScoreMatrix
from ..stats.decisions import CORRECTIONS, rejects
from ..typing import ComparisonTest, DataFrame, GroupsLike, MeasureLike, SystemLike
from .accelerate import accelerate
from .ir_measures import SYSTEM
from .pyterrier_frames import (
    are_registered,
    check_qrels_ids,
    check_results,
    converted,
    named_mistakes,
    with_terrier_names,
)

TESTS_OF_COMPARE_ONLY = frozenset(get_args(ComparisonTest)) - {"t", "wilcoxon"}

# Other names of corrections, which are those of PyTerrier and statsmodels.
SYNONYMS = {"h": "holm", "b": "bonferroni", "fdr_bh": "bh"}

# Arguments of what PyTerrier does with a whole experiment, with the only value that they may have
# where it only scores the results.
REFUSED = {"save_dir": None, "plan": "linear", "precompute_prefix": False, "highlight": None}

# Arguments of pt.Experiment about a baseline, with their defaults.
ABOUT_BASELINE = {"baseline": None, "test": "t", "correction": None, "correction_alpha": 0.05}

# PyTerrier's columns of comparisons: those of `Comparison.to_frame`, and `reject`.
COMPARED = {"+": "wins", "-": "losses", "p-value": "p"}
CORRECTED = {"reject": "reject", "p-value corrected": "p_adjusted"}

PERQUERY = ["name", "qid", "measure", "value"]  # the columns of ``perquery=True``


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
    **kwargs: Any,
) -> Any:  # a DataFrame or a dict, as `dataframe` and `perquery` ask
    """`pt.Experiment` in which `others` means the systems of the experiment.

    Parameters
    ----------
    retr_systems, topics, qrels, eval_metrics, names, *args, **kwargs
        As for ``pyterrier.Experiment``, in the same positions: ``perquery`` is the sixth.
        `retr_systems` may be any sequence or mapping. `eval_metrics` has any names of measures that
        `evaluate` reads. ``baseline`` may be a name, or a list of positions and names; see the
        notes. Without names, DataFrames are called ``DataFrame #0`` and so on, by their positions.
    groups
        The group of each system, by name, for ``select='other-groups'`` and ``'best-per-group'``:
        a dict, or a table (csv, tsv, JSON lines) with the columns run and group.
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
        When a system is neither a transformer nor a DataFrame, or ids of qrels or topics are not
        strings.
    ValueError
        When names, groups or the baseline do not match the systems; and as for `evaluate`. A wrong
        argument is refused before any system runs. Whatever the measures, so are DataFrames of
        results without rows, with booleans, complex numbers or dates as scores, or with several
        systems in a column system, run, run_id, runid or tag.

    Notes
    -----
    - ``pt.Experiment`` runs and scores the systems unless there is a measure of this package,
      groups, a list as ``baseline``, or a test that PyTerrier lacks. What it refuses is told in the
      words of `evaluate`, with the name of the system.
    - Otherwise every transformer is run once over the topics, in batches of ``batch_size`` if it is
      given, before the first system is scored. PyTerrier receives the results, in a `scope` in
      which `others` are the systems. ``mrt`` is the time of that one run. ``save_dir``,
      ``plan='tree'``, ``precompute_prefix`` and ``highlight`` are refused.
    - Comparisons with a baseline are then those of `compare`: p is 1 where two systems have the
      same scores, and NaN in PyTerrier. ``test`` may not be a function. ``correction`` is None,
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
    given["qrels"] = with_terrier_names(given["qrels"], "qrels", graded=True)
    given |= given.pop("kwargs", {})
    ours = groups is not None or any(isinstance(one, Measure) for one in measures.values())
    baseline, test = given.get("baseline"), given.get("test")
    several = baseline is not None and (
        _are_several(baseline) or (isinstance(test, str) and test in TESTS_OF_COMPARE_ONLY)
    )
    # gdeval reads a part of query ids that are no numbers, and the kernels read all of them.
    of_gdeval = any(map(is_of_gdeval, measures.values()))
    with accelerate() if of_gdeval else nullcontext(), memory_limit(limits):
        if ours or several:
            table = _experiment(pt, stock, given, measures, several, groups, strict)
        else:
            table = _of_hosts(pt, stock, given, measures)
    return _in_order(table, list(measures))


def _check_table(name: str, table: object) -> None:
    """TypeError if topics or qrels are neither a DataFrame nor, as PyTerrier reads it, a path."""
    if not isinstance(table, str) and form_of(table) != "DataFrame":
        raise TypeError(
            f"Experiment: `{name}` must be a DataFrame, or the path of a file as a string; got "
            f"{type(table).__name__}"
        )


def _labelled(metrics: Iterable[Any]) -> dict[str, Any]:
    """The measures by the names that PyTerrier gives to them, in the requested order."""
    asked: list[tuple[str | None, Any]] = []
    for given in metrics:
        if isinstance(given, str) and given != "mrt":
            found = ir_measures.parse_trec_measure(given)
            asked += [(given if len(found) == 1 else None, one) for one in found]
        elif isinstance(given, ir_measures.Measure):
            asked.append((None, given))
    text_of = {measure: text for text, measure in asked if text is not None}
    return {text_of.get(measure, str(measure)): measure for _, measure in asked}


def _of_hosts(
    pt: Any, stock: Callable[..., Any], given: dict[str, Any], measures: Mapping[str, Any]
) -> Any:
    """The result of pt.Experiment, if it accepts the call, with the errors of `evaluate`."""
    systems, names = _listed_systems(given["retr_systems"], given.get("names"))
    names = _names_of(systems, names)
    results = _checked_results(dict(zip(_unique(names), systems, strict=True)))
    if given.get("baseline") is not None:
        _refuse_perquery(given)
        (given["baseline"],) = _positions(given["baseline"], names)
    given |= {"retr_systems": systems, "names": names}
    if not are_registered(measures):
        return stock(**given)
    check_qrels_ids(given["qrels"])
    with named_mistakes(pt, given["topics"], given["qrels"], results):
        return stock(**given)


def _experiment(
    pt: Any,
    stock: Callable[..., Any],
    given: dict[str, Any],
    measures: Mapping[str, Any],
    several: bool,
    groups: GroupsLike | None,
    strict: bool,
) -> Any:
    """Run all systems, let PyTerrier score their results, and add times and comparisons.

    `given` are the arguments of pt.Experiment by name, `measures` the measures by the names of
    their columns. If `several`, columns of comparisons name the baseline.
    """
    _refuse_whole_experiments(given)
    systems, names = _listed_systems(given.pop("retr_systems"), given.pop("names", None))
    _refuse_other_systems(pt, systems)
    names = _names_of(systems, names)
    run_names = _unique(names)
    named = dict(zip(run_names, systems, strict=True))
    _checked_results(named)
    group_of = None
    if groups is not None:
        group_of = dict(zip(run_names, groups_of(list(map(str, names)), groups), strict=True))
    ours = [measure for measure in measures.values() if isinstance(measure, Measure)]
    for measure in ours:
        measure.validate_params()
    how, shown = _about_baseline(given, names, run_names)
    batch_size, verbose = given.pop("batch_size", None), given.pop("verbose", False)
    path = _file_of(given["qrels"])
    topics, qrels = _read(pt, given.pop("topics"), given.pop("qrels"), strict)
    with named_mistakes(pt, topics, qrels, {}):
        _rehearse(stock, names, topics, qrels, given)
    if given.pop("filter_by_qrels", False):
        topics = topics[topics["qid"].isin(qrels["qid"])]
    if given.pop("filter_by_topics", True):
        qrels = qrels[qrels["qid"].isin(topics["qid"])]
    if how is not None:  # compare refuses it, whatever the scores are
        queries = tuple(map(str, range(qrels["qid"].nunique())))
        scores = np.outer(np.arange(len(names)), np.arange(1.0, len(queries) + 1))[np.newaxis]
        ScoreMatrix((ir_measures.AP,), tuple(run_names), queries, scores).compare(**how)
    results, times = _run(pt, named, topics, batch_size, verbose)
    if ours and not strict:
        results = _valid(results)
    given |= {"qrels": qrels, "filter_by_topics": False}
    experiment = partial(stock, list(results.values()), **given)
    with scope(results, group_of) if ours else nullcontext():
        known = results if ours else {}  # PyTerrier and the hosts' measures take any results
        facts = _facts(known, qrels, path, list(measures.values()))
        if strict:
            facts.refuse_other_ids()
        tell(facts.warnings())
        table = experiment(topics=topics, names=names)
        if "mrt" in map(str, given["eval_metrics"]) and not given.get("perquery"):
            _put_mrt(table, names, times / qrels["qid"].nunique(), given.get("round"))
        if how is not None and not isinstance(table, dict):
            judged = topics[topics["qid"].isin(qrels["qid"])]  # the others have no scores
            by_query = {"perquery": True, "round": None, "validate": "ignore"}
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # the first call has warned
                rows = experiment(topics=judged, names=run_names, **by_query)
            table = table.assign(**_comparisons(rows, measures, run_names, several, how, shown))
    return table


def _refuse_whole_experiments(given: dict[str, Any]) -> None:
    """Take out the arguments in `REFUSED`; InputError if one has another value."""
    for name, only in REFUSED.items():
        if given.pop(name, only) != only:
            raise InputError(
                f"Experiment: `{name}` must be {only!r} with a measure of irx_measures, groups, "
                "several baselines or a test of compare: PyTerrier then only scores the results"
            )


def _rehearse(
    experiment: Any, names: Sequence[Any], topics: Any, qrels: Any, given: Mapping[str, Any]
) -> None:
    """Let PyTerrier refuse wrong arguments and data: systems, which may take hours, run later."""
    import pandas as pd

    one = pd.DataFrame({"qid": topics["qid"][:1], "docno": "none", "score": 0.0, "rank": 0})
    asked = {**given, "eval_metrics": [ir_measures.NumRet], "validate": "ignore"}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        experiment([one] * len(names), topics, qrels, names=names, **asked)


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
            found = system.transform(topics)
        else:
            found = pd.concat(system.transform_gen(topics, batch_size=batch_size))
        if found is not system:
            times[place] = 1000.0 * (perf_counter() - start)
        results[name] = converted(pt, found, name)
        results[name].attrs |= {SYSTEM: name}
    return results, times


def _valid(results: Mapping[str, Any]) -> dict[str, Any]:
    """The results without what `evaluate` drops with ``strict=False``."""
    kept = {}
    for name, found in results.items():
        valid = read_run(found, name).valid_rows()
        kept[name] = found if valid is None else found.iloc[valid]
    return kept


def _facts(
    results: Mapping[str, Any], qrels: Any, path: Path | None, measures: Sequence[Any]
) -> Facts:
    """What is known of all systems, and of the qrels; errors name the system."""
    facts = Facts(measures)
    ours = [measure for measure in measures if isinstance(measure, Measure)]
    judgments = judgments_for(ours, read_qrels(qrels), index_qrels)
    facts.add_qrels(judgments, path)
    for name, found in results.items():
        facts.add(JudgedRun(judgments, read_run(found, name), name))
    return facts


def _about_baseline(
    given: dict[str, Any], names: Sequence[Any], systems: Sequence[str]
) -> tuple[dict[str, Any] | None, Mapping[str, str]]:
    """The arguments of `compare` about baselines, and the columns that are shown.

    They are taken out of the arguments of pt.Experiment. Without a baseline, these stay: PyTerrier
    checks them.
    """
    if given.get("baseline") is None:
        return None, {}
    _refuse_perquery(given)
    how = {name: given.pop(name, usual) for name, usual in ABOUT_BASELINE.items()}
    correction = how["correction"] or "none"
    choice(*CORRECTIONS, *SYNONYMS).check("correction", correction)
    alpha = number_in(0, 1, closed=False).check("correction_alpha", how["correction_alpha"])
    of_compare = {
        "baseline": [systems[place] for place in _positions(how["baseline"], names)],
        "test": how["test"],
        "correction": SYNONYMS.get(correction, correction),
        "level": 1.0 - alpha,
    }
    return of_compare, COMPARED if how["correction"] is None else COMPARED | CORRECTED


def _refuse_perquery(given: Mapping[str, Any]) -> None:
    if given.get("perquery"):
        raise InputError(
            f"Experiment: `perquery` must be False with baselines; got {given['perquery']!r}"
        )


def _comparisons(
    rows: DataFrame,
    measures: Mapping[str, Any],
    systems: Sequence[str],
    several: bool,
    how: Mapping[str, Any],
    shown: Mapping[str, str],
) -> dict[str, Any]:
    """The columns of comparisons that are shown; NaN where one of the two systems has no score.

    `rows` are the scores per query as PyTerrier returns them.
    """
    import pandas as pd

    pairs = pd.MultiIndex.from_product([list(measures), systems])
    table = rows.pivot(index=["measure", "name"], columns="qid", values="value").reindex(pairs)
    scores = table.to_numpy(float).reshape(len(measures), len(systems), -1)
    defined = ~np.isnan(scores).any(axis=2)
    base = defined[:, [systems.index(name) for name in how["baseline"]]].any(axis=1)
    of_pair, numbers = ["measure", "baseline", "system"], [*COMPARED.values(), "p_adjusted"]
    found = pd.DataFrame(columns=[*of_pair, *numbers])
    if (base & (defined.sum(axis=1) > 1)).any():
        with untold("not compared: "):  # the provider has said which systems have no score
            ids = tuple(map(str, table.columns))
            matrix = ScoreMatrix(tuple(measures.values()), tuple(systems), ids, scores)
            found = matrix.compare(**how).to_frame()
    elif not base.any():
        from ..comparison.words import without_score

        for measure in measures.values():
            warn(without_score(measure, how["baseline"], how["baseline"]))
    found = found.set_index(of_pair)[numbers].astype(float)
    columns: dict[str, Any] = {}
    for (label, measure), name in product(measures.items(), how["baseline"]):
        of_name = found.reindex(pd.MultiIndex.from_product([[str(measure)], [name], systems]))
        of_name["reject"] = rejects(of_name["p_adjusted"].to_numpy(), how["level"])
        end = f" ({name})" if several else ""
        columns |= {f"{label} {what}{end}": of_name[of].array for what, of in shown.items()}
    return columns


def _listed_systems(
    retr_systems: Any, names: Sequence[Any] | None
) -> tuple[list[SystemLike], Sequence[Any] | None]:
    """The systems, and their names if they are known: the keys, or what is given."""
    if isinstance(retr_systems, Mapping):
        systems, names = list(retr_systems.values()), list(retr_systems)
    elif hasattr(retr_systems, "columns") or not isinstance(retr_systems, Iterable):
        raise _other_systems(retr_systems, "")
    else:
        systems = list(retr_systems)
    return [with_terrier_names(system, "a system's") for system in systems], names


def _names_of(systems: Sequence[SystemLike], names: Sequence[Any] | None) -> list[Any]:
    """The names of the systems.

    Without names, a transformer is called what it prints as. A DataFrame prints its rows: it is
    called by its position, as in PyTerrier's errors.
    """
    if names is None:
        called = list(map(str, systems))
        for place, system in enumerate(systems):
            if hasattr(system, "columns"):
                called[place] = f"DataFrame #{place}"
        return called
    if len(names) != len(systems):
        raise InputError(
            f"Experiment: `names` must have one name per system ({len(systems)}); got {len(names)}"
        )
    return list(names)


def _refuse_other_systems(pt: Any, systems: Sequence[Any]) -> None:
    """TypeError if a system is neither a transformer nor a DataFrame."""
    import pandas as pd

    for system in systems:
        if not isinstance(system, (pd.DataFrame, pt.Transformer)):
            raise _other_systems(system, " among them")


def _other_systems(got: object, where: str) -> TypeError:
    return TypeError(
        "Experiment: systems must be a list or dict of transformers and DataFrames of results; got "
        f"{type(got).__name__}{where}"
    )


def _checked_results(systems: Mapping[str, Any]) -> dict[str, DataFrame]:
    """The systems that are DataFrames of results, by name; errors as `check_results`."""
    import pandas as pd

    results = {name: found for name, found in systems.items() if isinstance(found, pd.DataFrame)}
    for name, found in results.items():
        check_results(found, name)
    return results


def _are_several(baseline: Any) -> bool:
    """Whether `baseline` is a collection, and not a position or a name."""
    return isinstance(baseline, Iterable) and not isinstance(baseline, str)


def _positions(baseline: Any, names: Sequence[Any]) -> list[int]:
    """The positions of one or several baselines, which are given by name or position."""
    given = list(baseline) if _are_several(baseline) else [baseline]
    place_of = {name: place for place, name in reversed([*enumerate(names)])}
    place_of |= {place: place for place in range(len(names))}
    if not given or not all(isinstance(one, Hashable) and one in place_of for one in given):
        got = type(baseline).__name__ if hasattr(baseline, "columns") else cut(baseline)
        raise InputError(
            f"Experiment: `baseline` must be one or several of {list(names)}, or of the positions "
            f"0 to {len(names) - 1}; got {got}"
        )
    return list(dict.fromkeys(place_of[one] for one in given))


def _unique(names: Sequence[Any]) -> list[str]:
    """The names; all are numbered if a name is empty or repeated."""
    given = [str(name) for name in names]
    if all(given) and len(set(given)) == len(given):
        return given
    return [f"{number}: {name}" for number, name in enumerate(given, 1)]


def _put_mrt(table: Any, names: Sequence[str], mrt: FloatArray, places: Any) -> None:
    """Add the times to the means, rounded where PyTerrier rounds the means."""
    if isinstance(table, dict):
        for name, time in zip(names, mrt.tolist(), strict=True):
            table[name]["mrt"] = time
    else:
        places = places.get("mrt") if isinstance(places, Mapping) else places
        table["mrt"] = mrt if places is None else mrt.round(places)


def _in_order(result: Any, labels: list[str]) -> Any:
    """A result of pt.Experiment, in any of its forms, with the measures in the order asked for.

    PyTerrier uses the order of a Python set, which differs between processes.
    """

    def place(column: Any) -> tuple[int, int]:
        """Where a column stands: names, measures, times, then comparisons, by their measure."""
        if column in labels:
            return 1, labels.index(column)
        of = [label for label in labels if str(column).startswith(f"{label} ")]
        if of:
            return 3, labels.index(max(of, key=len))
        return (2, 0) if column == "mrt" else (0, 0)

    if isinstance(result, tuple):  # of `perquery='both'`
        ordered = [_in_order(part, labels) for part in result]
        return result._make(ordered) if hasattr(result, "_make") else tuple(ordered)
    if isinstance(result, dict):
        return {key: _in_order(result[key], labels) for key in sorted(result, key=place)}
    if hasattr(result, "export"):  # a pandas Styler, for `highlight`
        return _in_order(result.data, labels).style.use(result.export())
    if not hasattr(result, "columns"):  # a score
        return result
    if list(result.columns) != PERQUERY:
        return result[sorted(result.columns, key=place)]
    of_query = result.groupby(["name", "qid"], sort=False).ngroup()
    same = result.groupby(PERQUERY[:3], sort=False).cumcount()  # rows of systems with one name
    order = np.lexsort([result["measure"].map(labels.index), same, of_query])
    return result.iloc[order].set_axis(result.index)
