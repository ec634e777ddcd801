"""nDCGBound by hand: what each bound assumes, and the grades that it takes."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from irx_measures import evaluate, nDCGBound

QRELS = {"few": {"A": 1, "B": 2}, "many": {"A": 3, "B": 1, "C": 1}, "none": {"A": 1}}
RUN = {
    "few": {"A": 3.0, "x": 2.0},
    "many": {"x": 3.0, "C": 2.0, "y": 1.0},
    "none": {"A": 1.0},
}
SECOND, THIRD = 1 / np.log2(3), 0.5


def score(measure, qrels=QRELS, run=RUN):
    return {metric.query_id: metric.value for metric in measure.iter_calc(qrels, run)}


def assert_scores(measure, few, many, none):
    got = score(measure)
    assert list(got) == ["few", "many", "none"]
    assert_allclose(list(got.values()), [few, many, none], rtol=1e-12)


def test_the_naive_upper_bound_gives_the_best_grades_left_from_the_top():
    upper = nDCGBound(bound="upper") @ 3
    few = (1 + 2 * SECOND) / (2 + SECOND)
    many = (3 + SECOND + THIRD) / (3 + SECOND + THIRD)
    assert_scores(upper, few, many, 1.0)


def test_the_rbp_inspired_upper_bound_gives_every_unjudged_document_the_highest_grade():
    upper = nDCGBound(kind="rbp", bound="upper", max_grade=2) @ 3
    few = (1 + 2 * SECOND) / (2 + 2 * SECOND + THIRD)
    many = (2 + SECOND + 2 * THIRD) / (3 + 2 * SECOND + 2 * THIRD)
    assert_scores(upper, few, many, 1.0)


def test_the_guaranteed_lower_bound_divides_by_documents_of_the_highest_grade_only():
    lower = nDCGBound(kind="guaranteed", max_grade=2) @ 3
    ideal = 1 + SECOND + THIRD
    assert_scores(lower, 1 / (2 * ideal), SECOND / (3 * ideal), 1 / (2 * ideal))


def test_the_guaranteed_upper_bound_chooses_the_grades_of_the_unjudged_documents():
    upper = nDCGBound(kind="guaranteed", bound="upper", max_grade=2) @ 3
    discounts, grades = np.array([1.0, SECOND, THIRD]), range(3)

    def ndcg(top, missed):
        return top @ discounts[: len(top)] / (np.sort([*top, *missed])[::-1][:3] @ discounts)

    few = max(ndcg(np.array([1, x]), [2, 0]) for x in grades)
    many = max(ndcg(np.array([x, 1, y]), [3, 1]) for x in grades for y in grades)
    assert_scores(upper, few, many, 1.0)


@pytest.mark.parametrize("kind", ["naive", "rbp", "guaranteed"])
@pytest.mark.parametrize("bound", ["lower", "upper"])
def test_queries_score_together_as_alone_once_the_highest_grade_is_given(kind, bound):
    measure = nDCGBound(kind=kind, bound=bound, max_grade=2) @ 3
    alone = {}
    for query, grades in QRELS.items():
        alone |= score(measure, {query: grades}, {query: RUN[query]})
    assert score(measure) == pytest.approx(alone, rel=1e-12)


@pytest.mark.parametrize(
    ("kind", "max_grade", "of_all"),
    [
        ("naive", None, False),
        ("naive", 3, False),
        ("rbp", None, True),
        ("rbp", 3, False),
        ("guaranteed", None, True),
        ("guaranteed", 3, False),
    ],
)
def test_the_highest_grade_is_that_of_all_queries_where_it_is_not_given(kind, max_grade, of_all):
    measure = nDCGBound(kind=kind, bound="upper", max_grade=max_grade) @ 3
    assert measure.of_all_queries == of_all
    few = score(measure, {"few": QRELS["few"]}, RUN)["few"]
    if kind == "rbp":
        assert (score(measure)["few"] != few) == of_all


def test_only_the_guaranteed_bounds_limit_the_highest_grade():
    # They go through all grades to the highest, the others know only those in use.
    few = (1 + 2000 * SECOND) / (2000 + 2 * SECOND + THIRD)
    qrels, run = {"few": QRELS["few"]}, {"few": RUN["few"]}
    upper = nDCGBound(kind="rbp", bound="upper")
    assert score(upper(max_grade=2000) @ 3, qrels, run)["few"] == pytest.approx(few, rel=1e-12)
    naive = nDCGBound(kind="naive", max_grade=2000) @ 3
    assert score(naive, qrels, run)["few"] == pytest.approx(1 / (2 + SECOND), rel=1e-12)
    guaranteed = nDCGBound(kind="guaranteed")
    for bound in ("lower", "upper"):
        assert 0 < score(guaranteed(bound=bound, max_grade=1000) @ 3, qrels, run)["few"] <= 1
        with pytest.raises(ValueError, match="takes a `max_grade` to 1000; got 1001"):
            score(guaranteed(bound=bound, max_grade=1001) @ 3, qrels, run)


def test_a_grade_in_the_qrels_above_1000_is_refused_by_the_guaranteed_bounds_only():
    qrels, run = {"q": {"A": 1001}}, {"q": {"x": 2.0, "A": 1.0}}
    for kind in ("naive", "rbp"):
        assert 0 < evaluate(run, qrels, nDCGBound(kind=kind) @ 2).scores.item() < 1
    with pytest.raises(ValueError, match="takes a `max_grade` to 1000; got 1001"):
        evaluate(run, qrels, nDCGBound(kind="guaranteed") @ 2)
