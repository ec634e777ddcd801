"""What explains a score of one query: its documents, their factors, and the formula's terms."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias, TypeVar

import numpy as np
from numpy.typing import NDArray

from ...common.numeric import AnyArray, BoolArray, FloatArray, IntArray
from ...judgments.judged_run import JudgedRun

Factors: TypeAlias = Mapping[str, AnyArray | Sequence[str]]

Scalar = TypeVar("Scalar", bound=np.generic)


MEANINGS = {
    # Graded relevance and ranks.
    "gain": "what the document's grade is worth",
    "discount": "1 / log2(rank + 1)",
    "relevant": "1 if the grade is at least rel, else 0",
    "weight": "the probability that a user of the run sees its rank",
    "DCG": "the sum of gain x discount over the top k",
    "ideal": "the DCG of the ideal ranking",
    "precision": "the share of relevant documents down to this rank",
    "stop": "the probability that the user stops here: (2^grade - 1) / 16",
    "reached": "the probability that the user reads this far",
    "ERR": "the sum of stop x reached / rank",
    "hits": "relevant documents that the run returns",
    "found": "the sum that the documents of the top k make",
    "first": "the rank of the first relevant document",
    "N": "relevant documents of the query",
    "k": "the cutoff",
    "phi": "the persistence",
    # The gain beyond other runs.
    "priors": "the priors with the document in their top k, each with its rank",
    "n_priors": "the number of priors that count",
    "unseen": "the probability that no user of a prior saw the document",
    "residual_gain": "gain x unseen",
    "in_base": "what the document adds to the base score",
    # Rareness.
    "relevance": "Rel(d), in [0, 1]",
    "finders": "how many of the systems found the document",
    "rareness": "R(d), or R'(d) with form='mixture': 0 if every system found the document",
    "worth": "how much a relevant document counts: more, the fewer systems found it",
    "systems": "the systems, with this run",
    "alpha": "the weight of rareness",
    # Comparison with a reference, and bounds.
    "reference_rank": "the document's rank in the reference; 0: not in it",
    "reference_weight": "the weight of that rank; tied documents share theirs",
    "run_weight": "the weight of the document's rank in the run",
    "in_lower": "what the document adds to the lower bound",
    "depth": "the rank from which both lists have the document",
    "lower": "the lower bound",
    "upper": "the upper bound",
    "residual": "what further ranks of both lists could add",
    "b": "documents of the run that count",
    "r": "documents of the reference",
    "seen": "the part of the ranks that at least one list has",
    "rate": "the agreement at the end of the shorter list",
    "common": "documents in both lists",
    "shorter": "the length of the shorter list",
    "longer": "the length of the longer list",
    "tail": "the weight of all ranks after the last document",
    # Normalisation by random orders.
    "in_A": "what the document adds to A",
    "A": "the raw score of the run",
    "IUB": "the raw score of the ideal order of the candidates",
    "REB": "the mean raw score of all orders of the candidates",
    "n": "the candidates: documents that a random order permutes",
    # Unjudged documents.
    "unjudged": "unjudged documents in the top k",
    "in_DCG": "what the document adds to DCG",
    "added": "the most that the unjudged documents can add by this bound",
    "greatest": "the largest nDCG over all grades of the unjudged documents",
    "mode": "the most frequent score",
    "mean": "the mean of the scores of all samples",
    "std": "their standard deviation",
    "median": "half of the scores are lower",
}
"""What factors and terms mean, by name; a measure that means something else says so."""


@dataclass(frozen=True)
class Documents:
    """The documents of one query: the run's top k by rank, then the other judged ones."""

    row: int  # the query's row in the judgments
    ids: list[str]
    rank: IntArray  # (documents,), within the cutoff, from 1; 0 if it is not in the top k
    rank_in_run: IntArray  # (documents,), without a cutoff; 0 if the run does not return it
    column: IntArray  # (documents,), in the judgments; -1 if it is unjudged

    @classmethod
    def of(
        cls, judged: JudgedRun, row: int, returned: Sequence[str], cutoff: int | None
    ) -> Documents:
        """The documents of a query: those that the run returns, by rank, and the judged ones."""
        column_of = {doc: column for column, doc in enumerate(judged.judgments.ids_of(row))}
        rank_of = {doc: rank for rank, doc in enumerate(returned, start=1)}
        top = list(returned[:cutoff])
        in_top = set(top)
        ids = [*top, *(doc for doc in column_of if doc not in in_top)]
        rank = np.zeros(len(ids), np.int64)
        rank[: len(top)] = np.arange(1, len(top) + 1)
        rank_in_run = np.array([rank_of.get(doc, 0) for doc in ids], np.int64)
        column = np.array([column_of.get(doc, -1) for doc in ids], np.int64)
        return cls(row, ids, rank, rank_in_run, column)

    def of_columns(self, values: NDArray[Scalar], others: float = 0) -> NDArray[Scalar]:
        """Values of the first columns of the judgments, (columns, ...), for each document.

        Documents that are in none of these columns have the value `others`.
        """
        has_value = (self.column >= 0) & (self.column < len(values))
        aligned = np.full((len(self.ids), *values.shape[1:]), others, values.dtype)
        aligned[has_value] = values[self.column[has_value]]
        return aligned

    @property
    def in_top(self) -> BoolArray:
        """Which documents are in the top k."""
        return self.rank > 0

    @property
    def unjudged(self) -> BoolArray:
        """Which documents of the top k are unjudged."""
        return self.column < 0


@dataclass(frozen=True)
class Reasons:
    """Why a run has its score on a query."""

    factors: Factors  # by name, with one value per document
    terms: dict[str, float]  # the numbers in the formula, and others that help to read it
    formula: str  # an arithmetic expression of the terms' names; its value is the score
    worth: FloatArray  # (documents,): what one outside of the top k could add, in any unit
    contribution: FloatArray | None = None  # (documents,); None if the score is no sum over them
    # Of factors and terms for which `MEANINGS` has none, or another one.
    meanings: dict[str, str] = field(default_factory=dict)

    @property
    def legend(self) -> dict[str, str]:
        """The meaning of each factor and term, in the order of their use."""
        known = {**MEANINGS, **self.meanings}
        used = dict.fromkeys([*self.factors, *self.terms])
        return {name: known[name] for name in used if name in known}


def with_numbers(formula: str, terms: Mapping[str, float], places: int) -> str:
    """A formula with numbers in place of names; -1: with all digits."""

    def number(match: re.Match[str]) -> str:
        value = float(terms[match[0]])
        if places == -1:
            return repr(value)
        return str(int(value)) if value.is_integer() else f"{value:.{places}f}"

    names = sorted(terms, key=len, reverse=True)
    if not names:
        return formula
    return re.sub(rf"(?<![\w.])(?:{'|'.join(map(re.escape, names))})(?![\w.])", number, formula)


def quotient(numerator: str, denominator: str, terms: Mapping[str, float]) -> str:
    """The formula of a fraction that is 0 if its denominator is 0."""
    return f"{numerator} / {denominator}" if terms[denominator] else "0"
