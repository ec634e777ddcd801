"""Texts in saved pictures: they overlap at no width, and names of any kind stay text."""

from collections import Counter
from itertools import combinations
from xml.etree import ElementTree

import matplotlib.pyplot as pyplot
import pytest
from matplotlib.figure import Figure
from matplotlib.text import Text

from irx_measures import InputError, plots
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


def ticks_of(axis):
    low, high = sorted(axis.get_view_interval())
    return [
        tick.label1 if tick.label1.get_visible() else tick.label2
        for tick in axis.get_major_ticks()
        if low <= tick.get_loc() <= high
    ]


def texts_of(figure):
    """All texts that a figure of one axes shows."""
    (ax,) = figure.axes
    found = [*figure.texts, *ax.texts, ax.xaxis.label, ax.yaxis.label]
    for axes in (ax, *ax.child_axes):
        found += [*ticks_of(axes.xaxis)] if axes is ax else []
        found += ticks_of(axes.yaxis)
    for legend in figure.legends:
        found += [*legend.get_texts(), legend.get_title()]
    return [text for text in found if text.get_text().strip()]


@pytest.mark.filterwarnings("ignore:Glyph .* missing from font")
@pytest.mark.parametrize("width", [3.3, 7.0])
@pytest.mark.parametrize("scene", SCENES)
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
    boxes = {text: Text.get_window_extent(text) for text in texts_of(figure)}
    for text, box in boxes.items():
        assert -1 <= box.x0 < box.x1 <= figure.bbox.x1 + 1, text
        assert -1 <= box.y0 < box.y1 <= figure.bbox.y1 + 1, text
    for (one, first), (other, second) in combinations(boxes.items(), 2):
        assert not first.padded(-1).overlaps(second.padded(-1)), (one, other)
    keys = [legend.get_texts() for legend in figure.legends]
    for names in (ticks_of(ax.xaxis), ticks_of(ax.yaxis), ax.texts, *keys):
        alike = Counter(name.get_text() for name in names if name.get_text().startswith("mono"))
        assert len({*alike.values()}) <= 1  # in each block of rows once


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
