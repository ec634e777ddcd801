"""Globs that the shell did not expand are files, at every argument that is read."""

import argparse
import shutil

import pytest

from irx_measures import RunSet
from irx_measures.cli.files import file_or_name, input_file, input_path
from irx_measures.cli.main import _parser
from tests.doubts import ANY_DOUBT

pytestmark = ANY_DOUBT

DENSE = "runs/dense-a.run.gz runs/dense-b.run.gz runs/dense-c.run.gz"
LEXICAL = DENSE.replace("dense", "lexical")

SAME = {
    "evaluate qrels.txt runs/*.run.gz -m P@5": "evaluate qrels.txt RUNS -m P@5",
    "evaluate qrel?.txt runs/d* runs/l* -m P@5": "evaluate qrels.txt RUNS -m P@5",
    "evaluate qrels.txt runs/dense-[ac]* -m P@5": "evaluate qrels.txt runs/dense-a.run.gz "
    "runs/dense-c.run.gz -m P@5",
    "evaluate qrels.txt runs/l* -m NRG@5 --prior runs/d*": f"evaluate qrels.txt {LEXICAL} -m NRG@5 "
    "--prior runs/dense-a.run.gz --prior runs/dense-b.run.gz --prior runs/dense-c.run.gz",
    "evaluate - runs/l* --reference runs/dense-a* -m RBO@5": f"evaluate - {LEXICAL} --reference "
    "runs/dense-a.run.gz -m RBO@5",
    "evaluate qrels.txt RUNS -m P@5 --by by.cs?": "evaluate qrels.txt RUNS -m P@5 --by by.csv",
    "compare qrels.txt runs/l* -m P@5 --baseline runs/dense-a*": f"compare qrels.txt {LEXICAL} "
    "-m P@5 --baseline runs/dense-a.run.gz",
    "explain qrels.txt runs/lexical-a* -m P@5 --against runs/dense-a*": "explain qrels.txt "
    "runs/lexical-a.run.gz runs/dense-a.run.gz -m P@5 --system lexical-a --against dense-a",
    "compare --scores score?.csv": "compare --scores scores.csv",
    "judge audit huma*.txt mach*.txt runs/d*": f"judge audit human.txt machine.txt {DENSE}",
    "judge audit human.txt machine.txt --machine qrel*.txt": "judge audit human.txt machine.txt "
    "--machine qrels.txt",
    "judge estimate huma?.txt qrel?.txt runs/d* -m P@5": "judge estimate human.txt qrels.txt "
    f"{DENSE} -m P@5",
    "meta pareto qrels.txt runs/* -m P@5 --costs cost?.csv": "meta pareto qrels.txt RUNS -m P@5 "
    "--costs costs.csv",
}  # fmt: skip


@pytest.mark.parametrize("given", SAME)
def test_a_glob_is_the_files_in_sorted_order(irx, given):
    of_glob, of_files = irx(given), irx(SAME[given])
    assert of_glob.returncode == 0, of_glob.stderr
    assert (of_glob.stdout, of_glob.stderr) == (of_files.stdout, of_files.stderr)


def test_the_name_of_a_file_is_no_glob(irx, folder, tmp_path):
    for name in ("a[1].run.gz", "a1.run.gz", "b?.run.gz"):
        shutil.copy(folder / "runs" / "dense-a.run.gz", tmp_path / name)
    done = irx(f"evaluate qrels.txt {tmp_path}/a[1].run.gz {tmp_path}/b? -m P@5 -o csv")
    assert done.returncode == 2
    done = irx(f"evaluate qrels.txt {tmp_path}/a[1].run.gz {tmp_path}/b?.* -m P@5 -o csv")
    assert [row.split(",")[0] for row in done.stdout.splitlines()] == ["system", "a[1]", "b?"]


def test_the_name_of_a_folder_is_no_glob(irx, folder, tmp_path):
    runs = tmp_path / "runs [a]" / "of May"
    runs.mkdir(parents=True)
    for name in ("a.run.gz", "b [x].run.gz"):
        shutil.copy(folder / "runs" / "dense-a.run.gz", runs / name)
    for pattern in ("runs [a]/of May/*.gz", "runs [a]/*/*.gz", "runs [[]a]/*/*.gz", "runs*/*/*"):
        done = irx("evaluate qrels.txt", str(tmp_path / pattern), "-m", "P@5", "-o", "csv")
        assert [row.split(",")[0] for row in done.stdout.splitlines()] == ["system", "a", "b [x]"]
        assert RunSet(str(tmp_path / pattern)).names == ("a", "b [x]")


def test_a_prior_may_have_any_signs_in_its_path(irx, folder, tmp_path):
    prior = tmp_path / "rm3, k=10 #1's (2019).run.gz"
    shutil.copy(folder / "runs" / "dense-a.run.gz", prior)
    asked = ("evaluate qrels.txt runs/lexical-a.run.gz -o csv -m NRG@5 --prior",)
    done, expected = irx(*asked, str(prior)), irx(*asked, "runs/dense-a.run.gz")
    assert done.returncode == 0, done.stderr
    assert done.stdout.split(",")[-1] == expected.stdout.split(",")[-1]


def test_the_name_of_a_run_is_no_glob(irx, folder, tmp_path):
    for name in ("a[1].run.gz", "b.run.gz"):
        shutil.copy(folder / "runs" / "dense-a.run.gz", tmp_path / name)
    done = irx(
        f"compare qrels.txt {tmp_path}/a[1].run.gz {tmp_path}/b.run.gz -m P@5 --baseline a[1]"
    )
    assert done.returncode == 0, done.stderr


READ = {"qrels", "human", "machine", "runs", "baselines", "scores", "by", "priors", "reference",
        "groups", "costs", "topics", "dataset", "files", "more", "collections",
        "against"}  # fmt: skip


def test_every_argument_that_is_read_expands_globs():
    for parser in _parser().commands():
        for action in parser._actions:
            expands = action.type in (input_file, input_path, file_or_name)
            of_number = action.metavar == "N"
            assert expands == (action.dest in READ and not of_number), (parser.prog, action.dest)
            assert not (expands and isinstance(action, argparse._StoreConstAction))
