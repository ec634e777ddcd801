"""What users are told: mistakes that they can mend, and doubts about what they asked for."""

from __future__ import annotations


class InputError(ValueError):
    """Input that cannot be used; the message says what is allowed and what was given."""


class EvaluationWarning(UserWarning):
    """Scores that may not answer the question that was asked."""
