"""Reading TREC files, by the native core and without it: the same data, the same errors."""

import gzip
import os
import re
import threading
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from irx_measures import RunSet, evaluate, read_letor
from irx_measures.exceptions import InputError
from irx_measures.io import core
from irx_measures.io import reading as blocks
from irx_measures.io.columns import LONGEST_ID, WHOLE_GRADES
from irx_measures.io.groups import read_groups
from irx_measures.io.lines import LIKE, SPACED
from irx_measures.io.trec import read_qrels, read_run

RUN = b"q1 Q0 d1 1 2.5 tag\nq1 Q0 d2 2 -1e-3 tag\nq2 Q0 d1 1 3 tag\n"
LONG_TAGS = RUN.replace(b"tag", b"my tag")
RUN_ROWS = [("q1", "d1", 2.5), ("q1", "d2", -1e-3), ("q2", "d1", 3.0)]
QRELS = b"q1 0 d1 2\nq1 0 d2 -2147483647\nq2 0 d1 0\n"
QRELS_ROWS = [("q1", "d1", 2), ("q1", "d2", 1 - 2**31), ("q2", "d1", 0)]


@pytest.fixture(params=["core", "plain"])
def reader(request, monkeypatch):
    """Each test runs with the native core, if it was built, and without it."""
    if request.param == "plain":
        monkeypatch.setattr(core, "BUILT", False)


@pytest.fixture
def written(tmp_path):
    def write(content, name="a.txt"):
        path = tmp_path / name
        path.write_bytes(gzip.compress(content) if name.endswith(".gz") else content)
        return path

    return write


def rows(columns):
    """Query, document, and score or grade, of each row of a run or of qrels."""
    return list(zip(columns.query.all(), columns.doc.all(), columns.value.tolist(), strict=True))


# Accepted files


@pytest.mark.parametrize("kind", [str, Path])
def test_qrels_are_read_from_any_path(reader, written, kind):
    qrels = read_qrels(kind(written(QRELS, "qrels.gz")))
    assert rows(qrels) == QRELS_ROWS
    assert qrels.value.dtype == np.int64


VARIANTS = {
    "comment": b"# a comment\n" + RUN,
    "comment at the end": RUN + b"#q1 Q0 d1 1 x tag",
    "blank lines": b"\n" + RUN.replace(b"\n", b"\n \t \n\n"),
    "CRLF": RUN.replace(b"\n", b"\r\n"),
    "tabs": RUN.replace(b" ", b"\t"),
    "several spaces": RUN.replace(b" ", b"   "),
    "spaces and tabs": RUN.replace(b" Q0 ", b"\tQ0\t"),
    "indented": RUN.replace(b"q", b"  q"),
    "spaces at the ends": RUN.replace(b"\n", b"  \n"),
    "vertical tab, form feed": RUN.replace(b" Q0", b"\x0b\x0cQ0"),
    "byte order mark": b"\xef\xbb\xbf" + RUN,
    "byte order mark, comment": b"\xef\xbb\xbf# a comment\r\n" + RUN,
    "no final newline": RUN.rstrip(b"\n"),
    "a tag in Latin-1": RUN.replace(b"tag", b"\xe9t\xe9"),
    "a plus sign": RUN.replace(b"2.5", b"+2.50"),
    "a tag of two words": LONG_TAGS,
    "two spaces in a tag": LONG_TAGS.replace(b"my ", b"my  ", 1),
    "a tag with numbers": LONG_TAGS.replace(b"my tag", b"5x my 2.5"),
    "a space after a tag": LONG_TAGS.replace(b"tag\n", b"tag \n"),
    "text after one tag": RUN.replace(b"tag", b"tag\tand more, 1 2 3", 1),
}


@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("name", ["a.run", "a.run.gz"])
def test_variants_of_the_format_hold_the_same_data(reader, written, variant, name):
    assert rows(read_run(written(VARIANTS[variant], name))) == RUN_ROWS


