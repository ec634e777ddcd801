"""What all studies share: the scores that they take, and results with a table and a sentence."""

from copy import deepcopy
from functools import partial

import numpy as np
import pytest

from irx_measures import InputError, judging, meta, simulate_campaign
from irx_measures.results.base import StudyResult
from irx_measures.stats.correlation import COEFFICIENTS
from irx_measures.stats.tests import TESTS
from tests.comparison.results import score_matrix

pytestmark = pytest.mark.filterwarnings("ignore:.*of the comparisons are ties")

NAMED = {
    **{
        f"power by {test}": partial(meta.discriminative_power, test=test, resamples=50)
        for test in TESTS
    },
    "stability": partial(meta.stability, trials=9),
    "relative stability": partial(meta.stability, trials=9, relative=True, fuzziness=1e308),
    "swaps": partial(meta.split_swap_rate, trials=9, width=5e-324),
}
CORRELATIONS = {
    f"correlation by {coefficient}": lambda scores, coefficient=coefficient: meta.rank_correlation(
        scores, scores[::-1], coefficient=coefficient, samples=20
    )
    for coefficient in COEFFICIENTS
}
STUDIES = NAMED | CORRELATIONS | {
    "swap rate": lambda scores: meta.swap_rate(scores, scores[:, ::-1]),
    "impact": lambda scores: meta.system_impact(scores.__getitem__, list("abc"), trials=9),
    "prediction": lambda scores: meta.prediction_error(scores, scores[::-1]),
    "preferences": lambda scores: meta.reconstructed_preferences(
        np.minimum(scores, scores[0]), np.maximum(scores, scores[0]), scores
    ),
    "queries": lambda scores: meta.partition_queries(scores, scores[0], 1),
    "front": lambda scores: meta.pareto_front(scores[0], scores[1]),
}  # fmt: skip

TINY = [[5e-324, 1e-310, 0.0, 3e-320], [2e-308, 0.0, 1e-300, 5e-324], [0.0, 0.0, 0.0, 0.0]]
UNEVEN = [[1e100, 5e-324, 0.0, 1.0], [-1e100, 1e-310, 1e-5, 1.0], [1e-310, 0.0, 1.0, 0.5]]


@pytest.mark.parametrize("study", NAMED)
def test_a_matrix_of_one_measure_is_its_scores_and_systems(study):
    matrix, study = score_matrix(measures=1), NAMED[study]
    assert study(matrix) == study(matrix.scores[0], matrix.systems)
    with pytest.raises(InputError, match="must have one measure"):
        study(score_matrix(measures=2))


@pytest.mark.parametrize("scores", [TINY, UNEVEN], ids=["tiny", "uneven"])
@pytest.mark.parametrize("study", STUDIES)
def test_scores_of_every_size_have_finite_results_unless_undefined(study, scores):
    result = STUDIES[study](np.tile(scores, 2))
    columns = result._asdict() if isinstance(result, tuple) else result.to_columns()
    # Means that differ by less than 1e-12 are the same, so TINY ties all systems.
    may_be_undefined = study in ("swaps", "swap rate", "impact")
    for name, column in columns.items():
        values = np.asarray(column)
        if values.dtype.kind == "f":
            assert not np.isinf(values).any(), name
            assert may_be_undefined or not np.isnan(values).any(), name


@pytest.mark.parametrize("study", STUDIES)
@pytest.mark.parametrize("size", [1e308, -1.7e308, 1e101])
def test_scores_whose_means_or_squares_overflow_are_refused(study, size):
    with pytest.raises(ValueError, match=r" must hold finite numbers; got .*1e\+100"):
        STUDIES[study](np.full((3, 4), size))


SCORES = np.random.default_rng(0).random((4, 10))
CAMPAIGN = simulate_campaign(systems=6, queries=8, depth=20, seed=1)
MACHINE = {
    query: {doc: max(grade - 1, 0) for doc, grade in judged.items()}
    for query, judged in CAMPAIGN.qrels.items()
}
AUDIT = judging.audit_judges(
    CAMPAIGN.qrels, MACHINE, CAMPAIGN.runs, groups=CAMPAIGN.groups, samples=9
)
RESULTS = [
    meta.residual_gain_matrix(CAMPAIGN.qrels, CAMPAIGN.runs),
    meta.unjudged_by_rank(CAMPAIGN.qrels, CAMPAIGN.runs, depth=10),
    AUDIT,
    AUDIT.agreements[0],
    meta.concordance(*2 * [meta.discriminative_power(SCORES[::-1])]),
    meta.discriminative_power(SCORES),
    meta.pareto_front([3, 1, 2], [0.5, 0.1, 0.9], names=["<b>", "b", "c"]),
    meta.rank_correlation(SCORES, SCORES[::-1], samples=9),
    meta.split_swap_rate(SCORES, trials=9),
    meta.stability(SCORES, trials=9),
    meta.system_impact(SCORES.__getitem__, list("abcd"), trials=9),
]


def test_every_kind_of_result_is_here():
    offered = [*vars(judging).values(), *vars(meta).values()]
    kinds = {one for one in offered if isinstance(one, type) and issubclass(one, StudyResult)}
    assert {type(result) for result in RESULTS} == kinds


@pytest.mark.parametrize("result", RESULTS, ids=lambda result: type(result).__name__)
def test_it_has_a_summary_and_a_table_and_equals_what_has_the_same_content(result):
    frame, summary = result.to_frame(), result.summary
    assert len(frame) > 0
    assert 20 < len(summary) < 200
    assert repr(result).splitlines() == [
        f"{type(result).__name__}: {summary}", *repr(frame).splitlines()
    ]  # fmt: skip
    html = result._repr_html_()
    assert frame._repr_html_() in html
    assert "<b>" not in html
    again = deepcopy(result)
    assert again is not result
    assert again == result
    assert hash(again) == hash(result)
    assert [other for other in RESULTS if other == result] == [result]
    assert result != "result"


STUDIED = [result for result in RESULTS if vars(meta).get(type(result).__name__) is type(result)]


@pytest.mark.parametrize("result", STUDIED, ids=lambda result: type(result).__name__)
def test_every_column_says_what_it_means_and_has_a_value_per_row(result):
    tables = [result.columns()]
    if hasattr(result, "row"):
        tables.append(result.row())
        assert {len(column.listed) for column in tables[-1]} == {1}
    for columns in tables:
        assert len({column.name for column in columns}) == len(columns)
        assert len({len(column.listed) for column in columns}) == 1
        for column in columns:
            assert len(column.meaning) > 5, column.name
            assert not column.meaning.endswith("."), column.name
    assert list(result.to_columns()) == [column.name for column in tables[0]]
    assert list(result.to_frame()) == list(result.to_columns())
