"""JudgmentModel: the probable grades of unjudged documents, learned from the pool."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from ..common.numeric import FloatArray, Int64Array
from ..common.short_paths import public
from ..common.validators import integer
from ..common.warn import warn
from ..exceptions import InputError
from ..io.table import Table
from ..io.trec import read_qrels
from ..judgments.judgments import Judgments
from ..results.frames import DataFrame, frame
from ..runsets.given import read_given
from ..typing import GroupsLike, QrelsLike, RunsLike
from .examples import Examples, examples_of
from .features import JUDGED_SHARE, Evidence
from .machine_labels import MachineLike, label_columns, read_labels
from .pooled_runs import DEPTH, PooledRuns
from .thresholds import Thresholds
from .worlds import Worlds

TRANSFERRED = "transferred"
SHRUNK = "shrunk"
LOCAL = "local"

# Chosen on the seven collections of features.py: with 3 or 4 runs, a model was worse than zeros for
# all unjudged documents; from 16 groups and about 1000 examples, it needs no other prior.
SHRUNK_GROUPS = 8
LOCAL_GROUPS = 16
LOCAL_DOCUMENTS = 1000

RANK = integer(1, DEPTH)


@public
@dataclass(frozen=True, eq=False)
class JudgmentModel:
    """The probability of each grade of an unjudged document, learned from the judged ones.

    The documents that only one group of runs found show how unjudged documents would be judged:
    had the group not been pooled, they would be unjudged. The model is fitted to them. Their
    features are computed as if their group had not been pooled, so the model never sees the
    judgments that it predicts.

    Make a model with `fit`.

    Attributes
    ----------
    prior : str
        'transferred' (learned on six other collections; needs neither training nor other runs),
        'shrunk' (fitted to the examples and shrunk to the transferred prior), or 'local' (fitted to
        the examples alone). It is 'transferred' below 8 groups of runs, and 'local' from 16 groups
        and 1000 examples.
    depth : int
        The depth of the pool: examples are documents in the runs' top `depth`.
    documents, groups : int
        The number of training examples, which are pairs of a run and a document, and the number of
        groups that have examples.
    grades : tuple of int
        The grades of the qrels.
    labels : tuple of int
        The labels of a machine that are features; empty without a machine.
    thresholds : Thresholds, optional
        The fitted regressions; None for the transferred prior.

    Notes
    -----
    - The features and constants were chosen on seven TREC collections.
    - A machine's labels are calibrated on the examples, not on all judged documents.
    - The model is wrong about all systems at once if all of them are new: then unjudged documents
      are far more often relevant than the pool shows.

    Examples
    --------
    >>> from irx_measures.unjudged.model import JudgmentModel
    >>> runs = {"a": {"q": {"A": 2.0, "B": 1.0}}, "b": {"q": {"B": 2.0, "C": 1.0}}}
    >>> model = JudgmentModel.fit({"q": {"A": 1, "B": 0}}, runs)
    >>> model.prior, model.documents, model.groups
    ('transferred', 1, 1)
    >>> table = model.grade_probabilities({"q": {"A": 1, "B": 0}}, runs, cutoff=10)
    >>> table[["system", "doc_id", "P(1)"]].round(2).values.tolist()
    [['b', 'C', 0.03]]
    """

    prior: str
    depth: int
    documents: int
    groups: int
    grades: tuple[int, ...]
    labels: tuple[int, ...] = ()
    thresholds: Thresholds | None = None

    @classmethod
    def fit(
        cls,
        qrels: QrelsLike,
        runs: RunsLike,
        *,
        depth: int = 10,
        groups: GroupsLike | None = None,
        machine: MachineLike = None,
    ) -> JudgmentModel:
        """Learn from the runs that were pooled and their judgments.

        Parameters
        ----------
        qrels
            The human judgments.
        runs
            The runs in any form that `evaluate` accepts.
        depth
            The depth of the pool, from 1 to 100.
        groups
            The group (team) of each run: a dict, or a CSV file with the columns run and group. If
            neither it nor a RunSet names groups, each run is a group.
        machine
            Labels by a machine, as qrels. They need at least 8 groups: the transferred prior cannot
            use them.

        Raises
        ------
        ValueError
            When no document in the runs' top `depth` is judged.
        """
        depth = RANK.check("depth", depth)
        return fitted(examples_of(pool(qrels, runs, groups), depth, machine))

    def grade_probabilities(
        self, qrels: QrelsLike, runs: RunsLike, cutoff: int, machine: MachineLike = None
    ) -> DataFrame:
        """The probability of each grade of every unjudged document in the runs' top `cutoff`.

        Parameters
        ----------
        qrels, runs
            In any form that `evaluate` accepts. Features depend on all runs.
        cutoff
            From 1 to 100.
        machine
            Labels by the machine on whose labels the model was fitted.

        Returns
        -------
        DataFrame
            The columns system, query_id, doc_id and rank, and a column P(grade) for each grade.

        Raises
        ------
        ValueError
            When no document in the runs' top `depth` is judged, the qrels have other grades than
            those of the model, or `machine` has other labels.
        """
        cutoff = RANK.check("cutoff", cutoff)
        pooled = pool(qrels, runs)
        entries = pooled.unjudged_entries(cutoff)
        probability = self.probabilities(pooled, entries, machine)
        return frame(
            {
                "system": _chosen(pooled.names, pooled.run[entries]),
                "query_id": _chosen(pooled.query_ids, pooled.query[entries]),
                "doc_id": _chosen(pooled.doc_ids, pooled.doc[entries]),
                "rank": pooled.rank[entries],
                **{
                    f"P({grade})": column
                    for grade, column in zip(pooled.grades.tolist(), probability.T, strict=True)
                },
            }
        )

    def worlds(
        self,
        qrels: QrelsLike,
        runs: RunsLike,
        cutoff: int,
        count: int = 1000,
        seed: int = 42,
        machine: MachineLike = None,
    ) -> Iterator[DataFrame]:
        """Worlds: complete qrels for the runs' top `cutoff`, drawn from the grade probabilities.

        A document has one grade in a world, in every run that returns it. Its probability is the
        mean of those in the runs. Draws depend on the seed, the query and the document only.

        Parameters
        ----------
        qrels, runs, cutoff, machine
            As for `grade_probabilities`.
        count
            The number of worlds.
        seed
            The random seed.

        Yields
        ------
        DataFrame
            The columns query_id, doc_id and relevance: the qrels, and the drawn grades after them.
        """
        cutoff = RANK.check("cutoff", cutoff)
        count, seed = integer(1).check("count", count), integer(0).check("seed", seed)
        judged = read_qrels(qrels)
        pooled = pool(judged, runs)
        entries = pooled.unjudged_entries(cutoff)
        probability = self.probabilities(pooled, entries, machine)
        worlds = Worlds.of(pooled, entries, probability, cutoff, count, seed)
        drawn = [pooled.documents[doc] for doc in worlds.doc.tolist()]
        query_ids = [*judged.query.all(), *(query_id for query_id, _ in drawn)]
        doc_ids = [*judged.doc.all(), *(doc_id for _, doc_id in drawn)]
        for level in worlds.level.T:
            grade = np.concatenate((judged.value, pooled.grades[level]))
            yield frame({"query_id": query_ids, "doc_id": doc_ids, "relevance": grade})

    def probabilities(
        self, pooled: PooledRuns, entries: Int64Array, machine: MachineLike = None
    ) -> FloatArray:
        """The probability of each level of some unjudged entries: (entries, levels)."""
        evidence = Evidence(pooled, self.depth)
        if not evidence.own.judged.any():
            raise InputError(
                f"a JudgmentModel needs judged documents in the top {self.depth} of the runs; "
                "got none"
            )
        transferred = evidence.transferred(entries)
        if self.thresholds is None:
            return transferred
        labels = label_columns(pooled.documents, read_labels(machine), self.labels)
        level = self._levels_in(pooled)
        of_model = self.thresholds.probabilities(
            evidence.features(entries, labels), transferred[:, level]
        )
        probability = np.zeros_like(transferred)
        probability[:, level] = of_model
        return probability

    def outside(self, pooled: PooledRuns) -> tuple[str, ...]:
        """The runs of which less is judged than of 99% of the training examples' runs."""
        if self.thresholds is None:
            return ()
        share = Evidence(pooled, self.depth).of_runs[1]
        below = np.flatnonzero(share < self.thresholds.low[JUDGED_SHARE])
        return tuple(_chosen(pooled.names, below))

    def _levels_in(self, pooled: PooledRuns) -> Int64Array:
        """The levels of the qrels that are the model's grades; InputError if a grade is missing."""
        missing = sorted({*self.grades} - {*pooled.grades.tolist()})
        if missing:
            raise InputError(
                f"`qrels` must have the grades {list(self.grades)}, on which the model was fitted; "
                f"grade {missing[0]} is missing"
            )
        return np.searchsorted(pooled.grades, self.grades)


