"""Colours that colour-blind readers distinguish; the report has the same."""

import re
from itertools import combinations, pairwise
from pathlib import Path

import matplotlib
import numpy as np
import pytest
from matplotlib import style as matplotlib_style
from matplotlib.colors import to_rgb

import irx_measures
from irx_measures.plots import style

# The matrices of Machado, Oliveira and Fernandes (2009) for severity 1, on linear RGB.
READERS = {
    "no deficiency": np.eye(3),
    "deuteranopia": np.array(
        [
            [0.367322, 0.860646, -0.227968],
            [0.280085, 0.672501, 0.047413],
            [-0.011820, 0.042940, 0.968881],
        ]
    ),
    "protanopia": np.array(
        [
            [0.152286, 1.052583, -0.204868],
            [0.114503, 0.786281, 0.099216],
            [-0.003882, -0.048116, 1.051998],
        ]
    ),
}

TO_XYZ = np.array(
    [
        [0.4124564, 0.3575761, 0.1804375],
        [0.2126729, 0.7151522, 0.0721750],
        [0.0193339, 0.1191920, 0.9503041],
    ]
)

WHITE = np.array([0.95047, 1.0, 1.08883])  # D65

# CIELAB distances (1976); one of 2.3 is just noticeable.
LOOKS, STEPS = 25.0, 6.0  # curves far from each other; neighbouring steps of a scale, side by side


def lab(colour, reader):
    """The colour as a reader sees it, in CIELAB."""
    value = np.array(to_rgb(colour))
    linear = np.where(value <= 0.04045, value / 12.92, ((value + 0.055) / 1.055) ** 2.4)
    part = TO_XYZ @ np.clip(READERS[reader] @ linear, 0, 1) / WHITE
    x, y, z = np.where(part > 216 / 24389, np.cbrt(part), (24389 / 27 * part + 16) / 116)
    return np.array([116 * y - 16, 500 * (x - y), 200 * (y - z)])


def distance(one, other, reader):
    return float(np.linalg.norm(lab(one, reader) - lab(other, reader)))


def cycle():
    with matplotlib_style.context(style.STYLE):
        return matplotlib.rcParams["axes.prop_cycle"].by_key()["color"]


def test_the_distances_are_those_of_known_colours():
    assert lab("#ff0000", "no deficiency") == pytest.approx([53.24, 80.09, 67.20], abs=0.05)
    assert distance("#c2410c", "#3d8f6d", "no deficiency") > 60
    assert distance("#b58900", "#c2410c", "deuteranopia") < LOOKS < 30


@pytest.mark.parametrize("reader", READERS)
@pytest.mark.parametrize(
    "colours",
    [cycle(), [style.ABOVE, style.BELOW]],
)
def test_curves_and_signs_are_distinguished(reader, colours):
    assert min(distance(*pair, reader) for pair in combinations(colours, 2)) >= LOOKS


@pytest.mark.parametrize("reader", READERS)
@pytest.mark.parametrize(
    "ramp",
    [
        ("#ffffff", style.NOT_SIGNIFICANT, *style.P_RAMP),
        ("#ffffff", *style.AMOUNT_RAMP),
        ("#ffffff", *style.UNJUDGED_RAMP),
    ],
)
def test_scales_get_darker_in_visible_steps_from_the_white_of_no_data(reader, ramp):
    assert min(distance(*pair, reader) for pair in pairwise(ramp)) >= STEPS
    light = [lab(colour, reader)[0] for colour in ramp]
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
