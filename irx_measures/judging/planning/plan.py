"""JudgingPlan: which documents to judge next, and when it is enough."""

from __future__ import annotations

from collections.abc import Sequence
from os import PathLike
from typing import Any

import numpy as np

from ...common.short_paths import public
from ...common.validators import LEVEL, integer
from ...common.writing import counted
from ...exceptions import InputError
from ...io.identifiers import Ids
from ...io.table import Table, by_pair
from ...io.trec import read_qrels
from ...results.facts import html_of_facts, line_of_facts
from ...results.frames import DataFrame, frame
from ...runsets.runset import RunSet
from ...typing import GroupsLike, QrelsLike, RunsLike
from ...unjudged.machine_labels import MachineLike
from .campaign import JudgingCampaign
from .forecasts import machine_features
from .log import JudgingLog
from .pool import JudgingPool, grade_scale, read_pooled
from .questions import RANKING, question_of, systems_of
from .records import Batch, JudgingState
from .scorers import scorer_of


@public
class JudgingPlan:
    """Which documents to judge next to answer a question about systems, and when it is enough.

    Ask `next` for documents, give their judgments to `update`, and look at `state` until it is
    settled.

    Parameters
    ----------
    qrels
        The judgments made so far; None for none.
    runs
        The systems, in any form that `evaluate` accepts; at least two.
    measure
        Of a cutoff k: nDCG, P or RBP; DCG for two systems.
    question
        'ranking': the ranking of all systems, up to a Kendall's tau of .9. 'best': the best system.
        Two names: which of the two is better; other systems then do not matter. If there are only
        two systems, each question asks which of them is better.
    level
        The claim is made where it holds with this probability.
    tolerance
        For the best of three or more systems: a system that is better by no more than this does not
        count. By default .01. On RBP it must be 0: claims with a tolerance were wrong too often.
    grades
        The grades that judges give, ascending from 0. By default, those of the log and of the
        qrels; 0 and 1 if they have none.
    seed
        The random seed.
    log
        A file that keeps the forecasts of each batch; None keeps them in memory. Without the log of
        an earlier process, a plan does not know how good its forecasts were, and claims nothing
        before two more batches show it.
    machine
        Labels by a machine, as qrels; they become features.
    groups
        The group of each run, as for `evaluate`.
    progress
        Whether to show a progress bar on stderr while the runs are read; None shows one on
        a terminal after half a second.

    Raises
    ------
    ValueError
        When a system that `question` names is unknown, there are fewer than 2 systems, `measure` or
        `tolerance` does not go with the question, `grades` are not those of the log, or an option
        is out of range.

    Notes
    -----
    - First come the two best documents of each query by reciprocal-rank fusion, then those in the
      top k of any run whose grade can change the answer most: the variance of the grade by a
      regression on the judgments so far, times the variance over systems of the document's weight,
      over the square of the query's expected ideal.
    - A claim is made where it is true in `level` of 300 worlds, which have a grade for every
      document; not before forecasts of two later batches were compared with their grades. Its error
      rate is measured, not proved: at ``level=0.95``, 2.1% of 1915 claims were wrong, and 7.5% (9
      of 120) on the worst collection.
    - Of two systems on P, RBP or DCG, which are linear in the gains, documents are judged in random
      order, and a wrong system is decided for with a probability of at most 1 - `level`, whenever
      judging stops. The log is needed to resume.
    - Absolute scores from such judgments are biased: do not report them. Take the answer from
      `state`: scores on these judgments count unjudged documents as not relevant.
    - A system that is added later needs judgments of its own documents, and two more batches.

    Examples
    --------
    >>> import irx_measures
    >>> runs = {"a": {"q": {"A": 2.0, "B": 1.0}}, "b": {"q": {"B": 2.0, "C": 1.0}}}
    >>> plan = irx_measures.JudgingPlan(None, runs, measure="nDCG@2", question="best")
    >>> plan.next(2)[["query_id", "doc_id", "reason"]]
      query_id doc_id                                    reason
    0        q      B  2 of 2 systems return it at ranks 1 to 2
    1        q      A       1 of 2 systems return it at rank 1
    >>> plan.update({"q": {"A": 1, "B": 0}})
    >>> plan.state().answer
    'a'
    """

    def __init__(
        self,
        qrels: QrelsLike | Table | None,
        runs: RunsLike | None = None,
        measure: Any = "nDCG@10",
        question: str | Sequence[str] = RANKING,
        *,
        level: float = 0.95,
        tolerance: float | None = None,
        grades: Sequence[int] | None = None,
        seed: int = 42,
        log: str | PathLike[str] | JudgingLog | None = None,
        machine: MachineLike = None,
        groups: GroupsLike | None = None,
        progress: bool | None = None,
    ) -> None:
        level, seed = LEVEL.check("level", level), integer(0).check("seed", seed)
        if runs is None:
            raise TypeError(
                "JudgingPlan: qrels come first, and are None before the first judgment: write "
                "JudgingPlan(None, runs)"
            )
        self._log = log if isinstance(log, JudgingLog) else JudgingLog(log)
        judged, batches = _judgments(qrels, self._log), self._log.batches()
        given = runs if isinstance(runs, RunSet) else RunSet(runs, groups=groups)
        runset = systems_of(question, given)
        scale = _scale(grades, judged, batches)
        scorer = scorer_of(measure, scale, len(runset))
        asked = question_of(question, scorer.name, len(runset), tolerance)
        pooled = read_pooled(judged, runset, scale, progress)
        self._pool, known = JudgingPool.of(pooled, scorer.cutoff, scale)
        features = machine_features(self._pool, machine)
        self._campaign = JudgingCampaign(
            self._pool, known, scorer, asked, level, features, seed, batches
        )

    def __repr__(self) -> str:
        return line_of_facts("JudgingPlan", self._facts())

    def _repr_html_(self) -> str:
        return html_of_facts("JudgingPlan", self._facts())

    def _facts(self) -> dict[str, str]:
        state = self.state()
        return {
            "measure": self._campaign.measure,
            "systems": f"{len(self._pool.names)}",
            "question": state.question,
            "answer": state.answer,
            "state": state.summary,
        }

    def next(self, n: int = 50) -> DataFrame:
        """The documents to judge next, the most useful first, at most n.

        Their forecasts go into the log: they show later how good forecasts are.

        Returns
        -------
        DataFrame
            The columns query_id, doc_id, priority and reason; no row if the plan is settled.
        """
        batch, priority = self._campaign.next(integer(1).check("n", n))
        if batch.documents:
            self._log.add_batch(batch)
        return frame(
            {
                "query_id": [query_id for query_id, _ in batch.documents],
                "doc_id": [doc_id for _, doc_id in batch.documents],
                "priority": priority,
                "reason": list(map(self._reason, batch.documents)),
            }
        )

    def update(self, judgments: QrelsLike | Table) -> None:
        """Take judgments of documents of the pool, as qrels in any form.

        Raises
        ------
        InputError
            When a document is not in the pool, a grade is not in `grades`, or a judgment
            contradicts an earlier one. Then none is taken.
        """
        columns = read_qrels(judgments)
        cells = zip(columns.query.all(), columns.doc.all(), columns.value.tolist(), strict=True)
        rows = list(cells)
        documents = [self._checked(query_id, doc_id, grade) for query_id, doc_id, grade in rows]
        self._log.add_judgments(rows)
        grade = np.searchsorted(self._pool.grades, columns.value)
        self._campaign.take(np.array(documents, np.int64), grade)

    def state(self) -> JudgingState:
        """The answer now, its probability, and whether it is enough."""
        return self._campaign.state

    @property
    def history(self) -> list[JudgingState]:
        """The state before each batch, and now."""
        return [*self._campaign.history, self.state()]

    @property
    def added_systems(self) -> dict[str, int]:
        """Systems that the log does not know, with the number of their unjudged documents.

        It is empty before the first batch, and for systems without unjudged documents in the top k.
        """
        known = {name for batch in self._campaign.batches for name in batch.systems}
        unjudged = (self._pool.in_top & (self._campaign.grade < 0)).sum(axis=1).tolist()
        counts = zip(self._pool.names, unjudged, strict=True)
        return {name: count for name, count in counts if known and name not in known and count}

    def _reason(self, pair: tuple[str, str]) -> str:
        """Why a document is asked for; no forecast, which could sway who judges."""
        rank = self._pool.rank[:, self._pool.position[pair]]
        ranks = rank[rank > 0]
        best, last = int(ranks.min()), int(ranks.max())
        at = f"at rank {best}" if best == last else f"at ranks {best} to {last}"
        return f"{len(ranks)} of {counted(len(rank), 'system')} return it {at}"

    def _checked(self, query_id: str, doc_id: str, grade: int) -> int:
        """The position of a document that may have this grade."""
        document = self._pool.position.get((query_id, doc_id))
        if document is None:
            raise InputError(
                f"`judgments` must be of documents of the pool; got {doc_id!r} for query "
                f"{query_id!r}"
            )
        grades, known = self._pool.grades.tolist(), self._campaign.grade[document]
        if grade not in grades:
            raise InputError(
                f"`judgments` must have grades of {grades}; got {grade} for document {doc_id!r} of "
                f"query {query_id!r}"
            )
        if known >= 0 and grades[known] != grade:
            raise InputError(
                f"`judgments` must not contradict earlier ones; got {grade} for document "
                f"{doc_id!r} of query {query_id!r}, judged {grades[known]} before"
            )
        return document


def _judgments(given: QrelsLike | Table | None, log: JudgingLog) -> Table:
    """The judgments of the qrels, and those of the log about other documents."""
    known = log.judgments()
    if given is not None:
        known |= by_pair(read_qrels(given))
    queries, documents = [query for query, _ in known], [document for _, document in known]
    return Table(Ids.of(queries), Ids.of(documents), np.array([*known.values()], np.int64))


def _scale(given: Sequence[int] | None, judged: Table, batches: Sequence[Batch]) -> tuple[int, ...]:
    """The grades that are given, else those of the log, else those of judgments, else 0 and 1.

    InputError if the log has others: its forecasts are probabilities of these.
    """
    logged = {batch.grades for batch in batches}
    if given is not None:
        scale = grade_scale(given)
    elif logged:
        scale = next(iter(logged))
    else:
        found = {0, *np.unique(judged.value.clip(0)).tolist()}
        if len(found) == 1:
            found = {0, 1}
        scale = grade_scale(found)
    for other in logged - {scale}:
        raise InputError(f"`grades` must be those of the log; got {scale}, the log has {other}")
    return scale
