"""A progress bar for tests that draw random samples."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import AbstractContextManager, nullcontext

from ..common.progress import counting_bar
from .hypotheses import Hypotheses, Progress, resamples_of
from .method import Method


def resampling_bar(
    hypotheses: Sequence[Hypotheses], method: Method, shown: bool | None
) -> AbstractContextManager[Progress | None]:
    """A function that counts drawn samples on a bar; None if no bar is shown.

    `shown` is the `progress` argument of `compare`.
    """
    sizes = [len(part) for part in hypotheses]
    families = [sum(sizes)] if method.family == "all" else sizes
    total = sum(resamples_of(method, size) or 0 for size in families)
    return counting_bar(total, "sample", shown) if total else nullcontext()
