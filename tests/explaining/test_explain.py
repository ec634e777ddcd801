"""explain(): the answers to a user's questions, ir_measures' own measures, errors, texts."""

import json

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from ir_measures import AP, ERR, RBP, RR, P, R, nDCG

import irx_measures
from irx_measures import NRG, InputError, evaluate, explain
from irx_measures.measures.declaring.explained import with_numbers
from tests import ir_datasets_home
from tests.campaigns import campaigns, random_campaign
from tests.doubts import ANY_DOUBT
from tests.examples import examples

pytestmark = [*ANY_DOUBT]

QRELS = {"q": {"A": 3, "B": 1, "C": 0, "D": 2, "E": 1}, "other": {"A": 1}}
RUNS = {
    "mine": {"q": ["A", "B", "C", "X", "D"]},
    "bm25": {"q": ["A", "E", "X"]},
    "dense": {"q": ["C", "B"]},
}

# The measures of ir_measures with all their parameters. All but ERR and exp-log2 nDCG, which
# gdeval rounds, equal what `evaluate` gives.
STANDARD = [
    nDCG,
    nDCG @ 3,
    nDCG(judged_only=True) @ 3,
    nDCG(gains={0: 0, 1: 5, 2: -1, 3: 2}) @ 3,
    nDCG(gains={1: 4}, judged_only=True),
    AP,
    AP(rel=2) @ 3,
    AP(judged_only=True) @ 3,
    P @ 3,
    P(rel=2, judged_only=True) @ 3,
    R @ 3,
    R(rel=2, judged_only=True) @ 3,
    RR,
    RR @ 3,
    RR(rel=2) @ 3,
    RR(rel=2, judged_only=True),
    RBP,
    RBP(p=0.5, rel=2) @ 3,
]
OF_GDEVAL = [ERR @ 3, ERR @ 20, nDCG(dcg="exp-log2") @ 3, nDCG(dcg="exp-log2") @ 20]


def assert_all_sum(run, qrels, measure, missing=False, tolerance=1e-12):
    """Contributions, and the formula with its numbers, are the score of `evaluate`."""
    matrix = evaluate(qrels, {"run": run}, [measure])
    for query, score in zip(matrix.query_ids, matrix.scores[0, 0], strict=True):
        why = explain(qrels, run, measure, None, query, missing)
        assert why.score == pytest.approx(score, rel=0, abs=tolerance)
        assert why.contribution.sum() == pytest.approx(why.score, rel=0, abs=1e-12)
        value = eval(with_numbers(why.formula, why.terms, -1))
        assert value == pytest.approx(why.score, rel=0, abs=1e-12)
        assert {*why.factors, *why.terms} <= why.legend.keys()


@pytest.mark.parametrize("measure", STANDARD, ids=str)
@given(campaign=campaigns(max_runs=1), missing=st.booleans())
@settings(max_examples=examples(8))
def test_contributions_sum_to_the_scores_of_ir_measures(measure, campaign, missing):
    assert_all_sum(campaign.runs["run0"], campaign.qrels, measure, missing)


@pytest.mark.parametrize("measure", OF_GDEVAL, ids=str)
def test_contributions_sum_to_the_scores_of_gdeval_before_it_rounds(measure):
    for seed in range(3):
        campaign = random_campaign(seed, ties=True)
        run = campaign.runs["run0"]
        run["q0"]["doc1"], run["q0"]["doc2"] = 1.0 + 1e-9, 1.0  # equal as float32
        assert_all_sum(run, campaign.qrels, measure, tolerance=0.5e-5 + 1e-9)


