"""Short heads of measures, and the legend that has the measures in full."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable

from ..measures.labels import short_labels
from .layout import LONGEST_HEAD, dimmed, legend
from .screen import Screen


def measure_heads(labels: Iterable[str]) -> dict[str, str]:
    """Heads of at most 18 characters where possible: long labels lose their parameters.

    Labels that would have the same head are numbered, except one that is the head itself.
    """
    bare = {
        label: label if len(label) <= LONGEST_HEAD else re.sub(r"\(.*\)", "", label)
        for label in labels
    }
    count, numbers = Counter(bare.values()), Counter[str]()
    heads = {}
    for label, head in bare.items():
        numbers[head] += 1
        alone = count[head] == 1 or head == label
        heads[label] = head if alone else f"{head} #{numbers[head]}"
    return heads


def heads_of_measures(measures: Iterable[object]) -> dict[str, str]:
    """Heads of measures, by the measures' strings."""
    strings = list(dict.fromkeys(map(str, measures)))
    labels = short_labels(strings)
    heads = measure_heads(labels)
    return {string: heads[label] for string, label in zip(strings, labels, strict=True)}


def renamed(labels: dict[str, str], screen: Screen) -> list[str]:
    """The legend of the heads that are not the measures' own labels."""
    changed = {label: head for label, head in labels.items() if label != head}
    return dimmed(legend(changed, screen.width), screen.styled)
