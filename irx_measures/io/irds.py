"""Qrels and scored documents of ir_datasets ids, by its own loader."""

from __future__ import annotations

import errno
import logging
import os
import socket
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, TypeVar
from urllib.parse import urlsplit

from ..common.writing import did_you_mean, joined, one_line, some
from ..exceptions import InputError, MissingExtraError, NoFileError
from .opened import note_dataset

IRDS = "irds:"

REASON = 150  # characters of both ends of another package's message: about four lines

NEAR = 0.7  # of two ids, a choice: a letter more, less or swapped; a path is near to none

MOST_NAMED = 4  # ids in a message: about two lines

# What says no more than the error that follows a failed attempt, or before one.
SAYS_NO_MORE = ("download error", "Download failed", "[error]", "[starting] opening")

UNREACHABLE = (errno.ENETDOWN, errno.ENETUNREACH)

INSTEAD = {"qrels": "put the qrels in a file, or ", "scoreddocs": "put the run in a file, or "}
"""What helps without a network, by the kind of the records."""

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
        what = "no such" if forced else "neither a file nor an"
        if os.path.isdir(name):
            what = "a folder, and no"
        known = {each.lower(): each for each in ir_datasets.registry}
        hint = did_you_mean(identifier, known, NEAR)
        kind = InputError if forced or os.path.isdir(name) else NoFileError
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
        below = [each for each in ir_datasets.registry if each.startswith(start)]
        having = [each for each in below if getattr(ir_datasets.load(each), f"has_{kind}")()]
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
        failures = _failures(error)
        others = [failure for failure in failures if not _is_unanswered(failure)]
        if not others:
            raise _not_reached(name, kind, failures) from None
        reason = "; ".join(dict.fromkeys(one_line(each) or type(each).__name__ for each in others))
        if len(reason) > 2 * REASON:
            reason = f"{reason[:REASON]} ... {reason[-REASON:]}"  # the last cause is at the end
        raise InputError(f"{name}: ir_datasets: {reason}") from None
    finally:
        downloads.removeFilter(_says_more)


def _failures(error: Exception) -> list[Exception]:
    """The error of each place from which ir_datasets could not download, or the error itself."""
    attempts = error.args[-1] if error.args else None
    if not isinstance(error, RuntimeError) or not isinstance(attempts, list):
        return [error]
    # A folder for files that users downloaded themselves is a place, too; few have one.
    found = [failure for _, failure in attempts if not isinstance(failure, FileNotFoundError)]
    return found or [error]


def _chain(error: BaseException | None) -> Iterator[BaseException]:
    """The error and its causes."""
    while error is not None:
        yield error
        error = error.__cause__ or error.__context__


def _is_unanswered(error: Exception) -> bool:
    """Whether a download failed because there is no network, or the server did not answer."""
    web = _web_errors()
    of_web = (web.ConnectionError, web.Timeout, web.ChunkedEncodingError)
    of_python = (ConnectionError, TimeoutError, socket.gaierror)
    causes = list(_chain(error))
    if any(isinstance(cause, web.SSLError) for cause in causes):  # a ConnectionError, too
        return False
    return any(isinstance(cause, of_web + of_python) for cause in causes)


def _not_reached(name: str, kind: str, failures: Sequence[Exception]) -> NotReachedError:
    """The error of a download that no server answered, with what the user can do."""
    hosts = joined(list(dict.fromkeys(map(_host, failures))))
    what = f"{hosts} did not answer"
    if all(map(_is_offline, failures)):
        what = f"no network ({hosts} cannot be reached)"
    home = "name a folder that has this id in IR_DATASETS_HOME"
    return NotReachedError(f"{name}: {what}; {INSTEAD.get(kind, '')}{home}")


def _host(error: Exception) -> str:
    """The host that did not answer."""
    if isinstance(error, _web_errors().ProxyError):
        return "the proxy"
    asked = getattr(error, "request", None)
    return urlsplit(getattr(asked, "url", None) or "").hostname or "the server"


def _is_offline(error: Exception) -> bool:
    """Whether the name of the host was not found, or no network leads to it."""
    return any(
        isinstance(cause, socket.gaierror) or getattr(cause, "errno", None) in UNREACHABLE
        for cause in _chain(error)
    )


def _web_errors() -> Any:
    """The exceptions of requests, which downloads for ir_datasets."""
    import ir_datasets

    return ir_datasets.lazy_libs.requests().exceptions


def _says_more(record: logging.LogRecord) -> bool:
    """Whether a message says more than the error that follows a failed attempt."""
    return not record.getMessage().startswith(SAYS_NO_MORE)
