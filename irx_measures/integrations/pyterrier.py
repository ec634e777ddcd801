"""Experiment(): PyTerrier's systems, scored by `evaluate` and tested by the tests of `compare`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from inspect import signature
from types import SimpleNamespace
from typing import Any

import ir_measures
import numpy as np

from ..common.memory import memory_limit
from ..common.short_paths import public
from ..common.validators import integer
from ..comparison.compare import COMPARING
from ..exceptions import InputError, importing
from ..io.block import block_in_memory
from ..io.containers import form_of
from ..io.groups import groups_of
from ..io.table import Table
from ..io.trec import read_qrels
from ..measures.declaring.base import Measure
from ..measures.naming.strings import listed, parse_measures
from ..scoring.evaluate import evaluate, parse_all
from ..stats.decisions import CORRECTIONS
from ..typing import DataFrame, GroupsLike, MeasureLike, SystemLike
from .pyterrier_systems import Systems
from .pyterrier_table import (
    PYTERRIERS_TESTS,
    SYNONYMS,
    Baselines,
    are_several,
    scores_by_query,
    table_of_means,
)

# The arguments of pt.Experiment that mean the same here. `validate` may be all but 'error': results
# are checked when they come.
KNOWN = {
    "retr_systems", "topics", "qrels", "eval_metrics", "names", "perquery", "dataframe",
    "batch_size", "filter_by_qrels", "filter_by_topics", "baseline", "test", "correction",
    "correction_alpha", "round", "verbose", "validate",
}  # fmt: skip

_OF_PREFIX = "run the shared stages first: found = shared(topics), and then give rest(found)"

# What has the same effect as an argument that only PyTerrier knows.
INSTEAD = {
    "save_dir": "run the systems first: pt.io.write_results(system(topics), path), and then give "
    "pt.io.read_results(path)",
    "plan": _OF_PREFIX,
    "precompute_prefix": _OF_PREFIX,
    "highlight": "the table is a DataFrame: table.style.highlight_max()",
    "validate": "pt.inspect.transformer_outputs(system, ['qid', 'query']) tells the columns",
    "test": f"or name one of compare: {', '.join(COMPARING)}",
    "correction": f"or name one of compare: {', '.join(CORRECTIONS)}",
}


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
        `retr_systems` may be any sequence or mapping, and `qrels` what `evaluate` reads.
        `eval_metrics` has any names of measures that `evaluate` reads; a measure that has two has a
        column by each. ``baseline`` may be a name, or a list of positions and names; see the notes.
        Names must differ. Without names, DataFrames are called ``DataFrame #0`` and so on, by their
        positions, and systems are numbered if two print the same.
    groups
        The group of each system, by name, for ``select='other-groups'`` and ``'best-per-group'``:
        a dict, or a table (csv, tsv, JSON lines) with the columns run and group.
    strict, limits, ignore_identical_ids
        As for `evaluate`.

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
        return a DataFrame; when a test could not reject any hypothesis; and as for `evaluate`. A
        wrong argument is refused before any system runs. An error in a transformer has a note of
        the system's name (Python 3.11).

    Notes
    -----
    - Every transformer is run once over the topics, in batches of ``batch_size`` if it is given,
      before the first system is scored. Of its results, query, document and score are kept; they
      are read as `evaluate` reads them. ``mrt`` is the time of that one run. Pipelines are not
      validated before they run.
    - Scores are those of ``pt.Experiment`` to the last digit, means to 15 digits. The means of
      ``perquery='both'`` leave out topics without qrels; in ``pt.Experiment`` they are then NaN.
    - Comparisons with a baseline have the tests and corrections of `compare`. The p-values of
      ``test='t'`` are those of ``pt.Experiment``, but p is 1 where two systems have the same
      scores. Those of ``test='wilcoxon'`` leave out topics on which two systems score the same, and
      take differences for tied that are equal but for rounding: there they differ.
      ``correction`` is None, ``'none'``, ``'holm'`` (``'h'``), ``'bonferroni'`` (``'b'``) or
      ``'bh'`` (``'fdr_bh'``). For each measure, it covers all pairs of a system and a baseline.
      ``correction_alpha`` is 1 minus the level. Where ``baseline`` is a list, or PyTerrier lacks
      the test, the columns name the baseline: ``AP p-value (bm25)``.
    - ``pt.Experiment`` gets the whole call, as it is, if it asks for what only PyTerrier knows:
      ``save_dir``, ``plan='tree'``, ``precompute_prefix``, ``highlight``, ``validate='error'``, a
      function as ``test``, another correction, a measure that ir_measures has not registered, or
      one of subtopics. It is refused if it also asks for what PyTerrier does not know: a measure of
      this package, `groups`, `ignore_identical_ids`, several baselines, or another test of
      `compare`.
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
        from pyterrier import _evaluation  # a user may have replaced pt.Experiment by this one
    stock = _evaluation.Experiment
    metrics = listed(eval_metrics)
    signed = signature(stock)
    call = signed.bind(retr_systems, topics, qrels, metrics, names, *args, **kwargs)
    theirs = _only_theirs(call.arguments, signed.parameters)
    call.apply_defaults()
    asked = SimpleNamespace(**call.arguments)
    labelled = _labelled(metrics)
    theirs += [label for label, measure in labelled.items() if _is_only_theirs(measure)]
    is_ours = groups is not None or ignore_identical_ids or _is_only_ours(asked, labelled)
    if asked.kwargs or (theirs and not is_ours):
        return stock(*call.args, **call.kwargs)
    if theirs:
        raise _only_alone(theirs[0])
    _check(asked)
    how = {"strict": strict, "ignore_identical_ids": ignore_identical_ids}
    with memory_limit(limits):
        return _experiment(pt, asked, labelled, groups, how)


def _experiment(
    pt: Any,
    asked: SimpleNamespace,
    labelled: Mapping[str, ir_measures.Measure],
    groups: GroupsLike | None,
    how: dict[str, Any],
) -> Any:
    """The result of a checked call; `how` are arguments of `evaluate`."""
    systems = Systems.of(pt, asked.retr_systems, asked.names)
    measures = parse_all(labelled.values())
    group_of = None
    if groups is not None:
        of_systems = groups_of(list(map(str, systems.names)), groups)
        group_of = dict(zip(systems.runs, of_systems, strict=True))
    queries, judged = _data(pt, asked, how["strict"])
    baselines = None
    if asked.baseline is not None:
        baselines = Baselines.of(asked, systems, len(judged.query_ids))
    results, times = systems.results(queries, asked.batch_size, asked.verbose is True)
    matrix = evaluate(judged, results, measures, group_of, progress=False, **how)
    has_times = "mrt" in asked.eval_metrics and not asked.perquery
    mrt = times / len(judged.query_ids) if has_times else None
    means = table_of_means(asked, systems.names, labelled, matrix, mrt, baselines)
    if not asked.perquery:
        return means
    by_query = scores_by_query(asked, systems.names, labelled, matrix, queries["qid"])
    if asked.perquery is True:
        return by_query
    if not asked.dataframe:
        return means, by_query
    return pt._evaluation._rendering.EvaluationDataTuple(means, by_query)


def _only_theirs(given: Mapping[str, Any], parameters: Mapping[str, Any]) -> list[str]:
    """The arguments of a call that only PyTerrier knows, without those of its defaults."""
    theirs = [
        name
        for name, value in given.items()
        if name not in KNOWN and value != parameters[name].default
    ]
    if given.get("validate") == "error":
        theirs.append("validate")
    if callable(given.get("test")):
        theirs.append("test")
    if given.get("correction") not in (None, *CORRECTIONS, *SYNONYMS):
        theirs.append("correction")
    return theirs


def _is_only_theirs(measure: ir_measures.Measure) -> bool:
    """Whether a measure may read columns that runs and qrels lack here: subtopics, answers."""
    is_registered = measure.NAME in ir_measures.measures.registry
    return not is_registered or type(measure).__module__ == ir_measures.measures.diversity.__name__


def _is_only_ours(asked: SimpleNamespace, labelled: Mapping[str, Any]) -> bool:
    """Whether a call asks for what PyTerrier lacks."""
    if asked.test in COMPARING and asked.test not in PYTERRIERS_TESTS:
        return True
    if are_several(asked.baseline):
        return True
    return any(isinstance(measure, Measure) for measure in labelled.values())


def _only_alone(theirs: str) -> InputError:
    """The error about what only PyTerrier knows beside what it does not know."""
    instead = INSTEAD.get(theirs, "ask for it in an experiment of its own")
    return InputError(
        f"Experiment: only PyTerrier knows `{theirs}`, so leave it out with a measure of "
        "irx_measures, `groups`, `ignore_identical_ids`, several baselines or a test of compare "
        f"({instead})"
    )


def _labelled(metrics: Iterable[Any]) -> dict[str, ir_measures.Measure]:
    """The measures by all names that they are asked for by, in the requested order.

    A measure that a family such as ``official`` names, and a name of its own too, has the latter.
    """
    found: dict[str, list[ir_measures.Measure]] = {}
    for given in metrics:
        parse = ir_measures.parse_trec_measure if isinstance(given, str) else parse_measures
        if given != "mrt":
            found[str(given)] = parse(given)
    alone = {measures[0]: name for name, measures in found.items() if len(measures) == 1}
    by_name: dict[str, ir_measures.Measure] = {}
    for name, measures in found.items():
        if len(measures) == 1:
            by_name[name] = measures[0]
        else:
            by_name |= {alone.get(measure, str(measure)): measure for measure in measures}
    return by_name


def _check(asked: SimpleNamespace) -> None:
    """InputError or TypeError for arguments that are wrong whatever the systems return."""
    if form_of(asked.topics) != "DataFrame" and not isinstance(asked.topics, str):
        raise TypeError(
            "Experiment: `topics` must be a DataFrame, or the path of a file as a string; got "
            f"{type(asked.topics).__name__}"
        )
    if asked.round is not None:
        places = asked.round.values() if isinstance(asked.round, Mapping) else [asked.round]
        for given in places:
            integer(0).check("round", given)
    if asked.baseline is None:
        if asked.correction is not None:
            raise InputError("Experiment: `correction` needs a `baseline`")
    elif asked.perquery:
        raise InputError(
            f"Experiment: `perquery` must be False with baselines; got {asked.perquery!r}"
        )


def _data(pt: Any, asked: SimpleNamespace, strict: bool) -> tuple[DataFrame, Table]:
    """The topics and the qrels, filtered as the call asks."""
    topics = asked.topics
    if isinstance(topics, str):
        topics = pt.io.read_topics(topics)
    judged = read_qrels(asked.qrels, strict)
    queries = {*block_in_memory("topics", dict(topics.items())).texts(("qid",))}
    if asked.filter_by_qrels:
        topics = topics[topics["qid"].isin(judged.query_ids)]
    if asked.filter_by_topics:
        is_asked = np.array([query in queries for query in judged.query_ids], bool)
        judged = judged.at(np.flatnonzero(is_asked[judged.query.code]))
    if not len(topics) or not len(judged):
        raise InputError("Experiment: no overlap: topics and qrels have no query in common")
    return topics, judged
