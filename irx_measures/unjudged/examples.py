"""Training examples: how documents that only one group found were judged."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ..common.numeric import BoolArray, FloatArray, Int64Array
from .features import FEATURES, Evidence
from .machine_labels import MachineLike, distinct_labels, label_columns, read_labels
from .pooled_runs import UNJUDGED, PooledRuns


class Examples(NamedTuple):
    """Documents in the top of a run that no other group has in its top.

    The features are those that the documents would have if their group had not been pooled.

    Attributes
    ----------
    depth
        The depth of the pool: that of the tops.
    grades
        The grade of each level.
    labels
        The labels of a machine that are features.
    entry : (examples,) ints
        The entries of the pooled runs.
    group : (examples,) ints
        The group that found each document.
    features : (examples, features)
    transferred : (examples, levels)
        The probability of each level by the transferred prior.
    level : (examples,) ints
        The level that was judged.
    """

    depth: int
    grades: tuple[int, ...]
    labels: tuple[int, ...]
    entry: Int64Array
    group: Int64Array
    features: FloatArray
    transferred: FloatArray
    level: Int64Array

    def where(self, chosen: BoolArray | Int64Array) -> Examples:
        """Some of the examples."""
        return self._replace(
            entry=self.entry[chosen],
            group=self.group[chosen],
            features=self.features[chosen],
            transferred=self.transferred[chosen],
            level=self.level[chosen],
        )

    @property
    def groups(self) -> int:
        """The number of groups that have examples."""
        return len(np.unique(self.group))


def examples_of(pooled: PooledRuns, depth: int, machine: MachineLike = None) -> Examples:
    """All training examples, with the labels of a machine among their features."""
    read = read_labels(machine)
    known = distinct_labels(read)
    labels = label_columns(pooled.documents, read, known)
    entry, group = _found_by_one_group(pooled, depth)
    features = np.zeros((len(entry), len(FEATURES) + labels.shape[1]))
    transferred = np.zeros((len(entry), len(pooled.grades)))
    for number in np.unique(group).tolist():
        of_group = group == number
        entries = entry[of_group]
        evidence = Evidence(pooled.without(pooled.doc[entries]), depth)
        features[of_group] = evidence.features(entries, labels)
        transferred[of_group] = evidence.transferred(entries)
    level, grades = pooled.level[pooled.doc[entry]], tuple(pooled.grades.tolist())
    return Examples(depth, grades, known, entry, group, features, transferred, level)


def _found_by_one_group(pooled: PooledRuns, depth: int) -> tuple[Int64Array, Int64Array]:
    """Judged entries whose document is in the top of one group only, and their groups.

    They are sorted by group and entry.
    """
    top = np.flatnonzero(pooled.rank <= depth)
    doc, group = pooled.doc[top], pooled.group_of_run[pooled.run[top]]
    finder = np.full(len(pooled.grade), -1)
    finder[doc] = group
    shared = np.zeros(len(pooled.grade), bool)
    shared[doc[finder[doc] != group]] = True
    alone = ~shared[doc] & (pooled.grade[doc] != UNJUDGED)
    order = np.argsort(group[alone], kind="stable")
    return top[alone][order], group[alone][order]
