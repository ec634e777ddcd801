"""Texts of topics and documents, from ir_datasets or from the caller."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from ...exceptions import InputError
from ...io.irds import IRDS, load, records


def dataset_titles(name: str) -> dict[str, str]:
    """The texts of the topics of an ir_datasets id; none if it has no topics."""
    given = IRDS + name.removeprefix(IRDS)
    if not load(given).has_queries():
        return {}
    return {str(row.query_id): one_line(row.default_text()) for row in records(given, "queries")}


def dataset_texts(name: str, doc_ids: Iterable[str]) -> dict[str, str]:
    """The texts of some documents of an ir_datasets id.

    Raises
    ------
    InputError
        If there is no such id, or it has no documents.
    """
    given = IRDS + name.removeprefix(IRDS)
    dataset = load(given)
    if not dataset.has_docs():
        raise InputError(f"{given}: this ir_datasets id has no documents")
    found: Iterable[Any] = dataset.docs_store().get_many_iter(list(doc_ids))
    return {str(doc.doc_id): one_line(doc.default_text()) for doc in found}


def checked_texts(texts: object, name: str) -> Mapping[str, str]:
    """A mapping from ids to texts, each in one line; TypeError for anything else."""
    if not isinstance(texts, Mapping):
        raise TypeError(f"`{name}` must map ids to texts; got {type(texts).__name__}")
    return {str(key): one_line(str(text)) for key, text in texts.items()}


def one_line(text: str) -> str:
    return " ".join(text.split())
