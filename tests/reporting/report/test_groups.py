"""The report's section of groups of queries."""

import re

import pytest

import irx_measures
from tests.doubts import NO_PRIOR
from tests.reporting.report.pages import HOSTILE, campaign, written

pytestmark = NO_PRIOR

MEASURES = ["nDCG@10", "AP"]


@pytest.fixture(scope="module")
def runs_and_qrels():
    return campaign(systems=6, queries=20)


@pytest.fixture(scope="module")
def groups(runs_and_qrels):
    _, qrels = runs_and_qrels
    return {query: "short" if number < 8 else "long" for number, query in enumerate(qrels)}


def section(page):
    return re.search(r'<section id="groups".*?</section>', page, re.DOTALL)[0]


def cells(html):
    """The texts of the cells of each row, by the row's system."""
    rows = re.findall(r"<tr><th scope=\"row\">(.*?)</tr>", html, re.DOTALL)
    found = []
    for row in rows:
        name = re.search(r'title="(.*?)"', row)[1]
        values = re.findall(r"<td.*?>(.*?)</td>", row)
        found.append(
            (name, [re.sub(r"<[^>]*>", " ", value).split(";")[0].split() for value in values])
        )
    return found


@pytest.mark.parametrize("baseline", [None, "lexical-b"])
def test_every_measure_has_the_means_and_the_differences_of_each_group(
    runs_and_qrels, groups, baseline, tmp_path
):
    page = written(
        tmp_path / "report.html", *runs_and_qrels, MEASURES, baseline=baseline, by=groups
    )
    scores = irx_measures.evaluate(*runs_and_qrels, MEASURES).by(groups)
    result = scores.compare(baseline=baseline)
    means, frame = scores.means(), result.to_frame()
    rows = cells(section(page))
    assert len(rows) == 2 * 6
    for number, measure in enumerate(MEASURES):
        own = dict(rows[6 * number : 6 * number + 6])
        assert list(own) == result.ordered_systems(measure)
        for name, shown in own.items():
            expected = []
            for group in ("short", "long"):
                expected.append(number_text(means.loc[name, (measure, group)]))
                if baseline == name:
                    expected.append("baseline")
                elif baseline:
                    chosen = (frame.group == group) & (frame.measure == measure)
                    (row,) = frame[chosen & (frame.system == name)].itertuples()
                    sign = "+" if row.difference > 0 else "−"
                    text = f"{sign}{number_text(abs(row.difference))}"
                    expected.append(text if row.p_adjusted <= 0.05 else f"({text})")
            assert [" ".join(cell) for cell in shown] == expected
    text = " ".join(section(page).split())
    assert "of all groups per measure" in text
    (found,) = (text for text in result.findings if text.startswith("AP, short: "))
    assert f"short: {found.removeprefix('AP, short: ')}." in text


def number_text(value):
    return f"{value:.3f}".removeprefix("0")


def test_small_groups_are_named(runs_and_qrels, groups, tmp_path):
    one = next(iter(groups))
    with pytest.warns(match="are not compared: 'alone'"):
        page = written(
            tmp_path / "report.html", *runs_and_qrels, MEASURES, by={**groups, one: "alone"}
        )
    assert "Too few topics for a test: alone (1 topic)." in section(page)


def test_names_of_groups_are_escaped(runs_and_qrels, groups, tmp_path):
    named = {"short": HOSTILE[0], "long": HOSTILE[5]}
    page = written(
        tmp_path / "report.html",
        *runs_and_qrels,
        MEASURES,
        by={query: named[group] for query, group in groups.items()},
    )
    assert HOSTILE[0] not in page
    assert len(section(page)) < 60_000


def test_without_groups_there_is_no_section(runs_and_qrels, tmp_path):
    assert "#groups" not in written(tmp_path / "report.html", *runs_and_qrels, MEASURES)
