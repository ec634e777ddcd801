"""Tables 3 to 6 of the bootstrap paper: simulated incompleteness, leaving one group out."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import nan

import numpy as np

from ...common.arrays import FloatArray, IntArray
from ...common.division import share
from ...exceptions import InputError
from ...io.columns import QrelsColumns
from ...io.trec import read_qrels
from ...meta.left_out import left_out_scores
from ...meta.prediction import Preferences, prediction_error, reconstructed_preferences
from ...runsets.runset import RunSet
from ...stats.correlation import coefficient_of
from ...stats.ranks import rounded
from ..material import Material
from ..progress import steps
from ..results import Claim, Number, PaperTable

POOL_DEPTH = 10
LOWER, CONDENSED, UPPER, BOTH = "Naive (L)", "Condensed", "Naive (U)", "Bootstr. P+R"
METHODS = {
    LOWER: "nDCG@10",
    CONDENSED: "nDCG(judged_only=True)@10",
    UPPER: "nDCGBound(bound=upper)@10",
    "Bootstr. P": "BootNDCG(prior=pool)@10",
    "Bootstr. R": "BootNDCG(prior=run)@10",
    BOTH: "BootNDCG@10",
}
QUANTILES = {f"BS P+R@{level}": f"BootNDCG(stat=q{level})@10" for level in (75, 90, 95)}
TIGHT = "BS P+R@95"

POINTS = {name: (name, name) for name in (LOWER, CONDENSED, BOTH)}
RANGES = {name: (LOWER, name) for name in (UPPER, CONDENSED, *QUANTILES)}

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
    printed : tuple of floats
        Both, as the paper prints them; empty if it does not.
    """

    label: str
    pool: FloatArray
    unjudged: FloatArray
    printed: tuple[float, ...] = ()


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

    @property
    def remark(self) -> str:
        """What differs from the paper."""
        left_out = f"leaving out one {self.unit} at a time, {len(set(self.groups))} in all"
        return (
            f"{left_out}; the paper's collections (Robust04, ClueWeb09, ClueWeb12) need "
            "participants' runs; all runs are used, the paper's are the best 75%"
        )


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
        material.qrels,
        runs,
        {**METHODS, **QUANTILES},
        depth=POOL_DEPTH,
        each=lambda groups: steps(groups, unit, progress),
    )
    prevalence = _mean_prevalence(material, list(map(grade_counts, found.left)))
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
    filled = [one for one in counts if one.sum()]
    if not filled:
        return np.full(1, nan)
    table = np.zeros((len(filled), max(map(len, filled))))
    for row, one in zip(table, filled, strict=True):
        row[: len(one)] = one
    return share(table, table.sum(axis=1, keepdims=True)).mean(axis=0)


def label_of(material: Material) -> str:
    """The collection's title, or ``user`` or ``simulated``."""
    return material.description.split(":")[0] if material.origin == "paper" else material.origin


def _mean_prevalence(material: Material, left: Sequence[IntArray]) -> Prevalence:
    every = grade_counts(read_qrels(material.qrels))
    removed = [every - np.pad(one, (0, len(every) - len(one))) for one in left]
    return Prevalence(label_of(material), shares(left), shares(removed))


def table_3(rows: Sequence[Prevalence]) -> PaperTable:
    """Table 3: the prevalence of each grade in the pool and among unjudged documents."""
    width = max(5, *(max(len(row.pool), len(row.unjudged)) for row in rows))
    numbers = []
    for row in rows:
        here = [value for part in (row.pool, row.unjudged) for value in _padded(part, width)]
        columns = [f"{part} {grade}" for part in ("pool", "unjudged") for grade in range(width)]
        printed = row.printed if len(row.printed) == len(here) else (nan,) * len(here)
        numbers += [Number(row.label, *cells) for cells in zip(columns, here, printed, strict=True)]
    return PaperTable(
        "Table 3",
        "share of each grade in the judgment pool and among the unjudged documents",
        "; ".join(row.label for row in rows),
        tuple(numbers),
        "simulated incompleteness is averaged over what is left out; the paper's Robust04, "
        "ClueWeb09 and ClueWeb12 need participants' runs",
        places=2,
    )


def _padded(values: FloatArray, width: int) -> list[float]:
    fill = nan if np.isnan(values).all() else 0.0
    padded: list[float] = np.pad(values, (0, width - len(values)), constant_values=fill).tolist()
    return padded


def table_4(found: LeftOut) -> PaperTable:
    """Table 4: root mean square errors of the predicted scores."""
    numbers = []
    for name in METHODS:
        error = prediction_error(found.predicted[name], found.truth)
        numbers += [
            Number(name, "Lower", error.lower),
            Number(name, "Actual", error.actual),
            Number(name, "Upper", error.upper),
        ]
    return PaperTable(
        "Table 4",
        "RMSE of predicted nDCG@10; Lower ignores underestimations, Upper overestimations",
        found.material.description,
        tuple(numbers),
        found.remark,
    )


