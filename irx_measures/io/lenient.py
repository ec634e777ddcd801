"""Lenient mode: drops NaN scores and duplicate documents, with a warning."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ..common.warn import warn
from .columns import QrelsColumns, RunColumns, run_label
from .identifiers import Ids, ListIds


def drop_invalid_run(run: RunColumns, name: str | None) -> RunColumns:
    """A run without NaN scores and duplicates; the row with a document's highest score stays."""
    valid = valid_run_rows(run, name)
    if valid is None:
        return run
    query, doc = ListIds(run.query.take(valid)), ListIds(run.doc.take(valid))
    return RunColumns(query, doc, run.score[valid], True, run.origin, run.ranks)


def valid_run_rows(run: RunColumns, name: str | None) -> NDArray[np.int64] | None:
    """The rows that `drop_invalid_run` keeps, after a warning; None if it keeps all."""
    scored = np.flatnonzero(~np.isnan(run.score))
    without_score = len(run.score) - len(scored)
    best_first = scored[np.argsort(-run.score[scored], kind="stable")]
    valid = np.sort(best_first[_first_of_each(run.query, run.doc, best_first)])
    duplicates = len(scored) - len(valid)
    if not (without_score or duplicates):
        return None
    _warn(run_label(name), NaN_scores=without_score, documents_returned_again=duplicates)
    return valid


def drop_invalid_qrels(qrels: QrelsColumns) -> QrelsColumns:
    """Qrels without duplicates; the first judgment of a document stays."""
    valid = valid_qrels_rows(qrels)
    if valid is None:
        return qrels
    query, doc = ListIds(qrels.query.take(valid)), ListIds(qrels.doc.take(valid))
    return QrelsColumns(query, doc, qrels.grade[valid], qrels.origin, qrels.dataset)


def valid_qrels_rows(qrels: QrelsColumns) -> NDArray[np.int64] | None:
    """The rows that `drop_invalid_qrels` keeps, after a warning; None if it keeps all."""
    rows = np.arange(len(qrels.grade))
    valid = rows[_first_of_each(qrels.query, qrels.doc, rows)]
    if len(valid) == len(rows):
        return None
    _warn("qrels", documents_judged_again=len(rows) - len(valid))
    return valid


def _first_of_each(query: Ids, doc: Ids, rows: NDArray[np.int64]) -> NDArray[np.int64]:
    """Positions in `rows` at which a document appears for the first time in its query."""
    first: dict[tuple[str, str], int] = {}
    for position, pair in enumerate(zip(query.take(rows), doc.take(rows), strict=True)):
        first.setdefault(pair, position)
    return np.fromiter(first.values(), np.int64, len(first))


def _warn(what: str, **left_out: int) -> None:
    parts = [f"{kind.replace('_', ' ')} ({count})" for kind, count in left_out.items() if count]
    warn(f"{what}: left out {', '.join(parts)}")
