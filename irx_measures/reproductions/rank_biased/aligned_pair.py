"""Figure 5 of the paper on RBA: two rankings that only a picture shows, found from the text.

The text gives the mean rank of each of the four documents that one ranking lacks, if it is placed
best, and the length of the union of the rankings. It follows at which ranks these documents stand.
The order of the other seven documents is chosen so that RBA matches the printed score.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations, permutations
from typing import NamedTuple

from ..results import PaperTable, in_rows
from .examples import DECLARED, compare, run_of

PHI = 0.7  # the caption of Figure 5

BASE = DECLARED.tables["Figure 5"].printed["RBA", "base score"]

UNMATCHED_MEAN_RANKS = (7.5, 9.0, 7.0, 9.5)  # the exponents in the text on Figure 5

UNION = 11  # the exponent of the tail in the text

COMMON = UNION - len(UNMATCHED_MEAN_RANKS)


class Pair(NamedTuple):
    """Two rankings; documents with the same name are common."""

    observed: tuple[str, ...]
    reference: tuple[str, ...]


def fitting_pairs() -> Iterator[Pair]:
    """The pairs of rankings that fit the mean ranks of the text and the printed score."""
    for only_observed, only_reference in _unmatched_ranks():
        lengths = COMMON + len(only_observed), COMMON + len(only_reference)
        free = [rank for rank in range(1, lengths[0] + 1) if rank not in only_observed]
        others = [rank for rank in range(1, lengths[1] + 1) if rank not in only_reference]
        for order in permutations(others):
            if abs(_alignment(free, order) - BASE) < 0.0005:
                yield Pair(_ranking("x", lengths[0], free), _ranking("y", lengths[1], order))


def figure_5() -> PaperTable:
    """RBA of the first pair of rankings that fits the text, its residual and its tail."""
    pairs = list(fitting_pairs())
    observed, reference = pairs[0]
    base, rest = (
        compare("RBA", observed, run_of(reference), PHI, bound) for bound in ("lower", "residual")
    )
    tail = PHI ** len({*observed, *reference})
    columns = ("base score", "residual of unmatched documents", "tail residual")
    here = in_rows(columns, {"RBA": (base, rest - tail, tail)})
    shown = f"{' '.join(observed)} against {' '.join(reference)}"
    return DECLARED.table("Figure 5", here, data=shown, pairs=len(pairs))


def _unmatched_ranks() -> Iterator[tuple[list[int], list[int]]]:
    """The ranks of the documents that only the observation, or only the reference, contains."""
    for size in range(len(UNMATCHED_MEAN_RANKS) + 1):
        for chosen in combinations(sorted(UNMATCHED_MEAN_RANKS), size):
            rest = sorted({*UNMATCHED_MEAN_RANKS} - {*chosen})
            observed = _ranks(list(chosen), COMMON + len(rest))
            reference = _ranks(rest, COMMON + size)
            if _is_in(observed, COMMON + size) and _is_in(reference, COMMON + len(rest)):
                yield [int(rank) for rank in observed], [int(rank) for rank in reference]


def _ranks(means: list[float], length: int) -> list[float]:
    """Ranks of documents that the other ranking, of this length, would append in order."""
    return [2 * mean - (length + place) for place, mean in enumerate(means, 1)]


def _is_in(ranks: list[float], length: int) -> bool:
    """Whether the numbers are different ranks of a ranking, in order."""
    return ranks == sorted(set(ranks)) and all(rank in range(1, length + 1) for rank in ranks)


def _alignment(observed: list[int], reference: tuple[int, ...]) -> float:
    """Equation 11: the documents have these ranks in both rankings."""
    pairs = zip(observed, reference, strict=True)
    return (1 - PHI) / PHI * sum(PHI ** ((one + other) / 2) for one, other in pairs)


def _ranking(own: str, length: int, ranks: Sequence[int]) -> tuple[str, ...]:
    """Common documents A, B, ... at these ranks; the documents at other ranks are its own."""
    names = {rank: chr(ord("A") + place) for place, rank in enumerate(ranks)}
    return tuple(names.get(rank, f"{own}{rank}") for rank in range(1, length + 1))
