"""Training examples: how documents that only one group found were judged."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ..common.numeric import BoolArray, FloatArray, Int64Array
from .features import FEATURES, Evidence, fusion_of_all
from .machine_labels import OneHot
from .pooled_runs import UNJUDGED, PooledRuns


class Examples(NamedTuple):
    """Documents in the top of a run that no other group has in its top.

    The features are those that the documents would have if their group had not been pooled.

    Attributes
    ----------
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

    entry: Int64Array
    group: Int64Array
    features: FloatArray
    transferred: FloatArray
    level: Int64Array

    def where(self, mask: BoolArray) -> Examples:
        """Some of the examples."""
        return Examples(
            self.entry[mask],
            self.group[mask],
            self.features[mask],
            self.transferred[mask],
            self.level[mask],
        )

    @property
    def groups(self) -> int:
        """The number of groups that have examples."""
        return len(np.unique(self.group))


def examples_of(pooled: PooledRuns, depth: int, one_hot: OneHot) -> Examples:
    """All training examples; `one_hot` are the features of machine labels."""
    fusion = fusion_of_all(pooled)
    entry, group = _found_by_one_group(pooled, depth)
    features, transferred = [], []
    for number in np.unique(group).tolist():
        of_group = entry[group == number]
        evidence = Evidence(pooled.without(pooled.doc[of_group]), depth, fusion)
        features.append(features_of(evidence, of_group, one_hot))
        transferred.append(evidence.transferred(of_group))
    if not features:
        none = np.zeros((0, len(FEATURES) + one_hot.width))
        return Examples(entry, group, none, np.zeros((0, len(pooled.grades))), entry)
    level = pooled.level[pooled.doc[entry]]
    return Examples(entry, group, np.concatenate(features), np.concatenate(transferred), level)


def features_of(evidence: Evidence, entries: Int64Array, one_hot: OneHot) -> FloatArray:
    """The features of entries in ascending order: (entries, features)."""
    pooled = evidence.pooled
    run = pooled.run[entries]
    features = np.zeros((len(entries), len(FEATURES)))
    for number in np.unique(run).tolist():
        of_run = run == number
        features[of_run] = evidence.features(number, entries[of_run])
    return np.hstack([features, one_hot(pooled.doc[entries])])


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
