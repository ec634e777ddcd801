"""Tables 3 to 6 of the bootstrap paper: simulated incompleteness, leaving one group out."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import isnan, nan

import numpy as np

from ...common.numeric import FloatArray, IntArray
from ...exceptions import InputError
from ...io.table import Table
from ...io.trec import read_qrels
from ...meta.left_out import left_out_scores
from ...meta.prediction import Preferences, prediction_error, reconstructed_preferences
from ...runsets.runset import RunSet
from ...stats.correlation import coefficient_of
from ...stats.ranks import rounded
from ..material import Material
from ..results import Cell, Claim, PaperTable, in_rows
from .definitions import DECLARED

POOL_DEPTH = 10  # "only their runs have the document in the top-10 results"
LOWER, CONDENSED, UPPER = "Naive (L)", "Condensed", "Naive (U)"
POOL, RUN, BOTH = "Bootstr. P", "Bootstr. R", "Bootstr. P+R"
METHODS = {
    LOWER: "nDCG@10",
    CONDENSED: "nDCG(judged_only=True)@10",
    UPPER: "nDCGBound(bound=upper)@10",
    POOL: "BootNDCG(prior=pool)@10",
    RUN: "BootNDCG(prior=run)@10",
    BOTH: "BootNDCG@10",
}
QUANTILES = {f"BS P+R@{level}": f"BootNDCG(stat=q{level})@10" for level in (75, 90, 95)}
TIGHT = "BS P+R@95"

POINTS = {f"Point, {name}": (name, name) for name in (LOWER, CONDENSED, BOTH)}
RANGES = {f"Range, {name}": (LOWER, name) for name in (UPPER, CONDENSED, *QUANTILES)}


@dataclass(frozen=True, eq=False)
class Prevalence:
    """The share of each grade in a pool, and among unjudged documents.

    Attributes
    ----------
    material : Material
    pool, unjudged : (grades,) floats
        For grade 0, 1, ...; negative grades count as 0.
    """

    material: Material
    pool: FloatArray
    unjudged: FloatArray


@dataclass(frozen=True, eq=False)
class LeftOut:
    """Scores of every run on qrels without the contributions of its own group.

    Attributes
    ----------
    material : Material
    groups : tuple of str
        The group of each run; the run itself if the runs have no groups.
    unit : str
        What is left out: ``group`` or ``run``.
    truth : (systems, queries) floats
        nDCG@10 on all judgments.
    predicted : dict from method to (systems, queries) floats
        The predictions from the judgments that are left; 0 for queries without any.
    prevalence : Prevalence
        Averages over the groups.
    """

    material: Material
    groups: tuple[str, ...]
    unit: str
    truth: FloatArray
    predicted: dict[str, FloatArray]
    prevalence: Prevalence

    def table(self, label: str, here: Iterable[Cell]) -> PaperTable:
        """A table of these scores."""
        groups = len(set(self.groups))
        return DECLARED.table(label, here, self.material, unit=self.unit, units=groups)


def leave_out(material: Material, progress: bool | None = False) -> LeftOut:
    """Predict the scores of each group's runs from the judgments that other groups brought.

    Parameters
    ----------
    material
        Qrels and runs. Without at least two groups, one run is left out at a time.
    progress
        As in `Request`.

    Raises
    ------
    ValueError
        When there is only one run.
    """
    if len(material.runs) < 2:
        raise InputError("leaving one run out needs at least 2 runs; got 1")
    runs, unit = _grouped(material.runs)
    found = left_out_scores(
        runs,
        material.qrels,
        {**METHODS, **QUANTILES},
        depth=POOL_DEPTH,
        progress=progress,
    )
    every, left = grade_counts(read_qrels(material.qrels)), list(map(grade_counts, found.left))
    removed = [every - np.pad(one, (0, len(every) - len(one))) for one in left]
    prevalence = Prevalence(material, shares(left), shares(removed))
    return LeftOut(material, runs.groups or (), unit, found.truth, found.predicted, prevalence)


def _grouped(runs: RunSet) -> tuple[RunSet, str]:
    """The runs with their groups, or each run as its own group."""
    if runs.groups is not None and len(set(runs.groups)) > 1:
        return runs, "group"
    return runs.of_sources(runs.sources, {name: name for name in runs.names}), "run"


def grade_counts(qrels: Table) -> IntArray:
    """How many judgments have grade 0, 1, ...; negative grades count as 0."""
    return np.bincount(np.maximum(qrels.value, 0))


def shares(counts: Iterable[IntArray]) -> FloatArray:
    """The mean share of each grade over several counts; counts of nothing are left out."""
    found = [one / one.sum() for one in counts if one.sum()]
    width = max(map(len, found), default=1)
    padded = [np.pad(one, (0, width - len(one))) for one in found] or [np.full(1, nan)]
    return np.mean(padded, axis=0)


def table_3(rows: Sequence[Prevalence]) -> PaperTable:
    """Table 3: the prevalence of each grade in the pool and among unjudged documents."""
    width = max(5, *(max(len(row.pool), len(row.unjudged)) for row in rows))
    columns = [f"{part} {grade}" for part in ("pool", "unjudged") for grade in range(width)]
    labels = [row.material.label for row in rows]
    # The last row is that of left-out groups; on simulated data, both rows have one label.
    names = [*labels[:-1], f"{labels[-1]}, left out" if labels[-1] in labels[:-1] else labels[-1]]
    here = in_rows(
        columns,
        (
            (name, (*_filled(row.pool, width), *_filled(row.unjudged, width)))
            for name, row in zip(names, rows, strict=True)
        ),
    )
    materials, data = (row.material for row in rows), "; ".join(dict.fromkeys(labels))
    return DECLARED.table("Table 3", here, *materials, data=data)


def _filled(values: FloatArray, width: int) -> list[float]:
    fill = nan if np.isnan(values).all() else 0.0
    filled: list[float] = np.pad(values, (0, width - len(values)), constant_values=fill).tolist()
    return filled


def table_4(found: LeftOut) -> PaperTable:
    """Table 4: root mean square errors of the predicted scores."""
    errors = {name: prediction_error(found.predicted[name], found.truth) for name in METHODS}
    return found.table("Table 4", in_rows(("Lower", "Actual", "Upper"), errors))


def table_5(found: LeftOut) -> PaperTable:
    """Table 5: correlation of the rankings of systems by predicted and by actual scores."""
    rows = {}
    for name in METHODS:
        predicted, truth = (
            rounded(of.mean(axis=1))[np.newaxis] for of in (found.predicted[name], found.truth)
        )
        rows[name] = [coefficient_of(of, predicted, truth, nan)[0] for of in ("tau_b", "spearman")]
    return found.table("Table 5", in_rows(("tau", "rho"), rows))


def table_6(found: LeftOut) -> PaperTable:
    """Table 6: preferences between a run and the runs of other groups, topic by topic."""
    made = {row: _preferences(found, *bounds) for row, bounds in {**POINTS, **RANGES}.items()}
    rows = {row: (of.precision, of.recall, of.f1) for row, of in made.items()}
    return found.table("Table 6", in_rows(("Prec.", "Rec.", "F1"), rows))


def _preferences(found: LeftOut, lower: str, upper: str) -> Preferences:
    """Total preferences of all runs against the runs of other groups."""
    counts = []
    for place, group in enumerate(found.groups):
        others = [other for other, name in enumerate(found.groups) if name != group]
        both = np.array([found.predicted[lower][place], found.predicted[upper][place]])
        low, high = np.sort(both, axis=0)
        counts.append(reconstructed_preferences(low, high, found.truth[place], found.truth[others]))
    return Preferences(*(sum(part) for part in zip(*counts, strict=True)))


def claims_of_left_out(
    found: LeftOut, errors: PaperTable, rankings: PaperTable, preferences: PaperTable
) -> list[Claim]:
    """The claims of the abstract and of section 4.2 on simulated incompleteness.

    They have no verdict: the paper's runs of Robust04, ClueWeb09 and ClueWeb12 are not free.
    """
    text = DECLARED.claims_about("Tables 3 to 6", label=found.material.label)
    if np.isnan(found.prevalence.unjudged).all():
        reason = f"leaving out one {found.unit} leaves no document unjudged"
        return Claim.unknown(reason, text["best of all"])
    over, rmse, under = (
        {name: errors[name, column] for name in METHODS} for column in ("Lower", "Actual", "Upper")
    )

    def both(one: str, other: str) -> str:
        return f"RMSE {rmse[one]:.3f} and {rmse[other]:.3f}"

    def sides(name: str) -> str:
        return f"RMSE of overestimations {over[name]:.3f}, of underestimations {under[name]:.3f}"

    evidence = {
        "condensed": sides(CONDENSED),
        "better than condensed": both(BOTH, CONDENSED),
        "best of all": _listed(rmse),
        "run prior": both(RUN, POOL),
        "run underestimates": sides(RUN),
        "both underestimate": sides(BOTH),
        "loose": _listed(rmse),
        "ranking": f"tau: {_listed({name: rankings[name, 'tau'] for name in METHODS})}",
        "tightens": _tightened(preferences),
    }
    return [Claim.elsewhere(text[name], shown) for name, shown in evidence.items()]


def _listed(values: Mapping[str, float]) -> str:
    shown = {name: "undefined" if isnan(one) else f"{one:.3f}" for name, one in values.items()}
    return ", ".join(f"{name} {value}" for name, value in shown.items())


def _tightened(preferences: PaperTable) -> str:
    loose, tight = f"Range, {UPPER}", f"Range, {TIGHT}"
    loss = preferences[loose, "Prec."] - preferences[tight, "Prec."]
    gain = preferences[tight, "Rec."] - preferences[loose, "Rec."]
    return f"change of precision and recall: {_listed({'precision': -loss, 'recall': gain})}"
