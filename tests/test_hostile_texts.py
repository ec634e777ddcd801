"""Names, ids, groups and texts of any kind are text: every format at the writer, then each door.

Where people read: no character that does not print, and no markup. Where programs read: the exact
names but for control characters, and as many rows as there are.
"""

import csv
import io
import json
import re
from dataclasses import replace
from html.parser import HTMLParser

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from irx_measures import (
    JudgingPlan,
    RunSet,
    ScoreMatrix,
    compare,
    meta,
    report,
    simulate_campaign,
)
from irx_measures.common.escapes import CONTROLS
from irx_measures.explaining.explain import explain
from irx_measures.reporting.comparison import SHOWN, comparison_output
from irx_measures.reporting.explanation import explanation_output
from irx_measures.results import screen
from irx_measures.results.tables import FORMATS, TextTable, write
from tests.campaigns import trec_files
from tests.comparison.results import MEASURES
from tests.console import irx

PRINTING = ["a*b*<i>x", "[z]_x", "a|b", "=cmd()", "$x$", "100%", "<script>alert(1)</script>",
            "_both_", "-- \\end{tabular}", "`code`", "![x](y)", "&lt;", "#1 ~^{}"]  # fmt: skip

SPELLED = ["\x1b[31mred", "\u202eevil", "two\nlines", "a\ttab", "\r=cmd()", "\ud800"]

NAMES = (*PRINTING, *SPELLED)

TAGS = {"table", "caption", "thead", "tbody", "tr", "th", "td", "p", "strong", "sup",
        "div", "style"}  # fmt: skip


class Page(HTMLParser):
    """A page of elements that tables have, none of which has an attribute with a script."""

    def handle_starttag(self, tag, attrs):
        assert tag in TAGS
        assert not any(name.startswith("on") for name, _ in attrs)


def check_prints(text):
    assert all(sign.isprintable() or sign == "\n" for sign in text)


def check_html(text):
    check_prints(text)
    page = Page()
    page.feed(text)
    page.close()


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
        r"\textbf", r"\downarrow",
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
    count, rng = len(NAMES), np.random.default_rng(0)
    scores = np.clip(rng.random((2, count, count)) - np.linspace(0, 0.5, count), 0, 1)
    return ScoreMatrix(MEASURES[:2], NAMES, NAMES, np.swapaxes(scores, 1, 2), NAMES)


@pytest.fixture(scope="module", params=[None, NAMES[0], [NAMES[13], NAMES[14]]])
def compared(request, matrix):
    return matrix.compare(baseline=request.param)


@pytest.fixture(scope="module")
def explanation():
    query, system = "\x1b[31mq|<b>", "<i>\u202e"
    qrels = {query: {name: place % 3 for place, name in enumerate(NAMES[:-1])}}
    run = {query: {name: float(-place) for place, name in enumerate(NAMES[:-1])}}
    found = explain(qrels, system, "NRG(prior=others)@10", {system: run, "_b_": run}, query)
    return replace(found, query_text=NAMES[13], texts=(*NAMES, *NAMES)[: len(found.doc_ids)])


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
        if form == "json":
            rows = json.loads(text)["results"]
        else:
            rows = [json.loads(line) for line in text.splitlines()]
        assert [list(row.values()) for row in rows] == [[name, 0.5] for name in names]


@pytest.mark.slow
@pytest.mark.parametrize("width", [None, 40])
def test_what_a_screen_shows(compared, explanation, width, monkeypatch):
    monkeypatch.setattr(screen, "terminal_width", lambda: width)
    for shown in SHOWN:
        check_prints(comparison_output(compared, shown, "table", 3).text)
    check_prints(explanation_output(explanation, "table", 4).text)


def test_tables_of_papers(compared):
    check_markdown(compared.paper_table("markdown"))
    check_html(compared.paper_table("html"))
    check_latex(compared.paper_table("latex"))


def test_what_python_and_notebooks_show(matrix, explanation):
    assert repr(matrix).startswith("ScoreMatrix: 2 measures x 19 systems")  # one is no UTF-8
    check_prints(repr(matrix))
    whole = ScoreMatrix(matrix.measures, NAMES[:-1], NAMES, matrix.scores[:, :-1], NAMES[:-1])
    studies = [
        meta.discriminative_power(whole["AP"], whole.systems, test="t"),
        meta.pareto_front(*whole.aggregates, whole.systems),
    ]
    compared = [whole.compare(), whole.compare(baseline=NAMES[0])]
    groups = dict(zip(NAMES, [*NAMES[:-1], NAMES[0]], strict=True))  # pandas holds UTF-8 only
    runs = {name: {"q": {name: 1.0}} for name in NAMES[:-1]}
    sets = [RunSet(runs, name=name) for name in NAMES if "#" not in name]
    plans = [JudgingPlan(None, runs), JudgingPlan(None, runs, question=NAMES[:2])]
    for shown in [whole, whole.by(groups), *compared, explanation, *studies, *sets, *plans]:
        check_prints(repr(shown))
        check_html(shown._repr_html_())


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    """Qrels and runs whose queries, documents and file names are hostile."""
    ids, rng = [*PRINTING[:6], "<b>", *SPELLED[:2]], np.random.default_rng(1)
    qrels = {query: {doc: int(rng.integers(3)) for doc in ids} for query in ids}

    def run():
        return {query: dict(zip(rng.permutation(ids), range(9), strict=True)) for query in ids}

    return trec_files(tmp_path_factory.mktemp("x"), {name: run() for name in PRINTING[:5]}, qrels)


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
def test_the_command_line(files, door, form):
    qrels, *runs = files
    command, rest = COMMANDS[door]
    given = runs[:1] if door == "one system" else runs
    qrels_files = [qrels, qrels] if door == "audit" else [qrels]
    done = irx(*command.split(), *qrels_files, *given, "-m", *rest, "-o", form)
    assert done.returncode == 0, done.stderr
    if form == "tsv" and door in ("evaluate", "one system"):  # lines of ir_measures
        assert len({line.count("\t") for line in done.stdout.rstrip("\n").split("\n")}) == 1
    else:
        check(done.stdout, form)


