"""The catalogue of this package's measures."""

from __future__ import annotations

from dataclasses import dataclass
from inspect import getdoc
from typing import TypeVar

import ir_measures

from ..exceptions import InputError
from .base import Measure
from .citations import Paper
from .params import Param

AnyMeasure = TypeVar("AnyMeasure", bound=Measure)

catalogue: dict[str, Measure] = {}


def register(measure: AnyMeasure) -> AnyMeasure:
    """Add a measure to this package's catalogue and to ir_measures' registry.

    Returns
    -------
    The measure, so that the caller can assign it to a name.

    Raises
    ------
    ValueError
        When this package or ir_measures already has a measure with this name.
    """
    name = str(measure.NAME)
    if name in ir_measures.measures.registry:
        raise InputError(f"there is already a measure with the name {name!r}")
    ir_measures.measures.register(measure)
    catalogue[name] = measure
    return measure


@dataclass(frozen=True)
class MeasureInfo:
    """The documentation of a measure.

    Attributes
    ----------
    name : str
        The name in measure strings.
    declared_as : str
        The dotted path of the class that declares the measure.
    summary : str
        The first line of the docstring.
    params : dict from name to parameter
        Each has a `default` and a `desc`.
    range : (least, greatest)
        The lowest and the highest possible score; infinite if there is no bound.
    needs_cutoff : bool
    papers : tuple of Paper
        The papers to cite. The first one defines the measure. A `Paper` has `authors`, `title`,
        `venue`, `year`, `doi` and `bibtex()`. A field is empty if its value is not certain.
    doc : str
    """

    name: str
    declared_as: str
    summary: str
    params: dict[str, Param]
    range: tuple[float, float]
    needs_cutoff: bool
    papers: tuple[Paper, ...]
    doc: str

    @property
    def family(self) -> str:
        """The name of the module that declares the measure."""
        return self.declared_as.split(".")[-2]

    @property
    def paper(self) -> Paper:
        """The paper that defines the measure."""
        return self.papers[0]

    @property
    def citation(self) -> str:
        """The papers as text."""
        return " ".join(paper.text for paper in self.papers)


def measure_info() -> list[MeasureInfo]:
    """Name, parameters and documentation of every measure of this package.

    Returns
    -------
    list of MeasureInfo

    Examples
    --------
    >>> import irx_measures
    >>> [info.name for info in irx_measures.measure_info()][:3]
    ['NRG', 'UniqueRel', 'TaSC']
    """
    return [_info(measure) for measure in catalogue.values()]


def _info(measure: Measure) -> MeasureInfo:
    doc = getdoc(type(measure)) or ""
    return MeasureInfo(
        name=str(measure.NAME),
        declared_as=f"{type(measure).__module__}.{type(measure).__qualname__}",
        summary=doc.split("\n", 1)[0].rstrip("."),
        params=dict(measure.SUPPORTED_PARAMS),
        range=measure.RANGE,
        needs_cutoff=measure.NEEDS_CUTOFF,
        papers=measure.PAPERS,
        doc=doc,
    )
