"""The learned prior of bootstrapped measures: a model of judgments, and the worlds it draws."""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from typing import NamedTuple

import numpy as np

from ..common.division import safe_divide
from ..exceptions import InputError
from ..io.identifiers import packed_names
from ..judgments.digests import digest
from ..judgments.judged_run import JudgedRun
from ..runsets import registry
from ..runsets.registry import OTHERS
from ..runsets.runset import RunSet
from ..runsets.sources import FileState
from ..unjudged.cross_validation import tilt_of
from ..unjudged.machine_labels import MachineLike
from ..unjudged.model import JudgmentModel
from ..unjudged.own_judgments import OwnJudgments
from ..unjudged.pooled_runs import DEPTH, UNJUDGED, PooledRuns
from ..unjudged.tilt import Tilt
from ..unjudged.worlds import Worlds
from .base import Measure
from .doubt import Doubt
from .params import FILE, Param, integer
from .relative import RUNS, resolved

LEARNED = "learned"

POOLED = 0.95  # share of judged documents in the top of a run that took part in the pooling

RUNS_TO_LEARN_FROM = Param(
    RUNS,
    OTHERS,
    "The runs from which prior='learned' learns: a `RunSet`, or a name as in NRG's `prior`. "
    "``others`` are the systems under comparison; outside of a comparison, the run alone.",
)

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


class RunAlone(RunSet):
    """A single run without company; it may be empty."""

    may_be_empty = True


class Company(NamedTuple):
    """The runs beside which a run is scored.

    Attributes
    ----------
    teachers
        The runs from which the model learns.
    everyone
        The teachers, the systems under comparison, and the run. Their documents have one grade in
        each world.
    position
        The position of the run in `everyone`.
    """

    teachers: RunSet
    everyone: RunSet
    position: int

    @classmethod
    def of(cls, measure: Measure, judged: JudgedRun) -> Company:
        return judged.derived(("company", measure["runs"]), lambda: _company(measure, judged))


def _company(measure: Measure, judged: JudgedRun) -> Company:
    compared = registry.compared_runs()
    outside = measure["runs"] == OTHERS and compared is None
    teachers = None if outside else resolved(measure, "runs")
    if teachers is None:
        alone = _alone(judged, "run")
        return Company(alone, alone, 0)
    everyone = teachers if compared is None else _joined(measure, teachers, compared)
    position = _position(measure, judged, everyone)
    if position is None:
        everyone = _with_run(judged, everyone)
        position = len(everyone) - 1
    return Company(teachers, everyone, position)


def _joined(measure: Measure, teachers: RunSet, compared: RunSet) -> RunSet:
    try:
        return registry.join(teachers, compared)
    except ValueError as error:
        raise InputError(f"{measure.NAME}: `runs`: {error}") from None


def _alone(judged: JudgedRun, name: str) -> RunSet:
    """The run as a set, with its top documents only."""
    tops = zip(judged.judgments.query_ids, judged.top_documents(DEPTH), strict=True)
    return RunAlone({name: {query: docs for query, docs in tops if docs}})


def _with_run(judged: JudgedRun, runset: RunSet) -> RunSet:
    """The set and a run that is not in it."""
    name = judged.name or "the run"
    while name in runset.names:
        name += "'"
    groups = None if runset.group_of is None else {**runset.group_of, name: name}
    return runset.of_sources({**runset.sources, **_alone(judged, name).sources}, groups)


def _position(measure: Measure, judged: JudgedRun, runset: RunSet) -> int | None:
    """The position of the run in the set: by name if known, else by its ranking."""
    if judged.name is not None and runset.named:
        return runset.names.index(judged.name) if judged.name in runset.names else None
    pooled = _pooled(runset, judged)
    by_content = registry.derived(
        runset, ("content", judged.judgments.digest), lambda: _positions_by_content(pooled)
    )
    return by_content.get(judged.top_digest(DEPTH))


def _positions_by_content(pooled: PooledRuns) -> dict[str, int]:
    """The first position of each ranking, by `JudgedRun.top_digest`."""
    positions: dict[str, int] = {}
    for position in range(len(pooled.names)):
        first, last = np.searchsorted(pooled.run, [position, position + 1])
        lengths = np.bincount(pooled.query[first:last], minlength=len(pooled.query_ids))
        names = [pooled.doc_ids[doc] for doc in pooled.doc[first:last].tolist()]
        positions.setdefault(digest(lengths.tobytes(), packed_names(names)), position)
    return positions


