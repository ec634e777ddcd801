"""What runs add to the documents that BM25 retrieved for re-ranking (not in the paper)."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np

from ...exceptions import InputError
from ...io.columns import QrelsColumns, RunColumns
from ...io.irds import IRDS
from ...io.trec import read_run
from ...scoring.evaluate import evaluate
from ..material import Material, Request
from ..results import PaperTable, in_rows
from .permuted import DECLARED

BM25_DOCUMENTS = "msmarco-passage/trec-dl-2019/judged"

_CACHED = Path("msmarco-passage", "trec-dl-2019", "ms.run")  # in the folder of ir_datasets

ALL_RELEVANT, NEW = "relevant in the top 10", "of these, not retrieved by BM25"


def bm25_documents(request: Request | None = None) -> RunColumns | None:
    """The scoreddocs of ir_datasets: those that the user named, else those in its cache.

    They are not downloaded unless the user named them.
    """
    if request is not None and request.names_data:
        named = [text for text in request.runs if text.startswith(IRDS)]
        return read_run(named[0]) if named else None
    return _cached_documents()


def _cached_documents() -> RunColumns | None:
    try:
        from ir_datasets.util import home_path
    except ImportError:
        return None
    if not (home_path() / _CACHED).exists():
        return None
    try:
        return read_run(IRDS + BM25_DOCUMENTS)
    except InputError:  # the judged queries need qrels that are not in the cache
        return None


def over_bm25(
    material: Material, documents: RunColumns, progress: bool | None = None
) -> PaperTable:
    """The relevant documents that runs find, and those of them that BM25 did not retrieve.

    Parameters
    ----------
    material
        Qrels and runs.
    documents
        The documents that BM25 retrieved. Their order is not used: the scoreddocs of MS MARCO
        have no scores.
    progress
        Whether to show progress; None shows it on a terminal.
    """
    found = _means(material, material.qrels, progress)
    new = _means(material, _without(material.qrels, documents), progress)
    order = sorted(found, key=new.__getitem__, reverse=True)
    here = in_rows((ALL_RELEVANT, NEW), {name: (found[name], new[name]) for name in order})
    return DECLARED.table("What the runs add over BM25", here, material.description)


def _without(qrels: QrelsColumns, documents: RunColumns) -> QrelsColumns:
    """Qrels in which documents of a run are not relevant."""
    retrieved = set(zip(documents.query.all(), documents.doc.all(), strict=True))
    pairs = zip(qrels.query.all(), qrels.doc.all(), strict=True)
    is_new = np.fromiter((pair not in retrieved for pair in pairs), bool, len(qrels.grade))
    return replace(qrels, grade=np.where(is_new, qrels.grade, 0))


def _means(material: Material, qrels: QrelsColumns, progress: bool | None) -> dict[str, float]:
    """Mean number of relevant documents in the top 10 of each run."""
    matrix = evaluate(material.runs, qrels, ["P@10"], progress=progress)
    return dict(zip(matrix.systems, (10 * matrix.aggregates[0]).tolist(), strict=True))
