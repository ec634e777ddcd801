"""The experiments of the paper on RBR and RBA: sets and rankings against a reference ranking."""

from __future__ import annotations

from dataclasses import replace

from ...measures.citations import paper
from ..collections import DL19, TREC8
from ..material import Material, Request, paper_material
from ..results import Claims as Claims
from ..results import Reproduction
from .aligned_pair import figure_5
from .aligned_pair import fitting_pairs as fitting_pairs
from .examples import (
    DECLARED,
    choices_of_phi,
    claims_of_definitions,
    figure_6,
    figures,
    table_1,
    table_2,
    table_3,
)
from .first_stage import figure_3, first_stage_claims, observe, panes_of_figure_3
from .random_permutations import figure_7, permutation_claims, permute, table_4

entries = DECLARED.entries


def reproduce(request: Request | None = None) -> Reproduction:
    """The tables, figures and claims of the paper on RBR and RBA; the data is that of Figure 3."""
    request = request or Request()
    used = materials(request)
    observed = [observe(material, request.progress) for material in used]
    found = [one for one in observed if one is not None]
    permutations = permute()
    correlations = table_4(permutations)
    of_figure_3 = [
        replace(table, label=f"{table.label}, {one.material.label}") if len(used) > 1 else table
        for table, one in ((figure_3(one), one) for one in found)
    ]
    examples = (table_1(), table_2(), choices_of_phi())
    panes = [pane for one in found for pane in panes_of_figure_3(one)]
    return Reproduction(
        paper("moffat2024"),
        tuple(material.description for material in used),
        (*examples, *of_figure_3, table_3(), figure_5(), figure_6(), correlations),
        (*panes, *figures(), *figure_7(permutations)),
        Claims(
            (
                *claims_of_definitions(),
                *first_stage_claims(observed[0]),
                *permutation_claims(permutations, correlations),
            )
        ),
    )


def materials(request: Request | None = None) -> list[Material]:
    """The data of Figure 3; the claims are about the first."""
    request = request or Request()
    trec8 = None if request.names_data else paper_material(TREC8)
    return [request.material_of(DL19), *([] if trec8 is None else [trec8])]
