"""Names, ids, groups and texts of any kind are text: every format at the writer, then each door.

Where people read: no character that does not print, and no markup. Where programs read: the exact
names but for control characters, and as many rows as there are.
"""

import csv
import io
import json
import re
import warnings
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from irx_measures import ScoreMatrix, meta
from irx_measures.cli.main import main
from irx_measures.common import screen
from irx_measures.common.escapes import CONTROLS
from irx_measures.common.tables import FORMATS, TextTable, write
from irx_measures.explaining.explain import explain
from irx_measures.reporting.comparison import SHOWN, comparison_text
from irx_measures.reporting.explanation import explanation_text
from tests.comparison.results import MEASURES

PRINTING = ["a*b*<i>x", "[z]_x", "a|b", "=cmd()", "$x$", "100%", "<script>alert(1)</script>",
            "_both_", "-- \\end{tabular}", "`code`", "![x](y)", "&lt;", "#1 ~^{}"]  # fmt: skip

SPELLED = ["\x1b[31mred", "\u202eevil", "two\nlines", "a\ttab", "\r=cmd()", "\ud800"]

NAMES = (*PRINTING, *SPELLED)

TAGS = {
    "table",
    "caption",
    "thead",
    "tbody",
    "tr",
    "th",
    "td",
    "p",
    "strong",
    "sup",
    "div",
    "style",
}


class Tags(HTMLParser):
    """The names and the attributes of the elements of a page."""

    def __init__(self, html):
        super().__init__()
        self.names, self.attributes = set(), set()
        self.feed(html)
        self.close()

    def handle_starttag(self, tag, attrs):
        self.names.add(tag)
        self.attributes |= {name for name, _ in attrs}


def check_prints(text):
    assert all(sign.isprintable() or sign == "\n" for sign in text)


def check_html(text):
    check_prints(text)
    page = Tags(text)
    assert page.names <= TAGS
    assert not any(name.startswith("on") for name in page.attributes)


def check_markdown(text):
    check_prints(text)
    bare = re.sub(r"\\[\\`*_\[\]<>|~$&]", "", text)
    bare = re.sub(r"</?sup>|\*\*(?=[\d.-]|<sup>| \||: best)|\*\*(?=Bold)", "", bare)
    assert not re.search(r"[`*\[\]<>~$&\\]|(?<!\w)_|_(?!\w)", bare)
    assert len({line.count("|") for line in bare.splitlines() if line.startswith("|")}) == 1


def check_latex(text):
    check_prints(text)
    code = "\n".join(line for line in text.splitlines() if not line.startswith("%"))
    commands = r"\\(?:text(?:backslash|asciitilde|asciicircum|less|greater|bar)\{\}|[_&%#${}])"
    bare = re.sub(commands + r"|\{[\[\]*]\}|-\{\}(?=-)", "", code)
    assert bare.count("{") == bare.count("}")
    assert set(re.findall(r"\\[a-z]+", bare)) <= {
        r"\begin", r"\end", r"\caption", r"\centering", r"\toprule", r"\midrule", r"\bottomrule",
        r"\textbf",
    }  # fmt: skip
    assert not re.search(r"[$%#~^<>*_\[\]]", re.sub(r"\$\^\{[^$]*\}\$", "", bare))
    assert bare.count(r"\begin") == bare.count(r"\end")
    rows = bare.split(r"\toprule")[1].split(r"\bottomrule")[0]
    assert len({line.count("&") for line in rows.splitlines() if line.endswith(r"\\")}) == 1


def check_separated(text, delimiter):
    assert not CONTROLS.search(text.replace("\n", "").replace(delimiter, ""))
    rows = list(csv.reader(io.StringIO(text), delimiter=delimiter))
    assert len({len(row) for row in rows}) == 1
    assert len(rows) == len(text.splitlines())  # one line each
    return rows


def check(text, form):
    """Demand of a text what its format promises."""
    if form in ("json", "jsonl"):
        for part in text.splitlines() if form == "jsonl" else [text]:
            json.loads(part)
    elif form in ("csv", "tsv"):
        check_separated(text, "," if form == "csv" else "\t")
    elif form == "csv-safe":
        check_prints(text)
        cells = [cell for row in check_separated(text, ",") for cell in row]
        assert not any(re.match(r"[=@]|[+-](?![\d.])", cell) for cell in cells)
    else:
        {"html": check_html, "markdown": check_markdown, "latex": check_latex}.get(
            form, check_prints
        )(text)


@pytest.fixture(scope="module")
def matrix():
    """Scores of systems, queries and groups with hostile names."""
    rng = np.random.default_rng(0)
    scores = np.clip(
        rng.random((2, len(NAMES), len(NAMES))) - np.linspace(0, 0.5, len(NAMES)), 0, 1
    )
    return ScoreMatrix(MEASURES[:2], NAMES, NAMES, np.swapaxes(scores, 1, 2), NAMES)


