"""One reason why scores may not answer the question asked."""

from __future__ import annotations

from typing import NamedTuple

QUERIES = "{queries}"


class Doubt(NamedTuple):
    """A reason why the scores of a measure may not answer the user's question.

    Attributes
    ----------
    text
        The text after the names of measure and runs. `QUERIES` stands for the number of queries.
    of_run
        Whether the doubt depends on the run, so that the message names the runs.
    queries
        The number of the run's queries that the doubt concerns.
    instead
        The scores that a host that does not accept NaN gets. This text follows `text`.
    """

    text: str
    of_run: bool = True
    queries: int = 0
    instead: str = ""
