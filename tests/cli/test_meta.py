"""``irx meta``: output, plots and errors of every study."""

import csv
import gzip
import io
import json
import warnings
from pathlib import Path

import pytest
from numpy.testing import assert_allclose

from irx_measures import SubsetScorer, evaluate
from irx_measures.cli.main import main
from irx_measures.common.tables import FORMATS
from irx_measures.meta import (
    COEFFICIENTS,
    TESTS,
    concordance,
    discriminative_power,
    pareto_front,
    percentage_absolute_difference,
    rank_correlation,
    split_swap_rate,
    stability,
    system_impact,
)
from irx_measures.meta.swap import swap_rate
from irx_measures.simulate import simulate_campaign
from tests.cli.test_main import irx
from tests.doubts import ANY_DOUBT

pytestmark = ANY_DOUBT

MEASURES = ["nDCG@10", "NRG(prior=others)@10"]
STUDIES = ["power", "stability", "swap", "systems", "correlation"]
QUICK = {
    "power": ["--resamples", "50"],
    "stability": ["--trials", "20"],
    "swap": ["--trials", "20"],
    "systems": ["--trials", "5"],
    "correlation": ["--samples", "20"],
}


@pytest.fixture(scope="module")
def campaign(tmp_path_factory):
    folder = tmp_path_factory.mktemp("campaign")
    simulate_campaign(systems=6, queries=12, depth=30, seed=3).write(folder)
    return folder


@pytest.fixture(scope="module")
def matrix(given, runs):
    return evaluate(runs, given[0], MEASURES)


@pytest.fixture
def meta(given, capsys):
    """Run a study in this process, and return its rows."""

    def run(study, *arguments, measures=MEASURES):
        status = main(
            ["meta", study, *given, "-m", *measures, "-o", "jsonl", "--quiet",
             *map(str, arguments)]
        )  # fmt: skip
        printed = capsys.readouterr()
        assert status == 0, printed.err
        return [json.loads(line) for line in printed.out.splitlines()]

    return run


@pytest.mark.slow
def test_power_counts_pairs(meta, matrix):
    rows = meta("power", "--test", "all", "--resamples", 200, "--seed", 5, "--pad")
    assert [(row["measure"], row["test"]) for row in rows] == [
        (measure, test) for measure in MEASURES for test in TESTS
    ]
    for row in rows:
        scores = matrix[row["measure"]]
        power = discriminative_power(scores, test=row["test"], resamples=200, seed=5)
        assert row["correction"] == power.correction
        assert row["pairs"] == 15
        assert (row["95%"], row["99%"]) == (power.significant(0.95), power.significant(0.99))
        assert row["PAD"] == percentage_absolute_difference(scores).mean()


def test_power_of_pairs_and_of_other_levels(meta, matrix):
    rows = meta("power", "--test", "t", "--correction", "bonferroni", "--pairs")
    power = discriminative_power(
        matrix[MEASURES[0]], matrix.systems, test="t", correction="bonferroni"
    )
    assert len(rows) == 30
    columns = ["first", "second", "difference", "p_value"]
    assert [[row[name] for name in columns] for row in rows[:15]] == (
        power.to_frame()[columns].to_numpy().tolist()
    )
    (row,) = meta("power", "--levels", "90", "99.9", measures=MEASURES[:1])
    power = discriminative_power(matrix[MEASURES[0]])
    assert (row["90%"], row["99.9%"]) == (power.significant(0.9), power.significant(0.999))


def test_power_has_the_concordance_of_measures(meta, matrix):
    (row,) = meta("power", "--concordance", "--test", "wilcoxon", "--levels", "90")
    found = concordance(matrix[MEASURES[0]], matrix[MEASURES[1]], level=0.9, test="wilcoxon")
    assert row == {
        "test": "wilcoxon",
        "first": MEASURES[0],
        "second": MEASURES[1],
        "agree": found.agree,
        "disagree": found.disagree,
        "conflict": found.conflict,
        "only_first": found.only_first,
        "only_second": found.only_second,
    }


