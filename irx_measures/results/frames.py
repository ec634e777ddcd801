"""Results as DataFrames; pandas is imported when the first DataFrame is created."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..typing import DataFrame as DataFrame


def frame(columns: Mapping[str, Any]) -> DataFrame:
    """A DataFrame with these columns, in the given order."""
    import pandas as pd

    return pd.DataFrame(dict(columns))
