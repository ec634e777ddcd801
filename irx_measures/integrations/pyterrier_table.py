"""Scores and comparisons in the shapes that pt.Experiment returns."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import ir_measures
import numpy as np

from ..common.numeric import FloatArray
from ..common.validators import choice, number_in
from ..common.warn import warn
from ..common.writing import shown
from ..comparison.compare import COMPARING
from ..comparison.hypotheses import asked_of
from ..comparison.words import without_score
from ..exceptions import InputError
from ..measures.declaring.base import Measure
from ..scoring.score_matrix import ScoreMatrix
from ..stats.decisions import CORRECTIONS, rejects
from ..stats.family import Method, Part, check_can_reject, decide
from ..stats.pairs import Pairs, noise_of
from .pyterrier_systems import Systems

Labelled = Mapping[str, ir_measures.Measure]
"""The measures by their names in tables."""

PYTERRIERS_TESTS = ("t", "wilcoxon")

# Other names of corrections, which are those of PyTerrier and statsmodels.
SYNONYMS = {"h": "holm", "b": "bonferroni", "fdr_bh": "bh"}

# The names by which PyTerrier sums a measure over queries; by others, it has the mean.
SUMMED = {
    "num_q", "num_rel", "num_ret", "num_rel_ret", "NumQ", "NumRel", "NumRet", "NumRelRet",
}  # fmt: skip

# PyTerrier's columns of a comparison; the last two only with a correction.
COLUMNS = ("+", "-", "p-value", "reject", "p-value corrected")
UNTESTED = (np.nan, np.nan, np.nan, False, np.nan)


def are_several(baseline: object) -> bool:
    """Whether baselines are given as a collection, and not one by its position or name."""
    return isinstance(baseline, Iterable) and not isinstance(baseline, str)


@dataclass(frozen=True)
class Baselines:
    """The systems that others are compared with, and how."""

    names: list[str]  # of their runs
    method: Method
    columns: tuple[str, ...]  # those of `COLUMNS` that are shown
    named: bool  # whether the columns name the baseline

    @classmethod
    def of(cls, asked: Any, systems: Systems, topics: int) -> Baselines:
        """From the arguments of a call; InputError if nothing could be tested, whatever scores."""
        several = are_several(asked.baseline)
        given = list(asked.baseline) if several else [asked.baseline]
        places = _places(given, asked.baseline, systems.names)
        correction = asked.correction or "none"
        choice(*CORRECTIONS, *SYNONYMS).check("correction", correction)
        alpha = number_in(0, 1, closed=False).check("correction_alpha", asked.correction_alpha)
        method = Method.of(
            asked.test,
            SYNONYMS.get(correction, correction),
            1.0 - alpha,
            Method.resamples,
            Method.seed,
            offered=COMPARING,
        )
        if topics < 2:  # the fewest of a t test
            raise InputError(f"Experiment: `baseline` needs 2 topics; got {topics}")
        pairs = Pairs.against(len(systems.runs), places)
        scores = np.zeros((len(systems.runs), topics))
        check_can_reject(Part(scores, pairs), method, len(pairs.unordered()[0]))
        return cls(
            [systems.runs[place] for place in places],
            method,
            COLUMNS[:3] if asked.correction is None else COLUMNS,
            several or asked.test not in PYTERRIERS_TESTS,
        )

    def comparisons(self, matrix: ScoreMatrix, labelled: Labelled) -> dict[str, Sequence[Any]]:
        """The columns of all measures; NaN where one of the two systems has no score."""
        columns: dict[str, Sequence[Any]] = {}
        for label, measure in labelled.items():
            tested = self._tested(matrix, matrix.measures.index(measure))
            for name in self.names:
                rows = [tested.get((system, name), UNTESTED) for system in matrix.systems]
                end = f" ({name})" if self.named else ""
                for column, values in zip(self.columns, zip(*rows, strict=True), strict=False):
                    columns[f"{label} {column}{end}"] = values
        return columns

    def _tested(self, matrix: ScoreMatrix, place: int) -> dict[tuple[str, str], tuple[Any, ...]]:
        """The numbers in `COLUMNS` of each pair of a system and a baseline, on one measure."""
        measure = matrix.measures[place]
        tested: dict[tuple[str, str], tuple[Any, ...]] = {}
        for asked in asked_of({None: matrix}, place, self.names):
            if not len(asked.hypothesis):
                warn(without_score(measure, self.names, self.names))
                continue
            (found,) = decide([asked.part], self.method)
            noise = 0.0
            if isinstance(measure, Measure):  # of all systems at once: equal scores may differ
                noise = noise_of(asked.scores)
            difference = asked.pairs.differences(asked.scores, noise)
            arrays = (
                np.count_nonzero(difference > 0, axis=1),
                np.count_nonzero(difference < 0, axis=1),
                found.p[asked.hypothesis],
                rejects(found.p_adjusted, self.method.level)[asked.hypothesis],
                found.p_adjusted[asked.hypothesis],
            )
            rows = zip(*(array.tolist() for array in arrays), strict=True)
            for first, second, row in zip(*asked.pairs, rows, strict=True):
                tested[asked.systems[first], asked.systems[second]] = row
        return tested


def _places(given: Sequence[Any], baseline: object, names: Sequence[Any]) -> list[int]:
    """The positions of baselines, which are names or positions."""
    place_of = {name: place for place, name in reversed([*enumerate(names)])}
    place_of |= {place: place for place in range(len(names))}
    if not given or not all(isinstance(one, Hashable) and one in place_of for one in given):
        got = type(baseline).__name__ if hasattr(baseline, "columns") else shown(baseline)
        raise InputError(
            f"Experiment: `baseline` must be one or several of {[*names]}, or of the positions 0 "
            f"to {len(names) - 1}; got {got}"
        )
    return list(dict.fromkeys(place_of[one] for one in given))


def table_of_means(
    asked: Any,
    names: Sequence[Any],
    labelled: Labelled,
    matrix: ScoreMatrix,
    times: FloatArray | None,
    baselines: Baselines | None,
) -> Any:
    """A row per system: the means, the times, the comparisons; or a dict by system."""
    import pandas as pd

    means = matrix.aggregates[_rows(matrix, labelled)]
    for row, (label, measure) in enumerate(labelled.items()):
        if measure.NAME in SUMMED and label not in SUMMED:
            means[row] /= len(matrix.query_ids)
    columns: dict[str, Any] = dict(zip(labelled, means.tolist(), strict=True))
    if times is not None:
        columns["mrt"] = times.tolist()
    if not asked.dataframe:
        rows = [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)]
        return dict(zip(names, rows, strict=True))
    for label, values in columns.items():
        columns[label] = [_rounded(value, label, asked.round) for value in values]
    if baselines is not None:
        columns |= baselines.comparisons(matrix, labelled)
    return pd.DataFrame({"name": list(names), **columns})


def scores_by_query(
    asked: Any,
    names: Sequence[Any],
    labelled: Labelled,
    matrix: ScoreMatrix,
    topics: Iterable[str],
) -> Any:
    """A row per system, query and measure; or a dict by position, query and measure.

    The scores of topics without qrels are NaN.
    """
    import pandas as pd

    queries = [*dict.fromkeys([*matrix.query_ids, *topics])]
    without = len(queries) - len(matrix.query_ids)
    if without:
        warn(
            f"{without} topic(s) not found in qrels. Scores for these topics are given as NaN and "
            "should not contribute to averages.",
            UserWarning,
        )
    known = matrix.scores[_rows(matrix, labelled)]
    missing = np.full((len(labelled), len(names), without), np.nan)
    scores = np.moveaxis(np.concatenate([known, missing], axis=2), 0, 2).tolist()
    if not asked.dataframe:
        return {
            place: {
                query: dict(zip(labelled, values, strict=True))
                for query, values in zip(queries, of_system, strict=True)
            }
            for place, of_system in enumerate(scores)
        }
    rows = [
        (name, query, label, _rounded(value, label, asked.round))
        for name, of_system in zip(names, scores, strict=True)
        for query, values in zip(queries, of_system, strict=True)
        for label, value in zip(labelled, values, strict=True)
    ]
    table = pd.DataFrame(rows, columns=["name", "qid", "measure", "value"])
    return table.sort_values(["name", "qid"], kind="stable", ignore_index=True)


def _rows(matrix: ScoreMatrix, labelled: Labelled) -> list[int]:
    """Where the measures stand in the matrix, in which each is once."""
    return [matrix.measures.index(measure) for measure in labelled.values()]


def _rounded(value: float, label: str, places: Any) -> float:
    """A number with as many decimal places as are asked for."""
    wanted = places.get(label) if isinstance(places, Mapping) else places
    return value if wanted is None else round(value, wanted)
