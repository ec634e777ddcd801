"""The columns of pt.Experiment that compare systems with baselines.

PyTerrier takes one baseline, and compares systems without a score too.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from numbers import Integral
from typing import Any, get_args

import ir_measures
import numpy as np

from ..common.numeric import FloatArray
from ..common.warn import untold
from ..exceptions import InputError
from ..scoring.score_matrix import ScoreMatrix
from ..typing import ComparisonTest

# Corrections by `compare`. PyTerrier takes its corrections, which are more, from statsmodels.
OF_COMPARE = ("none", "holm", "bonferroni", "bh")

COMPARED = ("wins", "losses", "p", "p_adjusted")

REHEARSED_TOPICS = 50  # as many as most TREC tracks have; every test works with so many


PYTERRIERS_TESTS = ("t", "wilcoxon")


def is_test_of_compare(test: Any) -> bool:
    """Whether a test is one of `compare` and none of PyTerrier, which takes functions too."""
    return isinstance(test, str) and test in set(get_args(ComparisonTest)) - set(PYTERRIERS_TESTS)


def are_several(baseline: Any) -> bool:
    """Whether `baseline` is a collection, and not None, a position or a name."""
    return isinstance(baseline, Iterable) and not isinstance(baseline, str)


def positions_of(baseline: Any, names: Sequence[Any]) -> list[int]:
    """The positions of one or several baselines, which are given by name or position."""
    given = list(baseline) if are_several(baseline) else [baseline]
    if not given:
        raise InputError("Experiment: `baseline` must name at least one system; got an empty list")
    return list(dict.fromkeys(_position(one, names) for one in given))


def _position(one: Any, names: Sequence[Any]) -> int:
    if isinstance(one, Integral):
        if 0 <= int(one) < len(names):
            return int(one)
        rule = f"be a position from 0 to {len(names) - 1}, or a name"
    elif one in names:
        return list(names).index(one)
    else:
        rule = f"be one of {list(names)}"
    raise InputError(f"Experiment: `baseline` must {rule}; got {one!r}")


class _PairedScores:
    """A test for pt.Experiment that keeps the scores of each system and of the baseline."""

    def __init__(self) -> None:
        self._pairs: list[tuple[FloatArray, FloatArray]] = []

    def __call__(self, system: FloatArray, baseline: FloatArray) -> tuple[float, float]:
        self._pairs.append((system, baseline))
        return np.nan, np.nan

    def of_all(self, measures: int, systems: int, position: int) -> FloatArray:
        """The scores of all systems, given the baseline's position: measures, systems, topics."""
        # PyTerrier goes system by system, and does so again for the file that it saves.
        pairs = np.array(self._pairs[: measures * (systems - 1)])
        pairs = pairs.reshape(-1, measures, *pairs.shape[1:])
        return np.insert(np.swapaxes(pairs[:, :, 0], 0, 1), position, pairs[0, :, 1], axis=1)


def with_baselines(
    experiment: Callable[..., Any],
    baselines: Sequence[int],
    names: Sequence[str],
    measures: Mapping[str, ir_measures.Measure],
    /,
    *,
    test: Any = "t",
    correction: str | None = None,
    correction_alpha: float = 0.05,
    **given: Any,
) -> Any:
    """The result of pt.Experiment with the columns of several baselines.

    Parameters
    ----------
    experiment
        PyTerrier's function.
    baselines
        The positions of the baselines.
    names
        The systems' names, each different.
    measures
        The measures by the names of their columns.
    test, correction, correction_alpha
        As for `Experiment`.
    **given
        The other arguments of pt.Experiment.
    """
    if len(names) < 2:
        raise InputError("Experiment: `baseline` needs at least 2 systems; got 1")
    if given.get("perquery"):
        raise InputError(
            f"Experiment: `perquery` must be False with baselines; got {given['perquery']!r}"
        )
    of_compare = "none" if correction is None else correction
    of_statsmodels = of_compare not in OF_COMPARE
    how = {
        "test": test,
        "correction": "none" if of_statsmodels else of_compare,
        "level": 1.0 - correction_alpha,
    }
    _rehearse(how, of_compare if of_statsmodels else None)
    scores = _PairedScores()
    result = experiment(baseline=baselines[0], test=scores, **given)
    if isinstance(result, dict):  # dataframe=False: means only, as with one baseline
        return result
    table = result.data if hasattr(result, "export") else result  # a Styler, for `highlight`
    labels = [label for label in table.columns if label in measures]
    array = scores.of_all(len(labels), len(names), baselines[0])
    against = [names[position] for position in baselines]
    # The provider has said which systems have no score.
    with untold(*["left out "] * bool(np.isnan(array).any())):
        rows = _compared([measures[label] for label in labels], names, array, against, how)
    if of_statsmodels:
        for _, family in rows.groupby("measure"):
            rows.loc[family.index, "p_adjusted"] = _corrected(family, of_compare, correction_alpha)
    columns: dict[str, Any] = {}
    for label in labels:
        of_measure = rows[rows["measure"] == str(measures[label])].set_index("system")
        for name in against:
            found = of_measure[of_measure["baseline"] == name].reindex(names)
            columns[f"{label} + ({name})"] = found["wins"].to_numpy(float)
            columns[f"{label} - ({name})"] = found["losses"].to_numpy(float)
            columns[f"{label} p-value ({name})"] = found["p"].to_numpy(float)
            if correction is not None:
                adjusted = found["p_adjusted"].to_numpy(float)
                columns[f"{label} reject ({name})"] = adjusted <= correction_alpha
                columns[f"{label} p-value corrected ({name})"] = adjusted
    of_one = [f"{label} {what}" for label in labels for what in ("+", "-", "p-value")]
    table = table.drop(columns=of_one).assign(**columns)
    return table.style.use(result.export()) if hasattr(result, "export") else table


