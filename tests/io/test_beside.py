"""The columns beside query, document and score, in every form that has columns."""

import gzip
import re
from collections import namedtuple

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest

from irx_measures import EvaluationWarning, InputError, RunSet, evaluate
from irx_measures.io import core
from irx_measures.io.rank_column import HEAD_ROWS
from irx_measures.io.trec import read_qrels, read_run

QUERIES = [f"q{number}" for number in range(12)]

RUN = pd.DataFrame(
    [(query, f"d{place}", 9.0 - place, place) for query in QUERIES for place in range(6)],
    columns=["qid", "docno", "score", "rank"],
)


def file_of(ending, write):
    def form(frame, folder):
        path = folder / f"mine{ending}"
        write(frame, path)
        return path

    return form


def polars(frame, folder):
    return pytest.importorskip("polars").from_pandas(frame)


def namedtuples(frame, folder):
    kind = namedtuple("Row", frame.columns, rename=True)
    return [kind(*row) for row in frame.itertuples(index=False)]


def trec(frame, folder):
    path = folder / "mine.run"
    rows = frame.itertuples(index=False)
    lines = (f"{row.qid} Q0 {row.docno} {row.rank} {row.score} tag\n" for row in rows)
    path.write_text("".join(lines) + "# a comment\n")
    return path


FORMS = {
    "frame": lambda frame, folder: frame,
    "categories": lambda frame, folder: frame.astype(dict.fromkeys(frame.columns[:2], "category")),
    "arrow": lambda frame, folder: pa.table(frame),
    "polars": polars,
    "dicts": lambda frame, folder: frame.to_dict("records"),
    "namedtuples": namedtuples,
    "csv": file_of(".csv", lambda frame, path: frame.to_csv(path, index=False)),
    "tsv": file_of(".tsv", lambda frame, path: frame.to_csv(path, index=False, sep="\t")),
    "jsonl": file_of(
        ".jsonl", lambda frame, path: frame.to_json(path, orient="records", lines=True)
    ),
    "json": file_of(".json", lambda frame, path: frame.to_json(path, orient="records")),
    "parquet": file_of(".parquet", lambda frame, path: frame.to_parquet(path)),
}


RANKED = FORMS | {"trec": trec}


@pytest.fixture(params=FORMS)
def form(request, tmp_path):
    return lambda frame: FORMS[request.param](frame, tmp_path)


@pytest.fixture(params=RANKED)
def ranked(request, tmp_path):
    return lambda frame: RANKED[request.param](frame, tmp_path)


@pytest.mark.parametrize("column", ["system", "run", "run_id", "runid", "tag"])
def test_several_systems_in_one_table_are_no_run(form, column):
    one = RUN.assign(**{column: "bm25"})
    assert len(read_run(form(one))) == len(RUN)
    two = RUN.assign(**{column: np.where(RUN.qid == "q3", "bm25", "dense")})
    with pytest.raises(InputError, match=f"column '{column}' names 2 systems in one table; give"):
        read_run(form(two))


def test_a_name_is_that_of_a_run_where_documents_come_again_under_another(form):
    titles = RUN.assign(name=RUN.docno)
    assert len(read_run(form(titles))) == len(RUN)
    runs = pd.concat([RUN.assign(name="bm25"), RUN.assign(name="dense")])
    with pytest.raises(InputError, match="column 'name' names 2 systems in one table; give"):
        read_run(form(runs))
    assert len(read_run(form(pd.concat([titles, titles])))) == 2 * len(RUN)


ASKS = "; does its column {!r} name systems? give each system's rows as a run of its own; for a "

TWO_MODELS = pd.concat([RUN.assign(model="bm25"), RUN.assign(model="dense")], ignore_index=True)


@pytest.mark.parametrize(
    ("change", "asked"),
    [
        ({}, "model"),
        ({"model": TWO_MODELS.model.astype("category")}, "model"),
        ({"qid": TWO_MODELS.qid.astype("category"), "query": TWO_MODELS.qid + " text"}, "model"),
        ({"model": TWO_MODELS.model + TWO_MODELS.qid}, "model"),
        ({"model": "bm25"}, ""),
        ({"model": TWO_MODELS.index.astype(str)}, ""),  # a text for each row
        ({"model": TWO_MODELS.docno}, ""),  # a text for each document
        ({"model": TWO_MODELS.index % 2}, ""),  # no texts
    ],
)
def test_a_frame_with_documents_twice_is_asked_for_a_column_of_systems(change, asked):
    frame = TWO_MODELS.assign(**change)
    expected = "document 'd0' more than once" + (ASKS.format(asked) if asked else "")
    qrels = {query: {"d0": 1} for query in QUERIES}
    with pytest.raises(InputError) as error:
        evaluate(qrels, frame, "P@1")
    assert expected in str(error.value)
    assert ("name systems" in str(error.value)) == bool(asked)
    with pytest.warns(EvaluationWarning, match="left out documents returned again") as told:
        evaluate(qrels, frame, "P@1", strict=False)
    assert ("name systems" in str(told[0].message)) == bool(asked)
    once = frame.drop_duplicates(["qid", "docno"])
    assert evaluate(qrels, once, "P@1").means().loc["run", "P@1"] == 1


