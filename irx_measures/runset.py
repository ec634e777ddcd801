"""Sets of runs: ordered, named, grouped, with a content digest; the registry and ``others``."""

from __future__ import annotations

import glob
import os
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from contextvars import ContextVar
from functools import cached_property
from pathlib import Path
from typing import Any, TypeVar
from weakref import WeakValueDictionary

import numpy as np
from numpy.typing import NDArray

from .columns import RunColumns, called, frozen, is_frame, is_nested
from .judged_run import (
    JudgedRun,
    Judgments,
    digest,
    judge,
    reference_judgments,
    run_digest,
)
from .kernels.user_models import Found, IntArray, cut, found
from .mending import mended_run
from .recent import Recent
from .trec_files import IRDS, read_groups, read_run

OTHERS = "others"
RUN_SUFFIXES = frozenset({".run", ".res", ".txt", ".trec", ".tsv", ".results", ".gz"})
CACHED = 8
SHORT = np.uint16

Value = TypeVar("Value")


class RunSet:
    """An ordered, named collection of runs over one collection, optionally grouped.

    Parameters
    ----------
    runs
        A dict from names to runs (DataFrame with ir_measures or PyTerrier column names, dict of
        dicts, iterable of ScoredDoc, path to a TREC run file), a list of runs (named ``run1``,
        ``run2``, ...), a single run, a glob of files (named after the files, less ``.gz`` and
        ``.run``), or an ir_datasets id with scoreddocs (``irds:...``).
    name
        What the set is called in measures; ``runs`` where not given.
    groups
        The group (the team that submitted it) of each run: a dict, or a CSV file with the columns
        run and group.
    strict
        Whether NaN scores and documents returned twice for a query are errors. Where false they
        are left out, with a warning: of a document the row of the highest score stays.

    Attributes
    ----------
    names : tuple of str
    groups : tuple of str, optional
        The group of each run.
    named : bool
        Whether the names were given, so that an evaluated run is recognised by its name.

    Raises
    ------
    ValueError
        When there are no runs, two have one name, or a run is missing from `groups`.
    TypeError
        When `runs` is none of the above.

    Examples
    --------
    >>> from irx_measures import RunSet
    >>> RunSet({"a": {"q1": {"d1": 1.0}}, "b": {"q1": {"d2": 1.0}}}, name="both")
    RunSet('both', runs=2, digest='...')
    """

    def __init__(
        self, runs: Any, name: str | None = None, groups: Any = None, *, strict: bool = True
    ) -> None:
        sources = _named_sources(runs)
        if not sources:
            raise ValueError(f"RunSet: `runs` must hold at least one run; got {runs!r}")
        self.name = _checked_name(name or "runs")
        self.names = tuple(sources)
        self.named = isinstance(runs, (str, os.PathLike, Mapping)) and not is_nested(runs)
        self._sources = [self._held(source, run) for run, source in sources.items()]
        self._states = list(map(_state, self._sources))
        self.groups: tuple[str, ...] | None = None
        if groups is not None:
            group_of = read_groups(groups)
            missing = [run for run in self.names if run not in group_of]
            if missing:
                raise ValueError(f"RunSet: `groups` must name every run; missing {missing}")
            self.groups = tuple(str(group_of[run]) for run in self.names)
        self.strict = strict
        self._judged: Recent[JudgedSet] = Recent(CACHED)
        self._references: Recent[Judgments] = Recent(CACHED)

    def __len__(self) -> int:
        return len(self.names)

    def __repr__(self) -> str:
        return f"RunSet({self.name!r}, runs={len(self)}, digest={self.digest!r})"

    def _held(self, source: Any, name: str) -> Any:
        """What of a source to hold on to, so that the set stays what it was when it was made."""
        if _read_again(source):
            return source
        return frozen(source, called(name)) if is_frame(source) else read_run(source, name)

    def columns(self, position: int) -> RunColumns:
        """One run, read; ValueError where its file is not what it was when the set was made."""
        source = self._sources[position]
        run = read_run(source, self.names[position])
        if _state(source) != self._states[position]:
            raise ValueError(f"{source}: the file has changed since its set of runs was made")
        return run if self.strict else mended_run(run, self.names[position])

    def subset(self, positions: Iterable[int]) -> RunSet:
        """Some of the runs, by their positions in `names`, as a set of the same name."""
        chosen = self.chosen(positions).tolist()
        names = [self.names[position] for position in chosen]
        groups = self.groups and dict(zip(self.names, self.groups, strict=True))
        sources = {
            name: self._sources[position] for name, position in zip(names, chosen, strict=True)
        }
        some = RunSet(sources, self.name, groups, strict=self.strict)
        some.named = self.named
        some._states = [self._states[position] for position in chosen]
        return some

    def chosen(self, positions: Iterable[int]) -> NDArray[np.int64]:
        """Positions of runs, checked: each must be in the set, and be named once."""
        asked = np.asarray(list(positions))
        if not len(asked):
            return np.zeros(0, np.int64)
        if asked.ndim != 1 or asked.dtype.kind not in "iu":
            raise TypeError(f"positions of runs must be whole numbers; got {asked.tolist()}")
        if asked.min() < 0 or asked.max() >= len(self) or len(set(asked.tolist())) < len(asked):
            raise ValueError(
                f"positions of runs must be different ones from 0 to {len(self) - 1}; "
                f"got {asked.tolist()}"
            )
        return asked.astype(np.int64)

    def each(self) -> Iterator[RunColumns]:
        """All runs, read one at a time; files each while the one before it is put to use."""
        if not any(map(_is_file, self._sources)):
            yield from map(self.columns, range(len(self)))
            return
        with ThreadPoolExecutor(1) as reader:
            following = reader.submit(self.columns, 0)
            for position in range(1, len(self) + 1):
                run = following.result()
                if position < len(self):
                    following = reader.submit(self.columns, position)
                yield run

    @cached_property
    def digest(self) -> str:
        """Names the content: names, groups, rankings and scores."""
        parts = list(map(run_digest, self.each(), self.names))
        return digest(repr((self.names, self.groups, parts)).encode())

    @property
    def label(self) -> str:
        """Name and digest: what stands in the repr of a measure that refers to this set."""
        label = f"{self.name}#{self.digest}"
        _labelled[label] = self
        return label

    @cached_property
    def first_query_ids(self) -> tuple[str, ...]:
        """The queries of the first run; read once."""
        return self.columns(0).query_ids

    def reference(self, query_ids: tuple[str, ...]) -> Judgments:
        """The set's only run as a reference for some queries; read once per list of queries."""
        return self._references.get(
            query_ids, lambda: reference_judgments(self.columns(0), query_ids)
        )

    def judge_each(self, judgments: Judgments) -> Iterator[JudgedRun]:
        """Every run against the judgments, read one at a time."""
        for run, name in zip(self.each(), self.names, strict=True):
            yield judge(judgments, run, name if self.named else None)

    def judged(self, judgments: Judgments, *depths: int | None) -> JudgedSet:
        """The whole set against the judgments; done once per content of the qrels.

        Parameters
        ----------
        judgments
            The qrels.
        *depths
            How far down a run may have to be told by its content; noted while runs are read.
        """
        return self._judged.get(
            judgments.digest,
            lambda: self._pack(judgments, self.judge_each(judgments), depths),
        )

    def remember(self, judgments: Judgments, judged: Iterable[JudgedRun]) -> JudgedSet:
        """Keep what measures need of runs judged one at a time."""
        return self._judged.put(judgments.digest, self._pack(judgments, judged, ()))

    def _pack(
        self, judgments: Judgments, judged: Iterable[JudgedRun], depths: Iterable[int | None]
    ) -> JudgedSet:
        shape = (len(self), len(judgments.query_ids), judgments.positives)
        packed = JudgedSet(self, judgments, np.zeros(shape, SHORT))
        for position, run in enumerate(judged):
            packed.put(position, run)
            for depth in depths:
                packed.note_top(position, run, depth)
        return packed


