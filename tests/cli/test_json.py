"""``-o json``: every command keeps the documented schema, and says what it was computed from."""

import argparse
import json
import math
import os
from hashlib import sha256
from pathlib import Path

import ir_measures
import jsonschema
import pytest

import irx_measures
from irx_measures import evaluate
from irx_measures.cli.main import _parser, main
from irx_measures.cli.parser import Input
from irx_measures.cli.provenance import IN_ORDER, states_of, with_provenance
from irx_measures.simulate import simulate_campaign

# The doubts are tested with the measures; here they are lines on stderr.
pytestmark = pytest.mark.filterwarnings("ignore::irx_measures.EvaluationWarning")

SCHEMA = Path(irx_measures.__file__).parent / "pt_docs" / "results.schema.json"

QUICK = ["--quiet", "-m", "nDCG@5", "P@5"]

# The arguments of every command with `-o json`, after its name. QRELS and RUNS are replaced.
CASES = {
    "evaluate": ["QRELS", "RUNS", *QUICK, "-q"],
    "compare": ["QRELS", "RUNS", *QUICK, "--baseline", "lexical-b"],
    "explain": [
        "QRELS", "RUNS", "--quiet", "-m", "nDCG@5", "--system", "lexical-a", "--query", "q01",
    ],
    "judge audit": ["QRELS", "QRELS", "RUNS", "--quiet", "--show", "rankings", "--samples", "20"],
    "judge estimate": ["HALF", "QRELS", "RUNS", *QUICK],
    "meta power": ["QRELS", "RUNS", *QUICK, "--test", "t", "--pad"],
    "meta stability": ["QRELS", "RUNS", *QUICK, "--trials", "20"],
    "meta swap": ["QRELS", "RUNS", *QUICK, "--trials", "20"],
    "meta systems": ["QRELS", "RUNS", "--quiet", "-m", "P@5", "--trials", "5", "--sizes", "2", "3"],
    "meta correlation": ["QRELS", "RUNS", *QUICK, "--samples", "20"],
    "meta pareto": ["QRELS", "RUNS", *QUICK, "--costs", "COSTS"],
    "reproduce": ["rareness", "--list"],
}  # fmt: skip


@pytest.fixture(scope="module")
def campaign(tmp_path_factory):
    folder = tmp_path_factory.mktemp("campaign")
    campaign = simulate_campaign(systems=4, queries=8, depth=20, seed=3)
    campaign.write(folder)
    lines = (folder / "qrels.txt").read_text().splitlines(keepends=True)
    human = "".join(line for line in lines if line.split()[0] <= "q06")
    (folder / "half.txt").write_text(human)
    costs = [f"{name},{place}" for place, name in enumerate(campaign.runs)]
    (folder / "costs.csv").write_text("\n".join(["run,cost", *costs, ""]))
    return folder


@pytest.fixture(scope="module")
def runs(given):
    return given[1:]


@pytest.fixture(scope="module")
def schema():
    content = json.loads(SCHEMA.read_text(encoding="utf-8"))
    jsonschema.Draft202012Validator.check_schema(content)
    return content


def refuse(constant):
    raise AssertionError(f"{constant} is not JSON")


@pytest.fixture
def printed(capsys, campaign, runs):
    """What a command prints."""
    files = {
        "QRELS": [str(campaign / "qrels.txt")],
        "HALF": [str(campaign / "half.txt")],
        "COSTS": [str(campaign / "costs.csv")],
        "RUNS": runs,
    }

    def run(command, arguments, form="json"):
        words = [word for argument in arguments for word in files.get(argument, [argument])]
        status = main([*command.split(), *words, "-o", form])
        out, err = capsys.readouterr()
        assert status == 0, err
        return out

    return run


@pytest.fixture
def results(printed, schema):
    """What a command prints, parsed and checked."""

    def run(command, arguments):
        content = json.loads(printed(command, arguments), parse_constant=refuse)
        jsonschema.validate(content, schema, cls=jsonschema.Draft202012Validator)
        return content

    return run


def commands_with_formats(parser, names=()):
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            for name, command in action.choices.items():
                yield from commands_with_formats(command, (*names, name))
        elif action.dest == "output_format":
            assert "json" in action.choices
            yield " ".join(names)


def test_every_role_has_its_place_in_the_output():
    from irx_measures.cli import parser

    roles = [value for value in vars(parser).values() if isinstance(value, Input)]
    assert len(roles) == len(IN_ORDER)
    assert set(roles) == set(IN_ORDER)


def test_every_command_with_formats_is_tested():
    assert sorted(commands_with_formats(_parser())) == sorted(CASES)


