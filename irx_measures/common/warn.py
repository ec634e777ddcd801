"""Warnings for users."""

from __future__ import annotations

import sys
import warnings
from collections.abc import Iterator
from contextlib import contextmanager

from ..exceptions import EvaluationWarning
from .about import named

HOSTS = ("ir_measures", "pyterrier")


def warn(message: str, category: type[Warning] = EvaluationWarning) -> None:
    """Warn, by default that scores may not answer the user's question, at the user's line.

    That is the line of the outermost call of the package: frames of other libraries may lie between
    those of the package. Where a host calls the package, it is the line that calls the host.
    """
    frame = sys._getframe(1)
    level = of_user = 2
    while frame.f_back is not None:
        package = str(frame.f_globals.get("__name__")).partition(".")[0]
        is_host = package in HOSTS and level == of_user
        level += 1
        if package == "irx_measures" or is_host:
            of_user = level
        frame = frame.f_back
    warnings.warn(named(message), category, stacklevel=of_user)


@contextmanager
def untold(*about: str) -> Iterator[None]:
    """A context without the warnings about scores in which one of these patterns is found."""
    with warnings.catch_warnings():
        for pattern in about:
            warnings.filterwarnings("ignore", f".*{pattern}", EvaluationWarning)
        yield
