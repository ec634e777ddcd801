"""What the systems return, seen through the judgments, and the texts of topics and documents."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from itertools import compress, pairwise
from os import PathLike
from pathlib import Path

import numpy as np

from ...common.numeric import Int64Array
from ...common.progress import with_bar
from ...common.writing import one_line
from ...exceptions import InputError
from ...io.block import Block
from ...io.columns import QUERY_NAMES
from ...io.irds import document_texts, topic_texts
from ...io.rows import entries
from ...io.source import Source
from ...io.table import Table, by_pair
from ...judgments.judgments import Judgments
from ...judgments.ranking import Ranking
from ...measures.declaring.relative import PriorMeasure
from ...measures.residual_gain import NRG
from ...meta.residual_gain import ResidualGainMatrix, counts_all_others, residual_gain_of
from ...meta.unjudged import DEPTH as DEEPEST
from ...meta.unjudged import UnjudgedByRank, counts_by_rank
from ...runsets.caches import judged
from ...runsets.runset import RunSet
from ...scoring.score_matrix import ScoreMatrix

NOTHING = -1  # no document at a rank: positions count from 0

TEXT_NAMES = ("text", "query", "title")  # of the column of texts, as tools name it


@dataclass(frozen=True)
class PooledDocuments:
    """The documents that systems return, with their grades."""

    depth: int  # how many documents of a ranking are shown
    # Per topic, the documents that a shown system returns at a rank of at most `depth`, with
    # their grades; None if a document was not judged.
    pools: list[dict[str, int | None]]
    # (shown systems, topics, depth) ints: positions in the pools; `NOTHING` beyond the end of a
    # ranking.
    top: Int64Array
    unjudged: UnjudgedByRank  # how many documents are unjudged at each rank
    adds: ResidualGainMatrix  # what each system adds to each other one
    judgments: int  # their number
    lowest: int  # of their grades
    highest: int  # of their grades
    digests: tuple[str, str]  # sha256 of qrels and runs


def documents_of(
    matrix: ScoreMatrix,
    shown: Sequence[str],
    qrels: Table,
    runset: RunSet,
    depth: int,
    progress: bool | None = False,
) -> PooledDocuments:
    """Read the runs of the systems of a matrix once; the rankings of those that are shown stay.

    InputError if a system has no run, or a topic no judgments.
    """
    judgments = Judgments(qrels)
    positions = _positions_of(matrix.systems, runset)
    topics = _topics_of(matrix.query_ids, judgments)
    places: list[dict[str, int]] = [{} for _ in topics]  # of the documents in the pools
    top = np.full((len(shown), len(topics), depth), NOTHING)
    grades = _grades_by_topic(qrels, judgments)
    row_of = {name: row for row, name in enumerate(shown)}
    returned = np.zeros((len(positions), DEEPEST), np.int64)
    unjudged = np.zeros_like(returned)
    digest = sha256()
    of_topics = [grades[topic] for topic in topics]
    named_positions = list(zip(matrix.systems, positions, strict=True))
    for system, (name, position) in enumerate(with_bar(named_positions, "run", progress)):
        rankings = _rankings(runset.source(position), judgments)
        ranked = [rankings[topic] for topic in topics]
        returned[system], unjudged[system] = _counts(ranked, of_topics)
        if name in row_of:
            _note(ranked, places, top[row_of[name]])
        digest.update(_ranking_digest(judgments, rankings))
    judged_set = judged(runset, judgments)  # scoring has judged the runs
    if positions != list(range(len(runset))):
        judged_set = judged_set.subset(runset, np.array(positions))
    pools = [
        {name: of_topic.get(name) for name in pool}
        for pool, of_topic in zip(places, of_topics, strict=True)
    ]
    every = [grade for of_topic in grades for grade in of_topic.values()]
    return PooledDocuments(
        depth,
        pools,
        top,
        UnjudgedByRank(matrix.systems, len(topics), returned, unjudged),
        residual_gain_of(judged_set, _measure_of_adds(matrix, depth), topics, progress),
        len(every),
        min(0, min(every, default=0)),
        max(0, max(every, default=0)),
        (_qrels_digest(qrels), digest.hexdigest()),
    )


def _measure_of_adds(matrix: ScoreMatrix, depth: int) -> PriorMeasure:
    """What says what each system adds: the first measure of it that was asked for, or NRG."""
    for measure in matrix.measures:
        if counts_all_others(measure):
            return measure
    usual: PriorMeasure = NRG(prior="others") @ depth
    return usual


def _positions_of(systems: Sequence[str], runset: RunSet) -> list[int]:
    place = {name: position for position, name in enumerate(runset.names)}
    missing = [name for name in systems if name not in place]
    if missing:
        raise InputError(f"`runs` must have every system of the scores; missing {missing[:5]}")
    return [place[name] for name in systems]


def _topics_of(query_ids: Sequence[str], judgments: Judgments) -> list[int]:
    number = judgments.query_index.number
    missing = [query for query in query_ids if query not in number]
    if missing:
        raise InputError(f"`qrels` must have every topic of the scores; missing {missing[:5]}")
    return [number[query] for query in query_ids]


def _grades_by_topic(qrels: Table, judgments: Judgments) -> list[dict[str, int]]:
    """The grades of the judged documents of each topic."""
    number = judgments.query_index.number
    grades: list[dict[str, int]] = [{} for _ in judgments.query_ids]
    for (topic, document), grade in by_pair(qrels).items():
        grades[number[topic]][document] = grade
    return grades


def _rankings(source: Source, judgments: Judgments) -> list[list[str]]:
    """The documents that a run returns for each judged topic, by rank."""
    ranking = Ranking.of(source.read(), judgments.query_index)
    names = ranking.doc_ids(slice(None))
    ends = np.cumsum(ranking.returned).tolist()
    return [names[start:end] for start, end in pairwise([0, *ends])]


def _counts(
    ranked: Sequence[Sequence[str]], grades: Sequence[Mapping[str, int]]
) -> tuple[Int64Array, Int64Array]:
    """How many documents are returned at each rank, and how many of these are unjudged."""
    judged_at: list[int] = []
    for documents, of_topic in zip(ranked, grades, strict=True):
        judged_at.extend(compress(range(1, DEEPEST + 1), map(of_topic.__contains__, documents)))
    lengths = np.array([len(documents) for documents in ranked])
    return counts_by_rank(lengths, np.array(judged_at, np.int64), DEEPEST)


def _note(
    ranked: Sequence[Sequence[str]], places: Sequence[dict[str, int]], top: Int64Array
) -> None:
    """Give the top documents of a run places in the pools, and write these to its rows."""
    for documents, pool, row in zip(ranked, places, top, strict=True):
        for rank, name in enumerate(documents[: len(row)]):
            row[rank] = pool.setdefault(name, len(pool))


def _ranking_digest(judgments: Judgments, rankings: Sequence[Sequence[str]]) -> bytes:
    of_topics = list(zip(judgments.query_ids, rankings, strict=True))
    return sha256(repr(of_topics).encode()).digest()


def _qrels_digest(qrels: Table) -> str:
    rows = zip(qrels.query.all(), qrels.doc.all(), qrels.value.tolist(), strict=True)
    return sha256(repr(sorted(rows)).encode()).hexdigest()


def texts_of(texts: str | Mapping[str, str] | None, doc_ids: Iterable[str]) -> Mapping[str, str]:
    """The texts of some documents: of an ir_datasets id, or the caller's; empty for None."""
    if isinstance(texts, str):
        return document_texts(texts, doc_ids)
    known = checked_texts(texts or {}, "texts")
    return {name: known[name] for name in doc_ids if name in known}


def titles_of(
    texts: str | Mapping[str, str] | None, topics: Mapping[str, str] | str | PathLike[str] | None
) -> Mapping[str, str]:
    """The texts of the topics: those of a file or of the caller replace those of the dataset."""
    given = read_topics(Path(topics)) if isinstance(topics, (str, PathLike)) else topics
    of_dataset = topic_texts(texts) if isinstance(texts, str) else {}
    return {**of_dataset, **checked_texts(given or {}, "topics")}


def read_topics(path: Path) -> dict[str, str]:
    """The text of each topic in a table with the columns query_id and text.

    InputError if a column is missing, or a topic has two texts.
    """
    found: dict[str, str] = {}
    for _, topic, text in entries(path, {QUERY_NAMES: Block.texts, TEXT_NAMES: Block.texts}):
        if found.setdefault(topic, text) != text:
            raise InputError(f"{path}: topic {topic!r} must have one text; got two")
    return found


def checked_texts(texts: object, name: str) -> Mapping[str, str]:
    """A mapping from ids to texts, each in one line; TypeError for anything else."""
    if not isinstance(texts, Mapping):
        raise TypeError(f"`{name}` must map ids to texts; got {type(texts).__name__}")
    return {str(key): one_line(text) for key, text in texts.items()}
