"""``-o json``: every command keeps the documented schema, and says what it was computed from."""

import csv
import json
import os
import shlex
from hashlib import sha256
from pathlib import Path
from threading import Thread

import jsonschema
import pytest

import irx_measures
from irx_measures.cli.main import _parser
from irx_measures.cli.output import with_provenance
from irx_measures.io.opened import FileState
from irx_measures.results.tables import TextTable
from tests.cli.conftest import RUNS, words
from tests.doubts import ANY_DOUBT

pytestmark = ANY_DOUBT

SCHEMA = Path(irx_measures.__file__).parent / "pt_docs" / "results.schema.json"

PATHS = [f"runs/{name}.run.gz" for name in RUNS]

CASES = {
    "evaluate": "qrels.txt RUNS -m nDCG@5 NRG(prior=others)@5 -q",
    "compare": "qrels.txt RUNS -m nDCG@5 --baseline lexical-b",
    "explain": "qrels.txt RUNS -m nDCG@5 --system lexical-a --query q01",
    "judge audit": "qrels.txt qrels.txt RUNS --show rankings --samples 20",
    "judge estimate": "human.txt qrels.txt RUNS -m P@5",
    "meta power": "qrels.txt RUNS -m P@5 --test t",
    "meta concordance": "qrels.txt RUNS -m P@5 AP --test t",
    "meta stability": "qrels.txt RUNS -m P@5 --trials 20 --relative",
    "meta swap": "qrels.txt RUNS -m P@5 --trials 20",
    "meta systems": "qrels.txt RUNS -m P@5 --trials 5 --sizes 2 3",
    "meta correlation": "qrels.txt RUNS -m P@5 AP --samples 20",
    "meta pareto": "qrels.txt RUNS -m P@5 --costs costs.csv",
    "reproduce": "rareness --list",
}


MORE = [
    "evaluate qrels.txt RUNS -m nDCG@5 --by by.csv --interval 95",
    "compare qrels.txt RUNS -m nDCG@5 --show leaderboard",
    "compare qrels.txt RUNS -m nDCG@5 --show differences --by by.csv",
    "compare qrels.txt RUNS -m nDCG@5 --show topics --baseline dense-a",
    "compare qrels.txt RUNS -m nDCG@5 --show scores",
    "compare qrels.txt RUNS -m nDCG@5 --unjudged learned",
    "explain qrels.txt RUNS -m nDCG@5 --system lexical-a --against dense-a",
    "explain qrels.txt RUNS -m NRG(prior=others)@5 --system lexical-a --query q01 --missing",
    *(f"judge audit qrels.txt machine.txt RUNS --samples 20 --show {table}"
      for table in ("agreement", "grades", "calibration", "groups")),
    "judge estimate human.txt qrels.txt RUNS -m P@5 --baseline dense-a",
    "meta power qrels.txt RUNS -m P@5 --test t --details",
    pytest.param("reproduce rank-biased", marks=pytest.mark.whole),
]  # fmt: skip


def validated(text):
    content = json.loads(text, parse_constant=pytest.fail)  # NaN is not JSON
    schema = json.loads(SCHEMA.read_text(encoding="utf-8"))
    jsonschema.Draft202012Validator.check_schema(schema)
    jsonschema.validate(content, schema, cls=jsonschema.Draft202012Validator)
    return content


@pytest.fixture
def results(irx):
    def run(command, *more):
        done = irx(f"{command} --quiet -o json", *more)
        assert done.returncode == 0, done.stderr
        return validated(done.stdout)

    return run


def test_every_command_with_formats_is_tested():
    with_formats = [
        command.prog.removeprefix("irx ")
        for command in _parser().commands()
        if any(action.dest == "output_format" for action in command._actions)
    ]
    assert sorted(with_formats) == sorted(CASES)


@pytest.mark.slow
@pytest.mark.parametrize("command", CASES)
def test_every_command_keeps_the_schema(results, irx, folder, command):
    given = f"{command} {CASES[command]}"
    content = results(given)
    assert content["command"] == shlex.join(["irx", *words(given), "--quiet", "-o", "json"])
    names = [column["name"] for column in content["columns"]]
    assert {tuple(row) for row in content["results"]} == {(*names,)}
    for entry in content["inputs"]:
        assert entry["sha256"] == sha256((folder / entry["path"]).read_bytes()).hexdigest()
    assert content == results(given), "the same input has the same bytes"
    if command != "evaluate":
        lines = irx(f"{given} --quiet -o jsonl").stdout.splitlines()
        assert content["results"] == list(map(json.loads, lines))
        for form, delimiter in [("csv", ","), ("tsv", "\t")]:
            table = irx(f"{given} --quiet -o {form}").stdout.splitlines()
            rows = list(csv.DictReader(table, delimiter=delimiter))
            assert rows == [
                {name: "" if value is None else str(value) for name, value in row.items()}
                for row in content["results"]
            ], "all digits"


