"""What tests can resolve: their smallest p-values, and the resamples that corrections need."""

from __future__ import annotations

from math import ceil, sqrt

from ..common.numeric import FloatArray
from ..common.validators import integer
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


# A choice: ten minutes of the bootstrap test of a few systems. More precision needs no samples, but
# a test that draws none.
MOST_RESAMPLES = 1_000_000

INSTEAD = "test='t' draws none"

_RESAMPLES = integer(1)


def checked_resamples(resamples: int) -> int:
    """The number of random samples that a user asks for; InputError if there are too many."""
    number: int = _RESAMPLES.check("resamples", resamples)
    if number > MOST_RESAMPLES:
        raise InputError(f"`resamples` must be at most {MOST_RESAMPLES}; {INSTEAD}; got {number}")
    return number


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
        If more than `MOST_RESAMPLES` are needed.
    """
    needed = ceil(RESAMPLES_PER_REJECTION * hypotheses / alpha)
    if needed > MOST_RESAMPLES:
        raise InputError(
            f"a correction over {hypotheses} hypotheses at level {1.0 - alpha:.12g} needs {needed} "
            f"resamples, and at most {MOST_RESAMPLES} are drawn: {INSTEAD}"
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
        As in `corrected`.
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
    exact = test != "wilcoxon" or wilcoxon_is_exact(scores, pairs)
    least = least_p_value(test, topics, resamples, systems=systems, exact=exact)
    factor = hypotheses if correction in MULTIPLYING else 1
    if rejects(least * factor, 1.0 - alpha):
        return
    approximated = "" if exact else " (by the normal approximation, because differences are tied)"
    drawn = "" if resamples is None else f" and {resamples} resamples"
    multiplied = f", which {correction} multiplies by {factor} hypotheses" if factor > 1 else ""
    raise InputError(
        f"`test` and `correction` must be able to reject at level {1.0 - alpha:.12g}; with "
        f"{topics} topics{drawn} the least p-value of the {TESTS[test].title}{approximated} is "
        f"{least:.2g}{multiplied}: use test='t'; "
        f"got test={test!r}, correction={correction!r}"
    )
