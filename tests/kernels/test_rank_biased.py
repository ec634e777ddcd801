"""The rank-biased kernels against the oracle, and the laws of their bounds."""

from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose

from irx_measures.kernels import rank_biased as kernel
from irx_measures.kernels.tie_orders import Groups, extreme_order, tie_groups
from irx_measures.persistence import phi_for
from tests.examples import examples
from tests.oracles import rank_biased as oracle
from tests.oracles import rank_completions

from .tied_rankings import (
    DOCS,
    as_groups,
    compare,
    has_few_completions,
    has_few_orders,
    pairs,
    phis,
    ranks,
    sides,
    small_pairs,
    tied_rankings,
)

EXACT = {"rtol": 0, "atol": 1e-12}


@pytest.mark.parametrize(
    ("share", "weights", "first_weights"),
    [
        (True, [[3 / 8, 3 / 8, 1 / 8], [3 / 8, 3 / 8, 0]], [1 / 2, 1 / 2]),
        (False, [[1 / 2, 1 / 4, 1 / 8], [1 / 2, 1 / 4, 0]], [1, 0]),
    ],
)
def test_tied_documents_share_weight_and_no_weight_is_beyond_the_end(share, weights, first_weights):
    groups = tie_groups(np.array([[3, 3, 1], [2, 2, 2]]), np.array([3, 2]), share)
    assert_allclose(kernel.weights(groups, 0.5), weights, rtol=1e-15)
    least = kernel.weights(groups, np.nextafter(0.0, 1.0))
    assert_allclose(least, [[*first_weights, 0]] * 2, atol=1e-300)


def bounds(drawn, phi):
    """Lower and upper bounds of recall and of alignment: (recall or alignment, bound, pairs)."""
    rank, seen, ideal = compare(*sides(drawn))
    recall = kernel.recall(rank, ideal, phi, "share")
    more = kernel.recall_residual(rank, seen.length, ideal.length, phi)
    alignment = kernel.alignment(rank, seen, ideal, phi)
    further = kernel.alignment_residual(rank, seen, ideal, phi)
    return np.array([[recall, recall + more], [alignment, alignment + further]])


@given(pairs, phis)
def test_bounds_equal_the_oracle(drawn, phi):
    def recalls(observed, reference):
        recall = oracle.rbr(observed, reference, phi)
        return recall, recall + oracle.rbr_residual(observed, reference, phi)

    expected = [
        (recalls(*pair), (oracle.rba(*pair, phi), oracle.rba_upper(*pair, phi))) for pair in drawn
    ]
    assert_allclose(bounds(drawn, phi), np.moveaxis(expected, 0, 2), rtol=1e-12, atol=1e-15)


# Orders of tied documents


def check_orders(drawn, phi):
    """The range over all orders: recall by counts, alignment and its upper bound by the order."""
    compared = compare(*sides(drawn))
    recalls = [
        [oracle.rbr(b, oracle.untied(order), phi) for order in oracle.orders(r)] for b, r in drawn
    ]
    lowers = [oracle.over_orders(oracle.untied_rba, *pair, phi) for pair in drawn]
    uppers = [oracle.over_orders(oracle.untied_rba_upper, *pair, phi) for pair in drawn]
    for ties, best in (("least", min), ("greatest", max)):
        recall = kernel.recall(compared[0], compared[2], phi, ties)
        assert_allclose(recall, [best(orders) for orders in recalls], **EXACT)
        ordered = extreme_order(*compared, ties == "greatest")
        lower = kernel.alignment(*ordered, phi)
        assert_allclose(lower, [best(orders) for orders in lowers], **EXACT)
        upper = lower + kernel.alignment_residual(*ordered, phi)
        assert_allclose(upper, [best(orders) for orders in uppers], **EXACT)
    mean = kernel.recall(compared[0], compared[2], phi, "share")
    assert_allclose(mean, [np.mean(orders) for orders in recalls], **EXACT)
    shared = kernel.alignment(*compared, phi)
    assert (np.array([min(orders) for orders in lowers]) <= shared + 1e-12).all()
    assert (shared <= np.array([max(orders) for orders in lowers]) + 1e-12).all()


