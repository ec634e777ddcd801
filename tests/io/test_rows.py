"""The one reader of people's tables: what it takes and what it refuses is the same in every use."""

import gzip
import json

import pytest

from irx_measures import InputError, ScoreMatrix
from irx_measures.io.groups import read_costs, read_groups, read_query_groups
from irx_measures.io.qrels_files import filled_rows
from irx_measures.io.rows import blocks
from irx_measures.io.trec import read_qrels, read_run
from irx_measures.reporting.report.documents import read_topics


def rows_of(columns, value):
    return columns.query.all(), columns.doc.all(), columns.value.tolist()


# By use: the reader, and a table that it reads.
USES = {
    "run": (lambda path: rows_of(read_run(path), "score"), "query_id,doc_id,score\nq1,d1,2"),
    "qrels": (lambda path: rows_of(read_qrels(path), "grade"), "qid,docno,relevance\nq1,d1,2"),
    "groups": (read_groups, "run,group\nq1,x"),
    "query groups": (read_query_groups, "query_id,group\nq1,x"),
    "costs": (read_costs, "run,cost\nq1,2"),
    "judgments": (
        lambda path: [row[1:4] for row in filled_rows(path)],
        "query_id,doc_id,grade\nq1,d1,2",
    ),
    "scores": (ScoreMatrix.from_files, "system,query_id,measure,value\na,q1,m,2"),
    "wide scores": (ScoreMatrix.from_files, "query_id,bm25,dense\nq1,2,1"),
    "topics": (read_topics, "qid,text\nq1,a b"),
}
OF_NUMBERS = {"run", "qrels", "costs", "scores", "wide scores"}


def cells(table):
    return [line.split(",") for line in table.split("\n")]


def as_text(table, separator, end="\n"):
    return "".join(separator.join(row) + end for row in table)


def as_json(table, numbers=True):
    heads, *rest = table

    def value(text):
        return int(text) if numbers and text.isdecimal() else text

    records = [dict(zip(heads, map(value, row), strict=True)) for row in rest]
    return "".join(json.dumps(record) + "\n" for record in records)


def spaced(table):
    return [[f" {cell} " for cell in row] for row in table]


FORMS = {
    "plain.csv": lambda table: as_text(table, ","),
    "tabs.tsv": lambda table: as_text(table, "\t"),
    "tabs.csv": lambda table: as_text(table, "\t"),
    "german.csv": lambda table: as_text(table, ";", "\r\n") + ";" * (len(table[0]) - 1) + "\r\n",
    "windows.csv": lambda table: "\ufeff" + as_text(table, ",", "\r\n"),
    "spaces.csv": lambda table: as_text(spaced(table), ","),
    "quoted.csv": lambda table: as_text([[f'"{cell}"' for cell in row] for row in table], ","),
    "lines.jsonl": as_json,
    "lines.ndjson": lambda table: "\n" + as_json(table),
    "packed.csv.gz": lambda table: as_text(table, ","),
}


def written(folder, name, text):
    path = folder / name
    content = text if isinstance(text, bytes) else text.encode()
    path.write_bytes(gzip.compress(content) if name.endswith(".gz") else content)
    return path


@pytest.mark.parametrize("name", FORMS)
@pytest.mark.parametrize("use", USES)
def test_every_form_of_a_table_is_the_same_table(tmp_path, use, name):
    read, text = USES[use]
    expected = read(written(tmp_path, "it.csv", text))
    assert expected
    assert read(written(tmp_path, name, FORMS[name](cells(text)))) == expected


def with_cell(column, value):
    """The table with another value in its last row."""

    def change(table):
        heads, row = table[0], list(table[-1])
        row[column] = value
        return [heads, row]

    return change


def of_table(change, name="it.csv"):
    return name, lambda table: as_text(change(table), ",")


def of_json(column, value):
    def change(table):
        record = dict(zip(*table[:2], strict=True))
        record[table[0][column]] = value
        return json.dumps(record)

    return "it.jsonl", change


# By mistake: the file, its content made from a good table, and where the message says that it is.
MISTAKES = {
    "a head twice": (*of_table(lambda table: [row + row for row in table]), 1),
    "no such column": (*of_table(lambda table: [[f"x{head}" for head in table[0]], table[1]]), 1),
    "no text": ("it.csv", lambda table: "", 1),
    "a cell too many": (*of_table(lambda table: [table[0], [*table[1], "x"]]), 2),
    "a cell too few": (*of_table(lambda table: [table[0], table[1][:-1]]), 2),
    "an empty name": (*of_table(with_cell(0, "")), 2),
    "spaces only": (*of_table(with_cell(0, "  ")), 2),
    "a null byte": ("it.csv", lambda table: as_text(table, ",") + "\0", 3),
    "no UTF-8": ("it.csv", lambda table: as_text(table, ",").encode() + b"\xff", 3),
    "a line of 2 MB": (*of_table(with_cell(0, "x" * (1 << 21))), 2),
    "a cell of 200 kB": (*of_table(with_cell(0, "x" * 200_000)), 2),
    "a quotation mark that ends nowhere": (*of_table(with_cell(-1, '"2')), 2),
    "no object": ("it.jsonl", lambda table: "[1]", 1),
    "no JSON": ("it.jsonl", lambda table: as_json(table) + "{", 2),
    "a key twice": ("it.jsonl", lambda table: '{"a": 1, "a": 2}', 1),
    "an id that is no text": (*of_json(0, 7), 1),
    "no id": (*of_json(0, None), 1),
}  # fmt: skip


