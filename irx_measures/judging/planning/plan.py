"""JudgingPlan: which documents to judge next, and when it is enough."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from os import PathLike
from typing import TYPE_CHECKING, Any

import numpy as np

from ...common.validators import flag, integer, number_in
from ...common.writing import counted
from ...exceptions import InputError
from ...io.columns import QrelsColumns
from ...io.frames import frame
from ...io.identifiers import ListIds
from ...io.trec import read_qrels
from ...runsets.runset import RunSet
from ...typing import GroupsLike, QrelsLike, RunsLike
from ...unjudged.machine_labels import MachineLike
from .campaign import Batch, Campaign, Forecasts
from .guaranteed import DrawSums, GuaranteedCampaign, linear_scorer_of
from .log import Batch as LoggedBatch
from .log import JudgingLog
from .machine import machine_features
from .offered import scorer_of, tolerance_of
from .pool import JudgingPool
from .questions import RANKING, question_of
from .state import JudgingState, remaining

if TYPE_CHECKING:
    from ...io.frames import DataFrame

NO_QRELS = QrelsColumns(ListIds([]), ListIds([]), np.zeros(0, np.int64))


class JudgingPlan:
    """Which documents to judge next to answer a question about systems, and when it is enough.

    Ask `next` for documents, give their judgments to `update`, and look at `state` until it is
    settled.

    Parameters
    ----------
    runs
        The systems, in any form that `evaluate` accepts.
    qrels
        The judgments made so far; None for none.
    measure
        Of a cutoff k: nDCG, P, RBP and others; the error names them.
    question
        'ranking': the ranking of all systems, up to a Kendall's tau of .9. 'best': the best system.
        Two names: which of the two is better.
    level
        The claim is settled where it holds in this share of worlds.
    tolerance
        For question='best': a system that is better by no more than this does not count. By default
        .01. On RBP and AP it must be 0: simulated claims with a tolerance were wrong too often.
    grades
        The grades that judges give, ascending from 0.
    seed
        The random seed.
    log
        A file that keeps the forecasts of each batch; None keeps them in memory. Without the log of
        an earlier process, a plan does not know how good its forecasts were, and is as careful as
        at its first two looks.
    machine
        Labels by a machine, as qrels, or those of several; they become features.
    guarantee
        For the names of two systems, and a measure that is linear in the gains (P, RBP or DCG): a
        wrong system is decided for with a probability of at most 1 - `level`, whenever judging
        stops. Documents are judged in random order; the log is needed to resume.
    progress
        Whether to show a progress bar on stderr while the runs are read; None shows one on
        a terminal after half a second.

    Notes
    -----
    - Documents in the top k of any run can be asked for. First come the two best of each query by
      reciprocal-rank fusion, then those whose grade can change the answer most: the variance of the
      grade by a regression on the judgments so far, times the variance over systems of the
      document's weight, over the square of the query's expected ideal.
    - A world has a grade for every document of the pool. The errors of forecasts that were made
      before the grades were known give the tilts of runs, of queries, and of all documents; a claim
      holds where it is true in `level` of 300 worlds.
    - The error rate is measured, about 5% at ``level=0.95``, and 8% for the best system with a
      tolerance; it is not proved unless ``guarantee=True``.
    - Absolute scores from such judgments are biased: do not report them. Take the answer from
      `state`: scores on these judgments count unjudged documents as not relevant, and at the stop
      their ranking had a Kendall's tau of .84 to .91 with the true one, that of `state` .90 to .96.
    - Documents that no run returned are never asked for. A system that is added later needs
      judgments of its own documents.

    Examples
    --------
    >>> import irx_measures
    >>> campaign = irx_measures.simulate_campaign(systems=6, queries=10, seed=1)
    >>> plan = irx_measures.JudgingPlan(campaign.runs, question="best", grades=(0, 1, 2, 3))
    >>> while not plan.state().settled:
    ...     batch = plan.next(20)
    ...     plan.update(
    ...         {q: {d: campaign.qrels[q].get(d, 0) for d in docs}
    ...          for q, docs in batch.groupby("query_id")["doc_id"]}
    ...     )
    >>> print(plan.state().answer)
    lexical-c
    """

    def __init__(
        self,
        runs: RunsLike,
        qrels: QrelsLike | QrelsColumns | None = None,
        measure: Any = "nDCG@10",
        question: str | Sequence[str] = RANKING,
        *,
        level: float = 0.95,
        tolerance: float | None = None,
        grades: Sequence[int] = (0, 1),
        seed: int = 42,
        log: str | PathLike[str] | JudgingLog | None = None,
        machine: MachineLike = None,
        guarantee: bool = False,
        groups: GroupsLike | None = None,
        progress: bool | None = None,
    ) -> None:
        self.level = number_in(0, 1, closed=False).check("level", level)
        seed = integer(0).check("seed", seed)
        scale = _scale(grades)
        guarantee = flag().check("guarantee", guarantee)
        scorer = linear_scorer_of(measure, scale) if guarantee else scorer_of(measure, scale)
        runset = runs if isinstance(runs, RunSet) else RunSet(runs, groups=groups)
        self.question = question if isinstance(question, str) else ",".join(question)
        judged = NO_QRELS if qrels is None else read_qrels(qrels)
        pool, known = JudgingPool.of(runset, judged, scorer.cutoff, scale, progress)
        asked = question_of(question, runset.names, tolerance_of(measure, question, tolerance))
        features = machine_features(pool, machine)
        about = pool, known, scorer, asked, features, seed
        self._campaign = GuaranteedCampaign(*about, self.level) if guarantee else Campaign(*about)
        self._log = log if isinstance(log, JudgingLog) else JudgingLog(log)
        _check_log(self._log, scale)
        self._take(self._log.judgments())
        for batch in self._log.batches():
            self._expect(batch.documents, batch.forecasts)
            self._resume(batch)

    def next(self, n: int = 50) -> DataFrame:
        """The documents to judge next, the most useful first.

        Their forecasts go into the log: they show later how good forecasts are.

        Parameters
        ----------
        n
            The most documents to return, at least 1.

        Returns
        -------
        DataFrame
            The columns query_id, doc_id, priority and reason; no row if the pool is judged.
        """
        batch = self._campaign.next(integer(1).check("n", n))
        pairs = [self._pair(document) for document in batch.documents.tolist()]
        if pairs:
            forecasts = [] if batch.probability is None else batch.probability.tolist()
            pool = self._campaign.pool
            grades, systems = pool.grades.tolist(), pool.names
            self._log.add_batch(pairs, forecasts, grades, self.state(), systems, batch.sums)
            self._expect(pairs, forecasts)
        return frame(
            {
                "query_id": [query_id for query_id, _ in pairs],
                "doc_id": [doc_id for _, doc_id in pairs],
                "priority": batch.priority,
                "reason": self._reasons(batch),
            }
        )

    def update(self, judgments: QrelsLike | QrelsColumns, judge: str | None = None) -> None:
        """Take judgments of documents of the pool.

        Parameters
        ----------
        judgments
            As qrels in any form.
        judge
            Who made them.

        Raises
        ------
        InputError
            When a document is not in the pool, a grade is not in `grades`, or a judgment
            contradicts an earlier one. Then none is taken.
        """
        columns = read_qrels(judgments)
        rows = list(
            zip(columns.query.all(), columns.doc.all(), columns.grade.tolist(), strict=True)
        )
        for row in rows:
            self._check(*row)
        self._log.add_judgments(rows, judge)
        self._take(rows)

    def state(self) -> JudgingState:
        """The answer now, its probability, and whether it is enough."""
        campaign, probability = self._campaign, self._campaign.probability
        before = [
            look
            for look in self._log.states()
            if look.judged < campaign.judged and look.claim == campaign.claim
        ]
        return JudgingState(
            self.question,
            campaign.claim,
            campaign.answer,
            probability,
            self.level,
            campaign.judged,
            campaign.size,
            campaign.looks,
            remaining(
                [*(look.judged for look in before), campaign.judged],
                [*(look.probability for look in before), probability],
                self.level,
                campaign.size,
            ),
        )

    @property
    def history(self) -> list[JudgingState]:
        """The state before each batch, and now."""
        return [*self._log.states(), self.state()]

    def unjudged(self) -> dict[str, int]:
        """The number of unjudged documents in the top k of each system, over all queries.

        A system that was added later needs judgments of them.
        """
        pool = self._campaign.pool
        counts = (pool.in_top & (self._campaign.level < 0)).sum(axis=1)
        return dict(zip(pool.names, counts.tolist(), strict=True))

    def _reasons(self, batch: Batch) -> list[str]:
        """Why each document is asked for; no forecast, which could sway who judges."""
        reasons = []
        for document in batch.documents.tolist():
            rank = self._campaign.pool.rank[:, document]
            ranks = rank[rank > 0]
            best, last = int(ranks.min()), int(ranks.max())
            at = f"at rank {best}" if best == last else f"at ranks {best} to {last}"
            text = f"{len(ranks)} of {counted(len(rank), 'system')} return it {at}"
            reasons.append(text)
        return reasons

    def _pair(self, document: int) -> tuple[str, str]:
        pool = self._campaign.pool
        return pool.query_ids[pool.doc_query[document]], pool.doc_ids[document]

    def _check(self, query_id: str, doc_id: str, grade: int) -> None:
        pool = self._campaign.pool
        document, grades = pool.position.get((query_id, doc_id)), pool.grades.tolist()
        if document is None:
            raise InputError(
                f"`judgments` must be of documents of the pool; got {doc_id!r} for query "
                f"{query_id!r}"
            )
        if grade not in grades:
            raise InputError(
                f"`judgments` must have grades of {grades}; got {grade} for document {doc_id!r} of "
                f"query {query_id!r}"
            )
        known = self._campaign.level[document]
        if known >= 0 and grades[known] != grade:
            raise InputError(
                f"`judgments` must not contradict earlier ones; got {grade} for document "
                f"{doc_id!r} of query {query_id!r}, judged {grades[known]} before"
            )

    def _take(self, rows: Iterable[tuple[str, str, int]]) -> None:
        """Take judgments of documents of the pool; the first of a document counts."""
        pool, level = self._campaign.pool, self._campaign.level
        for query_id, doc_id, grade in rows:
            document = pool.position.get((query_id, doc_id))
            if document is not None and level[document] < 0:
                place = np.array([document])
                self._campaign.take(place, np.searchsorted(pool.grades, [grade]))

    def _expect(self, pairs: list[tuple[str, str]], forecasts: list[list[float]]) -> None:
        """Remember forecasts; of first batches, which have none, nothing."""
        position = self._campaign.pool.position
        known = [
            (position[pair], chance)
            for pair, chance in zip(pairs, forecasts, strict=False)
            if pair in position
        ]
        if known:
            documents, chances = zip(*known, strict=True)
            self._campaign.expect(Forecasts(np.array(documents), np.array(chances)))

    def _resume(self, batch: LoggedBatch) -> None:
        """Bet on a batch of the log, if it was asked for with a guarantee."""
        if batch.sums is None or not isinstance(self._campaign, GuaranteedCampaign):
            return
        position = self._campaign.pool.position
        documents = np.array([position.get(pair, -1) for pair in batch.documents])
        self._campaign.resume(documents, np.array(batch.forecasts), DrawSums._make(batch.sums))


def _check_log(log: JudgingLog, grades: tuple[int, ...]) -> None:
    """InputError if the log is of other grades: its forecasts are probabilities of these."""
    logged = {batch.grades for batch in log.batches()}
    others = {grade for *_, grade in log.judgments()} - {*grades}
    for other in (*(logged - {grades}), *others):
        raise InputError(f"`grades` must be those of the log; got {grades}, the log has {other}")


def _scale(grades: Sequence[int]) -> tuple[int, ...]:
    """The grades in ascending order, from 0."""
    whole = integer(0)
    scale = tuple(sorted({whole.check("grades", grade) for grade in grades}))
    if len(scale) < 2 or scale[0] != 0:
        raise InputError(f"`grades` must be 0 and at least one higher grade; got {grades!r}")
    return scale
