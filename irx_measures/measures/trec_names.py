"""trec_eval's names of measures, such as ``map``, ``ndcg_cut_10`` and ``P_5,10``."""

from __future__ import annotations

import re
from functools import cache

import ir_measures
from ir_measures.util import parse_trec_measure

from ..common.warn import warn

NUMBER = r"[0-9]+(?:\.[0-9]+)?"

WITH_ARGUMENTS = re.compile(rf"(?P<name>[A-Za-z]\w*?)[._]?(?P<arguments>{NUMBER}(?:,{NUMBER})*)")


def trec_measures(text: str) -> list[ir_measures.Measure]:
    """The measures that a trec_eval name stands for; empty if the text is not a trec_eval name."""
    import pytrec_eval

    nicknames = pytrec_eval.supported_nicknames
    if text not in nicknames:
        return _measures(text)
    by_name = {name: _measures(name) for name in sorted(nicknames[text])}
    missing = [name for name, measures in by_name.items() if not measures and name != "runid"]
    if missing:
        warn(f"{text} is without {', '.join(missing)}, which ir_measures does not have")
    return [measure for measures in by_name.values() for measure in measures]


def nearest_trec_names() -> dict[str, str]:
    """The trec_eval names without arguments, by lower case, for suggestions in errors."""
    return {name.lower(): name for name in _names() if _measures(name)}


def is_trec_name(name: str) -> bool:
    """Whether trec_eval has a measure of this name; ir_measures may not have it."""
    return name in _names()


def with_arguments(name: str, arguments: str) -> str | None:
    """A trec_eval name with its arguments; None if trec_eval does not have this measure."""
    spelled = f"{name}_{arguments}"
    return spelled if _measures(spelled) else None


@cache
def _names() -> frozenset[str]:
    import pytrec_eval

    return frozenset(pytrec_eval.supported_measures)


def _measures(name: str) -> list[ir_measures.Measure]:
    """Parse a name with ir_measures. The check rejects ``P_5x``, which it reads as ``P_5``."""
    match = WITH_ARGUMENTS.fullmatch(name)
    if name not in _names() and (match is None or match["name"] not in _names()):
        return []
    try:
        return parse_trec_measure(name)
    except ValueError:  # ir_measures does not have this measure or argument
        return []
