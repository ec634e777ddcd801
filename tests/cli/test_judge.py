"""``irx judge``: its commands print and write what the functions return."""

import json
import warnings

import numpy as np
import pytest

import irx_measures
from irx_measures import EvaluationWarning
from irx_measures.cli.main import main
from irx_measures.judging import audit_judges

pytestmark = pytest.mark.filterwarnings("ignore::irx_measures.EvaluationWarning")


@pytest.fixture(scope="module")
def campaign(tmp_path_factory):
    folder = tmp_path_factory.mktemp("campaign")
    irx_measures.simulate_campaign(systems=6, queries=30, depth=30, seed=3).write(folder)
    rng = np.random.default_rng(1)
    rows = [line.split() for line in (folder / "qrels.txt").read_text().splitlines()]
    topics = list(dict.fromkeys(row[0] for row in rows))
    for name, chosen, noise in (
        ("human.txt", [row for row in rows if row[0] in topics[:12]], 0),
        ("good.txt", rows, 0.1),
        ("bad.qrels", rows, 1),
    ):
        labels = [rng.integers(0, 4) if rng.random() < noise else row[3] for row in chosen]
        lines = [
            f"{row[0]} 0 {row[2]} {label}\n" for row, label in zip(chosen, labels, strict=True)
        ]
        (folder / name).write_text("".join(lines))
    return folder


@pytest.fixture
def irx(campaign, capsys):
    """Run ``irx judge``: arguments that name files of the campaign are paths to them."""

    def run(*arguments, status=0):
        paths = [campaign / str(argument) for argument in arguments]
        given = [
            str(path) if path.is_file() else str(argument)
            for path, argument in zip(paths, arguments, strict=True)
        ]
        got = main(["judge", *given])
        printed = capsys.readouterr()
        assert got == status, printed.err
        run.err = printed.err
        return printed.err if status else printed.out

    return run


def sentence(text):
    """A text without line breaks."""
    return " ".join(text.split())


def records(text):
    return [json.loads(line) for line in text.splitlines()]


def estimate(campaign, runs, **options):
    human, machine = (
        irx_measures.evaluate(runs, campaign / name, ["nDCG@10", "P@5"])
        for name in ("human.txt", "good.txt")
    )
    return irx_measures.prediction_powered(human, machine, **options)


def test_estimate(irx, campaign, runs):
    result = estimate(campaign, runs)
    arguments = ["estimate", "human.txt", "good.txt", *runs.values(), "-m", "nDCG@10", "P@5"]
    rows = records(irx(*arguments, "-o", "jsonl"))
    assert rows == result.to_frame().to_dict("records")
    text = irx(*arguments)
    assert sentence(text).startswith(result.summary)
    assert "The mean of the machine's scores alone is biased and is not shown." in sentence(text)
    first = result.to_frame().iloc[0]
    assert f"{first.lower:.3f} to {first.upper:.3f}" in text
    assert irx(*arguments, "-p", "1").count("0.") < text.count("0.") * 2


def test_estimate_of_differences(irx, campaign, runs):
    result = estimate(campaign, runs, baseline="lexical-b", level=0.9)
    files = [path for name, path in runs.items() if name != "lexical-b"]
    options = ["--baseline", runs["lexical-b"], "--level", "90"]
    arguments = ["estimate", "human.txt", "good.txt", *files, "-m", "nDCG@10", "P@5", *options]
    assert "lam: the weight" in irx(*arguments)
    rows = records(irx(*arguments, "-o", "jsonl"))
    expected = result.to_frame().to_dict("records")
    assert sorted(map(str, rows)) == pytest.approx(sorted(map(str, expected)))
    first = next(row for row in expected if row["system"] == "dense-a")
    assert f"{first['estimate']:+.3f}" in irx(*arguments)


@pytest.fixture
def shown():
    """Warnings are shown."""
    with warnings.catch_warnings():
        warnings.simplefilter("always", EvaluationWarning)
        yield


@pytest.mark.usefixtures("shown")
def test_estimate_warns_of_a_machine_that_does_not_help(irx, runs):
    irx("estimate", "human.txt", "bad.qrels", *runs.values(), "-m", "nDCG@10")
    assert "irx judge estimate: warning: the machine's judgments make" in irx.err
    irx("estimate", "human.txt", "bad.qrels", *runs.values(), "-m", "nDCG@10", "--quiet")
    assert "warning" not in irx.err


