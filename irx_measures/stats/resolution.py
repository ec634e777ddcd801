"""What tests can resolve: their smallest p-values, and the resamples that corrections need."""

from __future__ import annotations

from math import ceil, sqrt

from ..common.arrays import FloatArray
from ..exceptions import InputError
from .pairs import Pairs
from .rejection import rejects
from .tests import TESTS, wilcoxon_is_exact

MULTIPLYING = ("holm", "bonferroni")

# The smallest adjusted p-value is then a tenth of alpha. With fewer resamples, the order in which
# Holm's correction takes the smallest p-values would be mostly chance.
RESAMPLES_PER_REJECTION = 10


def least_p_value(
    test: str, topics: int, resamples: int | None = None, *, systems: int = 2, exact: bool = True
) -> float:
    """The smallest p-value that a test can give, before any correction.

    Parameters
    ----------
    test
        A key of `TESTS`.
    topics
        Number of topics, at least 2.
    resamples
        Number of random samples; None for tests that do not resample, and to leave the samples out
        of account.
    systems
        Number of systems, for ``tukey-randomised``.
    exact
        Whether ``wilcoxon`` is exact for all pairs; see `wilcoxon_is_exact`.

    Returns
    -------
    float in [0, 1]; 0 where there is no limit

    Notes
    -----
    - ``randomisation`` and exact ``wilcoxon``: two of the 2^topics sign patterns are the most
      extreme ones, so p >= 2^(1 - topics). Topics on which two systems score the same only raise
      their p.
    - ``wilcoxon`` with the normal approximation: p of the largest possible sum of ranks.
    - ``tukey-randomised``: the range of means is largest if each topic gives its best score to one
      system and its worst score to another: p >= (systems (systems - 1))^(1 - topics).
    """
    patterns = {"wilcoxon": 2.0, "randomisation": 2.0}
    patterns["tukey-randomised"] = systems * (systems - 1.0)
    by_topics = patterns[test] ** (1 - topics) if test in patterns else 0.0
    if test == "wilcoxon" and not exact:
        by_topics = _least_normal_wilcoxon(topics)
    by_samples = 0.0 if resamples is None else 1.0 / (resamples + 1.0)
    return max(by_topics, by_samples)


def _least_normal_wilcoxon(topics: int) -> float:
    from scipy.special import ndtr

    # Sum of all ranks over its standard deviation: (n (n+1) / 4) / sqrt(n (n+1) (2n+1) / 24).
    statistic = sqrt(1.5 * topics * (topics + 1.0) / (2.0 * topics + 1.0))
    return float(2.0 * ndtr(-statistic))


# That many are drawn unasked. A choice: 129 systems, the most of a TREC track, at level .99 need 8
# million, and the bootstrap test of a few systems draws 2 million in a minute.
MOST_RESAMPLES = 10_000_000


def enough_resamples(resamples: int, hypotheses: int, alpha: float) -> int:
    """`resamples`, or more if a correction over so many hypotheses needs more to reject any.

    Parameters
    ----------
    resamples, hypotheses
        At least 1.
    alpha
        Error rate, in (0, 1).

    Raises
    ------
    InputError
        If more than `MOST_RESAMPLES` are needed and `resamples` does not ask for them.
    """
    needed = ceil(RESAMPLES_PER_REJECTION * hypotheses / alpha)
    if needed > max(MOST_RESAMPLES, resamples):
        raise InputError(
            f"`resamples` must be at least {needed} for a correction over {hypotheses} hypotheses "
            f"at level {1.0 - alpha:.12g}; more than {MOST_RESAMPLES} are drawn only if they are "
            f"asked for (or use test='t', or a lower level); got {resamples}"
        )
    return max(resamples, needed)


def check_can_reject(
    scores: FloatArray,
    pairs: Pairs,
    *,
    test: str,
    correction: str,
    hypotheses: int,
    alpha: float,
    resamples: int | None = None,
) -> None:
    """Refuse a test and a correction that can reject no hypothesis, whatever the scores are.

    Parameters
    ----------
    scores : (systems, topics)
    pairs
        The pairs to test.
    test
        A key of `TESTS`.
    correction
        One of `CORRECTIONS`, or ``maxt``.
    hypotheses
        Number of hypotheses that the correction covers.
    alpha
        Error rate, in (0, 1).
    resamples
        As in `least_p_value`.

    Raises
    ------
    InputError
        If the smallest possible p-value, adjusted, exceeds `alpha`.
    """
    systems, topics = scores.shape
    by_flips = correction == "maxt"  # sign flips of topics, as in the randomisation test
    exact = test != "wilcoxon" or by_flips or wilcoxon_is_exact(scores, pairs)
    least = least_p_value(
        "randomisation" if by_flips else test, topics, resamples, systems=systems, exact=exact
    )
    factor = hypotheses if correction in MULTIPLYING else 1
    if rejects(least * factor, 1.0 - alpha):
        return
    title = "max-t" if by_flips else TESTS[test].title
    approximated = "" if exact else " (by the normal approximation, because differences are tied)"
    drawn = "" if resamples is None else f" and {resamples} resamples"
    multiplied = f", which {correction} multiplies by {factor} hypotheses" if factor > 1 else ""
    instead = "test='t', correction='holm'" if by_flips else "test='t'"
    raise InputError(
        f"`test` and `correction` must be able to reject at level {1.0 - alpha:.12g}; with "
        f"{topics} topics{drawn} the least p-value of the {title}{approximated} is "
        f"{least:.2g}{multiplied}: use {instead}; "
        f"got test={test!r}, correction={correction!r}"
    )
