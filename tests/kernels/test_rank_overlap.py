"""The kernel of RBO against the oracles: published values, tie orders, and completions."""

import csv
import gzip
import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose

from irx_measures.kernels.rank_overlap import Overlap, logarithmic_tails, overlap
from irx_measures.kernels.tie_orders import Groups, extreme_order, tie_groups
from tests.examples import examples
from tests.oracles import rank_biased as oracle
from tests.oracles import rank_completions

from .tied_rankings import (
    compare,
    has_few_completions,
    has_few_orders,
    pairs,
    phis,
    sides,
    small_pairs,
    tied_rankings,
)

VARIANTS = ("share", "a", "w", "b")
TIES = (*VARIANTS, "least", "greatest")
UNTIED = {"lower": oracle.rbo, "upper": oracle.rbo_upper, "ext": oracle.rbo_ext}
BOUNDS = (*UNTIED, "residual")
PHIS = (0.06, 0.3, 0.5, 0.7, 0.85, 0.95)
EXACT = {"rtol": 0, "atol": 1e-12}


def score(drawn, phi, ties, bound):
    """RBO of pairs of rankings: (pairs,)."""
    return overlap(*compare(*sides(drawn)), phi, ties, bound)


def by_phi(drawn):
    """Batches of pairs, each with a persistence."""
    return [(drawn[start :: len(PHIS)], phi) for start, phi in enumerate(PHIS)]


# The published values


def parsed(text):
    """A ranking as the published file writes it: ``i5 (i9 i2)``."""
    return [(tied or single).split() for tied, single in re.findall(r"\(([^)]*)\)|(\S+)", text)]