@pytest.mark.parametrize("command", CASES)
def test_every_command_keeps_the_schema(results, command):
    content = results(command, CASES[command])
    assert content["command"] == f"irx {command}"
    assert content["irx_measures"] == irx_measures.__version__
    assert content["ir_measures"] == ir_measures.__version__
    assert len(content["results"]) > 0
    assert len({tuple(row) for row in content["results"]}) == 1
    assert not {"debug", "quiet", "output_format", "places", "plot"} & set(content["parameters"])


@pytest.mark.parametrize("command", CASES)
def test_the_same_input_has_the_same_bytes(printed, command):
    assert printed(command, CASES[command]) == printed(command, CASES[command])


@pytest.mark.parametrize("command", [name for name in CASES if name != "evaluate"])
def test_the_results_are_those_of_jsonl(printed, results, command):
    lines = printed(command, CASES[command], "jsonl").splitlines()
    assert results(command, CASES[command])["results"] == list(map(json.loads, lines))


def test_every_input_has_its_digest(results, campaign, runs):
    arguments = [
        "QRELS", "RUNS", "--quiet", "-m", "NRG@5", "RBO@5", "--prior", runs[0],
        "--reference", runs[1], "--groups", str(campaign / "groups.csv"),
    ]  # fmt: skip
    inputs = results("evaluate", arguments)["inputs"]
    roles = [entry["role"] for entry in inputs]
    assert roles == ["qrels", *["run"] * 4, "prior", "reference", "groups"]
    for entry in inputs:
        assert entry["sha256"] == sha256(Path(entry["path"]).read_bytes()).hexdigest()
    names = [entry["name"] for entry in inputs if "name" in entry]
    assert names == [*("dense-a", "lexical-a", "lexical-b", "lexical-c"), *names[:2]]


def test_the_files_of_a_folder_are_inputs(results, tmp_path):
    (tmp_path / "qrels").write_text("q1 0 d1 1\nq2 0 d1 1\n")
    (tmp_path / "bm25").mkdir()
    for number in (1, 2):
        (tmp_path / "bm25" / f"{number}.run").write_text(f"q{number} Q0 d1 1 1 t\n")
    given = [str(tmp_path / "qrels"), str(tmp_path / "bm25"), "-m", "P@1"]
    found = results("evaluate", [*given, "--prior", str(tmp_path / "bm25")])
    files = [(each["role"], each["path"]) for each in found["inputs"]]
    assert files[1:] == [
        (role, str(tmp_path / "bm25" / f"{number}.run"))
        for role in ("run", "prior")
        for number in (1, 2)
    ]
    assert all(len(each["sha256"]) == 64 for each in found["inputs"])
    assert found["results"] == [
        {"system": "bm25", "query_id": None, "measure": "P@1", "value": 1.0}
    ]


def test_files_that_only_a_measure_names_are_inputs(results, campaign, runs):
    both = campaign / "runs" / "lexical-[ab].run.gz"
    measures = [f"NRG(prior='{both}')@5", f"RBO(reference='{runs[3]}')@5", "NRG(prior=dense-a)@5"]
    inputs = results("evaluate", ["QRELS", runs[0], runs[1], "--quiet", "-m", *measures])["inputs"]
    named = [entry for entry in inputs if entry["role"] == "run of a measure"]
    assert [entry["path"] for entry in named] == runs[1:]


def test_the_format_is_for_the_runs_of_the_command_line_only(results, tmp_path, campaign, runs):
    files = [tmp_path / f"{name}.tsv" for name in ("scored", "prior", "reference")]
    for file in files:
        file.write_text("q01\td18\t1\nq01\td2\t2\n")
    scored, prior, reference = map(str, files)
    arguments = [
        "QRELS", scored, "--prior", prior, "--reference", reference, "--format", "msmarco",
        "--quiet", "-m", "NRG@5", "RBO@5", f"RBO(reference='{runs[0]}')@5",
    ]  # fmt: skip
    content = results("evaluate", arguments)
    paths = [str(campaign / "qrels.txt"), scored, prior, reference, runs[0]]
    assert [entry["path"] for entry in content["inputs"]] == paths
    assert len(content["results"]) == 3


def test_the_labels_of_a_measure_are_inputs(results, campaign):
    labels = campaign / "half.txt"
    measure = f"BootNDCG(prior=learned, machine='{labels}', b=20)@5"
    inputs = results("evaluate", ["QRELS", "RUNS", "--quiet", "-m", measure])["inputs"]
    assert inputs[-1]["role"] == "machine qrels"
    assert inputs[-1]["path"] == str(labels)


def test_a_baseline_that_is_a_file_is_an_input(results, runs):
    arguments = ["QRELS", *runs[:2], *QUICK, "--baseline", runs[2]]
    inputs = results("compare", arguments)["inputs"]
    assert [entry["path"] for entry in inputs[1:]] == runs[:3]


