"""The comparison that ``irx compare`` prints and ``irx report`` writes."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from typing import NamedTuple

from ..comparison.compare import compare
from ..comparison.result import Comparison
from ..io.columns import QrelsColumns
from ..runsets.runset import RunSet
from ..scoring.evaluate import judged_documents
from .scoring import named_measures, progress_of, qrels_of, run_set


class Compared(NamedTuple):
    """A comparison, and what was read for it."""

    result: Comparison
    runset: RunSet
    qrels: QrelsColumns


def compared(options: argparse.Namespace, level: float, baselines: Sequence[str]) -> Compared:
    """The RUNs of a command, compared as its options ask for; `level` is a fraction."""
    measures = named_measures(options)
    runset = run_set(options, options.runs)
    qrels = judged_documents(qrels_of(options.qrels), options.strict)
    result = compare(
        runset,
        qrels,
        measures,
        baseline=baselines or None,
        test=options.test,
        correction=options.correction,
        family=options.family,
        level=level,
        resamples=options.resamples,
        seed=options.seed,
        prior_topics=options.prior_topics,
        strict=options.strict,
        progress=progress_of(options),
        unjudged=options.unjudged,
    )
    return Compared(result, runset, qrels)
