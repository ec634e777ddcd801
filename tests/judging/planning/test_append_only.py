"""Append-only files: torn last lines, broken lines, several writers."""

import errno
import json
import subprocess
import sys
from pathlib import Path
from threading import Thread

import pytest

from irx_measures import InputError
from irx_measures.judging.planning import append_only
from irx_measures.judging.planning.append_only import AppendOnlyFile

WRITER = """
import sys
from pathlib import Path
from irx_measures.judging.planning import append_only
from irx_measures.judging.planning.append_only import AppendOnlyFile
file = AppendOnlyFile(Path(sys.argv[1]))
for number in range(200):
    file.append("line", {"writer": sys.argv[2], "number": number, "text": sys.argv[2] * number})
"""


def numbers(file):
    return [event.fields["number"] for event in file.events("line")]


@pytest.fixture
def file(tmp_path):
    made = AppendOnlyFile(tmp_path / "a.jsonl")
    for number in range(3):
        made.append("line", {"number": number, "text": "é\n"})
    return made


def test_events_come_back_in_order_and_by_name(file):
    file.append("other", {"number": 9})
    assert numbers(file) == [0, 1, 2]
    assert [event.where for event in file.events("other")] == [f"{file.path}:4"]
    assert numbers(AppendOnlyFile(file.path)) == [0, 1, 2]


def test_events_can_be_kept_in_memory(tmp_path):
    assert AppendOnlyFile(tmp_path / "none").events("line") == []
    file = AppendOnlyFile(None)
    file.append("line", {"number": 1})
    with file.locked():
        file.append("line", {"number": 2})
    assert numbers(file) == [1, 2]


@pytest.mark.parametrize("code", [errno.EACCES, errno.EROFS])
def test_a_file_that_may_not_be_written_is_told_with_what_to_do(file, code, monkeypatch):
    def refuse(*args, **options):
        raise OSError(code, "refused", str(file.path))

    monkeypatch.setattr(append_only, "open", refuse, raising=False)
    with pytest.raises(InputError, match=r"a\.jsonl: the log cannot be written \(refused\); keep"):
        file.append("line", {"number": 4})
    assert numbers(file) == [0, 1, 2]


def test_a_last_line_torn_at_any_byte_is_left_out(file):
    whole = file.path.read_bytes()
    start = whole.rstrip().rfind(b"\n") + 1
    for torn in [*(whole[:end] for end in range(start + 1, len(whole))), whole + b"\0" * 50]:
        file.path.write_bytes(torn)
        kept = [0, 1] if len(torn) < len(whole) else [0, 1, 2]
        with pytest.warns(UserWarning, match=rf"a\.jsonl:{len(kept) + 1}: the last line is not"):
            assert numbers(file) == kept
        file.append("line", {"number": 7})
        assert numbers(file) == [*kept, 7]
        assert all(map(json.loads, file.path.read_text().splitlines()))


@pytest.mark.parametrize("line", [1, 2])
@pytest.mark.parametrize("broken", [b'{"event": "li', b"[1]", b'{"number": 1}', b"\xff"])
def test_a_broken_line_is_an_error_with_its_number(file, broken, line):
    lines = file.path.read_bytes().split(b"\n")
    lines[line] = broken
    file.path.write_bytes(b"\n".join(lines))
    with pytest.raises(InputError, match=rf"{file.path}:{line + 1}: "):
        file.events("line")


@pytest.mark.parametrize("content", [b"q1 Q0 d1 1 1.0 t\n", b"[1]", b"{}", b"\0" * 9])
def test_a_file_of_another_kind_is_not_changed(tmp_path, content):
    path = tmp_path / "mine.run"
    path.write_bytes(content)
    log = AppendOnlyFile(path)
    for use in (lambda: log.events("line"), lambda: log.append("line", {})):
        with pytest.raises(InputError, match=r"mine\.run"):
            use()
    assert path.read_bytes() == content


@pytest.mark.parametrize("path", ["/dev/zero", "."])
def test_a_log_must_be_a_file(path):
    with pytest.raises(InputError, match=rf"{path}: the log must be a file"):
        AppendOnlyFile(Path(path))


def test_a_writer_waits_for_the_lock(file):
    writer = Thread(target=AppendOnlyFile(file.path).append, args=("line", {"number": 4}))
    with file.locked():
        writer.start()
        writer.join(0.1)
        file.append("line", {"number": 3})
        assert numbers(file) == [0, 1, 2, 3]
    writer.join()
    assert numbers(file) == [0, 1, 2, 3, 4]


@pytest.mark.slow
def test_processes_that_append_at_once_lose_and_mix_nothing(tmp_path):
    path = tmp_path / "a.jsonl"
    writers = [subprocess.Popen([sys.executable, "-c", WRITER, str(path), name]) for name in "ab"]
    assert [writer.wait() for writer in writers] == [0, 0]
    events = [event.fields for event in AppendOnlyFile(path).events("line")]
    for name in "ab":
        own = [event for event in events if event["writer"] == name]
        assert [event["number"] for event in own] == list(range(200))
        assert all(event["text"] == name * event["number"] for event in own)


def test_a_full_disk_is_an_error_and_appends_nothing(file):
    resource = pytest.importorskip("resource")
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (file.path.stat().st_size + 5, before[1]))
    try:
        with pytest.raises(OSError, match=r"a\.jsonl"):
            file.append("line", {"number": 3})
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
    with pytest.warns(UserWarning, match=r"a\.jsonl:4: the last line is not whole"):
        assert numbers(file) == [0, 1, 2]
