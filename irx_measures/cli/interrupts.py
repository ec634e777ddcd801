"""Ctrl-C ends the command without a traceback, also while its modules are still imported.

The command can catch an exception only after the package was imported, which takes most of the time
until it starts. So the package imports this module first, and this module imports only what Python
has loaded by then: `signal` itself would import enum, in whose time Ctrl-C prints a traceback.
"""

import _signal as signal  # type: ignore[import-not-found]
import os
import sys

INTERRUPTED = 130  # the shells' convention: 128 + the number of SIGINT, 2


def _end(number: int, frame: object) -> None:
    os._exit(INTERRUPTED)


def _is_command() -> bool:
    """Whether ``irx``, or ``python -m irx_measures``, imports the package."""
    program = "".join(sys.argv[:1])
    if program != "-m":  # as which Python names a module until it is found
        return os.path.basename(program) in ("irx", "irx.exe", "irx-script.py")
    return "irx_measures" in sys.orig_argv[sys.orig_argv.index("-m") :][:2]


def raise_at_interrupt() -> None:
    """Make Ctrl-C a KeyboardInterrupt again, which the command catches from now on."""
    if signal.getsignal(signal.SIGINT) is _end:
        signal.signal(signal.SIGINT, signal.default_int_handler)


if _is_command() and signal.getsignal(signal.SIGINT) is signal.default_int_handler:
    signal.signal(signal.SIGINT, _end)
