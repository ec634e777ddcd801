"""compare(): tests which systems differ."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal, get_args

import numpy as np
from ir_measures import Measure

from ..common.memory import memory_limit
from ..common.progress import counting_bar
from ..common.short_paths import public
from ..common.warn import untold, warn
from ..common.writing import some
from ..exceptions import InputError
from ..io.table import Table
from ..measures.declaring.relative import OWN_PRIOR
from ..runsets.given import read_given
from ..scoring.asked import (
    Scores,
    given_scores,
    named_collections,
    scores_of_collections,
    systems_of_collections,
)
from ..scoring.evaluate import evaluate, parse_all
from ..scoring.grouped_scores import GroupedScores
from ..scoring.renaming import separated
from ..scoring.score_columns import COLLECTION
from ..scoring.score_matrix import MOST_NAMED, ScoreMatrix
from ..stats.family import Method
from ..stats.tests import PRIOR_TOPICS
from ..typing import (
    ArrowTable,
    CollectionsLike,
    ComparisonCorrection,
    ComparisonTest,
    DataFrame,
    FilesLike,
    GroupsLike,
    MeasuresLike,
    PathOrName,
    QrelsLike,
    QueryGroupsLike,
    RunsLike,
)
from .board import Leaderboard
from .hypotheses import TOPIC, asked_of, require_hypotheses, tested
from .macro import MACRO, QUERIES, WITHIN, check_macro, check_no_sums
from .result import Comparison, left_out_of, position_of
from .unjudged import UNJUDGED, world_means
from .words import without_score

COMPARING: tuple[str, ...] = get_args(ComparisonTest)

FEWEST_TOPICS = 3  # of two, a t test has one degree of freedom, and its intervals are useless


WITHOUT_BASELINE = "omit `baseline` to test the other systems against each other on it"


@public
def compare(
    qrels: QrelsLike | Table | None = None,
    runs: RunsLike | None = None,
    measures: MeasuresLike | None = None,
    *,
    scores: Scores | DataFrame | ArrowTable | PathOrName | FilesLike | None = None,
    collections: CollectionsLike | None = None,
    by: QueryGroupsLike | None = None,
    macro: Literal["queries", "groups", "none"] | None = None,
    rename: Mapping[str, str] | None = None,
    lower_is_better: Sequence[str] = (),
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
    limits: int | None = None,
    unjudged: Literal["learned"] | None = None,
    ignore_identical_ids: bool = False,
) -> Comparison:
    """Test which systems differ, with intervals, rank intervals and the size of the differences.

    Parameters
    ----------
    qrels, runs, measures, groups, strict, limits, ignore_identical_ids
        As for `evaluate`. `limits` is also the memory that the pairs of systems may take.
    scores
        In place of qrels and runs: a ScoreMatrix, GroupedScores, or a table or files of scores, of
        which `measures` chooses some.
    collections
        In place of qrels and runs: folders, each with qrels and a folder ``runs``, a table that
        names the files, or a dict from names to pairs of qrels and runs.
    by
        The group of each query, as for `ScoreMatrix.by`: one correction covers all groups.
    macro
        What is compared if there are groups or collections: their macro means, as
        `GroupedScores.compare` says, or with ``none`` the systems within each. By default,
        ``queries`` for collections, else ``none``.
    rename
        Other names of systems and measures, as for `Comparison.renamed`.
    lower_is_better
        The measures in a table or files of scores of which lower scores are better.
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
        - ``none``: no correction.
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
        Without it, unjudged documents count as not relevant. ``learned``: in addition, compare the
        systems in worlds in which every document has a grade, drawn from the learned prior of
        `BootNDCG`. For nDCG@k, AP@k, P@k and RBP@k. The tests do not change; the probabilities
        that a system is better, or the best, are columns of their own.

    Returns
    -------
    Comparison
        The leaderboards of the measures, with intervals and ranks, and the tested differences; its
        `to_frame` is a table.

    Warns
    -----
    EvaluationWarning
        As for `evaluate`; when systems are not compared on a measure because they have no score on
        it, or a measure is not tested because the baselines have none;
        and when scores differ by less than a billionth of their size.

    Raises
    ------
    ValueError
        When there are fewer than 2 systems or 3 topics, a score is beyond 1e150, a baseline is
        unknown, an argument is not allowed, or no hypothesis could be rejected whatever the scores:
        there are too few topics for the test, or too few resamples for the correction; when the
        pairs of systems would take more memory than `limits` allows; and as for `evaluate`.

    Notes
    -----
    - A hypothesis is rejected if its adjusted p-value is at most ``1 - level``.
    - With baselines, everything comes from the comparisons with them. Ranks, letters and which
      systems may be the best belong to a comparison without baselines.
    - A measure on which no baseline has a score has means, and no tests.
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
    >>> result = irx_measures.compare(campaign.qrels, campaign.runs, "nDCG@10")
    >>> print(result.summary)
    nDCG@10: 54 of 66 pairs of systems differ significantly; hybrid-b, hybrid-a and hybrid-c may be
    the best: no system is significantly better; the tests rule out the other 9
    """
    if isinstance(qrels, (ScoreMatrix, GroupedScores)):
        raise TypeError(
            "compare() takes qrels, runs and measures; of scores, write compare(scores=...); got "
            f"{type(qrels).__name__}"
        )
    method = Method.of(test, correction, level, resamples, seed, prior_topics, COMPARING)
    UNJUDGED.check("unjudged", unjudged)
    MACRO.check("macro", macro)
    given: dict[str, Any] = {
        "qrels": qrels, "runs": runs, "measures": measures, "scores": scores,
        "collections": collections, "by": by, "macro": macro, "unjudged": unjudged,
        "groups": groups, "ignore_identical_ids": ignore_identical_ids or None,
        "lower_is_better": lower_is_better or None,
    }  # fmt: skip
    with memory_limit(limits):
        found, judged, runset = _scored(given, baseline, rename or {}, strict, progress)
        result = _told(_grouped(found, by), method, baseline, progress, macro)
        if unjudged is not None:
            compared = [board.measure for board in result.boards]
            result = result.with_worlds(world_means(judged, runset, compared, seed, progress))
        return result.renamed(rename) if rename else result


def _scored(
    given: Mapping[str, Any],
    baseline: str | Sequence[str] | None,
    rename: Mapping[str, str],
    strict: bool,
    progress: bool | None,
) -> tuple[Scores, Any, Any]:
    """The scores to compare; of runs of one collection also the qrels and runs as they were read.

    Names and measures are checked before anything is scored.
    """
    mode = _mode_of(given)
    if mode == SCORES:
        lower = given["lower_is_better"] or ()
        return given_scores(given["scores"], given["measures"], lower, strict), None, None
    measures = parse_all(given["measures"], given["qrels"])
    reading = {
        "groups": given["groups"],
        "strict": strict,
        "ignore_identical_ids": bool(given["ignore_identical_ids"]),
    }
    with untold(OWN_PRIOR):  # the warning on what is not compared says it
        if mode == COLLECTIONS:
            named = named_collections(given["collections"])
            _check_names(systems_of_collections(named, strict), measures, baseline, rename)
            if given["macro"] != WITHIN:
                check_no_sums(measures)
            return scores_of_collections(named, measures, progress=progress, **reading), None, None
        judged, runset = read_given(given["qrels"], given["runs"], borrow=True, **reading)
        _check_names(runset.names, measures, baseline, rename)
        matrix = evaluate(judged, runset, measures, strict=strict, progress=progress)
        return matrix, judged, runset


RUNS, SCORES, COLLECTIONS = "qrels, runs and measures", "`scores`", "`collections`"

# By what is compared: the options that a call needs, and those that it may have. What tunes a test
# or keeps a call safe goes with all: seed, resamples, progress, limits, strict and the like.
MODES = {
    RUNS: (
        ("qrels", "runs", "measures"),
        ("by", "macro", "unjudged", "groups", "ignore_identical_ids"),
    ),
    SCORES: (("scores",), ("measures", "by", "macro", "lower_is_better")),
    COLLECTIONS: (("collections", "measures"), ("macro", "groups", "ignore_identical_ids")),
}


def _mode_of(given: Mapping[str, object]) -> str:
    """A key of `MODES`; an error if an option is of another call, or the call lacks one."""
    mode = RUNS if given["collections"] is None else COLLECTIONS
    if given["scores"] is not None:
        mode = SCORES
    needed, allowed = MODES[mode]
    present = [name for name, value in given.items() if value is not None]
    for name in present:
        if name not in (*needed, *allowed):
            raise InputError(f"`{name}` does not go with {mode}")
    missing = [f"`{name}`" for name in needed if name not in present]
    if missing:
        raise TypeError(
            "compare() needs qrels, runs and measures, or `scores`, or `collections` and measures; "
            f"missing: {', '.join(missing)}"
        )
    if {"by", "unjudged"} <= {*present}:
        raise InputError("`unjudged` is for all queries: omit `by`")
    return mode


def _check_names(
    systems: Sequence[str],
    measures: Sequence[Measure],
    baseline: str | Sequence[str] | None,
    rename: Mapping[str, str],
) -> None:
    """InputError, before anything is scored, if a name is unknown or pairs take too much memory."""
    against = baseline_names(baseline, systems)
    require_hypotheses(len(systems), len(against), len(measures))
    separated(systems, measures, rename)


def _grouped(scores: Scores, by: QueryGroupsLike | None) -> Scores:
    if by is None:
        return scores
    if isinstance(scores, GroupedScores):
        raise InputError(f"`by` is for scores without groups; they have a {scores.unit} each")
    return scores.by(by)


def _question(scores: Scores, macro: str | None) -> str | None:
    """The question on macro means: by default, of collections, that of their queries."""
    if isinstance(scores, ScoreMatrix):
        if macro is not None:
            raise InputError("`macro` goes with `collections` or `by`")
        return None
    if macro is None and scores.unit == COLLECTION:
        return QUERIES
    return None if macro == WITHIN else macro


def _told(
    scores: Scores,
    method: Method,
    baseline: str | Sequence[str] | None,
    progress: bool | None,
    macro: str | None,
) -> Comparison:
    """`comparison_of` with warnings of scores that are nearly equal or missing."""
    macro = _question(scores, macro)
    _check_sizes(scores if isinstance(scores, ScoreMatrix) else scores.matrix)
    result = comparison_of(scores, method, baseline, progress, macro)
    matrix = result.matrix
    compared = {board.measure for board in result.boards}
    left_out = left_out_of(matrix)
    for measure in matrix.measures:
        systems = left_out.get(str(measure))
        if measure not in compared:
            warn(f"left out {measure}: no two systems to compare have a score on it")
        elif systems:
            because = _why_without_score(matrix, measure, result.baselines)
            warn(without_score(measure, systems, result.baselines, because))
    return result


def comparison_of(
    scores: Scores,
    method: Method,
    baseline: str | Sequence[str] | None = None,
    progress: bool | None = None,
    macro: str | None = None,
) -> Comparison:
    """The tests of scores, in groups of queries or not, or of macro means, by a checked method."""
    grouped, unit = None, TOPIC
    if isinstance(scores, ScoreMatrix):
        matrix = scores
    else:
        grouped, matrix = scores, scores.matrix
        if macro is not None:
            matrix, unit = scores.macro, scores.unit
    _check_number(len(matrix.systems), 2, "systems")
    baselines = baseline_names(baseline, matrix.systems)
    parts, strata = _to_test(scores, method, macro)
    require_hypotheses(len(matrix.systems), len(baselines), len(matrix.measures), len(parts))
    boards = []
    total = len(parts) * len(matrix.measures) * (method.drawn or 0)
    with counting_bar(total, "sample", progress) as drawn:
        for place in range(len(matrix.measures)):
            family = list(asked_of(parts, place, baselines, strata, unit))
            in_family = sum(len(each.stated) for each in family)
            found = tested(family, in_family, method, drawn)
            for asked, numbers in zip(family, found, strict=True):
                boards.append(Leaderboard.of(asked, numbers, method, in_family))
    if not any(board.is_tested for board in boards):
        raise InputError(_why_none_is_tested(matrix, baselines))
    return Comparison.of(matrix, method, baselines, boards, grouped, macro)


def _to_test(
    scores: Scores, method: Method, macro: str | None
) -> tuple[dict[str | None, ScoreMatrix], Sequence[ScoreMatrix]]:
    """The scores to test, by group of queries; and all groups if the queries of them are drawn."""
    if isinstance(scores, ScoreMatrix):
        _check_number(len(scores.query_ids), FEWEST_TOPICS, "topics")
        return {None: scores}, ()
    if macro is None:
        return _large_groups(scores), ()
    check_macro(scores, method, macro)
    return {None: scores.macro}, scores.parts if macro == QUERIES else ()


def _why_none_is_tested(matrix: ScoreMatrix, baselines: Sequence[str]) -> str:
    """Why no measure has two systems to compare: its baselines or all but one lack a score."""
    left_out = left_out_of(matrix)
    if any(set(baselines) - set(left_out.get(str(each), ())) for each in matrix.measures):
        baselines = ()  # they have a score
    if not baselines:
        return f"no two systems to compare have a score on {', '.join(map(str, matrix.measures))}"
    return "; ".join(
        without_score(
            each, left_out[str(each)], baselines, _why_without_score(matrix, each, baselines)
        )
        for each in matrix.measures
    )


def _why_without_score(matrix: ScoreMatrix, measure: Measure, baselines: Sequence[str]) -> str:
    """The end of a warning: why the only system without a score has none, if it is known.

    If it is the only baseline, the end says how the others are tested.
    """
    facts, systems = matrix.facts, left_out_of(matrix)[str(measure)]
    if facts is None or len(systems) != 1 or not facts.has_doubt(measure, OWN_PRIOR):
        return ""
    others_can_be_tested = [*baselines] == [*systems] and len(matrix.systems) > 2
    advice = f"; {WITHOUT_BASELINE}" if others_can_be_tested else ""
    return f": {OWN_PRIOR}{advice}"


def _large_groups(scores: GroupedScores) -> dict[str | None, ScoreMatrix]:
    """The groups with enough queries for a test; a warning names the others."""
    sized = dict(zip(scores.groups, scores.sizes, strict=True))
    large = [group for group, size in sized.items() if size >= FEWEST_TOPICS]
    if not large:
        raise InputError(
            f"a comparison needs at least {FEWEST_TOPICS} queries in a {scores.unit}; "
            f"{len(sized)} {scores.unit}s have at most {max(sized.values())}"
        )
    small = [repr(group) for group in sized if group not in large]
    if small:
        warn(
            f"{scores.unit}s of fewer than {FEWEST_TOPICS} queries have means but are not "
            f"compared: {some(small, MOST_NAMED)}"
        )
    return {group: scores[group] for group in large}


# Squares of larger scores overflow; smaller spreads may be rounding, since floats have 16 digits.
LARGEST, LEAST_SPREAD = 1e150, 1e-9


def _check_sizes(matrix: ScoreMatrix) -> None:
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


def _check_number(given: int, least: int, noun: str) -> None:
    if given < least:
        raise InputError(
            f"a comparison needs at least {least} {noun}; got {given} (evaluate gives scores "
            "without tests)"
        )


def baseline_names(baseline: str | Sequence[str] | None, systems: Sequence[str]) -> tuple[str, ...]:
    if baseline is None:
        return ()
    names = [baseline] if isinstance(baseline, str) else list(baseline)
    for name in names:
        position_of(name, systems, "baseline")
    if not names:
        raise InputError("`baseline` must name at least one system; got an empty list")
    return tuple(dict.fromkeys(names))
