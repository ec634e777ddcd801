"""Whether a machine's labels are on the scale of the human grades, and what makes them so."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from ..common.validators import integer
from ..common.writing import some
from ..exceptions import InputError
from ..io.columns import GRADE_LIMIT
from ..io.table import Table

GRADE = integer(1 - GRADE_LIMIT, GRADE_LIMIT - 1)

MOST_NAMED = 10  # grades in a message, a choice


class Relevance(NamedTuple):
    """From which grade and label on a document is relevant."""

    grade: int
    label: int
    given: bool  # whether the caller said so

    @classmethod
    def of(cls, relevant: int | None, machine_relevant: int | None) -> Relevance:
        """Checked; by default, 1 is relevant, and labels are as grades."""
        grade = 1 if relevant is None else integer(1).check("relevant", relevant)
        label = grade
        if machine_relevant is not None:
            label = integer(1).check("machine_relevant", machine_relevant)
        return cls(grade, label, relevant is not None or machine_relevant is not None)

    @property
    def scale(self) -> str:
        """What 0 and 1 stand for where grades and labels became them."""
        return f"1 stands for grades from {self.grade} and labels from {self.label}, 0 for others"


BINARY = Relevance(1, 1, given=True)  # of grades and labels that are 0 and 1


def checked_mapping(mapping: Mapping[int, int] | None) -> dict[int, int]:
    """The grade of each label; InputError if one of them is no grade."""
    if mapping is None:
        return {}
    if not isinstance(mapping, Mapping):
        got = type(mapping).__name__
        raise TypeError(f"`mapping` must be a dict of grades by labels; got {got}")
    return {
        GRADE.check("mapping", label): GRADE.check("mapping", grade)
        for label, grade in mapping.items()
    }


def with_meaning(labels: Table, mapping: Mapping[int, int]) -> Table:
    """Labels with the grades that they mean in their place."""
    value = labels.value.copy()
    for label, grade in mapping.items():
        value[labels.value == label] = grade
    return replace(labels, value=value)


def are_comparable(
    grades: Table, labels: Table, mapping: Mapping[int, int], relevant: Relevance
) -> bool:
    """Whether labels are on the scale of the grades; InputError if nothing else compares them.

    They are if each is a human grade, or 0, and they are not binary where grades go higher. Labels
    that are negative count as 0; labels of which the mapping says the grade are not looked at.
    """
    scale = np.union1d(np.maximum(grades.value, 0), [0])
    all_labels = np.unique(np.maximum(labels.value, 0))
    unmapped = np.setdiff1d(all_labels, list(mapping))
    is_binary = not mapping and all_labels.max(initial=0) <= 1 < scale.max()
    if not is_binary and np.isin(unmapped, scale).all():
        return True
    if not relevant.given:
        texts = [some(list(map(str, each.tolist())), MOST_NAMED) for each in (all_labels, scale)]
        raise InputError(
            "`relevant` and `machine_relevant` (from which grade and label on a document is "
            "relevant) or `mapping` (the grade that a label means) must make labels and grades "
            "comparable: "
            f"{labels.label} has the labels {texts[0]}, and the human grades are {texts[1]}"
        )
    return False


def as_relevant(table: Table, least: int) -> Table:
    """1 in place of grades or labels of at least `least`, 0 in place of others."""
    return replace(table, value=(table.value >= least).astype(np.int64))
