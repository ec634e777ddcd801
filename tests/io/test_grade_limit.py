"""A grade has at most 31 bits in every form of qrels: the limit itself is the first beyond it."""

import json

import numpy as np
import pandas as pd
import pytest
from ir_measures import Qrel

from irx_measures import InputError, nDCGBound, read_letor
from irx_measures.io.columns import GRADE_LIMIT
from irx_measures.io.trec import read_qrels


def trec(grade, path):
    path.write_text(f"q 0 d {grade}\n")
    return path


def beir(grade, path):
    path.write_text(f"query-id\tcorpus-id\tscore\nq\td\t{grade}\n")
    return path


def in_json(grade, path):
    path = path.with_suffix(".json")
    path.write_text(json.dumps({"q": {"d": grade}}))
    return path


FORMS = {
    "trec": trec,
    "beir": beir,
    "json": in_json,
    "dict": lambda grade, path: {"q": {"d": grade}},
    "rows": lambda grade, path: [Qrel("q", "d", grade)],
    "floats": lambda grade, path: {"q": {"d": float(grade)}},
    "frame": lambda grade, path: pd.DataFrame(
        {"query_id": ["q"], "doc_id": ["d"], "relevance": np.array([grade], np.int64)}
    ),
}


@pytest.mark.parametrize("sign", [1, -1])
@pytest.mark.parametrize("form", FORMS.values(), ids=FORMS)
def test_the_limit_is_beyond(form, sign, tmp_path):
    highest = sign * (GRADE_LIMIT - 1)
    assert read_qrels(form(highest, tmp_path / "qrels")).value.tolist() == [highest]
    with pytest.raises(InputError, match=r"whole numbers? of at most 31 bits; got"):
        read_qrels(form(sign * GRADE_LIMIT, tmp_path / "qrels"))


@pytest.mark.parametrize("sign", [1, -1])
def test_the_limit_is_beyond_in_letor_files(sign, tmp_path):
    path = tmp_path / "letor.txt"
    path.write_text(f"{sign * (GRADE_LIMIT - 1)} qid:q 1:1\n")
    assert read_letor(path).qrels()["label"].tolist() == [sign * (GRADE_LIMIT - 1)]
    path.write_text(f"{sign * GRADE_LIMIT} qid:q 1:1\n")
    with pytest.raises(InputError, match="31 bits"):
        read_letor(path)


def test_the_limit_is_beyond_as_the_highest_grade_of_a_measure():
    assert nDCGBound(max_grade=GRADE_LIMIT - 1)["max_grade"] == GRADE_LIMIT - 1
    with pytest.raises(InputError, match=r"`max_grade` must be .* got 2147483648"):
        nDCGBound(max_grade=GRADE_LIMIT)
