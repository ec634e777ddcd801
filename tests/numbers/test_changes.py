"""The comparison of kept arrays finds what is gone, new and changed."""

import numpy as np
import pytest

from tests.numbers.__main__ import change, changes


@pytest.mark.parametrize(
    ("kept", "found"),
    [
        (np.array([1.0]), np.array([1.0 + 1e-10])),
        (np.array([1.0]), np.array([np.nan])),
        (np.array([1e-30]), np.array([2e-12])),
        (np.array([1.0]), np.array([1.0, 2.0])),
        (np.array(["a"]), np.array(["b"])),
    ],
)
def test_a_change_is_told(kept, found):
    assert change(kept, found, 1e-12)


@pytest.mark.parametrize("found", [1.0, 1.0 + 4e-13, np.nan])
def test_what_differs_in_the_last_digits_is_the_same(found):
    kept = 1.0 if found == found else np.nan
    assert change(np.array([kept]), np.array([found]), 1e-12) == ""


def test_names_that_are_gone_or_new_are_told():
    one = np.zeros(1)
    assert changes({"a": one, "b": one}, {"b": one, "c": one}, "scores") == ["gone: a", "new: c"]
