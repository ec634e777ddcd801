"""Atomic writes of folders."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Callable
from pathlib import Path

from .files import umask


def write_folder(path: Path, fill: Callable[[Path], None], replace: bool) -> None:
    """Write a folder atomically: it appears as a whole, or nothing changes if the write fails.

    A link to a folder stays a link: the target of the link is replaced.

    Parameters
    ----------
    path
        The folder.
    fill
        Writes the files into an empty folder, which is then renamed.
    replace
        Whether the folder may exist already.

    Raises
    ------
    FileExistsError
        When the path exists and must not be replaced.
    FileNotFoundError
        When the folder in which it should be does not exist.
    """
    if not replace and os.path.lexists(path):
        raise FileExistsError(f"{path}: exists already")
    real = path.resolve()
    if not real.parent.is_dir():
        raise FileNotFoundError(f"{real.parent}: no such folder")
    try:
        new = Path(tempfile.mkdtemp(dir=real.parent, prefix=".irx-"))
    except OSError as error:
        raise OSError(error.errno, error.strerror, str(path)) from None
    try:
        fill(new)
        os.chmod(new, 0o777 & ~umask())
        _rename(new, real)
    except BaseException:
        shutil.rmtree(new, ignore_errors=True)
        raise


def _rename(new: Path, real: Path) -> None:
    """Give a new folder its name; a folder that had the name is deleted."""
    if not real.exists():
        new.rename(real)
        return
    old = new.with_name(f"{new.name}.old")
    real.rename(old)
    try:
        new.rename(real)
    except BaseException:
        old.rename(real)
        raise
    shutil.rmtree(old)
