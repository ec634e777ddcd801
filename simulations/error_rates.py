"""Family-wise error of the tests of all pairs: python -m simulations.error_rates.

It makes scores in which some systems are equal, from the scores of real runs. It counts how often a
test finds a difference between two equal systems, at a family-wise error of .05. The nulls are:

- labels: each topic's scores are permuted among all systems.
- signs: all systems have the same mean. Each topic's residuals, of all systems at once, keep or
  change their sign.
- half: as signs, but only the half of the systems with the largest residuals have the same mean.
  The other systems keep their own means.
- topics: all systems have the same mean. Topics are drawn with replacement. Unlike the nulls above,
  this one keeps the skewness of the differences.
- weights: six neighbours in the ranking, other ones in each simulation. Topics are drawn with the
  weights, nearest to equal ones, that give the six the same mean (equal_means.py). No score is
  changed: equal scores stay equal, and skewness and correlations stay.
- group: as weights, for three runs of one group, which are near-duplicates of each other. TREC-8
  has no table of groups: runs whose names share their first three characters are of one group.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Sequence
from functools import cache, partial

import numpy as np
from scipy import stats

from irx_measures.stats.decisions import corrected
from irx_measures.stats.pairs import Pairs
from irx_measures.stats.tests import PRIOR_TOPICS, TESTS
from simulations.max_t import max_t

from .equal_means import draw_equal_systems
from .material import (
    ALPHA,
    Draw,
    centred,
    collection,
    options,
    print_table,
    real_scores,
    resampled_topics,
    residuals,
)


def permuted_labels(scores: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    return rng.permuted(scores, axis=0)


def flipped_signs(scores: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    return residuals(scores) * rng.choice((-1.0, 1.0), scores.shape[1])


def noisiest(scores: np.ndarray) -> np.ndarray:
    """Which systems are the half with the largest residual variance."""
    variance = residuals(scores).var(axis=1)
    return variance >= np.sort(variance)[len(scores) - len(scores) // 2]


def flipped_signs_of_half(scores: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    mean = scores.mean(axis=1)
    mean[noisiest(scores)] = mean.mean()
    return mean[:, np.newaxis] + flipped_signs(scores, rng)


def drawn_topics(scores: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    return resampled_topics(centred(scores), rng)


def drawn_group(
    scores: np.ndarray, rng: np.random.Generator, groups: Sequence[np.ndarray]
) -> np.ndarray:
    """Three neighbours of one group, made equal; groups of which none can be are left out."""
    for place in rng.permutation(len(groups)):
        with contextlib.suppress(ValueError):
            return draw_equal_systems(scores[groups[place]], rng, EQUAL_SYSTEMS["group"])
    raise ValueError("the runs of no group can be made equal")


# Of weights: as many as neighbours can nearly always be made equal.
EQUAL_SYSTEMS = {"weights": 6, "group": 3}

NULLS: dict[str, Draw] = {
    "labels": permuted_labels,
    "signs": flipped_signs,
    "half": flipped_signs_of_half,
    "topics": drawn_topics,
    "weights": partial(draw_equal_systems, count=EQUAL_SYSTEMS["weights"]),
}

MOST_SIGNS = 100  # pairs up to which a corrected randomisation test has signs enough in a second


def holm(
    scores: np.ndarray, test: str = "t", resamples: int = 0, rng: np.random.Generator | None = None
) -> np.ndarray:
    """A test of the package with Holm's correction."""
    draws = (resamples, rng) if resamples else ()
    return corrected(TESTS[test].p_values(scores, Pairs.of(len(scores)), *draws), "holm") <= ALPHA


def joint_flips(
    scores: np.ndarray, resamples: int, rng: np.random.Generator, prior_topics: float = 0.0
) -> np.ndarray:
    scored = (scores, Pairs.of(len(scores)))
    joint = max_t([scored], 1 - ALPHA, resamples, rng, prior_topics=prior_topics)
    return joint.p_value <= ALPHA


@cache
def critical_range(systems: int, freedom: int) -> float:
    return float(stats.studentized_range.isf(ALPHA, systems, freedom))


def tukey_blocks(scores: np.ndarray) -> np.ndarray:
    """Tukey's HSD with topics as blocks, by its critical value."""
    systems, topics = scores.shape
    freedom = (systems - 1) * (topics - 1)
    error = (residuals(scores) ** 2).sum() / freedom
    distance = np.abs(Pairs.of(systems).differences(scores.mean(axis=1)))
    return distance >= critical_range(systems, freedom) * np.sqrt(error / topics)


