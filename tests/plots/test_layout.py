"""Texts in saved pictures: they overlap at no width, and names of any kind stay text."""

from collections import Counter
from itertools import combinations
from xml.etree import ElementTree

import matplotlib.pyplot as pyplot
import pytest
from fontTools.ttLib import TTFont
from matplotlib import rc_context
from matplotlib.figure import Figure
from matplotlib.font_manager import findfont, fontManager
from matplotlib.text import Text

from irx_measures import InputError, plots
from irx_measures.plots.style import SAVED, package_style, points_of
from tests.examples import in_turn
from tests.plots.scenes import SCENES, matrix_of, systems

pytestmark = pytest.mark.slow

NAMES = [
    "\x00\x1b[31m\n\ud800",
    "<script>alert(1)</script>",
    '"><img src=x onerror=alert(1)>',
    "]]>&amp;",
    "\u202egnirts\u202c",
    "x" * 10_000,
    "$\\frac{$",
    "_hidden",
    *(f"monoT5-3b-msmarco-10k-passage-reranker-seed-{number}" for number in range(29)),
]


# Of the product of scenes, widths, numbers of systems and names: all is drawn by `--whole`.
COUNTS = [3, 9, 12, 37, 129]

KINDS = {
    "long": "BM25 >> monoT5-3b (msmarco, 10k) passage reranker, seed {}".format,
    "capitals": "UWATERLOO-MAMMOTH-MMR-WORKSHOP-RUN-{}".format,
    "one word": "crossencoderrerankerwithexpandeddocuments{}".format,
}


def ticks_of(axis):
    low, high = sorted(axis.get_view_interval())
    return [
        tick.label1 if tick.label1.get_visible() else tick.label2
        for tick in (*axis.get_major_ticks(), *axis.get_minor_ticks())
        if low <= tick.get_loc() <= high
    ]


def written(texts):
    return [text for text in texts if text.get_text().strip()]


def texts_around(figure):
    """All texts that a figure of one axes shows outside these."""
    (ax,) = figure.axes
    found = [*figure.texts]
    for axis in (ax.xaxis, ax.yaxis, *(beside.yaxis for beside in ax.child_axes)):
        found += [axis.label, axis.get_offset_text(), *ticks_of(axis)]
    for legend in figure.legends:
        found += [*legend.get_texts(), legend.get_title()]
    return written(found)


def faults_of(figure):
    """What is wrong with the layout of a figure of one axes: a sentence for each fault."""
    (ax,) = figure.axes
    with rc_context(SAVED):  # as `plots.save` draws it
        figure.draw_without_rendering()
        around, frame = texts_around(figure), ax.get_window_extent()
        boxes = {text: Text.get_window_extent(text) for text in (*around, *written(ax.texts))}
    said = {text: repr(text.get_text()) for text in boxes}
    for text, box in boxes.items():
        inside = box.x0 >= -1 and box.x1 <= figure.bbox.x1 + 1
        if not (inside and box.y0 >= -1 and box.y1 <= figure.bbox.y1 + 1):
            yield f"{said[text]} leaves the figure"
    for (one, first), (other, second) in combinations(boxes.items(), 2):
        if first.padded(-1).overlaps(second.padded(-1)):
            yield f"{said[one]} overlaps {said[other]}"
    for text in around:
        if boxes[text].padded(-1).overlaps(frame.padded(-1)):
            yield f"{said[text]} lies on the axes"
    if frame.width < 0.35 * figure.bbox.width or frame.height < 0.6 * figure.dpi:
        yield f"the axes have {frame.width / figure.dpi:.2f} x {frame.height / figure.dpi:.2f} in"


@pytest.mark.filterwarnings("ignore:Glyph .* missing from font")
@pytest.mark.parametrize(("scene", "width"), in_turn(SCENES, (3.3, 7.0)))
def test_texts_of_a_saved_picture_do_not_overlap_and_are_inside(scene, width, tmp_path):
    ax = SCENES[scene](matrix_of(NAMES), width=width)
    plots.save(ax, tmp_path / "it.svg")
    root = ElementTree.fromstring((tmp_path / "it.svg").read_bytes())
    kinds = {element.tag.rpartition("}")[2] for element in root.iter()}
    assert not kinds & {"script", "img", "foreignObject", "a"}
    plots.save(ax, tmp_path / "it.png")
    figure = ax.figure
    assert figure.get_figwidth() == width
    assert (figure.get_suptitle() == "") == (width < 5)
    assert ax.irx_caption.isprintable()
    assert [*faults_of(figure)] == []
    keys = [legend.get_texts() for legend in figure.legends]
    for names in (ticks_of(ax.xaxis), ticks_of(ax.yaxis), ax.texts, *keys):
        alike = Counter(name.get_text() for name in names if name.get_text().startswith("mono"))
        assert len({*alike.values()}) <= 1  # in each block of rows once


