"""Papers as data, for the documentation of measures and for BibTeX."""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass

VERBATIM = frozenset({"doi", "url"})

SPECIAL = "&%#_"

ACCENTS = {"\N{COMBINING ACUTE ACCENT}": "'", "\N{COMBINING DIAERESIS}": '"'}


@dataclass(frozen=True)
class Paper:
    """A paper that defines a measure. A field is empty if its value is not certain.

    Attributes
    ----------
    key : str
        The BibTeX key.
    title : str
    venue : str
        The conference or journal as the field abbreviates it.
    year : int
    authors : tuple of str
        Each as ``Surname, Given Names``; empty for an anonymous paper.
    journal : str
        The full name of the journal; empty for a conference paper or a book.
    publisher : str
        The publisher of a book; empty for a paper.
    volume, number, pages : str
    doi : str
    url : str
        The paper or its authors' code, if there is no DOI or the text is free.

    Examples
    --------
    >>> from irx_measures.measures.citations import Paper
    >>> paper = Paper(
    ...     key="webber2010", title="A Similarity Measure for Indefinite Rankings", venue="TOIS",
    ...     year=2010, authors=("Webber, William", "Moffat, Alistair", "Zobel, Justin"),
    ... )
    >>> print(paper.text)
    Webber, Moffat and Zobel. A Similarity Measure for Indefinite Rankings. TOIS 2010.
    >>> print(paper.bibtex())
    @inproceedings{webber2010,
      author = {Webber, William and Moffat, Alistair and Zobel, Justin},
      title = {{A Similarity Measure for Indefinite Rankings}},
      booktitle = {TOIS},
      year = {2010}
    }
    """

    key: str
    title: str
    venue: str
    year: int
    authors: tuple[str, ...] = ()
    journal: str = ""
    publisher: str = ""
    volume: str = ""
    number: str = ""
    pages: str = ""
    doi: str = ""
    url: str = ""

    @property
    def published(self) -> str:
        """Venue and year."""
        return f"{self.venue} {self.year}"

    @property
    def text(self) -> str:
        """Surnames, title, venue and year."""
        surnames = [author.split(",")[0] for author in self.authors]
        *first, last = surnames or [""]
        names = f"{', '.join(first)} and {last}" if first else last
        return ". ".join(part for part in (names, self.title, self.published) if part) + "."

    @property
    def link(self) -> str:
        """The DOI of the paper as a link, else its URL; empty if neither is known."""
        return f"https://doi.org/{self.doi}" if self.doi else self.url

    def bibtex(self) -> str:
        """The paper as a BibTeX entry."""
        kind, field, container = self._container()
        fields = {
            "author": " and ".join(self.authors),
            "title": f"{{{self.title}}}",
            field: container,
            "volume": self.volume,
            "number": self.number,
            "pages": self.pages,
            "year": str(self.year),
            "doi": self.doi,
            "url": self.url,
        }
        return bibtex_entry(kind, self.key, fields)

    def _container(self) -> tuple[str, str, str]:
        """The type of the entry, and the field and the name of what the paper appeared in."""
        if self.journal:
            return "article", "journal", self.journal
        if self.publisher:
            return "book", "publisher", self.publisher
        return "inproceedings", "booktitle", self.venue


def bibtex_entry(kind: str, key: str, fields: Mapping[str, str]) -> str:
    """A BibTeX entry in ASCII, for classic BibTeX and any terminal; empty fields are left out."""
    lines = ",\n".join(
        f"  {name} = {{{value if name in VERBATIM else _latex(value)}}}"
        for name, value in fields.items()
        if value
    )
    return f"@{kind}{{{key},\n{lines}\n}}"


def _latex(text: str) -> str:
    """A text for LaTeX; braces in it are grouping."""
    return "".join(map(_latex_letter, unicodedata.normalize("NFC", text)))


def _latex_letter(letter: str) -> str:
    if letter in SPECIAL:
        return f"\\{letter}"
    plain, *accents = list(unicodedata.normalize("NFD", letter))
    return f"{{\\{ACCENTS[accents[0]]}{plain}}}" if accents else letter
