"""What users can correct ends with status 2; a bug is never passed off as a user's mistake."""

import errno
import io
import json
import os
import subprocess
import sys
import warnings
from pathlib import Path

import ir_measures
import pytest

from irx_measures.cli import interrupts, reading
from irx_measures.cli.main import main
from irx_measures.exceptions import (
    EvaluationWarning,
    InputError,
    MissingExtraError,
    NoFileError,
    UnknownMeasureError,
)
from tests.campaigns import trec_files
from tests.console import python

EVALUATE = "irx_measures.cli.reading.evaluate"


def failing(error):
    def fail(*_args, **_kwargs):
        raise error

    return fail


@pytest.mark.parametrize(
    "bug", [TypeError("unsupported type(s)\nfor +"), ValueError("a bug"), ImportError("a bug")]
)
@pytest.mark.parametrize(
    "command",
    ["evaluate", "meta power", "--debug evaluate", "evaluate --debug", "meta --debug power"],
)
def test_a_bug_is_an_internal_error_in_one_line_and_debug_shows_where(
    told, bug, command, monkeypatch
):
    monkeypatch.setattr(EVALUATE, failing(bug))
    status, err = told(command)
    traceback, line = err[: err.index("irx: internal")], err[err.index("irx: internal") :]
    assert status == 1
    assert line == (
        f"irx: internal error: {type(bug).__name__}: {' '.join(str(bug).split())} "
        "(please report this line; --debug shows where)\n"
    )
    assert ("in fail\n" in traceback) == bool(traceback) == ("--debug" in command)


@pytest.mark.parametrize(
    ("error", "line"),
    [
        (MemoryError(), "not enough memory: none is left"),
        (EvaluationWarning("left out q1"), "left out q1"),  # PYTHONWARNINGS=error
    ],
)
def test_what_is_no_bug_is_one_line(told, error, line, monkeypatch):
    monkeypatch.setattr(EVALUATE, failing(error))
    assert told("evaluate") == (2, f"irx evaluate: error: {line}\n")


def test_pictures_without_matplotlib_are_the_users_to_install(told, monkeypatch, tmp_path):
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    status, err = told("compare", "--plot", tmp_path / "it.png")
    assert status == 2
    assert "--plot needs matplotlib: pip install 'irx-measures[plots]'" in err


def test_what_stdout_cannot_show_is_escaped(monkeypatch, tmp_path):
    stdout = io.TextIOWrapper(io.BytesIO(), encoding="ascii")
    monkeypatch.setattr(sys, "stdout", stdout)
    given = trec_files(tmp_path, {"a": {"ö": {"d1": 1.0}}}, {"ö": {"d1": 1}})
    assert main(["evaluate", *given, "-m", "P@5", "-q", "-o", "csv"]) == 0
    assert "\\xf6" in stdout.buffer.getvalue().decode("ascii")


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="no shell that closes streams")
@pytest.mark.parametrize(
    "arguments",
    [
        "evaluate none runs/dense-a.run.gz -m P@5",
        "evaluate qrels.txt runs/dense-a.run.gz -m nRG",
        "compare qrels.txt runs/dense-a.run.gz -m P@5 --plot",
        "simulate .",
    ],
)
def test_a_closed_stderr_sends_nothing_to_stdout(folder, arguments):
    command = f"{sys.executable} -m irx_measures {arguments} 2>&-"
    done = subprocess.run(command, shell=True, cwd=folder, stdout=subprocess.PIPE, check=False)
    assert (done.returncode, done.stdout) == (2, b"")


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no named pipes here")
def test_only_regular_files_are_drawn_to(irx, tmp_path):
    (tmp_path / "readonly.png").write_text("mine")
    (tmp_path / "readonly.png").chmod(0o444)
    os.mkfifo(tmp_path / "pipe.png")
    for name, target in (
        ("to-pipe.png", tmp_path / "pipe.png"),
        ("device.png", "/dev/null"),
        ("to-readonly.png", tmp_path / "readonly.png"),
    ):
        (tmp_path / name).symlink_to(target)
    before = sorted(tmp_path.iterdir())
    for name in ("readonly.png", "to-readonly.png", "pipe.png", "to-pipe.png", "device.png"):
        done = irx("compare qrels.txt RUNS -m P@5 --plot", tmp_path / name)
        words = "read-only" if "readonly" in name else "only a file can be replaced"
        assert (done.returncode, done.stdout) == (2, "")
        assert done.stderr.startswith(f"irx compare: error: --plot: {tmp_path / name}: ")
        assert words in done.stderr
    assert sorted(tmp_path.iterdir()) == before
    assert (tmp_path / "readonly.png").read_text() == "mine"
    assert Path("/dev/null").is_char_device()