def table_5(found: LeftOut) -> PaperTable:
    """Table 5: correlation of the rankings of systems by predicted and by actual scores."""
    numbers = []
    for name in METHODS:
        for column, coefficient in (("tau", "tau_b"), ("rho", "spearman")):
            means = (rounded(of.mean(axis=1)) for of in (found.predicted[name], found.truth))
            first, second = (mean[np.newaxis] for mean in means)
            (here,) = coefficient_of(coefficient, first, second, phi=nan)
            numbers.append(Number(name, column, float(here)))
    return PaperTable(
        "Table 5",
        "correlation of the rankings of systems by predicted and by actual nDCG@10",
        found.material.description,
        tuple(numbers),
        found.remark,
    )


def table_6(found: LeftOut) -> PaperTable:
    """Table 6: preferences between a run and the runs of other groups, topic by topic."""
    numbers = []
    for kind, cases in (("Point", POINTS), ("Range", RANGES)):
        for name, (lower, upper) in cases.items():
            made = _preferences(found, lower, upper)
            numbers += [
                Number(f"{kind}, {name}", "Prec.", made.precision),
                Number(f"{kind}, {name}", "Rec.", made.recall),
                Number(f"{kind}, {name}", "F1", made.f1),
            ]
    return PaperTable(
        "Table 6",
        "precision and recall of reconstructed preferences; ranges start at the naive lower bound",
        found.material.description,
        tuple(numbers),
        found.remark,
    )


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
    label = found.prevalence.label
    if np.isnan(found.prevalence.unjudged).all():
        text = f"{label}: bootstrapping with both priors predicts scores best of all methods"
        reason = f"leaving out one {found.unit} leaves no document unjudged"
        return [Claim(text, "cannot be told", reason)]
    actual = {name: errors[name, "Actual"] for name in METHODS}
    lower, upper = (
        {name: errors[name, column] for name in METHODS} for column in ("Lower", "Upper")
    )
    rows = {name: f"Range, {name}" for name in (UPPER, TIGHT)}
    loss = preferences[rows[UPPER], "Prec."] - preferences[rows[TIGHT], "Prec."]
    gain = preferences[rows[TIGHT], "Rec."] - preferences[rows[UPPER], "Rec."]
    return [
        Claim.of(
            f"{label}: condensed lists often overestimate",
            lower[CONDENSED] > upper[CONDENSED],
            f"RMSE of overestimations {lower[CONDENSED]:.3f}, of underestimations "
            f"{upper[CONDENSED]:.3f}",
        ),
        Claim.of(
            f"{label}: bootstrapping with both priors predicts scores better than condensed lists",
            actual[BOTH] < actual[CONDENSED],
            f"RMSE {actual[BOTH]:.3f} and {actual[CONDENSED]:.3f}",
        ),
        Claim.of(
            f"{label}: bootstrapping with both priors predicts scores best of all methods",
            actual[BOTH] < min(value for name, value in actual.items() if name != BOTH),
            ", ".join(f"{name} {value:.3f}" for name, value in actual.items()),
        ),
        Claim.of(
            f"{label}: the prior of the run predicts better than the prior of the pool",
            actual["Bootstr. R"] < actual["Bootstr. P"],
            f"RMSE {actual['Bootstr. R']:.3f} and {actual['Bootstr. P']:.3f}",
        ),
        Claim.of(
            f"{label}: bootstrapping with the prior of the run rather underestimates",
            lower["Bootstr. R"] < upper["Bootstr. R"],
            f"RMSE of overestimations {lower['Bootstr. R']:.3f}, of underestimations "
            f"{upper['Bootstr. R']:.3f}",
        ),
        Claim.of(
            f"{label}: bootstrapping with both priors rather underestimates",
            lower[BOTH] < upper[BOTH],
            f"RMSE of overestimations {lower[BOTH]:.3f}, of underestimations {upper[BOTH]:.3f}",
        ),
        Claim.of(
            f"{label}: the naive upper bound is very loose",
            actual[UPPER] > max(value for name, value in actual.items() if name != UPPER),
            ", ".join(f"{name} {value:.3f}" for name, value in actual.items()),
        ),
        _ranks_best(label, rankings),
        Claim.of(
            f"{label}: the 95% quantile tightens the naive upper bound at a loss of precision of "
            f"at most {NEGLIGIBLE}",
            loss <= NEGLIGIBLE and gain > 0,
            f"precision falls by {loss:.3f}, recall grows by {gain:.3f}",
        )
        if not np.isnan([loss, gain]).any()
        else Claim(
            f"{label}: the 95% quantile tightens the naive upper bound",
            "cannot be told",
            "a range implies no preference",
        ),
    ]


def _ranks_best(label: str, rankings: PaperTable) -> Claim:
    text = f"{label}: bootstrapping with both priors ranks systems most like their actual scores"
    taus = {name: rankings[name, "tau"] for name in METHODS}
    if np.isnan(list(taus.values())).any():
        return Claim(text, "cannot be told", "a method ties all systems")
    return Claim.of(
        text,
        taus[BOTH] > max(value for name, value in taus.items() if name != BOTH),
        "tau: " + ", ".join(f"{name} {value:.3f}" for name, value in taus.items()),
    )