@pytest.mark.slow
@pytest.mark.parametrize("phi", [0.06, 0.3, 0.5, 0.85, 0.95])
def test_least_and_greatest_are_the_range_over_all_orders(phi):
    check_orders(small_pairs(examples(100), has_few_orders, seed=round(100 * phi)), phi)


# The paper's tables and figure

REFERENCE = ["D07", "D04", "D11", "D12", "D10", "D15", "D06", "D22", "D19", "D28"]
OBSERVED = ["D06", "D23", "D10", "D07", "D04"]


def test_recall_of_table_1_of_the_paper():
    rank, seen, ideal = compare([oracle.untied(OBSERVED)], [oracle.untied(REFERENCE)])
    assert_allclose(kernel.recall(rank, ideal, 0.6, "share"), [0.711], atol=5e-4)
    residual = kernel.recall_residual(rank, seen.length, ideal.length, 0.6)
    assert_allclose(residual, [0.002], atol=5e-4)
    weight = kernel.weights(ideal, 0.6)[0, [6, 4, 0, 1]]
    assert_allclose(weight, [0.019, 0.052, 0.400, 0.240], atol=5e-4)


def test_recall_with_the_ties_of_the_paper():
    tied = [REFERENCE[:3], REFERENCE[3:4], REFERENCE[4:6], REFERENCE[6:7], REFERENCE[7:]]
    rank, _, ideal = compare([oracle.untied(OBSERVED)], [tied])
    assert_allclose(kernel.weights(ideal, 0.6)[0, :3], [0.261] * 3, atol=5e-4)
    assert_allclose(kernel.recall(rank, ideal, 0.6, "share"), [0.583], atol=5e-4)


@pytest.mark.parametrize(
    ("members", "half", "third"),
    [
        ([1, 2, 3], 0.500, 0.700),
        ([2, 3, 4], 0.397, 0.469),
        ([3, 4, 5], 0.315, 0.314),
        ([4, 5, 6], 0.250, 0.210),
        ([2, 4, 5, 6], 0.414, 0.431),
        ([1, 2, 5, 7, 10], 0.529, 0.657),
    ],
)
def test_recall_of_table_2_of_the_paper(members, half, third):
    rank, _, ideal = compare([oracle.untied(members)], [oracle.untied(range(1, 11))])
    got = [kernel.recall(rank, ideal, phi_for(3, share), "share")[0] for share in (0.5, 0.3)]
    assert_allclose(got, [half, third], atol=5e-4)


@pytest.mark.parametrize(
    ("order", "expected"),
    [
        ([1, 2, 3, 4, 5, 6, 7, 8, 9, 10], [0.99, 0.97, 0.89]),
        ([2, 1, 4, 3, 6, 5, 8, 7, 10, 9], [0.96, 0.96, 0.89]),
        ([5, 4, 3, 2, 1, 10, 9, 8, 7, 6], [0.78, 0.86, 0.85]),
        ([6, 7, 8, 9, 10, 1, 2, 3, 4, 5], [0.51, 0.68, 0.77]),
        ([10, 9, 8, 7, 6, 5, 4, 3, 2, 1], [0.40, 0.60, 0.73]),
    ],
)
def test_alignment_of_table_3_of_the_paper(order, expected):
    compared = compare([oracle.untied(order)], [oracle.untied(range(1, 11))])
    values = [kernel.alignment(*compared, phi)[0] for phi in (0.6, 0.7, 0.8)]
    assert_allclose(values, expected, atol=0.005)


def test_the_residual_of_figure_5_of_the_paper():
    # Seven common documents; of nine, ranks 5 and 7 of B and 4 and 8 of R stand in one ranking
    # only, so that their mean ranks become 7.5, 9, 7 and 9.5 of 11.
    observed = oracle.untied(["a", "b", "c", "d", "B5", "e", "B7", "f", "g"])
    reference = oracle.untied(["a", "b", "c", "R4", "d", "e", "f", "R8", "g"])
    residual = kernel.alignment_residual(*compare([observed], [reference]), 0.7)
    assert_allclose(residual, [0.097 + 0.020], atol=1e-3)
    exact = 0.3 / 0.7 * sum(0.7**rank for rank in (7.5, 9, 7, 9.5)) + 0.7**11
    assert_allclose(residual, [exact], rtol=1e-12)


