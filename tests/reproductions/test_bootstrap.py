"""The bootstrap paper's experiments on DL 2019, simulated runs, and tiny data."""

from math import isnan

import numpy as np
import pytest

from irx_measures.io.trec import read_qrels
from irx_measures.reproductions import reproduce
from irx_measures.reproductions.bootstrap import (
    leave_out,
    prevalence_of_expansion,
    score_incomplete,
)
from irx_measures.reproductions.paper import in_shape
from tests.doubts import ANY_DOUBT
from tests.reproductions.tiny import material_of

pytestmark = ANY_DOUBT


@pytest.mark.parametrize(
    "groups", [None, {"a": "X", "b": "Y", "c": "Y"}, dict.fromkeys("abc", "X")]
)
def test_named_data_gives_the_tables_in_the_shape_of_the_paper(groups):
    found = reproduce("bootstrap", material_of(groups=groups))
    assert found.data == ("tiny",)
    assert [len(in_shape(found.tables[f"Table {n}"])) for n in (4, 5, 6)] == [6, 6, 8]
    table = found.tables["Table 7"]
    assert "no qrels with the missing judgments" in table.attrs["remark"]
    assert isnan(table.loc[("a, All Topics", "Ex. Qrels"), "here"])
    left_out = "one group" if groups and len(set(groups.values())) > 1 else "one run"
    assert left_out in found.tables["Table 4"].attrs["remark"]


def test_what_only_one_run_brought_is_unjudged_for_it():
    found = leave_out(material_of())
    # Without run a, d3 is not judged; without run b, d9 is not: it had grade 0.
    assert found.unit == "run"
    assert found.groups == ("a", "b", "c")
    lower = found.scores.predicted["Naive (L)"]
    assert lower[0].tolist() == [1, 0]
    assert np.array_equal(lower[1:], found.scores.truth[1:])
    # Averages over runs a and b; leaving out c makes no document unjudged.
    assert found.prevalence.unjudged.tolist() == [0.5, 0, 0.5]


def test_documents_that_were_judged_later_are_counted_even_if_judgments_were_withdrawn():
    found = score_incomplete(
        material_of(), read_qrels({"q1": {"d1": 1, "new": 2, "newer": 0}, "q2": {"d3": 2}})
    )
    prevalence = prevalence_of_expansion(found)
    assert prevalence.unjudged.tolist() == [0.5, 0, 0.5]
    assert prevalence.pool.tolist() == [0.4, 0.4, 0.2]


def test_qrels_of_relevant_documents_only_have_the_reason_in_place_of_the_tables():
    found = reproduce("bootstrap", material_of(qrels={"q1": {"d1": 1, "d2": 1}, "q2": {"d3": 2}}))
    first, second, instead = found.tables.values()
    assert [first.attrs["label"], second.attrs["label"]] == ["Table 1", "Table 2"]
    assert "judge no document as non-relevant" in instead.attrs["why"]
    assert len(found.claims) == 1
    assert not found.figures
