"""Colours that can be read on white, in grey too; the report has the same."""

import re
from itertools import pairwise
from pathlib import Path

import matplotlib
import pytest
from matplotlib import style as matplotlib_style
from matplotlib.colors import to_rgb

import irx_measures
from irx_measures.plots import style


def luminance(colour):
    """WCAG's relative luminance, in [0, 1]."""
    linear = (
        value / 12.92 if value <= 0.04045 else ((value + 0.055) / 1.055) ** 2.4
        for value in to_rgb(colour)
    )  # fmt: skip
    return sum(weight * part for weight, part in zip((0.2126, 0.7152, 0.0722), linear, strict=True))


def contrast(one, other):
    low, high = sorted(map(luminance, (one, other)))
    return (high + 0.05) / (low + 0.05)


def test_curves_are_seen_and_text_is_read_on_white():
    with matplotlib_style.context(style.STYLE):
        cycle = matplotlib.rcParams["axes.prop_cycle"].by_key()["color"]
    assert min(contrast(colour, "#ffffff") for colour in cycle) >= 2.9
    assert min(contrast(text, "#ffffff") for text in (style.MUTED, style.INK)) >= 5


@pytest.mark.parametrize(
    "ramp",
    [(style.NOT_SIGNIFICANT, *style.P_RAMP), style.AMOUNT_RAMP, style.UNJUDGED_RAMP],
)
def test_scales_get_darker_in_visible_steps_from_the_white_of_no_data(ramp):
    assert min(contrast(*pair) for pair in pairwise(["#ffffff", *ramp])) >= 1.13
    light = list(map(luminance, ramp))
    assert light == sorted(light, reverse=True)


def test_the_report_has_the_same_colours():
    css = Path(irx_measures.__file__).parent / "reporting" / "report" / "style.css"
    light = css.read_text(encoding="utf-8").partition("@media")[0]
    of_report = dict(re.findall(r"--([a-z]\d?):(#[0-9a-f]{6})", light))
    for letter, ramp in {
        "s": (style.NOT_SIGNIFICANT, *style.P_RAMP),
        "n": style.AMOUNT_RAMP,
        "h": style.UNJUDGED_RAMP,
    }.items():
        assert [of_report[f"{letter}{place}"] for place in range(len(ramp))] == list(ramp)
    assert (of_report["a"], of_report["b"]) == (style.ABOVE, style.BELOW)
