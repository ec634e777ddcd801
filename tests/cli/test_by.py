"""``--by``: groups of queries in ``irx evaluate``, ``irx compare`` and ``irx report``."""

import csv
import io
import json
import re

import pandas as pd
import pytest

from irx_measures import evaluate
from irx_measures.cli.main import main
from irx_measures.common.tables import FORMATS
from irx_measures.simulate import simulate_campaign

MEASURES = ["nDCG@10", "AP"]


@pytest.fixture(scope="module")
def campaign(tmp_path_factory):
    folder = tmp_path_factory.mktemp("campaign")
    simulate_campaign(systems=4, queries=20, depth=30, seed=3).write(folder)
    return folder


@pytest.fixture(scope="module")
def matrix(given, runs):
    return evaluate(runs, given[0], MEASURES)


@pytest.fixture(scope="module")
def groups(matrix):
    return {query: "en" if number % 3 else "de" for number, query in enumerate(matrix.query_ids)}


@pytest.fixture(scope="module")
def file(groups, campaign):
    path = campaign / "languages.csv"
    rows = "".join(f"{query},{group},{group.upper()}\n" for query, group in groups.items())
    path.write_text(f"query_id,group,language\n{rows}")
    return path


@pytest.fixture
def irx(given, capsys):
    """Run a command in this process, and return what it prints."""

    def run(command, *arguments, measures=MEASURES, status=0, files=given):
        got = main([command, *files, "-m", *measures, *map(str, arguments)])
        printed = capsys.readouterr()
        assert got == status, printed.err
        return printed.err if status else printed.out

    return run


def records(text):
    return [json.loads(line) for line in text.splitlines()]


def test_evaluate_adds_the_means_of_the_groups(irx, matrix, groups, file):
    found = records(irx("evaluate", "--by", file, "-o", "jsonl"))
    grouped = matrix.by(groups)
    means = {"de": grouped["de"].means(), "en": grouped["en"].means(), "all": matrix.means()}
    assert [row["group"] for row in found] == ["de"] * 8 + ["en"] * 8 + ["all"] * 8
    for row in found:
        assert row["value"] == means[row["group"]].loc[row["system"], row["measure"]]


def test_evaluate_by_query_names_the_group_of_each_query(irx, matrix, groups, file):
    rows = list(csv.DictReader(io.StringIO(irx("evaluate", "--by", file, "-q", "-o", "csv"))))
    assert list(rows[0]) == ["group", "system", "query_id", *MEASURES]
    queries = [(row["system"], row["query_id"], row["group"]) for row in rows]
    own = [each for each in queries if each[1] != "all"]
    assert own == [
        (system, query, group)
        for group in ("de", "en")
        for system in matrix.systems
        for query in matrix.query_ids
        if groups[query] == group
    ]
    alone = irx("evaluate", "--by", file, "-q", "-n", "-o", "csv")
    assert [row["query_id"] for row in csv.DictReader(io.StringIO(alone))] == [q for _, q, _ in own]


@pytest.mark.parametrize("form", FORMATS)
@pytest.mark.parametrize("command", ["evaluate", "compare"])
def test_every_format_names_the_groups(irx, file, command, form):
    out = irx(command, "--by", file, "-o", form)
    plain = irx(command, "-o", form)
    for group in ("de", "en"):
        assert re.search(rf"\b{group}\b", out)
        assert not re.search(rf"\b{group}\b", plain)


def test_json_has_the_group_and_the_file(irx, file):
    content = json.loads(irx("evaluate", "--by", file, "-o", "json"))
    assert [row["group"] for row in content["results"]] == ["de"] * 8 + ["en"] * 8 + [None] * 8
    assert content["inputs"][-1]["role"] == "query groups"
    assert content["parameters"]["by_column"] == "group"
    content = json.loads(irx("compare", "--by", file, "-o", "json"))
    assert [row["group"] for row in content["results"]] == ["de"] * 12 + ["en"] * 12


def test_best_means_of_each_group_are_bold_on_a_terminal(irx, file, monkeypatch):
    for name, value in {"COLUMNS": "100", "TERM": "xterm"}.items():
        monkeypatch.setenv(name, value)
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setattr("sys.stdout.isatty", lambda: True, raising=False)
    out = irx("evaluate", "--by", file, measures=["AP"])
    assert len(re.findall(r"\x1b\[1m *0\.\d+\x1b", out)) == 3


def test_another_column(irx, file):
    found = records(irx("evaluate", "--by", file, "--by-column", "language", "-o", "jsonl"))
    assert {row["group"] for row in found} == {"DE", "EN", "all"}


def test_compare_tests_within_the_groups(irx, matrix, groups, file):
    for options in ({}, {"baseline": "dense-a"}, {"correction": "bonferroni"}):
        given = [word for name, value in options.items() for word in (f"--{name}", value)]
        found = records(irx("compare", "--by", file, *given, "-o", "jsonl"))
        assert found == matrix.by(groups).compare(**options).to_frame().to_dict("records")


@pytest.mark.parametrize("shown", ["leaderboard", "differences", "scores", "topics"])
def test_compare_shows_everything_by_group(irx, file, shown):
    baseline = ["--baseline", "lexical-a"]
    text = irx("compare", "--by", file, *baseline, "--show", shown)
    for group in ("de", "en"):
        assert f"nDCG@10, {group}" in text
    rows = records(irx("compare", "--by", file, *baseline, "--show", shown, "-o", "jsonl"))
    assert {"de", "en"} <= {row["group"] for row in rows} <= {"de", "en", "all"}


