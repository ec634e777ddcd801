"""Scores from files, at the commands that compare them."""

import json
from io import StringIO

import numpy as np
import pandas as pd
import pytest

from irx_measures import ScoreMatrix
from irx_measures.cli.main import main

RNG = np.random.default_rng(2)

TABLE = pd.DataFrame(
    [
        (system, f"q{query}", measure, round(float(RNG.random()) + place, 3))
        for place, system in enumerate(["a", "b", "c"])
        for query in range(10)
        for measure in ["faithfulness", "seconds"]
    ],
    columns=["system", "query_id", "measure", "value"],
)


@pytest.fixture
def scores(tmp_path):
    path = tmp_path / "scores.csv"
    TABLE.to_csv(path, index=False)
    return str(path)


@pytest.fixture
def irx(capsys):
    """Run a command in this process; returns what it prints on stdout, or else on stderr."""

    def run(*arguments, status=0):
        try:
            got = main([*arguments, "--quiet"])
        except SystemExit as error:
            got = error.code
        assert got == status
        printed = capsys.readouterr()
        return printed.err if status else printed.out

    return run


def test_the_command_compares_as_python_does(irx, scores):
    shown = irx("compare", "--scores", scores, "--lower-is-better", "seconds", "-o", "json")
    falling = {"seconds": False}
    expected = ScoreMatrix.from_frame(TABLE, higher_is_better=falling).compare().to_frame()
    got = json.loads(shown)
    pd.testing.assert_frame_equal(pd.DataFrame(got["results"]), expected)
    assert [(one["role"], one["path"]) for one in got["inputs"]] == [("scores", scores)]


@pytest.mark.parametrize("shown", ["leaderboard", "differences", "scores", "topics"])
@pytest.mark.parametrize("form", ["table", "csv", "latex"])
def test_every_table_is_printed(irx, scores, shown, form):
    how = ["--lower-is-better", "seconds", "--baseline", "b", "--show", shown, "-o", form]
    out = irx("compare", "--scores", scores, *how)
    assert "faithfulness" in out
    assert "seconds" in out


def test_m_chooses_measures(irx, scores):
    out = irx("compare", "--scores", scores, "-m", "seconds", "-o", "csv")
    assert set(pd.read_csv(StringIO(out))["measure"]) == {"seconds"}


def test_the_report_is_written(irx, scores, tmp_path):
    pytest.importorskip("jinja2")
    path = tmp_path / "report.html"
    irx("report", "--scores", scores, "--lower-is-better", "seconds", "-o", str(path))
    assert "has the lowest seconds" in path.read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["qrels.txt", "a.run", "--scores", "FILE"], "QRELS goes with runs"),
        (["--scores", "FILE", "--prior", "a.run"], "--prior goes with runs"),
        (["--scores", "FILE", "--unjudged", "learned"], "--unjudged goes with runs"),
        (["--scores", "FILE", "--baseline", "d"], "must name one of the 3 systems"),
        (["--scores", "FILE", "-m", "AP"], "no measure 'AP'; they have faithfulness, seconds"),
        (["--scores", "FILE", "--lower-is-better", "time"], "no measure 'time'"),
        (["--scores", "lacking.csv"], "lacking.csv"),
        (["--scores"], "expected at least one argument"),
        (["qrels.txt", "-m", "AP"], "required: RUN"),
        (["-m", "AP"], "required: QRELS, RUN"),
    ],
)
def test_mistakes_are_one_line(irx, scores, arguments, message):
    given = [scores if argument == "FILE" else argument for argument in arguments]
    err = irx("compare", *given, status=2)
    assert err.count("\n") == 1
    assert message in err


def test_lower_is_better_goes_with_scores(irx):
    given = ["qrels.txt", "a.run", "-m", "AP", "--lower-is-better", "AP"]
    assert "--lower-is-better goes with --scores" in irx("compare", *given, status=2)
