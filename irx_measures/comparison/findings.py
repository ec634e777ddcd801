"""What the tests found, in words."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ..measures.labels import short_labels
from .hypotheses import Tested
from .leaderboard import not_beaten


def findings(tested: Sequence[Tested], baselines: Sequence[str]) -> str:
    """The findings of every measure in one line."""
    labels = short_labels(part.hypotheses.measure for part in tested)
    return "; ".join(
        f"{label}: {_against(part, baselines) if baselines else _among_all(part)}"
        for label, part in zip(labels, tested, strict=True)
    )


def _among_all(part: Tested) -> str:
    differing, unbeaten = np.count_nonzero(part.rejected), np.count_nonzero(not_beaten(part))
    return (
        f"{differing} of {len(part.hypotheses)} pairs of systems differ; {unbeaten} of "
        f"{len(part.hypotheses.systems)} systems {'are' if unbeaten > 1 else 'is'} not "
        "significantly worse than any other"
    )


def _against(part: Tested, baselines: Sequence[str]) -> str:
    systems, second = part.hypotheses.systems, part.hypotheses.pairs.second
    found = []
    for baseline in filter(systems.__contains__, baselines):
        tests = second == systems.index(baseline)
        better = np.count_nonzero(part.rejected & tests & (part.mean > 0))
        worse = np.count_nonzero(part.rejected & tests & (part.mean < 0))
        found.append(
            f"significantly better than {baseline}: {better} of {np.count_nonzero(tests)} systems, "
            f"significantly worse: {worse}"
        )
    return "; ".join(found)
