"""A process that is told to end, or that finds no space, leaves files whole and nothing hidden."""

import os
import signal
import subprocess
import sys
import threading

import pytest

from irx_measures import simulate_campaign
from irx_measures.io import files
from irx_measures.io.ending import cleaned_up

pytestmark = pytest.mark.skipif(not hasattr(signal, "SIGHUP"), reason="no POSIX signals")

# `argv`: a signal, which comes as the file of this number is written.
ENDING = """
import os, sys
import irx_measures
from irx_measures.io import files

number, left = int(sys.argv[1]), int(sys.argv[2])
write = files.os.chmod

def interrupted(name, mode):
    global left
    left -= 1
    if not left:
        os.kill(os.getpid(), number)
    write(name, mode)

files.os.chmod = interrupted
campaign = irx_measures.simulate_campaign(systems=4, queries=3, depth=20)
"""

WRITE = "campaign.write('campaign')"
MODEL = "irx_measures.JudgmentModel.fit(campaign.runs, campaign.qrels).save('model.json')"
REPORT = (
    "result = irx_measures.compare(campaign.runs, campaign.qrels, 'P@5'); "
    "irx_measures.report(result, 'report.html')"
)
COMMAND = (
    "from irx_measures.cli.main import main; "
    "sys.exit(main('simulate campaign --systems 4 --queries 3 --depth 20'.split()))"
)


def ended(folder, code, *arguments):
    """How a process ends; its files are in a folder."""
    return subprocess.run(
        [sys.executable, "-W", "ignore", "-c", code, *map(str, arguments)],
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
    )


def tree(folder):
    return sorted(str(file.relative_to(folder)) for file in folder.rglob("*"))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("work", "file", "number"),
    [
        (WRITE, 4, signal.SIGTERM),
        (WRITE, 1, signal.SIGHUP),
        (MODEL, 1, signal.SIGTERM),
        (REPORT, 1, signal.SIGTERM),
        (COMMAND, 3, signal.SIGTERM),
    ],
)
def test_a_writer_that_is_ended_leaves_nothing(tmp_path, work, file, number):
    if work is REPORT:
        pytest.importorskip("jinja2")
    done = ended(tmp_path, ENDING + work, int(number), file)
    assert done.returncode == 128 + number, done.stderr
    assert tree(tmp_path) == []


FULL = """
import resource, sys
from irx_measures.cli.main import main

resource.setrlimit(resource.RLIMIT_FSIZE, (20_000, 20_000))
sys.exit(main(["simulate", sys.argv[1], *"--systems 4 --queries 5 --depth 900".split()]))
"""


@pytest.mark.slow
@pytest.mark.parametrize("folder", ["campaign", "new/campaign", "."])
def test_a_full_disk_leaves_no_half_of_a_campaign(tmp_path, folder):
    (tmp_path / "mine.txt").write_text("mine")
    done = ended(tmp_path, FULL, folder)
    assert done.returncode == 2
    assert done.stderr.startswith("irx simulate: error: ")
    assert len(done.stderr.splitlines()) == 1
    assert done.stderr.endswith(".run.gz: File too large\n")
    assert ".irx-" not in done.stderr
    assert tree(tmp_path) == ["mine.txt"]


def test_a_campaign_is_written_beside_other_files(tmp_path):
    (tmp_path / "mine.txt").write_text("mine")
    written = simulate_campaign(systems=2, queries=2, depth=5).write(tmp_path)
    assert len(written) == 4
    assert all(file.is_file() for file in written)
    of_runs = ["runs/lexical-a.run.gz", "runs/lexical-b.run.gz"]
    assert tree(tmp_path) == ["groups.csv", "mine.txt", "qrels.txt", "runs", *of_runs]
    with pytest.raises(FileExistsError, match="exists already; nothing was written"):
        simulate_campaign(systems=2, queries=2, depth=5).write(tmp_path)


def test_signals_are_as_before_afterwards(tmp_path):
    before = signal.getsignal(signal.SIGTERM)
    with cleaned_up():
        assert signal.getsignal(signal.SIGTERM) is not before
        with cleaned_up():
            pass
        assert signal.getsignal(signal.SIGTERM) is not before
    assert signal.getsignal(signal.SIGTERM) is before


def test_a_program_that_handles_the_signal_itself_is_left_alone():
    received = []
    before = signal.signal(signal.SIGTERM, lambda *_: received.append(1))
    try:
        with cleaned_up():
            os.kill(os.getpid(), signal.SIGTERM)
    finally:
        signal.signal(signal.SIGTERM, before)
    assert received == [1]


def test_other_threads_write_without_signals(tmp_path):
    writer = threading.Thread(target=files.write_whole, args=[tmp_path / "a", b"x"])
    writer.start()
    writer.join()
    assert (tmp_path / "a").read_bytes() == b"x"