@pytest.fixture(scope="module", params=[None, NAMES[0], [NAMES[13], NAMES[14]]])
def compared(request, matrix):
    return matrix.compare(baseline=request.param)


@pytest.fixture(scope="module")
def explanation():
    qrels = {"\x1b[31mq|<b>": {name: place % 3 for place, name in enumerate(NAMES[:-1])}}
    run = {"\x1b[31mq|<b>": {name: float(-place) for place, name in enumerate(NAMES[:-1])}}
    (query,) = qrels
    found = explain(
        "<i>\u202e", qrels, "NRG(prior=others)@10", {"<i>\u202e": run, "_b_": run}, query
    )
    return replace_texts(found)


def replace_texts(found):
    texts = (*NAMES, *NAMES)[: len(found.doc_ids)]
    return replace(found, query_text=NAMES[13], texts=texts)


TEXTS = st.one_of(
    st.sampled_from(NAMES), st.text(st.characters(), max_size=20), st.text("=+-@|*_[]\\$\x1b\u202e")
)


@pytest.mark.parametrize("form", FORMATS)
@given(st.lists(TEXTS, min_size=1, max_size=5), TEXTS)
def test_any_text_stays_text(form, names, head):
    table = TextTable.of({"=run": names, f"{head}!": [0.5] * len(names)}, 1, ("=run",))
    text = write(table, form)
    check(text, form)
    if form in ("json", "jsonl"):
        rows = json.loads(text) if form == "json" else map(json.loads, text.splitlines())
        assert [list(row.values()) for row in rows] == [[name, 0.5] for name in names]


@pytest.mark.slow
@pytest.mark.parametrize("shown", SHOWN)
@pytest.mark.parametrize("width", [None, 40])
def test_compare_on_a_screen(compared, shown, width, monkeypatch):
    monkeypatch.setattr(screen, "terminal_width", lambda: width)
    check_prints(comparison_text(compared, shown, "table", 3))


def test_tables_of_papers(compared):
    check_markdown(compared.paper_table("markdown"))
    check_html(compared.paper_table("html"))
    check_latex(compared.paper_table("latex"))


@pytest.mark.parametrize("width", [None, 40])
def test_explain_on_a_screen(explanation, width, monkeypatch):
    monkeypatch.setattr(screen, "terminal_width", lambda: width)
    check_prints(explanation_text(explanation, "table", 4))


def test_what_python_and_notebooks_show(matrix, explanation):
    assert repr(matrix).startswith("ScoreMatrix: 2 measures x 19 systems")  # one is no UTF-8
    check_prints(repr(matrix))
    whole = ScoreMatrix(matrix.measures, NAMES[:-1], NAMES, matrix.scores[:, :-1], NAMES[:-1])
    studies = [
        meta.discriminative_power(whole["AP"], whole.systems, test="t"),
        meta.pareto_front(*whole.aggregates, whole.systems),
    ]
    compared = [whole.compare(), whole.compare(baseline=NAMES[0])]
    for shown in [whole, *compared, explanation, *studies]:
        check_prints(repr(shown))
        check_html(shown._repr_html_())


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    """Qrels and runs whose queries, documents and file names are hostile."""
    folder = tmp_path_factory.mktemp("hostile")
    ids = ["a*b*<i>x", "[z]_x", "a|b", "=cmd()", "$x$", "100%", "<b>", "\x1b[31mred", "\u202eevil"]
    rng = np.random.default_rng(1)
    qrels = "".join(f"{query} 0 {doc} {rng.integers(3)}\n" for query in ids for doc in ids)
    (folder / "qrels.txt").write_text(qrels, encoding="utf-8")
    names = ["a*b*<i>x", "[z]_x", "a|b", "=cmd()", "$x$"]
    for name in names:
        lines = (
            f"{query} Q0 {doc} {rank} {9 - rank} tag\n"
            for query in ids
            for rank, doc in enumerate(rng.permutation(ids).tolist())
        )
        (folder / f"{name}.run").write_text("".join(lines), encoding="utf-8")
    return [str(folder / "qrels.txt"), *(str(folder / f"{name}.run") for name in names)]


TWO = ["nDCG@5", "P@3"]
OF_ONE = ["nDCG@5", "--system", "[z]_x"]

COMMANDS = {
    "evaluate": ("evaluate", [*TWO, "-q"]),
    "one system": ("evaluate", [*TWO, "-q"]),
    "compare": ("compare", [*TWO, "--baseline", "a|b"]),
    "explain": ("explain", [*OF_ONE, "--query", "\x1b[31mred"]),
    "missing": ("explain", [*OF_ONE, "--query", "\u202eevil", "--missing"]),
    "gains": ("explain", [*OF_ONE, "--against", "=cmd()"]),
    "correlation": ("meta correlation", TWO),
    "audit": ("judge audit", TWO),
}


