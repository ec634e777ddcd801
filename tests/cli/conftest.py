"""Shared by tests of commands: the files of a module's campaign."""

import pytest


@pytest.fixture(scope="module")
def given(campaign):
    """QRELS and RUNs, as arguments."""
    return [str(campaign / "qrels.txt"), *map(str, sorted((campaign / "runs").iterdir()))]


@pytest.fixture(scope="module")
def runs(given):
    """The run files by the names of the runs."""
    names = [path.rsplit("/", 1)[1].removesuffix(".run.gz") for path in given[1:]]
    return dict(zip(names, given[1:], strict=True))
