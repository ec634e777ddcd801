"""The rows of the documentation's table on unusual input, for every form of input."""

import json
import math

import pandas as pd
import pytest
from ir_measures import Qrel, ScoredDoc

from irx_measures import evaluate
from tests.doubts import MISSED_QUERIES, NO_PRIOR

pytestmark = [MISSED_QUERIES, NO_PRIOR]

QRELS = [("q1", "A", 1), ("q1", "B", 0), ("q2", "A", 2)]
RUN = [("q1", "A", 2.0), ("q1", "X", 1.0), ("q2", "A", 1.0)]
MEASURES = ["nDCG@10", "NRG@10", "P@2"]
GOOD = [[1.0, 1.0], [1.0, 1.0], [0.5, 0.5]]
SECOND = [[0.631, 1.0], [0.631, 1.0], [0.5, 0.5]]
NOTHING = [[0.0, 0.0]] * 3


def frame(rows, names, path):
    return pd.DataFrame(rows, columns=names)


def objects(rows, names, path):
    return frame(rows, names, path).astype({"query_id": object, "doc_id": object})


def namedtuples(rows, names, path):
    return [(ScoredDoc if "score" in names else Qrel)(*row) for row in rows]


def nested(rows, names, path):
    made = {}
    for query, doc, value in rows:
        made.setdefault(query, {})[doc] = value
    return made


def file(rows, names, path):
    form = "{} Q0 {} 0 {} tag\n" if "score" in names else "{} 0 {} {}\n"
    path.write_text("".join(form.format(*row) for row in rows))
    return path


def csv_file(rows, names, path):
    path = path.with_suffix(".csv")
    frame(rows, names, path).to_csv(path, na_rep="nan")
    return path


def lines(rows, names, path):
    path = path.with_suffix(".jsonl")
    path.write_text("".join(json.dumps(dict(zip(names, row, strict=True))) + "\n" for row in rows))
    return path


IN_MEMORY = [frame, objects, namedtuples, nested]
ALL = [*IN_MEMORY, file, csv_file, lines]
WITH_REPEATS = [frame, objects, namedtuples, file, csv_file, lines]


def first(score):
    return [("q1", "A", score), *RUN[1:]]


# Run, qrels, forms of input, and the expected scores or error message.
ROWS = {
    "infinite score": ([*RUN, ("q1", "B", math.inf)], QRELS, ALL, SECOND),
    "integer scores": ([(q, d, int(s)) for q, d, s in RUN], QRELS, ALL, GOOD),
    "score is NaN": (first(math.nan), QRELS, ALL, "score is NaN for query 'q1', document 'A'"),
    "score is a string": (first("2.0"), QRELS, IN_MEMORY[2:], "must hold numbers; got '2.0'"),
    "scores are strings": (
        [(q, d, str(s)) for q, d, s in RUN], QRELS, IN_MEMORY, "must hold numbers; got '2.0'",
    ),
    "score is missing": (first(None), QRELS, [namedtuples, nested], "must hold numbers; got None"),
    "equal as float32": (
        [("q1", "A", 1.0), ("q1", "B", 1 + 1e-9), RUN[2]], QRELS, ALL, SECOND,
    ),
    "grade is a whole float": (RUN, [("q1", "A", 1.0), ("q2", "A", 2.0)], ALL, GOOD),
    "grade is a fraction": (
        RUN, [("q1", "A", 0.5)], ALL,
        "whole number.*; got '?0.5'? .*multiply all .*; name rel=",
    ),
    "grade is NaN": (RUN, [("q1", "A", math.nan)], ALL, "must .*; got '?nan[^(]*$"),
    "grades are scores": (
        RUN, [("q1", "A", math.nan), ("q2", "A", 0.7)], [frame, objects, namedtuples, nested],
        "got nan .runs have scores, .*are runs and qrels swapped",
    ),
    "grade is huge": (RUN, [("q1", "A", 2**40)], ALL, "at most 31 bits; got '?1099511627776"),
    "grade is a truth value": (RUN, [("q1", "A", True)], ALL, "; got '?(np.)?True"),
    "grade is negative": (
        RUN, [("q1", "A", -2), ("q2", "A", 2)], ALL, [[0.0, 1.0], [0.0, 1.0], [0.0, 0.5]],
    ),
    "document returned twice": (
        [*RUN, ("q1", "X", 0.5)], QRELS, WITH_REPEATS, "'q1' returns document 'X' more than once",
    ),
    "document judged twice": (
        RUN, [*QRELS, ("q1", "B", 0)], WITH_REPEATS, "'q1' judges document 'B' more than once",
    ),
    "ids are integers": ([(1, 2, 1.0)], [(1, 2, 1)], IN_MEMORY, r"must hold strings; got int"),
    "empty document id": ([("q1", "", 3.0), *RUN], QRELS, IN_MEMORY, SECOND),
    "space in an id": ([("q1", "A B", 3.0), *RUN], QRELS, IN_MEMORY, SECOND),
    "space in an id of a file": ([("q1", "A B", 3.0)], QRELS, [file], "must have 6 columns; got 7"),
    "letters of any script": ([("q1", "\u00fc\u0436\u65e5", 3.0), *RUN], QRELS, ALL, SECOND),
    "queries out of order": ([RUN[0], RUN[2], RUN[1]], QRELS, ALL, GOOD),
    "missing query": (RUN[:2], QRELS, ALL, [[1.0, 0.0], [1.0, 0.0], [0.5, 0.0]]),
    "query without judgments": ([*RUN, ("q9", "A", 1.0)], QRELS, ALL, GOOD),
    "no query in common": ([("q9", "A", 1.0)], QRELS, ALL, "the qrels have 'q1', 'q2', .* 'q9'"),
    "queries that look alike": (
        [("\u0430", "A", 1.0)], [("a", "A", 1)], ALL, r"have 'a', the first run '\\u0430'",
    ),
    "queries in two normal forms": (
        [("e\u0301", "A", 1.0)], [("\xe9", "A", 1)], ALL, r"'\\xe9', the first run 'e\\u0301'",
    ),
    "documents that look alike": (
        [("q1", "d\u0430", 1.0)], [("q1", "da", 1)], ALL, r"returns 'd\\u0430' where .* 'da'",
    ),
    "no judgments": (RUN, [], ALL, "qrels hold no judgments; needed by nDCG@10"),
    "all unjudged": ([("q1", "X", 1.0), ("q2", "Y", 1.0)], QRELS, ALL, "'X' where the .* 'A'"),
    "no relevant document": (RUN, [("q1", "A", 0), ("q2", "A", 0)], ALL, NOTHING),
}  # fmt: skip


@pytest.mark.parametrize("row", ROWS)
def test_every_form_of_input_behaves_alike(row, tmp_path):
    run_rows, qrels_rows, forms, expected = ROWS[row]
    for form in forms:
        run = form(run_rows, ["query_id", "doc_id", "score"], tmp_path / "run")
        qrels = form(qrels_rows, ["query_id", "doc_id", "relevance"], tmp_path / "qrels")
        if isinstance(expected, str):
            with pytest.raises((ValueError, TypeError), match=expected):
                evaluate(qrels, {"a": run}, MEASURES)
        else:
            got = evaluate(qrels, {"a": run}, MEASURES).scores[:, 0]
            assert got.round(3).tolist() == expected, form.__name__
