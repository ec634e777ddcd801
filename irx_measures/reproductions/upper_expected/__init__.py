"""The experiments of the upper-expected paper (Feng and Karmaker Santu, IPM 2023).

The paper ranks MQ2007 and MSLR-WEB30K by RankLib. Neither is here, so rankers are trained on MQ2008
and the tables have the paper's shape, without the paper's numbers.
"""

from __future__ import annotations

from ...measures.citations import paper
from ..material import Request
from ..results import Claims as Claims
from ..results import Reproduction
from .claims import claims
from .figures import expected_values, query_types
from .rankers import letor_material as letor_material
from .rankers import letor_split as letor_split
from .rankers import material_of
from .rankers import ranked as ranked
from .scores import BASES, DECLARED, Scores
from .scores import CUTOFFS as CUTOFFS
from .tables import (
    absolute_differences,
    conflicts,
    corrected_scores,
    data_statistics,
    original_scores,
    rank_correlations,
    significant_differences,
    swaps_between_data_sets,
    swaps_between_difficulties,
    swaps_between_document_sets,
    swaps_between_query_sets,
)

entries = DECLARED.entries


def reproduce(request: Request | None = None) -> Reproduction:
    """Both case studies on the user's runs, or on rankers trained on learning-to-rank data.

    The data is that of `request`: the folder `letor`, else qrels and runs, else MQ2008 in the
    folder of local data, else simulated learning-to-rank data.
    """
    asked = request or Request()
    material, split = material_of(asked)
    scores = Scores.of(material, asked.progress)
    tables = [data_statistics(scores, split)]
    for base, of_documents in zip(BASES, swaps_between_document_sets(scores), strict=True):
        tables += [
            original_scores(scores, base),
            corrected_scores(scores, base),
            rank_correlations(scores, base),
            conflicts(scores, base),
            significant_differences(scores, base),
            absolute_differences(scores, base),
            swaps_between_data_sets(scores, base),
            swaps_between_query_sets(scores, base),
            swaps_between_difficulties(scores, base),
            of_documents,
        ]
    figures = (query_types(scores), *(expected_values(scores, base) for base in BASES))
    return Reproduction(
        paper("feng2023"),
        (material.description,),
        tuple(tables),
        figures,
        Claims(claims(scores, tables)),
    )