@pytest.mark.slow
@pytest.mark.parametrize("form", ["table", "tsv", "markdown"])
@pytest.mark.parametrize("door", COMMANDS)
def test_the_command_line(files, door, form, capsys):
    qrels, *runs = files
    command, rest = COMMANDS[door]
    given = runs[:1] if door == "one system" else runs
    qrels_files = [qrels, qrels] if door == "audit" else [qrels]
    status = main([*command.split(), *qrels_files, *given, "-m", *rest, "-o", form])
    printed = capsys.readouterr()
    assert status == 0, printed.err
    if form == "tsv" and door in ("evaluate", "one system"):  # lines of ir_measures
        assert len({line.count("\t") for line in printed.out.rstrip("\n").split("\n")}) == 1
    else:
        check(printed.out, form)


@pytest.mark.parametrize("form", ["table", "csv-safe"])
def test_texts_of_documents_on_the_command_line(files, form, capsys, monkeypatch):
    hostile = "\x1b[2J".join(NAMES[:-1])
    module = "irx_measures.explaining.explain"
    monkeypatch.setattr(f"{module}.topic_texts", lambda name: {"\u202eevil": hostile})
    monkeypatch.setattr(f"{module}.document_texts", lambda name, ids: dict.fromkeys(ids, hostile))
    command, rest = COMMANDS["missing"]
    assert main([command, *files, "-m", *rest, "--texts", "any", "-o", form]) == 0
    printed = capsys.readouterr()
    check(printed.out, form)


FOLDER = "\x1b[31mred \u202e"

MISTAKES = {
    "no run": ["evaluate", "QRELS", f"{FOLDER}/none.run", "-m", "P@1"],
    "a folder as a run": ["evaluate", "QRELS", FOLDER, "-m", "P@1"],
    "a broken line": ["evaluate", "QRELS", f"{FOLDER}/bad.run", "-m", "P@1"],
    "one name twice": ["evaluate", "QRELS", "RUN", "RUN", "-m", "P@1"],
    "groups": ["evaluate", "QRELS", "RUN", "-m", "P@1", "--groups", FOLDER],
    "prior": ["evaluate", "QRELS", "RUN", "-m", "P@1", "--prior", f"{FOLDER}/none.run"],
    "picture": ["compare", "QRELS", "RUN", "-m", "P@1", "--plot", f"{FOLDER}/no/it.png"],
    "texts": ["explain", "QRELS", "RUN", "-m", "P@1", "--query", FOLDER, "--texts", FOLDER],
    "query": ["explain", "QRELS", "RUN", "-m", "P@1", "--query", FOLDER],
    "measure": ["evaluate", "QRELS", "RUN", "-m", f"NRG(prior='{FOLDER}')@5"],
    "option": ["evaluate", "QRELS", "RUN", "-m", "P@1", f"--{FOLDER}"],
    "command": [FOLDER],
}


@pytest.fixture
def hostile_folder(tmp_path, monkeypatch):
    """Qrels and a run in a folder whose name, seen from the working folder, is hostile."""
    monkeypatch.chdir(tmp_path)
    folder = tmp_path / FOLDER
    folder.mkdir()
    (folder / "qrels").write_text("q 0 d 1\nq 0 n 0\n")
    (folder / "a.run").write_text("q Q0 d 1 1.0 t\n")
    (folder / "bad.run").write_text("q Q0 d 1 x t\n")
    return {"QRELS": f"{FOLDER}/qrels", "RUN": f"{FOLDER}/a.run"}


@pytest.mark.parametrize("mistake", MISTAKES)
def test_names_of_folders_in_errors(hostile_folder, mistake, capsys):
    try:
        status = main([hostile_folder.get(word, word) for word in MISTAKES[mistake]])
    except SystemExit as stopped:
        status = stopped.code
    printed = capsys.readouterr()
    assert status == 2
    assert printed.err.count("\n") == 1
    assert r"\x1b[31mred \u202e" in printed.err
    check_prints(printed.err)


def test_names_of_folders_in_warnings_and_reports_of_files(hostile_folder, capsys):
    pytest.importorskip("matplotlib")
    empty = f"{FOLDER}/empty.run"
    Path(empty).touch()
    warnings.simplefilter("default")
    given = ["evaluate", hostile_folder["QRELS"], hostile_folder["RUN"]]
    assert main([*given, empty, "-m", "P@1", "--no-strict"]) == 0
    assert main(["judge", "audit", given[1], given[1], "--plot", f"{FOLDER}/it.png"]) == 0
    assert main(["simulate", f"{FOLDER}/new", "--systems", "2", "--queries", "2"]) == 0
    printed = capsys.readouterr()
    assert r"warning: run 'empty' (\x1b[31mred \u202e/empty.run) is empty" in printed.err
    assert r"wrote \x1b[31mred \u202e/it.png" in printed.err
    assert r"\x1b[31mred \u202e/new/qrels.txt" in printed.out
    check_prints(printed.err)
    check_prints(printed.out)
