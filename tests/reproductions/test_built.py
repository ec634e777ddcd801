"""The systems against loops straight from their formulas, and all papers on them, offline."""

import io
import json
from collections import Counter
from math import log

import numpy as np
import pytest

from irx_measures import InputError
from tests.ir_datasets_home import printed, ran

from .small_corpus import TOPICS, small_documents, write_small_corpus

for package in ("bm25s", "ir_datasets", "Stemmer", "sklearn"):
    pytest.importorskip(package)

from irx_measures.reproductions import built  # noqa: E402

QUERY = "Subject1a subject1bs word1 unknown"


@pytest.fixture(scope="module")
def corpus():
    docs, _ = small_documents()
    topics = {str(n + 1): f"Subject{n}a subject{n}bs word1 unknown" for n in range(TOPICS)}
    return built.Corpus("en", docs, topics, {})


@pytest.fixture(scope="module")
def families(corpus):
    return built.families(corpus)


def terms_of(corpus, terms):
    """An index of the documents, their terms, and those of a query."""
    index = built.make_index([*corpus.docs.values()], terms, "en")
    split = index.terms.build_analyzer()
    return index, [*map(split, corpus.docs.values())], split(QUERY)


@pytest.mark.parametrize(
    ("terms", "text", "expected"),
    [
        ("words", "The 2nd Naïve-Bayes", ["the", "2nd", "naïve", "bayes"]),
        ("stems", "Retrieving documents", ["retriev", "document"]),
        ("4-grams", "abcd ef", [" abc", "abcd", "bcd ", " ef "]),
    ],
)
def test_the_terms_of_a_text(terms, text, expected):
    assert built.vectorizer(terms, "en").build_analyzer()(text) == expected


def test_a_language_without_stems():
    with pytest.raises(InputError, match=r"language that Snowball can stem; got 'zh'$"):
        built.vectorizer("stems", "zh")


@pytest.mark.parametrize("terms", ["words", "stems", "4-grams"])
def test_bm25_is_lucenes_formula(corpus, terms):
    index, docs, query = terms_of(corpus, terms)
    mean_length = sum(map(len, docs)) / len(docs)
    expected = np.zeros(len(docs))
    for term in query:
        holding = sum(term in doc for doc in docs)
        idf = log(1 + (len(docs) - holding + 0.5) / (holding + 0.5))
        for place, doc in enumerate(docs):
            tf = doc.count(term)
            expected[place] += idf * tf / (tf + 0.9 * (1 - 0.4 + 0.4 * len(doc) / mean_length))
    np.testing.assert_allclose(built.bm25(index, QUERY), expected, rtol=1e-5, atol=1e-7)


@pytest.mark.parametrize("query", [QUERY, "subject1a subject1a word1", "unknown"])
def test_tfidf_is_the_cosine_of_scikit_learns_vectors(corpus, query):
    from sklearn.feature_extraction.text import TfidfVectorizer

    index, *_ = terms_of(corpus, "words")
    vectorizer = TfidfVectorizer(analyzer=str.split, lowercase=True, sublinear_tf=True)
    docs = vectorizer.fit_transform(map(str.lower, corpus.docs.values()))
    expected = (docs @ vectorizer.transform([query.lower()]).T).toarray().ravel()
    np.testing.assert_allclose(built.tfidf(index, query), expected, atol=1e-12)


@pytest.mark.slow
def test_lsa_is_the_cosine_in_the_space_of_a_singular_value_decomposition(corpus):
    index, *_ = terms_of(corpus, "stems")
    docs = index.tfidf.toarray()
    space = np.linalg.svd(docs, full_matrices=False)[2][: min(docs.shape) - 1].T
    reduced, query = docs @ space, (index.vector_of(QUERY) @ space).ravel()
    lengths = np.linalg.norm(reduced, axis=1) * np.linalg.norm(query)
    found = built.lsa(index, 1000)(QUERY)
    np.testing.assert_allclose(found, reduced @ query / lengths, atol=1e-3)


