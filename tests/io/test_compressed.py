"""Compressed files: what they may unpack to, and which compressions are read."""

import bz2
import gzip
import lzma
import os
import threading

import pytest

from irx_measures import evaluate, read_letor
from irx_measures.cli.main import main
from irx_measures.common import memory
from irx_measures.exceptions import InputError
from irx_measures.io.groups import read_groups
from irx_measures.io.trec import read_qrels, read_run
from tests.io.peak import measured, peak_of

RUN = b"q1 Q0 d1 1 2.5 tag\n"
QRELS = b"q1 0 d1 1\n"


@pytest.fixture
def files(tmp_path):
    (tmp_path / "qrels").write_bytes(QRELS)
    return tmp_path


ROW = b'{"qid": "q1", "docno": "d1", "score": 1, "label": 1}\n'
BOMBS = [
    *((read, *bomb) for read in (read_run, read_qrels) for bomb in (
        ("a.run.gz", b"\n"), ("a.run.gz", b"# no row\n"), ("a.json.gz", b"[],"),
        ("a.jsonl.gz", ROW))),
    (read_letor, "a.gz", b"1 qid:1 1:0.5\n"),
    (read_groups, "a.csv.gz", b"run,group\n"),
]  # fmt: skip


@pytest.mark.parametrize(("read", "name", "line"), BOMBS)
def test_a_small_file_that_unpacks_to_a_huge_one_is_refused(files, monkeypatch, read, name, line):
    monkeypatch.setattr(memory, "ANY_FILE", 1 << 10)
    path = files / name
    path.write_bytes(gzip.compress(line * (1 << 16)))
    with pytest.raises(InputError, match=rf"{name}: a compressed file may unpack to at most 100 "):
        read(path)


def test_limits_are_the_size_that_a_file_may_unpack_to(files, monkeypatch, capsys):
    monkeypatch.setattr(memory, "ANY_FILE", 1 << 10)
    path = files / "long.run.gz"
    path.write_bytes(gzip.compress(b"# a comment\n" * (1 << 16) + RUN))  # 0.8 MB
    with pytest.raises(InputError, match="may unpack to at most 100 times its size"):
        evaluate(files / "qrels", path, "P@1")
    assert evaluate(files / "qrels", path, "P@1", limits=2 * 10**6).scores.item() == 1
    command = ["evaluate", str(files / "qrels"), str(path), "-m", "P@1", "-o", "csv", "--limits"]
    assert main([*command, "2MB"]) == 0
    assert "long,1.0" in capsys.readouterr().out
    assert main([*command, "500 kB"]) == 2
    assert "may unpack to at most 0.5 MB; this one" in capsys.readouterr().err


def test_a_compressed_pipe_is_read_and_limited(tmp_path, monkeypatch):
    monkeypatch.setattr(memory, "ANY_FILE", 1 << 20)
    path = tmp_path / "pipe.gz"
    os.mkfifo(path)

    def read(content):
        writer = threading.Thread(target=path.write_bytes, args=[gzip.compress(content)])
        writer.start()
        try:
            return read_run(path)
        finally:
            writer.join()

    assert read(RUN).doc.all() == ["d1"]
    with pytest.raises(InputError, match=r"pipe\.gz: a compressed file may unpack to"):
        read(RUN * (1 << 17))


@measured
@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "line"),
    [
        ("bomb.gz", b"\n"),
        ("bomb.gz", b"q Q0 d 1 1 t\n"),
        ("bomb.json.gz", b"{},"),
        ("bomb.jsonl.gz", b'{"qid":"q","docno":"d","score":1}\n'),
    ],
)
def test_a_bomb_of_lines_takes_less_than_a_gigabyte(files, name, line):
    """A bomb of 3 GB does; a thirtieth stands for it, with 100 MB for the command itself."""
    path = files / name
    path.write_bytes(gzip.compress(line * (10_000_000 // len(line))) * 10)
    status, told, peak = peak_of("evaluate", files / "qrels", path, "-m", "P@5")
    assert status == 2
    assert told.startswith(f"irx evaluate: error: {path}: a compressed file may unpack to at most ")
    assert peak < 100 + (1000 - 100) / 30


PACKED = {
    "gzip": gzip.compress(RUN),
    "bzip2": bz2.compress(RUN),
    "xz": lzma.compress(RUN),
    "zip": b"PK\x03\x04" + bytes(20),
}


@pytest.mark.parametrize("kind", PACKED)
@pytest.mark.parametrize("name", ["a.run", "a.run.gz", "a.csv", "a.json"])
def test_another_compression_is_refused(files, name, kind):
    if (name, kind) != ("a.run.gz", "gzip"):
        (files / name).write_bytes(PACKED[kind])
        with pytest.raises(InputError, match=rf"{name}(:1)?: (a null byte|damaged gzip file)"):
            read_run(files / name)
