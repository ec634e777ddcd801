"""``irx cite``: the papers to cite, as BibTeX."""

from __future__ import annotations

import argparse

from ..measures.naming.citations import bibtex
from ..measures.naming.strings import parse_measures, split_measures
from .parser import Parser


def add_arguments(parser: Parser) -> None:
    """Add the arguments of ``irx cite``."""
    parser.describe(
        "Print BibTeX of the papers of measures; without MEASURE, of this package and ir_measures. "
        "If no paper is known for a measure of ir_measures, a warning says so, and the paper of "
        "ir_measures is printed in its place.",
        "[MEASURE ...]",
        "  irx cite NRG nDCG@10\n  irx cite > software.bib",
    )
    parser.add_argument(
        "measures",
        metavar="MEASURE",
        nargs="*",
        help="measures of this package and of ir_measures; parameters may be left out",
    )
    parser.set_defaults(run=_cite)


def _cite(options: argparse.Namespace) -> str:
    measures = parse_measures(split_measures(options.measures))
    return bibtex(*measures) + "\n"
