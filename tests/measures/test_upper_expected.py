"""nDCG_UE, AP_UE, UE, Expected, UpperBound: the oracle, peers, laws and errors."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from ir_measures import ERR, RBP, RR, P, nDCG
from numpy.testing import assert_allclose

from irx_measures import AP_UE, UE, Expected, UpperBound, evaluate, nDCG_UE
from tests.campaigns import one, random_campaign
from tests.doubts import ALL_RELEVANT, MISSED_QUERIES
from tests.examples import examples
from tests.oracles import upper_expected as oracle

pytestmark = [ALL_RELEVANT, MISSED_QUERIES]

BASES = ["nDCG", "AP", "P", "RBP", "ERR", "RR"]
OF_GDEVAL = {"nDCG", "ERR"}  # gdeval rounds to five decimal places
DOCS = "ABCDEF"
CHANGED = {"version": 1, "dcg": "log2", "candidates": "run"}

graded = st.dictionaries(st.sampled_from(DOCS), st.integers(-1, 3), min_size=1)
scored = st.dictionaries(st.sampled_from(DOCS), st.sampled_from([2.0, 1.0, 0.5]))


@pytest.mark.parametrize("base", BASES)
@pytest.mark.parametrize("kind", ["judged", "run", "union"])
@settings(max_examples=examples(10))
@given(
    qrels=graded,
    run=scored,
    cutoff=st.integers(1, 7),
    rel=st.integers(1, 3),
    dcg=st.sampled_from(["log2", "exp-log2"]),
)
def test_every_measure_equals_the_oracle(base, kind, qrels, run, cutoff, rel, dcg):
    chosen = {"base": base, "dcg": dcg, "rel": rel, "phi": 0.7}
    asked = oracle.Settings(**chosen, cutoff=cutoff)
    grades = oracle.candidates(qrels, run, kind)
    a, iub = oracle.actual(qrels, run, asked), oracle.upper(grades, asked)
    reb = oracle.expected(grades, asked)
    params = {**chosen, "candidates": kind, "cutoff": cutoff}
    exact = {**params, "expectation": "exact"}
    got = [
        one(UpperBound(**params), qrels, run),
        one(Expected(**exact), qrels, run),
        one(Expected(normalized=True, **exact), qrels, run),
        one(UE(version=1, **exact), qrels, run),
        one(UE(version=2, **exact), qrels, run),
    ]
    share = reb / iub if iub else 0.0
    expected = [iub, reb, share, oracle.version_1(a, iub, reb), oracle.version_2(a, iub, reb)]
    assert_allclose(got, expected, rtol=1e-9, atol=1e-12)
    if base == "AP":
        independent = oracle.independent(grades, asked)
        assert one(Expected(**params), qrels, run) == pytest.approx(independent, rel=1e-12)
        got = one(AP_UE(rel=rel, candidates=kind) @ cutoff, qrels, run)
        assert got == pytest.approx(oracle.version_2(a, iub, independent), rel=1e-9, abs=1e-12)


@given(qrels=graded, run=scored)
def test_without_a_cutoff_the_whole_ranking_counts(qrels, run):
    for base in sorted({*BASES} - {"P"}):
        for kind in ("judged", "union"):
            whole = UE(base=base, candidates=kind, expectation="exact")
            expected = one(whole @ 100, qrels, run)
            assert one(whole, qrels, run) == pytest.approx(expected, rel=1e-9, abs=1e-12)


@pytest.mark.parametrize(
    ("special", "general"),
    [
        (nDCG_UE @ 5, UE @ 5),
        (nDCG_UE(**CHANGED), UE(**CHANGED)),
        (AP_UE @ 5, UE(base="AP") @ 5),
        (AP_UE(expectation="exact", rel=2), UE(base="AP", expectation="exact", rel=2)),
    ],
)  # fmt: skip
def test_the_papers_measures_are_cases_of_ue(special, general):
    campaign = random_campaign(3, ties=True)
    scores = evaluate(campaign.qrels, campaign.runs, [special, general]).scores
    assert_allclose(scores[0], scores[1], rtol=1e-12)
    assert len(np.unique(scores)) > 5


@pytest.mark.parametrize(
    ("base", "peer"),
    [
        ("nDCG", nDCG(dcg="exp-log2") @ 10),
        ("P", P @ 10),
        ("RR", RR @ 10),
        ("ERR", ERR @ 10),
        ("RBP", RBP(p=0.8) @ 10),
    ],
)
def test_the_raw_measure_is_ir_measures_own(base, peer):
    campaign = random_campaign(5, ties=False)
    asked = [
        UE(base=base, version=2) @ 10,
        Expected(base=base) @ 10,
        UpperBound(base=base) @ 10,
        peer,
    ]
    two, reb, iub, own = evaluate(campaign.qrels, campaign.runs, asked).scores
    raw = np.where(two >= 0, reb + two * (iub - reb), reb + two * reb)
    if base == "nDCG":
        raw /= iub
    assert len(np.unique(own)) > 5
    assert_allclose(raw, own, rtol=1e-12, atol=6e-6 if base in OF_GDEVAL else 1e-15)
