"""Table 7 and Figure 1 of the bootstrap paper: real incompleteness of TREC-COVID."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import nan
from typing import TYPE_CHECKING

import numpy as np

from ...common.numeric import BoolArray, FloatArray
from ...io.frames import frame
from ...io.table import Table
from ...io.trec import read_qrels
from ...judgments.judgments import Judgments
from ...measures.bootstrap import bootstrap_ndcg
from ...meta import unjudged_by_rank
from ...plots import score_distributions
from ...plots import unjudged_by_rank as draw_unjudged
from ...scoring.evaluate import evaluate
from ...scoring.score_matrix import ScoreMatrix
from ..material import Material
from ..results import Claim, PaperFigure, PaperTable, in_rows
from .definitions import DECLARED
from .left_out import Prevalence, grade_counts, shares

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from pandas import DataFrame, Series

EXPANDED = "qrels.expanded.txt.gz"
JUDGMENTS_IN_PAPER = 66_336  # of the original qrels, as in BEIR, which the paper uses

# pool='all' reproduces the authors' code: the prior of the pool counts the judgments of all topics.
DEFAULT, CONDENSED, BOTH, NAIVE, TIGHT = "Default", "Cond.", "BS P+R", "Naive", "BS P+R@95"
COLUMNS = {
    DEFAULT: "nDCG@10",
    CONDENSED: "nDCG(judged_only=True)@10",
    BOTH: "BootNDCG(pool=all)@10",
    NAIVE: "nDCGBound(bound=upper)@10",
    TIGHT: "BootNDCG(pool=all, stat=q95)@10",
}
COMPLETE = "Ex. Qrels"

# Topics by their share of unjudged documents in the top 10: from the first share to below the
# second. The paper's numbers show that topics with exactly .5 belong to the second selection.
SELECTIONS = {".25 to .5": (0.25, 0.5), ".5 to 1": (0.5, 1.05), "All Topics": (0.0, 1.05)}

FIGURE_1_SYSTEM = "ANCE"
FIGURE_1_TOPICS = ("3", "19", "22", "34")  # those that the text names
MOST_TOPICS = 8  # drawn where the paper's topics are absent: more would be too small to read
MOST_NAMED = 4  # in the evidence of a claim, which is one sentence
SHARE_KEPT = 0.8  # of the judgments of a simulated campaign


@dataclass(frozen=True, eq=False)
class Incomplete:
    """Runs on incomplete qrels, and on qrels with the judgments that were missing.

    Attributes
    ----------
    material : Material
        Runs and incomplete qrels.
    expanded : Table or None
        The qrels in which the unjudged documents were judged later.
    matrix : ScoreMatrix
        Scores on the incomplete qrels.
    unjudged : (systems, queries) floats
        The share of unjudged documents in the top 10.
    answered : (systems, queries) bools
        Whether the run returns documents for the query.
    complete : ScoreMatrix or None
        nDCG@10 on the expanded qrels.
    """

    material: Material
    expanded: Table | None
    matrix: ScoreMatrix
    unjudged: FloatArray
    answered: BoolArray
    complete: ScoreMatrix | None

    @property
    def actual(self) -> FloatArray:
        """nDCG@10 on the expanded qrels, in the order of `matrix`; NaN if it is not known."""
        if self.complete is None:
            return np.full(self.unjudged.shape, nan)
        known = dict(zip(self.complete.query_ids, self.complete.scores[0].T, strict=True))
        return frame(known).reindex(columns=list(self.matrix.query_ids)).to_numpy(float)

    @property
    def is_of_paper(self) -> bool:
        """Whether the data is the paper's."""
        return DECLARED.judge(self.material).of_paper

    def scores(self, place: int) -> dict[str, FloatArray]:
        """The scores of a system by column: (queries,)."""
        of_columns = {name: self.matrix[text][place] for name, text in COLUMNS.items()}
        return {**of_columns, COMPLETE: self.actual[place]}

    @property
    def remark(self) -> str:
        """What differs from the paper."""
        if not self.is_of_paper:
            return "" if self.expanded else f"{COMPLETE}: no qrels with the missing judgments"
        judgments = len(self.material.qrels.value)
        missing = "" if self.expanded else f"; {COMPLETE}: {EXPANDED} is not in the data folder"
        return (
            f"{judgments} judgments, the paper has {JUDGMENTS_IN_PAPER} (beir/trec-covid); "
            f"{BOTH} and {TIGHT} are sampled{missing}"
        )


