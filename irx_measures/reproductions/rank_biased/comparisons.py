"""One ranking or set compared with one reference ranking: the paper's small examples."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from ...measures.base import Measure
from ...measures.rank_biased import RBA, RBO, RBR

Run = dict[str, dict[str, float]]

BY_NAME: dict[str, Measure] = {"RBR": RBR, "RBA": RBA, "RBO": RBO}


def run_of(docs: Iterable[object]) -> Run:
    """A run of one query that ranks the documents in this order."""
    return tied_run([doc] for doc in docs)


def tied_run(groups: Iterable[Iterable[object]]) -> Run:
    """A run of one query that ranks groups of tied documents in this order."""
    return {"q": {str(doc): -float(level) for level, docs in enumerate(groups) for doc in docs}}


def compare(
    name: str, observed: Sequence[object], reference: Run, phi: float, bound: str = "lower"
) -> float:
    """A rank-biased measure of one set or ranking, given the reference."""
    measure = BY_NAME[name](phi=phi, reference=[reference], bound=bound)
    return float(measure.calc_aggregate({}, run_of(observed)))
