"""ScoreMatrix.from_frame and from_files: scores that were computed elsewhere."""

from dataclasses import replace
from itertools import product

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from irx_measures import (
    EvaluationWarning,
    GroupedScores,
    InputError,
    ScoreMatrix,
    evaluate,
    simulate_campaign,
)
from irx_measures.io.columns import QUERY_NAMES, SYSTEM_NAMES
from tests import console

CAMPAIGN = simulate_campaign(systems=4, queries=5, seed=3)

MATRIX = evaluate(CAMPAIGN.qrels, CAMPAIGN.runs, ["nDCG@10", "AP"])
ROWS = MATRIX.select("nDCG@10").to_frame()


def measures_of(matrix):
    return [*map(str, matrix.measures)]


def test_a_matrix_comes_back_from_its_table():
    assert ScoreMatrix.from_frame(MATRIX.to_frame()) == MATRIX


def test_a_system_without_a_score_comes_back_undefined():
    scores = MATRIX.scores.copy()
    scores[1, 2] = np.nan
    undefined = replace(MATRIX, scores=scores)
    assert ScoreMatrix.from_frame(undefined.to_frame()) == undefined


@given(st.randoms())
def test_the_order_of_rows_decides_only_the_order_of_names(random):
    rows = MATRIX.to_frame()
    order = list(range(len(rows)))
    random.shuffle(order)
    shuffled = ScoreMatrix.from_frame(rows.iloc[order])
    assert set(shuffled.systems) == set(MATRIX.systems)
    expected = MATRIX.means().loc[list(shuffled.systems), measures_of(shuffled)]
    pd.testing.assert_frame_equal(shuffled.means(), expected)


NAMES = [("name", "qid"), *product(SYSTEM_NAMES, QUERY_NAMES)]


@pytest.mark.parametrize(("system", "query"), NAMES)
def test_tables_of_scores_have_the_names_of_pyterrier_and_of_tables_of_runs(system, query):
    renamed = ROWS.rename(columns={"system": system, "query_id": query})
    assert ScoreMatrix.from_frame(renamed).systems == MATRIX.systems


def test_one_system_without_a_name_is_read():
    alone = ROWS[ROWS.system == "lexical-a"].drop(columns="system")
    assert ScoreMatrix.from_frame(alone).systems == ("system",)


def test_ragas_names_a_query_by_its_text():
    table = pd.DataFrame({"user_input": ["why?", "how?"], "system": "rag", "recall": [1, 0.5]})
    for name in ("user_input", "question"):
        matrix = ScoreMatrix.from_frame(table.rename(columns={"user_input": name}))
        assert (matrix.query_ids, matrix.systems) == (("why?", "how?"), ("rag",))
    chosen = ScoreMatrix.from_frame(table.assign(response="x"), "recall")  # beside a text
    assert chosen["recall"].tolist() == [[1, 0.5]]


def with_means(name, places=15):
    """The scores of the matrix, and rows with their means."""
    rows = MATRIX.to_frame()
    means = rows.groupby(["measure", "system"], as_index=False)["value"].mean().round(places)
    return pd.concat([rows, means.assign(query_id=name)], ignore_index=True)


@pytest.mark.parametrize("places", [15, 3])
@pytest.mark.parametrize("name", ["all", "mean"])
def test_rows_of_means_are_left_out_with_a_word(name, places):
    table = with_means(name, places)
    with pytest.warns(EvaluationWarning, match=f"left out the rows of query '{name}': they are m"):
        matrix = ScoreMatrix.from_frame(table)
    assert matrix == MATRIX
    assert len(matrix.warnings) == 1
    with pytest.raises(InputError, match="must have scores of single queries; got means only"):
        ScoreMatrix.from_frame(table[table.query_id == name])


@pytest.mark.parametrize("off", [-0.003, 0.003, 1])
def test_a_query_that_is_called_as_a_mean_and_is_none_is_refused(off):
    table = with_means("all")
    table.loc[len(table) - 1, "value"] += off
    row = rf"iloc\[{len(table) - 1}\]: .* for query 'all' is .*, and the mean of its other queries"
    with pytest.raises(InputError, match=row):
        ScoreMatrix.from_frame(table)


