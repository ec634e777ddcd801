"""The tests of one part of the package, run against mutants in a copy of the repository."""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
import sys
from collections.abc import Collection, Iterable
from contextlib import suppress
from dataclasses import dataclass
from importlib.util import cache_from_source
from pathlib import Path

from tests.conftest import data_folder

from .mutants import Mutant

PYTEST = (
    *("-m", "pytest", "-x", "-q", "-p", "no:cacheprovider", "-m", "not whole"),
    *("-p", "scripts.mutation.plugin", "--hypothesis-seed=0"),
)

# Tests that hold a part and neither stand in its folder nor import it: they call it from outside,
# or read what it prints.
ELSEWHERE = {
    "__init__": ("test_import.py",),
    "__main__": ("cli/test_errors.py",),
    "comparison": ("cli/test_expected.py",),
    "explaining": ("cli/test_expected.py",),
    "integrations": ("measures/test_doubts.py", "test_doors.py"),
    "io": ("test_behaviours.py", "test_document_ids.py"),
    "judgments": ("scoring/test_evaluate.py", "test_document_ids.py"),
    "measures": ("test_catalogue.py", "test_doors.py"),
    "reporting": ("cli/test_expected.py",),
    "runsets": ("test_doors.py", "scoring/test_evaluate.py"),
    "scoring": ("test_behaviours.py", "test_doors.py"),
    "unjudged": ("measures/test_learned.py", "comparison/test_unjudged.py"),
}


@dataclass(frozen=True)
class Trial:
    """A copy of the repository, whose package is what tests import.

    Parameters
    ----------
    root
        The root of the copy.
    output
        The file that gets what pytest prints.
    """

    root: Path
    output: Path

    @classmethod
    def of(cls, root: Path, target: Path) -> Trial:
        """Copy a checkout as it stands, with its native core, into an empty folder."""
        listed = subprocess.run(
            ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
            cwd=root, check=True, capture_output=True, text=True,
        ).stdout  # fmt: skip
        built = (path for end in ("so", "pyd") for path in root.glob(f"irx_measures/**/*.{end}"))
        copy = target / "copy"
        for path in {*(root / name for name in listed.split("\0") if name), *built}:
            if path.is_file():  # files that are deleted, but not yet in a commit, are listed too
                place = copy / path.relative_to(root)
                place.parent.mkdir(parents=True, exist_ok=True)
                shutil.copyfile(path, place)
        return cls(copy, target / "output.txt")

    def check(self, name: str, modules: Collection[Path]) -> None:
        """Run the tests of some modules of a part of the package, without a mutant."""
        self._python(["-c", "import irx_measures; print(irx_measures.__file__)"], None)
        if not Path(self._printed()).is_relative_to(self.root):
            raise SystemExit(f"Python does not import the package of the copy: {self._printed()}")
        if self._python([*PYTEST, *self._tests(name, modules)], None):
            raise SystemExit(f"tests of {name} fail without a mutant:\n{self._printed()}")

    def kills(self, name: str, mutant: Mutant, limit: float) -> bool:
        """Whether tests fail with this mutant, or take longer than `limit` seconds."""
        module = self.root / mutant.path
        try:
            self._write(module, mutant.code)
            return self._python([*PYTEST, *self._tests(name, [mutant.path])], limit) != 0
        finally:
            self._write(module, mutant.source)

    def _tests(self, name: str, modules: Collection[Path]) -> list[str]:
        """What to run: the doctests of modules of a part, and the tests that hold these.

        Tests of the part that name a module come first, then its others, then those elsewhere.
        """
        tests = self.root / "tests"
        texts = {
            path: path.read_text(encoding="utf-8") for path in sorted(tests.rglob("test_*.py"))
        }
        of_part = [
            path for path in texts if path.relative_to(tests).parts[0] in (name, f"test_{name}.py")
        ]
        stems = re.compile(rf"\b({_any_of(path.stem for path in modules)})\b")
        of_part.sort(key=lambda path: not stems.search(f"{path.stem[5:]} {texts[path]}"))
        dotted = {_dotted(path) for path in modules} - {"irx_measures"}  # which all tests import
        imported = re.compile(rf"\b({_any_of(dotted)})\b")
        elsewhere = [path for path, text in texts.items() if dotted and imported.search(text)]
        elsewhere += [tests / path for path in ELSEWHERE.get(name, ())]
        found = dict.fromkeys([*sorted(modules), *of_part, *elsewhere])
        return [str(path) for path in found]

    def _write(self, module: Path, code: str) -> None:
        """Write a module; its bytecode goes, since two texts may have one size in one second."""
        module.write_text(code, encoding="utf-8")
        Path(cache_from_source(str(module))).unlink(missing_ok=True)

    def _python(self, arguments: list[str], limit: float | None) -> int | None:
        """Python's exit status in the copy; None if it takes longer than `limit` seconds."""
        with self.output.open("wb") as output:
            process = subprocess.Popen(
                [sys.executable, *arguments], cwd=self.root, env=self._environment(),
                stdin=subprocess.DEVNULL, stdout=output, stderr=output, start_new_session=True,
            )  # fmt: skip
            try:
                return process.wait(limit)
            except subprocess.TimeoutExpired:
                return None
            finally:  # with the processes that tests have started
                with suppress(ProcessLookupError):
                    os.killpg(process.pid, signal.SIGKILL)
                process.wait()

    def _environment(self) -> dict[str, str]:
        """The variables of `scripts/test`, and the copy before what is installed."""
        variables = {**os.environ, "OPENBLAS_NUM_THREADS": "1", "PYTHONPATH": str(self.root)}
        variables.pop("PYTHONDONTWRITEBYTECODE", None)
        return variables | {"IRX_DATA": str(data_folder() or "")}

    def _printed(self) -> str:
        return self.output.read_text(encoding="utf-8", errors="replace").strip()


def _any_of(names: Iterable[str]) -> str:
    """A pattern of several names."""
    return "|".join(sorted(map(re.escape, names)))


def _dotted(module: Path) -> str:
    """The name by which a test imports a module: of ``__init__.py``, that of its folder."""
    parts = module.with_suffix("").parts
    return ".".join(part for part in parts if part != "__init__")
