"""Scores of several collections."""

import numpy as np
import pandas as pd
import pytest
from ir_measures import AP, NumRet, P, nDCG
from numpy.testing import assert_allclose

from irx_measures import GroupedScores, InputError, ScoreMatrix
from irx_measures.exceptions import EvaluationWarning
from tests.comparison.results import without


def matrix(systems, queries, seed=0, measures=(nDCG @ 10, AP)):
    scores = np.random.default_rng(seed).random((len(measures), len(systems), queries))
    ids = tuple(str(number) for number in range(1, queries + 1))
    return ScoreMatrix(tuple(measures), tuple(systems), ids, scores)


SCIFACT, NFCORPUS = matrix("ab", 3), matrix("ba", 5, seed=1)


def test_collections_of_the_same_query_ids_stay_apart():
    scores = GroupedScores.of({"scifact": SCIFACT, "nfcorpus": NFCORPUS})
    assert scores.unit == "collection"
    assert scores.matrix.query_ids[:4] == ("scifact/1", "scifact/2", "scifact/3", "nfcorpus/1")
    assert scores["nfcorpus"].query_ids == ("1", "2", "3", "4", "5")
    assert scores.sizes == (3, 5)
    assert "2 collections: scifact (3 queries), nfcorpus (5 queries)" in repr(scores)


def test_the_macro_mean_gives_each_collection_the_same_weight():
    scores = GroupedScores.of({"scifact": SCIFACT, "nfcorpus": NFCORPUS})
    for system in "ab":
        means = [each[AP][each.systems.index(system)].mean() for each in (SCIFACT, NFCORPUS)]
        assert scores.macro.means().loc[system, "AP"] == pytest.approx(np.mean(means))
    assert scores.macro.query_ids == ("scifact", "nfcorpus")


def test_systems_and_measures_have_the_order_of_the_first_collection():
    other = NFCORPUS.select([AP, nDCG @ 10])
    scores = GroupedScores.of({"scifact": SCIFACT, "nfcorpus": other})
    part = scores["nfcorpus"]
    assert part.systems == ("a", "b")
    assert part.measures == (nDCG @ 10, AP)
    assert_allclose(part[AP][0], NFCORPUS[AP][1])
    assert_allclose(scores.matrix[AP][0, 3:], NFCORPUS[AP][1])


def test_a_row_of_the_frame_has_the_collection_and_its_own_query():
    frame = GroupedScores.of({"scifact": SCIFACT, "nfcorpus": NFCORPUS}).to_frame()
    assert list(frame.columns) == ["collection", "system", "query_id", "measure", "value"]
    assert frame["collection"].value_counts().to_dict() == {"scifact": 12, "nfcorpus": 20}
    assert set(frame["query_id"]) == set("12345")


def test_a_system_without_a_collection_is_an_error_or_left_out_with_a_word():
    collections = {"scifact": matrix("abc", 3), "nfcorpus": NFCORPUS}
    with pytest.raises(InputError, match="without scores: 'c' on 'nfcorpus'"):
        GroupedScores.of(collections)
    with pytest.warns(EvaluationWarning, match="left out, without .*: 'c' on 'nfcorpus'"):
        scores = GroupedScores.of(collections, strict=False)
    assert scores.matrix.systems == ("a", "b")
    assert "left out, without scores on a collection: 'c' on 'nfcorpus'" in repr(scores)
    assert scores.macro.warnings == scores.matrix.warnings


def test_one_collection_is_enough():
    assert_allclose(GroupedScores.of({"scifact": SCIFACT}).macro.aggregates, SCIFACT.aggregates)


def test_an_undefined_score_in_one_collection_leaves_the_system_out_of_the_macro_mean():
    undefined = without(matrix("ab", 4), 1, 0)
    scores = GroupedScores.of({"scifact": SCIFACT, "fiqa": undefined})
    assert scores.macro.undefined.tolist() == [[False, False], [True, False]]


def test_sums_have_no_macro_mean():
    scores = GroupedScores.of({"scifact": matrix("ab", 3, measures=[P @ 5, NumRet])})
    assert np.isnan(scores.macro[NumRet]).all()
    assert not np.isnan(scores.macro[P @ 5]).any()


@pytest.mark.parametrize(
    ("collections", "error", "match"),
    [
        ({}, InputError, "at least one collection"),
        ([SCIFACT], TypeError, "must map names to ScoreMatrix; got list"),
        ({"": SCIFACT}, InputError, "printable names as keys"),
        ({"a\nb": SCIFACT}, InputError, "printable names as keys"),
        ({"scifact": SCIFACT.means()}, TypeError, "got DataFrame for 'scifact'"),
        (
            {"scifact": SCIFACT, "fiqa": SCIFACT.select(AP)},
            InputError,
            "'scifact' has nDCG@10, AP, 'fiqa' has AP",
        ),
        (
            {"one": matrix("ab", 3), "two": matrix("cd", 3)},
            InputError,
            "without scores: 'a' on 'two'",
        ),
    ],
)
def test_what_is_no_collection_is_refused(collections, error, match):
    with pytest.raises(error, match=match):
        GroupedScores.of(collections)


