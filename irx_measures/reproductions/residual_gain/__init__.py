"""The experiments of the NRG paper: what a run adds to other runs."""

from __future__ import annotations

from collections.abc import Iterator

from ...measures.residual_gain import NRG_PAPER as PAPER
from ..inventory import Entry
from ..material import Collection, Material, Request, paper_material
from ..results import PaperFigure, PaperTable, Reproduction
from ..shared_collections import DL19
from .claims_about_systems import claims
from .first_stage import BM25_DOCUMENTS, bm25_documents, over_bm25
from .history import figure_1, figures_of_history, history_claims
from .permuted import permutation_claim, table_1
from .systems import Systems, by_group, correlations, figures, figures_2_to_5, score_systems

__all__ = [
    "BM25_DOCUMENTS",
    "DEV",
    "DL19",
    "ENTRIES",
    "PAPER",
    "Systems",
    "bm25_documents",
    "by_group",
    "claims",
    "correlations",
    "figure_1",
    "figures",
    "figures_2_to_5",
    "figures_of_history",
    "history_claims",
    "over_bm25",
    "permutation_claim",
    "reproduce",
    "score_systems",
    "table_1",
]

DEV = Collection(
    "MS MARCO passage, dev small", "msmarco-passage/dev/small", "msmarco-passage-dev-small"
)

_HISTORY = (
    "needs the runs of MS MARCO's leaderboard in order of release; computed for runs in "
    f"IRX_DATA/{DEV.folder}/runs, whose file names sort by release, and for --dataset and --runs"
)

_DL19 = f"ir_datasets {DL19.dataset} and the 37 runs of the task"

ENTRIES: tuple[Entry, ...] = (
    Entry("Table 1", "NRG of three orders of the same documents", "reproduced", "the definition"),
    Entry("Figure 1", "RR@10 and NRG over the history of a leaderboard", "not possible", _HISTORY),
    Entry("Figure 2", "nDCG@10 and NRG of systems", "reproduced", _DL19),
    Entry("Figure 3", "nDCG@10 and unique contributions of systems", "reproduced", _DL19),
    Entry("Figure 4", "nDCG@10 and rareness-based precision of systems", "reproduced", _DL19),
    Entry("Figure 5", "nDCG@10 and TaSC of systems", "reproduced", _DL19),
)


def reproduce(request: Request | None = None) -> Reproduction:
    """Table 1, the figures and the claims of the NRG paper.

    Parameters
    ----------
    request
        The data. By default the runs of TREC 2019 Deep Learning, or a simulated campaign.

    Returns
    -------
    Reproduction

    Raises
    ------
    ValueError
        When the qrels and the runs have no query in common, or a file is malformed.
    """
    request = request or Request()
    material = request.material_of(DL19)
    systems = score_systems(material, request.progress)
    history = _history(request, material)
    documents = bm25_documents(request)
    past = () if history is None else (figure_1(history, request.progress),)
    tables = [table_1(), *past, figures_2_to_5(systems), correlations(systems), by_group(systems)]
    if documents is not None:
        tables.append(over_bm25(material, documents, request.progress))
    return Reproduction(
        PAPER,
        tuple(_data(material, history, documents is not None)),
        tuple(tables),
        tuple(_figures(systems, past)),
        (permutation_claim(), *claims(systems), *history_claims(past)),
    )


def _history(request: Request, material: Material) -> Material | None:
    """Runs in order of release: those that the user named, else a leaderboard's, if it is here."""
    return material if request.names_data else paper_material(DEV)


def _data(material: Material, history: Material | None, documents: bool) -> Iterator[str]:
    yield material.description
    if history is None:
        yield f"Figure 1 is left out: it {_HISTORY}"
    elif history is not material:
        yield history.description
    if not documents:
        yield (
            "The comparison with BM25 is left out: the scoreddocs of ir_datasets "
            f"{BM25_DOCUMENTS} are neither in its cache nor named by --runs"
        )


def _figures(systems: Systems, past: tuple[PaperTable, ...]) -> Iterator[PaperFigure]:
    for table in past:
        yield from figures_of_history(table)
    yield from figures(systems)
