"""What values may be: kinds of values, and the arrays, names and numbers of meta-evaluation."""

import math

import numpy as np
import pytest

from irx_measures import meta
from irx_measures.common.validators import (
    LEVEL,
    choice,
    either,
    finite_array,
    flag,
    generator,
    integer,
    names_of,
    number_from,
    number_in,
    optional,
)
from irx_measures.exceptions import InputError

SCORES = np.array([[0.1, 0.2, 0.4], [0.2, 0.4, 0.1]])
TAKE_SCORES = {
    "power": meta.discriminative_power,
    "stability": meta.stability,
    "difference": meta.percentage_absolute_difference,
    "split": meta.split_swap_rate,
    "swaps": lambda scores: meta.swap_rate(SCORES, scores),
    "correlation": lambda scores: meta.rank_correlation(scores, SCORES),
    "impact": lambda scores: meta.system_impact(lambda chosen: scores, ["a", "b"]),
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
def test_what_is_no_array_of_numbers_is_told(values):
    with pytest.raises(InputError, match=r"^`it` must hold numbers, as many in every row; got "):
        finite_array("it", values, 1)


@pytest.mark.parametrize("study", TAKE_SCORES.values(), ids=TAKE_SCORES)
def test_every_study_takes_numbers(study):
    with pytest.raises(InputError, match=r"^`\w+` must hold numbers, as many in every row; got "):
        study("abc")


def test_names_are_a_list():
    assert names_of("systems", ["a", 1], 2, "system") == ("a", "1")
    assert names_of("systems", None, 2, "system") == ("0", "1")
    for given in (5, "ab"):
        with pytest.raises(TypeError, match="`systems` must be a list of names; got "):
            names_of("systems", given, 2, "system")


KINDS = [
    # A kind of value, values that it keeps, and values that it refuses.
    (choice("max", "mean"), ["max", "mean"], ["min", 1, None]),
    (integer(1, 3), [1, 3], [0, 4, 2.0, True, "1", None, np.int64(4)]),
    (integer(1), [1, 10**30], [0, 1.5]),
    (number_in(0, 1, closed=False), [0.5], [0, 1.0, math.nan, "0.5", 10**400]),
    (number_in(0, 1, closed=True), [0.0, 1.0], [1.1, None]),
    (number_from(0, closed=True), [0.0, 7.0], [-1, math.inf, False]),
    (number_from(0, closed=False), [0.1], [0]),
    (flag(), [True, False], [1]),
    (either(integer(1), choice("all")), [5, "all"], [0, "none"]),
    (optional(integer(1)), [None, 2], [0.5]),
    (LEVEL, [0.95], [0, 1, 5, 100, "x"]),
]


@pytest.mark.parametrize(("kind", "kept", "refused"), KINDS, ids=[kind.text for kind, *_ in KINDS])
def test_a_kind_of_value_keeps_what_it_allows_and_says_what_it_does_not(kind, kept, refused):
    for value in kept:
        got = kind.check("it", value)
        assert (got, type(got)) == (value, type(value))
    for value in refused:
        with pytest.raises(InputError) as error:
            kind.check("it", value)
        assert str(error.value).startswith(f"`it` must {kind.text}; got ")


def test_numbers_of_numpy_are_those_of_python():
    for kind, given, value in [
        (integer(1, 3), np.int32(3), 3),
        (number_in(0, 1, closed=False), np.float32(0.5), 0.5),
        (choice("mean"), np.str_("mean"), "mean"),
        (LEVEL, 99.9, 0.999),
    ]:
        got = kind.check("it", given)
        assert (got, type(got)) == (value, type(value))


def test_a_generator_comes_from_a_seed_of_at_least_0():
    assert generator(np.int64(7)).random() == np.random.default_rng(7).random()
    for seed in (-1, None):
        with pytest.raises(InputError, match="`seed` must be a whole number of at least 0"):
            generator(seed)
