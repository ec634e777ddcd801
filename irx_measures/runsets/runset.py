"""RunSet: an ordered, named, grouped collection of runs with a digest of its content."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextvars import copy_context
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from ..common.arrays import Int64Array
from ..common.methods_above import method_above
from ..common.warn import warn
from ..common.writing import counted, shown, some
from ..exceptions import InputError, MissingExtraError
from ..io.table import Table
from ..io.formats import FORMAT
from ..io.groups import read_groups
from ..io.lenient import drop_invalid_run
from ..judgments.digests import set_digest
from ..typing import GroupsLike, RunsLike
from .sources import NamedSources, Source, borrow, named_sources, snapshot

MOST_NAMED = 5  # runs in a message, a choice


class RunSet:
    """An ordered, named collection of runs over one collection, optionally grouped.

    A set is a snapshot of its runs: later changes to the caller's data do not change the set. If a
    run file changes, reading it raises an error.

    Parameters
    ----------
    runs
        A dict from names to runs, a list of pairs of a name and a run, a list of runs (named
        ``run1``, ``run2``, ...), a list of paths or a glob of files (named after the files, without
        ``.gz`` and ``.run``), a single run, an ir_datasets id with scoreddocs (``irds:...``), or a
        RunSet, whose name and groups stay unless others are given. A run is one of:

        - a pandas, polars or Arrow table with the column names of ir_measures or PyTerrier,
        - a dict of dicts, or a dict from queries to ranked lists of documents,
        - an iterable of ScoredDoc, or of dicts with the same names,
        - a ``ranx.Run``,
        - the path of a TREC run file, or of a ``.parquet``, ``.json``, ``.jsonl`` or ``.csv`` file,
        - with a name: the path of a folder of such files, or a list of their paths; each file has
          other queries.
    name
        The name of the set in measures; ``runs`` if not given.
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

    Attributes
    ----------
    names : tuple of str
    groups : tuple of str, optional
        The group of each run.
    named : bool
        Whether the caller gave the names, so that an evaluated run is recognised by its name.
    licence : str, optional
        The licence or note of a saved set; see `save`.

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
        runs: RunsLike | NamedSources,
        name: str | None = None,
        groups: GroupsLike | None = None,
        *,
        strict: bool = True,
        format: str | None = None,
    ) -> None:
        form = None if format is None else FORMAT.check("format", format)
        if isinstance(runs, RunSet):
            name, strict, self.licence = name or runs.name, strict and runs.strict, runs.licence
            groups = runs.group_of if groups is None else groups
            runs = NamedSources(runs.sources, runs.named)
        sources, self.named = named_sources(runs, self._hold, form)
        self.name = _checked_name(name or "runs")
        self.names = tuple(sources)
        self.groups = None if groups is None else groups_of(self.names, groups)
        self.strict = strict
        self._sources = tuple(sources.values())

    name: str
    named: bool
    strict: bool
    licence: str | None = None
    stated: str | None = None  # the digest in the manifest of a saved set; `digest` checks it

    may_be_empty = False  # whether runs without rows are accepted

    _hold: Callable[[Any, str, str | None], Source] = staticmethod(snapshot)

    def __len__(self) -> int:
        return len(self.names)

    def __repr__(self) -> str:
        return f"RunSet({self.name!r}, runs={len(self)}, digest={(self.stated or self.digest)!r})"

    @cached_property
    def digest(self) -> str:
        """A digest of the content; sets with the same content have the same digest.

        It covers names, groups, the rankings and scores of runs in memory, and the path and state
        of files. Files are not read, except for those of a saved set: once, to compare their
        content with the digest in the manifest.
        """
        parts = (
            source.digest(name) for source, name in zip(self._sources, self.names, strict=True)
        )
        return set_digest(self.names, self.groups, parts)

    @cached_property
    def label(self) -> str:
        """Name and digest, as in the repr of a measure that refers to this set."""
        return f"{self.name}#{self.digest}"

    def columns(self, position: int, lazy: bool = False) -> Table:
        """One run.

        Parameters
        ----------
        position
            The position of the run in `names`.
        lazy
            Whether the rows of a file may be checked when they are first needed.

        Raises
        ------
        ValueError
            When the run is empty and the set is strict, or when the run's file has changed since
            the set was created.
        """
        name, source = self.names[position], self._sources[position]
        run = source.read(name, lazy)
        if not self.strict:
            run = drop_invalid_run(run, name)
        if run.is_empty and not self.may_be_empty:
            self._refuse_or_warn(f"{source.label(name)} is empty: it has no rows")
        return run

    def _refuse_or_warn(self, message: str) -> None:
        if self.strict:
            raise InputError(
                f"{message} (strict=False, or --no-strict on the command line, scores it as such)"
            )
        warn(message)

    def each(self, lazy: Callable[[], bool] | None = None) -> Iterator[Table]:
        """All runs, one at a time; the next file is read while the caller uses a run.

        Parameters
        ----------
        lazy
            Asked before a file is read: whether its rows may be checked when they are first needed.
        """
        if not any(source.in_file for source in self._sources):
            yield from map(self.columns, range(len(self)))
            return
        may_wait = lazy or (lambda: False)
        if len(self) == 1:
            yield self.columns(0, may_wait())
            return
        from concurrent.futures import ThreadPoolExecutor  # slow to import

        context = copy_context()  # the log of reads is the caller's
        with ThreadPoolExecutor(1) as reader:
            following = reader.submit(context.run, self.columns, 0, may_wait())
            for position in range(1, len(self) + 1):
                run = following.result()
                if position < len(self):
                    following = reader.submit(context.run, self.columns, position, may_wait())
                yield run

    def subset(self, positions: Iterable[int]) -> RunSet:
        """A set of some of the runs, given by their positions in `names`, with the same name."""
        names = [self.names[position] for position in self.chosen(positions).tolist()]
        return self.of_sources({name: self.sources[name] for name in names}, self.group_of)

    def of_sources(self, sources: dict[str, Source], groups: dict[str, str] | None) -> RunSet:
        """A set with other sources and the same settings."""
        return RunSet(NamedSources(sources, self.named), self.name, groups, strict=self.strict)

    def save(
        self, path: str | os.PathLike[str], *, licence: str | None = None, replace: bool = False
    ) -> None:
        """Write the set to a new folder, to share or to keep it.

        The folder has compressed TREC run files in ``runs/`` and a ``manifest.json``: names in
        order, groups, digests of the files, digest of the set, and the licence. Scores keep all
        their digits. Documents are in the order of trec_eval. ``pt.Artifact.load`` of PyTerrier
        opens the folder, too. The folder appears as a whole, or not at all.

        Parameters
        ----------
        path
            The folder; the folder in which it should be must exist.
        licence
            The licence of the runs, or another note on their use; by default, that of the saved
            set that this set was loaded from.
        replace
            Whether a saved set at this path is replaced. Nothing else is ever replaced.

        Raises
        ------
        FileExistsError
            When the path exists and `replace` is false.
        ValueError
            When a query or a document cannot be in a TREC file, such as an identifier with white
            space, or when a run cannot be read.

        Examples
        --------
        >>> import irx_measures, tempfile
        >>> runs = irx_measures.RunSet({"bm25": {"q1": {"d1": 1.5}}, "dense": {"q1": {"d2": 0.9}}})
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     runs.save(f"{folder}/mine", licence="CC BY 4.0")
        ...     loaded = irx_measures.RunSet.load(f"{folder}/mine")
        ...     loaded.names, loaded.licence, loaded.digest == runs.digest
        (('bm25', 'dense'), 'CC BY 4.0', True)
        """
        licence = self.licence if licence is None else licence
        method_above("RunSet.save")(self, Path(path), licence, replace)

    @staticmethod
    def load(path: str | os.PathLike[str]) -> RunSet:
        """The set that `save` wrote to a folder.

        Every file is compared with its digest in the manifest. The runs are read when they are
        needed, so the folder must stay as it is. Where `digest` is used first, the content of every
        run is compared with its digest.

        Parameters
        ----------
        path
            The folder.

        Raises
        ------
        ValueError
            When the folder holds no saved set, or a file is missing, damaged, or outside of the
            folder; the message names the file.
        FileNotFoundError
            When there is no such folder.
        """
        runset: RunSet = method_above("RunSet.load")(Path(path))
        return runset

    def to_hf(
        self,
        repo: str,
        *,
        branch: str | None = None,
        private: bool | None = None,
        licence: str | None = None,
    ) -> None:
        """Upload the set to Hugging Face Hub, as an artifact of PyTerrier.

        This needs PyTerrier, the package ``huggingface_hub``, and a login there.

        Parameters
        ----------
        repo
            The repository, ``owner/name``; it is created if it does not exist.
        branch
            The branch or tag; ``main`` if not given.
        private
            Whether the repository is private. By default, a new repository is public, and an
            existing one stays as it is.
        licence
            As in `save`.

        Raises
        ------
        ValueError
            When a package is not installed, or the set cannot be saved: see `save`.
        """
        _with_pyterrier("RunSet.to_hf")(self, repo, branch, private, licence)

    @staticmethod
    def from_hf(repo: str, *, branch: str | None = None, sha256: str | None = None) -> RunSet:
        """A set that `to_hf` uploaded.

        PyTerrier downloads a repository once, and keeps it in its folder of artifacts.

        Parameters
        ----------
        repo
            The repository, ``owner/name``.
        branch
            The branch or tag; ``main`` if not given.
        sha256
            The digest that the download must have, to be sure of its content.

        Raises
        ------
        ValueError
            When PyTerrier is not installed, or the repository holds no saved set.
        """
        runset: RunSet = _with_pyterrier("RunSet.from_hf")(repo, branch, sha256)
        return runset

    @property
    def sources(self) -> dict[str, Source]:
        """The source of each run, by name."""
        return dict(zip(self.names, self._sources, strict=True))

    @property
    def group_of(self) -> dict[str, str] | None:
        """The group of each run, by name."""
        return None if self.groups is None else dict(zip(self.names, self.groups, strict=True))

    def chosen(self, positions: Iterable[int]) -> Int64Array:
        """Checked positions of runs: each must be in the set and must not be repeated."""
        chosen = np.asarray(list(positions))
        if not len(chosen):
            return np.zeros(0, np.int64)
        if chosen.ndim != 1 or chosen.dtype.kind not in "iu":
            raise TypeError(f"positions of runs must be whole numbers; got {chosen.tolist()}")
        if chosen.min() < 0 or chosen.max() >= len(self) or len(set(chosen.tolist())) < len(chosen):
            raise InputError(
                f"positions of runs must be different ones from 0 to {len(self) - 1}; "
                f"got {chosen.tolist()}"
            )
        return chosen.astype(np.int64)


class BorrowedRunSet(RunSet):
    """A set that does not copy its runs; it is valid for one call only."""

    _hold = staticmethod(borrow)


def _with_pyterrier(method: str) -> Callable[..., Any]:
    try:
        return method_above(method)
    except ImportError:
        raise MissingExtraError(
            f"{method} needs PyTerrier: pip install 'irx-measures[pyterrier]'"
        ) from None


def groups_of(names: Sequence[str], groups: GroupsLike) -> tuple[str, ...]:
    """The group of each run; InputError if a run has no group."""
    group_of = read_groups(groups)
    missing = [name for name in names if name not in group_of]
    if missing:
        raise InputError(
            f"no group for {len(missing)} of {counted(len(names), 'run')}: "
            f"{some(list(map(shown, missing)), MOST_NAMED)}"
        )
    return tuple(str(group_of[name]) for name in names)


def _checked_name(name: str) -> str:
    if not isinstance(name, str) or "#" in name:
        raise InputError(f"RunSet: `name` must be a string without '#'; got {name!r}")
    return name
