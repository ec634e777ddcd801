"""The report's pictures and documents are the numbers of the result, of meta and of plain loops."""

import html
import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import irx_measures
from irx_measures import meta
from irx_measures.io.trec import read_qrels
from irx_measures.meta.two_measures import two_measures
from irx_measures.plots.shades import UNJUDGED_STARTS, score_starts
from irx_measures.reporting.report.cells import classes_of
from irx_measures.reporting.report.content import REPORT
from irx_measures.reporting.report.documents import NOTHING, documents_of
from irx_measures.reporting.report.svg import Axis
from tests.comparison.results import matrix_of
from tests.doubts import NO_PRIOR
from tests.oracles.ranking import ranking
from tests.reporting.report.pages import MEASURES, campaign, written

pytestmark = NO_PRIOR

BASELINE = "dense-a"


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    qrels, runs = campaign(systems=9)
    runs["low"] = {query: dict(list(run.items())[30:]) for query, run in runs["lexical-b"].items()}
    path = tmp_path_factory.mktemp("drawn") / "report.html"
    page = written(path, qrels, runs, baseline=BASELINE)
    return qrels, runs, irx_measures.compare(qrels, runs, MEASURES), page


def section(page, name):
    return page[page.index(f'<section id="{name}"') :].split("</section>")[0]


def text_of(part):
    return html.unescape(" ".join(re.sub("<[^>]*>", "", part).split()))


