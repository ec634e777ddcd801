"""Agreement of two judges: confusion matrices and kappa."""

from __future__ import annotations

import numpy as np

from ..common.numeric import Int64Array, ratio_or_nan


def confusion(first: Int64Array, second: Int64Array) -> tuple[Int64Array, Int64Array, Int64Array]:
    """How often each label of one judge meets each label of the other.

    Parameters
    ----------
    first, second : (items,) ints
        The labels of both judges for the same items.

    Returns
    -------
    first_labels, second_labels : (rows,) ints, (columns,) ints
        The labels that occur, ascending.
    counts : (rows, columns) ints
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

    Parameters
    ----------
    first_labels, second_labels, counts
        As `confusion` returns them.
    power
        Disagreements weigh the distance of their labels to this power: 0 for Cohen's kappa, 1 for
        the linear weighted kappa, 2 for the quadratic one. The distance is that of positions among
        all labels of both judges.

    Returns
    -------
    1 is agreement, 0 is what chance gives. NaN if both judges use the same single label.
    """
    labels = np.union1d(first_labels, second_labels)
    row = np.searchsorted(labels, first_labels)[:, np.newaxis]
    column = np.searchsorted(labels, second_labels)
    weight = np.where(row == column, 0.0, np.abs(row - column, dtype=np.float64) ** power)
    by_chance = np.outer(counts.sum(axis=1), counts.sum(axis=0)) / counts.sum()
    return float(1.0 - ratio_or_nan((weight * counts).sum(), (weight * by_chance).sum()))
