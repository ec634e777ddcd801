"""What a paper's ``paper.json`` declares: its tables, figures and claims, and printed numbers."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from functools import cache
from importlib.resources import files
from math import nan
from typing import Any, Literal, NamedTuple

from .results import Cell, Number, PaperTable, in_rows
from .shown import texts_html

Status = Literal["reproduced", "repeated", "not possible"]

Cells = Mapping[tuple[str, str], float]  # by row and column of a table


class PaperItem(NamedTuple):
    """A table or figure of a paper.

    Attributes
    ----------
    label
        As the paper calls it.
    content
        What it shows.
    status
        ``reproduced``: with the paper's data. ``repeated``: its experiment on other data.
        ``not possible``: the reason stands in `data`.
    data
        The data, or the reason why it is not possible.
    """

    label: str
    content: str
    status: Status
    data: str


class PaperItems(tuple[PaperItem, ...]):
    """Every table and figure of a paper, which notebooks show as a table."""

    __slots__ = ()

    def _repr_html_(self) -> str:
        return texts_html(("table or figure", "what it shows", "status", "data, or why not"), self)


class DeclaredTable(NamedTuple):
    """What stands in a table beside the numbers that are computed.

    Attributes
    ----------
    title, data, remark
        As in `PaperTable`; they may have fields in braces, for what depends on the user's data.
    elsewhere
        The remark on other data than the paper's; by default the same.
    places
        Decimal places, as printed in the paper.
    printed
        The numbers that the paper prints.
    """

    title: str
    data: str = ""
    remark: str = ""
    elsewhere: str = ""
    places: int = 3
    printed: Cells = {}


class Declared(NamedTuple):
    """The declarations of a paper.

    Attributes
    ----------
    items
        Its tables and figures, in the order of the paper.
    tables
        Its tables by label.
    claims
        The texts of its claims, by what they are about and by name; they may have fields in braces.
    said
        What its text says about numbers that are not reproduced, by topic.
    """

    items: PaperItems
    tables: Mapping[str, DeclaredTable]
    claims: Mapping[str, Mapping[str, str]]
    said: Mapping[str, Mapping[str, str]]

    def table(
        self,
        label: str,
        here: Cells | Iterable[Cell],
        data: str = "",
        *,
        printed: bool = True,
        **fields: Any,
    ) -> PaperTable:
        """A table of computed numbers.

        Parameters
        ----------
        label
            The table's label in ``paper.json``.
        here
            The computed numbers by row and column.
        data
            The data, if ``paper.json`` does not say it.
        printed
            Whether the data is the paper's, so that the printed numbers can be shown.
        **fields
            The values of the fields of title and remark.
        """
        of = self.tables[label]
        of_paper = of.printed if printed else {}
        numbers = (
            Number(row, column, float(value), of_paper.get((row, column), nan))
            for (row, column), value in (here.items() if isinstance(here, Mapping) else here)
        )
        remark = (of.remark if printed else of.elsewhere or of.remark).format(**fields)
        title = of.title.format(**fields)
        return PaperTable(label, title, of.data or data, tuple(numbers), remark, of.places)

    def claims_about(self, what: str, **fields: Any) -> dict[str, str]:
        """The texts of some claims by name, with the values of their fields."""
        return {name: text.format(**fields) for name, text in self.claims[what].items()}


@cache
def declared(package: str) -> Declared:
    """The declarations in ``paper.json`` of a paper's package.

    The data of an item and the remark of a table are texts, or names of texts in ``texts``. The
    first line of printed numbers has the columns, and each further line the numbers of a row; null
    where the paper prints none.
    """
    read = json.loads(files(package).joinpath("paper.json").read_text("utf-8"))
    texts = read.get("texts", {})
    items = PaperItems(
        PaperItem(label, content, status, texts.get(data, data))
        for label, content, status, data in read["items"]
    )
    tables = {label: _table(texts, **table) for label, table in read["tables"].items()}
    return Declared(items, tables, read.get("claims", {}), read.get("said", {}))


def _table(texts: Mapping[str, str], **table: Any) -> DeclaredTable:
    remark, rows = table.pop("remark", ""), table.pop("printed", {})
    columns = rows.pop("columns", [])
    numbers = {place: nan if of is None else float(of) for place, of in in_rows(columns, rows)}
    return DeclaredTable(remark=texts.get(remark, remark), printed=numbers, **table)
