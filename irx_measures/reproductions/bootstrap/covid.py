"""Table 7 and Figure 1 of the bootstrap paper: real incompleteness of TREC-COVID."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import isnan, nan
from typing import TYPE_CHECKING

import numpy as np

from ...common.arrays import BoolArray, FloatArray
from ...io.columns import QrelsColumns
from ...io.trec import read_qrels
from ...judgments.judgments import Judgments
from ...measures.bootstrap import bootstrap_ndcg
from ...scoring.evaluate import evaluate
from ...scoring.score_matrix import ScoreMatrix
from ..material import Collection, Material, Request, data_folder
from ..results import Claim, Number, PaperFigure, PaperTable
from .left_out import Prevalence, grade_counts, label_of, shares

if TYPE_CHECKING:
    from matplotlib.axes import Axes

TREC_COVID = Collection(
    "TREC-COVID", "cord19/trec-covid", "trec-covid", qrels="qrels.original.txt.gz"
)
EXPANDED = "qrels.expanded.txt.gz"
JUDGMENTS_IN_PAPER = 66_336

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

# U@10, the columns, and the expanded qrels.
PRINTED_7 = {
    ("ANCE", ".25 to .5"): (0.356, 0.489, 0.683, 0.660, 0.838, 0.795, 0.650),
    ("ColBERT", ".25 to .5"): (0.333, 0.485, 0.641, 0.614, 0.770, 0.741, 0.626),
    ("TAS-B", ".25 to .5"): (0.325, 0.597, 0.875, 0.847, 0.902, 0.894, 0.597),
    ("ANCE", ".5 to 1"): (0.656, 0.207, 0.547, 0.385, 0.769, 0.542, 0.357),
    ("ColBERT", ".5 to 1"): (0.629, 0.337, 0.679, 0.517, 0.881, 0.645, 0.447),
    ("TAS-B", ".5 to 1"): (0.738, 0.211, 0.584, 0.459, 0.918, 0.623, 0.330),
    ("ANCE", "All Topics"): (0.224, 0.652, 0.772, 0.747, 0.853, 0.804, 0.735),
    ("ColBERT", "All Topics"): (0.172, 0.680, 0.770, 0.741, 0.826, 0.789, 0.734),
    ("TAS-B", "All Topics"): (0.410, 0.481, 0.705, 0.633, 0.871, 0.729, 0.555),
    ("BBGhelani2", "All Topics"): (0.0, 0.679, 0.679, 0.679, 0.679, 0.679, 0.679),
}
PRINTED_3 = (0.63, 0.16, 0.21, 0.00, 0.00, 0.75, 0.02, 0.23, 0.00, 0.00)

FIGURE_1_SYSTEM = "ANCE"
FIGURE_1_TOPICS = ("3", "19", "22", "34")  # those that the text names
MOST_TOPICS = 8
MOST_NAMED = 4
SHARE_KEPT = 0.8  # of the judgments of a simulated campaign


@dataclass(frozen=True, eq=False)
class Incomplete:
    """Runs on incomplete qrels, and on qrels with the judgments that were missing.

    Attributes
    ----------
    material : Material
        Runs and incomplete qrels.
    expanded : QrelsColumns or None
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
    expanded: QrelsColumns | None
    matrix: ScoreMatrix
    unjudged: FloatArray
    answered: BoolArray
    complete: ScoreMatrix | None

    @property
    def actual(self) -> FloatArray:
        """nDCG@10 on the expanded qrels, in the order of `matrix`; NaN if it is not known."""
        scores = np.full(self.unjudged.shape, nan)
        if self.complete is not None:
            place_of = {query: place for place, query in enumerate(self.complete.query_ids)}
            for column, query in enumerate(self.matrix.query_ids):
                if query in place_of:
                    scores[:, column] = self.complete.scores[0, :, place_of[query]]
        return scores

    @property
    def label(self) -> str:
        """The name of the collection."""
        return label_of(self.material)

    @property
    def remark(self) -> str:
        """What differs from the paper."""
        if self.material.origin != "paper":
            return "" if self.expanded else f"{COMPLETE}: no qrels with the missing judgments"
        judgments = len(self.material.qrels.grade)
        missing = "" if self.expanded else f"; {COMPLETE}: {EXPANDED} is not in the data folder"
        return (
            f"{judgments} judgments, the paper has {JUDGMENTS_IN_PAPER} (beir/trec-covid); "
            f"{BOTH} and {TIGHT} are sampled{missing}"
        )


