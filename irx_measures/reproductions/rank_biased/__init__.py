"""The experiments of the paper on RBR and RBA: sets and rankings against a reference ranking."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from ...measures.rank_biased import RBR_PAPER as PAPER
from ..inventory import Entry
from ..material import Material, Request, paper_material
from ..results import PaperFigure, PaperTable, Reproduction
from ..shared_collections import DL19, TREC8
from .aligned_pair import figure_5, fitting_pairs
from .examples import choices_of_phi, table_1, table_2, table_3
from .first_stage import Observations, figure_3, first_stage_claims, observe, panes_of_figure_3
from .illustrations import claims_of_definitions, figure_6, figures
from .random_permutations import Permutations, figure_7, permutation_claims, permute, table_4

__all__ = [
    "DL19",
    "ENTRIES",
    "PAPER",
    "TREC8",
    "Observations",
    "Permutations",
    "choices_of_phi",
    "claims_of_definitions",
    "figure_3",
    "figure_5",
    "figure_6",
    "figure_7",
    "figures",
    "first_stage_claims",
    "fitting_pairs",
    "materials",
    "observe",
    "panes_of_figure_3",
    "permutation_claims",
    "permute",
    "reproduce",
    "table_1",
    "table_2",
    "table_3",
    "table_4",
]

_DIAGRAM = "a diagram or a list of definitions, without numbers to compute"

ENTRIES: tuple[Entry, ...] = (
    Entry("Table 1", "RBR of a set, and with ties", "reproduced", "the paper's example"),
    Entry("Table 2", "recall and RBR of six sets", "reproduced", "the paper's example"),
    Entry("Table 3", "tau, RBO and RBA of five permutations", "reproduced", "the paper's example"),
    Entry(
        "Table 4",
        "correlation of tau, RBO and RBA",
        "repeated",
        "25 000 random permutations, as in the paper, with other random numbers",
    ),
    Entry("Table 5", "the measures by observation and reference", "not possible", _DIAGRAM),
    Entry("Figure 1", "sets and rankings, compared", "not possible", _DIAGRAM),
    Entry("Figure 2", "multi-phase retrieval", "not possible", _DIAGRAM),
    Entry(
        "Figure 3",
        "RBR of sets with equal recall",
        "repeated",
        "the runs of TREC 2019 Deep Learning and of TREC-8; the paper's 54 first stages and its "
        "re-ranking of MS MARCO passages are not available",
    ),
    Entry("Figure 4", "two permutations of table 3", "reproduced", "the paper's example"),
    Entry(
        "Figure 5",
        "RBA of two rankings",
        "reproduced",
        "rankings that fit the numbers of the text; only the picture shows the paper's own",
    ),
    Entry("Figure 6", "the range of RBA by phi", "reproduced", "the definition"),
    Entry(
        "Figure 7",
        "distributions of tau, RBO and RBA",
        "repeated",
        "25 000 random permutations, as in the paper, with other random numbers",
    ),
)


def reproduce(request: Request | None = None) -> Reproduction:
    """The tables, figures and claims of the paper on RBR and RBA.

    Parameters
    ----------
    request
        The data of Figure 3. By default the runs of TREC 2019 Deep Learning and of TREC-8, or a
        simulated campaign.

    Returns
    -------
    Reproduction

    Raises
    ------
    ValueError
        When the qrels and the runs have no query in common, or a file is malformed.
    """
    request = request or Request()
    used = materials(request)
    found = {name: observe(material, request.progress) for name, material in used.items()}
    permutations = permute()
    correlations = table_4(permutations)
    first = next(iter(found.values()))
    return Reproduction(
        PAPER,
        tuple(material.description for material in used.values()),
        (
            table_1(),
            table_2(),
            choices_of_phi(),
            *_tables_of_figure_3(found),
            table_3(),
            figure_5(),
            figure_6(),
            correlations,
        ),
        tuple(_figures(found, permutations)),
        (
            *claims_of_definitions(),
            *first_stage_claims(first),
            *permutation_claims(permutations, correlations),
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


def _tables_of_figure_3(found: dict[str, Observations | None]) -> Iterator[PaperTable]:
    for name, observations in found.items():
        if observations is not None:
            table = figure_3(observations)
            yield table if len(found) == 1 else replace(table, label=f"{table.label}, {name}")


def _figures(
    found: dict[str, Observations | None], permutations: Permutations
) -> Iterator[PaperFigure]:
    for name, observations in found.items():
        if observations is not None:
            yield from panes_of_figure_3(observations, name)
    yield from figures()
    yield from figure_7(permutations)
