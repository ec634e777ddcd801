"""An option is a keyword of the function that its command calls."""

import functools
from dataclasses import replace
from importlib import import_module
from inspect import signature

import pytest

from irx_measures.cli import meta
from irx_measures.exceptions import InputError
from tests.cli.conftest import RUNS
from tests.doubts import ANY_DOUBT

pytestmark = ANY_DOUBT

COMPARE = "irx_measures.cli.comparing.compare"
EVALUATE = "irx_measures.cli.reading.evaluate"
EXPLAIN = "irx_measures.cli.explain.explain"
REPORT = "irx_measures.cli.report.report"
AUDIT = "irx_measures.cli.judge.audit_judges"
PLAN = "irx_measures.cli.campaign.JudgingPlan"
SIMULATE = "irx_measures.cli.simulate.simulate_campaign"
REPRODUCE = "irx_measures.cli.reproduce.reproduce"

# What is called: a command, and a keyword that its option sets.
PARITY = [
    (COMPARE, "compare qrels.txt RUNS -m P@5", {
        "baseline": None, "test": "t", "correction": "holm", "level": 0.95, "resamples": 10_000,
        "seed": 42, "strict": True, "unjudged": None, "progress": None,
    }),
    (COMPARE, "compare qrels.txt RUNS -m P@5 --baseline dense-a", {"baseline": ["dense-a"]}),
    (COMPARE, "compare qrels.txt RUNS -m P@5 --test wilcoxon", {"test": "wilcoxon"}),
    (COMPARE, "compare qrels.txt RUNS -m P@5 --correction bh", {"correction": "bh"}),
    (COMPARE, "compare qrels.txt RUNS -m P@5 --level 90", {"level": 0.9}),
    (COMPARE, "compare qrels.txt RUNS -m P@5 --level .9", {"level": 0.9}),
    (COMPARE, "compare qrels.txt RUNS -m P@5 --resamples 9", {"resamples": 9}),
    (COMPARE, "compare qrels.txt RUNS -m P@5 --seed 7", {"seed": 7}),
    (COMPARE, "compare qrels.txt RUNS -m P@5 --unjudged learned", {"unjudged": "learned"}),
    (COMPARE, "compare qrels.txt RUNS -m P@5 --no-strict", {"strict": False}),
    (COMPARE, "compare qrels.txt RUNS -m P@5 --quiet", {"progress": False}),
    (COMPARE, "report qrels.txt RUNS -m P@5 --test wilcoxon -o r.html", {"test": "wilcoxon"}),
    (REPORT, "report qrels.txt RUNS -m P@5 -o r.html", {"texts": None, "strict": True, "by": None}),
    (REPORT, "report qrels.txt RUNS -m P@5 -o r.html --texts x", {"texts": "x"}),
    (EVALUATE, "evaluate qrels.txt RUNS -m P@5", {"strict": True, "progress": None}),
    (EVALUATE, "evaluate qrels.txt RUNS -m P@5 --no-strict --quiet", {
        "strict": False, "progress": False,
    }),
    (EXPLAIN, "explain qrels.txt RUNS -m P@5 --system dense-a --query q01 --texts x --no-strict", {
        "texts": "x", "strict": False,
    }),
    (AUDIT, "judge audit human.txt machine.txt --relevant 2 --samples 9 --seed 7 --level 90", {
        "relevant": 2, "machine_relevant": None, "samples": 9, "seed": 7, "level": 0.9,
    }),
    (AUDIT, "judge audit human.txt machine.txt --machine-relevant 3", {"machine_relevant": 3}),
    (PLAN, "judge next new.txt RUNS --tolerance .1 --grades 0 1 2 --seed 7 --machine machine.txt", {
        "tolerance": 0.1, "grades": [0, 1, 2], "seed": 7, "machine": "machine.txt", "level": 0.95,
    }),
    (SIMULATE, "simulate new --systems 3 --queries 4 --depth 5 --seed 6", {
        "systems": 3, "queries": 4, "depth": 5, "seed": 6,
    }),
    (REPRODUCE, "reproduce rareness", {"progress": None}),
]  # fmt: skip