def test_compare_shows_one_finding_a_line(irx, matrix, groups, file):
    out = irx("compare", "--by", file, "--baseline", "lexical-a", measures=["AP"])
    result = matrix.select("AP").by(groups).compare(baseline="lexical-a")
    summary = out.split("\n\n")[0]
    said = [f"{name}: {text}" for name, text in zip(result.labels, result.findings, strict=True)]
    assert " ".join(summary.split()) == " ".join(said)
    assert "Holm over 6 comparisons of all groups" in " ".join(out.split())


def test_scores_of_compare_are_those_of_evaluate(irx, file):
    shown = irx("compare", "--by", file, "--show", "scores", "-o", "csv")
    assert shown == irx("evaluate", "--by", file, "-o", "csv", "-p", "-1")


def test_an_interval_is_that_of_the_group(irx, matrix, groups, file):
    from irx_measures.stats.intervals import mean_interval

    rows = records(
        irx("evaluate", "--by", file, "--interval", "90", "-o", "jsonl", measures=["AP"])
    )
    found = {(row["group"], row["system"], row["measure"]): row["value"] for row in rows}
    lower, upper = mean_interval(matrix.by(groups)["de"]["AP"], 0.9)
    for place, system in enumerate(matrix.systems):
        name = "AP 90% t interval over topics"
        assert found["de", system, f"{name}: lower"] == pytest.approx(lower[place])
        assert found["de", system, f"{name}: upper"] == pytest.approx(upper[place])


def test_report_has_a_section_of_groups(irx, file, tmp_path):
    pytest.importorskip("jinja2")
    path = tmp_path / "report.html"
    irx("report", "--by", file, "--by-column", "language", "-o", path)
    page = path.read_text(encoding="utf-8")
    assert '<section id="groups"' in page
    assert "EN" in page
    irx("report", "-o", path)
    assert 'id="groups"' not in path.read_text(encoding="utf-8")


def test_plot_draws_the_groups(irx, file, tmp_path):
    pytest.importorskip("matplotlib")
    irx("compare", "--by", file, "--plot", tmp_path / "groups.svg")
    drawn = (tmp_path / "groups.svg").read_text()
    assert "de (7 topics)" in drawn
    assert "en (13 topics)" in drawn


@pytest.mark.parametrize("command", ["evaluate", "compare", "report"])
def test_mistakes_are_one_line(irx, file, command, tmp_path):
    out = ["-o", tmp_path / "report.html"] if command == "report" else []
    if out:
        pytest.importorskip("jinja2")
    partial = tmp_path / "part.csv"
    partial.write_text("query_id,group\nq01,en\n")
    for arguments, message in [
        (["--by-column", "group"], "--by-column goes with --by"),
        (["--by", tmp_path / "none.csv"], "none.csv"),
        (["--by", partial], "no group for 19 of 20 queries: "),
        (
            ["--by", file, "--by-column", "lang"],
            "languages.csv:1: the header needs a column 'lang'",
        ),
    ]:
        (line,) = irx(command, *arguments, *out, status=2).splitlines()
        assert line.startswith(f"irx {command}: error: ")
        assert message in line


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--unjudged", "learned"], "--unjudged is for all queries: omit --by"),
        (["--plot", "a.svg", "--top", "3"], "--top goes without --by"),
    ],
)
def test_what_compare_does_not_do_by_group(irx, file, arguments, message):
    (line,) = irx("compare", "--by", file, *arguments, status=2).splitlines()
    assert message in line


def test_an_interval_needs_two_queries_in_every_group(irx, matrix, tmp_path):
    path = tmp_path / "groups.csv"
    names = ["one", *["other"] * 19]
    rows = "".join(f"{query},{name}\n" for query, name in zip(matrix.query_ids, names, strict=True))
    path.write_text(f"query_id,group\n{rows}")
    error = irx("evaluate", "--by", path, "--interval", "95", status=2)
    assert "group 'one': an interval over topics needs at least 2 queries; got 1" in error
    (one,) = matrix.query_ids[:1]
    rows = records(irx("evaluate", "--by", path, "-o", "jsonl"))
    mean = next(row["value"] for row in rows if row["group"] == "one")
    assert mean == matrix.queries([one]).means().iloc[0, 0]


def test_the_help_keeps_groups_of_runs_and_of_queries_apart(capsys):
    for command in ("evaluate", "compare", "report"):
        with pytest.raises(SystemExit):
            main([command, "--help"])
        text = " ".join(capsys.readouterr().out.split())
        assert "--groups FILE the groups of the runs" in text
        assert "--by FILE groups of queries" in text


def test_scores_of_files_are_compared_by_group(irx, matrix, file, tmp_path, capsys):
    path = tmp_path / "scores.csv"
    matrix.to_frame().to_csv(path, index=False)
    options = ["compare", "--scores", path, "--by", file, "-o", "jsonl"]
    assert main(list(map(str, options))) == 0
    from_file, from_runs = capsys.readouterr().out, irx("compare", "--by", file, "-o", "jsonl")
    pd.testing.assert_frame_equal(
        pd.DataFrame(records(from_file)), pd.DataFrame(records(from_runs)), rtol=1e-9
    )
