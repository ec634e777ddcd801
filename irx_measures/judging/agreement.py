"""The agreement of a machine's labels with human grades."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..common.numeric import BoolArray, FloatArray, Int64Array, ratio_or_nan
from ..results.base import Columns, StudyResult
from ..results.column import Column, arrays_of
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
        grades, labels, counts = confusion(grade, label)
        is_relevant = grade >= relevant.grade
        called_relevant = label >= relevant.label
        both = np.count_nonzero(is_relevant & called_relevant)
        return cls(
            judge=judge,
            grades=grades,
            labels=labels,
            counts=counts,
            equal=float((grade == label).mean()),
            kappa=kappa(grades, labels, counts),
            kappa_linear=kappa(grades, labels, counts, 1),
            kappa_quadratic=kappa(grades, labels, counts, 2),
            leniency=float((label - grade).mean()),
            precision=float(ratio_or_nan(both, called_relevant.sum())),
            recall=float(ratio_or_nan(both, is_relevant.sum())),
            scale=scale,
        )

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
        """One row per human grade: the arrays of `columns_by_grade` by name."""
        return arrays_of(self.columns_by_grade())

    def columns_by_grade(self) -> list[Column]:
        """One row per human grade."""
        pairs = self.counts.sum(axis=1)
        difference = self.labels - self.grades[:, np.newaxis]

        def mean(of: Int64Array | BoolArray) -> FloatArray:
            """The mean over the pairs of each grade, of a number of each label."""
            return np.asarray((self.counts * of).sum(axis=1) / pairs)

        share = "share of them whose label is {} the grade"
        return [
            Column("grade", self.grades, meaning="human grade", key=True),
            Column("pairs", pairs, meaning="pairs that humans gave this grade"),
            Column("mean_label", mean(self.labels), meaning="mean of their labels"),
            Column("lower", mean(difference < 0), meaning=share.format("below")),
            Column("equal", mean(difference == 0), meaning=share.format("equal to")),
            Column("higher", mean(difference > 0), meaning=share.format("above")),
        ]

    @property
    def by_label(self) -> Columns:
        """One row per label and grade: the arrays of `columns_by_label` by name."""
        return arrays_of(self.columns_by_label())

    def columns_by_label(self) -> list[Column]:
        """One row per label and grade."""
        label, grade = np.indices(self.counts.T.shape).reshape(2, -1)
        pairs, probability = self.counts.T.ravel(), self.calibration.T.ravel()
        share = "of the pairs with this label, the share that humans gave this grade"
        return [
            Column("label", self.labels[label], meaning="label by the machine", key=True),
            Column("grade", self.grades[grade], meaning="human grade", key=True),
            Column("pairs", pairs, meaning="pairs with this label and this grade"),
            Column("probability", probability, meaning=share),
        ]

    def columns(self) -> list[Column]:
        """The confusion matrix: a row per human grade, a column per machine label."""
        columns = [Column("grade", self.grades, meaning="human grade", key=True)]
        for label, count in zip(self.labels.tolist(), self.counts.T, strict=True):
            meaning = f"pairs of this grade that the machine labelled {label}"
            columns.append(Column(f"label {label}", count, meaning=meaning))
        return columns

    @property
    def summary(self) -> str:
        parts = [
            f"{self.judge}: quadratic kappa {self.kappa_quadratic:.3f} on {self.pairs} pairs with "
            "human grades",
            f"labels {self.leniency:+.2f} on average",
        ]
        if self.scale:
            parts.append(self.scale)
        return "; ".join(parts)


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
