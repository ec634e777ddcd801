"""How well measures predict the scores of systems that took no part in the pooling."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from ..common.numeric import BoolArray, FloatArray, ratio_or_nan
from ..common.progress import with_bar
from ..io.frames import frame
from ..io.table import Table
from ..io.trec import read_qrels
from ..runsets.runset import RunSet
from ..scoring.evaluate import evaluate, parse_all, score_all
from ..typing import MeasureLike, QrelsLike
from ..unjudged.leave_out import fully_judged, leave_group_out

if TYPE_CHECKING:
    from ..io.frames import DataFrame


class LeftOutScores(NamedTuple):
    """Scores of every run on qrels without the contributions of its own group.

    Attributes
    ----------
    truth : (systems, queries) floats
        Scores on all judgments.
    predicted : dict from a method to (systems, queries) floats
        Scores on the judgments that are left; 0 for queries without any.
    judged : (systems, queries) bools
        Whether all documents in the run's top `depth` are judged on all judgments. Otherwise the
        run was not pooled for the query, and `truth` is not known to be true.
    left : list of Table
        The judgments that are left, group by group.
    """

    truth: FloatArray
    predicted: dict[str, FloatArray]
    judged: BoolArray
    left: list[Table]

    def errors(self) -> DataFrame:
        """One row per method, with the errors of the pairs (system, query) in `judged`.

        - rmse: root mean square error of the scores per (system, query)
        - bias: mean error
        - rmse_of_means: root mean square error of the systems' means over queries
        """
        scores = np.array([*self.predicted.values()])
        errors = np.where(self.judged, scores - self.truth, 0.0)
        pairs = self.judged.sum()
        of_system = self.judged.sum(axis=1)
        of_means = ratio_or_nan(errors.sum(axis=2), of_system)[:, of_system > 0]
        return frame(
            {
                "method": [*self.predicted],
                "rmse": np.sqrt(ratio_or_nan((errors**2).sum(axis=(1, 2)), pairs)),
                "bias": ratio_or_nan(errors.sum(axis=(1, 2)), pairs),
                "rmse_of_means": np.sqrt(
                    ratio_or_nan((of_means**2).sum(axis=1), of_means.shape[1])
                ),
            }
        )


def left_out_scores(
    runs: RunSet,
    qrels: QrelsLike | Table,
    methods: Mapping[str, MeasureLike],
    *,
    truth: MeasureLike = "nDCG@10",
    depth: int = 10,
    progress: bool | None = None,
) -> LeftOutScores:
    """Predict the scores of each group's runs from the judgments that other groups brought.

    Parameters
    ----------
    runs
        The runs with their groups.
    qrels
        In any form that `evaluate` accepts.
    methods
        Measures by name. They score a group's runs on the judgments that are left. `others` means
        all runs, as in `evaluate`, so that a learned prior learns from all of them.
    truth
        The measure whose scores on all judgments are predicted.
    depth
        The pool depth. Errors leave out the queries of a run on which a document in its top `depth`
        is unjudged on all judgments: a run that was never pooled does not count against a method.
    progress
        Whether to show a progress bar on stderr; None shows one on a terminal after half a second.

    Raises
    ------
    ValueError
        When the runs have no groups, and as for `evaluate`.

    Examples
    --------
    >>> import irx_measures
    >>> from irx_measures.meta import left_out_scores
    >>> campaign = irx_measures.simulate_campaign(systems=6, seed=1)
    >>> runs = irx_measures.RunSet(campaign.runs, groups=campaign.groups)
    >>> methods = {"naive": "nDCG@10", "condensed": "nDCG(judged_only=True)@10"}
    >>> left_out_scores(runs, campaign.qrels, methods).errors().round(2)
          method  rmse  bias  rmse_of_means
    0      naive  0.43 -0.38           0.39
    1  condensed  0.37  0.30           0.32
    """
    qrels = read_qrels(qrels)
    actual = evaluate(runs, qrels, truth, progress=False)
    truth_scores = actual.scores[0]
    predicted = np.zeros((len(methods), *truth_scores.shape))
    asked = parse_all(list(methods.values()))
    groups, kept = runs.groups or (), []
    for group, incomplete in with_bar(leave_group_out(runs, qrels, depth), "group", progress):
        members = [place for place, other in enumerate(groups) if other == group]
        left = read_qrels(incomplete)
        kept.append(left)
        subset = runs.subset(members)
        if not _share_query(subset, left):
            continue
        # Runs without a judged document are what the study is about: no doubt of it is told.
        scored = score_all(subset, left, asked, progress=False, compared=runs).matrix
        columns = [actual.query_ids.index(query) for query in scored.query_ids]
        for of_method, measure in zip(predicted, methods.values(), strict=True):
            of_method[np.ix_(members, columns)] = scored[measure]
    judged = fully_judged(runs, qrels, depth)
    return LeftOutScores(truth_scores, dict(zip(methods, predicted, strict=True)), judged, kept)


def _share_query(runs: RunSet, qrels: Table) -> bool:
    left = set(qrels.query_ids)
    return any(left & set(run.query_ids) for run in runs.each())
