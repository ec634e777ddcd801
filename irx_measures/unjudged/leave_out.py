"""Simulated incompleteness: the qrels as if a group had not taken part in the pooling."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from ..common.validators import integer
from ..exceptions import InputError
from ..io.table import Table
from ..io.trec import read_qrels
from ..judgments.judgments import Judgments
from ..kernels.user_models import truncate_ranks
from ..results.frames import DataFrame, frame
from ..runsets.judged_set import judge_each
from ..runsets.runset import RunSet
from ..typing import QrelsLike


def leave_group_out(
    qrels: QrelsLike | Table, runset: RunSet, depth: int
) -> Iterator[tuple[str, DataFrame]]:
    """For each group, the qrels without the documents that only this group's runs contributed.

    This is the leave-one-group-out method. The bootstrap paper (section 4.1) uses it to simulate
    incomplete judgments: on the qrels without its own contributions, a group's runs return unjudged
    documents as a new system would.

    Parameters
    ----------
    qrels
        In any form that `evaluate` accepts.
    runset
        The runs with their groups.
    depth
        The pool depth, at least 1.

    Yields
    ------
    group, qrels
        Groups come in order of first appearance. The qrels are a DataFrame with the columns
        query_id, doc_id and relevance, which ir_measures accepts. Documents outside the top `depth`
        of all runs stay.

    Raises
    ------
    ValueError
        When the runs have no groups, or `depth` is not positive.

    Examples
    --------
    >>> import irx_measures
    >>> from irx_measures.meta import leave_group_out
    >>> runs = {"a": {"q": {"A": 2.0, "B": 1.0}}, "b": {"q": {"B": 2.0, "C": 1.0}}}
    >>> runset = irx_measures.RunSet(runs, groups={"a": "X", "b": "Y"})
    >>> for group, qrels in leave_group_out({"q": {"A": 1, "B": 0, "C": 1}}, runset, depth=2):
    ...     print(group, qrels["doc_id"].tolist())
    X ['B', 'C']
    Y ['A', 'B']
    """
    columns = read_qrels(qrels)
    groups = require_groups("runset", runset)
    depth = integer(1).check("depth", depth)
    return _each_group(columns, runset, groups, depth)


def require_groups(name: str, runset: RunSet) -> tuple[str, ...]:
    """The groups of the runs of a parameter; TypeError or InputError if it has none."""
    if not isinstance(runset, RunSet):
        raise TypeError(f"`{name}` must be a RunSet; got {type(runset).__name__}")
    if runset.groups is None:
        raise InputError(f"`{name}` must have groups; got none (`RunSet(runs, groups=...)`)")
    return runset.groups


def _each_group(
    qrels: Table, runset: RunSet, groups: tuple[str, ...], depth: int
) -> Iterator[tuple[str, DataFrame]]:
    judgments = Judgments(qrels)
    names = tuple(dict.fromkeys(groups))
    pooled = np.zeros((len(names), *judgments.grade.shape), bool)
    for group, judged in zip(groups, judge_each(runset, judgments), strict=True):
        pooled[names.index(group)] |= truncate_ranks(judged.rank, depth) > 0
    contributors = np.count_nonzero(pooled, axis=0)
    for group, pooled_by_group in zip(names, pooled, strict=True):
        left = judgments.where(~(pooled_by_group & (contributors == 1)))
        columns = {"query_id": left.query.all(), "doc_id": left.doc.all(), "relevance": left.value}
        yield group, frame(columns)
