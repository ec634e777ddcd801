"""Reasons why scores may not answer the user's question. Each call warns of each reason once."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np

from ..common.warn import warn
from ..common.writing import some, told_apart
from ..exceptions import InputError
from ..io.qrels_files import judging_log_of
from ..io.table import run_label
from ..judgments.judged_run import JudgedRun
from ..judgments.judged_share import TOP, JudgedShare, spelled_otherwise
from .labels import short_labels

EXAMPLES = 3  # in a warning, which is one line

COUNT, SUCH = "{count}", "{such}"

SAME_IDS = "do both have the same kind of document ids?"

CONTRADICTED = "has ranks that contradict its scores"

ROUNDED = (
    "has mostly scores that differ as given and tie as float32, by which trec_eval ranks, so that "
    "document ids decide their order; scale the scores, or give ranks as scores"
)

PLANNED = (
    "has a judging log beside it: its documents were chosen to compare systems, so absolute scores "
    "are biased (95% intervals of means cover 16% to 46%); take the answer from 'irx judge "
    "status', which draws the grades of unjudged documents"
)


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
        return self.text.replace(COUNT, count).replace(SUCH, _first(self.such))

    def plus(self, other: Doubt) -> Doubt:
        """The doubt about two parts of the queries."""
        return self._replace(
            queries=self.queries + other.queries,
            of_queries=self.of_queries + other.of_queries,
            such=tuple(sorted({*self.such, *other.such} - {""})[: EXAMPLES + 1]),
        )


class Doubts:
    """The doubts of one call. Each is one line, even if it concerns many runs and measures."""

    def __init__(self) -> None:
        # By text and measure ("" for a doubt about any), then by the label of the run.
        self._known: dict[tuple[str, str], dict[str, Doubt]] = {}
        self._shares: dict[str, JudgedShare] = {}
        self._told: set[str] = set()

    def join(self, part: Doubts) -> None:
        """Add the doubts about another part of the queries."""
        for label, share in part._shares.items():
            known = self._shares.get(label)
            self._shares[label] = share if known is None else known.plus(share)
        for key, of_runs in part._known.items():
            same = self._known.setdefault(key, {})
            for label, doubt in of_runs.items():
                same[label] = same[label].plus(doubt) if label in same else doubt

    def add(self, measure: object, doubts: Iterable[Doubt], name: str | None = None) -> None:
        """Record a measure's doubts about the scores of a run; "" stands for any measure."""
        for doubt in doubts:
            of_runs = self._known.setdefault((doubt.text, str(measure)), {})
            of_runs[_label(name) if doubt.of_run else ""] = doubt

    def add_run(self, judged: JudgedRun, name: str | None = None) -> None:
        """Record missed queries, ids spelled otherwise, and scores equal as float32 only."""
        rows = np.flatnonzero(judged.returned == 0).tolist()
        missed = _examples(judged.judgments.query_ids[row] for row in rows)
        spelled = spelled_otherwise(judged)
        doubts = [
            Doubt(f"misses {COUNT} ({SUCH})", len(rows), len(judged.returned), such=missed),
            Doubt(SUCH, int(bool(spelled)), such=(spelled,)),
            Doubt(ROUNDED, int(judged.tie_by_rounding)),
        ]
        self.add("", doubts, name)

    def add_ranks(self, ranks: str, name: str | None = None) -> None:
        """Record ranks that contradict a run's scores."""
        doubt = Doubt(f"{CONTRADICTED}: {SUCH}", int(bool(ranks)), such=(ranks,))
        self.add("", [doubt], name)

    def add_qrels(self, path: Path) -> None:
        """Record qrels of which a judging campaign chose the documents."""
        if judging_log_of(path).exists():
            self.add("", [Doubt(f"{path} {PLANNED}", of_run=False)])

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

    def tell(self) -> tuple[str, ...]:
        """Warn of all recorded doubts, except those already reported; returns the warnings."""
        new = [text for text in dict.fromkeys(self._messages()) if text not in self._told]
        self._told.update(new)
        for message in new:
            warn(message)
        self._known.clear()
        self._shares.clear()
        return tuple(new)

    def _messages(self) -> Iterator[str]:
        """The warnings about runs, then those about the scores of measures."""
        asked = dict.fromkeys(measure for _, measure in self._known if measure)
        label_of = dict(zip(asked, short_labels(asked), strict=True))
        of_measures: dict[str, list[str]] = {}  # by the run and the sentence about it
        for (_, measure), doubts in self._known.items():
            told = {label: doubt.sentence for label, doubt in doubts.items() if doubt.is_told}
            if told:
                first, *others = told
                sentence = told[first] + _likewise(others)
                if measure:
                    text = f"{f' of {first}' if first else ''}: {sentence}"
                    of_measures.setdefault(text, []).append(label_of[measure])
                else:
                    yield f"{first} {sentence}".lstrip()
        yield from filter(None, [hardly_judged(self._shares)])
        for text, measures in of_measures.items():
            yield f"{some(measures, EXAMPLES)}{text}"


def _likewise(labels: Sequence[str]) -> str:
    return f"; likewise {some(labels, EXAMPLES - 1, 'run')}" if labels else ""


def hardly_judged(shares: Mapping[str, JudgedShare], beside: Sequence[JudgedShare] = ()) -> str:
    """What to say of runs, by label, whose document ids may not be those of the qrels; empty if of
    none. They are also compared with the runs `beside` them."""
    some_have_many = any(share.has_many for share in (*shares.values(), *beside))
    hardly = {
        label: share
        for label, share in shares.items()
        if share.has_none or (some_have_many and share.has_few)
    }
    for first, share in [*hardly.items()][:1]:
        why = f"no judged document: {_other_ids(share)}"
        if not share.has_none:
            why = (
                f"{share.judged_in_top} judged documents among the {share.top} of its top {TOP}, "
                f"where another run has most of them judged; {SAME_IDS}"
            )
        return f"{first} has {why}{_likewise([*hardly][1:])}"
    return ""


def _other_ids(share: JudgedShare) -> str:
    of_run, of_qrels = share.ids
    of_run, of_qrels = told_apart([of_run, of_qrels])
    return f"it returns {of_run} where the qrels judge {of_qrels}; {SAME_IDS}"


def _label(name: str | None) -> str:
    return "the run" if name is None else run_label(name)


def _examples(ids: Iterable[str]) -> tuple[str, ...]:
    """The first ids, in an order that does not depend on how queries are split into parts."""
    return tuple(sorted(map(repr, ids))[: EXAMPLES + 1])


def some_ids(ids: Sequence[str], others: Sequence[str] = ()) -> str:
    """The first few ids; with escapes if they look like others that they are not."""
    few, beside = ids[: EXAMPLES + 1], others[: EXAMPLES + 1]
    return _first(told_apart([*few, *beside])[: len(few)])


def _first(texts: Sequence[str]) -> str:
    return ", ".join(texts[:EXAMPLES]) + (", ..." * (len(texts) > EXAMPLES)) or "none"
