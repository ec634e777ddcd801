"""The experiments of the paper on RBR and RBA: sets and rankings against a reference ranking."""

from __future__ import annotations

from dataclasses import replace

from ...measures.rank_biased import RBR_PAPER as PAPER
from ..collections import DL19, TREC8
from ..material import Material, Request, paper_material
from ..results import Claims as Claims
from ..results import Reproduction
from .aligned_pair import figure_5
from .aligned_pair import fitting_pairs as fitting_pairs
from .examples import ENTRIES as ENTRIES
from .examples import (
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


def reproduce(request: Request | None = None) -> Reproduction:
    """The tables, figures and claims of the paper on RBR and RBA; the data is that of Figure 3."""
    request = request or Request()
    used = materials(request)
    observed = {name: observe(material, request.progress) for name, material in used.items()}
    first = next(iter(observed.values()))
    found = {name: one for name, one in observed.items() if one is not None}
    permutations = permute()
    correlations = table_4(permutations)
    of_figure_3 = [
        replace(table, label=f"{table.label}, {name}") if len(observed) > 1 else table
        for name, table in ((name, figure_3(one)) for name, one in found.items())
    ]
    examples = (table_1(), table_2(), choices_of_phi())
    panes = [pane for name, one in found.items() for pane in panes_of_figure_3(one, name)]
    return Reproduction(
        PAPER,
        tuple(material.description for material in used.values()),
        (*examples, *of_figure_3, table_3(), figure_5(), figure_6(), correlations),
        (*panes, *figures(), *figure_7(permutations)),
        Claims(
            (
                *claims_of_definitions(),
                *first_stage_claims(first),
                *permutation_claims(permutations, correlations),
            )
        ),
    )


def materials(request: Request | None = None) -> dict[str, Material]:
    """The data of Figure 3 by the name of its collection; the claims are about the first."""
    request = request or Request()
    first = request.material_of(DL19)
    if request.names_data:
        return {"your data": first}
    trec8 = paper_material(TREC8)
    name = "simulated" if first.origin == "simulated" else "DL 2019"
    return {name: first} if trec8 is None else {name: first, "TREC-8": trec8}
