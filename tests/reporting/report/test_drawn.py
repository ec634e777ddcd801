"""The pictures of the report are the numbers of the result; tests/plots has those of plots."""

import html
import re

import numpy as np
import pytest

import irx_measures
from irx_measures import meta
from irx_measures.comparison.two_measures import two_measures
from irx_measures.meta.unjudged import LIMITS
from irx_measures.reporting.report.cells import classes_of
from irx_measures.reporting.report.content import REPORT
from tests.doubts import NO_PRIOR
from tests.reporting.report.pages import MEASURES, campaign, written

pytestmark = NO_PRIOR

BASELINE = "dense-a"


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    runs, qrels = campaign(systems=9)
    runs["low"] = {query: dict(list(run.items())[30:]) for query, run in runs["lexical-b"].items()}
    path = tmp_path_factory.mktemp("drawn") / "report.html"
    page = written(path, runs, qrels, baseline=BASELINE)
    return runs, qrels, irx_measures.compare(runs, qrels, MEASURES), page


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


def test_what_each_adds(made):
    runs, qrels, _, page = made
    found, part = meta.residual_gain_matrix(runs, qrels), section(page, "adds")
    ordered = classes_of(found.given[np.ix_(found.order, found.order)], found.limits)
    assert len(np.unique(ordered)) > 4
    np.testing.assert_array_equal(classes_drawn(part, "n", 16, 16, ordered.shape), ordered)
    assert text_of(part.split("</p>")[0]).endswith(found.sentence(REPORT))
    keys = re.findall(r"</svg> ([^<]*)</span>", part)
    assert keys[0] == f"under {REPORT.number(found.limits[0], 2)}"


def test_unjudged_documents(made):
    runs, qrels, result, page = made
    found, part = meta.unjudged_by_rank(runs, qrels), section(page, "unjudged")
    order = [found.systems.index(name) for name in result.board(MEASURES[0]).systems]
    classes = classes_of(found.shares, LIMITS)
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
