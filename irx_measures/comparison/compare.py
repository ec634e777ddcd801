"""compare(): tests which systems differ."""

from __future__ import annotations

from collections.abc import Sequence, Sized
from contextlib import nullcontext
from dataclasses import replace

import numpy as np

from ..common.memory import memory_limit
from ..common.progress import counting_bar
from ..common.warn import warn
from ..exceptions import InputError
from ..io.table import Table
from ..runsets.runset import RunSet
from ..scoring.evaluate import evaluate, judged_documents, set_of
from ..scoring.score_matrix import ScoreMatrix
from ..stats.tests import PRIOR_TOPICS
from ..typing import (
    ComparisonCorrection,
    ComparisonTest,
    GroupsLike,
    MeasuresLike,
    QrelsLike,
    RunsLike,
    Unjudged,
)
from .hypotheses import Hypotheses, Tested, all_tested
from .method import Method
from .result import Comparison, hypotheses_of, left_out_of, position_of
from .unjudged import UNJUDGED, FilledMeans

FEWEST_TOPICS = 3  # of two, a t test has one degree of freedom, and its intervals are useless


def compare(
    runs: RunsLike | ScoreMatrix,
    qrels: QrelsLike | Table | None = None,
    measures: MeasuresLike | None = None,
    *,
    baseline: str | Sequence[str] | None = None,
    test: ComparisonTest = "t",
    correction: ComparisonCorrection = "holm",
    level: float = 0.95,
    resamples: int = 10_000,
    seed: int = 42,
    prior_topics: float = PRIOR_TOPICS,
    groups: GroupsLike | None = None,
    strict: bool = True,
    progress: bool | None = None,
    limits: int | str | None = None,
    unjudged: Unjudged | None = None,
) -> Comparison:
    """Test which systems differ, with intervals, rank intervals and the size of the differences.

    Parameters
    ----------
    runs, qrels, measures, groups, strict, limits
        As for `evaluate`. Instead, `runs` may be a `ScoreMatrix`, without `qrels` and `measures`.
    baseline
        The name of a system, or several: every other system is compared with each of them.
        By default, all pairs of systems are compared.
    test
        - ``t``: Student's paired t test.
        - ``moderated-t``: the paired t test in which a variance below the median of the measure's
          comparisons is averaged with it. It never rejects what ``t`` does not. It makes fewer
          errors where differences are skewed or come from a few topics.
        - ``wilcoxon``: Wilcoxon's signed-rank test, without topics on which two systems score the
          same. It is exact for n other topics if n <= 13, or if n <= 50 and their differences have
          distinct sizes. Otherwise it uses the normal approximation.
        - ``randomisation``: the paired randomisation test of the mean.
        - ``bootstrap``: Sakai's paired bootstrap test (SIGIR 2006).
    correction
        For the comparisons of one measure: with baselines, of every system with each of them,
        otherwise of all pairs of systems.

        - ``holm``, ``bonferroni``: bound the probability of any wrong decision.
        - ``bh``: Benjamini and Hochberg's correction bounds the expected share of wrong decisions
          among all that find a difference. It has adjusted p-values; no intervals and no ranks.
        - ``none``
    level
        Confidence level of decisions and intervals, in (0, 1); 95 is read as 0.95.
    resamples
        Random samples of ``randomisation`` and ``bootstrap``, at most a million.
    seed
        Random seed.
    prior_topics
        How many topics the median variance counts for in ``moderated-t``; 0 is ``t``.
    progress
        Whether to show progress bars on stderr; None shows them on a terminal after half a second.
    unjudged
        - None: unjudged documents count as not relevant.
        - ``learned``: in addition, compare the systems in worlds in which every document has a
          grade, drawn from the learned prior of `BootNDCG`. `Comparison.to_frame` then has three
          more columns, and `Comparison.leaderboard` without baselines has ``p_best``. For nDCG@k,
          AP@k, P@k and RBP@k. The tests do not change.

    Returns
    -------
    Comparison

    Warns
    -----
    EvaluationWarning
        As for `evaluate`; when systems are left out of a measure because they have no score on it;
        and when scores differ by less than a billionth of their size.

    Raises
    ------
    ValueError
        When there are fewer than 2 systems or 3 topics, a score is beyond 1e150, a baseline is
        unknown, an argument is not allowed, or no hypothesis could be rejected whatever the scores:
        there are too few topics for the test, or too few resamples for the correction; and as for
        `evaluate`.

    Notes
    -----
    - A hypothesis is rejected if its adjusted p-value is at most ``1 - level``.
    - With baselines, everything comes from the comparisons with them. Ranks, letters and which
      systems may be the best belong to a comparison without baselines.
    - Intervals of differences agree with the correction: Bonferroni t intervals with ``bonferroni``
      and ``holm`` (Holm may reject a few hypotheses whose interval contains 0), and plain t
      intervals with ``none``.

    See Also
    --------
    irx_measures.meta.discriminative_power : How many pairs a measure distinguishes.

    Examples
    --------
    >>> import irx_measures
    >>> campaign = irx_measures.simulate_campaign(seed=1)
    >>> result = irx_measures.compare(campaign.runs, campaign.qrels, "nDCG@10")
    >>> print(result.summary)
    nDCG@10: 54 of 66 pairs of systems differ significantly; 3 of 12 systems may be the best: no
    system is significantly better
    >>> result.leaderboard()[["system", "rank_low", "rank_high", "letters"]].head(4)
          system  rank_low  rank_high letters
    0   hybrid-b         1          3       a
    1   hybrid-a         1          3       a
    2   hybrid-c         1          3       a
    3  lexical-c         4          6       b
    >>> against = irx_measures.compare(result.matrix, baseline=["hybrid-a", "lexical-a"])
    >>> print(against.summary)
    nDCG@10: 0 of 11 systems are significantly better than hybrid-a, 9 significantly worse; 3 of 11
    systems are significantly better than lexical-a, 6 significantly worse
    """
    method = Method.of(test, correction, level, resamples, seed, prior_topics)
    UNJUDGED.check("unjudged", unjudged)
    if unjudged is None:
        matrix = _matrix_of(runs, qrels, measures, groups, strict, progress, limits)
        return compare_scores(matrix, method, baseline, progress)
    if isinstance(runs, ScoreMatrix):
        raise InputError("unjudged='learned' needs runs and qrels; got a ScoreMatrix")
    if qrels is None:
        raise TypeError("`qrels` must be given with unjudged='learned'")
    with memory_limit(limits):
        runset = set_of(runs, groups, strict, borrow=True)
        judged = judged_documents(qrels, strict)
        matrix = _matrix_of(runset, judged, measures, None, strict, progress, None)
        return compare_filled(matrix, method, baseline, progress, runset, judged)


