"""Named sets of runs, `others`, and the lookup of names.

The package has no other global state, except the catalogue of measures, the indexes of recent qrels
(`caches`), and what a context sets: the limit of memory and the log of reads.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from functools import lru_cache
from weakref import WeakSet

from ..common.short_paths import public
from ..common.writing import did_you_mean, shown, some
from ..exceptions import InputError
from ..io.irds import IRDS
from ..io.opened import FileState
from ..io.source import Source
from ..judgments.ranking import run_digest
from ..typing import GroupsLike, RunsLike
from .caches import forget_qrels, kept_of
from .judged_set import CACHED
from .runset import RunSet
from .sources import Sources, matching_files

OTHERS = "others"

BACKSLASHES = r"in quotes, a backslash begins an escape: write / or \\"
"""What to do with a path of Windows in a measure string."""

LISTED = 10  # a choice: names that an error lists in one or two lines


class KnownName(str):
    """A name of a set of runs; it is never read as a file, a glob or an ``irds:`` id."""

    __slots__ = ()


_registered: dict[str, RunSet] = {}
# Each set is in a list, so that another scope of the same set is another object.
_scopes: ContextVar[tuple[list[RunSet], ...]] = ContextVar("scopes", default=())
_in_measures: WeakSet[RunSet] = WeakSet()
_ignoring: ContextVar[bool] = ContextVar("ignoring identical ids", default=False)


def clear() -> None:
    """Remove all names and all cached results, as in a new process."""
    _registered.clear()
    _scopes.set(())
    _in_measures.clear()
    forget_qrels()
    _of_files.cache_clear()


@public
def register_runs(
    name: str,
    runs: RunsLike,
    groups: GroupsLike | None = None,
    replace: bool = False,
    *,
    strict: bool = True,
    format: str | None = None,
) -> RunSet:
    """Give a set of runs a name that measures and measure strings can use.

    Parameters
    ----------
    name
        The name, as in ``NRG(prior=name)@10``.
    runs, groups, strict, format
        As for `RunSet`.
    replace
        Whether to replace a registered set with the same name and different content.

    Returns
    -------
    RunSet

    Raises
    ------
    ValueError
        When the name is empty or `others`; or when the name is registered for different content
        and `replace` is false.

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
    runset = RunSet(runs, name=name, groups=groups, strict=strict, format=format)
    present = _registered.get(name)
    if present is not None and not replace:
        if present.digest != runset.digest:
            raise InputError(
                f"register_runs: {name!r} names a set of other content; use replace=True"
            )
        return present
    _registered[name] = runset
    return runset


@public
@contextmanager
def scope(runs: RunsLike, groups: GroupsLike | None = None) -> Iterator[RunSet]:
    """A context in which `others` means the given runs.

    Parameters
    ----------
    runs, groups
        As for `RunSet`; a RunSet is used unchanged.

    Yields
    ------
    RunSet

    Raises
    ------
    ValueError
        When the scope is closed in a different thread from the one that opened it.

    Notes
    -----
    - If several scopes are open, the last one opened applies, even if scopes are closed in
      another order.
    - A scope belongs to its thread. A new thread does not inherit it: open a scope there, or run
      the thread's function in ``contextvars.copy_context()``. An asyncio task inherits it.

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
    opened = [runset]
    _scopes.set((*_scopes.get(), opened))
    try:
        yield runset
    finally:
        scopes = _scopes.get()
        left = tuple(other for other in scopes if other is not opened)
        if len(left) == len(scopes):
            raise InputError("scope: must be closed in the thread in which it was opened")
        _scopes.set(left)


@contextmanager
def ignoring_identical_ids(ignored: bool) -> Iterator[None]:
    """A context in which the runs of measures are read as `ignore_identical_ids` says.

    In a scope whose runs are read so, those of measures are too.
    """
    token = _ignoring.set(ignored)
    try:
        yield
    finally:
        _ignoring.reset(token)


def compared_runs() -> RunSet | None:
    """The systems under comparison; None outside of a comparison."""
    scopes = _scopes.get()
    return scopes[-1][0] if scopes else None


def resolve(reference: str | RunSet) -> RunSet:
    """The set of runs to which a measure refers.

    A name is looked up as `others`, then as a run in scope, a registered set, ``name#digest`` of a
    set that a measure has, a file or glob, and an ``irds:`` id; ``a+b`` joins sets. If the set does
    not exist, an InputError lists the registered names.

    In a call that ignores identical ids, it is the set without them: another one, which is kept
    with the set, so that the results of both are kept apart.
    """
    found = _found(reference)
    compared = compared_runs()
    if not (_ignoring.get() or (compared is not None and compared.ignores_identical_ids)):
        return found
    if found.ignores_identical_ids:
        return found
    return kept_of(
        found, "without identical ids", None, lambda: RunSet(found, ignore_identical_ids=True)
    )


def _found(reference: str | RunSet) -> RunSet:
    """The set of a name, of joined names, or a set itself, as it is registered."""
    if isinstance(reference, RunSet):
        return reference
    files = not isinstance(reference, KnownName)
    whole = _look_up(reference, files)
    if whole is not None:
        return whole
    names = reference.split("+")
    parts = [_look_up(name, files) for name in names]
    unknown = [name for name, part in zip(names, parts, strict=True) if part is None]
    if unknown:
        raise InputError(_unknown(unknown, files))
    return join([part for part in parts if part is not None])


def _look_up(name: str, files: bool) -> RunSet | None:
    """The set of a name that is not a join, from the first place that has it."""
    if name == OTHERS:
        return compared_runs()
    known = _run_in_scope(name) or _registered.get(name) or labelled(name)
    if known is None and files:
        return _in_files(name)
    return known


def _run_in_scope(name: str) -> RunSet | None:
    """One run under comparison, as a set; the same object for as long as the scope is open."""
    runset = compared_runs()
    if runset is None or name not in runset.names:
        return None

    def alone() -> RunSet:
        own = runset.subset([runset.names.index(name)])
        known_as = OTHERS if "#" in name else name
        return RunSet(own, name=known_as)

    return kept_of(runset, "run", name, alone, len(runset))


def labelled(label: str) -> RunSet | None:
    """The set of a measure with a label ``name#digest``; None if no measure has such a set."""
    name, mark, _ = label.rpartition("#")
    same_name = (runset for runset in list(_in_measures) if mark and runset.name == name)
    return next((runset for runset in same_name if runset.label == label), None)


