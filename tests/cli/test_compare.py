"""``irx compare``: a user's five questions, every format, baselines, errors."""

import csv
import io
import json
import re

import numpy as np
import pytest

from irx_measures import compare, evaluate
from irx_measures.cli.main import main
from irx_measures.common.tables import FORMATS
from irx_measures.simulate import simulate_campaign

MEASURES = ["nDCG@10", "AP"]


@pytest.fixture(scope="module")
def campaign(tmp_path_factory):
    folder = tmp_path_factory.mktemp("campaign")
    simulate_campaign(systems=6, queries=25, depth=30, seed=3).write(folder)
    return folder


@pytest.fixture(scope="module")
def matrix(given, runs):
    return evaluate(runs, given[0], MEASURES)


@pytest.fixture
def irx(given, capsys):
    """Run ``irx compare`` in this process, and return what it prints."""

    def run(*arguments, measures=MEASURES, files=given, status=0):
        got = main(["compare", *files, "-m", *measures, *map(str, arguments)])
        printed = capsys.readouterr()
        assert got == status, printed.err
        return printed.err if status else printed.out

    return run


def sentence(text):
    """A text without line breaks."""
    return " ".join(text.split())


def test_question_1_which_systems_cannot_be_told_from_the_best(irx, matrix):
    out = irx(measures=["nDCG@10"])
    result = matrix.select("nDCG@10").compare()
    assert sentence(out).startswith(result.summary)
    board = result.board()
    rows = re.findall(r"^ *([\d-]+)  (\S+) +(0\.\d{3})", out, re.MULTILINE)
    assert rows == [
        (f"{low}-{high}" if low < high else str(low), name, f"{mean:.3f}")
        for name, mean, low, high in zip(board.systems, board.mean, *board.ranks, strict=True)
    ]
    best = int((board.ranks.low == 1).sum())
    assert f"{best} of 6 systems may be the best: no system is significantly better" in sentence(
        out
    )
    assert "Holm over 15 comparisons, confidence level 95%" in sentence(out)


def test_question_2_is_a_system_better_than_both_baselines(irx, matrix):
    rows = irx("--baseline", "dense-a", "--baseline", "lexical-b", "-o", "jsonl")
    shown = [json.loads(row) for row in rows.splitlines()]
    frame = matrix.compare(baseline=["dense-a", "lexical-b"]).to_frame()
    assert shown == frame.to_dict("records")
    assert {row["baseline"] for row in shown} == {"dense-a", "lexical-b"}


def test_question_3_by_how_much(irx, matrix):
    out = irx("--baseline", "dense-a")
    result = matrix.compare(baseline="dense-a")
    assert sentence(out).startswith(result.summary)
    for row in result.to_frame().itertuples():
        assert f"{row.lower:+.3f} to {row.upper:+.3f}" in out
    assert "topics), system minus dense-a" in out


def test_question_4_how_many_topics_would_settle_it(irx, matrix):
    rows = irx("--baseline", "lexical-b", "--show", "topics", "-o", "csv")
    result = matrix.compare(baseline="lexical-b")
    for row in csv.DictReader(io.StringIO(rows)):
        plan = result.topics_needed(row["system"], row["baseline"]).set_index("measure")
        for name in ("difference", "effect", "p", "topics", "topics_safe"):
            number = plan.loc[row["measure"], name]
            assert row[name] == ("" if np.isinf(number) else str(number))
    text = irx("--baseline", "lexical-b", "--show", "topics")
    assert "topics_safe" in text


def test_question_5_the_table_of_the_paper(irx, matrix):
    result = matrix.compare(baseline=["dense-a", "lexical-b"])
    against = ["--baseline", "dense-a", "--baseline", "lexical-b"]
    assert irx(*against, "-o", "latex") == result.paper_table("latex")
    assert irx(*against, "-o", "markdown", "-p", "2") == result.paper_table("markdown", places=2)
    assert irx(*against, "-o", "html", "-p", "-1") == result.paper_table("html", places=-1)


