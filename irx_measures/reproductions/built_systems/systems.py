"""The systems of the open reproduction, by family, as PyTerrier pipelines without Java."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import pyterrier as pt

from ...common.progress import with_bar
from .corpus import Corpus
from .index_cache import IndexCache
from .indexes import Bm25, Lsa, TermCounts, TfIdf, reduced
from .tokenisers import Tokenise, character_ngrams, stems, words
from .transformers import Retrieve, Rm3, Rocchio, in_order, reciprocal_ranks, terms_of

DEPTH = 1000  # the depth of TREC's ad hoc runs

Bm25Parameters = tuple[float, float]  # k1, b

USUAL: Bm25Parameters = (0.9, 0.4)  # as in Anserini

CLASSIC: Bm25Parameters = (1.2, 0.75)  # of Okapi (Robertson et al., TREC-3 and later)

FLAT: Bm25Parameters = (1.2, 0.0)  # no length normalisation


class System(NamedTuple):
    """A system.

    Attributes
    ----------
    name
        Of the method and its parameters.
    family
        Systems of a family differ in parameters only.
    pipeline
        Topics in, results out.
    """

    name: str
    family: str
    pipeline: pt.Transformer


class Builder:
    """Builds pipelines over the indexes of a corpus; each index is built once.

    Parameters
    ----------
    corpus
        The documents.
    cache
        The indexes on disk.
    depth
        The largest number of documents of a query.
    """

    def __init__(self, corpus: Corpus, cache: IndexCache, depth: int = DEPTH) -> None:
        self.corpus, self.cache, self.depth = corpus, cache, depth
        self.tokenisers: dict[str, Tokenise] = {
            "words": words,
            "stems": stems(corpus.language),
            **{f"{length}grams": character_ngrams(length) for length in (3, 4, 5)},
        }
        self._counts: dict[str, TermCounts] = {}
        self._vectors: dict[str, TfIdf] = {}

    def bm25(self, terms: str, parameters: Bm25Parameters) -> pt.Transformer:
        """BM25 on words, stems or character n-grams."""
        return terms_of(self.tokenisers[terms]) >> self._bm25_on_terms(terms, parameters)

    def rm3(self, terms: str, parameters: Bm25Parameters) -> pt.Transformer:
        """BM25 with the relevance model of its first results."""
        search = self._bm25_on_terms(terms, parameters)
        feedback = Rm3(self._counts_of(terms), self.corpus.doc_ids)
        return terms_of(self.tokenisers[terms]) >> search >> feedback >> search

    def tfidf(self, terms: str) -> pt.Transformer:
        """The cosine of TF-IDF vectors."""
        vectors = self._vectors_of(terms)
        return terms_of(self.tokenisers[terms], vectors.query) >> self._retrieve(vectors)

    def rocchio(self, terms: str) -> pt.Transformer:
        """TF-IDF with Rocchio's feedback."""
        vectors = self._vectors_of(terms)
        feedback = Rocchio(vectors, self.corpus.doc_ids)
        return self.tfidf(terms) >> feedback >> self._retrieve(vectors)

    def lsa(self, terms: str, dimensions: int) -> pt.Transformer:
        """Latent semantic analysis of TF-IDF vectors."""
        vectors = self._vectors_of(terms)
        arrays = self.cache.get(f"lsa-{terms}-{dimensions}", lambda: reduced(vectors, dimensions))
        index = Lsa(vectors.counts, *arrays)
        return terms_of(self.tokenisers[terms], vectors.query) >> self._retrieve(index)

    def fused(self, first: pt.Transformer, second: pt.Transformer) -> pt.Transformer:
        """Reciprocal rank fusion."""
        points = pt.apply.generic(reciprocal_ranks)
        return self.summed(first >> points, second >> points)

    def summed(self, first: pt.Transformer, second: pt.Transformer) -> pt.Transformer:
        """The sum of the scores of systems, which must have the same scale: CombSUM."""
        return (first + second) % self.depth >> pt.apply.generic(in_order)

    def _bm25_on_terms(self, terms: str, parameters: Bm25Parameters) -> pt.Transformer:
        k1, b = parameters
        counts = self._counts_of(terms)
        index = self.cache.get(f"bm25-{terms}-{k1}-{b}", lambda: Bm25.build(counts, k1, b))
        return self._retrieve(index)

    def _retrieve(self, index: Bm25 | TfIdf | Lsa) -> pt.Transformer:
        return Retrieve(index, self.corpus.doc_ids, self.depth)

    def _counts_of(self, terms: str) -> TermCounts:
        if terms not in self._counts:
            tokenise = self.tokenisers[terms]
            self._counts[terms] = self.cache.get(
                f"counts-{terms}", lambda: TermCounts.build(self.corpus.texts, tokenise)
            )
        return self._counts[terms]

    def _vectors_of(self, terms: str) -> TfIdf:
        if terms not in self._vectors:
            self._vectors[terms] = TfIdf(self._counts_of(terms))
        return self._vectors[terms]


Build = Callable[[Builder], pt.Transformer]


# Each system's name, its family, and how to build it.
RECIPES: tuple[tuple[str, str, Build], ...] = (
    ("BM25 words .9 .4", "BM25 words", lambda builder: builder.bm25("words", USUAL)),
    ("BM25 words 1.2 .75", "BM25 words", lambda builder: builder.bm25("words", CLASSIC)),
    ("BM25 words 1.2 0", "BM25 words", lambda builder: builder.bm25("words", FLAT)),
    ("BM25 stems .9 .4", "BM25 stems", lambda builder: builder.bm25("stems", USUAL)),
    ("BM25 stems 1.2 .75", "BM25 stems", lambda builder: builder.bm25("stems", CLASSIC)),
    ("BM25 stems 1.2 0", "BM25 stems", lambda builder: builder.bm25("stems", FLAT)),
    ("BM25 4-grams .9 .4", "n-grams", lambda builder: builder.bm25("4grams", USUAL)),
    ("TF-IDF 3-grams", "n-grams", lambda builder: builder.tfidf("3grams")),
    ("TF-IDF 5-grams", "n-grams", lambda builder: builder.tfidf("5grams")),
    ("TF-IDF words", "TF-IDF", lambda builder: builder.tfidf("words")),
    ("TF-IDF stems", "TF-IDF", lambda builder: builder.tfidf("stems")),
    ("LSA 100", "LSA", lambda builder: builder.lsa("stems", 100)),
    ("LSA 300", "LSA", lambda builder: builder.lsa("stems", 300)),
    ("BM25 + RM3", "feedback", lambda builder: builder.rm3("stems", USUAL)),
    ("TF-IDF + Rocchio", "feedback", lambda builder: builder.rocchio("stems")),
    (
        "BM25 words + 4-grams",
        "fusion",
        lambda builder: builder.summed(builder.bm25("words", USUAL), builder.bm25("4grams", USUAL)),
    ),
    (
        "RRF BM25, LSA",
        "fusion",
        lambda builder: builder.fused(builder.bm25("stems", USUAL), builder.lsa("stems", 300)),
    ),
    (
        "RRF BM25 + RM3, TF-IDF 5-grams",
        "fusion",
        lambda builder: builder.fused(builder.rm3("stems", USUAL), builder.tfidf("5grams")),
    ),
)


def build_systems(builder: Builder, progress: bool | None = None) -> list[System]:
    """Build all systems.

    Parameters
    ----------
    builder
        The corpus and its indexes.
    progress
        Whether to show progress on stderr; None: if stderr is a terminal.
    """
    work = with_bar(RECIPES, "system built", progress)
    return [System(name, family, build(builder)) for name, family, build in work]
