"""A core that the newest Python at hand builds works in an older one: one wheel is for both."""

import os
import re
import subprocess
import sys
from importlib import metadata
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]

BUILD = """
import sys, sysconfig
sys.path.insert(0, "native")
from pathlib import Path
import build
print(build.build(Path(sys.argv[1])))
"""

USE = """
import sys
from importlib import util
spec = util.spec_from_file_location("irx_measures.io._native", sys.argv[1])
native = sys.modules[spec.name] = util.module_from_spec(spec)
spec.loader.exec_module(native)
import irx_measures
from irx_measures.io import core
from irx_measures.io.containers import qrels_table
from irx_measures.judgments.judgments import Judgments
assert core.BUILT and core._native is native
assert Judgments(qrels_table({"q": {"a": 1}})).native_index is not None
print(irx_measures.evaluate({"q": {"a": 1}}, {"a": {"q": {"b": 2.0, "a": 1.0}}}, "RR").scores)
"""


def newer_pythons():
    """The interpreters of later versions than this one that can build, the newest first."""
    pyenv = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv"))
    folders = [*map(Path, os.get_exec_path()), *pyenv.glob("versions/*/bin")]
    found = {
        int(match[1]): path
        for folder in folders
        if folder.is_dir() and folder.name != "shims"
        for path in folder.iterdir()
        if (match := re.fullmatch(r"python3\.(\d+)", path.name))
    }
    later = sorted(minor for minor in found if minor > sys.version_info.minor)
    return [found[minor] for minor in reversed(later)]


def has_headers(python):
    where = "import sysconfig; print(sysconfig.get_path('include'))"
    done = subprocess.run([python, "-c", where], capture_output=True, text=True, check=False)
    return done.returncode == 0 and Path(done.stdout.strip(), "Python.h").exists()


@pytest.mark.whole
@pytest.mark.skipif(sys.version_info < (3, 11), reason="the core of Python 3.10 is its own")
def test_a_core_that_the_newest_python_built_works_in_this_one(tmp_path):
    newest = next(filter(has_headers, newer_pythons()), None)
    if newest is None:
        pytest.skip("there is no later Python with headers than the one that runs the tests")
    for path in {file.parts[0] for file in metadata.files("setuptools")} - {".."}:
        tmp_path.joinpath(path).symlink_to(metadata.distribution("setuptools").locate_file(path))
    built = subprocess.run(
        [newest, "-c", BUILD, tmp_path], cwd=ROOT, capture_output=True, text=True, check=False,
        env={**os.environ, "PYTHONPATH": str(tmp_path), "PYTHONDONTWRITEBYTECODE": "1"},
    )  # fmt: skip
    assert built.returncode == 0, built.stderr
    (core,) = tmp_path.glob("_native*")
    done = subprocess.run(
        [sys.executable, "-c", USE, core], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert (done.stdout, done.stderr) == ("[[[0.5]]]\n", "")
