"""Warnings for users."""

from __future__ import annotations

import os
import sys
import warnings
from collections.abc import Iterator
from contextlib import contextmanager

from ..exceptions import EvaluationWarning
from .about import named

PACKAGE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))


def warn(message: str, category: type[Warning] = EvaluationWarning) -> None:
    """Warn, by default that scores may not answer the user's question, at the user's line."""
    frame, level = sys._getframe(1), 2
    while frame.f_back is not None and frame.f_code.co_filename.startswith(PACKAGE):
        frame, level = frame.f_back, level + 1
    warnings.warn(named(message), category, stacklevel=level)


@contextmanager
def untold(*about: str) -> Iterator[None]:
    """A context without the warnings about scores in which one of these patterns is found."""
    with warnings.catch_warnings():
        for pattern in about:
            warnings.filterwarnings("ignore", f".*{pattern}", EvaluationWarning)
        yield
