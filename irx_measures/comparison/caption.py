"""Captions of the tables of papers."""

from __future__ import annotations

from collections.abc import Sequence

from ..common.markup import Markup
from .findings import pairs_differ
from .how_tested import method_text
from .hypotheses import Tested
from .score_table import ScoreTable


def table_caption(table: ScoreTable, tested: Sequence[Tested], markup: Markup) -> str:
    """The caption of a table of scores."""
    return (
        f"Mean over {tested[0].topics} topics. {markup.best}. "
        f"{_findings(table, tested, markup)} ({markup.text(method_text(tested))})."
    )


def _findings(table: ScoreTable, tested: Sequence[Tested], markup: Markup) -> str:
    if table.baselines:
        letters = ", ".join(markup.raised(letter) for letter in table.baselines)
        return f"{letters}: significantly higher than " + ", ".join(
            markup.text(name) for name in table.baselines.values()
        )
    counts = [
        f"{pairs_differ(part)} in {markup.text(label)}"
        for label, part in zip(table.measures, tested, strict=True)
    ]
    return ", ".join(counts)
