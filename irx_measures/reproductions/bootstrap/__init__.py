"""Reproduction of the bootstrap paper: scores for runs with unjudged documents."""

from __future__ import annotations

from ...measures.bootstrap import PAPER
from ..inventory import Entry
from ..material import Request
from ..results import Reproduction
from ..shared_collections import DL19
from .covid import (
    EXPANDED,
    TREC_COVID,
    claims_of_table_7,
    figure_1,
    figure_1_numbers,
    incomplete_runs,
    prevalence_of_expansion,
    score_incomplete,
    table_7,
)
from .definitions import claim_of_table_1, table_1, table_2
from .left_out import (
    claims_of_left_out,
    leave_out,
    table_3,
    table_4,
    table_5,
    table_6,
)

__all__ = [
    "DL19",
    "ENTRIES",
    "EXPANDED",
    "PAPER",
    "TREC_COVID",
    "claim_of_table_1",
    "claims_of_left_out",
    "claims_of_table_7",
    "figure_1",
    "figure_1_numbers",
    "incomplete_runs",
    "leave_out",
    "prevalence_of_expansion",
    "reproduce",
    "score_incomplete",
    "table_1",
    "table_2",
    "table_3",
    "table_4",
    "table_5",
    "table_6",
    "table_7",
]

_OTHER_DATA = (
    "Deep Learning 2019, passages, one group left out at a time; the runs of Robust04, ClueWeb09 "
    "and ClueWeb12 are not free"
)

ENTRIES = (
    Entry("Table 1", "incorrect and wide bounds of nDCG@2", "reproduced", "needs no collection"),
    Entry(
        "Table 2",
        "characteristics of the methods",
        "reproduced",
        "tried on an example; comparability holds by definition",
    ),
    Entry(
        "Table 3",
        "prevalence of grades in the pool and among unjudged documents",
        "reproduced",
        "TREC-COVID; repeated on Deep Learning 2019 instead of Robust04, ClueWeb09 and ClueWeb12",
    ),
    Entry("Table 4", "errors of predicted scores", "repeated", _OTHER_DATA),
    Entry("Table 5", "rankings of systems by predicted scores", "repeated", _OTHER_DATA),
    Entry("Table 6", "reconstructed preferences", "repeated", _OTHER_DATA),
    Entry(
        "Table 7",
        "scores on incomplete and on expanded qrels",
        "reproduced",
        "TREC-COVID: qrels by ir_datasets, runs and expanded qrels from the data folder",
    ),
    Entry(
        "Figure 1",
        "estimated and actual scores of ANCE on selected topics",
        "reproduced",
        "TREC-COVID; the topics that the text names",
    ),
)


def reproduce(request: Request | None = None) -> Reproduction:
    """Tables 1 to 7, Figure 1, and the claims of the paper."""
    request = request or Request()
    bounds, methods = table_1(), table_2()
    incomplete = incomplete_runs(request)
    real = table_7(incomplete)
    left_out = leave_out(request.material_of(DL19), request.progress)
    errors, rankings, preferences = table_4(left_out), table_5(left_out), table_6(left_out)
    prevalence = [left_out.prevalence]
    if incomplete.expanded is not None:
        prevalence.insert(0, prevalence_of_expansion(incomplete))
    descriptions = (incomplete.material.description, left_out.material.description)
    return Reproduction(
        PAPER,
        tuple(dict.fromkeys(descriptions)),
        (
            bounds,
            methods,
            table_3(prevalence),
            errors,
            rankings,
            preferences,
            real,
            figure_1_numbers(incomplete),
        ),
        (figure_1(incomplete),),
        (
            claim_of_table_1(bounds),
            *claims_of_left_out(left_out, errors, rankings, preferences),
            *claims_of_table_7(incomplete, real),
        ),
    )