def with_cell(column, value):
    """The rows with another value in one cell, in the row with the position 3."""
    values = ROWS[column].astype(object)
    values.iloc[3] = value
    return ROWS.assign(**{column: values})


TEXTS = ("system", "query_id", "measure")
WRONG_TABLES = [
    (ROWS.drop(columns="value"), "must have the columns name .*got"),
    (ROWS[["value"]], r"must .*; got 'value'$"),
    (ROWS.drop(columns="query_id"), r"'value' \(a table of means"),
    (ROWS[["query_id"]], "must have the columns .*got 'query_id'"),
    (ROWS.value, "must have the columns name .*got Series"),
    ({"query_id": ["q"]}, "must have the columns name .*got dict"),
    ([1, 2], "must have the columns name .*got list"),
    (
        ROWS.set_index("query_id", drop=False).assign(query_id="x"),
        "the index and the column 'query_id' of a table must be equal",
    ),
    (
        MATRIX.means(),
        r"got 'nDCG@10', .* \(a table of means cannot be compared: Experiment\(\.\.\., perquery",
    ),
    (ROWS.iloc[:0], "at least one row"),
    (ROWS.iloc[[0, 1, 0]], r"iloc\[2\]: nDCG@10 of .* occurs twice"),
    (ROWS.iloc[1:], "has no nDCG@10 of 'lexical-a' for query 'q01'"),
    (
        ROWS.set_axis(["system", "query_id", "value", "value"], axis=1),
        "`frame` has 2 columns 'value'",
    ),
    (pd.DataFrame([["q1", 1, 2]], columns=["qid", "a", "a"]), "`frame` has 2 columns 'a'"),
    *(
        (with_cell(name, value), rf"iloc\[3\]: column '{name}' must not be empty")
        for name in TEXTS
        for value in (None, np.nan, pd.NA, "")
    ),
    *(
        (with_cell("value", value), r"iloc\[3\]: column 'value' must hold finite numbers")
        for value in ("0.5", "high", True, np.inf, 10**400, 1j)
    ),
    (ROWS.assign(value=True), "finite numbers; got True"),
    (ROWS.assign(value=pd.Timestamp(0)), "finite numbers; got Timest"),
]


@pytest.mark.parametrize(("table", "message"), WRONG_TABLES)
def test_wrong_tables_are_refused(table, message):
    with pytest.raises(InputError, match=message):
        ScoreMatrix.from_frame(table)


@pytest.mark.parametrize(
    ("table", "message"),
    [
        (ROWS.assign(query_id=[[]] * len(ROWS)), "strings; got list"),
        (ROWS.assign(query_id=[np.ones(2)] * len(ROWS)), "got ndarray"),
        *(
            (with_cell(name, 7), rf"\[3\]: column '{name}' must hold strings; got int")
            for name in TEXTS
        ),
    ],
)
def test_names_are_strings(table, message):
    with pytest.raises(TypeError, match=message):
        ScoreMatrix.from_frame(table)


@pytest.mark.parametrize("unit", ["group", "collection"])
def test_a_group_that_is_not_text_in_unicode_is_refused(unit):
    names = pd.Series("\ud800", MATRIX.to_frame().index, object)
    with pytest.raises(InputError, match=r"`frame` has a name that is not text in Unicode"):
        GroupedScores.from_frame(MATRIX.to_frame().assign(**{unit: names}))


@pytest.mark.parametrize(
    "held",
    [
        lambda rows: rows.set_index("query_id"),
        lambda rows: rows.set_index("query_id", drop=False),
        lambda rows: rows.set_index(["system", "query_id"], drop=False),
        lambda rows: pytest.importorskip("polars").from_pandas(rows),
        lambda rows: pytest.importorskip("pyarrow").Table.from_pandas(rows),
    ],
)
def test_other_tables_are_read(held):
    assert ScoreMatrix.from_frame(held(MATRIX.to_frame())) == MATRIX


