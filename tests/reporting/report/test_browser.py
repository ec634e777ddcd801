"""The report in a real browser: headless Chromium, driven by playwright, with the network off."""

import os
from functools import cache
from itertools import product
from pathlib import Path

import numpy as np
import pytest

import irx_measures
from irx_measures.reporting.report.content import REPORT
from irx_measures.reporting.report.script_data import TICK_STEPS
from tests.conftest import PATIENCE
from tests.doubts import NO_PRIOR
from tests.reporting.report.pages import MEASURES, campaign, hostile_campaign, written

pytestmark = [NO_PRIOR, pytest.mark.slow]

PHONE, DESK = {"width": 360, "height": 740}, {"width": 1160, "height": 900}


@pytest.fixture(scope="module")
def axe():
    """The source of axe-core."""
    root = Path(__file__).resolve().parents[3]
    folders = [os.environ.get("IRX_NODE_MODULES"), root / "node_modules"]
    for folder in filter(None, folders):
        path = Path(folder) / "axe-core" / "axe.min.js"
        if path.is_file():
            return path.read_text(encoding="utf-8")
    pytest.skip("axe-core is not installed (npm install --no-save axe-core)")


REPORTS = {
    "plain": ({}, {}),
    "against": ({}, {"baseline": "dense-a"}),
    "of 37": ({"systems": 37, "queries": 43}, {}),  # as many as TREC DL 2019 has
    "of 129": ({"systems": 129, "queries": 50}, {}),  # as many as TREC-8 has
    "excerpt": ({}, {}),  # of five of eight systems
    "hostile": (None, {"title": "<script>alert(9)</script>"}),
}


@pytest.fixture(scope="module")
def report_of(tmp_path_factory):
    """The path of a report by its name; each is written once."""
    folder = tmp_path_factory.mktemp("reports")

    @cache
    def path_of(name):
        sizes, options = REPORTS[name]
        with pytest.MonkeyPatch.context() as patch:
            if name == "excerpt":
                patch.setattr("irx_measures.comparison.shown.MOST_SHOWN", 5)
            made = hostile_campaign() if sizes is None else campaign(**sizes)
            written(folder / f"{name}.html", *made, **options)
        return folder / f"{name}.html"

    return path_of


@pytest.fixture
def visit(browser, report_of):
    """Open a report offline: one page a test, which asks for itself only, and has no trouble."""
    noted, contexts = [], []

    def opened(name, **context):
        contexts.append(browser.new_context(offline=True, **{"viewport": DESK, **context}))
        contexts[0].set_default_timeout(PATIENCE)
        page = contexts[0].new_page()
        page.on("request", lambda request: noted.append(request.url))
        page.on("console", lambda message: noted.append(message.text))
        page.on("pageerror", lambda error: noted.append(str(error)))
        page.on("dialog", lambda dialog: noted.append(dialog.message) or dialog.dismiss())
        page.goto((report_of(name) if name in REPORTS else name).as_uri())
        return page

    yield opened
    assert noted == [contexts[0].pages[0].url]
    contexts[0].close()


def column(page, board, number):
    """The cells of a column of a leaderboard."""
    return page.locator(f"table.{board} tbody tr > *:nth-child({number})").all_inner_texts()


@pytest.mark.parametrize("name", ["plain", "hostile", "excerpt"])
def test_choosing_and_pointing_runs_only_our_script(visit, name):
    page = visit(name)
    page.locator("#choose select").first.select_option(index=4)
    for details in page.locator(".topics summary").all()[:3]:
        details.click()
    page.locator("svg.matrix").first.hover(position={"x": 8, "y": 60})
    page.wait_for_timeout(100)
    assert page.locator("script").count() == 2
    assert page.locator("img, [onclick], [onload], [onerror]").count() == 0
    if name == "hostile":
        assert page.locator("h1").inner_text() == "<script>alert(9)</script>"
        assert "<script>alert(1)</script>" in page.locator(".topics .id").first.inner_text()


def test_sorting(visit):
    page = visit("plain")
    names = column(page, "m1", 2)
    head = page.locator("table.m1 thead th.name button")
    head.click()
    assert column(page, "m1", 2) == sorted(names)
    head.click()
    assert column(page, "m1", 2) == sorted(names, reverse=True)
    assert page.locator("table.m1 thead th.name").get_attribute("aria-sort") == "descending"
    page.locator("table.m1 thead th.other button").first.click()
    values = [float(text) for text in column(page, "m1", 5)]
    assert values == sorted(values, reverse=True)
    assert page.locator("table.m1 thead [aria-sort]").count() == 1
    page.locator("table.m1 thead th.rank button").click()
    assert column(page, "m1", 2) == names


