"""What a reproduction finds: tables beside the printed ones, figures, and claims."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from math import isnan, nan
from typing import TYPE_CHECKING, Literal, NamedTuple

from ..common.writing import PLAIN
from ..io.frames import frame
from ..measures.citations import Paper
from .shown import INCHES, numbers_html, picture, texts_html

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from ..io.frames import DataFrame

Verdict = Literal["holds", "does not hold", "cannot be told", "other data"]


class Number(NamedTuple):
    """A number of a table.

    Attributes
    ----------
    row, column
        Its place in the table.
    here
        The number as computed; NaN if it cannot be computed from this data.
    printed
        The number as printed in the paper; NaN if the paper has none for this data.
    """

    row: str
    column: str
    here: float
    printed: float = nan

    @property
    def difference(self) -> float:
        """The computed number minus the printed one."""
        return self.here - self.printed


Cell = tuple[tuple[str, str], float]  # row, column, and the number there


def in_rows(
    columns: Iterable[str],
    rows: Mapping[str, Iterable[float]] | Iterable[tuple[str, Iterable[float]]],
) -> Iterator[Cell]:
    """The cells of rows that have a number in each of the columns."""
    names = list(columns)
    for row, values in rows.items() if isinstance(rows, Mapping) else rows:
        for column, value in zip(names, values, strict=True):
            yield (row, column), value


@dataclass(frozen=True, repr=False)
class PaperTable:
    """A table of a paper, or the numbers of a figure, computed again.

    Attributes
    ----------
    label : str
        As the paper calls it: ``Table 1``, ``Figure 2``.
    title : str
        What the numbers are.
    data : str
        The data that they were computed from.
    numbers : tuple of Number
        In the order of the table.
    remark : str
        What cannot be compared with the paper, and why; empty if everything can.
    places : int
        Decimal places, as printed in the paper.
    if_zero, if_undefined : str
        Why every number may be 0; why all may be undefined, or there are none. Such a table is not
        shown.
    """

    label: str
    title: str
    data: str
    numbers: tuple[Number, ...]
    remark: str = ""
    places: int = 3
    if_zero: str = ""
    if_undefined: str = ""

    @property
    def rows(self) -> list[str]:
        """The names of the rows."""
        return list(dict.fromkeys(number.row for number in self.numbers))

    @property
    def columns(self) -> list[str]:
        """The names of the columns."""
        return list(dict.fromkeys(number.column for number in self.numbers))

    @property
    def printed(self) -> bool:
        """Whether the paper prints any of the numbers."""
        return any(not isnan(number.printed) for number in self.numbers)

    @property
    def why_not_shown(self) -> str:
        """Why the table is not shown; empty if a number is printed, or neither 0 nor undefined."""
        if self.printed or any(number.here and not isnan(number.here) for number in self.numbers):
            return ""
        if not self.numbers:
            what, why = "there are no numbers", self.if_undefined
        elif all(isnan(number.here) for number in self.numbers):
            what, why = "every number is undefined", self.if_undefined
        else:
            what, why = "every number is 0", self.if_zero
        return ": ".join(filter(None, ("Not shown", what, why)))

    @property
    def largest_difference(self) -> float:
        """The largest absolute difference from a printed number; NaN if nothing is printed."""
        found = [abs(number.difference) for number in self.numbers]
        return max((value for value in found if not isnan(value)), default=nan)

    def to_frame(self) -> DataFrame:
        """A row per number: row, column, printed, here, difference."""
        return frame(
            {
                name: [getattr(number, name) for number in self.numbers]
                for name in ("row", "column", "printed", "here", "difference")
            }
        )

    def in_shape(self) -> DataFrame:
        """The computed numbers in the shape of the paper's table."""
        cells, rows = self._cells, self.rows
        columns = {name: [cells.get((row, name), nan) for row in rows] for name in self.columns}
        return frame(columns).set_axis(rows, axis=0)

    def __getitem__(self, place: tuple[str, str]) -> float:
        """The computed number in a row and a column."""
        return self._cells[place]

    @cached_property
    def _cells(self) -> dict[tuple[str, str], float]:
        return {(number.row, number.column): number.here for number in self.numbers}

    def __repr__(self) -> str:
        return f"{self.label}. {self.title}\n{self.why_not_shown or self._numbers()}"

    def _numbers(self) -> str:
        table = self.to_frame() if self.printed else self.in_shape()
        return table.to_string(
            float_format=lambda value: PLAIN.number(value, self.places), na_rep="-"
        )

    def _repr_html_(self) -> str:
        return numbers_html(self)


