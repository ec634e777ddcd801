"""What users can correct ends with status 2; a bug is never passed off as a user's mistake."""

import io
import os
import subprocess
import sys
import warnings
from pathlib import Path

import ir_measures
import pytest

from irx_measures.cli import reading
from irx_measures.cli.main import main
from irx_measures.exceptions import (
    EvaluationWarning,
    InputError,
    MissingExtraError,
    UnknownMeasureError,
)


@pytest.fixture
def told(given, capsys):
    """Run a command with QRELS and RUNs; its status and stderr."""

    def run(*command, arguments=()):
        status = main([*command, *given, "-m", "nDCG@10", *map(str, arguments)])
        printed = capsys.readouterr()
        return status, printed.err

    return run


BUGS = [TypeError("unsupported operand type(s)\nfor +"), ValueError("a bug"), ImportError("a bug")]


@pytest.fixture(params=BUGS, ids=lambda bug: type(bug).__name__)
def bug(request, monkeypatch):
    def fail(*_args, **_kwargs):
        raise request.param

    monkeypatch.setattr("irx_measures.cli.reading.evaluate", fail)
    return request.param


@pytest.mark.parametrize(
    "command",
    ["evaluate", "meta power", "--debug evaluate", "evaluate --debug", "meta --debug power"],
)
def test_a_bug_is_an_internal_error_in_one_line_and_debug_shows_where(told, bug, command):
    status, err = told(*command.split())
    traceback, line = err[: err.index("irx: internal")], err[err.index("irx: internal") :]
    assert status == 1
    assert line == (
        f"irx: internal error: {type(bug).__name__}: {' '.join(str(bug).split())} "
        "(please report this line; --debug shows where)\n"
    )
    assert ("in fail\n" in traceback) == bool(traceback) == ("--debug" in command)


def test_too_little_memory_is_one_line(told, monkeypatch):
    def fail(*_args, **_kwargs):
        raise MemoryError

    monkeypatch.setattr("irx_measures.cli.reading.evaluate", fail)
    assert told("evaluate") == (2, "irx evaluate: error: not enough memory: none is left\n")


def test_pictures_without_matplotlib_are_the_users_to_install(told, monkeypatch, tmp_path):
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    status, err = told("compare", arguments=["--plot", tmp_path / "it.png"])
    assert status == 2
    assert "--plot needs matplotlib: pip install 'irx-measures[plots]'" in err


def test_what_stdout_cannot_show_is_escaped(monkeypatch, tmp_path):
    stdout = io.TextIOWrapper(io.BytesIO(), encoding="ascii")
    monkeypatch.setattr(sys, "stdout", stdout)
    (tmp_path / "a.run").write_text("ö Q0 d1 1 1.0 t\n")
    (tmp_path / "qrels").write_text("ö 0 d1 1\n")
    given = [str(tmp_path / "qrels"), str(tmp_path / "a.run")]
    assert main(["evaluate", *given, "-m", "P@5", "-q", "-o", "csv"]) == 0
    assert "\\xf6" in stdout.buffer.getvalue().decode("ascii")


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="no shell that closes streams")
def test_a_closed_stderr_sends_nothing_to_stdout(folder, given):
    irx = f"{sys.executable} -m irx_measures"
    for arguments, status in (
        (f"evaluate {folder}/none {given[1]} -m P@5", 2),
        (f"evaluate {given[0]} {given[1]} -m nRG", 2),
        (f"compare {given[0]} {given[1]} -m P@5 --plot", 2),
        (f"simulate {folder}", 2),
    ):
        done = subprocess.run(
            f"{irx} {arguments} 2>&-", shell=True, stdout=subprocess.PIPE, check=False
        )
        assert (done.returncode, done.stdout) == (status, b"")


@pytest.fixture
def plotting(given):
    """Draw a leaderboard to a path; the status."""
    return lambda path: main(["compare", *given, "-m", "nDCG@10", "--plot", str(path)])


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no named pipes here")
def test_only_regular_files_are_drawn_to(plotting, tmp_path, capsys):
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
        assert plotting(tmp_path / name) == 2
        words = "read-only" if "readonly" in name else "only a file can be replaced"
        told = capsys.readouterr()
        assert told.err.startswith(f"irx compare: error: --plot: {tmp_path / name}: ")
        assert words in told.err
        assert told.out == ""
    assert sorted(tmp_path.iterdir()) == before
    assert (tmp_path / "readonly.png").read_text() == "mine"
    assert Path("/dev/null").is_char_device()


