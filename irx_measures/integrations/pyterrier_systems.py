"""The systems of an Experiment, and their results."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from time import perf_counter
from typing import Any

import numpy as np

from ..common.numeric import FloatArray
from ..common.writing import shown
from ..exceptions import InputError
from ..io.identifiers import Ids
from ..io.table import Table
from ..io.trec import read_run
from ..typing import DataFrame

IDS = ("qid", "docno")  # columns in which PyTerrier takes integers for ids


@dataclass(frozen=True)
class Systems:
    """Transformers and DataFrames of results, with their names."""

    pt: Any  # PyTerrier
    systems: list[Any]
    names: list[Any]  # as tables show them
    runs: list[str]  # the names of their runs: no two are equal

    @classmethod
    def of(cls, pt: Any, given: Any, names: Sequence[Any] | None) -> Systems:
        """From the arguments of Experiment; TypeError or InputError if they are wrong."""
        if hasattr(given, "columns") or not isinstance(given, Iterable):
            raise _other_systems(given, "")
        systems = list(given)
        if isinstance(given, Mapping):
            if names is not None and list(names) != systems:
                raise InputError(
                    "Experiment: systems is a dict: its keys are the names; give no others as "
                    f"`names`; got {shown(list(names))}"
                )
            names = systems
            systems = list(given.values())
        for system in systems:
            if not isinstance(system, pt.Transformer) and not _is_frame(system):
                raise _other_systems(system, " among them")
        called = _names_of(systems, names)
        return cls(pt, systems, called, _unique(called))

    def results(
        self, topics: DataFrame, batch_size: int | None, verbose: bool
    ) -> tuple[dict[str, Any], FloatArray]:
        """The results by the names of the runs, and the milliseconds that each system took.

        DataFrames are read first: a wrong one is refused before a transformer runs.
        """
        found: dict[str, Any] = {
            name: _run_of(system, name)
            for name, system in zip(self.runs, self.systems, strict=True)
            if _is_frame(system)
        }
        times = np.zeros(len(self.systems))
        bar = self.pt.tqdm(self.runs, "pt.Experiment", disable=not verbose)
        for place, name in enumerate(bar):
            if name not in found:
                start = perf_counter()
                with _noted(name):
                    parts = _returned(self.systems[place], topics, batch_size)
                times[place] = 1000.0 * (perf_counter() - start)
                found[name] = _run_of(_joined(parts, name), name)
                del parts  # before the next system runs
        return {name: found[name] for name in self.runs}, times


def _is_frame(system: object) -> bool:
    import pandas as pd

    return isinstance(system, pd.DataFrame)


def _other_systems(got: object, where: str) -> TypeError:
    """The error about something that is no system."""
    return TypeError(
        "Experiment: systems must be a list or dict of transformers and DataFrames of results; got "
        f"{type(got).__name__}{where}"
    )


def _names_of(systems: Sequence[Any], names: Sequence[Any] | None) -> list[Any]:
    """The names of the systems; InputError if two are equal.

    Without names, a transformer is called what it prints as; all are numbered if two print the
    same. A DataFrame prints its rows: it is called by its position, as in PyTerrier's errors.
    """
    if names is None:
        called = list(map(str, systems))
        for place, system in enumerate(systems):
            if _is_frame(system):
                called[place] = f"DataFrame #{place}"
        return list(_unique(called))
    if len(names) != len(systems):
        raise InputError(
            f"Experiment: `names` must have one name per system ({len(systems)}); got {len(names)}"
        )
    for name, times in Counter(map(str, names)).items():
        if times > 1:
            raise InputError(
                f"Experiment: {times} systems are called {shown(name)}; names must differ"
            )
    return list(names)


def _unique(names: Sequence[Any]) -> list[str]:
    """The names as text; all are numbered if a name is empty or repeated."""
    given = list(map(str, names))
    if all(given) and len(set(given)) == len(given):
        return given
    return [f"{number}: {name}" for number, name in enumerate(given, 1)]


@contextmanager
def _noted(name: str) -> Iterator[None]:
    """A context whose errors have a note of the system, where Python has notes (3.11)."""
    try:
        yield
    except Exception as error:
        if hasattr(error, "add_note"):
            error.add_note(f"while running system {name!r}")
        raise


def _returned(system: Any, topics: DataFrame, batch_size: int | None) -> list[Any]:
    """What a transformer returns for all topics, or for each batch of them."""
    if batch_size is None:
        return [system.transform(topics)]
    return list(system.transform_gen(topics, batch_size=batch_size))


def _joined(parts: list[Any], name: str) -> DataFrame:
    """The results of a transformer; InputError if they are no DataFrames."""
    import pandas as pd

    for part in parts:
        if not _is_frame(part):
            raise InputError(
                f"Experiment: system {name!r} must return a DataFrame of results; got "
                f"{type(part).__name__}"
            )
    return pd.concat(parts) if len(parts) > 1 else parts[0]


def _run_of(found: DataFrame, name: str) -> Table:
    """Results as a run that keeps nothing else of the frame; ids may be integers.

    Results without rows may lack columns.
    """
    if not len(found):
        return read_run({}, name)
    heads = [head for head, kind in found.dtypes.items() if head in IDS and kind.kind in "iu"]
    run = read_run(found.astype(dict.fromkeys(heads, str)), name)
    doc = run.doc
    if len(doc.column) == 1:  # a part of an array that may also have the texts of the frame
        doc = Ids((doc.column[0].copy(),))
    return replace(run, query=run.query.numbered(), doc=doc)
