"""What ``irx compare`` and ``irx report`` compare: runs, or scores from files."""

from __future__ import annotations

import argparse
from collections.abc import Mapping, Sequence

from ..comparison.compare import compare
from ..comparison.result import Comparison
from ..exceptions import InputError
from ..io.table import Table
from ..runsets.runset import RunSet
from ..scoring.score_matrix import ScoreMatrix
from .from_function import asked
from .reading import read

# The options that say how runs are read and scored.
OF_RUNS = ("qrels", "runs", "priors", "reference", "groups", "format", "unjudged")


def compared(
    options: argparse.Namespace, how: Sequence[str], by: Mapping[str, str] | None = None
) -> tuple[Comparison, RunSet | None, Table | None]:
    """What the options name, compared as the parameters `how` of `compare` say.

    `by` has the group of each query, if systems are to be compared within groups. The runs and the
    qrels that were read follow the result.
    """
    if options.unjudged is not None and by is not None:
        raise InputError("--unjudged is for all queries: omit --by")
    method = asked(options, *how, "progress")
    if options.scores:
        scores = _scores(options)
        method["baseline"] = options.baselines or None
        compared_by = scores.compare if by is None else scores.by(by).compare
        return compared_by(**method), None, None
    if options.lower_is_better:
        raise InputError("--lower-is-better goes with --scores")
    inputs = read(options)
    method["baseline"] = inputs.baselines or None
    if by is not None:
        result = inputs.scores().by(by).compare(**method)
    else:
        result = compare(
            inputs.qrels, inputs.runset, inputs.measures,
            strict=inputs.strict, unjudged=options.unjudged, **method,
        )  # fmt: skip
    return result, inputs.runset, inputs.qrels


def _scores(options: argparse.Namespace) -> ScoreMatrix:
    """The scores in the files of ``--scores``."""
    for name in OF_RUNS:
        if getattr(options, name) != options.parser.get_default(name):
            raise InputError(f"`{name}` goes with runs; --scores has scores already")
    return ScoreMatrix.from_files(
        options.scores,
        options.measures or None,
        higher_is_better=dict.fromkeys(options.lower_is_better, False),
        strict=options.strict,
    )
