"""How far a machine's judgments can replace human ones."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, cast

import numpy as np

from ..common.progress import with_bar
from ..common.validators import LEVEL, integer
from ..common.warn import warn
from ..exceptions import InputError
from ..io.containers import hold_several_runs
from ..io.frames import frame
from ..io.qrels_files import plain_path
from ..io.trec import read_qrels
from ..judgments.judgments import Judgments
from ..meta.correlation import RankCorrelation, rank_correlation
from ..runsets.registry import OTHERS
from ..runsets.runset import RunSet
from ..scoring.evaluate import evaluate, parse_all, set_of
from ..scoring.score_matrix import ScoreMatrix
from ..stats.agreement import confusion
from ..stats.results import Columns, StudyResult
from ..typing import GroupsLike, MeasuresLike, QrelsLike, RunsLike
from .agreement import Agreement
from .favour import ARRAYS, Favour, favours_of
from .judged_pairs import JudgedPairs

if TYPE_CHECKING:
    from ..io.frames import DataFrame


STATISTICS = (
    "equal", "kappa", "kappa_linear", "kappa_quadratic", "leniency", "precision", "recall",
)  # fmt: skip


class SystemRanking(NamedTuple):
    """The rankings of systems by a machine's and by human judgments of the same pairs."""

    judge: str
    measure: str
    topic_count: int
    correlation: RankCorrelation


@dataclass(frozen=True, eq=False, repr=False)
class JudgeAudit(StudyResult):
    """How machines' judgments compare with human ones; see `audit_judges`.

    Attributes
    ----------
    agreements : tuple of Agreement
        One per machine.
    rankings : tuple of SystemRanking
        One per machine and measure; empty without runs.
    favours : tuple of Favour
        One per machine and measure; empty without runs, or if all runs are of one group.
    level : float
        Confidence level of the intervals.
    """

    agreements: tuple[Agreement, ...]
    rankings: tuple[SystemRanking, ...]
    favours: tuple[Favour, ...]
    level: float

    def __getitem__(self, judge: str) -> Agreement:
        """The agreement of one machine, by its name; KeyError if it was not audited."""
        return {agreement.judge: agreement for agreement in self.agreements}[judge]

    def to_columns(self) -> Columns:
        """One row per machine; see `to_frame`."""
        return {
            "judge": [one.judge for one in self.agreements],
            "pairs": np.array([one.pair_count for one in self.agreements]),
            **{name: [getattr(one, name) for one in self.agreements] for name in STATISTICS},
        }

    def to_frame(self) -> DataFrame:
        """One row per machine.

        Returns
        -------
        DataFrame
            - judge
            - pairs: number of pairs of query and document that a human judged too
            - equal: share of pairs whose label is the human grade
            - kappa, kappa_linear, kappa_quadratic: Cohen's kappa and the weighted kappas
            - leniency: mean label minus mean grade
            - precision, recall: of the relevant pairs
        """
        return frame(self.to_columns())

    def grade_columns(self) -> Columns:
        """One row per machine and human grade: judge, grade, pairs, mean label, lower, equal,
        higher.

        The last three are shares of the pairs of this grade, whose label is lower than the grade,
        equal, or higher.
        """
        tables = [one.by_grade for one in self.agreements]
        return {
            "judge": [one.judge for one in self.agreements for _ in one.grades],
            **{name: np.concatenate([table[name] for table in tables]) for name in tables[0]},
        }

    def grades(self) -> DataFrame:
        """The leniency of the machines by human grade; see `grade_columns`."""
        return frame(self.grade_columns())

    def calibration_columns(self) -> Columns:
        """One row per machine, label and grade: judge, label, grade, pairs, probability.

        The probability is P(human grade | machine label).
        """
        cells = [np.indices(one.counts.T.shape).reshape(2, -1) for one in self.agreements]
        each = list(zip(self.agreements, cells, strict=True))
        return {
            "judge": [one.judge for one in self.agreements for _ in range(one.counts.size)],
            "label": np.concatenate([one.labels[label] for one, (label, _) in each]),
            "grade": np.concatenate([one.grades[grade] for one, (_, grade) in each]),
            "pairs": np.concatenate([one.counts.T.ravel() for one in self.agreements]),
            "probability": np.concatenate([one.calibration.T.ravel() for one in self.agreements]),
        }

    def calibration(self) -> DataFrame:
        """The confusion matrix and P(human grade | machine label); see `calibration_columns`."""
        return frame(self.calibration_columns())

    def ranking_columns(self) -> Columns:
        """One row per machine and measure: judge, measure, systems, topics, tau, lower, upper.

        tau is Kendall's tau_b between the rankings of the systems by the machine's and by the human
        judgments; lower and upper are its bootstrap interval over topics.
        """
        results = [ranking.correlation for ranking in self.rankings]
        return {
            "judge": [ranking.judge for ranking in self.rankings],
            "measure": [ranking.measure for ranking in self.rankings],
            "systems": np.array([len(result.systems) for result in results], np.int64),
            "topics": np.array([ranking.topic_count for ranking in self.rankings], np.int64),
            "tau": [result.value for result in results],
            "lower": [result.interval[0] for result in results],
            "upper": [result.interval[1] for result in results],
        }

    def system_rankings(self) -> DataFrame:
        """Kendall's tau with the human ranking of the systems; see `ranking_columns`."""
        return frame(self.ranking_columns())

    def group_columns(self) -> Columns:
        """One row per machine, measure and group: judge, measure, group, systems, difference,
        lower, upper, p, p_adjusted; see `Favour`.
        """
        tables = [one.to_columns() for one in self.favours]
        names = ("judge", "measure", "group", *ARRAYS)
        return {name: _joined(tables, name) for name in names}

    def groups(self) -> DataFrame:
        """Which groups of systems a machine favours; see `group_columns`."""
        return frame(self.group_columns())

    @property
    def favoured(self) -> list[str]:
        """A sentence for each group that a machine favours significantly."""
        alpha = 1.0 - self.level
        return [sentence for one in self.favours for sentence in one.favoured(alpha)]

    @property
    def summary(self) -> str:
        """The result in one line."""
        if len(self.agreements) == 1:
            return self.agreements[0].summary
        best = max(self.agreements, key=lambda one: np.nan_to_num(one.kappa_quadratic, nan=-1))
        return f"of {len(self.agreements)} machines, the best is {best.summary}"


