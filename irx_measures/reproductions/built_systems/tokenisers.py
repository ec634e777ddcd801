"""How texts become terms: words, stems, and character n-grams."""

from __future__ import annotations

import re
from collections.abc import Callable

import Stemmer
from sklearn.feature_extraction.text import CountVectorizer

from ...exceptions import InputError

Tokenise = Callable[[str], list[str]]

WORD = re.compile(r"\w+")


def words(text: str) -> list[str]:
    """The words of a text in lower case; numbers are words."""
    return WORD.findall(text.lower())


def stems(language: str) -> Tokenise:
    """A tokeniser of words that Snowball's stemmer of a language reduces to stems.

    Raises
    ------
    ValueError
        When Snowball has no stemmer for the language.
    """
    try:
        stemmer = Stemmer.Stemmer(language)
    except KeyError:
        raise InputError(
            f"the documents must be in a language that Snowball can stem; got {language!r}"
        ) from None
    return lambda text: stemmer.stemWords(words(text))


def character_ngrams(length: int) -> Tokenise:
    """A tokeniser of character n-grams within words; a space stands before and after a word."""
    made: Tokenise = CountVectorizer(
        analyzer="char_wb", ngram_range=(length, length)
    ).build_analyzer()
    return made
