"""Captions of the tables of papers."""

from __future__ import annotations

from collections.abc import Sequence

from ..common.markup import Markup
from ..measures.labels import short_labels
from ..measures.named_score import lower_is_better
from .findings import pairs_differ
from .how_tested import method_text
from .hypotheses import Tested, is_grouped
from .score_table import ScoreTable


def table_caption(table: ScoreTable, tested: Sequence[Tested], markup: Markup) -> str:
    """The caption of a table of scores."""
    measures = dict.fromkeys(part.hypotheses.measure for part in tested)
    falling = [markup.text(text) for text in lower_is_better(measures)]
    return " ".join(
        [
            f"Mean over {over_topics(tested, markup)}. {markup.best}.",
            *falling,
            f"{_findings(table, tested, markup)} ({markup.text(method_text(tested))}).",
        ]
    )


def over_topics(tested: Sequence[Tested], markup: Markup) -> str:
    """The topics of the means, by group if there are groups."""
    if not is_grouped(tested):
        return f"{tested[0].topics} topics"
    sizes = {part.hypotheses.group or "": part.topics for part in tested}
    groups = ", ".join(f"{markup.text(group)}: {topics}" for group, topics in sizes.items())
    return f"the topics of each group ({groups})"


def beaten_baselines(table: ScoreTable, markup: Markup) -> str:
    """What the letters beside the means say."""
    letters = ", ".join(markup.raised(letter) for letter in table.baselines)
    names = ", ".join(markup.text(name) for name in table.baselines.values())
    return f"{letters}: significantly better than {names}"


def _findings(table: ScoreTable, tested: Sequence[Tested], markup: Markup) -> str:
    if table.baselines:
        return beaten_baselines(table, markup)
    if is_grouped(tested):
        return _in_all_groups(tested, markup)
    counts = [
        f"{pairs_differ(part)} in {markup.text(label)}"
        for label, part in zip(table.measures, tested, strict=True)
    ]
    text = ", ".join(counts)
    return text[0].upper() + text[1:]


def _in_all_groups(tested: Sequence[Tested], markup: Markup) -> str:
    """How many pairs of systems differ in each measure: a pair counts once per group."""
    measures = list(dict.fromkeys(part.hypotheses.measure for part in tested))
    counts = []
    for measure, label in zip(measures, short_labels(measures), strict=True):
        parts = [part for part in tested if part.hypotheses.measure == measure]
        significant = sum(part.significant for part in parts)
        pairs = sum(len(part.hypotheses) for part in parts)
        verb = "is" if significant == 1 else "are"
        counts.append(
            f"{significant} of {pairs} differences {verb} significant in {markup.text(label)}"
        )
    return ", ".join(counts)
