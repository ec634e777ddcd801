"""The agreement of a machine's labels with human grades."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..common.numeric import FloatArray, Int64Array, ratio_or_nan
from ..results.base import Columns, StudyResult
from .scales import BINARY, Relevance


@dataclass(frozen=True, eq=False, repr=False)
class Agreement(StudyResult):
    """The agreement of a machine's labels with human grades, on the pairs that both judged.

    Attributes
    ----------
    judge : str
    grades : (grades,) ints
        The human grades that occur, ascending.
    labels : (labels,) ints
        The machine's labels that occur, ascending.
    counts : (grades, labels) ints
        The confusion matrix: number of pairs of each grade and label.
    equal : float
        Share of pairs whose label is the grade.
    kappa, kappa_linear, kappa_quadratic : float
        Cohen's kappa and the weighted kappas, for which labels are as far apart as their positions
        among all labels. NaN if both use the same single label.
    leniency : float
        Mean label minus mean grade; above 0 for a lenient machine.
    precision : float
        Share of relevant grades among the pairs that the machine calls relevant.
    recall : float
        Share of the pairs of relevant grade that the machine calls relevant.
    scale : str
        What grades and labels became because they were on different scales; empty if nothing.

    See Also
    --------
    irx_measures.judging.audit_judges : Makes one for each machine.
    irx_measures.plots.judge_calibration : Draws it.
    """

    judge: str
    grades: Int64Array
    labels: Int64Array
    counts: Int64Array
    equal: float
    kappa: float
    kappa_linear: float
    kappa_quadratic: float
    leniency: float
    precision: float
    recall: float
    scale: str = ""

    @classmethod
    def of(
        cls,
        judge: str,
        grade: Int64Array,
        label: Int64Array,
        relevant: Relevance = BINARY,
        scale: str = "",
    ) -> Agreement:
        """From the grade and the label of every pair, (pairs,) each, and what is relevant."""
        grades, labels, counts = found = confusion(grade, label)
        is_relevant, called = grade >= relevant.grade, label >= relevant.label
        both = np.count_nonzero(is_relevant & called)
        return cls(
            judge, grades, labels, counts,
            float((grade == label).mean()), kappa(*found), kappa(*found, 1), kappa(*found, 2),
            float((label - grade).mean()), float(ratio_or_nan(both, called.sum())),
            float(ratio_or_nan(both, is_relevant.sum())), scale,
        )  # fmt: skip

    @property
    def pairs(self) -> int:
        """Number of pairs that both judged."""
        return int(self.counts.sum())

    @property
    def calibration(self) -> FloatArray:
        """P(human grade | machine label): (grades, labels); each column sums to 1."""
        return np.asarray(self.counts / self.counts.sum(axis=0), np.float64)

    @property
    def by_grade(self) -> Columns:
        """One row per human grade.

        - grade
        - pairs: number of pairs of this grade
        - mean_label: the mean of their labels
        - lower, equal, higher: share of them whose label is lower than the grade, equal, or higher
        """
        pairs, difference = self.counts.sum(axis=1), self.labels - self.grades[:, np.newaxis]
        compared = {
            "mean_label": self.labels,
            "lower": difference < 0,
            "equal": difference == 0,
            "higher": difference > 0,
        }
        means = {name: (self.counts * of).sum(axis=1) / pairs for name, of in compared.items()}
        return {"grade": self.grades, "pairs": pairs, **means}

    @property
    def by_label(self) -> Columns:
        """One row per label and grade: label, grade, number of pairs, P(human grade | label)."""
        label, grade = np.indices(self.counts.T.shape).reshape(2, -1)
        return {
            "label": self.labels[label],
            "grade": self.grades[grade],
            "pairs": self.counts.T.ravel(),
            "probability": self.calibration.T.ravel(),
        }

    def to_columns(self) -> Columns:
        """The confusion matrix: a row per human grade, a column per machine label."""
        by_label = zip(self.labels.tolist(), self.counts.T, strict=True)
        return {"grade": self.grades, **{f"label {label}": column for label, column in by_label}}

    @property
    def summary(self) -> str:
        return (
            f"{self.judge}: quadratic kappa {self.kappa_quadratic:.3f} on {self.pairs} pairs "
            f"with human grades; labels {self.leniency:+.2f} on average"
            f"{'; ' if self.scale else ''}{self.scale}"
        )


def confusion(first: Int64Array, second: Int64Array) -> tuple[Int64Array, Int64Array, Int64Array]:
    """How often each label of one judge meets each label of the other, (items,) each.

    The result is the labels that occur, ascending, (rows,) and (columns,), and the counts, (rows,
    columns).
    """
    first_labels, row = np.unique(first, return_inverse=True)
    second_labels, column = np.unique(second, return_inverse=True)
    shape = len(first_labels), len(second_labels)
    counts = np.bincount(row * shape[1] + column, minlength=shape[0] * shape[1])
    return first_labels, second_labels, counts.reshape(shape)


def kappa(
    first_labels: Int64Array, second_labels: Int64Array, counts: Int64Array, power: int = 0
) -> float:
    """Cohen's kappa of a confusion matrix, as in scikit-learn.

    Disagreements weigh the distance of their labels to this power: 0 for Cohen's kappa, 1 for the
    linear weighted kappa, 2 for the quadratic one. The distance is that of positions among all
    labels of both judges. 1 is agreement, 0 is what chance gives. NaN if both judges use the same
    single label.
    """
    labels = np.union1d(first_labels, second_labels)
    row = np.searchsorted(labels, first_labels)[:, np.newaxis]
    column = np.searchsorted(labels, second_labels)
    weight = np.where(row == column, 0.0, np.abs(row - column, dtype=np.float64) ** power)
    by_chance = np.outer(counts.sum(axis=1), counts.sum(axis=0)) / counts.sum()
    return float(1.0 - ratio_or_nan((weight * counts).sum(), (weight * by_chance).sum()))
