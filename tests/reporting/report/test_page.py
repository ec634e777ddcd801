"""The bytes of the report: what it loads, what it escapes, what it says, how large it is."""

import base64
import hashlib
import html
import json
import os
import re
import shlex
import warnings
from html.parser import HTMLParser

import ir_measures
import numpy as np
import pytest

import irx_measures
from irx_measures.common.writing import percent
from irx_measures.judgments.judged_run import JudgedRun
from irx_measures.reporting.report import content
from tests import console
from tests.campaigns import trec_files
from tests.doubts import MISSED_QUERIES, NO_PRIOR
from tests.reporting.report.pages import HOSTILE, MEASURES, campaign, hostile_campaign, written

pytestmark = NO_PRIOR


class Outline(HTMLParser):
    """Tags and what is loaded."""

    def __init__(self, page):
        super().__init__()
        self.tags, self.links = set(), []
        self.feed(page)

    def handle_starttag(self, tag, attrs):
        self.tags.add(tag)
        self.links += [value for name, value in attrs if name in ("src", "href")]


@pytest.fixture(scope="module")
def page(tmp_path_factory):
    return written(tmp_path_factory.mktemp("page") / "report.html", *campaign())


def test_the_page_loads_nothing_and_its_policy_allows_its_script_only(page):
    links = Outline(page).links
    assert links
    assert all(link == "data:," or link.startswith("#") for link in links)
    assert not re.search(r"url\(|@import", page)
    script = re.search(r"<script>(.*?)</script>", page, re.DOTALL)[1]
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    policy = re.search(r'Content-Security-Policy" content="([^"]*)"', page)[1]
    assert policy.startswith("default-src 'none';")
    assert f"script-src 'sha256-{digest}'" in policy
    for tag in re.findall(r"<[a-z][^>]*>", page.split("<script type", 1)[0].split("</style>")[1]):
        assert not re.search(r'\s[a-z-]+=[^"]', tag), "an attribute without quotes"


SAME_BYTES = """
import pathlib, sys
from tests.reporting.report.pages import campaign, written
written(pathlib.Path(sys.argv[1]), *campaign())
"""


@pytest.mark.slow
def test_the_same_input_gives_the_same_bytes_without_date_and_path(page, tmp_path):
    path = tmp_path / "again.html"
    environment = {**os.environ, "PYTHONHASHSEED": "7"}
    console.python("-W", "ignore", "-c", SAME_BYTES, path, env=environment)
    assert path.read_text(encoding="utf-8") == page
    assert str(tmp_path.parent) not in page
    assert not re.search(r"\b20\d\d-\d\d-\d\d\b", page)


def test_hostile_names_change_no_tag(page, tmp_path):
    hostile = written(tmp_path / "hostile.html", *hostile_campaign())
    assert Outline(hostile).tags == Outline(page).tags
    assert "<script>alert" not in hostile
    assert "{{ 7 * 7 }}" in hostile  # a template in a name is not run


def test_control_and_bidirectional_characters_are_spelled_out(tmp_path):
    names, topics = ("a\x1b[31m", "b\u202e"), tuple(f"q\x1b{number}\u202e" for number in range(3))
    scores = np.array([[[1.0, 2, 3], [0, 1, 2]]])
    matrix = irx_measures.ScoreMatrix((ir_measures.AP,), names, topics, scores)
    irx_measures.report(matrix, tmp_path / "r.html")
    text = (tmp_path / "r.html").read_text(encoding="utf-8")
    assert not {"\x1b", "\u202e"} & {*text}
    assert "\\u001b" not in text
    assert 'title="a\\x1b[31m"' in text


def test_a_report_of_scores_is_that_of_their_comparison(tmp_path):
    matrix = irx_measures.evaluate(*campaign(), MEASURES)
    for name, result in (("scores", matrix), ("comparison", matrix.compare())):
        irx_measures.report(result, tmp_path / f"{name}.html")
    assert (tmp_path / "scores.html").read_bytes() == (tmp_path / "comparison.html").read_bytes()


def data_of(text):
    """What the script reads."""
    return json.loads(re.search(r'id="data">(.*?)</script>', text)[1])


