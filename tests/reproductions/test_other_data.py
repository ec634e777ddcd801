"""Every paper on a simulated campaign, and on tiny data that a user might name."""

import pytest

from irx_measures.reproductions import PAPERS, rareness, reproduce, upper_expected
from irx_measures.reproductions.paper import in_shape, is_printed
from tests.reproductions.tiny import QRELS, RUNS, material_of

pytestmark = [
    pytest.mark.filterwarnings("ignore::irx_measures.EvaluationWarning"),
    pytest.mark.slow,
]

# The tables of a paper's own examples, which need no data; the verdicts on other data; figures.
OWN = {
    "residual-gain": ({"Table 1"}, {"holds", "other data", "cannot be told"}, 4),
    "rareness": (set(), {"other data", "cannot be told"}, 2),
    "rank-biased": (
        {"Table 1", "Table 2", "Section 3, phi", "Table 3", "Table 4", "Figure 5"},
        {"holds", "other data", "cannot be told"},
        7,
    ),
    "upper-expected": (set(), {"other data"}, 3),
    "bootstrap": ({"Table 1", "Table 2"}, {"holds", "other data"}, 1),
}


@pytest.fixture
def checked(monkeypatch):
    """A reproduction with few samples, whose figures can be drawn and whose claims have words."""
    pytest.importorskip("matplotlib")
    monkeypatch.setattr(rareness, "SUBSETS", 20)
    monkeypatch.setattr(upper_expected, "SPLITS", 20)

    def check(name, material=None):
        found = reproduce(name, material)
        own, verdicts, _ = OWN[name]
        assert {label for label, table in found.tables.items() if is_printed(table)} == own
        assert set(found.claims["verdict"]) <= {*verdicts, "cannot be told"}
        assert found.claims["claim"].is_unique
        assert all(draw().figure for draw in found.figures.values())
        return found

    return check


@pytest.mark.parametrize("name", PAPERS)
def test_without_the_data_it_is_a_simulated_campaign(name, checked, tmp_path, monkeypatch):
    monkeypatch.setenv("IRX_DATA", str(tmp_path))
    found = checked(name)
    assert "SIMULATED" in found.data[0]
    assert (set(found.claims["verdict"]), len(found.figures)) == OWN[name][1:]
    if name == "bootstrap":  # 20% of the judgments are left out at random, and judged later
        assert found.tables["Table 7"]["here"].notna().all()
        assert len(in_shape(found.tables["Table 3"])) == 2


def ranked(qrels, *docs):
    """Two runs that rank these documents, and the other way round, for each query."""
    down = {query: {doc: -float(place) for place, doc in enumerate(docs)} for query in qrels}
    up = {query: {doc: float(place) for place, doc in enumerate(docs)} for query in qrels}
    return qrels, {"a": down, "b": up}


TINY = {
    "two runs": (QRELS, {name: RUNS[name] for name in "ab"}),
    "equal runs": (QRELS, {"a": RUNS["a"], "b": RUNS["a"]}),
    "one topic": ({"q1": QRELS["q1"]}, {name: {"q1": run["q1"]} for name, run in RUNS.items()}),
    "two queries": ranked({"q": {"A": 1, "B": 0}, "r": {"C": 1, "D": 0}}, "B", "A", "X"),
    "negative grades": ranked({"q": {"A": -2, "B": -1}, "r": {"A": 1, "B": -1}}, "A", "B"),
    "one document": ranked({"q": {"A": 1}}, "A"),
    "nothing found": ranked({"q": {"A": 1, "B": 0}, "r": {"A": 2, "B": 0}}, "B", "X"),
    "no relevant document": ranked({"q": {"A": 0, "B": 0}, "r": {"A": 0}}, "A", "B"),
}
COUNTS = {"residual-gain": 5, "rareness": 7, "upper-expected": 21, "bootstrap": 8}


CASES = {(name, data) for name in COUNTS for data in TINY}
CASES -= {("rareness", "no relevant document")}  # refused


@pytest.mark.parametrize(("name", "data"), sorted(CASES))
def test_tiny_data_gives_numbers_or_nothing_but_no_error(name, data, checked):
    found = checked(name, material_of(*TINY[data]))
    assert found.data[0] == "tiny"
    without_tables = (name, data) == ("bootstrap", "one document")  # which is relevant
    assert len(found.tables) == (3 if without_tables else COUNTS[name])
