"""Reproduction of the bootstrap paper: scores for runs with unjudged documents."""

from __future__ import annotations

from ...measures.bootstrap import PAPER
from ..collections import DL19
from ..collections import TREC_COVID as TREC_COVID
from ..material import Request
from ..results import Claims as Claims
from ..results import Reproduction
from .covid import EXPANDED as EXPANDED
from .covid import (
    claims_of_table_7,
    figure_1,
    figure_1_numbers,
    incomplete_runs,
    prevalence_of_expansion,
    table_7,
)
from .covid import score_incomplete as score_incomplete
from .covid import unjudged_documents as unjudged_documents
from .definitions import ENTRIES as ENTRIES
from .definitions import claim_of_table_1, table_1, table_2
from .left_out import claims_of_left_out, leave_out, table_3, table_4, table_5, table_6


def reproduce(request: Request | None = None) -> Reproduction:
    """Tables 1 to 7, Figure 1, and the claims of the paper."""
    request = request or Request()
    bounds = table_1()
    incomplete = incomplete_runs(request.material_of(TREC_COVID))
    covid = table_7(incomplete)
    left_out = leave_out(request.material_of(DL19), request.progress)
    of_left_out = (table_4(left_out), table_5(left_out), table_6(left_out))
    prevalence = [left_out.prevalence]
    if incomplete.expanded is not None:
        prevalence.insert(0, prevalence_of_expansion(incomplete))
    descriptions = (incomplete.material.description, left_out.material.description)
    numbers = figure_1_numbers(incomplete)
    return Reproduction(
        PAPER,
        tuple(dict.fromkeys(descriptions)),
        (bounds, table_2(), table_3(prevalence), *of_left_out, covid, numbers),
        (figure_1(incomplete),),
        Claims(
            (
                claim_of_table_1(bounds),
                *claims_of_left_out(left_out, *of_left_out),
                *claims_of_table_7(incomplete, covid),
            )
        ),
    )
