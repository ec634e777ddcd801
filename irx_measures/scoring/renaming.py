"""Other names of systems and measures, such as those of a paper."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

import ir_measures

from ..common.writing import nearest_of
from ..exceptions import InputError
from ..measures.naming.labels import labels_of_measures, measure_heads
from ..measures.naming.named_score import find_measure
from ..measures.naming.strings import takes_runs


def new_names(
    systems: Sequence[str], names: Mapping[str, str], measures: Iterable[str] = ()
) -> dict[str, str]:
    """What all systems are called after some were renamed, by their names.

    Where measures can be renamed too, a message on an unknown name proposes them.
    """
    _require_mapping(names)
    known = [*systems, *measures]
    what = "systems or measures" if len(known) > len(systems) else "systems"
    for name, new in names.items():
        if name not in systems:
            hint = nearest_of(name, known)
            raise InputError(f"`names` must be of {what} with scores; got {name!r}{hint}")
        _require_text(name, new)
    called = {name: names.get(name, name) for name in systems}
    _keep_apart(called.values(), "systems")
    return called


def separated(
    systems: Sequence[str], measures: Iterable[ir_measures.Measure], names: Mapping[str, str]
) -> tuple[dict[str, str], dict[str, str]]:
    """The new names of systems, and those of measures by their strings.

    Measures may be named as tables show them. A name that both have is that of the system.
    """
    _require_mapping(names)
    known = list(dict.fromkeys(measures))
    label_of = labels_of_measures(known)
    of_systems: dict[str, str] = {}
    of_measures: dict[str, str] = {}
    for name, new in names.items():
        measure = None if name in systems else find_measure(name, known)
        if measure is None:
            of_systems[name] = new
        else:
            _require_text(name, new)
            of_measures[str(measure)] = new
    new_names(systems, of_systems, label_of.values())
    _keep_apart((of_measures.get(text, label) for text, label in label_of.items()), "measures")
    return of_systems, of_measures


def labels_and_heads(
    measures: Iterable[object], called: Mapping[str, str]
) -> tuple[list[str], dict[str, str]]:
    """What measures are called in texts, and the short heads of these labels.

    `called` has the new names of some, by their strings: such a name is its own head.
    """
    label_of = labels_of_measures(measures)
    labels = [called.get(text, label) for text, label in label_of.items()]
    return labels, measure_heads(labels) | {new: new for new in called.values()}


def renamed_inside(label: str, measure: ir_measures.Measure, new: Mapping[str, str]) -> str:
    """The label of a measure, in which the runs that the measure names have their new names."""
    for param, value in measure.params.items():
        if isinstance(value, str) and takes_runs(measure, param):
            names = [value] if value in new else value.split("+")
            called = "+".join(new.get(name, name) for name in names)
            label = label.replace(f"{param}={value}", f"{param}={called}")
    return label


def _require_mapping(names: object) -> None:
    if not isinstance(names, Mapping):
        raise TypeError(f"`names` must map names to new ones; got {type(names).__name__}")


def _require_text(name: str, new: object) -> None:
    """TypeError if a new name is none that a run may have."""
    if not isinstance(new, str) or not new:
        raise TypeError(f"`names` must have non-empty strings as values; got {new!r} for {name!r}")


def _keep_apart(called: Iterable[str], what: str) -> None:
    for new, count in Counter(called).items():
        if count > 1:
            raise InputError(f"`names` must keep {what} apart; got {new!r} for {count} of them")