@pytest.mark.parametrize(
    ("measures", "message"),
    [
        ({"AP": 1}, "`measures` must be names of measures; got dict"),
        (7, "got int"),
        ([None], "got NoneType"),
        ([], "a measure is missing"),
        (frozenset(), "a measure is missing"),
    ],
)
@pytest.mark.parametrize("table", [MATRIX.to_frame(), MATRIX.means().rename_axis("query_id")])
def test_what_names_no_measure_is_refused(table, measures, message):
    error = TypeError if "got" in message else InputError
    with pytest.raises(error, match=message):
        ScoreMatrix.from_frame(table, measures)


@pytest.mark.parametrize(
    ("measures", "names"),
    [
        (MATRIX.measures[1], ["AP"]),
        ({"nDCG@10", "AP"}, ["AP", "nDCG@10"]),
        (frozenset(MATRIX.measures), ["AP", "nDCG@10"]),
        (pd.Series(["nDCG@10"]), ["nDCG@10"]),
        (iter(["AP"]), ["AP"]),
    ],
)
def test_measures_are_named_in_every_usual_form(measures, names):
    assert measures_of(ScoreMatrix.from_frame(MATRIX.to_frame(), measures)) == names


BOOLEANS = {
    "csv": lambda table, path: table.to_csv(path, index=False),
    "jsonl": lambda table, path: table.to_json(path, orient="records", lines=True),
    "parquet": lambda table, path: table.to_parquet(path),
}


@pytest.mark.parametrize("form", BOOLEANS)
def test_booleans_are_scores_only_if_they_are_named(tmp_path, form):
    if form == "parquet":
        pytest.importorskip("pyarrow")
    path = tmp_path / f"s.{form}"
    table = pd.DataFrame({"qid": ["q", "r"], "system": "a", "AP": 0.5, "is_public": [True, False]})
    BOOLEANS[form](table, path)
    for call, source in ((ScoreMatrix.from_frame, table), (ScoreMatrix.from_files, path)):
        with pytest.warns(EvaluationWarning, match="left out the column 'is_public', which holds"):
            assert measures_of(call(source)) == ["AP"]
        assert call(source, ["AP", "is_public"])["is_public"].tolist() == [[1, 0]]


# Files

LONG = pd.DataFrame(
    [
        (system, f"00{query}", measure, (place + 1) * query / 10)
        for place, system in enumerate(["bm25", "dense"])
        for query in range(1, 5)
        for measure in ["faithfulness", "seconds"]
    ],
    columns=["system", "query_id", "measure", "value"],
)

WIDE = LONG[LONG.measure == "seconds"].pivot(index="query_id", columns="system", values="value")


def assert_long(matrix):
    """All scores of `LONG`, with query ids as they were written."""
    assert sorted(map(str, matrix.measures)) == ["faithfulness", "seconds"]
    assert matrix.query_ids == ("001", "002", "003", "004")
    dense = matrix["seconds"][matrix.systems.index("dense")]
    np.testing.assert_allclose(dense, [0.2, 0.4, 0.6, 0.8])


def by_measure(table):
    return table.pivot(index=["system", "query_id"], columns="measure", values="value")


def files_of_systems(folder):
    for system, rows in LONG.groupby("system"):
        rows.drop(columns="system").to_csv(folder / f"{system}.csv", index=False)


def parquet(folder):
    pytest.importorskip("pyarrow")
    LONG.to_parquet(folder / "s.parquet")


WRITTEN = {
    "as pandas writes it": lambda folder: LONG.to_csv(folder / "s.csv", encoding="utf-8-sig"),
    "without an index": lambda folder: LONG.to_csv(folder / "s.csv", index=False),
    "as irx evaluate writes it": lambda folder: by_measure(LONG).to_csv(folder / "s.csv"),
    "decimal commas": lambda folder: LONG.to_csv(folder / "s.csv", sep=";", decimal=","),
    "both": lambda folder: by_measure(LONG).to_csv(folder / "s.csv", sep=";", decimal=","),
    "a file per system": files_of_systems,
    "JSON": lambda folder: LONG.to_json(folder / "s.jsonl", orient="records", lines=True),
    "Parquet": parquet,
}


@pytest.mark.parametrize("write", WRITTEN.values(), ids=WRITTEN)
def test_every_form_of_a_table_has_the_same_scores(tmp_path, write):
    write(tmp_path)
    assert_long(ScoreMatrix.from_files(sorted(tmp_path.iterdir())))


