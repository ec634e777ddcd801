"""Every result of meta-evaluation and of judging has a DataFrame and a one-line summary."""

import dataclasses
from copy import deepcopy

import numpy as np
import pytest

from irx_measures import judging, meta, simulate_campaign

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
    meta.residual_gain_matrix(CAMPAIGN.runs, CAMPAIGN.qrels),
    meta.unjudged_by_rank(CAMPAIGN.runs, CAMPAIGN.qrels, depth=10),
    AUDIT,
    AUDIT.agreements[0],
    meta.concordance(*2 * [meta.discriminative_power(SCORES[::-1])]),
    meta.discriminative_power(SCORES),
    meta.pareto_front([3, 1, 2], [0.5, 0.1, 0.9], names=["a", "b", "c"]),
    meta.rank_correlation(SCORES, SCORES[::-1], samples=9),
    meta.split_swap_rate(SCORES, trials=9),
    meta.stability(SCORES, trials=9),
    meta.system_impact(lambda chosen: SCORES[chosen], list("abcd"), trials=9),
]


def test_every_kind_of_result_is_here():
    kinds = {
        kind
        for module in (judging, meta)
        for kind in vars(module).values()
        if dataclasses.is_dataclass(kind)
    }
    assert {type(result) for result in RESULTS} == kinds


@pytest.mark.parametrize("result", RESULTS, ids=lambda result: type(result).__name__)
def test_it_has_a_summary_and_a_table_and_equals_what_has_the_same_content(result):
    frame, summary = result.to_frame(), result.summary
    assert len(frame) > 0
    assert 20 < len(summary) < 200
    assert repr(result).splitlines() == [
        f"{type(result).__name__}: {summary}", *repr(frame).splitlines()
    ]  # fmt: skip
    assert frame._repr_html_() in result._repr_html_()
    again = deepcopy(result)
    assert again is not result
    assert again == result
    assert hash(again) == hash(result)
    assert [other for other in RESULTS if other == result] == [result]
    assert result != "result"


def test_html_escapes_names():
    html = meta.pareto_front([1, 2], [1, 2], names=["<script>", "b"])._repr_html_()
    assert "<script>" not in html
    assert html.count("&lt;script&gt;") == 2
