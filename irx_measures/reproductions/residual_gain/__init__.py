"""The experiments of the NRG paper: what a run adds to other runs."""

from __future__ import annotations

from ...measures.residual_gain import NRG_PAPER as PAPER
from ..collections import DEV, DL19
from ..material import Material, Request, paper_material
from ..results import Claims as Claims
from ..results import Reproduction
from .claims_about_systems import claims
from .first_stage import BM25_DOCUMENTS, bm25_documents, over_bm25
from .history import figure_1, figures_of_history, history_claims
from .permuted import ENTRIES, permutation_claim, table_1
from .systems import by_group, correlations, figures, figures_2_to_5, score_systems

_NO_HISTORY = f"Figure 1 is left out: it {ENTRIES[1].data}"

_NO_DOCUMENTS = (
    "The comparison with BM25 is left out: the scoreddocs of ir_datasets "
    f"{BM25_DOCUMENTS} are neither in its cache nor named by --runs"
)


def reproduce(request: Request | None = None) -> Reproduction:
    """Table 1, the figures and the claims of the NRG paper."""
    request = request or Request()
    material = request.material_of(DL19)
    systems = score_systems(material, request.progress)
    # Runs in order of release: those that the user named, else a leaderboard's, if it is here.
    history = material if request.names_data else leaderboard()
    past = [] if history is None else [figure_1(history, request.progress)]
    documents = bm25_documents(request)
    over = [] if documents is None else [over_bm25(material, documents, request.progress)]
    tables = (table_1(), *past, figures_2_to_5(systems), correlations(systems), by_group(systems))
    data = (
        material.description,
        _NO_HISTORY if history is None else history.description,
        *([] if over else [_NO_DOCUMENTS]),
    )
    return Reproduction(
        PAPER,
        tuple(dict.fromkeys(data)),
        (*tables, *over),
        (*(figure for table in past for figure in figures_of_history(table)), *figures(systems)),
        Claims((permutation_claim(), *claims(systems), *history_claims(past))),
    )


def leaderboard() -> Material | None:
    """The runs of MS MARCO's leaderboard, if they are in the folder of local data."""
    return paper_material(DEV)
