"""The catalogue of this package's measures."""

from __future__ import annotations

from dataclasses import dataclass
from inspect import getdoc

import ir_measures

from .base import Measure
from .params import Param

catalogue: dict[str, Measure] = {}


def register(measure: Measure) -> None:
    """Add a measure to this package's catalogue and to ir_measures' registry, once."""
    name = str(measure.NAME)
    if name not in catalogue:
        catalogue[name] = measure
        ir_measures.measures.register(measure)


@dataclass(frozen=True)
class MeasureInfo:
    """A measure's page.

    Attributes
    ----------
    name : str
        As in measure strings.
    summary : str
        The first line of the docstring.
    params : dict from name to parameter
        Each has a `default` and a `desc`.
    range : (least, greatest)
        Infinite where there is no bound.
    needs_cutoff : bool
    citation : str
    doc : str
    """

    name: str
    summary: str
    params: dict[str, Param]
    range: tuple[float, float]
    needs_cutoff: bool
    citation: str
    doc: str


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
        summary=doc.split("\n", 1)[0].rstrip("."),
        params=dict(measure.SUPPORTED_PARAMS),
        range=measure.RANGE,
        needs_cutoff=measure.NEEDS_CUTOFF,
        citation=measure.CITATION,
        doc=doc,
    )
