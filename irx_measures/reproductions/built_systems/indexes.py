"""Indexes of a corpus: counts of terms, BM25 (bm25s), TF-IDF and LSA (scikit-learn).

The query of an index is a dict from terms to weights, as in PyTerrier's column ``query_toks``.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Protocol

import bm25s
import numpy as np
from numpy.typing import NDArray
from sklearn.decomposition import TruncatedSVD
from sklearn.feature_extraction import DictVectorizer
from sklearn.feature_extraction.text import CountVectorizer, TfidfTransformer
from sklearn.preprocessing import normalize

from .tokenisers import Tokenise

Weights = Mapping[str, float]

SEED = 0  # any number does: the index must be the same in every process


class Searchable(Protocol):
    """An index that scores all documents for a query."""

    def scores(self, weights: Weights) -> NDArray[np.float64]:
        """The score of each document; 0 or less for documents that do not match."""


@dataclass(frozen=True)
class TermCounts:
    """How often each term is in each document.

    Attributes
    ----------
    counts : (documents, terms) sparse matrix
    terms : sequence of str
    """

    counts: Any
    terms: Sequence[str]

    @classmethod
    def build(cls, texts: Sequence[str], tokenise: Tokenise) -> TermCounts:
        """Count the terms of texts."""
        vectorizer = CountVectorizer(analyzer=tokenise, dtype=np.int32)
        counts = vectorizer.fit_transform(texts)
        return cls(counts, [str(term) for term in vectorizer.get_feature_names_out()])

    @cached_property
    def columns(self) -> DictVectorizer:
        """Converts queries to rows with the columns of `counts`, and back."""
        return DictVectorizer().fit([dict.fromkeys(self.terms, 1.0)])

    def vector(self, weights: Weights) -> Any:
        """A query as a sparse row; terms that no document has are left out."""
        return self.columns.transform([weights])

    def weights(self, vector: Any, most: int) -> dict[str, float]:
        """The terms of a dense row with the highest weights; equal weights by term."""
        best = np.lexsort((np.arange(len(vector)), -vector))[:most]
        return {self.terms[column]: float(vector[column]) for column in best if vector[column] > 0}


class Bm25:
    """BM25, as Lucene has it.

    Parameters
    ----------
    index
        The index of bm25s.
    """

    def __init__(self, index: bm25s.BM25) -> None:
        self.index = index

    @classmethod
    def build(cls, counts: TermCounts, k1: float, b: float) -> Bm25:
        """Score every term in every document."""
        index = bm25s.BM25(k1=k1, b=b, method="lucene")
        index.index(
            (_term_ids(counts.counts), dict(counts.columns.vocabulary_)), show_progress=False
        )
        return cls(index)

    def scores(self, weights: Weights) -> NDArray[np.float64]:
        """The weighted sum of the scores of the query's terms, for each document."""
        found = np.zeros(self.index.scores["num_docs"])
        terms_of: dict[float, list[str]] = defaultdict(list)
        for term, weight in weights.items():
            terms_of[weight].append(term)
        for weight, terms in terms_of.items():
            ids = self.index.get_tokens_ids(terms)
            if ids:
                found += weight * self.index.get_scores_from_ids(ids)
        return found


class TfIdf:
    """Cosine of vectors with weights (1 + log tf) x idf.

    Parameters
    ----------
    counts
        The terms of the documents.
    """

    def __init__(self, counts: TermCounts) -> None:
        self.counts = counts
        self._weigh = TfidfTransformer(sublinear_tf=True).fit(counts.counts)
        self.docs = self._weigh.transform(counts.counts).tocsr()

    def query(self, term_counts: Weights) -> dict[str, float]:
        """The weights of a query's terms."""
        vector = self._weigh.transform(self.counts.vector(term_counts))
        found: dict[str, float] = self.counts.columns.inverse_transform(vector)[0]
        return found

    def scores(self, weights: Weights) -> NDArray[np.float64]:
        """The cosine with each document."""
        return np.asarray((self.docs @ self.counts.vector(weights).T).todense()).ravel()


class Lsa:
    """Cosine of vectors of latent semantic analysis.

    Parameters
    ----------
    counts
        The terms of the documents.
    components : (dimensions, terms) floats
    docs : (documents, dimensions) floats
        Of length 1.
    """

    def __init__(self, counts: TermCounts, components: NDArray[Any], docs: NDArray[Any]) -> None:
        self.counts, self.components, self.docs = counts, components, docs

    def scores(self, weights: Weights) -> NDArray[np.float64]:
        """The cosine with each document."""
        query = normalize((self.counts.vector(weights) @ self.components.T).reshape(1, -1))
        found: NDArray[np.float64] = (self.docs @ query.ravel()).astype(float)
        return found


def reduced(vectors: TfIdf, dimensions: int) -> tuple[NDArray[Any], NDArray[Any]]:
    """Components and documents of a truncated singular value decomposition, for `Lsa`."""
    most = max(1, min(dimensions, min(vectors.docs.shape) - 1))
    svd = TruncatedSVD(most, random_state=SEED)
    docs = normalize(svd.fit_transform(vectors.docs)).astype(np.float32)
    return svd.components_.astype(np.float32), docs


def _term_ids(counts: Any) -> list[list[int]]:
    """The terms of each document as numbers, as often as the document has them."""
    ids = np.repeat(counts.indices, counts.data)
    ends = np.cumsum(np.asarray(counts.sum(axis=1)).ravel())
    return [part.tolist() for part in np.split(ids, ends[:-1])]
