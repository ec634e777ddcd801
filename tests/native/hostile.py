"""Random runs and judgments, regular and hostile, and what the two look-ups make of them."""

import gzip
from collections import Counter, OrderedDict, defaultdict
from itertools import chain, groupby
from pathlib import Path
from unittest import mock

import numpy as np
import pandas as pd
from ir_measures import ScoredDoc

from irx_measures.exceptions import InputError
from irx_measures.io import core, lines, rank_column
from irx_measures.io.containers import qrels_table
from irx_measures.io.source import source_of_data, source_of_file
from irx_measures.judgments.judged_run import JudgedRun
from irx_measures.judgments.judgments import Judgments
from irx_measures.judgments.ranking import TieOrder

try:
    import pyarrow as pa
except ImportError:
    pa = None


class Text(str):
    """A string whose class may do anything."""


class Number(float):
    """A number whose class may do anything."""


class Mapped(dict):
    """A dict whose class may do anything."""


IDS = [
    *("ab", "ba", "#1", "a#", *"abé€𝄞\x7f\u2028\uffff\U0010ffff"),
    *(f"d{number}" for number in range(40)),
    *("x" * length for length in (3, 4, 7, 8, 9, 15, 16, 17, 23, 24, 25, 31, 32, 33, 64, 65)),
    *("x" * length + "y" for length in (3, 7, 8, 15, 16, 31, 32)),
]
NASTY_IDS = ["", "a\0", "a\0b", "\0", " ", "a b", "a\t", "\x1c", "\r", "\n", "\ud800", "x\udfff"]
LONG_IDS = ["x" * (1 << 16), "x" * ((1 << 16) + 1)]
SCORES = [0.0, -0.0, 1.0, 1.0 + 1e-12, 0.5, -1.0, 1e300, -1e300, 1e-300, 3e38, 3.5e38, 7, -2]
NASTY_SCORES = [float("nan"), float("inf"), -float("inf"), 1 << 53, 10**400]
NO_SCORES = [True, "1", None, np.float64(1), Number(1), np.float32(2), b"1", 1j, [], {}]
NUMBERS = [
    *("1", "1.", ".5", "+1", "-0", "00012", "1e5", "1E-5", "1e+5", "0.1e1", "1e22", "1e23"),
    *("1e-22", "9007199254740993", "123456789012345678901234567890", "0." + "0" * 30 + "1"),
    *("1.7976931348623157e308", "2.2250738585072011e-308", "0.10000000149011612"),
]
NASTY_NUMBERS = [
    *("", "x", "-", "+", ".", "e5", "1e", "1e+", "--1", "+-1", "1_0", "0x10", "1.2.3", "1,5", "١"),
    *("nan", "NaN", "-nan", "inf", "-inf", "infinity", "1e400", "-1e400", "1e-400", "5e-324", "1f"),
    *("nan(1)", "1e99999999999999999999", "1" * 400),
]


def chance(rng, probability):
    return rng.random() < probability


