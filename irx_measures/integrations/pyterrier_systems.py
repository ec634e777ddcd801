"""Running PyTerrier's systems: errors name the system, and an empty run is scored where asked.

PyTerrier names no system where one fails, and scores no results without rows.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from ..exceptions import InputError
from ..io.table import run_label, tell_empty
from ..typing import DataFrame

NO_QUERY = "no-query"  # a query that no topics have


def found_by(system: Any, name: str, topics: DataFrame) -> DataFrame:
    """The results of a transformer; an error in it has a note of its name.

    InputError if they are no DataFrame.
    """
    with _noted(name):
        found = system.transform(topics)
    return _table_of(found, name)


def found_in_batches(
    system: Any, name: str, topics: DataFrame, batch_size: int
) -> Iterator[tuple[DataFrame, DataFrame]]:
    """The results of each batch of topics, and these topics; errors as `found_by`."""
    with _noted(name):
        batches = iter(system.transform_gen(topics, batch_size=batch_size, output_topics=True))
    while True:
        with _noted(name):
            batch = next(batches, None)
        if batch is None:
            return
        found, of_topics = batch
        yield _table_of(found, name), of_topics


@contextmanager
def _noted(name: str) -> Iterator[None]:
    """A context whose errors have a note of the system, where Python has notes (3.11)."""
    try:
        yield
    except Exception as error:
        if hasattr(error, "add_note"):
            error.add_note(f"while running system {name!r}")
        raise


def _table_of(found: Any, name: str) -> DataFrame:
    import pandas as pd

    if not isinstance(found, pd.DataFrame):
        raise InputError(
            f"Experiment: system {name!r} must return a DataFrame of results; got "
            f"{type(found).__name__}"
        )
    return found


def scorable(found: DataFrame, name: str, strict: bool, aside: str = "") -> DataFrame:
    """Results that PyTerrier scores; if they are empty, an InputError or a warning.

    `strict` and `aside` are as for `tell_empty`.
    """
    if len(found):
        return found
    tell_empty(run_label(name), strict, aside)
    return _with_a_row(found)


def _with_a_row(found: DataFrame) -> DataFrame:
    """Results without rows as PyTerrier scores them: with a row, of no query of the topics."""
    row: DataFrame = found.reset_index(drop=True).reindex([0])
    return row.assign(qid=NO_QUERY, docno="none", score=0.0, rank=0)


def guarded(pt: Any, system: Any, name: str, strict: bool) -> Any:
    """A system that `pt.Experiment` itself runs, with our errors.

    It is a pipeline of the system's stages: PyTerrier looks for those that systems share. With
    ``plan='tree'`` it runs the stages alone, and its errors are its own.
    """
    import pandas as pd

    if isinstance(system, pd.DataFrame):
        return scorable(system, name, strict)
    if not isinstance(system, pt.Transformer):
        return system  # PyTerrier refuses it
    nothing = pt.Transformer.identity()
    pipeline: Any = type(nothing >> nothing)

    class Guarded(pipeline):
        """The system; only its results are looked at."""

        def __repr__(self) -> str:
            return str(system)

        def transform(self, inp: DataFrame) -> DataFrame:
            return scorable(found_by(system, name, inp), name, strict)

        def transform_gen(
            self, input: DataFrame, batch_size: int = 1, output_topics: bool = False
        ) -> Iterator[Any]:
            rows = 0
            for found, topics in found_in_batches(system, name, input, batch_size):
                rows += len(found)
                scored = found if len(found) else _with_a_row(found)
                if output_topics:
                    yield scored, topics
                else:
                    yield scored
            if not rows:
                tell_empty(run_label(name), strict)

    stages = system if isinstance(system, pipeline) else [system]
    return Guarded(*stages)
