"""What a reproduction finds: DataFrames beside the printed numbers, figures, and claims."""

from __future__ import annotations

import json
import textwrap
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from functools import cache
from importlib.resources import files
from math import isnan, nan
from typing import Any, NamedTuple

from ..measures.declaring.paper import Paper, paper
from ..results.frames import DataFrame, frame
from ..scoring.score_matrix import ScoreMatrix
from ..typing import Axes
from .material import LINE, Material

PARTS = ["paper", "here", "difference"]

NO_VERDICT = "other data"  # the verdict of a claim whose numbers are not of the paper's data

VERDICTS = {True: "holds", False: "does not hold", None: "cannot be told"}

# Why a table has no printed numbers, by whether the data is the paper's.
NOT_PRINTED = {
    True: "the paper prints no such numbers",
    False: "other data: no printed numbers to compare with",
}

Cells = Mapping[tuple[str, str], float]  # numbers by row and column

Draw = Callable[..., Axes]  # draws a figure; its `width` is in inches

Curve = tuple[Any, Any, str, str]  # x, y, matplotlib's format, and the label; "": no label


class Claim(NamedTuple):
    """A claim of a paper."""

    claim: str  # in our words
    verdict: str  # one of `VERDICTS`, or `NO_VERDICT`
    evidence: str  # the numbers, or the reason why there are none


@dataclass(frozen=True)
class Declared:
    """What a paper's JSON file declares; any text may have fields in braces."""

    key: str  # the paper's BibTeX key
    # Tables and figures: label, content, needs, data. `needs` is a list of folders of collections,
    # one of which must be there, or a status. `data` names the data, or says why there is none.
    items: Sequence[tuple[str, str, Any, str]]
    # By label: title, and where there are some data, remark, elsewhere (the remark on other data
    # than the paper's), places (as printed), printed (the columns, and the numbers of each row;
    # null: none), if_empty (why every number may be 0 or undefined).
    tables: Mapping[str, Mapping[str, Any]]
    # By topic and name: the claim, its evidence and, for evidence with the field ``means``, the
    # means that it shows. They are, by name, the label of a table and patterns of the rows and
    # of the columns whose mean is meant; a last number says how many decimal places they have.
    claims: Mapping[str, Mapping[str, Sequence[Any]]]
    # What its text says of numbers that are not reproduced, and examples.
    said: Mapping[str, Mapping[str, Any]]
    texts: Mapping[str, str]  # texts that several items or tables name

    def entries(self, here: Iterable[str]) -> list[dict[str, str]]:
        """Every table and figure, and what is done where the runs of these folders are here."""
        found = []
        for label, content, needs, data in self.items:
            status = needs
            if not isinstance(needs, str):
                status = "reproduced" if {*needs} & {*here} else "needs the TREC runs"
            about = {"label": label, "content": content, "status": status}
            found.append({**about, "data": self.texts.get(data, data)})
        return found

    def is_of_paper(self, *materials: Material) -> bool:
        """Whether all data is the paper's; so are the paper's own examples, without any data."""
        folders = {folder for item in self.items if isinstance(item[2], list) for folder in item[2]}
        return {material.folder for material in materials} <= folders

    def judged(
        self,
        topic: str,
        of_paper: bool,
        holds: Mapping[str, object] | None = None,
        /,
        tables: Mapping[str, DataFrame] | None = None,
        **fields: Any,
    ) -> list[Claim]:
        """Claims of a topic, with these fields in their texts.

        They have no verdict if their numbers are not of the paper's data. `holds` says by name of
        the claim whether it holds; None: the numbers do not tell. By default, all claims of the
        topic. `tables` are those, by label, of whose numbers the evidence has means.
        """
        found = []
        for name, verdict in (holds or dict.fromkeys(self.claims[topic])).items():
            text, evidence, *means = self.claims[topic][name]
            if means:
                fields["means"] = _means(tables or {}, fields, *means)
            known = NO_VERDICT
            if of_paper:
                known = VERDICTS[None] if verdict is None else VERDICTS[bool(verdict)]
            found.append(Claim(text.format(**fields), known, evidence.format(**fields)))
        return found

    def unknown(self, topic: str, reason: str, /, **fields: object) -> list[Claim]:
        """The claims of a topic without numbers, all for one reason."""
        texts = (text.format(**fields) for text, *_ in self.claims[topic].values())
        return [Claim(text, VERDICTS[None], reason) for text in texts]

    def printed(self, label: str) -> dict[tuple[str, str], float]:
        """The numbers of a table that the paper prints, by row and column."""
        rows = dict(self.tables[label].get("printed", {}))
        found = in_rows(rows.pop("columns", []), rows)
        numbers = dict.fromkeys(found, nan)
        for place, value in found.items():
            if value is not None:
                numbers[place] = float(value)
        return numbers

    def table(
        self,
        label: str,
        here: Cells,
        *materials: Material,
        name: str = "",
        printed: bool = True,
        **fields: Any,
    ) -> DataFrame:
        """A table of computed numbers, beside the printed ones where the data is the paper's.

        `label` is that of its declaration, and `name` the table's if it is another; the fields are
        of its texts. Of the materials, one may be the paper's; none: the paper's own example.
        `printed` says whether the printed numbers are of this part of the paper's data.

        The DataFrame has a row per number, by ``row`` and ``column``; columns paper (NaN where the
        paper has no number), here, difference (here minus paper). `attrs` has label, title, data,
        remark, places, and why: why there is nothing to show.
        """
        of = self.tables[label]
        of_paper = not materials or any(map(self.is_of_paper, materials))
        known = self.printed(label) if printed and of_paper else {}
        columns: dict[str, list[Any]] = {
            "row": [row for row, _ in here],
            "column": [column for _, column in here],
            "paper": [known.get(place, nan) for place in here],
            "here": list(map(float, here.values())),
        }
        table = frame(columns).set_index(["row", "column"])
        table["difference"] = table["here"] - table["paper"]
        compared = is_printed(table)
        remark = of.get("remark", "")
        if not (printed and of_paper):
            remark = of.get("elsewhere", remark)
        title = of["title"].format(**fields)
        why = ""
        if not compared:
            title = f"{title} ({NOT_PRINTED[of_paper]})"
            why = _why_empty(columns["here"], of.get("if_empty", "").format(**fields))
        data = "; ".join(dict.fromkeys(material.description for material in materials))
        if "data" in of:
            data = of["data"].format(**fields)
        table.attrs = {
            "label": name or label,
            "title": title,
            "data": data,
            "remark": self.texts.get(remark, remark).format(**fields),
            "places": of.get("places", 3),
            "why": why,
        }
        return table