def test_power_says_where_resamples_are_too_few(given, capsys):
    arguments = ["meta", "power", *given, "-m", "AP", "--test", "randomisation"]
    holm = [*arguments, "--resamples", "500", "--correction", "holm"]
    assert main([*holm, "--levels", "95", "99"]) == 0
    assert "500 resamples and holm over 15 pairs give no p-value below 0.03" in (
        capsys.readouterr().err
    )
    assert main([*holm[:-4], "--resamples", "50", "--correction", "holm"]) == 2
    assert "--resamples must be at least 299" in capsys.readouterr().err


def test_stability_is_the_functions(meta, matrix):
    rows = meta("stability", "--topics", 4, "--trials", 50, "--fuzziness", 0.1, "--relative")
    for row, measure in zip(rows, MEASURES, strict=True):
        result = stability(matrix[measure], topics=4, trials=50, fuzziness=0.1, relative=True)
        assert row == {
            "measure": measure, "topics": 4, "trials": 50, "stability": result.value,
            "error_rate": result.error_rate, "ties": result.ties,
        }  # fmt: skip


@pytest.mark.filterwarnings("default")  # pytest would turn warnings into errors
def test_stability_warns_of_ties_within_an_absolute_fuzziness(given, capsys):
    command = ["meta", "stability", *given, "-m", MEASURES[1], "--trials", "20"]
    assert main([*command, "--fuzziness", "0.5"]) == 0
    (line,) = capsys.readouterr().err.splitlines()
    assert line.startswith("irx meta stability: warning: 100% of the comparisons are ties")
    assert "--relative" in line
    for extra in (["--fuzziness", "0.5", "--quiet"], ["--relative"]):
        assert main([*command, *extra]) == 0
        assert capsys.readouterr().err == ""


def test_swap_is_the_functions(meta, matrix):
    rows = meta("swap", "--trials", 60, "--rate", 20, "--seed", 1)
    for row, measure in zip(rows, MEASURES, strict=True):
        curve = split_swap_rate(matrix[measure], trials=60, seed=1)
        assert row["topics"] == 6
        assert row["swap_rate"] == curve.value
        assert row["required_difference"] == curve.required_difference(0.2)
        assert row["sensitivity"] == curve.sensitivity(0.2)
    bins = meta("swap", "--trials", 60, "--bins", "--seed", 1, measures=MEASURES[:1])
    curve = split_swap_rate(matrix[MEASURES[0]], trials=60, seed=1)
    assert [row["compared"] for row in bins] == curve.compared.tolist()
    assert [row["swap_rate"] for row in bins] == curve.rate.tolist()


def test_swap_versus_other_topics_and_other_runs(meta, matrix, runs, given, tmp_path):
    kept = set(matrix.query_ids[:5])
    lines = Path(given[0]).read_text(encoding="utf-8").splitlines(keepends=True)
    other = tmp_path / "other.txt"
    other.write_text("".join(line for line in lines if line.split()[0] in kept))
    for files in ([], list(reversed(runs.values()))):
        (row,) = meta("swap", "--versus", other, *files, measures=MEASURES[:1])
        again = evaluate(runs, str(other), MEASURES[0])
        expected = swap_rate(matrix[MEASURES[0]], again[MEASURES[0]])
        assert row["pairs"] == 15
        assert row["swapped"] == expected.swapped.sum() > 0
        assert row["swap_rate"] == expected.value


def test_systems_is_algorithm_1(meta, runs, given):
    rows = meta("systems", "--sizes", 2, 5, "--trials", 20, "--coefficient", "spearman")
    assert [row["systems"] for row in rows] == [2, 5, 2, 5]
    scorer = SubsetScorer(runs, given[0], MEASURES[1])
    result = system_impact(scorer, 6, sizes=[2, 5], trials=20, coefficient="spearman")
    assert [row["spearman"] for row in rows[2:]] == result.mean.tolist()
    assert [row["error"] for row in rows[2:]] == result.error.tolist()
    assert rows[0]["spearman"] == pytest.approx(1)


