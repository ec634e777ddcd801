"""The errors and warnings that are meant for users.

An `InputError` says what the user can correct. Any other exception that leaves the package is a bug
of the package, except for TypeError, OSError and MemoryError, which mean what they mean in Python.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from .common.short_paths import public

LINE_BREAKS = {ord(sign): repr(sign)[1:-1] for sign in "\n\r\v\f\x1c\x1d\x1e\x85\u2028\u2029"}

LONGEST_BEGINNING, LONGEST_END = 1200, 300  # characters of a message, a choice


def message_line(message: str) -> str:
    """A message in one line; the middle of a long one, which repeats what it got, is left out.

    Names of files may have line breaks, and messages of libraries have several lines.
    """
    line = message.translate(LINE_BREAKS)
    if len(line) <= LONGEST_BEGINNING + LONGEST_END:
        return line
    return f"{line[:LONGEST_BEGINNING]} ... {line[-LONGEST_END:]}"


@public
class InputError(ValueError):
    """Input that cannot be used; the message says what is allowed and what was given.

    Examples
    --------
    >>> import irx_measures
    >>> irx_measures.rbo(["a", "b"], ["b", "a"], phi=1)
    Traceback (most recent call last):
        ...
    irx_measures.InputError: `phi` must lie in (0, 1); got 1
    """

    def __init__(self, message: str = "") -> None:
        super().__init__(message_line(str(message)))


class MistakesError(InputError):
    """Several mistakes in the input; `messages` has one for each of the first, and their count."""

    def __init__(self, messages: Sequence[str], more: int = 0) -> None:
        self.messages = list(messages)
        if more:
            rows = "row is" if more == 1 else "rows are"
            self.messages.append(f"{more:,} more {rows} wrong")
        super().__init__("; ".join(self.messages))


class UnknownMeasureError(InputError, NameError):
    """A measure string that names no registered measure; ir_measures raises NameError for it."""


class NoFileError(InputError, FileNotFoundError):
    """A file that does not exist; its name may have been meant as an ir_datasets id."""


class OnlyRelevantError(InputError):
    """Grades are drawn from judged documents, and the qrels have relevant documents only."""


class MissingExtraError(InputError, ImportError):
    """A function needs a package that is not installed; the message says how to install it."""


class MissingNameError(InputError, AttributeError):
    """A public name of `irx_measures` that needs such a package: to `hasattr` it is missing."""


@contextmanager
def importing(extra: str, needs: str) -> Iterator[None]:
    """A context of imports of an extra; an error begins with `needs`."""
    try:
        yield
    except ImportError:
        raise MissingExtraError(f"{needs}: pip install 'irx-measures[{extra}]'") from None


@public
class EvaluationWarning(UserWarning):
    """Scores that may not answer the question that was asked.

    Examples
    --------
    A doubtful score becomes an error.

    >>> import warnings
    >>> import irx_measures
    >>> runs, qrels = {"a": {"q": {"B": 1.0}}}, {"q": {"A": 1}}
    >>> with warnings.catch_warnings():
    ...     warnings.simplefilter("error", irx_measures.EvaluationWarning)
    ...     irx_measures.evaluate(qrels, runs, "P@1", strict=False)
    Traceback (most recent call last):
        ...
    irx_measures.EvaluationWarning: run 'a' has no judged document: it returns 'B' ...
    """
