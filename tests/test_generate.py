"""What is made from the catalogue of measures is up to date, and completion completes."""

import shutil
import subprocess

import pytest

from irx_measures.measures.catalogue import catalogue
from scripts.generate import COMPLETIONS, PAGE_ENDS, ROOT, generated, replace_block

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
