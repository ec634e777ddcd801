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
    """

    depth: int  # of the pool: that of the tops
    grades: tuple[int, ...]  # of the levels
    labels: tuple[int, ...]  # of a machine, if they are features
    entry: Int64Array  # (examples,), of the pooled runs
    group: Int64Array  # (examples,): the group that found the document
    features: FloatArray  # (examples, features)
    transferred: FloatArray  # (examples, levels): the probabilities by the transferred prior
    level: Int64Array  # (examples,): the level that was judged

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
