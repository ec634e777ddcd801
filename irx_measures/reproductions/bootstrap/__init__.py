"""Reproduction of the bootstrap paper: scores for runs with unjudged documents."""

from __future__ import annotations

from ...exceptions import InputError
from ...measures.bootstrap import PAPER
from ..collections import DL19
from ..collections import TREC_COVID as TREC_COVID
from ..material import Material, Request
from ..results import Claim, PaperFigure, PaperTable, Reproduction
from ..results import Claims as Claims
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
from .definitions import DECLARED, claim_of_table_1, table_1, table_2
from .left_out import claims_of_left_out, leave_out, table_3, table_4, table_5, table_6

entries = DECLARED.entries


def reproduce(request: Request | None = None) -> Reproduction:
    """Tables 1 to 7, Figure 1, and the claims of the paper.

    Where the measures refuse qrels of relevant documents only, their reason stands in place of all
    that needs a collection.
    """
    request = request or Request()
    covid, dl19 = request.material_of(TREC_COVID), request.material_of(DL19)
    bounds, refusal = table_1(), []
    try:
        tables, figures, claims = _on_collections(covid, dl19, request.progress)
    except InputError as error:
        if (covid.qrels.value <= 0).any():
            raise
        tables, figures, claims = [_refused(covid, error)], [], []
        refusal = [f"{tables[0].label} are left out: {error}"]
    return Reproduction(
        PAPER,
        (*dict.fromkeys((covid.description, dl19.description)), *refusal),
        (bounds, table_2(), *tables),
        tuple(figures),
        Claims((claim_of_table_1(bounds), *claims)),
    )


def _refused(material: Material, reason: InputError) -> PaperTable:
    return DECLARED.table("Tables 3 to 7, Figure 1", (), material, reason=str(reason))


def _on_collections(
    covid: Material, dl19: Material, progress: bool | None
) -> tuple[list[PaperTable], list[PaperFigure], list[Claim]]:
    incomplete = incomplete_runs(covid)
    left_out = leave_out(dl19, progress)
    prevalence = [left_out.prevalence]
    if incomplete.expanded is not None:
        prevalence.insert(0, prevalence_of_expansion(incomplete))
    of_left_out = (table_4(left_out), table_5(left_out), table_6(left_out))
    table, numbers = table_7(incomplete), figure_1_numbers(incomplete)
    claims = [
        *claims_of_left_out(left_out, *of_left_out),
        *claims_of_table_7(incomplete, table),
    ]
    figures = [figure_1(incomplete)] if numbers.numbers else []
    return [table_3(prevalence), *of_left_out, table, numbers], figures, claims