def incomplete_runs(request: Request) -> Incomplete:
    """The runs of TREC-COVID, or of the data that the user named, and their scores."""
    material = request.material_of(TREC_COVID)
    expanded: QrelsColumns | None = None
    if material.origin == "simulated":
        material, expanded = _without_some_judgments(material), material.qrels
    elif material.origin == "paper":
        path = data_folder() / TREC_COVID.folder / EXPANDED
        expanded = read_qrels(path) if path.exists() else None
    return score_incomplete(material, expanded)


def score_incomplete(material: Material, expanded: QrelsColumns | None = None) -> Incomplete:
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
    actual = found.actual
    numbers = []
    for selection, (low, high) in SELECTIONS.items():
        for place, system in enumerate(found.matrix.systems):
            unjudged = found.unjudged[place]
            topics = found.answered[place] & (unjudged >= low) & (unjudged < high)
            if not topics.any():
                continue
            here = {
                "U@10": unjudged,
                **{name: found.matrix[text][place] for name, text in COLUMNS.items()},
                COMPLETE: actual[place],
            }
            key = (system, selection)
            known = found.material.origin == "paper" and key in PRINTED_7
            printed = PRINTED_7[key] if known else (nan,) * len(here)
            row = f"{system}, {selection}"
            numbers.append(Number(row, "topics", float(topics.sum())))
            numbers += [
                Number(row, name, float(values[topics].mean()), of_paper)
                for (name, values), of_paper in zip(here.items(), printed, strict=True)
            ]
    return PaperTable(
        "Table 7",
        "nDCG@10 on incomplete and on expanded qrels",
        found.material.description,
        tuple(numbers),
        found.remark,
    )


def prevalence_of_expansion(found: Incomplete) -> Prevalence:
    """The grades in the original qrels, and of the documents that were judged later (Table 3)."""
    original = found.material.qrels
    added = np.zeros(1, np.int64)
    if found.expanded is not None:
        known = set(zip(original.query.all(), original.doc.all(), strict=True))
        pairs = zip(found.expanded.query.all(), found.expanded.doc.all(), strict=True)
        new = np.array([pair not in known for pair in pairs])
        added = np.bincount(np.maximum(found.expanded.grade[new], 0))
    printed = PRINTED_3 if found.material.origin == "paper" else ()
    return Prevalence(found.label, shares([grade_counts(original)]), shares([added]), printed)


def chosen_topics(found: Incomplete, system: str) -> list[str]:
    """The topics of Figure 1: those that the paper names, else some with unjudged documents."""
    place = found.matrix.systems.index(system)
    judged_later = set(
        found.matrix.query_ids if found.complete is None else found.complete.query_ids
    )
    unjudged = {
        query: share
        for query, share, own in zip(
            found.matrix.query_ids, found.unjudged[place], found.answered[place], strict=True
        )
        if own and query in judged_later
    }
    if found.material.origin == "paper" and set(FIGURE_1_TOPICS) <= set(unjudged):
        return list(FIGURE_1_TOPICS)
    return sorted(unjudged, key=lambda query: -unjudged[query])[:MOST_TOPICS]


def _system(found: Incomplete) -> str:
    systems = found.matrix.systems
    return FIGURE_1_SYSTEM if FIGURE_1_SYSTEM in systems else systems[0]


def figure_1_numbers(found: Incomplete) -> PaperTable:
    """The numbers of Figure 1: scores of a system on topics with unjudged documents."""
    system = _system(found)
    place, actual = found.matrix.systems.index(system), found.actual
    numbers = []
    for query in chosen_topics(found, system):
        column = found.matrix.query_ids.index(query)
        scores = {name: found.matrix[text][place, column] for name, text in COLUMNS.items()}
        numbers += [Number(query, name, float(value)) for name, value in scores.items()]
        numbers.append(Number(query, COMPLETE, float(actual[place, column])))
    return PaperTable(
        "Figure 1",
        f"nDCG@10 of {system} on topics with unjudged documents",
        found.material.description,
        tuple(numbers),
        "the paper draws these numbers and does not print them; the topics are those that its text "
        "names"
        if found.material.origin == "paper"
        else "the topics with the most unjudged documents",
    )


