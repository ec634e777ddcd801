"""The experiments of the NRG paper: what a run adds to other runs."""

from __future__ import annotations

from ...measures.citations import paper
from ..collections import DL19
from ..material import Request
from ..results import Claims as Claims
from ..results import Reproduction
from .claims_about_systems import claims
from .history import figure_1, figures_of_history, history_claims
from .permuted import DECLARED, permutation_claim, table_1
from .systems import by_group, correlations, figures, figures_2_to_5, score_systems

entries = DECLARED.entries

_NO_HISTORY = "Figure 1 is left out: it needs --dataset and --runs, in order of release"


def reproduce(request: Request | None = None) -> Reproduction:
    """Table 1, the figures and the claims of the NRG paper."""
    request = request or Request()
    material = request.material_of(DL19)
    systems = score_systems(material, request.progress)
    past = [figure_1(material, request.progress)] if request.names_data else []
    tables = (table_1(), *past, figures_2_to_5(systems), correlations(systems), by_group(systems))
    return Reproduction(
        paper("nrg2024"),
        (material.description, *([] if past else [_NO_HISTORY])),
        tables,
        (*(figure for table in past for figure in figures_of_history(table)), *figures(systems)),
        Claims((permutation_claim(), *claims(systems), *history_claims(past))),
    )
