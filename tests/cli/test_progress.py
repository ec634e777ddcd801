"""Long commands show progress on a terminal; with --quiet and elsewhere they show none."""

import re

import numpy as np
import pytest

import irx_measures
from irx_measures.cli.main import main
from irx_measures.common import progress
from tests.terminal import on_terminal

pytestmark = pytest.mark.filterwarnings(
    "ignore::irx_measures.EvaluationWarning", "ignore::UserWarning"
)

RUNS = "{folder}/qrels.txt {runs}"
LEARNED = "BootNDCG(prior='learned',b=20)@5"

COMMANDS = {
    f"evaluate {RUNS} -m nDCG@5": ["run"],
    f"evaluate {RUNS} -m {LEARNED} --interval 90": ["run", "run"],
    f"compare {RUNS} -m nDCG@5 --test bootstrap --resamples 200": ["run", "sample"],
    f"compare {RUNS} -m nDCG@5 --unjudged learned": ["run", "run"],
    f"explain {RUNS} -m nDCG@5 --system lexical-a --against lexical-b": ["run"],
    f"report {RUNS} -m nDCG@5 -o {{new}}.html": ["run", "run", "prior"],
    "judge audit {folder}/qrels.txt {folder}/machine.txt {runs} --samples 20": ["run", "run"],
    "judge audit {folder}/qrels.txt {folder}/machine.txt {runs} --samples 20 "
    "--machine {folder}/qrels.txt": ["machine"],
    "judge estimate {folder}/human.txt {folder}/machine.txt {runs} -m nDCG@5": ["run", "run"],
    "judge next {new} {runs} -m nDCG@5": ["run"],
    "judge status {new} {runs} -m nDCG@5": ["run"],
    f"meta power {RUNS} -m P@5 --test tukey-randomised --resamples 200": ["run", "sample"],
    f"meta power {RUNS} -m P@5 nDCG@5 --test tukey-randomised --resamples 200": ["run", "measure"],
    f"meta stability {RUNS} -m nDCG@5 --trials 3 --relative": ["run", "trial"],
    f"meta stability {RUNS} -m P@5 nDCG@5 --trials 3 --relative": ["run", "measure"],
    f"meta swap {RUNS} -m nDCG@5 --trials 3": ["run", "trial"],
    f"meta systems {RUNS} -m P_Rareness(systems=others)@5 --sizes 2 --trials 3": [
        "run", "evaluation",
    ],
    f"meta correlation {RUNS} -m nDCG@5 P@5 AP --samples 5": ["run", "measure"],
    f"meta pareto {RUNS} -m nDCG@5 --costs {{folder}}/costs.csv": ["run"],
}  # fmt: skip


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("campaign")
    campaign = irx_measures.simulate_campaign(systems=4, queries=9, depth=20, seed=3)
    campaign.write(folder)
    rows = (folder / "qrels.txt").read_text().splitlines(keepends=True)
    (folder / "human.txt").write_text(
        "".join(row for row in rows if not row.startswith(("q08", "q09")))
    )
    rng = np.random.default_rng(1)
    labels = "".join(re.sub(r"\d+$", str(rng.integers(2)), row) for row in rows)
    (folder / "machine.txt").write_text(labels)
    (folder / "costs.csv").write_text("run,cost\n" + "".join(f"{run},1\n" for run in campaign.runs))
    return folder


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


@pytest.fixture
def irx(folder, tmp_path):
    def run(command, *more):
        paths = " ".join(map(str, sorted((folder / "runs").iterdir())))
        arguments = command.format(folder=folder, runs=paths, new=tmp_path / "new").split()
        if "report" in arguments:
            pytest.importorskip("jinja2")
        assert main([*arguments, *more]) == 0

    return run


@pytest.mark.parametrize("command", COMMANDS)
def test_bars_count_to_their_totals_on_a_terminal(command, irx, bars, monkeypatch):
    on_terminal(monkeypatch)
    irx(command)
    assert [unit for unit, _ in bars] == COMMANDS[command]
    for _, bar in bars:
        (task,) = bar.tasks
        assert task.completed == (task.total or task.completed) > 0


@pytest.mark.parametrize("command", COMMANDS)
def test_with_quiet_there_is_no_bar(command, irx, bars, monkeypatch):
    on_terminal(monkeypatch)
    irx(command, "--quiet")
    assert bars == []


def test_there_is_no_bar_without_a_terminal(irx, bars):
    irx(f"evaluate {RUNS} -m nDCG@5")
    assert bars == []
