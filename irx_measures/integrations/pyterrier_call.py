"""The arguments of a call of Experiment: the systems, their names, and what is done with them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from ..common.writing import shown as cut
from ..exceptions import InputError
from ..typing import SystemLike
from .pyterrier_frames import with_terrier_names

# Arguments of what PyTerrier does with a whole experiment, with the only value that they may have
# where it only scores the results.
REFUSED = {"save_dir": None, "plan": "linear", "precompute_prefix": False, "highlight": None}

# What a user does instead, with the same effect.
_OF_PREFIX = "run the shared stages first: found = shared(topics), and then give rest(found)"
INSTEAD = {
    "save_dir": "run the systems first: pt.io.write_results(system(topics), path), and then give "
    "pt.io.read_results(path)",
    "plan": _OF_PREFIX,
    "precompute_prefix": _OF_PREFIX,
    "highlight": "the table is a DataFrame: table.style.highlight_max()",
}

# What Experiment does itself where it runs the systems: PyTerrier does not get these arguments.
DONE_HERE = {
    "retr_systems", "names", "topics", "qrels", "batch_size", "verbose", "filter_by_qrels",
    "filter_by_topics", *REFUSED,
}  # fmt: skip


@dataclass(frozen=True)
class ExperimentCall:
    """The arguments of an Experiment that runs the systems, with PyTerrier's defaults."""

    systems: list[SystemLike]
    names: list[Any]  # of the systems, as tables show them
    topics: Any
    qrels: Any
    batch_size: int | None
    verbose: Any
    filter_by_qrels: bool
    filter_by_topics: bool
    passed: dict[str, Any]  # the other arguments by name: PyTerrier gets them as they are

    @classmethod
    def of(cls, pt: Any, given: Mapping[str, Any]) -> ExperimentCall:
        """From arguments by name; InputError for those that need a whole experiment."""
        _refuse_whole_experiments(given)
        systems, names = listed_systems(given["retr_systems"], given.get("names"))
        _refuse_other_systems(pt, systems)
        return cls(
            systems=systems,
            names=names_of(systems, names),
            topics=given["topics"],
            qrels=given["qrels"],
            batch_size=given.get("batch_size"),
            verbose=given.get("verbose", False),
            filter_by_qrels=given.get("filter_by_qrels", False),
            filter_by_topics=given.get("filter_by_topics", True),
            passed={name: value for name, value in given.items() if name not in DONE_HERE},
        )

    def without(self, names: Iterable[str]) -> ExperimentCall:
        """The call in which PyTerrier does not get the arguments with these names."""
        left_out = {*names}
        passed = {name: value for name, value in self.passed.items() if name not in left_out}
        return replace(self, passed=passed)

    @property
    def run_names(self) -> list[str]:
        """The names of the systems' runs: no two of them are equal."""
        return unique(self.names)

    @property
    def has_times(self) -> bool:
        """Whether the result has the times of the systems."""
        asked = map(str, self.passed["eval_metrics"])
        return "mrt" in asked and not self.passed.get("perquery")


def _refuse_whole_experiments(given: Mapping[str, Any]) -> None:
    """InputError if one of the arguments in `REFUSED` has another value."""
    for name, only in REFUSED.items():
        if given.get(name, only) != only:
            raise InputError(
                f"Experiment: `{name}` must be {only!r} with a measure of irx_measures, groups, "
                "several baselines, a test of compare or ignore_identical_ids: PyTerrier then only "
                f"scores the results ({INSTEAD[name]})"
            )


def listed_systems(
    retr_systems: Any, names: Sequence[Any] | None
) -> tuple[list[SystemLike], Sequence[Any] | None]:
    """The systems, and their names if they are known: the keys, or what is given."""
    if isinstance(retr_systems, Mapping):
        systems, names = list(retr_systems.values()), _keys(retr_systems, names)
    elif hasattr(retr_systems, "columns") or not isinstance(retr_systems, Iterable):
        raise _other_systems(retr_systems, "")
    else:
        systems = list(retr_systems)
    return [with_terrier_names(system, "a system's") for system in systems], names


def _keys(systems: Mapping[Any, Any], names: Sequence[Any] | None) -> list[Any]:
    """The keys of a dict of systems; InputError if there are other names."""
    keys = list(systems)
    if names is not None and list(names) != keys:
        raise InputError(
            "Experiment: systems is a dict: its keys are the names; give no others as `names`; got "
            f"{cut(list(names))}"
        )
    return keys


def names_of(systems: Sequence[SystemLike], names: Sequence[Any] | None) -> list[Any]:
    """The names of the systems; InputError if two are equal.

    Without names, a transformer is called what it prints as; all are numbered if two print the
    same. A DataFrame prints its rows: it is called by its position, as in PyTerrier's errors.
    """
    if names is None:
        called = list(map(str, systems))
        for place, system in enumerate(systems):
            if hasattr(system, "columns"):
                called[place] = f"DataFrame #{place}"
        return list(unique(called))
    if len(names) != len(systems):
        raise InputError(
            f"Experiment: `names` must have one name per system ({len(systems)}); got {len(names)}"
        )
    for name, times in Counter(map(str, names)).items():
        if times > 1:
            raise InputError(
                f"Experiment: {times} systems are called {cut(name)}; names must differ"
            )
    return list(names)


def _refuse_other_systems(pt: Any, systems: Sequence[Any]) -> None:
    """TypeError if a system is neither a transformer nor a DataFrame."""
    import pandas as pd

    for system in systems:
        if not isinstance(system, (pd.DataFrame, pt.Transformer)):
            raise _other_systems(system, " among them")


def _other_systems(got: object, where: str) -> TypeError:
    """The error about something that is no system."""
    return TypeError(
        "Experiment: systems must be a list or dict of transformers and DataFrames of results; got "
        f"{type(got).__name__}{where}"
    )


def are_several(baseline: Any) -> bool:
    """Whether `baseline` is a collection, and not a position or a name."""
    return isinstance(baseline, Iterable) and not isinstance(baseline, str)


def positions(baseline: Any, names: Sequence[Any]) -> list[int]:
    """The positions of one or several baselines, which are given by name or position."""
    given = list(baseline) if are_several(baseline) else [baseline]
    place_of = {name: place for place, name in reversed([*enumerate(names)])}
    place_of |= {place: place for place in range(len(names))}
    if not given or not all(isinstance(one, Hashable) and one in place_of for one in given):
        got = type(baseline).__name__ if hasattr(baseline, "columns") else cut(baseline)
        raise InputError(
            f"Experiment: `baseline` must be one or several of {list(names)}, or of the positions "
            f"0 to {len(names) - 1}; got {got}"
        )
    return list(dict.fromkeys(place_of[one] for one in given))


def unique(names: Sequence[Any]) -> list[str]:
    """The names as text; all are numbered if a name is empty or repeated."""
    given = [str(name) for name in names]
    if all(given) and len(set(given)) == len(given):
        return given
    return [f"{number}: {name}" for number, name in enumerate(given, 1)]