BEIR = b"query-id\tcorpus-id\tscore\n" + QRELS.replace(b" 0 ", b"\t").replace(b" ", b"\t")


@pytest.mark.parametrize("end", [b"\n", b"\r\n"])
@pytest.mark.parametrize("name", ["test.tsv", "test.tsv.gz"])
def test_qrels_of_beir_are_read_by_their_header(reader, written, end, name):
    assert rows(read_qrels(written(BEIR.replace(b"\n", end), name))) == QRELS_ROWS
    assert rows(read_qrels(written(b"query-id\tcorpus-id\tscore"))) == []


def test_a_bad_line_of_beir_qrels_is_named(reader, monkeypatch, written):
    monkeypatch.setattr(blocks, "BLOCK_BYTES", 30)
    with pytest.raises(InputError, match=r"a\.txt:5: a row must have 3 cells, .*; got 2"):
        read_qrels(written(BEIR + b"q3\td\n"))
    with pytest.raises(InputError, match=r"a\.txt:2: .* whole number .*; got 1.5 \("):
        read_qrels(written(BEIR[:26] + b"q3\td\t1.5\n"))


@pytest.mark.parametrize("name", ["qrels", "qrels.gz"])
def test_whole_grades_may_be_written_as_floats(reader, written, name):
    content = b"q1 0 d1 .2e1\nq1 0 d2 -2147483647.\nq2 0 d1 -0.00\n"
    assert rows(read_qrels(written(content, name))) == QRELS_ROWS


MSMARCO = b"q1\td1\t1\nq1\td2\t2\nq2\td1\t1\n"


@pytest.mark.parametrize("name", ["run.tsv", "run.tsv.gz"])
def test_runs_of_ms_marco_are_read_where_the_format_is_named(reader, written, name):
    path = written(MSMARCO, name)
    ranks = [("q1", "d1", -1.0), ("q1", "d2", -2.0), ("q2", "d1", -1.0)]
    assert rows(read_run(path, form="msmarco")) == ranks
    hint = r"6 columns; got 3: 'q1 d1 1' \(`RunSet\(..., format='msmarco'\)` reads MS MARCO's q"
    with pytest.raises(InputError, match=hint):
        read_run(path)
    with pytest.raises(InputError, match=r":1: a line must have 3 columns; got 6"):
        read_run(written(RUN), form="msmarco")
    with pytest.raises(InputError, match=r":1: rank must be a whole number .* got '0.5'"):
        read_run(written(b"q1\td1\t0.5\n"), form="msmarco")


def test_files_in_the_place_of_each_other_are_recognised(reader, written):
    with pytest.raises(InputError, match=r"got 6: .* \(this looks like a run: are runs and qrels"):
        read_qrels(written(RUN))
    with pytest.raises(InputError, match=r"got 4: .* \(these look like qrels: are runs and qrels"):
        read_run(written(QRELS))


DOC_IDS = ['"quoted', '"a"', "a,b", "é", "文書", "d#1", "nan", "\\N"]
DOC_IDS += [f"a{sign}b" for sign in "\u00a0\u2003\x1c\x85"]


@pytest.mark.parametrize("doc_id", DOC_IDS)
def test_only_ascii_white_space_ends_an_id(reader, written, doc_id):
    line = f"q Q0 {doc_id} 1 1.0 tag\n".encode()
    assert rows(read_run(written(line))) == [("q", doc_id, 1.0)]


@pytest.mark.parametrize("content", [b"", b"\n\n", b"# nothing\n", b"\xef\xbb\xbf", b" "])
@pytest.mark.parametrize("name", ["a.run", "a.run.gz"])
def test_a_file_without_lines_is_empty(reader, written, content, name):
    assert rows(read_run(written(content, name))) == []
    assert rows(read_qrels(written(content, name))) == []


