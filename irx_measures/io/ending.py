"""Lets a writer clean up when the process is told to end."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

# A scheduler, a shutdown or `kill`; a terminal that is closed. Ctrl-C is an exception already.
ENDING = [getattr(signal, name) for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name)]

KILLED = 128  # the shells' convention: the exit status is 128 + the number of the signal


@contextmanager
def cleaned_up() -> Iterator[None]:
    """A context in which a signal to end the process is a SystemExit, so that clean-up code runs.

    Signals that the program handles itself are not changed. Python handles signals in the main
    thread; in other threads the context does nothing.
    """
    changed = []
    if threading.current_thread() is threading.main_thread():
        changed = [number for number in ENDING if signal.getsignal(number) is signal.SIG_DFL]
    try:
        for number in changed:
            signal.signal(number, _end)
        yield
    finally:
        for number in changed:
            signal.signal(number, signal.SIG_DFL)


def _end(number: int, frame: FrameType | None) -> None:
    signal.signal(number, signal.SIG_IGN)  # once: a second signal would stop the clean-up
    raise SystemExit(KILLED + number)
