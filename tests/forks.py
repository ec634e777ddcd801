"""Python programs that start in a moment: forks of one process that has loaded the package.

A test whose point is what a command prints, and not how it starts, uses it in place of ``python``.
"""

import contextlib
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

SERVER = """
import json, os, runpy, signal, socket, sys
import pandas, scipy.stats
import irx_measures
from irx_measures.cli.main import _parser
try:
    import matplotlib
except ImportError:  # the core alone
    pass
else:
    matplotlib.use("agg")
    import matplotlib.pyplot
_parser()

def run(kind, program, arguments):
    sys.argv = [program, *arguments]
    try:
        if kind == "-m":
            runpy.run_module(program, run_name="__main__", alter_sys=True)
        else:
            exec(program, {"__name__": "__main__"})
    except SystemExit as end:
        if isinstance(end.code, str):
            print(end.code, file=sys.stderr)
        return end.code if isinstance(end.code, int) else int(end.code is not None)
    except BaseException:
        sys.excepthook(*sys.exc_info())
        return 1
    return 0

signal.signal(signal.SIGCHLD, signal.SIG_IGN)
server = socket.socket(socket.AF_UNIX)
server.bind(sys.argv[1])
server.listen()
os.dup2(os.open(os.devnull, os.O_WRONLY), 1)  # says that it listens
while True:
    asked, _ = server.accept()
    if not os.fork():
        break
    asked.close()
signal.signal(signal.SIGCHLD, signal.SIG_DFL)
message, streams, *_ = socket.recv_fds(asked, 1 << 20, 3)
for number, stream in enumerate(streams):
    os.dup2(stream, number)
folder, kind, program, *arguments = json.loads(message)
os.chdir(folder)
status = run(kind, program, arguments)
for stream in (sys.stdout, sys.stderr):
    stream.flush()
asked.sendall(bytes([status]))
os._exit(0)
"""
CLIENT = """
import json, os, socket, sys
asked = socket.socket(socket.AF_UNIX)
asked.connect({address!r})
socket.send_fds(asked, [json.dumps([os.getcwd(), *sys.argv[1:]]).encode()], range(3))
sys.exit(ord(asked.recv(1)))
"""


@contextlib.contextmanager
def python(folder: Path) -> Iterator[Path]:
    """A program for ``python -m MODULE ...`` and ``python -c CODE ...``; it ends with the context.

    Parameters
    ----------
    folder
        A new folder of a short path.
    """
    address = str(folder / "server")
    program = folder / "python"
    client = folder / "client.py"
    client.write_text(CLIENT.format(address=address))
    program.write_text(f'#!/bin/sh\nexec {sys.executable} -I -S {client} "$@"\n')
    program.chmod(0o755)
    server = subprocess.Popen(
        [sys.executable, "-c", SERVER, address], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE
    )
    with server:
        server.stdout.read()  # until the server listens
        yield program
        server.kill()