@given(scores=st.lists(st.floats(allow_nan=False), min_size=1), built=st.booleans())
def test_scores_are_read_to_the_last_bit(tmp_path_factory, scores, built):
    path = tmp_path_factory.getbasetemp() / "scores.run"
    path.write_text("".join(f"q Q0 d 1 {score!r} tag\n" for score in scores))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(core, "BUILT", built and core.BUILT)
        assert read_run(path).value.tobytes() == np.array(scores).tobytes()


@pytest.mark.parametrize("text", ["inf", "-Infinity", "1e999", "1.", ".5", "007"])
def test_scores_are_what_python_reads(reader, written, text):
    columns = read_run(written(f"q Q0 d 1 {text} tag\n".encode()))
    assert columns.value.tolist() == [float(text)]


def test_files_of_several_gzip_members_are_read_whole(reader, tmp_path):
    path = tmp_path / "a.run.gz"
    path.write_bytes(gzip.compress(RUN[:30]) + gzip.compress(RUN[30:]))
    assert rows(read_run(path)) == RUN_ROWS


def test_files_of_many_blocks_are_read_whole(reader, monkeypatch, written):
    monkeypatch.setattr(blocks, "BLOCK_BYTES", 100)
    docs = [f"d{'x' * (number % 150)}{number}" for number in range(300)]
    content = "".join(f"q{len(doc)} 0 {doc} {len(doc)}\n" for doc in docs).encode()
    assert rows(read_qrels(written(content))) == [(f"q{len(d)}", d, len(d)) for d in docs]


def test_a_byte_order_mark_is_one_only_at_the_start(reader, monkeypatch, written):
    monkeypatch.setattr(blocks, "BLOCK_BYTES", 12)
    content = "\ufeffq 0 d1 1\n\ufeffq 0 d2 2\n\ufeffq 0 d3 3\n".encode()
    assert read_qrels(written(content)).query.all() == ["q", "\ufeffq", "\ufeffq"]


# Hostile files


@pytest.mark.parametrize("width", [1, 7, 1000])
def test_a_line_is_measured_across_blocks(reader, monkeypatch, written, width):
    monkeypatch.setattr(blocks, "BLOCK_BYTES", width)
    monkeypatch.setattr(blocks, "LONGEST_LINE", 20)
    table = read_run(written(RUN + b"qq Q0 dd 1 12.5 tagg\n"))
    assert rows(table) == [*RUN_ROWS, ("qq", "dd", 12.5)]
    with pytest.raises(InputError, match=r"a\.txt:4: a line must have at most 20 bytes"):
        read_run(written(RUN + b"qq Q0 dd 1 12.5 taggy\n" + RUN))


