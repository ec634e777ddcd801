"""Compares the rank column of a run with its score column, which alone orders documents."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import chain, groupby, islice, pairwise
from typing import IO, Any, NamedTuple, TypeVar

# A choice: 1300 lines or so. A file of any size then takes .1 ms. Scoring one of 100 000 lines
# takes 8 ms.
HEAD_BYTES = 1 << 16

HEAD_ROWS = 1300  # of a run that is no text

# A choice: a rule shows in the top and the last line of a few queries.
MOST_QUERIES, TOP_LINES = 10, 4

QUERY, DOC, RANK, SCORE, COLUMNS = 0, 2, 3, 4, 6  # places in a line, and how many there are

Value = TypeVar("Value")

ORDERED = "documents are ordered by score, and the rank column is not read"


class HeadRow(NamedTuple):
    """One of the first rows of a run; `rank` may be text, and no number."""

    query: str
    doc: str
    rank: Any
    score: float


class RankedScore(NamedTuple):
    """The rank and the score in a row."""

    rank: int
    score: float


def contradiction(rows: Iterable[HeadRow]) -> str:
    """How the ranks of a run contradict its scores; empty if they do not, or if nothing is known.

    Parameters
    ----------
    rows
        The first rows of the run. The top and the last one of a few queries are compared.

    Notes
    -----
    A query counts if it has two ranks: a rank column that is constant, or no number, says nothing.
    """
    ranked = {
        query: sorted(scores)
        for query, scores in _by_query(rows)
        if len({s.rank for s in scores}) > 1
    }
    equal = {query: of for query, of in ranked.items() if len({s.score for s in of}) == 1}
    rising = {query: of for query, of in ranked.items() if query not in equal and _rises(of)}
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
            return (
                f"{what} in {len(found)} of the {len(ranked)} queries looked at ({query!r}: score "
                f"{of[0].score:g} at rank {of[0].rank}, {of[-1].score:g} at rank {of[-1].rank}); "
                f"{rule}"
            )
    return ""


def _by_query(rows: Iterable[HeadRow]) -> Iterator[tuple[str, list[RankedScore]]]:
    """The first rows of each query and its last one, for the first queries."""
    of_query: dict[str, list[HeadRow]] = {}
    for row in rows:
        of_query.setdefault(row.query, []).append(row)
    for query, listed in islice(of_query.items(), MOST_QUERIES):
        ranks = ((_whole(row.rank), row.score) for row in _some(listed))
        yield query, [RankedScore(rank, score) for rank, score in ranks if rank is not None]


def _whole(value: Any) -> int | None:
    """A rank, which may be text; None if it is no whole number."""
    text = f"{value:g}" if isinstance(value, float) else str(value)
    return int(text) if text.isdecimal() and len(text) < 20 else None


def _rises(scores: list[RankedScore]) -> bool:
    """Whether no document has a lower score than a document of a better rank."""
    return all(one.score <= following.score for one, following in pairwise(scores))


def head_of(file: IO[bytes]) -> list[HeadRow]:
    """The first lines of each query and its last one, for the first queries of a TREC file.

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
    by_query = groupby(lines, lambda line: line.split(None, 1)[:1])
    some = (_some(list(of_query)) for _, of_query in islice(by_query, MOST_QUERIES))
    return [row for line in chain.from_iterable(some) if (row := _parsed(line)) is not None]


def _some(of_query: list[Value]) -> list[Value]:
    return [*of_query[: min(TOP_LINES, len(of_query) - 1)], of_query[-1]]


def _parsed(line: bytes) -> HeadRow | None:
    cells = line.split()
    if len(cells) < COLUMNS or cells[0].startswith(b"#"):
        return None
    query, doc, rank = (cells[place].decode(errors="replace") for place in (QUERY, DOC, RANK))
    try:
        return HeadRow(query, doc, rank, float(cells[SCORE]))
    except ValueError:
        return None
