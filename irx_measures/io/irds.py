"""Qrels and scored documents of ir_datasets ids, by its own loader."""

from __future__ import annotations

import logging
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Any

from ..common.nearest import did_you_mean
from ..common.writing import some
from ..exceptions import InputError, MissingExtraError
from .opened import note_dataset

IRDS = "irds:"

FAILED_ATTEMPTS = ("download error", "Download failed")

LONGEST_REASON = 200  # characters of another package's message: about two lines

NEAR = 0.7  # of two ids, a choice: a letter more, less or swapped; a path is near to none

MOST_NAMED = 4  # ids in a message: about two lines

logger = logging.getLogger("irx_measures")


class DownloadError(InputError):
    """ir_datasets could not download a file."""


def records(name: str, kind: str) -> list[Any]:
    """The records of an ir_datasets id, downloaded if they are not in its cache.

    Parameters
    ----------
    name
        The id, with or without the prefix ``irds:``.
    kind
        ``qrels``, ``scoreddocs``, ``docs`` or ``queries``.

    Raises
    ------
    ValueError
        When there is no such id, it has no such records, the download failed, or a file in the
        cache is malformed. The message is one line.
    """
    return list(_iterate(name, kind))


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
    """The texts of some documents of an ir_datasets id; unknown documents are left out.

    Raises
    ------
    ValueError
        As for `records`.
    """
    dataset = _loaded(name, "docs")
    with _failures(name):
        stored = dataset.docs_store().get_many(list(ids))
        return {doc: record.default_text() for doc, record in stored.items()}


def query_text(name: str, query_id: str) -> str:
    """The text of a query of an ir_datasets id; empty if the id has no such query."""
    if not load(name).has_queries():
        return ""
    queries = _iterate(name, "queries")
    return next((query.default_text() for query in queries if query.query_id == query_id), "")


def _iterate(name: str, kind: str) -> Iterator[Any]:
    dataset = _loaded(name, kind)
    with _failures(name):
        yield from getattr(dataset, f"{kind}_iter")()


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


@contextmanager
def _failures(name: str) -> Iterator[None]:
    """Raise the errors of ir_datasets as InputErrors of one line, and print no failed attempts."""
    downloads = logging.getLogger("ir_datasets")
    downloads.addFilter(_says_more)
    try:
        yield
    except MemoryError:
        raise
    except Exception as error:  # readers of ir_datasets raise any error on a damaged file
        sources = error.args[1] if len(error.args) == 2 else None  # of a file that has several
        module = type(error).__module__.split(".")[0]
        failed = isinstance(sources, list) or module in ("requests", "urllib3")
        source = ""
        reason: BaseException = error
        if isinstance(sources, list) and sources:
            first, reason = sources[0]
            source = f"{getattr(first, 'url', first)}: "
        while reason.args and isinstance(reason.args[0], BaseException):  # as requests wraps
            reason = getattr(reason.args[0], "reason", None) or reason.args[0]
        text = source + (" ".join(str(reason).split()) or type(reason).__name__)
        if len(text) > LONGEST_REASON:
            text = f"{text[:LONGEST_REASON]}..."
        of = DownloadError if failed else InputError
        raise of(f"{name}: ir_datasets: {'download failed: ' * failed}{text}") from None
    finally:
        downloads.removeFilter(_says_more)


def _says_more(record: logging.LogRecord) -> bool:
    """Whether a message says more than the error that follows a failed attempt."""
    return not record.getMessage().startswith(FAILED_ATTEMPTS)