@pytest.mark.slow
@pytest.mark.parametrize("form", FORMATS)
@pytest.mark.parametrize("show", ["leaderboard", "differences", "scores", "topics"])
def test_everything_is_printed_in_every_format(irx, form, show):
    out = irx("--show", show, "-o", form, "--baseline", "lexical-b")
    assert "dense-a" in out
    assert "nDCG@10" in out
    if form == "jsonl":
        assert all(json.loads(line)["measure"] in MEASURES for line in out.splitlines())
    if form == "table":
        assert all(len(line) <= 80 for line in out.splitlines())


@pytest.mark.parametrize(
    ("form", "arguments", "shown"),
    [
        ("table", [], "leaderboard"),
        ("table", ["--baseline", "lexical-b"], "differences"),
        ("latex", [], "scores"),
        ("html", ["--baseline", "lexical-b"], "scores"),
        ("csv", [], "differences"),
        ("tsv", [], "differences"),
    ],
)
def test_what_is_shown_by_default(irx, form, arguments, shown):
    arguments = ["-o", form, *arguments]
    assert irx(*arguments) == irx(*arguments, "--show", shown)
    others = {"leaderboard", "differences", "scores"} - {shown}
    assert all(irx(*arguments, "--show", other) != irx(*arguments) for other in others)


def test_leaderboards_for_programs(irx, matrix):
    result = matrix.compare()
    shown = [json.loads(row) for row in irx("--show", "leaderboard", "-o", "jsonl").splitlines()]
    for measure in MEASURES:
        rows = [row for row in shown if row["measure"] == measure]
        expected = result.leaderboard(measure).to_dict("records")
        assert rows == [{"measure": measure, **row} for row in expected]


def test_a_baseline_is_a_name_a_run_or_another_file(irx, given, runs, capsys):
    by_name = irx("--baseline", "lexical-b", "-o", "csv")
    assert irx("--baseline", runs["lexical-b"], "-o", "csv") == by_name
    others = [path for path in given if path != runs["lexical-b"]]
    added = irx("--baseline", runs["lexical-b"], "-o", "csv", files=others)
    assert sorted(added.splitlines()) == sorted(by_name.splitlines())
    assert irx("--baseline", "lexical-b", "--baseline", runs["lexical-b"], "-o", "csv") == by_name


def test_the_options_are_those_of_the_function(irx, given, runs):
    options = {
        "test": "randomisation", "correction": "bonferroni", "resamples": 7000, "seed": 5,
    }  # fmt: skip
    arguments = [text for name, value in options.items() for text in (f"--{name}", value)]
    rows = irx(*arguments, "--level", "90", "-o", "jsonl", "--quiet")
    result = compare(runs, given[0], MEASURES, level=0.9, **options)
    assert [json.loads(row) for row in rows.splitlines()] == result.to_frame().to_dict("records")
    assert rows != irx("-o", "jsonl")
    assert irx("--level", ".9", "-o", "jsonl") == irx("--level", "90", "-o", "jsonl")
    rows = irx("--correction", "bh", "-o", "jsonl")
    frame = compare(runs, given[0], MEASURES, correction="bh").to_frame()
    shown = [json.loads(row) for row in rows.splitlines()]
    assert [row["p_adjusted"] for row in shown] == frame.p_adjusted.tolist()
    assert {row["lower"] for row in shown} == {None}


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--baseline", "nobody"], "--baseline must be a file or the name of a RUN, such as 'de"),
        (["--show", "topics"], "--show topics needs a --baseline"),
        (["--level", "100"], "--level must be a confidence level"),
        (["--level", "5"], "--level must be a confidence level"),
        (["-p", "-2"], "--places must be a whole number from -1 to 1000"),
        (
            ["--resamples", "0", "--test", "bootstrap"],
            "error: --resamples must be a whole number of at least 1",
        ),
        (["--prior-topics", "-1"], "error: --prior-topics must be"),
        (["--test", "bootstrap", "--level", "99.99999"], "test='t' draws none"),
    ],
)
def test_errors_are_one_line(irx, arguments, message):
    (line,) = irx(*arguments, status=2).splitlines()
    assert line.startswith("irx compare: error: ")
    assert message in line


