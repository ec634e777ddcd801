"""How far a machine's judgments can replace human ones."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any, NamedTuple, cast

import numpy as np

from ..common.numeric import BoolArray, FloatArray
from ..common.progress import with_bar
from ..common.validators import LEVEL, choice
from ..common.warn import warn
from ..common.writing import nearest_of
from ..exceptions import InputError
from ..io.containers import hold_several_runs
from ..io.table import Table
from ..io.trec import read_qrels
from ..judgments.judgments import Judgments
from ..meta.correlation import rank_correlation
from ..results.base import Columns, StudyResult
from ..results.column import Column, arrays_of
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
from .audit_tables import (
    GroupRow,
    RankingRow,
    agreement_columns,
    arrays_of_rows,
    below,
    group_columns,
    ranking_columns,
)
from .scales import (
    BINARY,
    Relevance,
    are_comparable,
    as_relevant,
    checked_mapping,
    with_meaning,
)


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
        by_judge = {agreement.judge: agreement for agreement in self.agreements}
        if judge not in by_judge:
            known = ", ".join(map(repr, by_judge))
            raise KeyError(f"{judge!r} is not among {known}{nearest_of(judge, by_judge)}")
        return by_judge[judge]

    def columns(self, table: str = "agreement") -> list[Column]:
        """The columns of one of the five tables: agreement, grades, calibration, rankings, groups.

        Raises
        ------
        ValueError
            When there is no table of this name.
        """
        choice(*TABLES).check("table", table)
        return TABLES[table](self)

    @property
    def agreement(self) -> Columns:
        """One row per machine: judge, and the numbers of its `Agreement`."""
        return arrays_of(self.columns("agreement"))

    @property
    def grades(self) -> Columns:
        """The labels by human grade: judge, and the columns of `Agreement.by_grade`."""
        return arrays_of(self.columns("grades"))

    @property
    def calibration(self) -> Columns:
        """P(human grade | machine label): judge, and the columns of `Agreement.by_label`."""
        return arrays_of(self.columns("calibration"))

    @property
    def favoured(self) -> list[str]:
        """A sentence for each group that a machine favours significantly."""
        told = []
        table: dict[str, Any] = {**self.groups}
        for row, (difference, p) in enumerate(
            zip(table["difference"], table["p_adjusted"], strict=True)
        ):
            if p <= 1.0 - self.level and difference > 0:
                told.append(
                    f"{table['judge'][row]} favours the systems of {table['group'][row]!r} on "
                    f"{table['measure'][row]}: compared with the human scores, it raises them by "
                    f"{difference:.3f} more than the other systems (Holm-adjusted p {p:.3f})"
                )
        return told

    @property
    def summary(self) -> str:
        if len(self.agreements) == 1:
            return self.agreements[0].summary
        best = max(self.agreements, key=lambda one: np.nan_to_num(one.kappa_quadratic, nan=-1))
        return f"of {len(self.agreements)} machines, the best is {best.summary}"


TABLES: dict[str, Callable[[JudgeAudit], list[Column]]] = {
    "agreement": lambda audit: agreement_columns(audit.agreements),
    "grades": lambda audit: below(
        audit.agreements, [one.columns_by_grade() for one in audit.agreements]
    ),
    "calibration": lambda audit: below(
        audit.agreements, [one.columns_by_label() for one in audit.agreements]
    ),
    "rankings": lambda audit: ranking_columns(audit.rankings, audit.level),
    "groups": lambda audit: group_columns(audit.groups, audit.level),
}
"""The tables of an audit by name: those with columns that are attributes, too."""


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
    known = checked_mapping(mapping)
    audited = list(_audited(read_qrels(human), machines, known, least))
    rankings: list[RankingRow] = []
    biases: list[GroupRow] = []
    if runs is not None:
        runset, parsed = set_of(runs, groups, strict=True), parse_all(measures)
        if len(runset) < 2:
            raise InputError(f"`runs` must hold at least 2 runs to be ranked; got {len(runset)}")
        for machine in with_bar(audited, "machine", progress):
            name = machine.agreement.judge
            by_human = evaluate(machine.grades, runset, parsed, progress=progress)
            by_machine = evaluate(machine.labels, runset, parsed, progress=progress)
            rankings += _correlations(name, by_human, by_machine, level, samples, seed)
            biases += _group_biases(name, by_human, by_machine, level)
    audit = JudgeAudit(
        agreements=tuple(machine.agreement for machine in audited),
        rankings=arrays_of_rows(RankingRow, rankings),
        groups=arrays_of_rows(GroupRow, biases),
        level=level,
    )
    for sentence in audit.favoured:
        warn(sentence)
    return audit


class _Audited(NamedTuple):
    """A machine's agreement, and the pairs that both judged: with grades, and with labels."""

    agreement: Agreement
    grades: Table
    labels: Table


