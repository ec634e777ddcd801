"""The command line: stdout, stderr and the exit status."""

import csv
import gzip
import io
import json
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

import irx_measures
from irx_measures.io import native
from irx_measures.simulate import simulate_campaign
from tests.console import irx
from tests.doubts import ANY_DOUBT
from tests.ir_datasets_home import NO_NETWORK

pytestmark = [pytest.mark.slow, *ANY_DOUBT]


@pytest.fixture(scope="module")
def campaign(tmp_path_factory):
    folder = tmp_path_factory.mktemp("campaign")
    simulate_campaign(systems=5, queries=4, depth=30, seed=3).write(folder)
    return folder


def ir_measures(*arguments):
    """What the command of ir_measures prints."""
    command = [sys.executable, "-m", "ir_measures", *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


def succeed(*arguments):
    done = irx(*arguments)
    assert done.returncode == 0, done.stderr
    return done.stdout


def fail(*arguments):
    done = irx(*arguments)
    assert done.returncode == 2, done.stderr
    assert done.stdout == ""
    assert "Traceback" not in done.stderr
    (line,) = done.stderr.splitlines()
    return line


def run_file(campaign, name="lexical-a"):
    return campaign / "runs" / f"{name}.run.gz"


STOCK = ["nDCG@10", "P@5", "AP", "RR"]


def test_tsv_of_one_run_is_what_ir_measures_prints(campaign):
    ours = succeed(
        "evaluate", campaign / "qrels.txt", run_file(campaign), "-m", *STOCK, "-o", "tsv"
    )
    theirs = ir_measures(campaign / "qrels.txt", run_file(campaign), *STOCK)
    assert ours == theirs


@pytest.mark.parametrize("flags", [["-q"], ["-q", "-n"], ["-q", "-p", "2"], ["-p", "-1"]])
def test_tsv_flags_mean_what_they_mean_to_ir_measures(campaign, flags):
    qrels, run = campaign / "qrels.txt", run_file(campaign)
    ours = succeed("evaluate", qrels, run, "-m", *STOCK, "-o", "tsv", *flags)
    theirs = ir_measures(qrels, run, *STOCK, *flags)
    assert sorted(ours.splitlines()) == sorted(theirs.splitlines())


def test_others_are_the_runs_given(campaign):
    runs = sorted((campaign / "runs").iterdir())
    measures = ["nDCG@10", "NRG(prior=others, select=best-per-group)@10"]
    groups = ["--groups", campaign / "groups.csv"]
    out = succeed("evaluate", campaign / "qrels.txt", *runs, "-m", *measures, *groups, "-o", "csv")
    header, *rows = csv.reader(io.StringIO(out))
    assert header == ["system", "nDCG@10", "NRG(prior=others,select=best-per-group)@10"]
    assert [row[0] for row in rows] == [run.name.removesuffix(".run.gz") for run in runs]
    assert all(0 < float(row[2]) < float(row[1]) for row in rows)


@pytest.mark.parametrize(
    ("form", "start"),
    [
        ("table", "system"),
        ("csv", "system,P@5"),
        ("markdown", "| system"),
        ("latex", "\\begin{tabular}"),
        ("tsv", "lexical-a\tP@5\t"),
    ],
)
def test_every_output_format_has_every_system(campaign, form, start):
    runs = [run_file(campaign, name) for name in ("lexical-a", "dense-a")]
    out = succeed("evaluate", campaign / "qrels.txt", *runs, "-m", "P@5", "-o", form)
    assert out.startswith(start)
    assert "lexical-a" in out
    assert "dense-a" in out


def test_jsonl_has_one_object_per_score_in_full(campaign):
    runs = [run_file(campaign, name) for name in ("lexical-a", "dense-a")]
    out = succeed("evaluate", campaign / "qrels.txt", *runs, "-m", "P@3", "-o", "jsonl", "-q", "-n")
    rows = [json.loads(line) for line in out.splitlines()]
    assert len(rows) == 8
    assert set(rows[0]) == {"system", "query_id", "measure", "value"}
    assert rows[0]["value"] * 3 == round(rows[0]["value"] * 3)


def test_by_query_tables_end_each_system_with_all(campaign):
    out = succeed(
        "evaluate", campaign / "qrels.txt", run_file(campaign), "-m", "P@5", "-q", "-o", "csv"
    )
    rows = list(csv.DictReader(io.StringIO(out)))
    assert [row["query_id"] for row in rows] == ["q01", "q02", "q03", "q04", "all"]
    mean = sum(float(row["P@5"]) for row in rows[:-1]) / 4
    assert float(rows[-1]["P@5"]) == pytest.approx(mean, abs=1e-4)


def test_measures_may_share_an_argument_and_hold_spaces(campaign):
    out = succeed(
        "evaluate", campaign / "qrels.txt", run_file(campaign), "-o", "csv",
        "-m", "nDCG@10 P@5", "NRG(prior=others, base=RR)",
    )  # fmt: skip
    names, _ = csv.reader(io.StringIO(out))
    assert names == ["system", "nDCG@10", "P@5", "NRG(prior=others,base=RR)"]


@pytest.mark.parametrize(
    ("option", "measure", "named"),
    [
        ("--prior", "NRG@5", "NRG(prior=lexical-b)@5"),
        ("--reference", "RBR", "RBR(reference=lexical-b)"),
    ],
)
def test_prior_and_reference_take_the_name_of_a_run(campaign, option, measure, named):
    first, second = run_file(campaign, "lexical-b"), run_file(campaign, "dense-a")
    given = ["evaluate", campaign / "qrels.txt", first, second, "--quiet", "-o", "json"]
    out = json.loads(succeed(*given, option, "lexical-b", "-m", measure))
    assert out == json.loads(succeed(*given, option, first, "-m", measure))
    assert {score["measure"] for score in out["results"]} == {named}
    told = fail(*given, option, "lexical3", "-m", measure)
    assert "lexical3: no such file" in told


def test_a_reference_needs_no_qrels_and_leaves_measures_that_name_one_alone(campaign):
    reference, other = run_file(campaign, "lexical-b"), run_file(campaign, "dense-a")
    own = f"RBR(reference={str(other)!r})"
    measures = ["RBR", "RBO(bound=upper)", own]
    out = succeed(
        "evaluate", "-", reference, other, "--reference", reference, "-m", *measures, "-o", "csv"
    )
    header, first, second = csv.reader(io.StringIO(out))
    assert header[1:3] == ["RBR(reference=lexical-b)", "RBO(reference=lexical-b,bound=upper)"]
    assert float(first[1]) == float(second[3]) > float(second[1])
    told = fail("evaluate", "-", reference, "-m", "RBR", "nDCG@10")
    assert told.rstrip().endswith("qrels hold no judgments; needed by RBR, nDCG@10")
    told = fail("evaluate", "-", reference, "-m", "RBR")
    assert "needed by RBR, or give a reference run (reference=, or --reference" in told
    with_qrels = succeed(
        "evaluate", campaign / "qrels.txt", other, "--reference", reference, "-m", "RBR", "P@5",
        "-o", "tsv",
    )  # fmt: skip
    assert with_qrels.startswith("RBR(reference=lexical-b)\t")


def test_nothing_but_results_on_stdout_and_no_bar_where_stderr_is_no_terminal(campaign):
    done = irx("evaluate", campaign / "qrels.txt", run_file(campaign), "-m", "P@5")
    assert done.stderr == ""


def test_the_catalogue_and_a_page():
    listed = succeed("measures")
    page = succeed("measures", "NRG")
    assert all(name in listed for name in ("NRG", "UniqueRel", "TaSC", "AP_Rareness"))
    assert page.startswith("NRG(prior=None, base='nDCG'")
    assert "Eq. 4" in page


def test_simulate_writes_what_evaluate_reads(tmp_path):
    files = succeed("simulate", tmp_path / "new", "--systems", 3, "--queries", 2, "--depth", 12)
    assert len(files.splitlines()) == 5
    runs = sorted((tmp_path / "new" / "runs").iterdir())
    out = succeed("evaluate", tmp_path / "new" / "qrels.txt", *runs, "-m", "Judged@10", "-o", "tsv")
    assert [line.split("\t")[2] for line in out.splitlines()] == ["1.0000"] * 3


@pytest.mark.parametrize("missing", [[], ["jinja2", "sklearn", "matplotlib", "pyarrow"]])
def test_demo_fits_forty_lines_and_what_it_names_works(missing, tmp_path):
    pytest.importorskip("jinja2")
    folder = tmp_path / "demo"
    blocked = f"import sys; sys.modules.update(dict.fromkeys({missing}))\n{NO_NETWORK}"
    main = f"from irx_measures.cli.main import main\nsys.exit(main(['demo', {str(folder)!r}]))"
    done = subprocess.run(
        [sys.executable, "-c", f"{blocked}\n{main}"], capture_output=True, text=True, check=True
    )
    out = done.stdout
    assert done.stderr == ""
    assert out.count("\n") <= 40
    for name in ("nDCG", "NRG", "AP_Rareness", "RBR", "nDCG_UE", "BootNDCG"):
        assert re.search(rf"^system .*\b{name}[(@]", out, re.MULTILINE)
    assert len(re.findall(r"^\w+-[abc] .*\d$", out, re.MULTILINE)) == 12
    assert "pairs of systems differ significantly" in out
    page = folder / "report.html"
    assert page.exists() != bool(missing)
    assert ("pip install 'irx-measures[report]'" in out) == bool(missing)
    assert str(page) in out
    commands = [shlex.split(line) for line in out.splitlines() if line.startswith("  irx ")]
    assert {"compare", "explain", "measures"} <= {words[1] for words in commands}
    runs = sorted((folder / "runs").iterdir())
    for _, *words in commands:
        succeed(*(word for given in words for word in (runs if given.endswith("/*") else [given])))


def test_long_headers_of_a_table_are_short_with_a_legend_and_stay_whole_elsewhere(campaign):
    measure = "NRG(prior=others,select=earlier)@5"
    runs = sorted((campaign / "runs").iterdir())
    asked = ("evaluate", campaign / "qrels.txt", *runs, "-m", measure)
    first, line, *_, blank, last = succeed(*asked).splitlines()
    assert first.split() == ["system", "NRG@5"]
    assert set(line) == {"-", " "}
    assert (blank, last) == ("", f"NRG@5 = {measure}")
    assert measure in succeed(*asked, "-o", "markdown").splitlines()[0]


def test_errors_are_one_line_with_file_and_line(campaign, tmp_path):
    bad = tmp_path / "bad.run"
    bad.write_text("q01 Q0 d1 1 2.5 tag\nq01 Q0 d2 2 tag\n")
    line = fail("evaluate", campaign / "qrels.txt", bad, "-m", "P@5")
    assert f"{bad}:2: a line must have 6 columns; got 5" in line


def test_damaged_gzip_is_one_line(campaign, tmp_path):
    damaged = tmp_path / "damaged.run.gz"
    damaged.write_bytes(gzip.compress(b"q01 Q0 d1 1 2.5 tag\n" * 999)[:-12])
    assert "damaged gzip" in fail("evaluate", campaign / "qrels.txt", damaged, "-m", "P@5")


@pytest.mark.parametrize(
    ("measure", "told"),
    [
        ("NRG(prior=others)@0", "`cutoff` must be a whole number of at least 1; got 0"),
        ("NRG(priors=others)@10", "no parameter `priors`"),
        ("nRG@10", "did you mean NRG?"),
        ("NRG(prior=others@10", "cannot read measure"),
        ("P_Rareness", "needs a cutoff, as in P_Rareness@10"),
        ("NRG(prior=nobody)@10", "no set of runs is called 'nobody'"),
        ("NRG(prior=others,select=best-per-group)@10", "needs groups"),
        ("nDCG(gain=2)@10", "no parameter `gain`"),
    ],
)
def test_bad_measures_are_one_line(campaign, measure, told):
    line = fail("evaluate", campaign / "qrels.txt", run_file(campaign), "-m", measure)
    assert told in line


def test_a_reference_with_the_name_of_another_run_is_refused(campaign, tmp_path):
    run, other = run_file(campaign, "lexical-a"), run_file(campaign, "dense-a")
    same_name = tmp_path / run.name
    same_name.write_bytes(other.read_bytes())
    expected = f"{run} and {same_name} would both be called 'lexical-a'"
    assert expected in fail("evaluate", "-", run, "-m", "RBO@5", "--reference", same_name)
    assert expected in fail(
        "evaluate", "-", other, "-m", "RBO@5", "--prior", run, "--reference", same_name
    )
    spelled = f"{run.parent}/../{run.parent.name}/{run.name}"
    assert "RBO" in succeed("evaluate", "-", run, "-m", "RBO@5", "--reference", spelled)


def test_no_strict_is_for_the_reference_too(campaign, tmp_path):
    repeated = tmp_path / "repeated.run"
    repeated.write_text("q01 Q0 d1 1 2.5 tag\nq01 Q0 d1 2 1.5 tag\n")
    command = ["evaluate", "-", run_file(campaign), "-m", "RBO@5", "--reference", repeated]
    assert "repeated" in fail(*command)
    assert "RBO" in succeed(*command, "--no-strict")


def test_other_bad_input_is_one_line(campaign, tmp_path):
    pytest.importorskip("matplotlib")
    qrels, run = campaign / "qrels.txt", run_file(campaign)
    groups = tmp_path / "groups.csv"
    groups.write_text("run,group\nsomebody,A\n")
    assert "no such file" in fail("evaluate", qrels, tmp_path / "none.run", "-m", "P@5")
    assert "neither a file nor an" in fail("evaluate", tmp_path / "none", run, "-m", "P@5")
    assert "no group for 1 of 1 run: 'lexical-a'" in fail(
        "evaluate", qrels, run, "-m", "P@5", "--groups", groups
    )
    assert "goes with --by_query" in fail("evaluate", qrels, run, "-m", "P@5", "-n")
    assert "--places must be a whole number from -1 to 1000" in fail(
        "evaluate", qrels, run, "-m", "P@5", "-p", "-2"
    )
    assert "--places must be a whole number from -1 to 1000" in fail(
        "evaluate", qrels, run, "-m", "P@5", "-p", 10**9
    )
    (tmp_path / "a\tb.run").write_text("q01 Q0 d1 1 2.5 tag\n")
    assert r"printable names; got 'a\tb'" in fail(
        "evaluate", qrels, tmp_path / "a\tb.run", "-m", "P@5"
    )
    refused = fail("evaluate", qrels, run, "-m", f"BootNDCG(b={10**15})@30")
    assert "BootNDCG: `b` must be a whole number from 1 to 1000000" in refused
    assert "--seed must be" in fail("simulate", tmp_path / "few", "--seed", "-1")
    assert "would both be called" in fail("evaluate", qrels, run, run, "-m", "P@5")
    assert "did you mean NRG?" in fail("measures", "NRGG")
    assert "did you mean nDCG_UE?" in fail("measures", "NDCG_ue")
    assert "did you mean nDCG?" in fail("measures", "ndcg")
    assert "no command is called 'evalute'; did you mean evaluate?" in fail("evalute")
    assert "no command is called 'pwer'; did you mean power?" in fail("meta", "pwer")
    assert "invalid choice: 'index'" in fail("index")
    assert "invalid choice" in fail("evaluate", qrels, run, "-m", "P@5", "-o", "xml")
    assert "required" in fail("evaluate", qrels, run)
    assert "exists already" in fail("simulate", campaign)
    assert "must be a whole number of at least 2" in fail(
        "simulate", tmp_path / "few", "--systems", "1"
    )
    assert not (tmp_path / "few").exists()


def test_a_reader_who_stops_reading_is_no_error(campaign):
    command = [sys.executable, "-m", "irx_measures", "measures", "NRG"]
    shell = " ".join(command) + " | head -1"
    done = subprocess.run(
        ["bash", "-o", "pipefail", "-c", shell],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0
    assert done.stderr == ""


def test_installed_as_irx():
    irx_command = Path(sys.executable).with_name("irx")
    done = subprocess.run([irx_command, "--version"], capture_output=True, text=True, check=True)
    look_up = "native" if native.BUILT else "python"
    assert done.stdout == f"irx {irx_measures.__version__} (look-up: {look_up})\n"


def test_intervals_are_columns_of_their_own_and_leave_single_queries_blank(campaign):
    runs = sorted((campaign / "runs").iterdir())[:2]
    arguments = ["evaluate", campaign / "qrels.txt", *runs, "-m", "BootNDCG@10", "P@5"]
    out = succeed(*arguments, "--interval", "80", "-q", "-o", "csv")
    rows = list(csv.DictReader(io.StringIO(out)))
    bounds = ["BootNDCG@10 80% lower", "BootNDCG@10 80% upper"]
    topics = [f"P@5 80% t interval over topics: {end}" for end in ("lower", "upper")]
    assert len(rows) == 2 * (4 + 1)
    for row in rows:
        low, high = (float(row[name]) for name in bounds)
        assert low <= high
        single = row["query_id"] != "all"
        assert all((row[name] == "") == single for name in topics)
    overall = [row for row in rows if row["query_id"] == "all"]
    assert all(
        float(row[topics[0]]) <= float(row["P@5"]) <= float(row[topics[1]]) for row in overall
    )
    lines = succeed(*arguments, "--interval", "80", "-q", "-o", "tsv").splitlines()
    assert len(lines) == 2 * (4 * 4 + 8)


def test_the_intervals_over_topics_are_those_of_compare(campaign):
    runs = sorted((campaign / "runs").iterdir())[:3]
    given = [campaign / "qrels.txt", *runs, "-m", "P@5", "--quiet", "-o", "csv", "-p", "-1"]
    shown = csv.DictReader(io.StringIO(succeed("evaluate", *given, "--interval", "90")))
    board = csv.DictReader(
        io.StringIO(succeed("compare", *given, "--show", "leaderboard", "--level", "90"))
    )
    ends = {row["system"]: (row["lower"], row["upper"]) for row in board}
    assert ends == {
        row["system"]: tuple(
            row[f"P@5 90% t interval over topics: {end}"] for end in ("lower", "upper")
        )
        for row in shown
    }


def test_the_bootstrap_interval_is_another_method(campaign):
    runs = sorted((campaign / "runs").iterdir())[:2]
    arguments = ["evaluate", campaign / "qrels.txt", *runs, "-m", "P@5", "-o", "csv"]
    by_t = succeed(*arguments, "--interval", "90")
    assert succeed(*arguments, "--interval", "90", "--interval-method", "t") == by_t
    resampled = succeed(*arguments, "--interval", "90", "--interval-method", "bootstrap")
    assert "P@5 90% percentile bootstrap interval over topics: upper" in resampled
    assert resampled.splitlines()[1:] != by_t.splitlines()[1:]
    error = fail(*arguments, "--interval-method", "t")
    assert error == "irx evaluate: error: --interval-method goes with --interval"


@pytest.mark.parametrize("level", ["0", "100", "-5", "nan"])
def test_an_interval_must_be_a_share(campaign, level):
    line = fail(
        "evaluate", campaign / "qrels.txt", run_file(campaign), "-m", "P@5", f"--interval={level}"
    )
    assert line.startswith("irx evaluate: error: --interval must be a confidence level")


@pytest.mark.parametrize(
    ("command", "option"),
    [
        (["evaluate"], "--interval"),
        (["compare"], "--level"),
        (["report", "-o", "report.html"], "--level"),
        (["meta", "power"], "--levels"),
        (["meta", "correlation"], "--level"),
        (["judge", "estimate", "{qrels}"], "--level"),
        (["judge", "audit", "{qrels}"], "--level"),
    ],
)
def test_a_level_is_a_share_or_percent(campaign, command, option):
    qrels, runs = campaign / "qrels.txt", sorted((campaign / "runs").iterdir())[:3]
    given = [word.format(qrels=qrels) for word in command]
    line = fail(*given, qrels, *runs, "-m", "P@5", "AP", option, "5")
    assert f": error: {option} must be a confidence level" in line


def test_output_that_goes_nowhere_is_one_line(campaign):
    command = f"{sys.executable} -m irx_measures measures NRG"
    for where, told in ((">&-", "stdout is closed"), ("> /dev/full", "No space left")):
        done = subprocess.run(
            ["bash", "-c", f"{command} {where}"],
            capture_output=True, text=True, check=False,
        )  # fmt: skip
        assert done.returncode == 2
        (line,) = done.stderr.splitlines()
        assert told in line


def test_distributions_are_drawn_of_one_run(campaign, tmp_path):
    pytest.importorskip("matplotlib")
    picture = tmp_path / "it.svg"
    arguments = ["evaluate", campaign / "qrels.txt", run_file(campaign), "-m"]
    measures = ["Boot(base=P, rel=2)@5", "nDCG@5", "--interval", "90"]
    done = irx(*arguments, *measures, "--plot", picture)
    assert (done.returncode, done.stderr) == (0, f"irx evaluate: wrote {picture}\n")
    drawn = picture.read_text()
    assert "nDCG@5" in drawn
    assert "q05" not in drawn
    for given in (["nDCG@5"], ["BootNDCG@5", "BootNDCG@10"]):
        line = fail(*arguments, *given, "--plot", tmp_path / "no.png")
        assert line.startswith("irx evaluate: error: --plot draws one BootNDCG or Boot of one run")
    assert [path.name for path in tmp_path.iterdir()] == ["it.svg"]
