"""One order of arguments: runs, qrels, measures; and what functions once took."""

from inspect import getmembers, isfunction, ismethod, signature

import pytest
from ir_measures import nDCG

import irx_measures
from irx_measures import RunSet, explain, meta

QRELS = {"q": {"A": 1, "B": 0, "C": 2}}
RUN = {"q": {"A": 2.0, "B": 1.0}}
RUNS = {"x": RUN, "AP": {"q": {"C": 1.0}}}
RUNSET = RunSet(RUNS, groups={"x": "X", "AP": "Y"})
METHODS = {"naive": "nDCG@10"}

ORDERED = ("runs", "qrels", "measures")
NAMES = {"run": "runs", "runset": "runs", "measure": "measures", "methods": "measures"}

# Their order stands in the specification, or in PyTerrier; `human` and `machines` are judgments.
EXCEPTIONS = {"Experiment", "bootstrap_ndcg", "audit_judges"}


def public_functions():
    for module in (irx_measures, meta):
        yield from getmembers(module, isfunction)
        yield from ((name, getattr(module, name)) for name in module.__all__)
    yield "distributed.evaluate", irx_measures.distributed.evaluate
    for name in ("fit", "grade_probabilities", "worlds"):
        yield f"JudgmentModel.{name}", getattr(irx_measures.JudgmentModel, name)


def test_runs_come_before_qrels_and_qrels_before_measures():
    seen = set()
    for name, function in public_functions():
        if name in EXCEPTIONS or not (isfunction(function) or ismethod(function)):
            continue
        parameters = signature(function).parameters.values()
        positional = [one.name for one in parameters if one.kind == one.POSITIONAL_OR_KEYWORD]
        asked = [NAMES.get(one, one) for one in positional if NAMES.get(one, one) in ORDERED]
        if "qrels" in asked:
            seen.add(name)
            asked = list(dict.fromkeys(asked))
            assert asked == [one for one in ORDERED if one in asked], name
    assert len(seen) > 8


@pytest.mark.parametrize("measure", ["nDCG@5", nDCG @ 5, "ndcg_cut_5"], ids=str)
@pytest.mark.parametrize(
    ("run", "named"), [(RUN, {}), ("x", {"runs": RUNS}), ("AP", {"runs": RUNS})]
)
def test_explain_takes_the_measure_first_for_one_more_release(measure, run, named):
    expected = explain(run, QRELS, measure, **named)
    told = r"explain takes \(run, qrels, measure\) in this order; the order \(measure, run, qrels\)"
    old = [
        lambda: explain(measure, run, QRELS, *named.values()),
        lambda: explain(measure, run, qrels=QRELS, **named),
        lambda: explain(measure, run=run, qrels=QRELS, **named),
    ]
    for call in old:
        with pytest.warns(DeprecationWarning, match=told) as warned:
            assert call() == expected
        assert len(warned) == 1
        assert warned[0].filename == __file__
    assert explain(run, qrels=QRELS, measure=measure, **named) == expected
    assert explain(measure=measure, run=run, qrels=QRELS, **named) == expected


@pytest.mark.parametrize(
    ("old", "expected"),
    [
        (
            lambda: meta.left_out_scores(QRELS, RUNSET, METHODS, depth=1),
            lambda: meta.left_out_scores(RUNSET, QRELS, METHODS, depth=1),
        ),
        (
            lambda: meta.left_out_scores(QRELS, runs=RUNSET, methods=METHODS, depth=1),
            lambda: meta.left_out_scores(RUNSET, qrels=QRELS, methods=METHODS, depth=1),
        ),
        (
            lambda: [
                (group, left.to_dict()) for group, left in meta.leave_group_out(QRELS, RUNSET, 1)
            ],
            lambda: [
                (group, left.to_dict()) for group, left in meta.leave_group_out(RUNSET, QRELS, 1)
            ],
        ),
    ],
)
def test_qrels_may_come_first_for_one_more_release(old, expected):
    with pytest.warns(DeprecationWarning, match=r"the order \(qrels, runs") as warned:
        got = old()
    assert len(warned) == 1
    assert got == expected()


def test_wrong_arguments_are_named_as_in_the_new_order():
    with pytest.raises(TypeError, match="`runset` must be a RunSet; got dict"):
        meta.leave_group_out(RUNS, QRELS, 1)
    told = pytest.warns(DeprecationWarning, match="in this order")
    with pytest.raises(TypeError, match="multiple values"), told:
        explain("nDCG@5", RUN, run=RUN)
    with pytest.raises(TypeError, match="missing"):
        explain()
