"""Reasons why scores may not answer the user's question. Each call warns of each reason once."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from heapq import nsmallest
from itertools import chain
from typing import NamedTuple

import numpy as np

from ..common.warn import warn
from ..io.columns import RunColumns, run_label
from ..judgments.judged_run import JudgedRun
from .labels import short_labels

EXAMPLES = 3  # in a warning, which is one line

EVERY_RUN = ""  # in place of a run's label

QUERIES, OF_QUERIES = "{queries}", "{of_queries}"


class QueryCount(NamedTuple):
    """How many queries a doubt concerns, of how many; both are 0 if it does not count queries."""

    queries: int = 0
    of_queries: int = 0

    def plus(self, other: QueryCount) -> QueryCount:
        """The counts of two parts of the queries."""
        return QueryCount(self.queries + other.queries, self.of_queries + other.of_queries)


class Doubt(NamedTuple):
    """A reason why the scores of a measure may not answer the user's question.

    Attributes
    ----------
    text
        The text after the names of measure and runs. `QUERIES` stands for the number of queries
        that the doubt concerns, `OF_QUERIES` for the number of all queries.
    of_run
        Whether the doubt depends on the run, so that the message names the runs.
    counted
        How many of the run's queries the doubt concerns. If none does, users are not told.
    of_most
        Whether users are told only if the doubt concerns more than half of the queries.
    instead
        The scores that a host that does not accept NaN gets. This text follows `text`.
    """

    text: str
    of_run: bool = True
    counted: QueryCount = QueryCount()
    of_most: bool = False
    instead: str = ""

    def concerns(self, count: QueryCount) -> bool:
        """Whether users are told of so many queries."""
        if not count.of_queries:
            return True
        return count.queries > (count.of_queries // 2 if self.of_most else 0)


class Missed(NamedTuple):
    """The queries of the qrels that a run misses.

    Attributes
    ----------
    counted
    examples, run_examples
        The first missed queries by id, and the first queries of a run that misses all: one more
        than a message shows.
    """

    counted: QueryCount
    examples: list[str]
    run_examples: list[str]

    @classmethod
    def of(cls, run: RunColumns, judged: JudgedRun) -> Missed:
        rows = np.flatnonzero(judged.returned == 0).tolist()
        queries = judged.judgments.query_ids
        count = QueryCount(len(rows), len(queries))
        own = run.query_ids if len(rows) == len(queries) else ()
        return cls(count, _first(queries[row] for row in rows), _first(own))

    def plus(self, other: Missed) -> Missed:
        """What the run misses in two parts of the queries."""
        return Missed(
            self.counted.plus(other.counted),
            _first(self.examples + other.examples),
            _first(self.run_examples + other.run_examples),
        )

    @property
    def sentence(self) -> str:
        """What follows the label of the run."""
        queries, of_queries = self.counted
        examples = some_ids(self.examples)
        if queries == of_queries:
            return (
                f"shares no query with the qrels, which have {examples}; it has "
                f"{some_ids(self.run_examples)}"
            )
        return f"misses {queries} of {of_queries} queries ({examples})"


class Doubts:
    """The doubts of one call. Each doubt is one line, even if it concerns many runs and measures.

    Parameters
    ----------
    hosted
        Whether the scores go to a host that does not accept NaN.
    """

    def __init__(self, hosted: bool = False) -> None:
        self._hosted = hosted
        self._of_measures: dict[Doubt, dict[str, dict[str, QueryCount]]] = {}
        self._missed: dict[str, Missed] = {}
        self._told: set[str] = set()

    @classmethod
    def joined(cls, parts: Iterable[Doubts]) -> Doubts:
        """The doubts of a call that scored its queries in parts."""
        whole = cls()
        for part in parts:
            for label, missed in part._missed.items():
                known = whole._missed.get(label)
                whole._missed[label] = missed if known is None else known.plus(missed)
            for doubt, of_measures in part._of_measures.items():
                for measure, counts in of_measures.items():
                    of_runs = whole._of_measures.setdefault(doubt, {}).setdefault(measure, {})
                    for label, count in counts.items():
                        of_runs[label] = of_runs.get(label, QueryCount()).plus(count)
        return whole

    def add_run(self, run: RunColumns, judged: JudgedRun, name: str | None = None) -> None:
        """Record the queries that a run misses."""
        self._missed[_label(name)] = Missed.of(run, judged)

    def add(
        self,
        measure: object,
        doubts: Iterable[Doubt],
        name: str | None = None,
        undefined: str = "",
    ) -> None:
        """Record a measure's doubts about the scores of a run.

        Parameters
        ----------
        measure, doubts, name
            The measure, its doubts, and the name of the run.
        undefined
            What follows if the run has no score, and the host gets other values.
        """
        for doubt in doubts:
            instead = doubt.instead and doubt.instead + undefined
            text = doubt.text + (instead if self._hosted else "")
            reason = doubt._replace(text=text, counted=QueryCount(), instead="")
            counts = self._of_measures.setdefault(reason, {}).setdefault(str(measure), {})
            counts[_label(name) if doubt.of_run else EVERY_RUN] = doubt.counted

    def tell(self) -> None:
        """Warn of all recorded doubts, except those already reported."""
        for message in self._messages():
            if message not in self._told:
                self._told.add(message)
                warn(message)
        self._missed.clear()
        self._of_measures.clear()

    def _messages(self) -> Iterator[str]:
        missing = [
            f"{label} {missed.sentence}"
            for label, missed in self._missed.items()
            if missed.counted.queries
        ]
        if missing:
            more = len(missing) - EXAMPLES
            yield "; ".join(missing[:EXAMPLES]) + (
                f"; and {more} more runs miss queries" if more > 0 else ""
            )
        asked = dict.fromkeys(chain.from_iterable(self._of_measures.values()))
        label_of = dict(zip(asked, short_labels(asked), strict=True))
        for doubt, of_measures in self._of_measures.items():
            alike: dict[tuple[tuple[str, QueryCount], ...], list[str]] = {}
            for measure, counts in of_measures.items():
                told = tuple(item for item in counts.items() if doubt.concerns(item[1]))
                if told:
                    alike.setdefault(told, []).append(label_of[measure])
            for told, measures in alike.items():
                of_runs = f" of {_some([label for label, _ in told])}" if doubt.of_run else ""
                yield f"{_some(measures)}{of_runs}: {_filled(doubt.text, told)}"


def _filled(text: str, told: Sequence[tuple[str, QueryCount]]) -> str:
    """The text with the numbers of queries of some runs."""
    queries = {count.queries for _, count in told}
    most = ("up to " if len(queries) > 1 else "") + str(max(queries))
    of_queries = max(count.of_queries for _, count in told)
    return text.replace(QUERIES, most).replace(OF_QUERIES, str(of_queries))


def _label(name: str | None) -> str:
    return "the run" if name is None else run_label(name)


def _first(ids: Iterable[str]) -> list[str]:
    """The first ids, in an order that does not depend on how queries are split into parts."""
    return nsmallest(EXAMPLES + 1, ids)


def some_ids(ids: Sequence[str]) -> str:
    """The first few ids."""
    return ", ".join(map(repr, ids[:EXAMPLES])) + (", ..." * (len(ids) > EXAMPLES)) or "none"


def _some(labels: Sequence[str]) -> str:
    more = len(labels) - EXAMPLES
    return ", ".join(labels[:EXAMPLES]) + (f" and {more} more" if more > 0 else "")
