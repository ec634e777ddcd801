"""Ids that match only with other leading zeros, or in another Unicode form."""

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from irx_measures import EvaluationWarning, evaluate
from irx_measures.doubts.spelling import spelled_otherwise
from irx_measures.io.source import Source, source_of_data, source_of_file
from irx_measures.io.trec import read_qrels, read_run
from irx_measures.judgments.judged_run import JudgedRun
from irx_measures.judgments.judgments import Judgments

E_ACUTE, E_AND_ACUTE = "\xe9", "e\u0301"


def as_file(folder, run):
    path = folder / "it.run"
    lines = (f"{q} Q0 {d} 1 {s} t\n" for q, docs in run.items() for d, s in docs.items())
    path.write_text("# a comment\n\n" + "".join(lines), encoding="utf-8")
    return path


def as_frame(folder, run):
    rows = [(q, d, s) for q, docs in run.items() for d, s in docs.items()]
    return pd.DataFrame(rows, columns=["qid", "docno", "score"])


FORMS = {
    "dict": lambda folder, run: source_of_data(run, None, borrowed=True),
    "frame": lambda folder, run: source_of_data(as_frame(folder, run), None),
    "file": lambda folder, run: Source.of_table(read_run(as_file(folder, run))),
    "unread file": lambda folder, run: source_of_file(as_file(folder, run), "mine"),
}

# The ids of the run, those of the qrels, and the pair that is told.
CASES = {
    "the run has lost zeros": (["98", "99", "100"], ["098", "099", "100"], ("98", "098")),
    "the qrels have lost zeros": (["098", "100"], ["98", "100"], ("098", "98")),
    "other zeros": (["0098", "100"], ["098", "100"], ("0098", "098")),
    "zero": (["00", "100"], ["0", "100"], ("00", "0")),
    "the run is decomposed": ([E_AND_ACUTE, "b"], [E_ACUTE, "b"], (E_AND_ACUTE, E_ACUTE)),
    "the qrels are decomposed": ([E_ACUTE, "b"], [E_AND_ACUTE, "b"], (E_ACUTE, E_AND_ACUTE)),
    "equal": (["098", "7", E_ACUTE], ["098", "7", E_ACUTE], None),
    "both are known": (["7", "007"], ["7", "007", "8"], None),
    "other ids": (["9", "10", "b"], ["098", "10", "a"], None),
    "no numbers": (["d7", "b"], ["d07", "b"], None),
    "no id matches": (["98", "99"], ["098", "099"], None),
}


def told(run, qrels):
    return spelled_otherwise(JudgedRun(Judgments(read_qrels(qrels)), run))


@pytest.mark.parametrize("what", ["document", "query"])
@pytest.mark.parametrize("case", CASES)
@pytest.mark.parametrize("form", FORMS)
def test_the_first_id_that_is_spelled_otherwise_is_told(tmp_path, form, case, what):
    of_run, of_qrels, pair = CASES[case]
    if what == "document":
        run, qrels = {"q": dict.fromkeys(of_run, 1.0)}, {"q": dict.fromkeys(of_qrels, 1)}
    else:
        run, qrels = {name: {"d": 1.0} for name in of_run}, {name: {"d": 1} for name in of_qrels}
    found = told(FORMS[form](tmp_path, run), qrels)
    if pair is None:
        assert found == ""
    else:
        assert found.startswith("has {} {!a} where the qrels have {!a}:".format(what, *pair))


names = st.text(st.sampled_from(["0", "1", E_ACUTE, "e", "\u0301", "x"]), min_size=1, max_size=4)


@given(st.dictionaries(names, st.sets(names, min_size=1), min_size=1))
def test_ids_of_the_qrels_are_spelled_as_they_are(judged):
    qrels = {query: dict.fromkeys(docs, 1) for query, docs in judged.items()}
    run = {query: dict.fromkeys(list(docs)[:2], 1.0) for query, docs in list(judged.items())[1:]}
    assert told(source_of_data(run, None), qrels) == ""


def test_it_is_a_doubt_in_one_line():
    runs = {name: {"q": {"98": 1.0, "100": 0.5}} for name in "abcde"}
    with pytest.warns(
        EvaluationWarning, match="run .a. has document .98. .*; likewise .* and 2 more runs"
    ):
        evaluate({"q": {"098": 1, "100": 1}}, runs, "P@1")
