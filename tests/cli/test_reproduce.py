"""`irx reproduce`: the papers' tables at the command line, by id and on a user's own data."""

import csv
import io
import json

import pytest

from irx_measures.cli.main import main
from irx_measures.reproductions import PAPERS, entries
from irx_measures.simulate import simulate_campaign

# The doubts are tested with the measures; here they are lines on stderr.
pytestmark = pytest.mark.filterwarnings("ignore::irx_measures.EvaluationWarning")


@pytest.fixture(scope="module")
def campaign(tmp_path_factory):
    folder = tmp_path_factory.mktemp("campaign")
    simulate_campaign(systems=6, queries=12, depth=30, seed=3).write(folder)
    return folder


@pytest.fixture
def named(campaign):
    """The options that name the user's data."""
    runs = str(campaign / "runs" / "*.run.gz")
    return ["--dataset", str(campaign / "qrels.txt"), "--runs", runs]


@pytest.mark.slow
@pytest.mark.parametrize("paper", PAPERS)
def test_every_paper_runs_on_the_users_data(paper, named, campaign, capsys):
    assert main(["reproduce", paper, *named, "--groups", str(campaign / "groups.csv")]) == 0
    out, err = capsys.readouterr()
    assert "SIMULATED" not in out + err
    assert "Your data: 6 runs, 12 topics" in err
    assert "Claims" in out
    assert "OTHER DATA: " in out


@pytest.mark.parametrize("form", ["tsv", "csv", "jsonl", "markdown", "latex"])
def test_every_format(form, named, capsys):
    assert main(["reproduce", "residual-gain", *named, "-o", form]) == 0
    out = capsys.readouterr().out
    if form == "jsonl":
        names = {tuple(json.loads(line)) for line in out.splitlines()}
        assert names == {("paper", "table", "row", "column", "printed", "here", "difference")}
    else:
        assert out.count("\n") > 5


def test_the_list_names_every_table_and_figure(capsys):
    assert main(["reproduce", "--list", "-o", "csv"]) == 0
    listed = list(csv.DictReader(io.StringIO(capsys.readouterr().out)))
    assert len(listed) == sum(len(entries(name)) for name in PAPERS)
    assert "reproduced" in {row["status"] for row in listed}
    assert main(["reproduce", "rareness", "--list", "-o", "csv"]) == 0
    assert capsys.readouterr().out.count("\n") == 1 + len(entries("rareness"))


@pytest.mark.slow
def test_figures_are_drawn_into_a_folder(named, tmp_path, capsys):
    pytest.importorskip("matplotlib")
    folder = tmp_path / "new" / "pictures"
    assert main(["reproduce", "residual-gain", *named, "--plot", str(folder)]) == 0
    drawn = sorted(path.name for path in folder.iterdir())
    assert drawn
    assert all(f"wrote {folder / name}" in capsys.readouterr().err for name in drawn[:1])


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([], "PAPER must be one of residual-gain, "),
        (["rareness", "--dataset", "q.txt"], "--runs must be given too"),
        (["rareness", "--runs", "a.run"], "--dataset must be given too"),
        (["rareness", "--dataset", "q", "--runs", "r"], "q: neither a file nor an ir_datasets id"),
        (["rareness", "--letor", "folder"], "--letor is for upper-expected"),
        (["upper-expected", "--letor", "no/folder"], "no/folder"),
        (["residual-gain", "--groups", "g.csv"], "--groups is for the runs of --runs"),
        (["all", "--groups", "g.csv"], "all takes --dataset ID, and builds runs and groups"),
        (
            ["upper-expected", "--letor", "f", "--dataset", "q", "--runs", "r"],
            "--letor brings its own queries: it excludes --dataset and --runs",
        ),
    ],
)
def test_mistakes_are_one_line(arguments, message, capsys):
    assert main(["reproduce", *arguments]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert message in err
    assert err.count("\n") == 1


def test_a_glob_without_files_is_named(named, capsys):
    assert main(["reproduce", "rareness", *named[:2], "--runs", "no/*.run"]) == 2
    assert "no/*.run" in capsys.readouterr().err


def test_a_file_is_not_a_folder_for_pictures(tmp_path, capsys):
    file = tmp_path / "picture.png"
    file.write_text("")
    assert main(["reproduce", "rareness", "--plot", str(file)]) == 2
    assert "--plot must be a folder" in capsys.readouterr().err
