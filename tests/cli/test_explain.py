"""``irx explain``: a user's questions, every format, errors."""

import csv
import io
import json

import pytest

from irx_measures import evaluate, explain
from irx_measures.cli.main import main
from irx_measures.common.tables import FORMATS
from irx_measures.simulate import simulate_campaign

MEASURE = "NRG(prior=others)@10"


@pytest.fixture(scope="module")
def campaign(tmp_path_factory):
    folder = tmp_path_factory.mktemp("campaign")
    simulate_campaign(systems=5, queries=12, depth=40, seed=3).write(folder)
    return folder


@pytest.fixture
def irx(given, capsys):
    """Run ``irx explain`` in this process, and return what it prints."""

    def run(*arguments, measure=MEASURE, files=given, status=0):
        got = main(["explain", *files, "-m", measure, *map(str, arguments)])
        printed = capsys.readouterr()
        assert got == status, printed.err
        return printed.err if status else printed.out

    return run


@pytest.fixture(scope="module")
def system(runs):
    return sorted(runs)[0]


@pytest.fixture(scope="module")
def query(given, runs):
    return evaluate(runs, given[0], ["P@5"]).query_ids[0]


@pytest.fixture(scope="module")
def why(given, runs, system, query):
    return explain(system, given[0], MEASURE, runs, query)


def sentence(text):
    """A text without line breaks."""
    return " ".join(text.split())


def test_question_1_why_is_the_score_what_it_is(irx, why, system, query):
    out = irx("--system", system, "--query", query)
    said = sentence(out)
    assert said.startswith(f"{why.summary}. {why.counts}.")
    rows = [line.split() for line in out.splitlines() if line.strip()[:2].strip().isdigit()]
    assert [row[1] for row in rows] == list(why.doc_ids)
    for name in [*why.factors, *why.terms]:
        assert f"{why.legend[name]}" in said


def test_question_2_which_documents_are_missing(irx, why, given, runs, system, query):
    hint = "--missing lists them."
    assert hint in sentence(irx("--system", system, "--query", query))
    out = irx("--system", system, "--query", query, "--missing")
    assert hint not in sentence(out)
    full = explain(system, given[0], MEASURE, runs, query, missing=True)
    assert len(full.doc_ids) == why.top + why.lacking
    for place, doc in list(enumerate(full.doc_ids))[: why.top + 5]:
        rank = "-" if full.rank[place] is None else full.rank[place]
        assert f"{rank} {doc} " in sentence(out)


def test_question_3_where_does_it_gain_and_lose(irx, given, runs, system):
    other = sorted(runs)[1]
    matrix = evaluate(runs, given[0], [MEASURE])
    ours, theirs = (matrix.scores[0, matrix.systems.index(name)] for name in (system, other))
    difference = dict(zip(matrix.query_ids, (ours - theirs).tolist(), strict=True))
    out = irx("--system", system, "--against", other, "-o", "csv", "--top", 2)
    got = {row["query_id"]: float(row["difference"]) for row in csv.DictReader(io.StringIO(out))}
    ordered = sorted(difference, key=difference.get, reverse=True)
    expected = [query for query in ordered[:2] if difference[query] > 0]
    expected += [query for query in ordered[-2:] if difference[query] < 0]
    assert got == pytest.approx({query: difference[query] for query in expected})
    assert list(got) == expected
    text = sentence(irx("--system", system, "--against", other))
    mean = sum(difference.values()) / len(difference)
    assert text.startswith(f"{MEASURE}: {system} minus {other} is {mean:+.4f} in the mean of 12 ")
    assert "--query ID shows why" in text


def test_equal_runs_gain_and_lose_nowhere(irx, given, tmp_path):
    copy = tmp_path / "copy.run.gz"
    with open(given[1], "rb") as file:
        copy.write_bytes(file.read())
    files = [given[0], given[1], str(copy)]
    assert "equal on 12" in sentence(irx("--against", "copy", files=files, measure="nDCG@10"))
    assert irx("--against", "copy", "-o", "csv", files=files, measure="nDCG@10") == ""


@pytest.mark.parametrize("form", FORMATS)
def test_every_format_has_every_document(irx, why, system, query, form):
    out = irx("--system", system, "--query", query, "-o", form)
    assert all(doc in out for doc in why.doc_ids)


def test_programs_read_all_digits(irx, why, system, query):
    out = irx("--system", system, "--query", query, "-o", "jsonl")
    rows = [json.loads(line) for line in out.splitlines()]
    assert [row["contribution"] for row in rows] == why.contribution.tolist()
    assert [row["rank"] for row in rows] == list(range(1, 11))
    assert [row["grade"] for row in rows] == list(why.grade)


def test_a_single_run_needs_no_name(irx, given, query):
    assert "nDCG@10 of " in irx("--query", query, files=given[:2], measure="nDCG@10")


def test_a_long_ranking_is_cut_and_says_so(irx, given, query):
    out = irx("--query", query, files=given[:2], measure="AP")
    assert "And 10 more documents (csv and json have all)" in out
    rows = irx("--query", query, "-o", "tsv", files=given[:2], measure="AP").splitlines()
    assert len(rows) == 41


@pytest.mark.parametrize("places", [-1, 0, 2])
def test_places(irx, system, query, places):
    out = irx("--system", system, "--query", query, "-p", places)
    assert ": found / ideal =" in out


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((), "--query names the query to explain, or --against a run"),
        (("--query", "q", "--against", "x"), "--against cannot be combined with --query"),
        (("--against", "x", "--missing"), "--missing and --texts go with --query"),
        (("--query", "nowhere"), "--system must be the name of a RUN"),
        (("--against", "nowhere", "--system", "SYSTEM"), "--against must be the name of a RUN"),
        (("--against", "SYSTEM", "--system", "SYSTEM"), "must be another run than --system"),
        (("--query", "nowhere", "--system", "SYSTEM"), "the query must be one of the qrels"),
        (("--against", "SYSTEM", "--top", "0"), "--top must be at least 1; got 0"),
    ],
)
def test_errors(irx, system, arguments, message):
    given = [system if argument == "SYSTEM" else argument for argument in arguments]
    error = irx(*given, status=2)
    assert error.startswith("irx explain: error: ")
    assert message in error
    assert error.count("\n") == 1


def test_one_measure_only(irx, given, capsys):
    assert main(["explain", *given, "-m", "P@5", "AP", "--query", "q"]) == 2
    assert "--measures must be one measure; got 2 of them" in capsys.readouterr().err
