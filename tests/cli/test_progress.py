"""Long commands show progress on a terminal; with --quiet and elsewhere they show none."""

import pytest

from irx_measures.common import progress
from tests.doubts import ANY_DOUBT, UNCALIBRATED

pytestmark = [*ANY_DOUBT, UNCALIBRATED]

RUNS = "qrels.txt RUNS"
LEARNED = "BootNDCG(prior='learned',b=20)@5"

COMMANDS = {
    f"evaluate {RUNS} -m nDCG@5": ["run"],
    f"evaluate {RUNS} -m {LEARNED} --interval 90": ["run", "run"],
    f"compare {RUNS} -m nDCG@5 --test bootstrap --resamples 300": ["run", "sample"],
    f"compare {RUNS} -m nDCG@5 --unjudged learned": ["run", "run"],
    f"explain {RUNS} -m nDCG@5 --system lexical-a --against lexical-b": ["run"],
    f"report {RUNS} -m nDCG@5 -o new.html": ["run", "run", "prior"],
    "judge audit qrels.txt machine.txt RUNS --samples 20": ["run", "run"],
    "judge audit qrels.txt machine.txt RUNS --samples 20 "
    "--machine qrels.txt": ["machine"],
    "judge estimate human.txt machine.txt RUNS -m nDCG@5": ["run", "run"],
    "judge next new RUNS -m nDCG@5": ["run"],
    "judge status new RUNS -m nDCG@5": ["run"],
    f"meta power {RUNS} -m P@5 --test tukey-randomised --resamples 300": ["run", "sample"],
    f"meta power {RUNS} -m P@5 nDCG@5 --test tukey-randomised --resamples 200": ["run", "measure"],
    f"meta stability {RUNS} -m nDCG@5 --trials 3 --relative": ["run", "trial"],
    f"meta stability {RUNS} -m P@5 nDCG@5 --trials 3 --relative": ["run", "measure"],
    f"meta swap {RUNS} -m nDCG@5 --trials 3": ["run", "trial"],
    f"meta systems {RUNS} -m P_Rareness(systems=others)@5 --sizes 2 --trials 3": [
        "run", "trial",
    ],
    f"meta correlation {RUNS} -m nDCG@5 P@5 AP --samples 5": ["run", "measure"],
    f"meta pareto {RUNS} -m nDCG@5 --costs costs.csv": ["run"],
}  # fmt: skip


@pytest.fixture
def bars(monkeypatch):
    """The bars that are drawn, which appear at once."""
    made = []
    started = progress._started

    def recorded(unit, total):
        made.append((unit, started(unit, total)))
        return made[-1][1]

    monkeypatch.setattr(progress, "_started", recorded)
    monkeypatch.setattr(progress, "DELAY", -1.0)
    return made


@pytest.mark.slow
@pytest.mark.parametrize("command", COMMANDS)
def test_bars_count_to_their_totals_on_a_terminal_without_quiet(
    command, irx, bars, monkeypatch, tmp_path
):
    if "report" in command:
        pytest.importorskip("jinja2")
    monkeypatch.setattr(progress, "_on_terminal", lambda: True)
    line = command.replace("new", str(tmp_path / "new"))
    assert irx(line, "--quiet").returncode == 0
    assert bars == []
    assert irx(line).returncode == 0
    assert [unit for unit, _ in bars] == COMMANDS[command]
    for _, bar in bars:
        (task,) = bar.tasks
        assert task.completed == (task.total or task.completed) > 0


def test_there_is_no_bar_without_a_terminal(irx, bars):
    assert irx(f"evaluate {RUNS} -m nDCG@5").returncode == 0
    assert bars == []
