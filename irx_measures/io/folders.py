"""Atomic writes of folders."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from .ending import cleaned_up


def write_files(path: Path, fill: Callable[[Path], None]) -> None:
    """Write files into a folder, which may exist: all of them appear, or none.

    Parameters
    ----------
    path
        The folder; it is created if it does not exist, with those in which it should be.
    fill
        Writes the files, which must be new, into an empty folder; then they are moved.
    """
    made = next((folder for folder in [*reversed(path.parents), path] if not folder.exists()), None)
    moved: list[Path] = []
    try:
        path.mkdir(parents=True, exist_ok=True)
        with _hidden_folder(path, path) as new:
            fill(new)
            for file in sorted(filter(Path.is_file, new.rglob("*"))):
                target = path / file.relative_to(new)
                target.parent.mkdir(exist_ok=True)
                moved.append(target)
                file.rename(target)
            shutil.rmtree(new)
    except BaseException:
        for target in moved:
            target.unlink(missing_ok=True)
        if made is not None:
            shutil.rmtree(made, ignore_errors=True)
        raise


@contextmanager
def _hidden_folder(parent: Path, path: Path) -> Iterator[Path]:
    """A new folder, which is deleted if the context fails; errors name the path, not the folder."""
    new = path
    try:
        with cleaned_up():
            new = Path(tempfile.mkdtemp(dir=parent, prefix=".irx-"))
            try:
                yield new
            except BaseException:
                shutil.rmtree(new, ignore_errors=True)
                raise
    except OSError as error:
        if error.errno is None:
            raise
        inside = str(error.filename).startswith(f"{new}{os.sep}")
        name = str(error.filename).replace(str(new), str(path)) if inside else str(path)
        raise OSError(error.errno, error.strerror, name) from None
