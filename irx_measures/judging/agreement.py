"""The agreement of a machine's labels with human grades."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..common.numeric import AnyArray, FloatArray, Int64Array, ratio_or_nan
from ..stats.agreement import kappa
from ..stats.results import Columns, StudyResult


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
    relevant, machine_relevant : int
        The lowest grade, and the lowest label, that counts as relevant.
    """

    judge: str
    grades: Int64Array
    labels: Int64Array
    counts: Int64Array
    relevant: int
    machine_relevant: int

    @property
    def pair_count(self) -> int:
        """Number of pairs that both judged."""
        return int(self.counts.sum())

    @property
    def difference(self) -> Int64Array:
        """Label minus grade, of every cell of the confusion matrix: (grades, labels)."""
        return self.labels - self.grades[:, np.newaxis]

    @property
    def equal(self) -> float:
        """Share of pairs whose label is the grade."""
        return float(self.counts[self.difference == 0].sum()) / self.pair_count

    @property
    def leniency(self) -> float:
        """Mean label minus mean grade; above 0 for a lenient machine."""
        return float((self.counts * self.difference).sum()) / self.pair_count

    @property
    def kappa(self) -> float:
        """Cohen's kappa; NaN if both use the same single label."""
        return kappa(self.grades, self.labels, self.counts)

    @property
    def kappa_linear(self) -> float:
        """Linear weighted kappa; labels are as far apart as their positions among all labels."""
        return kappa(self.grades, self.labels, self.counts, 1)

    @property
    def kappa_quadratic(self) -> float:
        """Quadratic weighted kappa."""
        return kappa(self.grades, self.labels, self.counts, 2)

    @property
    def _both_relevant(self) -> int:
        rows, columns = self.grades >= self.relevant, self.labels >= self.machine_relevant
        return int(self.counts[np.ix_(rows, columns)].sum())

    @property
    def precision(self) -> float:
        """Share of relevant grades among the pairs that the machine calls relevant."""
        labelled_relevant = self.counts[:, self.labels >= self.machine_relevant].sum()
        return float(ratio_or_nan(self._both_relevant, labelled_relevant))

    @property
    def recall(self) -> float:
        """Share of the pairs of relevant grade that the machine calls relevant."""
        return float(
            ratio_or_nan(self._both_relevant, self.counts[self.grades >= self.relevant].sum())
        )

    @property
    def calibration(self) -> FloatArray:
        """P(human grade | machine label): (grades, labels); each column sums to 1."""
        return self.counts / self.counts.sum(axis=0)

    @property
    def by_grade(self) -> dict[str, AnyArray]:
        """One row per human grade.

        - grade
        - pairs: number of pairs of this grade
        - mean_label: the mean of their labels
        - lower, equal, higher: share of them whose label is lower than the grade, equal, or higher
        """
        pairs = self.counts.sum(axis=1)
        compared = {
            "mean_label": self.labels,
            "lower": self.difference < 0,
            "equal": self.difference == 0,
            "higher": self.difference > 0,
        }
        means = {name: (self.counts * of).sum(axis=1) / pairs for name, of in compared.items()}
        return {"grade": self.grades, "pairs": pairs, **means}

    @property
    def by_label(self) -> dict[str, AnyArray]:
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
        labels = self.labels.tolist()
        columns = zip(labels, self.counts.T, strict=True)
        return {"grade": self.grades, **{f"label {label}": column for label, column in columns}}

    @property
    def summary(self) -> str:
        """The result in one line."""
        return (
            f"{self.judge}: quadratic kappa {self.kappa_quadratic:.3f} on {self.pair_count} pairs "
            f"with human grades; labels {self.leniency:+.2f} on average"
        )