@pytest.mark.parametrize("baseline", [None, "lexical-a"])
def test_the_default_pair_is_the_best_one_and_the_next_one_or_the_baseline(tmp_path, baseline):
    qrels, runs = campaign(queries=50)
    measures = ["nDCG@10", "AP"]
    result = irx_measures.compare(qrels, runs, measures)
    data = data_of(written(tmp_path / "r.html", qrels, runs, measures, baseline=baseline))
    for board, shown in zip(result.boards, data["measures"], strict=True):
        best, second = board.systems[:2]
        expected = [best, baseline or second]
        assert [data["systems"][place] for place in shown["pair"]] == expected


def test_a_system_that_returns_nothing_is_told_from_judged_documents(tmp_path):
    qrels, runs = campaign(systems=4)
    text = written(tmp_path / "all.html", qrels, runs, ["nDCG@10"])
    runs["lexical-a"] = {
        query: dict(list(run.items())[:20])
        for n, (query, run) in enumerate(runs["lexical-a"].items())
        if n
    }
    with pytest.warns(irx_measures.EvaluationWarning, match="misses 1 of 12 queries"):
        text = written(tmp_path / "r.html", qrels, runs, ["nDCG@10"], baseline="lexical-a")
    rankings = data_of(text)["documents"]["top"]
    assert [len(rows[0]) for rows in rankings].count(0) == 1  # and no place of no document
    assert all(place >= 0 for rows in rankings for row in rows for place in row)
    assert text.count('<path class="nothing"') == 1
    assert text.count("the system returns no document at these ranks") == 1


def test_texts_are_cut_and_escaped(tmp_path):
    qrels, runs = campaign(systems=4)
    documents = {document for row in qrels.values() for document in row}
    topics = {query: f"what is <b>{query}</b>" for query in qrels}
    texts = dict.fromkeys(documents, "a <i>text</i> " + "w" * 200)
    text = written(tmp_path / "r.html", qrels, runs, ["nDCG@10"], texts=texts, topics=topics)
    assert "what is &lt;b&gt;q01&lt;/b&gt;" in text
    assert {text[:17] for text in data_of(text)["texts"].values()} == {"a <i>text</i> www"}
    assert "w" * 121 not in text


def test_few_unjudged_documents_are_a_sentence(tmp_path):
    qrels, runs = campaign(systems=4)
    for query, judged in qrels.items():
        judged |= {name: 0 for run in runs.values() for name in run[query] if name not in judged}
    text = written(tmp_path / "r.html", qrels, runs, ["nDCG@10"])
    section = text[text.index('id="unjudged"') :].split("</section>")[0]
    assert "0 of the 480 documents in the top 10s are unjudged" in section
    assert "<svg" not in section


def test_names_of_groups_are_escaped_and_without_groups_there_is_no_section(tmp_path):
    qrels, runs = campaign(systems=6, queries=20)
    by = {query: HOSTILE[0 if place < 8 else 5] for place, query in enumerate(qrels)}
    page = written(tmp_path / "r.html", qrels, runs, ["nDCG@10"], by=by)
    assert HOSTILE[0] not in page
    section = re.search(r'<section id="groups".*?</section>', page, re.DOTALL)[0]
    assert len(section) < 60_000
    assert "#groups" not in written(tmp_path / "r.html", qrels, runs, ["nDCG@10"])


@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        ({"runs": {}}, irx_measures.InputError, "given together"),
        ({"title": 3}, TypeError, "`title` must be a string; got int"),
        ({"texts": 3}, TypeError, "`texts` must map ids to texts; got int"),
        ({"topics": 3}, TypeError, "`topics` must map ids to texts; got int"),
        ({"result": {}}, TypeError, "or a ScoreMatrix; got dict"),
    ],
)
def test_mistakes_are_named(tmp_path, options, error, message):
    qrels, runs = campaign(systems=4)
    given = {"result": irx_measures.compare(qrels, runs, "nDCG@10"), **options}
    with pytest.raises(error, match=message):
        irx_measures.report(path=tmp_path / "r.html", **given)


def test_the_depth_of_rankings(tmp_path):
    qrels, runs = campaign(systems=4)
    for measure, shown in (("P@5", 5), ("AP", 10), ("P@200", 10)):
        assert f"top {shown}s" in written(tmp_path / "r.html", qrels, runs, [measure])


