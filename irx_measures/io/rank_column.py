"""Compares the rank column of a run with its score column, which alone orders documents."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import groupby, islice, pairwise
from typing import IO, Any, TypeVar

# A choice: 1300 lines or so. A file of any size then takes .1 ms. Scoring one of 100 000 lines
# takes 8 ms.
HEAD_BYTES = 1 << 16

HEAD_ROWS = 1300  # of a run that is no text

# A choice: a rule shows in the top and the last line of a few queries.
MOST_QUERIES, TOP_LINES = 10, 4

Value = TypeVar("Value")

ORDERED = "documents are ordered by score, and the rank column is not read"


def contradiction(rows: Iterable[tuple[str, Any, float]]) -> str:
    """How the ranks of a run contradict its scores; empty if they do not, or if nothing is known.

    Parameters
    ----------
    rows
        Query, rank and score of the first rows of the run; the rank may be text, and no number.
        The top and the last one of a few queries are compared.

    Notes
    -----
    A query counts if it has two ranks: a rank column that is constant, or no number, says nothing.
    """
    of_query: dict[str, list[tuple[Any, float]]] = {}
    for query, rank, score in rows:
        of_query.setdefault(query, []).append((rank, score))
    ranked = {}
    for query, listed in islice(of_query.items(), MOST_QUERIES):
        some = sorted(
            (whole, score) for rank, score in _some(listed) if (whole := _whole(rank)) is not None
        )
        if len({rank for rank, _ in some}) > 1:
            ranked[query] = some
    equal = {query: of for query, of in ranked.items() if len({score for _, score in of}) == 1}
    rising = {
        query: of
        for query, of in ranked.items()
        if query not in equal and all(one <= other for (_, one), (_, other) in pairwise(of))
    }
    for found, what, rule in (
        (rising, "the score column rises with the rank column", ORDERED),
        (
            equal,
            "the score column is constant and the rank column is not",
            f"{ORDERED}: equal scores are ordered by document id",
        ),
    ):
        if 2 * len(found) > len(ranked):
            query, of = next(iter(found.items()))
            (first, best), (last, worst) = of[0], of[-1]
            return (
                f"{what} in {len(found)} of the {len(ranked)} queries looked at ({query!r}: score "
                f"{best:g} at rank {first}, {worst:g} at rank {last}); {rule}"
            )
    return ""


def _whole(value: Any) -> int | None:
    """A rank, which may be text; None if it is no whole number."""
    text = f"{value:g}" if isinstance(value, float) else str(value)
    return int(text) if text.isdecimal() and len(text) < 20 else None


def head_of(file: IO[bytes]) -> list[tuple[str, str, str, float]]:
    """Query, document, rank and score of the first lines of a TREC file.

    They are the top lines and the last one of the first queries.

    Parameters
    ----------
    file
        The run, decompressed, at its beginning; it is there again afterwards. Only the beginning
        of the file is looked at, and malformed lines are left to the reader.
    """
    head = file.read(HEAD_BYTES)
    file.seek(0)
    lines = head.split(b"\n")
    if len(head) == HEAD_BYTES:
        del lines[-1]  # it may go on
    rows = []
    for _, of_query in islice(groupby(lines, lambda line: line.split(None, 1)[:1]), MOST_QUERIES):
        for line in _some(list(of_query)):
            if line.startswith(b"#"):
                continue
            try:
                query, _, doc, rank, score, _ = line.split(None, 5)
                texts = [text.decode(errors="replace") for text in (query, doc, rank)]
                rows.append((texts[0], texts[1], texts[2], float(score)))
            except ValueError:
                continue  # a blank line, or what the reader refuses
    return rows


def _some(of_query: list[Value]) -> list[Value]:
    return [*of_query[: min(TOP_LINES, len(of_query) - 1)], of_query[-1]]