def compare_filled(
    matrix: ScoreMatrix,
    method: Method,
    baseline: str | Sequence[str] | None,
    progress: bool | None,
    runset: RunSet,
    qrels: Table,
) -> Comparison:
    """`compare_scores` with ``unjudged='learned'``, for the scores of these runs."""
    result = compare_scores(matrix, method, baseline, progress)
    measures = [part.hypotheses.measure for part in result.tested]
    return replace(result, filled=FilledMeans.of(runset, qrels, measures, method.seed, progress))


def compare_scores(
    matrix: ScoreMatrix,
    method: Method,
    baseline: str | Sequence[str] | None = None,
    progress: bool | None = None,
) -> Comparison:
    """`compare` for scores and a checked method."""
    if why := why_untested(matrix.systems, matrix.query_ids):
        raise InputError(why)
    baselines = baseline_names(baseline, matrix.systems)
    check_sizes(matrix)
    hypotheses = hypotheses_of(matrix, baselines)
    tested = tested_parts(matrix, hypotheses, method, progress)
    warn_left_out(matrix, hypotheses)
    return Comparison(matrix, method, baselines, tested)


def checked_systems(
    systems: Sequence[str], baseline: str | Sequence[str] | None
) -> tuple[str, ...]:
    """The names of the baselines; InputError if there are not two systems to compare."""
    if why := _too_few(systems, 2, "systems"):
        raise InputError(why)
    return baseline_names(baseline, systems)


