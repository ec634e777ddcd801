"""Systems that are built for an ir_datasets id, and the papers repeated on them.

All but RM3 and RRF score documents by the product of two vectors: BM25 (bm25s), TF-IDF and latent
semantic analysis (scikit-learn).
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from ..common.numeric import FloatArray
from ..common.progress import with_bar
from ..common.warn import untold
from ..common.writing import one_line
from ..exceptions import InputError, importing
from ..io.irds import IRDS, NotReachedError, load, records
from ..io.trec import read_qrels
from ..plots import system_scatter
from ..runsets.runset import RunSet
from ..scoring.evaluate import evaluate
from ..typing import RunLike
from . import PAPERS, reproduce
from .material import Material
from .paper import Reproduction, declared, means_of

DEPTH = 1000  # the depth of TREC's ad hoc runs
MOST_DOCUMENTS = 1_000_000  # a choice: indexes are made in memory; Robust04 has 528 155
K1, B = 0.9, 0.4  # of BM25, as in Anserini
# Of RM3, as in Anserini.
FEEDBACK_DOCUMENTS = 10
FEEDBACK_TERMS = 20
QUERY_SHARE = 0.5
RANK_CONSTANT = 60  # of RRF (Cormack, Clarke and Büttcher, SIGIR 2009)
SEED = 0  # any number does: the systems must be the same in every process
WORD = re.compile(r"\w+")

OTHER_FAMILIES = "prior=others,select=best-per-group"
NRG = f"NRG({OTHER_FAMILIES})@10"
BOOTSTRAPPED = "BootNDCG@10"

# Measures of ir_measures, then those of the five papers, a line each.
MEASURES = (
    *("nDCG@10", "AP@100"),
    *(NRG, f"UniqueRel({OTHER_FAMILIES})@10"),
    *("P_Rareness(systems=others)@10", "AP_Rareness(systems=others)@100"),
    *("RBR(phi=0.9)@20", "RBA(phi=0.9)"),
    *("nDCG_UE(candidates=union)@10", "AP_UE(candidates=union)@100"),
    *(BOOTSTRAPPED, "nDCGBound(bound=upper)@10"),
)

Search = Callable[[str], FloatArray]  # the score of each document for a query; at most 0: no match


class Corpus(NamedTuple):
    """A collection: its documents, and its judged topics."""

    language: str  # of the documents, as an ISO 639-1 code
    docs: Mapping[str, str]  # texts by id
    topics: Mapping[str, str]  # texts by id; topics without judgments are left out
    qrels: Mapping[str, Mapping[str, int]]  # grades by topic and document


def reproduce_all(
    dataset_id: str,
    *,
    papers: Iterable[str] = PAPERS,
    progress: bool | None = None,
    yes: bool = False,
) -> tuple[Material, dict[str, Reproduction]]:
    """Build systems for a collection, score them by every family of measures, repeat the papers.

    Parameters
    ----------
    dataset_id
        An ir_datasets id with documents, topics and qrels, with or without the prefix ``irds:``.
    papers
        The papers to repeat, by name.
    progress
        Whether to show progress on stderr; None: if stderr is a terminal.
    yes
        Whether to download without asking.

    Returns
    -------
    Material
        The qrels, and the runs with their families as groups.
    dict of Reproduction
        The systems by every family of measures (``all``), and each paper, by name.

    Raises
    ------
    ValueError
        When the id lacks documents, topics or qrels, when the user declines a download, a download
        fails, or a file in ir_datasets' cache is damaged.
    ImportError
        When the extra ``reproduce`` is not installed.
    """
    needed = "bm25s", "ir_datasets", "sklearn", "Stemmer"
    with importing("reproduce", f"systems need {', '.join(needed)}"):
        for package in needed:
            import_module(package)
    name = dataset_id.removeprefix(IRDS)
    check_dataset(name)
    confirm_download(name, yes)
    corpus = read_corpus(name)
    runs: dict[str, RunLike] = {}
    groups: dict[str, str] = {}
    for family, members in with_bar(families(corpus).items(), "family", progress):
        runs |= {system: run_of(corpus, search) for system, search in members.items()}
        groups |= dict.fromkeys(members, family)
    where = (
        f"ir_datasets {name}: {len(corpus.docs):,} documents, {len(corpus.topics):,} topics, "
        f"{sum(map(len, corpus.qrels.values())):,} judgments; {len(runs)} systems built here"
    )
    material = Material(read_qrels(corpus.qrels), RunSet(runs, groups=groups), where)
    found = {"all": _compared(material)}
    return material, found | {name: reproduce(name, material, progress=progress) for name in papers}


def check_dataset(name: str) -> None:
    """InputError if no systems can be built for an id; nothing is downloaded."""
    dataset = load(IRDS + name)
    for part, word in (("docs", "documents"), ("queries", "topics"), ("qrels", "qrels")):
        if not getattr(dataset, f"has_{part}")():
            raise InputError(f"irds:{name}: this ir_datasets id has no {word}")
    count = dataset.docs_metadata().get("count")
    if count is not None and count > MOST_DOCUMENTS:
        raise InputError(
            f"irds:{name}: systems are built for at most {MOST_DOCUMENTS:,} documents; "
            f"this id has {count:,}"
        )


def documents_here(name: str) -> bool:
    """Whether ir_datasets has the documents of an id in its cache."""
    from ir_datasets.util import home_path

    try:
        place = Path(load(IRDS + name).docs_path(force=False))
    except (AttributeError, TypeError):  # not every id says where; BEIR's are in these folders
        place = home_path().joinpath(*name.split("/")[:2])
    return place.exists()


def confirm_download(name: str, yes: bool = False) -> None:
    """Say on stderr how much ir_datasets may download for an id, and ask whether to start.

    InputError when the user declines, and when nobody can be asked.
    """
    from ir_datasets.util import DownloadConfig

    if documents_here(name):
        return
    base, part, *_ = [*name.split("/"), ""]
    files = DownloadConfig.contents().get(base, {})
    files = {part: files[part]} if part in files else files
    size = sum(file.get("size_hint") or 0 for file in files.values()) / 1e6
    about = f"{name}: ir_datasets will download at most {size:,.1f} MB"
    print(about, file=sys.stderr)
    if yes:
        return
    if not sys.stdin.isatty():
        raise InputError(f"{about}; `yes=True` starts it")
    print("Start? [y/N] ", end="", file=sys.stderr, flush=True)
    if sys.stdin.readline().strip().lower() not in ("y", "yes"):
        raise InputError(f"{name}: nothing was downloaded")


def read_corpus(name: str) -> Corpus:
    """The documents, topics and qrels of an id, downloaded if they are not in the cache.

    What is damaged is an InputError of one line with the folder of the file.
    """
    docs = _records(name, "docs")
    queries = _records(name, "queries")
    judgments = _records(name, "qrels")
    texts = {str(doc.doc_id): one_line(doc.default_text()) for doc in docs}
    if not any(map(WORD.search, texts.values())):
        raise InputError(f"irds:{name}: its documents have no words")
    qrels: dict[str, dict[str, int]] = {}
    for row in judgments:
        qrels.setdefault(str(row.query_id), {})[str(row.doc_id)] = int(row.relevance)
    topics = {str(query.query_id): query for query in queries}
    judged = {query: one_line(topics[query].default_text()) for query in topics if query in qrels}
    if not judged:
        raise InputError(f"irds:{name}: no topic has judgments")
    language = load(IRDS + name).docs_lang() or "en"
    return Corpus(language, texts, judged, qrels)


def _records(name: str, kind: str) -> list[Any]:
    from ir_datasets.util import home_path

    folder = home_path() / name.split("/")[0]
    try:
        found = records(IRDS + name, kind)
    except NotReachedError:
        raise
    except InputError as error:
        raise InputError(f"{error} (its files are in {folder})") from None
    if not found:
        raise InputError(f"irds:{name}: no {kind} in {folder}: a file there is damaged")
    return found


class Index(NamedTuple):
    """The terms of documents, and what BM25 and TF-IDF make of them."""

    terms: Any  # CountVectorizer
    weights: Any  # TfidfTransformer: vectors of length 1 with weights (1 + log tf) x idf
    counts: Any  # (documents, terms), sparse: how often a document has a term
    bm25: Any  # (documents, terms), sparse: what a term of a query adds to a document's score
    tfidf: Any  # (documents, terms), sparse: the document's vector

    def counts_of(self, query: str) -> FloatArray:
        """How often the query has each term of the documents: (terms,)."""
        counts: FloatArray = self.terms.transform([query]).toarray().ravel()
        return counts

    def vector_of(self, query: str) -> Any:
        """The vector of a query, 0 without a known term: (1, terms), sparse."""
        return self.weights.transform(self.terms.transform([query]))


def vectorizer(terms: str, language: str) -> Any:
    """Scikit-learn's counter of lower-case ``words``, their ``stems``, or ``4-grams`` within words.

    InputError when Snowball has no stemmer for the language.
    """
    from sklearn.feature_extraction.text import CountVectorizer

    if terms == "4-grams":
        return CountVectorizer(analyzer="char_wb", ngram_range=(4, 4), dtype=np.int32)
    of_words = CountVectorizer(token_pattern=WORD.pattern, dtype=np.int32)
    if terms == "words":
        return of_words
    import Stemmer

    try:
        stemmer = Stemmer.Stemmer(language)
    except KeyError:
        raise InputError(
            f"the documents must be in a language that Snowball can stem; got {language!r}"
        ) from None
    words = of_words.build_analyzer()
    return CountVectorizer(analyzer=lambda text: stemmer.stemWords(words(text)), dtype=np.int32)


def make_index(texts: Sequence[str], terms: str, language: str) -> Index:
    """The index of documents by these terms."""
    import bm25s
    from scipy.sparse import csc_matrix
    from sklearn.feature_extraction.text import TfidfTransformer

    counter = vectorizer(terms, language)
    counts = counter.fit_transform(texts)
    ids = np.repeat(counts.indices, counts.data)
    ends = np.cumsum(np.asarray(counts.sum(axis=1)).ravel())
    documents = [part.tolist() for part in np.split(ids, ends[:-1])]
    columns = {str(term): int(column) for term, column in counter.vocabulary_.items()}
    lucene = bm25s.BM25(k1=K1, b=B, method="lucene")
    lucene.index((documents, columns), show_progress=False)
    parts = [lucene.scores[part] for part in ("data", "indices", "indptr")]
    bm25 = csc_matrix(tuple(parts), shape=(len(texts), len(parts[-1]) - 1))[:, : counts.shape[1]]
    weights = TfidfTransformer(sublinear_tf=True)
    return Index(counter, weights, counts, bm25, weights.fit_transform(counts).tocsr())


def families(corpus: Corpus) -> dict[str, Mapping[str, Search]]:
    """Families of systems that differ in terms and parameters only: systems by name."""
    kinds = ("words", "stems", "4-grams")
    texts = [*corpus.docs.values()]
    indexes = {terms: make_index(texts, terms, corpus.language) for terms in kinds}
    by_bm25 = {f"BM25 {terms}": partial(bm25, index) for terms, index in indexes.items()}
    by_tfidf = {f"TF-IDF {terms}": partial(tfidf, index) for terms, index in indexes.items()}
    by_lsa = {f"LSA {size}": lsa(indexes["stems"], size) for size in (100, 300)}
    by_rm3 = {f"RM3 {terms}": partial(rm3, indexes[terms]) for terms in ("words", "stems")}
    pairs: dict[str, tuple[Search, Search]] = {
        "RRF BM25, LSA": (by_bm25["BM25 stems"], by_lsa["LSA 300"]),
        "RRF RM3, 4-grams": (by_rm3["RM3 stems"], by_tfidf["TF-IDF 4-grams"]),
    }
    by_rrf = {name: partial(fused, pair) for name, pair in pairs.items()}
    return {"BM25": by_bm25, "TF-IDF": by_tfidf, "LSA": by_lsa, "RM3": by_rm3, "RRF": by_rrf}


def bm25(index: Index, query: str) -> FloatArray:
    """BM25, as Lucene has it."""
    found: FloatArray = index.bm25 @ index.counts_of(query)
    return found


def tfidf(index: Index, query: str) -> FloatArray:
    """The cosine of TF-IDF vectors."""
    found: FloatArray = (index.tfidf @ index.vector_of(query).T).toarray().ravel()
    return found


def lsa(index: Index, dimensions: int) -> Search:
    """The cosine in the space of latent semantic analysis."""
    from sklearn.decomposition import TruncatedSVD
    from sklearn.preprocessing import normalize

    most = max(1, min(dimensions, min(index.tfidf.shape) - 1))
    svd = TruncatedSVD(most, random_state=SEED)
    docs = normalize(svd.fit_transform(index.tfidf)).astype(np.float32)  # half of the memory
    svd.components_ = svd.components_.astype(np.float32)
    return lambda query: docs @ normalize(svd.transform(index.vector_of(query))).ravel()


def rm3(index: Index, query: str) -> FloatArray:
    """BM25 with a relevance model: the query and terms of its first results, interpolated."""
    counts, scores = index.counts_of(query), bm25(index, query)
    first = best(scores, FEEDBACK_DOCUMENTS)
    if not len(first):
        return scores
    docs = index.counts[first]
    lengths = np.asarray(docs.sum(axis=1)).ravel()
    model = docs.T @ (scores[first] / scores[first].sum() / lengths)
    model[best(model, len(model))[FEEDBACK_TERMS:]] = 0
    mixed = QUERY_SHARE * counts / counts.sum() + (1 - QUERY_SHARE) * model / model.sum()
    found: FloatArray = index.bm25 @ mixed
    return found


def fused(systems: Iterable[Search], query: str) -> FloatArray:
    """Reciprocal rank fusion of the first results of systems."""
    found: FloatArray = np.zeros(1)
    for search in systems:
        scores = search(query)
        first, points = best(scores, DEPTH), np.zeros(len(scores))
        points[first] = 1 / (RANK_CONSTANT + 1 + np.arange(len(first)))
        found = found + points
    return found


def best(scores: FloatArray, most: int) -> Any:
    """The positions of the highest scores above 0, best first; equal ones in their order."""
    matching = np.flatnonzero(scores > 0)
    return matching[np.argsort(-scores[matching], kind="stable")][:most]


def run_of(corpus: Corpus, search: Search) -> dict[str, dict[str, float]]:
    """The results of a system: scores by document, for each topic that has a result."""
    doc_ids, found = np.array([*corpus.docs], object), {}
    for topic, text in corpus.topics.items():
        scores = search(text)
        first = best(scores, DEPTH)
        if len(first):
            found[topic] = dict(zip(doc_ids[first], scores[first].tolist(), strict=True))
    return found


def _compared(material: Material) -> Reproduction:
    """The systems by every family of measures, and what they add to the other families."""
    measures, told = [*MEASURES], "a top 10 without a judged document is not relevant for BootNDCG"
    if (material.qrels.value > 0).all():
        measures.remove(BOOTSTRAPPED)
        told = (
            "the qrels list relevant documents only. So BootNDCG, which draws grades from judged "
            "documents, is left out, and bounds say little: any unjudged document may be relevant"
        )
    with untold("no judged document in the top"):  # once per run otherwise; the remark says it
        matrix = evaluate(material.qrels, material.runs, measures)
    short = [re.sub(r"\(.*\)", "", measure) for measure in measures]  # the remark has the rest
    here = means_of(matrix, short)
    declaration = declared("built")
    table = declaration.table("Systems", here, material, told=told)
    drawn = {"Systems": partial(system_scatter, matrix, "nDCG@10", NRG)}
    return Reproduction.of(declaration, [material.description], [table], drawn, ())