@pytest.mark.parametrize(("first", "other"), [("query_id", "qid"), ("doc_id", "docno")])
def test_two_columns_of_one_meaning_must_be_equal(form, first, other):
    assert len(read_run(form(RUN.assign(**{first: RUN[other]})))) == len(RUN)
    both = f"has columns {first!r} and {other!r}, which must be equal; got "
    with pytest.raises(InputError, match=both):
        read_run(form(RUN.assign(**{first: "x"})))


# Names of the columns of query, document, score and grade.
NAMES = {
    "ir_measures": ("query_id", "doc_id", "score", "relevance"),
    "PyTerrier": ("qid", "docno", "score", "label"),
    "BEIR": ("query-id", "corpus-id", "score", "score"),
    "sentence-transformers": ("query_id", "corpus_id", "score", "relevance"),
    "docid": ("qid", "docid", "score", "label"),
    "judgments": ("query_id", "doc_id", "score", "grade"),
}
QRELS_OF_RUN = RUN.assign(score=RUN["rank"] % 3 - 1).drop(columns="rank")
NUMBER = re.compile("a grade must be .* got 0.5 .*If not, multiply all grades by")


def named(form, frame, names):
    """A frame in a form, with these names; itertuples has no names with hyphens."""
    named = frame.rename(columns=dict(zip(frame.columns, names, strict=False)))
    made = form(named)
    if isinstance(made, list) and not all(map(str.isidentifier, names)):
        made = named.to_dict("records")
    return made


def rows_of(table):
    return list(zip(table.query.all(), table.doc.all(), table.value.tolist(), strict=True))


@pytest.mark.parametrize("tool", NAMES)
def test_names_of_columns_are_the_same_in_every_form(form, tool):
    query, doc, score, grade = NAMES[tool]
    run = read_run(named(form, RUN, (query, doc, score)))
    assert rows_of(run) == list(RUN.drop(columns="rank").itertuples(index=False, name=None))
    qrels = read_qrels(named(form, QRELS_OF_RUN, (query, doc, grade)))
    assert rows_of(qrels) == list(QRELS_OF_RUN.itertuples(index=False, name=None))
    floats = QRELS_OF_RUN.astype({"score": float})
    assert rows_of(read_qrels(named(form, floats, (query, doc, grade)))) == rows_of(qrels)
    halves = QRELS_OF_RUN.assign(score=QRELS_OF_RUN["score"] + (QRELS_OF_RUN["docno"] == "d1") / 2)
    with pytest.raises(InputError, match=NUMBER):
        read_qrels(named(form, halves, (query, doc, grade)))


def test_columns_say_whether_a_table_is_a_run_or_qrels(form):
    swapped = "these are the columns of {}: are runs and qrels swapped"
    with pytest.raises(InputError, match=swapped.format("a run")):
        read_qrels(form(RUN))
    for names in (("qid", "docno", "label"), ("query-id", "corpus-id", "grade")):
        with pytest.raises(InputError, match=swapped.format("qrels")):
            read_run(named(form, QRELS_OF_RUN, names))


def test_the_score_of_judged_results_is_not_their_grade(form):
    names = ("query-id", "corpus-id", "score", "label")
    both = QRELS_OF_RUN.assign(label=QRELS_OF_RUN["score"], score=0.5)
    assert read_qrels(named(form, both, names)).value.tolist() == both["label"].tolist()
    assert read_run(named(form, both, names)).value.tolist() == both["score"].tolist()


def test_pyterriers_numbers_of_documents_are_not_read(form):
    frame = RUN.assign(docid=range(len(RUN)))
    assert rows_of(read_run(form(frame))) == rows_of(read_run(RUN))


def ranks(**changes):
    return RUN.assign(**changes)


