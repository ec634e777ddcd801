"""How scores of queries become one score."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import ir_measures
import numpy as np
from numpy.typing import NDArray


def aggregate(measure: ir_measures.Measure, values: Sequence[Any] | NDArray[Any]) -> float:
    """The aggregate of scores of single queries, by ir_measures: the mean for most measures."""
    aggregator = measure.aggregator()
    for value in np.asarray(values).tolist():
        aggregator.add(value)
    return float(aggregator.result())


def is_summed(measure: ir_measures.Measure) -> bool:
    """Whether a measure is summed over queries, as NumRet is."""
    return aggregate(measure, [1.0, 1.0]) == 2.0
