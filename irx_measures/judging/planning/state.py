"""What a judging campaign knows at one moment."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ...common.writing import percent


@dataclass(frozen=True)
class JudgingState:
    """The answer to the campaign's question, and how probable it is.

    Attributes
    ----------
    question : str
        'ranking', 'best', or the names of two systems, joined by a comma.
    claim : str
        What is probable: "ranking settled", "it is better".
    answer : str
        The best system, the better of two, or the ranking.
    probability : float
        The share of worlds in which the claim holds.
    level : float
        The claim is settled where its probability is at least this.
    judged, pool : int
        Number of judged documents, and of all documents that the campaign may ask for.
    look : int
        Number of batches whose forecasts were compared with judgments.
    remaining : int, optional
        About how many more judgments settle the claim, by extrapolation; None if it is not known.
    """

    question: str
    claim: str
    answer: str
    probability: float
    level: float
    judged: int
    pool: int
    look: int
    remaining: int | None = None

    @property
    def settled(self) -> bool:
        """Whether judging can stop: the claim is probable enough, or the pool is judged."""
        return self.probability >= self.level or self.judged >= self.pool

    @property
    def summary(self) -> str:
        """The progress in one line."""
        if self.settled:
            to_go = "enough"
        else:
            to_go = "" if self.remaining is None else f"about {self.remaining} to go"
        parts = [
            f"{self.judged} of {self.pool} judged ({percent(self.judged, self.pool)})",
            f"P({self.claim}) {self.probability:.2f}",
            to_go,
        ]
        return "; ".join(part for part in parts if part)

    def __str__(self) -> str:
        return f"{self.answer}\n{self.summary}"


SMALLEST = 1e-3  # probabilities of 0 and 1 in a few hundred worlds have no finite logit
LOOKS = 4  # the last looks show the trend: a choice


def remaining(
    judged: Sequence[int], probability: Sequence[float], level: float, pool: int
) -> int | None:
    """About how many more judgments raise the probability to the level.

    The logit of the probability grows about linearly with the number of judgments; the slope of the
    last looks is extrapolated.

    Parameters
    ----------
    judged, probability
        At each look, the latest last.
    level
    pool
        Number of all documents that may be judged.

    Returns
    -------
    int, optional
        None with fewer than 3 looks, without a trend upwards, or if the pool has fewer documents.
    """
    chance = np.clip(probability[-LOOKS:], SMALLEST, 1 - SMALLEST)
    number = np.asarray(judged[-LOOKS:], np.float64)
    if len(number) < 3 or np.ptp(number) == 0:
        return None
    logit = np.log(chance / (1 - chance))
    slope = float(np.polyfit(number, logit, 1)[0])
    missing = np.log(level / (1 - level)) - logit[-1]
    if slope <= 0 or missing / slope > pool - judged[-1]:
        return None
    return max(1, int(np.ceil(missing / slope)))
