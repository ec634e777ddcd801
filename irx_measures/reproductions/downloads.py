"""What ir_datasets would still download for an id, and how large it is."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Sequence
from typing import Any, Literal, NamedTuple

from ..exceptions import InputError
from ..io.irds import IRDS, load

Part = Literal["docs", "queries", "qrels"]

PARTS: tuple[Part, ...] = ("docs", "queries", "qrels")

# Where the classes of ir_datasets that extract a download keep the path of what they extracted.
EXTRACTED = ("_path", "_extract_path", "extract_path")


class PendingDownload(NamedTuple):
    """A file that is not in ir_datasets' cache.

    Attributes
    ----------
    url
        Where ir_datasets downloads it; None if it must be put at `path` by hand.
    size
        In bytes; None if ir_datasets does not know it.
    path
        The place of the file in the cache.
    """

    url: str | None
    size: int | None
    path: str

    def __str__(self) -> str:
        if self.url is None:
            return f"{self.path} (ir_datasets cannot download it)"
        return f"{self.url} ({_size_text(self.size)})"


def pending_downloads(
    dataset_id: str, parts: Sequence[Part] = PARTS
) -> tuple[PendingDownload, ...]:
    """The files that ir_datasets would download for these parts of an id.

    Parameters
    ----------
    dataset_id
        An ir_datasets id, with or without the prefix ``irds:``.
    parts
        Some of ``docs``, ``queries`` and ``qrels``; what the id does not have is left out.

    Raises
    ------
    ValueError
        When there is no such id, or ir_datasets is not installed.

    Notes
    -----
    Nothing is downloaded. The files are those of the ``Download`` objects that can be reached from
    the handlers of the id, except where what was extracted from a download is in the cache.
    """
    dataset = load(IRDS + dataset_id.removeprefix(IRDS))
    found: dict[str, PendingDownload] = {}
    for part in parts:
        if getattr(dataset, f"has_{part}")():
            for download in _downloads(dataset, part):
                pending = _pending(download)
                found.setdefault(pending.path, pending)
    return tuple(found.values())


def confirm_downloads(
    dataset_id: str, pending: Sequence[PendingDownload], yes: bool = False
) -> None:
    """Say on stderr what will be downloaded, and ask whether to start.

    Parameters
    ----------
    dataset_id
        The id that the downloads belong to.
    pending
        As returned by `pending_downloads`; if it is empty, nothing is said or asked.
    yes
        Whether to start without asking.

    Raises
    ------
    ValueError
        When the user declines, when nobody can be asked, and when a file cannot be downloaded.
    """
    by_hand = [download.path for download in pending if download.url is None]
    if by_hand:
        raise InputError(
            f"{dataset_id}: ir_datasets cannot download {', '.join(by_hand)}: put it there, as "
            f"https://ir-datasets.com/{dataset_id.removeprefix(IRDS).split('/')[0]} says"
        )
    if not pending:
        return
    print(describe_downloads(dataset_id, pending), file=sys.stderr)
    if not yes:
        _ask(dataset_id, pending)


def _ask(dataset_id: str, pending: Sequence[PendingDownload]) -> None:
    if not sys.stdin.isatty():
        raise InputError(
            f"{dataset_id}: {_total_text(pending)} must be downloaded: pass --yes to start"
        )
    print("Start? [y/N] ", end="", file=sys.stderr, flush=True)
    if sys.stdin.readline().strip().lower() not in ("y", "yes"):
        raise InputError(f"{dataset_id}: nothing was downloaded")


def describe_downloads(dataset_id: str, pending: Sequence[PendingDownload]) -> str:
    """The downloads as text: their total size, and a line per file."""
    if not pending:
        return f"{dataset_id}: ir_datasets has all files in its cache"
    first = f"{dataset_id}: ir_datasets will download {_total_text(pending)}:"
    return "\n".join([first, *(f"  {download}" for download in pending)])


def _downloads(dataset: Any, part: Part) -> Iterator[Any]:
    """The downloads that can be reached from a handler and are not in the cache."""
    from ir_datasets.datasets.base import Dataset
    from ir_datasets.util import Download

    waiting, seen = [getattr(dataset, f"{part}_handler")()], {id(dataset)}
    while waiting:
        current = waiting.pop()
        if id(current) in seen or _is_extracted(current):
            continue
        seen.add(id(current))
        if isinstance(current, Download):
            if not os.path.exists(current._cache_path or ""):
                yield current
        elif isinstance(current, Dataset):
            if getattr(current, f"has_{part}")():
                waiting.append(getattr(current, f"{part}_handler")())
        else:
            waiting.extend(_parts_of(current))


def _is_extracted(current: Any) -> bool:
    """Whether a wrapper of a download has already extracted what is needed."""
    from ir_datasets.util import Download

    if isinstance(current, Download) or not _is_of_ir_datasets(current):
        return False
    paths = [vars(current).get(name) for name in EXTRACTED]
    return any(isinstance(path, (str, os.PathLike)) and os.path.exists(path) for path in paths)


def _parts_of(current: Any) -> list[Any]:
    """What an object of ir_datasets refers to: items, attributes, variables of its function."""
    if isinstance(current, dict):
        return list(current.values())
    if isinstance(current, (list, tuple, set)):
        return list(current)
    if not _is_of_ir_datasets(current):
        return []
    parts = list(getattr(current, "__dict__", {}).values())
    parts.append(getattr(current, "__self__", None))
    for cell in getattr(current, "__closure__", None) or ():
        parts.append(cell.cell_contents)
    return parts


def _is_of_ir_datasets(current: Any) -> bool:
    module = getattr(current, "__module__", None)
    is_theirs = isinstance(module, str) and module.split(".")[0] == "ir_datasets"
    return is_theirs and not isinstance(current, type)


def _pending(download: Any) -> PendingDownload:
    urls = [source.url for source in download.mirrors if hasattr(source, "url")]
    path = str(download._cache_path or (urls[0] if urls else download.mirrors[0]._path))
    return PendingDownload(urls[0] if urls else None, download._size_hint, path)


def _total_text(pending: Sequence[PendingDownload]) -> str:
    """``2 files, 94.4 MB and 1 file of unknown size``."""
    known = [download.size for download in pending if download.size is not None]
    unknown = len(pending) - len(known)
    texts = []
    if known:
        texts.append(f"{_files(len(known))}, {_size_text(sum(known))}")
    if unknown:
        texts.append(f"{_files(unknown)} of unknown size")
    return " and ".join(texts)


def _files(number: int) -> str:
    return f"{number} file" if number == 1 else f"{number} files"


def _size_text(size: int | None) -> str:
    if size is None:
        return "size unknown"
    for unit, scale in (("GB", 1e9), ("MB", 1e6), ("kB", 1e3)):
        if size >= scale:
            return f"{size / scale:.1f} {unit}"
    return f"{size} bytes"