def incomplete_runs(material: Material) -> Incomplete:
    """The scores of runs on incomplete qrels.

    TREC-COVID has the missing judgments, if they are in the folder of local data. A simulated
    campaign loses some of its judgments here.
    """
    if material.origin == "simulated":
        return score_incomplete(_without_some_judgments(material), material.qrels)
    path = material.file(EXPANDED)
    return score_incomplete(material, None if path is None else read_qrels(path))


def score_incomplete(material: Material, expanded: Table | None = None) -> Incomplete:
    """Evaluate runs on incomplete qrels, and on expanded ones where they are given."""
    matrix = evaluate(
        material.runs, material.qrels, ["Judged@10", *COLUMNS.values()], progress=False
    )
    complete = None
    if expanded is not None:
        complete = evaluate(material.runs, expanded, "nDCG@10", progress=False)
    answers = [set(run.query_ids) for run in material.runs.each()]
    answered = np.array([[query in own for query in matrix.query_ids] for own in answers])
    unjudged = (1.0 - matrix["Judged@10"]).round(9)
    return Incomplete(material, expanded, matrix, unjudged, answered, complete)


def _without_some_judgments(material: Material) -> Material:
    judgments = Judgments(material.qrels)
    keep = np.random.default_rng(1).random(judgments.grade.shape) < SHARE_KEPT
    what = f"{material.description}, with {SHARE_KEPT:.0%} of its judgments"
    return replace(material, qrels=judgments.where(keep), description=what)


def table_7(found: Incomplete) -> PaperTable:
    """Table 7: mean scores on incomplete and on expanded qrels, by the share of unjudged documents.

    The means are over the topics that a run answers: the best run of round 1 had 30 topics.
    """
    here: dict[tuple[str, str], float] = {}
    for selection, (low, high) in SELECTIONS.items():
        for place, system in enumerate(found.matrix.systems):
            unjudged = found.unjudged[place]
            topics = found.answered[place] & (unjudged >= low) & (unjudged < high)
            if not topics.any():
                continue
            row = f"{system}, {selection}"
            here[row, "topics"] = topics.sum()
            for name, values in {"U@10": unjudged, **found.scores(place)}.items():
                here[row, name] = values[topics].mean()
    return DECLARED.table("Table 7", here, found.material, remark=found.remark)


def prevalence_of_expansion(found: Incomplete) -> Prevalence:
    """The grades in the original qrels, and of the documents that were judged later (Table 3)."""
    original = found.material.qrels
    added = np.zeros(1, np.int64)
    if found.expanded is not None:
        known = set(zip(original.query.all(), original.doc.all(), strict=True))
        pairs = zip(found.expanded.query.all(), found.expanded.doc.all(), strict=True)
        new = np.array([pair not in known for pair in pairs])
        added = np.bincount(np.maximum(found.expanded.value[new], 0))
    pool, unjudged = shares([grade_counts(original)]), shares([added])
    return Prevalence(found.material, pool, unjudged)


def chosen_topics(found: Incomplete, system: str) -> list[str]:
    """The topics of Figure 1: those that the paper names, else some with unjudged documents."""
    place = found.matrix.systems.index(system)
    judged_later = set((found.complete or found.matrix).query_ids)
    shares_of = zip(
        found.matrix.query_ids, found.unjudged[place], found.answered[place], strict=True
    )
    unjudged = {
        query: share for query, share, own in shares_of if share and own and query in judged_later
    }
    if found.is_of_paper and set(FIGURE_1_TOPICS) <= set(unjudged):
        return list(FIGURE_1_TOPICS)
    return sorted(unjudged, key=lambda query: -unjudged[query])[:MOST_TOPICS]


def _system(found: Incomplete) -> str:
    systems = found.matrix.systems
    return FIGURE_1_SYSTEM if FIGURE_1_SYSTEM in systems else systems[0]


