"""The learned prior of bootstrapped measures: a model of judgments, and the worlds it draws."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, TypeVar

from ..common.memory import require_memory
from ..common.numeric import safe_divide
from ..common.validators import integer
from ..exceptions import InputError
from ..io.opened import FileState
from ..io.source import source_of_data
from ..judgments.judged_run import JudgedRun
from ..runsets import caches, registry
from ..runsets.registry import OTHERS
from ..runsets.runset import RunSet
from ..unjudged.pooled_runs import DEPTH, UNJUDGED, OwnJudgments, PooledRuns
from .declaring.base import Measure
from .declaring.doubt import Doubt
from .declaring.judged_relevance import require_non_relevant
from .declaring.params import FILE, Param
from .declaring.relative import RUNS, errors_about, position_in, resolved

if TYPE_CHECKING:  # every import of the package would pay for models, which few use
    from ..unjudged.cross_validation import CrossValidation
    from ..unjudged.machine_labels import MachineLike
    from ..unjudged.model import JudgmentModel
    from ..unjudged.worlds import Worlds

Made = TypeVar("Made")

LEARNED = "learned"

# Share of judged documents in the top of a run that took part in the pooling. Such a run should
# have all judged; a choice leaves room for a few that were lost or skipped.
POOLED = 0.95

RUNS_TO_LEARN_FROM = Param(
    RUNS,
    OTHERS,
    "The runs from which prior='learned' learns: a `RunSet`, or a name as in NRG's `prior`. "
    "``others`` are the systems under comparison. Outside of a comparison, and with None, the "
    "model learns from the run alone.",
)

# 10: TREC Deep Learning pooled all runs to this depth.
POOL_DEPTH = Param(
    integer(1, DEPTH), 10, "For prior='learned': the depth to which the runs were judged."
)

MACHINE = Param(
    FILE,
    None,
    "For prior='learned': a qrels file with a language model's labels, which become a feature.",
)

LEARNING = {"runs": RUNS_TO_LEARN_FROM, "depth": POOL_DEPTH, "machine": MACHINE}


def check_learning(measure: Measure) -> None:
    """InputError if parameters contradict `prior`."""
    learned = measure["prior"] == LEARNED
    for name, param in LEARNING.items():
        if not learned and measure[name] != param.default:
            raise InputError(
                f"{measure.NAME}: `{name}` goes with prior='learned'; got {measure['prior']!r}"
            )
    if learned and measure["b"] == "exact":
        raise InputError(f"{measure.NAME}: b='exact' does not go with prior='learned'")
    if learned and measure["pool"] != measure.SUPPORTED_PARAMS["pool"].default:
        raise InputError(f"{measure.NAME}: `pool` does not go with prior='learned'")
    if learned and measure["cutoff"] > DEPTH:
        raise InputError(
            f"{measure.NAME}: prior='learned' takes cutoffs to {DEPTH}; got {measure['cutoff']}"
        )


class Learned:
    """The learned prior of one run: the runs on which it depends, its model, and its worlds.

    What sets of runs decide is computed once for all runs of a call. The model learns from the
    runs `training`. In each world, a document has one grade in all runs of `together`: the training
    runs, the systems under comparison, and the run, at its `position`.
    """

    def __init__(self, measure: Measure, judged: JudgedRun) -> None:
        self.measure, self.judged = measure, judged
        self.labels: MachineLike = measure["machine"]
        self.training, self.together, self.position = judged.derived(
            ("runs of a learned prior", measure["runs"]), lambda: _runs(measure, judged)
        )

    def once(self, runset: RunSet, what: tuple[Hashable, ...], make: Callable[[], Made]) -> Made:
        """Something that a set of runs, the training runs and the labels of machines decide."""
        # A set must not be a part of its own cache's key: it would be freed late.
        training = None if runset is self.training else self.training
        file: str | None = self.measure["machine"]
        state = None if file is None else FileState.of(file)
        of_labels = self.judged.judgments.digest, self.measure["depth"], file, state
        return caches.result_of(runset, (*what, training, *of_labels), make)

    @property
    def model(self) -> JudgmentModel:
        """The model of unjudged documents."""
        require_non_relevant(self.measure, self.judged.judgments)
        return self.once(self.training, ("model",), self._fit)

    def _fit(self) -> JudgmentModel:
        from ..unjudged.examples import examples_of
        from ..unjudged.model import fitted

        with errors_about(self.measure, "prior='learned'"):
            pooled = self._pool(self.training)
            return fitted(examples_of(pooled, self.measure["depth"], self.labels))

    @property
    def pooled(self) -> PooledRuns:
        """The runs of `together`."""
        return self._pool(self.together)

    def _pool(self, runset: RunSet) -> PooledRuns:
        """The top documents of the runs of a set, joined with the judgments."""
        judgments = self.judged.judgments
        return caches.result_of(
            runset, ("pooled", judgments.digest), lambda: PooledRuns.of(runset, judgments)
        )

    @property
    def validation(self) -> CrossValidation:
        """Models without each of the training groups."""
        from ..unjudged.cross_validation import CrossValidation

        def fit() -> CrossValidation:
            pooled = self._pool(self.training)
            return CrossValidation.of(pooled, self.measure["depth"], self.labels)

        return self.once(self.training, ("cross-validation",), fit)

    def worlds(self, tilted: bool = False) -> Worlds:
        """The worlds in which the runs of `together` are scored."""
        drawn = self.measure["cutoff"], self.measure["b"], self.measure["seed"]
        return self.once(self.together, ("worlds", tilted, *drawn), lambda: self._draw(tilted))

    def _draw(self, tilted: bool) -> Worlds:
        from ..unjudged.worlds import Worlds

        pooled = self.pooled
        cutoff, samples = self.measure["cutoff"], self.measure["b"]
        tilt = self.validation.tilt if tilted else None
        require_memory(self.measure, Worlds.size(pooled, cutoff, samples))
        with errors_about(self.measure, "prior='learned'"):
            entries = pooled.unjudged_entries(cutoff)
            probability = self.model.probabilities(pooled, entries, self.labels)
        return Worlds.of(pooled, entries, probability, cutoff, samples, self.measure["seed"], tilt)

    @property
    def is_outside(self) -> bool:
        """Whether less of the run is judged than of any run from which the model could learn."""
        pooled = self.pooled
        outside = self.once(self.together, ("outside",), lambda: self.model.outside(pooled))
        return pooled.names[self.position] in outside

    def doubts(self) -> Iterator[Doubt]:
        """Reasons why learned grades may be wrong."""
        depth, cutoff = self.measure["depth"], self.measure["cutoff"]
        is_outside = self.is_outside
        yield from self.once(
            self.together, ("doubts", cutoff), lambda: list(_doubts(self.pooled, depth, cutoff))
        )
        if is_outside:
            yield Doubt(
                f"less of its top {depth} is judged than of any run from which the learned prior "
                "could learn; its scores may move by .014 with the other systems of the call"
            )


def _runs(measure: Measure, judged: JudgedRun) -> tuple[RunSet, RunSet, int]:
    """The training runs, these with the compared runs and the run, and its position in them."""
    compared = registry.compared_runs()
    outside = measure["runs"] == OTHERS and compared is None
    training = None if outside else resolved(measure, "runs")
    if training is None:
        alone = _alone(judged, "run")
        return alone, alone, 0
    together = training
    if compared is not None:
        with errors_about(measure, "`runs`"):
            together = registry.join([training, compared])
    position = position_in(together, judged, DEPTH)
    if position is None:
        together = _with_run(judged, together)
        position = len(together) - 1
    return training, together, position


def _alone(judged: JudgedRun, name: str) -> RunSet:
    """The run as a set, with its top documents only; it may be empty."""
    tops = zip(judged.judgments.query_ids, judged.top_documents(DEPTH), strict=True)
    run = {query: docs for query, docs in tops if docs}
    return RunSet({name: replace(source_of_data(run, name), may_be_empty=True)})


def _with_run(judged: JudgedRun, runset: RunSet) -> RunSet:
    """The set and a run that is not in it."""
    name = judged.name or "the run"
    while name in runset.names:
        name += "'"
    groups = None if runset.group_of is None else {**runset.group_of, name: name}
    return runset.of_sources({**runset.sources, **_alone(judged, name).sources}, groups)


def _doubts(pooled: PooledRuns, depth: int, cutoff: int) -> Iterator[Doubt]:
    own = OwnJudgments.of(pooled, depth)
    share = safe_divide(own.judged.sum(axis=1), own.returned.sum(axis=1))
    if len(share) > 1 and (share < POOLED).all():
        yield Doubt(
            f"no run took part in the pooling: each has unjudged documents in its top {depth}; "
            "then the learned grades may be wrong in either direction: too low where the judged "
            "documents are a random part, too high where only the best were judged",
            of_run=False,
        )
    elif cutoff > depth and _is_beyond_pool(pooled, cutoff):
        yield Doubt(
            f"the cutoff {cutoff} is deeper than the pool: most documents there are unjudged, and "
            "the judgments do not show how relevant such documents are",
            of_run=False,
        )


def _is_beyond_pool(pooled: PooledRuns, cutoff: int) -> bool:
    """Whether most documents in the second half of the runs' top k are unjudged."""
    deep = pooled.grade[pooled.doc[(pooled.rank > cutoff // 2) & (pooled.rank <= cutoff)]]
    return len(deep) > 0 and float((deep == UNJUDGED).mean()) > 0.5