def random_judgments(rng):
    queries = rng.sample(IDS, rng.randint(1, 6))
    ids = IDS + (NASTY_IDS if chance(rng, 0.2) else []) + (LONG_IDS if chance(rng, 0.02) else [])
    docs = {query: rng.sample(ids, rng.randint(1, len(ids) // 2)) for query in queries}
    return Judgments(
        qrels_table({q: {doc: rng.randint(-1, 3) for doc in judged} for q, judged in docs.items()})
    )


def random_rows(rng, hostile):
    """Rows by query; `hostile` is the probability of each way to be irregular."""
    rows = []
    ids = IDS + (NASTY_IDS if chance(rng, hostile) else []) + LONG_IDS * chance(rng, hostile / 20)
    scores = SCORES + (NASTY_SCORES if chance(rng, hostile / 4) else [])
    for query in rng.sample(ids, rng.randint(0, 8)):
        docs = rng.sample(ids, rng.randint(0, len(ids)))
        if docs and chance(rng, hostile / 8):
            docs.append(rng.choice(docs))
        few = rng.sample(scores, rng.randint(1, len(scores)))
        of_query = [(query, doc, rng.choice(few)) for doc in docs]
        if chance(rng, 0.5):
            of_query.sort(key=lambda row: -row[2])
        rows += of_query
    if chance(rng, hostile / 4):
        rng.shuffle(rows)
    return rows


def nested(rows):
    made = {}
    for query, doc, score in rows:
        made.setdefault(query, {})[doc] = score
    return made


def as_dict(rng, hostile):
    rows = random_rows(rng, hostile)
    if rows and chance(rng, hostile / 2):
        at = rng.randrange(len(rows))
        query, doc, score = rows[at]
        odd_docs = (query, Text(doc), score), (query, 7, score)
        odd = (Text(query), doc, score), (query, doc, rng.choice(NO_SCORES)), *odd_docs
        rows[at] = rng.choice(odd)
    made = nested(rows)
    if made and chance(rng, hostile / 8):
        made[rng.choice(list(made))] = rng.choice([Mapped(a=1.0), ["a", "b"], {}, None, 5])
    kind = rng.choice([dict, dict, dict, defaultdict, OrderedDict])
    made = defaultdict(dict, made) if kind is defaultdict else kind(made)
    if kind is OrderedDict and made:
        made.move_to_end(rng.choice(list(made)))
    return Mapped(made) if chance(rng, hostile / 8) else made


def as_numpy(rng, hostile):
    """Identifiers and scores of numpy's types, and of classes of a user, in dicts of any kind."""
    of_id, of_score = rng.choice([np.str_, Text, str]), rng.choice([np.float64, np.float32, Number])
    of_query = rng.choice([dict, Counter, OrderedDict])
    with np.errstate(over="ignore"):
        made = {
            of_id(query): of_query({of_id(doc): of_score(value) for doc, value in docs.items()})
            for query, docs in nested(random_rows(rng, 0)).items()
        }
    if made and chance(rng, hostile):
        made[of_id("odd")] = of_query({of_id("a"): rng.choice(NO_SCORES)})
    return made


def as_lists(rng, hostile):
    """Documents by rank."""
    made = {q: list(docs) for q, docs in nested(random_rows(rng, 0)).items()}
    made = {query: rng.choice([list, tuple])(docs) for query, docs in made.items()}
    if made and chance(rng, hostile / 2):
        docs = made[rng.choice(list(made))]
        odd = [*docs, "a", "a"], [*docs, 5], {"a": 1.0}, [], [*docs, Text("b")], None
        made[rng.choice(list(made))] = rng.choice(odd)
    return made


def as_frame(rng, hostile):
    rows = random_rows(rng, hostile)
    kind = rng.choice(["object", "str", "category"])
    query, doc, score = ([row[place] for row in rows] for place in range(3))
    if kind != "str" and rows and chance(rng, hostile / 4):
        doc[rng.randrange(len(doc))] = rng.choice([Text("d1"), 5, None, float("nan")])
    try:
        columns = {
            "query_id": pd.Series(query, dtype=rng.choice([kind, "object"])),
            "doc_id": pd.Series(doc, dtype=kind),
            "score": np.array(score, np.float64),
        }
    except (UnicodeEncodeError, TypeError, OverflowError):
        return {}
    frame = pd.DataFrame(columns)
    return frame.iloc[rng.randint(0, 3) :: rng.randint(1, 2)] if chance(rng, 0.3) else frame


def as_arrow(rng, hostile):
    rows = random_rows(rng, hostile)
    query, doc, score = ([row[place] for row in rows] for place in range(3))
    kinds = [pa.string(), pa.large_string(), pa.dictionary(pa.int32(), pa.string())]
    try:
        columns = [pa.array(query, rng.choice(kinds)), pa.array(doc, rng.choice(kinds))]
        table = pa.table([*columns, pa.array(score, pa.float64())], ["query_id", "doc_id", "score"])
    except (UnicodeEncodeError, pa.ArrowException, OverflowError):
        return {}
    cut = rng.randint(0, len(rows))
    return pa.concat_tables([table[:cut], table[cut:]]) if chance(rng, 0.5) else table


def as_records(rng, hostile):
    return [ScoredDoc(*row) for row in random_rows(rng, hostile)]


def as_text(rng, hostile):
    """The text of a TREC file; some scores are halfway between two numbers of 32 bits."""
    blank = rng.choice([" ", "\t", " ", "\t", "  ", " \t"])
    end = "\r\n" if chance(rng, hostile / 4) else "\n"
    lines = []
    for query, doc, score in random_rows(rng, hostile):
        number = _number(rng, score) if chance(rng, 0.5) else str(score)
        if chance(rng, hostile / 200):
            number = rng.choice(NASTY_NUMBERS)
        fields = [query, "Q0", doc, str(rng.randint(0, 9)), number, "tag"]
        if chance(rng, hostile / 200):
            fields = rng.choice([fields[:5], [*fields, "more"], ["#", *fields[1:]], [" ", *fields]])
        lines.append(blank.join(fields) + (blank if chance(rng, hostile / 100) else ""))
        if chance(rng, hostile / 100):
            lines[-1] += rng.choice([" a long tag", " \xe9", "\t\x1c", "\r", " \r \r"])
        if chance(rng, hostile / 200):
            comments = ["# a comment", "#", "# of six words, no number at all", "#c Q0 d 0 1 t"]
            lines.append(rng.choice(["", " ", "\t", "\x0c", *comments]))
    text = end.join(lines).encode("utf-8", "surrogatepass")
    if chance(rng, 0.9):
        text += end.encode()
    if text and chance(rng, hostile / 4):
        at = rng.randrange(len(text))
        made = rng.choice(
            [b"\0", b"\xff", b"\xc3", b"\xed\xa0\x80", b"\r", b"\x0b", b"\x1c", b"\n"]
        )
        text = text[:at] + made + text[at + rng.randint(0, 2) :]
    return b"\xef\xbb\xbf" * chance(rng, hostile / 8) + text


def _number(rng, score):
    if chance(rng, 0.3):
        return rng.choice(NUMBERS)
    low = np.float32(rng.uniform(1, 2))
    middle = (float(low) + float(np.nextafter(low, np.float32(3)))) / 2
    near = middle + rng.choice([0.0, 2**-52, -(2**-52), 2**-30])
    return rng.choice(["{!r}", "{:.17g}", "{:.30f}", "{:e}", "{:.6f}", "{:.16e}"]).format(near)


def as_short_lines(rng, hostile, iteration=()):
    """The text of MS MARCO's file of three columns; with an iteration, of qrels."""
    blank, end = rng.choice("\t "), rng.choice(["\n", "\r\n"])
    lines = []
    for query, doc, _ in random_rows(rng, hostile):
        number = rng.choice(
            ["1", "2", "3", "10", "+4", "007", "0", "-1", "2147483647", "1.0", "2."]
        )
        if chance(rng, hostile / 200):
            number = rng.choice(
                ["1.5", "2147483648", "1e3", "", ".0", "1_0", "x", "9" * 5000, "1 2"]
            )
        lines.append(blank.join([query, *iteration, doc, number]))
        if chance(rng, hostile / 200):
            lines.append(rng.choice(["", "# a comment of five words", "#a b 1", "#"]))
    return end.join(lines).encode("utf-8", "surrogatepass")


def written(rng, hostile, folder):
    if chance(rng, 0.2):
        name, content = "msmarco.run", as_short_lines(rng, hostile)
    elif chance(rng, 0.3):
        packed = gzip.compress(as_text(rng, hostile), 1)
        cut = rng.randint(0, len(packed)) if chance(rng, hostile / 8) else len(packed)
        name, content = "run.gz", packed[:cut]
    else:
        name, content = "run.txt", as_text(rng, hostile)
    path = folder / name
    path.write_bytes(content)
    return path


FORMS = {
    "dict": as_dict,
    "numpy": as_numpy,
    "lists": as_lists,
    "frame": as_frame,
    "records": as_records,
}
if pa is not None:
    FORMS["arrow"] = as_arrow


DEPTHS = (1, 4, None)


def outcome(judgments, run, without_identical=False):
    """Ranks, numbers of documents, ties, ranks in other orders, digests of tops; or the error."""
    try:
        if isinstance(run, Path):
            form = "msmarco" if run.name.startswith("msmarco") else None
            source = source_of_file(run, "mine", form)
        else:
            source = source_of_data(run, "mine", borrowed=True)
        if without_identical:
            source = source.without_identical_ids()
        judged = JudgedRun(judgments, source, "mine", DEPTHS, with_scores=True)
    except (ValueError, TypeError, OSError) as error:
        return type(error), str(error)
    ties = [judged.tied_tops, judged.own_tops, judged.tie_by_rounding]
    orders = [judged.rank_in(order).tolist() for order in TieOrder]
    tops = [judged.top_digest(depth) for depth in DEPTHS]
    scores = [judged.scores(3).tolist(), judged.scores(None).tolist()]
    return judged.rank.tolist(), judged.returned.tolist(), ties, orders, tops, scores


def check(judgments, run, without_identical=False):
    """Whether the native core ranks; what it answers must be what Python answers without it."""
    answers = []
    rank = core.rank
    with mock.patch.object(core, "rank", lambda *of: answers.append(rank(*of)) or answers[-1]):
        got = outcome(judgments, run, without_identical)
    with mock.patch.multiple(core, BUILT=False, rank=lambda *of: None):
        expected = outcome(judgments, run, without_identical)
    assert got == expected, (run.read_bytes() if isinstance(run, Path) else run, got, expected)
    return any(answer is not None for answer in answers)


def check_lines(content, width, judgments=None):
    """Whether the native core reads lines; what it reads must be what the plain loop reads.

    With judgments, the text is ranked too; its head must be the same.
    """
    text, path = core.Text(bytearray(content), width), Path("run")
    rows = core.read_lines(text)
    if judgments is not None and judgments.native_index is not None:
        ranked = core.rank(judgments.native_index, text, judgments.grade.shape, DEPTHS, True)
        assert ranked is None or shown(ranked.head) == shown(rows.head), content
    try:
        plain, beginning = lines._by_line(path, text)
    except InputError:
        assert rows is None, content
        return False
    if rows is None:
        assert plain.comment, content
        return False
    read, found = lines._of_core(path, rows)
    assert (read.query.all(), read.doc.all()) == (plain.query.all(), plain.doc.all()), content
    assert (read.query_ids, read.line.tolist()) == (plain.query_ids, plain.line.tolist()), content
    np.testing.assert_array_equal(read.value, plain.value)
    assert read.value.dtype == plain.value.dtype
    told = [rank_column.contradiction(some) for some in (found, beginning)]
    assert told[0] == told[1] or width != 6 or is_scattered(plain.query.all()), content
    assert shown(rows.head) == shown(head(content, plain)), content
    return True


def shown(rows):
    """Rows as text, in which NaN equals NaN, and -0.0 is 0.0."""
    return [(*row[:3], repr(row.score + 0.0)) for row in rows]


def is_scattered(queries):
    return len([*groupby(queries)]) > len({*queries})


def head(content, table):
    """Of the first queries among the first rows, the top and the last one."""
    feeds = content.split(b"\n")
    cells = [feeds[line - 1].split() for line in table.line[: rank_column.HEAD_ROWS].tolist()]
    ranks = [row[3 if len(row) > 3 else 2].decode(errors="replace") for row in cells]
    of_queries = [[*rows] for _, rows in groupby(table.head(ranks), lambda row: row.query)]
    return [*chain(*map(rank_column._some, of_queries[: rank_column.MOST_QUERIES]))]
