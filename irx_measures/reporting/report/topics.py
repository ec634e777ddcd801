"""The texts of topics in a file: a table with a header, or TREC's topics."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from ...exceptions import InputError
from ...io.columns import QUERY_NAMES
from ...io.files import numbered_lines
from ...io.formats import TABLES, extension_of
from ...io.rows import rows

TEXT_NAMES = ("text", "query", "title")  # of the column of texts, as tools name it

TOPIC = re.compile(r"<top>(.*?)</top>", re.DOTALL | re.IGNORECASE)

NUMBER = re.compile(r"<num>\s*(?:Number:)?\s*([^\s<]+)", re.IGNORECASE)

TITLE = re.compile(r"<title>\s*(?:Topic:)?\s*([^<]*)", re.IGNORECASE)


def read_topics(path: Path) -> dict[str, str]:
    """The text of each topic in a file.

    The file is a table with the columns query_id and text, if its name ends in ``.csv``, ``.tsv``
    or ``.jsonl``; otherwise TREC's topics, of which the titles are read.

    Raises
    ------
    InputError
        When a column or a topic's number or title is missing, or a topic has two texts.
    """
    found: dict[str, str] = {}
    for topic, text in _table(path) if extension_of(path) in TABLES else _trec_topics(path):
        if found.setdefault(topic, text) != text:
            raise InputError(f"{path}: topic {topic!r} must have one text; got two")
    return found


def _trec_topics(path: Path) -> Iterator[tuple[str, str]]:
    topics = TOPIC.findall("\n".join(line for _, line in numbered_lines(path)))
    if not topics:
        raise InputError(
            f"{path}: no <top> of TREC's topics; a table must end in {', '.join(TABLES)}"
        )
    for place, topic in enumerate(topics, 1):
        number, title = NUMBER.search(topic), TITLE.search(topic)
        if number is None or title is None:
            raise InputError(f"{path}: topic {place} of the file must have <num> and <title>")
        yield number[1], title[1]


def _table(path: Path) -> Iterator[tuple[str, str]]:
    for row in rows(path, (QUERY_NAMES, TEXT_NAMES)):
        (name,) = [name for name in TEXT_NAMES if name in row.cells][:1]
        yield row.text(QUERY_NAMES), row.text((name,))
