"""Quality of predicted scores: their errors, and the preferences that they imply (ECIR 2023).

Fröbe, Gienapp, Potthast and Hagen. Bootstrapped nDCG Estimation in the Presence of Unjudged
Documents.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from ..common.numeric import BoolArray, FloatArray, ratio_or_nan
from ..common.progress import with_bar
from ..common.validators import finite_array, names_of
from ..exceptions import InputError
from ..io.table import Table
from ..io.trec import read_qrels
from ..judgments.judgments import Judgments
from ..results.frames import DataFrame, frame
from ..runsets.runset import RunSet
from ..scoring.evaluate import evaluate, parse_all, score_all
from ..stats.pairs import noise_of, without_noise
from ..typing import MeasureLike, QrelsLike
from ..unjudged.leave_out import leave_group_out, require_groups
from ..unjudged.pooled_runs import PooledRuns


class PredictionErrors(NamedTuple):
    """Root mean square errors of predicted scores, in the unit of the scores.

    Attributes
    ----------
    lower : float
        Of overestimations only: how wrong the scores are as lower bounds.
    actual : float
        Of all scores.
    upper : float
        Of underestimations only: how wrong the scores are as upper bounds.

    See Also
    --------
    irx_measures.meta.prediction_error : Computes it.
    """

    lower: float
    actual: float
    upper: float


def prediction_error(predicted: ArrayLike, actual: ArrayLike) -> PredictionErrors:
    """Root mean square errors, as in Table 4 of the bootstrap paper: lower, actual, upper.

    Parameters
    ----------
    predicted, actual : arrays of one shape
        Scores, for example of shape (systems, queries).

    Returns
    -------
    PredictionErrors
        A named tuple of floats in the unit of the scores, at least 0: `lower`, `actual` and
        `upper`.

    Raises
    ------
    ValueError
        When the arrays differ in shape, are empty, or have a number that is not finite.

    Examples
    --------
    One score is too high by .3, and one too low by .4.

    >>> from irx_measures.meta import prediction_error
    >>> errors = prediction_error([0.5, 0.1], [0.2, 0.5])
    >>> round(errors.lower, 3), round(errors.actual, 3), round(errors.upper, 3)
    (0.212, 0.354, 0.283)
    """
    given, truth = _of_one_shape(1, predicted=predicted, actual=actual)
    error = given - truth
    return PredictionErrors(
        lower=_root_mean_square(np.maximum(error, 0.0)),
        actual=_root_mean_square(error),
        upper=_root_mean_square(np.minimum(error, 0.0)),
    )


def _root_mean_square(errors: FloatArray) -> float:
    return float(np.sqrt((errors * errors).mean()))


class Preferences(NamedTuple):
    """How well score ranges reconstruct which of two systems is better.

    Attributes
    ----------
    precision : float
        Share of the predicted preferences that are true; NaN without any.
    recall : float
        Share of the true preferences that are predicted; NaN without any.
    f1 : float
        Their harmonic mean.

    See Also
    --------
    irx_measures.meta.reconstructed_preferences : Computes it.
    """

    precision: float
    recall: float
    f1: float


def reconstructed_preferences(
    lower: ArrayLike, upper: ArrayLike, actual: ArrayLike, groups: Sequence[str] | None = None
) -> Preferences:
    """Quality of the preferences that score ranges imply (bootstrap paper, Table 6).

    On each query, each system is compared with the systems of other groups. The other system is
    preferred if its true score lies above the range, and the system itself if it lies below the
    range. A score within the range implies no preference.

    Parameters
    ----------
    lower, upper : (systems, queries)
        Range of each system's score. Pass the same scores twice for point estimates.
    actual : (systems, queries)
        True scores.
    groups
        The group of each system; by default, each system is a group of its own.

    Returns
    -------
    Preferences
        A named tuple of floats in [0, 1]: `precision`, `recall` and `f1`. A share is NaN if there
        is no preference of which it could be a share.

    Raises
    ------
    ValueError
        When the arrays differ in shape, are empty, or have a number that is not finite; when
        `lower` exceeds `upper`; or when there is not one group per system.

    Examples
    --------
    The range of the first system, .2 to .6, holds the true score of the second one, .4.

    >>> from irx_measures.meta import reconstructed_preferences
    >>> found = reconstructed_preferences([[0.2], [0.4]], [[0.6], [0.4]], [[0.5], [0.4]])
    >>> found.precision, found.recall
    (1.0, 0.5)
    """
    low, high, truth = _of_one_shape(2, lower=lower, upper=upper, actual=actual)
    if (low > high).any():
        raise InputError(
            f"`lower` must not exceed `upper`; got {low[low > high][0]} and {high[low > high][0]}"
        )
    group = np.array(names_of("groups", groups, len(truth), "system"))
    predicted = correct = true = 0
    noise = noise_of(np.array([low, high, truth]))
    for system, score in enumerate(truth):
        others = truth[group != group[system]]
        outside = others - np.clip(others, low[system], high[system])
        implied = np.sign(without_noise(outside, noise))
        actual_sign = np.sign(without_noise(others - score, noise))
        predicted += int(np.count_nonzero(implied))
        correct += int(np.count_nonzero(implied * actual_sign > 0))
        true += int(np.count_nonzero(actual_sign))
    shares = ratio_or_nan([correct, correct, 2 * correct], [predicted, true, predicted + true])
    return Preferences(float(shares[0]), float(shares[1]), float(shares[2]))


def _of_one_shape(at_least: int, **given: ArrayLike) -> list[FloatArray]:
    """Arrays of finite numbers, by the names of parameters, of one shape and not empty."""
    arrays = [finite_array(name, values, at_least) for name, values in given.items()]
    shapes = [array.shape for array in arrays]
    if len(set(shapes)) > 1 or not arrays[0].size:
        raise InputError(
            f"{', '.join(f'`{name}`' for name in given)} must have one shape and not be empty; "
            f"got {', '.join(map(str, shapes))}"
        )
    return arrays


class LeftOutScores(NamedTuple):
    """Scores of every run on qrels without the contributions of its own group.

    Attributes
    ----------
    truth : (systems, queries) floats
        Scores on all judgments.
    predicted : dict from a method to (systems, queries) floats
        Scores on the judgments that are left; 0 for queries without any.
    judged : (systems, queries) bools
        Whether all documents in the run's top `depth` are judged on all judgments. Otherwise the
        run was not pooled for the query, and `truth` is not known to be true.
    left : list of Table
        The judgments that are left, group by group.

    See Also
    --------
    irx_measures.meta.left_out_scores : Computes it.
    """

    truth: FloatArray
    predicted: dict[str, FloatArray]
    judged: BoolArray
    left: list[Table]

    def errors(self) -> DataFrame:
        """One row per method, with the errors of the pairs (system, query) in `judged`.

        - rmse: root mean square error of the scores per (system, query)
        - bias: mean error
        - rmse_of_means: root mean square error of the systems' means over queries
        """
        scores = np.array([*self.predicted.values()])
        errors = np.where(self.judged, scores - self.truth, 0.0)
        pairs, of_system = self.judged.sum(), self.judged.sum(axis=1)
        of_means = ratio_or_nan(errors.sum(axis=2), of_system)[:, of_system > 0]
        square = ratio_or_nan((errors**2).sum(axis=(1, 2)), pairs)
        square_of_means = ratio_or_nan((of_means**2).sum(axis=1), of_means.shape[1])
        return frame(
            {
                "method": [*self.predicted],
                "rmse": np.sqrt(square),
                "bias": ratio_or_nan(errors.sum(axis=(1, 2)), pairs),
                "rmse_of_means": np.sqrt(square_of_means),
            }
        )


def left_out_scores(
    qrels: QrelsLike | Table,
    runs: RunSet,
    methods: Mapping[str, MeasureLike],
    *,
    truth: MeasureLike = "nDCG@10",
    depth: int = 10,
    progress: bool | None = None,
) -> LeftOutScores:
    """Predict the scores of each group's runs from the judgments that other groups brought.

    Parameters
    ----------
    qrels, progress
        As for `irx_measures.evaluate`.
    runs
        The runs with their groups.
    methods
        Measures by name. They score a group's runs on the judgments that are left. `others` means
        all runs, as in `evaluate`, so that a learned prior learns from all of them.
    truth
        The measure whose scores on all judgments are predicted.
    depth
        The pool depth. Errors leave out the queries of a run on which a document in its top `depth`
        is unjudged on all judgments: a run that was never pooled does not count against a method.

    Returns
    -------
    LeftOutScores
        The true scores, the predicted scores of each method, and which of them count.

    Raises
    ------
    ValueError
        When the runs have no groups, or `depth` is not positive; and as for `evaluate`.

    Examples
    --------
    Of the judgments that the other group brought, each run returns one relevant document.

    >>> import irx_measures
    >>> from irx_measures.meta import left_out_scores
    >>> runs = {"a": {"q": {"A": 2.0, "B": 1.0}}, "b": {"q": {"B": 2.0, "C": 1.0}}}
    >>> runset = irx_measures.RunSet(runs, groups={"a": "X", "b": "Y"})
    >>> qrels = {"q": {"A": 1, "B": 1, "C": 1}}
    >>> found = left_out_scores(qrels, runset, {"nDCG": "nDCG@2"}, truth="nDCG@2", depth=2)
    >>> found.truth.tolist(), found.predicted["nDCG"].round(3).tolist()
    ([[1.0], [1.0]], [[0.387], [0.613]])
    """
    qrels = read_qrels(qrels)
    groups = require_groups("runs", runs)
    if not isinstance(methods, Mapping):
        raise TypeError(f"`methods` must be a dict of measures; got {type(methods).__name__}")
    actual = evaluate(qrels, runs, truth, progress=False)
    predicted = {method: np.zeros(actual.scores.shape[1:]) for method in methods}
    asked = parse_all(list(methods.values()))
    kept = []
    for group, incomplete in with_bar(leave_group_out(qrels, runs, depth), "group", progress):
        members = [place for place, other in enumerate(groups) if other == group]
        left = read_qrels(incomplete)
        kept.append(left)
        subset = runs.subset(members)
        judged_queries = set(left.query_ids)
        if not any(judged_queries & set(run.query_ids) for run in subset.each()):
            continue
        # Runs without a judged document are what the study is about: no doubt of it is told.
        scored = score_all(left, subset, asked, progress=False, compared=runs).matrix
        columns = [actual.query_ids.index(query) for query in scored.query_ids]
        for method, measure in methods.items():
            predicted[method][np.ix_(members, columns)] = scored[measure]
    # Only rankings that are fully judged have a true score.
    pooled = PooledRuns.of(runs, Judgments(qrels), depth)
    judged = np.array([pooled.fully_judged(run, depth) for run in range(len(runs))])
    return LeftOutScores(actual.scores[0], predicted, judged, kept)
