"""rbo, rba and rbr of plain lists: equal to the measures, by hand, and what lists may be."""

from inspect import signature

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import irx_measures
from irx_measures import InputError, evaluate, rba, rbo, rbr
from tests.doubts import ANY_DOUBT
from tests.examples import examples

pytestmark = ANY_DOUBT

DOCUMENTS = "abcdefgh"
FUNCTIONS = {"RBO": rbo, "RBA": rba, "RBR": rbr}
BOUNDS = ["lower", "upper", "residual"]
ORDERS = ["share", "break", "least", "greatest"]
OPTIONS = {
    "RBO": [(ties, bound) for ties in [*ORDERS, "a", "w", "b"] for bound in [*BOUNDS, "ext"]],
    "RBA": [(ties, bound) for ties in ORDERS for bound in BOUNDS],
    "RBR": [(ties, bound) for ties in ORDERS for bound in BOUNDS],
}
KINDS = [list, tuple, set, frozenset]


@st.composite
def tied_lists(draw, least=1):
    """A list with tie groups of every kind."""
    documents = draw(st.lists(st.sampled_from(DOCUMENTS), min_size=least, unique=True))
    ranking = []
    while documents:
        size = draw(st.integers(1, len(documents)))
        group, documents = documents[:size], documents[size:]
        alone = size == 1 and draw(st.booleans())
        ranking.append(group[0] if alone else draw(st.sampled_from(KINDS))(group))
    return ranking


def run(ranking):
    """The same ranking as a run. A run must not be empty, so it has another query."""
    scores = {doc: -float(level) for level, group in enumerate(ranking) for doc in group}
    return {"q": scores, "another": {"a": 1.0}}


@pytest.mark.parametrize("name", FUNCTIONS)
@settings(max_examples=examples(8))
@given(x=tied_lists(least=0), y=tied_lists(), phi=st.floats(0.05, 0.95))
def test_lists_have_the_scores_of_runs(name, x, y, phi):
    measures = [
        getattr(irx_measures, name)(phi=phi, ties=ties, bound=bound, reference=[run(y)])
        for ties, bound in OPTIONS[name]
    ]
    matrix = evaluate({}, {"x": run(x)}, measures)
    scores = matrix.scores[:, 0, matrix.query_ids.index("q")]
    found = [FUNCTIONS[name](x, y, phi, ties, bound) for ties, bound in OPTIONS[name]]
    assert found == pytest.approx(scores.tolist(), rel=1e-12, abs=1e-15)


@pytest.mark.parametrize("name", FUNCTIONS)
def test_the_options_are_those_of_the_measures(name):
    params = getattr(irx_measures, name).PARAMS
    defaults = signature(FUNCTIONS[name]).parameters
    for option in ("ties", "bound"):
        for value in {pair[option == "bound"] for pair in OPTIONS[name]}:
            assert repr(value) in params[option].allowed.text
        with pytest.raises(InputError) as error:
            FUNCTIONS[name](["a"], ["a"], **{option: "none"})
        assert str(error.value) == f"`{option}` must {params[option].allowed.text}; got 'none'"
    with pytest.raises(InputError, match=r"`phi` must lie in \(0, 1\); got 1.0"):
        FUNCTIONS[name](["a"], ["a"], phi=1.0)
    for option in ("phi", "ties", "bound"):
        assert defaults[option].default == params[option].default


def test_recall_takes_sets_and_empty_lists():
    reference = ["a", ["b", "c"], "d"]
    assert rbr({"d", "a", "x"}, reference, phi=0.6) == rbr(["d", "a", "x"], reference, phi=0.6)
    assert rbr(frozenset(), reference) == rbr(reference, []) == rbo([], []) == rba([], []) == 0.0
    assert rba([], [], bound="upper") == pytest.approx(rbo([], [], bound="upper")) == 1.0


def test_lists_are_anything_that_can_be_iterated_and_read_once():
    x, y = ["a", "b", "c", "d"], ["b", "a", "d", "e"]
    expected = rbo(x, y)
    assert rbo(iter(x), (document for document in y)) == expected
    assert rbo(tuple(x), dict.fromkeys(y).keys()) == expected
    assert rbo(np.array(x), pd.Series(y)) == expected
    assert rbo(pd.Series(x, dtype="string"), pd.Index(y)) == expected
    numbers = {document: number for number, document in enumerate("abcde")}
    ones, others = ([numbers[document] for document in ranking] for ranking in (x, y))
    assert rbo(np.array(ones), others) == expected
    assert rbo(range(4), np.array(others, np.uint16)) == expected


def test_ties_are_broken_as_trec_eval_does():
    assert rbo([1, {"a", "é"}, 2], [1, "é", "a", 2], ties="break") == pytest.approx(1.0)
    with pytest.raises(InputError, match=r"`y` must .*ties='break'.*; got 2$"):
        rbo(["a"], ["a", [2, 3]], ties="break")


@pytest.mark.parametrize(
    ("error", "got", "rankings"),
    [
        (TypeError, "'a b'", ["a b", b"a b"]),
        (TypeError, "{'a'", [{"a": 1.0}, {"a"}]),
        (InputError, "{'b': 1}", [["a", {"b": 1}]]),
        (TypeError, "array", [np.array([["a", "b"]]), np.array("a")]),
        (InputError, "array", [[np.array(["a", "b"])]]),
        (TypeError, "docno", [pd.DataFrame({"docno": ["a"]})]),
        (TypeError, "3", [3]),
        (TypeError, "None", [None]),
        (InputError, "'a' twice", [["a", "b", "a"], ["a", {"b", "a"}], [["a", "a"]]]),
        (InputError, "1.* twice", [[1, 2, np.int64(1)]]),
        (InputError, "'c'", [["a", ["b", ["c"]]], [("a", ("c",))]]),
        (InputError, r"\[\]", [["a", []], [frozenset()]]),
        (InputError, "None", [["a", None]]),
        (InputError, "nan", [["a", float("nan")]]),
        (InputError, "<NA>", [pd.Series(["a", None], dtype="string")]),
        (InputError, "NaT", [pd.Series([pd.NaT])]),
    ],
)
def test_what_is_not_a_list_of_documents_is_told(error, got, rankings):
    for ranking in rankings:
        with pytest.raises(error, match=f"^`y` must be a list of documents.*; got .*{got}"):
            rbo(["a"], ranking)
        with pytest.raises(error, match=f"^`reference` must be.*; got .*{got}"):
            rbr(["a"], ranking)
