"""Warnings for users."""

from __future__ import annotations

import os
import sys
import warnings

from ..exceptions import EvaluationWarning

PACKAGE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))


def warn(message: str, category: type[Warning] = EvaluationWarning) -> None:
    """Warn, by default that scores may not answer the user's question, at the user's line."""
    frame, level = sys._getframe(1), 2
    while frame.f_back is not None and frame.f_code.co_filename.startswith(PACKAGE):
        frame, level = frame.f_back, level + 1
    warnings.warn(message, category, stacklevel=level)