@cache
def declared(name: str) -> Declared:
    """The declarations of a paper's JSON file."""
    read = json.loads((files(__package__) / "papers" / f"{name}.json").read_text("utf-8"))
    return Declared(**{"claims": {}, "said": {}, "texts": {}, **read})


def _means(
    tables: Mapping[str, DataFrame],
    fields: Mapping[str, object],
    of: Mapping[str, Sequence[str]],
    places: int = 3,
) -> str:
    """The means that a claim declares, and their names."""
    found = []
    for name, (label, of_row, of_column) in of.items():
        row, column = of_row.format(**fields), of_column.format(**fields)
        here = tables[label]["here"]
        chosen = [fnmatchcase(one, row) and fnmatchcase(other, column) for one, other in here.index]
        mean = here.to_numpy()[chosen].mean()
        number = "undefined" if isnan(mean) else f"{mean:.{places}f}"
        found.append(f"{name.format(**fields)} {number}")
    return ", ".join(found)


def _why_empty(numbers: Sequence[float], why: str) -> str:
    """Why a table is not shown; empty if one of its numbers is neither 0 nor undefined."""
    if any(number and not isnan(number) for number in numbers):
        return ""
    what = "every number is 0 or undefined" if numbers else "there are no numbers"
    return ": ".join(filter(None, ("Not shown", what, why)))


