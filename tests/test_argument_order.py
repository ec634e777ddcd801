"""One order of arguments: runs, qrels, measures."""

from inspect import isfunction, ismethod, signature

import pytest

import irx_measures
from irx_measures import RunSet, explain, meta

QRELS = {"q": {"A": 1, "B": 0, "C": 2}}
RUN = {"q": {"A": 2.0, "B": 1.0}}

ORDERED = ("runs", "qrels", "measures")
NAMES = {"run": "runs", "runset": "runs", "measure": "measures", "methods": "measures"}

# Their order stands in the specification, or in PyTerrier; `human` and `machines` are judgments.
EXCEPTIONS = {"Experiment", "bootstrap_ndcg", "audit_judges"}


def test_runs_come_before_qrels_and_qrels_before_measures():
    homes = (irx_measures, meta, irx_measures.distributed, irx_measures.JudgmentModel)
    named = [(name, getattr(home, name)) for home in homes for name in dir(home)]
    seen = set()
    for name, function in named:
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


def test_another_order_is_an_error():
    with pytest.raises(TypeError, match="measure"):
        explain("nDCG@5", RUN, QRELS)
    with pytest.raises(TypeError, match="`runset` must be a RunSet; got dict"):
        meta.leave_group_out(QRELS, RunSet({"x": RUN, "y": RUN}), 1)
