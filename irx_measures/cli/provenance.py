"""``-o json``: the results of a command, with what they were computed from and by."""

from __future__ import annotations

import json
import os
import shlex
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import ir_measures

from ..common.version import VERSION
from ..io.files import sha256_of
from ..io.opened import FileState, Opened

SCHEMA = "irx_measures.results/2"


def with_provenance(
    arguments: Sequence[str], results: str, warnings: Sequence[str], opened: Opened
) -> str:
    """The results of a command as one JSON object.

    Parameters
    ----------
    arguments
        The command line, after ``irx``.
    results
        The results, as ``json`` of `common.tables.FORMATS` writes them.
    warnings
        What the command warned of.
    opened
        What it read. Files are hashed now; one that changed in between has no digest, because
        nobody knows which content was read.

    Notes
    -----
    There is no date in it: the same input has the same bytes.
    """
    head = {
        "schema": SCHEMA,
        "irx_measures": VERSION,
        "ir_measures": ir_measures.__version__,
        "command": shlex.join(["irx", *arguments]),
        "inputs": [_described(path, state) for path, state in opened.items()],
        "warnings": list(warnings),
    }
    # The results are text already: they are not parsed and written a second time.
    start = json.dumps(head, indent=1, allow_nan=False).removesuffix("\n}")
    return f'{start},\n "results": {results.rstrip()}\n}}\n'


def _described(path: str, before: FileState | None) -> dict[str, Any]:
    """An input with its digest, or with the reason why it has none."""
    if before is None:
        return {"path": path, "sha256": None, "no_digest": "not a file"}
    digest = sha256_of(Path(path)) if os.path.isfile(path) else None
    if digest is None or FileState.of(path) != before:
        return {"path": path, "sha256": None, "no_digest": "changed while the command ran"}
    return {"path": path, "sha256": digest}
