"""Reasons why scores may not answer the user's question. Each call warns of each reason once."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from heapq import nsmallest
from itertools import chain
from pathlib import Path
from typing import Literal, NamedTuple

import numpy as np

from ..common.warn import warn
from ..common.writing import some
from ..exceptions import InputError
from ..io.qrels_files import judging_log_of
from ..io.table import run_label
from ..judgments.judged_run import JudgedRun
from ..judgments.judged_share import TOP, JudgedShare
from ..judgments.spellings import spelled_otherwise
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


SAME_IDS = "do both have the same kind of document ids?"

HARDLY_JUDGED = "have hardly a judged document"


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
    told_if
        Whether users are told if the doubt concerns any of the queries, most of them, or all.
    of_whole
        Whether the text counts over all queries, so that texts of parts cannot be joined.
    instead
        What a host gets that does not accept NaN. This text follows `text`.
    about
        What to say of this run only. This text follows the name of the run.
    """

    text: str
    of_run: bool = True
    counted: QueryCount = QueryCount()
    told_if: Literal["any", "most", "all"] = "any"
    of_whole: bool = False
    instead: str = ""
    about: str = ""

    def concerns(self, count: QueryCount) -> bool:
        """Whether users are told of so many queries."""
        if not count.of_queries:
            return True
        least = {"any": 1, "most": count.of_queries // 2 + 1, "all": count.of_queries}
        return count.queries >= least[self.told_if]


ROUNDED = (
    "most of its scores differ as given and tie as float32, by which trec_eval ranks, so that "
    "document ids decide their order; scale the scores, or give ranks as scores"
)


class Concern(NamedTuple):
    """What a doubt says of one run: how many queries it concerns, and what follows the name."""

    counted: QueryCount
    about: str = ""

    def plus(self, other: Concern) -> Concern:
        """What it says of the run in two parts of the queries."""
        return Concern(self.counted.plus(other.counted), self.about or other.about)


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
    def of(cls, judged: JudgedRun) -> Missed:
        rows = np.flatnonzero(judged.returned == 0).tolist()
        queries = judged.judgments.query_ids
        count = QueryCount(len(rows), len(queries))
        own = judged.query_ids if len(rows) == len(queries) else ()
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
    """The doubts of one call. Each is one line, even if it concerns many runs and measures."""

    def __init__(self) -> None:
        self._of_measures: dict[Doubt, dict[str, dict[str, Concern]]] = {}
        self._missed: dict[str, Missed] = {}
        self._ranks: list[str] = []
        self._spelled: list[str] = []
        self._rounded: list[str] = []
        self._planned: list[str] = []
        self._shares: dict[str, JudgedShare] = {}
        self._told: set[str] = set()

    @classmethod
    def joined(cls, parts: Iterable[Doubts]) -> Doubts:
        """The doubts of a call that scored its queries in parts, without those of the whole."""
        whole = cls()
        for part in parts:
            for label, missed in part._missed.items():
                known = whole._missed.get(label)
                whole._missed[label] = missed if known is None else known.plus(missed)
            for label, share in part._shares.items():
                known_share = whole._shares.get(label)
                whole._shares[label] = share if known_share is None else known_share.plus(share)
            whole._ranks = list(dict.fromkeys(whole._ranks + part._ranks))
            whole._spelled = list(dict.fromkeys(whole._spelled + part._spelled))
            whole._rounded = list(dict.fromkeys(whole._rounded + part._rounded))
            for doubt, of_measures in part._of_measures.items():
                if doubt.of_whole:
                    continue
                for measure, concerns in of_measures.items():
                    of_runs = whole._of_measures.setdefault(doubt, {}).setdefault(measure, {})
                    for label, concern in concerns.items():
                        of_runs[label] = of_runs.get(label, Concern(QueryCount())).plus(concern)
        return whole

    def add_run(self, judged: JudgedRun, name: str | None = None) -> None:
        """Record missed queries, ids spelled otherwise, and scores equal as float32 only."""
        if judged.tie_by_rounding:
            self._rounded.append(f"{_label(name)}: {ROUNDED}")
        spelled = spelled_otherwise(judged)
        if spelled:
            self._spelled.append(f"{_label(name)} {spelled}")
        self._missed[_label(name)] = Missed.of(judged)

    def add_ranks(self, ranks: str, name: str | None = None) -> None:
        """Record ranks that contradict a run's scores."""
        if ranks:
            self._ranks.append(f"{_label(name)}: {ranks}")

    def add_qrels(self, path: Path) -> None:
        """Record qrels of which a judging campaign chose the documents."""
        if judging_log_of(path).exists():
            self._planned.append(
                f"{path} has a judging log beside it: its documents were chosen to compare systems,"
                " so absolute scores are biased (95% intervals of means cover 16% to 46%); take "
                "the answer from 'irx judge status', which draws the grades of unjudged documents"
            )

    def add_share(self, share: JudgedShare, name: str | None = None) -> None:
        """Record how much of a run is judged."""
        self._shares[_label(name)] = share

    def refuse_other_ids(self) -> None:
        """InputError if runs returned documents, and no document of any run is judged."""
        shares = {label: share for label, share in self._shares.items() if share.returned}
        if shares and all(share.has_none for share in shares.values()):
            label, share = next(iter(shares.items()))
            raise InputError(
                f"no run has a judged document, such as {label}: {_other_ids(share)} "
                "(strict=False, or --no-strict, scores such runs)"
            )

    def add(
        self,
        measure: object,
        doubts: Iterable[Doubt],
        name: str | None = None,
        hosted: bool = False,
    ) -> None:
        """Record a measure's doubts about the scores of a run.

        Parameters
        ----------
        measure, doubts, name
            The measure, its doubts, and the name of the run.
        hosted
            Whether the scores go to a host that does not accept NaN.
        """
        for doubt in doubts:
            text = doubt.text + (doubt.instead if hosted else "")
            reason = doubt._replace(text=text, counted=QueryCount(), instead="", about="")
            concerns = self._of_measures.setdefault(reason, {}).setdefault(str(measure), {})
            label = _label(name) if doubt.of_run else EVERY_RUN
            concerns[label] = Concern(doubt.counted, doubt.about)

    def tell(self) -> tuple[str, ...]:
        """Warn of all recorded doubts, except those already reported; returns the warnings."""
        new = [message for message in self._messages() if message not in self._told]
        for message in new:
            self._told.add(message)
            warn(message)
        self._missed.clear()
        self._planned.clear()
        self._ranks.clear()
        self._spelled.clear()
        self._rounded.clear()
        self._shares.clear()
        self._of_measures.clear()
        return tuple(new)

    def _messages(self) -> Iterator[str]:
        missing = [
            f"{label} {missed.sentence}"
            for label, missed in self._missed.items()
            if missed.counted.queries
        ]
        yield from self._planned
        yield from one_line(missing, "miss queries")
        yield from one_line(self._spelled, "have such ids")
        yield from one_line(hardly_judged(self._shares), HARDLY_JUDGED)
        yield from one_line(self._ranks, "have such ranks")
        yield from one_line(self._rounded, "have such scores")
        asked = dict.fromkeys(chain.from_iterable(self._of_measures.values()))
        label_of = dict(zip(asked, short_labels(asked), strict=True))
        for doubt, of_measures in self._of_measures.items():
            alike: dict[tuple[tuple[str, QueryCount], ...], list[str]] = {}
            for measure, concerns in of_measures.items():
                told = tuple(
                    (label + concern.about, concern.counted)
                    for label, concern in concerns.items()
                    if doubt.concerns(concern.counted)
                )
                if told:
                    alike.setdefault(told, []).append(label_of[measure])
            for told, measures in alike.items():
                of_runs = (
                    f" of {some([label for label, _ in told], EXAMPLES)}" if doubt.of_run else ""
                )
                yield f"{some(measures, EXAMPLES)}{of_runs}: {_filled(doubt.text, told)}"


def _filled(text: str, told: Sequence[tuple[str, QueryCount]]) -> str:
    """The text with the numbers of queries of some runs."""
    queries = {count.queries for _, count in told}
    most = ("up to " if len(queries) > 1 else "") + str(max(queries))
    of_queries = max(count.of_queries for _, count in told)
    return text.replace(QUERIES, most).replace(OF_QUERIES, str(of_queries))


def hardly_judged(
    shares: Mapping[str, JudgedShare], beside: Sequence[JudgedShare] = ()
) -> list[str]:
    """What to say of runs whose document ids may not be those of the qrels.

    Parameters
    ----------
    shares
        How much of each run is judged, by the label of the run.
    beside
        The same of other runs, to compare with.
    """
    some_have_many = any(share.has_many for share in (*shares.values(), *beside))
    return [
        f"{label} {_hardly_judged(share)}"
        for label, share in shares.items()
        if share.has_none or (some_have_many and share.has_few)
    ]


def _hardly_judged(share: JudgedShare) -> str:
    if share.has_none:
        return f"has no judged document: {_other_ids(share)}"
    return (
        f"has {share.judged_in_top} judged documents among the {share.top} of its top {TOP}, where "
        f"another run has most of them judged; {SAME_IDS}"
    )


def _other_ids(share: JudgedShare) -> str:
    of_run, of_qrels = share.ids
    return f"it returns {of_run!r} where the qrels judge {of_qrels!r}; {SAME_IDS}"


def one_line(texts: Sequence[str], what: str) -> Iterator[str]:
    """The first texts about runs in one line; `what` is said of the other runs."""
    if texts:
        more = len(texts) - EXAMPLES
        yield "; ".join(texts[:EXAMPLES]) + (f"; and {more} more runs {what}" if more > 0 else "")


def _label(name: str | None) -> str:
    return "the run" if name is None else run_label(name)


def _first(ids: Iterable[str]) -> list[str]:
    """The first ids, in an order that does not depend on how queries are split into parts."""
    return nsmallest(EXAMPLES + 1, ids)


def some_ids(ids: Sequence[str]) -> str:
    """The first few ids."""
    return ", ".join(map(repr, ids[:EXAMPLES])) + (", ..." * (len(ids) > EXAMPLES)) or "none"
