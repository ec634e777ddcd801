"""The header, and the sections Method and Cite: how the numbers were made, and what to cite."""

from __future__ import annotations

from collections.abc import Iterator
from hashlib import sha256
from typing import TypeAlias

import ir_measures
import numpy as np

from ...common.version import VERSION
from ...common.writing import counted, named_first
from ...comparison.board import Leaderboard
from ...comparison.result import left_out_of
from ...comparison.words import BEST, intervals_text, method_text, paired_by
from ...measures.declaring.paper import paper
from ...measures.naming.citations import papers_of
from ...measures.naming.named_score import lower_is_better
from ...scoring.score_matrix import ScoreMatrix
from .collections import data_text
from .content import Content, named

QRELS = "Qrels"  # the fact that names them

MOST_IN_TITLE = 3  # measures, a choice: with more, a title is no longer short

DIGITS = 16  # of a digest: 64 bits, enough to recognise a file

Fact: TypeAlias = tuple[str, str]  # a term and what it means here


def header(content: Content) -> Iterator[Fact]:
    """What was scored, by which measures, and how it was tested."""
    matrix, documents = content.result.matrix, content.documents
    facts = dict(content.facts)
    if QRELS in facts:
        yield QRELS, facts.pop(QRELS)
    systems = counted(len(matrix.systems), "system")
    if matrix.groups:
        systems += f" of {counted(len(set(matrix.groups)), 'group')}"
    parts = [systems, data_text(content)]
    if documents is not None:
        grades = f"{documents.lowest} to {documents.highest}"
        parts.append(f"{counted(documents.judgments, 'judgment')} (grades {grades})")
    yield "Data", ", ".join(parts)
    boards = content.boards.values()
    falling = lower_is_better(board.measure for board in boards)
    yield "Measures", ". ".join([", ".join(map(_measured, boards)), *falling])
    baseline = "none; the best system takes its place"
    if content.baseline is not None:
        baseline = content.writing.name(content.baseline)
    yield "Baseline", baseline
    how = {board.head: method_text([board]) for board in content.boards.values() if board.is_tested}
    if len(set(how.values())) == 1:
        yield "Tests", next(iter(how.values()))
    else:
        yield from ((f"Tests of {head}", text) for head, text in how.items())
    yield from facts.items()


def _measured(board: Leaderboard) -> str:
    """A measure, with what the page calls it if that is another name."""
    name = str(board.measure)
    return name if board.head == name else f"{board.head} = {name}"


def made_title(content: Content) -> str:
    """What was measured, by which measures, on which qrels."""
    matrix = content.result.matrix
    measures = named_first([board.head for board in content.boards.values()], MOST_IN_TITLE)
    systems = counted(len(matrix.systems), "system")
    topics = counted(len(matrix.query_ids), content.first.unit)
    title = f"{measures} of {systems} on {topics}"
    qrels = content.facts.get(QRELS)
    return f"{title} of {qrels}" if qrels else title


def method(content: Content) -> Iterator[Fact]:
    """How the numbers were made."""
    result, board = content.result, content.first
    yield from _means(board)
    if result.method.has_intervals:
        yield "Its interval", intervals_text(result.method)
    family = "of the tests of all pairs of systems of a measure"
    if result.baselines:
        family = "of the comparisons with baselines"
    yield "Adjusted p", family
    if board.rank_low is not None:
        yield (
            "Rank",
            f"1 + number of significantly better systems, to {len(result.matrix.systems)} − number "
            "of significantly worse ones",
        )
        yield "Filled dot", f"{BEST}: the rank begins at 1"
    yield (
        "Order of ties",
        "score as float32, descending; equal scores by document id, descending (as trec_eval 9)",
    )
    counted_as = "count as not relevant"
    if result.worlds is not None:
        counted_as += (
            " in the tests; their grades are drawn from the learned prior where it says so"
        )
    yield "Unjudged", counted_as
    for measure, systems in left_out_of(result.matrix).items():
        yield f"No score on {measure}", content.writing.names(systems)
    yield "Inputs (sha256)", _inputs(content)
    seed = f"; seed {result.method.seed}" if result.method.drawn else ""
    yield "Software", f"{_software()}{seed}"


def _means(board: Leaderboard) -> Iterator[Fact]:
    """What means, their intervals and differences are."""
    tested, t = board, f"Student's t with {board.topics - 1} degrees of freedom"
    missing = "that a system does not return score 0"
    if tested.macro is None:
        yield "Mean, interval", f"mean over topics; {t}"
        yield "Difference", f"paired by topic; topics {missing}"
        return
    if tested.macro == "queries":
        t = f"Student's t over the queries of each {tested.unit} (Welch, Satterthwaite)"
    mean = f"mean of the {tested.unit}s' means, each with the same weight"
    yield "Macro mean, interval", f"{mean}; {t}"
    yield "Difference", f"paired {paired_by(tested)}; queries {missing}"
    if tested.has_other_groups:
        freedom = f"{board.topics - 1} degrees of freedom"
        yield f"Other {tested.unit}s", f"t test of the {tested.unit}s' mean differences, {freedom}"


def _inputs(content: Content) -> str:
    """The digests of what was scored."""
    grouped = content.result.grouped
    if grouped is not None:
        of_groups = zip(grouped.groups, grouped.sizes, grouped.parts, strict=True)
        return "; ".join(
            f"{named(group)}: {counted(size, 'query', 'queries')}, {_scores(part)}"
            for group, size, part in of_groups
        )
    scores = _scores(content.result.matrix)
    if content.documents is None:
        return scores
    of_qrels, of_runs = content.documents.digests
    qrels, runs = of_qrels[:DIGITS], of_runs[:DIGITS]
    return f"qrels {qrels}; runs {runs} (rankings of the judged topics); {scores}"


def _scores(matrix: ScoreMatrix) -> str:
    """The digest of scores."""
    return f"scores {sha256(matrix.scores.tobytes()).hexdigest()[:DIGITS]}"


def _software() -> str:
    """The versions of what made the numbers."""
    import scipy

    hosts = f"ir_measures {ir_measures.__version__}, numpy {np.__version__}, scipy"
    return f"irx_measures {VERSION}, {hosts} {scipy.__version__}"


def bibtex(content: Content) -> str:
    """The papers of the measures and of the correction."""
    papers = [each for board in content.boards.values() for each in papers_of(board.measure)]
    if content.documents is not None:
        papers.append(paper("nrg2024"))
    if content.result.method.correction == "holm":
        papers.append(paper("holm1979"))
    return "\n".join(each.bibtex for each in dict.fromkeys(papers))