CONTRADICTING = {
    "rises": (ranks(score=RUN["rank"] + 1.0), "score column rises with the rank column in 10 of"),
    "constant": (ranks(score=1.0), "score column is constant and the rank column is not in 10"),
}

RISES = "run 'mine' has ranks that contradict its scores: the score column rises"

SILENT = {
    "falls": RUN,
    "stale ranks": ranks(rank=RUN["rank"] * 5 % 6),
    "many documents of score 0": ranks(score=(3.0 - RUN["rank"]).clip(lower=0)),
    "one document per query": ranks(score=1.0).drop_duplicates("qid"),
    "two queries of six": ranks(score=RUN["score"] * np.where(RUN.qid < "q10", -1, 1)),
    "no ranks": ranks(rank="-", score=1.0),
    "missing ranks": ranks(rank=np.nan, score=1.0),
    "constant ranks": ranks(rank=0, score=RUN["rank"] + 1.0),
}


@pytest.mark.parametrize("case", CONTRADICTING)
def test_ranks_that_contradict_the_scores(ranked, case):
    frame, told = CONTRADICTING[case]
    assert told in read_run(ranked(frame)).ranks


def test_rows_may_stand_in_any_order(form):
    rising = ranks(score=RUN["rank"] + 1.0).sample(frac=1, random_state=1)
    assert "rises with the rank column" in read_run(form(rising)).ranks


@pytest.mark.parametrize("case", SILENT)
def test_ranks_that_say_nothing(ranked, case):
    assert read_run(ranked(SILENT[case])).ranks == ""


RISING = ranks(score=RUN["rank"] + 1.0)
QRELS = {query: {"d1": 1} for query in QUERIES}


def warnings_of(runs):
    with pytest.warns(EvaluationWarning) as told:
        matrix = evaluate(QRELS, runs, "P@1")
    messages = [str(each.message) for each in told]
    assert tuple(messages[-len(matrix.warnings) :]) == matrix.warnings
    return messages


@pytest.mark.parametrize("reader", ["core", "plain"])
@pytest.mark.parametrize("name", ["mine.run", "mine.run.gz"])
def test_every_reader_of_lines_sees_the_ranks(tmp_path, monkeypatch, reader, name):
    if reader == "plain":
        monkeypatch.setattr(core, "BUILT", False)
    path, text = tmp_path / name, trec(RISING, tmp_path).read_bytes()
    text = text.removesuffix(b"# a comment\n")
    path.write_bytes(gzip.compress(text) if name.endswith(".gz") else text)
    assert warnings_of(RunSet([path])) == [
        f"{RISES} with the rank column in 10 of the 10 queries looked at ('q0': score 1 at rank 0, "
        "6 at rank 5); documents are ordered by score, and the rank column is not read"
    ]


def test_only_the_beginning_of_a_large_file_is_looked_at(tmp_path):
    path = trec(RISING, tmp_path)
    first = "".join(f"q0 Q0 x{place} {place} {-place} t\n" for place in range(HEAD_ROWS))
    path.write_text(first + path.read_text())
    assert evaluate(QRELS, RunSet([path]), "P@1").warnings == ()


def test_a_run_without_its_duplicates_keeps_its_ranks():
    again = pd.concat([RISING, RISING[:1]])
    left_out, contradicted = warnings_of(RunSet({"mine": again}, strict=False))
    assert left_out == "run 'mine': left out documents returned again (1)"
    assert contradicted.startswith(RISES)


def test_the_ranks_of_a_part_are_those_of_the_run(tmp_path):
    parts = [tmp_path / "a.csv", tmp_path / "b.csv"]
    for path, first in zip(parts, (True, False), strict=True):
        RISING[(RISING.qid < "q5") == first].to_csv(path, index=False)
    for runs in ({"mine": parts}, RunSet({"mine": RISING})):
        (message,) = warnings_of(runs)
        assert message.startswith(RISES)


@pytest.mark.parametrize("measures", [["nDCG_UE@3"], ["nDCG@3", "nDCG_UE@3"]])
def test_an_experiment_tells_of_ranks_once(measures):
    pytest.importorskip("pyterrier")
    from irx_measures import Experiment

    topics = pd.DataFrame({"qid": QUERIES, "query": "x"})
    qrels = pd.DataFrame([(query, "d1", 1) for query in QUERIES], columns=["qid", "docno", "label"])
    with pytest.warns(EvaluationWarning) as told:
        Experiment([RISING], topics, qrels, measures, names=["mine"])
    (message,) = (str(each.message) for each in told if "rises" in str(each.message))
    assert message.startswith(RISES)