class PassingRuns(RunSet):
    """Runs that are scored before anyone can change them: nothing is copied, dicts stay dicts."""

    def _held(self, source: Any, name: str) -> Any:
        if isinstance(source, Mapping) or is_frame(source) or _read_again(source):
            return source
        return read_run(source, name)


class JudgedSet:
    """A RunSet seen through judgments.

    Attributes
    ----------
    runset, judgments
        What was judged, against what.
    rank : (runs, queries, documents) ints
        Rank at which each run returned each document of positive grade, 0 where it did not. These
        are the first columns of the judgments; no measure of relative effectiveness needs others.
    """

    def __init__(self, runset: RunSet, judgments: Judgments, rank: IntArray) -> None:
        self.runset = runset
        self.judgments = judgments
        self.rank = rank
        self._tops: dict[tuple[int, int | None], str] = {}
        self._derived: Recent[Any] = Recent(CACHED)

    def put(self, position: int, run: JudgedRun) -> None:
        """Keep the ranks of a run: in two bytes each, unless one is beyond them."""
        if run.returned.max(initial=0) > np.iinfo(self.rank.dtype).max:
            self.rank = self.rank.astype(np.int32)
        self.rank[position] = run.rank[:, : self.judgments.positives]

    def derived(self, key: Hashable, make: Callable[[], Value]) -> Value:
        """What follows from the set alone, such as scores of its runs; made once."""
        return self._derived.get(key, make)

    def found(self, depth: int | None) -> Found:
        """The documents that the runs found down to a rank."""
        return self.derived(("found", depth), lambda: found(cut(self.rank, depth)))

    def finders(self, depth: int | None) -> IntArray:
        """How many runs found each document down to a rank: (queries, documents)."""
        return self.derived(
            ("finders", depth), lambda: np.count_nonzero(cut(self.rank, depth), axis=0)
        )

    def note_top(self, position: int, run: JudgedRun, depth: int | None) -> None:
        """Note what a run, judged, returned down to a rank."""
        self._tops[position, depth] = run.top_digest(depth)

    def subset(self, positions: Iterable[int]) -> JudgedSet:
        """Some of the runs, judged already."""
        chosen = self.runset.chosen(positions)
        return JudgedSet(self.runset.subset(chosen), self.judgments, self.rank[chosen])

    def position_by_content(self, judged: JudgedRun, depth: int | None) -> int | None:
        """The first run whose rankings equal a given run's down to `depth`, or None."""
        top = judged.top_digest(depth)
        for position in self._perhaps_alike(judged, depth):
            if (position, depth) not in self._tops:
                member = judge(self.judgments, self.runset.columns(position))
                self.note_top(position, member, depth)
            if self._tops[position, depth] == top:
                return position
        return None

    def _perhaps_alike(self, judged: JudgedRun, depth: int | None) -> Iterable[int]:
        """The runs that rank relevant documents as a given run does; all where that is dearer."""
        positions = range(len(self.runset))
        if all((position, depth) in self._tops for position in positions):
            return positions
        rank = cut(judged.rank[:, : self.judgments.positives], depth)
        return np.flatnonzero((cut(self.rank, depth) == rank).all(axis=(1, 2))).tolist()


