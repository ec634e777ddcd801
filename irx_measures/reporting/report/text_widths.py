"""How wide a name is at most in a chart: text in an SVG does not wrap, and has no overflow."""

from __future__ import annotations

import unicodedata

NAME_SIZE = 11  # pixels, as style.css has for names in charts

# The largest widths of characters in DejaVu Sans, in em. Of the fonts that style.css allows, it is
# the widest: Linux without Arial and Liberation Sans takes it for sans-serif.
NARROW, USUAL, CAPITAL, WIDEST = 0.42, 0.64, 0.84, 1.0

NARROW_CHARACTERS = " !'(),-./:;IJ[\\]fijlrt|"
WIDEST_CHARACTERS = "%@MWm"
CAPITAL_CHARACTERS = "#&+<=>w~"

BOLD = 1.21  # the most that a character of DejaVu Sans Bold is wider


def name_width(name: str, bold: bool = False) -> float:
    """The width of a name in pixels, rather too large than too small."""
    return sum(map(_em, name)) * NAME_SIZE * (BOLD if bold else 1)


def _em(character: str) -> float:
    if not character.isascii():
        return 0 if unicodedata.combining(character) else WIDEST
    if character in NARROW_CHARACTERS:
        return NARROW
    if character in WIDEST_CHARACTERS:
        return WIDEST
    return CAPITAL if character.isupper() or character in CAPITAL_CHARACTERS else USUAL