def test_rm3_adds_the_terms_of_the_first_results(corpus):
    index, docs, query = terms_of(corpus, "words")
    scores = built.bm25(index, QUERY)
    first = sorted(range(len(docs)), key=lambda place: (-scores[place], place))[:10]
    model = Counter()
    for place in first:
        for term in docs[place]:
            model[term] += scores[place] / sum(scores[first]) / len(docs[place])
    columns = index.terms.vocabulary_
    ordered = sorted(model, key=lambda term: (-model[term].round(12), columns[term]))[:20]
    known = [term for term in query if term in columns]
    weights = Counter(
        {term: 0.5 * model[term] / sum(model[t] for t in ordered) for term in ordered}
    )
    for term in known:
        weights[term] += 0.5 / len(known)
    expected = sum(index.bm25[:, [columns[t]]].toarray() * w for t, w in weights.items())
    np.testing.assert_allclose(built.rm3(index, QUERY), expected.ravel(), rtol=1e-6)


def test_fusion_sums_reciprocal_ranks():
    first = lambda query: np.array([3.0, 2.0, 1.0, 0.0])  # noqa: E731
    second = lambda query: np.array([0.0, 1.0, 0.0, 0.5])  # noqa: E731
    expected = [1 / 61, 1 / 62 + 1 / 61, 1 / 63, 1 / 62]
    assert built.fused([first, second], "").tolist() == pytest.approx(expected)


@pytest.mark.slow
def test_every_system_ranks_in_its_own_way_and_finds_its_topic(corpus, families):
    _, topic_of = small_documents()
    rankings = set()
    for members in families.values():
        assert len(members) >= 2
        for search in members.values():
            run = built.run_of(corpus, search)
            assert run.keys() == corpus.topics.keys()
            found = [
                topic_of[doc] == int(query) - 1
                for query, scores in run.items()
                for doc in list(scores)[:5]
            ]
            assert np.mean(found) > 0.5
            assert all((np.diff([*scores.values()]) <= 0).all() for scores in run.values())
            rankings.add(tuple(map(tuple, run.values())))
    assert len(rankings) == sum(map(len, families.values()))


def test_a_query_without_known_words_has_no_results(corpus, families):
    two = corpus._replace(topics={"1": "zzz", "2": "subject1a"})
    for members in families.values():
        assert built.run_of(two, next(iter(members.values()))).keys() == {"2"}


READ = """
from pathlib import Path
from irx_measures.reproductions import built

def error(read, *args, **kwargs):
    try:
        read(*args, **kwargs)
    except Exception as caught:
        return f"{type(caught).__name__}: {' '.join(str(caught).split())}"
"""


@pytest.mark.slow
def test_each_thing_that_is_missing_or_damaged_is_one_line(tmp_path):
    write_small_corpus(tmp_path)
    found = printed(
        tmp_path,
        f"""{READ}
corpus = built.read_corpus("vaswani")
print(corpus.language, len(corpus.docs), list(corpus.docs)[:2], list(corpus.topics.items())[0])
for dataset in ("nosuch", "wikir/en1k", "msmarco-passage/dev", "msmarco-passage/eval"):
    print(error(built.check_dataset, dataset))
folder = Path("vaswani")
kept = {{name: (folder / name).read_text() for name in ("docs.txt", "queries.txt", "qrels.txt")}}
for name, text in (
    ("docs.txt", ""), ("queries.txt", ""), ("qrels.txt", ""), ("docs.txt", "1\\n ? !\\n   /\\n"),
    ("qrels.txt", "999\\n 1\\n   /\\n"),
):
    (folder / name).write_text(text)
    print(error(built.read_corpus, "vaswani"))
    (folder / name).write_text(kept[name])
(folder / "docs.txt").write_bytes(b"1\\n\\xff\\xfe\\n   /\\n")
print(error(built.read_corpus, "vaswani"))
""",
    )
    where = f"in {tmp_path / 'vaswani'}: a file there is damaged"
    expected = [
        "en 180 ['1', '2'] ('1', ",
        "InputError: irds:nosuch: no such ir_datasets id",
        "InputError: irds:wikir/en1k: this ir_datasets id has no topics",
        "InputError: irds:msmarco-passage/dev: systems are built for at most 1,000,000 documents; ",
        "InputError: irds:msmarco-passage/eval: this ir_datasets id has no qrels",
        f"InputError: irds:vaswani: no docs {where}",
        f"InputError: irds:vaswani: no queries {where}",
        f"InputError: irds:vaswani: no qrels {where}",
        "InputError: irds:vaswani: its documents have no words",
        "InputError: irds:vaswani: no topic has judgments",
        "InputError: irds:vaswani: ir_datasets: 'utf-8' codec can't decode byte 0xff",
    ]
    assert len(found) == len(expected)
    for line, start in zip(found, expected, strict=True):
        assert line.startswith(start)


