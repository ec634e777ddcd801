"""Scores of many runs, or of some of them, with the shared work done once."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from typing import NamedTuple

import ir_measures
import numpy as np

from ..common.memory import memory_limit
from ..common.short_paths import public
from ..doubts.facts import Facts, refuse_other_queries, tell
from ..exceptions import InputError
from ..io.table import Table
from ..judgments.judged_run import JudgedRun
from ..measures.declaring.base import Measure, judgments_for
from ..measures.declaring.relative import RelativeMeasure
from ..measures.naming.strings import (
    MISSING,
    check_params,
    parse_measure,
    parse_measures,
    takes_runs,
)
from ..measures.standard import StandardMeasures
from ..runsets.caches import keep_judged
from ..runsets.given import read_given
from ..runsets.judged_set import JudgedSet, judge_each
from ..runsets.registry import scope
from ..runsets.runset import RunSet
from ..typing import GroupsLike, MeasureLike, MeasuresLike, QrelsLike, RunsLike, ScoreArray
from .score_matrix import ScoreMatrix, with_facts


@public
def evaluate(
    qrels: QrelsLike | Table,
    runs: RunsLike,
    measures: MeasuresLike,
    groups: GroupsLike | None = None,
    *,
    strict: bool = True,
    progress: bool | None = None,
    limits: int | None = None,
    ignore_identical_ids: bool = False,
) -> ScoreMatrix:
    """Score every run on every measure; in measures, `others` means these runs.

    Parameters
    ----------
    qrels
        A table, dict of dicts or of sets of relevant documents, iterable of namedtuples or dicts,
        ``ranx.Qrels``, ir_datasets id, or file (TREC or BEIR format, ``.parquet``, ``.json``,
        ``.jsonl`` or ``.csv``).
    runs
        A RunSet, or any form that `RunSet` accepts: a dict from names to runs, a glob of files, ...
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
        The memory that a measure may use in addition to its input, in bytes. If a measure would
        use more, an error names the measure. None: a quarter of the machine's memory. A compressed
        file may unpack to this size; with None, also to at most 100 times its own.
    ignore_identical_ids
        Whether to leave out documents whose id is that of their query, as BEIR does: of the runs,
        and of the runs of measures, such as priors. A RunSet that leaves them out stays so.

    Returns
    -------
    ScoreMatrix
        Scores of every query of the qrels, in the order of the qrels. Undefined scores are NaN:
        NRG, UniqueRel and TaSC are undefined for a run that is its own only prior.

    Warns
    -----
    EvaluationWarning
        When the scores may not answer the user's question; each reason is given once per call. The
        attribute `warnings` of the result has them, too. It does not have what reading tells with
        ``strict=False``: which rows were left out, and which runs are empty.

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
    >>> matrix = irx_measures.evaluate(qrels, runs, ["P@2", "UniqueRel(prior=others)@2"])
    >>> matrix.means().loc["a"].tolist(), matrix.means().loc["b"].tolist()
    ([1.0, 1.0], [0.5, 0.0])
    """
    parsed = parse_all(measures, qrels)
    with memory_limit(limits):
        judged, runset = read_given(qrels, runs, groups, strict, True, ignore_identical_ids)
        return score_shared(judged, runset, parsed, progress).matrix


def score_shared(
    qrels: Table,
    runset: RunSet,
    measures: Sequence[ir_measures.Measure],
    progress: bool | None,
) -> Scored:
    """The scores of `evaluate`, with its warnings and its errors about runs and qrels."""
    scored = score_all(qrels, runset, measures, progress)
    if runset.strict:
        scored.facts.refuse_other_ids()
    if not scored.facts.rankings:
        refuse_other_queries(scored.matrix.query_ids, runset.run(0))
    matrix = with_facts(scored.matrix, scored.facts)
    tell(matrix.warnings)
    return scored._replace(matrix=matrix)


class Scored(NamedTuple):
    """The scores of `evaluate`."""

    matrix: ScoreMatrix
    facts: Facts  # about the runs and the qrels; users were told nothing yet
    judged_set: JudgedSet


def score_all(
    qrels: Table,
    runset: RunSet,
    measures: Sequence[ir_measures.Measure],
    progress: bool | None = None,
    compared: RunSet | None = None,
) -> Scored:
    """The scores of `evaluate`; InputError if measures need judgments and the qrels are empty.

    `others` means the runs `compared`, of which the set is a part; None: those of the set.
    """
    others = runset if compared is None else compared
    with scope(others):  # measures may name the runs
        split = _Split.of(measures, of_set=compared is None)
        if not len(qrels):
            _refuse_without_judgments(measures)
        judgments = judgments_for([*split.alone, *split.together], qrels)
        standard = StandardMeasures(split.hosted, qrels)
        facts = Facts(measures, split.together)
        facts.add_qrels(judgments, qrels.path, qrels.dataset)
        scores = np.full((len(measures), len(runset), len(judgments.query_ids)), np.nan)
        scores_of = dict(zip(measures, scores, strict=True))
        judged_set = JudgedSet(runset, judgments)
        for position, judged in enumerate(judge_each(runset, judgments, progress)):
            facts.add(judged)
            for scored, values in chain(_scored(split.alone, judged), standard.score(judged)):
                scores_of[scored][position] = _without_gap(values, scored, judged)
            judged_set.add(position, judged)
        if compared is None:
            keep_judged(runset, judged_set)
        facts.add_set(judged_set)
        for relative in split.together:
            scores_of[relative][:] = relative.score_set(judged_set)
    matrix = ScoreMatrix(tuple(measures), runset.names, judgments.query_ids, scores, runset.groups)
    return Scored(matrix, facts, judged_set)


class _Split(NamedTuple):
    """Measures by how they are scored."""

    alone: list[Measure]  # of this package, run by run
    together: list[RelativeMeasure]  # of this package, all runs at once
    hosted: list[ir_measures.Measure]

    @classmethod
    def of(cls, measures: Sequence[ir_measures.Measure], of_set: bool) -> _Split:
        """Split measures; `of_set` says whether `others` are all runs that are scored."""
        split = cls([], [], [])
        for measure in measures:
            if not isinstance(measure, Measure):
                split.hosted.append(measure)
            elif of_set and isinstance(measure, RelativeMeasure) and measure.of_others:
                split.together.append(measure)
            else:
                split.alone.append(measure)
        return split


def _scored(measures: Iterable[Measure], judged: JudgedRun) -> Iterator[tuple[Measure, ScoreArray]]:
    """Measure and scores of a run, for the measures that are defined for it."""
    for measure in measures:
        if not measure.is_undefined(judged):
            yield measure, measure.score(judged)


def _without_gap(values: ScoreArray, measure: ir_measures.Measure, judged: JudgedRun) -> ScoreArray:
    """The scores of a run; InputError if a query has none."""
    missing = np.flatnonzero(np.isnan(values))
    if len(missing):
        query = judged.judgments.query_ids[missing[0]]
        raise InputError(f"{judged.label}: {measure} has no score for query {query!r}")
    return values


@public
class SubsetScorer:
    """Scores some of the systems on a measure, as if only these systems had taken part.

    Runs are ranked and judged once, so that many subsets are scored quickly.
    `irx_measures.meta.system_impact` accepts a SubsetScorer.

    Parameters
    ----------
    qrels, runs, groups, strict, progress, ignore_identical_ids
        As for `evaluate`.
    measure
        A measure or measure string. In it, `others` means the chosen systems; a measure without
        `others` gives a system the same scores in every subset.

    Attributes
    ----------
    systems : tuple of str
    measure : Measure
    undefined : (systems,) bools
        Which systems have no score when all systems are compared.

    Raises
    ------
    ValueError
        When the measure, the runs or the qrels cannot be used, as for `evaluate`.

    Examples
    --------
    >>> import irx_measures
    >>> runs = {"a": {"q": {"A": 1.0}}, "b": {"q": {"A": 1.0}}, "c": {"q": {"X": 1.0}}}
    >>> qrels = {"q": {"A": 1, "X": 0}}
    >>> score = irx_measures.SubsetScorer(qrels, runs, "P_Rareness(systems=others)@1")
    >>> score([0, 2]).tolist()  # one of these two systems returns A
    [[1.5], [0.0]]
    """

    def __init__(
        self,
        qrels: QrelsLike | Table,
        runs: RunsLike,
        measure: MeasureLike,
        groups: GroupsLike | None = None,
        *,
        strict: bool = True,
        progress: bool | None = None,
        ignore_identical_ids: bool = False,
    ) -> None:
        (self.measure,) = parse_all(parse_measure(measure))
        columns, runset = read_given(
            qrels, runs, groups, strict, ignore_identical_ids=ignore_identical_ids
        )
        scored = score_shared(columns, runset, [self.measure], progress)
        self._runset = runset
        self.systems = runset.names
        self._scores = scored.matrix.scores[0]
        self.undefined = scored.matrix.undefined[0]
        self._judged: JudgedSet | None = None
        if isinstance(self.measure, RelativeMeasure) and self.measure.of_others:
            self._judged = scored.judged_set

    def __call__(self, positions: Iterable[int]) -> ScoreArray:
        """Scores of the systems at these positions: (systems chosen, queries), NaN if undefined.

        Raises
        ------
        ValueError, TypeError
            When a position is out of range, or is repeated.
        """
        chosen = self._runset.chosen(positions)
        if self._judged is None or not isinstance(self.measure, RelativeMeasure):
            return self._scores[chosen]
        return self.measure.score_set(self._judged.subset(self._runset, chosen))


def _refuse_without_judgments(measures: Sequence[ir_measures.Measure]) -> None:
    """InputError if a measure needs judgments, of which there are none."""
    needing = [
        measure
        for measure in measures
        if not isinstance(measure, Measure) or not measure.reference_query_ids()
    ]
    if needing:
        instead = ""
        if all(takes_runs(measure, "reference") for measure in needing):
            instead = ", or give a reference run (`reference=`)"
        raise InputError(
            f"qrels hold no judgments; needed by {', '.join(map(str, needing))}{instead}"
        )


def parse_all(measures: MeasuresLike, qrels: object = None) -> list[ir_measures.Measure]:
    """Parse measures and measure strings, drop duplicates, and check the parameters.

    With the qrels, `official` stands for the official measures of their ir_datasets id.
    """
    parsed = list(dict.fromkeys(parse_measures(measures, qrels=qrels)))
    if not parsed:
        raise InputError(MISSING)
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
