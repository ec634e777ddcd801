"""What importing the package costs, and what it brings: names, and one order of arguments."""

import gzip
from inspect import isfunction, ismethod, signature

import pytest

import irx_measures
from irx_measures import InputError, RunSet, explain, meta
from irx_measures.measures.declaring.base import catalogue
from tests import console

HEAVY = {
    "pandas", "pyarrow", "rich", "scipy", "matplotlib", "pyterrier", "statsmodels", "ir_datasets",
}  # fmt: skip
USED_LATER = [
    "comparison", "distributed", "explaining", "integrations.pyterrier", "io.letor", "judging",
    "meta", "persistence", "plots", "reporting", "scoring", "simulate", "stats", "unjudged.model",
]  # fmt: skip
NOT_FOR_TREC_FILES = {
    "matplotlib", "scipy.stats", "pandas", "pyarrow", "jinja2", "sklearn", "statsmodels", "tqdm",
    "asyncio", "ssl", "importlib.metadata", "difflib", "irx_measures.comparison.compare",
    "irx_measures.meta", "irx_measures.plots", "irx_measures.reporting.report",
    "irx_measures.reproductions", "irx_measures.cli.compare", "irx_measures.cli.cite",
    "irx_measures.cli.measures",
}  # fmt: skip


def python(code, *arguments):
    """The words that a program prints; its warnings are errors."""
    # ir_measures imports cwl-eval if it is installed. The source of cwl-eval causes this warning.
    strict = ["-W", "error", "-W", "ignore:invalid escape sequence"]
    done = console.python(*strict, "-c", code, *arguments)
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout.split()


def test_importing_loads_nothing_heavy_and_no_module_that_is_used_later():
    loaded = set(python("import irx_measures, sys; print(*sys.modules)"))
    assert "irx_measures.runsets.runset" in loaded
    assert not loaded & {*HEAVY, *(f"irx_measures.{name}" for name in USED_LATER)}


META = """
import sys
from irx_measures.meta import discriminative_power
result = discriminative_power([[0.9, 0.7, 0.8], [0.5, 0.2, 0.4]])
before = list(sys.modules)
print(len(result.to_frame()), *before)
"""


@pytest.mark.slow
def test_meta_evaluation_loads_nothing_heavy_before_a_table_is_asked_for():
    rows, *loaded = python(META)
    assert rows == "1"
    assert not {"pandas", "matplotlib", "rich"} & set(loaded)


SCORING = """
import sys, irx_measures, ir_measures
qrels, run = {"q": {"d": 1}}, {"q": {"d": 1.0}}
with irx_measures.scope({"a": run, "b": run}):
    for text in ("NRG(prior=others)@10", "P_Rareness(systems=others)@5"):
        print(ir_measures.parse_measure(text).calc_aggregate(qrels, run))
print(*sys.modules)
"""


def test_scoring_plain_data_loads_nothing_heavy():
    first, second, *loaded = python(SCORING)
    assert (float(first), float(second)) == (0.0, 0.2)
    assert not HEAVY & set(loaded)


def test_every_public_name_can_be_used():
    assert set(catalogue) < set(irx_measures.__all__) < set(dir(irx_measures))
    assert {*dir(irx_measures)} - {*irx_measures.__all__} == {
        *("distributed", "judging", "meta", "persistence", "plots", "reproductions"),
        *("stats", "typing"),
        *("others", "pool", "run", "RunSetArtifact", "__version__"),
    }
    for name in dir(irx_measures):
        assert getattr(irx_measures, name) is not None
    with pytest.raises(AttributeError, match="irx_measures attribute nothing"):
        irx_measures.nothing  # noqa: B018


NAMES = """
run, pool, others = "mine", "mine", "mine"
from irx_measures import *
print(run, pool, others, RunSet.__name__)
from irx_measures import run, pool, others
import irx_measures
print(run, pool, others, irx_measures.meta.__name__)
"""


def test_names_of_a_script_stay_and_modules_come_on_first_use():
    later = ["run", "pool", "others", "irx_measures.meta"]
    assert python(NAMES) == [*["mine"] * 3, "RunSet", *later]