@pytest.mark.slow
def test_a_file_that_is_replaced_is_told(told, tmp_path):
    pytest.importorskip("matplotlib")
    path, link = tmp_path / "it.png", tmp_path / "link.png"
    link.symlink_to(path)
    for name, word in ((path, "wrote"), (path, "replaced"), (link, "replaced")):
        assert told("compare", "--plot", name) == (0, f"irx compare: {word} {name}\n")
        assert path.read_bytes().startswith(b"\x89PNG")
    assert link.is_symlink()


# Commands that print results and draw: what a picture that fails must not take away.
DRAWING = [
    "compare qrels.txt RUNS -m nDCG@10 AP",
    "compare qrels.txt RUNS -m nDCG@10 -o json",
    "meta power qrels.txt RUNS -m nDCG@10",
    "judge audit qrels.txt machine.txt",
    "judge status qrels.txt RUNS",
    pytest.param("reproduce rank-biased", marks=pytest.mark.whole),
]


def failing_pictures(command, reason, folder):
    """The option that asks for pictures, and the error of a picture that fails."""
    studied, study, *_ = command.split()
    picture = folder / "it.png"
    prog = f"irx {studied} {study}" if studied in ("judge", "meta") else f"irx {studied}"
    if studied == "reproduce":
        return folder, f"{prog}: error: {folder}{os.sep}"
    return picture, f"{prog}: error: {picture}: {reason}"


@pytest.mark.slow
@pytest.mark.parametrize("command", DRAWING)
@pytest.mark.parametrize(
    ("error", "reason"),
    [
        (OSError(errno.ENOSPC, os.strerror(errno.ENOSPC)), os.strerror(errno.ENOSPC)),
        (RuntimeError("Can not load face"), "not drawn: RuntimeError: Can not load face"),
    ],
    ids=["full disk", "broken font"],
)
def test_a_picture_that_fails_loses_no_result(irx, tmp_path, monkeypatch, command, error, reason):
    pytest.importorskip("matplotlib")
    monkeypatch.setenv("IRX_DATA", str(tmp_path / "none"))
    whole = irx(command, "--quiet")
    target, line = failing_pictures(command, reason, tmp_path)

    def fail(_figure, *_args, **_kwargs):
        error.filename = str(tmp_path / "it.png") if isinstance(error, OSError) else None
        raise error

    monkeypatch.setattr("matplotlib.figure.Figure.savefig", fail)
    done = irx(command, "--quiet", "--plot", target)
    assert done.returncode == 2
    assert len(whole.stdout) > 50
    if "json" in command:  # it has the command, which differs
        assert json.loads(done.stdout)["results"] == json.loads(whole.stdout)["results"]
    else:
        assert done.stdout == whole.stdout
    assert done.stderr.splitlines()[-1].startswith(line)
    assert "wrote" not in done.stderr


@pytest.mark.slow
@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no full device here")
def test_results_that_cannot_be_printed_lose_no_picture(folder, tmp_path):
    pytest.importorskip("matplotlib")
    path = tmp_path / "it.png"
    command = f"compare qrels.txt runs/dense-a.run.gz runs/dense-b.run.gz -m P@5 --plot {path}"
    with open("/dev/full", "wb") as full:
        done = subprocess.run(
            [sys.executable, "-m", "irx_measures", *command.split()],
            cwd=folder, stdout=full, stderr=subprocess.PIPE, text=True, check=False,
        )  # fmt: skip
    assert done.returncode == 2
    assert f"irx compare: error: stdout: {os.strerror(errno.ENOSPC)}\n" in done.stderr
    assert path.read_bytes().startswith(b"\x89PNG")


def test_an_empty_run_is_an_error_or_a_warning(irx, tmp_path):
    (tmp_path / "empty.run").write_text("\n")
    command = f"evaluate qrels.txt runs/dense-a.run.gz {tmp_path}/empty.run -m P@5"
    refused, scored = irx(command), irx(f"{command} --no-strict")
    empty = f"run 'empty' ({tmp_path}/empty.run) is empty"
    assert (refused.returncode, scored.returncode) == (2, 0)
    assert f"error: {empty}: it has no rows (" in refused.stderr
    assert "(--no-strict scores it as such)" in refused.stderr
    assert f"warning: {empty}" in scored.stderr


@pytest.fixture
def warned(monkeypatch, told):
    """Run a command whose evaluation warns; its status and stderr."""
    evaluate = reading.evaluate

    def run(category, *arguments):
        def warning(*args, **kwargs):
            for level in (1, 2):  # two lines of code, so Python shows both
                warnings.warn(category("half of it\nis unjudged"), stacklevel=level)
            return evaluate(*args, **kwargs)

        monkeypatch.setattr(reading, "evaluate", warning)
        return told("evaluate", *arguments)

    return run


def test_warnings_for_users_are_one_line_and_quiet_silences_doubts(warned):
    line = "irx evaluate: warning: half of it is unjudged\n"
    for category in (UserWarning, EvaluationWarning):
        assert warned(category) == (0, line)
    assert warned(EvaluationWarning, "--quiet") == (0, "")
    assert warned(UserWarning, "--quiet") == (0, line)  # of what was left out


