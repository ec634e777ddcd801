"""RunSet: an ordered, named, grouped collection of runs with a digest of its content."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from typing import Any

import numpy as np

from ..common.numeric import Int64Array
from ..common.short_paths import public
from ..exceptions import InputError
from ..io.formats import FORMAT
from ..io.groups import groups_of
from ..io.source import Source
from ..io.table import Table
from ..judgments.ranking import digest, run_digest
from ..results.facts import html_of_facts
from ..typing import GroupsLike, RunsLike
from .sources import Sources, sources_of


@public
class RunSet:
    """An ordered, named collection of runs over one collection, optionally grouped.

    A set is a snapshot of its runs: later changes to the caller's data do not change the set. If a
    run file changes, reading it raises an error.

    Parameters
    ----------
    runs
        A dict from names to runs, a list of pairs of a name and a run, a list of runs (named
        ``run1``, ``run2``, ..., unless a ``ranx.Run`` has a name), a list of paths or a glob of
        files (named after the files, without ``.gz`` and ``.run``), a single run, an ir_datasets id
        with scoreddocs (``irds:...``), or a RunSet, whose name and groups stay unless others are
        given. A run is one of:

        - a pandas, polars or Arrow table with the column names of ir_measures or PyTerrier,
        - a dict of dicts, or a dict from queries to ranked lists of documents,
        - an iterable of ScoredDoc, or of dicts with the same names,
        - a ``ranx.Run``,
        - the path of a TREC run file, or of a ``.parquet``, ``.json``, ``.jsonl`` or ``.csv`` file,
        - with a name: a folder or a glob of such files, or a list of their paths; each file has
          other queries.
    name
        The name of the set in measures. If not given, it is that of the only run, else ``runs``.
    groups
        The group (the team that submitted it) of each run: a dict, or a CSV file with the columns
        run and group.
    strict
        Whether NaN scores, duplicate documents in a query and empty runs are errors. If false,
        NaN scores and duplicates are dropped with a warning, and the row with the highest score
        of a duplicate document stays. An empty run then causes a warning. So do, in `evaluate`,
        runs of which no document is judged.

    format
        The format of run files: ``trec``, ``parquet``, ``json``, ``jsonl``, ``csv``, or ``msmarco``
        (three columns: query, document, rank). If not given, the extension of each file decides.
    ignore_identical_ids
        Whether to leave out documents whose id is that of their query, as BEIR does.

    Attributes
    ----------
    names : tuple of str
    groups : tuple of str, optional
        The group of each run.
    named : bool
        Whether the caller gave the names, so that an evaluated run is recognised by its name.
    sources : dict of Source
        Where each run comes from, by name; what is read from it is not checked.

    Raises
    ------
    ValueError
        When there are no runs, two runs have the same name, or a run is missing from `groups`.
    TypeError
        When `runs` has none of these forms.

    Examples
    --------
    >>> from irx_measures import RunSet
    >>> RunSet({"a": {"q1": {"d1": 1.0}}, "b": {"q1": {"d2": 1.0}}}, name="both")
    RunSet('both', runs=2, digest='...')
    """

    def __init__(
        self,
        runs: RunsLike | Mapping[str, Source] | Sources,
        name: str | None = None,
        groups: GroupsLike | None = None,
        *,
        strict: bool = True,
        format: str | None = None,
        ignore_identical_ids: bool = False,
    ) -> None:
        form = None if format is None else FORMAT.check("format", format)
        self.sources: dict[str, Source]
        self.named: bool
        self.groups: tuple[str, ...] | None
        if isinstance(runs, RunSet):
            name, strict = name or runs.name, strict and runs.strict
            self.sources, self.named = runs.sources, runs.named
            self.groups = runs.groups
        else:
            self.sources, self.named = sources_of(runs, form)
            self.groups = None
        if ignore_identical_ids:
            self.sources = {
                name: source.without_identical_ids() for name, source in self.sources.items()
            }
        self.names = tuple(self.sources)
        self.name: str = name or self._name_of_run()
        if not isinstance(self.name, str) or "#" in self.name:
            raise InputError(f"RunSet: `name` must be a string without '#'; got {name!r}")
        if groups is not None:
            self.groups = groups_of(self.names, groups)
        self.strict: bool = strict
        self._cache: dict[str, dict[Hashable, Any]] = {}  # only the registry fills it

    def _name_of_run(self) -> str:
        """The name of the only run, for a set that has no name itself."""
        is_called = self.named and len(self.names) == 1 and "#" not in self.names[0]
        return self.names[0] if is_called else "runs"

    def __len__(self) -> int:
        return len(self.names)

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "_cache": {}}  # a copy makes its own results

    def __repr__(self) -> str:
        return f"RunSet({self.name!r}, runs={len(self)}, digest={self.digest!r})"

    def _repr_html_(self) -> str:
        facts = {"name": self.name, "runs": f"{len(self)}", "digest": self.digest}
        return html_of_facts("RunSet", facts)

    @property
    def ignores_identical_ids(self) -> bool:
        """Whether documents whose id is that of their query are left out of all runs."""
        return all(source.without_identical for source in self.sources.values())

    @cached_property
    def digest(self) -> str:
        """A digest of the content; sets with the same content have the same digest.

        It covers names, groups, the rankings and scores of runs in memory, and the path and state
        of files, which are not read.
        """
        parts = [_digest_of(source) for source in self.sources.values()]
        return digest(repr((self.names, self.groups, parts)).encode())

    @property
    def label(self) -> str:
        """Name and digest, as in the repr of a measure that refers to this set."""
        return f"{self.name}#{self.digest}"

    def source(self, position: int) -> Source:
        """Where one run comes from; what is read is checked as by `run`."""
        return replace(self.sources[self.names[position]], strict=self.strict)

    @property
    def named_sources(self) -> list[tuple[str | None, Source]]:
        """The source of each run, and the name by which the run is recognised if it has one."""
        names: Sequence[str | None] = self.names if self.named else [None] * len(self.names)
        sources = [self.source(position) for position in range(len(self.names))]
        return list(zip(names, sources, strict=True))

    def run(self, position: int) -> Table:
        """The run at a position in `names`.

        Raises
        ------
        ValueError
            When the run is empty and the set is strict, or when the run's file has changed since
            the set was created.
        """
        return self.source(position).read()

    def each(self) -> Iterator[Table]:
        """All runs, one at a time."""
        return map(self.run, range(len(self)))

    def subset(self, positions: Iterable[int]) -> RunSet:
        """A set of some of the runs, given by their positions in `names`, with the same name."""
        names = [self.names[position] for position in self.chosen(positions).tolist()]
        return self.of_sources({name: self.sources[name] for name in names}, self.group_of)

    def of_sources(self, sources: dict[str, Source], groups: dict[str, str] | None) -> RunSet:
        """A set with other sources and the same settings."""
        return RunSet(Sources(sources, self.named), self.name, groups, strict=self.strict)

    @property
    def group_of(self) -> dict[str, str] | None:
        """The group of each run, by name."""
        return None if self.groups is None else dict(zip(self.names, self.groups, strict=True))

    def chosen(self, positions: Iterable[int]) -> Int64Array:
        """Checked positions of runs: each must be in the set and must not be repeated."""
        chosen = np.asarray([*positions])
        if len(chosen) and (
            chosen.ndim != 1
            or chosen.dtype.kind not in "iu"
            or not np.isin(chosen, np.arange(len(self))).all()
            or len(np.unique(chosen)) < len(chosen)
        ):
            raise InputError(
                f"positions of runs must be different whole numbers from 0 to {len(self) - 1}; "
                f"got {chosen.tolist()}"
            )
        return chosen.astype(np.int64)


def _digest_of(source: Source) -> str:
    """A digest of the state of a file, or else of the run."""
    if source.state:
        return digest(source.state.encode())
    return run_digest(source.read())
