"""``irx measures``: the catalogue, or one measure's page."""

from __future__ import annotations

import argparse

from ..common.nearest import did_you_mean
from ..common.screen import Screen
from ..exceptions import UnknownMeasureError
from ..measures.catalogue import catalogue, measure_info
from ..reporting.measure_page import measure_page
from ..reporting.tables import measures_table
from .parser import Parser


def add_arguments(parser: Parser) -> None:
    """Add the arguments of ``irx measures``."""
    parser.describe(
        description="The catalogue of this package's measures, or one measure's page.",
    )
    parser.add_argument("name", metavar="NAME", nargs="?", help="as in: irx measures NRG")
    parser.set_defaults(run=_measures)


def _measures(options: argparse.Namespace) -> str:
    screen = Screen.of_stdout()
    if options.name is None:
        table = measures_table(width=screen.width)
        return f"{table}\n\nirx measures NAME prints a measure's page.\n"
    for info in measure_info():
        if info.name == options.name:
            return measure_page(info, screen)
    spelled = {name.lower(): name for name in catalogue}
    hint = did_you_mean(options.name, spelled, cutoff=0.4) or f"; known are {', '.join(catalogue)}"
    raise UnknownMeasureError(f"no measure of this package is called {options.name!r}{hint}")
