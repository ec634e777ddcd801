"""The sections Method and Cite: how the numbers were made, and what to cite."""

from __future__ import annotations

from collections.abc import Iterator
from hashlib import sha256
from typing import NamedTuple

import ir_measures
import numpy as np

from ...common.version import VERSION
from ...comparison.caption import method_text
from ...measures.bibliography import papers_of
from ...measures.citations import Paper
from ...measures.residual_gain import NRG_PAPER
from ..leaderboard import MOST_LETTERS, MOST_SYSTEMS
from .content import Content
from .leaderboard import shows_letters
from .words import counted, named

DIGITS = 16  # of a digest


class Fact(NamedTuple):
    """A row of a list of terms."""

    term: str
    text: str


HOLM = Paper(
    key="holm1979",
    authors=("Holm, Sture",),
    title="A simple sequentially rejective multiple test procedure",
    venue="Scandinavian Journal of Statistics",
    year=1979,
    journal="Scandinavian Journal of Statistics",
    volume="6",
    number="2",
    pages="65--70",
)


def data(content: Content) -> list[Fact]:
    """The facts of the header."""
    matrix, documents = content.result.matrix, content.documents
    systems = counted(len(matrix.systems), "system")
    if matrix.groups:
        systems += f" of {counted(len(set(matrix.groups)), 'group')}"
    parts = [systems, counted(len(content.topics), "topic")]
    if documents is not None:
        grades = f"{documents.lowest} to {documents.highest}"
        parts.append(f"{counted(documents.judgments, 'judgment')} (grades {grades})")
    boards = content.boards
    return [
        Fact("Data", ", ".join(parts)),
        Fact("Measures", ", ".join(str(board.tested.hypotheses.measure) for board in boards)),
        Fact("Baseline", named(content.baseline or "none; the best system takes its place")),
        Fact("Tests", method_text([board.tested for board in boards])),
    ]


def method(content: Content) -> list[Fact]:
    """How the numbers were made."""
    systems, topics = len(content.result.matrix.systems), len(content.topics)
    return [
        Fact(
            "Mean, interval",
            f"mean over topics; Student's t with {topics - 1} degrees of freedom",
        ),
        Fact("Difference", "paired by topic; topics that a system does not return score 0"),
        Fact("Adjusted p", "from the tests of all pairs of systems of a measure"),
        Fact(
            "Rank",
            f"1 + number of significantly better systems, to {systems} − number of significantly "
            "worse ones",
        ),
        Fact(
            "Filled dot",
            "no system is significantly better, by the tests of this system alone",
        ),
        Fact("Letters", _letters(content)),
        Fact(
            "Order of ties",
            "score as float32, descending; equal scores by document id, descending (as trec_eval)",
        ),
        Fact("Unjudged", _unjudged(content)),
        *_left_out(content),
        Fact("Inputs (sha256)", _inputs(content)),
        Fact("Software", _software(content)),
    ]


def _letters(content: Content) -> str:
    text = "systems that share a letter do not differ significantly"
    if all(map(shows_letters, content.boards)):
        return text
    return (
        f"{text}; shown for up to {MOST_SYSTEMS} systems and {MOST_LETTERS} letters, because more "
        "cannot be read"
    )


def _unjudged(content: Content) -> str:
    text = "count as not relevant"
    if content.result.filled is None:
        return text
    return f"{text} in the tests; their grades are drawn from the learned prior where it says so"


def _left_out(content: Content) -> Iterator[Fact]:
    for measure, systems in content.result.left_out.items():
        yield Fact("Left out", f"{', '.join(map(named, systems))}: no score on {measure}")


def _inputs(content: Content) -> str:
    scores = sha256(content.result.matrix.scores.tobytes()).hexdigest()[:DIGITS]
    if content.documents is None:
        return f"scores {scores}"
    qrels, runs = (digest[:DIGITS] for digest in content.documents.digests)
    return f"qrels {qrels}; runs {runs} (rankings of the judged topics); scores {scores}"


def _software(content: Content) -> str:
    import scipy

    used = content.result.method
    hosts = f"ir_measures {ir_measures.__version__}, numpy {np.__version__}, scipy"
    text = f"irx_measures {VERSION}, {hosts} {scipy.__version__}"
    return f"{text}; seed {used.seed}" if used.draws else text


def bibtex(content: Content) -> str:
    """The papers of the measures and of the correction."""
    papers: list[Paper] = []
    for board in content.boards:
        papers += papers_of(board.tested.hypotheses.measure)
    if content.documents is not None:
        papers.append(NRG_PAPER)
    if content.result.method.correction == "holm":
        papers.append(HOLM)
    return "\n".join(paper.bibtex() for paper in dict.fromkeys(papers))
