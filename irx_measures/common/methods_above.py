"""Methods whose code stands above their class.

Some classes have a method for what users do next with an object: save it, show it, compare its
systems. The code of such a method knows the class and is written in a file above it. If the class
imported that file, the two would import each other, and `scoring` would import `comparison`, which
is built on it. So the class asks for the code by the name of its method, when it is called.

No check of imports sees what is called in this way. So `HOMES` is the complete list, a test looks
up each of its lines, and nothing else in the package may do the same. Add a line only for a public
method of a class, never to get around the order of the folders.

For type checkers, scoring/types_above.pyi names the one result whose class stands above the method.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import Any

HOMES = {
    "Explanation._repr_html_": ("explaining.html", "explanation_html"),
    "GroupedScores.compare": ("comparison.grouped", "compare_groups"),
    "JudgmentModel.load": ("unjudged.saved", "read_model"),
    "JudgmentModel.save": ("unjudged.saved", "write_model"),
    "ScoreMatrix.__repr__": ("scoring.means_table", "means_table"),
    "ScoreMatrix.by": ("scoring.grouped_scores", "group_scores"),
    "ScoreMatrix.compare": ("comparison.compare", "compare"),
}
"""The module and the function that has the code of each method."""

PACKAGE = __name__.partition(".")[0]


def method_above(method: str) -> Callable[..., Any]:
    """The code of a method in `HOMES`."""
    module, function = HOMES[method]
    code: Callable[..., Any] = getattr(import_module(f"{PACKAGE}.{module}"), function)
    return code
