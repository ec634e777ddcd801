"""Named sets of runs, `others`, and what a name means: the only global state but the catalogue."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from weakref import WeakKeyDictionary, WeakSet

from ..common.lru_cache import LRUCache
from ..exceptions import InputError
from ..io.columns import QrelsColumns
from ..io.trec import IRDS
from ..judgments.digests import run_digest
from ..judgments.judgments import Judgments, reference_judgments
from ..typing import GroupsLike, RunsLike
from .judged_set import JudgedSet
from .runset import RunSet
from .sources import FileState, NamedSources, Source, matching_files

OTHERS = "others"
CACHED = 8
INDEXED_ROWS = 1 << 18

_registered: dict[str, RunSet] = {}
_in_scope: ContextVar[RunSet | None] = ContextVar("others", default=None)
_in_measures: WeakSet[RunSet] = WeakSet()
_from_files: LRUCache[RunSet] = LRUCache(CACHED)
_joined: LRUCache[RunSet] = LRUCache(CACHED)
_judged: WeakKeyDictionary[RunSet, LRUCache[JudgedSet]] = WeakKeyDictionary()
_references: WeakKeyDictionary[RunSet, LRUCache[Judgments]] = WeakKeyDictionary()
_indexed: LRUCache[tuple[QrelsColumns, Judgments]] = LRUCache(CACHED)


def clear() -> None:
    """Forget every name and everything cached, as in a new process."""
    _in_scope.set(None)
    _registered.clear()
    _in_measures.clear()
    _from_files.clear()
    _joined.clear()
    _judged.clear()
    _references.clear()
    _indexed.clear()


def register_runs(
    name: str, runs: RunsLike, groups: GroupsLike | None = None, replace: bool = False
) -> RunSet:
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
        raise InputError(f"register_runs: `name` must not be empty; got {name!r}")
    if name == OTHERS:
        raise InputError(f"register_runs: {OTHERS!r} means the systems under comparison; use scope")
    runset = RunSet(runs, name=name, groups=groups)
    present = _registered.get(name)
    if present is not None and not replace:
        if present.digest != runset.digest:
            raise InputError(
                f"register_runs: {name!r} names a set of other content; use replace=True"
            )
        return present
    _registered[name] = runset
    return runset


@contextmanager
def scope(runs: RunsLike, groups: GroupsLike | None = None) -> Iterator[RunSet]:
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
    raise InputError(
        f"no set of runs is called {unknown}: registered are {known}; {OTHERS!r} is known within "
        "evaluate, Experiment, the command line and scope(runs); a file, a glob or an 'irds:' id "
        "must exist; name#digest stands for a RunSet while it, or a measure of it, is kept"
    )


def keep_known(runset: RunSet) -> RunSet:
    """Have a set's label mean it for as long as someone holds it; nothing is read for that."""
    _in_measures.add(runset)
    return runset


def labelled(label: str) -> RunSet | None:
    """The set that a measure's repr names, if it is still held by anyone."""
    name, mark, _ = label.rpartition("#")
    alike = (runset for runset in list(_in_measures) if mark and runset.name == name)
    return next((runset for runset in alike if runset.label == label), None)


def judged(runset: RunSet, judgments: Judgments, *depths: int | None) -> JudgedSet:
    """A whole set against the judgments; done once per content of the qrels.

    Parameters
    ----------
    runset, judgments
        What is judged, against what.
    *depths
        How far down a run may have to be told by its content.
    """
    known = _judged.setdefault(runset, LRUCache(CACHED))
    return known.get(judgments.digest, lambda: JudgedSet.of(runset, judgments, depths))


def reference(runset: RunSet, query_ids: tuple[str, ...] | None = None) -> Judgments:
    """A set's only run as a reference for some queries, its own where None; read once for each."""
    known = _references.setdefault(runset, LRUCache(CACHED))

    def read() -> Judgments:
        run = runset.columns(0)
        return reference_judgments(run, run.query_ids if query_ids is None else query_ids)

    made = known.get(query_ids, read)
    return known.put(made.query_ids, made) if query_ids is None else made


def index_qrels(qrels: QrelsColumns) -> Judgments:
    """The qrels indexed; qrels of the same content, if not very many, are indexed once.

    Comparing them with those used last costs far less than indexing them again, and ir_measures and
    PyTerrier make new evaluators, from copies of the qrels, for every run.
    """
    if len(qrels.grade) > INDEXED_ROWS:
        return Judgments(qrels)
    for known, judgments in _indexed.values():
        if known.equals(qrels):
            return _indexed.put(judgments.digest, (known, judgments))[1]
    judgments = Judgments(qrels)
    return _indexed.put(judgments.digest, (qrels.snapshot(), judgments))[1]


def is_known(name: str) -> bool:
    """Whether a name, or every part of one joined by ``+``, means a set without any file read."""
    return any(all(map(_is_registered, parts)) for parts in ([name], name.split("+")))


def _is_registered(name: str) -> bool:
    return name == OTHERS or name in _registered or labelled(name) is not None


def _look_up(name: str) -> RunSet | None:
    if name == OTHERS:
        return _in_scope.get()
    known = _registered.get(name) or labelled(name)
    if known is not None:
        return known
    if name.startswith(IRDS):
        return _from_files.get(name, lambda: RunSet(name, name=name))
    paths = () if is_known(name) else matching_files(name)
    if not paths:
        return None
    state = (name, *((path, FileState.of(path)) for path in paths))
    return _from_files.get(state, lambda: RunSet(name, name=name))


def _join(parts: tuple[RunSet, ...]) -> RunSet:
    """Sets joined into one; a run that is in several, of the same content, is in it once."""
    sources: dict[str, Source] = {}
    origin: dict[str, tuple[RunSet, int]] = {}
    groups: dict[str, str] = {}
    for part in parts:
        for position, (given, source) in enumerate(part.sources.items()):
            name = given if part.named else f"{part.name}/{given}"
            present, there = origin.setdefault(name, (part, position))
            if present is not part and run_digest(present.columns(there)) != run_digest(
                part.columns(position)
            ):
                raise InputError(
                    f"{present.name!r} and {part.name!r} both have a run {name!r}, "
                    "of different content"
                )
            sources.setdefault(name, source)
            if part.groups is not None:
                groups.setdefault(name, part.groups[position])
    named = all(part.named for part in parts)
    grouped = all(part.groups is not None for part in parts)
    return RunSet(
        NamedSources(sources, named),
        name="+".join(part.name for part in parts),
        groups=groups if grouped else None,
        strict=all(part.strict for part in parts),
    )
