"""The pages of measures have the docstring and the papers, and the catalogue every measure."""

from inspect import getdoc

import pytest

from irx_measures import measure_info
from irx_measures.cli.measures import measure_page, measures_table


@pytest.mark.parametrize("measure", measure_info(), ids=lambda measure: measure.NAME)
def test_a_page_is_the_signature_the_docstring_and_the_papers(measure):
    signature, *others = measure_page(measure).split("\n\n")
    assert signature.startswith(f"{measure.NAME}(")
    assert all(f"{name}={param.default!r}" in signature for name, param in measure.PARAMS.items())
    rest = "\n\n".join(others)
    assert rest.startswith(getdoc(type(measure)))
    assert all(paper.bibtex in rest for paper in measure.PAPERS)


def test_the_catalogue_has_a_row_a_measure():
    _, _, *rows = measures_table().splitlines()
    assert [row.split()[0] for row in rows] == [measure.NAME for measure in measure_info()]
    assert all(measure.summary in row for row, measure in zip(rows, measure_info(), strict=True))
