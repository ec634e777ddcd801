"""``irx measures``: the catalogue, or one measure's page."""

from __future__ import annotations

import argparse
from inspect import cleandoc

import ir_measures

from ..common.nearest import did_you_mean
from ..common.screen import sentence
from ..exceptions import UnknownMeasureError
from ..measures.base import catalogue
from ..measures.strings import registered_names
from ..reporting.measure_page import measure_page
from ..reporting.tables import measures_table
from .parser import Parser


def add_arguments(parser: Parser) -> None:
    """Add the arguments of ``irx measures``."""
    parser.describe("The catalogue of this package's measures, or one measure's page.", "[NAME]")
    parser.add_argument("name", metavar="NAME", nargs="?", help="as in: irx measures NRG")
    parser.set_defaults(run=_measures)


def _measures(options: argparse.Namespace) -> str:
    if options.name is None:
        return f"{measures_table()}\nirx measures NAME prints a measure's page.\n"
    if options.name in catalogue:
        return measure_page(catalogue[options.name])
    if options.name in ir_measures.measures.registry:
        return f"{sentence(_of_ir_measures(options.name))}\n"
    hint = did_you_mean(options.name, registered_names(), cutoff=0.4)
    known = f"; known are {', '.join(catalogue)}"
    raise UnknownMeasureError(f"no measure is called {options.name!r}{hint or known}")


def _of_ir_measures(name: str) -> str:
    """What is said of a measure of ir_measures: the first paragraph of its docstring too."""
    doc = cleandoc(type(ir_measures.measures.registry[name]).__doc__ or "")
    summary = " ".join(doc.split("\n\n")[0].split())
    return f"{name} is a measure of ir_measures, valid after -m. {summary}"
