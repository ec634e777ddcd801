"""The experiments of the upper-expected paper (Feng and Karmaker Santu, IPM 2023).

The paper ranks MQ2007 and MSLR-WEB30K by RankLib. Neither is here, so rankers are trained on MQ2008
and the tables have the paper's shape, without the paper's numbers.
"""

from __future__ import annotations

from ...measures.upper_expected import PAPER as PAPER
from ..material import Request
from ..results import Reproduction
from .claims import claims as claims
from .figures import expected_values as expected_values
from .figures import query_types as query_types
from .inventory import ENTRIES as ENTRIES
from .rankers import letor_material as letor_material
from .rankers import letor_split as letor_split
from .rankers import material_of
from .rankers import ranked as ranked
from .scores import BASES as BASES
from .scores import CUTOFFS as CUTOFFS
from .scores import Scores
from .tables import OF_BASE, data_statistics, swaps_between_document_sets
from .tables import absolute_differences as absolute_differences
from .tables import conflicts as conflicts
from .tables import corrected_scores as corrected_scores
from .tables import original_scores as original_scores
from .tables import rank_correlations as rank_correlations
from .tables import significant_differences as significant_differences
from .tables import swaps_between_data_sets as swaps_between_data_sets
from .tables import swaps_between_difficulties as swaps_between_difficulties
from .tables import swaps_between_query_sets as swaps_between_query_sets


def reproduce(request: Request | None = None) -> Reproduction:
    """Both case studies on the user's runs, or on rankers trained on learning-to-rank data.

    The data is that of `request`: the folder `letor`, else qrels and runs, else MQ2008 in the
    folder of local data, else simulated learning-to-rank data.

    Raises
    ------
    ValueError
        When there are fewer than two runs, or the data cannot be read.
    ImportError
        When rankers must be trained and scikit-learn or LightGBM is missing (extra: reproduce).
    """
    asked = request or Request()
    material, split = material_of(asked)
    scores = Scores.of(material, asked.progress)
    of_documents = swaps_between_document_sets(scores)
    tables = [data_statistics(scores, split)]
    for base, last in zip(BASES, of_documents, strict=True):
        tables += [*(table(scores, base) for table in OF_BASE), last]
    figures = (query_types(scores), *(expected_values(scores, base) for base in BASES))
    return Reproduction(
        PAPER, (material.description,), tuple(tables), figures, claims(scores, tables)
    )
