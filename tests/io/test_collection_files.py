"""Which files are the qrels and runs of collections."""

import re
from pathlib import Path

import pytest

from irx_measures import InputError
from irx_measures.io.collection_files import collection_files


def lay(folder, *files):
    """Empty files, in folders."""
    for name in files:
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("")
    return folder


def relative(found, folder):
    return {
        each.name: (
            str(Path(each.qrels).relative_to(folder)),
            [str(Path(run).relative_to(folder)) for run in each.runs],
        )
        for each in found
    }


@pytest.mark.parametrize(
    ("files", "qrels"),
    [
        (["qrels"], "qrels"),
        (["qrels.txt"], "qrels.txt"),
        (["qrels.test.tsv.gz"], "qrels.test.tsv.gz"),
        (["qrels/test.tsv", "qrels/dev.tsv"], "qrels/test.tsv"),  # as BEIR has it
        (["qrels.txt", "qrels.txt.log.jsonl"], "qrels.txt"),  # the log of judging
        (["qrels.txt", "qrels.txt~", "qrels.txt.bak", ".qrels.txt.swp"], "qrels.txt"),
    ],
)
def test_a_folder_has_qrels_and_runs(tmp_path, files, qrels):
    folder = lay(tmp_path / "scifact", *files, "runs/b.run.gz", "runs/a.run", "runs/.hidden")
    found = collection_files([folder])
    assert relative(found, folder) == {"scifact": (qrels, ["runs/a.run", "runs/b.run.gz"])}


def test_a_folder_or_a_link_in_runs_is_a_run(tmp_path):
    folder = lay(tmp_path / "scifact", "qrels", "runs/bm25/part.run", "runs/z.run")
    (folder / "runs" / "gone.run").symlink_to("nowhere")
    (found,) = collection_files([folder])
    assert [Path(run).name for run in found.runs] == ["bm25", "gone.run", "z.run"]


def test_a_folder_is_called_as_it_is_resolved(tmp_path, monkeypatch):
    folder = lay(tmp_path / "fiqa", "qrels", "runs/a.run")
    monkeypatch.chdir(folder)
    assert [each.name for each in collection_files([Path()])] == ["fiqa"]
    (tmp_path / "link").symlink_to(folder)
    assert [each.name for each in collection_files([tmp_path / "link"])] == ["fiqa"]


@pytest.mark.parametrize(
    ("files", "message"),
    [
        (["qrels.txt"], "must have run files in a folder 'runs'"),
        (["qrels.txt", "runs/.hidden"], "must have run files in a folder 'runs'"),
        (
            ["a/runs/b.run", "c/runs/d.run", "qrels"],
            "must have run files in a folder 'runs'; collections in it: a, c",
        ),
        (["runs/a.run"], "must have a file 'qrels', 'qrels.*' or 'qrels/test.tsv'"),
        (
            ["qrels/dev.tsv", "runs/a.run"],
            "must have a file 'qrels', 'qrels.*' or 'qrels/test.tsv'",
        ),
        (
            ["qrels.txt", "qrels/test.tsv", "runs/a.run"],
            "must have one file of qrels; got qrels.txt, qrels/: a table with the columns "
            "collection, qrels and run says which files are meant",
        ),
        (
            ["qrels.dev.txt", "qrels.test.txt", "runs/a.run"],
            "must have one file of qrels; got qrels.dev.txt, qrels.test.txt: a table with the "
            "columns collection, qrels and run says which files are meant",
        ),
    ],
)
def test_a_wrong_folder_is_one_line(tmp_path, files, message):
    folder = lay(tmp_path / "scifact", *files)
    with pytest.raises(InputError, match=f"^{re.escape(f'{folder}: a collection {message}')}$"):
        collection_files([folder])


def test_folders_of_one_name_a_folder_twice_and_no_folder(tmp_path):
    one = lay(tmp_path / "dev" / "fiqa", "qrels", "runs/a.run")
    two = lay(tmp_path / "test" / "fiqa", "qrels", "runs/a.run")
    with pytest.raises(InputError, match="would both be called 'fiqa': a table with the columns"):
        collection_files([one, two])
    with pytest.raises(InputError, match="must be named once"):
        collection_files([one, one])
    form = r"must be folders with qrels and runs, or one table \(csv, tsv, jsonl\) with the columns"
    with pytest.raises(InputError, match=f"scifact: collections {form}.*; got no such folder$"):
        collection_files([tmp_path / "scifact"])
    with pytest.raises(InputError, match=f"qrels: collections {form}.*; got a file$"):
        collection_files([one / "qrels", one])


HEAD = "collection,qrels,run,system\n"


def table(tmp_path, text, name="collections.csv"):
    lay(tmp_path, "fiqa/dev.tsv", "fiqa/a.run", "fiqa/b.run", "nq/q.txt", "nq/c.run")
    path = tmp_path / name
    path.write_text(text)
    return path


def test_a_table_names_files_relative_to_it(tmp_path):
    path = table(
        tmp_path,
        f"{HEAD}fiqa,fiqa/dev.tsv,fiqa/*.run,\nnq,nq/q.txt,nq/c.run,a\nnq,nq/q.txt,irds:x/y,b\n",
    )
    fiqa, nq = collection_files([path])
    assert relative([fiqa], tmp_path) == {"fiqa": ("fiqa/dev.tsv", ["fiqa/a.run", "fiqa/b.run"])}
    assert fiqa.systems == {}
    assert nq.systems == {str(tmp_path / "nq/c.run"): "a", "irds:x/y": "b"}


def test_qrels_of_a_table_may_be_an_id_of_ir_datasets(tmp_path):
    rows = '{"collection": "fiqa", "qrels": "beir/fiqa/dev", "run": "fiqa/a.run"}\n'
    (found,) = collection_files([table(tmp_path, rows, "collections.jsonl")])
    assert found.qrels == "beir/fiqa/dev"


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        ("", "the table must have at least one row"),
        ("fiqa,fiqa/dev.tsv,fiqa/no.run,\n", ":2: .*no.run: no such file"),
        ("fiqa,fiqa/dev.tsv,fiqa/*.run,a\n", ":2: a system must have one run; .* matches 2 files"),
        (
            "fiqa,fiqa/dev.tsv,fiqa/a.run,\nfiqa,nq/q.txt,fiqa/b.run,\n",
            ":3: collection 'fiqa' must have one file of qrels",
        ),
        (
            "fiqa,fiqa/dev.tsv,fiqa/a.run,\nfiqa,fiqa/dev.tsv,fiqa/*.run,\n",
            ":3: collection 'fiqa' has the run .*a.run twice",
        ),
        ("fiqa,,fiqa/a.run,\n", ":2: column 'qrels'"),
    ],
)
def test_a_wrong_table_is_one_line(tmp_path, rows, message):
    with pytest.raises(InputError, match=message):
        collection_files([table(tmp_path, HEAD + rows)])
