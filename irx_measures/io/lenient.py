"""Runs and qrels with what cannot be evaluated left out, and a warning that says so."""

from __future__ import annotations

import warnings

import numpy as np
from numpy.typing import NDArray

from .columns import QrelsColumns, RunColumns, run_label
from .identifiers import Ids, ListIds


def drop_invalid_run(run: RunColumns, name: str | None) -> RunColumns:
    """A run without NaN scores, and with every document once: where its score is highest."""
    number = np.flatnonzero(~np.isnan(run.score))
    missing = len(run.score) - len(number)
    best_first = number[np.argsort(-run.score[number], kind="stable")]
    kept = np.sort(best_first[_first_of_each(run.query, run.doc, best_first)])
    repeated = len(number) - len(kept)
    if missing or repeated:
        _warn(run_label(name), NaN_scores=missing, documents_returned_again=repeated)
        return RunColumns(
            ListIds(run.query.take(kept)), ListIds(run.doc.take(kept)), run.score[kept], True
        )
    return run


def drop_invalid_qrels(qrels: QrelsColumns) -> QrelsColumns:
    """Qrels with every document once: by the first judgment of it."""
    rows = np.arange(len(qrels.grade))
    kept = rows[_first_of_each(qrels.query, qrels.doc, rows)]
    if len(kept) == len(rows):
        return qrels
    _warn("qrels", documents_judged_again=len(rows) - len(kept))
    return QrelsColumns(
        ListIds(qrels.query.take(kept)), ListIds(qrels.doc.take(kept)), qrels.grade[kept]
    )


def _first_of_each(query: Ids, doc: Ids, rows: NDArray[np.int64]) -> NDArray[np.int64]:
    """Places of the rows that are the first of their query and document."""
    seen: set[tuple[str, str]] = set()
    places = []
    for place, pair in enumerate(zip(query.take(rows), doc.take(rows), strict=True)):
        if pair not in seen:
            seen.add(pair)
            places.append(place)
    return np.array(places, np.int64)


def _warn(what: str, **left_out: int) -> None:
    parts = [f"{kind.replace('_', ' ')} ({count})" for kind, count in left_out.items() if count]
    warnings.warn(f"{what}: left out {', '.join(parts)}", UserWarning, stacklevel=4)
