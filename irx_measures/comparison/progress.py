"""A progress bar for tests that draw random samples."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import AbstractContextManager, nullcontext

from ..common.progress import counting_bar
from .hypotheses import Hypotheses, Progress, families_of, resamples_of
from .method import Method


def resampling_bar(
    hypotheses: Sequence[Hypotheses], method: Method, shown: bool | None
) -> AbstractContextManager[Progress | None]:
    """A function that counts drawn samples on a bar; None if no bar is shown.

    `shown` is the `progress` argument of `compare`.
    """
    total = sum(
        (resamples_of(method, sum(map(len, family))) or 0) * len(family)
        for family in families_of(hypotheses)
    )
    return counting_bar(total, "sample", shown) if total else nullcontext()
