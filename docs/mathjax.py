"""MathJax in the site's own files, so that equations need no other server."""

from __future__ import annotations

import re
import shutil
from importlib.metadata import files
from pathlib import Path
from typing import Any

PACKAGE = "sphinx-mathjax-offline"

# The script, its fonts, and extensions that it loads when an equation needs them. The rest of the
# package is other forms of the same script: 24 MB.
NEEDED = re.compile(
    r"static/mathjax/(tex-chtml\.js|output/chtml/fonts/woff-v2/.*|input/tex/extensions/.*)$"
)

SCRIPT = "mathjax/tex-chtml.js"


def setup(app: Any) -> dict[str, bool]:
    app.connect("build-finished", _copy)
    return {"parallel_read_safe": True, "parallel_write_safe": True}


def _copy(app: Any, error: Exception | None) -> None:
    if error is not None:
        return
    static = Path(app.outdir) / "_static"
    for path in files(PACKAGE) or ():
        if found := NEEDED.search(path.as_posix()):
            target = static / "mathjax" / found[1]
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(path.locate(), target)
