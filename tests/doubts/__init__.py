"""Marks for tests whose data raise doubts on purpose; tests/doubts/test_doubts.py holds these."""

import warnings

import pytest

from irx_measures import EvaluationWarning


def _expected(message):
    return pytest.mark.filterwarnings(f"ignore:{message}:irx_measures.EvaluationWarning")


# What random data may lack: queries, any judged or relevant document, scores that differ.
MISSED_QUERIES = _expected(
    r".*((the run|run '.*') (misses \d+ of \d+ queries|has no judged document)"
    r"|no document is relevant|has mostly scores that differ|has mostly equal scores)"
)
NO_PRIOR = _expected(r".*(without a prior|no prior counts)")
OWN_PRIOR = _expected(r".*(it is its own only prior|the values given in place of)")
NO_SYSTEMS = _expected(r".*without other systems")
NOT_IN_REFERENCE = _expected(r".*no document is in the reference")
ALL_RELEVANT = _expected(r".*every judged document of \d+ of \d+ queries is relevant")
NONE_JUDGED = _expected(r".*queries have no judged document in the top")
NEW_SYSTEMS = _expected(r".*no run took part in the pooling")
UNCALIBRATED = _expected(r"the intervals of .* are not calibrated")
IDENTICAL_IDS = _expected(r".*has the document with the query's own id")
DEEPER_THAN_POOL = _expected(r".*the cutoff \d+ is deeper than the pool")

ANY_DOUBT = [
    MISSED_QUERIES,
    NO_PRIOR,
    OWN_PRIOR,
    NO_SYSTEMS,
    NOT_IN_REFERENCE,
    ALL_RELEVANT,
    NONE_JUDGED,
    NEW_SYSTEMS,
    IDENTICAL_IDS,
    DEEPER_THAN_POOL,
]


# Much test data is judged unevenly; tests/doubts/test_uneven.py holds this doubt.
UNEVEN = "unjudged documents count as not relevant: "


def told(call, uneven=False):
    """What a call returns, and the texts of its warnings, all of which are ours.

    Without the doubt about runs judged unevenly, unless it is asked for.
    """
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        if not uneven:
            warnings.filterwarnings("ignore", UNEVEN, EvaluationWarning)
        result = call()
    assert all(issubclass(warning.category, EvaluationWarning) for warning in caught)
    return result, [str(warning.message) for warning in caught]
