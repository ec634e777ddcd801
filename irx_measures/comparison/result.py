"""Comparison: the result of comparing systems."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import compress
from typing import TYPE_CHECKING

import ir_measures
import numpy as np

from ..common.markup import PLAIN
from ..common.numbers import MOST_PLACES
from ..common.validators import integer
from ..exceptions import InputError
from ..io.frames import frame
from ..measures.labels import measure_heads, short_labels
from ..measures.named_score import find_measure, lower_is_better
from ..scoring.score_matrix import ScoreMatrix
from ..stats.pairs import Pairs
from ..stats.results import Columns, StudyResult
from ..typing import MeasureLike
from .difference import Difference, difference_of
from .findings import finding
from .how_tested import method_text
from .hypotheses import Hypotheses, Tested, joined_columns, names_of
from .leaderboard import Leaderboard, board_columns, leaderboard
from .method import Method
from .paper_table import html_table, latex_table, markdown_table, table_caption
from .planning import plan
from .score_table import PLACES, ScoreTable, score_table
from .unjudged import FILLED, Filled, FilledMeans

if TYPE_CHECKING:
    from pandas import DataFrame


@dataclass(frozen=True, eq=False, repr=False)
class Comparison(StudyResult):
    """Which systems differ, by how much, and what is tied.

    Attributes
    ----------
    matrix : ScoreMatrix
        The compared scores.
    method : Method
        Test, correction, level, resamples and seed.
    baselines : tuple of str
        The systems that the others are compared with; empty if all pairs are compared.
    tested : tuple of Tested
        The tested hypotheses of every measure.
    filled : FilledMeans, optional
        The systems' means in worlds in which every document has a grade; None without
        ``unjudged='learned'``.
    """

    matrix: ScoreMatrix
    method: Method
    baselines: tuple[str, ...] = ()
    tested: tuple[Tested, ...] = field(compare=False, default=())
    filled: FilledMeans | None = None

    def to_columns(self) -> Columns:
        """One row per measure and hypothesis; see `to_frame`."""
        return {
            **names_of(self.tested),
            **joined_columns(
                self.tested, difference="mean", lower="lower", upper="upper", effect="effect",
                p="p", p_adjusted="p_adjusted", wins="wins", ties="ties", losses="losses",
            ),
            **self._filled_columns(),
        }  # fmt: skip

    def _filled_columns(self) -> Columns:
        if self.filled is None:
            return {}
        parts = [self.filled_of(part) for part in self.tested]
        return {
            **joined_columns(
                parts, p_better="p_better", lower_unjudged="lower", upper_unjudged="upper"
            )
        }

    def filled_of(self, part: Tested) -> Filled:
        """P(A > B) and intervals of the hypotheses of one measure, with ``unjudged='learned'``."""
        if self.filled is None:
            raise InputError("the systems were compared without unjudged='learned'")
        return self.filled.of_hypotheses(part.hypotheses, self.method.level)

    def to_frame(self) -> DataFrame:
        """One row per measure and hypothesis.

        Returns
        -------
        DataFrame
            - measure, system
            - baseline: the other system of the pair if no baselines were given
            - difference: mean score of the system minus that of the baseline
            - lower, upper: interval of the difference, which agrees with the correction; NaN with
              the correction ``bh``, which has none
            - effect: Hedges' g of the paired differences
            - p, p_adjusted: two-sided p-values before and after the correction
            - wins, ties, losses: topics on which the system scores better, the same, worse

            With ``unjudged='learned'`` also:

            - p_better: P(A > B), the probability that the system's mean is higher. It counts both
              the choice of topics and the unjudged documents.
            - lower_unjudged, upper_unjudged: interval of the difference, which counts both. It has
              no correction.
        """
        return frame(self.to_columns())

    @property
    def caption(self) -> str:
        """Test, correction, number of comparisons, level and topics: the caption of a table."""
        return table_caption(self.paper_table(), self.tested, PLAIN)

    def to_latex(self, *, systems: Sequence[str] | None = None, places: int = PLACES) -> str:
        r"""The scores as a table of a paper, in LaTeX with booktabs.

        The best mean of a measure is bold. With baselines, a superscript letter stands for a
        baseline that the system is significantly better than. Without, two systems share a letter
        if they do not differ significantly; tables of more than 15 systems or 6 letters have none.

        Parameters
        ----------
        systems
            The systems to show; by default, all. The tests do not change.
        places
            Decimal places, -1 for all.

        Examples
        --------
        >>> import irx_measures
        >>> campaign = irx_measures.simulate_campaign(systems=6, seed=1)
        >>> scores = irx_measures.evaluate(campaign.runs, campaign.qrels, ["nDCG@10", "AP"])
        >>> result = scores.compare(baseline=["dense-b", "lexical-a"])
        >>> table = result.to_latex(systems=["lexical-c", "lexical-a", "dense-b"])
        >>> print("\n".join(table.splitlines()[4:-1]))
        \begin{tabular}{l r r}
        \toprule
        System & nDCG@10 & AP \\
        \midrule
        lexical-c & \textbf{0.667}$^{a}$ & \textbf{0.535}$^{a}$ \\
        lexical-a & 0.640$^{a}$ & 0.521$^{a}$ \\
        dense-b & 0.432 & 0.318 \\
        \bottomrule
        \end{tabular}
        """
        return latex_table(self.paper_table(systems), self.tested, checked_places(places))

    def to_markdown(self, *, systems: Sequence[str] | None = None, places: int = PLACES) -> str:
        """The scores as a table in Markdown, as GitHub shows it; see `to_latex`."""
        return markdown_table(self.paper_table(systems), self.tested, checked_places(places))

    def to_html(self, *, systems: Sequence[str] | None = None, places: int = PLACES) -> str:
        """The scores as a table in HTML; see `to_latex`."""
        return html_table(self.paper_table(systems), self.tested, checked_places(places))

    def paper_table(self, systems: Sequence[str] | None = None) -> ScoreTable:
        """The means of the systems as papers print them: all systems, or some."""
        letters = [board.letters_by_system for board in self.boards]
        return score_table(self.tested, self.matrix.systems, self.baselines, systems, letters)

    def _said(self) -> list[str]:
        return [
            *super()._said(),
            *lower_is_better(dict.fromkeys(part.hypotheses.measure for part in self.tested)),
            f"tests: {method_text(self.tested)}",
            *(f"warning: {text}" for text in self.warnings),
        ]

    def _shown(self) -> DataFrame:
        """The differences to baselines, or the leaderboard of the first measure."""
        if not self.baselines:
            return frame(board_columns(self.boards[0]))
        kept = ("measure", "system", "baseline", "difference", "lower", "upper", "p_adjusted")
        columns = self.to_columns()
        return frame({name: columns[name] for name in kept})

    @property
    def topics(self) -> int:
        """Number of topics."""
        return len(self.matrix.query_ids)

    @property
    def significant(self) -> int:
        """Number of rejected hypotheses, of all measures."""
        return sum(part.significant for part in self.tested)

    @property
    def labels(self) -> dict[str, str]:
        """Heads of the compared measures by their labels, in order."""
        return {board.label: board.head for board in self.boards}

    @cached_property
    def _named(self) -> dict[ir_measures.Measure, tuple[str, str]]:
        """The label and the head of every measure."""
        labels = short_labels(self.matrix.measures)
        heads = measure_heads(labels)
        return {
            measure: (label, heads[label])
            for measure, label in zip(self.matrix.measures, labels, strict=True)
        }

    def board(self, measure: MeasureLike | None = None) -> Leaderboard:
        """All that is shown of one measure, with the arrays of `leaderboard`."""
        return self.boards[_position(measure, [board.measure for board in self.boards])]

    @cached_property
    def boards(self) -> tuple[Leaderboard, ...]:
        """The leaderboards of all compared measures."""
        return tuple(
            leaderboard(
                *self._named[part.hypotheses.measure],
                part,
                self.baselines,
                None if self.filled is None else self.filled.p_best(part.hypotheses),
            )
            for part in self.tested
        )

    def leaderboard(self, measure: MeasureLike | None = None) -> DataFrame:
        """The systems in the order of their means, with the ranks that the tests cannot rule out.

        Parameters
        ----------
        measure
            One of the compared measures; it may be omitted if there is only one.

        Returns
        -------
        DataFrame
            - system: without systems that have no score on the measure
            - mean, lower, upper: mean over topics and its t interval

            Without baselines also:

            - rank_low, rank_high: ``1 + number of significantly better systems`` and ``number of
              systems - number of significantly worse systems``. All systems' true ranks lie in
              these intervals at once, at the level of the comparison; not with the correction
              ``bh``, which has no ranks.
            - best: whether the system may be the best, because no system is significantly better:
              rank_low is 1
            - letters: two systems share a letter exactly if they do not differ significantly;
              missing if more than 26 letters are needed, or there are more than 100 systems
            - p_best, with ``unjudged='learned'``: the probability that the system's mean is the
              highest, over the choice of topics and the grades of unjudged documents
        """
        return frame(board_columns(self.board(measure)))

    def difference(
        self, system: str, baseline: str | None = None, measure: MeasureLike | None = None
    ) -> Difference:
        """The difference of two systems that were compared, topic by topic and on average.

        Parameters
        ----------
        system
            The name of a system.
        baseline
            The system that is subtracted; it may be omitted if the comparison has one baseline.
        measure
            One of the compared measures; it may be omitted if there is only one.
        """
        if baseline is None:
            if len(self.baselines) != 1:
                raise InputError(
                    "`baseline` may be omitted only if the comparison has one baseline; it has "
                    f"{len(self.baselines)}"
                )
            (baseline,) = self.baselines
        for name, argument in ((system, "system"), (baseline, "baseline")):
            position_of(name, self.matrix.systems, argument)
        return difference_of(self._tested_on(measure), system, baseline)

    def topics_needed(self, system: str, other: str) -> DataFrame:
        """How many topics a test of these two systems needs for a power of .8.

        The plan is for one pair that was chosen beforehand: a paired t test at the level of the
        comparison, without correction. With ``test='moderated-t'``, the variance is moderated as in
        the comparison.

        Parameters
        ----------
        system, other
            Names of two systems.

        Returns
        -------
        DataFrame
            One row per measure that scores both systems:

            - measure, difference, effect (Hedges' g)
            - p: of this test on the topics at hand
            - topics: number of topics in total if the effect is exactly the observed one
            - topics_safe: number of topics in total if the effect is smaller than the observed one
              by .84 standard errors; infinite if the topics at hand do not show a direction well
              enough to plan
        """
        pair = [self._system(name) for name in (system, other)]
        if pair[0] == pair[1]:
            raise InputError(f"`other` must be another system than `system`; got {other!r} twice")
        scores = self.matrix.scores[:, pair]
        defined = ~np.isnan(scores).any(axis=(1, 2))
        if not defined.any():
            raise InputError(f"no measure scores both {system!r} and {other!r}")
        difference = scores[defined, 0] - scores[defined, 1]
        measures = [self.matrix.measures[place] for place in np.flatnonzero(defined).tolist()]
        families = {part.hypotheses.measure: part.family_variance for part in self.tested}
        plans = [
            plan(row[np.newaxis], self.method, families.get(measure))
            for row, measure in zip(difference, measures, strict=True)
        ]
        return frame(
            {
                "measure": list(map(str, measures)),
                "difference": difference.mean(axis=1),
                **joined_columns(
                    plans, effect="effect", p="p", topics="topics", topics_safe="topics_safe"
                ),
            }
        )

    @property
    def summary(self) -> str:
        """The result in one line."""
        found = "; ".join(
            f"{label}: {text}" for label, text in zip(self.labels, self.findings, strict=True)
        )
        return found if self.filled is None else f"{found}. {FILLED}"

    @cached_property
    def findings(self) -> list[str]:
        """What was found in each measure."""
        return [finding(board) for board in self.boards]

    @property
    def warnings(self) -> tuple[str, ...]:
        """Why the scores may not answer the question: what `evaluate` warned of."""
        return self.matrix.warnings

    @property
    def left_out(self) -> dict[str, tuple[str, ...]]:
        """Systems without a score, by measure; they are not compared on it."""
        return left_out_of(self.matrix)

    def _tested_on(self, measure: MeasureLike | None) -> Tested:
        return self.tested[_position(measure, [part.hypotheses.measure for part in self.tested])]

    def _system(self, name: str) -> int:
        return position_of(name, self.matrix.systems, "system")


def _position(measure: MeasureLike | None, measures: Sequence[ir_measures.Measure]) -> int:
    if measure is None and len(measures) == 1:
        return 0
    found = None if measure is None else find_measure(measure, measures)
    if found is None:
        raise InputError(f"`measure` must be one of {', '.join(map(str, measures))}; got {measure}")
    return measures.index(found)


def checked_places(places: int) -> int:
    return integer(-1, MOST_PLACES).check("places", places)


def position_of(name: str, systems: Sequence[str], argument: str) -> int:
    """Position of a system by its name; InputError if there is none."""
    if name not in systems:
        from difflib import get_close_matches

        close = get_close_matches(str(name), systems, 3)
        known = close or list(systems)[:5]
        raise InputError(
            f"`{argument}` must name one of the {len(systems)} systems, such as "
            f"{', '.join(map(repr, known))}; got {name!r}"
        )
    return systems.index(name)


def left_out_of(matrix: ScoreMatrix) -> dict[str, tuple[str, ...]]:
    """Systems without a score, by measure."""
    return {
        str(measure): tuple(matrix.systems[place] for place in np.flatnonzero(row).tolist())
        for measure, row in zip(matrix.measures, matrix.undefined, strict=True)
        if row.any()
    }


def hypotheses_of(
    matrix: ScoreMatrix, baselines: Sequence[str], group: str | None = None
) -> list[Hypotheses]:
    """The hypotheses of every measure that scores enough systems; `group` is their queries'."""
    hypotheses = []
    for measure, scores, undefined in zip(
        matrix.measures, matrix.scores, matrix.undefined, strict=True
    ):
        systems = tuple(compress(matrix.systems, (~undefined).tolist()))
        against = [systems.index(name) for name in baselines if name in systems]
        pairs = Pairs.against(len(systems), against) if baselines else Pairs.of(len(systems))
        if len(pairs.first):
            hypotheses.append(Hypotheses(measure, systems, scores[~undefined], pairs, group))
    return hypotheses