def tukey_randomised(scores: np.ndarray, resamples: int, rng: np.random.Generator) -> np.ndarray:
    """Randomised Tukey HSD, by the critical value of its permuted ranges."""
    ranges = np.sort([np.ptp(rng.permuted(scores, axis=0).mean(axis=1)) for _ in range(resamples)])
    allowed = int(ALPHA * (resamples + 1) + 1e-9)
    distance = np.abs(Pairs.of(len(scores)).differences(scores.mean(axis=1)))
    return distance > ranges[-allowed] + 1e-12


def error_rates(
    scores: np.ndarray,
    null: str,
    simulations: int,
    flips: int,
    permutations: int,
    seed: int,
    groups: Sequence[np.ndarray] = (),
) -> dict[str, float]:
    """Share of the simulations in which a test found a difference of two equal systems.

    `groups` has the places of the systems of each group of at least three, for the null `group`.
    """
    rng = np.random.default_rng(seed)
    systems = EQUAL_SYSTEMS.get(null, len(scores))
    draw = partial(drawn_group, groups=groups) if null == "group" else NULLS[null]
    equal = noisiest(scores) if null == "half" else np.ones(systems, bool)
    first, second = Pairs.of(systems)
    both_equal = equal[first] & equal[second]
    tests = tests_of(len(first), flips, permutations, rng)
    wrong = dict.fromkeys(tests, 0)
    for _ in range(simulations):
        simulated = draw(scores, rng)
        for name, test in tests.items():
            wrong[name] += bool(test(simulated)[both_equal].any())
    return {name: count / simulations for name, count in wrong.items()}


def tests_of(
    pairs: int, flips: int, permutations: int, rng: np.random.Generator
) -> dict[str, Callable[[np.ndarray], np.ndarray]]:
    """The tests by their names, without those that take too long for so many pairs."""
    tests: dict[str, Callable[[np.ndarray], np.ndarray]] = {
        "t + holm": holm,
        "moderated-t + holm": partial(holm, test="moderated-t"),
        "max-t": partial(joint_flips, resamples=flips, rng=rng),
        "moderated max-t": partial(
            joint_flips, resamples=flips, rng=rng, prior_topics=PRIOR_TOPICS
        ),
        "wilcoxon + holm": partial(holm, test="wilcoxon"),
        "tukey-blocks": tukey_blocks,
    }
    if permutations:
        tests["tukey-randomised"] = partial(tukey_randomised, resamples=permutations, rng=rng)
    if pairs <= MOST_SIGNS:
        signs = max(flips, round(10 * pairs / ALPHA))  # the least p is a tenth of alpha
        tests["randomisation + holm"] = partial(
            holm, test="randomisation", resamples=signs, rng=rng
        )
    return tests


def groups_of(name: str) -> list[np.ndarray]:
    """The places of the runs whose names begin alike, for at least three of them."""
    starts = np.array([path.name[:3] for path in collection(name)[0]])
    places = [np.flatnonzero(starts == start) for start in np.unique(starts)]
    return [each for each in places if len(each) >= EQUAL_SYSTEMS["group"]]


def main(arguments: Sequence[str] | None = None) -> None:
    parser = options(__doc__, simulations=2000)
    parser.add_argument("--null", action="append", choices=[*NULLS, "group"])
    parser.add_argument("--flips", type=int, default=1999, help="of max-t")
    parser.add_argument("--permutations", type=int, default=199, help="of tukey-randomised")
    given = parser.parse_args(arguments)
    found: list[tuple[tuple[str, str, str], dict[str, float]]] = []
    for measure in given.measure or ["nDCG@10", "AP(rel=2)"]:
        scores = real_scores(given.collection, measure)
        for null in given.null or NULLS:
            rates = error_rates(
                scores,
                null,
                given.simulations,
                given.flips,
                given.permutations,
                given.seed,
                groups_of(given.collection),
            )
            found.append(((given.collection, measure, null), rates))
    names = list(dict.fromkeys(name for _, rates in found for name in rates))
    print_table(
        ("collection", "measure", "null", *names),
        [(*where, *(rates.get(name, "-") for name in names)) for where, rates in found],
    )


if __name__ == "__main__":
    main()
