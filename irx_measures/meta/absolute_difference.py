"""Percentage absolute difference: how much systems differ under a measure."""

from __future__ import annotations

import numpy as np

from ..common.numeric import FloatArray, safe_divide
from ..exceptions import InputError
from ..stats.pairs import Pairs
from .scores import ScoresLike, system_scores


def percentage_absolute_difference(scores: ScoresLike) -> FloatArray:
    """Differences of mean scores, in percent of the larger mean (upper-expected paper, Eq. 8).

    Parameters
    ----------
    scores : (systems, queries)
        To average a measure over cutoffs, as in the paper, concatenate the scores of all cutoffs
        along the second axis.

    Returns
    -------
    (pairs,) floats
        For the pairs of systems (0, 1), (0, 2), ..., (1, 2), ... The paper's Table 10 has the mean.

    Raises
    ------
    ValueError
        If scores have another shape or are not finite. Also if two systems differ and the larger
        mean is not positive, because the equation is then undefined.

    Notes
    -----
    - Two equal means differ by 0%, even if both are 0.
    - Version 2 of `UE` can give means below 0. The difference between a negative and a positive
      mean is more than 100%.

    Examples
    --------
    >>> from irx_measures.meta import percentage_absolute_difference
    >>> percentage_absolute_difference([[0.2, 0.4], [0.4, 0.4], [0.1, 0.3]]).round(2)
    array([25.  , 33.33, 50.  ])
    """
    array, _ = system_scores(scores, None, queries=1)
    mean = array.mean(axis=1)
    pairs = Pairs.of(len(array))
    difference = np.abs(pairs.differences(mean))
    larger = np.maximum(mean[pairs.first], mean[pairs.second])
    with np.errstate(over="ignore"):  # if the larger mean is barely above 0
        percentage = 100.0 * safe_divide(difference, larger)
    undefined = (larger <= 0) & (difference > 0) | np.isinf(percentage)
    if undefined.any():
        raise InputError(
            "`scores`: percentages of the larger mean need it to be above 0; "
            f"got {larger[undefined][0]:g}"
        )
    return percentage
