"""The native core answers what the readers in Python answer, or it declines."""

import random

import pytest

from irx_measures.io.containers import qrels_table
from irx_measures.judgments.judgments import Judgments

from .hostile import FORMS, check, random_judgments, written


@pytest.mark.slow
@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("seed", range(10))
def test_in_memory(form, seed):
    rng = random.Random(seed)
    for hostile in (0.0, 0.3):
        for _ in range(10):
            check(random_judgments(rng), FORMS[form](rng, hostile))


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(10))
def test_files(seed, tmp_path):
    rng = random.Random(seed)
    for hostile in (0.0, 0.3):
        for _ in range(10):
            check(random_judgments(rng), written(rng, hostile, tmp_path))


@pytest.mark.parametrize("form", [*FORMS, "file"])
def test_regular_runs_are_answered(form, tmp_path):
    rng = random.Random(1)
    regular = 0
    for _ in range(40):
        judgments = random_judgments(rng)
        run = written(rng, 0, tmp_path) if form == "file" else FORMS[form](rng, 0)
        regular += check(judgments, run)
    assert regular > (8 if form == "arrow" else 20)  # dictionaries are declined


@pytest.mark.parametrize("line", [b"#q Q0 a 0 1 t", b"# Q0 a 0 1 t", b" #q Q0 a 0 1 t", b"#"])
def test_lines_that_start_with_a_hash_are_declined(line, tmp_path):
    judgments = Judgments(qrels_table({"q": {"a": 1}, "#q": {"a": 1}, "#": {"a": 1}}))
    path = tmp_path / "run.txt"
    path.write_bytes(b"q Q0 a 0 1 t\n" + line + b"\n")
    assert not check(judgments, path)
