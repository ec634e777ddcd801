"""The systems against slow loops straight from their formulas; no system starts Java."""

import sys
from collections import Counter
from math import log

import numpy as np
import pandas as pd
import pytest

from irx_measures import InputError
from irx_measures.reproductions.built_systems.corpus import Corpus
from irx_measures.reproductions.built_systems.index_cache import IndexCache

from .small_corpus import TOPICS, small_documents

for package in ("bm25s", "Stemmer", "pyterrier", "sklearn"):
    pytest.importorskip(package)

from irx_measures.reproductions.built_systems.systems import (  # noqa: E402
    RECIPES,
    USUAL,
    Builder,
    build_systems,
)
from irx_measures.reproductions.built_systems.tokenisers import (  # noqa: E402
    character_ngrams,
    stems,
    words,
)
from irx_measures.reproductions.built_systems.transformers import Rm3  # noqa: E402

DEPTH = 100


@pytest.fixture(scope="module")
def corpus():
    docs, topic_of = small_documents()
    queries = [f"Subject{topic}a subject{topic}bs word1 unknown" for topic in range(TOPICS)]
    topics = pd.DataFrame({"qid": [str(n + 1) for n in range(TOPICS)], "query": queries})
    qrels = pd.DataFrame(
        [(str(topic + 1), doc_id, 1) for doc_id, topic in topic_of.items()],
        columns=["qid", "docno", "label"],
    )
    return Corpus("small", "en", list(docs), list(docs.values()), topics, qrels)


@pytest.fixture(scope="module")
def builder(corpus, tmp_path_factory):
    return Builder(corpus, IndexCache(corpus, tmp_path_factory.mktemp("home")), DEPTH)


@pytest.fixture(scope="module")
def results(builder, corpus):
    """The results of all systems."""
    return {one.name: one.pipeline(corpus.topics) for one in build_systems(builder)}


def scores_of(found, qid):
    of_query = found[found["qid"] == qid]
    return dict(zip(of_query["docno"], of_query["score"], strict=True))


def bm25_scores(corpus, query, tokenise, k1, b):
    """Lucene's BM25, document by document."""
    docs = {doc: tokenise(text) for doc, text in zip(corpus.doc_ids, corpus.texts, strict=True)}
    mean_length = sum(map(len, docs.values())) / len(docs)
    scores = dict.fromkeys(docs, 0.0)
    for term in tokenise(query):
        holding = sum(term in terms for terms in docs.values())
        idf = log(1 + (len(docs) - holding + 0.5) / (holding + 0.5))
        for doc, terms in docs.items():
            tf = terms.count(term)
            scores[doc] += idf * tf / (tf + k1 * (1 - b + b * len(terms) / mean_length))
    return {doc: score for doc, score in scores.items() if score > 0}


@pytest.mark.parametrize("terms", ["words", "stems", "4grams"])
@pytest.mark.parametrize("parameters", [(0.9, 0.4), (1.2, 0.0)])
def test_bm25_is_lucenes_formula(builder, corpus, terms, parameters):
    found = builder.bm25(terms, parameters)(corpus.topics)
    for qid, query in zip(corpus.topics["qid"][:3], corpus.topics["query"], strict=False):
        expected = bm25_scores(corpus, query, builder.tokenisers[terms], *parameters)
        kept = sorted(expected.values(), reverse=True)[:DEPTH]
        scores = scores_of(found, qid)
        assert list(scores.values()) == pytest.approx(kept, rel=1e-5)
        assert all(scores[doc] == pytest.approx(expected[doc], rel=1e-5) for doc in scores)


def test_tfidf_is_the_cosine_of_scikit_learns_vectors(builder, corpus):
    text = pytest.importorskip("sklearn.feature_extraction.text")
    vectorizer = text.TfidfVectorizer(analyzer=words, sublinear_tf=True)
    docs = vectorizer.fit_transform(corpus.texts)
    queries = vectorizer.transform(corpus.topics["query"])
    expected = (docs @ queries.T).toarray()
    found = builder.tfidf("words")(corpus.topics)
    for column, qid in enumerate(corpus.topics["qid"]):
        scores = scores_of(found, qid)
        rows = [corpus.doc_ids.index(doc) for doc in scores]
        assert list(scores.values()) == pytest.approx(expected[rows, column])
        assert list(scores.values()) == pytest.approx(
            np.sort(expected[:, column])[::-1][: len(rows)]
        )


@pytest.mark.slow
def test_lsa_is_the_cosine_in_the_space_of_a_singular_value_decomposition(builder, corpus):
    vectors = builder._vectors_of("stems")
    docs = vectors.docs.toarray()
    dimensions = min(docs.shape) - 1
    space = np.linalg.svd(docs, full_matrices=False)[2][:dimensions].T
    found = builder.lsa("stems", 1000)(corpus.topics)
    for qid in corpus.topics["qid"][:3]:
        weights = vectors.query(Counter(stems("en")(corpus.topics.set_index("qid")["query"][qid])))
        query = vectors.counts.vector(weights).toarray() @ space
        reduced = docs @ space
        lengths = np.linalg.norm(reduced, axis=1) * np.linalg.norm(query)
        expected = (reduced @ query.T).ravel() / lengths
        scores = scores_of(found, qid)
        rows = [corpus.doc_ids.index(doc) for doc in scores]
        assert list(scores.values()) == pytest.approx(expected[rows], abs=1e-3)