def figure_1(found: Incomplete) -> PaperFigure:
    """Figure 1: the distributions of bootstrapped scores beside other estimates."""
    system = _system(found)

    def draw() -> Axes:
        from ...plots import score_distributions

        run = found.material.runs.columns(found.matrix.systems.index(system))
        samples = bootstrap_ndcg(found.material.qrels, run, 10, pool="all")
        chosen = {query: samples[query] for query in chosen_topics(found, system)}
        marks = found.matrix.select([COLUMNS[name] for name in (DEFAULT, CONDENSED, NAIVE)])
        return score_distributions(chosen, marks, system, actual=found.complete)

    return PaperFigure("Figure 1", f"estimated and actual nDCG@10 of {system}", draw)


def claims_of_table_7(found: Incomplete, table: PaperTable) -> list[Claim]:
    """The claims of the abstract and of section 4.2 on real incompleteness."""
    label = found.label
    rows = [
        row
        for row in dict.fromkeys(number.row for number in table.numbers)
        if table[row, "U@10"] > 0 and not isnan(table[row, COMPLETE])
    ]
    every = [row for row in rows if row.endswith("All Topics")]
    texts = (
        f"{label}: the default, unjudged documents as not relevant, underestimates all systems",
        f"{label}: condensed lists overestimate all systems",
        f"{label}: bootstrapping with both priors is closer to the actual scores than condensed "
        "lists, for all systems",
        f"{label}: bootstrapping with both priors gives the best estimates in all cases",
        f"{label}: the 95% quantile is a tighter upper bound than the naive one, and still above "
        "the actual score",
    )
    if not every:
        reason = "no run has unjudged documents that were judged later"
        return [Claim(text, "cannot be told", reason) for text in texts]
    off = {
        name: {row: table[row, name] - table[row, COMPLETE] for row in rows} for name in (*COLUMNS,)
    }
    best = [
        row
        for row in rows
        if abs(off[BOTH][row]) < min(abs(off[DEFAULT][row]), abs(off[CONDENSED][row]))
    ]
    worse = [row for row in rows if row not in best]
    return [
        Claim.of(
            texts[0], all(off[DEFAULT][row] < 0 for row in every), _errors(off, every, DEFAULT)
        ),
        Claim.of(
            texts[1], all(off[CONDENSED][row] > 0 for row in every), _errors(off, every, CONDENSED)
        ),
        Claim.of(
            texts[2],
            all(abs(off[BOTH][row]) < abs(off[CONDENSED][row]) for row in every),
            _errors(off, every, BOTH, CONDENSED),
        ),
        Claim.of(
            texts[3],
            not worse,
            f"in {len(best)} of {len(rows)} rows of Table 7"
            + (f", not {_some(worse)}" if worse else ""),
        ),
        Claim.of(
            texts[4],
            all(0 <= off[TIGHT][row] < off[NAIVE][row] for row in every),
            _errors(off, every, TIGHT, NAIVE),
        ),
    ]


def _some(rows: Sequence[str]) -> str:
    """The first rows by name, and how many more there are."""
    more = len(rows) - MOST_NAMED
    return "; ".join(rows[:MOST_NAMED]) + (f" and {more} more" if more > 0 else "")


def _errors(off: dict[str, dict[str, float]], rows: Sequence[str], *names: str) -> str:
    """Differences from the actual scores, in words."""
    systems = [row.split(",")[0] for row in rows]
    parts = []
    for name in names:
        if len(rows) > MOST_NAMED:
            errors_of_all = [off[name][row] for row in rows]
            low, high = min(errors_of_all), max(errors_of_all)
            parts.append(f"{name} {low:+.3f} to {high:+.3f} for {len(rows)} systems")
            continue
        errors = [
            f"{system} {off[name][row]:+.3f}" for system, row in zip(systems, rows, strict=True)
        ]
        parts.append(f"{name} {', '.join(errors)}")
    return "estimate minus actual: " + "; ".join(parts)
