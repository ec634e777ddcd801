"""A pytest plugin: tests that need a package that is not installed are skipped by its name.

Only where a test, or a module that stands or falls with an extra, imports the package: otherwise
the core needs it, which is an error. With ``IRX_ALL_INSTALLED`` set, nothing is skipped.
"""

import re
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
OURS = ("irx_measures", "tests", "docs", "scripts")
# Where every test needs a package: the start of the path, and the package.
NEEDS = {
    "irx_measures/distributed.py": "dask",
    "irx_measures/integrations/pyterrier.py": "pyterrier",
    "irx_measures/plots/": "matplotlib",
    "irx_measures/pt_docs/tasks/better.rst": "pyterrier",
    "irx_measures/pt_docs/index.rst": "pyterrier",
    "irx_measures/pt_docs/inputs.rst": "pyarrow",
    "irx_measures/pt_docs/tasks/million_queries.rst": "dask",
    "irx_measures/pt_docs/tasks/report.rst": "jinja2",
    "irx_measures/reporting/report/": "jinja2",
    "irx_measures/reproductions/built.py": "bm25s",
    "irx_measures/runsets/artifact.py": "pyterrier",
    "tests/plots/": "matplotlib",
    "tests/reporting/report/": "jinja2",
}
MISSING = re.compile(
    r"(?:No module named|Missing optional dependency|Unable to find a usable engine; tried using:) "
    r"'(\w+)"
)


def needs(package: str) -> pytest.MarkDecorator:
    """A mark for tests in which our own code, and not the test, needs an optional package."""
    return pytest.mark.skipif(find_spec(package) is None, reason=f"{package} is not installed")


def reason(error: BaseException) -> str | None:
    """Why a test is skipped after this error; None if it is not."""
    found = MISSING.search(str(error))
    if not isinstance(error, ImportError) or found is None or found[1] in OURS:
        return None
    *_, where = _files(error)
    is_allowed = not where.startswith("irx_measures/") or where.startswith(tuple(NEEDS))
    return f"{found[1]} is not installed" if is_allowed else None


def _files(error: BaseException) -> list[str]:
    """The files of this repository that the traceback goes through, outermost first."""
    files, step = [""], error.__traceback__
    while step is not None:
        path = Path(step.tb_frame.f_code.co_filename)
        if path.is_relative_to(ROOT) and "site-packages" not in path.parts:
            files.append(path.relative_to(ROOT).as_posix())
        step = step.tb_next
    return files


def pytest_collectstart(collector):
    """Collect a module so that an import that fails for lack of a package is a skip."""
    collect = collector.collect

    def collect_or_skip():
        try:
            yield from collect()
        except (ImportError, collector.CollectError) as error:
            cause = error if isinstance(error, ImportError) else error.__cause__
            why = cause and reason(cause)
            if why:
                pytest.skip(why, allow_module_level=True)
            raise

    collector.collect = collect_or_skip


def pytest_collection_modifyitems(items):
    """Skip the tests of `NEEDS`."""
    for item in items:
        for start, package in NEEDS.items():
            if item.nodeid.startswith(start):
                item.add_marker(needs(package))


@contextmanager
def skipped():
    """Skip a test where a package that it imports is not installed."""
    try:
        yield
    except ImportError as error:
        why = reason(error)
        if why:
            pytest.skip(why)
        raise


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item):
    """Skip a test that imports a package that is not installed."""
    with skipped():
        return (yield)


@pytest.hookimpl(wrapper=True)
def pytest_fixture_setup(fixturedef, request):
    """The same for its fixtures."""
    with skipped():
        return (yield)