# Bounds and laws


def check_completions(drawn, phi):
    """The bounds hold for every completion, tied ones too, and the upper ones are reached."""
    (recall, most_recall), (alignment, most_alignment) = bounds(drawn, phi)
    for row, (observed, reference) in enumerate(drawn):
        completed = rank_completions.completed_alignments(observed, reference, phi)
        assert alignment[row] <= completed.min() + 1e-12
        assert completed.max() == pytest.approx(most_alignment[row], abs=1e-12)
        # The observation of RBR is a complete set, so only the reference continues.
        universe = rank_completions.universe_of(observed, reference, new=1)
        recalls = [
            oracle.rbr(observed, more, phi)
            for more in rank_completions.completions(reference, universe)
        ]
        assert recall[row] <= min(recalls) + 1e-12
        assert max(recalls) == pytest.approx(most_recall[row], abs=1e-12)


@pytest.mark.slow
@pytest.mark.parametrize("phi", [0.06, 0.3, 0.5, 0.7, 0.85, 0.95])
def test_the_upper_bounds_are_the_best_of_all_completions(phi):
    check_completions(small_pairs(examples(60), has_few_completions, seed=round(200 * phi)), phi)


def test_alignment_can_be_perfect_where_a_tied_group_completes_the_reference():
    pair = [["z"], ["x", "y"]], [["z"]]
    assert_allclose(bounds([pair], 0.5)[1], [[0.5], [1.0]], rtol=1e-12)


@given(drawn=pairs, phi=phis, data=st.data())
def test_the_bounds_nest_when_the_rankings_continue(drawn, phi, data):
    for observed, reference in drawn:
        more_observed, more_reference = (
            ranking + [[doc] for doc in data.draw(st.permutations([*rest, "new1", "new2"]))]
            for ranking in (observed, reference)
            for rest in [[doc for doc in DOCS if doc not in oracle.flat(ranking)]]
        )
        recall, alignment = bounds([(observed, reference)], phi)[..., 0]
        more_recall = bounds([(observed, more_reference)], phi)[0, :, 0]
        more_alignment = bounds([(more_observed, more_reference)], phi)[1, :, 0]
        for now, later in ((recall, more_recall), (alignment, more_alignment)):
            assert now[0] <= later[0] + 1e-12
            assert later[1] <= now[1] + 1e-12


@given(drawn=pairs, phi=phis)
def test_alignment_is_symmetric(drawn, phi):
    exchanged = [(reference, observed) for observed, reference in drawn]
    assert_allclose(bounds(drawn, phi)[1], bounds(exchanged, phi)[1], rtol=1e-12, atol=1e-15)


@given(drawn=pairs, phi=phis)
def test_a_batch_equals_its_rows(drawn, phi):
    together = bounds(drawn, phi)
    rank, _, ideal = compare(*sides(drawn))
    for row, pair in enumerate(drawn):
        assert_allclose(together[..., row], bounds([pair], phi)[..., 0], rtol=1e-12, atol=1e-15)
    for ties in ("least", "greatest"):
        alone = [kernel.recall(ranks([b], [r]), as_groups([r]), phi, ties)[0] for b, r in drawn]
        recall = kernel.recall(rank, ideal, phi, ties)
        assert_allclose(recall, alone, rtol=1e-12, atol=1e-15)


@pytest.mark.parametrize("width", [0, 3])
def test_no_queries_have_no_scores(width):
    rank = np.zeros((0, width), int)
    groups = Groups(rank, rank)
    assert kernel.alignment(rank, groups, groups, 0.8).shape == (0,)
    assert kernel.alignment_residual(rank, groups, groups, 0.8).shape == (0,)
    assert kernel.recall_residual(rank, groups.length, groups.length, 0.8).shape == (0,)
    for ties in ("share", "least", "greatest"):
        assert kernel.recall(rank, groups, 0.8, ties).shape == (0,)