def figure_1_numbers(found: Incomplete) -> PaperTable:
    """The numbers of Figure 1: scores of a system on topics with unjudged documents."""
    system = _system(found)
    scores = found.scores(found.matrix.systems.index(system))
    place_of = {query: place for place, query in enumerate(found.matrix.query_ids)}
    here = in_rows(
        scores,
        {
            query: [of_column[place_of[query]] for of_column in scores.values()]
            for query in chosen_topics(found, system)
        },
    )
    return DECLARED.table("Figure 1", here, found.material, system=system)


def unjudged_documents(incomplete: Incomplete) -> PaperFigure:
    """The share of unjudged documents at ranks 1 to 20 of each run; the paper has no such figure.

    Parameters
    ----------
    incomplete
        As `incomplete_runs` returns it.
    """
    of = incomplete.material

    def draw(width: float | None = None) -> Axes:
        return draw_unjudged(unjudged_by_rank(of.runs, of.qrels, depth=20), width=width)

    return PaperFigure("Unjudged documents", "the share of them at each rank", draw)


def figure_1(found: Incomplete) -> PaperFigure:
    """Figure 1: the distributions of bootstrapped scores beside other estimates."""
    system = _system(found)

    def draw(width: float | None = None) -> Axes:
        run = found.material.runs.run(found.matrix.systems.index(system))
        samples = bootstrap_ndcg(found.material.qrels, run, 10, pool="all")
        chosen = {query: samples[query] for query in chosen_topics(found, system)}
        marks = found.matrix.select([COLUMNS[name] for name in (DEFAULT, CONDENSED, NAIVE)])
        return score_distributions(chosen, marks, system, actual=found.complete, width=width)

    return PaperFigure("Figure 1", f"estimated and actual nDCG@10 of {system}", draw)


def claims_of_table_7(found: Incomplete, table: PaperTable) -> list[Claim]:
    """The claims of the abstract and of section 4.2 on real incompleteness."""
    judge = DECLARED.judge(found.material)
    text = DECLARED.claims_about("Table 7", label=found.material.label)
    shape = table.in_shape()
    shape = shape[(shape["U@10"] > 0) & shape[COMPLETE].notna()]
    errors = shape[list(COLUMNS)].sub(shape[COMPLETE], axis=0)
    every = errors[errors.index.str.endswith("All Topics")]
    if every.empty:
        reason = "no run has unjudged documents that were judged later"
        return Claim.unknown(reason, *text.values())

    def judged(name: str, holds: Series[bool], *estimates: str) -> Claim:
        """Whether something holds in every row, and the errors of these estimates."""
        return judge.claim(text[name], bool(holds.all()), _in_words(every[list(estimates)]))

    off, size = errors.abs(), every.abs()
    worse = off.index[~(off[BOTH] < off[[DEFAULT, CONDENSED]].min(axis=1))].tolist()
    but = f", not {_some(worse)}" if worse else ""
    best_in = f"in {len(off) - len(worse)} of {len(off)} rows of Table 7{but}"
    return [
        judged("default", every[DEFAULT] < 0, DEFAULT),
        judged("condensed", every[CONDENSED] > 0, CONDENSED),
        judged("closer", size[BOTH] < size[CONDENSED], BOTH, CONDENSED),
        judge.claim(text["best"], not worse, best_in),
        judged("tighter", (every[TIGHT] >= 0) & (every[TIGHT] < every[NAIVE]), TIGHT, NAIVE),
    ]


def _some(rows: Sequence[str]) -> str:
    """The first rows by name, and how many more there are."""
    more = len(rows) - MOST_NAMED
    return "; ".join(rows[:MOST_NAMED]) + (f" and {more} more" if more > 0 else "")


def _in_words(errors: DataFrame) -> str:
    """Differences from the actual scores; a column per estimate, a row per system."""
    parts = []
    for name, of in errors.items():
        if len(of) > MOST_NAMED:
            parts.append(f"{name} {of.min():+.3f} to {of.max():+.3f} for {len(of)} systems")
        else:
            named = (f"{str(row).split(',')[0]} {error:+.3f}" for row, error in of.items())
            parts.append(f"{name} {', '.join(named)}")
    return "estimate minus actual: " + "; ".join(parts)
