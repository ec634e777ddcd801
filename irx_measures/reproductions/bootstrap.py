"""The experiments of the bootstrap paper: scores for runs with unjudged documents."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import product
from math import nan
from typing import NamedTuple

import numpy as np

from ..common.numeric import FloatArray, IntArray
from ..common.writing import some
from ..exceptions import InputError, OnlyRelevantError
from ..io.table import Table
from ..io.trec import read_qrels
from ..judgments.judgments import Judgments
from ..measures.bootstrap import bootstrap_ndcg
from ..meta.prediction import (
    LeftOutScores,
    left_out_scores,
    prediction_error,
    reconstructed_preferences,
)
from ..plots import score_distributions
from ..results.frames import DataFrame, frame
from ..runsets.runset import RunSet
from ..scoring.evaluate import evaluate
from ..scoring.score_matrix import ScoreMatrix
from ..stats.correlation import coefficient_of
from ..stats.pairs import join_ties
from ..typing import Axes
from .material import DL19, TREC_COVID, Material, material_of
from .paper import Cells, Claim, Draw, Reproduction, declared, in_rows, in_shape

DECLARED = declared("bootstrap")

# Table 1: the kind of bound, and the judged documents of the ranking and of the truth. A and B are
# the documents at ranks 1 and 2.
BOUND = "nDCGBound(kind={}, bound={}, dcg='exp-log2', max_grade=3)@2"
EXAMPLES = {
    "RBP-inspired, [1, ?]": ("rbp", {"A": 1}, {"A": 1, "B": 2}),
    "Naive, [?, 1]": ("naive", {"B": 1}, {"A": 2, "B": 1}),
    "Guaranteed, [1, ?]": ("guaranteed", {"A": 1}, {"A": 1, "B": 2}),
}

# Table 2: the methods, and an example with two unjudged documents in the top 10.
APPROACHES = {
    "Condensed lists": "nDCG(judged_only=True)@10",
    "Naive lower bound": "nDCG@10",
    "Naive upper bound": "nDCGBound(bound=upper)@10",
    "Pool-based bootstr.": "BootNDCG(prior=pool, stat=mean)@10",
    "Run-based bootstr.": "BootNDCG(prior=run, stat=mean)@10",
    "Pool+run-based bs.": "BootNDCG(stat=mean)@10",
}
RANKING = ["r0", "r1", "x", "r2", "y", "r3", "r4", "r5"]
# Invented judgments: the priors of run and pool have different shares of each grade.
JUDGED_IN_RUN = {"r0": 1, "r1": 0, "r2": 0, "r3": 0, "r4": 1, "r5": 0}
JUDGED_ELSEWHERE = {f"p{place}": place % 3 for place in range(60)}  # no grade is ever used up

# Tables 4 to 6: simulated incompleteness.
POOL_DEPTH = 10  # "only their runs have the document in the top-10 results"
LOWER = "Naive (L)"
CONDENSED = "Condensed"
UPPER = "Naive (U)"
POOL = "Bootstr. P"
RUN = "Bootstr. R"
POOL_AND_RUN = "Bootstr. P+R"
METHODS = {
    LOWER: "nDCG@10",
    CONDENSED: "nDCG(judged_only=True)@10",
    UPPER: "nDCGBound(bound=upper)@10",
    POOL: "BootNDCG(prior=pool)@10",
    RUN: "BootNDCG(prior=run)@10",
    POOL_AND_RUN: "BootNDCG@10",
}
QUANTILES = {f"BS P+R@{level}": f"BootNDCG(stat=q{level})@10" for level in (75, 90, 95)}
BOUNDS = {
    **{f"Point, {name}": (name, name) for name in (LOWER, CONDENSED, POOL_AND_RUN)},
    **{f"Range, {name}": (LOWER, name) for name in (UPPER, CONDENSED, *QUANTILES)},
}

# Table 7 and Figure 1: real incompleteness of TREC-COVID. pool='all' reproduces the authors' code:
# the prior of the pool counts the judgments of all topics.
EXPANDED = "qrels.expanded.txt.gz"
JUDGMENTS_IN_PAPER = 66_336  # of the original qrels, as in BEIR, which the paper uses
DEFAULT = "Default"
COND = "Cond."
BOTH = "BS P+R"
NAIVE = "Naive"
TIGHT = "BS P+R@95"
COLUMNS = {
    DEFAULT: "nDCG@10",
    COND: "nDCG(judged_only=True)@10",
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


def reproduce(given: Material | None = None, progress: bool | None = None) -> Reproduction:
    """Tables 1 to 7, Figure 1, and the claims of the paper.

    Where the measures refuse qrels of relevant documents only, their reason stands in place of all
    that needs a collection.
    """
    covid, dl19 = material_of(TREC_COVID, given), material_of(DL19, given)
    bounds, data = table_1(), [covid.description, dl19.description]
    try:
        tables, figures, claims = _on_collections(covid, dl19, progress)
    except OnlyRelevantError as error:
        missing = DECLARED.table("Tables 3 to 7, Figure 1", {}, covid, reason=error)
        data.append(f"{missing.attrs['label']} are left out: {error}")
        tables = [missing]
        figures, claims = {}, []
    every = (*_claim_of_table_1(bounds), *claims)
    return Reproduction.of(DECLARED, data, (bounds, table_2(), *tables), figures, every)


def _on_collections(
    covid: Material, dl19: Material, progress: bool | None
) -> tuple[list[DataFrame], dict[str, Draw], list[Claim]]:
    found = incomplete_runs(covid)
    left_out = leave_out(dl19, progress)
    of_left_out = (table_4(left_out), table_5(left_out), table_6(left_out))
    by_label = {table.attrs["label"]: table for table in of_left_out}
    table, numbers = table_7(found), figure_1(found)
    later = [] if found.expanded is None else [prevalence_of_expansion(found)]
    figures: dict[str, Draw] = {}
    if len(numbers):
        figures["Figure 1"] = partial(_draw_figure_1, found)
    return (
        [table_3([*later, left_out.prevalence]), *of_left_out, table, numbers],
        figures,
        [
            *DECLARED.judged("Tables 3 to 6", False, tables=by_label, label=dl19.label),
            *_claims_of_table_7(found, table),
        ],
    )


def _score(measure: str, grades: Mapping[str, int], ranking: list[str]) -> float:
    matrix = evaluate({"q": dict(grades)}, {"run": {"q": ranking}}, measure)
    return float(matrix.scores[0, 0, 0])


def table_1() -> DataFrame:
    """Table 1: bounds of nDCG@2 that are incorrect, and guaranteed bounds that are wide."""
    ranking = ["A", "B"]
    rows = {
        name: (
            _score(BOUND.format(kind, "lower"), grades, ranking),
            _score(BOUND.format("naive", "lower"), truth, ranking),
            _score(BOUND.format(kind, "upper"), grades, ranking),
        )
        for name, (kind, grades, truth) in EXAMPLES.items()
    }
    return DECLARED.table("Table 1", in_rows(("Lower Bound", "Actual", "Upper Bound"), rows))


def _claim_of_table_1(table: DataFrame) -> list[Claim]:
    """Whether the guaranteed bounds alone hold, and are wide."""
    low, actual, high = in_shape(table).to_numpy().T
    inside, width = (low <= actual) & (actual <= high), high[-1] - low[-1]
    holds = {"bounds": inside.tolist() == [False, False, True] and bool(width > 0.5)}
    return DECLARED.judged(
        "Table 1", True, holds, width=width, inside=inside.sum(), examples=len(inside)
    )


def table_2() -> DataFrame:
    """Table 2: characteristics of the methods, each tried on an example.

    - Deterministic: another seed gives the same score.
    - Prior of the run: the DCG that the unjudged documents earn changes if a judged document of the
      run swaps its grade 1 with a document of grade 0 outside the run. The pool as a whole stays.
    - Prior of the pool: this DCG changes if all documents of grade 2, which are outside the run,
      get grade 1. The judged documents of the run stay.

    The earned DCG is the score times the ideal DCG, without the DCG of the judged documents.
    """
    grades = {**JUDGED_IN_RUN, **JUDGED_ELSEWHERE}
    no_grade_2 = {document: min(grade, 1) for document, grade in JUDGED_ELSEWHERE.items()}
    rows = {}
    for name, measure in APPROACHES.items():
        reseeded = measure.replace("stat=mean", "stat=mean, seed=7")
        same = _earned(measure, grades)
        rows[name] = (
            _earned(reseeded, grades) == same,
            _earned(measure, {**grades, "r4": 0, "p0": 1}) != same,
            _earned(measure, {**JUDGED_IN_RUN, **no_grade_2}) != same,
        )
    return DECLARED.table("Table 2", in_rows(("deterministic", "prior: run", "prior: pool"), rows))


def _earned(measure: str, grades: Mapping[str, int]) -> float:
    """The DCG that a method grants to the unjudged documents, up to rounding."""
    gains = np.sort(list(grades.values()))[::-1][:10]
    ideal = float((gains / np.log2(np.arange(len(gains)) + 2.0)).sum())
    without = _score("nDCG@10", grades, RANKING)
    return round((_score(measure, grades, RANKING) - without) * ideal, 9)


class Prevalence(NamedTuple):
    """The share of grade 0, 1, ... in a pool and among unjudged documents: (grades,) floats."""

    material: Material
    pool: FloatArray
    unjudged: FloatArray


def _counts(grades: IntArray, width: int = 1) -> IntArray:
    """How many grades are 0, 1, ...: at least `width` counts; negative grades count as 0."""
    return np.bincount(np.maximum(grades, 0), minlength=width)


def _shares(counts: Sequence[IntArray]) -> FloatArray:
    """The mean share of each grade over several counts; counts of nothing are left out."""
    found = [one / one.sum() for one in counts if one.sum()]
    return np.mean(found or [np.full(len(counts[0]), nan)], axis=0)


def _padded(shares: FloatArray, width: int) -> FloatArray:
    """The shares with more grades, which no document has; NaN if there are no documents."""
    absent = nan if np.isnan(shares).any() else 0.0
    return np.pad(shares, (0, width - len(shares)), constant_values=absent)


def table_3(rows: Sequence[Prevalence]) -> DataFrame:
    """Table 3: the prevalence of each grade in the pool and among unjudged documents."""
    width = 5
    for row in rows:
        width = max(width, len(row.pool), len(row.unjudged))
    columns = [f"{part} {grade}" for part in ("pool", "unjudged") for grade in range(width)]
    labels = [row.material.label for row in rows]
    names = labels.copy()
    if labels[-1] in labels[:-1]:  # on simulated data: the last row is that of left-out groups
        names[-1] = f"{labels[-1]}, left out"
    numbers = {}
    for name, row in zip(names, rows, strict=True):
        numbers[name] = np.concatenate([_padded(row.pool, width), _padded(row.unjudged, width)])
    materials = (row.material for row in rows)
    collections = "; ".join(dict.fromkeys(labels))
    return DECLARED.table("Table 3", in_rows(columns, numbers), *materials, collections=collections)


class LeftOut(NamedTuple):
    """Scores of every run on qrels without the contributions of its own group."""

    material: Material  # each run without a group is one of its own
    unit: str  # what is left out: ``group`` or ``run``
    scores: LeftOutScores  # nDCG@10 on all judgments, and the predictions of each method
    prevalence: Prevalence  # averages over the groups

    @property
    def groups(self) -> Sequence[str]:
        """The group of each run."""
        return self.material.runs.groups or ()

    def table(self, label: str, here: Cells) -> DataFrame:
        """A table of these scores."""
        units = len(set(self.groups))
        return DECLARED.table(label, here, self.material, unit=self.unit, units=units)


def leave_out(material: Material, progress: bool | None = False) -> LeftOut:
    """Predict the scores of each group's runs from the judgments that other groups brought.

    Without at least two groups, one run is left out at a time.
    """
    runs, unit = material.runs, "group"
    if len(runs) < 2:
        raise InputError("leaving one run out needs at least 2 runs; got 1")
    if runs.groups is None or len(set(runs.groups)) < 2:
        runs, unit = RunSet(runs, groups={name: name for name in runs.names}), "run"
    methods = {**METHODS, **QUANTILES}
    found = left_out_scores(material.qrels, runs, methods, depth=POOL_DEPTH, progress=progress)
    every = _counts(material.qrels.value)
    left = [_counts(qrels.value, len(every)) for qrels in found.left]
    prevalence = Prevalence(material, _shares(left), _shares([every - one for one in left]))
    return LeftOut(replace(material, runs=runs), unit, found, prevalence)


def table_4(found: LeftOut) -> DataFrame:
    """Table 4: root mean square errors of the predicted scores."""
    predicted, truth = found.scores.predicted, found.scores.truth
    errors = {name: prediction_error(predicted[name], truth) for name in METHODS}
    return found.table("Table 4", in_rows(("Lower", "Actual", "Upper"), errors))


def table_5(found: LeftOut) -> DataFrame:
    """Table 5: correlation of the rankings of systems by predicted and by actual scores."""
    truth, rows = join_ties(found.scores.truth.mean(axis=1))[np.newaxis], {}
    for name in METHODS:
        predicted = join_ties(found.scores.predicted[name].mean(axis=1))[np.newaxis]
        rows[name] = [coefficient_of(of, predicted, truth, nan)[0] for of in ("tau_b", "spearman")]
    return found.table("Table 5", in_rows(("tau", "rho"), rows))


def table_6(found: LeftOut) -> DataFrame:
    """Table 6: preferences between a run and the runs of other groups, topic by topic."""
    rows = {}
    for row, bounds in BOUNDS.items():
        low, high = np.sort([found.scores.predicted[name] for name in bounds], axis=0)
        rows[row] = reconstructed_preferences(low, high, found.scores.truth, found.groups)
    return found.table("Table 6", in_rows(("Prec.", "Rec.", "F1"), rows))


class Incomplete(NamedTuple):
    """Runs on incomplete qrels, and on qrels with the judgments that were missing."""

    material: Material  # runs and incomplete qrels
    expanded: Table | None  # the qrels in which the unjudged documents were judged later
    matrix: ScoreMatrix  # scores on the incomplete qrels
    complete: ScoreMatrix | None  # nDCG@10 on the expanded qrels, if there are any
    # By system and query: U@10, the share of unjudged documents in the top 10; whether the run
    # has an answer; scores by the measures of `COLUMNS`; `COMPLETE`, NaN if it is not known.
    topics: DataFrame

    @property
    def system(self) -> str:
        """The system of Figure 1."""
        systems = self.matrix.systems
        return FIGURE_1_SYSTEM if FIGURE_1_SYSTEM in systems else systems[0]


def incomplete_runs(material: Material) -> Incomplete:
    """The scores of runs on incomplete qrels.

    TREC-COVID has the missing judgments, if they are in the folder of local data. A simulated
    campaign loses some of its judgments here.
    """
    if not material.simulated:
        path = material.file(EXPANDED)
        expanded = None if path is None else read_qrels(path)
        return score_incomplete(material, expanded)
    judgments = Judgments(material.qrels)
    keep = np.random.default_rng(1).random(judgments.grade.shape) < SHARE_KEPT
    what = f"{material.description}, with {SHARE_KEPT:.0%} of its judgments"
    part = replace(material, qrels=judgments.where(keep), description=what)
    return score_incomplete(part, material.qrels)


def score_incomplete(material: Material, expanded: Table | None = None) -> Incomplete:
    """Evaluate runs on incomplete qrels, and on expanded ones where they are given."""
    measures = ["Judged@10", *COLUMNS.values()]
    matrix = evaluate(material.qrels, material.runs, measures, progress=False)
    complete, known = None, {}
    if expanded is not None:
        complete = evaluate(expanded, material.runs, "nDCG@10", progress=False)
        pairs = product(complete.systems, complete.query_ids)
        known = dict(zip(pairs, complete.scores[0].ravel(), strict=True))
    answers = [set(run.query_ids) for run in material.runs.each()]
    systems, queries = zip(*product(matrix.systems, matrix.query_ids), strict=True)
    topics = frame(
        {
            "system": systems,
            "query": queries,
            "answered": [query in own for own in answers for query in matrix.query_ids],
            "U@10": (1.0 - matrix["Judged@10"]).round(9).ravel(),
            **{name: matrix[text].ravel() for name, text in COLUMNS.items()},
            COMPLETE: [known.get(pair, nan) for pair in zip(systems, queries, strict=True)],
        }
    )
    indexed = topics.set_index(["system", "query"])
    return Incomplete(material, expanded, matrix, complete, indexed)


def prevalence_of_expansion(found: Incomplete) -> Prevalence:
    """The grades in the original qrels, and of the documents that were judged later (Table 3)."""
    original, later = found.material.qrels, np.zeros(0, np.int64)
    if found.expanded is not None:
        known = set(zip(original.query.all(), original.doc.all(), strict=True))
        pairs = zip(found.expanded.query.all(), found.expanded.doc.all(), strict=True)
        later = found.expanded.value[np.array([pair not in known for pair in pairs])]
    pool = _shares([_counts(original.value)])
    unjudged = _shares([_counts(later)])
    return Prevalence(found.material, pool, unjudged)


def table_7(found: Incomplete) -> DataFrame:
    """Table 7: mean scores on incomplete and on expanded qrels, by the share of unjudged documents.

    The means are over the topics that a run answers: the best run of round 1 had 30 topics.
    """
    here: dict[tuple[str, str], float] = {}
    for selection, (low, high) in SELECTIONS.items():
        for system in found.matrix.systems:
            topics = found.topics.loc[[system]]
            unjudged = topics["U@10"]
            topics = topics[topics["answered"] & (unjudged >= low) & (unjudged < high)]
            if len(topics):
                row = f"{system}, {selection}"
                means = topics.drop(columns="answered").mean(skipna=False)
                here[row, "topics"] = len(topics)
                here |= {(row, str(name)): value for name, value in means.items()}
    remarks = [] if found.expanded else [f"{COMPLETE}: no qrels with the missing judgments"]
    if DECLARED.is_of_paper(found.material):
        judgments = len(found.material.qrels.value)
        remarks = [
            f"{judgments} judgments, the paper has {JUDGMENTS_IN_PAPER} (beir/trec-covid)",
            f"{BOTH} and {TIGHT} are sampled",
        ]
        if not found.expanded:
            remarks.append(f"{COMPLETE}: {EXPANDED} is not in the data folder")
    return DECLARED.table("Table 7", here, found.material, remark="; ".join(remarks))


def chosen_topics(found: Incomplete) -> list[str]:
    """The topics of Figure 1: those that the paper names, else some with unjudged documents."""
    topics = found.topics.loc[found.system]
    judged_later = topics[COMPLETE].notna() | (found.complete is None)
    unjudged = topics["U@10"][topics["answered"] & judged_later & (topics["U@10"] > 0)]
    if DECLARED.is_of_paper(found.material) and set(FIGURE_1_TOPICS) <= set(unjudged.index):
        return list(FIGURE_1_TOPICS)
    return list(unjudged.sort_values(ascending=False, kind="stable").index[:MOST_TOPICS])


def figure_1(found: Incomplete) -> DataFrame:
    """The numbers of Figure 1: scores of a system on topics with unjudged documents."""
    columns, topics = [*COLUMNS, COMPLETE], chosen_topics(found)
    scores = found.topics.loc[found.system].loc[topics, columns].to_numpy()
    here = in_rows(columns, dict(zip(topics, scores, strict=True)))
    return DECLARED.table("Figure 1", here, found.material, system=found.system)


def _draw_figure_1(found: Incomplete, width: float | None = None) -> Axes:
    """The distributions of bootstrapped scores beside other estimates."""
    run = found.material.runs.run(found.matrix.systems.index(found.system))
    samples = bootstrap_ndcg(found.material.qrels, run, 10, pool="all")
    chosen = {query: samples[query] for query in chosen_topics(found)}
    marks = found.matrix.select([COLUMNS[name] for name in (DEFAULT, COND, NAIVE)])
    return score_distributions(chosen, marks, found.system, actual=found.complete, width=width)


def _claims_of_table_7(found: Incomplete, table: DataFrame) -> list[Claim]:
    """The claims of the abstract and of section 4.2 on real incompleteness."""
    label, shape = found.material.label, in_shape(table)
    shape = shape[(shape["U@10"] > 0) & shape[COMPLETE].notna()]
    errors = shape[list(COLUMNS)].sub(shape[COMPLETE], axis=0)
    every = errors[errors.index.str.endswith("All Topics")]
    if every.empty:
        reason = "no run has unjudged documents that were judged later"
        return DECLARED.unknown("Table 7", reason, label=label)
    off, size = errors.abs(), every.abs()
    worse = off.index[~(off[BOTH] < off[[DEFAULT, COND]].min(axis=1))].tolist()
    holds = {
        "default": (every[DEFAULT] < 0).all(),
        "condensed": (every[COND] > 0).all(),
        "closer": (size[BOTH] < size[COND]).all(),
        "best": not worse,
        "tighter": ((every[TIGHT] >= 0) & (every[TIGHT] < every[NAIVE])).all(),
    }
    but = f", not {some(worse, MOST_NAMED)}" if worse else ""
    return DECLARED.judged(
        "Table 7",
        DECLARED.is_of_paper(found.material),
        holds,
        label=label,
        better=len(off) - len(worse),
        rows=len(off),
        but=but,
        errors={name: _in_words(of) for name, of in every.to_dict().items()},
    )


def _in_words(errors: Mapping[str, float]) -> str:
    """Differences of an estimate from the actual scores, by row of Table 7."""
    if len(errors) > MOST_NAMED:
        least, most = min(errors.values()), max(errors.values())
        return f"{least:+.3f} to {most:+.3f} for {len(errors)} systems"
    return ", ".join(f"{row.split(',')[0]} {error:+.3f}" for row, error in errors.items())
