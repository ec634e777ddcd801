"""ScoreMatrix.from_frame: tables with a row per score."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from irx_measures import (
    EvaluationWarning,
    InputError,
    ScoreMatrix,
    evaluate,
    simulate_campaign,
)

CAMPAIGN = simulate_campaign(systems=4, queries=5, seed=3)

MATRIX = evaluate(CAMPAIGN.runs, CAMPAIGN.qrels, ["nDCG@10", "AP"])


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
    expected = MATRIX.means().loc[list(shuffled.systems), list(map(str, shuffled.measures))]
    pd.testing.assert_frame_equal(shuffled.means(), expected)


def test_names_of_pyterrier_and_one_system_without_a_name_are_read():
    rows = MATRIX.select("nDCG@10").to_frame()
    renamed = rows.rename(columns={"system": "name", "query_id": "qid"})
    assert ScoreMatrix.from_frame(renamed).systems == MATRIX.systems
    alone = rows[rows.system == "lexical-a"].drop(columns="system")
    assert ScoreMatrix.from_frame(alone).systems == ("system",)


def test_ragas_names_a_query_by_its_text():
    table = pd.DataFrame(
        {"user_input": ["why?", "how?"], "system": "rag", "faithfulness": [1, 0.5]}
    )
    for name in ("user_input", "question"):
        matrix = ScoreMatrix.from_frame(table.rename(columns={"user_input": name}))
        assert (matrix.query_ids, matrix.systems) == (("why?", "how?"), ("rag",))


def test_m_chooses_columns_beside_texts():
    table = pd.DataFrame(
        {"user_input": ["a", "b"], "system": "rag", "response": "x", "recall": 1.0}
    )
    assert ScoreMatrix.from_frame(table, "recall")["recall"].tolist() == [[1, 1]]


@pytest.mark.parametrize("name", ["all", "mean"])
def test_rows_of_means_are_left_out_with_a_word(name):
    rows = MATRIX.to_frame()
    means = rows.groupby(["measure", "system"], as_index=False)["value"].mean()
    table = pd.concat([rows, means.assign(query_id=name)])
    with pytest.warns(EvaluationWarning, match=f"left out the rows of query '{name}', which stand"):
        matrix = ScoreMatrix.from_frame(table)
    assert matrix == MATRIX
    assert len(matrix.warnings) == 1
    with pytest.raises(InputError, match="must have scores of single queries; got means only"):
        ScoreMatrix.from_frame(table[table.query_id == name])


def cell(column, value):
    """A change of one cell, in the row with the position 3."""

    def change(rows):
        values = rows[column].astype(object)
        values.iloc[3] = value
        return rows.assign(**{column: values})

    return change


@pytest.mark.parametrize(
    ("change", "kind", "message"),
    [
        (lambda rows: rows.drop(columns="value"), InputError, "must have the columns name .*got"),
        (lambda rows: rows.drop(columns="query_id"), InputError, "must have the columns name"),
        (lambda rows: rows.iloc[:0], InputError, "at least one row"),
        (lambda rows: rows.iloc[[0, 1, 0]], InputError, r"iloc\[2\]: nDCG@10 of .* occurs twice"),
        (lambda rows: rows.iloc[1:], InputError, "has no nDCG@10 of 'lexical-a' for query 'q01'"),
        (lambda rows: [1, 2], InputError, "must have the columns name .*got list"),
        (
            lambda rows: rows.set_axis(["system", "query_id", "value", "value"], axis=1),
            InputError,
            "`frame` has 2 columns 'value'",
        ),
        *((cell(name, value), InputError, rf"iloc\[3\]: column '{name}' must not be empty")
          for name in ("system", "query_id", "measure") for value in (None, np.nan, pd.NA, "")),
        *((cell(name, 7), TypeError, rf"iloc\[3\]: column '{name}' must hold strings; got int")
          for name in ("system", "query_id", "measure")),
        *((cell("value", value), InputError, r"iloc\[3\]: column 'value' must hold finite numbers")
          for value in ("0.5", "high", True, np.inf, 10**400, 1j)),
        (lambda rows: rows.assign(value=True), InputError, "finite numbers; got True"),
        (lambda rows: rows.assign(value=pd.Timestamp(0)), InputError, "finite numbers; got Timest"),
    ],
)  # fmt: skip
def test_wrong_tables_are_refused(change, kind, message):
    with pytest.raises(kind, match=message):
        ScoreMatrix.from_frame(change(MATRIX.select("nDCG@10").to_frame()))


def test_two_systems_of_one_name_are_refused():
    table = pd.DataFrame([["q1", 1, 2]], columns=["qid", "a", "a"])
    with pytest.raises(InputError, match="`frame` has 2 columns 'a'"):
        ScoreMatrix.from_frame(table)