@dataclass(frozen=True)
class Claim:
    """A claim of a paper, and whether it holds on the paper's data.

    Attributes
    ----------
    text : str
        The claim in our words.
    verdict : {'holds', 'does not hold', 'cannot be told', 'other data'}
        ``other data``: the numbers are not of the paper's data, so there is no verdict.
    evidence : str
        The numbers, or the reason why there are none.
    """

    text: str
    verdict: Verdict
    evidence: str

    @classmethod
    def elsewhere(cls, text: str, evidence: str) -> Claim:
        """A claim beside the numbers of other data than the paper's."""
        return cls(text, "other data", evidence)

    @classmethod
    def unknown(cls, reason: str, *texts: str) -> list[Claim]:
        """Claims without numbers, all for one reason."""
        return [cls(text, "cannot be told", reason) for text in texts]


class Judge(NamedTuple):
    """Gives a paper's claims their verdicts, on the paper's own data only.

    Attributes
    ----------
    of_paper
        Whether the data is the paper's.
    """

    of_paper: bool

    def claim(self, text: str, holds: bool | None, evidence: str) -> Claim:
        """A claim that holds or does not; None: the numbers do not tell."""
        if not self.of_paper:
            return Claim.elsewhere(text, evidence)
        if holds is None:
            return Claim(text, "cannot be told", evidence)
        return Claim(text, "holds" if holds else "does not hold", evidence)

    def if_defined(
        self, text: str, numbers: Iterable[float], holds: bool | None, evidence: str, reason: str
    ) -> Claim:
        """A claim about numbers; it cannot be told, for a reason, if one of them is NaN."""
        if any(map(isnan, numbers)):
            return Claim.unknown(reason, text)[0]
        return self.claim(text, holds, evidence)


class Claims(tuple[Claim, ...]):
    """Claims of a paper, which notebooks show as a table."""

    __slots__ = ()

    @property
    def note(self) -> str:
        """Why some claims have no verdict; empty if all have one."""
        elsewhere = any(claim.verdict == "other data" for claim in self)
        return "other data: not the paper's, so there is no verdict" if elsewhere else ""

    def to_frame(self) -> DataFrame:
        """A row per claim: claim, verdict, evidence."""
        names = {"claim": "text", "verdict": "verdict", "evidence": "evidence"}
        return frame({name: [getattr(claim, of) for claim in self] for name, of in names.items()})

    def _repr_html_(self) -> str:
        rows = [(claim.text, claim.verdict, claim.evidence) for claim in self]
        return texts_html(("claim", "verdict", "evidence"), rows, self.note)


@dataclass(frozen=True, repr=False)
class PaperFigure:
    """A figure of a paper, drawn again.

    Attributes
    ----------
    label : str
        As the paper calls it, with the part that is drawn: ``Figure 2``, ``Figure 5, TREC-8``.
    title : str
    draw : callable
        Returns matplotlib Axes; its ``width`` is that of the picture, in inches.
    """

    label: str
    title: str
    draw: Callable[..., Axes]

    def __repr__(self) -> str:
        return f"{self.label}: {self.title}"

    def _repr_png_(self) -> tuple[bytes, dict[str, int]]:
        return picture(self.draw(width=INCHES))

    @property
    def file_name(self) -> str:
        """A name for a picture: ``figure-2``."""
        words = "".join(letter if letter.isalnum() else " " for letter in self.label.lower())
        return "-".join(words.split())


@dataclass(frozen=True)
class Reproduction:
    """All that was computed for a paper.

    Attributes
    ----------
    paper : Paper
    data : tuple of str
        The collections: where qrels and runs came from, and whether they are simulated.
    tables : tuple of PaperTable
    figures : tuple of PaperFigure
    claims : Claims
    """

    paper: Paper
    data: tuple[str, ...]
    tables: tuple[PaperTable, ...]
    figures: tuple[PaperFigure, ...] = ()
    claims: Claims = field(default_factory=Claims)

    def table(self, label: str) -> PaperTable:
        """The first table with this label; KeyError if there is none."""
        for table in self.tables:
            if table.label == label:
                return table
        raise KeyError(label)
