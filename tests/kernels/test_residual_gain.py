"""The NRG kernel against the oracle, and the laws of its products."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal

from irx_measures.kernels import residual_gain as kernel
from irx_measures.kernels.user_models import (
    BASES,
    binary_gain,
    browsing_weights,
    graded_gain,
    nonzero_ranks,
    truncate_ranks,
)
from tests.campaigns import DOCS, grade_array, judged_rankings, rank_array
from tests.oracles import residual_gain as oracle

bases = st.sampled_from(BASES)
dcgs = st.sampled_from(["log2", "exp-log2"])
cutoffs = st.integers(1, 9)
phis = st.floats(0.05, 0.95)


def gains(grades, base, dcg, rel):
    grade = grade_array(grades)
    return graded_gain(grade, dcg) if base == "nDCG" else binary_gain(grade, rel)


def unseen_by(prior_rank, base, phi):
    return kernel.survival(
        nonzero_ranks(prior_rank), browsing_weights(base, len(DOCS), phi), prior_rank.shape[1:]
    )


def scores(rank, gain, unseen, base, phi, cutoff, ideal_depth):
    parts = kernel.residual_parts(
        rank, gain, unseen, base=base, cutoff=cutoff, phi=phi, ideal_depth=ideal_depth
    )
    return parts.score


RANKINGS = {"R1": "ABCDEFGHIJ", "R2": "EDCBAFGHIJ", "R3": "JIHGFEDCBA"}


@pytest.mark.parametrize(
    ("name", "priors", "expected"),
    [
        ("R1", [], 0.7933),
        ("R2", [], 0.7933),
        ("R3", [], 0.7933),
        ("R1", ["R2"], 0.7361),
        ("R1", ["R3"], 0.8277),
        ("R2", ["R1"], 0.7361),
        ("R2", ["R3"], 0.7988),
        ("R3", ["R1"], 0.8277),
        ("R3", ["R2"], 0.7988),
        ("R1", ["R2", "R3"], 0.8417),
        ("R2", ["R1", "R3"], 0.8316),
        ("R3", ["R1", "R2"], 0.8681),
    ],
)
def test_table_1_of_the_paper(name, priors, expected):
    rank = {run: [[order.index(doc) + 1 for doc in "AEFJ"]] for run, order in RANKINGS.items()}
    prior_rank = np.array([rank[prior] for prior in priors], int).reshape(-1, 1, 4)
    seen_at = browsing_weights("nDCG", 10, 0.8)
    unseen = kernel.survival(nonzero_ranks(prior_rank), seen_at, (1, 4))
    got = scores(np.array(rank[name]), np.full((1, 4), 4.0), unseen, "nDCG", 0.8, 10, 10)
    assert_allclose(got, [expected], atol=5e-5)


@given(
    judged=judged_rankings(),
    base=bases,
    dcg=dcgs,
    rel=st.integers(1, 3),
    phi=phis,
    cutoff=cutoffs,
    ideal=st.sampled_from(["cutoff", "all"]),
)
def test_score_equals_the_oracle(judged, base, dcg, rel, phi, cutoff, ideal):
    grades, (run, *priors) = judged
    rank = truncate_ranks(rank_array([run, *priors]), cutoff)
    ideal_depth = None if ideal == "all" and priors else cutoff
    gain = gains(grades, base, dcg, rel)
    unseen = unseen_by(rank[1:], base, phi)
    expected = [
        oracle.nrg(
            qrels,
            ranking,
            [prior[query] for prior in priors],
            base=base,
            dcg=dcg,
            rel=rel,
            phi=phi,
            ideal=ideal,
            cutoff=cutoff,
        )
        for query, (qrels, ranking) in enumerate(zip(grades, run, strict=True))
    ]
    got = scores(rank[0], gain, unseen, base, phi, cutoff, ideal_depth)
    assert_allclose(got, expected, rtol=1e-12, atol=1e-15)


@given(judged=judged_rankings(), base=bases, phi=phis)
def test_survival_is_a_probability_that_no_further_prior_raises(judged, base, phi):
    rank = rank_array(judged[1])
    fewer, all_of_them = unseen_by(rank[1:], base, phi), unseen_by(rank, base, phi)
    assert (all_of_them >= 0.0).all()
    assert (all_of_them <= fewer).all()
    assert (fewer <= 1.0).all()


@given(judged=judged_rankings(max_runs=5), base=bases, phi=phis, draw=st.data())
def test_without_a_block_is_the_product_over_the_other_blocks(judged, base, phi, draw):
    rank = rank_array(judged[1])
    blocks = draw.draw(st.integers(1, 4))
    each = st.integers(0, blocks - 1)
    block = np.array(draw.draw(st.lists(each, min_size=len(rank), max_size=len(rank))))
    got = kernel.survival_without_block(rank, browsing_weights(base, len(DOCS), phi), block, blocks)
    expected = [unseen_by(rank[block != left_out], base, phi) for left_out in range(blocks + 1)]
    assert_allclose(got, expected, rtol=1e-12)


def test_without_a_block_the_zeros_of_other_blocks_stay_and_its_own_go():
    rank = np.array([[[1, 2, 0]], [[2, 1, 0]], [[1, 3, 0]]])
    got = kernel.survival_without_block(
        rank, browsing_weights("RR", 3, 0.8), np.array([0, 1, 2]), 3
    )
    expected = [[0.0, 0.0, 1.0], [0.0, 1 / 2 * 2 / 3, 1.0], [0.0, 0.0, 1.0], [0.0, 0.0, 1.0]]
    assert_allclose(got[:, 0], expected, rtol=1e-15)
    alone = kernel.survival_without_block(
        rank, browsing_weights("RR", 3, 0.8), np.array([0, 1, 0]), 2
    )
    assert_allclose(alone[0, 0], [1 / 2, 0.0, 1.0], rtol=1e-15)


@given(judged=judged_rankings(), base=bases, phi=phis)
def test_before_each_prior_is_the_product_over_those_before(judged, base, phi):
    rank = rank_array(judged[1])
    got = kernel.survival_before(rank, browsing_weights(base, len(DOCS), phi))
    expected = [unseen_by(rank[:position], base, phi) for position in range(len(rank))]
    assert_allclose(got, expected, rtol=1e-12)


@given(judged=judged_rankings(min_runs=2), base=bases, dcg=dcgs, phi=phis, cutoff=cutoffs)
def test_scores_lie_between_0_and_1(judged, base, dcg, phi, cutoff):
    grades, runs = judged
    rank = truncate_ranks(rank_array(runs), cutoff)
    unseen = unseen_by(rank[:1], base, phi)
    got = scores(rank, gains(grades, base, dcg, 1), unseen, base, phi, cutoff, cutoff)
    assert (got >= 0.0).all()
    assert (got <= 1.0 + 1e-12).all()


@given(judged=judged_rankings(min_runs=2), base=bases, cutoff=cutoffs)
def test_a_batch_of_runs_and_queries_equals_its_rows(judged, base, cutoff):
    grades, runs = judged
    rank = truncate_ranks(rank_array(runs), cutoff)
    gain, unseen = gains(grades, base, "log2", 1), unseen_by(rank[-1:], base, 0.8)
    batch = scores(rank, gain, unseen, base, 0.8, cutoff, cutoff)
    assert batch.shape == rank.shape[:2]
    for run, query in np.ndindex(batch.shape):
        row = slice(query, query + 1)
        alone = scores(rank[run, row], gain[row], unseen[row], base, 0.8, cutoff, cutoff)
        assert_allclose(alone, batch[run, row], rtol=1e-12, atol=1e-15)


@given(judged=judged_rankings(min_runs=2), base=bases, cutoff=cutoffs)
def test_every_run_of_a_batch_may_have_priors_of_its_own(judged, base, cutoff):
    grades, runs = judged
    rank = truncate_ranks(rank_array(runs), cutoff)
    gain = gains(grades, base, "log2", 1)
    unseen = kernel.survival_before(rank, browsing_weights(base, len(DOCS), 0.8))
    batch = scores(rank, gain, unseen, base, 0.8, cutoff, cutoff)
    for run, prior_unseen in enumerate(unseen):
        alone = scores(rank[run], gain, prior_unseen, base, 0.8, cutoff, cutoff)
        assert_allclose(alone, batch[run], rtol=1e-12, atol=1e-15)


@pytest.mark.parametrize("base", BASES)
def test_no_queries_have_no_scores(base):
    nothing = np.zeros((0, 3))
    assert scores(nothing.astype(int), nothing, 1.0, base, 0.8, 10, 10).shape == (0,)


@pytest.mark.parametrize("base", ["P", "RBP", "RR"])
@given(judged=judged_rankings(), phi=phis, cutoff=cutoffs)
def test_priors_never_raise_a_score_whose_norm_is_fixed(base, judged, phi, cutoff):
    grades, runs = judged
    rank = truncate_ranks(rank_array(runs), cutoff)
    gain = gains(grades, base, "log2", 1)
    absolute = scores(rank[0], gain, 1.0, base, phi, cutoff, cutoff)
    relative = scores(rank[0], gain, unseen_by(rank[1:], base, phi), base, phi, cutoff, cutoff)
    assert (relative <= absolute).all()


@given(st.lists(st.floats(0, 10), max_size=12), st.none() | st.integers(1, 15))
def test_ideal_gain_is_the_discounted_sum_of_the_largest(gain, depth):
    best = sorted(gain, reverse=True)[:depth]
    expected = sum(left * oracle.seen(rank, "nDCG") for rank, left in enumerate(best, 1))
    got = kernel.ideal_discounted_gain(np.array([gain, gain], dtype=float), depth)
    assert_allclose(got, [expected, expected], rtol=1e-12)


def test_coverage_takes_the_largest_or_the_mean_score_of_the_priors_per_query():
    own, priors = np.array([0.5, 1.0]), np.array([[0.5, 0.0], [1.0, 0.2]])
    assert_allclose(kernel.subspace_coverage(own, priors, "max"), [0.0, 0.8], rtol=1e-15)
    assert_allclose(kernel.subspace_coverage(own, priors, "mean"), [0.125, 0.9], rtol=1e-15)


def test_coverage_of_no_priors_is_the_base_score():
    own = np.array([0.5, 1.0])
    assert_array_equal(kernel.subspace_coverage(own, np.zeros((0, 2)), "max"), own)