@pytest.mark.parametrize("field", ["query_id", "doc_id"])
@pytest.mark.parametrize("end", ["\n", "  \n"], ids=["regular", "irregular"])
def test_an_endless_identifier_is_refused(reader, written, field, end):
    def table(longest):
        names = {"query_id": "q", "doc_id": "d"} | {field: longest}
        line = "{query_id} Q0 {doc_id} 1 1.0 tag" + end
        return read_run(written(RUN + line.format(**names).encode()))

    longest = "é" * (LONGEST_ID // 2)
    assert longest in rows(table(longest))[-1]
    with pytest.raises(InputError, match=rf"a\.txt:4: {field} must .* of at most 65536 bytes; got"):
        table(longest + "x")


@pytest.fixture
def little_memory():
    """Address space for 300 MB more than is in use."""
    resource = pytest.importorskip("resource")
    psutil = pytest.importorskip("psutil")
    before = resource.getrlimit(resource.RLIMIT_AS)
    used = psutil.Process().memory_info().vms
    resource.setrlimit(resource.RLIMIT_AS, (used + (300 << 20), before[1]))
    yield
    resource.setrlimit(resource.RLIMIT_AS, before)


READERS = [read_run, read_qrels, read_letor, read_groups]


@pytest.mark.skipif(not os.path.exists("/dev/zero"), reason="no endless device here")
@pytest.mark.usefixtures("little_memory")
@pytest.mark.parametrize("read", READERS)
def test_an_endless_device_is_refused_at_its_first_block(reader, read):
    with pytest.raises(InputError, match=starting("/dev/zero:1: a null byte; not a")):
        read("/dev/zero")


@pytest.mark.skipif(not os.path.exists("/proc/self/mem"), reason="no file that fails to be read")
@pytest.mark.parametrize("read", READERS)
def test_an_error_while_reading_names_the_file(reader, read):
    with pytest.raises(OSError, match="Input/output error") as told:
        read("/proc/self/mem")
    assert told.value.filename == "/proc/self/mem"


def test_memory_that_runs_out_names_the_file(monkeypatch, written):
    def fail(*_):
        raise MemoryError

    path = written(b"# comment\n" + RUN)
    monkeypatch.setattr(core, "read_lines", fail)
    with pytest.raises(MemoryError, match=r"a\.txt is too large"):
        read_run(path)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no named pipes here")
def test_a_pipe_is_read_whole(reader, tmp_path):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    found = []
    content = b"# comment\n" + QRELS
    for work in (
        lambda: pipe.write_bytes(content),
        lambda: found.extend(rows(read_qrels(str(pipe)))),
    ):
        thread = threading.Thread(target=work, daemon=True)
        thread.start()
    thread.join(10)  # of the reader
    assert found == QRELS_ROWS


# Malformed files


def starting(text):
    return "^" + re.escape(text)


GRADE_ERROR = "a grade must be a whole number of at most 31 bits"
RUN_LINE = b"q1 Q0 d1 1 2.5 tag"
SHIFTED = ["2.5e+00", "+3", ".5", "inf", "-Infinity", "nan", "2,5", "1.000,5", "0x1", "0XfF", "7"]


def columns_error(width, count, line, hint=""):
    """What is said of a line of so many words."""
    text = " ".join(line.decode().split())[:80]
    return f"a line must have {width} columns; got {count}: {text!r}{hint}"


OF_OTHER_COLUMNS = {
    b"q1 Q0 d1 1 2.5": 5,
    b"q1  d1 1 2.5 tag": 5,
    b"q1 Q0 d1 1 2.5 ": 5,
    b" Q0 d1 1 2.5 tag": 5,
    b"  Q0 d1 1 2.5 tag": 5,
    b"x" * 200: 1,
}
WITH_SPACES = {
    b"q1 Q0 my d1 1 2.5 tag": 7,
    b"q1 Q0 my\td1 1 2.5 tag": 7,
    b"q1 Q0 d\r1 1 2.5 tag": 7,
    b"q1 Q0 doc one 1 3.5 tag": 7,
    b"q1 Q0 doc 7 1 3.5 tag": 7,
    b"q1 Q0 doc 7 1 -3 my tag": 8,
    b"q1  Q0 doc 7 1 .5 tag": 7,
    b"q 1 Q0 d1 1 3.5 tag": 7,
}


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        *((line, columns_error(6, count, line)) for line, count in OF_OTHER_COLUMNS.items()),
        *((line, columns_error(6, count, line, SPACED)) for line, count in WITH_SPACES.items()),
        *(
            (f"q1 Q0 d1 1 {score} tag".encode(), f"score must be a number; got {score!r}")
            for score in ("high", "0x10", "nan(1)", "1,5", "1_0", "١")
        ),
        (b"q1 Q0 d\xff1 1 2.5 tag", "doc_id must be UTF-8 of at most 65536 bytes; got 'd\ufffd1'"),
        (b"q\xff Q0 d1 1 2.5 tag", "query_id must be UTF-8 of at most 65536 bytes; got 'q\ufffd'"),
    ],
)
@pytest.mark.parametrize(
    ("before", "after"),
    [(b"", b""), (RUN, b"\n" + RUN), (b"# comment\n\n" * 2, b"\n"), (LONG_TAGS, b"\n" + LONG_TAGS)],
)
def test_a_malformed_line_of_a_run_is_named(reader, written, line, reason, before, after):
    path = written(before + line + after)
    number = before.count(b"\n") + 1
    with pytest.raises(ValueError, match=starting(f"{path}:{number}: {reason}") + "$"):
        read_run(path)