def _rehearse(how: Mapping[str, Any], of_statsmodels: str | None) -> None:
    """Refuse a wrong test or correction before systems run, which may take hours."""
    scores = np.stack([np.zeros(REHEARSED_TOPICS), np.arange(1.0, REHEARSED_TOPICS + 1)])
    _compared([ir_measures.AP], ("a", "b"), scores[np.newaxis], ["a"], how)
    if of_statsmodels is not None:
        from statsmodels.stats.multitest import multipletests

        try:
            multipletests([0.5], method=of_statsmodels)
        except ValueError:
            raise InputError(
                f"Experiment: `correction` must be None, {', '.join(map(repr, OF_COMPARE))} or a "
                f"method of statsmodels' multipletests; got {of_statsmodels!r}"
            ) from None


def _compared(
    measures: Sequence[ir_measures.Measure],
    names: Sequence[str],
    scores: FloatArray,
    against: Sequence[str],
    how: Mapping[str, Any],
) -> Any:
    """The rows of `Comparison.to_frame`, without measures on which no pair has scores."""
    defined = np.asarray(~np.isnan(scores).any(axis=2))
    base = defined[:, [names.index(name) for name in against]].any(axis=1)
    kept = np.flatnonzero(base & (defined.sum(axis=1) > 1)).tolist()
    if not kept:
        import pandas as pd

        return pd.DataFrame(columns=["measure", "system", "baseline", *COMPARED])
    topics = tuple(map(str, range(scores.shape[2])))
    matrix = ScoreMatrix(
        tuple(measures[place] for place in kept), tuple(names), topics, scores[kept]
    )
    return matrix.compare(baseline=against, **how).to_frame()


def _corrected(family: Any, method: str, alpha: float) -> list[float]:
    """p-values by a correction of statsmodels; a pair of two baselines is one hypothesis."""
    from statsmodels.stats.multitest import multipletests

    pairs = [frozenset(pair) for pair in zip(family["system"], family["baseline"], strict=True)]
    p = dict(zip(pairs, family["p"], strict=True))
    corrected = multipletests(list(p.values()), alpha=alpha, method=method)[1]
    adjusted = dict(zip(p, corrected.tolist(), strict=True))
    return [adjusted[pair] for pair in pairs]


def of_defined(test: Callable[..., Any]) -> Callable[..., Any]:
    """A user's test, which never gets the scores of a system that has none."""

    def tested(system: FloatArray, baseline: FloatArray) -> Any:
        undefined = np.isnan(system).any() or np.isnan(baseline).any()
        return (np.nan, np.nan) if undefined else test(system, baseline)

    return tested


def leave_out(
    result: Any,
    baseline: int,
    labels: Sequence[str],
    /,
    *,
    correction: str | None = None,
    correction_alpha: float = 0.05,
    **_: Any,
) -> bool:
    """Remove the comparisons of systems without a score from a result with one baseline.

    Parameters
    ----------
    result
        A result of pt.Experiment, which is changed.
    baseline
        The position of the baseline.
    labels
        The names of the measures' columns.
    correction, correction_alpha
        As for pt.Experiment; the other comparisons are corrected without those that are removed.

    Returns
    -------
    Whether there were such systems.
    """
    if isinstance(result, dict):
        return False
    table = result.data if hasattr(result, "export") else result
    undefined = [label for label in labels if label in table and table[label].isna().any()]
    for label in undefined:
        p, without = f"{label} p-value", table[label].isna()
        rows = slice(None) if without.iloc[baseline] else without
        table.loc[rows, [f"{label} +", f"{label} -", p]] = np.nan
        if correction is not None:
            from statsmodels.stats.multitest import multipletests

            kept = table[p].notna().to_numpy()
            adjusted = np.full(len(table), np.nan)
            if kept.any():
                adjusted[kept] = multipletests(
                    table.loc[kept, p], alpha=correction_alpha, method=correction
                )[1]
            table[f"{p} corrected"] = adjusted
            table[f"{label} reject"] = adjusted <= correction_alpha
    return bool(undefined)


def highlight_scores(result: Any) -> None:
    """Take columns without a score out of PyTerrier's styles, which fail on them."""
    if not hasattr(result, "export"):
        return
    for *_, arguments in result.export()["apply"]:
        styled = arguments.get("col_type", {})
        for column in [name for name in result.data if result.data[name].isna().all()]:
            styled.pop(column, None)
