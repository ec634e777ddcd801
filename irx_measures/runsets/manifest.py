"""The manifest of a saved RunSet, and the names of its files."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from ..exceptions import InputError

FORMAT, VERSION = "irx_measures.RunSet", 1

MANIFEST, RUNS = "manifest.json", "runs"

ENDING = ".run.gz"

SAFE_STEM = re.compile(r"[A-Za-z0-9_][A-Za-z0-9._-]{0,99}")

SAFE_FILE = re.compile(rf"{RUNS}/{SAFE_STEM.pattern}{re.escape(ENDING)}")

LONGEST_CLEANED = 60  # characters: file systems take 255 bytes, and the number must fit too

RESERVED = re.compile(r"(con|prn|aux|nul|com[0-9]|lpt[0-9])(\..*)?", re.IGNORECASE)  # by Windows

FIELDS = {"name": str, "licence": (str, type(None)), "strict": bool, "named": bool, "digest": str}

RUN_FIELDS = {"name": str, "group": (str, type(None)), "file": str, "sha256": str, "digest": str}


def read_manifest(path: Path) -> dict[str, Any]:
    """The manifest of a saved set.

    Raises
    ------
    ValueError
        When there is no manifest, or it is damaged, or names a file outside of the folder.
    FileNotFoundError
        When there is no such folder.
    """
    if not path.exists():
        raise FileNotFoundError(f"{path}: no such folder")
    manifest = path / MANIFEST
    if not manifest.is_file():
        raise InputError(f"{path}: not a saved RunSet: it has no {MANIFEST}")
    try:
        content = json.loads(manifest.read_bytes())
    except (ValueError, RecursionError) as error:
        raise InputError(f"{manifest}: not JSON ({error})") from None
    if not isinstance(content, dict) or content.get("format") != FORMAT:
        raise InputError(f"{manifest}: not the manifest of a saved RunSet")
    if content.get("version") != VERSION:
        raise InputError(
            f"{manifest}: must be of version {VERSION}; got {content.get('version')!r}, written by "
            f"irx_measures {content.get('irx_measures')}"
        )
    runs = content.get("runs")
    if not _has(content, FIELDS) or not isinstance(runs, list) or not runs:
        raise InputError(f"{manifest}: damaged: a field is missing or wrong")
    for place, run in enumerate(runs, 1):
        if not isinstance(run, dict) or not _has(run, RUN_FIELDS) or not run["name"]:
            raise InputError(f"{manifest}: damaged: a field of run {place} is missing or wrong")
        if not SAFE_FILE.fullmatch(run["file"]):
            raise InputError(
                f"{manifest}: files must be {RUNS}/NAME{ENDING}, with letters, digits and ._- in "
                f"NAME; got {run['file']!r}"
            )
    if len({run["name"] for run in runs}) < len(runs):
        raise InputError(f"{manifest}: damaged: two runs have the same name")
    if len({run["group"] is None for run in runs}) > 1:
        raise InputError(f"{manifest}: damaged: some runs have a group, and others have none")
    return content


def _has(content: dict[str, Any], fields: dict[str, Any]) -> bool:
    return all(isinstance(content.get(name), kind) for name, kind in fields.items()) and (
        fields.keys() <= content.keys()
    )


def file_stems(names: Sequence[str]) -> list[str]:
    """A safe name for each run's file; they differ, also where case does not count."""
    stems: list[str] = []
    taken: set[str] = set()
    for name in names:
        stem = name if SAFE_STEM.fullmatch(name) else _cleaned(name)
        stem = f"run-{stem[:LONGEST_CLEANED]}" if RESERVED.fullmatch(stem) else stem
        unique, number = stem, 1
        while unique.casefold() in taken:
            number += 1
            unique = f"{stem[:LONGEST_CLEANED]}-{number}"
        taken.add(unique.casefold())
        stems.append(unique)
    return stems


def _cleaned(name: str) -> str:
    return re.sub(r"[^A-Za-z0-9._-]+", "_", name).strip("._-")[:LONGEST_CLEANED] or "run"
