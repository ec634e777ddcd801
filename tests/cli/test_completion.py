"""``irx completion``: each shell completes commands, options, files and measures."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from irx_measures.cli.completion import SHELLS
from irx_measures.cli.main import main
from irx_measures.measures.catalogue import catalogue

pytest.importorskip("shtab")

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def scripts(tmp_path_factory):
    """The file of each shell's script."""
    return {shell: tmp_path_factory.mktemp(shell) / "_irx" for shell in SHELLS}


@pytest.fixture
def script(scripts, capsys):
    """The file of a shell's script, written once."""

    def write(shell):
        if not scripts[shell].exists():
            assert main(["completion", shell]) == 0
            scripts[shell].write_text(capsys.readouterr().out, encoding="utf-8")
        return scripts[shell]

    return write


def in_bash(path, *words):
    """What bash offers for the last of some words."""
    program = (
        f"source {path}\n"
        'COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _shtab_irx\n'
        'printf "%s\\n" "${COMPREPLY[@]}"'
    )
    done = subprocess.run(
        ["bash", "-c", program, "bash", *words],
        capture_output=True, text=True, timeout=60, check=True,
    )  # fmt: skip
    assert done.stderr == ""
    return done.stdout.split()


@pytest.mark.skipif(shutil.which("bash") is None, reason="there is no bash")
@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("irx ev", ["evaluate"]),
        ("irx completion ", list(SHELLS)),
        ("irx evaluate --gro", ["--groups"]),
        ("irx evaluate qrels run -m ", list(catalogue)),
        ("irx evaluate qrels run -m NRG TaS", ["TaSC"]),
        ("irx meta power qrels run -m AP_", ["AP_Rareness", "AP_UE"]),
        ("irx measures RB", ["RBR", "RBA", "RBO", "RBPBound"]),
        (f"irx evaluate {ROOT}/READ", [f"{ROOT}/README.md"]),
    ],
)
def test_bash_completes_commands_options_measures_and_files(script, words, expected):
    assert in_bash(script("bash"), *words.split(" ")) == expected


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("fish") is None, reason="there is no fish")
@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("irx ev", ["evaluate"]),
        ("irx evaluate --gro", ["--groups"]),
        ("irx evaluate qrels run -m TaS", ["TaSC"]),
        ("irx meta power qrels run -m AP_", ["AP_Rareness", "AP_UE"]),
        (f"irx evaluate {ROOT}/READ", [f"{ROOT}/README.md"]),
    ],
)
def test_fish_completes_commands_options_measures_and_files(script, line, expected):
    done = subprocess.run(
        ["fish", "--no-config", "-c", f"source {script('fish')}; complete -C '{line}'"],
        capture_output=True, text=True, timeout=60, check=True,
    )  # fmt: skip
    assert done.stderr == ""
    assert [row.split("\t")[0] for row in done.stdout.splitlines()] == expected


@pytest.mark.parametrize("shell", SHELLS)
def test_a_script_knows_every_measure_and_does_not_depend_on_the_terminal(
    script, shell, monkeypatch, capsys
):
    text = script(shell).read_text(encoding="utf-8")
    assert all(name in text for name in catalogue)
    monkeypatch.setenv("COLUMNS", "50")
    assert main(["completion", shell]) == 0
    assert capsys.readouterr().out == text


@pytest.mark.skipif(shutil.which("zsh") is None, reason="there is no zsh")
def test_zsh_reads_its_script(script):
    done = subprocess.run(
        ["zsh", "-n", script("zsh")], capture_output=True, text=True, timeout=60, check=False
    )
    assert (done.returncode, done.stderr) == (0, "")


def test_the_help_says_where_each_script_goes(capsys):
    with pytest.raises(SystemExit):
        main(["completion", "--help"])
    shown = capsys.readouterr().out
    assert all(f"\n  irx completion {shell} > ~/." in shown for shell in SHELLS)


def test_without_shtab_the_error_names_the_extra(monkeypatch, capsys):
    monkeypatch.setitem(sys.modules, "shtab", None)
    assert main(["completion", "bash"]) == 2
    assert capsys.readouterr() == (
        "",
        "irx completion: error: completion needs shtab: pip install 'irx-measures[completion]'\n",
    )
    assert main(["measures"]) == 0  # no other command needs it