@pytest.mark.parametrize(
    ("call", "expected"),
    [
        (content.number(0.7644), ".764"),
        (content.number(1.0), "1.000"),
        (content.number(-0.055), "−.055"),
        (content.number(-0.0001), ".000"),
        (content.number(float("nan")), "–"),
        (content.REPORT.p_value(0.0001), "<.001"),
        (content.REPORT.p_value(0.013), ".013"),
        (content.REPORT.p_value(1.0), "1.000"),
        (percent(1, 15_840), "0.1%"),
        (percent(15_839, 15_840), "99.9%"),
        (percent(0, 9), "0%"),
        (percent(9, 9), "100%"),
        (percent(0, 0), "–"),
        (content.named("bm25"), "bm25"),
        (content.named("x" * 61), f"{'x' * 30}…{'x' * 29}"),
        (content.named("a\u202eb"), "\u2068a\u202eb\u2069"),
    ],
)
def test_numbers_as_the_report_writes_them(call, expected):
    assert call == expected


@pytest.mark.slow
@pytest.mark.parametrize(
    ("folder", "most"),
    [
        ("trec-dl-2019-passage", 600_000),
        pytest.param("trec8-adhoc", 1_500_000, marks=[pytest.mark.whole, MISSED_QUERIES]),
    ],
)
def test_sizes_on_real_data(data, tmp_path, folder, most):
    path, source = tmp_path / "r.html", data / folder
    qrels, runs = str(source / "qrels.txt.gz"), str(source / "runs" / "*")
    written(path, qrels, runs)
    assert path.stat().st_size <= most


def test_the_command_line_writes_the_file(tmp_path):
    qrels, runs = campaign(systems=4, queries=8)
    files = trec_files(tmp_path, runs, qrels)
    command = ["report", *files, "-m", "nDCG@10", "--baseline", "lexical-a", "--quiet"]
    for said, target in (("wrote", "it.html"), ("replaced", "it.html"), ("wrote", "report.html")):
        more = [] if target == "report.html" else ["-o", target]
        done = console.irx(*command, *more, cwd=tmp_path)
        assert (done.returncode, done.stdout) == (0, "")
        assert done.stderr == f"irx report: {said} {target}\n"
        assert 'class="baseline"' in (tmp_path / target).read_text(encoding="utf-8")


def test_the_command_line_names_qrels_date_and_command_and_a_date_that_is_given_stays(
    tmp_path, monkeypatch
):
    qrels, runs = campaign(systems=4, queries=8)
    files = trec_files(tmp_path, runs, qrels)
    command = ["report", *files, "-m", "nDCG@10", "AP", "--quiet"]
    pages = []
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1777777777")
    for _ in range(2):
        assert console.irx(*command, cwd=tmp_path).returncode == 0
        pages.append((tmp_path / "report.html").read_bytes())
    assert pages[0] == pages[1]
    (page,) = {one.decode() for one in pages}
    assert "<title>nDCG@10 and AP of 4 systems on 8 topics of qrels.txt</title>" in page
    facts = dict(re.findall("<dt>(.*?)</dt><dd>(.*?)</dd>", page.split("<nav")[0]))
    assert (facts["Qrels"], facts["Date"]) == ("qrels.txt", "2026-05-03")
    assert shlex.join(["irx", *map(str, command)]) in html.unescape(facts["Command"])
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "May")
    wrong = console.irx(*command, cwd=tmp_path)
    assert (wrong.returncode, wrong.stdout) == (2, "")
    assert "SOURCE_DATE_EPOCH must be a number of seconds since 1970; got 'May'" in wrong.stderr


def test_of_two_systems_no_section_is_about_ties(tmp_path):
    qrels, runs = campaign(systems=3)
    three = written(tmp_path / "three.html", qrels, runs, ["nDCG@10"])
    two = written(tmp_path / "two.html", qrels, dict(list(runs.items())[:2]), ["nDCG@10"])
    assert ['id="ties"' in page for page in (three, two)] == [True, False]
    assert ['href="#ties"' in page for page in (three, two)] == [True, False]


