"""``irx measures``: the catalogue, or the page of a measure in any spelling that ``-m`` reads."""

from __future__ import annotations

import argparse
from inspect import cleandoc

import ir_measures

from ..measures.declaring.base import Measure, all_measures, catalogue
from ..measures.declaring.params import complete_docstring
from ..measures.naming.strings import split_measures
from ..results.screen import line_width, sentence
from ..results.tables import TextTable, write
from ..scoring.evaluate import parse_all
from .docstrings import as_plain_text, filled, unmarked
from .parser import Parser

HINT = "irx measures NAME prints a measure's page."


def add_arguments(parser: Parser) -> None:
    """Add the arguments of ``irx measures``."""
    parser.describe(
        "The catalogue of this package's measures, or the pages of measures.",
        "[NAME ...]",
        "  irx measures NRG\n  irx measures ndcg_cut_10 'NRG(prior=others)@10'",
    )
    parser.add_argument(
        "names", metavar="NAME", nargs="*", help="names of measures, as -m of other commands reads"
    )
    parser.set_defaults(run=_measures)


def _measures(options: argparse.Namespace) -> str:
    if not options.names:
        return f"{measures_table()}\n{sentence(HINT)}\n"
    names: dict[str, None] = {}
    meanings: list[str] = []
    for text in split_measures(options.names):
        if text in ir_measures.measures.registry:  # parameters that it needs may be left out
            names[text] = None
            continue
        measures = parse_all(text)
        names |= dict.fromkeys(str(measure.NAME) for measure in measures)
        read = ", ".join(map(str, measures))
        if read != text:
            meanings.append(f"\n{text} is read as {read}.\n")
    return "\n".join(map(page, names)) + "".join(meanings)


def page(name: str) -> str:
    """The page of a measure of this package or of ir_measures."""
    if name in catalogue:
        return measure_page(catalogue[name])
    return f"{sentence(_of_ir_measures(name))}\n"


def measures_table() -> str:
    """The catalogue: every measure of this package with its description, range and paper."""
    infos = all_measures()
    columns = {
        "measure": [str(measure.NAME) for measure in infos],
        "what it is": [measure.summary for measure in infos],
        "range": ["[{:g}, {:g}]".format(*measure.RANGE) for measure in infos],
        "paper": [measure.PAPERS[0].published for measure in infos],
    }
    return write(TextTable.of(columns, keys=("measure",)), "table")


def measure_page(measure: Measure) -> str:
    """A measure's signature, its docstring, and its papers as BibTeX, in lines that fit.

    Under ``python -OO``, the docstring has the sections only that are made from the declaration.
    """
    width = line_width()
    defaults = ", ".join(f"{name}={param.default!r}" for name, param in measure.PARAMS.items())
    doc = cleandoc(type(measure).__doc__ or complete_docstring(type(measure)))
    papers = [
        "\n".join(filled(line, width) for line in paper.bibtex.split("\n"))
        for paper in measure.PAPERS
    ]
    signature = filled(f"{measure.NAME}({defaults})@k", width)
    return "\n\n".join([signature, as_plain_text(doc, width), *papers]) + "\n"


def _of_ir_measures(name: str) -> str:
    """What is said of a measure of ir_measures: the first paragraph of its docstring too."""
    doc = cleandoc(type(ir_measures.measures.registry[name]).__doc__ or "")
    summary = unmarked(" ".join(doc.split("\n\n")[0].split()))
    return f"{name} is a measure of ir_measures, valid after -m. {summary}"
