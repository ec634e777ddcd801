"""ScoreMatrix.from_files: scores that were computed elsewhere."""

import numpy as np
import pandas as pd
import pytest

from irx_measures import EvaluationWarning, InputError, ScoreMatrix

from ..optional import needs

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


@pytest.mark.parametrize("index", [True, False])
def test_text_files_are_read_as_pandas_writes_them(tmp_path, index):
    path = tmp_path / "scores.csv"
    LONG.to_csv(path, index=index, encoding="utf-8-sig")
    assert_long(ScoreMatrix.from_files(path))


@pytest.mark.parametrize("by_measure", [True, False])
def test_numbers_between_semicolons_may_have_a_decimal_comma(tmp_path, by_measure):
    table = LONG.assign(system=LONG.system.replace("bm25", "bm25, tuned"))
    if by_measure:
        table = table.pivot(index=["system", "query_id"], columns="measure", values="value")
    table.to_csv(tmp_path / "scores.csv", sep=";", decimal=",", index=by_measure)
    assert "0,8" in (tmp_path / "scores.csv").read_text()
    matrix = ScoreMatrix.from_files(tmp_path / "scores.csv")
    assert matrix.systems == ("bm25, tuned", "dense")
    assert_long(matrix)


@needs("pyarrow")
def test_parquet_is_read(tmp_path):
    LONG.to_parquet(tmp_path / "scores.parquet")
    assert_long(ScoreMatrix.from_files(tmp_path / "scores.parquet"))


def test_a_column_per_system_is_one_measure(tmp_path):
    WIDE.to_csv(tmp_path / "wide.csv")
    matrix = ScoreMatrix.from_files(tmp_path / "wide.csv", "seconds")
    assert (list(map(str, matrix.measures)), matrix.systems) == (["seconds"], ("bm25", "dense"))
    assert list(map(str, ScoreMatrix.from_frame(WIDE).measures)) == ["score"]
    np.testing.assert_allclose(matrix.scores, ScoreMatrix.from_frame(WIDE).scores)


def test_a_column_per_measure_is_what_irx_evaluate_writes(tmp_path):
    table = LONG.pivot(index=["system", "query_id"], columns="measure", values="value")
    table.to_csv(tmp_path / "scores.csv")
    assert_long(ScoreMatrix.from_files(tmp_path / "scores.csv"))


def test_files_of_one_system_each_name_it(tmp_path):
    for system, rows in LONG.groupby("system"):
        rows.drop(columns="system").to_csv(tmp_path / f"{system}.csv", index=False)
    paths = [tmp_path / "bm25.csv", tmp_path / "dense.csv"]
    assert_long(ScoreMatrix.from_files(paths))


@pytest.mark.parametrize("missing", ["", "nan", "NaN", "NA", "null", "None"])
def test_a_score_that_is_not_there_is_named_and_left_out_if_asked(tmp_path, missing):
    path = tmp_path / "scores.csv"
    rows = LONG.astype({"value": object})
    rows.loc[0, "value"] = missing
    rows.to_csv(path, index=False)
    with pytest.raises(InputError, match=r"csv:2: faithfulness of 'bm25' .* is NaN.*--no-strict"):
        ScoreMatrix.from_files(path)
    with pytest.warns(EvaluationWarning, match=r"left out 1 query of 4 .*: 001 \(bm25, faithfuln"):
        matrix = ScoreMatrix.from_files(path, strict=False)
    assert matrix.query_ids == ("002", "003", "004")
    assert matrix.warnings
    kept = ScoreMatrix.from_files(path, "seconds")
    assert len(kept.query_ids) == 4


def test_other_files_are_refused(tmp_path):
    (tmp_path / "scores.xlsx").write_text("")
    with pytest.raises(InputError, match=r"ends in \.csv, \.tsv, \.jsonl"):
        ScoreMatrix.from_files(tmp_path / "scores.xlsx")
    with pytest.raises(FileNotFoundError, match=r"lacking\.csv"):
        ScoreMatrix.from_files(tmp_path / "lacking.csv")
    WIDE.to_csv(tmp_path / "wide.csv")
    LONG.to_csv(tmp_path / "long.csv")
    with pytest.raises(InputError, match=r"wide\.csv: of several files of scores"):
        ScoreMatrix.from_files([tmp_path / "long.csv", tmp_path / "wide.csv"])


def test_lines_of_json_have_the_columns_of_the_first(tmp_path):
    path = tmp_path / "scores.jsonl"
    path.write_text('{"qid": "q1", "a": 1, "b": 2}\n{"qid": "q2", "a": 1}\n{"qid": "q3", "c": 1}\n')
    with pytest.raises(InputError, match=r"scores\.jsonl:3: column 'c' must be in the first row"):
        ScoreMatrix.from_files(path)


@needs("pyarrow")
def test_a_row_of_parquet_is_named(tmp_path):
    path = tmp_path / "scores.parquet"
    LONG.assign(query_id=range(len(LONG))).to_parquet(path)
    with pytest.raises(InputError, match=r"scores\.parquet, row 1: column 'query_id' must hold"):
        ScoreMatrix.from_files(path)
