"""How far a machine's judgments can replace human ones."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from operator import attrgetter
from typing import Any, cast

import numpy as np

from ..common.progress import with_bar
from ..common.validators import LEVEL
from ..common.warn import warn
from ..exceptions import InputError
from ..io.containers import hold_several_runs
from ..io.table import Table
from ..io.trec import read_qrels
from ..judgments.judgments import Judgments
from ..meta.correlation import rank_correlation
from ..results.base import Columns, StudyResult
from ..runsets.given import set_of
from ..runsets.sources import run_name
from ..scoring.evaluate import evaluate, parse_all
from ..scoring.score_matrix import ScoreMatrix
from ..stats.decisions import corrected
from ..stats.intervals import mean_interval
from ..stats.pairs import Pairs
from ..stats.tests import paired_t
from ..typing import GroupsLike, MeasuresLike, QrelsLike, RunsLike
from .agreement import Agreement
from .scales import (
    BINARY,
    Relevance,
    are_comparable,
    as_relevant,
    checked_mapping,
    with_meaning,
)

AGREEMENT = (
    "judge", "pairs", "equal", "kappa", "kappa_linear", "kappa_quadratic", "leniency", "precision",
    "recall",
)  # fmt: skip

RANKINGS = ("judge", "measure", "systems", "topics", "tau", "lower", "upper")

GROUPS = (
    "judge", "measure", "group", "systems", "difference", "lower", "upper", "p", "p_adjusted",
)  # fmt: skip

TEXTS = ("judge", "measure", "group")


@dataclass(frozen=True, eq=False, repr=False)
class JudgeAudit(StudyResult):
    """How machines' judgments compare with human ones; see `audit_judges`.

    Each table is a dict of columns, of which ``pandas.DataFrame`` makes a DataFrame.

    Attributes
    ----------
    agreements : tuple of Agreement
        One per machine.
    rankings : dict of columns
        One row per machine and measure; none without runs. The numbers of systems and topics;
        Kendall's tau_b between the rankings of the systems by the machine's and by the human
        judgments (tau); its bootstrap interval over topics (lower, upper).
    groups : dict of columns
        Which groups of systems a machine favours: one row per machine, measure and group; none
        without runs, or if all runs are of one group. The number of systems of the group; the mean
        over topics of the group's machine minus human score, minus that of the other systems
        (difference); its Student's t interval, not corrected for the number of groups (lower,
        upper); p of the paired t test over topics, before and after Holm's correction (p,
        p_adjusted).
    level : float
        Confidence level of the intervals.

    See Also
    --------
    irx_measures.judging.audit_judges : Makes it.
    """

    agreements: tuple[Agreement, ...]
    rankings: Columns
    groups: Columns
    level: float

    def __getitem__(self, judge: str) -> Agreement:
        """The agreement of one machine, by its name; KeyError if it was not audited."""
        return {agreement.judge: agreement for agreement in self.agreements}[judge]

    def to_columns(self) -> Columns:
        """The table `agreement`."""
        return self.agreement

    @property
    def agreement(self) -> Columns:
        """One row per machine: judge, and the numbers of its `Agreement`."""
        return _columns(AGREEMENT, [attrgetter(*AGREEMENT)(one) for one in self.agreements])

    @property
    def grades(self) -> Columns:
        """The labels by human grade: judge, and the columns of `Agreement.by_grade`."""
        return _below({one.judge: one.by_grade for one in self.agreements})

    @property
    def calibration(self) -> Columns:
        """P(human grade | machine label): judge, and the columns of `Agreement.by_label`."""
        return _below({one.judge: one.by_label for one in self.agreements})

    @property
    def favoured(self) -> list[str]:
        """A sentence for each group that a machine favours significantly."""
        return [
            f"{judge} favours the systems of {group!r} on {measure}: compared with the human "
            f"scores, it raises them by {difference:.3f} more than the other systems "
            f"(Holm-adjusted p {p:.3f})"
            for judge, measure, group, _, difference, *_, p in zip(
                *self.groups.values(), strict=True
            )
            if p <= 1.0 - self.level and difference > 0
        ]

    @property
    def summary(self) -> str:
        if len(self.agreements) == 1:
            return self.agreements[0].summary
        best = max(self.agreements, key=lambda one: np.nan_to_num(one.kappa_quadratic, nan=-1))
        return f"of {len(self.agreements)} machines, the best is {best.summary}"


def audit_judges(
    human: QrelsLike,
    machines: QrelsLike | Mapping[str, QrelsLike],
    runs: RunsLike | None = None,
    measures: MeasuresLike = "nDCG@10",
    *,
    groups: GroupsLike | None = None,
    relevant: int | None = None,
    machine_relevant: int | None = None,
    mapping: Mapping[int, int] | None = None,
    level: float = 0.95,
    samples: int = 1000,
    seed: int = 42,
    progress: bool | None = None,
) -> JudgeAudit:
    """Compare machines' judgments with human ones: labels, scores and rankings of systems.

    Only the pairs of query and document that both judged count, also for scores. So differences
    come from the labels, not from documents that only one of them judged.

    Parameters
    ----------
    human
        The human judgments, in any form that `evaluate` accepts.
    machines
        The judgments of a machine in any such form, or of several machines by name. A file names
        its machine.
    runs
        If given, the systems are scored and ranked by both kinds of judgments.
    measures
        The measures of these scores.
    groups
        The group of each run, as for `evaluate`. Without groups, each run is a group.
    relevant
        The lowest human grade that counts as relevant, for precision and recall; 1 by default. If
        it is given, and the labels are on another scale than the grades, all numbers are of 0 and 1
        in place of grades and labels: not relevant and relevant.
    machine_relevant
        The lowest label that counts as relevant; by default, as for human grades.
    mapping
        The grade that a label means, by label, if labels are on another scale. Other labels mean
        the same grade.
    level
        Confidence level of intervals and tests, in (0, 1).
    samples
        Number of bootstrap samples of the topics, for the interval of Kendall's tau.
    seed
        Random seed of these samples.
    progress
        Whether to show progress bars on stderr; None shows them on a terminal after half a second.

    Returns
    -------
    JudgeAudit
        The agreement of each machine; with runs, also the correlations of rankings, and the groups.

    Warns
    -----
    EvaluationWarning
        When a machine favours a group of systems.

    Raises
    ------
    ValueError
        When no pair of query and document was judged by both, fewer than 2 runs are given, an
        option is out of range, or the judgments or runs cannot be read.

    Notes
    -----
    - Kappas are those of scikit-learn's ``cohen_kappa_score``. The weighted ones compare positions
      of labels.
    - Labels are on the scale of the grades if each is one of the human grades, and they are not
      binary (0 and 1) where the grades go higher. Labels on another scale are refused without
      `relevant`, `machine_relevant` or `mapping`.
    - P(human grade | machine label) is a share of the judged pairs. Judged documents come from a
      pool, so unjudged ones with the same label are relevant less often.
    - A group is favoured if its systems gain more from the machine's judgments than the other
      systems do: a paired t test over topics, corrected by Holm over the groups of a measure. A
      machine that draws all scores together also raises weak groups against strong ones.

    See Also
    --------
    irx_measures.prediction_powered : Scores from human and machine judgments.

    Examples
    --------
    >>> from irx_measures.judging import audit_judges
    >>> human = {"q1": {"a": 2, "b": 0, "c": 1}, "q2": {"a": 1, "d": 0}}
    >>> machine = {"q1": {"a": 1, "b": 0, "c": 1}, "q2": {"a": 1, "d": 1}, "q3": {"e": 2}}
    >>> audit = audit_judges(human, machine)
    >>> audit["machine"].counts
    array([[1, 1],
           [0, 2],
           [0, 1]])
    >>> audit["machine"].precision, audit["machine"].recall
    (0.75, 1.0)
    """
    level = LEVEL.check("level", level)
    least = Relevance.of(relevant, machine_relevant)
    known, grades = checked_mapping(mapping), read_qrels(human)
    judgments = Judgments(grades)
    agreements: list[Agreement] = []
    pairs: dict[str, tuple[Table, Table]] = {}
    for name, given in _by_name(machines).items():
        labels = replace(read_qrels(given), label=name)
        both = judged_by_both(judgments, with_meaning(labels, known), name)
        relevance, scale = least, ""
        if not are_comparable(grades, labels, known, least):
            relevance, scale = BINARY, least.scale
            both = as_relevant(both[0], least.grade), as_relevant(both[1], least.label)
        pairs[name] = both
        values = both[0].value, both[1].value
        agreements.append(Agreement.of(name, *values, relevance, scale))
    rankings: list[tuple[Any, ...]] = []
    biases: list[tuple[Any, ...]] = []
    if runs is not None:
        runset, parsed = set_of(runs, groups, strict=True), parse_all(measures)
        if len(runset) < 2:
            raise InputError(f"`runs` must hold at least 2 runs to be ranked; got {len(runset)}")
        how: dict[str, Any] = {"samples": samples, "level": level, "seed": seed}
        for name, both in with_bar(pairs.items(), "machine", progress):
            scores = (evaluate(qrels, runset, parsed, progress=progress) for qrels in both)
            by_human, by_machine = scores
            rankings += [(name, *row) for row in _correlations(by_human, by_machine, **how)]
            biases += [(name, *row) for row in _group_biases(by_human, by_machine, level)]
    audit = JudgeAudit(
        tuple(agreements), _columns(RANKINGS, rankings), _columns(GROUPS, biases), level
    )
    for sentence in audit.favoured:
        warn(sentence)
    return audit


def judged_by_both(human: Judgments, machine: QrelsLike | Table, name: str) -> tuple[Table, Table]:
    """The human grades, and the machine's labels, of the pairs that both judged.

    Negative grades and labels count as 0. The rows are those of the machine, and errors have its
    name: where no pair was judged by both, or a document twice for a query.
    """
    labels = replace(read_qrels(machine), label=name)
    labels.refuse_duplicates()
    query = labels.query.codes(human.query_index)
    doc = np.where(query >= 0, labels.doc.codes(human.doc_index), -1)
    row, slot = human.find(query, doc)
    if not len(row):
        raise InputError(
            f"{name}: no judged pair of query and document is also in the human judgments"
        )
    both = replace(labels.at(row), label="qrels")
    return (
        replace(both, value=np.maximum(human.grade.ravel()[slot], 0)),
        replace(both, value=np.maximum(both.value, 0)),
    )


def _by_name(machines: QrelsLike | Mapping[str, QrelsLike]) -> dict[str, QrelsLike]:
    if isinstance(machines, (str, os.PathLike)):
        return {run_name(machines): machines}
    if isinstance(machines, Mapping) and hold_several_runs(machines):
        return dict(cast("Mapping[str, QrelsLike]", machines))
    return {"machine": cast("QrelsLike", machines)}


def _correlations(
    human: ScoreMatrix, machine: ScoreMatrix, **how: Any
) -> Iterator[tuple[Any, ...]]:
    """The rows of `JudgeAudit.rankings` of one machine, without its name."""
    counts = len(human.systems), len(human.query_ids)
    for measure, one, other in zip(human.measures, human.scores, machine.scores, strict=True):
        found = rank_correlation(one, other, **how)
        yield str(measure), *counts, found.value, *found.interval


def _group_biases(
    human: ScoreMatrix, machine: ScoreMatrix, level: float
) -> Iterator[tuple[Any, ...]]:
    """The rows of `JudgeAudit.groups` of one machine, without its name."""
    group_of = human.groups or human.systems
    names = tuple(dict.fromkeys(group_of))
    if len(names) == 1:
        return
    member = np.array([[name == group for group in group_of] for name in names])
    systems = member.sum(axis=1)
    weight = np.vstack((member / systems[:, np.newaxis],
                        ~member / (~member).sum(axis=1, keepdims=True)))  # fmt: skip
    count = np.arange(len(names))
    pairs = Pairs(count, count + len(names))
    for measure, gain in zip(human.measures, machine.scores - human.scores, strict=True):
        means = weight @ gain  # of every group, then of the systems outside every group
        difference, p = pairs.differences(means), paired_t(means, pairs)
        columns = (
            systems, difference.mean(axis=1), *mean_interval(difference, level), p,
            corrected(p, "holm"),
        )  # fmt: skip
        for group, *numbers in zip(names, *columns, strict=True):
            yield str(measure), group, *numbers


def _columns(names: Sequence[str], rows: Sequence[tuple[Any, ...]]) -> Columns:
    columns = {name: [row[place] for row in rows] for place, name in enumerate(names)}
    return {name: column if name in TEXTS else np.array(column) for name, column in columns.items()}


def _below(tables: Mapping[str, Columns]) -> Columns:
    """The tables of all machines by name, one below the other."""
    first, *_ = tables.values()
    joined = {name: np.concatenate([of[name] for of in tables.values()]) for name in first}
    return {"judge": [name for name, of in tables.items() for _ in of["pairs"]], **joined}
