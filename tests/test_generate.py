"""Generated files are up to date; completion completes, and manual pages are well formed."""

import shutil
import subprocess

import pytest

from irx_measures import __version__
from irx_measures.measures.catalogue import catalogue
from scripts.generate import COMPLETIONS, PAGE_ENDS, ROOT, generated, replace_block
from scripts.manual import manual_pages

(FROEBE,) = catalogue["BootNDCG"].PAPERS


@pytest.mark.parametrize("path", generated())
def test_a_generated_file_is_what_the_generator_writes(path):
    text = ROOT.joinpath(path).read_text(encoding="utf-8")
    assert text == generated()[path], "run: python -m scripts.generate"


def test_no_end_of_a_page_is_left_of_a_measure_that_is_gone():
    assert {path.stem for path in ROOT.joinpath(PAGE_ENDS).iterdir()} == set(catalogue)


def test_the_end_of_a_page_has_parameters_and_citation():
    nrg, boot = (generated()[f"{PAGE_ENDS}/{name}.txt"] for name in ("NRG", "BootNDCG"))
    assert "\n``phi`` : a number in (0, 1), default 0.8\n    The persistence of RBP.\n" in nrg
    assert "\n``@k`` : a whole number of at least 1, optional\n    Only the first k" in nrg
    assert "\n``@k`` : a whole number of at least 1, required\n" in boot
    assert "\n``b`` : a whole number from 1 to 1000000 or ``'exact'``, default 1000\n" in boot
    assert "\n``pool`` : one of ``'query'``, ``'all'``, default ``'query'``\n" in boot
    assert f"`{FROEBE.doi} <https://doi.org/{FROEBE.doi}>`__" in boot
    assert all(f"\n    {line}\n" in boot for line in FROEBE.bibtex().splitlines())


def test_only_the_block_is_replaced():
    text = "before\n# names: made by hand\nold\nold\n# end of names\nafter\n"
    assert replace_block(text, "names", "new") == (
        "before\n# names: made by hand\nnew\n# end of names\nafter\n"
    )
    for wrong in (text * 2, text.replace("end of names", "the end")):
        with pytest.raises(ValueError, match="one block 'names'"):
            replace_block(wrong, "names", "new")


def complete(*words):
    """What bash offers for the last of some words."""
    script = (
        f"source {ROOT / COMPLETIONS['bash']}\n"
        'COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _shtab_irx\n'
        'printf "%s\\n" "${COMPREPLY[@]}"'
    )
    done = subprocess.run(
        ["bash", "-c", script, "bash", *words],
        capture_output=True, text=True, timeout=60, check=True,
    )  # fmt: skip
    assert done.stderr == ""
    return done.stdout.split()


@pytest.mark.skipif(shutil.which("bash") is None, reason="there is no bash")
def test_bash_completes_commands_options_and_measures():
    assert complete("irx", "ev") == ["evaluate"]
    assert complete("irx", "evaluate", "--gro") == ["--groups"]
    assert complete("irx", "evaluate", "qrels", "run", "-m", "") == list(catalogue)
    assert complete("irx", "evaluate", "qrels", "run", "-m", "NRG", "TaS") == ["TaSC"]
    assert complete("irx", "meta", "power", "qrels", "run", "-m", "AP_") == ["AP_Rareness", "AP_UE"]
    assert complete("irx", "measures", "RB") == ["RBR", "RBA", "RBO", "RBPBound"]
    assert "README.md" in complete("irx", "evaluate", f"{ROOT}/READ")[0]


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
def test_fish_completes_commands_options_measures_and_files(line, expected):
    script = f"source {ROOT / COMPLETIONS['fish']}; complete -C '{line}'"
    done = subprocess.run(
        ["fish", "--no-config", "-c", script],
        capture_output=True, text=True, timeout=60, check=True,
    )  # fmt: skip
    assert done.stderr == ""
    assert [row.split("\t")[0] for row in done.stdout.splitlines()] == expected


def test_manual_pages_do_not_depend_on_the_terminal(monkeypatch):
    pages = manual_pages()
    monkeypatch.setenv("COLUMNS", "50")
    assert manual_pages() == pages


def test_each_command_has_a_manual_page():
    pages = manual_pages()
    assert set(pages) == {path.name for path in ROOT.joinpath("man").iterdir()}
    assert {"irx.1", "irx-compare.1", "irx-meta.1", "irx-meta-power.1"} <= set(pages)
    power = pages["irx-meta-power.1"]
    assert power.startswith('.TH IRX\\-META\\-POWER "1" "" ')
    assert "\n.SH NAME\nirx\\-meta\\-power \\- count the pairs of systems" in power
    assert "\n.B irx meta power\n" in power
    assert ".SH EXAMPLES\n.EX\n  irx meta power " in power
    assert ".BR irx\\-meta\\-power (1)" in pages["irx-meta.1"]


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("groff") is None, reason="there is no groff")
@pytest.mark.parametrize("width", [50, 80])
@pytest.mark.parametrize("page", manual_pages())
def test_a_manual_page_is_formatted_without_a_warning(page, width):
    done = subprocess.run(
        ["groff", "-man", "-ww", "-Tutf8", f"-rLL={width}n", ROOT / "man" / page],
        capture_output=True, text=True, timeout=60, check=True,
    )  # fmt: skip
    assert done.stderr == ""
    assert f"irx_measures {__version__}" in done.stdout
