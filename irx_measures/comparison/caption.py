"""Captions of the tables of papers."""

from __future__ import annotations

from collections.abc import Sequence

from ..common.markup import Markup
from ..measures.named_score import lower_is_better
from .findings import pairs_differ
from .how_tested import method_text
from .hypotheses import Tested
from .score_table import ScoreTable


def table_caption(table: ScoreTable, tested: Sequence[Tested], markup: Markup) -> str:
    """The caption of a table of scores."""
    measures = [part.hypotheses.measure for part in tested]
    falling = [markup.text(text) for text in lower_is_better(measures)]
    return " ".join(
        [
            f"Mean over {tested[0].topics} topics. {markup.best}.",
            *falling,
            f"{_findings(table, tested, markup)} ({markup.text(method_text(tested))}).",
        ]
    )


def _findings(table: ScoreTable, tested: Sequence[Tested], markup: Markup) -> str:
    if table.baselines:
        letters = ", ".join(markup.raised(letter) for letter in table.baselines)
        return f"{letters}: significantly better than " + ", ".join(
            markup.text(name) for name in table.baselines.values()
        )
    counts = [
        f"{pairs_differ(part)} in {markup.text(label)}"
        for label, part in zip(table.measures, tested, strict=True)
    ]
    text = ", ".join(counts)
    return text[0].upper() + text[1:]
