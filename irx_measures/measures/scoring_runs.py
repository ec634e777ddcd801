"""The sets of runs on which the scores of a learned prior depend."""

from __future__ import annotations

from typing import NamedTuple

from ..exceptions import InputError
from ..judgments.judged_run import JudgedRun
from ..runsets import registry
from ..runsets.registry import OTHERS
from ..runsets.runset import RunSet
from ..runsets.sources import sources_of
from ..unjudged.pooled_runs import DEPTH, PooledRuns
from .base import Measure
from .relative import resolved


class ScoringRuns(NamedTuple):
    """The runs on which the score of a run with a learned prior depends.

    Attributes
    ----------
    training
        The runs from which the model learns.
    together
        The training runs, the systems under comparison, and the run. A document has one grade in
        each world, in all of them.
    position
        The position of the run in `together`.
    """

    training: RunSet
    together: RunSet
    position: int

    @classmethod
    def of(cls, measure: Measure, judged: JudgedRun) -> ScoringRuns:
        """The sets that a measure's `runs` and the comparison give; cached for the run."""
        key = "scoring runs", measure["runs"]
        return judged.derived(key, lambda: _scoring_runs(measure, judged))


def _scoring_runs(measure: Measure, judged: JudgedRun) -> ScoringRuns:
    compared = registry.compared_runs()
    outside = measure["runs"] == OTHERS and compared is None
    training = None if outside else resolved(measure, "runs")
    if training is None:
        alone = _alone(judged, "run")
        return ScoringRuns(alone, alone, 0)
    together = training if compared is None else _joined(measure, training, compared)
    position = _position(judged, together)
    if position is None:
        together = _with_run(judged, together)
        position = len(together) - 1
    return ScoringRuns(training, together, position)


def _joined(measure: Measure, training: RunSet, compared: RunSet) -> RunSet:
    try:
        return registry.join(training, compared)
    except ValueError as error:
        raise InputError(f"{measure.NAME}: `runs`: {error}") from None


def _alone(judged: JudgedRun, name: str) -> RunSet:
    """The run as a set, with its top documents only; it may be empty."""
    tops = zip(judged.judgments.query_ids, judged.top_documents(DEPTH), strict=True)
    run = {query: docs for query, docs in tops if docs}
    return RunSet(sources_of([(name, run)])._replace(may_be_empty=True))


def _with_run(judged: JudgedRun, runset: RunSet) -> RunSet:
    """The set and a run that is not in it."""
    name = judged.name or "the run"
    while name in runset.names:
        name += "'"
    groups = None if runset.group_of is None else {**runset.group_of, name: name}
    return runset.of_sources({**runset.sources, **_alone(judged, name).sources}, groups)


def _position(judged: JudgedRun, runset: RunSet) -> int | None:
    """The position of the run in the set: by name if known, else by its ranking."""
    if judged.name is not None and runset.named:
        return runset.names.index(judged.name) if judged.name in runset.names else None
    judged_set = registry.judged(runset, judged.judgments, DEPTH)
    return judged_set.position_by_content(judged, runset, DEPTH)


def pooled_runs(runset: RunSet, judged: JudgedRun) -> PooledRuns:
    """The top documents of the runs of a set, joined with the judgments of a run."""
    return registry.derived(
        runset,
        ("pooled", judged.judgments.digest),
        lambda: PooledRuns.of(runset, judged.judgments),
    )
