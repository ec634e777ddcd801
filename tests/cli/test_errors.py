"""What users can correct ends with status 2; a bug is never passed off as a user's mistake."""

import io
import sys
import warnings

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


@pytest.fixture(scope="module")
def given(campaign):
    """QRELS and RUNs, as arguments."""
    return [str(campaign / "qrels.txt"), *map(str, sorted((campaign / "runs").iterdir()))]


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

    monkeypatch.setattr("irx_measures.cli.options.evaluate", fail)
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
    assert (status, err) == (2, "irx evaluate: error: --places must be at least -1; got -2\n")


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

    monkeypatch.setattr("irx_measures.cli.options.evaluate", fail)
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
        ("", "groups.csv:1: the header must name columns run and group; got None"),
        ("run,group\n", "`groups` must name every run; missing ['family1-a'"),
        ("run\n", "groups.csv:1: the header must name columns run and group"),
        ("run,group\na\n", "groups.csv:2: run and group must not be empty"),
    ],
)
def test_groups_are_the_users_to_correct(told, tmp_path, text, words):
    groups = tmp_path / "groups.csv"
    groups.write_text(text)
    status, err = told("evaluate", arguments=["--groups", groups])
    (line,) = err.splitlines()
    assert status == 2
    assert words in line


@pytest.mark.parametrize("cost", ["nan", "inf", "[]", "None", "1e999", "0x1"])
def test_costs_are_the_users_to_correct(told, given, tmp_path, cost):
    costs = tmp_path / "costs.csv"
    names = [path.rsplit("/", 1)[1].removesuffix(".run.gz") for path in given[1:]]
    costs.write_text("run,cost\n" + "".join(f"{name},{cost}\n" for name in names))
    status, err = told("meta", "pareto", arguments=["--costs", costs])
    (line,) = err.splitlines()
    assert status == 2
    assert "cost" in line.removeprefix(f"irx meta: error: {costs}:2: ")


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


@pytest.mark.parametrize("package", ["matplotlib", "statsmodels", "ir_datasets"])
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
        how = {"matplotlib": ["--plot", tmp_path / "it.png"], "statsmodels": ["--test", "t"]}
        status, err = told("meta", "power", arguments=how[package])
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


@pytest.fixture
def warn(monkeypatch):
    """Have the evaluation warn."""
    from irx_measures.cli import options

    evaluate = options.evaluate

    def warning(category):
        def warned(*args, **kwargs):
            warnings.warn(category("half of it\nis unjudged"), stacklevel=2)
            return evaluate(*args, **kwargs)

        monkeypatch.setattr(options, "evaluate", warned)

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


def test_errors_are_also_what_ir_measures_and_python_raise():
    assert issubclass(UnknownMeasureError, InputError)
    assert issubclass(UnknownMeasureError, NameError)
    assert issubclass(MissingExtraError, InputError)
    assert issubclass(MissingExtraError, ImportError)
    assert str(UnknownMeasureError("measure not found: X")) == "measure not found: X"
    assert str(MissingExtraError("needs Y")) == "needs Y"