def _joined(tables: Sequence[Columns], name: str) -> list[Any]:
    return [value for table in tables for value in table[name]]


def audit_judges(
    human: QrelsLike,
    machines: QrelsLike | Mapping[str, QrelsLike] | Sequence[str | os.PathLike[str]],
    runs: RunsLike | None = None,
    measures: MeasuresLike = "nDCG@10",
    *,
    groups: GroupsLike | None = None,
    relevant: int = 1,
    machine_relevant: int | None = None,
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
        The judgments of a machine, of several machines by name, or a list of their files, which
        name them.
    runs
        If given, the systems are scored and ranked by both kinds of judgments.
    measures
        The measures of these scores.
    groups
        The group of each run, as for `evaluate`. Without groups, each run is a group.
    relevant, machine_relevant
        The lowest human grade, and the lowest label (by default, as for grades), that counts as
        relevant for precision and recall.
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

    Warns
    -----
    EvaluationWarning
        When a machine favours a group of systems.

    Raises
    ------
    ValueError
        When a machine and the human judged no pair in common, there are fewer than 2 runs or 2
        common topics, or an argument is not allowed.

    Notes
    -----
    - Kappas are those of scikit-learn's ``cohen_kappa_score``. The weighted ones compare positions
      of labels, so they mean little for a machine whose labels are on another scale.
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
    >>> machine = {"q1": {"a": 1, "b": 0, "c": 1}, "q2": {"a": 1, "d": 1}}
    >>> audit = audit_judges(human, machine)
    >>> audit["machine"].counts
    array([[1, 1],
           [0, 2],
           [0, 1]])
    >>> audit["machine"].precision, audit["machine"].recall
    (0.75, 1.0)
    """
    level = LEVEL.check("level", level)
    relevant = integer(1).check("relevant", relevant)
    lowest = relevant if machine_relevant is None else machine_relevant
    lowest = integer(1).check("machine_relevant", lowest)
    judgments = Judgments(read_qrels(human))
    pairs = {
        name: JudgedPairs.of(judgments, source, name) for name, source in _by_name(machines).items()
    }
    agreements = tuple(
        Agreement(name, *confusion(one.grade[one.both], one.label[one.both]), relevant, lowest)
        for name, one in pairs.items()
    )
    rankings: list[SystemRanking] = []
    favours: list[Favour] = []
    if runs is not None:
        runset, parsed = _runset(runs, groups), parse_all(measures)
        for name, one in with_bar(pairs.items(), "machine", progress):
            by_human, by_machine = (
                evaluate(runset, one.qrels(grade), parsed, progress=progress)
                for grade in (one.grade, one.label)
            )
            rankings += _rankings(name, by_human, by_machine, level, samples, seed)
            favours += favours_of(name, by_human, by_machine, level)
    audit = JudgeAudit(agreements, tuple(rankings), tuple(favours), level)
    for sentence in audit.favoured:
        warn(sentence)
    return audit


def _by_name(
    machines: QrelsLike | Mapping[str, QrelsLike] | Sequence[str | os.PathLike[str]],
) -> dict[str, QrelsLike]:
    if isinstance(machines, (str, os.PathLike)):
        return {judge_name(machines): machines}
    if isinstance(machines, (list, tuple)) and all(
        isinstance(path, (str, os.PathLike)) for path in machines
    ):
        named = {judge_name(path): path for path in machines}
        if len(named) < len(machines) or not named:
            raise InputError(f"`machines` must be files with different names; got {machines}")
        return cast("dict[str, QrelsLike]", named)
    if isinstance(machines, Mapping) and hold_several_runs(machines):
        return dict(cast("Mapping[str, QrelsLike]", machines))
    return {"machine": cast("QrelsLike", machines)}


def judge_name(path: str | os.PathLike[str]) -> str:
    """The name of a machine: that of its file, without folder and endings."""
    return plain_path(Path(path)).name


def _runset(runs: RunsLike, groups: GroupsLike | None) -> RunSet:
    if isinstance(runs, RunSet):
        runset = set_of(runs, groups, True)
    else:
        runset = RunSet(runs, name=OTHERS, groups=groups)
    if len(runset) < 2:
        raise InputError(f"`runs` must hold at least 2 runs to be ranked; got {len(runset)}")
    return runset


def _rankings(
    judge: str, human: ScoreMatrix, machine: ScoreMatrix, level: float, samples: int, seed: int
) -> Iterator[SystemRanking]:
    for place, measure in enumerate(human.measures):
        result = rank_correlation(
            human.scores[place], machine.scores[place], human.systems,
            samples=samples, level=level, seed=seed,
        )  # fmt: skip
        yield SystemRanking(judge, str(measure), len(human.query_ids), result)
