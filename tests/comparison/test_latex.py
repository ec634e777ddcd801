"""LaTeX tables: compiled where there is a TeX, and checked by a reader of their structure."""

import re
import shutil
import subprocess

import pytest
from hypothesis import given
from hypothesis import strategies as st

import irx_measures
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


@pytest.mark.parametrize("siunitx", [False, True])
def test_every_row_has_a_cell_per_column(siunitx):
    result = score_matrix(systems=6, names=SPECIALS).compare(baseline=SPECIALS[3:5])
    table = result.to_latex(siunitx=siunitx)
    rows = read_rows(table)
    columns = columns_of(table)
    assert columns == ["l", *(["S"] * 2 if siunitx else ["r"] * 2)]
    assert {len(row) for row in rows} == {len(columns)}
    assert len(rows) == 7
    assert sum("\\bf" in cell or "\\textbf" in cell for row in rows for cell in row) == 2
    assert table.count(r"\begin{") == table.count(r"\end{") == 2
    needed = r"\usepackage{booktabs,siunitx}" if siunitx else r"\usepackage{booktabs}"
    assert table.splitlines()[0] == f"% {needed}"


def test_marks_are_superscripts_and_their_absence_leaves_the_same_space():
    result = score_matrix(systems=4, spread=0.05, measures=1).compare(
        baseline=["system2", "system3"]
    )
    marks = [row[1].partition("$")[2] for row in read_rows(result.to_latex())[1:]]
    assert marks == ["^{ab}$", "^{ab}$", r"^{b\phantom{b}}$", r"^{\phantom{ab}}$"]
    marked = [row[1].partition("$")[2] for row in read_rows(result.to_latex(siunitx=True))[1:]]
    assert marked == ["^{ab}$", "^{ab}$", "^{b}$", ""]


def test_siunitx_columns_fit_the_numbers():
    matrix = score_matrix(systems=3, measures=1)
    matrix.scores[0, 2] -= 20.0
    table = matrix.compare().to_latex(siunitx=True, places=2)
    assert "S[table-format=-2.2,detect-weight]" in table
    with pytest.warns(EvaluationWarning, match="left out"):
        undefined = without(score_matrix(), 1, 2).compare()
    assert "& {--} " in undefined.to_latex(siunitx=True)
    assert "& -- " in undefined.to_latex()


@pytest.mark.parametrize("siunitx", [False, True])
def test_the_caption_cites_papers_only_where_asked(siunitx):
    campaign = irx_measures.simulate_campaign(systems=3, queries=6, depth=20)
    measures = ["nDCG_UE(version=1)@10", "Judged@3", "UE(base=RR)@10", "RBP"]
    result = irx_measures.evaluate(campaign.runs, campaign.qrels, measures).compare()
    plain = result.to_latex(siunitx=siunitx).splitlines()
    cited = result.to_latex(siunitx=siunitx, cite=True).splitlines()
    sentence = (
        r" Measures: nDCG\_UE(version=1)@10~\cite{feng2023}, UE(base=RR)@10~\cite{feng2023}, "
        r"RBP~\cite{moffat2008}.}"
    )
    assert cited.pop(1) == (
        "% BibTeX of feng2023, moffat2008: irx cite 'nDCG_UE(version=1)@10' 'UE(base=RR)@10' RBP"
    )
    assert cited[2].endswith(sentence)
    cited[2] = cited[2].removesuffix(sentence) + "}"
    assert cited == plain


def test_without_a_known_paper_nothing_is_cited():
    campaign = irx_measures.simulate_campaign(systems=3, queries=6, depth=20)
    result = irx_measures.evaluate(campaign.runs, campaign.qrels, "Judged@3").compare()
    comment, rest = result.to_latex(cite=True).split("\n", 2)[1:]
    assert comment == "% no papers are known for these measures"
    assert result.to_latex().endswith(rest)


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
@pytest.mark.parametrize("siunitx", [False, True])
@pytest.mark.parametrize("baseline", [None, SPECIALS[3], SPECIALS[1:4]])
def test_tables_compile(tmp_path, siunitx, baseline):
    package = "siunitx.sty"
    if siunitx and not subprocess.run(["kpsewhich", package], capture_output=True).stdout:
        pytest.skip(f"no {package} on this machine")
    matrix = score_matrix(systems=6, names=SPECIALS)
    with pytest.warns(EvaluationWarning, match="left out"):
        result = without(matrix, 1, 5).compare(baseline=baseline)
    table = result.to_latex(siunitx=siunitx)
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
