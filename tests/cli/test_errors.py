"""What users can correct ends with status 2; a bug is never passed off as a user's mistake."""

import io
import os
import subprocess
import sys
import warnings
from pathlib import Path

import ir_measures
import pytest

from irx_measures.cli.main import main
from irx_measures.exceptions import (
    EvaluationWarning,
    InputError,
    MissingExtraError,
    UnknownMeasureError,
)
from irx_measures.simulate import simulate_campaign


@pytest.fixture(scope="module")
def campaign(tmp_path_factory):
    folder = tmp_path_factory.mktemp("campaign")
    simulate_campaign(systems=3, queries=3, depth=12, seed=3).write(folder)
    return folder


@pytest.fixture
def told(given, capsys):
    """Run a command with QRELS and RUNs; its status and stderr."""

    def run(*command, arguments=()):
        status = main([*command, *given, "-m", "nDCG@10", *map(str, arguments)])
        printed = capsys.readouterr()
        return status, printed.err

    return run


BUGS = [
    TypeError("unsupported operand type(s)\nfor +: 'NoneType' and 'int'"),
    ValueError("a bug"),
    KeyError("a bug"),
    NameError("a bug"),
    ImportError("a bug"),
    AssertionError("a bug"),
    RecursionError("a bug"),
]


@pytest.fixture(params=BUGS, ids=lambda bug: type(bug).__name__)
def bug(request, monkeypatch):
    def fail(*_args, **_kwargs):
        raise request.param

    monkeypatch.setattr("irx_measures.cli.scoring.evaluate", fail)
    return request.param


@pytest.mark.parametrize("command", [["evaluate"], ["meta", "power"]])
def test_a_bug_is_an_internal_error_in_one_line(told, bug, command):
    status, err = told(*command)
    assert status == 1
    assert err == (
        f"irx: internal error: {type(bug).__name__}: {' '.join(str(bug).split())} "
        "(please report this line; --debug shows where)\n"
    )


@pytest.mark.parametrize(
    ("command", "arguments"),
    [
        (["--debug", "evaluate"], []),
        (["evaluate"], ["--debug"]),
        (["meta", "--debug", "power"], []),
        (["meta", "power"], ["--debug"]),
    ],
)
def test_debug_shows_where_a_bug_is(told, bug, command, arguments):
    status, err = told(*command, arguments=arguments)
    assert status == 1
    assert err.startswith("Traceback (most recent call last):\n")
    assert "in fail\n" in err
    assert err.splitlines()[-1].startswith(f"irx: internal error: {type(bug).__name__}: ")


def test_debug_changes_nothing_else(told):
    status, err = told("evaluate", arguments=["--debug", "-p", "-2"])
    assert (status, err) == (
        2,
        "irx evaluate: error: --places must be a whole number from -1 to 1000; got -2\n",
    )


MISTAKES = {
    "nRG@10": "measure not found: nRG; did you mean NRG?",
    "alpha_nDCG@10": "alpha_nDCG@10: Unsupported measures",
    "nDCG(gains={1: 'x'})@10": "nDCG(gains={1:x})@10: Expected relevance to be integer",
    "nDCG(gains={1: [1]})@10": "nDCG(gains={1:[1]})@10: unhashable type",
    "nDCG(gains=3)@10": "invalid param gains=3",
    "P(rel='x')@10": "invalid param rel='x'",
    "P(rel=[1])@10": "invalid param rel=[1]",
    "NRG(prior=[1,2])@10": "`prior` must be a name in a measure string, or names joined by +",
    "NRG(prior={})@10": "`prior` must be a name in a measure string, or names joined by +",
    "NRG(base=[1])@10": "NRG: `base` must be one of",
    "NRG(prior=others)@'x'": "`cutoff` must be a whole number of at least 1; got 'x'",
    "RBR(phi={})": "`phi` must lie in (0, 1); got {}",
    "RBO(reference=5)": "`reference` must be a name in a measure string, or names joined by +",
    "BootNDCG(b=[])@10": "`b` must be a whole number from 1 to 1000000",
    "BootNDCG(seed=None)@10": "`seed` must be",
    "BootNDCG(stat=5)@10": "`stat` must",
    "UE(base=7)@10": "`base` must be one of",
}


def test_too_little_memory_is_one_line(told, monkeypatch):
    def fail(*_args, **_kwargs):
        raise MemoryError

    monkeypatch.setattr("irx_measures.cli.scoring.evaluate", fail)
    assert told("evaluate") == (2, "irx evaluate: error: not enough memory: none is left\n")


