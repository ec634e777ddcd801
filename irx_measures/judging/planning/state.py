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
        The claim is made where its probability is at least this.
    judged, pool : int
        Number of judged documents, and of all documents that the campaign may ask for.
    look : int
        Number of batches whose forecasts were compared with judgments.
    claimed : bool
        Whether the claim is made: it is probable enough, and it was seen how good forecasts are.
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
    claimed: bool
    remaining: int | None = None

    @property
    def settled(self) -> bool:
        """Whether judging can stop: the claim is made, or the pool is judged."""
        return self.claimed or self.judged == self.pool

    @property
    def summary(self) -> str:
        """The progress in one line."""
        if self.settled:
            to_go = "enough"
        elif self.probability >= self.level:
            to_go = "too early to stop"
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


def remaining(looks: Sequence[JudgingState]) -> int | None:
    """About how many more judgments raise the probability to the level.

    The logit of the probability grows about linearly with the number of judgments; the slope of the
    last looks, the latest last, is extrapolated. None with fewer than 3 looks, without a trend
    upwards, where the level is reached, or if the pool has fewer documents.
    """
    now = looks[-1]
    chance = np.clip([look.probability for look in looks[-LOOKS:]], SMALLEST, 1 - SMALLEST)
    judged = np.array([look.judged for look in looks[-LOOKS:]], np.float64)
    if len(judged) < 3 or np.ptp(judged) == 0:
        return None
    logit = np.log(chance / (1 - chance))
    slope = float(np.polyfit(judged, logit, 1)[0])
    missing = np.log(now.level / (1 - now.level)) - logit[-1]
    if slope <= 0 or missing <= 0 or missing / slope > now.pool - now.judged:
        return None
    return int(np.ceil(missing / slope))