def audited(campaign, *names, **options):
    machines = {name.split(".")[0]: campaign / name for name in names}
    return audit_judges(campaign / "qrels.txt", machines, **options)


def rows_of(columns):
    values = (np.asarray(column).tolist() for column in columns.values())
    return [dict(zip(columns, row, strict=True)) for row in zip(*values, strict=True)]


def test_audit_of_labels(irx, campaign):
    audit = audited(campaign, "good.txt", "bad.qrels")
    arguments = ["audit", "qrels.txt", "good.txt", "--machine", "bad.qrels"]
    assert records(irx(*arguments, "-o", "jsonl")) == audit.to_frame().to_dict("records")
    text = irx(*arguments)
    assert sentence(text).startswith(audit.summary)
    assert "P(human grade | label)" in text
    assert "rankings" not in text
    for show, columns in {"grades": audit.grades, "calibration": audit.calibration}.items():
        assert records(irx(*arguments, "-o", "jsonl", "--show", show)) == rows_of(columns)
        assert columns["judge"][0] in irx(*arguments, "--show", show)
    assert irx(*arguments, "--machine", "good.txt") == text  # the same file counts once


def test_a_single_judge_is_named_above_its_tables_only(irx):
    first, *_ = irx("audit", "qrels.txt", "good.txt", "--show", "agreement").splitlines()
    assert first.split()[0] == "pairs"
    two = ["audit", "qrels.txt", "good.txt", "--machine", "bad.qrels", "--show", "agreement"]
    assert irx(*two).splitlines()[0].split()[0] == "judge"


def test_audit_of_systems(irx, campaign, runs):
    options = {"measures": ["P@5", "AP"], "groups": campaign / "groups.csv", "samples": 50}
    audit = audited(campaign, "good.txt", runs=runs, seed=7, level=0.9, **options)
    arguments = ["audit", "qrels.txt", "good.txt", *runs.values(), "-m", "P@5", "AP", "--samples",
                 "50", "--seed", "7", "--level", "90", "--groups", "groups.csv"]  # fmt: skip
    rows = records(irx(*arguments, "-o", "jsonl", "--show", "rankings"))
    assert rows == rows_of(audit.rankings)
    rows = records(irx(*arguments, "-o", "jsonl", "--show", "groups"))
    assert rows == rows_of(audit.groups)
    text = irx(*arguments)
    assert "Kendall's tau of the systems' rankings by machine and by human" in text
    assert "Machine minus human score: group minus other systems" in text
    assert "Holm over the groups of a measure" in text
    assert "p, p_adjusted: before and after" in " ".join(text.split())


def test_thresholds_of_relevance(irx, campaign):
    audit = audited(campaign, "good.txt", relevant=3, machine_relevant=1)
    given = ["--relevant", "3", "--machine-relevant", "1", "-o", "jsonl"]
    (row,) = records(irx("audit", "qrels.txt", "good.txt", *given))
    assert row["precision"] == audit["good"].precision
    assert row["recall"] == audit["good"].recall


def test_picture(irx, tmp_path):
    pytest.importorskip("matplotlib")
    file = tmp_path / "a.svg"
    irx("audit", "qrels.txt", "good.txt", "--plot", file)
    assert irx.err == f"irx judge audit: wrote {file}\n"
    assert file.read_text().startswith("<?xml")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (
            ["estimate", "human.txt", "good.txt", "{run}", "-m", "AP", "--level", "0"],
            "--level must",
        ),
        (["estimate", "qrels.txt", "good.txt", "{run}", "-m", "AP"], "at least 2 topics that"),
        (["audit", "qrels.txt", "good.txt", "--show", "groups"], "--show groups needs RUNs"),
        (["audit", "qrels.txt", "good.txt", "{run}"], "RUN must hold at least 2 runs"),
        (["audit", "qrels.txt", "nowhere.txt"], "nowhere.txt"),
        (["audit", "qrels.txt", "good.txt", "--machine", "good.gz"], "files of different names"),
        (["audit", "qrels.txt", "good.txt", "--machine", "bad.qrels", "--plot", "a.svg"], "--plot"),
    ],
)
def test_errors_are_one_line(irx, runs, arguments, message):
    given = [argument.format(run=runs["lexical-a"]) for argument in arguments]
    (line,) = irx(*given, status=2).splitlines()
    assert line.startswith(f"irx judge {arguments[0]}: error: ")
    assert message in line