def _in_files(name: str) -> RunSet | None:
    """The run files of a path or a glob, or an ``irds:`` id."""
    if name.startswith(IRDS):
        return _of_files(name)
    paths = () if is_known(name) else matching_files(name)
    if not paths:
        return None
    return _of_files(name, tuple((path, FileState.of(path)) for path in paths))


@lru_cache(CACHED)
def _of_files(name: str, states: tuple[tuple[str, FileState], ...] = ()) -> RunSet:
    """The set of a path, a glob or an ``irds:`` id; another one where a file has changed.

    A label has ``#`` between name and digest, so a set of a path with one is named after its run.
    """
    known_as = None if "#" in name else name
    return RunSet(name, name=known_as)


def _unknown(names: Sequence[str], files: bool) -> str:
    """No set has these names: what is known here, and how the names would be known."""
    compared = compared_runs()
    known = [] if compared is None else [OTHERS, *compared.names]
    known += sorted(_registered)
    spelled = {name.lower(): name for name in known}
    near = next(filter(None, (did_you_mean(name, spelled) for name in names)), ".")
    listed = some([*map(shown, known)], LISTED) or "none"
    parts = [f"no set of runs is called {', '.join(map(shown, names))}; known are {listed}{near}"]
    if compared is None:
        parts.append(
            f"{OTHERS!r} and the names of runs are known where these runs are evaluated together: "
            "by the command line, irx_measures.evaluate, irx_measures.Experiment or scope(runs)."
        )
    if files:
        parts.append("A file, a glob or an 'irds:' id must exist, and be in quotes.")
    if not all(map(str.isprintable, names)):  # of 'runs\bm25.run', a part is an escape
        parts.append(f"{BACKSLASHES}.".capitalize())
    if any("#" in name for name in names):
        parts.append("name#digest stands for a RunSet while it, or a measure of it, is kept.")
    return " ".join(parts)


def join(parts: Sequence[RunSet]) -> RunSet:
    """The runs of several sets as one set, made once.

    A run with the same name and content is added only once; with other content, it is an
    InputError.
    """
    first, *others = dict.fromkeys(parts)
    if not others:
        return first
    return kept_of(first, "joined", tuple(others), lambda: _joined([first, *others]))


def _joined(parts: Sequence[RunSet]) -> RunSet:
    sources: dict[str, Source] = {}
    groups: dict[str, str] = {}
    first_with: dict[str, tuple[RunSet, int]] = {}  # the set that brought a run, and its position
    for part in parts:
        for position, given in enumerate(part.names):
            name = given if part.named else f"{part.name}/{given}"
            if name in first_with:
                _refuse_other_content(name, first_with[name], (part, position))
                continue
            first_with[name] = part, position
            sources[name] = part.sources[given]
            if part.groups is not None:
                groups[name] = part.groups[position]
    have_groups = all(part.groups for part in parts)
    given_groups = groups if have_groups else None
    return RunSet(
        Sources(sources, all(part.named for part in parts)),
        name="+".join(part.name for part in parts),
        groups=given_groups,
        strict=all(part.strict for part in parts),
    )


def _refuse_other_content(name: str, first: tuple[RunSet, int], second: tuple[RunSet, int]) -> None:
    """InputError if two sets have runs of one name with different content."""
    (one, at_one), (other, at_other) = first, second
    if one is not other and run_digest(one.run(at_one)) != run_digest(other.run(at_other)):
        raise InputError(
            f"{one.name!r} and {other.name!r} both have a run {name!r}, of different content"
        )


def keep_known(runset: RunSet) -> RunSet:
    """Make a set available by its label for as long as the set exists; no run is read."""
    _in_measures.add(runset)
    return runset


def is_known(name: str, names: Collection[str] = ()) -> bool:
    """Whether a name, or each part of ``a+b``, is one of `names`, or known without its files."""
    return consists_of(
        name, lambda part: part in names or part == OTHERS or _look_up(part, False) is not None
    )


def consists_of(name: str, known: Callable[[str], bool]) -> bool:
    """Whether a name, or each part of ``a+b``, is known."""
    return any(all(map(known, parts)) for parts in ([name], name.split("+")))
