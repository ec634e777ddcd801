"""Qrels and scored documents of ir_datasets ids, by its own loader."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable
from typing import Any, TypeVar

from ..common.writing import did_you_mean, one_line, some
from ..exceptions import InputError, MissingExtraError
from .files import note_dataset

IRDS = "irds:"

REASON = 150  # characters of both ends of another package's message: about four lines

NEAR = 0.7  # of two ids, a choice: a letter more, less or swapped; a path is near to none

MOST_NAMED = 4  # ids in a message: about two lines

logger = logging.getLogger("irx_measures")

Value = TypeVar("Value")


def records(name: str, kind: str) -> list[Any]:
    """The records of an ir_datasets id, downloaded if they are not in its cache.

    `kind` is ``qrels``, ``scoreddocs``, ``docs`` or ``queries``. InputError, of one line, if there
    is no such id, it has no such records, the download failed, or a file in the cache is malformed.
    """
    dataset = _loaded(name, kind)
    return _told(name, lambda: list(getattr(dataset, f"{kind}_iter")()))


def load(name: str) -> Any:
    """The dataset of an ir_datasets id."""
    identifier = name.removeprefix(IRDS)
    forced = name.startswith(IRDS)
    try:
        import ir_datasets
    except ImportError:
        where = "" if forced else "no such file, and "
        raise MissingExtraError(
            f"{name}: {where}ir_datasets is not installed (pip install 'irx-measures[datasets]')"
        ) from None
    try:
        return ir_datasets.load(identifier)
    except KeyError:
        what = "no such" if forced else "neither a file nor an"
        known = {each.lower(): each for each in ir_datasets.registry}
        hint = did_you_mean(identifier, known, NEAR)
        raise InputError(f"{name}: {what} ir_datasets id{hint}") from None


def grade_meanings(name: str) -> dict[int, str]:
    """What the grades of an ir_datasets id mean, in its own words; nothing is downloaded."""
    dataset = load(name)
    meanings = dataset.qrels_defs() if dataset.has_qrels() else None
    return {grade: str(text) for grade, text in (meanings or {}).items() if isinstance(grade, int)}


def official_measures(name: str) -> list[str]:
    """The official measures of an ir_datasets id, if it names some; nothing is downloaded."""
    about = load(name).documentation() or {}
    return list(map(str, about.get("official_measures") or ()))


def document_texts(name: str, ids: Iterable[str]) -> dict[str, str]:
    """The texts of some documents of an ir_datasets id, each in one line, as `records`.

    Unknown documents are left out.
    """
    dataset = _loaded(IRDS + name.removeprefix(IRDS), "docs")
    stored = _told(name, lambda: dataset.docs_store().get_many(list(ids)))
    return {str(doc): one_line(record.default_text()) for doc, record in stored.items()}


def topic_texts(name: str) -> dict[str, str]:
    """The texts of the topics of an ir_datasets id, each in one line; none if it has no topics."""
    given = IRDS + name.removeprefix(IRDS)
    queries = records(given, "queries") if load(given).has_queries() else []
    return {str(query.query_id): one_line(query.default_text()) for query in queries}


def _loaded(name: str, kind: str) -> Any:
    """The dataset of an ir_datasets id that has records of this kind."""
    dataset = load(name)
    if not getattr(dataset, f"has_{kind}")():
        import ir_datasets

        start = f"{name.removeprefix(IRDS)}/"
        below = [each for each in ir_datasets.registry if each.startswith(start)]
        having = [each for each in below if getattr(ir_datasets.load(each), f"has_{kind}")()]
        hint = f"; {some(having, MOST_NAMED)} {'have' if len(having) > 1 else 'has'} them"
        raise InputError(f"{name}: this ir_datasets id has no {kind}{hint if having else ''}")
    note_dataset(name)
    logger.info("%s: from ir_datasets, which downloads what is not in its cache", name)
    return dataset


def _told(name: str, read: Callable[[], Value]) -> Value:
    """What ir_datasets returns; an error is an InputError of one line, in place of attempts."""
    downloads = logging.getLogger("ir_datasets")
    downloads.addFilter(_says_more)
    try:
        return read()
    except MemoryError:
        raise
    except Exception as error:  # its readers raise any error on a damaged file
        reason = one_line(error) or type(error).__name__
        if len(reason) > 2 * REASON:
            reason = f"{reason[:REASON]} ... {reason[-REASON:]}"  # the last cause is at the end
        raise InputError(f"{name}: ir_datasets: {reason}") from None
    finally:
        downloads.removeFilter(_says_more)


def _says_more(record: logging.LogRecord) -> bool:
    """Whether a message says more than the error that follows a failed attempt."""
    return not record.getMessage().startswith(("download error", "Download failed"))
