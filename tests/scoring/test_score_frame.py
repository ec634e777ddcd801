"""ScoreMatrix.from_frame: tables with a row per score."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from irx_measures import InputError, ScoreMatrix, evaluate, simulate_campaign

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


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda rows: rows.drop(columns="value"), "must have the columns name .*got 'system'"),
        (lambda rows: rows.drop(columns="query_id"), "must have the columns name"),
        (lambda rows: rows.iloc[:0], "at least one row"),
        (lambda rows: pd.concat([rows, rows.iloc[:1]]), "nDCG@10 of 'lexical-a' .* occurs twice"),
        (lambda rows: rows.iloc[1:], "nDCG@10 of 'lexical-a' for query .* occurs not at all"),
        (lambda rows: [1, 2], "must have the columns name .*got list"),
    ],
)
def test_wrong_tables_are_refused(change, message):
    with pytest.raises(InputError, match=message):
        ScoreMatrix.from_frame(change(MATRIX.select("nDCG@10").to_frame()))
