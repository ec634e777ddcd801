"""A progress bar for tests that draw random samples."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from .hypotheses import Hypotheses, Progress, resamples_of
from .method import Method


@contextmanager
def resampling_bar(
    hypotheses: Sequence[Hypotheses], method: Method, shown: bool | None
) -> Iterator[Progress | None]:
    """A function that counts drawn samples on a bar; None if the tests draw no samples.

    `shown` is the `progress` argument of `compare`.
    """
    sizes = [len(part) for part in hypotheses]
    families = [sum(sizes)] if method.family == "all" else sizes
    total = sum(resamples_of(method, size) or 0 for size in families)
    if not total:
        yield None
        return
    from tqdm.auto import tqdm

    quiet, delay = (None, 0.5) if shown is None else (not shown, 0.0)
    with tqdm(total=total, unit="sample", disable=quiet, delay=delay, leave=False) as bar:

        def drawn(samples: int) -> None:
            bar.update(samples)

        yield drawn