def test_documents_that_tie_as_float32_are_ranked_as_each_provider_ranks_them():
    qrels, run = {"q": {"A": 1, "B": 0}}, {"q": {"A": 1.0, "B": 1.0 + 1e-9}}
    assert explain(qrels, run, RR).doc_ids == ("B", "A")
    assert explain(qrels, run, RR @ 5).doc_ids == ("B", "A")
    run = {"q": {"A": 1.0 + 1e-9, "B": 1.0}}
    assert explain(qrels, run, RR).score == 0.5  # trec_eval: tied, and B is the higher id
    assert explain(qrels, run, RR @ 5).score == 1.0  # not tied as float64
    tied = {"q": {"A": 1.0, "B": 1.0}}
    assert explain(qrels, tied, RR @ 5).doc_ids == ("A", "B")
    assert explain(qrels, tied, ERR @ 5).doc_ids == ("B", "A")


def test_why_is_my_nrg_low():
    why = explain(QRELS, "mine", "NRG(prior=others)@5", RUNS, "q")
    assert repr(why).startswith("Explanation: NRG(prior=others)@5 of ")
    rows = why.to_frame().set_index("doc_id")
    assert list(rows.index) == ["A", "B", "C", "X", "D"]
    assert rows.loc["A", "priors"] == "bm25 1"
    assert rows.loc["A", "unseen"] == 0.0  # the prior ranks it first: nothing is left
    assert rows.loc["B", "priors"] == "dense 2"
    assert rows.loc["B", "unseen"] == pytest.approx(1 - 1 / np.log2(3))
    assert rows.loc["D", "priors"] == ""
    assert rows.loc["D", "residual_gain"] == 2.0
    ideal = 2 + (1 - 1 / np.log2(3)) / np.log2(3) + (1 - 1 / np.log2(3)) / 2
    assert why.terms["ideal"] == pytest.approx(ideal)
    assert rows.loc["D", "contribution"] == pytest.approx(2 / np.log2(6) / ideal)
    assert why.formula == "found / ideal"
    assert why.calculation(3) == f"found / ideal = 1.007 / {ideal:.3f} = {why.score:.3f}"
    assert why.counts == (
        "Documents that count: 5; add to the score: 2; above grade 0, but add nothing: 1; "
        "not relevant: 1; unjudged: 1; outside the top, could add: 1"
    )


def test_which_documents_do_i_lack():
    why = explain(QRELS, "mine", "NRG(prior=others)@2", RUNS, "q", missing=True)
    assert why.top == 2
    assert why.doc_ids == ("A", "B", "D", "E")
    assert why.rank == (1, 2, 5, None)  # D is at rank 5, E is not in the run
    assert why.grade == (3, 1, 2, 1)
    assert why.contribution[2:].tolist() == [0.0, 0.0]
    assert why.lacking == 2
    table = why.to_frame()
    assert table["rank"].isna().tolist() == [False, False, False, True]
    assert str(table["grade"].dtype) == "Int64"


def test_documents_of_one_worth_are_listed_by_rank_and_those_not_returned_last():
    judged = {"q": {"z": 2, "b": 1, "a": 1, "c": 1, "y": 1, "x": 1, "top": 0}}
    run = {"q": ["top", "c", "b", "z", "a"]}
    why = explain(judged, run, "nDCG@1", missing=True)
    assert why.doc_ids == ("top", "z", "c", "b", "a", "x", "y")
    assert why.rank == (1, 4, 2, 3, 5, None, None)


def test_rareness_names_finders_and_rareness():
    why = explain(QRELS, "mine", "P_Rareness(systems=others)@2", RUNS, "q")
    assert why.factors["finders"] == (2, 2)
    assert why.factors["rareness"] == pytest.approx((1 / 3, 1 / 3))
    mixed = explain(QRELS, "mine", "P_Rareness(systems=others,form=mixture)@2", RUNS, "q")
    assert mixed.factors["rareness"] == pytest.approx((0.5, 0.5))