def test_correlation_is_the_functions(meta, matrix):
    rows = meta(
        "correlation", "--coefficient", *COEFFICIENTS, "--samples", 40, "--level", 80,
        "--phi", 0.7,
    )  # fmt: skip
    assert [row["coefficient"] for row in rows] == list(COEFFICIENTS)
    for row in rows:
        result = rank_correlation(
            matrix[MEASURES[0]], matrix[MEASURES[1]], coefficient=row["coefficient"],
            samples=40, level=0.8, phi=0.7,
        )  # fmt: skip
        assert row["value"] == result.value
        assert_allclose([row["lower"], row["upper"]], result.interval)


def test_correlation_with_the_first_measure_or_with_all(meta):
    three = [*MEASURES, "AP"]
    pairs = {(row["first"], row["second"]) for row in meta("correlation", measures=three)}
    assert pairs == {(three[0], three[1]), (three[0], three[2])}
    assert len(meta("correlation", "--all-pairs", measures=three)) == 3


@pytest.mark.slow
@pytest.mark.parametrize("study", STUDIES)
@pytest.mark.parametrize("form", FORMATS)
def test_every_study_prints_in_every_format(given, capsys, study, form):
    arguments = ["meta", study, *given, "-m", *MEASURES, "-o", form, "-p", "3", *QUICK[study]]
    assert main(arguments) == 0
    out = capsys.readouterr().out
    assert MEASURES[0] in out.replace("\\_", "_")
    if form in ("csv", "tsv"):
        header, *rows = csv.reader(io.StringIO(out), delimiter="," if form == "csv" else "\t")
        assert len(rows) > 0
        assert all(len(row) == len(header) for row in rows)


@pytest.mark.slow
@pytest.mark.parametrize("study", STUDIES)
@pytest.mark.parametrize(("ending", "start"), [(".png", b"\x89PNG"), (".svg", b"<?xml")])
def test_every_study_draws(given, capsys, tmp_path, study, ending, start):
    pytest.importorskip("matplotlib")
    path = tmp_path / f"picture{ending}"
    arguments = ["meta", study, *given, "-m", *MEASURES, "--plot", str(path), *QUICK[study]]
    assert main(arguments) == 0
    assert path.read_bytes().startswith(start)
    assert f"irx meta {study}: wrote {path}\n" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("measures", "extra", "expected"),
    [
        (["P@5", *(f"P_Rareness(systems=others,alpha={a})@5" for a in (0.2, 0.5, 1))], [], "alpha"),
        (["P@5", "P@10", "P@20"], [], "cutoff"),
        (["AP", "P@10", "P@20"], ["--all-pairs"], "cutoff"),
    ],
)
def test_a_picture_of_several_correlations_is_against_the_parameter_they_differ_in(
    given, monkeypatch, tmp_path, measures, extra, expected
):
    pytest.importorskip("matplotlib")
    drawn = []
    monkeypatch.setattr("irx_measures.plots.save", lambda ax, path: drawn.append(ax))
    arguments = ["meta", "correlation", *given, "-m", *measures, "--samples", "20", *extra]
    assert main([*arguments, "--plot", str(tmp_path / "it.png")]) == 0
    assert drawn[0].get_xlabel() == expected


@pytest.mark.slow
def test_a_run_by_subprocess_keeps_results_and_the_rest_apart(given):
    done = irx("meta", "power", *given, "-m", "AP", "-o", "jsonl", "-p", "2")
    assert done.returncode == 0
    assert json.loads(done.stdout)["test"] == "tukey-blocks"
    assert done.stderr == "irx meta power: --places is ignored with -o jsonl\n"
    again = irx("meta", "power", *given, "-m", "AP", "-o", "jsonl", "--quiet")
    assert (again.stdout, again.stderr) == (done.stdout, "")