@pytest.mark.parametrize("form", ["table", "csv-safe"])
def test_texts_of_documents_on_the_command_line(files, form, monkeypatch):
    hostile = "\x1b[2J".join(NAMES[:-1])
    module = "irx_measures.explaining.explain"
    monkeypatch.setattr(f"{module}.topic_texts", lambda name: {"\u202eevil": hostile})
    monkeypatch.setattr(f"{module}.document_texts", lambda name, ids: dict.fromkeys(ids, hostile))
    command, rest = COMMANDS["missing"]
    done = irx(command, *files, "-m", *rest, "--texts", "any", "-o", form)
    assert done.returncode == 0, done.stderr
    check(done.stdout, form)


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
def in_folder(tmp_path):
    """Run a command beside a folder of hostile name with qrels and runs; what it printed."""
    (tmp_path / FOLDER).mkdir()
    trec_files(tmp_path / FOLDER, {"a": {"q": {"d": 1.0}}, "bad": {"q": {"d": "x"}}, "empty": {}})
    (tmp_path / FOLDER / "qrels").write_text("q 0 d 1\nq 0 n 0\n")
    named = {"QRELS": f"{FOLDER}/qrels", "RUN": f"{FOLDER}/a.run"}

    def run(*words, status=0):
        done = irx(*(named.get(word, word) for word in words), cwd=tmp_path)
        assert done.returncode == status
        check_prints(done.stdout + done.stderr)
        return done

    return run


@pytest.mark.parametrize("mistake", MISTAKES)
def test_names_of_folders_in_errors(in_folder, mistake):
    told = in_folder(*MISTAKES[mistake], status=2).stderr
    assert told.count("\n") == 1
    assert r"\x1b[31mred \u202e" in told


@pytest.mark.slow
def test_names_of_folders_in_warnings_and_reports_of_files(in_folder):
    pytest.importorskip("matplotlib")
    given = "QRELS", "RUN", f"{FOLDER}/empty.run"
    warned = in_folder("evaluate", *given, "-m", "P@1", "--no-strict").stderr
    assert r"warning: run 'empty' (\x1b[31mred \u202e/empty.run) is empty" in warned
    drawn = in_folder("judge", "audit", "QRELS", "QRELS", "--plot", f"{FOLDER}/it.png").stderr
    assert r"wrote \x1b[31mred \u202e/it.png" in drawn
    made = in_folder("simulate", f"{FOLDER}/new", "--systems", "2", "--queries", "2").stdout
    assert r"\x1b[31mred \u202e/new/qrels.txt" in made


# Names that are long and alike stay different wherever they are shown, and are whole in data.

LONG = {
    "ends": [f"monoT5-3b-msmarco-10k-passage-reranker-of-bm25-seed{seed}" for seed in range(6)],
    "middles": [f"monoT5-3b-msmarco-seed{seed}-passage-reranker-of-bm25-100" for seed in range(6)],
    "only the middles": [f"{'m' * 40}{seed}{'m' * 40}" for seed in range(6)],
}


@pytest.fixture(scope="module", params=LONG)
def long_names(request):
    """Runs whose names are long and alike, qrels and their comparison."""
    campaign = simulate_campaign(systems=6, queries=8, depth=30, seed=3)
    runs = dict(zip(LONG[request.param], campaign.runs.values(), strict=True))
    compared = compare(campaign.qrels, runs, ["nDCG@10", "AP"], baseline=next(iter(runs)))
    return runs, campaign.qrels, compared


def test_long_names_stay_different_in_the_report(long_names, tmp_path):
    pytest.importorskip("jinja2")
    runs, qrels, compared = long_names
    report(compared, tmp_path / "r.html", qrels=qrels, runs=runs)
    page = (tmp_path / "r.html").read_text(encoding="utf-8")
    name = r'<span class="isolated">(.*?)</span>'
    whole = dict(re.findall(f"<li>{name} = {name}</li>", page))
    assert sorted(whole.values()) == sorted(runs)
    sections = dict(re.findall(r'<section id="(\w+)"(.*?)</section>', page, re.DOTALL))
    for section, drawn in {
        "leaderboard": r'class="name"><span class="cut" title="(.*?)">(.*?)<',
        "adds": r'<text class="end(?: strong)?"()[^>]*>(m.*?)<',
        "unjudged": r'<text class="end(?: strong)?"()[^>]*>(m.*?)<',
    }.items():
        found = re.findall(drawn, sections[section])
        assert {short for _, short in found} == whole.keys(), section
        assert all(whole[short] == name for name, short in found if name)
    named = re.findall(r'class="(?:label|a head|b head|a|b)(?: strong)?"[^>]*>(m.*?)<', page)
    assert {*named} <= whole.keys()
    data = json.loads(page.split('id="data">')[1].split("</")[0])
    assert sorted(data["systems"]) == sorted(whole)  # of the lists of the script
    assert not re.search(r"\.cut[^{}]*\{[^}]*(overflow:|ellipsis)", page)


def test_long_names_are_whole_where_they_are_data(long_names):
    runs, _, compared = long_names
    for form in ("latex", "markdown", "html"):
        assert all(name in compared.paper_table(form) for name in runs)
    for form in FORMATS:
        text = comparison_output(compared, "leaderboard", form, 3).text
        assert all(text.count(name) >= 2 for name in runs)
