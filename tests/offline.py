"""Programs that read files from a cache of ir_datasets and may not use the network."""

import os
import subprocess
import sys

import pytest

NO_NETWORK = """
import socket
def refuse(*args, **kwargs):
    raise OSError("no network in this test")
socket.getaddrinfo = socket.socket.connect = refuse

def error(read, *args, **kwargs):
    try:
        read(*args, **kwargs)
    except Exception as caught:
        return f"{type(caught).__name__}: {' '.join(str(caught).split())}"
"""


def run_offline(home, code, **options):
    """Run a program with this cache of ir_datasets; `options` are those of subprocess.run."""
    pytest.importorskip("ir_datasets")
    places = {"IR_DATASETS_HOME": str(home), "IR_DATASETS_TMP": str(home)}
    return subprocess.run(
        [sys.executable, "-c", NO_NETWORK + code],
        env={**os.environ, **places, **options.pop("env", {})},
        cwd=home,
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
        **options,
    )


def printed(home, code, **options):
    """Lines that a program prints, which must succeed."""
    done = run_offline(home, code, **options)
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()