_registered: dict[str, RunSet] = {}
_labelled: WeakValueDictionary[str, RunSet] = WeakValueDictionary()
_from_files: Recent[RunSet] = Recent(CACHED)
_joined: Recent[RunSet] = Recent(CACHED)
_in_scope: ContextVar[RunSet | None] = ContextVar("others", default=None)


def register_runs(name: str, runs: Any, groups: Any = None, replace: bool = False) -> RunSet:
    """Give a set of runs a name that measures and measure strings can use.

    Parameters
    ----------
    name
        The name, as in ``NRG(prior=name)@10``.
    runs, groups
        As for `RunSet`.
    replace
        Whether a set of that name and other content may be replaced.

    Returns
    -------
    RunSet

    Raises
    ------
    ValueError
        When the name is taken by other content and `replace` is false, or cannot be a name.

    Examples
    --------
    >>> import ir_measures, irx_measures
    >>> baseline = {"q1": {"d1": 2.0, "d2": 1.0}}
    >>> _ = irx_measures.register_runs("baseline", {"bm25": baseline})
    >>> measure = ir_measures.parse_measure("NRG(prior=baseline)@10")
    >>> measure.calc_aggregate({"q1": {"d1": 1, "d3": 1}}, {"q1": {"d3": 1.0}})
    1.0
    """
    if not name:
        raise ValueError(f"register_runs: `name` must not be empty; got {name!r}")
    if name == OTHERS:
        raise ValueError(f"register_runs: {OTHERS!r} means the systems under comparison; use scope")
    runset = RunSet(runs, name=name, groups=groups)
    present = _registered.get(name)
    if present is not None and not replace:
        if present.digest != runset.digest:
            raise ValueError(
                f"register_runs: {name!r} names a set of other content; use replace=True"
            )
        return present
    _registered[name] = runset
    return runset


