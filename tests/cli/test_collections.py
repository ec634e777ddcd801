"""Several collections on the command line."""

import json
import shutil

import pytest

import irx_measures
from irx_measures import GroupedScores, simulate_campaign
from tests import console
from tests.doubts import ANY_DOUBT

pytestmark = ANY_DOUBT

COLLECTIONS = {"scifact": (1, 12), "nfcorpus": (2, 8), "fiqa": (3, 10)}  # seeds and queries

ALL = f"--collections {' '.join(COLLECTIONS)} -m nDCG@10"


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Folders as BEIR's collections have them, which `irx simulate` writes too."""
    made = tmp_path_factory.mktemp("collections")
    for name, (seed, queries) in COLLECTIONS.items():
        campaign = simulate_campaign(systems=6, queries=queries, depth=20, seed=seed)
        campaign.write(made / name)
    return made


@pytest.fixture
def irx(folder):
    """Run a command in the folder; what it prints."""

    def run(command, status=0):
        done = console.irx(*command.split(), "--quiet", cwd=folder)
        assert done.returncode == status, done.stderr
        return done.stdout if status == 0 else done.stderr

    return run


@pytest.fixture(scope="module")
def scores(folder):
    return GroupedScores.of(
        {
            name: irx_measures.evaluate(
                folder / name / "qrels.txt", f"{folder}/{name}/runs/*", ["nDCG@10", "AP"]
            )
            for name in COLLECTIONS
        }
    )


def test_the_mean_of_one_system_alone_is_not_bold(folder, tmp_path):
    for name in COLLECTIONS:
        run = next((folder / name / "runs").iterdir())
        for path in (run, folder / name / "qrels.txt"):
            to = tmp_path / name / path.relative_to(folder / name)
            to.parent.mkdir(parents=True, exist_ok=True)
            to.write_bytes(path.read_bytes())
    command = f"evaluate {ALL} -o markdown --quiet --no-strict"
    assert "**" not in console.irx(*command.split(), cwd=tmp_path).stdout


@pytest.mark.parametrize(
    ("options", "said"),
    [("--rename lexical-x=BM25", "got 'lexical-x'"), ("-m nDCG@10 NRG(prior=x)@10", "'x'")],
)
def test_names_and_measures_are_refused_before_anything_is_scored(folder, irx, options, said):
    broken = folder / "fiqa" / "qrels.txt"
    kept = broken.read_bytes()
    broken.write_text("no qrels\n")  # scoring would end with an error that names the file
    try:
        assert said in irx(f"evaluate {ALL} {options}", status=2)
    finally:
        broken.write_bytes(kept)


def test_a_table_has_systems_by_collections_and_the_macro_mean_first(irx, scores):
    lines = irx(f"evaluate {ALL}").splitlines()
    assert lines[0] == "nDCG@10, 3 collections"
    assert lines[1].split() == ["system", "macro", "mean", *COLLECTIONS]
    for place, system in enumerate(scores.matrix.systems):
        means = [part.aggregates[0, place] for part in scores.parts]
        values = [sum(means) / len(means), *means]
        assert lines[3 + place].split() == [system, *(f"{value:.4f}" for value in values)]
    assert lines[-1].startswith("Macro mean: mean of the collections' means")


def test_each_measure_has_a_table_and_a_sum_has_no_macro_mean(irx):
    out = irx(f"evaluate {ALL} NumRet")
    assert [line for line in out.splitlines() if "3 collections" in line] == [
        "nDCG@10, 3 collections",
        "NumRet, 3 collections",
    ]
    row = out.splitlines()[-3].split()
    assert row[1] == "-"
    assert float(row[2]) == 12 * 20
    latex = irx(f"evaluate {ALL} AP -o latex")
    assert latex.count(r"\begin{tabular}{l r r r r}") == 2


def test_programs_get_a_row_per_collection_and_of_the_macro_mean(irx, scores):
    head, *rows = irx(f"evaluate {ALL} -o csv").splitlines()
    assert head == "collection,system,nDCG@10"
    assert [row.split(",")[0] for row in rows] == [
        name for name in [*COLLECTIONS, "all"] for _ in scores.matrix.systems
    ]
    results = json.loads(irx(f"evaluate {ALL} -o json"))["results"]
    macro = {row["system"]: row["value"] for row in results if row["collection"] is None}
    assert macro == pytest.approx(scores.macro.means()["nDCG@10"].to_dict())


@pytest.mark.parametrize("form", ["csv", "json", "jsonl"])
def test_scores_of_queries_are_read_back(irx, folder, scores, form):
    path = folder / f"scores.{form}"
    path.write_text(irx(f"evaluate {ALL} AP -q -n -o {form}"))
    again = GroupedScores.from_files(path)
    assert again.groups == tuple(COLLECTIONS)
    for own, other in zip(again.parts, scores.parts, strict=True):
        assert own.query_ids == other.query_ids
        assert (own.scores == other.scores).all()


@pytest.mark.parametrize(
    ("systems", "macro", "texts"),
    [
        (2, "", ["dense-a minus dense-b", "these 3 collections", "other collections like these"]),
        (2, " --macro groups", ["collections like these", "fiqa"]),
        (2, " --baseline dense-b", ["dense-a minus dense-b"]),
        (2, " --baseline dense-a", ["dense-b minus dense-a"]),
        (2, " --macro none", ["fiqa (10 topics)"]),
        (3, "", ["dense-c", "nDCG@10, macro mean and 95% interval"]),
    ],
)
def test_a_picture_is_the_forest_of_one_pair_and_the_leaderboard_of_more(
    irx, folder, scores, systems, macro, texts
):
    frame = scores.to_frame()
    kept = scores.matrix.systems[:systems]
    frame[frame["system"].isin(kept)].to_csv(folder / "some.csv", index=False)
    irx(f"compare --scores some.csv -m nDCG@10{macro} --plot it.svg")
    svg = (folder / "it.svg").read_text()
    for text in texts:
        assert text in svg


