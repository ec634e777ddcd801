"""PyTerrier's DataFrames, checked as `evaluate` checks them; errors name the system.

PyTerrier converts results before it scores them: booleans and complex numbers become scores, and
the rows of two systems in one table become one run. Its own errors name no system.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import partial
from operator import getitem
from typing import Any

import ir_measures
import numpy as np

from ..common.writing import one_line
from ..exceptions import InputError
from ..io.block import block_in_memory
from ..io.columns import (
    DOC_NAMES,
    GRADE_LIMIT,
    GRADE_NAMES,
    INSTEAD,
    QUERY_NAMES,
    SYSTEM_NAMES,
    names_in,
    pick,
)
from ..io.containers import form_of, run_table
from ..io.gather import refuse_several_systems
from ..io.table import run_label
from ..io.trec import read_qrels
from ..typing import DataFrame

QID = "qid"  # the columns that PyTerrier reads

DOCNO = "docno"

LABEL = "label"

# PyTerrier does not read these columns if it has its own.
OTHER_NAMES = [name for name in (*QUERY_NAMES, *DOC_NAMES) if name not in (QID, DOCNO)]


def with_terrier_names(frame: Any, what: str, graded: bool = False) -> Any:
    """A frame of results or qrels in which columns with other accepted names have PyTerrier's.

    ``docid`` is PyTerrier's own number of a document, and stays. `graded` says whether the frame is
    qrels, whose grades become integers if they are whole. What is no DataFrame stays as it is.
    """
    if form_of(frame) != "DataFrame":
        return frame
    columns = list(frame.columns)
    wanted = {QID: QUERY_NAMES, DOCNO: DOC_NAMES}
    if graded:
        wanted[LABEL] = GRADE_NAMES
    renamed = {}
    for name, names in wanted.items():
        present = set(names_in(names, columns)) - set(INSTEAD[DOC_NAMES])
        if present and name not in columns:
            cells = partial(getitem, frame)
            renamed[pick(names, columns, f"{what} DataFrame", cells)] = name
    if renamed:
        frame = frame.rename(columns=renamed)
    return _with_integers(frame) if graded else frame


def _with_integers(qrels: DataFrame) -> DataFrame:
    """Qrels whose grades are integers if all are whole: a merge of pandas makes floats of them.

    Others stay as they are: their reader refuses them.
    """
    if list(qrels.columns).count(LABEL) != 1 or qrels[LABEL].dtype == np.int64:
        return qrels
    try:
        grades = block_in_memory("qrels", {LABEL: qrels[LABEL]}).numbers((LABEL,))
    except InputError:
        return qrels
    are_whole = np.isfinite(grades) & (np.abs(grades) < GRADE_LIMIT) & (np.floor(grades) == grades)
    return qrels.assign(**{LABEL: grades.astype(np.int64)}) if are_whole.all() else qrels


def shallow_copy(given: Any) -> Any:
    """A DataFrame of which PyTerrier may replace columns, as it does with integer ids.

    What is no DataFrame stays as it is.
    """
    return given.copy(deep=False) if form_of(given) == "DataFrame" else given


def check_results(found: DataFrame, system: str) -> None:
    """InputError if PyTerrier would score what is no run: columns twice, several systems.

    The scores may be what `float` reads, and results need no scores, as those of generated answers.
    """
    label = run_label(system)
    columns = list(found.columns)
    for name in (QID, DOCNO, "score"):
        if name in columns:
            pick((name,), columns, label)
    once = [name for name in SYSTEM_NAMES if columns.count(name) == 1]
    refuse_several_systems({name: {*map(str, found[name])} for name in once}, label)
    if "score" in columns:
        scores = found["score"].dropna()
        if scores.dtype.kind in "OU":
            scores = scores[~scores.map(lambda score: isinstance(score, str))]
        block_in_memory(label, {"score": scores}).numbers(("score",))


def converted(pt: Any, found: DataFrame, system: str) -> DataFrame:
    """A copy of results with PyTerrier's types of ids and scores."""
    check_results(found, system)
    try:
        frame: DataFrame = pt.model.coerce_dataframe_types(found.copy())
    except (TypeError, ValueError) as error:
        raise InputError(f"{run_label(system)}: {one_line(error)}") from None
    return frame


def are_registered(measures: Mapping[str, Any]) -> bool:
    """Whether no measure is a function of the user, which may read any columns of any type."""
    known = ir_measures.measures.registry
    return all(measure.NAME in known for measure in measures.values())


def check_qrels_ids(qrels: Any) -> None:
    """TypeError if the ids of PyTerrier's qrels are no strings."""
    _check_ids(qrels, "qrels", (QID, DOCNO))


def _check_ids(table: Any, what: str, names: tuple[str, ...]) -> None:
    columns = list(getattr(table, "columns", []))
    for name in names:
        if columns.count(name) == 1:
            block_in_memory(what, {name: table[name]}).ids((name,))


@contextmanager
def named_mistakes(
    pt: Any, topics: Any, qrels: Any, results: Mapping[str, DataFrame]
) -> Iterator[None]:
    """A context in which an error of PyTerrier about its input becomes that of `evaluate`.

    An error about anything else stays as it is. `results` are by the names of the systems.
    """
    try:
        yield
    except Exception as error:
        try:
            _refuse_mistakes(pt, topics, qrels, results)
        except (InputError, TypeError) as mistake:
            raise mistake from error
        raise


def _refuse_mistakes(pt: Any, topics: Any, qrels: Any, results: Mapping[str, DataFrame]) -> None:
    _check_ids(topics, "topics", (QID,))
    if hasattr(qrels, "columns"):
        read_qrels(qrels)
    for system, found in results.items():
        frame = converted(pt, found, system)
        run_table(frame.drop(columns=OTHER_NAMES, errors="ignore"), run_label(system))
