"""Results as DataFrames; pandas is imported when the first DataFrame is created."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pandas import DataFrame as DataFrame
else:
    DataFrame = "DataFrame"  # the type of results, in annotations


def frame(columns: Mapping[str, Any]) -> DataFrame:
    """A DataFrame with these columns, in the given order."""
    import pandas as pd

    return pd.DataFrame(dict(columns))
