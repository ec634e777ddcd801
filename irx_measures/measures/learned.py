"""The learned prior of bootstrapped measures: a model of judgments, and the worlds it draws."""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from typing import TYPE_CHECKING, NamedTuple

from ..common.memory import require_memory
from ..common.numeric import safe_divide
from ..exceptions import InputError
from ..io.source import FileState
from ..judgments.judged_run import JudgedRun
from ..runsets import registry
from ..runsets.registry import OTHERS
from ..runsets.runset import RunSet
from ..unjudged.pooled_runs import DEPTH, UNJUDGED, PooledRuns
from .base import Measure
from .doubts import Doubt
from .judged_relevance import require_non_relevant
from .params import FILE, Param, integer
from .relative import RUNS
from .scoring_runs import ScoringRuns, pooled_runs

if TYPE_CHECKING:  # every import of the package would pay for models, which few use
    from ..unjudged.cross_validation import CrossValidation
    from ..unjudged.machine_labels import MachineLike
    from ..unjudged.model import JudgmentModel
    from ..unjudged.tilt import Tilt
    from ..unjudged.worlds import Worlds

LEARNED = "learned"

# Share of judged documents in the top of a run that took part in the pooling. Such a run should
# have all judged; a choice leaves room for a few that were lost or skipped.
POOLED = 0.95  # share of judged documents in the top of a run that took part in the pooling

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


class Fitted(NamedTuple):
    """A fitted model and the runs to which it is applied.

    Attributes
    ----------
    model : JudgmentModel
    pooled : PooledRuns
        The runs of `ScoringRuns.together`.
    position
        The position of the scored run.
    """

    model: JudgmentModel
    pooled: PooledRuns
    position: int


def fit_model(measure: Measure, judged: JudgedRun) -> Fitted:
    """The model of unjudged documents; it is fitted once for all runs of a call."""
    require_non_relevant(measure, judged.judgments)
    sets = ScoringRuns.of(measure, judged)
    model = registry.derived(
        sets.training,
        ("model", *model_key(measure, judged)),
        lambda: _fit(measure, pooled_runs(sets.training, judged)),
    )
    return Fitted(model, pooled_runs(sets.together, judged), sets.position)


def model_key(measure: Measure, judged: JudgedRun) -> tuple[Hashable, ...]:
    file = measure["machine"]
    state = None if file is None else FileState.of(file)
    return judged.judgments.digest, measure["depth"], file, state


def _fit(measure: Measure, pooled: PooledRuns) -> JudgmentModel:
    from ..unjudged.examples import examples_of
    from ..unjudged.model import JudgmentModel

    try:
        return JudgmentModel.of(examples_of(pooled, measure["depth"], _labels(measure)))
    except InputError as error:
        raise InputError(f"{measure.NAME}: prior='learned': {error}") from None


def _labels(measure: Measure) -> MachineLike:
    labels: str | None = measure["machine"]
    return labels


def worlds_of(measure: Measure, judged: JudgedRun, tilted: bool = False) -> Worlds:
    """The worlds in which a run is scored: the same for all runs of a call."""
    sets, fit = ScoringRuns.of(measure, judged), fit_model(measure, judged)
    drawn = measure["cutoff"], measure["b"], measure["seed"]
    return registry.derived(
        sets.together,
        ("worlds", _training_key(sets), tilted, *drawn, *model_key(measure, judged)),
        lambda: _draw(measure, fit, cross_validation(measure, judged).tilt if tilted else None),
    )


def _training_key(sets: ScoringRuns) -> RunSet | None:
    # A set must not be a part of its own cache's key: it would be freed late.
    return None if sets.training is sets.together else sets.training


def cross_validation(measure: Measure, judged: JudgedRun) -> CrossValidation:
    """Models without each of the training groups; they are fitted once for all runs of a call."""
    from ..unjudged.cross_validation import CrossValidation

    training = ScoringRuns.of(measure, judged).training
    return registry.derived(
        training,
        ("cross-validation", *model_key(measure, judged)),
        lambda: CrossValidation.of(
            pooled_runs(training, judged), measure["depth"], _labels(measure)
        ),
    )


def _draw(measure: Measure, fit: Fitted, tilt: Tilt | None) -> Worlds:
    from ..unjudged.worlds import Worlds

    model, pooled, _ = fit
    cutoff, samples = measure["cutoff"], measure["b"]
    require_memory(measure, Worlds.size(pooled, cutoff, samples))
    try:
        entries = pooled.unjudged_entries(cutoff)
        probability = model.probabilities(pooled, entries, _labels(measure))
    except InputError as error:
        raise InputError(f"{measure.NAME}: prior='learned': {error}") from None
    return Worlds.of(pooled, entries, probability, cutoff, samples, measure["seed"], tilt)


def learned_doubts(measure: Measure, judged: JudgedRun) -> Iterator[Doubt]:
    """Reasons why learned grades may be wrong."""
    sets, fit = ScoringRuns.of(measure, judged), fit_model(measure, judged)
    depth, cutoff, pooled = measure["depth"], measure["cutoff"], fit.pooled
    general, outside = registry.derived(
        sets.together,
        ("doubts", _training_key(sets), cutoff, *model_key(measure, judged)),
        lambda: (list(_doubts(pooled, depth, cutoff)), fit.model.outside(pooled)),
    )
    yield from general
    if pooled.names[sets.position] in outside:
        yield Doubt(
            f"less of its top {depth} is judged than of any run from which the learned prior could "
            "learn; its scores may move by .014 with the other systems of the call"
        )


def _doubts(pooled: PooledRuns, depth: int, cutoff: int) -> Iterator[Doubt]:
    from ..unjudged.own_judgments import OwnJudgments

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