def _audited(
    human: Table,
    machines: QrelsLike | Mapping[str, QrelsLike],
    mapping: Mapping[int, int],
    least: Relevance,
) -> Iterator[_Audited]:
    """The machines, on the scale of the human grades or, if they are on none, of relevance."""
    judgments = Judgments(human)
    for name, given in _by_name(machines).items():
        all_labels = replace(read_qrels(given), label=name)
        grades, labels = judged_by_both(judgments, with_meaning(all_labels, mapping), name)
        relevance, scale = least, ""
        if not are_comparable(human, all_labels, mapping, least):
            grades, labels = as_relevant(grades, least.grade), as_relevant(labels, least.label)
            relevance, scale = BINARY, least.scale
        agreement = Agreement.of(name, grades.value, labels.value, relevance, scale)
        yield _Audited(agreement, grades, labels)


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
    judge: str, human: ScoreMatrix, machine: ScoreMatrix, level: float, samples: int, seed: int
) -> Iterator[RankingRow]:
    """How both rank the systems by each measure."""
    for measure, one, other in zip(human.measures, human.scores, machine.scores, strict=True):
        found = rank_correlation(one, other, level=level, samples=samples, seed=seed)
        lower, upper = found.interval
        yield RankingRow(
            judge=judge,
            measure=str(measure),
            systems=len(human.systems),
            topics=len(human.query_ids),
            tau=found.value,
            lower=lower,
            upper=upper,
        )


def _group_biases(
    judge: str, human: ScoreMatrix, machine: ScoreMatrix, level: float
) -> Iterator[GroupRow]:
    """How much the machine favours each group on each measure; nothing if there is one group."""
    group_of = human.groups or human.systems
    names = tuple(dict.fromkeys(group_of))
    if len(names) == 1:
        return
    member = np.array([[name == group for group in group_of] for name in names])
    systems = member.sum(axis=1)
    weight = _weights(member)
    count = np.arange(len(names))
    pairs = Pairs(count, count + len(names))
    for measure, gain in zip(human.measures, machine.scores - human.scores, strict=True):
        means = weight @ gain  # of every group, then of the systems outside every group
        difference, p = pairs.differences(means), paired_t(means, pairs)
        mean, adjusted = difference.mean(axis=1), corrected(p, "holm")
        lower, upper = mean_interval(difference, level)
        for row, name in enumerate(names):
            yield GroupRow(
                judge=judge,
                measure=str(measure),
                group=name,
                systems=systems[row],
                difference=mean[row],
                lower=lower[row],
                upper=upper[row],
                p=p[row],
                p_adjusted=adjusted[row],
            )


def _weights(member: BoolArray) -> FloatArray:
    """The weight of each system in the means of the groups, then in those of the other systems.

    `member`, (groups, systems), says which systems are of a group; the result has twice the rows.
    """
    inside = member / member.sum(axis=1, keepdims=True)
    outside = ~member / (~member).sum(axis=1, keepdims=True)
    return np.vstack((inside, outside))
