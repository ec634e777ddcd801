"""The rareness paper's experiments on a simulated campaign and on tiny data."""

import pytest

from irx_measures.reproductions import rareness, reproduce
from irx_measures.reproductions.material import DLT20
from irx_measures.reproductions.paper import in_shape, is_printed
from irx_measures.reproductions.rareness import figure_1, hypothetical_ranks
from tests.doubts import ANY_DOUBT
from tests.reproductions.tiny import QRELS, RUNS, material_of

pytestmark = ANY_DOUBT


@pytest.mark.slow
def test_named_data_gives_the_tables_in_the_shape_of_the_paper():
    found = reproduce("rareness", material_of())
    assert found.data == ("tiny",)
    assert list(in_shape(found.tables["Table 1"])) == ["your data 95%", "your data 99%"]
    assert len(in_shape(found.tables["Table 2"])) == 6
    assert not any(map(is_printed, found.tables.values()))
    assert found.tables["Table 4"].loc[("d2", "systems"), "here"] == 3


def test_the_hypothetical_systems_are_ranked_among_the_real_ones():
    runs = {
        "best": {"q": {"A": 3.0, "B": 2.0, "C": 1.0}},
        "next": {"q": {"A": 2.0, "X": 1.0}},
    }
    found = hypothetical_ranks(material_of({"q": {"A": 1, "B": 1, "C": 1, "X": 0}}, runs))
    # At alpha 0, one relevant document ties with `next`, two beat it, and three tie with `best`.
    assert found.ranks["S_rare", 0.0].tolist() == [2, 2, 1]
    assert found.ranks["S_common", 0.0].tolist() == [2, 2, 1]
    # At alpha 1 and 3 systems: `best` has 4/3 + 5/3 + 5/3 = 14/3. Two rare documents have 10/3,
    # three have 5. A, B and C with S_d of 3, 2 and 2 have 1 + 4/3 + 4/3, as `best` then has too.
    assert found.ranks["S_rare", 1.0].tolist() == [2, 2, 1]
    assert found.ranks["S_common", 1.0].tolist() == [2, 2, 1]
    assert found.needed("S_rare", 1.0) == 3


def test_the_topic_of_the_paper_is_preferred_and_its_numbers_are_printed_beside():
    runs = {name: {"1127540": run["q1"], "other": run["q1"]} for name, run in RUNS.items()}
    qrels = {"other": QRELS["q1"], "1127540": QRELS["q1"]}
    found = hypothetical_ranks(material_of(qrels, runs, collection=DLT20))
    assert found.topic == "1127540"
    assert figure_1(found)["paper"].tolist()[:4] == [44, 33, 28, 44]


def test_table_4_has_five_documents_from_rare_to_common():
    runs = {f"s{n}": {"q": {f"d{m}": -float(m) for m in range(n, 9)}} for n in range(9)}
    table = rareness.table_4(material_of({"q": {f"d{m}": 1 for m in range(10)}}, runs))
    shape = in_shape(table)
    assert shape["systems"].tolist() == [1, 3, 5, 7, 9]  # no system has d9
    assert shape["rareness"].tolist() == pytest.approx([1 - n / 9 for n in shape["systems"]])
