"""Runs of which less is judged than of others, and measures that take unjudged as not relevant."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction

import ir_measures

from ..common.escapes import printable
from ..common.writing import EXAMPLES, joined, percent, some
from ..judgments.judged_share import JudgedShare
from ..judgments.ranking import TOP
from ..measures.declaring.base import Measure
from ..measures.naming.labels import labels_of_measures

# Of the documents returned down to rank 10. A choice: on ten TREC collections these speak where
# runs took no part in the pooling, and are silent where all runs did. At the cutoff that is asked
# for they would speak of nearly all runs of a deep one.
MOSTLY, LESS = Fraction(9, 10), Fraction(1, 10)

INSTEAD = "if the ideal ranking stays; see nDCGBound(bound=upper), BootNDCG"

# ir_measures' own measures that count, or that leave unjudged documents out.
LEAVE_OUT_UNJUDGED = tuple(
    map(
        type,
        (
            ir_measures.Bpref,
            ir_measures.infAP,
            ir_measures.Judged,
            ir_measures.NumQ,
            ir_measures.NumRel,
            ir_measures.NumRet,
        ),
    )
)


def doubt_uneven(
    shares: Mapping[str | None, JudgedShare],
    beside: Sequence[JudgedShare],
    measures: Sequence[ir_measures.Measure],
) -> Iterator[str]:
    """What to say of runs, by name, of which less is judged than of another: one line, or nothing.

    They are also compared with the runs `beside` them.
    """
    named = [measure for measure in measures if counts_unjudged(measure)]
    share_of = {name: _fraction(share) for name, share in shares.items() if share.top}
    if not named or not share_of:
        return
    others = [_fraction(share) for share in beside if share.top]
    most = max([*share_of.values(), *others])
    less = [name for name, of in share_of.items() if is_low(shares[name]) and of <= most - LESS]
    if not less:
        return
    runs = [_share_in_words(name, shares[name], first=name == less[0]) for name in less]
    up_to = percent(most.numerator, most.denominator)
    yield (
        f"unjudged documents count as not relevant: {_first(runs, 'system')}, others up to "
        f"{up_to}, so {_consequence(named, several=len(less) > 1)}"
    )


def counts_unjudged(measure: ir_measures.Measure) -> bool:
    """Whether unjudged documents count as not relevant in the scores of a measure."""
    if isinstance(measure, Measure):
        return measure.counts_unjudged
    if isinstance(measure, LEAVE_OUT_UNJUDGED):
        return False
    return measure.params.get("judged_only") is not True


def is_low(share: JudgedShare) -> bool:
    """Whether so little of a run is judged that users are told if more of another is."""
    return _fraction(share) < MOSTLY


def _fraction(share: JudgedShare) -> Fraction:
    return Fraction(share.judged_in_top, share.top)


def _share_in_words(name: str | None, share: JudgedShare, first: bool) -> str:
    label = "the run" if name is None else printable(name)
    judged = percent(share.judged_in_top, share.top)
    return f"{label} has {judged} of its top {TOP} judged" if first else f"{label} {judged}"


def _consequence(measures: Sequence[ir_measures.Measure], several: bool) -> str:
    """What follows for the scores of one system or several, by kinds of measures."""
    label_of = labels_of_measures(measures)
    adding = [m for m in measures if isinstance(m, Measure) and m.ADDS]
    added = [label_of[str(measure)] for measure in adding]
    bounded = [label_of[str(measure)] for measure in measures if measure not in adding]
    parts = []
    if bounded:
        whose = "their" if several else "its"
        are = "is a lower bound" if len(bounded) == 1 else "are lower bounds"
        parts.append(f"{whose} {_first(bounded, 'measure')} {are} ({INSTEAD})")
    if added:
        what = "what they add" if several else "what it adds"
        says = "says" if len(added) == 1 else "say"
        parts.append(f"{what} is more than {_first(added, 'measure')} {says}")
    return ", and ".join(parts)


def _first(texts: Sequence[str], what: str) -> str:
    """Up to three texts, or the first three and how many more there are."""
    return joined(texts) if len(texts) <= EXAMPLES else some(texts, EXAMPLES, what)
