"""Scores at the ends of what floats can hold: refused or handled, never NaN, inf or a warning."""

import numpy as np
import pytest

from irx_measures.meta import (
    COEFFICIENTS,
    TESTS,
    discriminative_power,
    pareto_front,
    partition_queries,
    prediction_error,
    rank_correlation,
    reconstructed_preferences,
    split_swap_rate,
    stability,
    swap_rate,
    system_impact,
)

pytestmark = pytest.mark.filterwarnings("ignore:.*of the comparisons are ties")

TINY = np.array(
    [[5e-324, 1e-310, 0.0, 3e-320], [2e-308, 0.0, 1e-300, 5e-324], [0.0, 0.0, 0.0, 0.0]]
)
UNEVEN = np.array([[1e100, 5e-324, 0.0, 1.0], [-1e100, 1e-310, 1e-5, 1.0], [1e-310, 0.0, 1.0, 0.5]])

STUDIES = {
    **{
        # Twice the topics: with 4, Wilcoxon's and the randomisation test cannot reject.
        f"power by {test}": lambda scores, test=test: discriminative_power(
            np.tile(scores, 2), test=test, resamples=50
        )
        for test in TESTS
    },
    **{
        f"correlation by {coefficient}": lambda scores, coefficient=coefficient: rank_correlation(
            scores, scores[::-1], coefficient=coefficient, samples=20
        )
        for coefficient in COEFFICIENTS
    },
    "stability": lambda scores: stability(scores, trials=9),
    "relative stability": lambda scores: stability(
        scores, trials=9, relative=True, fuzziness=1e308
    ),
    "swaps": lambda scores: split_swap_rate(scores, trials=9, width=5e-324),
    "swap rate": lambda scores: swap_rate(scores, scores[:, ::-1]),
    "impact": lambda scores: system_impact(lambda chosen: scores[chosen], list("abc"), trials=9),
    "prediction": lambda scores: prediction_error(scores, scores[::-1]),
    "preferences": lambda scores: reconstructed_preferences(
        np.minimum(scores, scores[0]), np.maximum(scores, scores[0]), scores
    ),
    "queries": lambda scores: partition_queries(scores, scores[0], 1),
    "front": lambda scores: pareto_front(scores[0], scores[1]),
}


@pytest.mark.parametrize("scores", [TINY, UNEVEN], ids=["tiny", "uneven"])
@pytest.mark.parametrize("study", STUDIES)
def test_scores_of_every_size_have_finite_results_unless_undefined(study, scores):
    result = STUDIES[study](scores)
    columns = result._asdict() if isinstance(result, tuple) else result.to_columns()
    # Means that differ by less than 1e-12 are the same, so TINY ties all systems.
    may_be_undefined = study in ("swaps", "swap rate", "impact")
    for name, column in columns.items():
        values = np.asarray(column)
        if values.dtype.kind == "f":
            assert not np.isinf(values).any(), name
            assert may_be_undefined or not np.isnan(values).any(), name


@pytest.mark.parametrize("study", STUDIES)
@pytest.mark.parametrize("size", [1e308, -1.7e308, 1e101])
def test_scores_whose_means_or_squares_overflow_are_refused(study, size):
    with pytest.raises(ValueError, match=r" must hold finite numbers; got .*1e\+100"):
        STUDIES[study](np.full((3, 4), size))