def test_other_topics_and_their_runs_are_inputs(results, campaign, runs):
    arguments = ["QRELS", *runs[:2], *QUICK, "--versus", str(campaign / "half.txt"), *runs[:2]]
    inputs = results("meta swap", arguments)["inputs"]
    assert [entry["role"] for entry in inputs][3:] == ["other qrels", "other run", "other run"]


def test_the_users_data_of_a_reproduction_are_inputs(results, campaign, runs):
    arguments = [
        "residual-gain", "--quiet", "--dataset", "QRELS", "--runs", str(campaign / "runs" / "*"),
    ]  # fmt: skip
    content = results("reproduce", arguments)
    assert [entry["path"] for entry in content["inputs"]] == [f"{campaign}/qrels.txt", *runs]
    assert "Your data: 4 runs, 8 topics" in {row["data"] for row in content["results"]}


def test_only_the_letor_files_that_are_read_are_inputs(tmp_path):
    for name in ("letor-train.txt.gz", "test.txt", "qrels.txt.gz"):
        (tmp_path / name).write_bytes(b"")
    options = _parser().parse_args(["reproduce", "--letor", str(tmp_path)])
    paths = [Path(path).name for path in states_of(options)]
    assert paths == ["letor-train.txt.gz", "test.txt"]


@pytest.mark.parametrize(
    "change",
    [
        lambda path: path.write_text("q1 0 d1 1\nq2 0 d1 1\n"),
        lambda path: os.utime(path, (0, 0)),
        lambda path: path.with_name("new").write_text("") or path.with_name("new").replace(path),
        lambda path: path.unlink(),
    ],
    ids=["longer", "another time", "another file", "gone"],
)
def test_a_file_that_changed_since_the_command_began_has_no_digest(tmp_path, schema, change):
    qrels, run = tmp_path / "qrels", tmp_path / "a.run"
    qrels.write_text("q1 0 d1 1\n")
    run.write_text("q1 Q0 d1 1 1 t\n")
    options = _parser().parse_args(["evaluate", str(qrels), str(run), "irds:some/set", "-m", "P@1"])
    states = states_of(options)
    change(qrels)
    content = json.loads(with_provenance("irx evaluate", options, "[]", [], states))
    jsonschema.validate(content, schema, cls=jsonschema.Draft202012Validator)
    of_qrels, of_run, of_dataset = content["inputs"]
    assert of_qrels["sha256"] is None
    assert "changed" in of_qrels["no_digest"]
    assert of_run["sha256"] == sha256(run.read_bytes()).hexdigest()
    assert (of_dataset["sha256"], of_dataset["no_digest"]) == (None, "not a file")


def test_scores_have_all_their_digits_and_parameters_are_listed(results, runs):
    measures = ["nDCG@5", "P@5"]
    content = results("evaluate", CASES["evaluate"])
    matrix = evaluate(dict(enumerate_names(runs)), content["inputs"][0]["path"], measures)
    expected = []
    for place, system in enumerate(matrix.systems):
        for row, query in enumerate([*matrix.query_ids, None]):
            scores = matrix.aggregates if query is None else matrix.scores[:, :, row]
            expected += [
                {"system": system, "query_id": query, "measure": name, "value": value}
                for name, value in zip(measures, scores[:, place].tolist(), strict=True)
            ]
    assert content["results"] == expected
    assert content["parameters"]["measures"] == measures
    assert content["parameters"]["by_query"] is True
    assert content["parameters"]["strict"] is True


@pytest.mark.parametrize(
    ("options", "method"), [([], "t"), (["--interval-method=bootstrap"], "bootstrap")]
)
def test_the_method_of_an_interval_is_a_parameter(results, options, method):
    content = results("evaluate", ["QRELS", "RUNS", *QUICK, "--interval", "90", *options])
    assert content["parameters"]["interval_method"] == method


def enumerate_names(runs):
    return ((Path(path).name.removesuffix(".run.gz"), path) for path in runs)


def test_an_undefined_score_is_null(results, runs):
    content = results("evaluate", ["QRELS", runs[0], "--quiet", "-m", "NRG(prior=others)@5", "P@5"])
    undefined, defined = content["results"]
    assert undefined["value"] is None
    assert math.isfinite(defined["value"])


def test_an_unforeseeable_number_of_topics_is_null(results, tmp_path, runs):
    copy = tmp_path / "copy.run.gz"
    copy.write_bytes(Path(runs[0]).read_bytes())
    arguments = [
        "QRELS", runs[0], str(copy), "--quiet", "-m", "P@5", "--baseline", "copy",
        "--show", "topics",
    ]  # fmt: skip
    (row,) = results("compare", arguments)["results"]
    assert row["topics"] is None
    assert row["difference"] == 0


