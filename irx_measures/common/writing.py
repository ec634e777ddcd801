"""How tables, sentences of results and messages write names, numbers and counts."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from math import isinf, isnan
from typing import NamedTuple

UNDEFINED = "–"

MOST_PLACES = 1000  # a choice: more decimal places than any float above 1e-280 has

EXAMPLES = 3  # in a message, a choice: it stays one line

LONGEST_CELL = 80  # characters, a choice: a line of a terminal

LONGEST_VALUE = 60  # characters, a choice: an error message stays one line of a terminal or two

MOST_LISTED = 5  # parts of a list in a sentence, a choice: longer ones are not read


def one_line(text: object) -> str:
    """A text whose words are separated by one blank each."""
    return " ".join(str(text).split())


def fixed(value: float, places: int) -> str:
    """A number with so many decimal places, -1 for all."""
    return str(float(value)) if places == -1 else f"{value:.{places}f}"


def signed(value: float, places: int) -> str:
    """A difference; a difference that is rounded to 0 is positive."""
    if isinf(value) or places == -1:
        return f"{float(value):+}"
    return f"{round(value, places) + 0.0:+.{places}f}"  # -0.0 + 0.0 is 0.0


def p_text(p: float, number: Callable[[float], str] = "{:.3f}".format) -> str:
    """A p-value with 3 decimal places; `number` writes it as the sentences around it do."""
    return "<.001" if p < 0.0005 else number(p)


def marked(text: str, significant: bool) -> str:
    """A difference in brackets if it is not significant, so that the digits stay aligned."""
    return f"{text} " if significant else f"({text})"


def level_text(level: float) -> str:
    """A confidence level: ``95%``."""
    return f"{100 * level:.10g}%"


def _decimal(value: float, places: int = 3) -> str:
    """A number with its leading zero: ``0.764``; a number that is rounded to 0 has no sign."""
    return "-" if isnan(value) else f"{round(value, places) + 0.0:.{places}f}"  # -0.0 becomes 0.0


class Writing(NamedTuple):
    """How a skin writes what stands in the sentence of a result."""

    name: Callable[[str], str] = str  # of a system or a measure
    # Writes a number with three places, or with as many as its second argument says.
    number: Callable[..., str] = _decimal

    def difference(self, value: float) -> str:
        """A number with its sign; one that is rounded to 0 has none."""
        text = self.number(value)
        return f"+{text}" if round(value, 3) > 0 else text

    def p_value(self, p: float) -> str:
        """A p-value."""
        return p_text(p, self.number)

    def p_is(self, name: str, p: float) -> str:
        """A p-value after its name: ``p = 0.048``, ``p <.001``."""
        text = self.p_value(p)
        return f"{name} {text}" if text.startswith("<") else f"{name} = {text}"

    def names(self, names: Sequence[str]) -> str:
        """Names with commas and "and"."""
        return joined([self.name(name) for name in names])


PLAIN = Writing()


def joined(parts: Sequence[str]) -> str:
    """Parts of a sentence with commas and "and"."""
    if len(parts) < 2:
        return "".join(parts)
    return f"{', '.join(parts[:-1])} and {parts[-1]}"


def leading_text(leaders: Sequence[str], what: str, score: str) -> str:
    """The systems that have the highest or the lowest score."""
    verb = "has" if len(leaders) == 1 else "share"
    return f"{named_first(leaders, MOST_LISTED)} {verb} the {what}, {score}"


def named_first(names: Sequence[str], most: int) -> str:
    """At most so many parts with "and": names and, where they are more, how many more."""
    if len(names) <= most:
        return joined(names)
    shown = names[: most - 1]
    return joined([*shown, f"{len(names) - len(shown):,} more"])


def plural(noun: str, count: int) -> str:
    """A noun as it stands after a count."""
    return noun if count == 1 else f"{noun}s"


def counted(count: int, one: str, several: str | None = None) -> str:
    """A count with its noun."""
    noun = several if several and count != 1 else plural(one, count)
    return f"{count:,} {noun}"


def percent(part: float, whole: float) -> str:
    """A share in percent. A share above 0 is not written as 0, one below 1 not as 100%."""
    if not whole:
        return UNDEFINED
    value = 100 * part / whole
    if part in (0, whole) or 1 <= value <= 99:
        return f"{value:.0f}%"
    return f"{min(max(value, 0.1), 99.9):.1f}%"


def some(texts: Sequence[str], most: int, what: str = "") -> str:
    """The first texts with commas, and how many more there are, with the noun of a run."""
    more = len(texts) - most
    first = ", ".join(texts[:most])
    if more <= 0:
        return first
    noun = f" {plural(what, more)}" if what else ""
    return f"{first} and {more} more{noun}"


def examples(texts: Sequence[str]) -> str:
    """The first texts, and dots if there are more."""
    if not texts:
        return "none"
    first = ", ".join(texts[:EXAMPLES])
    return f"{first}, ..." if len(texts) > EXAMPLES else first


def some_ids(ids: Sequence[str], others: Sequence[str] = ()) -> str:
    """The first few ids; with escapes if they look like others that they are not."""
    few, beside = ids[: EXAMPLES + 1], others[: EXAMPLES + 1]
    return examples(told_apart([*few, *beside])[: len(few)])


def shown(value: object) -> str:
    """A value in an error message: its repr; a long text or number is cut."""
    if isinstance(value, str):
        return repr(_beginning(str(value)))
    try:
        return _beginning(repr(value))
    except ValueError:  # Python writes no number of more than 4300 digits
        return "a number that is too long to show"


# Letters of other alphabets that print as letters of the Latin one.
LOOK_ALIKES = str.maketrans(
    "АВЕКМНОРСТУХІЈЅаеорсухіјѕԁһΑΒΕΖΗΙΚΜΝΟΡΤΥΧο\u2010\u2011\u2212",
    "ABEKMHOPCTYXIJSaeopcyxijsdhABEZHIKMNOPTYXo---",
)


def told_apart(texts: Sequence[str]) -> list[str]:
    """Texts as `shown`; if two of them look alike and differ, all in ASCII, with escapes."""
    looks = {_look(text) for text in texts}
    spelled = list(map(shown, texts))
    if len(looks) == len({*texts}):
        return spelled
    return [text.encode("ascii", "backslashreplace").decode() for text in spelled]


def _look(text: str) -> str:
    """What a text looks like: without signs that do not print, and each letter in one form."""
    from unicodedata import normalize  # for mistakes only

    plain = normalize("NFKC", text).translate(LOOK_ALIKES)
    return "".join(sign for sign in plain if sign.isprintable() and not sign.isspace())


def cell(text: bytes | str) -> str:
    """The beginning of a cell or a line of a file in an error message."""
    start = text[:LONGEST_CELL]
    return start.decode(errors="replace") if isinstance(start, bytes) else start


def _beginning(text: str) -> str:
    return text if len(text) <= LONGEST_VALUE else f"{text[: LONGEST_VALUE - 3]}..."


def nearest_of(name: object, known: Iterable[str]) -> str:
    """As `did_you_mean`, of names that messages have in quotes."""
    return did_you_mean(str(name), {each.lower(): repr(each) for each in known})


def did_you_mean(name: str, spelled: Mapping[str, str], cutoff: float = 0.5) -> str:
    """The end of an error message on an unknown name; empty if no known name is near.

    `spelled` has the known names as the message spells them, by their lower case. `cutoff` is the
    least similarity, from 0 to 1, as `difflib` measures it.
    """
    if not spelled:
        return ""
    from difflib import get_close_matches  # for mistakes only

    near = get_close_matches(name.lower(), spelled, n=1, cutoff=cutoff)
    return f"; did you mean {spelled[near[0]]}?" if near else ""
