"""JSON text, whole or by line; an object with a key twice is an error."""

from __future__ import annotations

import codecs
import json
from collections import Counter
from pathlib import Path
from typing import Any

from ..exceptions import InputError
from .files import unpacked
from .lines import BLOCK_BYTES

LARGEST_JSON = 1 << 30  # bytes: a JSON file is parsed whole, into objects that are larger still


def read_json(path: Path) -> Any:
    """The value of a JSON file."""
    parts = []
    with unpacked(path) as file:
        while part := file.read(BLOCK_BYTES):
            if b"\0" in part:
                raise InputError(f"{path}: a null byte; not JSON")
            parts.append(part)
            if len(parts) * BLOCK_BYTES > LARGEST_JSON:
                raise InputError(
                    f"{path}: a JSON file must have at most {LARGEST_JSON} bytes, unpacked; "
                    "JSON lines and Parquet may have more"
                )
    return parse_json(str(path), b"".join(parts).removeprefix(codecs.BOM_UTF8))


def parse_json(where: str, text: str | bytes) -> Any:
    """The value of a JSON text; an InputError names the place of the text."""
    try:
        return json.loads(text, object_pairs_hook=_distinct)
    except RecursionError:
        raise InputError(f"{where}: not JSON (nested too deeply)") from None
    except ValueError as error:
        raise InputError(f"{where}: not JSON ({error})") from None


def _distinct(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """An object; ValueError if it has a key twice, of which Python would keep the last value."""
    named = dict(pairs)
    if len(named) < len(pairs):
        (name, _), *_ = Counter(name for name, _ in pairs).most_common(1)
        raise ValueError(f"an object has the key {name!r} twice")
    return named