def test_rm3_mixes_the_query_with_the_terms_of_its_first_results(builder):
    counts = builder._counts_of("words")
    first = [("1", 3.0), ("2", 1.0)]
    results = pd.DataFrame(
        {
            "qid": "q",
            "query": "word1",
            "query_toks": [{"word1": 1}] * 2,
            "docno": [doc for doc, _ in first],
            "score": [score for _, score in first],
            "rank": [0, 1],
        }
    )
    every_term = len(counts.terms)
    expanded = Rm3(counts, builder.corpus.doc_ids, terms=every_term, weight=0.25)(results)
    model = Counter()
    for doc, score in first:
        terms = words(builder.corpus.texts[builder.corpus.doc_ids.index(doc)])
        for term in terms:
            model[term] += score / 4 / len(terms)
    expected = {term: 0.75 * weight for term, weight in model.items()}
    expected["word1"] = expected.get("word1", 0) + 0.25
    assert expanded["query_toks"][0] == pytest.approx(expected)
    few = Rm3(counts, builder.corpus.doc_ids, documents=1, terms=2)(results)["query_toks"][0]
    assert len(few) <= 3
    assert sum(few.values()) == pytest.approx(1)


def test_rocchio_moves_the_query_towards_its_first_results(builder, corpus):
    vectors = builder._vectors_of("stems")
    before = builder.tfidf("stems")(corpus.topics)
    after = builder.rocchio("stems")(corpus.topics)
    first = before[(before["qid"] == "1") & (before["rank"] < 10)]["docno"]
    rows = [corpus.doc_ids.index(doc) for doc in first]
    query = vectors.counts.vector(before[before["qid"] == "1"]["query_toks"].iloc[0])
    moved = vectors.counts.vector(after[after["qid"] == "1"]["query_toks"].iloc[0])
    mean = np.asarray(vectors.docs[rows].mean(axis=0)).ravel()
    added = (moved - query).toarray().ravel()
    changed = added > 1e-12
    assert changed.sum() == min(50, (mean > 0).sum()) > 20
    assert added[changed] == pytest.approx(0.75 * mean[changed])
    assert mean[~changed].max() <= mean[changed].min() + 1e-12


def test_fusion_sums_reciprocal_ranks(builder, corpus):
    pt = pytest.importorskip("pyterrier")
    runs = [
        pd.DataFrame({"qid": "1", "docno": list(docs), "score": 1.0, "rank": range(len(docs))})
        for docs in ("abc", "bd")
    ]
    systems = [pt.Transformer.from_df(run, uniform=True) for run in runs]
    fused = Builder(corpus, builder.cache, 3).fused(*systems)(corpus.topics[:1])
    assert fused["docno"].tolist() == ["b", "a", "d"]
    assert fused["score"].tolist() == pytest.approx([1 / 62 + 1 / 61, 1 / 61, 1 / 62])
    assert fused["rank"].tolist() == [0, 1, 2]


def test_the_sum_of_two_systems_has_the_sum_of_their_scores(builder, corpus):
    first, second = builder.bm25("words", USUAL), builder.bm25("4grams", USUAL)
    found = builder.summed(first, second)(corpus.topics)
    of_first, of_second = (scores_of(one(corpus.topics), "1") for one in (first, second))
    best, score = next(iter(scores_of(found, "1").items()))
    assert score == pytest.approx(of_first.get(best, 0) + of_second.get(best, 0))
    assert (found.groupby("qid").size() <= DEPTH).all()


@pytest.mark.slow
def test_every_system_ranks_in_its_own_way_and_finds_its_topic(results, corpus):
    assert len(results) == len(RECIPES) >= 12
    rankings = set()
    for found in results.values():
        assert (found["rank"] == found.groupby("qid").cumcount()).all()
        assert (found["score"].groupby(found["qid"]).diff().dropna() <= 1e-9).all()
        assert not found.duplicated(["qid", "docno"]).any()
        assert set(found["qid"]) == set(corpus.topics["qid"])
        judged = found.merge(corpus.qrels, on=["qid", "docno"], how="left")
        assert judged[judged["rank"] < 5]["label"].notna().mean() > 0.5
        rankings.add(tuple(found["docno"]))
    assert len(rankings) == len(results)


def test_there_are_families_of_several_systems():
    families = Counter(family for _, family, _ in RECIPES)
    assert len(families) >= 5
    assert min(families.values()) >= 2


def test_the_systems_are_the_same_from_the_cache(results, corpus, builder, tmp_path):
    again = Builder(corpus, IndexCache(corpus, builder.cache.folder.parent.parent), DEPTH)
    for one in build_systems(again):
        pd.testing.assert_frame_equal(one.pipeline(corpus.topics), results[one.name])


def test_no_system_starts_java(results):
    import pyterrier as pt

    assert results
    assert not pt.java.started()
    assert "jnius" not in sys.modules


def test_a_query_without_known_words_has_no_results(builder):
    topics = pd.DataFrame({"qid": ["1", "2"], "query": ["zzz", "subject1a"]})
    for pipeline in (
        builder.bm25("words", USUAL),
        builder.tfidf("words"),
        builder.rm3("words", USUAL),
    ):
        assert set(pipeline(topics)["qid"]) == {"2"}
        assert len(pipeline(topics[:1])) == 0


def test_tokenisers():
    assert words("The 2nd Naïve-Bayes") == ["the", "2nd", "naïve", "bayes"]
    assert stems("en")("Retrieving documents") == ["retriev", "document"]
    assert character_ngrams(4)("abcd ef") == [" abc", "abcd", "bcd ", " ef "]
    with pytest.raises(InputError, match=r"language that Snowball can stem; got 'zh'$"):
        stems("zh")
