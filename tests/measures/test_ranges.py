"""The lowest and the highest score of measures, and of scores that are only names."""

from math import inf

import ir_measures
import numpy as np
import pytest

import irx_measures
from irx_measures.measures.declaring.ranges import COUNTS, SHARES, UNKNOWN, range_of
from irx_measures.measures.naming.named_score import NamedScore


@pytest.mark.parametrize(
    ("measure", "expected"),
    [
        ("nDCG@10", (0, 1)),
        ("P(rel=2)@5", (0, 1)),
        ("nDCG(gains={0:-1,1:1})@10", UNKNOWN),
        ("NumRet(rel=1)", (0, inf)),
        ("NRG(prior=others)@10", (0, 1)),
        ("UniqueRel(prior=others)@10", (0, inf)),
        ("UE@10", (-1, 1)),
        ("UE(version=1)@10", (0, 1)),
        ("Expected@10", (0, inf)),
        ("Expected(normalized=True)@10", (0, 1)),
    ],
)
def test_the_range_of_a_measure(measure, expected):
    assert range_of(irx_measures.parse_measure(measure)) == expected


def test_scores_that_are_only_names_have_no_known_range():
    assert range_of(NamedScore("nDCG@10 of someone else")) == UNKNOWN


def test_the_listed_measures_exist():
    known = {measure.NAME for measure in ir_measures.measures.registry.values()}
    assert {*SHARES, *COUNTS} <= known


def test_scores_of_ir_measures_lie_in_their_ranges():
    campaign = irx_measures.simulate_campaign(systems=3, queries=6, seed=2)
    names = "nDCG@10 nDCG(dcg='exp-log2')@10 P@5 AP RR R@20 Rprec Bpref infAP ERR@10 RBP(p=0.8)"
    asked = [*names.split(), "IPrec@0.1", "SetP", "SetR", "SetF", "SetAP", "Success@5", "Judged@10"]
    matrix = irx_measures.evaluate(campaign.qrels, campaign.runs, [*asked, "NumRet", "NumRel"])
    for measure, scores in zip(matrix.measures, matrix.scores, strict=True):
        low, high = range_of(measure)
        assert low <= scores.min() <= scores.max() <= high + 1e-9, measure
        assert np.isfinite(low), measure