def test_a_column_per_system_is_one_measure(tmp_path):
    WIDE.to_csv(tmp_path / "wide.csv")
    matrix = ScoreMatrix.from_files(tmp_path / "wide.csv", "seconds")
    assert (measures_of(matrix), matrix.systems) == (["seconds"], ("bm25", "dense"))
    assert list(map(str, ScoreMatrix.from_frame(WIDE).measures)) == ["score"]
    np.testing.assert_allclose(matrix.scores, ScoreMatrix.from_frame(WIDE).scores)


def test_measures_of_a_file_are_named_as_elsewhere(tmp_path):
    """By another spelling, or by the short label that tables show, where it is unique."""
    names = ["NRG(prior=others)@10", "NRG(prior=bm25)@5", "nDCG@10", "P(rel=2)@5", "P(rel=3)@5"]
    one = LONG[LONG.measure == "seconds"]
    table = pd.concat([one.assign(measure=name, value=one.value + 1) for name in names])
    table.to_csv(tmp_path / "s.csv", index=False)
    by_measure(table).to_csv(tmp_path / "wide.csv")
    asked = ["NRG@10", "NRG@5", "ndcg_cut_10", "P(rel=3)@5", "ndcg@10"]
    for file in ("s.csv", "wide.csv"):
        matrix = ScoreMatrix.from_files(tmp_path / file, asked)
        assert measures_of(matrix) == [*names[:3], names[4]]
        with pytest.raises(InputError, match=r"P@5 may be P\(rel=2\)@5 or P\(rel=3\)@5: name one"):
            ScoreMatrix.from_files(tmp_path / file, "P@5")
        with pytest.raises(InputError, match=r"the scores have no measure 'NRG@2'; they have"):
            ScoreMatrix.from_files(tmp_path / file, "NRG@2")


@pytest.mark.parametrize("missing", ["", "nan", "NaN", "NA", "null", "None"])
def test_a_score_that_is_not_there_is_named_and_left_out_if_asked(tmp_path, missing):
    path = tmp_path / "scores.csv"
    rows = LONG.astype({"value": object})
    rows.loc[0, "value"] = missing
    rows.to_csv(path, index=False)
    with pytest.raises(InputError, match=r"csv:2: faithfulness of 'bm25'.*NaN.*`strict=False`"):
        ScoreMatrix.from_files(path)
    with pytest.warns(EvaluationWarning, match=r"left out 1 query of 4 .*: 001 \(bm25, faithfuln"):
        matrix = ScoreMatrix.from_files(path, strict=False)
    assert matrix.query_ids == ("002", "003", "004")
    assert matrix.warnings
    kept = ScoreMatrix.from_files(path, "seconds")
    assert len(kept.query_ids) == 4


LINES = '{"qid": "q1", "a": 1, "b": 2}\n{"qid": "q2", "a": 1}\n{"qid": "q3", "c": 1}\n'


@pytest.mark.parametrize(
    ("name", "text", "fact"),
    [
        ("s.xlsx", "", r"ends in \.csv, \.tsv, \.jsonl"),
        ("s.csv", "", "at least one row"),
        ("{s}.csv", "qid,system,AP\nq,a,1\nq,a,2\n", r"{s}\.csv:3: AP of 'a' .* twice"),
        ("s.csv", "qid,system,AP\nq,a,1\n,a,2\n", "csv:3: column 'qid' must hold"),
        ("s.csv", "qid,a\nq,high\n", r"s\.csv:2: column 'a' must hold finite"),
        ("s.csv", "system,AP\na,1\n", r"irx evaluate -q writes the scores of each q"),
        ("s.csv", "system,measure,value\na,AP,1\n", r"irx evaluate -q writes"),
        ("s.csv", "qid,AP\nall,1\n", r"got means only \(.* irx evaluate -q writes"),
        ("s.json", '[{"qid": null, "AP": 1}]', r"got means only \(.* irx evaluate -q"),
        ("\udcff.csv", "qid,measure,value\nq,AP,1\n", "is not text in Unicode"),
        ("s.csv", "9" * 900 + ",b\n1,2\n", r"got '9{50,100}\.\.\.', 'b'$"),
        ("s.jsonl", LINES, r"s\.jsonl:1: .* of 'c' .* is NaN"),
        ("s.json", '[{"qid": "q", "a": "x"}]', "json, result 1: column 'a' must hold"),
        ("s.parquet", [7], "parquet, row 1: column 'qid' must hold strings"),
    ],
)
def test_a_mistake_is_named_with_its_place(tmp_path, name, text, fact):
    if isinstance(text, list):
        pytest.importorskip("pyarrow")
        pd.DataFrame({"qid": text, "a": 1}).to_parquet(tmp_path / name)
    else:
        (tmp_path / name).write_text(text)
    with pytest.raises(InputError, match=fact):
        ScoreMatrix.from_files(tmp_path / name)


