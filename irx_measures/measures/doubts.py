"""Reasons why scores may not answer the user's question. Each call warns of each reason once."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain
from typing import NamedTuple

import numpy as np

from ..common.warn import warn
from ..exceptions import InputError
from ..io.columns import RunColumns, run_label
from ..judgments.judged_run import JudgedRun
from ..judgments.judged_share import TOP, JudgedShare
from .labels import short_labels

EXAMPLES = 3  # in a warning, which is one line

QUERIES = "{queries}"

SAME_IDS = "do both have the same kind of document ids?"

HARDLY_JUDGED = "have hardly a judged document"


class Doubt(NamedTuple):
    """A reason why the scores of a measure may not answer the user's question.

    Attributes
    ----------
    text
        The text after the names of measure and runs. `QUERIES` stands for the number of queries.
    of_run
        Whether the doubt depends on the run, so that the message names the runs.
    queries
        The number of the run's queries that the doubt concerns.
    instead
        The scores that a host that does not accept NaN gets. This text follows `text`.
    about
        What to say of this run only. This text follows the name of the run.
    """

    text: str
    of_run: bool = True
    queries: int = 0
    instead: str = ""
    about: str = ""


class Doubts:
    """The doubts of one call. Each doubt is one line, even if it concerns many runs and measures.

    Parameters
    ----------
    hosted
        Whether the scores go to a host that does not accept NaN.
    """

    def __init__(self, hosted: bool = False) -> None:
        self._hosted = hosted
        self._of_measures: dict[str, dict[str, dict[str, int]]] = {}
        self._missed: list[str] = []
        self._ranks: list[str] = []
        self._shares: dict[str, JudgedShare] = {}
        self._told: set[str] = set()

    def add_run(self, run: RunColumns, judged: JudgedRun, name: str | None = None) -> None:
        """Record the queries that a run misses, and ranks that contradict its scores."""
        if run.origin is not None and run.origin.ranks:
            self._ranks.append(f"{_label(name)}: {run.origin.ranks}")
        missed = np.flatnonzero(judged.returned == 0).tolist()
        label, queries = _label(name), judged.judgments.query_ids
        if not missed:
            return
        if len(missed) == len(queries):
            what = f"shares no query with the qrels, which have {some_ids(queries)}"
            self._missed.append(f"{label} {what}; it has {some_ids(run.query_ids)}")
        else:
            examples = some_ids([queries[row] for row in missed])
            self._missed.append(
                f"{label} misses {len(missed)} of {len(queries)} queries ({examples})"
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
            runs = self._of_measures.setdefault(text, {}).setdefault(str(measure), {})
            if doubt.of_run:
                runs[_label(name) + doubt.about] = doubt.queries

    def tell(self) -> tuple[str, ...]:
        """Warn of all recorded doubts, except those already reported; returns the warnings."""
        new = [message for message in self._messages() if message not in self._told]
        for message in new:
            self._told.add(message)
            warn(message)
        self._missed.clear()
        self._ranks.clear()
        self._shares.clear()
        self._of_measures.clear()
        return tuple(new)

    def _messages(self) -> Iterator[str]:
        yield from one_line(self._missed, "miss queries")
        yield from one_line(hardly_judged(self._shares), HARDLY_JUDGED)
        yield from one_line(self._ranks, "have such ranks")
        asked = dict.fromkeys(chain.from_iterable(self._of_measures.values()))
        label_of = dict(zip(asked, short_labels(asked), strict=True))
        for text, of_measures in self._of_measures.items():
            alike: dict[tuple[tuple[str, int], ...], list[str]] = {}
            for measure, runs in of_measures.items():
                alike.setdefault(tuple(runs.items()), []).append(label_of[measure])
            for runs_and_queries, measures in alike.items():
                labels = [label for label, _ in runs_and_queries]
                counts = {queries for _, queries in runs_and_queries}
                most = ("up to " if len(counts) > 1 else "") + str(max(counts, default=0))
                of_runs = f" of {_some(labels)}" if labels else ""
                yield f"{_some(measures)}{of_runs}: {text.replace(QUERIES, most)}"


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


def some_ids(ids: Sequence[str]) -> str:
    """The first few ids."""
    return ", ".join(map(repr, ids[:EXAMPLES])) + (", ..." * (len(ids) > EXAMPLES)) or "none"


def _some(labels: Sequence[str]) -> str:
    more = len(labels) - EXAMPLES
    return ", ".join(labels[:EXAMPLES]) + (f" and {more} more" if more > 0 else "")