@pytest.mark.whole
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("count", COUNTS)
@pytest.mark.parametrize("width", [3.3, 7.0])
@pytest.mark.parametrize("scene", SCENES)
def test_pictures_have_room_for_any_number_of_systems_and_names(scene, width, count, kind):
    names = map(KINDS[kind], range(count))
    ax = SCENES[scene](matrix_of([*names], name_of=KINDS[kind]), width=width)
    assert [*faults_of(ax.figure)] == []


@pytest.mark.parametrize("text", [*(name_of(7) for name_of in KINDS.values()), "AVAWA, Ty. fi"])
def test_a_text_is_as_wide_as_it_is_drawn_or_a_little_wider_where_letters_move_together(text):
    with package_style() as new_figure:
        box = new_figure(dpi=150).text(0, 0, text, fontsize=7).get_window_extent()
        drawn = box.width * 72 / 150
        assert drawn - 0.5 <= points_of(text, 7) <= 1.1 * drawn


def test_a_layout_is_the_same_with_other_fonts(tmp_path, monkeypatch):
    """With a wide Arial, which the user's settings name: file by file the same bytes."""
    for ending in ("svg", "png"):
        plots.save(SCENES["unjudged"](matrix_of(NAMES[8:20])), tmp_path / f"before.{ending}")
    wide = TTFont(findfont("DejaVu Sans Mono"))
    for kind in (1, 16):  # of names: the family's
        wide["name"].setName("Arial", kind, 3, 1, 0x409)
        wide["name"].setName("Arial", kind, 1, 0, 0)
    wide.save(tmp_path / "wide.ttf")
    monkeypatch.setattr(fontManager, "ttflist", [*fontManager.ttflist])
    fontManager.addfont(tmp_path / "wide.ttf")
    assert findfont("Arial") == str(tmp_path / "wide.ttf")
    for ending in ("svg", "png"):
        with rc_context({"font.family": "Arial", "text.hinting": "force_autohint"}):
            ax = SCENES["unjudged"](matrix_of(NAMES[8:20]))
            plots.save(ax, tmp_path / f"after.{ending}")
        before, after = (tmp_path / f"{when}.{ending}" for when in ("before", "after"))
        assert before.read_bytes() == after.read_bytes()


@pytest.mark.parametrize("scene", SCENES)
def test_given_axes_are_drawn_on_and_keep_their_style(scene):
    figure, (given, other) = pyplot.subplots(1, 2, figsize=(9, 6))
    size = given.xaxis.label.get_fontsize()
    ax = SCENES[scene](matrix_of(systems(6)), ax=given)
    assert ax is given
    assert given.xaxis.label.get_fontsize() == size
    assert not figure.get_suptitle()
    assert not figure.legends
    assert not given.spines["top"].get_visible()
    pyplot.close(figure)
    with pytest.raises(InputError, match="`width` must be None if `ax` is given"):
        SCENES[scene](matrix_of(systems(6)), ax=other, width=3.3)


def test_axes_of_a_subfigure_are_alone_in_it():
    figure = Figure(figsize=(12, 4), layout="constrained")
    for part in figure.subfigures(1, 2):
        ax = SCENES["asl"](matrix_of(systems(6)), ax=part.subplots())
        assert ax.get_legend() is None
        assert len(part.legends) == 1
        assert part.get_suptitle()


@pytest.mark.parametrize(
    ("ending", "start"), [("png", b"\x89PNG"), ("pdf", b"%PDF"), ("svg", b"<?xml")]
)
def test_a_plot_gives_the_same_file_twice_and_a_failed_write_leaves_none(tmp_path, ending, start):
    first, second = tmp_path / f"1.{ending}", tmp_path / f"2.{ending}"
    for path in (first, second):
        plots.save(SCENES["scatter"](matrix_of(systems(3))), path)
    assert first.read_bytes().startswith(start)
    assert first.read_bytes() == second.read_bytes()
    with pytest.raises(ValueError, match="xyz"):
        plots.save(SCENES["scatter"](matrix_of(systems(3))), tmp_path / "picture.xyz")
    assert sorted(tmp_path.iterdir()) == [first, second]