@pytest.mark.parametrize(
    ("measures", "shown"),
    [
        (["nDCG@10", "AP"], "NRG@10 counts only the gain that other systems leave"),
        (["AP", "NRG(prior=others,base=RBP)@5"], "NRG@5 counts only the gain"),
        (["AP", "UniqueRel(prior=others)@5"], "UniqueRel@5: Number of relevant documents in"),
        (["AP", "NRG(prior='lexical-a')@5"], "NRG@10 counts only the gain"),
    ],
)
def test_what_each_system_adds_is_by_the_measure_that_was_asked_for(tmp_path, measures, shown):
    qrels, runs = campaign(systems=4, queries=6)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # a system is its own only prior
        matrix = irx_measures.evaluate(qrels, runs, measures)
        irx_measures.report(matrix, tmp_path / "r.html", qrels=qrels, runs=runs)
    page = (tmp_path / "r.html").read_text(encoding="utf-8")
    part = page[page.index('<section id="adds"') :].split("</section>")[0]
    assert f"<p>{shown}" in part


def test_the_runs_that_scoring_judged_are_not_judged_again(tmp_path, monkeypatch):
    qrels, runs = campaign(systems=4, queries=6)
    runset = irx_measures.RunSet(runs)
    judged = []
    beside = JudgedRun.__init__

    def noted(self, *given, **options):
        judged.append(given)
        beside(self, *given, **options)

    monkeypatch.setattr(JudgedRun, "__init__", noted)
    result = irx_measures.compare(qrels, runset, ["nDCG@10"])
    assert len(judged) == 4
    irx_measures.report(result, tmp_path / "again.html", qrels=qrels, runs=runset)
    assert len(judged) == 4
    irx_measures.report(result, tmp_path / "new.html", qrels=qrels, runs=runs)
    assert len(judged) == 8
    assert (tmp_path / "again.html").read_bytes() == (tmp_path / "new.html").read_bytes()


def test_the_report_of_some_systems_and_topics_of_more(tmp_path):
    qrels, runs = campaign(systems=5, queries=8)
    few, topics = dict(list(runs.items())[1:4]), list(qrels)[2:7]
    of_few = {topic: qrels[topic] for topic in topics}
    result = irx_measures.compare(of_few, few, ["nDCG@10"])
    data = data_of(written(tmp_path / "few.html", of_few, few, ["nDCG@10"]))
    irx_measures.report(result, tmp_path / "r.html", qrels=qrels, runs=runs)
    page = (tmp_path / "r.html").read_text(encoding="utf-8")
    assert data_of(page) == data


def macro_scores(seeds=(1, 2, 3)):
    made = {f"c{seed}": campaign(queries=8 + seed, seed=seed) for seed in seeds}
    parts = {name: irx_measures.evaluate(*each, "nDCG@10") for name, each in made.items()}
    return irx_measures.GroupedScores.of(parts)


def test_a_report_of_macro_means_has_collections_and_no_topics(tmp_path):
    scores = macro_scores()
    result = scores.compare(macro="queries", baseline="lexical-a")
    irx_measures.report(result, tmp_path / "r.html")
    text = (tmp_path / "r.html").read_text(encoding="utf-8")
    assert "<h1>nDCG@10 of 8 systems on 3 collections</h1>" in text
    assert "8 systems, 3 collections of 30 queries" in text
    for section, there in {"collections": True, "pair": False, "adds": False}.items():
        assert (f'<section id="{section}"' in text) == there
    forest = re.search(r'<table class="forest">.*?</table>', text, re.DOTALL)[0]
    rows = [re.sub("<[^>]*>", "|", row).split("|") for row in re.findall("<tr>.*?</tr>", forest)]
    names = [next(filter(None, row)) for row in rows[1:]]
    assert names == ["c1", "c2", "c3", "these 3 collections", "other collections like these",
                     "one more collection"]  # fmt: skip
    best = next(name for name in result.board().systems if name != "lexical-a")
    alone = scores.compare(correction="none", macro="none")["c1"].difference(best, "lexical-a")
    cells = [cell for cell in rows[1] if cell]
    assert content.REPORT.difference(alone.difference) in cells
    ends = map(content.REPORT.difference, (alone.lower, alone.upper))
    assert " to ".join(ends) in cells
    assert re.search(r"c1: 9 queries, scores [0-9a-f]{16}; c2: 10 queries", text)


def test_a_report_of_macro_means_takes_nothing_of_topics(tmp_path):
    scores = macro_scores()
    with pytest.raises(irx_measures.InputError, match="`runs` must be None for macro means"):
        irx_measures.report(scores.compare(macro="groups"), tmp_path / "r.html", runs={})
    with pytest.raises(TypeError, match="a Comparison of all topics or macro means"):
        irx_measures.report(scores.compare(macro="none"), tmp_path / "r.html")