@pytest.mark.parametrize("measure", MISTAKES)
@pytest.mark.parametrize("command", [["evaluate"], ["meta", "systems"]])
def test_measures_of_wrong_kinds_are_the_users_to_correct(told, command, measure):
    status, err = told(*command, arguments=[measure])
    (line,) = err.splitlines()
    assert (status, line[:4]) == (2, "irx ")
    assert MISTAKES[measure] in line


@pytest.mark.parametrize("path", ["", "irds:"])
def test_a_run_without_a_name_is_the_users_to_correct(told, given, capsys, path):
    line = f"irx evaluate: error: a run must be a file or an ir_datasets id; got {path!r}\n"
    assert main(["evaluate", given[0], path, "-m", "P@5"]) == 2
    assert capsys.readouterr().err == line
    assert told("evaluate", arguments=["RBO", "--reference", path]) == (2, line)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("run,group\n", "no group for "),
        ("run\n", "groups.csv:1: the header needs a column 'group'; got ['run']"),
    ],
)
def test_groups_are_the_users_to_correct(told, tmp_path, text, words):
    groups = tmp_path / "groups.csv"
    groups.write_text(text)
    status, err = told("evaluate", arguments=["--groups", groups])
    (line,) = err.splitlines()
    assert status == 2
    assert words in line


@pytest.mark.parametrize(
    ("command", "option"),
    [
        (["simulate", "nowhere"], "--depth"),
        (["meta", "swap"], "--topics"),
        (["meta", "stability"], "--trials"),
        (["meta", "systems"], "--sizes"),
        (["meta", "correlation"], "--samples"),
        (["meta", "power"], "--resamples"),
    ],
)
@pytest.mark.parametrize(
    ("number", "reason"),
    [
        ("9" * 30, "must be at most 2147483647; got 999"),
        ("1.5", "must be a whole number; got '1.5'"),
    ],
)
def test_numbers_beyond_all_use_are_refused(capsys, command, option, number, reason):
    with pytest.raises(SystemExit) as stopped:
        main([*command, option, number])
    assert stopped.value.code == 2
    assert f"argument {option}: {reason}" in capsys.readouterr().err


@pytest.mark.parametrize("package", ["matplotlib", "ir_datasets"])
def test_a_missing_extra_is_the_users_to_install(
    told, given, monkeypatch, tmp_path, package, capsys
):
    for name in [name for name in sys.modules if name.split(".")[0] == package]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, package, None)
    if package == "ir_datasets":
        status = main(["evaluate", "irds:antique/test", given[1], "-m", "P@5"])
        err = capsys.readouterr().err
    else:
        status, err = told("meta", "power", arguments=["--plot", tmp_path / "it.png"])
    assert status == 2
    (line,) = err.splitlines()
    assert "pip install 'irx-measures[" in line


def test_stdout_that_cannot_show_names_is_the_users_to_correct(monkeypatch, capsys, campaign):
    monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(io.BytesIO(), encoding="ascii"))
    run = campaign / "größe.run"
    run.write_text("q01 Q0 d1 1 1.0 t\n")
    assert main(["evaluate", str(campaign / "qrels.txt"), str(run), "-m", "P@5"]) == 2
    assert capsys.readouterr().err == (
        "irx evaluate: error: stdout must be UTF-8 to show '\\xf6': set PYTHONUTF8=1; got ascii\n"
    )


def test_names_that_stdout_cannot_show_are_told_before_scoring(monkeypatch, capsys, campaign):
    from irx_measures.cli import scoring

    monkeypatch.setattr(scoring, "evaluate", None)
    monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(io.BytesIO(), encoding="latin-1"))
    command = ["evaluate", str(campaign / "qrels.txt"), "文.run", "-m", "P@5"]
    assert main(command) == 2
    assert "stdout must be UTF-8 to show '\\u6587'" in capsys.readouterr().err


@pytest.mark.parametrize(("form", "shown"), [("jsonl", "gr\\u00f6\\u00dfe"), ("csv", "\\xf6")])
def test_what_stdout_cannot_show_is_escaped(monkeypatch, tmp_path, form, shown):
    stdout = io.TextIOWrapper(io.BytesIO(), encoding="ascii")
    monkeypatch.setattr(sys, "stdout", stdout)
    names = ["größe", "b"] if form == "jsonl" else ["a", "b"]
    for name in names:
        (tmp_path / f"{name}.run").write_text("ö Q0 d1 1 1.0 t\n")
    (tmp_path / "qrels").write_text("ö 0 d1 1\n")
    files = ["qrels", *(f"{name}.run" for name in names)]
    paths = [str(tmp_path / file) for file in files]
    assert main(["evaluate", *paths, "-m", "P@5", "-q", "-o", form]) == 0
    assert shown in stdout.buffer.getvalue().decode("ascii")


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="no shell that closes streams")
def test_a_closed_stderr_sends_nothing_to_stdout(campaign, given):
    irx = f"{sys.executable} -m irx_measures"
    for arguments, status in (
        (f"evaluate {campaign}/none {given[1]} -m P@5", 2),
        (f"evaluate {given[0]} {given[1]} -m nRG", 2),
        (f"evaluate {given[0]} {given[1]} -m P@5 --plot", 2),
        (f"simulate {campaign}", 2),
    ):
        done = subprocess.run(
            f"{irx} {arguments} 2>&-", shell=True, stdout=subprocess.PIPE, check=False
        )
        assert (done.returncode, done.stdout) == (status, b"")


