"""A stderr that is a terminal, for tests of what is shown on one."""

import io
import sys


def on_terminal(monkeypatch):
    """Make stderr a terminal; a fixture could not, because pytest sets stderr before each test."""
    monkeypatch.setattr(sys, "stderr", Terminal())
    return sys.stderr


class Terminal(io.StringIO):
    def isatty(self):
        return True