@pytest.mark.slow
@pytest.mark.parametrize("command", [*(f"{name} {given}" for name, given in CASES.items()), *MORE])
def test_every_column_says_what_its_values_are(results, command):
    without = [each["name"] for each in results(command)["columns"] if not each["meaning"]]
    assert not without


INPUTS = {
    "evaluate qrels.txt RUNS -m NRG@5 RBO@5 --prior dense-a --reference dense-b --by by.csv": [
        "by.csv", "qrels.txt", *PATHS,
    ],
    "evaluate qrels.txt runs/dense-a.run.gz -m NRG(prior='runs/lexical-[ab].run.gz')@5": [
        "qrels.txt", "runs/dense-a.run.gz", "runs/lexical-a.run.gz", "runs/lexical-b.run.gz",
    ],
    "evaluate qrels.txt RUNS -m BootNDCG(prior=learned,machine='machine.txt',b=20)@5": [
        "machine.txt", "qrels.txt", *PATHS,
    ],
    "evaluate - runs/dense-a.run.gz -m RBO@5 --reference runs/dense-b.run.gz": PATHS[:2],
    "compare qrels.txt runs/dense-a.run.gz -m P@5 --baseline runs/dense-b.run.gz": [
        "qrels.txt", *PATHS[:2],
    ],
    "compare --scores scores.csv": ["scores.csv"],
    "meta pareto qrels.txt RUNS -m P@5 --costs costs.csv": ["costs.csv", "qrels.txt", *PATHS],
    "reproduce residual-gain --dataset qrels.txt --runs RUNS": ["qrels.txt", *PATHS],
}  # fmt: skip


@pytest.mark.parametrize("command", INPUTS)
def test_what_was_read_is_an_input(results, command):
    assert sorted(entry["path"] for entry in results(command)["inputs"]) == INPUTS[command]


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
def test_a_file_that_changed_since_it_was_opened_has_no_digest(tmp_path, change):
    qrels = tmp_path / "qrels"
    qrels.write_text("q1 0 d1 1\n")
    opened = {str(qrels): FileState.of(qrels), "irds:some/set": None}
    change(qrels)
    of_qrels, of_dataset = validated(with_provenance("irx evaluate", TextTable([]), [], opened))[
        "inputs"
    ]
    assert (of_qrels["sha256"], of_qrels["no_digest"]) == (None, "changed while the command ran")
    assert (of_dataset["sha256"], of_dataset["no_digest"]) == (None, "not a file")


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no named pipes")
def test_a_pipe_is_read_once(results, tmp_path, folder):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    content = (folder / "qrels.txt").read_bytes()
    writer = Thread(target=pipe.write_bytes, args=(content,), daemon=True)
    writer.start()
    inputs = results(f"evaluate {pipe} runs/dense-a.run.gz -m P@5")["inputs"]
    writer.join()
    assert {"path": str(pipe), "sha256": None, "no_digest": "not a file"} in inputs


def test_undefined_and_infinite_numbers_are_null(results):
    undefined, defined = results(
        "evaluate qrels.txt runs/dense-a.run.gz -m NRG(prior=others)@5 P@5"
    )["results"]
    assert (undefined["value"], defined["value"] > 0) == (None, True)


def test_a_query_called_all_is_not_the_mean(results, tmp_path):
    (tmp_path / "q").write_text("all 0 d 1\nother 0 d 1\n")
    (tmp_path / "r").write_text("all Q0 d 1 1.0 t\n")
    content = results(f"evaluate {tmp_path}/q {tmp_path}/r -m P@1 -q")
    values = {row["query_id"]: row["value"] for row in content["results"]}
    assert values == {"all": 1.0, "other": 0.0, None: 0.5}


def test_the_example_of_the_page_keeps_the_schema():
    text = SCHEMA.with_name("json.rst").read_text(encoding="utf-8")
    block = text.split(".. code-block:: json\n\n")[1].split("\n\n(")[0]
    content = json.loads(block)
    for entry in content["inputs"]:
        entry["sha256"] = "0" * 64  # the page shortens digests
    assert validated(json.dumps(content))["irx_measures"] == irx_measures.__version__
