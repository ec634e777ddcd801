"""The example of CONTRIBUTING works as it stands."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from textwrap import dedent

import pytest

ROOT = Path(__file__).parent.parent
NEEDED = ("irx_measures", "scripts", "tests", "docs/upstream", "README.md", "pyproject.toml")


def blocks_of_the_example(language):
    """The blocks of "Adding a measure" in a language."""
    guide = ROOT.joinpath("CONTRIBUTING.md").read_text(encoding="utf-8")
    section = guide.split("\n## Adding a measure\n")[1].split("\n## ")[0]
    blocks = re.findall(rf"^   ```{language}\n(.*?)^   ```$", section, re.DOTALL | re.MULTILINE)
    return [dedent(block) for block in blocks]


def files_of_the_example():
    """The four files of "Adding a measure": each block names its file in its first line."""
    blocks = blocks_of_the_example("python")
    return dict(block.removeprefix("# ").split("\n", 1) for block in blocks)


@pytest.fixture
def copy(tmp_path):
    """A copy of the repository, with the files of the example."""
    for name in NEEDED:
        source, target = ROOT / name, tmp_path / name
        if source.is_dir():
            shutil.copytree(source, target, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copyfile(source, target)
    for path, text in files_of_the_example().items():
        assert not tmp_path.joinpath(path).exists()
        tmp_path.joinpath(path).write_text(text, encoding="utf-8")
    with tmp_path.joinpath("irx_measures", "measures", "papers.bib").open("a") as papers:
        papers.write("\n".join(["", *blocks_of_the_example("bibtex")]))
    names = tmp_path / "tests" / "test_import.py"
    text = names.read_text(encoding="utf-8")
    names.write_text(text.replace("MEASURES = [\n", 'MEASURES = [\n    "SlidingRatio",\n'), "utf-8")
    return tmp_path


@pytest.mark.slow
def test_the_example_of_a_measure_can_be_copied(copy):
    def python(*arguments):
        done = subprocess.run(
            [sys.executable, "-m", *arguments],
            cwd=copy, env={**os.environ, "PYTHONPATH": str(copy), "IRX_HYPOTHESIS": "quick"},
            capture_output=True, text=True, timeout=300, check=False,
        )  # fmt: skip
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    assert len(files_of_the_example()) == 4
    assert python("scripts.generate").split() == [
        "irx_measures/__init__.pyi", "README.md", "docs/upstream/provider.rst"
    ]  # fmt: skip
    done = python(
        "pytest", "-q", "-p", "no:cacheprovider",
        "-k", "SlidingRatio or sliding_ratio or generated or public or those_of_the_catalogue",
        "tests/test_catalogue.py", "tests/test_import.py", "tests/test_generate.py",
        "tests/measures/test_sliding_ratio.py", "irx_measures/measures/sliding_ratio.py",
    )  # fmt: skip
    assert re.search(r"^\d\d passed", done, re.MULTILINE), done
    assert "SlidingRatio" in python("irx_measures", "measures")
