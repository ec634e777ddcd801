"""The difference of two systems, topic by topic and on average."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ..common.escapes import printable
from ..common.numeric import FloatArray, Int64Array
from ..common.short_paths import public
from ..common.writing import PLAIN, Writing, counted
from ..measures.naming.labels import short_labels
from ..results.column import Column, arrays_of
from ..results.frames import DataFrame, frame
from ..results.read_only import ReadOnlyArrays, cached_array
from ..stats.pairs import join_ties, noise_of, without_noise
from .board import Leaderboard
from .hypotheses import TOPIC
from .pair_words import pair_cases, pair_forms
from .words import p_name


@public
@dataclass(frozen=True, repr=False)
class Difference(ReadOnlyArrays):
    """One system minus another on one measure, with the test of their difference.

    Attributes
    ----------
    board : Leaderboard
        That of the measure.
    system, baseline : str
    query_ids : tuple of str
        The topics; of a macro mean, the groups.
    by_topic : (topics,) floats
        Score of the system minus that of the baseline, equal where they differ by float noise only.
    difference, lower, upper, effect, p, p_adjusted : float
        As in `Comparison.to_frame`.
    significant : bool
        Whether the hypothesis of no difference is rejected.
    wins, ties, losses : int
        Number of topics on which the system scores better, the same, worse.

    See Also
    --------
    irx_measures.Comparison : Its method `difference` makes it.
    irx_measures.plots.topic_differences : Draws it.
    """

    board: Leaderboard
    system: str
    baseline: str
    query_ids: tuple[str, ...]
    by_topic: FloatArray
    difference: float
    lower: float
    upper: float
    effect: float
    p: float
    p_adjusted: float
    significant: bool
    wins: int
    ties: int
    losses: int

    def __repr__(self) -> str:
        return f"Difference: {self.summary}"

    @property
    def summary(self) -> str:
        """The result in one line."""
        (label,) = short_labels([self.board.measure])
        return printable(f"{self.system} minus {self.baseline}: {self.sentence(label)}")

    @cached_array
    def order(self) -> Int64Array:
        """Positions of the topics by falling difference: (topics,)."""
        return np.argsort(-self.by_topic, kind="stable")

    def columns(self, rows: Sequence[int] | None = None) -> list[Column]:
        """The topics at these positions, by default all by falling difference, with both scores."""
        if rows is None:
            rows = self.order.tolist()
        board = self.board
        names = [self.query_ids[row] for row in rows]
        unit, what = board.unit, f"the {board.unit}"
        if unit == TOPIC:
            unit, what = "query_id", "the query"
        columns = [Column(unit, names, meaning=what, key=True)]
        for name in (self.system, self.baseline):
            scores = board.scores[board.place[name]][rows]
            columns.append(Column(name, scores.tolist(), meaning=f"the score of {name}"))
        what = f"the score of {self.system} minus {self.baseline}"
        return [*columns, Column("difference", self.by_topic[rows].tolist(), meaning=what)]

    def to_frame(self) -> DataFrame:
        """The topics with both scores, by falling difference: the last row has the lowest one.

        Returns
        -------
        DataFrame
            The column query_id (of a macro mean: collection or group), a column with the scores of
            each of the two systems, which has its name, and the column difference.
        """
        return frame(arrays_of(self.columns()))

    def sentence(self, label: str, writing: Writing = PLAIN) -> str:
        """What the test and the topics say; `label` is the measure."""
        forms = pair_forms(self.board)
        case = int(pair_cases(self.significant, self.lower, self.upper, self.wins, self.losses))
        p = writing.p_is(p_name(self.board), self.p_adjusted)
        return forms.sentences[case].format(
            measure=label,
            difference=writing.difference(self.difference),
            lower=writing.difference(self.lower),
            upper=writing.difference(self.upper),
            verdict=forms.verdicts[case].format(p=p),
            topics=counted(len(self.by_topic), self.board.unit),
            topics_won=counted(self.wins, self.board.unit),
            losses=f"{self.losses:,}",
            ties=f"{self.ties:,}",
        )


NUMBERS = (
    "difference", "lower", "upper", "effect", "p", "p_adjusted", "wins", "ties", "losses",
)  # fmt: skip
"""What a difference has from the row of its two systems."""


def difference_of(
    board: Leaderboard, system: str, baseline: str, query_ids: tuple[str, ...]
) -> Difference:
    """The tested difference of two systems; InputError if they were not compared.

    `query_ids` are the topics.
    """
    found = board.pair(system, baseline)
    numbers = {name: found[name][0].item() for name in NUMBERS}
    noise = noise_of(board.scores)
    one, other = board.scores[[board.place[system], board.place[baseline]]]
    by_topic = join_ties(without_noise(one - other, noise), noise)
    significant = bool(found.significant[0])
    return Difference(
        board, system, baseline, query_ids, by_topic, significant=significant, **numbers
    )
