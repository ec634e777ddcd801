"""Table 4 and Figure 7 of the paper on RBA: tau, RBO and RBA of random permutations."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property, partial
from math import nan

import numpy as np

from ...common.numeric import FloatArray, Int64Array
from ...measures.rank_biased import RBA, RBO
from ...runsets.runset import RunSet
from ...scoring.evaluate import evaluate
from ...stats.correlation import coefficient_of
from ..charts import chart
from ..results import Claim, PaperFigure, PaperTable
from .examples import DECLARED, JUDGE

SIZE, SWAPS, REPEATS = 25, 25, 1000  # "25 random swaps [...] a total of 1000 times" of [1..25]

SEED = 2024  # any number does: the same permutations in every call

PHIS = (0.7, 0.8, 0.9)  # of the columns of Table 4

CLAIMS = DECLARED.claims["Table 4 and Figure 7"]

TAU_RBO, TAU_RBA, RBO_RBA = "tau_b(tau, RBO)", "tau_b(tau, RBA)", "tau_b(RBO, RBA)"


@dataclass(frozen=True)
class Permutations:
    """Permutations of the identity, with their scores.

    Attributes
    ----------
    orders : (permutations, SIZE) ints
    """

    orders: Int64Array

    @cached_property
    def tau(self) -> FloatArray:
        """Kendall's tau of each permutation and the identity."""
        identity = np.broadcast_to(np.arange(SIZE, dtype=float), self.orders.shape)
        return coefficient_of("tau", self.orders.astype(float), identity, nan)

    @cached_property
    def rank_biased(self) -> dict[tuple[str, float], FloatArray]:
        """RBO and RBA of each permutation and the identity, by name and phi.

        The permutations are the queries of one run, so one call scores them all.
        """
        identity = RunSet({"identity": self._run(np.broadcast_to(range(SIZE), self.orders.shape))})
        measures = {
            (measure.NAME, phi): measure(phi=phi, reference=identity)
            for phi in PHIS
            for measure in (RBO(bound="lower"), RBA)
        }
        matrix = evaluate({"permuted": self._run(self.orders)}, {}, list(measures.values()))
        place = {query: number for number, query in enumerate(matrix.query_ids)}
        order = [place[f"p{number}"] for number in range(len(self.orders))]
        return {name: matrix[measure][0][order] for name, measure in measures.items()}

    def both(self, phi: float) -> tuple[FloatArray, FloatArray]:
        """RBO and RBA at one phi."""
        return self.rank_biased["RBO", phi], self.rank_biased["RBA", phi]

    def _run(self, orders: Int64Array) -> dict[str, list[str]]:
        return {
            f"p{number}": [f"e{element}" for element in order]
            for number, order in enumerate(orders.tolist())
        }


def permute(repeats: int = REPEATS, seed: int = SEED) -> Permutations:
    """Swap two random elements of the identity, again and again.

    Parameters
    ----------
    repeats
        How often the identity is swapped `SWAPS` times. Each swap gives a permutation.
    seed
        Random seed.
    """
    rng = np.random.default_rng(seed)
    orders = np.empty((repeats * SWAPS, SIZE), np.int64)
    current = np.tile(np.arange(SIZE), (repeats, 1))
    rows = np.arange(repeats)
    for swap in range(SWAPS):
        first = rng.integers(0, SIZE, repeats)
        second = (first + rng.integers(1, SIZE, repeats)) % SIZE
        current[rows, first], current[rows, second] = current[rows, second], current[rows, first]
        orders[swap::SWAPS] = current
    return Permutations(orders)


def table_4(permutations: Permutations) -> PaperTable:
    """Kendall's tau_b between the scores of permutations by tau, RBO and RBA."""
    from scipy.stats import kendalltau

    here = {}
    for phi in PHIS:
        tau, rbo, rba = permutations.tau, *permutations.both(phi)
        for row, pair in {TAU_RBO: (tau, rbo), TAU_RBA: (tau, rba), RBO_RBA: (rbo, rba)}.items():
            here[row, f"phi={phi}"] = kendalltau(*pair).statistic
    data = f"{len(permutations.orders)} permutations of {SIZE} elements, by random swaps"
    return DECLARED.table("Table 4", here, data=data)


def permutation_claims(permutations: Permutations, table: PaperTable) -> Iterator[Claim]:
    """The claims about Table 4 and Figure 7."""
    tau_rbo, tau_rba, rbo_rba = table.in_shape().loc[[TAU_RBO, TAU_RBA, RBO_RBA]].to_numpy()
    shown = f"with RBO {_list(tau_rbo)}, with RBA {_list(tau_rba)}; of RBO and RBA {_list(rbo_rba)}"
    between = (tau_rba > tau_rbo) & (rbo_rba > tau_rbo)
    closer = np.diff([tau_rbo, tau_rba]) >= 0
    for name, holds in {
        "correlated": min(*tau_rbo, *tau_rba, *rbo_rba) > 0,
        "between": between.all(),
        "closer to tau": closer.all(),
    }.items():
        yield JUDGE.claim(CLAIMS[name], bool(holds), f"tau_b {shown}")
    yield _smoothness(permutations)
    yield _gap(permutations)


def _smoothness(permutations: Permutations) -> Claim:
    """Whether the cumulative distribution of RBO has larger steps than those of RBA and tau."""
    found = ((permutations.tau + 1) / 2, *permutations.both(PHIS[0]))
    rough = dict(zip(("tau", "RBO", "RBA"), map(_roughness, found), strict=True))
    shown = ", ".join(f"{name} {value:.2f}" for name, value in rough.items())
    bins = "mean second difference of the shares of 25 equal bins, relative to the mean share"
    holds = rough["RBO"] > max(rough["tau"], rough["RBA"])
    return JUDGE.claim(CLAIMS["less smooth"], holds, f"{bins}: {shown}")


def _gap(permutations: Permutations) -> Claim:
    """Whether the emptiest of the inner 18 twentieths of [0, 1] touches 0.5."""
    scores = permutations.rank_biased["RBO", PHIS[0]]
    counts = np.histogram(scores, 20, (0.0, 1.0))[0][1:-1]
    least = int(counts.argmin()) + 1
    return JUDGE.claim(
        CLAIMS["rare"],
        least in (9, 10),
        f"fewest scores lie between {least / 20:.2f} and {(least + 1) / 20:.2f}: {counts.min()}, "
        f"on average {counts.mean():.0f} in an interval of this length",
    )


def _roughness(values: FloatArray, bins: int = 25) -> float:
    share = np.histogram(values, bins)[0] / len(values)
    return float(np.abs(np.diff(share, 2)).mean() / share.mean())


def figure_7(permutations: Permutations) -> Iterator[PaperFigure]:
    """Both panes of Figure 7."""
    phi, (rbo, rba) = PHIS[0], permutations.both(PHIS[0])
    x_label, y_label = f"RBO, phi = {phi}", f"RBA, phi = {phi}"
    yield PaperFigure(
        "Figure 7, top",
        "RBA and RBO of random permutations",
        partial(chart, x_label, y_label, [(rbo, rba, ".", "")], markersize=1),
    )
    share, scores = np.linspace(0, 1, len(rbo)), {"tau": permutations.tau, "RBO": rbo, "RBA": rba}
    curves = [(np.sort(values), share, "", name) for name, values in scores.items()]
    yield PaperFigure(
        "Figure 7, bottom",
        "cumulative distributions of tau, RBO and RBA",
        partial(chart, "score", "share of permutations", curves),
    )


def _list(values: FloatArray) -> str:
    return ", ".join(f"{value:.3f}" for value in values)
