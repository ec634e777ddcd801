"""A pytest plugin: PyTerrier's Vaswani collection, searched in Python instead of Java."""

import math
import re
from collections import Counter, defaultdict
from functools import cache
from pathlib import Path

import pandas as pd
import pyterrier as pt

VASWANI = Path("tests/fixtures/vaswani_npl")  # in the checkout, where its tests are run


def words(text):
    """Words cut after 7 letters: a simple stemmer."""
    return [word[:7] for word in re.findall("[a-z]+", text.lower())]


def between(path, *tags):
    """The text in some tags of a file, for each time that they follow each other."""
    pattern = r".*?".join(rf"<{tag}>\s*(.*?)\s*</{tag}>" for tag in tags)
    return re.findall(pattern, path.read_text(), re.DOTALL | re.IGNORECASE)


@cache
def postings():
    docs = re.findall(
        r"<DOCNO>\s*(\S+?)\s*</DOCNO>(.*?)</DOC>",
        (VASWANI / "corpus" / "doc-text.trec").read_text(),
        re.DOTALL | re.IGNORECASE,
    )
    of_word = defaultdict(dict)
    mean = sum(len(words(text)) for _, text in docs) / len(docs)
    for doc, text in docs:
        length = 0.25 + 0.75 * len(words(text)) / mean
        for word, count in Counter(words(text)).items():
            of_word[word][doc] = count / length
    return of_word, len(docs)


@cache
def ranked(query, saturation):
    """The best documents of a query with their scores."""
    of_word, documents = postings()
    scores = Counter()
    for word in words(query):
        found = of_word.get(word, {})
        for doc, count in found.items():
            scores[doc] += count / (count + saturation) * math.log(documents / len(found))
    return sorted(scores.items(), key=lambda item: (-item[1], item[0]))[:1000]


class Retriever(pt.Transformer):
    """Documents by BM25; the models differ in how much a repeated word counts."""

    SATURATION = {"BM25": 1.2, "DPH": 3.0, "PL2": 0.5}

    def __init__(self, index, wmodel="BM25", **_):
        self.wmodel = wmodel

    def transform(self, topics):
        pt.validate.query_frame(topics, ["query"])
        rows = [
            (topic.qid, topic.query, doc, score, rank)
            for topic in topics.itertuples()
            for rank, (doc, score) in enumerate(ranked(topic.query, self.SATURATION[self.wmodel]))
        ]
        return pd.DataFrame(rows, columns=["qid", "query", "docno", "score", "rank"])

    def __eq__(self, other):
        return isinstance(other, Retriever) and other.wmodel == self.wmodel

    def __hash__(self):
        return hash(self.wmodel)

    def __repr__(self):
        return f"TerrierRetr({self.wmodel})"


class Vaswani:
    """The data set, without a download."""

    def get_topics(self):
        topics = between(VASWANI / "query-text.trec", "num", "title")
        rows = [(number, " ".join(words(text))) for number, text in topics]
        return pd.DataFrame(rows, columns=["qid", "query"])

    def get_qrels(self):
        return pt.io.read_qrels(str(VASWANI / "qrels"))


def pytest_configure():
    pt.java.init = pt.java.set_log_level = lambda *_: None
    pt.IndexFactory.of = staticmethod(lambda location: location)
    pt.terrier.Retriever = Retriever
    pt.get_dataset = pt.datasets.get_dataset = lambda name: {"vaswani": Vaswani()}[name]