@pytest.mark.parametrize("mistake", MISTAKES)
@pytest.mark.parametrize("use", USES)
def test_what_one_use_refuses_all_refuse_with_file_and_line(tmp_path, use, mistake):
    read, text = USES[use]
    name, change, line = MISTAKES[mistake]
    path = written(tmp_path, name, change(cells(text)))
    with pytest.raises(InputError) as told:
        read(path)
    assert str(told.value).startswith((f"{path}:{line}: ", f"{path}: " if line == 1 else "\0"))
    assert len(str(told.value)) < 400 + len(str(path))


NO_NUMBERS = {
    "it.csv:2": ["1_0", "١", "yes", "true", "0x10", "9" * 400, "1e999", "1 0"],
    "it.jsonl:1": ["1", True, 10**400, [1]],
}


BOOLEANS = [("wide scores", "true"), ("wide scores", True)]  # no system, and left out


@pytest.mark.parametrize(
    ("use", "place", "number"),
    [
        (use, place, number)
        for use in sorted(OF_NUMBERS)
        for place in NO_NUMBERS
        for number in NO_NUMBERS[place]
        if (use, number) not in BOOLEANS
    ],
)
def test_what_is_no_number(tmp_path, use, place, number):
    read, text = USES[use]
    is_json = place.startswith("it.jsonl")
    name, change = of_json(-1, number) if is_json else of_table(with_cell(-1, number))
    path = written(tmp_path, name, change(cells(text)))
    with pytest.raises(InputError, match=rf"{place}: .* must hold (finite )?numbers; got "):
        read(path)


@pytest.mark.parametrize(
    ("text", "number"),
    [("2,5", 2.5), ("-1e-3", -0.001), ("1.000,5", None), ("1,0,5", None)],
)
def test_a_decimal_comma_goes_with_semicolons(tmp_path, text, number):
    path = written(tmp_path, "it.csv", f"run;cost\na;{text}\n")
    if number is None:
        with pytest.raises(InputError, match="must hold numbers"):
            read_costs(path)
    else:
        assert read_costs(path) == {"a": number}


@pytest.mark.parametrize(("use", "kind"), [("groups", "run"), ("query groups", "query"),
                                           ("costs", "run"), ("scores", "m of 'a'")])  # fmt: skip
def test_what_is_told_twice_is_refused(tmp_path, use, kind):
    read, text = USES[use]
    heads, row = text.split("\n")
    path = written(tmp_path, "it.csv", f"{heads}\n{row}\n{row}\n")
    with pytest.raises(InputError, match=rf"it\.csv:3: {kind}.* occurs twice"):
        read(path)


@pytest.mark.parametrize(
    ("read", "heads", "values", "message"),
    [
        (read_costs, "run,cost", ["nan", "inf", "-inf"], ".* must hold finite numbers"),
        (read_qrels, "qid,docno,label", ["0.5", "nan", "99999999999"], "a grade must be "),
    ],
)
def test_costs_are_finite_and_grades_whole(tmp_path, read, heads, values, message):
    for value in values:
        path = written(tmp_path, "it.csv", f"{heads}\n" + "q," * heads.count(",") + value)
        with pytest.raises(InputError, match=rf"it\.csv:2: {message}"):
            read(path)


def test_columns_of_spreadsheets_may_have_no_name(tmp_path):
    path = written(tmp_path, "it.csv", ",run,group,,\n0,a,x,,\n,,,,\n1,b,y,,\n")
    assert read_groups(path) == {"a": "x", "b": "y"}
    assert [line for block in blocks(path) for line in block.line] == [2, 4]


HEADS = ("query-id\tcorpus-id\tscore", "qid,docno,label", "query_id;doc_id;relevance")


@pytest.mark.parametrize("head", HEADS)
@pytest.mark.parametrize("name", ["it.tsv", "it.csv", "it.txt", "qrels"])
def test_a_header_makes_a_file_a_table_which_has_no_comments(tmp_path, name, head):
    (separator,) = set(head) & {*",;\t"}
    rows = [["#c", "d 1", "2"], ["q", "d", "1.0"]]
    path = written(tmp_path, name, f"{head}\n{as_text(rows, separator)}")
    assert rows_of(read_qrels(path), "grade") == (["#c", "q"], ["d 1", "d"], [2, 1])
    assert [row[1:4] for row in filled_rows(path)] == [tuple(row) for row in rows]


def test_tsv_without_a_header_is_no_table(tmp_path):
    trec = written(tmp_path, "trec.tsv", "q1\t0\td1\t2\n")
    assert read_qrels(trec).doc.all() == ["d1"]
    assert [row[1:4] for row in filled_rows(trec)] == [("q1", "d1", "2")]


@pytest.mark.parametrize("group", [None, "", float("nan")])
def test_a_run_without_a_group_is_refused(group):
    with pytest.raises(ValueError, match="`groups`: run 'b' must have a group; got "):
        read_groups({"a": "A", "b": group})


def test_groups_of_another_kind_are_refused():
    with pytest.raises(TypeError, match=r"`groups` must be a dict, .* the path .*; got list"):
        read_groups([("a", "A")])
