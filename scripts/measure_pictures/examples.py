"""The small runs and judgments of the pages' examples."""

from __future__ import annotations

from collections.abc import Iterable

Run = dict[str, dict[str, float]]


def ranking(docs: Iterable[object], query: str = "q") -> Run:
    """A run that returns documents in this order for a query."""
    return {query: {str(doc): -float(rank) for rank, doc in enumerate(docs)}}


# Table 1 of the paper on NRG.
R1, R2, R3 = ranking("ABCDEFGHIJ"), ranking("EDCBAFGHIJ"), ranking("JIHGFEDCBA")
OF_TABLE_1 = {"q": dict.fromkeys("AEFJ", 4)}

# Four systems; W, X, Y and Z are not relevant.
SYSTEMS = {
    "bm25": ranking("ABHXD"),
    "dense": ranking("ABCEY"),
    "sparse": ranking("ABDEZ"),
    "rerank": ranking("ACFGW"),
}
RELEVANT = "ABCDEFGH"
OF_SYSTEMS = {"q": {**dict.fromkeys(RELEVANT, 1), **dict.fromkeys("WXYZ", 0)}}

# Table 1 of the paper on RBR.
REFERENCE = ["D07", "D04", "D11", "D12", "D10", "D15", "D06", "D22", "D19", "D28"]
OBSERVED = ["D06", "D23", "D10", "D07", "D04"]

# The last two rows of Table 3 of the same paper.
TEN = list(range(1, 11))
REARRANGED = {"halves swapped": TEN[5:] + TEN[:5], "reversed": TEN[::-1]}

# U and V are unjudged.
PARTLY_JUDGED = ranking("AUBCVD")
OF_PARTLY_JUDGED = {"q": {"A": 1, "B": 0, "C": 1, "D": 0}}

# Four queries with 8 judged documents each, which the run returns in the order A to H.
RELEVANT_OF = {"1 of 8": "B", "3 of 8": "ACF", "5 of 8": "ABDFG", "7 of 8": "ABCDFGH"}
EIGHT = {query: docs["q"] for query in RELEVANT_OF for docs in [ranking("ABCDEFGH")]}
OF_EIGHT = {
    query: {doc: int(doc in relevant) for doc in "ABCDEFGH"}
    for query, relevant in RELEVANT_OF.items()
}