@pytest.mark.slow
def test_a_file_that_is_replaced_is_told(plotting, tmp_path, capsys):
    pytest.importorskip("matplotlib")
    path, link = tmp_path / "it.png", tmp_path / "link.png"
    link.symlink_to(path)
    for name, told in ((path, "wrote"), (path, "replaced"), (link, "replaced")):
        assert plotting(name) == 0
        assert capsys.readouterr().err == f"irx compare: {told} {name}\n"
        assert path.read_bytes().startswith(b"\x89PNG")
    assert link.is_symlink()


def test_an_empty_run_is_an_error_or_a_warning(given, tmp_path, capsys):
    (tmp_path / "empty.run").write_text("\n")
    command = ["evaluate", *given[:2], str(tmp_path / "empty.run"), "-m", "P@5"]
    assert main(command) == 2
    told = capsys.readouterr().err
    assert f"error: run 'empty' ({tmp_path}/empty.run) is empty: it has no rows (" in told
    assert "(strict=False, or --no-strict on the command line, scores it as such)" in told
    with warnings.catch_warnings():
        warnings.simplefilter("default")
        assert main([*command, "--no-strict"]) == 0
    assert f"warning: run 'empty' ({tmp_path}/empty.run) is empty" in capsys.readouterr().err


@pytest.fixture
def warned(monkeypatch, told):
    """Run a command whose evaluation warns; its status and stderr."""
    evaluate = reading.evaluate

    def run(category, *arguments):
        def warning(*args, **kwargs):
            for _ in range(2):  # of which one is told
                warnings.warn(category("half of it\nis unjudged"), stacklevel=2)
            return evaluate(*args, **kwargs)

        monkeypatch.setattr(reading, "evaluate", warning)
        return told("evaluate", arguments=arguments)

    with warnings.catch_warnings():
        warnings.simplefilter("always")  # told on stderr, where tests make them errors
        yield run


def test_warnings_for_users_are_one_line_and_quiet_silences_doubts(warned):
    line = "irx evaluate: warning: half of it is unjudged\n"
    for category in (UserWarning, EvaluationWarning):
        assert warned(category) == (0, line)
    assert warned(EvaluationWarning, "--quiet") == (0, "")
    assert warned(UserWarning, "--quiet") == (0, line)  # of what was left out


def test_warnings_for_programmers_are_pythons(warned):
    with pytest.warns(DeprecationWarning, match="half of it\nis unjudged"):
        assert warned(DeprecationWarning, "--quiet") == (0, "")


def test_a_measure_of_ir_measures_without_a_docstring_has_a_page_without_one(monkeypatch, capsys):
    undocumented = type("Undocumented", (ir_measures.AP.__class__,), {})()
    monkeypatch.setitem(ir_measures.measures.registry, "undocumented", undocumented)
    assert main(["measures", "undocumented"]) == 0
    printed = capsys.readouterr().out
    assert printed == "undocumented is a measure of ir_measures, valid after -m.\n"


def test_errors_are_also_what_ir_measures_and_python_raise():
    assert issubclass(UnknownMeasureError, InputError)
    assert issubclass(UnknownMeasureError, NameError)
    assert issubclass(MissingExtraError, InputError)
    assert issubclass(MissingExtraError, ImportError)
    assert str(UnknownMeasureError("measure not found: X")) == "measure not found: X"
    assert str(MissingExtraError("needs Y")) == "needs Y"


@pytest.mark.parametrize("shell", ["bash", "zsh"])
def test_a_shell_completes_options_and_files(shell, capsys):
    pytest.importorskip("shtab")
    with pytest.raises(SystemExit) as stopped:
        main(["--print-completion", shell])
    script = capsys.readouterr().out
    assert not stopped.value.code
    assert "concordance" in script
    assert any(word in script for word in ("_shtab_compgen_files", "_files"))
