"""An explanation of a score as text: sentences, a table of documents, and a legend."""

from __future__ import annotations

from typing import Any

from ..common.fitting import fitted, notes_below
from ..common.names import first_words
from ..common.screen import UNICODE, Screen
from ..common.table import Value, cell_text, format_records
from ..common.text_columns import GAP, TextColumn, legend, wrapped, written
from ..explaining.explanation import Explanation

BAR_WIDTH = 8  # characters, a choice: the numbers beside the bars say the rest

LONGEST_HEAD = 10  # characters, a choice: about as wide as the numbers

MOST_ROWS = 30  # a choice: they fit a terminal of 40 lines with head and formula

REPEATING = 100  # dispensed with before all other columns, which count from 1

LONGEST_TEXT = 120  # characters: the first 120, as in the report

NAMED = 2  # with more priors, the table has their number and the best rank


def explanation_text(explanation: Explanation, screen: Screen, places: int) -> str:
    """Sentences and a table that fits the screen."""
    sentences = [
        f"{explanation.sentence(places)}.",
        *([f"query: {_beginning(explanation.query_text)}"] if explanation.query_text else []),
        " ".join([f"{explanation.counts}.", *_hint(explanation)]),
    ]
    heads = _heads(explanation)
    meant = [
        f"{_both(name, heads)}: {text}{_value(explanation, name, places)}"
        for name, text in explanation.legend.items()
    ]
    return "\n".join(
        [
            *(line for sentence in sentences for line in wrapped(sentence, screen.width)),
            "",
            *_table(explanation, screen, places),
            "",
            *notes_below("-: not returned. ?: not judged.", meant, screen),
            "",
        ]
    )


def explanation_records(explanation: Explanation, form: str, places: int) -> str:
    """All documents, in a format of the command line."""
    columns = explanation.to_columns() | {"rank": explanation.rank, "grade": explanation.grade}
    records: list[dict[str, Value]] = [
        dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)
    ]
    return format_records([_plain(record) for record in records], form, places)


def _plain(record: dict[str, Any]) -> dict[str, Value]:
    """A record without numpy's scalars."""
    return {name: getattr(value, "item", lambda v=value: v)() for name, value in record.items()}


def _value(explanation: Explanation, name: str, places: int) -> str:
    return f" = {_number(explanation.terms[name], places)}" if name in explanation.terms else ""


def _hint(explanation: Explanation) -> list[str]:
    listed = len(explanation.doc_ids) > explanation.top
    return ["--missing lists them."] if explanation.lacking and not listed else []


def _heads(explanation: Explanation) -> dict[str, str]:
    """The heads of factors: the first word of a long name, if no other name has it."""
    names = list(explanation.factors)
    words = [name.split("_")[0] for name in names]
    return {
        name: word if len(name) > LONGEST_HEAD and words.count(word) == 1 else name
        for name, word in zip(names, words, strict=True)
    }


def _both(name: str, heads: dict[str, str]) -> str:
    head = heads.get(name, name)
    return name if head == name else f"{head} ({name})"


def _table(explanation: Explanation, screen: Screen, places: int) -> list[str]:
    shown = _shown(explanation)
    if not shown:
        return []
    columns = [
        TextColumn("rank", [_rank(explanation, place) for place in shown]),
        TextColumn("document", [explanation.doc_ids[p] for p in shown], right=False, names=True),
        TextColumn("grade", [_grade(explanation, place) for place in shown]),
        *_factor_columns(explanation, shown, places),
        *_contribution_columns(explanation, shown, screen, places),
    ]
    kept, short = fitted(columns, screen.width, screen.cut)
    lines = [line.rstrip() for line in written(kept)]
    hidden = [column.head for column in columns if column.head not in {k.head for k in kept}]
    if hidden:
        lines += wrapped(f"Not shown, for lack of space: {', '.join(hidden)}.", screen.width)
    lines += _with_texts(explanation, shown, screen)
    more = len(explanation.doc_ids) - len(shown)
    if more:
        lines.append(f"and {more} more documents (csv and json have all)")
    return [*lines, *legend(short, screen.width)]


def _shown(explanation: Explanation) -> list[int]:
    """The documents in the table: the highest ranks, and the best of the missing ones."""
    top, every = explanation.top, len(explanation.doc_ids)
    missing = list(range(top, every))[: MOST_ROWS // 3 if top > MOST_ROWS else MOST_ROWS]
    return [*range(min(top, MOST_ROWS)), *missing]


def _rank(explanation: Explanation, place: int) -> str:
    rank = explanation.rank[place]
    return "-" if rank is None else str(rank)


def _grade(explanation: Explanation, place: int) -> str:
    grade = explanation.grade[place]
    return "?" if grade is None else str(grade)


def _factor_columns(explanation: Explanation, shown: list[int], places: int) -> list[TextColumn]:
    """The factors. If space lacks, those that repeat the grade go first, then the last ones."""
    columns = []
    heads = _heads(explanation)
    for number, (name, values) in enumerate(explanation.factors.items(), start=1):
        head = heads[name]
        if all(isinstance(value, str) for value in values):
            cells = [_short_list(values[place], explanation.terms) for place in shown]
            columns.append(TextColumn(head, cells, right=False, optional=number))
        else:
            repeats = values == explanation.grade
            cells = _numbers([values[place] for place in shown], places)
            columns.append(TextColumn(head, cells, optional=REPEATING if repeats else number))
    return columns


def _short_list(listed: str, terms: dict[str, float]) -> str:
    """The priors of a document, or their number and the best rank if many priors count."""
    if not listed or terms["n_priors"] <= NAMED:
        return listed
    parts = listed.split(", ")
    return f"{len(parts)}, best at {parts[0].rsplit(' ', 1)[1]}"


def _numbers(values: list[Any], places: int) -> list[str]:
    """The cells of a column: whole numbers if all are whole."""
    if all(float(value).is_integer() for value in values):
        return [str(int(value)) for value in values]
    return [cell_text(float(value), places) for value in values]


def _number(value: float, places: int) -> str:
    return _numbers([value], places)[0]


def _contribution_columns(
    explanation: Explanation, shown: list[int], screen: Screen, places: int
) -> list[TextColumn]:
    if explanation.contribution is None:
        return []
    mark = "█" if screen.cut == UNICODE else "#"
    highest = max(float(explanation.share.max(initial=0.0)), 1e-300)
    bars = [mark * round(BAR_WIDTH * float(explanation.share[p]) / highest) for p in shown]
    added = [cell_text(float(explanation.contribution[place]), places) for place in shown]
    return [TextColumn("adds", added), TextColumn("", bars, right=False)]


def _with_texts(explanation: Explanation, shown: list[int], screen: Screen) -> list[str]:
    """A line of text per document."""
    if not explanation.texts:
        return []
    lines = [
        f"{_rank(explanation, place)}{GAP}{_beginning(explanation.texts[place])}" for place in shown
    ]
    return ["", "rank  text", *(line for text in lines for line in wrapped(text, screen.width))]


def _beginning(text: str) -> str:
    return first_words(text, LONGEST_TEXT)
