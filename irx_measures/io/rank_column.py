"""Compares the rank column of a run with its score column, which alone orders documents."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import islice, pairwise
from typing import Any, NamedTuple, TypeVar

# Choices, as in native/: a rule shows in the top and the last line of a few queries.
HEAD_ROWS, MOST_QUERIES, TOP_LINES = 1300, 10, 4

Value = TypeVar("Value")

ORDERED = "documents are ordered by score, and the rank column is not read"

RISES = ("the score column rises with the rank column", ORDERED)

CONSTANT = (
    "the score column is constant and the rank column is not",
    f"{ORDERED}: equal scores are ordered by document id",
)


class HeadRow(NamedTuple):
    """A row at the beginning of a run; its rank may be text, and no number."""

    query: str
    doc: str
    rank: Any
    score: float


def contradiction(rows: Iterable[HeadRow]) -> str:
    """How the ranks of a run contradict its scores; empty if they do not, or if nothing is known.

    Of the first rows of the run, the top and the last one of a few queries are compared. A query
    counts if it has two ranks: a rank column that is constant, or no number, says nothing.
    """
    of_query: dict[str, list[tuple[Any, float]]] = {}
    for query, _, rank, score in rows:
        of_query.setdefault(query, []).append((rank, score))
    looked_at = 0
    found: dict[tuple[str, str], list[str]] = {RISES: [], CONSTANT: []}
    for query, listed in islice(of_query.items(), MOST_QUERIES):
        ranked = _ranked(_some(listed))
        if len({rank for rank, _ in ranked}) < 2:
            continue
        looked_at += 1
        verdict = _verdict(ranked)
        if verdict is not None:
            (first, best), (last, worst) = ranked[0], ranked[-1]
            example = f"{query!r}: score {best:g} at rank {first}, {worst:g} at rank {last}"
            found[verdict].append(example)
    for (what, rule), examples in found.items():
        if 2 * len(examples) > looked_at:
            return (
                f"{what} in {len(examples)} of the {looked_at} queries looked at ({examples[0]}); "
                f"{rule}"
            )
    return ""


def _ranked(rows: list[tuple[Any, float]]) -> list[tuple[int, float]]:
    """Rank and score of the rows of a query whose rank is a whole number, by ascending rank."""
    ranked = []
    for rank, score in rows:
        whole = _whole(rank)
        if whole is not None:
            ranked.append((whole, score))
    return sorted(ranked)


def _verdict(ranked: list[tuple[int, float]]) -> tuple[str, str] | None:
    """How the ranks of a query contradict its scores: RISES or CONSTANT; None if they do not."""
    scores = [score for _, score in ranked]
    if any(above > below for above, below in pairwise(scores)):
        return None
    return CONSTANT if scores[0] == scores[-1] else RISES


def rows_of_first_queries(rows: Iterable[HeadRow]) -> list[HeadRow]:
    """The rows that are looked at in a run, or a part of one, whose rows stand in any order."""
    of_query: dict[str, list[HeadRow]] = {}
    for row in rows:
        of_query.setdefault(row.query, []).append(row)
    kept = []
    for query in sorted(of_query)[:MOST_QUERIES]:
        kept += _some(sorted(of_query[query], key=lambda row: (-row.score, row.doc)))
    return kept


def _whole(value: Any) -> int | None:
    """A rank, which may be text; None if it is no whole number."""
    text = f"{value:g}" if isinstance(value, float) else str(value)
    return int(text) if text.isdecimal() and len(text) < 20 else None


def _some(of_query: list[Value]) -> list[Value]:
    return [*of_query[: min(TOP_LINES, len(of_query) - 1)], *of_query[-1:]]