def test_no_file_has_no_scores(tmp_path):
    with pytest.raises(FileNotFoundError, match=r"s\.csv"):
        ScoreMatrix.from_files(tmp_path / "s.csv")
    with pytest.raises(InputError, match="`paths` must name at least one file; got none"):
        ScoreMatrix.from_files([])


def test_every_file_has_its_own_form(tmp_path):
    by_measure(LONG[LONG.system == "bm25"]).to_csv(tmp_path / "a.csv")
    LONG[LONG.system == "dense"].to_csv(tmp_path / "b.csv")
    assert_long(ScoreMatrix.from_files(sorted(tmp_path.iterdir())))


# What `irx evaluate` writes

DEPENDS = "NRG(prior=others)@10"


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """The files of the campaign; the groups of its queries."""
    folder = tmp_path_factory.mktemp("written")
    CAMPAIGN.write(folder)
    groups = [f"{query},{'long' if query > 'q03' else 'short'}\n" for query in MATRIX.query_ids]
    (folder / "by.csv").write_text("".join(["query_id,group\n", *groups]))
    return folder


def evaluated(folder, form, *options):
    """The file into which `irx evaluate` writes the scores of all queries."""
    measures = [*map(str, MATRIX.measures), "NumRet", DEPENDS]
    arguments = ["qrels.txt", "runs/*", "-m", *measures, "-q", "-o", form, *options]
    done = console.irx("evaluate", *arguments, cwd=folder)
    assert (done.returncode, done.stderr) == (0, "")
    path = folder / f"scores.{form.removesuffix('-safe')}"
    path.write_text(done.stdout)
    return path


@pytest.mark.filterwarnings("ignore:left out the rows of query 'all'")
@pytest.mark.parametrize("more", [(), ("--by", "by.csv"), ("-n",)], ids=["means", "groups", "none"])
@pytest.mark.parametrize("form", ["csv", "csv-safe", "json", "jsonl"])
def test_what_irx_evaluate_writes_is_read_back_exactly(folder, form, more):
    measures = [*MATRIX.measures, "NumRet", DEPENDS]
    expected = evaluate(folder / "qrels.txt", f"{folder}/runs/*", measures)
    path = evaluated(folder, form, *more)
    back = ScoreMatrix.from_files(path)
    assert replace(back, warnings=()) == expected
    done = console.irx("compare", "--scores", path, "-m", "AP", "-o", "csv")
    same = console.irx("compare", "qrels.txt", "runs/*", "-m", "AP", "-o", "csv", cwd=folder)
    assert done.stdout == same.stdout != ""
    if more[:1] == ("--by",):
        grouped = GroupedScores.from_files(path)
        groups = expected.by(folder / "by.csv")
        assert grouped.groups == groups.groups == ("short", "long")
        again = GroupedScores.from_frame(groups.to_frame())
        for group in groups.groups:
            assert replace(grouped[group], warnings=()) == groups[group] == again[group]


def test_the_scores_of_one_system_are_called_as_their_file(folder):
    alone = ["evaluate", "qrels.txt", "runs/lexical-a*", "-m", "AP"]
    done = console.irx(*alone, "-q", "-n", "-o", "jsonl", cwd=folder)
    (folder / "mine.jsonl").write_text(done.stdout)
    back = ScoreMatrix.from_files(folder / "mine.jsonl")
    assert back.systems == ("mine",)
    assert back["AP"].tolist() == MATRIX["AP"][:1].tolist()
