"""PyTerrier transformers over `indexes`; none of them needs Java."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import pyterrier as pt

from .indexes import Searchable, TermCounts, TfIdf, Weights
from .tokenisers import Tokenise

if TYPE_CHECKING:
    from pandas import DataFrame, Series


class Terms(pt.Transformer):
    """Queries to terms: adds the column ``query_toks``.

    Parameters
    ----------
    tokenise
        The terms of a text.
    weigh
        The weights of terms that occur so many times; by default the number of times.
    """

    def __init__(self, tokenise: Tokenise, weigh: Callable[[Weights], Weights] | None = None):
        self.tokenise, self.weigh = tokenise, weigh

    def transform(self, topics: DataFrame) -> DataFrame:
        """Topics with the column ``query_toks``."""
        weighted: list[Any] = [Counter(self.tokenise(text)) for text in topics["query"]]
        if self.weigh is not None:
            weighted = [self.weigh(counts) for counts in weighted]
        return topics.assign(query_toks=weighted)


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
        columns = (topics["qid"], topics["query"], topics["query_toks"])
        return _joined([self._of_query(*topic) for topic in zip(*columns, strict=True)])

    def _of_query(self, qid: str, query: str, weights: Weights) -> DataFrame:
        scores = self.index.scores(weights)
        matching = np.flatnonzero(scores > 0)
        best = matching[np.lexsort((matching, -scores[matching]))][: self.depth]
        topic = {"qid": qid, "query": query, "query_toks": [weights] * len(best)}
        return _results(topic, self.doc_ids[best], scores[best])


class Rm3(pt.Transformer):
    """Relevance model 3: the query and the terms of its first results, interpolated.

    Parameters
    ----------
    counts
        The terms of the documents.
    doc_ids
        The id of each document.
    documents, terms
        The number of feedback documents, and of terms to add.
    weight
        The share of the original query.
    """

    def __init__(
        self,
        counts: TermCounts,
        doc_ids: Sequence[str],
        documents: int = 10,
        terms: int = 20,
        weight: float = 0.5,
    ) -> None:
        self.counts, self.documents, self.terms, self.weight = counts, documents, terms, weight
        self.rows = {doc_id: row for row, doc_id in enumerate(doc_ids)}

    def transform(self, results: DataFrame) -> DataFrame:
        """Topics with new ``query_toks``."""
        return _expanded(results, self.documents, self._expand)

    def _expand(self, query: Weights, first: DataFrame) -> dict[str, float]:
        docs = self.counts.counts[[self.rows[doc_id] for doc_id in first["docno"]]]
        shares = first["score"].to_numpy() / first["score"].sum()
        lengths = np.asarray(docs.sum(axis=1)).ravel()
        model = self.counts.weights(docs.T @ (shares / lengths), self.terms)
        return _mixed(_sums_to(query, self.weight), _sums_to(model, 1 - self.weight))


class Rocchio(pt.Transformer):
    """Rocchio's feedback without negative documents, on TF-IDF vectors.

    Parameters
    ----------
    vectors
        The vectors of the documents.
    doc_ids
        The id of each document.
    documents, terms
        The number of feedback documents, and of terms to add.
    beta
        The weight of the mean of the feedback documents; that of the query is 1.
    """

    def __init__(
        self,
        vectors: TfIdf,
        doc_ids: Sequence[str],
        documents: int = 10,
        terms: int = 50,
        beta: float = 0.75,
    ) -> None:
        self.vectors, self.documents, self.terms, self.beta = vectors, documents, terms, beta
        self.rows = {doc_id: row for row, doc_id in enumerate(doc_ids)}

    def transform(self, results: DataFrame) -> DataFrame:
        """Topics with new ``query_toks``."""
        return _expanded(results, self.documents, self._expand)

    def _expand(self, query: Weights, first: DataFrame) -> dict[str, float]:
        docs = self.vectors.docs[[self.rows[doc_id] for doc_id in first["docno"]]]
        mean = np.asarray(docs.mean(axis=0)).ravel()
        added = self.vectors.counts.weights(self.beta * mean, self.terms)
        return _mixed(query, added)


class Fusion(pt.Transformer):
    """Fuse systems: a document scores the sum of the points that it has in each.

    Parameters
    ----------
    systems
        Their results have the columns score and rank.
    depth
        The largest number of documents of a query.
    points
        The points of each row of results: `reciprocal_ranks` or `retrieval_scores`.
    """

    def __init__(
        self,
        systems: Sequence[pt.Transformer],
        depth: int,
        points: Callable[[DataFrame], Series[float]],
    ) -> None:
        self.systems, self.depth, self.points = systems, depth, points

    def transform(self, topics: DataFrame) -> DataFrame:
        """Results: qid, query, docno, score, rank."""
        import pandas as pd

        found = pd.concat([system.transform(topics) for system in self.systems])
        found["score"] = self.points(found)
        sums = found.groupby(["qid", "docno"], sort=True)["score"].sum().reset_index()
        order = ["qid", "score", "docno"]
        sums = sums.sort_values(order, ascending=[True, False, True], kind="stable")
        sums["rank"] = sums.groupby("qid").cumcount()
        return topics[["qid", "query"]].merge(sums[sums["rank"] < self.depth], on="qid")


def reciprocal_ranks(results: DataFrame) -> Series[float]:
    """1 / (60 + rank), ranks from 1: Cormack, Clarke and Büttcher (SIGIR 2009)."""
    return 1 / (61 + results["rank"])


def retrieval_scores(results: DataFrame) -> Series[float]:
    """The scores, which must have the same scale in all systems: CombSUM."""
    return results["score"]


def _expanded(
    results: DataFrame, documents: int, expand: Callable[[Weights, DataFrame], Weights]
) -> DataFrame:
    """A topic per query, expanded by its first results."""
    import pandas as pd

    first = results[results["rank"] < documents]
    topics = [
        {
            "qid": qid,
            "query": of_query["query"].iloc[0],
            "query_toks": expand(of_query["query_toks"].iloc[0], of_query),
        }
        for qid, of_query in first.groupby("qid", sort=False)
    ]
    return pd.DataFrame(topics, columns=["qid", "query", "query_toks"])


def _results(topic: Mapping[str, Any], docs: Any, scores: Any) -> DataFrame:
    import pandas as pd

    ranks = np.arange(len(docs))
    return pd.DataFrame({**topic, "docno": docs, "score": scores, "rank": ranks})


def _joined(parts: Sequence[DataFrame]) -> DataFrame:
    import pandas as pd

    columns = ["qid", "query", "query_toks", "docno", "score", "rank"]
    filled = [part for part in parts if len(part)]
    return pd.concat(filled, ignore_index=True) if filled else pd.DataFrame(columns=columns)


def _sums_to(weights: Weights, total: float) -> dict[str, float]:
    """The weights, multiplied by a factor so that they sum to `total`."""
    factor = total / sum(weights.values())
    return {term: weight * factor for term, weight in weights.items()}


def _mixed(first: Weights, second: Weights) -> dict[str, float]:
    """The sum of two queries."""
    mixed = dict(first)
    for term, weight in second.items():
        mixed[term] = mixed.get(term, 0.0) + weight
    return mixed