def test_the_switch_shows_one_measure_even_without_scripts(visit):
    page = visit("plain", java_script_enabled=False)
    shown = [page.locator(f"table.m{number}").is_visible() for number in (1, 2, 3)]
    assert shown == [True, False, False]
    page.locator("#m2").check()
    shown = [page.locator(f"table.m{number}").is_visible() for number in (1, 2, 3)]
    assert shown == [False, True, False]
    assert page.locator("#pair tbody tr:visible").count() == 12
    assert not page.locator(".of-pair").is_visible()


@pytest.mark.parametrize(("name", "measure"), [("plain", 0), ("against", 1), ("excerpt", 0)])
def test_the_script_writes_the_numbers_of_the_result(visit, name, measure):
    result = irx_measures.compare(
        *campaign(), MEASURES, baseline="dense-a" if name == "against" else None
    )
    board = result.boards[measure]
    one, other = board.default_pair
    found = result.difference(one, other, board.measure)
    page = visit(name)
    page.locator(f"#m{measure + 1}").check()
    sentence = page.locator(".of-pair .sentence").inner_text()
    assert sentence == f"{one} minus {other}: {found.sentence(board.head, REPORT)}"
    rows = page.locator(".topics summary").all_inner_texts()
    topics = [result.matrix.query_ids[place] for place in found.order.tolist()]
    assert [row.split()[0] for row in rows] == topics
    shown = [row.split()[-1] for row in rows]
    assert shown == [REPORT.difference(value) for value in found.by_topic[found.order]]
    low, high = min(found.by_topic.min(), 0), max(found.by_topic.max(), 0)
    widths = page.locator(".topics .diff rect").evaluate_all(
        "all => all.map(e => (e.classList.contains('a') ? 1 : -1) * "
        "parseFloat(e.getAttribute('width')))"
    )
    expected = 100 * found.by_topic[found.order] / (high - low)
    np.testing.assert_allclose(widths, expected, atol=0.06)
    ticks = page.locator(".ticks text").all_text_contents()
    values = np.array([float(tick.replace("−", "-")) for tick in ticks])
    assert np.isclose(np.diff(values)[:, np.newaxis], TICK_STEPS).any(axis=1).all()
    assert 3 <= len(values) <= 6
    assert low <= values.min() <= 0 <= values.max() <= high
    assert page.locator(".topics .both").count() == 0
    page.locator(".topics summary").first.click()
    page.locator(".topics .both").wait_for()
    assert page.locator(".topics .both li").count() == 20


def test_many_topics_are_folded_and_texts_are_quoted(visit, tmp_path):
    qrels, runs = campaign(systems=4, queries=120)
    texts = {document: f"<b>{document}</b>" for row in qrels.values() for document in row}
    written(tmp_path / "many.html", qrels, runs, ["nDCG@10"], baseline="lexical-a", texts=texts)
    page = visit(tmp_path / "many.html")
    folded = page.locator(".topics .rest > summary").inner_text()
    assert 40 <= int(folded.split()[0]) <= 80
    page.locator(".topics summary").first.click()
    quoted = page.locator(".topics .both .doc").first.inner_text()
    assert quoted.startswith("<b>")


def test_the_pair_follows_the_measure(visit):
    page = visit("plain")
    page.locator("#m2").check()
    assert " in AP (simultaneous 95% interval" in page.locator(".of-pair .sentence").inner_text()
    one, other = page.locator("#choose select").all()
    one.select_option(other.input_value())
    assert "choose two different systems" in page.locator(".of-pair .sentence").inner_text()


def test_with_a_baseline_other_pairs_are_not_tested(visit):
    page = visit("against")
    assert page.locator("#ties, .rank").count() == 0
    sentence = page.locator(".of-pair .sentence")
    assert "after correction over 7 comparisons" in sentence.inner_text()
    page.locator("#choose select").nth(1).select_option(index=3)
    assert "not tested, because neither is a baseline" in sentence.inner_text()
    assert "interval" not in sentence.inner_text()


def test_the_pointer_names_a_pair(visit):
    page = visit("plain")
    names = column(page, "m1", 2)
    page.locator("svg.matrix").first.hover(position={"x": 8, "y": 6 + 16 * 7 + 8})
    found = page.locator(".readout").first.text_content()
    assert found.startswith(f"{names[0]} − {names[7]}: ")
    page.locator("h1").hover()
    assert page.locator(".readout").first.text_content() == ""


