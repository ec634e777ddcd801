"""A campaign small enough to check by hand; `q3` has more relevant documents than the cutoffs."""

import importlib.metadata

import pytest

QRELS = {
    "q1": {"d1": 2, "d3": 1, "d8": 0},
    "q2": {"d2": 1, "d5": 3, "d9": 0},
    "q3": {"d1": 1, "d2": 2, "d4": 1, "d6": 1, "d7": 3},
}
RUN = {
    "q1": {"d1": 0.9, "d2": 0.8, "d3": 0.7, "d4": 0.6},
    "q2": {"d9": 12.5, "d5": 11.0, "d7": 3.0, "d2": 2.0},
    "q3": {"d4": 3.5, "d3": 3.0, "d7": 2.5, "d1": 2.0, "d8": 1.0},
}


def ranked():
    """(query, document, rank, score) in the order of the run."""
    return [
        (query, doc, rank, score)
        for query, scores in RUN.items()
        for rank, (doc, score) in enumerate(scores.items(), 1)
    ]


def module_file(distribution, path):
    """A file of an installed distribution; the test is skipped where it is not installed."""
    try:
        return importlib.metadata.distribution(distribution).locate_file(path)
    except importlib.metadata.PackageNotFoundError:
        pytest.skip(f"{distribution} is not installed")
