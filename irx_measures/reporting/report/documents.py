"""What the systems return, seen through the judgments, and the texts of topics and documents."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from os import PathLike
from pathlib import Path

import numpy as np

from ...common.numeric import Int64Array
from ...common.writing import one_line
from ...exceptions import InputError
from ...io.checked_columns import TEXT, read_columns
from ...io.columns import QUERY_NAMES
from ...io.irds import document_texts, topic_texts
from ...io.table import Table, by_pair
from ...judgments.judged_run import JudgedRun
from ...judgments.judgments import Judgments
from ...measures.declaring.relative import PriorMeasure
from ...measures.residual_gain import NRG
from ...meta.residual_gain import ResidualGainMatrix, counts_all_others, residual_gain_of
from ...meta.unjudged import DEPTH as DEEPEST
from ...meta.unjudged import UnjudgedByRank, counts_by_rank
from ...runsets.judged_set import JudgedSet, judge_each
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
    runs = _runs_of(matrix.systems, runset)
    topics = _topics_of(matrix.query_ids, judgments)
    pools: list[dict[str, int | None]] = [{} for _ in topics]
    top = np.full((len(shown), len(topics), depth), NOTHING)
    grades = by_pair(qrels)
    place = {name: number for number, name in enumerate(shown)}
    returned, unjudged = np.zeros((2, len(runs), DEEPEST), np.int64)
    judged_set = JudgedSet(runs, judgments)
    digest = sha256()
    for position, judged in enumerate(judge_each(runs, judgments, progress)):
        judged_set.add(position, judged)
        returned[position], unjudged[position] = counts_by_rank(judged, DEEPEST, topics)
        if runs.names[position] in place:
            _read(judged, topics, grades, pools, top[place[runs.names[position]]])
        digest.update(_ranking_digest(judged))
    return PooledDocuments(
        depth,
        pools,
        top,
        UnjudgedByRank(matrix.systems, len(topics), returned, unjudged),
        residual_gain_of(judged_set, _measure_of_adds(matrix, depth), topics, progress),
        len(grades),
        min(0, min(grades.values(), default=0)),
        max(0, max(grades.values(), default=0)),
        (_qrels_digest(qrels), digest.hexdigest()),
    )


def _measure_of_adds(matrix: ScoreMatrix, depth: int) -> PriorMeasure:
    """What says what each system adds: the first measure of it that was asked for, or NRG."""
    for measure in matrix.measures:
        if counts_all_others(measure):
            return measure
    usual: PriorMeasure = NRG(prior="others") @ depth
    return usual


def _runs_of(systems: Sequence[str], runset: RunSet) -> RunSet:
    missing = [name for name in systems if name not in runset.names]
    if missing:
        raise InputError(f"`runs` must have every system of the scores; missing {missing[:5]}")
    return runset.subset([runset.names.index(name) for name in systems])


def _topics_of(query_ids: Sequence[str], judgments: Judgments) -> list[int]:
    number = judgments.query_index.number
    missing = [query for query in query_ids if query not in number]
    if missing:
        raise InputError(f"`qrels` must have every topic of the scores; missing {missing[:5]}")
    return [number[query] for query in query_ids]


def _read(
    judged: JudgedRun,
    topics: Sequence[int],
    grades: Mapping[tuple[str, str], int],
    pools: Sequence[dict[str, int | None]],
    top: Int64Array,
) -> None:
    """Add the top documents of a run to the pools, and their positions there to its rows."""
    documents = judged.top_documents(top.shape[1])
    for topic, pool, row in zip(topics, pools, top, strict=True):
        query_id = judged.judgments.query_ids[topic]
        number = {name: place for place, name in enumerate(pool)}
        for rank, name in enumerate(documents[topic]):
            row[rank] = number.setdefault(name, len(number))
            pool.setdefault(name, grades.get((query_id, name)))


def _ranking_digest(judged: JudgedRun) -> bytes:
    rankings = zip(judged.judgments.query_ids, judged.top_documents(None), strict=True)
    return sha256(repr([*rankings]).encode()).digest()


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
    for part in read_columns(path, {QUERY_NAMES: TEXT, TEXT_NAMES: TEXT}):
        for _, topic, text in part.entries():
            if found.setdefault(topic, text) != text:
                raise InputError(f"{path}: topic {topic!r} must have one text; got two")
    return found


def checked_texts(texts: object, name: str) -> Mapping[str, str]:
    """A mapping from ids to texts, each in one line; TypeError for anything else."""
    if not isinstance(texts, Mapping):
        raise TypeError(f"`{name}` must map ids to texts; got {type(texts).__name__}")
    return {str(key): one_line(text) for key, text in texts.items()}
