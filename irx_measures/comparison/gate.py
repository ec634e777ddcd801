"""Whether a build may pass: every system was tested, and none is worse than a baseline."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from ..common.writing import PLAIN
from .board import Leaderboard
from .result import Comparison


def worse_than_baselines(result: Comparison) -> list[str]:
    """A sentence for each system, measure and baseline where the system is significantly worse.

    A baseline is not one of these systems: it may be worse than another baseline.
    """
    return [text for board in result.boards for text in _worse(board, result.baselines)]


def _worse(board: Leaderboard, baselines: tuple[str, ...]) -> Iterator[str]:
    tested, measure = board.tested, board.in_group(board.label)
    for row in np.flatnonzero(tested.verdict < 0).tolist():
        system, baseline = tested.system[row], tested.baseline[row]
        if system in baselines:
            continue
        by = PLAIN.number(abs(float(tested.gain[row])))
        p = PLAIN.p_is("adjusted p", float(tested["p_adjusted"][row]))
        yield f"{system} is significantly worse than {baseline} by {by} on {measure} ({p})"


def without_test(result: Comparison) -> list[str]:
    """The measures, and the systems on a measure, that have no test with every baseline."""
    tested = {board.measure for board in result.boards if board.is_tested}
    found = [str(measure) for measure in result.matrix.measures if measure not in tested]
    for board in result.boards:
        known = board.systems if board.is_tested else result.matrix.systems
        missing = [name for name in result.matrix.systems if name not in known]
        found += [f"{name} on {board.in_group(board.label)}" for name in missing]
    return found
