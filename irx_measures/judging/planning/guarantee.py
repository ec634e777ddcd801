"""A stopping rule with a guarantee: which of two systems is better, by betting.

The scores are linear in relevance: the difference of the two means is the sum over documents of
``a_i g_i``. ``g_i`` in [0, 1] is the relevance of document i, and ``a_i`` what it adds to the
difference of the mean scores if it is 1.

**The order.** The next document is drawn among the unjudged ones, with probability proportional to
``|a_i|``. Nothing is assumed about the relevance: it is a fixed number for each document, and only
the order is random.

**The estimate.** Before a draw, each document has a predicted relevance ``m_i``: its judgment if it
is judged, any number in [0, 1] otherwise. Let R be the sum of ``|a_i|`` over the unjudged
documents. If document i is drawn, the estimate of the difference is

    X = sum_j a_j m_j + R sign(a_i) (g_i - m_i)

Given everything before the draw, its expectation is the true difference: each unjudged document
adds ``|a_i| / R x R sign(a_i) (g_i - m_i) = a_i (g_i - m_i)``. That holds for any predictions. Good
predictions make X less random.

**The bet.** A capital of 1 bets that the first system is better. Each judgment multiplies it by
``1 + b X``, where the bet ``b >= 0`` is fixed before the draw. If the true difference is at most 0,
the expected factor is at most 1, whatever the predictions and the bet. X is never below

    sum_j a_j m_j - R max(m_i where a_i > 0, 1 - m_i where a_i < 0)

with the maximum over the unjudged documents. The bet never risks more than a fixed part of the
capital, so the factor is positive for certain. Such a capital is an e-process: with probability at
least ``1 - alpha / 2`` it never reaches ``2 / alpha`` (Ville's inequality), so the bound holds at
whatever moment judging stops. A second capital bets in the same way on the second system, with -X.
So the probability of ever deciding for a system that is not better is at most alpha: where the
systems are equal both capitals can be wrong, and otherwise only one of them.

**The size of the bet.** Several bettors get equal parts of the capital. Each of them assumes a true
difference d and bets ``d / (variance + d^2)``, which makes its capital grow about fastest if it is
right. The variance is that of X if the predictions are the probabilities of relevance. Each
bettor's expected factor is at most 1, so that of the mean of their capitals is too.

**What must hold.** Predictions and bets may depend on everything before the draw, and not on the
draw. So the predictions are fixed when a batch of documents is asked for. Within the batch, a
judgment takes the place of a prediction in the order of the draws, not in the order in which
people judge. A document that was judged without being asked for counts as judged from the next
batch on. The bound on X uses the maximum at the beginning of the batch, which is no smaller. The
seed must not be chosen by its result.

References
----------
.. [1] I. Waudby-Smith and A. Ramdas. Estimating means of bounded random variables by betting.
   Journal of the Royal Statistical Society Series B 86(1), 2024. doi:10.1093/jrsssb/qkad009
.. [2] P. S. Efraimidis and P. G. Spirakis. Weighted random sampling with a reservoir. Information
   Processing Letters 97(5), 2006. doi:10.1016/j.ipl.2005.11.003
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from ...common.numeric import FloatArray, Int64Array
from ...exceptions import InputError
from ...stats.pairs import ROUNDING

# Differences that bettors assume, over the largest possible one: a choice. How much is judged
# depends little on them, if they cover the range.
ASSUMED = np.array([0.03, 0.1, 0.3])
MOST_AT_RISK = 0.8  # of the capital: a choice; with .5 or .95 as much is judged


class Draws(NamedTuple):
    """What was fixed when a batch of documents was asked for."""

    predicted: list[float]  # (asked,), relevance: those that wait, then new draws in order
    waiting: int  # number of documents that were asked for before and are not judged
    estimate: float  # the difference by judgments and predictions
    rest: float  # the sum of |a_i| over documents never asked for and not judged
    spread: float  # the sum of |a_i| m_i (1 - m_i) over the same documents
    over: float  # the most that X can fall below the estimate, over the rest
    under: float  # the most that X can rise above it, over the rest
    total: float  # the sum of |a_i| over all documents: it shows that the rankings are the same


class BeforeDraws(NamedTuple):
    """What is known just before each draw: (draws,). The letters are those of the text above."""

    estimate: FloatArray  # sum_j a_j m_j
    rest: FloatArray  # R, the sum of |a_i| over the unjudged documents
    # Of X, if predictions are probabilities: R times the sum of |a_i| m_i (1 - m_i).
    variance: FloatArray


class GuaranteedStop:
    """Bets on which of two systems is better, with documents in random order.

    Its state is a function of the arguments, of the batches, and of the judgments. So a campaign
    can be resumed from what `ask` returned and from the judgments. `difference`, (documents,), is
    what each document adds to the difference of the mean scores, if its relevance is 1. The
    probability of a wrong decision is at most `alpha`, over the random order of documents.
    """

    def __init__(self, difference: FloatArray, *, alpha: float = 0.05, seed: int = 42) -> None:
        self._difference = difference
        self._size = np.abs(difference)
        self._relevance = np.full(len(difference), np.nan)
        # Of independent exponential times, the smallest belongs to each document in proportion to
        # its rate, and so it is for those that remain: one draw of times orders all documents.
        times = np.random.default_rng(seed).exponential(size=len(difference))
        counts = np.flatnonzero(self._size > 0)
        self._order = counts[np.argsort(times[counts] / self._size[counts], kind="stable")]
        self._asked = np.zeros(len(difference), bool)
        self._batches: list[tuple[Int64Array, Draws]] = []
        self._threshold = 2 / alpha

    def ask(self, predicted: FloatArray, n: int) -> tuple[Int64Array, Draws]:
        """The next documents to judge, at most n: their positions, and what is fixed now.

        `predicted`, (documents,), is the relevance in [0, 1] by the judgments so far.
        """
        unjudged = np.isnan(self._relevance)
        waiting = self._order[(self._asked & unjudged)[self._order]][:n]
        never = ~self._asked & unjudged
        new = self._order[never[self._order]][: n - len(waiting)]
        known = np.where(unjudged, np.clip(predicted, 0.0, 1.0), self._relevance)
        documents = np.concatenate([waiting, new])
        size, chance = self._size[never], known[never]
        over = np.where(self._difference[never] > 0, chance, 1 - chance)[size > 0]
        draws = Draws(
            predicted=known[documents].tolist(),
            waiting=len(waiting),
            estimate=float(self._difference @ known),
            rest=float(size.sum()),
            spread=float(size @ (chance * (1 - chance))),
            over=float(over.max(initial=0.0)),
            under=float((1 - over).max(initial=0.0)),
            total=float(self._size.sum()),
        )
        self.resume(documents, draws)
        return documents, draws

    def resume(self, documents: Int64Array, draws: Draws) -> None:
        """Take a batch that `ask` returned; InputError if the two systems had other rankings."""
        total = float(self._size.sum())
        if documents.min(initial=0) < 0 or not np.isclose(draws.total, total, rtol=1e-9):
            raise InputError(
                "`runs` must rank as when the documents were asked for; the differences of weights "
                f"sum to {total:g}, in the log to {draws.total:g}"
            )
        if len(documents) > draws.waiting:
            self._batches.append((documents, draws))
            self._asked[documents] = True

    def update(self, documents: Int64Array, relevance: FloatArray) -> None:
        """Take the relevance in [0, 1] of documents that were asked for or of others: (judged,)."""
        self._relevance[documents] = relevance

    @property
    def e_values(self) -> tuple[float, float]:
        """The evidence that the first, and that the second system is better.

        They stay where they are once one of them has reached 2 / alpha.
        """
        factors = np.concatenate([np.zeros((2, len(ASSUMED), 1)), *self._log_factors()], axis=2)
        capital = np.exp(factors.cumsum(axis=2)).mean(axis=1)
        reached = capital.max(axis=0) >= self._threshold
        end = int(reached.argmax()) if reached.any() else -1
        return float(capital[0, end]), float(capital[1, end])

    @property
    def decided(self) -> int | None:
        """1 if the first system is better, -1 if the second is; None if it is not decided.

        It is 0 if all documents are judged, and the systems are equal. If the unjudged documents
        cannot change the sign of the difference, that decides.
        """
        lower, upper = self.limits
        least = ROUNDING * self._size.sum()
        if lower > least or upper < -least:
            return 1 if lower > 0 else -1
        if upper == lower:
            return 0
        first, second = self.e_values
        if max(first, second) < self._threshold:
            return None
        return 1 if first > second else -1

    @property
    def limits(self) -> tuple[float, float]:
        """The least and the largest difference that unjudged documents leave possible."""
        unjudged = np.isnan(self._relevance)
        known = float(self._difference[~unjudged] @ self._relevance[~unjudged])
        rest = self._difference[unjudged]
        return known + float(rest[rest < 0].sum()), known + float(rest[rest > 0].sum())

    def _log_factors(self) -> Iterator[FloatArray]:
        """Logarithms of what each draw multiplies the capitals by: (2, bettors, draws) by batch.

        A draw counts when all earlier ones are judged.
        """
        for documents, draws in self._batches:
            unjudged = np.isnan(self._relevance[documents])
            judged = int(unjudged.argmax()) if unjudged.any() else len(documents)
            if judged > draws.waiting:
                yield np.log1p(self._gains(documents[:judged], draws))
            if unjudged.any():
                return

    def _gains(self, judged: Int64Array, draws: Draws) -> FloatArray:
        """What each bettor gains by a batch's first documents, ``b X``: (2, bettors, draws).

        The first row is of the bets on the first system, the second one of those on the second.
        """
        total = self._size.sum()
        new = judged[draws.waiting :]
        predicted = np.array(draws.predicted[draws.waiting : len(judged)])
        before = self._before_draws(judged, draws)
        # X = sum_j a_j m_j + R sign(a_i) (g_i - m_i)
        error = np.sign(self._difference[new]) * (self._relevance[new] - predicted)
        x = before.estimate + before.rest * error
        # X is at least sum_j a_j m_j - R over, and -X at least -sum_j a_j m_j - R under.
        largest_loss = np.array(
            [
                before.rest * draws.over - before.estimate,
                before.rest * draws.under + before.estimate,
            ]
        )
        # b = d / (variance + d^2), but no bet risks more than a fixed part of the capital.
        most = MOST_AT_RISK / np.maximum(largest_loss, ROUNDING * total)
        assumed = ASSUMED[:, np.newaxis] * total  # d of each bettor
        bet = np.minimum(assumed / (before.variance + assumed**2), most[:, np.newaxis])
        gains: FloatArray = bet * np.array([x, -x])[:, np.newaxis]
        return gains

    def _before_draws(self, judged: Int64Array, draws: Draws) -> BeforeDraws:
        """What was known just before each draw of a batch's first documents."""
        weight = self._difference[judged]
        predicted = np.array(draws.predicted[: len(judged)])
        # A judgment takes the place of its document's prediction.
        changes = weight * (self._relevance[judged] - predicted)
        estimate = (draws.estimate + _before(changes))[draws.waiting :]
        size = np.abs(weight)[draws.waiting :]
        drawn = predicted[draws.waiting :]
        # Documents that were drawn are no longer among the rest.
        rest = np.maximum(draws.rest - _before(size), size)
        spread = np.maximum(draws.spread - _before(size * drawn * (1 - drawn)), 0.0)
        return BeforeDraws(estimate, rest, rest * spread)


def _before(values: FloatArray) -> FloatArray:
    """The sum of all earlier values."""
    sums: FloatArray = values.cumsum() - values
    return sums
