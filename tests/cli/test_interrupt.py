"""Ctrl-C while the command starts or runs: status 130, and nothing on stderr."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

# Python imports this module when it starts: the process gets SIGINT when it imports another one.
SITE = """
import os, signal, sys

class Interrupt:
    def find_spec(self, name, path=None, target=None):
        if name == {when!r}:
            os.kill(os.getpid(), signal.SIGINT)

sys.meta_path.insert(0, Interrupt())
"""

COMMANDS = {
    "script": [str(Path(sys.executable).with_name("irx"))],
    "module": [sys.executable, "-m", "irx_measures"],
}


@pytest.mark.slow
@pytest.mark.skipif(os.name == "nt", reason="Windows ends the process in another way")
@pytest.mark.parametrize("command", COMMANDS.values(), ids=COMMANDS)
@pytest.mark.parametrize("when", ["numpy", "irx_measures.cli.measures", "irx_measures.cli.output"])
def test_an_interrupt_ends_the_command_without_a_traceback(command, when, tmp_path):
    if not Path(command[0]).exists():
        pytest.skip("the script irx is not installed beside this Python")
    tmp_path.joinpath("sitecustomize.py").write_text(SITE.format(when=when))
    done = subprocess.run(
        [*command, "measures"],
        env={**os.environ, "PYTHONPATH": f"{tmp_path}{os.pathsep}{Path(__file__).parents[2]}"},
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert (done.returncode, done.stdout, done.stderr) == (130, "", "")


def test_an_import_in_a_program_leaves_its_interrupts_alone():
    code = (
        "import signal, irx_measures; "
        "print(signal.getsignal(signal.SIGINT) is signal.default_int_handler)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "True\n"
