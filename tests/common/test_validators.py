"""What values may be: kinds of values, and the arrays, names and numbers of meta-evaluation."""

import numpy as np
import pytest

from irx_measures import meta
from irx_measures.common.validators import (
    Allowed,
    choice,
    either,
    flag,
    generator,
    integer,
    number_from,
    number_in,
    optional,
)
from irx_measures.exceptions import InputError
from irx_measures.persistence import phi_for

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
        meta.leave_group_out({"a": {"q": {"A": 1.0}}}, {"q": {"A": 1}}, 2)


KINDS = [
    # Kind, values kept, and values refused: the error of an option, and what it says.
    (
        choice("max", "mean"),
        [("max", "max"), (np.str_("mean"), "mean")],
        [("min", InputError, "one of 'max', 'mean'; got 'min'"), (1, InputError, "one of 'max'")],
    ),
    (
        integer(1, 3),
        [(1, 1), (np.int32(3), 3)],
        [
            (0, InputError, "at least 1; got 0"),
            (np.int64(4), InputError, "at most 3; got 4"),
            (2.0, TypeError, "an integer; got 2.0"),
            (True, TypeError, "an integer; got True"),
        ],
    ),
    (
        number_in(0, 1, closed=False),
        [(0.5, 0.5), (np.float32(0.5), 0.5)],
        [
            (0, InputError, r"lie in \(0, 1\); got 0"),
            (1.0, InputError, r"lie in \(0, 1\)"),
            (float("nan"), InputError, r"lie in \(0, 1\); got nan"),
            ("0.5", TypeError, "a number; got '0.5'"),
        ],
    ),
    (
        number_in(0, 1, closed=True),
        [(0, 0.0), (1, 1.0)],
        [(1.1, InputError, r"lie in \[0, 1\]; got 1.1"), (None, TypeError, "a number; got None")],
    ),
    (
        number_from(0, closed=True),
        [(0, 0.0), (7, 7.0)],
        [
            (-1, InputError, "finite and at least 0; got -1"),
            (float("inf"), InputError, "finite and at least 0; got inf"),
            (False, TypeError, "a number"),
        ],
    ),
    (number_from(0, closed=False), [(0.1, 0.1)], [(0, InputError, "finite and above 0; got 0")]),
    (flag(), [(True, True), (False, False)], [(1, InputError, "True or False; got 1")]),
    (
        either(integer(1), choice("all")),
        [(5, 5), ("all", "all")],
        [(0, InputError, "a whole number of at least 1 or be one of 'all'; got 0")],
    ),
    (
        optional(integer(1)),
        [(None, None), (2, 2)],
        [(0.5, InputError, "be None or be a whole number of at least 1; got 0.5")],
    ),
]


@pytest.mark.parametrize(("kind", "kept", "refused"), KINDS, ids=[kind.text for kind, *_ in KINDS])
def test_a_kind_of_value_keeps_what_it_allows_and_tells_what_it_does_not(kind, kept, refused):
    for given, value in kept:
        for got in (kind.check("it", given), kind.require("it", given), kind.convert(given)):
            assert got == value
            assert type(got) is type(value)
    for given, error, message in refused:
        with pytest.raises(error, match=f"`it` must .*{message}"):
            kind.check("it", given)
        with pytest.raises(InputError) as whole_rule:
            kind.require("it", given)
        assert str(whole_rule.value).startswith(f"`it` must {kind.text}; got ")
        with pytest.raises(ValueError, match=r".*"):
            kind.convert(given)


def test_a_conversion_of_ones_own_is_told_by_its_text():
    hexadecimal = Allowed("be a hexadecimal number", lambda value: int(value, 16))
    assert hexadecimal.check("it", "ff") == 255
    with pytest.raises(InputError, match=r"^`it` must be a hexadecimal number; got 'x'$"):
        hexadecimal.check("it", "x")


def test_helpers_of_measures_state_the_whole_rule():
    with pytest.raises(InputError, match=r"^`k` must be a whole number of at least 1; got 2\.5$"):
        phi_for(2.5, 0.5)


def test_a_generator_comes_from_a_seed_of_at_least_0():
    assert generator(np.int64(7)).random() == np.random.default_rng(7).random()
    with pytest.raises(InputError, match="`seed` must be at least 0; got -1"):
        generator(-1)
    with pytest.raises(TypeError, match="`seed` must be an integer; got None"):
        generator(None)
