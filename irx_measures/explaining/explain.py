"""explain(): why a run has its score on a query."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import nullcontext
from dataclasses import replace
from typing import Any

import ir_measures
import numpy as np

from ..common.short_paths import public
from ..common.writing import nearest_of, some_ids
from ..doubts.facts import Facts, tell
from ..exceptions import InputError
from ..io.irds import document_texts, topic_texts
from ..io.table import Table
from ..judgments.judged_run import JudgedRun
from ..judgments.judged_share import JudgedShare
from ..measures.declaring.base import Measure, judgments_for
from ..measures.naming.strings import parse_measure
from ..measures.standard import own_measure
from ..runsets.given import judged_documents, refuse_swapped, set_of
from ..runsets.judged_set import judge_each
from ..runsets.registry import ignoring_identical_ids, scope
from ..runsets.runset import RunSet
from ..scoring.evaluate import parse_all
from ..typing import GroupsLike, MeasureLike, QrelsLike, RunLike, RunsLike
from .explanation import Explanation
from .own import ExplainedScore, own_score
from .standard import standard_score


@public
def explain(
    qrels: QrelsLike | Table,
    run: RunLike,
    measure: MeasureLike,
    runs: RunsLike | None = None,
    query_id: str | None = None,
    missing: bool = False,
    *,
    groups: GroupsLike | None = None,
    strict: bool = True,
    texts: str | None = None,
    ignore_identical_ids: bool = False,
) -> Explanation:
    """Why a run has its score on a query: what each document adds, and the formula with numbers.

    Parameters
    ----------
    qrels
        As for `evaluate`.
    run
        The name of one of `runs`, or a run in any form that `evaluate` accepts.
    groups, strict, ignore_identical_ids
        As for `evaluate`.
    measure
        A measure or measure string: of this package, or nDCG, AP, P, R, RR, ERR or RBP of
        ir_measures.
    runs
        The systems under comparison: `others` in the measure, and names in it, mean these runs.
    query_id
        A query of the qrels. None: the only query of the qrels.
    missing
        Whether to list the documents that could add to the score and are not in the top k: those
        that are worth most first, then by their rank in the run; those that it lacks come last.
    texts
        The ir_datasets id of the documents, to show their texts and the query's.

    Returns
    -------
    Explanation
        With `contribution` if the score is a sum over documents, and always with `terms` and
        `formula`.

    Warns
    -----
    EvaluationWarning
        When the score may not answer the user's question, as in `evaluate`. If less than 90% of the
        run's top 10 is judged, it is compared with `runs`, which are read for that.

    Raises
    ------
    ValueError
        When the query is not in the qrels, the measure cannot be explained, the run has no score
        because it is its own only prior, or as for `evaluate`.

    See Also
    --------
    irx_measures.Comparison.difference : Finds the queries on which two systems differ most.

    Examples
    --------
    The prior ranks A first, so A has no gain left, and only C adds to the score.

    >>> import irx_measures
    >>> qrels = {"q": {"A": 1, "B": 0, "C": 1, "D": 1}}
    >>> runs = {"mine": {"q": ["A", "B", "C"]}, "bm25": {"q": ["A", "D"]}}
    >>> why = irx_measures.explain(qrels, "mine", "NRG(prior=others)@3", runs)
    >>> print(why.summary)
    NRG(prior=others)@3 of mine on query 'q': found / ideal = 0.5000 / 1.2329 = 0.4056
    >>> why.to_frame()[["rank", "doc_id", "grade", "priors", "unseen", "contribution"]].round(3)
       rank doc_id  grade  priors  unseen  contribution
    0     1      A      1  bm25 1     0.0         0.000
    1     2      B      0             1.0         0.000
    2     3      C      1             1.0         0.406
    """
    (asked,) = parse_all(parse_measure(measure))
    how = {"strict": strict, "ignore_identical_ids": ignore_identical_ids}
    runset = None if runs is None else set_of(runs, groups, **how)
    _refuse_swapped(qrels, run, runset)
    columns = judged_documents(qrels, strict)
    name, table = _the_run(run, runset, how)
    within = nullcontext() if runset is None else scope(runset)
    # In which `others` are the runs, and runs of measures are read as the run is.
    with within, ignoring_identical_ids(ignore_identical_ids):
        scored = own_measure(asked) or asked
        own = [scored] if isinstance(scored, Measure) else []
        judgments = judgments_for(own, columns)
        judged = JudgedRun(judgments, table, name)
        row = _row_of(query_id, judgments.query_ids)
        if isinstance(scored, Measure):
            found = own_score(scored, judged, row)
        else:
            found = standard_score(scored, columns, judged, row)
        _tell_doubts(scored, judged, columns, runset)
    lacking = _lacking(found)
    kept = np.flatnonzero(found.documents.in_top).tolist()
    if missing:
        kept += lacking
    explanation = _explanation(asked, found, judged, kept, len(lacking))
    if texts is None:
        return explanation
    text_of = document_texts(texts, explanation.doc_ids)
    return replace(
        explanation,
        query_text=topic_texts(texts).get(explanation.query_id, ""),
        texts=tuple(text_of.get(doc, "") for doc in explanation.doc_ids),
    )


def _tell_doubts(
    measure: ir_measures.Measure, judged: JudgedRun, qrels: Table, runset: RunSet | None
) -> None:
    """Warn of reasons why the score may not answer the question."""
    facts = Facts([measure])
    facts.add_qrels(judged.judgments, qrels.path, qrels.dataset)
    facts.add(judged)
    if runset is not None and facts.may_be_uneven:  # the other runs are read only then
        others = judge_each(runset, judged.judgments)
        facts.compare_with(JudgedShare.of(other) for other in others)
    tell(facts.warnings())


def _lacking(found: ExplainedScore) -> list[int]:
    """Positions of the documents outside the top k that could add to the score, the best first.

    Of those that are worth the same, the ones nearest to the cutoff come first, and then, by their
    ids, those that the run does not return.
    """
    worth, documents = found.reasons.worth, found.documents
    lacking = np.flatnonzero(~documents.in_top & (worth > 0)).tolist()

    def place(position: int) -> tuple[float, bool, int, str]:
        rank = int(documents.rank_in_run[position])
        return -float(worth[position]), not rank, rank, documents.ids[position]

    return sorted(lacking, key=place)


def _explanation(
    asked: ir_measures.Measure,
    found: ExplainedScore,
    judged: JudgedRun,
    kept: list[int],
    lacking: int,
) -> Explanation:
    """What explains the score, with the documents at these positions, and without texts."""
    documents, reasons = found.documents, found.reasons
    judgments = judged.judgments
    row = documents.row
    doc_ids = tuple(documents.ids[place] for place in kept)
    grade_of = dict(zip(judgments.ids_of(row), judgments.grade[row].tolist(), strict=False))
    factors: dict[str, tuple[Any, ...]] = {}
    for factor, values in reasons.factors.items():
        listed = values.tolist() if isinstance(values, np.ndarray) else values
        factors[factor] = tuple(listed[place] for place in kept)
    contribution = reasons.contribution
    if contribution is not None:
        contribution = contribution[kept]
    return Explanation(
        measure=str(asked),
        system=judged.name or "",
        query_id=judgments.query_ids[row],
        score=found.score,
        doc_ids=doc_ids,
        top=int(np.count_nonzero(documents.in_top)),
        rank=tuple(rank or None for rank in documents.rank_in_run[kept].tolist()),
        grade=tuple(grade_of.get(doc) for doc in doc_ids),
        factors=factors,
        contribution=contribution,
        terms=reasons.terms,
        formula=reasons.formula,
        legend=reasons.legend,
        lacking=lacking,
    )


def _refuse_swapped(qrels: object, run: object, runset: RunSet | None) -> None:
    """InputError if the run comes first: by its name, or where its numbers tell it."""
    if isinstance(qrels, str) and runset is not None and qrels in runset.names:
        raise InputError(f"explain: `qrels` come first, then `run`; got the run {qrels!r} first")
    refuse_swapped(qrels, run)


def _the_run(run: RunLike, runset: RunSet | None, how: dict[str, bool]) -> tuple[str | None, Table]:
    """The run whose score is explained: its name, if it has one, and its rows."""
    if runset is not None and isinstance(run, str):
        if run in runset.names:
            return run, runset.run(runset.names.index(run))
        names = some_ids(runset.names)
        hint = nearest_of(run, runset.names)
        raise InputError(f"explain: `run` must be a run or one of {names}; got {run!r}{hint}")
    alone = set_of(run, None, **how)
    if len(alone) != 1:
        raise InputError(f"explain: `run` must be one run; got {len(alone)} of them")
    return alone.names[0] if alone.named else None, alone.run(0)


def _row_of(query_id: str | None, query_ids: Sequence[str]) -> int:
    if query_id is None and len(query_ids) == 1:
        return 0
    if query_id is None:
        raise InputError(
            f"explain: `query_id` is missing: name one of the qrels, such as {some_ids(query_ids)}"
        )
    if query_id not in query_ids:
        raise InputError(
            f"explain: the query must be one of the qrels, such as {some_ids(query_ids)}; got "
            f"{query_id!r}{nearest_of(query_id, query_ids)}"
        )
    return query_ids.index(query_id)
