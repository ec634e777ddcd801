"""Scores that ir_measures does not know: only a name, and whether higher is better."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress

import ir_measures

from ...common.writing import did_you_mean, shown, some
from ...exceptions import InputError
from ...typing import MeasureLike
from .labels import called_so, labels_of_measures, short_labels
from .strings import NEAR, parse_measure, parse_measures


class NamedScore(ir_measures.measures.Measure):
    """A score that is computed elsewhere, such as accuracy or seconds; its name is not parsed."""

    def __init__(self, name: str, higher_is_better: bool = True) -> None:
        super().__init__()
        self.name = name
        self.higher_is_better = higher_is_better

    def __repr__(self) -> str:
        return self.name


def measures_called(
    names: Sequence[str], higher_is_better: bool | Mapping[str, bool]
) -> tuple[ir_measures.Measure, ...]:
    """The measures whose strings these are; any other name is only a name.

    A mapping says of some names whether higher is better; InputError if it has another name.
    """
    better = dict.fromkeys(names, True)
    if not isinstance(higher_is_better, Mapping):
        better = dict.fromkeys(names, higher_is_better)
    elif other := [name for name in higher_is_better if name not in better]:
        raise InputError(
            f"the scores have no measure {shown(other[0])} of which a direction could be "
            f"given; they have {some(names, 10)}"
        )
    else:
        better |= higher_is_better
    return tuple(
        (rising and _measure_called(name)) or NamedScore(name, bool(rising))
        for name, rising in better.items()
    )


def _measure_called(name: str) -> ir_measures.Measure | None:
    # The name may be that of any score: why it is no measure is of no interest.
    with suppress(ValueError, NameError, TypeError, OSError):
        measure = parse_measure(name)
        return measure if str(measure) == name else None
    return None


def is_rising(measure: ir_measures.Measure) -> bool:
    """Whether higher scores are better: only a `NamedScore` may say otherwise."""
    return not isinstance(measure, NamedScore) or measure.higher_is_better


def direction_of(measure: ir_measures.Measure) -> float:
    """1 if higher scores are better, else -1: scores times this are higher where better."""
    return 1.0 if is_rising(measure) else -1.0


def lower_is_better(measures: Iterable[ir_measures.Measure]) -> list[str]:
    """The sentence that names the measures of which lower scores are better, if there are any."""
    falling = [str(measure) for measure in measures if not is_rising(measure)]
    return [f"Lower is better: {', '.join(falling)}."] if falling else []


def find_measures(
    measure: MeasureLike, known: Sequence[ir_measures.Measure]
) -> list[ir_measures.Measure]:
    """The known measures that a string means, else the one that tables show under this name.

    A name in tables may lack the parameters. Empty if a measure that is meant is not known;
    InputError if the name is that of several.
    """
    by_name = {str(one): one for one in known}
    if str(measure) in by_name:
        return [by_name[str(measure)]]
    text = str(measure).strip()
    # The name may be that of any score: why it is no measure is of no interest.
    with suppress(InputError):
        meant = [str(one) for one in parse_measures(measure)]
        if all(name in by_name for name in meant):
            return [by_name[name] for name in meant]
    shown_so = called_so(text, known) if isinstance(measure, str) else []
    if len(shown_so) > 1:
        label_of = labels_of_measures(known)
        labels = " or ".join(label_of[name] for name in shown_so)
        raise InputError(f"{text} may be {labels}: name one of them")
    return [by_name[name] for name in shown_so]


def nearest_measure(measure: MeasureLike, known: Sequence[ir_measures.Measure]) -> str:
    """The end of the message that a measure is not among those known: the nearest, if one is near.

    Both begin with the same letter: P@10 is not AP@10.
    """
    text = str(measure)
    labels = {label.lower(): label for label in short_labels(known)}
    near = {low: label for low, label in labels.items() if low[:1] == text[:1].lower()}
    return did_you_mean(text, near, NEAR)


def find_measure(
    measure: MeasureLike, known: Sequence[ir_measures.Measure]
) -> ir_measures.Measure | None:
    """As `find_measures`, for one measure: None if it is not known, InputError for several."""
    found = find_measures(measure, known)
    if len(found) > 1:
        raise InputError(f"{measure} stands for {', '.join(map(str, found))}: name one of them")
    return found[0] if found else None
