"""What is known of a paper."""

from __future__ import annotations

from dataclasses import dataclass


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