STUDIES = [
    ("power", "-m P@5 --test t --correction bh --level 99 --resamples 9 --seed 7", {
        "test": "t", "correction": "bh", "level": 0.99, "resamples": 9, "seed": 7,
    }),
    ("power", "-m P@5", {"test": "tukey-blocks", "correction": None}),
    ("concordance", "-m P@5 AP --test t --level 90", {"test": "t", "level": 0.9}),
    ("stability", "-m P@5 --topics 3 --trials 9 --fuzziness .1 --relative", {
        "topics": 3, "trials": 9, "fuzziness": 0.1, "relative": True, "seed": 42,
    }),
    ("swap", "-m P@5 --topics 3 --trials 9 --seed 7", {"topics": 3, "trials": 9, "seed": 7}),
    ("systems", "-m P@5 --sizes 2 3 --trials 9 --coefficient RBO --phi .8", {
        "sizes": [2, 3], "trials": 9, "coefficient": "RBO", "phi": 0.8,
    }),
    ("correlation", "-m P@5 AP --coefficient tau_AP --phi .8 --samples 9 --level 90 --seed 7", {
        "coefficient": "tau_AP", "phi": 0.8, "samples": 9, "level": 0.9, "seed": 7,
    }),
]  # fmt: skip


def recorder(function, calls):
    @functools.wraps(function)
    def record(*_args, **keywords):
        calls.append(keywords)
        raise InputError("recorded")

    return record


@pytest.mark.parametrize(("function", "command", "keywords"), PARITY)
def test_options_are_keywords(irx, monkeypatch, function, command, keywords, tmp_path):
    calls = []
    module, _, name = function.rpartition(".")
    real = getattr(import_module(module), name)
    monkeypatch.setattr(function, recorder(real, calls))
    done = irx(command.replace("r.html", str(tmp_path / "r.html")))
    assert (done.returncode, done.stdout) == (2, "")
    assert {name: calls[0][name] for name in keywords} == keywords


@pytest.mark.parametrize(("study", "options", "keywords"), STUDIES)
def test_options_of_a_study_are_keywords(irx, monkeypatch, study, options, keywords):
    calls, row = [], meta.STUDIES[study]
    monkeypatch.setitem(meta.STUDIES, study, replace(row, function=recorder(row.function, calls)))
    assert irx(f"meta {study} qrels.txt RUNS {options}").returncode == 2
    assert {name: calls[0][name] for name in keywords} == keywords


@pytest.mark.parametrize("study", meta.STUDIES)
def test_defaults_are_those_of_the_function(study):
    """Where an option is described by another function, both have the same default."""
    row = meta.STUDIES[study]
    taken = signature(row.function).parameters
    for name in set(row.options) & set(taken) & set(meta.DESCRIBED_IN):
        described = signature(meta.DESCRIBED_IN[name]).parameters
        assert described[name].default == taken[name].default


def test_groups_are_those_of_the_systems_that_all_measures_score(
    irx, folder, tmp_path, monkeypatch
):
    """Of a measure whose only prior is a system, this one has no score."""
    pytest.importorskip("matplotlib")
    groups = {name: f"team {name[-1]}" for name in RUNS}
    file = tmp_path / "groups.csv"
    file.write_text("run,group\n" + "".join(f"{run},{team}\n" for run, team in groups.items()))
    drawn = []
    monkeypatch.setattr("irx_measures.plots.system_scatter", lambda of, *_, **__: drawn.append(of))
    command = "meta correlation qrels.txt RUNS -m NRG(prior='lexical-a')@5 P@5 --samples 5"
    irx(command, "--groups", file, "--plot", tmp_path / "it.svg")
    (matrix,) = drawn
    assert matrix.systems == tuple(name for name in RUNS if name != "lexical-a")
    assert matrix.groups == tuple(groups[name] for name in matrix.systems)
