"""Studies take a matrix of one measure, as plots do."""

import pytest

from irx_measures import InputError, meta
from tests.comparison.results import score_matrix

STUDIES = [
    lambda scores, *names: meta.discriminative_power(scores, *names, test="t"),
    lambda scores, *names: meta.stability(scores, *names, trials=20),
    lambda scores, *names: meta.split_swap_rate(scores, *names, trials=20),
    lambda scores, *names: meta.rank_correlation(scores, scores, *names, samples=20),
]


@pytest.mark.parametrize("study", STUDIES)
def test_a_matrix_of_one_measure_is_its_scores_and_systems(study):
    matrix = score_matrix(measures=1)
    assert study(matrix) == study(matrix.scores[0], matrix.systems)
    with pytest.raises(InputError, match="must have one measure"):
        study(score_matrix(measures=2))
