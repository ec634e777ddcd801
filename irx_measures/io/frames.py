"""Results as DataFrames: the one place that knows pandas, imported when the first is made."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pandas import DataFrame as DataFrame


def frame(columns: Mapping[str, Any]) -> DataFrame:
    """A DataFrame of columns, in their order."""
    import pandas as pd

    return pd.DataFrame(dict(columns))
