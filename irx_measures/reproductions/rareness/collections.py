"""The collections of the rareness paper, and their systems' scores."""

from __future__ import annotations

from typing import NamedTuple

from ...common.numeric import FloatArray
from ...exceptions import InputError
from ...scoring.evaluate import evaluate
from ...scoring.score_matrix import ScoreMatrix
from ..collections import DLT20, TREC5, TREC8, WT14, Collection
from ..inventory import declared
from ..material import Material, Request, paper_material

DECLARED = declared(__package__)

ALPHAS = (0.0, 0.25, 0.5, 0.75, 1.0)  # chosen on the axis of Figure 2, which has all from 0 to 1
FORMS = {
    "P@100": "P_Rareness(systems=others, alpha={:g})@100",
    "AP": "AP_Rareness(systems=others, alpha={:g})@100",
}


class Column(NamedTuple):
    """A collection of the tables.

    Attributes
    ----------
    label
        As the paper calls it.
    collection
    systems
        Number of runs in the paper.
    """

    label: str
    collection: Collection
    systems: int


COLUMNS = (
    Column("TREC-8", TREC8, 129),
    Column("TREC-5", TREC5, 61),
    Column("WT14", WT14, 29),
    Column("DLT20", DLT20, 64),
)


class Scored(NamedTuple):
    """The scores of a collection's systems.

    Attributes
    ----------
    label
        The name of the collection in the tables.
    material
    matrix
        P_Rareness and AP_Rareness at every alpha.
    in_paper
        Number of runs in the paper; None if the paper has no numbers for this data.
    """

    label: str
    material: Material
    matrix: ScoreMatrix
    in_paper: int | None = None

    def scores(self, measure: str, alpha: float) -> FloatArray:
        """Scores of a measure of `FORMS`: (systems, queries)."""
        return self.matrix[FORMS[measure].format(alpha)]

    @property
    def remark(self) -> str:
        """How many runs are here, and how many the paper has."""
        here = f"{self.label}: {len(self.matrix.systems)} runs"
        return here if self.in_paper is None else f"{here}, the paper has {self.in_paper}"


def score(material: Material) -> Scored:
    """Evaluate the runs by both measures at every alpha.

    Raises
    ------
    ValueError
        When there is only one run.
    """
    if len(material.runs) < 2:
        raise InputError("the rareness paper compares systems: it needs at least 2 runs; got 1")
    measures = [form.format(alpha) for form in FORMS.values() for alpha in ALPHAS]
    matrix = evaluate(material.runs, material.qrels, measures)
    for column in COLUMNS:
        if column.collection == material.collection:
            return Scored(column.label, material, matrix, column.systems)
    return Scored(material.label, material, matrix)


def scored_collections(request: Request) -> list[Scored]:
    """The named data; else the paper's collections that are here; else a simulated campaign."""
    if not request.names_data:
        found = [paper_material(column.collection) for column in COLUMNS]
        scored = [score(material) for material in found if material is not None]
        if scored:
            return scored
    return [score(request.material_of(TREC8))]


def missing_collections(scored: list[Scored]) -> str:
    """Which collections of the tables are not here, and where they would be read from."""
    here = {one.label for one in scored}
    if not here & {column.label for column in COLUMNS}:
        return ""
    absent = [
        f"{column.label} ({column.collection.folder})"
        for column in COLUMNS
        if column.label not in here
    ]
    return f"not in the data folder: {', '.join(absent)}" if absent else ""
