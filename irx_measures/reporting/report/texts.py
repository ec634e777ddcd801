"""Texts of topics and documents, from ir_datasets, a file, or the caller."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from os import PathLike
from pathlib import Path

from ...common.writing import one_line
from ...exceptions import InputError
from ...io.columns import QUERY_NAMES
from ...io.irds import document_texts, topic_texts
from ...io.rows import rows

TEXT_NAMES = ("text", "query", "title")  # of the column of texts, as tools name it


def texts_of(texts: str | Mapping[str, str] | None, doc_ids: Iterable[str]) -> Mapping[str, str]:
    """The texts of some documents: of an ir_datasets id, or the caller's; empty for None."""
    if isinstance(texts, str):
        return document_texts(texts, doc_ids)
    known = checked_texts(texts or {}, "texts")
    return {name: known[name] for name in doc_ids if name in known}


def titles_of(
    texts: str | Mapping[str, str] | None, topics: Mapping[str, str] | str | PathLike[str] | None
) -> Mapping[str, str]:
    """The texts of the topics: those of a file or of the caller replace those of the dataset."""
    given = read_topics(Path(topics)) if isinstance(topics, (str, PathLike)) else topics
    of_dataset = topic_texts(texts) if isinstance(texts, str) else {}
    return {**of_dataset, **checked_texts(given or {}, "topics")}


def read_topics(path: Path) -> dict[str, str]:
    """The text of each topic in a table with the columns query_id and text.

    Raises
    ------
    InputError
        When a column is missing, or a topic has two texts.
    """
    found: dict[str, str] = {}
    for row in rows(path, (QUERY_NAMES, TEXT_NAMES)):
        topic, text = row.text(QUERY_NAMES), row.text(TEXT_NAMES)
        if found.setdefault(topic, text) != text:
            raise InputError(f"{path}: topic {topic!r} must have one text; got two")
    return found


def checked_texts(texts: object, name: str) -> Mapping[str, str]:
    """A mapping from ids to texts, each in one line; TypeError for anything else."""
    if not isinstance(texts, Mapping):
        raise TypeError(f"`{name}` must map ids to texts; got {type(texts).__name__}")
    return {str(key): one_line(text) for key, text in texts.items()}
