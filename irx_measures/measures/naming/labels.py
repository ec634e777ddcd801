"""Short labels of measures, for tables and messages."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable

from ...io.irds import IRDS
from ...runsets.sources import run_name

QUOTED = re.compile(r"'([^']*)'")

DIGEST = re.compile(r"#[0-9a-f]{16}$")

LONGEST_HEAD = 18  # of a column, a choice: four such columns fit 80 characters

PATH = re.compile(r"[^*?\[]*/[^*?\[]*")


def short_labels(texts: Iterable[object]) -> list[str]:
    """Measure strings with names instead of paths and digests.

    A string stays unchanged if its label would equal the label of another string.
    """
    full = list(dict.fromkeys(map(str, texts)))
    short = {text: QUOTED.sub(_shortened, text) for text in full}
    count = Counter(short.values())
    labels = []
    for text, label in short.items():
        shown = label if count[label] == 1 else text
        labels.append(shown)
    return labels


def labels_of_measures(measures: Iterable[object]) -> dict[str, str]:
    """Short labels of measures, by the measures' strings."""
    strings = list(dict.fromkeys(map(str, measures)))
    return dict(zip(strings, short_labels(strings), strict=True))


def called_so(text: str, measures: Iterable[object]) -> list[str]:
    """The strings of the measures that tables show under a name, or that have it without (...)."""
    label_of = labels_of_measures(measures)
    heads = measure_heads(label_of.values())
    return [
        string
        for string, label in label_of.items()
        if text in (label, heads[label], without_parameters(label))
    ]


def without_parameters(label: str) -> str:
    """A label without what stands in brackets: NRG(prior=others)@10 is NRG@10."""
    return re.sub(r"\(.*\)", "", label)


def measure_heads(labels: Iterable[str]) -> dict[str, str]:
    """Heads of at most 18 characters where possible: long labels lose their parameters.

    Labels that would have the same head are numbered, except one that is the head itself.
    """
    bare = {label: label for label in labels}
    for label in bare:
        if len(label) > LONGEST_HEAD:
            bare[label] = without_parameters(label)
    count, numbers = Counter(bare.values()), Counter[str]()
    heads = {}
    for label, head in bare.items():
        numbers[head] += 1
        alone = count[head] == 1 or head == label
        heads[label] = head if alone else f"{head} #{numbers[head]}"
    return heads


def heads_of_measures(measures: Iterable[object]) -> dict[str, str]:
    """Heads of measures, by the measures' strings."""
    label_of = labels_of_measures(measures)
    heads = measure_heads(label_of.values())
    return {string: heads[label] for string, label in label_of.items()}


def _shortened(quoted: re.Match[str]) -> str:
    named = "+".join(map(_name, quoted[1].split("+")))
    bare = named != quoted[1] and re.fullmatch(r"[\w.+-]+", named)
    return named if bare else f"'{named}'"


def _name(reference: str) -> str:
    """The name of a set of runs: ``runs#0123456789abcdef`` is runs, ``folder/bm25.run`` is bm25."""
    if DIGEST.search(reference):
        return DIGEST.sub("", reference)
    is_path = PATH.fullmatch(reference) and not reference.startswith(IRDS)
    return run_name(reference) if is_path else reference
