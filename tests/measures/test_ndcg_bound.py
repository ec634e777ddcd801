"""nDCGBound by hand: what each bound assumes, and the grades that it takes."""

import numpy as np
import pytest

from irx_measures import evaluate, nDCGBound
from tests.doubts import MISSED_QUERIES

QRELS = {
    "few": {"A": 1, "B": 2},
    "many": {"A": 3, "B": 1, "C": 1},
    "best": {"A": 3, "B": 1, "C": 0, "D": -1},
    "full": {"A": 1},
    "zero": {"A": 0},
}
RUN = {
    "few": {"A": 3.0, "x": 2.0},
    "many": {"x": 3.0, "C": 2.0, "y": 1.0},
    "best": {"A": 3.0, "x": 2.0, "C": 1.0},
    "full": {"A": 1.0},
    "zero": {"A": 1.0},
}
DISCOUNTS = np.array([1.0, 1 / np.log2(3), 0.5])
SECOND, THIRD = DISCOUNTS[1:]


def score(measure, qrels=QRELS, run=RUN):
    return {metric.query_id: metric.value for metric in measure.iter_calc(qrels, run)}


def assert_scores(measure, **expected):
    assert score(measure) == pytest.approx({"zero": 0.0, **expected}, rel=1e-12)


def test_the_naive_upper_bound_gives_the_best_grades_left_from_the_top():
    assert_scores(
        nDCGBound(bound="upper") @ 3,
        few=(1 + 2 * SECOND) / (2 + SECOND),
        many=1.0,
        best=(3 + SECOND) / (3 + SECOND),
        full=1.0,
    )


def test_the_rbp_inspired_upper_bound_gives_every_unjudged_document_the_highest_grade():
    assert_scores(
        nDCGBound(kind="rbp", bound="upper", max_grade=2) @ 3,
        few=(1 + 2 * SECOND) / (2 + 2 * SECOND + THIRD),
        many=(2 + SECOND + 2 * THIRD) / (3 + 2 * SECOND + 2 * THIRD),
        best=(3 + 2 * SECOND) / (3 + 2 * SECOND + THIRD),
        full=1.0,
    )


def test_the_guaranteed_lower_bound_divides_by_documents_of_the_highest_grade_only():
    ideal = DISCOUNTS.sum()
    assert_scores(
        nDCGBound(kind="guaranteed", max_grade=2) @ 3,
        few=1 / (2 * ideal),
        many=SECOND / (3 * ideal),
        best=3 / (3 * ideal),
        full=1 / (2 * ideal),
    )


def test_the_guaranteed_upper_bound_chooses_the_grades_of_the_unjudged_documents():
    def ndcg(top, missed):
        ideal = np.sort([*top, *missed])[::-1][:3]
        return np.dot(top, DISCOUNTS[: len(top)]) / np.dot(ideal, DISCOUNTS[: len(ideal)])

    grades = range(3)
    assert_scores(
        nDCGBound(kind="guaranteed", bound="upper", max_grade=2) @ 3,
        few=max(ndcg([1, x], [2]) for x in grades),
        many=max(ndcg([x, 1, y], [3, 1]) for x in grades for y in grades),
        best=max(ndcg([3, x, 0], [1]) for x in grades),
        full=1.0,
    )


def test_only_the_guaranteed_upper_bound_may_leave_a_document_below_the_highest_grade():
    # The paper's Table 1: a document of grade 1, then an unjudged one.
    table_1 = {"q": {"A": 1}}, {"q": {"A": 2.0, "x": 1.0}}
    upper = nDCGBound(bound="upper", dcg="exp-log2", max_grade=3)
    got = {kind: score(upper(kind=kind) @ 2, *table_1)["q"] for kind in ("rbp", "guaranteed")}
    assert got == pytest.approx({"rbp": 0.71, "guaranteed": 1.0}, abs=0.005)


def test_the_highest_grade_may_be_0():
    upper = nDCGBound(kind="rbp", bound="upper", max_grade=0) @ 3
    assert score(upper) == pytest.approx(score(nDCGBound @ 3), rel=1e-12)


@MISSED_QUERIES
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
