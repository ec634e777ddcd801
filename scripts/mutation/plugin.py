"""A pytest plugin for runs against mutants."""

from __future__ import annotations

import os
import resource

import pytest
from hypothesis import Phase, settings


@pytest.hookimpl(tryfirst=True)
def pytest_load_initial_conftests() -> None:
    """Leave half of the memory to other programs, whatever a mutant does."""
    half = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") // 2
    resource.setrlimit(resource.RLIMIT_DATA, (half, half))


def pytest_configure() -> None:
    """Do not shrink examples: any that fails kills the mutant."""
    settings.register_profile("mutants", settings(), phases=(Phase.explicit, Phase.generate))
    settings.load_profile("mutants")


@pytest.hookimpl(tryfirst=True)
def pytest_pycollect_makeitem(collector: pytest.Collector) -> list[pytest.Item] | None:
    """Of a module of the package, take the doctests only: `TestedMeasure` is no class of tests."""
    return [] if collector.path.is_relative_to(collector.config.rootpath / "irx_measures") else None
