"""What a paper's ``paper.json`` declares: its tables, figures and claims, and printed numbers."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from functools import cache
from importlib.resources import files
from math import isnan, nan
from typing import Any, Literal, NamedTuple

from .collections import Collection
from .material import Material
from .results import Cell, Judge, Number, PaperTable, in_rows
from .shown import texts_html

# Why a table has no printed numbers, by whether the data is the paper's.
NOT_PRINTED = {
    True: "the paper prints no such numbers",
    False: "other data: no printed numbers to compare with",
}

Status = Literal["reproduced", "repeated on other data", "needs the TREC runs", "not possible"]

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
        ``reproduced``: with the paper's data. ``needs the TREC runs``: it would be, if they were
        here. ``repeated on other data``: the paper's data is not to be had. ``not possible``: the
        reason stands in `data`.
    data
        The data, or the reason why it is not possible.
    """

    label: str
    content: str
    status: Status
    data: str


class DeclaredItem(NamedTuple):
    """A table or figure of a paper, and the collections that it was computed from.

    Attributes
    ----------
    item
        As it is where the data is here.
    folders
        Of the collections, one of which it needs; empty if it needs none.
    """

    item: PaperItem
    folders: frozenset[str]


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
    if_zero, if_undefined
        As in `PaperTable`.
    """

    title: str
    data: str = ""
    remark: str = ""
    elsewhere: str = ""
    places: int = 3
    printed: Cells = {}
    if_zero: str = ""
    if_undefined: str = ""


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

    items: tuple[DeclaredItem, ...]
    tables: Mapping[str, DeclaredTable]
    claims: Mapping[str, Mapping[str, str]]
    said: Mapping[str, Mapping[str, str]]

    def entries(self, *data: Material | Collection) -> PaperItems:
        """Every table and figure, and what is done with this data."""
        here = {one.folder for one in data}
        return PaperItems(
            item._replace(status="needs the TREC runs") if folders and not folders & here else item
            for item, folders in self.items
        )

    def judge(self, *materials: Material) -> Judge:
        """The judge of claims about this data; without any, about the paper's own examples."""
        folders = {folder for item in self.items for folder in item.folders}
        return Judge({material.folder for material in materials} <= folders)

    def table(
        self,
        label: str,
        here: Cells | Iterable[Cell],
        *materials: Material,
        data: str = "",
        printed: bool = True,
        **fields: Any,
    ) -> PaperTable:
        """A table of computed numbers, beside the printed ones where the data is the paper's.

        Parameters
        ----------
        label
            The table's label in ``paper.json``.
        here
            The computed numbers by row and column.
        *materials
            The data, of which one may be the paper's; none: the paper's own example.
        data
            The data in words; by default that of ``paper.json``, or of the materials.
        printed
            Whether the printed numbers are of this part of the paper's data.
        **fields
            The values of the fields of title, remark, and why there may be nothing to show.
        """
        of = self.tables[label]
        of_paper = not materials or any(self.judge(one).of_paper for one in materials)
        of_data = of.printed if printed and of_paper else {}
        numbers = tuple(
            Number(row, column, float(value), of_data.get((row, column), nan))
            for (row, column), value in (here.items() if isinstance(here, Mapping) else here)
        )
        remark = of.remark if printed and of_paper else of.elsewhere or of.remark
        title = of.title.format(**fields)
        if all(isnan(number.printed) for number in numbers):
            title += f" ({NOT_PRINTED[of_paper]})"
        data = data or of.data or "; ".join(dict.fromkeys(one.description for one in materials))
        texts = (text.format(**fields) for text in (of.if_zero, of.if_undefined))
        return PaperTable(label, title, data, numbers, remark.format(**fields), of.places, *texts)

    def claims_about(self, what: str, **fields: Any) -> dict[str, str]:
        """The texts of some claims by name, with the values of their fields."""
        return {name: text.format(**fields) for name, text in self.claims[what].items()}


@cache
def declared(package: str) -> Declared:
    """The declarations in ``paper.json`` of a paper's package.

    An item has the folders of the collections that it needs, or its status. The data of an item and
    the remark of a table are texts, or names of texts in ``texts``. The
    first line of printed numbers has the columns, and each further line the numbers of a row; null
    where the paper prints none.
    """
    read = json.loads(files(package).joinpath("paper.json").read_text("utf-8"))
    texts = read.get("texts", {})
    items = tuple(
        _item(label, content, needs, texts.get(data, data))
        for label, content, needs, data in read["items"]
    )
    tables = {label: _table(texts, **table) for label, table in read["tables"].items()}
    return Declared(items, tables, read.get("claims", {}), read.get("said", {}))


def _item(label: str, content: str, needs: list[str] | Status, data: str) -> DeclaredItem:
    if isinstance(needs, list):
        return DeclaredItem(PaperItem(label, content, "reproduced", data), frozenset(needs))
    return DeclaredItem(PaperItem(label, content, needs, data), frozenset())


def _table(texts: Mapping[str, str], **table: Any) -> DeclaredTable:
    remark, rows = table.pop("remark", ""), table.pop("printed", {})
    columns = rows.pop("columns", [])
    numbers = {place: nan if of is None else float(of) for place, of in in_rows(columns, rows)}
    return DeclaredTable(remark=texts.get(remark, remark), printed=numbers, **table)
