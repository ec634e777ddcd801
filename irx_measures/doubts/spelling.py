"""Ids of a run that match the qrels' in another spelling only."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from ..io.identifiers import Names, plain
from ..judgments.judged_run import JudgedRun


def spelled_otherwise(judged: JudgedRun) -> str:
    """What to say of a run of which some ids match the qrels' in another spelling only.

    A spreadsheet reads 007 as 7, and some file systems and editors write é as e and an accent.
    Where all ids differ so, nothing matches, which is an error already; where some do, scores are
    too low.
    """
    judgments, first = judged.judgments, judged.first_rows
    missed = [judgments.query_ids[row] for row in np.flatnonzero(judged.returned == 0).tolist()]
    if 0 < len(missed) < len(judgments.query_ids):
        lacking = Names(missed)
        # To know all queries, the run is read; most need not be.
        queries = judged.query_ids if lacking.spellings else [query for query, _ in first]
        found = _first(queries, lacking, judgments.query_index)
        if found:
            return f"has query {found}"
    docs, index = [doc for _, doc in first], judgments.doc_index
    found = _first(docs, index, index) if judged.rank.any() else ""
    return found and f"has document {found}"


def _first(names: Iterable[str], wanted: Names, known: Names) -> str:
    """The first name that is not known, and is wanted in another spelling."""
    for name in names:
        short = plain(name)
        other = wanted.spellings.get(short)
        if other is None and short != name and short in wanted.number:
            other = short
        if other is not None and name not in known.number:
            return (
                f"{name!a} where the qrels have {other!a}: ids must be equal, with leading zeros "
                "and in one form of Unicode"
            )
    return ""
