"""The sections Method and Cite: how the numbers were made, and what to cite."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from hashlib import sha256
from typing import TypeAlias

import ir_measures
import numpy as np

from ...common.version import VERSION
from ...common.writing import counted
from ...comparison.findings import BEST, LETTERS, families_text
from ...comparison.leaderboard import MOST_READABLE, MOST_SYSTEMS_READABLE
from ...measures.bibliography import papers_of
from ...measures.citations import Paper
from ...measures.named_score import lower_is_better
from ...measures.residual_gain import NRG_PAPER
from .content import Content

DIGITS = 16  # of a digest: 64 bits, enough to recognise a file

Fact: TypeAlias = tuple[str, str]  # a term and what it means here


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
        ("Data", ", ".join(parts)),
        ("Measures", _measures([board.measure for board in boards])),
        ("Baseline", _baseline(content)),
        *_tests(content),
    ]


def _measures(measures: Sequence[ir_measures.Measure]) -> str:
    named = ", ".join(map(str, measures))
    return ". ".join([named, *lower_is_better(measures)])


def _baseline(content: Content) -> str:
    if content.baseline is None:
        return "none; the best system takes its place"
    return content.writing.name(content.baseline)


def _tests(content: Content) -> list[Fact]:
    """How each measure was tested; one line if all were tested alike."""
    how = {board.head: families_text(board, content.writing) for board in content.boards}
    if len(set(how.values())) == 1:
        return [("Tests", next(iter(how.values())))]
    return [(f"Tests of {head}", text) for head, text in how.items()]


def method(content: Content) -> list[Fact]:
    """How the numbers were made."""
    systems, topics = len(content.result.matrix.systems), len(content.topics)
    return [
        (
            "Mean, interval",
            f"mean over topics; Student's t with {topics - 1} degrees of freedom",
        ),
        ("Difference", "paired by topic; topics that a system does not return score 0"),
        ("Adjusted p", _adjusted_p(content)),
        (
            "Rank",
            f"1 + number of significantly better systems, to {systems} − number of significantly "
            "worse ones",
        ),
        ("Filled dot", f"{BEST}: the rank begins at 1"),
        ("Letters", _letters(content)),
        (
            "Order of ties",
            "score as float32, descending; equal scores by document id, descending (as trec_eval)",
        ),
        ("Unjudged", _unjudged(content)),
        *_left_out(content),
        ("Inputs (sha256)", _inputs(content)),
        ("Software", _software(content)),
    ]


def _adjusted_p(content: Content) -> str:
    every = "of the tests of all pairs of systems of a measure"
    if not content.result.baselines:
        return every
    return f"beside the baseline, of the comparisons with baselines; elsewhere, {every}"


def _letters(content: Content) -> str:
    if all(board.readable_letters for board in content.boards):
        return LETTERS
    return (
        f"{LETTERS}; shown for up to {MOST_SYSTEMS_READABLE} systems and {MOST_READABLE} letters, "
        "because more cannot be read"
    )


def _unjudged(content: Content) -> str:
    text = "count as not relevant"
    if content.result.filled is None:
        return text
    return f"{text} in the tests; their grades are drawn from the learned prior where it says so"


def _left_out(content: Content) -> Iterator[Fact]:
    for measure, systems in content.result.left_out.items():
        names = ", ".join(map(content.writing.name, systems))
        yield ("Left out", f"{names}: no score on {measure}")


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
        papers += papers_of(board.measure)
    if content.documents is not None:
        papers.append(NRG_PAPER)
    if content.result.method.correction == "holm":
        papers.append(HOLM)
    return "\n".join(paper.bibtex() for paper in dict.fromkeys(papers))