def test_collections_without_a_common_system():
    with pytest.warns(EvaluationWarning), pytest.raises(InputError, match="no system has scores"):
        GroupedScores.of({"one": matrix("a", 3), "two": matrix("b", 3)}, strict=False)


def test_queries_that_would_have_one_name():
    own = ScoreMatrix((AP,), ("s",), ("b/1",), np.ones((1, 1, 1)))
    other = ScoreMatrix((AP,), ("s",), ("1",), np.ones((1, 1, 1)))
    with pytest.raises(InputError, match="both be called 'a/b/1'"):
        GroupedScores.of({"a": own, "a/b": other})


# Tables with a column collection

TWO = GroupedScores.of({"scifact": SCIFACT, "nfcorpus": NFCORPUS})


def same(one, other):
    assert one.unit == other.unit == "collection"
    assert one.groups == other.groups
    for own, given in zip(one.parts, other.parts, strict=True):
        assert own.query_ids == given.query_ids
        assert [*map(str, own.measures)] == [*map(str, given.measures)]
        assert_allclose(own.scores, given.scores, rtol=0, atol=1e-15)


def with_means(frame):
    """The table with rows of means as `irx evaluate -q` writes them."""
    keys = ["collection", "system", "measure"]
    of_collections = frame.groupby(keys, as_index=False)["value"].mean()
    macro = of_collections.groupby(keys[1:], as_index=False)["value"].mean()
    means = [of_collections.assign(query_id="all"), macro.assign(query_id="all", collection="all")]
    return pd.concat([frame, *means])


def test_the_frame_is_read_back():
    same(GroupedScores.from_frame(TWO.to_frame()), TWO)


@pytest.mark.parametrize("ending", ["csv", "tsv", "jsonl", "parquet"])
def test_files_are_read_back(ending, tmp_path):
    path, frame = tmp_path / f"scores.{ending}", TWO.to_frame()
    if ending == "jsonl":
        frame.to_json(path, orient="records", lines=True, double_precision=15)
    elif ending == "parquet":
        frame.to_parquet(path)
    else:
        frame.to_csv(path, index=False, sep="," if ending == "csv" else "\t")
    same(GroupedScores.from_files(path), TWO)


def test_a_file_per_collection():
    parts = [frame for _, frame in TWO.to_frame().groupby("collection", sort=False)]
    same(GroupedScores.from_frame(pd.concat(parts)), TWO)


def test_rows_of_means_are_left_out_with_a_word():
    frame = with_means(TWO.to_frame())
    with pytest.warns(UserWarning, match="left out the rows of query 'all'") as told:
        same(GroupedScores.from_frame(frame), TWO)
    assert len(told) == 1
    frame.loc[frame["collection"] == "all", "value"] += 0.1
    with pytest.raises(InputError, match="rename the query, or leave the row out"):
        GroupedScores.from_frame(frame)


def test_columns_of_measures_and_of_systems():
    frame = TWO.to_frame()
    keys = ["collection", "system", "query_id"]
    of_measures = frame.pivot(index=keys, columns="measure", values="value").reset_index()
    assert GroupedScores.from_frame(of_measures).sizes == (5, 3)
    of_ap = frame[frame["measure"] == "AP"]
    keys = ["collection", "query_id"]
    of_systems = of_ap.pivot(index=keys, columns="system", values="value").reset_index()
    found = GroupedScores.from_frame(of_systems, "AP")
    assert_allclose(found["scifact"].scores, SCIFACT.select(AP).scores)


def test_a_matrix_of_such_a_table_would_join_queries_of_one_id():
    with pytest.raises(InputError, match=r"has a column 'collection': read it by GroupedScores"):
        ScoreMatrix.from_frame(TWO.to_frame())


@pytest.mark.parametrize(
    ("change", "match"),
    [
        (lambda frame: SCIFACT.to_frame(), "a column 'collection' or 'group'$"),
        (lambda frame: frame.assign(group="x"), "'collection' or 'group'; got both"),
        (lambda frame: frame.replace("scifact", None), "must have a column 'collection', without"),
        (lambda frame: frame[frame["collection"] != "scifact"].iloc[1:], "Every system must have"),
        (
            lambda frame: frame[(frame["collection"] == "scifact") | (frame["system"] == "a")],
            "without scores: 'b' on 'nfcorpus'",
        ),
    ],
)
def test_a_wrong_table_of_collections(change, match):
    with pytest.raises(InputError, match=match):
        GroupedScores.from_frame(change(TWO.to_frame()))


def test_tables_with_and_without_collections(tmp_path):
    frame = TWO.to_frame()
    frame.to_csv(tmp_path / "one.csv", index=False)
    frame.drop(columns="collection").to_csv(tmp_path / "two.csv", index=False)
    with pytest.raises(InputError, match=r"'collection', or none; .*one.csv: .*two.csv: .* none"):
        GroupedScores.from_files([tmp_path / "one.csv", tmp_path / "two.csv"])
