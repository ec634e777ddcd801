"""PyTerrier transformers over `indexes`; none of them needs Java."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
import pyterrier as pt
from numpy.typing import NDArray

from .indexes import Searchable, Weights
from .tokenisers import Tokenise

if TYPE_CHECKING:
    from pandas import DataFrame


def terms_of(
    tokenise: Tokenise, weigh: Callable[[Weights], Weights] | None = None
) -> pt.Transformer:
    """Queries to terms: adds the column ``query_toks``.

    Parameters
    ----------
    tokenise
        The terms of a text.
    weigh
        The weights of terms that occur so many times; by default the number of times.
    """

    def with_terms(topics: DataFrame) -> DataFrame:
        weighted: list[Any] = [Counter(tokenise(text)) for text in topics["query"]]
        if weigh is not None:
            weighted = [weigh(counts) for counts in weighted]
        return topics.assign(query_toks=weighted)

    return pt.apply.generic(with_terms)


class Retrieve(pt.Transformer):
    """The best documents of an index for ``query_toks``.

    Parameters
    ----------
    index
        Scores all documents.
    doc_ids
        The id of each document.
    depth
        The largest number of documents of a query.
    """

    def __init__(self, index: Searchable, doc_ids: Sequence[str], depth: int) -> None:
        self.index, self.doc_ids, self.depth = index, np.array(doc_ids, object), depth

    def transform(self, topics: DataFrame) -> DataFrame:
        """Results: qid, query, query_toks, docno, score, rank."""
        found = [self._best(weights) for weights in topics["query_toks"]]
        rows = np.repeat(np.arange(len(found)), [len(docs) for docs, _ in found])
        results = topics[["qid", "query", "query_toks"]].iloc[rows].reset_index(drop=True)
        empty = (np.zeros(0, int), np.zeros(0))
        docs, scores = map(np.concatenate, zip(empty, *found, strict=True))
        ranks = results.groupby("qid").cumcount()
        return results.assign(docno=self.doc_ids[docs], score=scores, rank=ranks)

    def _best(self, weights: Weights) -> tuple[NDArray[np.intp], NDArray[np.float64]]:
        """The rows and scores of a query's best documents."""
        scores = self.index.scores(weights)
        matching = np.flatnonzero(scores > 0)
        best = matching[np.lexsort((matching, -scores[matching]))][: self.depth]
        return best, scores[best]


@dataclass(eq=False, repr=False)
class Feedback(pt.Transformer):
    """Topics with new ``query_toks``, from the first documents of their results.

    Parameters
    ----------
    index
        The documents: their terms (`Rm3`) or their vectors (`Rocchio`).
    doc_ids
        The id of each document.
    documents, terms
        The number of feedback documents, and of terms to add.
    """

    index: Any
    doc_ids: Sequence[str]
    documents: int = 10
    terms: int = 20

    @cached_property
    def rows(self) -> dict[str, int]:
        """The row of each document."""
        return {doc_id: row for row, doc_id in enumerate(self.doc_ids)}

    def transform(self, results: DataFrame) -> DataFrame:
        """A topic per query that has results."""
        import pandas as pd

        topics = [
            {
                "qid": qid,
                "query": first["query"].iloc[0],
                "query_toks": self.expand(
                    first["query_toks"].iloc[0],
                    [self.rows[doc_id] for doc_id in first["docno"]],
                    first["score"].to_numpy(),
                ),
            }
            for qid, first in results[results["rank"] < self.documents].groupby("qid", sort=False)
        ]
        return pd.DataFrame(topics, columns=["qid", "query", "query_toks"])

    def expand(self, query: Weights, rows: list[int], scores: NDArray[np.float64]) -> Weights:
        """The new query, given the rows of the first documents and their scores."""
        raise NotImplementedError


@dataclass(eq=False, repr=False)
class Rm3(Feedback):
    """Relevance model 3: the query and the terms of its first results, interpolated.

    Parameters
    ----------
    index : TermCounts
    doc_ids, documents, terms
        As in `Feedback`.
    weight
        The share of the original query.
    """

    weight: float = 0.5

    def expand(self, query: Weights, rows: list[int], scores: NDArray[np.float64]) -> Weights:
        """The query and the relevance model, which sum to 1."""
        docs = self.index.counts[rows]
        lengths = np.asarray(docs.sum(axis=1)).ravel()
        model = self.index.weights(docs.T @ (scores / scores.sum() / lengths), self.terms)
        return _mixed(_sums_to(query, self.weight), _sums_to(model, 1 - self.weight))


@dataclass(eq=False, repr=False)
class Rocchio(Feedback):
    """Rocchio's feedback without negative documents, on TF-IDF vectors.

    Parameters
    ----------
    index : TfIdf
    doc_ids, documents, terms
        As in `Feedback`.
    beta
        The weight of the mean of the feedback documents; that of the query is 1.
    """

    terms: int = 50
    beta: float = 0.75

    def expand(self, query: Weights, rows: list[int], scores: NDArray[np.float64]) -> Weights:
        """The query, moved towards the mean of the documents."""
        mean = np.asarray(self.index.docs[rows].mean(axis=0)).ravel()
        return _mixed(query, self.index.counts.weights(self.beta * mean, self.terms))


def reciprocal_ranks(results: DataFrame) -> DataFrame:
    """Scores 1 / (60 + rank), ranks from 1: Cormack, Clarke and Büttcher (SIGIR 2009)."""
    return results.assign(score=1 / (61 + results["rank"]))


def in_order(results: DataFrame) -> DataFrame:
    """The results of each query, best first."""
    return results.sort_values(["qid", "rank"])


def _sums_to(weights: Weights, total: float) -> dict[str, float]:
    """The weights, multiplied by a factor so that they sum to `total`."""
    factor = total / sum(weights.values())
    return {term: weight * factor for term, weight in weights.items()}


def _mixed(first: Weights, second: Weights) -> dict[str, float]:
    """The sum of two queries."""
    return {term: first.get(term, 0.0) + second.get(term, 0.0) for term in {**first, **second}}
