"""Reproduction of the rareness paper: rewards for rarely found relevant documents."""

from __future__ import annotations

from ...measures.citations import paper
from ..collections import DL19, DLT20
from ..collections import TREC8 as TREC8
from ..material import Material, Request, paper_material
from ..results import Claim, Reproduction
from ..results import Claims as Claims
from .collections import COLUMNS as COLUMNS
from .collections import DECLARED, Scored, missing_collections, scored_collections
from .collections import score as score
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
from .topics import claim_of_figure_1, figure_1, figure_1_numbers, hypothetical_systems, table_4

entries = DECLARED.entries

(CLAIM_OF_READERS,) = Claim.unknown(
    "this needs people who read the documents", *DECLARED.claims["Documents"].values()
)


def material_of_figure_1(request: Request, scored: list[Scored]) -> Material:
    """The data of Figure 1: the paper's Deep Learning 2020, else 2019, else what was scored."""
    if request.names_data:
        return scored[0].material
    return paper_material(DLT20) or paper_material(DL19) or scored[0].material


def reproduce(request: Request | None = None) -> Reproduction:
    """Tables 1 to 4, Figures 1 and 2, and the claims of the paper."""
    request = request or Request()
    scored = scored_collections(request)
    missing = missing_collections(scored)
    power = table_1(scored, remark=missing)
    with_blocks = table_1(scored, WITH_BLOCKS, missing, request.progress)
    stable = table_2(scored, remark=missing)
    impact = [table_3(one, progress=request.progress) for one in scored]
    curves = correlations(scored)
    correlated = figure_2_numbers(scored, curves)
    hypothetical = hypothetical_systems(material_of_figure_1(request, scored))
    documents = table_4(scored[0].material)
    numbers = figure_1_numbers(hypothetical)
    curved = [figure_2(curves)] if correlated.in_shape().notna().any(axis=None) else []
    materials = [*(one.material for one in scored), hypothetical.material]
    return Reproduction(
        paper("turkmen2023"),
        tuple(dict.fromkeys(material.description for material in materials)),
        (power, with_blocks, stable, *impact, documents, numbers, correlated),
        (figure_1(hypothetical), *curved),
        Claims(
            (
                *claims(scored, power, with_blocks, stable, impact[0], curves),
                claim_of_figure_1(hypothetical),
                CLAIM_OF_READERS,
            )
        ),
    )
