"""Public names that moved: the old place works, and says where the new one is."""

import inspect
import warnings
from importlib import import_module

import pytest

import irx_measures
from irx_measures.common.moved import MOVED

NAMES = [(old, name, new) for old, names in MOVED.items() for name, new in names.items()]


@pytest.mark.parametrize(("old", "name", "new"), NAMES)
def test_the_old_place_warns_at_the_users_line(old, name, new):
    with pytest.warns(DeprecationWarning, match=f"^{old}.{name} is now {new}.{name}$") as caught:
        moved = getattr(import_module(old), name)
    assert moved is getattr(import_module(new), name)
    assert [warning.filename for warning in caught] == [__file__]


@pytest.mark.parametrize(("old", "name", "new"), NAMES)
def test_importing_from_the_old_place_warns(old, name, new):
    names = {}
    with pytest.warns(DeprecationWarning, match=name) as caught:
        exec(compile(f"from {old} import {name}", "script.py", "exec"), names)
    assert names[name] is getattr(import_module(new), name)
    assert {warning.filename for warning in caught} == {"script.py"}


@pytest.mark.parametrize("old", MOVED)
def test_importing_everything_or_looking_around_does_not_warn(old):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        exec(f"from {old} import *", {})
        inspect.getmembers(import_module(old))
    assert not set(MOVED[old]) & {*import_module(old).__all__, *dir(import_module(old))}


def test_an_unknown_name_is_an_attribute_error():
    message = "module 'irx_measures.meta' has no attribute 'nothing'"
    with pytest.raises(AttributeError, match=message):
        irx_measures.meta.nothing  # noqa: B018