OTHER_QRELS = {b"q1 0 d1 1 2": 5, b"q1 0 my d1 1": 5, b"q1 0 my own d1 1": 6}


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        (b"q1 0 d1", columns_error(4, 3, b"q1 0 d1")),
        *((line, columns_error(4, count, line, SPACED)) for line, count in OTHER_QRELS.items()),
        (RUN_LINE, columns_error(4, 6, RUN_LINE, LIKE[4, 6])),
        *(
            (b"q1 0 d1 " + grade, f"relevance must be a number; got {grade.decode()!r}")
            for grade in b"high 1.0x 1.-0 0x10 1_0 0,5".split()
        ),
        *(
            (b"q1 0 d1 " + grade, f"{GRADE_ERROR}; got {grade.decode()!r}")
            for grade in b"1.5 -.5 1e-3 nan inf 2147483648.0 -2147483648".split() + [b"9" * 30]
        ),
    ],
)
def test_a_malformed_line_of_qrels_is_named(reader, written, line, reason):
    path = written(QRELS + line + b"\n" + QRELS)
    with pytest.raises(ValueError, match=starting(f"{path}:4: {reason}")) as told:
        read_qrels(path)
    assert (WHOLE_GRADES in str(told.value)) == (line[8:] in (b"1.5", b"-.5", b"1e-3"))


FIRST_LINES = {
    "query_id Q0 doc_id rank score tag": "(line 1 looks like a header: leave it out)",
    "query_id iter doc_id rel": "(line 1 looks like a header: leave it out)",
    "2 qid:1 # d1": "(this looks like learning-to-rank data, which irx_measures.read_letor reads)",
    "2 qid:1 1:0.5 2:0.1 #docid = d1": "which irx_measures.read_letor reads)",
}


@pytest.mark.parametrize("line", FIRST_LINES)
@pytest.mark.parametrize("read", [read_run, read_qrels])
def test_a_first_line_of_another_kind_is_told(reader, written, line, read):
    with pytest.raises(InputError, match=re.escape(FIRST_LINES[line])):
        read(written(f"{line}\n".encode()))


def test_four_words_without_a_number_are_no_qrels(reader, written):
    with pytest.raises(InputError, match=r"6 columns; got 4: 'q1 0 d1 x'$"):
        read_run(written(b"q1 0 d1 x\n"))


@pytest.mark.parametrize("score", SHIFTED)
def test_a_document_with_a_space_never_shifts_the_columns(reader, written, score):
    for tag in (" tag", " my tag"):
        line = f"q1 Q0 doc 7 1 {score}{tag}\n".encode()
        with pytest.raises(InputError, match=r"got [78]: .*\(does an id contain a space\?\)"):
            read_run(written(line))
    alone = written(f"q1 Q0 d1 7 1 {score}\n".encode())
    assert rows(read_run(alone)) == [("q1", "d1", 1.0)], "six words are a run, whatever its tag"


@pytest.mark.parametrize("tag", ["e5 large", "5x 2", "- a", "info 1", "bead 2", "0xg 1", "2nd run"])
def test_a_tag_of_two_words_is_no_score(reader, written, tag):
    assert rows(read_run(written(f"q1 Q0 d1 7 1 {tag}\n".encode()))) == [("q1", "d1", 1.0)]


def test_a_nan_score_is_left_to_whoever_ranks(reader, written):
    assert np.isnan(read_run(written(b"q Q0 d 1 nan tag\n")).value).all()