@pytest.fixture
def plotting(given):
    """Draw the distributions of one run to a path; the status."""
    return lambda path: main(
        ["evaluate", *given[:2], "-m", "BootNDCG(b=20)@10", "--plot", str(path)]
    )


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
        words = "read-only" if "readonly" in name else "only a regular file can be replaced"
        told = capsys.readouterr()
        assert told.err.startswith(f"irx evaluate: error: --plot: {tmp_path / name}: ")
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
        assert capsys.readouterr().err == f"irx evaluate: {told} {name}\n"
        assert path.read_bytes().startswith(b"\x89PNG")
    assert link.is_symlink()


@pytest.mark.slow
def test_a_full_disk_names_the_file(tmp_path, capsys):
    resource = pytest.importorskip("resource")
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (1000, before[1]))
    try:
        assert main(["simulate", str(tmp_path / "out")]) == 2
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
    assert capsys.readouterr().err == (
        f"irx simulate: error: {tmp_path / 'out' / 'qrels.txt'}: File too large\n"
    )


def test_a_campaign_without_end_is_refused(tmp_path, capsys):
    sizes = ["--systems", "2000000000", "--queries", "2000000000"]
    assert main(["simulate", str(tmp_path / "out"), *sizes]) == 2
    assert "must be at most 20000000 rows" in capsys.readouterr().err
    assert not (tmp_path / "out").exists()


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
def warn(monkeypatch):
    """Have the evaluation warn."""
    from irx_measures.cli import scoring

    evaluate = scoring.evaluate

    def warning(category):
        def warned(*args, **kwargs):
            warnings.warn(category("half of it\nis unjudged"), stacklevel=2)
            return evaluate(*args, **kwargs)

        monkeypatch.setattr(scoring, "evaluate", warned)

    with warnings.catch_warnings():
        warnings.simplefilter("default")  # told on stderr, where tests make them errors
        yield warning


@pytest.mark.parametrize("category", [UserWarning, EvaluationWarning])
def test_warnings_for_users_are_one_line(told, warn, category):
    warn(category)
    assert told("evaluate") == (0, "irx evaluate: warning: half of it is unjudged\n")


def test_quiet_silences_doubts_about_scores_but_not_what_was_left_out(told, warn):
    warn(EvaluationWarning)
    assert told("evaluate", arguments=["--quiet"]) == (0, "")
    warn(UserWarning)
    assert told("evaluate", arguments=["--quiet"])[1] == (
        "irx evaluate: warning: half of it is unjudged\n"
    )


def test_warnings_for_programmers_are_pythons(told, warn):
    warn(DeprecationWarning)
    with pytest.warns(DeprecationWarning, match="half of it\nis unjudged"):
        assert told("evaluate", arguments=["--quiet"]) == (0, "")


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        ("AP", ": The [Mean] Average Precision ([M]AP)."),
        ("SetAP", ": The unranked Set AP (SetAP); i.e., SetP * SetR"),
        ("undocumented", ""),
    ],
)
def test_a_measure_of_ir_measures_has_a_sentence_in_place_of_a_page(
    name, sentence, monkeypatch, capsys
):
    undocumented = type("Undocumented", (ir_measures.AP.__class__,), {})()
    monkeypatch.setitem(ir_measures.measures.registry, "undocumented", undocumented)
    assert main(["measures", name]) == 0
    printed = " ".join(capsys.readouterr().out.split())
    assert printed == f"{name} is a measure of ir_measures, valid after -m{sentence}"


def test_errors_are_also_what_ir_measures_and_python_raise():
    assert issubclass(UnknownMeasureError, InputError)
    assert issubclass(UnknownMeasureError, NameError)
    assert issubclass(MissingExtraError, InputError)
    assert issubclass(MissingExtraError, ImportError)
    assert str(UnknownMeasureError("measure not found: X")) == "measure not found: X"
    assert str(MissingExtraError("needs Y")) == "needs Y"