@contextmanager
def scope(runs: Any, groups: Any = None) -> Iterator[RunSet]:
    """Within this context `others` means the given runs.

    Parameters
    ----------
    runs, groups
        As for `RunSet`; a RunSet is taken as it is.

    Yields
    ------
    RunSet

    Examples
    --------
    >>> import ir_measures, irx_measures
    >>> runs = {"a": {"q1": {"d1": 1.0}}, "b": {"q1": {"d2": 1.0}}}
    >>> with irx_measures.scope(runs):
    ...     measure = ir_measures.parse_measure("UniqueRel(prior=others)@10")
    ...     measure.calc_aggregate({"q1": {"d1": 1, "d2": 0}}, runs["a"])
    1.0
    """
    runset = runs if isinstance(runs, RunSet) else RunSet(runs, name=OTHERS, groups=groups)
    token = _in_scope.set(runset)
    try:
        yield runset
    finally:
        _in_scope.reset(token)


def resolve(reference: str | RunSet) -> RunSet:
    """The set of runs a measure refers to.

    A name is looked up as `others`, a registered set, a file or glob, an ``irds:`` id, in this
    order; ``a+b`` joins sets.

    Raises
    ------
    ValueError
        When there is no such set, with the known names.
    """
    if isinstance(reference, RunSet):
        return reference
    found = _look_up(reference)
    if found is not None:
        return found
    parts = [_look_up(part) for part in reference.split("+")]
    if len(parts) > 1 and all(part is not None for part in parts):
        sets = tuple(part for part in parts if part is not None)
        return _joined.get(sets, lambda: _join(sets))
    unknown = ", ".join(
        repr(name) for name, part in zip(reference.split("+"), parts, strict=True) if part is None
    )
    known = ", ".join(map(repr, sorted(_registered))) or "none"
    raise ValueError(
        f"no set of runs is called {unknown}: registered are {known}; {OTHERS!r} is known within "
        "evaluate, Experiment, the command line and scope(runs); a file, a glob or an 'irds:' id "
        "must exist"
    )


def is_known(name: str) -> bool:
    """Whether a name, or every part of one joined by ``+``, means a set without any file read."""
    return any(
        all(part == OTHERS or part in _registered or part in _labelled for part in parts)
        for parts in ([name], name.split("+"))
    )


def _look_up(name: str) -> RunSet | None:
    if name == OTHERS:
        return _in_scope.get()
    if name in _registered:
        return _registered[name]
    if name in _labelled:
        return _labelled[name]
    if name.startswith(IRDS):
        return _from_files.get(name, lambda: RunSet(name, name=name))
    paths = () if is_known(name) else _files(name)
    if not paths:
        return None
    state = (name, *((path, _state_of_file(path)) for path in paths))
    return _from_files.get(state, lambda: RunSet(name, name=name))