@pytest.mark.parametrize(
    ("study", "arguments", "told"),
    [
        ("power", ["--levels", "100"], "--levels must be a confidence level"),
        ("power", ["--test", "tukey", "--correction", "holm"], "--correction must be 'none' for"),
        (
            "power",
            ["--resamples", "0", "--test", "bootstrap"],
            "--resamples must be a whole number of at least 1",
        ),
        ("power", ["--pad", "--pairs"], "--pad cannot be combined with --pairs or --concordance"),
        (
            "power",
            ["--seed", "-1", "--test", "bootstrap"],
            "--seed must be a whole number of at least 0; got -1",
        ),
        ("power", ["-p", "-2"], "--places must be a whole number from -1 to 1000; got -2"),
        ("power", ["--plot", "it.gif"], "--plot must end in .png, .svg or .pdf; got 'it.gif'"),
        ("power", ["--plot", "/nowhere/it.png"], "--plot: no folder /nowhere"),
        ("stability", ["--topics", "13"], "--topics must be a whole number from 1 to 12; got 13"),
        ("swap", ["--rate", "0"], "--rate must lie in (0, 100); got 0"),
        ("swap", ["--versus", "q", "--bins"], "--versus cannot be combined with --plot or --bins"),
        ("swap", ["--versus", "nowhere.txt"], "nowhere.txt"),
        ("systems", ["--sizes", "7"], "--sizes must be a whole number from 2 to 6; got 7"),
        ("correlation", ["--phi", "1"], "--phi must lie in (0, 1); got 1.0"),
        ("correlation", ["--level", "0"], "--level must be a confidence level"),
    ],
)
def test_what_cannot_be_done_is_told_in_one_line(given, capsys, study, arguments, told):
    assert main(["meta", study, *given, "-m", *MEASURES, "--quiet", *arguments]) == 2
    printed = capsys.readouterr()
    (line,) = printed.err.splitlines()
    assert line.startswith(f"irx meta {study}: error: ")
    assert told in line
    assert printed.out == ""


@pytest.mark.parametrize("arguments", [["correlation"], ["power", "--concordance"]])
@pytest.mark.parametrize("measures", [["AP"], ["AP", "AP"]])
def test_two_measures_are_needed_to_compare(given, capsys, arguments, measures):
    assert main(["meta", arguments[0], *given, "-m", *measures, *arguments[1:]]) == 2
    assert "needs at least two measures" in capsys.readouterr().err


@pytest.mark.parametrize("study", ["power", "stability", "swap", "systems", "correlation"])
def test_no_measure_is_told(given, capsys, study):
    assert main(["meta", study, *given, "-m", ""]) == 2
    assert "a measure is missing: name at least one" in capsys.readouterr().err


def test_a_picture_is_no_folder(given, capsys, tmp_path):
    (tmp_path / "it.png").mkdir()
    command = ["meta", "power", *given, "-m", "AP", "--plot", str(tmp_path / "it.png")]
    assert main(command) == 2
    assert "it.png is a folder" in capsys.readouterr().err
    assert len(list(tmp_path.iterdir())) == 1


def test_other_systems_are_no_versus(given, capsys):
    status = main(["meta", "swap", *given, "-m", "AP", "--versus", given[0], *given[1:4]])
    assert status == 2
    assert "--versus must have the same systems; 'lexical-a'" in capsys.readouterr().err


def test_one_run_is_not_enough(given, capsys):
    assert main(["meta", "power", *given[:2], "-m", "AP"]) == 2
    assert "`scores` must hold at least 2 systems; got 1" in capsys.readouterr().err


