"""For tests and the examples of docstrings: how they print, fonts, and what is not installed."""

import os
from doctest import DocTestFinder
from pathlib import Path

import pytest

from irx_measures.common.short_paths import DEFINED_IN
from irx_measures.exceptions import MissingExtraError

ALL_INSTALLED = "IRX_ALL_INSTALLED" in os.environ
NOT_INSTALLED = "could not import"  # as pytest.importorskip words it
# What is printed depends on these variables: a test sees the same ones, whoever runs it and where.
PRINTING = ("COLUMNS", "FORCE_COLOR", "LINES", "NO_COLOR", "PYTHON_COLORS", "TTY_COMPATIBLE")
OURS = ("irx_measures", "tests", "benchmarks", "simulations", "scripts", "docs")


@pytest.fixture(autouse=True, scope="session")
def same_printing():
    """Colours and widths as on a terminal that nobody has configured."""
    with pytest.MonkeyPatch.context() as patch:
        for name in PRINTING:
            patch.delenv(name, raising=False)
        patch.setenv("TERM", "xterm")
        yield


def _not_installed(call):
    """The error of a package that is not installed; None if a test failed for another reason."""
    error = call.excinfo.value if call.excinfo else None
    for failure in getattr(error, "failures", [])[:1] or [error]:  # of a file with examples
        *_, raised = getattr(failure, "exc_info", [failure])[:2]
        chain = [raised, getattr(raised, "__cause__", None)]  # a module's error has a cause
        for each in chain:
            ours = isinstance(each, ImportError) and (each.name or "").split(".")[0] in OURS
            if isinstance(each, (ImportError, MissingExtraError)) and not ours:
                return each
    return None


def _of_missing_packages(report, call):
    """A test that needs a package which is not installed is skipped; where all are, it fails."""
    missing = _not_installed(call)
    if report.failed and missing is not None and not ALL_INSTALLED:
        report.outcome = "skipped"
        report.longrepr = (str(report.fspath), 0, f"Skipped: {NOT_INSTALLED}: {missing}")
    elif ALL_INSTALLED and report.skipped and NOT_INSTALLED in str(report.longrepr):
        report.outcome = "failed"
    return report


def _examples_where_they_are_written(finder, module, found, others=DocTestFinder._from_module):
    """Whether doctest finds an object's examples in a module: not in a public one's short path."""
    path = f"{getattr(found, '__module__', '')}.{getattr(found, '__name__', '')}"
    if path in DEFINED_IN:
        return DEFINED_IN[path] == module.__name__
    return others(finder, module, found)


DocTestFinder._from_module = _examples_where_they_are_written


def pytest_configure():
    """Pictures see the fonts that matplotlib brings, whatever fonts this machine has."""
    try:
        from matplotlib import get_data_path
        from matplotlib.font_manager import fontManager
    except ImportError:
        return
    brought = Path(get_data_path())
    fontManager.ttflist = [
        font for font in fontManager.ttflist if Path(font.fname).is_relative_to(brought)
    ]


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report():
    report = yield
    return _of_missing_packages(report, report.call)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(call):
    return _of_missing_packages((yield), call)
