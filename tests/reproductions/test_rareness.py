"""The rareness paper's tables on TREC-8, on a simulated campaign, and on tiny data."""

from functools import partial

import numpy as np
import pytest

from irx_measures import InputError
from irx_measures.reproductions import rareness
from irx_measures.reproductions.material import Request, paper_material
from irx_measures.reproductions.papers import reproduce
from irx_measures.reproductions.rareness import (
    DL19,
    DLT20,
    TREC8,
    figure_1_numbers,
    hypothetical_systems,
    table_3,
)
from tests.doubts import ANY_DOUBT
from tests.examples import examples
from tests.optional import needs
from tests.reproductions.tiny import QRELS, RUNS, each_small_material, material_of

# By default, it draws 1000 subsets of each size.
TABLE_3 = partial(table_3, trials=min(1000, examples(100)))

MANY_TIES = pytest.mark.filterwarnings("ignore:.*of the comparisons are ties")

pytestmark = [*ANY_DOUBT, MANY_TIES]


@pytest.fixture(scope="module")
def found(data):
    """The reproduction on TREC-8."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("IRX_DATA", str(data))
        patch.setattr(rareness, "table_3", TABLE_3)
        return reproduce("rareness")


@pytest.mark.slow
def test_table_1_is_within_two_pairs(found):
    table = found.table("Table 1")
    assert table.largest_difference <= 2
    assert len(table.numbers) == 12
    assert all(number.printed > 0 for number in table.numbers)
    assert "TREC-5 (trec5-adhoc)" in table.remark


@pytest.mark.slow
def test_with_topics_as_blocks_precision_distinguishes_fewer_pairs(found):
    table = found.table("Table 1, topics as blocks")
    counts = [number.here for number in table.numbers if number.column == "TREC-8 95%"]
    assert counts == [3035, 2962, 2873, 3090, 3121, 3110]
    assert not table.printed


@pytest.mark.slow
def test_tables_2_and_3_are_within_a_hundredth_or_so(found):
    assert found.table("Table 2").largest_difference < 0.01
    table = found.table("Table 3")
    assert [number.column for number in table.numbers[:6]] == [f"N={2**j}" for j in range(1, 7)]
    of_more = [number for number in table.numbers if number.column != "N=2"]
    assert max(abs(number.difference) for number in of_more) < 0.015


@pytest.mark.slow
def test_the_correlation_falls_with_alpha_and_stays_above_nine_tenths(found):
    curves = {}
    for number in found.table("Figure 2").numbers:
        curves.setdefault(number.row, []).append(number.here)
    assert len(curves) == 2
    for values in curves.values():
        assert values[0] == 1
        assert (np.diff(values) < 0).all()
        assert min(values) > 0.9


@pytest.mark.slow
def test_table_4_counts_the_runs_that_return_the_documents(found):
    table = found.table("Table 4")
    counts = [number.here for number in table.numbers if number.column == "systems"]
    assert counts == [1, 1, 12, 73, 110]
    assert table["FBIS4-44815", "rareness"] == pytest.approx(1 - 110 / 129)
    assert [number.printed for number in table.numbers[1::2]] == [0.81, 0.62, 0.41, 0.22, 0.08]


@pytest.mark.slow
def test_rare_documents_bring_a_system_to_the_top_sooner(data, monkeypatch):
    monkeypatch.setenv("IRX_DATA", str(data))
    found = hypothetical_systems(paper_material(DL19))
    table = figure_1_numbers(found)
    assert found.topic == "489204"
    assert [number.here for number in table.numbers[:4]] == [25, 23, 21, 25]
    assert table["S_common", "alpha 1"] >= 25
    assert not table.printed


@pytest.mark.slow
def test_the_claims_on_trec_8(found):
    assert [line.split(":")[0] for line in found.data] == [TREC8.title, DL19.title]
    verdicts = [claim.verdict for claim in found.claims]
    assert verdicts[:3] == ["holds"] * 3
    assert verdicts[4:6] == ["holds"] * 2
    assert verdicts[3] == "does not hold"
    assert verdicts[6:] == ["other data", "cannot be told"]  # DL 2019 in place of DL 2020; readers


@needs("matplotlib")
@pytest.mark.slow
def test_without_the_data_it_is_a_simulated_campaign_without_printed_numbers(tmp_path, monkeypatch):
    monkeypatch.setenv("IRX_DATA", str(tmp_path))
    monkeypatch.setattr(rareness, "table_3", TABLE_3)
    found = reproduce("rareness")
    assert all("SIMULATED" in line for line in found.data)
    assert not any(table.printed for table in found.tables)
    for figure in found.figures:
        assert figure.draw().lines


def test_named_data_gives_the_tables_in_the_shape_of_the_paper():
    found = reproduce("rareness", Request(material=material_of()))
    assert found.data == ("tiny",)
    assert list(found.table("Table 1").in_shape()) == ["your data 95%", "your data 99%"]
    assert len(found.table("Table 2").in_shape()) == 6
    assert not any(table.printed for table in found.tables)
    assert found.table("Table 4")["d2", "systems"] == 3


@pytest.mark.slow
@needs("matplotlib")
@each_small_material
def test_small_data_is_not_an_error(material):
    found = reproduce("rareness", Request(material=material))
    assert len(found.tables) == 7
    assert all(figure.draw() for figure in found.figures)


def test_the_hypothetical_systems_are_ranked_among_the_real_ones():
    runs = {
        "best": {"q": {"A": 3.0, "B": 2.0, "C": 1.0}},
        "next": {"q": {"A": 2.0, "X": 1.0}},
    }
    found = hypothetical_systems(material_of(runs, {"q": {"A": 1, "B": 1, "C": 1, "X": 0}}))
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
    found = hypothetical_systems(material_of(runs, qrels, collection=DLT20))
    printed = [number.printed for number in figure_1_numbers(found).numbers[:4]]
    assert found.topic == "1127540"
    assert printed == [44, 33, 28, 44]
    assert hypothetical_systems(material_of(runs, qrels), "other").topic == "other"


def test_bad_input_is_one_line():
    with pytest.raises(InputError, match="at least 2 runs; got 1"):
        reproduce("rareness", Request(material=material_of({"a": RUNS["a"]})))
    with pytest.raises(InputError, match="`topic` must be judged; got 'x'"):
        hypothetical_systems(material_of(), "x")
    with pytest.raises(InputError, match="no relevant document"):
        reproduce("rareness", Request(material=material_of(qrels={"q1": {"d1": 0}})))