@pytest.mark.parametrize("study", STUDIES)
def test_measures_of_strangers_read_no_files(given, capsys, study, tmp_path):
    secret = tmp_path / "secret.run"
    secret.write_text("q Q0 d 1 1.0 t\n")
    measures = ["-m", f"NRG(prior='{secret}')@10", "P@5", "--no-files"]
    assert main(["meta", study, *given, *measures, *QUICK[study]]) == 2
    assert "files are not allowed here" in capsys.readouterr().err


@pytest.mark.parametrize("study", STUDIES)
def test_runs_are_mended_where_asked(given, capsys, study, tmp_path):
    qrels, *runs = given
    bad = tmp_path / "bad.run"
    first = Path(runs[0])
    bad.write_bytes(gzip.decompress(first.read_bytes()) * 2)
    command = ["meta", study, qrels, str(bad), *runs[1:], "-m", *MEASURES, "-o", "csv"]
    assert main([*command, *QUICK[study]]) == 2
    assert "more than once" in capsys.readouterr().err
    with warnings.catch_warnings():
        warnings.simplefilter("default")  # pytest would turn these warnings into errors
        assert main([*command, *QUICK[study], "--no-strict"]) == 0
    assert "left out documents returned again" in capsys.readouterr().err


def costs_file(path, runs):
    path.write_text("run,cost\n" + "".join(f"{run},{cost}\n" for cost, run in enumerate(runs, 1)))
    return str(path)


def test_pareto_is_the_front_of_mean_scores(meta, given, runs, tmp_path):
    pytest.importorskip("matplotlib")
    costs = costs_file(tmp_path / "costs.csv", runs)
    picture = tmp_path / "front.svg"
    rows = meta("pareto", "--costs", costs, "--plot", str(picture), measures=["nDCG@10"])
    means = evaluate(runs, given[0], "nDCG@10").means().iloc[:, 0]
    front = pareto_front(range(1, len(runs) + 1), means, list(runs))
    assert [row["run"] for row in rows] == list(runs)
    assert [row["on_front"] for row in rows] == front.on_front.tolist()
    assert_allclose([row["score"] for row in rows], means)
    assert "nDCG@10" in picture.read_text()


@pytest.mark.parametrize("qrels", ["-", "QRELS"])
def test_pareto_compares_with_the_second_stage(capsys, given, runs, tmp_path, qrels):
    second_stage, *first_stage = runs
    costs = costs_file(tmp_path / "costs.csv", first_stage)
    scored = ["-" if qrels == "-" else given[0], *(runs[name] for name in first_stage)]
    command = ["meta", "pareto", *scored, "-m", "RBR(phi=0.9)@20", "--costs", costs, "-o", "jsonl"]
    assert main([*command, "--reference", runs[second_stage]]) == 0
    rows = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    named = f"RBR(phi=0.9, reference={runs[second_stage]!r})@20"
    expected = evaluate({name: runs[name] for name in first_stage}, {}, named)
    assert {row["measure"] for row in rows} == {f"RBR(phi=0.9,reference={second_stage})@20"}
    assert [row["score"] for row in rows] == expected.means().iloc[:, 0].tolist()
    if qrels != "-":
        assert main(command) == 0
        others = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
        assert [row["score"] for row in others] != [row["score"] for row in rows]


@pytest.mark.parametrize("study", STUDIES)
def test_every_study_takes_a_reference_and_no_qrels(given, capsys, study):
    reference, *others = given[1:]
    command = ["meta", study, "-", *others, "-m", "RBR@5", "RBO", "-o", "jsonl", *QUICK[study]]
    assert main([*command, "--quiet", "--reference", reference]) == 0
    assert "RBO(reference=dense-a" in capsys.readouterr().out
    assert main(command) == 2
    assert "qrels hold no judgments; needed by RBR@5" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("run,cost\n", "costs.csv: every run must have a cost; missing ["),
        ("run,price\na,1\n", "costs.csv:1: the header needs a column 'cost'"),
    ],
)
def test_costs_that_cannot_be_used_are_told(given, capsys, tmp_path, text, words):
    costs = tmp_path / "costs.csv"
    costs.write_text(text, encoding="latin-1")
    assert main(["meta", "pareto", *given, "-m", "AP", "--costs", str(costs)]) == 2
    assert words in capsys.readouterr().err


