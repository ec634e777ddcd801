"""Qrels and scored documents of ir_datasets ids, by its own loader."""

from __future__ import annotations

import logging
import os
from collections.abc import Callable, Iterable
from typing import Any, TypeVar
from urllib.parse import urlsplit

from ..common.writing import did_you_mean, one_line, some
from ..exceptions import InputError, MissingExtraError, NoFileError
from .opened import note_dataset

IRDS = "irds:"

NEAR = 0.7  # of two ids, a choice: a letter more, less or swapped; a path is near to none

MOST_NAMED = 4  # ids in a message: about two lines

# What says no more than the error that follows a failed attempt, or before one.
SAYS_NO_MORE = ("download error", "Download failed", "[error]", "[starting] opening")

INSTEAD = {"qrels": "put the qrels in a file, or ", "scoreddocs": "put the run in a file, or "}
"""What else helps, by the kind of the records."""

logger = logging.getLogger("irx_measures")

Value = TypeVar("Value")


class NotReachedError(InputError):
    """A download that failed because there is no network, or no server answered."""

    def _render_traceback_(self) -> list[str]:
        """What a notebook shows: the sentence, because no line of code is wrong."""
        return [f"{type(self).__name__}: {self}"]


def records(name: str, kind: str) -> list[Any]:
    """The records of an ir_datasets id, downloaded if they are not in its cache.

    `kind` is ``qrels``, ``scoreddocs``, ``docs`` or ``queries``. InputError, of one line, if there
    is no such id, it has no such records, the download failed, or a file in the cache is malformed;
    NotReachedError if no server answered.
    """
    dataset = _loaded(name, kind)
    return _told(name, kind, lambda: list(getattr(dataset, f"{kind}_iter")()))


def load(name: str) -> Any:
    """The dataset of an ir_datasets id."""
    identifier = name.removeprefix(IRDS)
    forced = name.startswith(IRDS)
    try:
        import ir_datasets
    except ImportError:
        how = "ir_datasets is not installed (pip install 'irx-measures[datasets]')"
        if forced:
            raise MissingExtraError(f"{name}: {how}") from None
        raise NoFileError(f"{name}: no such file, and {how}") from None
    except RuntimeError as error:  # from pathlib: it looks for its cache when it is imported
        raise InputError(
            f"{name}: ir_datasets: {one_line(error)} Set HOME, where its cache is"
        ) from None
    try:
        return ir_datasets.load(identifier)
    except KeyError:
        is_folder = os.path.isdir(name)
        what = "no such" if forced else "neither a file nor an"
        if is_folder:
            what = "a folder, and no"
        known = {each.lower(): each for each in ir_datasets.registry}
        hint = did_you_mean(identifier, known, NEAR)
        kind = InputError if forced or is_folder else NoFileError
        raise kind(f"{name}: {what} ir_datasets id{hint}") from None


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
    stored = _told(name, "docs", lambda: dataset.docs_store().get_many(list(ids)))
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
        having = [
            each
            for each in ir_datasets.registry
            if each.startswith(start) and getattr(ir_datasets.load(each), f"has_{kind}")()
        ]
        hint = ""
        if having:
            verb = "have" if len(having) > 1 else "has"
            hint = f"; {some(having, MOST_NAMED)} {verb} them"
        raise InputError(f"{name}: this ir_datasets id has no {kind}{hint}")
    note_dataset(name)
    logger.info("%s: from ir_datasets, which downloads what is not in its cache", name)
    return dataset


def _told(name: str, kind: str, read: Callable[[], Value]) -> Value:
    """What ir_datasets returns; an error is an InputError of one line, in place of attempts."""
    downloads = logging.getLogger("ir_datasets")
    downloads.addFilter(_says_more)
    try:
        return read()
    except MemoryError:
        raise
    except Exception as error:  # its readers raise any error on a damaged file
        failure = _last_attempt(error)
        if not _is_unanswered(failure):
            reason = one_line(failure) or type(failure).__name__
            raise InputError(f"{name}: ir_datasets: {reason}") from None
        host = urlsplit(getattr(failure.request, "url", "")).hostname or "the server"
        instead = f"{INSTEAD.get(kind, '')}name a folder that has this id in IR_DATASETS_HOME"
        raise NotReachedError(f"{name}: no answer from {host}; {instead}") from None
    finally:
        downloads.removeFilter(_says_more)


def _last_attempt(error: Exception) -> Any:
    """The error of the last place that ir_datasets downloaded from, or the error itself."""
    if isinstance(error, RuntimeError) and error.args and isinstance(error.args[-1], list):
        return error.args[-1][-1][1]  # of (place, error) each
    return error


def _is_unanswered(failure: Exception) -> bool:
    """Whether a download failed because there is no network, or a server or proxy is silent."""
    import ir_datasets

    web = ir_datasets.lazy_libs.requests().exceptions
    silent = (web.ConnectionError, web.Timeout, web.ChunkedEncodingError)
    return isinstance(failure, silent) and not isinstance(failure, web.SSLError)


def _says_more(record: logging.LogRecord) -> bool:
    """Whether a message says more than the error that follows a failed attempt."""
    return not record.getMessage().startswith(SAYS_NO_MORE)
