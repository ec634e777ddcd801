"""What is known of papers: the entries of `papers.bib`."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from ...common.short_paths import public

PAPERS = Path(__file__).parents[1] / "papers.bib"

ENTRY = re.compile(r"^@(\w+)\{(\w+),\n(.*?)\n\}$", re.DOTALL | re.MULTILINE)

FIELD = re.compile(r"^  (\w+) = \{(.*)\}(?:,|\Z)", re.MULTILINE)

UNPRINTED = ("shortjournal", "measures")  # for this package only

ACCENT = re.compile(r"\{\\(['\"])(\w)\}")

COMBINING = {"'": "\N{COMBINING ACUTE ACCENT}", '"': "\N{COMBINING DIAERESIS}"}


@public
@dataclass(frozen=True)
class Paper:
    """A paper that defines a measure. A field is empty if its value is not certain.

    Attributes
    ----------
    key : str
        The key of its BibTeX entry.
    title : str
    venue : str
        The conference or journal as the field abbreviates it, or a book's publisher.
    year : int
    authors : tuple of str
        Each as ``Surname, Given Names``; empty for an anonymous paper.
    doi : str
    url : str
        The paper or its authors' code, if there is no DOI or the text is free.
    measures : tuple of str
        The names of the measures of ir_measures that it defines.
    bibtex : str
        The entry in ASCII, for classic BibTeX and any terminal.

    See Also
    --------
    irx_measures.bibtex : The entries of several measures.

    Examples
    --------
    >>> import irx_measures
    >>> irx_measures.NRG.PAPERS[0].published
    'SIGIR-AP 2024'
    """

    key: str
    title: str
    venue: str
    year: int
    authors: tuple[str, ...]
    doi: str
    url: str
    measures: tuple[str, ...]
    bibtex: str

    @property
    def published(self) -> str:
        """Venue and year."""
        return f"{self.venue} {self.year}"

    @property
    def text(self) -> str:
        """Surnames, title, venue and year."""
        surnames = [author.split(",")[0] for author in self.authors]
        names = " and ".join(filter(None, [", ".join(surnames[:-1]), *surnames[-1:]]))
        return ". ".join(filter(None, (names, self.title, self.published))) + "."

    @property
    def link(self) -> str:
        """The DOI of the paper as a link, else its URL; empty if neither is known."""
        return f"https://doi.org/{self.doi}" if self.doi else self.url


def paper(key: str) -> Paper:
    """The paper of a key of `papers.bib`."""
    return known_papers()[key]


@cache
def known_papers() -> dict[str, Paper]:
    """The papers of `papers.bib`, by key."""
    text = PAPERS.read_text(encoding="ascii")
    return {key: _paper(kind, key, fields) for kind, key, fields in ENTRY.findall(text)}


def _paper(kind: str, key: str, text: str) -> Paper:
    fields = dict(FIELD.findall(text))
    plain = {name: _plain(value) for name, value in fields.items()}
    venues = (plain.get(name) for name in ("shortjournal", "journal", "booktitle", "publisher"))
    printed = ",\n".join(
        f"  {name} = {{{value}}}" for name, value in fields.items() if name not in UNPRINTED
    )
    return Paper(
        key=key,
        title=plain["title"],
        venue=next(filter(None, venues)),
        year=int(plain["year"]),
        authors=tuple(filter(None, plain.get("author", "").split(" and "))),
        doi=fields.get("doi", ""),
        url=fields.get("url", ""),
        measures=tuple(filter(None, plain.get("measures", "").split(", "))),
        bibtex=f"@{kind}{{{key},\n{printed}\n}}",
    )


def _plain(latex: str) -> str:
    """A field as text, without LaTeX's accents, escapes and braces."""
    accented = ACCENT.sub(
        lambda found: unicodedata.normalize("NFC", found[2] + COMBINING[found[1]]), latex
    )
    return re.sub(r"[{}\\]", "", accented)