def _join(parts: tuple[RunSet, ...]) -> RunSet:
    sources: dict[str, tuple[RunSet, int]] = {}
    for part in parts:
        for position, name in enumerate(part.names):
            name = name if part.named else f"{part.name}/{name}"
            present, there = sources.setdefault(name, (part, position))
            if present is not part and run_digest(present.columns(there)) != run_digest(
                part.columns(position)
            ):
                raise ValueError(
                    f"{present.name!r} and {part.name!r} both have a run {name!r}, "
                    "of different content"
                )
    groups = None
    if all(part.groups is not None for part in parts):
        groups = {name: (part.groups or ())[position] for name, (part, position) in sources.items()}
    joined = RunSet(
        {name: part.columns(position) for name, (part, position) in sources.items()},
        name="+".join(part.name for part in parts),
        groups=groups,
    )
    joined.named = all(part.named for part in parts)
    return joined


def _named_sources(runs: Any) -> dict[str, Any]:
    if isinstance(runs, (str, os.PathLike)):
        text = os.fspath(runs)
        if text.startswith(IRDS):
            return {text.removeprefix(IRDS): text}
        return _by_stem(text, _files(text))
    if is_frame(runs) or isinstance(runs, RunColumns) or is_nested(runs):
        return {"run": runs}
    if isinstance(runs, Mapping):
        for name in runs:
            if not isinstance(name, str) or not name:
                raise TypeError(f"RunSet: runs must be named by non-empty strings; got {name!r}")
        return dict(runs)
    if isinstance(runs, Sequence) and not hasattr(next(iter(runs), None), "_fields"):
        return {f"run{number}": run for number, run in enumerate(runs, 1)}
    if isinstance(runs, Iterable):
        return {"run": runs}
    raise TypeError(
        "RunSet: `runs` must be a dict of runs, a list of runs, a run, a glob of files or an "
        f"'irds:' id; got {type(runs).__name__}"
    )


def _files(text: str) -> list[str]:
    return [text] if os.path.isfile(text) else sorted(filter(os.path.isfile, glob.glob(text)))


def _by_stem(text: str, paths: list[str]) -> dict[str, Any]:
    if not paths:
        if os.path.isdir(text):
            raise IsADirectoryError(f"{text}: a directory, not a file; a glob such as {text}/*.run")
        raise FileNotFoundError(f"{text}: no such file")
    named: dict[str, Any] = {}
    for path in paths:
        name = run_name(path)
        if name in named:
            raise ValueError(f"RunSet: {named[name]} and {path} would both be called {name!r}")
        named[name] = Path(path)
    return named


def run_name(path: str | os.PathLike[str]) -> str:
    """A run file's name without its folder and its endings: ``runs/bm25.run.gz`` is ``bm25``."""
    file = Path(path)
    while file.suffix in RUN_SUFFIXES and file.stem:
        file = file.with_suffix("")
    return file.name


def _is_file(source: Any) -> bool:
    return isinstance(source, (str, os.PathLike)) and not os.fspath(source).startswith(IRDS)


def _read_again(source: Any) -> bool:
    """Whether a source is read whenever it is needed: files and ir_datasets ids, but no pipes."""
    if not isinstance(source, (str, os.PathLike)):
        return False
    return str(source).startswith(IRDS) or os.path.isfile(source)


def _state(source: Any) -> tuple[int, int] | None:
    """What tells that a file has changed; None for other sources."""
    return _state_of_file(source) if _is_file(source) else None


def _state_of_file(path: str | os.PathLike[str]) -> tuple[int, int]:
    status = os.stat(path)
    return status.st_mtime_ns, status.st_size


def _checked_name(name: str) -> str:
    if not isinstance(name, str) or "#" in name:
        raise ValueError(f"RunSet: `name` must be a string without '#'; got {name!r}")
    return name
