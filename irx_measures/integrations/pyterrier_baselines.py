"""Comparisons with baselines, as columns that pt.Experiment shows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any

import ir_measures
import numpy as np

from ..common.numeric import FloatArray
from ..common.validators import choice, number_in
from ..common.warn import untold, warn
from ..comparison.result import Comparison
from ..comparison.words import without_score
from ..exceptions import InputError
from ..scoring.score_matrix import ScoreMatrix
from ..stats.decisions import CORRECTIONS, rejects
from ..typing import DataFrame
from .pyterrier_call import ExperimentCall, positions

# Other names of corrections, which are those of PyTerrier and statsmodels.
SYNONYMS = {"h": "holm", "b": "bonferroni", "fdr_bh": "bh"}

# Arguments of pt.Experiment about a baseline, with their defaults.
ABOUT_BASELINE = {"baseline": None, "test": "t", "correction": None, "correction_alpha": 0.05}

# PyTerrier's columns of comparisons: those of `Comparison.to_frame`, and `reject`.
COMPARED = {"+": "wins", "-": "losses", "p-value": "p"}
CORRECTED = {"reject": "reject", "p-value corrected": "p_adjusted"}

OF_SCIPY = {"t": "ttest_rel", "wilcoxon": "wilcoxon"}  # the tests of PyTerrier

OF_PAIR = ["measure", "baseline", "system"]
NUMBERS = [*COMPARED.values(), "p_adjusted"]


@dataclass(frozen=True)
class Baselines:
    """The systems that others are compared with, and how: the arguments of `compare`."""

    names: list[str]  # of their runs
    test: Any  # `compare` checks it
    correction: Any
    level: float
    columns: Mapping[str, str]  # PyTerrier's columns, and ours with the same numbers
    named: bool  # whether these columns name the baseline

    @classmethod
    def of(cls, call: ExperimentCall, named: bool) -> Baselines | None:
        """From the arguments of a call; None if it has no baseline."""
        given = {name: call.passed.get(name, usual) for name, usual in ABOUT_BASELINE.items()}
        if given["baseline"] is None:
            return None
        refuse_perquery(call.passed)
        correction = given["correction"] or "none"
        choice(*CORRECTIONS, *SYNONYMS).check("correction", correction)
        allowed = number_in(0, 1, closed=False)
        alpha = allowed.check("correction_alpha", given["correction_alpha"])
        places = positions(given["baseline"], call.names)
        return cls(
            names=[call.run_names[place] for place in places],
            test=given["test"],
            correction=SYNONYMS.get(correction, correction),
            level=1.0 - alpha,
            columns=_columns(corrected=given["correction"] is not None),
            named=named,
        )

    def rehearse(self, systems: Sequence[str], queries: int) -> None:
        """Let `compare` refuse what it would refuse whatever the scores of these systems are."""
        query_ids = tuple(map(str, range(queries)))
        scores = np.outer(np.arange(len(systems)), np.arange(1.0, queries + 1))[np.newaxis]
        self._compared(ScoreMatrix((ir_measures.AP,), tuple(systems), query_ids, scores))

    def comparisons(
        self, rows: DataFrame, measures: Mapping[str, Any], systems: Sequence[str]
    ) -> dict[str, Any]:
        """The columns that are shown; NaN where one of the two systems has no score.

        `rows` are the scores per query as PyTerrier returns them.
        """
        import pandas as pd

        pairs = pd.MultiIndex.from_product([list(measures), systems])
        table = rows.pivot(index=["measure", "name"], columns="qid", values="value").reindex(pairs)
        scores = table.to_numpy(float).reshape(len(measures), len(systems), -1)
        query_ids = tuple(map(str, table.columns))
        matrix = ScoreMatrix(tuple(measures.values()), tuple(systems), query_ids, scores)
        found = self._found(matrix).set_index(OF_PAIR)[NUMBERS].astype(float)
        columns: dict[str, Any] = {}
        for (label, measure), name in product(measures.items(), self.names):
            of_name = found.reindex(pd.MultiIndex.from_product([[str(measure)], [name], systems]))
            of_name["reject"] = rejects(of_name["p_adjusted"].to_numpy(), self.level)
            end = f" ({name})" if self.named else ""
            for shown, ours in self.columns.items():
                columns[f"{label} {shown}{end}"] = of_name[ours].array
        return columns

    def _found(self, matrix: ScoreMatrix) -> DataFrame:
        """The comparisons of `compare`; no rows if there is nothing to compare."""
        import pandas as pd

        undefined = np.asarray(np.isnan(matrix.scores).any(axis=2))  # (measures, systems)
        places = [matrix.systems.index(name) for name in self.names]
        has_base = ~undefined[:, places].all(axis=1)
        has_pair = has_base & ((~undefined).sum(axis=1) > 1)
        if has_pair.any():
            with untold("not compared: "):  # the provider has said which systems have no score
                return self._compared(matrix).to_frame()
        if not has_base.any():
            for measure in matrix.measures:
                warn(without_score(measure, self.names, self.names))
        return pd.DataFrame(columns=[*OF_PAIR, *NUMBERS])

    def _compared(self, matrix: ScoreMatrix) -> Comparison:
        return matrix.compare(
            baseline=self.names, test=self.test, correction=self.correction, level=self.level
        )


def _columns(corrected: bool) -> dict[str, str]:
    return COMPARED | CORRECTED if corrected else COMPARED


def refuse_perquery(given: Mapping[str, Any]) -> None:
    """InputError if an experiment with baselines asks for scores per query."""
    if given.get("perquery"):
        raise InputError(
            f"Experiment: `perquery` must be False with baselines; got {given['perquery']!r}"
        )


def hosts_test(test: Any) -> Any:
    """The test by which PyTerrier compares systems: its own, with p = 1 where scores are equal.

    SciPy has no p-value where all differences are 0, and a correction may then reject. A user's
    function, and the name of no test, stay as they are.
    """
    if not isinstance(test, str) or test not in OF_SCIPY:
        return test
    from scipy import stats

    function = getattr(stats, OF_SCIPY[test])

    def tested(scores: FloatArray, base: FloatArray) -> Any:
        return (0.0, 1.0) if np.array_equal(scores, base) else function(scores, base)

    return tested


def without_untested(result: Any) -> Any:
    """A result of PyTerrier in which no hypothesis is rejected that has no p-value."""
    table = result.data if hasattr(result, "export") else result
    for column in getattr(table, "columns", ()):
        label, is_of_test, _ = str(column).rpartition(" reject")
        if is_of_test:
            table[column] &= table[f"{label} p-value"].notna()
    return result