def tested_parts(
    matrix: ScoreMatrix, hypotheses: Sequence[Hypotheses], method: Method, progress: bool | None
) -> tuple[Tested, ...]:
    """Test hypotheses on scores; InputError if there are none."""
    if not hypotheses:
        measures = ", ".join(map(str, matrix.measures))
        raise InputError(f"no two systems to compare have a score on {measures}")
    total = len(hypotheses) * (method.drawn or 0)
    with counting_bar(total, "sample", progress) if total else nullcontext() as drawn:
        return tuple(all_tested(hypotheses, method, drawn))


# Squares of larger scores overflow; smaller spreads may be rounding, since floats have 16 digits.
LARGEST, LEAST_SPREAD = 1e150, 1e-9


def check_sizes(matrix: ScoreMatrix) -> None:
    """Refuse scores whose variance overflows, and warn of those that differ by rounding only."""
    for measure, scores in zip(matrix.measures, matrix.scores, strict=True):
        size = float(np.nanmax(np.abs(scores), initial=0.0))
        if size > LARGEST:
            system, topic = np.argwhere(np.abs(scores) > LARGEST)[0].tolist()
            raise InputError(
                f"scores must be from -{LARGEST:g} to {LARGEST:g}; {matrix.systems[system]!r} has "
                f"{scores[system, topic]:g} for {measure} on query {matrix.query_ids[topic]!r}"
            )
        spread = float(np.nanmax(scores, initial=-size) - np.nanmin(scores, initial=size))
        if 0 < spread < LEAST_SPREAD * size:
            warn(
                f"all scores of {measure} lie within {spread:.2g} of {size:.6g}: their differences "
                "may come from rounding"
            )


def warn_left_out(matrix: ScoreMatrix, hypotheses: Sequence[Hypotheses]) -> None:
    """Warn of systems and measures that cannot be compared."""
    compared = [part.measure for part in hypotheses]
    lacking = [str(measure) for measure in matrix.measures if measure not in compared]
    for measure, systems in left_out_of(matrix).items():
        if measure not in lacking:
            warn(f"left out {', '.join(map(repr, systems))}: no score on {measure}")
    for measure in lacking:
        warn(f"left out {measure}: no two systems to compare have a score on it")


def why_untested(systems: Sized, topics: Sized) -> str:
    """Why there are too few systems or topics for any test; empty if there are enough."""
    return _too_few(systems, 2, "systems") or _too_few(topics, FEWEST_TOPICS, "topics")


def _too_few(given: Sized, least: int, noun: str) -> str:
    if len(given) >= least:
        return ""
    return f"a comparison needs at least {least} {noun}; got {len(given)}"


def against(result: Comparison, baseline: str | Sequence[str]) -> Comparison:
    """The same comparison with other baselines: their comparisons are a family of their own."""
    baselines = baseline_names(baseline, result.matrix.systems)
    if baselines == result.baselines:
        return result
    tested = all_tested(hypotheses_of(result.matrix, baselines), result.method)
    return replace(result, baselines=baselines, tested=tuple(tested))


def baseline_names(baseline: str | Sequence[str] | None, systems: Sequence[str]) -> tuple[str, ...]:
    if baseline is None:
        return ()
    names = [baseline] if isinstance(baseline, str) else list(baseline)
    for name in names:
        position_of(name, systems, "baseline")
    if not names:
        raise InputError("`baseline` must name at least one system; got an empty list")
    return tuple(dict.fromkeys(names))


def _matrix_of(
    runs: RunsLike | ScoreMatrix,
    qrels: QrelsLike | Table | None,
    measures: MeasuresLike | None,
    groups: GroupsLike | None,
    strict: bool,
    progress: bool | None,
    limits: int | str | None,
) -> ScoreMatrix:
    if isinstance(runs, ScoreMatrix):
        if qrels is not None or groups is not None:
            raise InputError("a ScoreMatrix is compared without `qrels` and `groups`")
        return runs if measures is None else runs.select(measures)
    if qrels is None or measures is None:
        missing = "qrels" if qrels is None else "measures"
        raise TypeError(f"`{missing}` must be given, unless `runs` is a ScoreMatrix")
    return evaluate(runs, qrels, measures, groups, strict=strict, progress=progress, limits=limits)