@given(reference=tied_rankings(min_size=1), phi=phis, data=st.data())
def test_a_further_member_never_lowers_recall(reference, phi, data):
    fewer = data.draw(tied_rankings(max_size=4))
    further = data.draw(st.sampled_from([d for d in DOCS if d not in oracle.flat(fewer)]))
    for ties in ("share", "least", "greatest"):
        recalls = [
            kernel.recall(ranks([seen], [reference]), as_groups([reference]), phi, ties)[0]
            for seen in (fewer, [*fewer, [further]])
        ]
        assert recalls[0] <= recalls[1] + 1e-15


@given(observed=tied_rankings(), reference=tied_rankings(ties=False), phi=phis)
def test_recall_is_precision_with_the_roles_exchanged(observed, reference, phi):
    recall = kernel.recall(ranks([observed], [reference]), as_groups([reference]), phi, "share")
    relevant = set(oracle.flat(observed))
    swapped = oracle.rbp(oracle.flat(reference), relevant, phi)
    assert recall[0] == pytest.approx(swapped, rel=1e-12)


@given(
    ranking=st.lists(st.sampled_from(DOCS), unique=True, max_size=8),
    judged=st.dictionaries(st.sampled_from(DOCS), st.booleans(), min_size=1),
    phi=phis,
)
def test_precision_and_its_residual_equal_the_oracle(ranking, judged, phi):
    rank = np.array([[ranking.index(doc) + 1 if doc in ranking else 0 for doc in judged]])
    relevant = np.array([list(judged.values())])
    expected = oracle.rbp(ranking, {doc for doc, good in judged.items() if good}, phi)
    assert kernel.precision(rank, relevant, phi)[0] == pytest.approx(expected, rel=1e-12)
    residual = kernel.precision_residual(rank, np.ones_like(relevant), phi)
    assert residual[0] == pytest.approx(oracle.rbp_residual(ranking, judged, phi), rel=1e-12)


def test_extreme_persistence_gives_finite_scores():
    drawn = [([["a"], ["b"]], [["b"], ["c"]]), ([["a", "b"]], [["b", "c"], ["d"]]), ([], [["a"]])]
    for phi in (5e-324, 1e-300, 1 - 2**-53):
        values = bounds(drawn, phi)
        assert np.isfinite(values).all()
        assert (values >= 0).all()
        assert (values <= 1 + 1e-12).all()
        # One document is returned first, one is not returned.
        rank, relevant = np.array([[1, 0]]), np.array([[True, True]])
        assert_allclose(kernel.precision(rank, relevant, phi), [1.0 - phi], rtol=1e-12)


@pytest.mark.parametrize("phi", [0.3, 0.8])
def test_precision_bounds_hold_for_every_judging_and_are_reached(phi):
    ranking, judged = ["a", "b", "c", "d"], {"b": True, "d": False, "z": True}
    unjudged = [doc for doc in ranking if doc not in judged]
    known = np.array([[ranking.index(doc) + 1 if doc in ranking else 0 for doc in judged]])
    relevant = np.array([list(judged.values())])
    lower = kernel.precision(known, relevant, phi)[0]
    upper = lower + kernel.precision_residual(known, np.ones_like(relevant), phi)[0]
    values = []
    for grades in product([False, True], repeat=len(unjudged) + 1):
        tail_relevant, of_docs = grades[0], dict(zip(unjudged, grades[1:], strict=True))
        found = {doc for doc, good in {**judged, **of_docs}.items() if good}
        tail = phi ** len(ranking) if tail_relevant else 0.0
        values.append(oracle.rbp(ranking, found, phi) + tail)
    assert min(values) == pytest.approx(lower, rel=1e-12)
    assert max(values) == pytest.approx(upper, rel=1e-12)
    assert len(values) == 8