def _pooled(runset: RunSet, judged: JudgedRun) -> PooledRuns:
    return registry.derived(
        runset,
        ("pooled", judged.judgments.digest),
        lambda: PooledRuns.of(runset, judged.judgments),
    )


class Lesson(NamedTuple):
    """What was learned from the teachers, applied to everyone.

    Attributes
    ----------
    model : JudgmentModel
    pooled : PooledRuns
        Everyone's runs.
    position
        The position of the scored run.
    """

    model: JudgmentModel
    pooled: PooledRuns
    position: int


def lesson(measure: Measure, judged: JudgedRun) -> Lesson:
    """The model that fills the holes of a run; it is fitted once for all runs of a call."""
    company = Company.of(measure, judged)
    model = registry.derived(
        company.teachers,
        ("model", *_model_key(measure, judged)),
        lambda: _fitted(measure, _pooled(company.teachers, judged)),
    )
    return Lesson(model, _pooled(company.everyone, judged), company.position)


def _model_key(measure: Measure, judged: JudgedRun) -> tuple[Hashable, ...]:
    file = measure["machine"]
    state = None if file is None else FileState.of(file)
    return judged.judgments.digest, measure["depth"], file, state


def _fitted(measure: Measure, pooled: PooledRuns) -> JudgmentModel:
    try:
        return JudgmentModel.fit_pooled(pooled, measure["depth"], _labels(measure))
    except InputError as error:
        raise InputError(f"{measure.NAME}: prior='learned': {error}") from None


def _labels(measure: Measure) -> MachineLike:
    labels: str | None = measure["machine"]
    return labels


def worlds_of(measure: Measure, judged: JudgedRun, tilted: bool = False) -> Worlds:
    """The worlds in which a run is scored: the same for all runs of a call."""
    company, taught = Company.of(measure, judged), lesson(measure, judged)
    # A set must not be a part of its own key: it would never be freed.
    teachers = None if company.teachers is company.everyone else company.teachers
    drawn = measure["cutoff"], measure["b"], measure["seed"]
    return registry.derived(
        company.everyone,
        ("worlds", teachers, tilted, *drawn, *_model_key(measure, judged)),
        lambda: _draw(measure, taught, tilt_of_teachers(measure, judged) if tilted else None),
    )


def tilt_of_teachers(measure: Measure, judged: JudgedRun) -> Tilt:
    """How far the errors within one run go in a common direction."""
    teachers = Company.of(measure, judged).teachers
    return registry.derived(
        teachers,
        ("tilt", *_model_key(measure, judged)),
        lambda: tilt_of(_pooled(teachers, judged), measure["depth"], _labels(measure)),
    )


def _draw(measure: Measure, taught: Lesson, tilt: Tilt | None) -> Worlds:
    model, pooled, _ = taught
    cutoff, count = measure["cutoff"], measure["b"]
    registry.require_memory(measure, Worlds.size(pooled, cutoff, count))
    try:
        entries, probability = model.probabilities(pooled, cutoff, _labels(measure))
    except InputError as error:
        raise InputError(f"{measure.NAME}: prior='learned': {error}") from None
    return Worlds.of(pooled, entries, probability, cutoff, count, measure["seed"], tilt)


def learned_doubts(measure: Measure, judged: JudgedRun) -> Iterator[Doubt]:
    """Reasons why learned grades may be wrong."""
    company, taught = Company.of(measure, judged), lesson(measure, judged)
    depth, cutoff, pooled = measure["depth"], measure["cutoff"], taught.pooled
    teachers = None if company.teachers is company.everyone else company.teachers
    general, outside = registry.derived(
        company.everyone,
        ("doubts", teachers, cutoff, *_model_key(measure, judged)),
        lambda: (list(_doubts(pooled, depth, cutoff)), taught.model.outside(pooled)),
    )
    yield from general
    if pooled.names[company.position] in outside:
        yield Doubt(
            f"less of its top {depth} is judged than of any run from which the learned prior could "
            "learn"
        )


def _doubts(pooled: PooledRuns, depth: int, cutoff: int) -> Iterator[Doubt]:
    own = OwnJudgments.of(pooled, depth)
    share = safe_divide(own.judged.sum(axis=1), own.returned.sum(axis=1))
    if len(share) > 1 and (share < POOLED).all():
        yield Doubt(
            f"no run took part in the pooling: each has unjudged documents in its top {depth}; "
            "then unjudged documents are relevant more often than the learned prior says",
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
