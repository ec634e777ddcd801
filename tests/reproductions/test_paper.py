"""Tables beside printed numbers, verdicts, and what papers declare."""

from math import nan

import pytest

from irx_measures import InputError
from irx_measures.reproductions import (
    PAPERS,
    bootstrap,
    entries,
    load_data,
    rareness,
    reproduce,
    residual_gain,
)
from irx_measures.reproductions.material import DL19, DLT20, TREC8, TREC_COVID
from irx_measures.reproductions.paper import in_rows, in_shape, is_printed
from tests.doubts import ANY_DOUBT
from tests.reproductions.tiny import material_of

pytestmark = ANY_DOUBT

DECLARED = residual_gain.DECLARED


def test_a_table_has_the_papers_numbers_ours_and_the_differences():
    here = in_rows(("nDCG@10", "R1"), {"R2": (0.75, 0.5), "new": (1.0, 2.0)})
    table = DECLARED.table("Table 1", here)
    assert list(table.index) == list(here)
    assert table["paper"].tolist()[:2] == [0.7933, 0.7361]
    assert table["difference"].tolist()[0] == 0.75 - 0.7933
    assert table["paper"].isna().tolist() == [False, False, True, True]
    assert in_shape(table).loc["new"].tolist() == [1.0, 2.0]
    assert table.attrs["places"] == 4


@pytest.mark.parametrize(
    ("numbers", "why"),
    [
        (
            [0.0, nan],
            "every number is 0 or undefined: no run has a relevant document in its top 10",
        ),
        ([], "there are no numbers: no run has a relevant document in its top 10"),
        ([0.0, 1e-9], ""),
    ],
)
def test_a_table_of_zeros_says_why_there_is_nothing(numbers, why):
    here = {("a", str(place)): value for place, value in enumerate(numbers)}
    assert DECLARED.table("Figure 1", here, material_of()).attrs["why"] == (
        why and f"Not shown: {why}"
    )
    printed = DECLARED.table("Table 1", {("R1", "nDCG@10"): 0.0})
    assert printed.attrs["why"] == ""


@pytest.mark.parametrize(
    ("of_paper", "verdicts"),
    [
        (True, ["holds", "does not hold", "cannot be told"]),
        (False, ["other data"] * 3),
    ],
)
def test_a_claim_is_judged_on_the_papers_data_only(of_paper, verdicts):
    found = [
        rareness.DECLARED.judged("Documents", of_paper, {"focused": holds})[0].verdict
        for holds in (True, False, None)
    ]
    assert found == verdicts


@pytest.mark.parametrize(
    ("paper", "collections", "of_paper"),
    [
        (residual_gain, (), True),  # the paper's own example
        (residual_gain, (DL19,), True),
        (rareness, (DL19,), False),
        (rareness, (TREC8, DLT20), True),
        (rareness, (TREC8, DL19), False),
        (bootstrap, (DL19,), False),
        (residual_gain, (None,), False),
    ],
)
def test_data_is_the_papers_where_all_of_it_is(paper, collections, of_paper):
    materials = [material_of(collection=collection) for collection in collections]
    assert paper.DECLARED.is_of_paper(*materials) == of_paper


@pytest.mark.parametrize(
    ("collection", "said"),
    [
        (DL19, "(the paper prints no such numbers)"),
        (None, "(other data: no printed numbers to compare with)"),
    ],
)
def test_a_table_without_printed_numbers_says_so_in_its_title(collection, said):
    material = material_of(collection=collection)
    found = DECLARED.table("Figures 2 to 5, groups", {("a", "runs"): 1.0}, material)
    assert found.attrs["title"].endswith(said)
    assert not is_printed(found)


@pytest.mark.parametrize(
    ("name", "tables", "figures"),
    [
        ("residual-gain", 1, 5),
        ("rareness", 4, 2),
        ("rank-biased", 5, 7),
        ("upper-expected", 26, 3),
        ("bootstrap", 7, 1),
    ],
)
def test_every_table_and_figure_of_a_paper_is_listed_once(name, tables, figures):
    expected = [f"Table {n + 1}" for n in range(tables)]
    expected += [f"Figure {n + 1}" for n in range(figures)]
    assert sorted(entry["label"] for entry in entries(name)) == sorted(expected)


@pytest.mark.parametrize("name", PAPERS)
def test_without_the_data_only_what_needs_none_is_reproduced(name, tmp_path, monkeypatch):
    monkeypatch.setenv("IRX_DATA", str(tmp_path))
    for item in entries(name):
        if item["status"] == "reproduced":
            assert "TREC" not in item["data"]
            assert "Deep Learning" not in item["data"]


@pytest.mark.parametrize(
    ("paper", "here", "label", "expected"),
    [
        (residual_gain, TREC8, "Figure 2", "needs the TREC runs"),
        (residual_gain, DL19, "Figure 2", "reproduced"),
        (rareness, TREC8, "Table 1", "reproduced"),
        (rareness, TREC8, "Figure 1", "needs the TREC runs"),
        (bootstrap, DL19, "Table 4", "repeated on other data"),
        (bootstrap, TREC_COVID, "Table 7", "reproduced"),
    ],
)
def test_a_table_is_reproduced_from_its_own_data_only(paper, here, label, expected):
    found = {item["label"]: item["status"] for item in paper.DECLARED.entries({here.folder})}
    assert found[label] == expected


def test_a_table_is_shown_in_the_shape_of_the_papers(capsys):
    found = reproduce("residual-gain", material_of())
    shown = found.show("Table 1")
    assert shown["paper", "nDCG@10"].tolist() == [0.7933] * 3
    assert shown["difference", "R2"]["R1"] == 0
    assert "-0.0" not in repr(shown)
    assert list(found.show("Figures 2 to 5, groups").index) == ["all runs"]
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith("Table 1. nDCG@10 of a ranking (row)")
    assert max(map(len, lines)) <= 80


ONE = material_of(runs={"a": {"q1": {"d1": 1}}})


@pytest.mark.parametrize(
    ("call", "names"),
    [
        (lambda: reproduce("nrg"), "`paper` must be one of residual-gain"),
        (lambda: reproduce("rareness", ONE), "2 runs; got 1"),
        (lambda: reproduce("bootstrap", ONE), "2 runs; got 1"),
        (lambda: reproduce("upper-expected", ONE), "at least 2"),
        (
            lambda: reproduce("rareness", material_of(qrels={"q1": {"d1": 0}})),
            "no relevant document",
        ),
        (lambda: load_data(runs="runs/*"), "^`qrels` are missing: give those of your `runs`"),
        (lambda: load_data(groups={"a": "x"}), "^`runs` are missing: give those of your `groups`"),
        (lambda: load_data({"q": {"d": 1}}), "^`runs` are missing: give them with your own qrels"),
        (lambda: load_data("vaswani"), "^`runs` must .*disks45/nocr/trec8.*got 'vaswani'"),
    ],
)
def test_mistakes(call, names):
    with pytest.raises(InputError, match=names):
        call()
