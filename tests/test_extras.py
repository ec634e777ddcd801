"""If a package of an extra is not installed, the error names the extra."""

import pytest

from tests.console import python

RUNS = "runs = {'a': {'q': {'A': 1.0}}, 'b': {'q': {'X': 1.0}}}; qrels = {'q': {'A': 1}}"
OPEN = "from irx_measures.reproductions.built import reproduce_all\nreproduce_all('vaswani')"
NEEDED = [  # a package, its extra, and a program that needs it
    ("pyterrier", "pyterrier", "irx_measures.Experiment([runs['a']], None, qrels, ['P@1'])"),
    ("matplotlib", "plots", "matrix = irx_measures.evaluate(qrels, runs, ['P@1', 'P@2'])\n"
     "irx_measures.plots.system_scatter(matrix, 'P@1', 'P@2')"),
    ("dask", "dask", "irx_measures.distributed.evaluate('qrels', {'a': 'runs'}, 'P@1')"),
    ("jinja2", "report", "irx_measures.report(None, 'report.html')"),
    ("shtab", "completion", "from irx_measures.cli.main import _completing\n_completing()"),
    ("ir_datasets", "datasets", "irx_measures.evaluate('irds:antique/test', runs, 'P@1')"),
    ("bm25s", "reproduce", OPEN),
    pytest.param("sklearn", "reproduce", OPEN, marks=pytest.mark.whole),
    pytest.param("Stemmer", "reproduce", OPEN, marks=pytest.mark.whole),
]  # fmt: skip


def run(code, missing):
    """Run a program as if a package were not installed."""
    blocked = f"import sys; sys.modules[{missing!r}] = None\nimport irx_measures\n{RUNS}\n"
    return python("-W", "ignore", "-c", blocked + code)


@pytest.mark.slow
@pytest.mark.parametrize(("missing", "extra", "code"), NEEDED)
def test_a_missing_extra_is_named(missing, extra, code):
    done = run(code, missing)
    assert done.returncode == 1
    (last,) = done.stderr.splitlines()[-1:]
    assert last.startswith("irx_measures.exceptions.MissingExtraError: ")
    assert f"pip install 'irx-measures[{extra}]'" in last


def test_help_works_in_the_smallest_install():
    code = "print(hasattr(irx_measures, 'RunSetArtifact')); import pydoc\n"
    code += "print(len(pydoc.plain(pydoc.render_doc(irx_measures))) > 1000)\n"
    code += "irx_measures.RunSetArtifact"
    done = run(code, "pyterrier")
    assert done.stdout.split() == ["False", "True"], done.stderr
    assert "pip install 'irx-measures[pyterrier]'" in done.stderr.splitlines()[-1]


def test_without_pyarrow_scores_are_the_same(tmp_path):
    path = tmp_path / "a.run"
    path.write_text("q Q0 A 1 1.0 tag\n")
    code = f"print(irx_measures.evaluate(qrels, {{'a': {str(path)!r}}}, 'P@1').scores.item())"
    done = run(code, "pyarrow")
    assert done.stdout.strip() == "1.0", done.stderr