def test_comparisons_with_a_reference_show_both_ranks_and_weights():
    why = explain(QRELS, "mine", "RBA(phi=0.5,reference=bm25)", RUNS, "q", missing=True)
    assert why.doc_ids == ("A", "B", "C", "X", "D", "E")
    assert why.factors["reference_rank"] == (1, 0, 0, 3, 0, 2)
    assert why.factors["run_weight"] == pytest.approx((0.5, 0.25, 0.125, 0.0625, 0.03125, 0))
    assert why.contribution.tolist() == pytest.approx([0.5, 0, 0, (0.0625 * 0.125) ** 0.5, 0, 0])
    assert explain(QRELS, "mine", "RBO(reference=bm25)", RUNS, "q").factors["depth"][3] == 4


def test_the_formula_of_two_empty_rankings_divides_by_nothing():
    runs = {"a": {"q": {"d": 1.0}}, "b": {"x": {"d": 1.0}}}
    why = explain({"q": {"d": 0}}, "b", "RBO@5", runs, "q")
    assert (why.score, why.formula) == (0.0, "seen")


def test_measures_that_are_no_sums_have_terms_and_a_formula():
    why = explain(QRELS, "mine", "TaSC(prior=others)@5", RUNS, "q")
    assert why.contribution is None
    assert why.formula == "(1 - covered) * base"
    base = explain(QRELS, RUNS["mine"], nDCG @ 5, None, "q")
    assert why.terms["base"] == pytest.approx(base.score)
    assert sum(why.factors["in_base"]) == pytest.approx(base.score)
    covered = explain(QRELS, RUNS["bm25"], nDCG @ 5, None, "q").score
    assert why.terms["covered"] == pytest.approx(covered)
    assert why.legend["covered"] == "the highest base score of a prior, bm25"
    upper = explain(QRELS, "mine", "UE@5", RUNS, "q")
    assert sum(upper.factors["in_A"]) == pytest.approx(upper.terms["A"])
    assert upper.formula == "(A - REB) / (IUB - REB)"


@pytest.mark.parametrize("base", ["nDCG", "AP", "P", "RBP", "ERR", "RR"])
def test_the_parts_of_a_raw_score_sum_to_it(base):
    campaign = random_campaign(4, ties=True)
    for name, run in campaign.runs.items():
        why = explain(campaign.qrels, run, f"UE(base={base})@5", None, "q3")
        assert sum(why.factors["in_A"]) == pytest.approx(why.terms["A"], abs=1e-12), name


def test_bootstrapped_scores_show_the_probability_of_each_grade():
    why = explain(QRELS, "mine", "BootNDCG(b=100)@4", RUNS, "q")
    assert [why.factors[f"p_{grade}"][0] for grade in range(4)] == [0, 0, 0, 1]  # A has grade 3
    unjudged = [why.factors[f"p_{grade}"][3] for grade in range(4)]
    assert sum(unjudged) == pytest.approx(1.0)
    assert max(unjudged) < 1
    assert why.terms["unjudged"] == 1
    assert why.formula == "mode"


def test_learned_probabilities_are_the_shares_of_worlds():
    campaign = irx_measures.simulate_campaign(systems=9, queries=8, depth=20, seed=1)
    measure = "BootNDCG(prior=learned,b=50)@10"
    name = next(name for name in campaign.runs if campaign.groups[name] not in campaign.pooled)
    seen = 0
    for query in campaign.qrels:
        why = explain(campaign.qrels, name, measure, campaign.runs, query)
        drawn = np.array([why.factors[p] for p in why.factors]).T
        assert drawn.sum(axis=1) == pytest.approx(np.ones(why.top))
        assert (drawn * 50).round(9).tolist() == (drawn * 50).round().tolist()
        seen += why.grade.count(None)
    assert seen


def test_a_run_may_be_given_itself_and_is_known_among_the_priors_by_content():
    named = explain(QRELS, "mine", NRG(prior="others") @ 5, RUNS, "q")
    given = explain(QRELS, RUNS["mine"], NRG(prior="others") @ 5, RUNS, "q")
    assert given.score == named.score
    assert (given.system, named.system) == ("", "mine")


def test_the_query_may_be_left_out_if_there_is_one():
    qrels = {"q": QRELS["q"]}
    assert explain(qrels, RUNS["mine"], "nDCG@5").query_id == "q"


