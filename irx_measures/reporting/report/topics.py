"""The texts of topics in a file: a table with a header, or TREC's topics."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from pathlib import Path

from ...exceptions import InputError
from ...io.columns import QUERY_NAMES, pick
from ...io.csv_tables import cells_of_lines
from ...io.files import numbered_lines

TEXT_NAMES = ("text", "query", "title")  # of the column of texts, as tools name it

TOPIC = re.compile(r"<top>(.*?)</top>", re.DOTALL | re.IGNORECASE)

NUMBER = re.compile(r"<num>\s*(?:Number:)?\s*([^\s<]+)", re.IGNORECASE)

TITLE = re.compile(r"<title>\s*(?:Topic:)?\s*([^<]*)", re.IGNORECASE)


def read_topics(path: Path) -> dict[str, str]:
    """The text of each topic in a file.

    The file is a table with the columns query_id and text, separated by tabs if the name ends in
    ``.tsv``, else by commas; or TREC's topics, of which the titles are read.

    Raises
    ------
    InputError
        When a column or a topic's number or title is missing, or a topic has two texts.
    """
    lines = [line for _, line in numbered_lines(path)]
    found: dict[str, str] = {}
    is_trec = any("<top>" in line.lower() for line in lines)
    for topic, text in _trec_topics(path, lines) if is_trec else _table(path, lines):
        if found.setdefault(topic, text) != text:
            raise InputError(f"{path}: topic {topic!r} must have one text; got two")
    return found


def _trec_topics(path: Path, lines: Iterable[str]) -> Iterator[tuple[str, str]]:
    for place, topic in enumerate(TOPIC.findall("\n".join(lines)), 1):
        number, title = NUMBER.search(topic), TITLE.search(topic)
        if number is None or title is None:
            raise InputError(f"{path}: topic {place} of the file must have <num> and <title>")
        yield number[1], title[1]


def _table(path: Path, lines: Iterable[str]) -> Iterator[tuple[str, str]]:
    delimiter = "\t" if ".tsv" in path.suffixes else ","
    columns = QUERY_NAMES, TEXT_NAMES
    for number, row in cells_of_lines(path, lines, delimiter, columns, strict=True):
        topic, text = (row[pick(names, list(row), f"{path}:{number}")] for names in columns)
        yield topic, text
