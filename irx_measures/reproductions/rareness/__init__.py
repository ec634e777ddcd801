"""Reproduction of the rareness paper: rewards for rarely found relevant documents."""

from __future__ import annotations

from math import isnan

from ...measures.rareness import PAPER
from ...meta.correlation import RankCorrelation
from ..inventory import Entry
from ..material import Material, Request, paper_material
from ..results import Claim, PaperFigure, Reproduction
from ..shared_collections import DL19, TREC8
from .collections import (
    COLUMNS,
    DLT20,
    Scored,
    missing_collections,
    score,
    scored_collections,
)
from .tables import (
    WITH_BLOCKS,
    claims,
    correlations,
    figure_2,
    figure_2_numbers,
    table_1,
    table_2,
    table_3,
)
from .topics import (
    HypotheticalSystems,
    claim_of_figure_1,
    figure_1,
    figure_1_numbers,
    hypothetical_systems,
    table_4,
)

__all__ = [
    "CLAIM_OF_READERS",
    "COLUMNS",
    "DL19",
    "DLT20",
    "ENTRIES",
    "PAPER",
    "TREC8",
    "WITH_BLOCKS",
    "Scored",
    "claim_of_figure_1",
    "claims",
    "correlations",
    "figure_1",
    "figure_1_numbers",
    "figure_2",
    "figure_2_numbers",
    "hypothetical_systems",
    "material_of_figure_1",
    "missing_collections",
    "reproduce",
    "score",
    "scored_collections",
    "table_1",
    "table_2",
    "table_3",
    "table_4",
]

_WHERE_PRESENT = (
    "TREC-8; TREC-5, Web Track 2014 and Deep Learning 2020 where their runs are in the data "
    "folder; also repeated on TREC-6 and TREC-7 where theirs are"
)

ENTRIES = (
    Entry("Table 1", "discriminative power", "reproduced", _WHERE_PRESENT),
    Entry("Table 2", "stability", "reproduced", _WHERE_PRESENT),
    Entry("Table 3", "impact of the number of systems", "reproduced", "TREC-8"),
    Entry(
        "Table 4",
        "documents of topic 431, from rare to common",
        "reproduced",
        "TREC-8: the counts of systems and the rareness, not the texts of the documents; the "
        "printed numbers need the runs to depth 1000",
    ),
    Entry(
        "Figure 1",
        "ranks of hypothetical systems that find rare or common documents",
        "repeated",
        "Deep Learning 2019, passages; reproduced where the runs of Deep Learning 2020, documents, "
        "are in the data folder",
    ),
    Entry(
        "Figure 2", "correlation with the original ranking by alpha", "reproduced", _WHERE_PRESENT
    ),
)


CLAIM_OF_READERS = Claim(
    "Rarely retrieved relevant documents are less focused on the topic",
    "cannot be told",
    "this needs people who read the documents",
)


def material_of_figure_1(request: Request, scored: list[Scored]) -> Material:
    """The data of Figure 1: the paper's Deep Learning 2020, else 2019, else what was scored."""
    if request.names_data:
        return scored[0].material
    return paper_material(DLT20) or paper_material(DL19) or scored[0].material


def _figures(
    hypothetical: HypotheticalSystems, curves: dict[str, dict[float, RankCorrelation]]
) -> tuple[PaperFigure, ...]:
    """Both figures; Figure 2 only if a correlation is defined."""
    correlated = [found.value for curve in curves.values() for found in curve.values()]
    drawable = not all(map(isnan, correlated))
    return (figure_1(hypothetical), *([figure_2(curves)] if drawable else []))


def reproduce(request: Request | None = None) -> Reproduction:
    """Tables 1 to 4, Figures 1 and 2, and the claims of the paper."""
    request = request or Request()
    progress = request.progress
    scored = scored_collections(request)
    missing = missing_collections(scored)
    power = table_1(scored, remark=missing)
    with_blocks = table_1(scored, WITH_BLOCKS, missing, progress)
    stable = table_2(scored, remark=missing)
    impact = [table_3(one, progress=progress) for one in scored]
    curves = correlations(scored)
    hypothetical = hypothetical_systems(material_of_figure_1(request, scored))
    documents = table_4(scored[0].material)
    tables = (
        power,
        with_blocks,
        stable,
        *impact,
        documents,
        figure_1_numbers(hypothetical),
        figure_2_numbers(scored, curves),
    )
    return Reproduction(
        PAPER,
        tuple(
            dict.fromkeys([*(one.material.description for one in scored), hypothetical.description])
        ),
        tables,
        _figures(hypothetical, curves),
        (
            *claims(power, with_blocks, stable, impact[0], curves),
            claim_of_figure_1(hypothetical),
            CLAIM_OF_READERS,
        ),
    )
