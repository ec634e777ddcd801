"""What every command prints by default: files in tests/expected/cli, read as a diff.

`python -m tests.cli.test_expected` writes them again.
"""

import re
import sys
import tempfile
from pathlib import Path

import pytest

from tests import console
from tests.cli.conftest import words, write_files
from tests.doubts import ANY_DOUBT

pytestmark = ANY_DOUBT

EXPECTED = Path(__file__).parents[1] / "expected" / "cli"

NEWEST = sys.version_info >= (3, 11)  # the lists of packages of older ones round otherwise

COMMANDS = {
    "evaluate": "evaluate qrels.txt RUNS -m nDCG@10 NRG(prior=others)@10",
    "evaluate_queries": "evaluate qrels.txt runs/dense-a.run.gz -m P@5 AP -q -o tsv",
    "evaluate_by": "evaluate qrels.txt RUNS -m nDCG@10 --by by.csv",
    "evaluate_interval": "evaluate qrels.txt RUNS -m P@5 BootNDCG(b=50)@10 --interval 90",
    "evaluate_bootstrap": "evaluate qrels.txt RUNS -m P@5 --interval 90 "
    "--interval-method bootstrap -o csv",
    "evaluate_prior": "evaluate qrels.txt RUNS -m NRG@5 NRG(prior=others)@5 --prior dense-a",
    "evaluate_reference": "evaluate - RUNS --reference dense-a -m RBR RBO(bound=upper)",
    "compare": "compare qrels.txt RUNS -m nDCG@10",
    "compare_baseline": "compare qrels.txt RUNS -m nDCG@10 --baseline lexical-a",
    "compare_bh": "compare qrels.txt RUNS -m nDCG@10 --correction bh",
    "compare_by": "compare qrels.txt RUNS -m nDCG@10 --by by.csv --baseline lexical-a",
    "compare_topics": "compare qrels.txt RUNS -m nDCG@10 --baseline lexical-a --show topics",
    "compare_csv": "compare qrels.txt RUNS -m nDCG@10 -o csv -p 4",
    "compare_markdown": "compare qrels.txt RUNS -m nDCG@10 AP --baseline lexical-a -o markdown",
    "compare_scores": "compare --scores scores.csv --lower-is-better seconds",
    "explain": "explain qrels.txt RUNS -m nDCG@5 --system dense-a --query q01 --missing",
    "explain_against": "explain qrels.txt RUNS -m nDCG@5 --system dense-a --against lexical-a",
    "meta_power": "meta power qrels.txt RUNS -m nDCG@10 AP",
    "meta_power_details": "meta power qrels.txt RUNS -m nDCG@10 --details --test t",
    "meta_concordance": "meta concordance qrels.txt RUNS -m nDCG@10 AP",
    "meta_stability": "meta stability qrels.txt RUNS -m nDCG@10 AP --trials 50",
    "meta_swap": "meta swap qrels.txt RUNS -m nDCG@10 AP --trials 50 --rate .3",
    "meta_systems": "meta systems qrels.txt RUNS -m NRG(prior=others)@10 --trials 5",
    "meta_correlation": "meta correlation qrels.txt RUNS -m nDCG@10 AP P@5 --samples 50",
    "meta_pareto": "meta pareto qrels.txt RUNS -m nDCG@10 --costs costs.csv",
    "judge_audit": "judge audit qrels.txt machine.txt RUNS --samples 50",
    "judge_audit_csv": "judge audit qrels.txt machine.txt --machine human.txt -o csv",
    "judge_estimate": "judge estimate human.txt qrels.txt RUNS -m nDCG@10",
    "judge_estimate_baseline": "judge estimate human.txt qrels.txt RUNS -m P@5 --baseline dense-a",
    "judge_status": "judge status qrels.txt RUNS",
    "measures_of_ir_measures": "measures AP",
    "cite": "cite NRG",
    "reproduce": "reproduce residual-gain --dataset qrels.txt --runs RUNS",
    "reproduce_list": "reproduce rareness --list -o csv",
}


def printed(command, folder):
    done = console.irx(*words(command), cwd=folder, together=True)
    assert done.returncode == 0, done.stdout
    return done.stdout


@pytest.mark.skipif(not NEWEST, reason="faces are compared in the newest environment")
@pytest.mark.parametrize("name", COMMANDS)
def test_a_command_prints_what_is_expected(folder, name, monkeypatch):
    monkeypatch.setenv("IRX_DATA", str(folder))  # which has no data of papers
    expected = (EXPECTED / f"{name}.txt").read_text(encoding="utf-8")
    assert printed(COMMANDS[name], folder) == expected


@pytest.mark.parametrize(
    "name", ["evaluate", "compare", "compare_topics", "explain", "judge_audit", "judge_estimate"]
)
def test_tables_have_all_digits_where_asked(irx, name):
    done = irx(f"{COMMANDS[name]} -p -1")
    assert done.returncode == 0, done.stderr
    assert re.search(r"\d\.\d{12}", done.stdout)


def test_every_file_is_compared():
    assert {path.stem for path in EXPECTED.iterdir()} == {*COMMANDS}


PICTURES = {
    "compare qrels.txt RUNS -m nDCG@10": "nDCG@10",
    "compare qrels.txt RUNS -m nDCG@10 --baseline lexical-a": "lexical-a",
    "compare qrels.txt RUNS -m nDCG@10 --by by.csv": "en (6 topics)",
    "meta power qrels.txt RUNS -m nDCG@10": "nDCG@10",
    "meta stability qrels.txt RUNS -m nDCG@10 --trials 9": "nDCG@10",
    "meta swap qrels.txt RUNS -m nDCG@10 --trials 9": "nDCG@10",
    "meta systems qrels.txt RUNS -m nDCG@10 --trials 3": "nDCG@10",
    "meta correlation qrels.txt RUNS -m nDCG@10 AP --samples 9": "dense-a",
    "meta correlation qrels.txt RUNS -m nDCG@10 P@5 --samples 9": "P@5",
    "meta pareto qrels.txt RUNS -m nDCG@10 --costs costs.csv": "dense-a",
    "judge audit qrels.txt machine.txt": "label",
    "judge status qrels.txt RUNS": "judged",
}


@pytest.mark.slow
@pytest.mark.parametrize("command", PICTURES)
def test_a_picture_is_drawn(irx, tmp_path, command):
    pytest.importorskip("matplotlib")
    path = tmp_path / "it.svg"
    done = irx(f"{command} --quiet --width 7 --plot", path)
    assert done.returncode == 0, done.stderr
    assert f"wrote {path}\n" in done.stderr
    assert PICTURES[command] in path.read_text(encoding="utf-8")


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as temporary:
        write_files(Path(temporary))
        EXPECTED.mkdir(parents=True, exist_ok=True)
        for file in EXPECTED.iterdir():
            file.unlink()
        for title, line in COMMANDS.items():
            text = printed(line, Path(temporary))
            (EXPECTED / f"{title}.txt").write_text(text, encoding="utf-8")