def fitted(examples: Examples, prior: str | None = None) -> JudgmentModel:
    """A model of a prior, fitted to examples; None: the prior that suits their number."""
    if prior is None:
        prior = prior_for(examples)
        if prior == TRANSFERRED and examples.labels:
            warn(
                f"the labels of the machine are not used: only {examples.groups} groups of runs "
                f"have examples, and the model needs {SHRUNK_GROUPS} to learn from labels"
            )
    labels: tuple[int, ...] = ()
    thresholds = None
    if prior != TRANSFERRED:
        labels = examples.labels
        thresholds = Thresholds.fit(
            examples.features, examples.transferred, examples.level, prior == SHRUNK
        )
    return JudgmentModel(
        prior=prior,
        depth=examples.depth,
        documents=len(examples.level),
        groups=examples.groups,
        grades=examples.grades,
        labels=labels,
        thresholds=thresholds,
    )


def prior_for(examples: Examples) -> str:
    """The prior that suits the number of groups and of examples."""
    if examples.groups < SHRUNK_GROUPS:
        return TRANSFERRED
    enough = examples.groups >= LOCAL_GROUPS and len(examples.level) >= LOCAL_DOCUMENTS
    return LOCAL if enough else SHRUNK


def pool(qrels: QrelsLike | Table, runs: RunsLike, groups: GroupsLike | None = None) -> PooledRuns:
    """Join qrels and runs of any accepted form."""
    columns, runset = read_given(qrels, runs, groups)
    return PooledRuns.of(runset, Judgments(columns))


def _chosen(values: tuple[str, ...] | list[str], positions: Int64Array) -> list[str]:
    return [values[position] for position in positions.tolist()]