def test_the_keyboard_reaches_everything(visit):
    page = visit("plain")
    reached = []
    for _ in range(120):
        page.keyboard.press("Tab")
        reached.append(
            page.evaluate(
                "(e => e === document.body ? '' : e.closest('section')?.id + ' ' + "
                "e.tagName + ' ' + (e.innerText || e.getAttribute('aria-label') || ''))"
                "(document.activeElement)"
            )
        )
        if "cite PRE" in reached[-1]:
            break
    kinds = " ".join(reached)
    for expected in (
        "undefined A Leaderboard", "undefined INPUT", "leaderboard BUTTON Rank",
        "ties DIV", "pair SELECT", "pair SUMMARY", "measures DIV", "adds DIV",
        "unjudged DIV", "cite BUTTON Copy", "cite PRE",
    ):  # fmt: skip
        assert expected in kinds
    page.locator("table.m1 th.name button").focus()
    page.keyboard.press("Enter")
    assert page.locator("table.m1 thead th.name").get_attribute("aria-sort") == "ascending"
    page.locator(".topics summary").first.focus()
    page.keyboard.press("Enter")
    page.locator(".topics .both").first.wait_for()


def in_gate(*cases, more):
    """Parameters of the gate, and those of the schedule."""
    return [*cases, *(pytest.param(*case, marks=pytest.mark.whole) for case in more)]


LIGHT, DARK_PHONE = {}, {"viewport": PHONE, "color_scheme": "dark"}
SCHEDULED = [("of 37", LIGHT), ("of 37", DARK_PHONE), ("of 129", LIGHT), ("of 129", DARK_PHONE)]


@pytest.mark.parametrize(
    ("name", "context"), in_gate(("plain", LIGHT), ("hostile", DARK_PHONE), more=SCHEDULED)
)
def test_axe_finds_nothing(visit, axe, name, context):
    page = visit(name, **context)
    page.locator(".topics summary").first.click()
    page.evaluate(axe)
    found = page.evaluate("axe.run().then(result => result.violations)")
    said = [
        (violation["id"], violation["impact"], violation["nodes"][0]["html"][:200])
        for violation in found
    ]
    assert said == []


FAR_OUT = """() => {
  const inside = (box, frame) => box.left >= frame.left - 1 && box.right <= frame.right + 1;
  const heads = [...document.querySelectorAll("table")].flatMap(table => {
    const boxes = [...table.querySelectorAll("thead th")].map(head => {
      const range = document.createRange();
      range.selectNodeContents(head);
      return range.getBoundingClientRect();
    }).filter(box => box.width > 0);
    return boxes.slice(1).filter((box, place) =>
      box.left < boxes[place].right - 1 && box.top < boxes[place].bottom - 1 &&
      boxes[place].top < box.bottom - 1).map(() => table.className);
  });
  const charts = "svg.heat text, svg.matrix text, svg.scatter text";
  const frame = text => text.ownerSVGElement.getBoundingClientRect();
  const names = [...document.querySelectorAll(charts)]
    .filter(text => text.getBoundingClientRect().width > 0)
    .filter(text => !inside(text.getBoundingClientRect(), frame(text)))
    .map(text => text.textContent);
  return [...heads, ...names];
}"""


WIDTHS = product(["plain", "of 129"], [360, 800, 1280])


@pytest.mark.parametrize(
    ("name", "width"), in_gate(("hostile", 360), ("of 37", 800), ("plain", 1280), more=WIDTHS)
)
def test_heads_and_names_have_room(visit, name, width):
    """In the font that this machine has: names stay in their charts, heads beside each other."""
    viewport = {"width": width, "height": 800}
    page = visit(name, viewport=viewport)
    assert page.evaluate("document.documentElement.scrollWidth") == width
    assert page.evaluate(FAR_OUT) == []


@pytest.mark.parametrize(("viewport", "is_wide"), [(PHONE, True), (DESK, False)])
def test_a_chart_that_is_wider_than_the_screen_says_so_and_opens_at_its_axis(
    visit, viewport, is_wide
):
    page = visit("plain", viewport=viewport)
    frame = page.locator("#measures .scroll").first
    found = frame.evaluate(
        "e => [e.scrollWidth > e.clientWidth + 32, e.scrollLeft, e.tabIndex, "
        "e.querySelector('.up').getBoundingClientRect().left - e.getBoundingClientRect().left]"
    )
    assert found == [is_wide, 0, 0, 0]
    note = page.locator("#measures").get_by_text("Wider than the screen: scroll to the right.")
    assert note.first.is_visible() == is_wide


def test_heads_have_room_on_paper(visit):
    paper = {"width": 688, "height": 1017}  # A4 without its margins
    page = visit("of 37", viewport=paper)
    page.emulate_media(media="print")
    assert page.evaluate(FAR_OUT) == []


def test_printing(visit, tmp_path):
    page = visit("plain")
    page.pdf(path=tmp_path / "plain.pdf", prefer_css_page_size=True)
    assert (tmp_path / "plain.pdf").read_bytes().startswith(b"%PDF")
    page.emulate_media(media="print")
    for screen in ("#choose", "fieldset", ".screen"):
        assert not page.locator(screen).first.is_visible()
    assert page.locator("table.m1 td.p").first.is_visible()
