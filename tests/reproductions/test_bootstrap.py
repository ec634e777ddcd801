"""The bootstrap paper's experiments on DL 2019, simulated runs, and tiny data."""

from math import isnan

import numpy as np
import pytest

from irx_measures.io.trec import read_qrels
from irx_measures.reproductions import reproduce
from irx_measures.reproductions.bootstrap import (
    METHODS,
    QUANTILES,
    leave_out,
    prevalence_of_expansion,
    score_incomplete,
    table_4,
    table_5,
    table_6,
)
from irx_measures.reproductions.material import DL19, paper_material
from irx_measures.reproductions.paper import in_shape, is_printed
from tests.doubts import ANY_DOUBT
from tests.reproductions.tiny import each_small_material, material_of

pytestmark = ANY_DOUBT


@pytest.mark.slow
def test_tables_4_to_6_on_dl_2019(data, monkeypatch):
    from scipy.stats import kendalltau, spearmanr

    monkeypatch.setenv("IRX_DATA", str(data))
    found = leave_out(paper_material(DL19))
    assert (found.unit, len(set(found.groups))) == ("group", 11)
    errors, ranked, made = map(in_shape, (table_4(found), table_5(found), table_6(found)))
    assert errors["Actual"].idxmin() == "Bootstr. P+R"
    assert errors["Actual"].idxmax() == ranked["tau"].idxmin() == "Naive (U)"
    assert (ranked.idxmax() == "Bootstr. P+R").all()
    for name in ("Condensed", "Bootstr. R"):
        assert errors.loc[name, "Lower"] > errors.loc[name, "Upper"]
    ranges = made[made.index.str.startswith("Range")]
    assert ranges["Prec."].idxmax() == ranges["Rec."].idxmin() == "Range, Naive (U)"
    assert (ranges.loc[[f"Range, {name}" for name in QUANTILES], "Prec."] > 0.99).all()
    truth = found.truth.mean(axis=1)
    for name in METHODS:
        predicted = found.predicted[name].mean(axis=1)
        assert ranked.loc[name, "tau"] == pytest.approx(kendalltau(predicted, truth).statistic)
        assert ranked.loc[name, "rho"] == pytest.approx(spearmanr(predicted, truth).statistic)


@pytest.mark.slow
def test_deterministic_numbers_are_the_printed_ones_and_sampled_means_near(data, monkeypatch):
    monkeypatch.setenv("IRX_DATA", str(data))
    found = reproduce("bootstrap")
    off = in_shape(found.tables["Table 7"], "difference").abs()
    assert off.drop(columns=["topics", "BS P+R", "BS P+R@95"]).max(axis=None) < 5.1e-4
    assert off[off.index.str.endswith("All Topics")].max(axis=None) < 0.01
    assert "66336 judgments, the paper has 66336" in found.tables["Table 7"].attrs["remark"]
    assert list(in_shape(found.tables["Figure 1"]).index) == ["3", "19", "22", "34"]
    labels = [text.get_text() for text in found.figures["Figure 1"]().get_xticklabels()]
    assert labels == ["34", "19", "3", "22"]  # sorted by median


@pytest.mark.slow
def test_without_the_data_it_is_a_simulated_campaign_without_its_printed_numbers(
    tmp_path, monkeypatch
):
    pytest.importorskip("matplotlib")
    monkeypatch.setenv("IRX_DATA", str(tmp_path))
    found = reproduce("bootstrap")
    assert all("SIMULATED" in line for line in found.data)
    printed = {label for label, table in found.tables.items() if is_printed(table)}
    assert printed == {"Table 1", "Table 2"}
    assert set(found.claims["verdict"][1:]) == {"other data"}
    assert len(in_shape(found.tables["Table 3"])) == 2
    assert found.figures["Figure 1"]().collections
    # 20% of the judgments are left out at random, so some documents are judged later.
    assert found.tables["Table 7"]["here"].notna().all()


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


@pytest.mark.slow
@each_small_material
def test_small_data_is_not_an_error(material):
    pytest.importorskip("matplotlib")
    found = reproduce("bootstrap", material)
    assert len(found.tables) == 8
    assert all(draw() for draw in found.figures.values())


def test_what_only_one_run_brought_is_unjudged_for_it():
    found = leave_out(material_of())
    # Without run a, d3 is not judged; without run b, d9 is not: it had grade 0.
    assert found.unit == "run"
    assert found.groups == ("a", "b", "c")
    assert found.predicted["Naive (L)"][0].tolist() == [1, 0]
    assert np.array_equal(found.predicted["Naive (L)"][1:], found.truth[1:])
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