def test_warnings_for_programmers_are_pythons(monkeypatch, tmp_path):
    def warning(*_args, **_kwargs):
        warnings.warn("half of it\nis unjudged", DeprecationWarning, stacklevel=2)
        raise InputError("ended")

    monkeypatch.setattr(EVALUATE, warning)
    given = trec_files(tmp_path, {"a": {"q": {"d1": 1.0}}}, {"q": {"d1": 1}})
    with pytest.warns(DeprecationWarning, match="half of it\nis unjudged"):
        main(["evaluate", *given, "-m", "P@5", "--quiet"])


def test_a_measure_of_ir_measures_without_a_docstring_has_a_page_without_one(monkeypatch, irx):
    undocumented = type("Undocumented", (ir_measures.AP.__class__,), {})()
    monkeypatch.setitem(ir_measures.measures.registry, "undocumented", undocumented)
    printed = irx("measures undocumented").stdout
    assert printed == "undocumented is a measure of ir_measures, valid after -m.\n"


def test_errors_are_also_what_ir_measures_and_python_raise():
    for error, of_python in (
        (UnknownMeasureError, NameError),
        (MissingExtraError, ImportError),
        (NoFileError, FileNotFoundError),
    ):
        assert issubclass(error, InputError)
        assert issubclass(error, of_python)
        assert str(error("needs Y")) == "needs Y"


@pytest.mark.parametrize("shell", ["bash", "zsh"])
def test_a_shell_completes_options_and_files(shell, irx):
    pytest.importorskip("shtab")
    done = irx(f"--print-completion {shell}")
    assert done.returncode == 0
    assert "concordance" in done.stdout
    assert any(word in done.stdout for word in ("_shtab_compgen_files", "_files"))


# Ctrl-C while the command starts or runs: status 130, and nothing on stderr.

# Python imports this module when it starts: the process gets SIGINT when it imports another one.
SITE = """
import os, signal, sys

class Interrupt:
    def find_spec(self, name, path=None, target=None):
        if name == {when!r}:
            os.kill(os.getpid(), signal.SIGINT)

sys.meta_path.insert(0, Interrupt())
signal.signal(signal.SIGINT, signal.default_int_handler)  # also below what ignores it
"""
STARTS = {
    "script": [str(Path(sys.executable).with_name("irx"))],
    "module": [sys.executable, "-m", "irx_measures"],
}


@pytest.mark.slow
@pytest.mark.skipif(os.name == "nt", reason="Windows ends the process in another way")
@pytest.mark.parametrize("command", STARTS.values(), ids=STARTS)
@pytest.mark.parametrize("when", ["numpy", "irx_measures.cli.measures", "irx_measures.cli.output"])
def test_an_interrupt_ends_the_command_without_a_traceback(command, when, tmp_path):
    if not Path(command[0]).exists():
        pytest.skip("the script irx is not installed beside this Python")
    tmp_path.joinpath("sitecustomize.py").write_text(SITE.format(when=when))
    path = f"{tmp_path}{os.pathsep}{Path(__file__).parents[2]}"
    done = subprocess.run(
        [*command, "measures"], env={**os.environ, "PYTHONPATH": path},
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert (done.returncode, done.stdout, done.stderr) == (130, "", "")


LOADED = """
import os, sys  # as `site` does
with open(sys.argv[1], encoding="utf-8") as file:
    code = file.read()
before = {*sys.modules}
exec(code)
print({*sys.modules} - before)
"""


def test_nothing_is_imported_before_ctrl_c_is_caught():
    # -S: what `site` loads depends on the packages that are installed.
    assert python("-S", "-c", LOADED, interrupts.__file__).stdout == "set()\n"


def test_an_import_in_a_program_leaves_its_interrupts_alone():
    before = "import signal; before = signal.getsignal(signal.SIGINT); import irx_measures"
    done = python("-c", f"{before}; print(signal.getsignal(signal.SIGINT) is before)")
    assert done.stdout == "True\n"


NAMES_OF_ANY_KIND = ["a\nb", "a\r\nb", "a\u2028b", "a\x85b", "x" * 5000]


@pytest.mark.parametrize("name", NAMES_OF_ANY_KIND)
def test_an_error_is_one_line_and_never_repeats_a_long_argument(name, irx):
    with pytest.raises(InputError) as caught:
        raise InputError(f"{name}: no such file")
    for line in (
        str(caught.value),
        irx("evaluate none.txt RUNS -m", name).stderr,
        irx("evaluate", name, "runs/dense-a.run.gz", "-m", "P@5").stderr,
        irx("evaluate qrels.txt RUNS -m P@5 -o", name).stderr,
        irx("compare qrels.txt RUNS -m P@5 --baseline", name).stderr,
        irx("judge audit qrels.txt", name).stderr,
    ):
        assert len(line.splitlines()) == 1
        assert len(line) < 1700
    assert str(caught.value).endswith("no such file")
