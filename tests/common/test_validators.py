"""Errors for bad score arrays, names and numbers; the same in all of meta-evaluation."""

import numpy as np
import pytest

from irx_measures import meta

SCORES = np.array([[0.1, 0.2, 0.4], [0.2, 0.4, 0.1]])
TAKE_SCORES = {
    "power": meta.discriminative_power,
    "stability": meta.stability,
    "difference": meta.percentage_absolute_difference,
    "split": meta.split_swap_rate,
    "swaps": lambda scores: meta.swap_rate(SCORES, scores),
    "correlation": lambda scores: meta.rank_correlation(scores, SCORES),
    "concordance": lambda scores: meta.concordance(SCORES, scores),
    "impact": lambda scores: meta.system_impact(lambda chosen: scores, 2),
    "informativeness": lambda scores: meta.informativeness(scores, [0.1, 0.2]),
    "error": lambda scores: meta.prediction_error(scores, scores),
}
NO_NUMBERS = {
    "text": "abc",
    "texts": [["a", "b"], ["c", "d"]],
    "numbers as text": [["1", "2"], ["3", "4"]],
    "ragged": [[1, 2], [1]],
    "complex": np.ones((2, 2), complex),
    "dates": np.array([["2020", "2021"]] * 2, "datetime64"),
    "masked": np.ma.masked_array([[1, 2], [3, 4]], [[True, False], [False, False]]),
    "too large": [[10**400, 1], [1, 2]],
    "dict": {"a": 1},
    "generator": (row for row in SCORES),
}


@pytest.mark.parametrize("values", NO_NUMBERS.values(), ids=NO_NUMBERS)
@pytest.mark.parametrize("study", TAKE_SCORES.values(), ids=TAKE_SCORES)
def test_what_is_no_array_of_numbers_is_told(study, values):
    with pytest.raises(ValueError, match=r"^`\w+` must hold numbers, as many in every row; got "):
        study(values)


@pytest.mark.parametrize("systems", [5, "ab"])
def test_names_that_are_no_list_are_told(systems):
    with pytest.raises(TypeError, match="`systems` must be a list of names; got "):
        meta.stability(SCORES, systems)


@pytest.mark.parametrize("value", ["x", None, True])
def test_numbers_that_are_none_are_told(value):
    for name, call in {
        "level": lambda: meta.concordance(SCORES, SCORES, level=value),
        "phi": lambda: meta.rank_correlation(SCORES, SCORES, phi=value),
        "fuzziness": lambda: meta.stability(SCORES, fuzziness=value),
        "width": lambda: meta.split_swap_rate(SCORES, width=value),
    }.items():
        with pytest.raises(TypeError, match=f"`{name}` must be a number; got {value!r}"):
            call()


def test_systems_are_a_number_or_names():
    found = meta.system_impact(lambda chosen: list(chosen), np.int64(3), trials=2)
    assert found.systems == ("0", "1", "2")
    for systems in (None, 2.5, "abc"):
        with pytest.raises(TypeError, match="`systems` must be an integer; got "):
            meta.system_impact(lambda chosen: list(chosen), systems)


def test_a_scorer_without_scores_is_told():
    with pytest.raises(ValueError, match=r"`scorer` must give scores .*; got \(2, 0\)"):
        meta.system_impact(lambda chosen: [[], []], 2)


def test_runs_to_leave_out_are_a_set():
    with pytest.raises(TypeError, match="`runset` must be a RunSet; got dict"):
        meta.leave_group_out({"q": {"A": 1}}, {"a": {"q": {"A": 1.0}}}, 2)