def test_results_are_equal_if_their_content_is():
    one, same = (explain(QRELS, RUNS["mine"], "nDCG@5", None, "q") for _ in range(2))
    assert one == same
    assert hash(one) == hash(same)
    assert one != explain(QRELS, RUNS["mine"], "nDCG@4", None, "q")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (
            (QRELS, "mine", "nDCG@5", RUNS),
            "`query_id` is missing: name one of the qrels, such as 'q'",
        ),
        ((QRELS, "mine", "nDCG@5", RUNS, "x"), "such as 'q', 'other'; got 'x'$"),
        ((QRELS, "mine", "nDCG@5", RUNS, "othr"), "got 'othr'; did you mean 'other'[?]"),
        ((QRELS, "mien", "nDCG@5", RUNS, "q"), "got 'mien'; did you mean 'mine'[?]"),
        ((QRELS, "yours", "nDCG@5", RUNS, "q"), "`run` must be a run or one of 'mine'.*'yours'"),
        ((QRELS, RUNS, "nDCG@5", None, "q"), "`run` must be one run; got 3 of them"),
        ((QRELS, "mine", "Bpref", RUNS, "q"), "`measure` must be one of this package.*got Bpref"),
        ((QRELS, "mine", "ERR", RUNS, "q"), "`measure` must be.*got ERR"),
        (({"1": {"A": 5}}, "mine", "ERR@5", RUNS, "1"), "grades must be at most 4 for ERR@5"),
        ((QRELS, "mine", "NRG(prior=mine)@5", RUNS, "q"), "the run is its own only prior"),
        ((QRELS, "mine", "nDCG@5 AP", RUNS, "q"), "nDCG@5 AP"),
    ],
)
def test_errors_say_what_to_mend(arguments, message):
    with pytest.raises(InputError, match=message):
        explain(*arguments)


def test_a_measure_without_prior_warns_as_evaluate_does():
    with pytest.warns(irx_measures.EvaluationWarning, match="without a prior"):
        explain(QRELS, "mine", "NRG@5", RUNS, "q")


WITH_TEXTS = """
import json, irx_measures
qrels, run = {"7": {"1": 2, "3": 1}}, {"7": ["1", "4", "99"]}
why = irx_measures.explain(qrels, run, "nDCG@3", texts="msmarco-passage/trec-dl-2019")
print(json.dumps([why.query_text, why.texts, why.to_frame()["text"].tolist(), why._repr_html_()]))
try:
    irx_measures.explain(qrels, run, "nDCG@3", texts="no-such-dataset")
except irx_measures.InputError as error:
    print(error)
"""


@pytest.mark.slow
def test_texts_come_from_ir_datasets(tmp_path):
    ir_datasets_home.lay_texts(tmp_path, "Text of {}, <b>bold</b>.")
    answer, error = ir_datasets_home.printed(tmp_path, WITH_TEXTS)
    query, texts, column, page = json.loads(answer)
    assert query == "what is"
    expected = ["Text of 1, <b>bold</b>.", "Text of 4, <b>bold</b>.", ""]  # 99 is no document
    assert texts == column == expected
    assert "<b>bold" not in page
    assert error == "irds:no-such-dataset: no such ir_datasets id"


@pytest.mark.parametrize("measure", ["NRG(prior=others)@3", "RBO@3", "nDCG"])
def test_every_column_says_what_it_means_and_has_a_value_per_document(measure):
    priors = RUNS if "others" in measure else None
    if measure == "RBO@3":
        measure = irx_measures.RBO(reference=RUNS["bm25"], phi=0.9) @ 3
    why = explain(QRELS, RUNS["mine"], measure, priors, "q", missing=True)
    columns = why.columns()
    assert all(len(column.listed) == len(why.doc_ids) for column in columns)
    assert all(len(column.meaning) > 4 for column in columns)
    assert [column.name for column in columns] == list(why.to_frame())