def test_a_front_is_drawn_by_one_measure(given, capsys, tmp_path):
    pytest.importorskip("matplotlib")
    arguments = ["--costs", "none.csv", "--plot", str(tmp_path / "it.png")]
    assert main(["meta", "pareto", *given, "-m", "AP", "P@5", *arguments]) == 2
    assert "--plot goes with one measure" in capsys.readouterr().err


@pytest.fixture
def tied(campaign, given):
    """QRELS without relevant documents, and RUNs: every measure ties all systems."""
    lines = (campaign / "qrels.txt").read_text(encoding="utf-8").splitlines()
    nothing = campaign / "nothing.txt"
    nothing.write_text("".join(line.rsplit(maxsplit=1)[0] + " 0\n" for line in lines))
    return [str(nothing), *given[1:]]


@pytest.mark.parametrize(
    ("study", "extra", "undefined"),
    [
        ("swap", [], ["swap_rate", "required_difference", "sensitivity"]),
        ("swap", ["--bins"], ["swap_rate"]),
        ("systems", [], ["tau_b", "error"]),
        ("systems", ["--coefficient", "tau"], ["tau", "error"]),
        ("correlation", [], ["value", "lower", "upper"]),
        ("correlation", ["--coefficient", "tau_AP", "spearman"], ["value", "lower", "upper"]),
    ],
)
def test_what_ties_all_systems_has_undefined_statistics(tied, capsys, study, extra, undefined):
    command = ["meta", study, *tied, "-m", "P@5", "AP", *QUICK[study], *extra]
    assert main([*command, "-o", "jsonl"]) == 0
    for line in capsys.readouterr().out.splitlines():
        row = json.loads(line)
        assert [row[name] for name in undefined] == [None] * len(undefined)
    assert main([*command, "-o", "csv"]) == 0
    for row in csv.DictReader(io.StringIO(capsys.readouterr().out)):
        assert [row[name] for name in undefined] == [""] * len(undefined)
    assert main([*command, "-o", "table"]) == 0
    _, rule, *rows = capsys.readouterr().out.splitlines()
    assert all(row.split().count("-") == len(undefined) for row in rows), rule


@pytest.mark.parametrize("study", ["swap", "systems", "correlation"])
def test_a_table_is_printed_where_there_is_nothing_to_draw(tied, capsys, tmp_path, study):
    pytest.importorskip("matplotlib")
    picture = tmp_path / "it.png"
    command = ["meta", study, *tied, "-m", "P@5", "AP", "P@10", *QUICK[study]]
    assert main([*command, "--plot", str(picture)]) == 0
    printed = capsys.readouterr()
    assert "P@5" in printed.out
    assert f"irx meta {study}: no picture: all that was to be drawn is undefined" in printed.err
    assert not picture.exists()


def test_swap_versus_topics_that_tie_all_systems_is_undefined(given, tied, capsys):
    assert main(["meta", "swap", *given, "-m", "P@5", "-o", "csv", "--versus", tied[0]]) == 0
    (row,) = csv.DictReader(io.StringIO(capsys.readouterr().out))
    assert (row["swapped"], row["swap_rate"]) == ("0", "")


def test_help_of_power_says_why_its_default_is_not_that_of_compare(capsys):
    with pytest.raises(SystemExit):
        main(["meta", "power", "--help"])
    told = " ".join(capsys.readouterr().out.split())
    assert "so the default test is a Tukey HSD, as in the rareness paper's study" in told
    assert "To find the better systems, use irx compare: its default is t with holm." in told
