"""What every result of a study has: a summary of one line, and a DataFrame."""

import dataclasses

import pandas as pd
import pytest

from irx_measures import meta

SCORES = [[0.9, 0.7, 0.8, 0.6], [0.5, 0.2, 0.4, 0.1], [0.4, 0.3, 0.3, 0.2]]
OTHER = [[0.8, 0.9, 0.7, 0.6], [0.3, 0.4, 0.4, 0.2], [0.6, 0.1, 0.3, 0.2]]
RESULTS = [
    meta.discriminative_power(SCORES),
    meta.concordance(SCORES, OTHER),
    meta.rank_correlation(SCORES, OTHER, samples=10),
    meta.stability(SCORES, trials=10),
    meta.swap_rate(SCORES, OTHER),
    meta.split_swap_rate(SCORES, trials=10),
    meta.percentage_absolute_difference(SCORES),
    meta.system_impact(lambda chosen: [SCORES[place] for place in chosen], 3, trials=5),
    meta.pareto_front([1, 2, 3, 4], [0.5, 0.7, 0.6, 0.9]),
    meta.partition_queries(SCORES, [0.1, 0.2, 0.3, 0.4], 1),
    meta.prediction_error(SCORES, OTHER),
    meta.reconstructed_preferences([0.2], [0.6], [0.5], [[0.1], [0.4], [0.7]]),
]


def kind(result):
    return type(result).__name__


def test_these_are_all_results():
    public = [getattr(meta, name) for name in meta.__all__]
    assert set(map(type, RESULTS)) == set(filter(dataclasses.is_dataclass, public))


@pytest.mark.parametrize("result", RESULTS, ids=kind)
def test_a_result_has_a_summary_of_one_line_and_a_frame(result):
    assert len(result.summary) > 20
    assert "\n" not in result.summary
    made = result.to_frame()
    assert isinstance(made, pd.DataFrame)
    assert made.size
    assert all(name in type(result).to_frame.__doc__ for name in made.columns)


@pytest.mark.parametrize(
    ("result", "summary", "row"),
    [
        (RESULTS[8], "Pareto front: 3 of 4 points", [3, 0.6, False]),
        (
            RESULTS[9],
            "mean informativeness -0.100 of 1 uninformative queries, 0.500 of 1 ideal ones, "
            "0.200 of all 4",
            [0.2, False, False],
        ),
        (
            meta.PredictionError(0.3, 0.5, 0.4),
            "root mean square error 0.500, of overestimations 0.300, of underestimations 0.400",
            [0.3, 0.5, 0.4],
        ),
        (
            meta.Preferences(4, 3, 6),
            "precision 0.750, recall 0.500, F1 0.600 "
            "(3 of 4 predicted preferences are right, 6 true)",
            [4, 3, 6, 0.75, 0.5, 0.6],
        ),
    ],
    ids=kind,
)
def test_summary_and_frame_by_hand(result, summary, row):
    assert result.summary == summary
    made = result.to_frame()
    assert made.iloc[min(2, len(made) - 1)].tolist() == pytest.approx(row)
