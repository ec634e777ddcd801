"""Tables 3 to 6 of the bootstrap paper: simulated incompleteness, leaving one group out."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import isnan, nan

import numpy as np

from ...common.arrays import FloatArray, IntArray
from ...exceptions import InputError
from ...io.columns import QrelsColumns
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

NEGLIGIBLE = 0.01  # the paper calls its losses of precision negligible: they are .001 to .008


@dataclass(frozen=True, eq=False)
class Prevalence:
    """The share of each grade in a pool, and among unjudged documents.

    Attributes
    ----------
    label : str
        The collection.
    pool, unjudged : (grades,) floats
        For grade 0, 1, ...; negative grades count as 0.
    printed : bool
        Whether the data is the paper's.
    """

    label: str
    pool: FloatArray
    unjudged: FloatArray
    printed: bool = False


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
        data, groups = self.material.description, len(set(self.groups))
        return DECLARED.table(label, here, data, unit=self.unit, units=groups)


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
    prevalence = Prevalence(label_of(material), shares(left), shares(removed))
    return LeftOut(material, found.groups, unit, found.truth, found.predicted, prevalence)


def _grouped(runs: RunSet) -> tuple[RunSet, str]:
    """The runs with their groups, or each run as its own group."""
    if runs.groups is not None and len(set(runs.groups)) > 1:
        return runs, "group"
    return runs.of_sources(runs.sources, {name: name for name in runs.names}), "run"


def grade_counts(qrels: QrelsColumns) -> IntArray:
    """How many judgments have grade 0, 1, ...; negative grades count as 0."""
    return np.bincount(np.maximum(qrels.grade, 0))


def shares(counts: Iterable[IntArray]) -> FloatArray:
    """The mean share of each grade over several counts; counts of nothing are left out."""
    found = [one / one.sum() for one in counts if one.sum()]
    width = max(map(len, found), default=1)
    padded = [np.pad(one, (0, width - len(one))) for one in found] or [np.full(1, nan)]
    return np.mean(padded, axis=0)


def label_of(material: Material) -> str:
    """The collection's title, or ``user`` or ``simulated``."""
    return material.description.split(":")[0] if material.origin == "paper" else material.origin


def table_3(rows: Sequence[Prevalence]) -> PaperTable:
    """Table 3: the prevalence of each grade in the pool and among unjudged documents."""
    width = max(5, *(max(len(row.pool), len(row.unjudged)) for row in rows))
    columns = [f"{part} {grade}" for part in ("pool", "unjudged") for grade in range(width)]
    here = in_rows(
        columns,
        ((row.label, (*_filled(row.pool, width), *_filled(row.unjudged, width))) for row in rows),
    )
    data = "; ".join(row.label for row in rows)
    return DECLARED.table("Table 3", here, data, printed=any(row.printed for row in rows))


def _filled(values: FloatArray, width: int) -> list[float]:
    fill = nan if np.isnan(values).all() else 0.0
    filled: list[float] = np.pad(values, (0, width - len(values)), constant_values=fill).tolist()
    return filled


def table_4(found: LeftOut) -> PaperTable:
    """Table 4: root mean square errors of the predicted scores."""
    errors = {name: prediction_error(found.predicted[name], found.truth) for name in METHODS}
    rows = {name: (error.lower, error.actual, error.upper) for name, error in errors.items()}
    return found.table("Table 4", in_rows(("Lower", "Actual", "Upper"), rows))


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
    total = Preferences(0, 0, 0)
    for place, group in enumerate(found.groups):
        others = [other for other, name in enumerate(found.groups) if name != group]
        both = np.array([found.predicted[lower][place], found.predicted[upper][place]])
        low, high = np.sort(both, axis=0)
        total += reconstructed_preferences(low, high, found.truth[place], found.truth[others])
    return total


def claims_of_left_out(
    found: LeftOut, errors: PaperTable, rankings: PaperTable, preferences: PaperTable
) -> list[Claim]:
    """The claims of the abstract and of section 4.2 on simulated incompleteness."""
    text = DECLARED.claims_about("Tables 3 to 6", label=found.prevalence.label)
    if np.isnan(found.prevalence.unjudged).all():
        reason = f"leaving out one {found.unit} leaves no document unjudged"
        return Claim.unknown(reason, text["best of all"])
    over, rmse, under = (
        {name: errors[name, column] for name in METHODS} for column in ("Lower", "Actual", "Upper")
    )

    def below(name: str, one: str, other: str) -> Claim:
        """Whether one method has smaller errors than another."""
        evidence = f"RMSE {rmse[one]:.3f} and {rmse[other]:.3f}"
        return Claim.of(text[name], rmse[one] < rmse[other], evidence)

    def by_side(name: str, method: str, *, overestimates: bool) -> Claim:
        """Whether overestimations, or underestimations, are larger."""
        evidence = f"of overestimations {over[method]:.3f}, of underestimations {under[method]:.3f}"
        difference = over[method] - under[method]
        holds = difference > 0 if overestimates else difference < 0
        return Claim.of(text[name], holds, f"RMSE {evidence}")

    taus = {name: rankings[name, "tau"] for name in METHODS}
    shown, ties = f"tau: {_listed(taus)}", "a method ties all systems"
    best_tau = _is_alone(max, BOTH, taus)
    return [
        by_side("condensed", CONDENSED, overestimates=True),
        below("better than condensed", BOTH, CONDENSED),
        Claim.of(text["best of all"], _is_alone(min, BOTH, rmse), _listed(rmse)),
        below("run prior", RUN, POOL),
        by_side("run underestimates", RUN, overestimates=False),
        by_side("both underestimate", BOTH, overestimates=False),
        Claim.of(text["loose"], _is_alone(max, UPPER, rmse), _listed(rmse)),
        Claim.if_defined(text["ranking"], taus.values(), best_tau, shown, ties),
        _tightens(text["tightens"], preferences),
    ]


def _is_alone(end: Callable[..., float], name: str, values: Mapping[str, float]) -> bool:
    """Whether one method alone has the lowest (`end` is min) or the highest value (max)."""
    return [one for one, value in values.items() if value == end(values.values())] == [name]


def _listed(values: Mapping[str, float]) -> str:
    return ", ".join(f"{name} {value:.3f}" for name, value in values.items())


def _tightens(text: str, preferences: PaperTable) -> Claim:
    loose, tight = f"Range, {UPPER}", f"Range, {TIGHT}"
    loss = preferences[loose, "Prec."] - preferences[tight, "Prec."]
    gain = preferences[tight, "Rec."] - preferences[loose, "Rec."]
    if isnan(loss) or isnan(gain):
        return Claim(text, "cannot be told", "a range implies no preference")
    return Claim.of(
        f"{text} at a loss of precision of at most {NEGLIGIBLE}",
        loss <= NEGLIGIBLE and gain > 0,
        f"precision falls by {loss:.3f}, recall grows by {gain:.3f}",
    )
