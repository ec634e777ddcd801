"""evaluate(): scores many runs and does the shared work once."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

import ir_measures
import numpy as np

from ..common.memory import memory_limit
from ..common.progress import with_bar
from ..exceptions import InputError
from ..io.table import Table, run_label
from ..io.lenient import drop_invalid_qrels
from ..io.trec import read_qrels
from ..judgments.judged_run import judge
from ..judgments.judged_share import JudgedShare
from ..measures.base import Measure, judgments_for
from ..measures.doubts import Doubts, some_ids
from ..measures.grade_meanings import doubt_meanings
from ..measures.judged_relevance import doubt_none_relevant
from ..measures.relative import RelativeMeasure
from ..measures.strings import check_params, parse_measures, takes_runs
from ..runsets.judged_set import JudgedSet, no_ranks, with_ranks
from ..runsets.registry import OTHERS, scope
from ..runsets.runset import RunSet
from ..runsets.sources import borrowed
from ..typing import GroupsLike, MeasuresLike, QrelsLike, RunsLike
from .score_matrix import ScoreMatrix
from .standard import StandardMeasures


def evaluate(
    runs: RunsLike,
    qrels: QrelsLike | Table,
    measures: MeasuresLike,
    groups: GroupsLike | None = None,
    *,
    strict: bool = True,
    progress: bool | None = None,
    limits: int | str | None = None,
) -> ScoreMatrix:
    """Score every run on every measure; in measures, `others` means these runs.

    Parameters
    ----------
    runs
        A RunSet, or any form that `RunSet` accepts: a dict from names to runs, a glob of files, ...
    qrels
        A table, dict of dicts, iterable of namedtuples or dicts, ``ranx.Qrels``, ir_datasets id, or
        file (TREC or BEIR format, ``.parquet``, ``.json``, ``.jsonl`` or ``.csv``).
    measures
        Measures or measure strings, of this package and of ir_measures. ``official`` stands for the
        official measures of an ir_datasets id that names some, else for those of trec_eval.
    groups
        The group of each run: a dict, or a CSV file with the columns run and group.
    strict
        Whether NaN scores, empty runs, documents returned or judged twice for a query, and runs of
        which no document is judged are errors. If false, NaN scores and duplicates are dropped with
        a warning: the row with the highest score of a returned document stays, and the first
        judgment of a judged document stays. An empty run, or no judged document in any run, then
        causes a warning. A RunSet that is not strict stays lenient.
    progress
        Whether to show a progress bar on stderr; None shows one on a terminal after half a second.
    limits
        The memory that a measure may use in addition to its input: bytes, or a text such as
        ``"2GB"``. If a measure would use more, an error names the measure. None: a quarter of
        the machine's memory. A compressed file may unpack to this size; with None, also to at
        most 100 times its own.

    Returns
    -------
    ScoreMatrix
        Scores of every query of the qrels, in the order of the qrels. Undefined scores are NaN:
        NRG, UniqueRel and TaSC are undefined for a run that is its own only prior.

    Warns
    -----
    EvaluationWarning
        When the scores may not answer the user's question; each reason is given once per call. The
        attribute `warnings` of the result has them, too.

    Raises
    ------
    ValueError
        When the qrels are empty, the qrels and the runs have no query in common, no run has a
        judged document, a row of qrels or runs is invalid, or a measure cannot be used.
    TypeError
        When the form of runs or qrels is not accepted.
    NameError
        When a measure does not exist.
    FileNotFoundError
        When a file does not exist.

    Notes
    -----
    Runs are read one at a time, and shared work is done once: the qrels are indexed once, each run
    is ranked and joined with the qrels once, and measures against other runs score all runs
    together.

    Examples
    --------
    >>> import irx_measures
    >>> runs = {"a": {"q": {"A": 2.0, "B": 1.0}}, "b": {"q": {"X": 2.0, "B": 1.0}}}
    >>> qrels = {"q": {"A": 1, "B": 1}}
    >>> matrix = irx_measures.evaluate(runs, qrels, ["P@2", "UniqueRel(prior=others)@2"])
    >>> matrix.means().loc["a"].tolist(), matrix.means().loc["b"].tolist()
    ([1.0, 1.0], [0.5, 0.0])
    """
    parsed = parse_all(measures, qrels)
    with memory_limit(limits):
        runset = set_of(runs, groups, strict, borrow=True)
        return score_shared(runset, judged_documents(qrels, strict), parsed, progress).matrix


def score_shared(
    runset: RunSet,
    qrels: Table,
    measures: Sequence[ir_measures.Measure],
    progress: bool | None,
) -> Scored:
    """The scores of `evaluate`, with its warnings and its errors about runs and qrels.

    Raises
    ------
    ValueError
        When qrels and runs have no query in common, or, unless the set is not strict, no run has a
        judged document.
    """
    scored = score_all(runset, qrels, measures, progress)
    if not scored.rankings:
        first = runset.run(0)
        of_files = os.path.isfile(next(iter(first.doc.all()), ""))  # {"bm25": ["run.1", "run.2"]}
        raise InputError(
            f"qrels and runs share no query: the qrels have {some_ids(scored.matrix.query_ids)}, "
            f"the first run {some_ids(first.query_ids)}"
            f"{'; the files of a run are listed as pathlib.Path' * of_files}"
        )
    if runset.strict:
        scored.doubts.refuse_other_ids()
    return scored._replace(matrix=replace(scored.matrix, warnings=scored.doubts.tell()))


class Scored(NamedTuple):
    """The scores of `evaluate`.

    Attributes
    ----------
    matrix
    rankings
        The number of rankings in all runs, for queries of the qrels.
    doubts
        Reasons for warnings that were not issued yet.
    judged_set
        The runs seen through the qrels.
    """

    matrix: ScoreMatrix
    rankings: int
    doubts: Doubts
    judged_set: JudgedSet


def score_all(
    runset: RunSet,
    qrels: Table,
    measures: Sequence[ir_measures.Measure],
    progress: bool | None = None,
    compared: RunSet | None = None,
) -> Scored:
    """The scores of `evaluate`.

    Parameters
    ----------
    runset, qrels, measures, progress
    compared
        The runs that `others` means; None: those of the set. The set is a part of them.

    Raises
    ------
    ValueError
        When measures need judgments and the qrels are empty.
    """
    plan = _Plan.of(measures, compared is None)
    with scope(runset if compared is None else compared):  # measures may name the runs
        return _score_in_scope(runset, qrels, measures, plan, progress)


def depend_on_qrels(measures: Iterable[ir_measures.Measure]) -> bool:
    """Whether the scores of a measure depend on the judged documents, not only on a reference."""
    return any(not isinstance(measure, Measure) or measure.of_qrels for measure in measures)


def _no_judgments(needing: Sequence[ir_measures.Measure]) -> str:
    """What measures need judgments, and how to do without them where that is possible."""
    text = f"qrels hold no judgments; needed by {', '.join(map(str, needing))}"
    if not all(takes_runs(measure, "reference") for measure in needing):
        return text
    return f"{text}, or give a reference run (reference=, or --reference on the command line)"


def _score_in_scope(
    runset: RunSet,
    qrels: Table,
    measures: Sequence[ir_measures.Measure],
    plan: _Plan,
    progress: bool | None,
) -> Scored:
    if not len(qrels.value):
        own = {measure for measure in plan.own if measure.reference_query_ids()}
        needing = [measure for measure in measures if measure not in own]
        if needing:
            raise InputError(_no_judgments(needing))
    judgments = judgments_for(plan.own, qrels)
    standard = StandardMeasures(list(plan.standard), qrels)
    scores = np.full((len(measures), len(runset), len(judgments.query_ids)), np.nan)
    rank = no_ranks(len(runset), judgments)
    rankings, doubts = 0, Doubts()
    of_qrels = depend_on_qrels(measures)
    if of_qrels and qrels.origin is not None:
        doubts.add_qrels(qrels.origin.path)
    for measure in measures:
        doubts.add(measure, doubt_none_relevant(measure, judgments))
        doubts.add(measure, doubt_meanings(measure, qrels.dataset))
    undefined = np.zeros(scores.shape[:2], bool)
    # Once a run's rows were needed, the next files are read as rows at once.
    rows_needed = any(measure.NEEDS_ROWS for measure in plan.of_one_run)
    each = _each_with_progress(runset, progress, lambda: not rows_needed)
    for position, (name, run) in enumerate(each):
        judged = judge(judgments, run, name if runset.named else None, rows_needed)
        for alone, place in plan.of_one_run.items():
            scores[place, position] = alone.score(judged)
            undefined[place, position] = alone.is_undefined(judged)
            doubts.add(alone, alone.doubts(judged), name)
        for standard_measure, values in standard.score(run, judged, run_label(name)):
            scores[plan.standard[standard_measure], position] = values
        rank = with_ranks(rank, position, judged)
        doubts.add_run(run, judged, name)
        doubts.add_ranks(run, name)
        if of_qrels:
            doubts.add_share(JudgedShare.of(judged), name)
        rankings += int(np.count_nonzero(judged.returned))
        rows_needed |= judged.needed_rows
    judged_set = JudgedSet(runset, judgments, rank)
    for relative, place in plan.of_the_set.items():
        scores[place] = relative.score_set(judged_set)
        undefined[place, relative.undefined_runs(judged_set)] = True
        for position, doubt in relative.doubts_of_set(judged_set):
            doubts.add(relative, [doubt], judged_set.names[position])
    for place, position, row in np.argwhere(np.isnan(scores))[:1]:
        raise InputError(
            f"{run_label(runset.names[position])}: {measures[place]} has no score for query "
            f"{judgments.query_ids[row]!r}"
        )
    scores[undefined] = np.nan
    matrix = ScoreMatrix(tuple(measures), runset.names, judgments.query_ids, scores, runset.groups)
    return Scored(matrix, rankings, doubts, judged_set)


class _Plan(NamedTuple):
    """The measures, grouped by how they are scored, with their positions in the matrix.

    Attributes
    ----------
    of_one_run
        Measures of this package that are scored run by run.
    of_the_set
        Measures of this package that compare a run with the others; scored for all runs at once.
    standard
        Measures of ir_measures.
    """

    of_one_run: dict[Measure, int]
    of_the_set: dict[RelativeMeasure, int]
    standard: dict[ir_measures.Measure, int]

    @classmethod
    def of(cls, measures: Sequence[ir_measures.Measure], others_are_scored: bool) -> _Plan:
        plan = cls({}, {}, {})
        for place, measure in enumerate(measures):
            if others_are_scored and isinstance(measure, RelativeMeasure) and measure.of_others:
                plan.of_the_set[measure] = place
            elif isinstance(measure, Measure):
                plan.of_one_run[measure] = place
            else:
                plan.standard[measure] = place
        return plan

    @property
    def own(self) -> list[Measure]:
        return [*self.of_one_run, *self.of_the_set]


def _each_with_progress(
    runset: RunSet, progress: bool | None, lazy: Callable[[], bool]
) -> Iterator[tuple[str, Table]]:
    """Name and content of every run; `lazy` as in `RunSet.each`."""
    bar = with_bar(runset.names, "run", progress, leave=True)
    return zip(bar, runset.each(lazy), strict=True)


def set_of(runs: RunsLike, groups: GroupsLike | None, strict: bool, borrow: bool = False) -> RunSet:
    """The runs as a set; a RunSet is returned unchanged if its settings match.

    A set that borrows its runs does not copy them, and is valid for one call only.
    """
    if isinstance(runs, RunSet):
        is_so = groups is None and (strict or not runs.strict)
        return runs if is_so else RunSet(runs, OTHERS, groups, strict=strict)
    return RunSet(borrowed(runs) if borrow else runs, OTHERS, groups, strict=strict)


def judged_documents(qrels: QrelsLike | Table, strict: bool) -> Table:
    """The qrels; if not strict, without duplicates."""
    columns = read_qrels(qrels)
    return columns if strict else drop_invalid_qrels(columns)


def parse_all(measures: MeasuresLike, qrels: object = None) -> list[ir_measures.Measure]:
    """Parse measures and measure strings, drop duplicates, and check the parameters.

    With the qrels, `official` stands for the official measures of their ir_datasets id.
    """
    parsed = list(dict.fromkeys(parse_measures(measures, qrels=qrels)))
    if not parsed:
        raise InputError("a measure is missing: name at least one, such as nDCG@10")
    for measure in parsed:
        _check(measure)
    return parsed


def _check(measure: ir_measures.Measure) -> None:
    """Check a measure's parameters; measures of ir_measures raise AssertionError for a bad one."""
    check_params(measure, measure.params)
    try:
        measure.validate_params()
    except AssertionError as error:
        params = measure.SUPPORTED_PARAMS.items()
        missing = [name for name, info in params if info.required and name not in measure.params]
        reason = f"needs {', '.join(f'`{name}`' for name in missing)}" if missing else error
        raise InputError(f"{measure}: {reason}") from None
