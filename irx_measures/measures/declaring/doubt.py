"""How measures declare a reason why scores may not answer the user's question."""

from __future__ import annotations

from typing import NamedTuple

from ...common.writing import EXAMPLES, examples

COUNT, SUCH = "{count}", "{such}"


class Doubt(NamedTuple):
    """A sentence about scores, and the queries that it is about.

    In it, `COUNT` stands for the number of queries, as in "3 of 5 queries", and `SUCH` for the
    examples. Runs with the same text share a warning.
    """

    text: str
    queries: int = 1
    of_queries: int = 1
    above: float = 0.0  # users are told if it is about a larger share of the queries, or about all
    such: tuple[str, ...] = ()  # examples, in the order of their text
    of_run: bool = True  # whether it depends on the run, so that the warning names the runs

    @property
    def is_told(self) -> bool:
        """Whether users are told."""
        return self.queries > 0 and (
            self.queries == self.of_queries or self.queries > self.above * self.of_queries
        )

    @property
    def sentence(self) -> str:
        """The text with its count and its examples."""
        count = f"{self.queries} of {self.of_queries} queries"
        return self.text.replace(COUNT, count).replace(SUCH, examples(self.such))

    def plus(self, other: Doubt) -> Doubt:
        """The doubt about two parts of the queries."""
        return self._replace(
            queries=self.queries + other.queries,
            of_queries=self.of_queries + other.of_queries,
            such=tuple(sorted({*self.such, *other.such} - {""})[: EXAMPLES + 1]),
        )