def in_rows(
    columns: Iterable[str], rows: Mapping[str, Iterable[Any]]
) -> dict[tuple[str, str], Any]:
    """The cells of rows that have a number in each of the columns."""
    names = list(columns)
    return {
        (row, column): value
        for row, values in rows.items()
        for column, value in zip(names, values, strict=True)
    }


def means_of(matrix: ScoreMatrix, columns: Iterable[str]) -> dict[tuple[str, str], float]:
    """The mean scores of systems, by system and the name of each measure's column."""
    return in_rows(columns, dict(zip(matrix.systems, matrix.aggregates.T, strict=True)))


def is_printed(table: DataFrame) -> bool:
    """Whether the paper prints any of a table's numbers."""
    return bool(table["paper"].notna().any())


def about(table: DataFrame) -> list[str]:
    """What a table is, its data, its remark, and why it is empty: a line each."""
    of = table.attrs
    lines = (f"{of['label']}. {of['title']}", f"Data: {of['data']}", of["remark"], of["why"])
    return [line for line in lines if line]


def in_shape(table: DataFrame, part: str = "here") -> DataFrame:
    """The numbers of a table in the shape of the paper's: computed, printed, or differences."""
    rows = table.index.unique("row")
    columns = table.index.unique("column")
    wide: DataFrame = table[part].unstack("column").reindex(index=rows, columns=columns)
    return wide


@dataclass(frozen=True)
class Reproduction:
    """All that was computed for a paper.

    Attributes
    ----------
    paper : Paper or None
        None: systems that are built here, by the measures of all papers.
    data : tuple of str
        The collections: where qrels and runs came from, and whether they are simulated.
    tables : dict
        By label: DataFrames with a row per number, by ``row`` and ``column``, and the columns
        paper (NaN where the paper has no number), here, and difference (here minus paper).
    figures : dict
        By label: functions that draw them.
    claims : DataFrame
        A row per claim: claim, verdict, evidence.

    See Also
    --------
    irx_measures.reproductions.reproduce : Computes it.
    """

    paper: Paper | None
    data: tuple[str, ...]
    tables: Mapping[str, DataFrame]
    figures: Mapping[str, Draw]
    claims: DataFrame

    @classmethod
    def of(
        cls,
        declaration: Declared,
        data: Iterable[str],
        tables: Iterable[DataFrame],
        figures: Mapping[str, Draw],
        claims: Iterable[Claim],
    ) -> Reproduction:
        """The reproduction of the paper with this declaration."""
        by_label = {table.attrs["label"]: table for table in tables}
        rows = list(claims)
        named = {name: [getattr(row, name) for row in rows] for name in Claim._fields}
        of = paper(declaration.key) if declaration.key else None
        return cls(of, tuple(dict.fromkeys(data)), by_label, figures, frame(named))

    def show(self, label: str) -> DataFrame:
        """A table in the paper's shape, rounded as printed; what it is gets printed above it.

        A table without a number to show has no rows; the reason is printed.
        """
        table = self.tables[label]
        for line in about(table):
            print(textwrap.fill(line, LINE, break_long_words=False, break_on_hyphens=False))
        if not is_printed(table):
            shown = in_shape(table).round(table.attrs["places"])
            return shown[:0] if table.attrs["why"] else shown
        import pandas as pd

        parts = [in_shape(table, part) for part in PARTS]
        rounded = pd.concat(parts, axis=1, keys=PARTS).round(table.attrs["places"])
        return rounded + 0.0  # -0.0, a rounded difference, becomes 0.0


def chart(
    x_label: str,
    y_label: str,
    curves: Iterable[Curve],
    *,
    width: float | None = None,
    **style: Any,
) -> Axes:
    """Curves under the names of both axes, with a legend if they have labels."""
    from ..plots.style import look, picture

    with picture(None, 4.0, width) as ax:
        ax.set_prop_cycle(color=[look(number)["color"] for number in range(6)])  # no markers
        for x, y, form, label in curves:
            ax.plot(x, y, form, label=label or None, **style)
        ax.set_xlabel(x_label)
        ax.set_ylabel(y_label)
        if ax.get_legend_handles_labels()[1]:
            ax.legend(fontsize="small")
    return ax