def classes_drawn(part, kind, cell, height, shape):
    """The class of each cell of a heat map; -1 where there is none."""
    classes = np.full(shape, -1)
    for number, path in re.findall(rf'<path class="{kind}(\d)" d="([^"]*)"', part):
        for x, y, length in re.findall(r"M(\d+) ([\d.]+)h(\d+)", path):
            start, row = int(x) // cell, int(float(y)) // height
            classes[row, start : start + (int(length) + 1) // cell] = int(number)
    return classes


@pytest.mark.parametrize(
    ("level", "legend"),
    [
        (0.9, {"s0": "above .1", "s1": "at most .1", "s2": "at most .01", "s3": "at most .001"}),
        (0.95, {"s0": "above .05", "s1": "at most .05", "s2": "at most .01", "s3": "at most .001"}),
        (0.99, {"s0": "above .01", "s2": "at most .01", "s3": "at most .001"}),
        (0.999, {"s0": "above .001", "s3": "at most .001"}),
    ],
)
def test_a_colour_stands_for_the_same_p_at_every_level(tmp_path, level, legend):
    rng = np.random.default_rng(1)
    scores = np.linspace(0, 0.8, 7)[:, np.newaxis] + rng.normal(0, 0.3, (1, 7, 15))
    result = matrix_of(scores).compare(level=level)
    irx_measures.report(result, tmp_path / "r.html")
    part = section((tmp_path / "r.html").read_text(encoding="utf-8"), "ties")
    p = result.boards[0].p_adjusted
    alpha = round(1 - level, 4)
    expected = np.select([p > alpha, p <= 0.001, p <= 0.01], [0, 3, 2], 1)
    expected[np.triu_indices(7)] = -1
    if level < 0.99:
        assert set(np.unique(expected)) == {-1, 0, 1, 2, 3}
    np.testing.assert_array_equal(classes_drawn(part, "s", 16, 16, (7, 7)), expected)
    keys = re.findall(r'class="(s\d)"[^>]*/></svg> ([^<,]*)', part)
    assert keys == list(legend.items())


def test_what_each_adds(made):
    qrels, runs, _, page = made
    found, part = meta.residual_gain_matrix(qrels, runs), section(page, "adds")
    starts = score_starts(found.given)
    ordered = classes_of(found.given[np.ix_(found.order, found.order)], starts)
    assert len(np.unique(ordered)) > 4
    np.testing.assert_array_equal(classes_drawn(part, "n", 16, 16, ordered.shape), ordered)
    assert text_of(part.split("</p>")[0]).endswith(found.sentence(REPORT))
    keys = re.findall(r"</svg> ([^<]*)</span>", part)
    assert keys[0] == f"under {REPORT.number(starts[0], 2)}"


def test_a_class_begins_at_its_limit():
    values = np.array([0.0, 0.0999, 0.1, 0.3, 0.7, 1.0, np.nan])
    assert classes_of(values, UNJUDGED_STARTS).tolist() == [0, 0, 1, 2, 4, 4, -1]


def test_unjudged_documents(made):
    qrels, runs, result, page = made
    found, part = meta.unjudged_by_rank(qrels, runs), section(page, "unjudged")
    order = [found.systems.index(name) for name in result.board(MEASURES[0]).systems]
    classes = classes_of(found.shares, UNJUDGED_STARTS)
    drawn = classes_drawn(part, "h", 20, 16, classes.shape)
    np.testing.assert_array_equal(drawn, classes[order])
    assert len(np.unique(drawn)) > 3
    assert found.sentence(10) in text_of(part)


def test_two_measures(made):
    _, _, result, page = made
    part, matrix = section(page, "measures"), result.matrix
    charts = part.split('<div class="beside chart">')[1:]
    assert len(charts) == 2
    for measure, label, chart in zip(matrix.measures[1:], ("AP", "NRG@10"), charts, strict=True):
        means = matrix.select([matrix.measures[0], measure]).aggregates
        found = two_measures(matrix.systems, ("nDCG@10", label), means)
        assert found.sentence(REPORT) in text_of(chart)
        dots = re.findall(
            r'<circle class="(\w+)" cx="(.*?)" cy="(.*?)" r="4" data-name="(.*?)"', chart
        )
        assert [name for *_, name in dots] == list(found.systems)
        filled = [kind == "best" for kind, *_ in dots]
        assert filled == found.front.tolist()
        for axis, (sign, places) in enumerate(((1, 1), (-1, 2))):
            drawn = np.array([float(dot[places]) for dot in dots])
            fitted = np.polyfit(found.means[axis], drawn, 1)
            assert sign * fitted[0] > 0
            expected = np.polyval(fitted, found.means[axis])
            np.testing.assert_allclose(drawn, expected, atol=0.2)


@given(st.floats(-10, 10), st.floats(1e-6, 20))
def test_axes_have_one_to_six_round_ticks_in_order(low, length):
    axis = Axis(low, low + length)
    assert 2 <= len(axis.ticks) <= 7
    assert axis.ticks == sorted(axis.ticks)
    assert all(axis.low <= tick <= axis.high for tick in axis.ticks)


# Documents

DEPTH = 5


@pytest.fixture(scope="module")
def documents():
    qrels, runs = campaign()
    first = next(iter(qrels))
    runs["lexical-a"][first] = {"tied1": 9.0, "tied2": 9.0, "only": 8.0}  # short, tied, unjudged
    matrix = irx_measures.evaluate(qrels, runs, "nDCG@10")
    runset = irx_measures.RunSet(runs, "others")
    return qrels, runs, documents_of(matrix, matrix.systems, read_qrels(qrels), runset, DEPTH)


def test_rankings_and_grades(documents):
    qrels, runs, found = documents
    for system, run in enumerate(runs.values()):
        for topic, query in enumerate(qrels):
            expected = ranking(run[query])[:DEPTH]
            places = found.top[system, topic].tolist()
            pool = list(found.pools[topic].items())
            assert [pool[place] for place in places if place != NOTHING] == [
                (name, qrels[query].get(name)) for name in expected
            ]


def test_the_counts_are_those_of_meta_for_the_topics_of_the_scores(documents):
    qrels, runs, found = documents
    fewer = dict(list(qrels.items())[:4])
    matrix = irx_measures.evaluate(fewer, runs, "nDCG@10")
    runset = irx_measures.RunSet(runs, "others")
    some = documents_of(matrix, matrix.systems, read_qrels(qrels), runset, DEPTH)
    expected = irx_measures.meta.unjudged_by_rank(fewer, runs)
    assert some.unjudged == expected
    assert found.unjudged == irx_measures.meta.unjudged_by_rank(qrels, runs)
    every = irx_measures.meta.residual_gain_matrix(qrels, runs, f"NRG(prior=others)@{DEPTH}")
    assert found.adds.systems == every.systems
    np.testing.assert_allclose(found.adds.given, every.given, rtol=1e-12)
    np.testing.assert_allclose(found.adds.given_all, every.given_all, rtol=1e-12)


def test_rankings_are_those_of_the_shown_systems_and_counts_those_of_all(documents):
    qrels, runs, found = documents
    matrix = irx_measures.evaluate(qrels, runs, "nDCG@10")
    shown, runset = matrix.systems[2:4], irx_measures.RunSet(runs, "others")
    some = documents_of(matrix, shown, read_qrels(qrels), runset, DEPTH)
    for topic, (pool, own) in enumerate(
        zip(map(list, found.pools), map(list, some.pools), strict=True)
    ):
        every = [[pool[place] for place in row] for row in found.top[2:4, topic].tolist()]
        assert [[own[place] for place in row] for row in some.top[:, topic]] == every
        assert set(own) == set().union(*every)
    assert (some.unjudged, some.adds, some.digests) == (found.unjudged, found.adds, found.digests)


def test_a_system_without_a_run_is_named(documents, tmp_path):
    qrels, runs, _ = documents
    result = irx_measures.compare(qrels, runs, "nDCG@10")
    fewer = {name: run for name, run in runs.items() if name != "lexical-a"}
    with pytest.raises(irx_measures.InputError, match=r"missing \['lexical-a'\]"):
        irx_measures.report(result, tmp_path / "r.html", qrels=qrels, runs=fewer)
    first, *_ = qrels
    fewer = {query: row for query, row in qrels.items() if query != first}
    with pytest.raises(irx_measures.InputError, match=rf"every topic .* missing \['{first}'\]"):
        irx_measures.report(result, tmp_path / "r.html", qrels=fewer, runs=runs)
