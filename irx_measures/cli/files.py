"""Arguments that are files to read: globs in them are expanded where the shell did not do it."""

from __future__ import annotations

import argparse
import glob
import os
from collections.abc import Iterator
from pathlib import Path

from ..common.writing import some
from ..exceptions import InputError
from ..io.irds import IRDS
from ..io.reading import glob_matches

MOST_NAMED = 3  # files in a message, a choice


def input_file(text: str) -> str:
    """The argparse type of files that are read, or ids of ir_datasets."""
    return text


def input_path(text: str) -> Path:
    """The argparse type of files that are read."""
    return Path(text)


def file_or_name(text: str) -> str:
    """The argparse type of files that are read, or names of runs."""
    return text


def expand_globs(options: argparse.Namespace) -> None:
    """Put the files in the place of each glob, in sorted order.

    PowerShell and cmd expand no globs, and no shell expands a quoted one. As in a shell, folders
    match too, hidden files do not. The name of a file that exists is no glob.

    InputError if a glob matches no file, or several where one is read. A text that may be the name
    of a run stays as it is if no file matches.
    """
    for action in options.parser._actions:
        given = getattr(options, action.dest, None)
        if action.type not in (input_file, input_path, file_or_name) or given is None:
            continue
        if isinstance(given, list):
            files = [file for text in given for file in _matching(action, text)]
            setattr(options, action.dest, files)
            continue
        found = list(_matching(action, str(given)))
        if len(found) > 1:
            shown = action.option_strings[-1] if action.option_strings else action.metavar
            raise InputError(f"{shown} must be one file; {given} matches {some(found, MOST_NAMED)}")
        setattr(options, action.dest, action.type(found[0]))


def _matching(action: argparse.Action, text: str) -> Iterator[str]:
    """The files that an argument names, or the argument itself if it is no glob."""
    if not glob.has_magic(text) or text.startswith(IRDS) or os.path.lexists(text):
        yield text
        return
    found = glob_matches(text)
    if not found and action.type is not file_or_name:
        raise InputError(f"{text}: no such file")
    yield from found or [text]
