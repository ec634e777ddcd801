"""The peak memory of a command."""

import os
import subprocess
import sys

import pytest

PROGRAM = """
import sys
from irx_measures.cli.main import main

status = main(sys.argv[1:])
# The peak that `resource` knows counts the process that started this one, too.
with open("/proc/self/status") as file:
    print(next(line.split()[1] for line in file if line.startswith("VmHWM:")))
sys.exit(status)
"""

measured = pytest.mark.skipif(not os.path.exists("/proc/self/status"), reason="there is no /proc")


def peak_of(*arguments):
    """The exit status of ``irx`` in a process of its own, its stderr, and its peak in MiB."""
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, *map(str, arguments)],
        capture_output=True,
        text=True,
        check=False,
    )
    return done.returncode, done.stderr, int(done.stdout.split()[-1]) / 1024