@pytest.mark.slow
def test_the_published_values_of_corsi_and_urbano(data):
    path = data / "rbo-ties" / "published.csv.gz"
    if not path.exists():
        pytest.skip(f"no published values of RBO with ties at {path}")
    with gzip.open(path, "rt") as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == 5000
    rows = rows[:: max(1, len(rows) // examples(500))]
    names = {"ext": "ext", "min": "lower", "max": "upper", "res": "residual"}
    columns = [f"{ties}.{name}" for ties in "wab" for name in names]
    computed = np.empty((len(rows), len(columns)))
    for number, row in enumerate(rows):
        compared = compare([parsed(row["x"])], [parsed(row["y"])])
        for place, column in enumerate(columns):
            ties, name = column.split(".")
            computed[number, place] = overlap(*compared, float(row["p"]), ties, names[name])[0]
    published = [[float(row[column]) for column in columns] for row in rows]
    assert_allclose(computed, published, **EXACT)


@pytest.mark.slow
@pytest.mark.parametrize("bound", BOUNDS)
@pytest.mark.parametrize("ties", VARIANTS)
@given(drawn=pairs, phi=phis)
def test_the_variants_equal_their_definitions(ties, bound, drawn, phi):
    expected = [oracle.rbo_with_ties(*pair, phi, ties, bound) for pair in drawn]
    assert_allclose(score(drawn, phi, ties, bound), expected, rtol=1e-11, atol=1e-13)


@pytest.mark.parametrize("bound", UNTIED)
@given(
    drawn=st.lists(st.tuples(*[tied_rankings(ties=False)] * 2), min_size=1, max_size=3), phi=phis
)
def test_without_ties_every_treatment_equals_the_oracle(bound, drawn, phi):
    expected = [UNTIED[bound](oracle.flat(b), oracle.flat(r), phi) for b, r in drawn]
    for ties in TIES:
        assert_allclose(score(drawn, phi, ties, bound), expected, rtol=1e-11, atol=1e-14)


# Orders of tied documents


def check_orders(drawn):
    """The mean over all tie orders, the least, and the greatest."""
    for batch, phi in by_phi(drawn):
        for bound, untied in UNTIED.items():
            values = [oracle.over_orders(untied, *pair, phi) for pair in batch]
            least, greatest = ([best(orders) for orders in values] for best in (min, max))
            assert_allclose(score(batch, phi, "least", bound), least, **EXACT)
            assert_allclose(score(batch, phi, "greatest", bound), greatest, **EXACT)
            if bound != "upper":
                mean = np.array([np.mean(orders) for orders in values])
                assert_allclose(score(batch, phi, "share", bound), mean, **EXACT)
                assert (np.array(least) <= mean + 1e-12).all()
                assert (mean <= np.array(greatest) + 1e-12).all()


def test_share_is_the_mean_over_all_orders_and_least_and_greatest_are_their_range():
    drawn = small_pairs(examples(300), has_few_orders, seed=3)
    unequal = [len(oracle.flat(b)) != len(oracle.flat(r)) for b, r in drawn]
    assert sum(unequal) > len(drawn) / 2
    check_orders(drawn)


def test_large_tie_groups():
    check_orders([([["a", "b", "c", "d"], ["x"]], [["y"], ["d", "b", "x"]])] * len(PHIS))


def in_extreme_order(drawn, phi, ties, bound):
    """The untied score in the order with the least, or the greatest, overlap."""
    ordered = extreme_order(*compare(*sides(drawn)), ties == "greatest")
    return overlap(*ordered, phi, "share", bound)


@pytest.mark.parametrize("bound", BOUNDS)
@pytest.mark.parametrize("ties", ["least", "greatest"])
@given(
    drawn=st.lists(
        st.tuples(*[tied_rankings("abcdefghijklmn", max_size=12)] * 2), min_size=1, max_size=3
    ),
    phi=phis,
)
def test_the_counts_of_the_range_equal_the_extreme_orders(ties, bound, drawn, phi):
    expected = in_extreme_order(drawn, phi, ties, bound)
    assert_allclose(score(drawn, phi, ties, bound), expected, rtol=1e-12, atol=1e-13)


# Completions


def check_completions(drawn, new):
    """The bounds of the mean hold for every completion, tied ones too; the upper is reached."""
    for batch, phi in by_phi(drawn):
        values = [rank_completions.completed_overlaps(*pair, phi, "share", new) for pair in batch]
        for ties in ("share", "a"):
            best = [completed.max() for completed in values]
            assert_allclose(score(batch, phi, ties, "upper"), best, **EXACT)
            worst = np.array([completed.min() for completed in values])
            assert (score(batch, phi, ties, "lower") <= worst + 1e-12).all()


@pytest.mark.slow
@pytest.mark.parametrize("new", [0, 1, 2])
def test_the_upper_bound_is_the_best_of_all_completions(new):
    def suits(observed, reference):
        return has_few_completions(observed, reference, new)

    drawn = small_pairs(examples(80), suits, seed=6 + new)
    unequal = [len(oracle.flat(b)) != len(oracle.flat(r)) for b, r in drawn]
    assert sum(unequal) > len(drawn) / 2
    check_completions(drawn, new)


@pytest.mark.parametrize("ties", ["w", "b"])
def test_the_bounds_of_w_and_b_hold_for_completions_without_ties(ties):
    drawn = small_pairs(examples(36), has_few_completions, seed=9)
    for batch, phi in by_phi(drawn):
        values = [
            rank_completions.completed_overlaps(*pair, phi, ties, ties=False) for pair in batch
        ]
        best = [completed.max() for completed in values]
        assert_allclose(score(batch, phi, ties, "upper"), best, **EXACT)
        worst = np.array([completed.min() for completed in values])
        assert (score(batch, phi, ties, "lower") <= worst + 1e-12).all()


@pytest.mark.parametrize(("ties", "beyond"), [("w", 0.075), ("b", 0.01934)])
def test_completions_with_ties_exceed_the_upper_bound_of_w_and_b(ties, beyond):
    pair = [["a"]], [["b"], ["c"]]
    completed = rank_completions.completed_overlaps(*pair, 0.5, ties, new=0)
    assert completed.max() - score([pair], 0.5, ties, "upper")[0] == pytest.approx(beyond, abs=5e-6)


def test_completions_with_ties_fall_below_the_lower_bound_of_w():
    def continued(documents):
        return [["a"], [f"{documents}{number}" for number in range(10)]]

    # At depth 2 each prefix of the continued rankings counts 11 documents.
    lower = score([([["a"]], [["a"]])], 0.5, "w", "lower")
    below = score([(continued("x"), continued("y"))], 0.5, "w", "lower")
    assert lower[0] == pytest.approx(np.log(2), rel=1e-12)
    assert below[0] < 0.6


# Laws


@pytest.mark.parametrize("ties", TIES)
@given(drawn=pairs, phi=phis)
def test_a_batch_equals_its_rows_and_its_exchanged_rankings(ties, drawn, phi):
    exchanged = [(reference, observed) for observed, reference in drawn]
    for bound in BOUNDS:
        alone = [score([pair], phi, ties, bound)[0] for pair in drawn]
        for same in (alone, score(exchanged, phi, ties, bound)):
            assert_allclose(score(drawn, phi, ties, bound), same, rtol=1e-12, atol=1e-14)


@pytest.mark.parametrize("ties", TIES)
@given(drawn=pairs, phi=phis)
def test_the_residual_is_the_difference_of_the_bounds(ties, drawn, phi):
    lower, upper, ext, residual = (
        score(drawn, phi, ties, bound) for bound in ("lower", "upper", "ext", "residual")
    )
    assert_allclose(residual, upper - lower, rtol=1e-12, atol=1e-15)
    assert (lower >= 0).all()
    assert (lower <= ext + 1e-12).all()
    assert (lower <= upper + 1e-12).all()
    assert (np.maximum(ext, upper) <= 1 + 1e-12).all()
    if ties != "share":
        assert (ext <= upper + 1e-12).all()


def test_the_mean_extrapolation_can_exceed_the_upper_bound_of_the_mean():
    # In either order, depth 2 is extrapolated to full agreement. A continuation of B has at most
    # half of "b" and half of "c" there in common with R.
    pair = [["a"]], [["a"], ["b", "c"]]
    ext, upper = (score([pair], 0.5, "share", bound)[0] for bound in ("ext", "upper"))
    assert ext == pytest.approx(1.0, rel=1e-12)
    assert upper == pytest.approx(1.0 - 0.5 * 0.5 / 4, rel=1e-12)


@given(drawn=pairs, phi=phis, data=st.data())
def test_the_bounds_nest_when_the_rankings_continue(drawn, phi, data):
    for pair in drawn:
        more = tuple(
            ranking + [[doc] for doc in data.draw(st.permutations([*rest, "new1", "new2"]))]
            for ranking in pair
            for rest in [[doc for doc in "abcdefgh" if doc not in oracle.flat(ranking)]]
        )
        for ties in TIES:
            assert (
                score([pair], phi, ties, "lower") <= score([more], phi, ties, "lower") + 1e-12
            ).all()
            assert (
                score([more], phi, ties, "upper") <= score([pair], phi, ties, "upper") + 1e-12
            ).all()


@pytest.mark.parametrize("ties", TIES)
@pytest.mark.parametrize("width", [0, 3])
def test_no_queries_have_no_overlap(ties, width):
    rank = np.zeros((0, width), int)
    groups = Groups(rank, rank)
    for bound in BOUNDS:
        assert overlap(rank, groups, groups, 0.8, ties, bound).shape == (0,)


@pytest.mark.parametrize("ties", TIES)
def test_extreme_persistence_gives_finite_scores(ties):
    drawn = [([["a"], ["b", "d"]], [["b", "e"], ["c", "a"]]), ([], [["a", "b"]])]
    for phi in (5e-324, 1e-300, 1 - 2**-53):
        for bound in BOUNDS:
            values = score(drawn, phi, ties, bound)
            assert np.isfinite(values).all()
            assert (values >= -1e-12).all()
            assert (values <= 1 + 1e-12).all()


IDENTITY = oracle.untied(range(1, 11))


@pytest.mark.parametrize(
    ("order", "expected"),
    [
        ([1, 2, 3, 4, 5, 6, 7, 8, 9, 10], [1.00, 0.99, 0.97]),
        ([2, 1, 4, 3, 6, 5, 8, 7, 10, 9], [0.54, 0.62, 0.70]),
        ([5, 4, 3, 2, 1, 10, 9, 8, 7, 6], [0.23, 0.33, 0.46]),
        ([6, 7, 8, 9, 10, 1, 2, 3, 4, 5], [0.04, 0.10, 0.22]),
        ([10, 9, 8, 7, 6, 5, 4, 3, 2, 1], [0.04, 0.10, 0.22]),
    ],
)
def test_table_3_of_the_paper_of_alignment(order, expected):
    pair = oracle.untied(order), IDENTITY
    values = [score([pair], phi, "share", "lower")[0] for phi in (0.6, 0.7, 0.8)]
    assert_allclose(values, expected, atol=0.005)


@pytest.mark.parametrize("phi", [1e-9, 0.1, 0.5, 0.9, 0.99, 0.9999, 1 - 1e-9])
@pytest.mark.parametrize("depth", [1, 2, 10, 1000])
def test_logarithmic_tails_are_the_integral_they_stand_for(phi, depth):
    from scipy.integrate import quad

    tails = logarithmic_tails(phi, depth)
    assert len(tails) == depth
    assert tails[0] == pytest.approx(-np.log1p(-phi) / phi, rel=1e-12)
    # phi times the tail is the integral of x^(m-1) / (1 - x) from 0 to phi.
    if phi < 0.999:
        m = min(depth, 30)
        integral, error = quad(lambda x: x ** (m - 1) / (1 - x), 0, phi, epsabs=0, epsrel=1e-12)
        assert phi * tails[m - 1] == pytest.approx(integral, rel=1e-9, abs=2 * error)
    assert (np.diff(tails) <= 0).all()
    assert (tails > 0).all() or phi**depth == 0


@pytest.mark.parametrize("ties", ["share", "a", "w", "b", "break", "least", "greatest"])
@given(
    data=st.data(), phi=st.floats(0.05, 0.99), length=st.integers(1, 7), observed=st.integers(1, 7)
)
def test_the_parts_of_an_overlap_sum_to_its_lower_bound(ties, data, phi, length, observed):
    def groups(size):
        level = np.sort(data.draw(st.lists(st.integers(0, 3), min_size=size, max_size=size)))
        return tie_groups(-level[np.newaxis], np.array([size]), ties != "break")

    places = data.draw(st.permutations([*range(1, observed + 1), *[0] * length]))[:length]
    compared = Overlap(np.array([places]), groups(observed), groups(length), ties)
    parts = compared.parts(phi)
    assert not parts[np.array(places) == 0].any()
    assert_allclose(parts.sum(), compared.lower(phi)[0], rtol=1e-12, atol=1e-15)
