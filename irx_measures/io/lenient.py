"""Lenient mode: drops NaN scores and duplicate documents, with a warning."""

from __future__ import annotations

import numpy as np

from ..common.numeric import Int64Array
from ..common.warn import warn
from .table import Table


def drop_invalid_run(run: Table) -> Table:
    """A run without NaN scores and duplicates; the row with a document's highest score stays."""
    valid = valid_run_rows(run)
    return run if valid is None else run.at(valid)


def valid_run_rows(run: Table) -> Int64Array | None:
    """The rows that `drop_invalid_run` keeps, after a warning; None if it keeps all."""
    scored = np.flatnonzero(~np.isnan(run.value))
    without_score = len(run) - len(scored)
    best_first = scored[np.argsort(-run.value[scored], kind="stable")]
    valid = np.sort(best_first[run.first_of_each(best_first)])
    duplicates = len(scored) - len(valid)
    if not (without_score or duplicates):
        return None
    _warn(run.label, NaN_scores=without_score, documents_returned_again=duplicates)
    return valid


def drop_invalid_qrels(qrels: Table) -> Table:
    """Qrels without duplicates; the first judgment of a document stays."""
    valid = valid_qrels_rows(qrels)
    return qrels if valid is None else qrels.at(valid)


def valid_qrels_rows(qrels: Table) -> Int64Array | None:
    """The rows that `drop_invalid_qrels` keeps, after a warning; None if it keeps all."""
    valid = np.flatnonzero(qrels.first_of_each(np.arange(len(qrels))))
    if len(valid) == len(qrels):
        return None
    _warn(qrels.label, documents_judged_again=len(qrels) - len(valid))
    return valid


def _warn(what: str, **left_out: int) -> None:
    parts = [f"{kind.replace('_', ' ')} ({count})" for kind, count in left_out.items() if count]
    warn(f"{what}: left out {', '.join(parts)}")
