"""Facts about the runs and qrels of a call, and the warnings that follow from them.

Scores are computed without them. Runs are judged one at a time, so what is known of a run is kept
here, and the run is not. When all runs are scored, the facts are asked for the reasons why the
scores may not answer the user's question.
"""

from __future__ import annotations

import os
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import NoReturn

import ir_measures
import numpy as np

from ..common.warn import warn
from ..common.writing import EXAMPLES, some, some_ids
from ..exceptions import InputError
from ..io.table import Table, run_label
from ..judgments.judged_run import JudgedRun
from ..judgments.judged_share import JudgedShare, hardly_judged, likewise, other_ids, why_hardly
from ..judgments.judgments import Judgments
from ..judgments.ranking import TOP
from ..measures.declaring.base import Measure
from ..measures.declaring.doubt import COUNT, SUCH, Doubt
from ..measures.declaring.relative import RelativeMeasure
from ..measures.naming.labels import labels_of_measures
from ..runsets.judged_set import JudgedSet
from .qrels import doubt_judging_log, doubt_relevance
from .spelling import spelled_otherwise
from .uneven import doubt_uneven, is_low

CONTRADICTED = f"has ranks that contradict its scores: {SUCH}"

ROUNDED = (
    "has mostly scores that differ as given and tie as float32, by which trec_eval 9 and "
    "ir_measures rank, so that document ids decide their order; scale the scores, or give ranks as "
    "scores"
)

TIED = (
    f"has mostly equal scores in the top {TOP} of {COUNT}, so that document ids decide their "
    "order; give more digits of the scores, or give ranks as scores"
)
IDENTICAL = (
    f"has the document with the query's own id in the top {TOP} of {COUNT}; BEIR leaves these "
    "documents out (`ignore_identical_ids=True` does so)"
)

# Of the queries for which a run returned documents. A choice: of 170 runs of three TREC
# collections, it speaks of two, whose scores are whole numbers or have two decimals.
MOST = 0.5

ANY = ""  # in place of a measure: the doubt is about the scores of all of them


def other_queries(judged: Sequence[str], returned: Sequence[str]) -> str:
    """The message on qrels and runs of different queries: those of the qrels and of a run."""
    return (
        f"qrels and runs share no query: the qrels have {some_ids(judged, returned)}, the first "
        f"run {some_ids(returned, judged)}"
    )


def refuse_other_queries(judged: Sequence[str], first: Table) -> NoReturn:
    """InputError: no run has a query of the qrels; the message names some of the first run."""
    said = other_queries(judged, first.query_ids)
    if os.path.isfile("".join(first.doc.take(slice(1)))):  # {"bm25": ["run.1", "run.2"]}
        said = f"{said}; the files of a run are listed as pathlib.Path"
    raise InputError(said)


