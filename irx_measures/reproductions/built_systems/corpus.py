"""The documents, topics and qrels of an ir_datasets id."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

from ...exceptions import InputError
from ...io.frames import frame
from ...io.irds import IRDS, DownloadError, load, records

if TYPE_CHECKING:
    from pandas import DataFrame

MOST_DOCUMENTS = 1_000_000  # a choice: indexes are made in memory; Robust04 has 528 155

A_WORD = re.compile(r"\w")


@dataclass(frozen=True)
class Corpus:
    """A collection that systems can be built for.

    Attributes
    ----------
    dataset_id : str
        Without the prefix ``irds:``.
    language : str
        The language of the documents, as an ISO 639-1 code.
    doc_ids, texts : sequences of str
        One of each per document.
    topics : DataFrame
        Columns qid and query. Topics without judgments are left out.
    qrels : DataFrame
        Columns qid, docno and label.
    """

    dataset_id: str
    language: str
    doc_ids: Sequence[str]
    texts: Sequence[str]
    topics: DataFrame
    qrels: DataFrame

    @cached_property
    def digest(self) -> str:
        """A digest of the documents."""
        from joblib import hash as digest_of

        return str(digest_of([self.doc_ids, self.texts]))

    @property
    def description(self) -> str:
        """One line: the id, and how many documents, topics and judgments it has."""
        return (
            f"ir_datasets {self.dataset_id}: {len(self.doc_ids):,} documents, "
            f"{len(self.topics):,} topics, {len(self.qrels):,} judgments"
        )


def check_dataset(dataset_id: str) -> None:
    """Raise InputError if no systems can be built for an id; nothing is downloaded."""
    name = IRDS + dataset_id.removeprefix(IRDS)
    dataset = load(name)
    for part, word in (("docs", "documents"), ("queries", "topics"), ("qrels", "qrels")):
        if not getattr(dataset, f"has_{part}")():
            raise InputError(f"{name}: this ir_datasets id has no {word}")
    count = dataset.docs_metadata().get("count")
    if count is not None and count > MOST_DOCUMENTS:
        raise InputError(
            f"{name}: systems are built for at most {MOST_DOCUMENTS:,} documents; "
            f"this id has {count:,}"
        )


def read_corpus(dataset_id: str) -> Corpus:
    """The documents, topics and qrels of an id, downloaded if they are not in the cache.

    Parameters
    ----------
    dataset_id
        An ir_datasets id with documents, topics and qrels, with or without the prefix ``irds:``.

    Raises
    ------
    ValueError
        When there is no such id, it lacks documents, topics or qrels, it is too large, a download
        failed, or a file in the cache is damaged. The message is one line.
    """
    name = IRDS + dataset_id.removeprefix(IRDS)
    check_dataset(name)
    docs = _some(name, "docs", "documents")
    topics, qrels = _judged_topics(name)
    texts = [" ".join(doc.default_text().split()) for doc in docs]
    if not any(A_WORD.search(text) for text in texts):
        raise InputError(f"{name}: its documents have no words")
    dataset = load(name)
    doc_ids = [str(doc.doc_id) for doc in docs]
    language = dataset.docs_lang() or "en"
    return Corpus(name.removeprefix(IRDS), language, doc_ids, texts, topics, qrels)


def _judged_topics(name: str) -> tuple[DataFrame, DataFrame]:
    """Topics that have judgments, and the judgments."""
    judgments, queries = _some(name, "qrels", "qrels"), _some(name, "queries", "topics")
    qrels = frame(
        {
            "qid": [str(row.query_id) for row in judgments],
            "docno": [str(row.doc_id) for row in judgments],
            "label": [int(row.relevance) for row in judgments],
        }
    )
    judged = set(qrels["qid"])
    topics = {
        str(row.query_id): " ".join(row.default_text().split())
        for row in queries
        if str(row.query_id) in judged
    }
    if not topics:
        raise InputError(f"{name}: no topic has judgments")
    return frame({"qid": list(topics), "query": list(topics.values())}), qrels


def _some(name: str, kind: str, word: str) -> list[Any]:
    """The records of an id; the error of a damaged file names its folder."""
    from ir_datasets.util import home_path

    folder = home_path() / name.removeprefix(IRDS).split("/")[0]
    try:
        found = records(name, kind)
    except DownloadError:
        raise
    except InputError as error:
        raise InputError(f"{error} (its files are in {folder})") from None
    if not found:
        raise InputError(f"{name}: no {word} in {folder}: a file there is damaged")
    return found
