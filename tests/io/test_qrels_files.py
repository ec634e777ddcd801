"""Files of judgments that people filled in: tables, JSON lines and TREC qrels."""

import pytest

from irx_measures import InputError
from irx_measures.io.qrels_files import filled_rows

TABLE = "query_id\tdoc_id\tgrade\treason\nq1\td1\t1\tfirst\nq1\td2\t\tsecond\nq2\td1\t1.0\t\n"
ROWS = [("q1", "d1", "1"), ("q1", "d2", ""), ("q2", "d1", "1.0")]

FORMS = {
    "batch.tsv": TABLE,
    "batch.txt": TABLE,
    "batch.jsonl": '{"query_id": "q1", "doc_id": "d1", "grade": 1}\n'
    '{"query_id": "q1", "doc_id": "d2", "grade": null}\n'
    '{"query_id": "q2", "doc_id": "d1", "grade": 1.0}\n',
    "empty.txt": "",
}


def rows_of(tmp_path, name, text):
    path = tmp_path / name
    path.write_bytes(text.encode())
    return list(filled_rows(path))


@pytest.mark.parametrize("name", FORMS)
def test_tables_are_read_in_every_form(tmp_path, name):
    rows = rows_of(tmp_path, name, FORMS[name])
    first = 1 if name.endswith(".jsonl") else 2
    assert [tuple(row) for row in rows] == [
        (f"{tmp_path / name}:{line}", *cells) for line, cells in enumerate(ROWS, first)
    ] * bool(FORMS[name])


def test_qrels_are_read_with_their_lines(tmp_path):
    rows = rows_of(tmp_path, "ann.qrels", "# mine\nq1 0 d1 1\n\nq2 0 d1 -1\n")
    assert [tuple(row) for row in rows] == [
        (f"{tmp_path}/ann.qrels:2", "q1", "d1", "1"),
        (f"{tmp_path}/ann.qrels:4", "q2", "d1", "-1"),
    ]


def test_a_line_of_another_width_is_an_error(tmp_path):
    with pytest.raises(InputError, match=r"a\.txt:2: a line must have 4 columns"):
        rows_of(tmp_path, "a.txt", "q 0 d 1\nq d 1\n")
