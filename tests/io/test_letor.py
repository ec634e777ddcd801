"""LETOR files to qrels, features and runs."""

import gzip

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_array_equal

from irx_measures import evaluate, nDCG_UE, read_letor

LINES = """2 qid:7 1:0.5 3:1.5 #docid = GX1-2 inc = 0.1 prob = 0.2
0 qid:7 2:0.25 # docid=GX2

# a comment
1 qid:8 1:-1e-3 2:4
-1 qid:8
"""


@pytest.fixture
def path(tmp_path):
    path = tmp_path / "letor.txt"
    path.write_text(LINES)
    return path


def test_an_id_of_a_query_may_hold_colons(path):
    path.write_text("1 qid:a:7 1:1\n")
    assert read_letor(path).query_ids == ("a:7",)


@pytest.mark.parametrize("name", ["letor.txt", "letor.gz"])
def test_every_row_is_read(path, name):
    content = b"\xef\xbb\xbf" + LINES.replace("\n", "\r\n").encode()
    path.with_name("letor.gz").write_bytes(gzip.compress(content))
    data = read_letor(path.with_name(name))
    assert data.query_ids == ("7", "7", "8", "8")
    assert data.doc_ids == ("GX1-2", "GX2", "8-1", "8-2")
    assert data.grade.tolist() == [2, 0, 1, -1]
    assert_array_equal(data.features, [[0.5, 0, 1.5], [0, 0.25, 0], [-1e-3, 4, 0], [0, 0, 0]])
    assert data.group_sizes.tolist() == [2, 2]


def test_an_empty_file_has_no_documents(tmp_path):
    path = tmp_path / "empty"
    path.write_text("")
    data = read_letor(path)
    assert data.features.shape == (0, 0)
    assert data.group_sizes.tolist() == []


def test_frames_are_those_of_pyterrier_and_evaluate_reads_them(path):
    data = read_letor(path)
    assert data.topics().to_dict("list") == {"qid": ["7", "8"], "query": ["", ""]}
    assert data.qrels().to_dict("list") == {
        "qid": ["7", "7", "8", "8"],
        "docno": ["GX1-2", "GX2", "8-1", "8-2"],
        "label": [2, 0, 1, -1],
    }
    run = data.run([0.0, 1.0, 3.0, 3.0])
    assert run["docno"].tolist() == ["GX2", "GX1-2", "8-2", "8-1"]
    assert run["rank"].tolist() == [0, 1, 0, 1]
    matrix = evaluate(data.qrels(), {"perfect": data.run(data.grade), "other": run}, nDCG_UE @ 5)
    assert matrix.scores[0, 0].tolist() == [1.0, 1.0]
    assert (matrix.scores[0, 1] < 1).all()


features = st.dictionaries(st.integers(1, 9), st.floats(-1e6, 1e6), max_size=5)


@given(st.lists(st.tuples(st.integers(-2, 4), features), max_size=6))
def test_what_is_written_is_read(tmp_path_factory, documents):
    path = tmp_path_factory.mktemp("letor") / "file"
    cells = [
        (grade, " ".join(f"{n}:{value!r}" for n, value in of.items())) for grade, of in documents
    ]
    path.write_text("".join(f"{grade} qid:q {row}\n" for grade, row in cells))
    data = read_letor(path)
    assert data.grade.tolist() == [grade for grade, _ in documents]
    for got, (_, row) in zip(data.features, documents, strict=True):
        found = {number + 1: got[number] for number in np.flatnonzero(got)}
        assert found == {number: value for number, value in row.items() if value}


@pytest.mark.parametrize(
    ("line", "got"),
    [
        ("2", "''"), ("2 id:7 1:1", "'id:7'"), ("2 qid: 1:1", "'qid:'"), ("2.5 qid:7", "'2.5'"),
        ("1_0 qid:7", "'1_0'"), ("١ qid:7", "'١'"), ("2147483648 qid:7", "'2147483648'"),
        ("-2147483648 qid:7", "'-2147483648'"),
        *((f"2 qid:7 {feature}", f"'{feature}'") for feature in
          ("0:1", "a:1", "1:nan", "1:inf", "1", "100001:1", "1_0:1", "1:1_0", "١:1")),
        ("2 qid:7 1:1\u00a02:1", r"'1:1\\xa02:1'"),
        ("2 qid:7 3:1 1:1 3:2", "'3:2'"),
        ("2 qid:7 1:1 2:\0", "a null byte"),
        ("2 qid:7#c 1:1", "a comment, or a part of the query.*'2 qid:7'"),
        ("2 qid:7 1:1 #docid = GX1-2", "query '7' has document 'GX1-2' twice"),
    ],
)  # fmt: skip
def test_a_malformed_line_is_named(path, line, got):
    path.write_text(f"{LINES}{line}\n")
    with pytest.raises(ValueError, match=f"letor.txt:7: .*{got}"):
        read_letor(path)


@pytest.mark.parametrize("comment", ["mydocid = X", "olddocid=X", "nodocid", "docids = X"])
def test_only_docid_names_the_document(path, comment):
    path.write_text(f"1 qid:7 1:1 # {comment}\n1 qid:7 1:2 # inc = 1 docid = Y\n")
    assert read_letor(path).doc_ids == ("7-1", "Y")


def test_a_matrix_that_would_be_almost_empty_is_refused(path):
    path.write_text("".join(f"0 qid:{query} 100000:1\n" for query in range(5000)))
    fact = "letor.txt: the file gives 5000 features of 5000 documents; a matrix of 5000 x "
    with pytest.raises(ValueError, match=fact):
        read_letor(path)
    path.write_text("".join(f"0 qid:{query} 700:1\n" for query in range(20_000)))
    assert read_letor(path).features.shape == (20_000, 700)


def test_ranks_are_those_of_trec_eval_also_for_scores_that_are_one_float32(tmp_path):
    path = tmp_path / "ties.txt"
    path.write_text("".join(f"0 qid:{q} 1:1 #docid = {doc}\n" for q in "92" for doc in "abc"))
    data = read_letor(path)
    assert np.float32(1 + 1e-9) == np.float32(1)
    frame = data.run([1 + 1e-9, 1.0, 0.5, 2.0, 0.0, -0.0])
    assert frame["qid"].tolist() == [*"222999"]
    assert frame["docno"].tolist() == ["a", "c", "b", "b", "a", "c"]
    assert frame["rank"].tolist() == [0, 1, 2, 0, 1, 2]
    assert frame["score"].tolist() == [2.0, -0.0, 0.0, 1.0, 1 + 1e-9, 0.5]


@pytest.mark.parametrize(
    ("scores", "words"),
    [
        ([1.0], r"one score for each of 4 documents; got shape \(1,\)"),
        ([1.0, 2.0, float("nan"), 1.0], "finite numbers; got nan"),
    ],
)
def test_scores_that_do_not_fit_are_told(path, scores, words):
    with pytest.raises(ValueError, match=words):
        read_letor(path).run(scores)


def test_documents_of_a_query_apart_have_no_groups(tmp_path):
    path = tmp_path / "apart"
    path.write_text("0 qid:1\n0 qid:2\n0 qid:1\n")
    with pytest.raises(ValueError, match="must stand together"):
        _ = read_letor(path).group_sizes