@pytest.mark.parametrize(
    ("name", "content", "reason"),
    [
        ("noise.run", b"\x7fELF\0" + np.random.default_rng(1).bytes(5000), "a null byte"),
        ("utf16.run", RUN.decode().encode("utf-16"), "a null byte; not a text file in UTF-8"),
        ("no null byte", bytes(range(128, 256)), "a line must have 6 columns; got 1"),
    ],
)
def test_a_binary_file_is_one_clear_line(reader, tmp_path, name, content, reason):
    path = tmp_path / name
    path.write_bytes(content)
    with pytest.raises(ValueError, match=starting(rf"{path}:1: {reason}")) as caught:
        read_run(path)
    assert str(caught.value).isprintable()


def test_a_truncated_gzip_file_is_refused_wherever_it_ends(reader, tmp_path):
    path = tmp_path / "a.run.gz"
    packed = gzip.compress(RUN)
    for length in range(1, len(packed)):
        path.write_bytes(packed[:length])
        with pytest.raises(ValueError, match=r"a\.run\.gz: damaged gzip file"):
            read_run(path)


@pytest.mark.parametrize("read", [read_run, lambda path: read_qrels(Path(path))])
def test_what_is_not_a_file_is_refused(reader, tmp_path, read):
    with pytest.raises(FileNotFoundError, match=r"nothing\.run: no such file"):
        read(str(tmp_path / "nothing.run"))
    with pytest.raises(IsADirectoryError, match="a directory, not a file; name files, such as"):
        read(str(tmp_path))
    with pytest.raises((ValueError, OSError)):
        read("a\0b")
    with pytest.raises(OSError, match="too long"):
        read("a" * 5000)


# Documents that a file has twice


@pytest.fixture
def doubled(written):
    """Evaluate a run file against a qrels file; the error."""

    def error(run, qrels, form=None, names=("a.run", "qrels")):
        files = written(run, names[0]), written(qrels, names[1])
        with pytest.raises(InputError) as told:
            evaluate(files[1], RunSet(files[0], format=form), ["P@1", "NRG@1"])
        return str(told.value).replace(f"{files[0].parent}{os.sep}", "")

    return error


TWICE = "query 'q1' {} document 'é' more than once ({}, lines {} and {})"


@pytest.mark.parametrize("names", [("a.run", "qrels"), ("a.run.gz", "qrels.gz")])
def test_duplicates_are_named_by_file_and_lines(reader, monkeypatch, doubled, names):
    monkeypatch.setattr(blocks, "BLOCK_BYTES", 50)
    again = "q1 Q0 é 3 0 t\nq2 Q0 é 3 0 t\nq1 Q0 éé 3 0 t\n\n# q1 Q0 é 3 0 t\n"
    run = RUN + f"{again}q1 Q0 é 4 0 t\nq1 Q0 é 5 0 t\n".encode()
    expected = f"run 'a': {TWICE.format('returns', names[0], 4, 9)}"
    assert doubled(run, QRELS, names=names) == expected
    qrels = QRELS + "q1 0 é 1\nq1 0 x 1\nq1 0 é 2\n".encode()
    expected = f"qrels: {TWICE.format('judges', names[1], 4, 6)}"
    assert doubled(RUN, qrels, names=names) == expected


@pytest.mark.parametrize(
    ("name", "form", "content", "lines"),
    [
        ("a.run", "msmarco", "q1\té\t1\nq1\té\t2\n", (1, 2)),
        ("a.jsonl", None, '{"qid": "q1", "docno": "é", "score": 1}\n' * 2, (1, 2)),
        ("a.csv", None, "qid,docno,score\n" + "q1,é,1\n" * 2, (2, 3)),
    ],
)
def test_duplicates_of_runs_in_other_formats(reader, doubled, name, form, content, lines):
    expected = f"run 'a': {TWICE.format('returns', name, *lines)}"
    assert doubled(content.encode(), QRELS, form, (name, "qrels")) == expected


def test_duplicates_of_qrels_of_beir(reader, doubled):
    beir = "query-id\tcorpus-id\tscore\nq1\té\t1\nq1\té\t2\n".encode()
    assert doubled(RUN, beir) == f"qrels: {TWICE.format('judges', 'qrels', 2, 3)}"
