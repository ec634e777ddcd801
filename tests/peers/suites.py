"""``python -m tests.peers.suites HOST CHECKOUT``: a host's suite, without and with us.

HOST is ir_measures or pyterrier, CHECKOUT its source. Exits with 1 where a test ends differently.
For PyTerrier, Java is replaced by a small retriever in Python, so tests that expect Terrier's
numbers fail every time.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as ElementTree
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PLUGINS = Path(__file__).resolve().parent / "plugins"
WORST_FIRST = ("failed", "skipped", "passed")

# What pytest is asked to run, its plugins, and those of each further run with this package. The
# base class of PyTerrier's tests is collected with each of its two subclasses.
HOSTS: dict[str, tuple[list[str], list[str], list[str]]] = {
    "ir_measures": (["tests"], [], ["irx_measures", "accelerated"]),
    "pyterrier": (
        [f"tests/test_experiment_{kind}.py" for kind in ("linear", "tree", "other")]
        + ["-k", "not TestExperimentBase"],
        ["no_java"],
        ["irx_measures", "our_experiment"],
    ),
}


def outcomes(checkout: Path, tests: Sequence[str], plugins: Sequence[str] = ()) -> dict[str, str]:
    """How each test of a checkout ends: failed, skipped or passed.

    The checkout is imported in place of the installed host, and nothing is written to it; pytest
    imports the plugins first.
    """
    path = os.pathsep.join(map(str, (checkout, ROOT, PLUGINS)))
    environment = {**os.environ, "PYTHONPATH": path, "PYTHONDONTWRITEBYTECODE": "1"}
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder) / "report.xml"
        chosen = [argument for plugin in plugins for argument in ("-p", plugin)]
        done = subprocess.run(
            [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *chosen,
             f"--junitxml={report}", *tests],
            cwd=checkout, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
            text=True, check=False,
        )  # fmt: skip
        if done.returncode not in (0, 1):
            raise SystemExit(done.stdout)
        cases = list(ElementTree.parse(report).iter("testcase"))
    ended: dict[str, str] = {}
    for case in cases:
        name = f"{case.get('classname')}.{case.get('name')}"
        found = {"failure": "failed", "error": "failed", "skipped": "skipped"}
        how = [found[part.tag] for part in case if part.tag in found] + ["passed"]
        ended[name] = min([ended.get(name, "passed"), *how], key=WORST_FIRST.index)
    return ended


def report(without: dict[str, str], with_us: dict[str, str]) -> int:
    """Print the counts and the tests that end differently; 1 if there are any."""
    for title, ended in (("without irx_measures", without), ("with irx_measures", with_us)):
        counts = Counter(ended.values())
        print(f"{title}:", ", ".join(f"{counts[how]} {how}" for how in reversed(WORST_FIRST)))
    names = sorted(without.keys() | with_us.keys())
    changed = [name for name in names if without.get(name) != with_us.get(name)]
    for name in changed:
        print(f"{name}: {without.get(name)} without, {with_us.get(name)} with")
    for name in names:
        if name not in changed and without[name] == "failed":
            print(f"{name}: failed both times")
    return 1 if changed else 0


def main(arguments: Sequence[str]) -> int:
    if len(arguments) != 2 or arguments[0] not in HOSTS or not Path(arguments[1]).is_dir():
        raise SystemExit(__doc__)
    checkout = Path(arguments[1]).resolve()
    tests, plugins, with_us = HOSTS[arguments[0]]
    without, changed = outcomes(checkout, tests, plugins), 0
    for plugin in with_us:
        print(f"{plugin}:")
        changed |= report(without, outcomes(checkout, tests, [*plugins, plugin]))
    return changed


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