class Facts:
    """What is known of the runs and qrels of a call, and what users are told of it.

    `measures` are those that score the runs. Of them, `together` are those that score all runs at
    once: they are asked by `add_set`, the others by `add`. `rankings` is the number of rankings in
    all runs, for queries of the qrels.
    """

    def __init__(
        self,
        measures: Iterable[ir_measures.Measure],
        together: Sequence[RelativeMeasure] = (),
    ) -> None:
        self._measures = tuple(measures)
        self._together = tuple(together)
        self.rankings = 0
        # By text, measure and label of the run, which is empty if all runs have the doubt.
        self._doubts: dict[tuple[str, str, str], Doubt] = {}
        self._shares: dict[str | None, JudgedShare] = {}  # by the name of the run
        self._beside: list[JudgedShare] = []
        self._of_log: tuple[str, ...] = ()  # what a judging log says of the scores

    def add_qrels(self, judgments: Judgments, path: Path | None = None, dataset: str = "") -> None:
        """Keep the doubts about the qrels, and the file or ir_datasets id that they are from."""
        if path is not None and depend_on_qrels(self._measures):
            self._of_log = tuple(doubt_judging_log(path, judgments))
        for measure in self._measures:
            self.doubt(measure, doubt_relevance(measure, judgments, dataset))

    def add(self, judged: JudgedRun) -> None:
        """Keep the facts about a run."""
        label = _label(judged.name)
        for measure in self._measures:
            if isinstance(measure, Measure) and measure not in self._together:
                self.doubt(measure, measure.doubts(judged), label)
        self.doubt(ANY, _doubts_of_run(judged), label)
        self.rankings += int(np.count_nonzero(judged.returned))
        if depend_on_qrels(self._measures):
            self._shares[judged.name] = JudgedShare.of(judged)

    @property
    def may_be_uneven(self) -> bool:
        """Whether a run would be told of if more of another were judged."""
        return any(share.top and is_low(share) for share in self._shares.values())

    def compare_with(self, shares: Iterable[JudgedShare]) -> None:
        """Compare the runs with others, of which nothing is told, by how much of them is judged."""
        self._beside += shares

    def add_set(self, judged_set: JudgedSet) -> None:
        """Keep the doubts of the measures that score all runs at once."""
        for measure in self._together:
            for position, doubt in measure.doubts_of_set(judged_set):
                self.doubt(measure, [doubt], _label(judged_set.names[position]))

    def doubt(self, measure: object, doubts: Iterable[Doubt], label: str = "") -> None:
        """Keep doubts about the scores of a run on a measure, or `ANY`."""
        for doubt in doubts:
            of_whom = label if doubt.of_run else ""
            self._doubts[doubt.text, str(measure), of_whom] = doubt

    def add_ranks(self, ranks: str, name: str | None) -> None:
        """Keep how the ranks of a run contradict its scores; an empty text if they do not."""
        self.doubt(ANY, [_of_ranks(ranks)], _label(name))

    def has_doubt(self, measure: object, text: str) -> bool:
        """Whether a doubt about the scores on a measure begins with this text."""
        return any(each.startswith(text) and of == str(measure) for each, of, _ in self._doubts)

    def join(self, part: Facts) -> None:
        """Add the facts about another part of the queries."""
        self.rankings += part.rankings
        for name, share in part._shares.items():
            known = self._shares.get(name)
            self._shares[name] = share if known is None else known.plus(share)
        for key, doubt in part._doubts.items():
            same = self._doubts.get(key)
            self._doubts[key] = doubt if same is None else same.plus(doubt)

    def refuse_other_ids(self) -> None:
        """InputError if runs returned documents, and no document of any run is judged."""
        shares = {name: share for name, share in self._shares.items() if share.returned}
        if shares and all(share.has_none for share in shares.values()):
            name, share = next(iter(shares.items()))
            raise InputError(
                f"no run has a judged document, such as {_label(name)}: {other_ids(share)} "
                "(`strict=False` scores such runs)"
            )

    def warnings(self, measures: Iterable[ir_measures.Measure] | None = None) -> tuple[str, ...]:
        """Why the scores may not answer the user's question, each reason in one line.

        Only of some of the measures if they are given.
        """
        asked = self._measures if measures is None else tuple(measures)
        label_of = labels_of_measures(asked)
        lines: list[str] = []
        labels_by_text: dict[str, list[str]] = {}  # measures with the same doubt share a line
        for (text, measure), runs in self._runs_told(asked).items():
            if not runs:
                continue
            first, *others = runs
            sentence = self._doubts[text, measure, first].sentence + likewise(others)
            if measure == ANY:
                lines.append(f"{first} {sentence}")
            elif measure in label_of:
                of_run = f" of {first}" if first else ""
                labels_by_text.setdefault(f"{of_run}: {sentence}", []).append(label_of[measure])
        if depend_on_qrels(asked):
            lines = [*self._of_log, *lines, *self._about_judged(asked)]
        lines += [f"{some(labels, EXAMPLES)}{text}" for text, labels in labels_by_text.items()]
        return tuple(dict.fromkeys(lines))

    def _runs_told(
        self, measures: Sequence[ir_measures.Measure]
    ) -> dict[tuple[str, str], list[str]]:
        """The labels of the runs of which a doubt is told, by its text and measure.

        Equal scores are told only if a measure orders ties, and of no run whose equal scores
        another doubt explains.
        """
        runs_of: dict[tuple[str, str], list[str]] = defaultdict(list)
        for (text, measure, label), doubt in self._doubts.items():
            runs = runs_of[text, measure]  # even if it stays empty: the first run sets the order
            if doubt.is_told:
                runs.append(label)
        if measures and not any(getattr(measure, "orders_ties", True) for measure in measures):
            runs_of[ROUNDED, ANY].clear()
            runs_of[TIED, ANY].clear()
        explained = {*runs_of[ROUNDED, ANY], *runs_of[CONTRADICTED, ANY]}
        runs_of[TIED, ANY] = [label for label in runs_of[TIED, ANY] if label not in explained]
        return runs_of

    def _about_judged(self, measures: Sequence[ir_measures.Measure]) -> Iterator[str]:
        """Doubts about runs of which less is judged than of others."""
        shares = {_label(name): share for name, share in self._shares.items()}
        hardly = hardly_judged(shares, self._beside)
        yield from why_hardly(hardly)
        if not self._of_log:  # which says more of the same
            rest = {n: share for n, share in self._shares.items() if _label(n) not in hardly}
            yield from doubt_uneven(rest, self._beside, measures)


def tell(texts: Iterable[str]) -> None:
    """Warn of each."""
    for text in texts:
        warn(text)


def depend_on_qrels(measures: Iterable[ir_measures.Measure]) -> bool:
    """Whether the scores of a measure depend on the judged documents, not only on a reference."""
    return any(not isinstance(measure, Measure) or measure.of_qrels for measure in measures)


def _doubts_of_run(judged: JudgedRun) -> Iterator[Doubt]:
    """Missed queries, ids spelled otherwise, equal scores, own documents, contradicting ranks."""
    rows = np.flatnonzero(judged.returned == 0).tolist()
    # The first ids, in an order that does not depend on how queries are split into parts.
    missed = sorted(repr(judged.judgments.query_ids[row]) for row in rows)[: EXAMPLES + 1]
    yield Doubt(f"misses {COUNT} ({SUCH})", len(rows), len(judged.returned), such=tuple(missed))
    spelled = spelled_otherwise(judged)
    yield Doubt(SUCH, int(bool(spelled)), such=(spelled,))
    yield Doubt(ROUNDED, int(judged.tie_by_rounding))
    yield Doubt(TIED, judged.tied_tops, int(np.count_nonzero(judged.returned)), above=MOST)
    yield Doubt(IDENTICAL, judged.own_tops, int(np.count_nonzero(judged.returned)), above=MOST)
    yield _of_ranks(judged.contradiction)


def _of_ranks(ranks: str) -> Doubt:
    return Doubt(CONTRADICTED, int(bool(ranks)), such=(ranks,))


def _label(name: str | None) -> str:
    return "the run" if name is None else run_label(name)
