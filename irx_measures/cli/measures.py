"""``irx measures``: the catalogue, or one measure's page."""

from __future__ import annotations

import argparse
import difflib

from ..exceptions import UnknownMeasureError
from ..measures.catalogue import catalogue, measure_info
from ..reporting.measure_page import measure_page
from ..reporting.screen import Screen
from ..reporting.tables import measures_table
from .options import Parser


def add_measures(commands: argparse._SubParsersAction[Parser]) -> None:
    parser = commands.add_parser(
        "measures",
        help="the catalogue of measures, or one measure's page",
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
    near = difflib.get_close_matches(options.name.lower(), spelled, n=1, cutoff=0.4)
    hint = f"; did you mean {spelled[near[0]]}?" if near else f"; known are {', '.join(catalogue)}"
    raise UnknownMeasureError(f"no measure of this package is called {options.name!r}{hint}")
