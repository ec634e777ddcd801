"""What the papers declare: which data is theirs, and what is said of other data."""

import pytest

from irx_measures.reproductions import bootstrap, rareness, residual_gain
from irx_measures.reproductions.collections import DL19, DLT20, TREC8, TREC_COVID
from irx_measures.reproductions.papers import PAPERS, entries
from tests.reproductions.tiny import material_of


def status(listed):
    return {item.label: item.status for item in listed}


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
    assert sorted(entry.label for entry in entries(name)) == sorted(expected)


def test_a_row_per_table_or_figure_with_its_whole_text():
    listed = rareness.entries()
    shown = listed._repr_html_()
    assert shown.count("<tr>") == 1 + len(listed)
    assert all(text in shown for entry in listed for text in entry)


@pytest.mark.parametrize("name", PAPERS)
def test_without_the_data_only_what_needs_none_is_reproduced(name, tmp_path, monkeypatch):
    monkeypatch.setenv("IRX_DATA", str(tmp_path))
    for item in entries(name):
        if item.status == "reproduced":
            assert "TREC" not in item.data
            assert "Deep Learning" not in item.data


@pytest.mark.parametrize(
    ("paper", "data", "label", "expected"),
    [
        (residual_gain, (), "Figure 2", "needs the TREC runs"),
        (residual_gain, (material_of(),), "Figure 2", "needs the TREC runs"),
        (residual_gain, (TREC8,), "Figure 2", "needs the TREC runs"),
        (residual_gain, (material_of(collection=DL19),), "Figure 2", "reproduced"),
        (residual_gain, (), "Table 1", "reproduced"),
        (rareness, (TREC8, DL19), "Table 1", "reproduced"),
        (rareness, (TREC8, DL19), "Figure 1", "needs the TREC runs"),
        (rareness, (DLT20,), "Figure 1", "reproduced"),
        (bootstrap, (DL19,), "Table 4", "repeated on other data"),
        (bootstrap, (DL19,), "Table 7", "needs the TREC runs"),
        (bootstrap, (TREC_COVID,), "Table 7", "reproduced"),
    ],
)
def test_a_table_is_reproduced_from_its_own_data_only(paper, data, label, expected):
    assert status(paper.entries(*data))[label] == expected


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
def test_a_claim_is_judged_where_all_its_data_is_the_papers(paper, collections, of_paper):
    materials = [material_of(collection=collection) for collection in collections]
    assert paper.DECLARED.judge(*materials).of_paper == of_paper


@pytest.mark.parametrize(
    ("label", "collection", "said"),
    [
        ("Figures 2 to 5, groups", DL19, "(the paper prints no such numbers)"),
        ("Figures 2 to 5, groups", None, "(other data: no printed numbers to compare with)"),
    ],
)
def test_a_table_without_printed_numbers_says_so_in_its_title(label, collection, said):
    here = {("a", "runs"): 1.0}
    found = residual_gain.DECLARED.table(label, here, material_of(collection=collection))
    assert found.title.endswith(said)
    assert not residual_gain.table_1().title.endswith(")")
