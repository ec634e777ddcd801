"""ScoreMatrix.from_files: scores that were computed elsewhere."""

import gzip
import json

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
@pytest.mark.parametrize(("ending", "separator"), [("csv", ","), ("csv", ";"), ("tsv", "\t")])
def test_text_files_are_read_as_pandas_and_spreadsheets_write_them(
    tmp_path, ending, separator, index
):
    path = tmp_path / f"scores.{ending}"
    LONG.to_csv(path, sep=separator, index=index, encoding="utf-8-sig")
    assert_long(ScoreMatrix.from_files(path))
    (tmp_path / f"scores.{ending}.gz").write_bytes(gzip.compress(path.read_bytes()))
    assert_long(ScoreMatrix.from_files(str(path) + ".gz"))


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


def test_json_lines_are_read(tmp_path):
    path = tmp_path / "scores.jsonl"
    LONG.to_json(path, orient="records", lines=True)
    assert_long(ScoreMatrix.from_files(path))


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


def test_a_folder_of_mteb_has_a_row_per_model_and_task(tmp_path):
    """The layout of mteb: results/model/revision/task.json, with model_meta.json beside."""
    scores = {"org__small": [0.2, 0.4], "org__large": [0.6, 0.8]}
    for model, (english, german) in scores.items():
        folder = tmp_path / model / "abc123"
        folder.mkdir(parents=True)
        (folder / "model_meta.json").write_text(json.dumps({"name": model.replace("__", "/")}))
        for number, task in enumerate(["NFCorpus", "SciFact", "ArguAna"]):
            subsets = [
                {
                    "hf_subset": name,
                    "languages": ["eng-Latn"],
                    "main_score": score,
                    "ndcg_at_10": 0.5,
                }
                for name, score in [("en", english + number / 100), ("de", german)]
            ]
            result = {"task_name": task, "mteb_version": "2", "scores": {"test": subsets}}
            (folder / f"{task}.json").write_text(json.dumps(result))
    matrix = ScoreMatrix.from_files(tmp_path)
    assert matrix.systems == ("org/large", "org/small")
    assert matrix.query_ids == ("ArguAna", "NFCorpus", "SciFact")
    np.testing.assert_allclose(matrix["main_score"][1], [0.31, 0.30, 0.305])
    assert (ScoreMatrix.from_files(tmp_path, "ndcg_at_10").scores == 0.5).all()
    with pytest.raises(InputError, match="no results of mteb with accuracy"):
        ScoreMatrix.from_files(tmp_path, "accuracy")


def test_files_of_sentence_transformers_have_a_row_per_checkpoint(tmp_path):
    """The files of its evaluators: epoch, steps, and a column per similarity and measure."""
    folder = tmp_path / "my-model"
    folder.mkdir()
    head = "epoch,steps,cosine-Accuracy@1,cosine-NDCG@10"
    paths = []
    for number, name in enumerate(["NanoMSMARCO", "NanoNQ", "NanoSciFact"]):
        path = folder / f"Information-Retrieval_evaluation_{name}_results.csv"
        path.write_text(
            f"{head}\n1.0,100,0.{number},0.5\n2.0,200,0.{number + 2},0.7\n-1,-1,0.9,0.8\n"
        )
        paths.append(path)
    matrix = ScoreMatrix.from_files(paths)
    assert matrix.query_ids == ("NanoMSMARCO", "NanoNQ", "NanoSciFact")
    assert matrix.systems == (
        "my-model, epoch 1.0, step 100",
        "my-model, epoch 2.0, step 200",
        "my-model",
    )
    np.testing.assert_allclose(matrix["cosine-Accuracy@1"][0], [0.0, 0.1, 0.2])
    assert len(matrix.compare().leaderboard("cosine-NDCG@10")) == 3


@pytest.mark.parametrize("missing", ["", "nan", "NaN", "NA", "null", "None"])
def test_a_score_that_is_not_there_is_named_and_left_out_if_asked(tmp_path, missing):
    path = tmp_path / "scores.csv"
    rows = LONG.astype({"value": object})
    rows.loc[0, "value"] = missing
    rows.to_csv(path, index=False)
    with pytest.raises(InputError, match=r"faithfulness of 'bm25' for query '001' is NaN.*strict"):
        ScoreMatrix.from_files(path)
    with pytest.warns(EvaluationWarning, match=r"left out 1 query of 4 .*: 001 \(bm25, faithfuln"):
        matrix = ScoreMatrix.from_files(path, strict=False)
    assert matrix.query_ids == ("002", "003", "004")
    assert matrix.warnings
    kept = ScoreMatrix.from_files(path, "seconds")
    assert len(kept.query_ids) == 4


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("query_id,bm25\nq1,fast\n", "finite numbers; score of 'bm25' for query 'q1' is 'fast'"),
        ("query_id,bm25\nq1,inf\n", "must be finite numbers"),
        ("query_id,bm25\nq1,1\nq1,2\n", "score of 'bm25' for query 'q1' occurs twice"),
        ("topic_number,bm25\nq1,1\n", "must have the columns .*got 'topic_number', 'bm25'"),
        ("query_id,bm25\nq1,1,2,3\n", "not a table of scores"),
        ("query_id,bm25\n", "at least one row"),
        ("", "not a table of scores"),
        ("\x00\x01", "must have the columns|not a table of scores"),
    ],
)
def test_wrong_files_are_refused(tmp_path, content, message):
    path = tmp_path / "scores.csv"
    path.write_text(content)
    with pytest.raises(InputError, match=message):
        ScoreMatrix.from_files(path)


def test_other_endings_and_lacking_files_are_refused(tmp_path):
    (tmp_path / "scores.xlsx").write_text("")
    with pytest.raises(InputError, match=r"ends in \.csv, \.tsv, \.jsonl"):
        ScoreMatrix.from_files(tmp_path / "scores.xlsx")
    with pytest.raises(FileNotFoundError, match=r"lacking\.csv"):
        ScoreMatrix.from_files(tmp_path / "lacking.csv")
    WIDE.to_csv(tmp_path / "wide.csv")
    LONG.to_csv(tmp_path / "long.csv")
    with pytest.raises(InputError, match=r"wide\.csv: of several files of scores"):
        ScoreMatrix.from_files([tmp_path / "long.csv", tmp_path / "wide.csv"])
