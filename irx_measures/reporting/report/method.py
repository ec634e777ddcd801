"""The sections Method and Cite: how the numbers were made, and what to cite."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from hashlib import sha256
from typing import TypeAlias

import ir_measures
import numpy as np

from ...common.version import VERSION
from ...common.writing import counted
from ...comparison.compare import FEWEST_TOPICS
from ...comparison.result import left_out_of
from ...comparison.words import BEST, intervals_text, method_text
from ...measures.citations import Paper, paper, papers_of
from ...measures.named_score import lower_is_better
from ...scoring.score_matrix import ScoreMatrix
from .content import Content
from .documents import PooledDocuments

DIGITS = 16  # of a digest: 64 bits, enough to recognise a file

Fact: TypeAlias = tuple[str, str]  # a term and what it means here

ORDER_OF_TIES: Fact = (
    "Order of ties",
    "score as float32, descending; equal scores by document id, descending (as trec_eval)",
)

UNJUDGED = "count as not relevant"


def data(content: Content) -> list[Fact]:
    """The facts of the header."""
    measures = [board.measure for board in content.boards]
    return [
        *scored(content.result.matrix, measures, content.documents),
        ("Baseline", _baseline(content)),
        *_tests(content),
    ]


def scored(
    matrix: ScoreMatrix,
    measures: Sequence[ir_measures.Measure],
    documents: PooledDocuments | None,
) -> list[Fact]:
    """What was scored, and by which measures."""
    systems = counted(len(matrix.systems), "system")
    if matrix.groups:
        systems += f" of {counted(len(set(matrix.groups)), 'group')}"
    parts = [systems, counted(len(matrix.query_ids), "topic")]
    if documents is not None:
        grades = f"{documents.lowest} to {documents.highest}"
        parts.append(f"{counted(documents.judgments, 'judgment')} (grades {grades})")
    return [("Data", ", ".join(parts)), ("Measures", _measures(measures))]


def _measures(measures: Sequence[ir_measures.Measure]) -> str:
    named = ", ".join(map(str, measures))
    return ". ".join([named, *lower_is_better(measures)])


def _baseline(content: Content) -> str:
    if content.baseline is None:
        return "none; the best system takes its place"
    return content.writing.name(content.baseline)


def _tests(content: Content) -> list[Fact]:
    """How each measure was tested; one line if all were tested alike."""
    how = {board.head: method_text([board.tested]) for board in content.boards}
    if len(set(how.values())) == 1:
        return [("Tests", next(iter(how.values())))]
    return [(f"Tests of {head}", text) for head, text in how.items()]


def method(content: Content) -> list[Fact]:
    """How the numbers were made."""
    return [
        mean_fact(len(content.topics)),
        ("Difference", "paired by topic; topics that a system does not return score 0"),
        ("Its interval", intervals_text([content.boards[0].tested])),
        ("Adjusted p", _adjusted_p(content)),
        *_ranks(content),
        ORDER_OF_TIES,
        ("Unjudged", _unjudged(content)),
        *_left_out(content),
        inputs(content.result.matrix, content.documents),
        ("Software", _software(content)),
    ]


def mean_fact(topics: int) -> Fact:
    """What means and their intervals are."""
    if topics < FEWEST_TOPICS:
        return (
            "Mean",
            f"mean over topics; fewer than {FEWEST_TOPICS} topics have no useful interval",
        )
    return "Mean, interval", f"mean over topics; Student's t with {topics - 1} degrees of freedom"


def _adjusted_p(content: Content) -> str:
    if content.result.baselines:
        return "of the comparisons with baselines"
    return "of the tests of all pairs of systems of a measure"


def _ranks(content: Content) -> Iterator[Fact]:
    """What ranks are, if there are any."""
    if content.boards[0].ranks is not None:
        systems = len(content.result.matrix.systems)
        yield (
            "Rank",
            f"1 + number of significantly better systems, to {systems} − number of significantly "
            "worse ones",
        )
        yield "Filled dot", f"{BEST}: the rank begins at 1"


def _unjudged(content: Content) -> str:
    if content.result.worlds is None:
        return UNJUDGED
    return (
        f"{UNJUDGED} in the tests; their grades are drawn from the learned prior where it says so"
    )


def _left_out(content: Content) -> Iterator[Fact]:
    for measure, systems in left_out_of(content.result.matrix).items():
        names = ", ".join(map(content.writing.name, systems))
        yield ("Left out", f"{names}: no score on {measure}")


def inputs(matrix: ScoreMatrix, documents: PooledDocuments | None) -> Fact:
    """The digests of what was scored."""
    term, scores = "Inputs (sha256)", sha256(matrix.scores.tobytes()).hexdigest()[:DIGITS]
    if documents is None:
        return term, f"scores {scores}"
    qrels, runs = (digest[:DIGITS] for digest in documents.digests)
    return term, f"qrels {qrels}; runs {runs} (rankings of the judged topics); scores {scores}"


def software() -> str:
    """The versions of what made the numbers."""
    import scipy

    hosts = f"ir_measures {ir_measures.__version__}, numpy {np.__version__}, scipy"
    return f"irx_measures {VERSION}, {hosts} {scipy.__version__}"


def _software(content: Content) -> str:
    used = content.result.method
    return f"{software()}; seed {used.seed}" if used.drawn else software()


def bibtex(content: Content) -> str:
    """The papers of the measures and of the correction."""
    others = [] if content.documents is None else [paper("nrg2024")]
    if content.result.method.correction == "holm":
        others.append(paper("holm1979"))
    return cited([board.measure for board in content.boards], others)


def cited(measures: Sequence[ir_measures.Measure], others: Sequence[Paper] = ()) -> str:
    """The papers of the measures, and others."""
    papers = [*(paper for measure in measures for paper in papers_of(measure)), *others]
    return "\n".join(paper.bibtex for paper in dict.fromkeys(papers))
