"""Checks for gdeval, the Perl script that ir_measures uses for ERR and exp-log2 nDCG."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import ir_measures

from ..exceptions import InputError

HIGHEST_GRADE = 4  # gdeval.pl's ($MAX_JUDGMENT): ERR divides gains by 2^4

DIGITS = 15  # up to this length, Perl reads different digits as different numbers


def scored_by_gdeval(measures: Iterable[ir_measures.Measure]) -> list[ir_measures.Measure]:
    """The measures for which ir_measures uses gdeval."""
    return [measure for measure in measures if _provider_of(measure) == "gdeval"]


def _provider_of(measure: ir_measures.Measure) -> str | None:
    for provider in ir_measures.DefaultPipeline.providers:
        if provider.is_available() and provider.supports(measure):
            return str(provider.NAME)
    return None


def check_for_gdeval(what: str, documents_of: Mapping[str, Iterable[str]], measures: str) -> None:
    """Check the ids of qrels or of a run.

    Parameters
    ----------
    what
        The label of the qrels or the run in error messages.
    documents_of
        The documents of each query.
    measures
        The measures that gdeval scores, for error messages.

    Raises
    ------
    ValueError
        For ids with which gdeval fails or scores the wrong queries and documents. gdeval drops a
        query id up to its last hyphen, compares the rest as a number, and splits lines at white
        space.
    """
    text_of: dict[int, str] = {}
    for query_id, documents in documents_of.items():
        is_number = query_id.isascii() and query_id.isdigit() and len(query_id) <= DIGITS
        if not is_number or text_of.setdefault(int(query_id), query_id) != query_id:
            raise InputError(
                f"{what}: query ids must be different whole numbers of at most {DIGITS} digits for "
                f"{measures}, scored by gdeval; got {query_id!r}"
            )
        for document in documents:
            text = document.encode()
            if text.split() != [text]:
                raise InputError(
                    f"{what}: document ids must not be empty or have white space for {measures}, "
                    f"scored by gdeval; got {document!r} in query {query_id!r}"
                )


def check_grades_for_gdeval(highest: int, measures: str) -> None:
    """InputError if the highest grade of the qrels exceeds gdeval's limit."""
    if highest > HIGHEST_GRADE:
        raise InputError(
            f"qrels: grades must be at most {HIGHEST_GRADE} for {measures}, scored by gdeval; "
            f"got {highest}"
        )
