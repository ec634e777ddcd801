"""A stderr that is a terminal, for tests of what is shown on one."""

import io
import sys
from time import monotonic, sleep

PATIENCE = 30  # seconds: what takes a moment alone takes long on a busy machine


def on_terminal(monkeypatch):
    """Make stderr a terminal; a fixture could not, because pytest sets stderr before each test."""
    monkeypatch.setattr(sys, "stderr", Terminal())
    return sys.stderr


class Terminal(io.StringIO):
    def isatty(self):
        return True

    def wait_for(self, text, start=0):
        """Wait until a text is written after a position; returns where the text begins."""
        last = monotonic() + PATIENCE
        while text not in self.getvalue()[start:]:
            assert monotonic() < last, f"{text!r} is not in {self.getvalue()!r}"
            sleep(0.001)
        return self.getvalue().index(text, start)
