"""LaTeX tables: compiled where there is a TeX, and checked by a reader of their structure."""

import re
import shutil
import subprocess

import pytest
from hypothesis import given
from hypothesis import strategies as st

from irx_measures.common.escapes import latex_text
from irx_measures.exceptions import EvaluationWarning
from tests.comparison.results import score_matrix, without

SPECIALS = ["100%_&#$x", r"{a}~^\b", "[x]", "*star*", "a--b<c>|d", "R&D"]


def read_rows(table):
    """The cells of every row of a tabular; braces must be balanced."""
    check_braces(table)
    body = table.split(r"\toprule")[1].split(r"\bottomrule")[0]
    lines = [line for line in body.splitlines() if line and line != r"\midrule"]
    assert all(line.endswith(r" \\") for line in lines)
    return [re.split(r"(?<!\\) & ", line.removesuffix(r" \\")) for line in lines]


def check_braces(text):
    depth = 0
    for sign in re.sub(r"\\[{}\\%]", "", text):
        depth += (sign == "{") - (sign == "}")
        assert depth >= 0
    assert depth == 0


def columns_of(table):
    columns = re.search(r"\\begin\{tabular\}\{(.*)\}$", table, re.MULTILINE)[1]
    return re.sub(r"\[[^]]*\]", "", columns).split()


def test_every_row_has_a_cell_per_column():
    result = score_matrix(systems=6, names=SPECIALS).compare(baseline=SPECIALS[3:5])
    table = result.to_latex()
    rows = read_rows(table)
    columns = columns_of(table)
    assert columns == ["l", "r", "r"]
    assert {len(row) for row in rows} == {len(columns)}
    assert len(rows) == 7
    assert sum("\\bf" in cell or "\\textbf" in cell for row in rows for cell in row) == 2
    assert table.count(r"\begin{") == table.count(r"\end{") == 2
    assert table.splitlines()[0] == r"% \usepackage{booktabs}"


def test_marks_are_superscripts():
    result = score_matrix(systems=4, spread=0.05, measures=1).compare(
        baseline=["system2", "system3"]
    )
    marks = [row[1].partition("$")[2] for row in read_rows(result.to_latex())[1:]]
    assert marks == ["^{ab}$", "^{ab}$", "^{b}$", ""]
    with pytest.warns(EvaluationWarning, match="left out"):
        undefined = without(score_matrix(), 1, 2).compare()
    assert "& -- " in undefined.to_latex()


@given(st.text(st.characters(codec="utf-8", exclude_categories=["C"])))
def test_escaped_text_has_no_bare_special_sign(text):
    escaped = latex_text(text)
    check_braces(escaped)
    commands = (
        r"\\(?:textbackslash|textasciitilde|textasciicircum|textless|textgreater|textbar)\{\}"
    )
    rest = re.sub(commands + r"|\\[_&%#${}]|\{[\[\]*]\}|-\{\}(?=-)", "", escaped)
    assert not re.search(r"[_&%#${}~^\\<>|*\[\]]|--", rest)


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("pdflatex") is None, reason="no pdflatex on PATH")
@pytest.mark.parametrize("baseline", [None, SPECIALS[3], SPECIALS[1:4]])
def test_tables_compile(tmp_path, baseline):
    matrix = score_matrix(systems=6, names=SPECIALS)
    with pytest.warns(EvaluationWarning, match="left out"):
        result = without(matrix, 1, 5).compare(baseline=baseline)
    table = result.to_latex()
    packages = table.splitlines()[0].removeprefix("% ")
    document = rf"\documentclass{{article}}{packages}\begin{{document}}{{}}%"
    (tmp_path / "table.tex").write_text(
        "\n".join([document, table, r"\end{document}"]), encoding="utf-8"
    )
    done = subprocess.run(
        ["pdflatex", "-interaction=nonstopmode", "-halt-on-error", "table.tex"],
        cwd=tmp_path, capture_output=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout[-2000:]
    assert (tmp_path / "table.pdf").stat().st_size > 1000
