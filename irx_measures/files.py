"""Writing files whole or not at all."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path


def write_whole(path: Path, content: bytes) -> None:
    """Write a file; whoever looks sees all of it or none, also when writing fails."""
    with tempfile.NamedTemporaryFile(dir=path.parent, prefix=f".{path.name}.", delete=False) as new:
        try:
            new.write(content)
            new.flush()
            os.chmod(new.name, 0o666 & ~_umask())
            os.replace(new.name, path)
        except BaseException:
            os.unlink(new.name)
            raise


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