class Terminal(io.StringIO):
    def isatty(self):
        return True


@pytest.mark.parametrize(
    ("stdin", "yes", "refusal"),
    [
        (Terminal("y\n"), False, None),
        (Terminal("\n"), False, "nothing was downloaded"),
        (io.StringIO("y\n"), False, "at most 2.1 MB; `yes=True` starts it"),
        (io.StringIO(), True, None),
    ],
)
def test_a_download_is_announced_with_its_size_and_asked_for(
    stdin, yes, refusal, monkeypatch, capsys
):
    monkeypatch.setattr(built, "documents_here", lambda name: False)
    monkeypatch.setattr("sys.stdin", stdin)
    if refusal:
        with pytest.raises(InputError, match=refusal):
            built.confirm_download("vaswani", yes)
    else:
        built.confirm_download("vaswani", yes)
    told = capsys.readouterr().err
    assert told.startswith("vaswani: ir_datasets will download at most 2.1 MB\n")
    assert ("Start? [y/N]" in told) == stdin.isatty()


ALL = """
import json
from irx_measures import evaluate
from irx_measures.reproductions.built import reproduce_all
material, found = reproduce_all("vaswani", papers=["residual-gain"], progress=False)
table = found["all"].tables["Systems"]
scores = evaluate(material.qrels, material.runs, ["nDCG@10"])
print(json.dumps({
    "systems": dict(zip(scores.systems, scores.aggregates[0].tolist())),
    "families": dict(zip(material.runs.names, material.runs.groups)),
    "table": table["here"].unstack()["nDCG@10"].to_dict(),
    "undefined": int(table["here"].isna().sum()), "remark": table.attrs["remark"],
    "measures": list(table.index.unique("column")), "description": material.description,
    "verdicts": sorted(set(found["residual-gain"].claims["verdict"])),
}))
"""


@pytest.mark.slow
def test_all_measures_and_papers_on_a_small_corpus(tmp_path):
    write_small_corpus(tmp_path)
    found = json.loads(*printed(tmp_path, ALL))
    assert found["table"] == pytest.approx(found["systems"])
    assert min(found["systems"].values()) > 0.5
    assert set(found["families"].values()) == {"BM25", "TF-IDF", "LSA", "RM3", "RRF"}
    assert found["undefined"] == 0
    assert len(found["measures"]) == len(built.MEASURES) - 1  # the qrels have relevant ones only
    assert "list relevant documents only" in found["remark"]
    count = len(found["systems"])
    assert found["description"] == (
        f"ir_datasets vaswani: 180 documents, 12 topics, 180 judgments; {count} systems built here"
    )
    assert set(found["verdicts"]) <= {"other data", "cannot be told", "holds"}


@pytest.mark.slow
def test_without_files_and_without_a_network_one_line_says_so(tmp_path):
    done = ran(tmp_path, f"{READ}\nprint(error(built.reproduce_all, 'vaswani', yes=True))")
    said = (
        "no answer from mirror.ir-datasets.com; name a folder that has this id in IR_DATASETS_HOME"
    )
    assert done.stdout == f"NotReachedError: irds:vaswani: {said}\n"
    assert "Traceback" not in done.stderr
    assert "ownload failed" not in done.stderr
    assert "download error" not in done.stderr
