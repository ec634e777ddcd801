"""Scores of subsets of the systems, for measures that depend on the other systems."""

from __future__ import annotations

from collections.abc import Iterable

from ..io.table import Table
from ..measures.relative import RelativeMeasure
from ..measures.strings import parse_measure
from ..runsets.judged_set import JudgedSet
from ..typing import GroupsLike, MeasureLike, QrelsLike, RunsLike, ScoreArray
from .evaluate import judged_documents, parse_all, score_shared, set_of


class SubsetScorer:
    """Scores some of the systems on a measure, as if only these systems had taken part.

    Runs are ranked and judged once, so that many subsets are scored quickly.
    `irx_measures.meta.system_impact` accepts a SubsetScorer.

    Parameters
    ----------
    runs, qrels, groups, strict, progress
        As for `evaluate`.
    measure
        A measure or measure string. In it, `others` means the chosen systems; a measure without
        `others` gives a system the same scores in every subset.

    Attributes
    ----------
    systems : tuple of str
    measure : Measure
    undefined : (systems,) bools
        Which systems have no score when all systems are compared.

    Examples
    --------
    >>> import irx_measures
    >>> runs = {"a": {"q": {"A": 1.0}}, "b": {"q": {"A": 1.0}}, "c": {"q": {"X": 1.0}}}
    >>> qrels = {"q": {"A": 1, "X": 0}}
    >>> score = irx_measures.SubsetScorer(runs, qrels, "P_Rareness(systems=others)@1")
    >>> score([0, 2]).tolist()  # one of these two systems returns A
    [[1.5], [0.0]]
    """

    def __init__(
        self,
        runs: RunsLike,
        qrels: QrelsLike | Table,
        measure: MeasureLike,
        groups: GroupsLike | None = None,
        *,
        strict: bool = True,
        progress: bool | None = None,
    ) -> None:
        (self.measure,) = parse_all(parse_measure(measure))
        runset = set_of(runs, groups, strict)
        columns = judged_documents(qrels, strict)
        scored = score_shared(runset, columns, [self.measure], progress)
        self._runset = runset
        self.systems = runset.names
        self._scores = scored.matrix.scores[0]
        self.undefined = scored.matrix.undefined[0]
        self._judged: JudgedSet | None = None
        if isinstance(self.measure, RelativeMeasure) and self.measure.of_others:
            self._judged = scored.judged_set

    def __call__(self, positions: Iterable[int]) -> ScoreArray:
        """Scores of the systems at these positions: (systems chosen, queries), NaN if undefined.

        Raises
        ------
        ValueError, TypeError
            When a position is out of range, or is repeated.
        """
        chosen = self._runset.chosen(positions)
        if self._judged is None or not isinstance(self.measure, RelativeMeasure):
            return self._scores[chosen]
        return self.measure.score_set(self._judged.subset(self._runset, chosen))