@pytest.mark.parametrize(
    ("command", "extra"),
    [
        *(("compare", ["--show", show]) for show in ("leaderboard", "scores", "topics")),
        *(("judge audit", ["--show", show]) for show in ("agreement", "grades", "calibration")),
        ("meta power", ["--concordance"]),
        ("meta power", ["--pairs"]),
        ("meta swap", ["--bins"]),
        ("evaluate", ["-n"]),
        ("evaluate", ["--interval", "90"]),
        ("evaluate", ["--interval", "90", "--interval-method", "bootstrap"]),
        ("explain", ["--missing"]),
    ],
)
def test_other_tables_keep_the_schema(results, command, extra):
    given = [word for word in CASES[command] if word != "--pad"]
    assert len(results(command, [*given, *extra])["results"]) > 0


def test_changes_have_the_same_names_for_all_systems(results, tmp_path, runs):
    hostile = tmp_path / "difference.run.gz"
    hostile.write_bytes(Path(runs[3]).read_bytes())
    arguments = [
        "QRELS", runs[0], str(hostile), "--quiet", "-m", "P@5", "--against", "difference",
    ]  # fmt: skip
    rows = results("explain", arguments)["results"]
    names = ["system", "against", "query_id", "score", "score_against", "difference"]
    assert rows
    for row in rows:
        assert list(row) == names
        assert row["difference"] == row["score"] - row["score_against"]
        assert (row["system"], row["against"]) == ("dense-a", "difference")


def test_no_change_is_an_empty_list(results, tmp_path, runs):
    copy = tmp_path / "copy.run.gz"
    copy.write_bytes(Path(runs[0]).read_bytes())
    arguments = ["QRELS", runs[0], str(copy), "--quiet", "-m", "P@5", "--against", "copy"]
    assert results("explain", arguments)["results"] == []


def test_hostile_names_are_escaped(results, tmp_path):
    names = ['"quoted"', "größe 文", "a\\b", "</script>"[2:], "{}[],:"]
    lines = 'q"1 Q0 d\\1 1 1.0 t\n'
    paths = []
    for name in names:
        path = tmp_path / f"{name}.run"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(lines)
        paths.append(str(path))
    qrels = tmp_path / 'the "qrels"'
    qrels.write_text('q"1 0 d\\1 1\n')
    content = results("evaluate", [str(qrels), *paths, "--quiet", "-m", "P@1", "-q"])
    assert [entry["path"] for entry in content["inputs"]] == [str(qrels), *paths]
    assert [row["system"] for row in content["results"]] == [n for n in names for _ in range(2)]
    assert {row["query_id"] for row in content["results"]} == {'q"1', None}


def test_a_query_called_all_is_not_the_mean(results, tmp_path):
    (tmp_path / "q").write_text("all 0 d 1\nother 0 d 1\n")
    (tmp_path / "r").write_text("all Q0 d 1 1.0 t\n")
    content = results(
        "evaluate", [str(tmp_path / "q"), str(tmp_path / "r"), "--quiet", "-m", "P@1", "-q"]
    )
    values = {row["query_id"]: row["value"] for row in content["results"]}
    assert values == {"all": 1.0, "other": 0.0, None: 0.5}


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no named pipes")
def test_a_pipe_is_read_once(results, tmp_path, campaign, runs):
    from threading import Thread

    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    content = (campaign / "qrels.txt").read_bytes()
    writer = Thread(target=pipe.write_bytes, args=(content,), daemon=True)
    writer.start()
    inputs = results("evaluate", [str(pipe), runs[0], "--quiet", "-m", "P@5"])["inputs"]
    writer.join()
    pipe_of = {"role": "qrels", "path": str(pipe), "sha256": None, "no_digest": "not a file"}
    assert inputs[0] == pipe_of


def test_without_qrels_there_is_no_input_of_qrels(results, runs):
    arguments = ["-", runs[0], "--quiet", "-m", "RBO@5", "--reference", runs[1]]
    assert [entry["role"] for entry in results("evaluate", arguments)["inputs"]] == [
        "run", "reference",
    ]  # fmt: skip


def test_places_are_ignored_and_the_command_says_so(capsys, campaign, runs):
    assert main(["evaluate", str(campaign / "qrels.txt"), runs[0], "-m", "P@5", "-o", "json",
                 "-p", "2"]) == 0  # fmt: skip
    assert capsys.readouterr().err == "irx evaluate: --places is ignored with -o json\n"


def test_the_example_of_the_page_keeps_the_schema(schema):
    text = SCHEMA.with_name("json.rst").read_text(encoding="utf-8")
    block = text.split(".. code-block:: json\n\n")[1].split("\n\n(")[0]
    content = json.loads(block)
    for entry in content["inputs"]:
        entry["sha256"] = "0" * 64  # the page shortens digests
    jsonschema.validate(content, schema, cls=jsonschema.Draft202012Validator)
    assert content["irx_measures"] == irx_measures.__version__
