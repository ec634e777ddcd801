"""Random sets of topics, and the mean scores over them."""

from __future__ import annotations

from collections.abc import Iterator

from ..common.numeric import FloatArray
from ..common.progress import with_bar
from ..common.validators import generator, integer
from ..stats.resampling import means_over, random_orders


def means_over_sets(
    scores: FloatArray, sets: int, size: int, trials: int, seed: int, progress: bool | None
) -> Iterator[tuple[FloatArray, ...]]:
    """Yield, for each trial, the systems' means over disjoint sets of topics: (systems,) each.

    Parameters
    ----------
    scores : (systems, queries)
    sets, size
        Number of sets that each trial draws, without replacement, and of topics in each.
    trials
        At least 1; InputError otherwise.
    seed
    progress
        Whether to show a progress bar on stderr.
    """
    orders = random_orders(scores.shape[1], integer(1).check("trials", trials), generator(seed))
    first, *others = (
        means_over(scores, orders[:, number * size : (number + 1) * size]) for number in range(sets)
    )
    return zip(with_bar(first, "trial", progress), *others, strict=True)
