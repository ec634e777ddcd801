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
    matrix = evaluate({"x": run(x)}, {}, measures)
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
    for option in ("phi", "ties", "bound"):
        assert defaults[option].default == params[option].default


def test_overlap_by_hand():
    # The agreement is 1, 1/2 and 2/3, and stays 2/3.
    expected = 0.1 * (1 + 0.9 / 2 + 0.81 * 2 / 3) + 0.729 * 2 / 3
    assert rbo(["a", "b", "c"], ["a", "c", "d"], phi=0.9) == pytest.approx(expected, rel=1e-12)
    # Two orders of the tie agree by 1 and by 0 at depth 1.
    assert rbo([["a", "b"]], ["a", "b"], phi=0.9) == pytest.approx(0.95, rel=1e-12)


def test_a_list_agrees_with_itself():
    documents = list(range(200))
    assert rbo(documents, documents) == pytest.approx(1.0)
    assert rbo(documents, documents, bound="lower") < 1
    assert rba(documents, documents) == pytest.approx(1 - 0.95**200)
    assert rbr(documents, documents) == pytest.approx(1 - 0.95**200)
    assert rbo(documents, [str(document) for document in documents]) == 0.0


def test_empty_lists_agree_on_nothing_yet():
    for x, y in (([], []), (["a", "b"], []), ([], ["a", "b"])):
        assert rbo(x, y) == rba(x, y) == rbr(x, y) == 0.0
        assert rbo(x, y, bound="lower") == 0.0
        assert rbo(x, y, bound="upper") == pytest.approx(1.0)
    assert rba([], [], bound="upper") == 1.0
    assert rbr(["a", "b"], [], phi=0.9, bound="upper") == pytest.approx(1 - 0.9**2)


def test_the_order_of_the_observed_documents_does_not_matter_to_recall():
    reference = ["a", ["b", "c"], "d"]
    recall = rbr(["d", "a", "x"], reference, phi=0.6)
    assert recall == pytest.approx(0.4 * (1 + 0.6**3), rel=1e-12)
    assert rbr({"d", "a", "x"}, reference, phi=0.6) == recall
    assert rbr(frozenset(), reference) == rbr([], reference) == 0.0


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


def test_lists_are_not_changed():
    x, y = [["b", "a"], {"c"}], ["a", ["c", "b"]]
    rbo(x, y, ties="break")
    assert (x, y) == ([["b", "a"], {"c"}], ["a", ["c", "b"]])


def test_ties_are_broken_as_trec_eval_does():
    assert rbo([["a", "b"]], ["b", "a"], ties="break") == pytest.approx(1.0)
    assert rbo([{"a", "é"}], ["é", "a"], ties="break") == pytest.approx(1.0)
    assert rbo([1, ["a", "b"], 2], [1, "b", "a", 2], ties="break") == pytest.approx(1.0)
    with pytest.raises(InputError, match=r"`y` must hold strings where .*ties='break'.*; got 2$"):
        rbo(["a"], ["a", [2, 3]], ties="break")


@pytest.mark.parametrize(
    ("ranking", "error", "told"),
    [
        ("a b", TypeError, r"list of documents, not one string \(split it .*; got 'a b'$"),
        (b"a b", TypeError, "not one string"),
        ({"a": 1.0}, TypeError, r"not a dict \(sort its documents by score;.*; got {'a': 1.0}$"),
        ({"a"}, TypeError, r"not a set, which has no order .*; got {'a'}$"),
        (np.array([["a", "b"]]), TypeError, "not an array or a table of another dimension"),
        (np.array("a"), TypeError, "another dimension"),
        (pd.DataFrame({"docno": ["a"]}), TypeError, r"select one column\); got"),
        (3, TypeError, "`y` must be a list of documents, best first; got 3$"),
        (None, TypeError, "best first; got None$"),
        (["a", "b", "a"], InputError, "`y` must hold every document once; got 'a' twice$"),
        (["a", {"b", "a"}], InputError, "got 'a' twice$"),
        ([["a", "a"]], InputError, "got 'a' twice$"),
        ([1, 2, np.int64(1)], InputError, "once; got .*1.* twice$"),
        (["a", {"b": 1}], TypeError, "hashable documents, such as strings or .*; got {'b': 1}$"),
        ([np.array(["a", "b"])], TypeError, "hashable documents"),
        (["a", ["b", ["c"]]], InputError, r"no tie group inside a tie group; got \['c'\]$"),
        ([("a", ("b",))], InputError, "no tie group inside a tie group"),
        (["a", []], InputError, r"documents in every tie group; got \[\] at position 2$"),
        ([frozenset()], InputError, r"got frozenset\(\) at position 1$"),
        (["a", None], InputError, "`y` must hold no missing values; got None$"),
        (["a", float("nan")], InputError, "no missing values; got nan$"),
        (pd.Series(["a", None], dtype="string"), InputError, "no missing values; got <NA>$"),
        (pd.Series([pd.NaT]), InputError, "no missing values; got NaT$"),
    ],
)
def test_what_is_not_a_list_of_documents_is_told(ranking, error, told):
    with pytest.raises(error, match=told):
        rbo(["a"], ranking)
    with pytest.raises(error, match=told.replace("`y`", "`reference`")):
        rbr(["a"], ranking)


@pytest.mark.parametrize("function", FUNCTIONS.values())
def test_options_out_of_range_are_told(function):
    with pytest.raises(InputError, match=r"`phi` must lie in \(0, 1\); got 1.0"):
        function(["a"], ["a"], phi=1.0)
    with pytest.raises(ValueError, match=r"`phi` must lie in .*; got '0\.9'"):
        function(["a"], ["a"], phi="0.9")
    with pytest.raises(TypeError, match="not one string"):
        function("a", ["a"])
