"""A home of ir_datasets with files at its own cache paths, and programs that use it offline."""

import gzip
import os
import tarfile
from pathlib import Path

import pytest

from tests.console import python

NO_NETWORK = """
import socket
def refuse(*args, **kwargs):
    raise socket.gaierror(socket.EAI_NONAME, "no network in this test")
socket.getaddrinfo = socket.socket.connect = refuse
"""

NO_HOME = """
import os, pwd
def nobody(number):
    raise KeyError(number)
os.environ.pop("HOME", None)
pwd.getpwuid = nobody  # as for the user of a container who is a number only
"""


def printed(home, code, **variables):
    """Lines that a program prints; the program uses this home and has no network."""
    done = ran(home, code, **variables)
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()


def ran(home, code, **variables):
    """A program that has ended; it used this home and had no network."""
    pytest.importorskip("ir_datasets")
    own = {"IR_DATASETS_HOME": str(home), "IR_DATASETS_TMP": str(home), **variables}
    return python("-c", NO_NETWORK + code, cwd=home, env={**os.environ, **own})


def irx(home, *arguments):
    """The command ``irx`` that has ended; it used this home and had no network."""
    code = f"import sys\nfrom irx_measures.cli.main import main\nsys.exit(main({[*arguments]!r}))"
    return ran(home, code)


def lay(home: Path, path: str, content: bytes) -> Path:
    """Write a file into the home."""
    file = home / path
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(content)
    return file


def lay_texts(home: Path, text: str) -> None:
    """Lay a query and documents 0 to 4, whose texts name them, as those of TREC DL 2019."""
    documents = "".join(f"{doc}\t{text.format(doc)}\n" for doc in range(5))
    lay(home, "msmarco-passage/irds_version.txt", b"v2")
    lay(home, "msmarco-passage/collection.tsv", documents.encode())
    lay(home, "msmarco-passage/trec-dl-2019/queries.tsv", b"7\twhat is\n")


def lay_papers(home: Path, data: Path) -> Path:
    """Lay the qrels of the shared data where ir_datasets would put its downloads."""

    def qrels(path):
        return gzip.decompress((data / path).read_bytes())

    lay(home, "msmarco-passage/trec-dl-2019/qrels", qrels("trec-dl-2019-passage/qrels.txt.gz"))
    lay(home, "cord19/trec-covid/qrels", qrels("trec-covid/qrels.original.txt.gz"))
    trec8 = lay(home, "disks45/qrels.trec8.adhoc.parts1-5", qrels("trec8-adhoc/qrels.txt.gz"))
    with tarfile.open(f"{trec8}.tar.gz", "w:gz") as archive:
        archive.add(trec8, trec8.name)
    return home
