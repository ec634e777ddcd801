"""The catalogue of this package's measures."""

from __future__ import annotations

from typing import TypeVar

import ir_measures

from ..exceptions import InputError
from .base import Measure

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


def measure_info() -> list[Measure]:
    """Every measure of this package.

    Returns
    -------
    list of measures
        Each has its `NAME` in measure strings, a `summary`, its `PARAMS` by name (a `default` and a
        `desc` each), its `RANGE`, whether it `NEEDS_CUTOFF`, and its `PAPERS`, of which the first
        defines it; ``help(measure)`` is its documentation.

    Examples
    --------
    >>> import irx_measures
    >>> [measure.NAME for measure in irx_measures.measure_info()][:3]
    ['NRG', 'UniqueRel', 'TaSC']
    """
    return list(catalogue.values())