def test_a_prior_is_a_run_of_each_collection(irx, folder):
    out = irx("evaluate --collections scifact fiqa -m NRG@10 --prior lexical-a")
    assert "NRG@10 = NRG(prior=lexical-a)@10" in out
    error = irx("evaluate --collections scifact fiqa -m NRG@10 --prior scifact/runs/a", status=2)
    assert "scifact: --prior must be the name of a run, such as 'dense-a'" in error


def test_a_table_of_files_names_systems_that_differ_by_collection(irx, folder):
    rows = [
        "collection,qrels,run,system",
        "one,scifact/qrels.txt,scifact/runs/dense-a.run.gz,mine",
        "two,fiqa/qrels.txt,fiqa/runs/dense-b.run.gz,mine",
    ]
    (folder / "files.csv").write_text("\n".join(rows))
    lines = irx("evaluate --collections files.csv -m nDCG@10").splitlines()
    assert lines[1].split() == ["system", "macro", "mean", "one", "two"]
    assert lines[3].split()[0] == "mine"


def test_a_warning_names_the_collection(folder):
    command = "evaluate --collections scifact fiqa -m NRG(prior=lexical-a)@10"
    done = console.irx(*command.split(), cwd=folder)
    warnings = [line for line in done.stderr.splitlines() if "it is its own only prior" in line]
    assert [line.split(": ")[2] for line in warnings] == ["scifact (1 of 2)", "fiqa (2 of 2)"]


@pytest.fixture(scope="module")
def wrong(folder):
    """Folders of which each has a mistake, beside those that have none."""
    qrels = folder.joinpath("scifact/qrels.txt").read_text()
    query = qrels.split()[0]
    one = "".join(line for line in qrels.splitlines(True) if line.startswith(f"{query} "))
    texts = {"empty": qrels, "less": qrels, "other": "x 0 d 1\n", "one": one, "unreadable": "x\n"}
    for name, text in texts.items():
        copied = [] if name == "empty" else sorted(folder.glob("scifact/runs/*"))
        (folder / name / "runs").mkdir(parents=True)
        (folder / name / "qrels.txt").write_text(text)
        for run in copied[:1] if name == "less" else copied:
            shutil.copy(run, folder / name / "runs")
    rows = [f"one,fiqa/qrels.txt,{name}/runs/dense-a.run.gz\n" for name in ("fiqa", "scifact")]
    (folder / "alike.csv").write_text("collection,qrels,run\n" + "".join(rows))


@pytest.mark.parametrize(
    ("command", "error"),
    [
        (
            "evaluate --collections scifact -m NRG(prior=x)@10",
            "scifact: NRG: `prior`: no set of runs is called 'x'; known are 'others', 'dense-a'",
        ),
        ("evaluate --collections scifact nowhere -m AP", "nowhere: collections must be folders"),
        ("evaluate scifact fiqa -m AP", "is a folder; of several collections: --collections sci"),
        ("compare scifact fiqa -m AP", "scifact is a folder; of several collections: --coll"),
        ("report scifact fiqa -m AP", "scifact is a folder; of several collections: --coll"),
        ("evaluate --collections . -m AP", "a folder 'runs'; collections in it: "),
        ("evaluate scifact/qrels.txt scifact/runs/* --collections fiqa -m AP", "QRELS is of one"),
        ("evaluate --collections scifact -m AP --by x.csv", "--by is for one collection"),
        ("evaluate --collections scifact -m AP --interval .95", "--interval is for one collection"),
        ("evaluate --collections scifact empty -m AP", "empty: a collection must have run files"),
        ("evaluate --collections scifact less -m AP", "without scores: 'dense-b' on 'less'"),
        # The runs of all collections are compared before any file is read.
        ("evaluate --collections unreadable less -m AP", "without scores: 'dense-b' on 'less'"),
        (
            "compare --collections unreadable less -m AP --baseline dense-b",
            "without scores: 'dense-b' on 'less'",
        ),
        ("evaluate --collections scifact other -m AP", "other: qrels and runs share no query: "),
        ("evaluate --collections scifact unreadable -m AP", "unreadable/qrels.txt:1: "),
        ("compare --collections scifact one -m AP", "in every collection; fewer has 'one' (1)"),
        ("compare --collections scifact fiqa/../scifact -m AP", "must be named once"),
        ("evaluate --collections alike.csv -m AP", "'dense-a'; the column 'system' names runs"),
        ("compare --collections scifact fiqa -m AP --macro groups", "3 collections; got 2"),
        ("compare --collections scifact fiqa -m NumRet", "sums over queries have no macro mean"),
        ("compare --collections scifact fiqa --scores x.csv", "--scores has scores already: omit"),
        ("compare --scores x.csv --collections scifact fiqa", "--scores has scores already: omit"),
        ("report --collections scifact --scores x.csv", "--scores has scores already: omit"),
        (
            "compare --collections scifact fiqa -m AP --lower-is-better AP",
            "--lower-is-better goes with --scores",
        ),
    ],
)
def test_a_mistake_is_one_line(irx, wrong, command, error):
    printed = irx(command, status=2)
    assert error in printed
    assert printed.count("\n") == 1