COMMAND = """
import sys, ir_measures
hosts = {*sys.modules}
from irx_measures.cli.main import main
assert not main(sys.argv[1:])
print(*{*sys.modules} - hosts)
"""


@pytest.mark.slow
def test_evaluating_small_files_loads_nothing_else(tmp_path):
    qrels, run, packed = tmp_path / "qrels", tmp_path / "a.run", tmp_path / "b.run.gz"
    qrels.write_text("q1 0 d1 1\nq1 0 d2 0\n")
    text = b"q1 Q0 d1 1 2.0 a\nq1 Q0 d3 2 1.0 a\n"
    run.write_bytes(text)
    packed.write_bytes(gzip.compress(text))
    measures = ["nDCG@10", "NRG(prior=others)@10"]
    printed = set(python(COMMAND, "evaluate", qrels, run, packed, "-m", *measures, "-o", "table"))
    assert "1.0000" in printed
    assert "irx_measures.scoring.evaluate" in printed
    assert not printed & NOT_FOR_TREC_FILES


COMPARE = """
import sys, irx_measures
campaign = irx_measures.simulate_campaign(systems=3, queries=9, depth=10)
irx_measures.compare(campaign.qrels, campaign.runs, "nDCG@10")
print("scipy.stats" in sys.modules)
"""


@pytest.mark.slow
def test_a_comparison_does_not_wait_for_scipy_stats():
    assert python(COMPARE) == ["False"]


WITHOUT_OLD_NODES = """
import ast
for name in ("Num", "Str", "Bytes", "NameConstant", "Ellipsis", "__getattr__"):
    vars(ast).pop(name, None)
import ir_measures, irx_measures
for text in ("P(rel=2)@5", "nDCG(dcg='log2')@10", "NRG(prior=x)@10", "BootNDCG(stat=q05)@10"):
    assert str(ir_measures.parse_measure(text)) == str(irx_measures.parse_measure(text))
assert [*ir_measures.parse_trec_measure("P_5,10")] == [ir_measures.P @ 5, ir_measures.P @ 10]
qrels, run = {"q": {"d": 1}}, {"q": {"d": 1.0}}
measure = ir_measures.parse_measure("P(rel=1)@1")
print(ir_measures.calc_aggregate([measure], qrels, run)[measure])
"""


def test_measures_are_read_without_the_nodes_that_python_3_14_removed():
    # ir_measures 0.4.3 needs them; this package's reader takes its place.
    assert python(WITHOUT_OLD_NODES) == ["1.0"]


# One order of arguments: qrels, runs, measures

ORDERED = ("qrels", "runs", "measures")
MEANT = {"run": "runs", "runset": "runs", "measure": "measures", "methods": "measures"}

# Their order stands in the specification, or in PyTerrier; `human` and `machines` are judgments.
EXCEPTIONS = {"Experiment", "audit_judges"}


def test_qrels_come_before_runs_and_runs_before_measures():
    named, seen = {"distributed.evaluate": irx_measures.distributed.evaluate}, set()
    for home in (irx_measures, meta, irx_measures.JudgmentModel):
        named |= {name: getattr(home, name) for name in getattr(home, "__all__", dir(home))}
    for name, function in named.items():
        if name in EXCEPTIONS or not (isfunction(function) or ismethod(function)):
            continue
        parameters = signature(function).parameters.values()
        positional = [one.name for one in parameters if one.kind == one.POSITIONAL_OR_KEYWORD]
        asked = [MEANT.get(one, one) for one in positional if MEANT.get(one, one) in ORDERED]
        if "qrels" in asked:
            seen.add(name)
            asked = list(dict.fromkeys(asked))
            assert asked == [one for one in ORDERED if one in asked], name
    assert len(seen) > 8


def test_another_order_is_an_error():
    qrels, run = {"q": {"A": 1, "B": 0, "C": 2}}, {"q": {"A": 2.0, "B": 1.0}}
    with pytest.raises(TypeError, match="measure"):
        explain(run, "nDCG@5", qrels)
    with pytest.raises(InputError, match="are runs and qrels swapped"):
        meta.leave_group_out(RunSet({"x": run, "y": run}), qrels, 1)
