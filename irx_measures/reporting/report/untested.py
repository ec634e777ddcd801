"""The page of scores that are too few for any test: means, and scores by topic."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from ...common.escapes import printable
from ...comparison.compare import why_untested
from ...measures.named_score import is_rising
from ...scoring.score_matrix import ScoreMatrix


def untested_page(matrix: ScoreMatrix, titles: Mapping[str, str]) -> dict[str, Any]:
    """What the template shows; the best system of the first measure is first."""
    means = matrix.aggregates
    sign = -1 if is_rising(matrix.measures[0]) else 1
    order = np.argsort(sign * means[0], kind="stable").tolist()
    systems = [printable(name) for name in matrix.systems]
    by_system = [((systems[row],), means[:, row].tolist()) for row in order]
    by_topic = [
        ((systems[row], printable(titles.get(topic, topic))), matrix.scores[:, row, place].tolist())
        for row in order
        for place, topic in enumerate(matrix.query_ids)
    ]
    why = why_untested(matrix.systems, matrix.query_ids)
    return {
        "lead": f"These scores are not tested: {why}. A difference from other scores may be "
        "chance.",
        "measures": [str(measure) for measure in matrix.measures],
        "tables": [
            ("Mean over topics", ["System"], by_system),
            ("Scores by topic", ["System", "Topic"], by_topic),
        ],
    }
