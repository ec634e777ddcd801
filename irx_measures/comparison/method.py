"""How systems are compared: the test, the correction, the level."""

from __future__ import annotations

from dataclasses import dataclass
from typing import get_args

from ..stats import family
from ..typing import ComparisonTest

COMPARING: tuple[str, ...] = get_args(ComparisonTest)

CORRECTION_TITLES = {
    "holm": "Holm",
    "bonferroni": "Bonferroni",
    "bh": "Benjamini-Hochberg",
    "none": "no correction",
}


@dataclass(frozen=True)
class Method(family.Method):
    """How systems are compared; the correction covers the hypotheses of one measure."""

    offered = COMPARING

    @property
    def t_test(self) -> str:
        """The t test whose variance the intervals and plans have."""
        return "moderated-t" if self.prior_topics else "t"

    @property
    def has_intervals(self) -> bool:
        """Whether differences have intervals, and systems ranks.

        The rate of false discoveries belongs to all rejections together: it bounds the error of no
        single interval and of no rank.
        """
        return self.correction != "bh"