def test_one_run_is_not_enough(irx, given):
    assert "a comparison needs at least 2 systems; got 1" in irx(files=given[:2], status=2)


def test_another_run_of_the_same_name_is_no_baseline(irx, tmp_path, runs):
    other = tmp_path / "lexical-b.run"
    other.write_text("q Q0 d 1 1.0 t\n")
    assert "would both be called 'lexical-b'" in irx("--baseline", other, status=2)


def test_a_table_fits_its_terminal(irx, monkeypatch):
    for name, value in {"COLUMNS": "72", "TERM": "dumb"}.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setattr("sys.stdout.isatty", lambda: True, raising=False)
    assert all(len(line) <= 72 for line in irx(measures=["AP"]).splitlines())


def test_the_picture_of_a_comparison_with_a_baseline_agrees_with_the_table(irx, tmp_path):
    pytest.importorskip("matplotlib")
    file = tmp_path / "it.svg"
    out = irx("--plot", file, "--baseline", "lexical-b", measures=["AP"])
    text = sentence(re.sub(r"<[^>]+>", " ", file.read_text(encoding="utf-8")))
    found = re.match(r"AP: (.*) significantly worse", sentence(out))[1]
    assert found in text
    assert "AP minus that of lexical-b" in text
    assert "may be the best" not in text


DL19 = "trec-dl-2019-passage"


@pytest.fixture(scope="module")
def dl19(data):
    folder = data / DL19
    return [str(folder / "qrels.txt.gz"), *map(str, sorted((folder / "runs").iterdir()))]


@pytest.mark.slow
def test_the_five_questions_on_dl19(irx, dl19):
    best = irx(measures=["nDCG@10"], files=dl19)
    assert sentence(best).startswith("nDCG@10: 269 of 666 pairs of systems differ signif")
    assert "19 of 37 systems may be the best: no system is significantly better" in sentence(best)
    assert "UNH_exDL_bm25" in best
    both = ["--baseline", "bm25base_p", "--baseline", "ms_duet_passage"]
    tests = irx(*both, "-o", "jsonl", files=dl19, measures=["nDCG@10"])
    (first, second) = (
        row for row in map(json.loads, tests.splitlines()) if row["system"] == "idst_bert_p1"
    )
    assert max(first["p_adjusted"], second["p_adjusted"]) < 0.001
    assert round(first["difference"], 3) == 0.259
    assert first["lower"] < 0.259 < first["upper"]
    plan = irx(*both[:2], "--show", "topics", "-o", "jsonl", files=dl19, measures=["nDCG@10"])
    needed = {row["system"]: row["topics_safe"] for row in map(json.loads, plan.splitlines())}
    assert 43 < needed["ICT-CKNRM_B50"] < 1000
    assert needed["bm25base_rm3_p"] is None
    table = irx(*both, "-o", "latex", files=dl19, measures=["nDCG@10", "AP(rel=2)"])
    assert r"idst\_bert\_p1 & \textbf{0.764}$^{ab}$ & 0.448$^{ab}$ \\" in table
    assert "Holm over 71 comparisons per measure" in table


def test_a_narrow_picture_of_the_best_prints_its_caption(given, tmp_path, capsys):
    pytest.importorskip("matplotlib")
    picture = tmp_path / "narrow.svg"
    how = ["--plot", str(picture), "--width", "3.3", "--top", "3"]
    assert main(["compare", *given, "-m", "nDCG@10", *how]) == 0
    said = capsys.readouterr().err
    assert "caption: " in said
    assert "Shown: the best 3 of 6 systems by nDCG@10." in said
    assert 'width="237.6pt"' in picture.read_text()


@pytest.mark.parametrize(
    ("how", "message"),
    [
        (["--width", "3.3"], "--width goes with --plot"),
        (["--plot", "x.svg", "--width", "0.3"], "--width must lie in [2, 40] inches; got 0.3"),
        (["--top", "3"], "--top goes with --plot"),
        (["--plot", "x.svg", "--top", "1"], "--top must be at least 2; got 1"),
    ],
)
def test_wrong_widths_are_refused(irx, how, message, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert message in irx(*how, status=2)
